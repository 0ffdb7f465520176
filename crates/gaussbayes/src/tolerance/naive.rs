//! Names the constants of products of densities.

/// Largest number that may be added to a count: a product with the number of words stays exact enough to be told
/// from it.
pub(crate) const ALPHA_MAX: f64 = 1e9;

/// A table of all keys is filled where there is an entry for every so many of its cells: a sort costs about as much
/// as reading that many zeros.
pub(crate) const DENSE_TALLY: usize = 8;

/// Share of a class's weight up to which what is left after taking out the missing is rounding of their sums.
pub(crate) const ALL_MISSING: f64 = 1e-12;
