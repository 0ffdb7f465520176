//! Names the constants of boundaries and their curves, each with its reason.

use super::CONSTANT_DEVIATION;

/// Relative rounding of what a boundary's kind is decided by \[M42\]: some units in the last place for
/// each step from parameters in any unit to a whitened form, as for a constant column \[M8\].
pub(crate) const KIND_ROUNDING: f64 = CONSTANT_DEVIATION;

/// Share of the rounding that makes a square count as none which the square itself is taken to have:
/// a curve of hardly any curvature is then told from its limit, not lost between the two.
pub(crate) const KIND_SHARE: f64 = 1.0 / 8.0;

/// Relative size from which slopes and constants are never taken for rounding of covariances \[M42\]: curves
/// are drawn without what counts as none, and their points must tie to 10⁻⁹.
pub(crate) const KIND_SEEN: f64 = 1e-10;

/// Sweeps that turn a symmetric matrix until its axes stand still: convergence is quadratic.
pub(crate) const TURNING_SWEEPS: usize = 30;

/// Difference of two columns' binary exponents beyond which they count as that far apart in raw axes:
/// a square and its inverse are still numbers.
pub(crate) const AXES_EXPONENT: i32 = 250;

/// Parts into which a stretch is cut in search of sign changes of a sum of exponentials \[M46\]: terms are
/// monotone on it, so that a fourth holds hardly more than one extremum. Newton takes some five steps to
/// a root, halving sixty.
pub(crate) const SUM_PARTS: u32 = 4;

/// Sizes of coefficients whose products are plain numbers, without a unit.
pub(crate) const PLAIN_SQUARES: std::ops::Range<f64> = 1e-120..1e120;
pub(crate) const SUM_STEPS: usize = 120;

/// Most steps toward one root of a polynomial: halving takes a hundred from a range of any width.
pub(crate) const ROOT_STEPS: usize = 200;

/// Value at the centre of a conic, or square there, beyond which arcs about it have too few digits, in log-odds
/// \[M44\]: they are known to its rounding, which is then more than 10⁻¹².
pub(crate) const ARC_STIFF: f64 = 1e3;

/// Newton steps that put a point on a curve: convergence is quadratic.
pub(crate) const POLISH_STEPS: usize = 6;

/// Share of its length by which an arc is drawn out before it is cut at the window again.
pub(crate) const ARC_MARGIN: f64 = 0.05;

/// Difference of log scores, as a share of their size, up to which actions count as tied on a curve.
pub(crate) const CURVE_TIE: f64 = 1e-9;

/// The same where curves meet: the end of one is found to some digits less.
pub(crate) const MEETING: f64 = 1e-7;

/// Step aside from a curve, as a share of the window, that tells which actions are best beside it.
pub(crate) const ASIDE: f64 = 1e-6;

/// Points of an arc at which actions that no quadric tells apart are compared.
pub(crate) const ARC_SAMPLES: usize = 96;

/// Accuracy of traced curves, as a share of the window \[M45\]: finer than any picture shows.
pub(crate) const TRACE_ACCURACY: f64 = 1e-6;

/// Newton step toward a traced curve, as a share of the window, after which the point is on it: what is
/// left is some multiple of its square.
pub(crate) const TRACE_SETTLED: f64 = 1e-8;

/// Lines in each direction that are searched for points of curves, and on whose crossings margins are
/// compared in search of islands between them \[M45\].
pub(crate) const TRACE_LINES: usize = 24;

/// Halvings of a step in search of an island \[M45\]: one of a millionth of the window is found.
pub(crate) const ISLAND_HALVINGS: usize = 14;

/// Longest step along a traced curve as a share of the window, and the most steps of one.
pub(crate) const TRACE_STEP: f64 = 0.02;
pub(crate) const TRACE_STEPS: usize = 100_000;

/// Halvings toward the end of a curve: to the last digit of a step.
pub(crate) const END_STEPS: usize = 45;
