//! Computes on eight rows side by side, each in a lane of its own.
//!
//! A lane sees plain products, sums and quotients in a fixed order: its bits depend neither on the
//! rows beside it nor on the instruction set.

/// Rows side by side.
pub(crate) const LANES: usize = 8;

/// One column of as many rows.
pub(crate) type Lanes = [f64; LANES];

/// A loop over lanes. Its `call` must be `#[inline(always)]`, so that it is compiled once for each
/// instruction set.
pub(crate) use pulp::NullaryFnOnce as Job;

pub(crate) use super::simd::vectorized;

/// Puts up to eight rows into lanes, column by column; lanes without a row keep what they had.
#[inline(always)]
pub(crate) fn load(panel: &[f64], lanes: &mut [Lanes]) {
    for (lane, row) in panel.chunks_exact(lanes.len()).enumerate() {
        for (column, x) in lanes.iter_mut().zip(row) {
            column[lane] = *x;
        }
    }
}

/// Puts lanes back into rows.
#[inline(always)]
pub(crate) fn store(lanes: &[Lanes], panel: &mut [f64]) {
    for (lane, row) in panel.chunks_exact_mut(lanes.len()).enumerate() {
        for (column, x) in lanes.iter().zip(row) {
            *x = column[lane];
        }
    }
}

/// `sum += a · b`, lane by lane.
#[inline(always)]
pub(crate) fn add_product(sum: &mut Lanes, a: &Lanes, b: &Lanes) {
    for ((sum, a), b) in sum.iter_mut().zip(a).zip(b) {
        *sum += a * b;
    }
}

/// ‖z‖² of each lane, kept finite.
#[inline(always)]
pub(crate) fn norm_sq(z: &[Lanes]) -> Lanes {
    let mut sum = [0.0; LANES];
    z.iter().for_each(|z| add_product(&mut sum, z, z));
    sum.map(|sum| sum.min(f64::MAX))
}
