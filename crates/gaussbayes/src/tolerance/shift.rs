//! Names the constants of priors that shift, each with its reason.

/// Gain of log-likelihood still in sight at which priors stand \[M74\]: they are then within 1.5e-10 standard errors
/// of where they end.
pub(crate) const SHIFT_GAIN: f64 = 1e-20;

/// Gain in sight below which a whole Newton step is looked at alone \[M74\]: logarithms of sums are self-concordant, so
/// that the step cannot miss there.
pub(crate) const SHIFT_SURE: f64 = 1e-4;

/// Shares of a Newton step that one pass looks at beside the EM step, and what is left of them where none
/// of all gained: of ten shifts these took the fewest passes, four to seven.
pub(crate) const SHIFT_SHARES: [f64; 4] = [1.0, 0.9, 0.7, 0.4];
pub(crate) const SHIFT_SHORTER: f64 = 1.0 / 8.0;

/// Most passes over the rows: some five are needed, and shares of a step are beyond all digits long before.
pub(crate) const SHIFT_PASSES: u32 = 100;

/// Added to the information of each class as a share of what known classes would give, and its most as a share of
/// what there is: what rows cannot tell apart stays where it is, and what they can needs no pass more.
pub(crate) const SHIFT_RIDGE: f64 = 1e-10;
pub(crate) const SHIFT_RIDGE_MOST: f64 = 1e-6;

/// Largest ratio of a class density to that of all that is summed up, 2¹⁰⁰: of a class that has no prior it may be any
/// number, and squares of it, times any weight, must be sums.
pub(crate) const SHIFT_RATIO: f64 = (1_u128 << 100) as f64;

/// Multiplier of a class at 0, relative to the largest, up to which it stays there.
pub(crate) const SHIFT_DUAL: f64 = 1e-12;

/// Share of the information of rows with known classes below which there is none \[M75\]: what rounding leaves of
/// two classes that are one.
pub(crate) const SHIFT_BLIND: f64 = 1e-12;

/// Rows of a class that are to be expected for the χ² distribution of the test to be near: the usual rule.
pub(crate) const SHIFT_EXPECTED: f64 = 5.0;

/// Times that each class may go in or out of the free ones: it takes a few, and rounding must not go round for ever.
pub(crate) const SHIFT_TURNS: usize = 10;
