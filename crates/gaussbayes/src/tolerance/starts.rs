//! Names the constants of where EM starts, each with its reason.

/// Rows that starts of EM are computed from: some thousand per component place its mean to a hundredth of
/// its deviation, and more cost time that the first pass over all rows is worth more of.
pub(crate) const START_ROWS: usize = 1 << 14;

/// Most bytes of them: a thousand columns and more leave fewer rows.
pub(crate) const START_BYTES: usize = 1 << 27;

/// Most rows and most principal axes that a hierarchy of groups is made of \[M59\]: costs of all pairs take
/// 8 MB; axes beyond the widest say little about groups, and determinants take their cube.
pub(crate) const HIERARCHY_ROWS: usize = 2000;
pub(crate) const HIERARCHY_AXES: usize = 24;

/// What joining a pair costs beside the cube of its axes, in multiplications: by the square of the axes, and
/// in any case.
pub(crate) const HIERARCHY_COST: (f64, f64) = (12.0, 40.0);

/// Multiplications that a hierarchy may take: about a second.
pub(crate) const HIERARCHY_WORK: f64 = 4e9;

/// Change of the mean log-likelihood of a row at which k-means is over, where it is but a start, and its most
/// iterations: what is left moves centres by a hundredth of a deviation.
pub(crate) const KMEANS_TOLERANCE: f64 = 1e-6;
pub(crate) const KMEANS_ITERATIONS: u32 = 100;

/// Most clusters of rows that are kept for other families to start from: 64 MiB of them.
pub(crate) const KMEANS_KEPT: usize = 1 << 24;

/// Iterations that each of several starts is tried for, and how many of the best go on to the end: EM gains
/// most at first, and which start is best shows early, but not always at once.
pub(crate) const SHORT_ITERATIONS: u32 = 20;
pub(crate) const LONG_RUNS: usize = 3;

/// Iterations for which a mixture is tried from where others of as many components have ended: they are near
/// an end already.
pub(crate) const SIBLING_ITERATIONS: u32 = 5;

/// How much coarser runs are ended that are compared only: what is left at the best rate there is hardly
/// decides between two.
pub(crate) const COARSE: f64 = 100.0;

/// Short runs between two looks at who watches.
pub(crate) const SHORT_BATCH: usize = 8;
