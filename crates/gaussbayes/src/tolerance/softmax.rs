//! Names the constants of softmax regression, each with its reason.

/// Most numbers that second derivatives may take, 2²⁵ (a quarter GiB, of which a run keeps several): factoring so many
/// takes minutes a step.
pub(crate) const CURVATURE_MAX: usize = 1 << 25;

/// Penalty on raw coefficients, and the most Newton steps, unless others are asked for: those of scikit-learn.
pub(crate) const SOFTMAX_PENALTY: f64 = 1.0;
pub(crate) const SOFTMAX_STEPS: u32 = 100;

/// Change of a row's log-odds by a Newton step at which one more step, that needs no pass, ends the fit \[M80\]: the
/// step after it is of the order of its square, 10⁻¹².
pub(crate) const SOFTMAX_MOVED: f64 = 1e-6;

/// Share of the gain that a Newton step promises which it must keep, where log-odds move by more than one \[M80\].
pub(crate) const SOFTMAX_GAIN: f64 = 1e-4;

/// Largest penalty on a coefficient of framed rows, as a power of two: the coefficient is zero in numbers long before.
pub(crate) const SOFTMAX_PENALTY_EXPONENT: i32 = 500;

/// What is added to second derivatives that rounding leaves without a factor, in units of their rounding, and by how
/// much more each time that it was not enough.
pub(crate) const SOFTMAX_RIDGE: f64 = 4.0 * f64::EPSILON;
pub(crate) const SOFTMAX_RIDGE_MORE: f64 = 16.0;

/// Gain in sight, in rows of the least weight, from which on a step that still moves log-odds follows classes that are
/// separable \[M80\]: only rows of log-odds beyond 26 still move, in a direction that all others do not see.
pub(crate) const SEPARABLE_GAIN: f64 = 1e-12;

/// Change of log-odds by such a step, which is near one where there is no end, and the share of it by which other
/// rows may fall back: what the gain in sight allows to rows near the boundary.
pub(crate) const SEPARABLE_MOVED: f64 = 0.5;
pub(crate) const SEPARABLE_BACK: f64 = 1e-4;

/// Log weight of a class below which Gaussians cannot stand for a softmax: the weight would be no normal number.
pub(crate) const RULE_WEIGHT: f64 = -700.0;
