//! Names every numeric constant of the library, each with its reason.

/// Rows of one tile of the scatter kernel: a tile of 256 rows stays in the first two cache levels
/// up to a hundred columns, and sums of 256 terms keep their rounding below a few units.
pub(crate) const TILE_ROWS: usize = 256;

/// Bytes of rows in one block: large enough to hide the cost of a task and of a merge, small
/// enough that some blocks per thread stay in the last cache level.
pub(crate) const BLOCK_BYTES: usize = 2 << 20;

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

/// Two-sided 95 % point of the normal distribution, for Wilson intervals \[M20\].
pub(crate) const NORMAL_95: f64 = 1.959_963_984_540_054;

/// Difference of the columns' binary exponents from which a family that depends on units says so:
/// ranges that differ by a factor of eight or more let one column decide nearly alone.
pub(crate) const WIDE_EXPONENT: i32 = 4;

/// Sizes of numbers that messages write without an exponent: short to read either way.
pub(crate) const PLAIN: std::ops::Range<f64> = 1e-5..1e15;

/// Eigenvalue of a correlation matrix of `dim` columns below which a direction counts as absent
/// \[M8\]: rounding of an exactly dependent column leaves some `dim` ulps, real data leave more.
/// `noise` is the largest share of rounding in a column's deviation.
pub(crate) fn rank_floor(dim: usize, noise: f64) -> f64 {
    dim as f64 * (64.0 * f64::EPSILON + noise * noise)
}
