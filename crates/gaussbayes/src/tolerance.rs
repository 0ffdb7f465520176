//! Names every numeric constant of the library, each with its reason.

mod boundary;
mod judging;
mod naive;
mod outliers;
mod risk;
mod shift;
mod softmax;
mod starts;

pub(crate) use boundary::*;
pub(crate) use judging::*;
pub(crate) use naive::*;
pub(crate) use outliers::*;
pub(crate) use risk::*;
pub(crate) use shift::*;
pub(crate) use softmax::*;
pub(crate) use starts::*;

/// Rows of one tile of the scatter kernel: a tile of 256 rows stays in the first two cache levels
/// up to a hundred columns, and sums of 256 terms keep their rounding below a few units.
pub(crate) const TILE_ROWS: usize = 256;

/// Bytes of rows in one block: large enough to hide the cost of a task, small enough that a block stays in the
/// second cache level while it is read more than once.
pub(crate) const BLOCK_BYTES: usize = 512 << 10;

/// Rows of a block for each column of a wide table: a block's work on them is then some times that of merging its
/// scatter.
pub(crate) const BLOCK_SQUARES: usize = 16;

/// Most bytes of rows in one block: some blocks per thread stay in the last cache level.
pub(crate) const BLOCK_BYTES_MAX: usize = 4 << 20;

/// Bytes of rows that are drawn from one stream of random numbers.
pub(crate) const STREAM_BYTES: usize = 2 << 20;

/// Smallest block in rows, for very wide tables.
pub(crate) const BLOCK_ROWS_MIN: usize = 64;

/// Largest block in rows, for very narrow tables.
pub(crate) const BLOCK_ROWS_MAX: usize = 8192;

/// Frame units beyond which a row is drawn in along its ray before it is scored \[M22\]: 2³⁰⁰, so
/// that a whitened square (condition up to 10¹⁵, any number of columns) cannot overflow.
pub(crate) const FAR_EXPONENT: i32 = 300;

/// How far a fixed unit may be from the rows' own before scores take it as that far: 2^±150, where
/// posteriors are at their limit and far rows (2³⁰⁰) still have squares.
pub(crate) const UNIT_EXPONENT: i32 = 150;

/// Rows whose median is a block's origin, column by column: odd, and enough that a few wild rows
/// cannot take it away from the others.
pub(crate) const ORIGIN_SAMPLE: usize = 15;

/// Standard deviation, in units of a column's frame, up to which the column counts as constant
/// \[M8\]: rounding leaves a constant some units in the last place per merge.
pub(crate) const CONSTANT_DEVIATION: f64 = 64.0 * f64::EPSILON;

/// Smallest and largest weight of a row, beside 0: sums and their inverses stay normal numbers.
pub(crate) const WEIGHT_EXPONENT: i32 = 500;

/// Rows that are drawn for the density that a share of them lies below, and the least share \[M53\]: a thousandth
/// of 2¹⁷ rows is known to a tenth of itself.
pub(crate) const LEVEL_DRAWS: u64 = 1 << 17;
pub(crate) const LEVEL_SHARE: f64 = 1e-3;

/// Highest level of a merge tree: 2⁴⁰ blocks are more rows than any machine will see.
pub(crate) const LEVEL_MAX: u32 = 40;

/// Largest size of a cost: differences and products with probabilities stay finite.
pub(crate) const COST_EXPONENT: i32 = 500;

/// Most folds of a cross-validation: each keeps moments of its own. More is leaving rows out one
/// by one, which keeps none.
pub(crate) const FOLDS_MAX: usize = 1000;

/// Most numbers that the scatter of all classes may take, 2²⁵ (a quarter GiB, of which a run keeps
/// several): a target with that many classes is a name or a measurement, not a class.
pub(crate) const SCATTER_MAX: usize = 1 << 25;

/// Given priors must sum to one to this precision; what remains is divided out. Wide enough for
/// priors typed with seven digits, the same as scikit-learn's discriminant analysis takes.
pub(crate) const PRIOR_SUM: f64 = 1e-5;

/// Relative and absolute distance from 1/K up to which priors of centroids count as equal \[M33\]: what
/// scikit-learn's `NearestCentroid` takes, so that both decide by the same distance.
pub(crate) const EQUAL_PRIORS: f64 = 1e-5;
pub(crate) const EQUAL_PRIORS_LEAST: f64 = 1e-8;

/// Relative error of a sum of weights, each rounded once, that may be half of all or not \[M33\].
pub(crate) const HALF_WEIGHT: f64 = 4.0 * f64::EPSILON;

/// Largest part of a distance that all centroids have in common \[M33\]: twice it is still a number,
/// and so is its sum with the distances between centroids.
pub(crate) const FARTHEST: f64 = f64::MAX / 8.0;

/// Two-sided 95 % point of the normal distribution, for Wilson intervals \[M20\].
pub(crate) const NORMAL_95: f64 = 1.959_963_984_540_054;

/// Difference of the columns' binary exponents from which a family that depends on units says so:
/// ranges that differ by a factor of eight or more let one column decide nearly alone.
pub(crate) const WIDE_EXPONENT: i32 = 4;

/// Sizes of numbers that messages write without an exponent: short to read either way.
pub(crate) const PLAIN: std::ops::Range<f64> = 1e-5..1e15;

/// Share of the largest coefficient that the one an equation is solved for must have: later columns
/// are preferred, at the price of one digit at most.
pub(crate) const PIVOT_SHARE: f64 = 0.1;

/// Relative error that a factor or constant of an equation may have for the sake of a short number:
/// a person who reads six digits sees none.
pub(crate) const SEEN_FACTOR: f64 = 1e-6;

/// Decimal digits that a constant must be shorter than its precision to be taken for no noise: one
/// number in a thousand is so by chance.
pub(crate) const SPARE_DIGITS: f64 = 3.0;

/// Most terms of an equation whose factors are made short; more are not read one by one.
pub(crate) const READABLE_TERMS: usize = 16;

/// Most equations between columns that are looked for: elimination takes the square of their number,
/// and nobody reads so many.
pub(crate) const EQUATIONS_MAX: usize = 100;

/// Relative change of the volumes at which a family's iteration has converged \[M25\]: what rounding
/// leaves of a trace of some ten columns.
pub(crate) const FAMILY_CHANGE: f64 = 64.0 * f64::EPSILON;

/// Relative change of the volumes from which on rounding can hold an iteration up, for covariances of
/// condition 10⁶ and more: changes that no longer fall are its end.
pub(crate) const FAMILY_ROUNDING: f64 = 1e-9;

/// Most steps of a family's iteration. It needs tens; classes whose shapes have next to nothing in
/// common need thousands, and more says that there is no common shape to speak of.
pub(crate) const FAMILY_STEPS: usize = 10_000;

/// Angle at which axes stand still \[M26\]: a covariance then has its first twelve digits.
pub(crate) const ANGLE_CHANGE: f64 = 1e-13;

/// Sweeps over all planes before Newton's method takes over: near enough, in nearly all cases.
pub(crate) const PLANE_SWEEPS: usize = 6;

/// Most steps in search of common axes: some ten are needed.
pub(crate) const AXES_STEPS: usize = 500;

/// Classes from whose own axes a search for common ones starts: a start costs as much as all classes.
pub(crate) const AXES_CLASSES: usize = 8;

/// Largest angle of a Newton step in all planes at once: slopes mean little beyond it.
pub(crate) const NEWTON_ANGLE: f64 = 0.3;

/// Predicted gain below which axes are at their best: the square of an angle's own rounding.
pub(crate) const AXES_FLAT: f64 = 1e-27;

/// Share of the squared gradient that a Newton step may leave unanswered, at most while the gradient
/// is large (the step is not worth more) and at least when it is small (nor are the digits).
pub(crate) const NEWTON_FORCING: f64 = 1e-2;
pub(crate) const CONJUGATE_RESIDUAL: f64 = 1e-16;

/// Most Newton steps in one plane: convergence is quadratic, the rest are halvings.
pub(crate) const PLANE_STEPS: usize = 50;

/// Gain in mean log-determinant that makes one orientation better than another: more than rounding.
pub(crate) const AXES_GAIN: f64 = 1e-12;

/// Share of a scatter, in a row's own direction, up to which the row may be subtracted from it
/// \[M32\]: four digits are lost there. The shares of all rows of a class sum up to little more than
/// its columns, so hardly more rows than columns are beyond it.
pub(crate) const LEVERAGE_MAX: f64 = 0.9999;

/// The same where fourth moments are subtracted too: a row's share of these is its square.
pub(crate) const LEVERAGE_FOURTH: f64 = 0.99;

/// Steps of both amounts of regularised discriminant analysis, stiffest first: both ends, and finer
/// near the flexible one, where a little does most.
pub(crate) const RDA_STEPS: [f64; 6] = [1.0, 0.75, 0.5, 0.25, 0.05, 0.0];

/// Shrinkage and ridge that a hint offers: small enough to change little where rows are many.
pub(crate) const OFFERED_SHRINKAGE: f64 = 0.1;
pub(crate) const OFFERED_RIDGE: f64 = 1e-6;

/// Ratio of the least to the largest variance from which eigenvalues of a covariance serve in place of
/// its factor: they are known to the rounding of the largest.
pub(crate) const EIGEN_RATIO: f64 = 1e-6;

/// How far a whitened variance may be from one: a file with another was not written by this library.
pub(crate) const WHITENED_ONE: f64 = 1e-3;

/// Difference of two entries across the diagonal, in units of both deviations, up to which a matrix
/// counts as symmetric \[M52\]: what sums in another order leave, far below a digit that anyone typed.
pub(crate) const SYMMETRY: f64 = 1e-9;

/// Ratio of two columns' deviations below which axes across both have no digits left for the narrow
/// one: half of those that numbers have.
pub(crate) const UNITS_APART: f64 = 1e-8;

/// Largest relative ridge: beyond a million total variances nothing is left of the covariance.
pub(crate) const RIDGE_MAX: f64 = 1e6;

/// Largest ridge in raw units: it can be added to any variance.
pub(crate) const RIDGE_RAW_MAX: f64 = 1e300;

/// Lowest variance of a component in any direction, on columns divided by their deviation over all rows \[M57\]:
/// a cluster a thousandth as wide as the data is still a cluster, a likelihood without bound is not.
pub(crate) const COLLAPSE: f64 = 1e-6;

/// Rounding that linear scores may have in units of log-odds \[M92\], by its bound d ε Σ|v||u|; rows and models beyond
/// it are scored otherwise.
pub(crate) const LINEAR_ROUNDING: f64 = 1e-11;

/// Deviations beyond its own size that a whitened row may have where rounding is bounded \[M9\]: rows farther from all
/// components have scores that are larger than what they lose.
pub(crate) const USUAL_DISTANCE: f64 = 8.0;

/// Roundings of a whitened number beside those of its sum \[M93\]: of the row, the mean, the factor and the square.
pub(crate) const ROUNDINGS: f64 = 4.0;

/// Most that rounding may do, by its bound, to the log score of a row at the usual distance for rows of single precision
/// to be scored in single precision \[M93\].
pub(crate) const SINGLE_ROUNDING: f64 = 1.0;

/// Frame units beyond which rows are scored in double precision: squares of whitened numbers stay far from overflow.
pub(crate) const SINGLE_FAR: f64 = 1e6;

/// Rise of a log-likelihood, as a share of its size, up to which EM goes on in double precision: some times what single
/// precision may do to it.
pub(crate) const SINGLE_RISE: f64 = 1e-6;

/// Most times that the square of a mean may be its variance, and that sums of squares about an old mean may be those
/// about the new one, where products are in single precision.
pub(crate) const SINGLE_NEAR: f64 = 16.0;
pub(crate) const SINGLE_SHIFTED: f64 = 64.0;

/// The same as [`MEMBERSHIP_LEAST`] in single precision, 2⁻⁴⁰: a million such rows weigh a millionth of one.
pub(crate) const SINGLE_MEMBERSHIP: f64 = 1.0 / (1_u64 << 40) as f64;

/// Below this the exponential is no number of full precision.
pub(crate) const EXP_LEAST: f64 = -708.0;

/// Most times that sums of squares about an old mean may be those about the new one \[M56\]: rounding of the former is
/// then below 10⁻¹² of the latter.
pub(crate) const SHIFTED: f64 = 4096.0;

/// Most times that the square of a mean may be its variance for sums of squares to be taken about the frame's origin
/// \[M56\]: a quarter of what may be lost, as means and variances move.
pub(crate) const NEAR_ORIGIN: f64 = 1024.0;

/// Membership up to which a row is no member at all \[M56\], 2⁻⁶⁰: a thousand million such rows weigh less than what a
/// component must have.
pub(crate) const MEMBERSHIP_LEAST: f64 = 1.0 / (1_u128 << 60) as f64;

/// Share of an average row below which a component has no rows \[M57\]: its mean has half its digits left.
pub(crate) const EMPTY_ROW: f64 = 1e-8;

/// Most times that components of one run start anew: a component that empties again and again has no rows
/// to be had.
pub(crate) const RESEEDS_MAX: usize = 10;

/// Change of the mean log-likelihood at which EM is over, and iterations after which it is in any case: what
/// is left at a rate of 0.99 is a hundred times the change.
pub(crate) const EM_TOLERANCE: f64 = 1e-7;
pub(crate) const EM_ITERATIONS: u32 = 1000;

/// Change of the lower bound of all rows at which variational Bayes is over \[M73\], and iterations after which it
/// is in any case: components that lose their rows do so slowly.
pub(crate) const BAYES_TOLERANCE: f64 = 1e-3;
pub(crate) const BAYES_ITERATIONS: u32 = 10_000;

/// Rounding of a log-likelihood as a share of its terms' sizes \[M57\]: whitening, log-sum-exp and the sum over
/// rows each cost some units in the last place.
pub(crate) const FALL_ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Log-likelihoods that stop rules look back on.
pub(crate) const RECENT: usize = 3;

/// Step of the parameters, on standardised columns and times the weight of all rows, below which a refit without a
/// row is over, and its least value \[M69\]: what a row moves is some units of 1/n, and what is left at a rate of 0.99
/// is a hundredth of one. Rounding of parameters is below the least.
pub(crate) const REFIT_STEP: f64 = 1e-4;
pub(crate) const REFIT_LEAST: f64 = 1e-12;

/// Rows whose one step is computed exactly for every row that is listed, and beside these \[M69\]: families without
/// covariances of their own order rows otherwise than the closed form does, but not far apart.
pub(crate) const INFLUENCE_CANDIDATES: (usize, usize) = (4, 16);

/// Rows that are left out, or places that a row is moved to, in the same passes: so many states are kept.
pub(crate) const REFIT_BATCH: usize = 32;

/// Exponents of powers of two by which a unit is taken off: the power and its inverse are numbers.
pub(crate) const POWER_EXPONENT: i32 = 1000;

/// Rounding of a whitened mean, as a share of what it was computed from \[M24\]: some units in the
/// last place for every step from rows to means to whitening, as for a constant column \[M8\].
pub(crate) const WHITENED_MEAN: f64 = CONSTANT_DEVIATION;

/// Eigenvalues of a Gram matrix that are found in one go, as a share of the largest \[M24\]: 2⁻¹⁰, so
/// that rounding of the large ones costs the small ones three digits at most.
pub(crate) const GRAM_SHARE: f64 = 1.0 / 1024.0;

/// Rounding that scores about the origin may have in units of log-odds \[M10\], by its bound d ε ‖z‖ ‖a‖
/// with the farthest mean; rows and models beyond it are scored about the best class instead.
pub(crate) const SCORE_ROUNDING: f64 = 2e-12;

/// The score that stands for −∞ in what other programs compute \[M88\]: far below that of every row in reach, while sums
/// of ten million of it are still numbers.
pub(crate) const LEAST_SCORE: f64 = -1e300;

/// How far the centre of an exported Gaussian may be off its mean, in deviations, for that to be left out \[M88\]:
/// at fifty deviations the log density is off by less than 1e-12.
pub(crate) const CENTRE_SHIFT: f64 = 1e-14;

/// How far columns reach at most and at least, as a power of two: quotients by it are still numbers.
pub(crate) const REACH_EXPONENT: i32 = 1000;

/// Columns up to which the principal axes of one covariance are turned until nothing changes; beyond
/// them the eigenvectors are left as they come, whose variances have digits relative to the widest.
pub(crate) const SHARPENED_MAX: usize = 64;

/// Slots in which labels are looked for before all that were met: more than most tables have classes.
pub(crate) const LABEL_SLOTS: usize = 64;

/// Columns beyond which a tile holds half as many rows: what is made of them stays in the second cache level.
pub(crate) const WIDE_TILE: usize = 64;

/// Bytes that a thread keeps from one block to the next, of room for sums and of sums that were merged: those of ten
/// classes of 200 columns, some times. Shorter runs of numbers are had for nothing.
pub(crate) const SPARE_BYTES: usize = 1 << 23;
pub(crate) const SPARE_LEAST: usize = 1 << 17;

/// Columns up to which products of features with shares beat a product of rows for each component, as measured.
pub(crate) const FEATURES_MOST: usize = 16;

/// Rows of a block for each column from which on what is summed up of all rows is remembered: it takes a sixteenth of
/// the rows' own memory then.
pub(crate) const REMEMBERED: usize = 8;

/// Powers of two by which units may differ for sums of squares to be moved between them: what is small beside them stays
/// a normal number, so that nothing is rounded.
pub(crate) const NEAR_UNITS: u32 = 200;

/// Share of a sum of squares that may be due to the point it is taken about: beyond it four bits and more would be lost
/// \[M2\].
pub(crate) const NEAR_MEAN: f64 = 1.0 - 1.0 / 16.0;

/// Most blocks of rows in memory that a thread takes at a time, a power of two, and how many of them each must have had
/// before it takes as many as that: longer runs are merged where they are summed up, shorter ones end together.
pub(crate) const RUN_BLOCKS: u64 = 4;
pub(crate) const RUN_AFTER: u64 = 4;

/// Tasks that may be done before one that is waited for: some take many times as long as others.
pub(crate) const TASKS_AHEAD: u64 = 64;

/// How many times that its determinant must be for a correlation matrix to be regular without another look: e, and a
/// little for rounding \[M8\].
pub(crate) const REGULAR_DETERMINANT: f64 = 3.0;

/// Eigenvalue of a correlation matrix of `dim` columns below which a direction counts as absent
/// \[M8\]: rounding of an exactly dependent column leaves some `dim` ulps, real data leave more.
/// `noise` is the largest share of rounding in a column's deviation.
pub(crate) fn rank_floor(dim: usize, noise: f64) -> f64 {
    dim as f64 * (64.0 * f64::EPSILON + noise * noise)
}
