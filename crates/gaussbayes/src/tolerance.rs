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

/// Given priors must sum to one to this precision; what remains is divided out. Wide enough for
/// priors typed with seven digits, the same as scikit-learn's discriminant analysis takes.
pub(crate) const PRIOR_SUM: f64 = 1e-5;

/// Two-sided 95 % point of the normal distribution, for Wilson intervals \[M20\].
pub(crate) const NORMAL_95: f64 = 1.959_963_984_540_054;

/// Difference of the columns' binary exponents from which a family that depends on units says so:
/// ranges that differ by a factor of eight or more let one column decide nearly alone.
pub(crate) const WIDE_EXPONENT: i32 = 4;

/// Eigenvalue of a correlation matrix of `dim` columns below which a direction counts as absent
/// \[M8\]: rounding of an exactly dependent column leaves some `dim` ulps, real data leave more.
pub(crate) fn rank_floor(dim: usize) -> f64 {
    64.0 * dim as f64 * f64::EPSILON
}
