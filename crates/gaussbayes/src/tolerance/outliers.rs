//! Bounds what is made of outliers: degrees of freedom, boxes, neighbours.

/// Least and most degrees of freedom of a Student component \[M68\]: below one not even its tails end as those of
/// Cauchy's density do, and rows cannot tell some hundreds from a Gaussian.
pub(crate) const FREEDOM_LEAST: f64 = 1.0;
pub(crate) const FREEDOM_MOST: f64 = 1000.0;

/// Degrees of freedom from which tails are as good as a Gaussian's: a row at three deviations then has a density one
/// part in seven higher, which takes thousands of rows to be seen.
pub(crate) const FREEDOM_PLAIN: f64 = 100.0;

/// Degrees of freedom that an estimate begins with: tails that tell outliers, and shapes near a Gaussian's.
pub(crate) const FREEDOM_START: f64 = 10.0;

/// How far the constant of a Student density may be from ours \[M68\]: log-gamma functions of two machines differ by
/// some ε of ln Γ(500), and densities with other constants by far more.
pub(crate) const LAW_OFFSET: f64 = 1e-9;

/// Halvings of the range of degrees of freedom on a log scale: down to a rounding.
pub(crate) const FREEDOM_STEPS: u32 = 60;

/// How many ε of the widest side a side along a principal axis must have \[M66\]: an axis is known to some ε times
/// the ratio of the variances, and rows on a plane have less than this.
pub(crate) const BOX_ROUNDING: f64 = 64.0;

/// The neighbour whose distance says how dense rows lie \[M67\]: enough that chance evens out (a Gamma law of shape
/// 12 has a deviation of 0.3 of its mean), and fewer than the rows of any cluster worth the name.
pub(crate) const NEIGHBOUR: usize = 12;

/// Pairs of rows times columns that are compared: a tenth of a second.
pub(crate) const NEIGHBOUR_WORK: f64 = 5e7;

/// Fewest and most rows that are compared with each other: with fewer a cluster of a twentieth of the rows has
/// too few neighbours, and more of them say nothing new of where noise begins.
pub(crate) const NEIGHBOUR_ROWS: (usize, usize) = (600, 4000);

/// Natural exponents within which volumes are taken: beyond, one row is all there is to a sum.
pub(crate) const NEIGHBOUR_EXPONENT: f64 = 300.0;

/// Iterations of two Gamma laws at most, and the change of a membership at which they end: a guess needs no more.
pub(crate) const NEIGHBOUR_ITERATIONS: u32 = 500;
pub(crate) const NEIGHBOUR_TOLERANCE: f64 = 1e-6;

/// Share of noise to begin with where none is guessed: a share of zero would stay zero.
pub(crate) const NOISE_START: f64 = 0.05;
