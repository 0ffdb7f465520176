//! Names the constants of judging: bins, tails of Student's law, curves, each with its reason.

/// Bins of the top probability by which calibration is measured \[M82\]: the usual number, of which each has a tenth of
/// all probabilities.
pub(crate) const CALIBRATION_BINS: usize = 10;

/// Most terms of the fraction of an incomplete beta function \[M83\]: some hundred are
/// needed, the root of the larger argument at most.
pub(crate) const BETA_TERMS: u32 = 100_000;

/// Ratio of the sizes of a learning curve, from all rows downward, and the least size in rows of a class \[M86\]: half
/// as many rows are a step that shows, and of fewer than four rows a class has no spread to speak of.
pub(crate) const CURVE_RATIO: usize = 2;
pub(crate) const CURVE_LEAST: usize = 4;

/// Columns up to which a feature curve looks at every number of them; beyond, each number is about √2 times the
/// last \[M86\].
pub(crate) const CURVE_EACH: usize = 20;

/// p value from which on two classifiers are not told apart \[M83\]: the usual one, named in every sentence that uses it.
pub(crate) const RANKING_LEVEL: f64 = 0.05;

/// Difference of mean errors up to which they are equal \[M86\]: one row of 10⁹ makes more, rounding of some hundred
/// folds less.
pub(crate) const ERROR_TIE: f64 = 1e-12;
