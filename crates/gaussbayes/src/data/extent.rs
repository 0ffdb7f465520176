//! Looks at every number of a block once: whether all are finite, and how far each column reaches.

use std::slice::from_ref;

use pulp::{Simd, WithSimd};

use super::rows::{Dense, Rows};
use crate::linalg::simd::{Real, dispatch};

/// The least and the greatest number of each column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Extent {
    pub(crate) least: Vec<f64>,
    pub(crate) greatest: Vec<f64>,
}

impl Extent {
    /// Of rows that lie one after the other; `None` of other ones, and where a number is not finite.
    pub(super) fn of(rows: &Rows<'_>) -> Option<Self> {
        let dim = rows.dim();
        match rows.dense()? {
            Dense::F64(values, stride) if stride == dim => dispatch(Look { values, dim }),
            Dense::F32(values, stride) if stride == dim => dispatch(Look { values, dim }),
            Dense::F64(..) | Dense::F32(..) => None,
        }
    }

    /// Of some rows of any kind, all of them finite.
    pub(crate) fn of_some(rows: &Rows<'_>, some: &[usize]) -> Self {
        let mut extent = Self::empty(rows.dim());
        let mut row = vec![0.0; rows.dim()];
        for &i in some {
            rows.read(i, &mut row);
            extent.widen(0, &row, &row);
        }
        extent
    }

    fn empty(dim: usize) -> Self {
        Self { least: vec![f64::INFINITY; dim], greatest: vec![f64::NEG_INFINITY; dim] }
    }

    /// Takes in numbers of the columns from `at` on, and round again.
    fn widen<T: Real>(&mut self, at: usize, least: &[T], greatest: &[T]) {
        let dim = self.least.len();
        for (j, (least, greatest)) in least.iter().zip(greatest).enumerate() {
            let column = (at + j) % dim;
            self.least[column] = self.least[column].min(least.wide());
            self.greatest[column] = self.greatest[column].max(greatest.wide());
        }
    }
}

struct Look<'a, T> {
    values: &'a [T],
    dim: usize,
}

/// What was seen of some columns side by side: the least, the greatest, and zeros as long as all were finite.
#[derive(Clone, Copy)]
struct Seen<V> {
    least: V,
    greatest: V,
    none: V,
}

impl<T: Real> WithSimd for Look<'_, T> {
    type Output = Option<Extent>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Option<Extent> {
        // Some rows side by side fill whole vectors.
        let lanes = T::lanes::<S>();
        let long = self.dim * (lanes >> self.dim.trailing_zeros().min(lanes.trailing_zeros()));
        let (whole, rest) = self.values.split_at(self.values.len() - self.values.len() % long);
        let vectors = long / lanes;
        let nothing = Seen {
            least: T::splat(simd, T::of(f64::INFINITY)),
            greatest: T::splat(simd, T::of(f64::NEG_INFINITY)),
            none: T::splat(simd, T::default()),
        };
        let mut seen = vec![nothing; vectors];
        let whole = T::vectors::<S>(whole);
        // Of wide rows few at a time: memory is read in its order.
        let rows = if vectors > LOOK_VECTORS { LOOK_ROWS } else { whole.len() / vectors };
        for rows in whole.chunks(rows.max(1) * vectors) {
            let mut at = 0;
            while vectors - at >= LOOK_VECTORS {
                columns::<S, T, LOOK_VECTORS>(simd, (rows, vectors), (at, &mut seen));
                at += LOOK_VECTORS;
            }
            while at < vectors {
                columns::<S, T, 1>(simd, (rows, vectors), (at, &mut seen));
                at += 1;
            }
        }
        let (mut extent, mut finite) = (Extent::empty(self.dim), true);
        for (at, seen) in seen.iter().enumerate() {
            let numbers = T::numbers::<S>;
            let (least, greatest) = (numbers(from_ref(&seen.least)), from_ref(&seen.greatest));
            extent.widen(at * lanes, least, numbers(greatest));
            finite &= numbers(from_ref(&seen.none)).iter().all(|none| none.wide() == 0.0);
        }
        for x in rest {
            finite &= x.wide().is_finite();
        }
        extent.widen(0, rest, rest);
        finite.then_some(extent)
    }
}

/// Vectors of a row that are kept in registers, and rows that are taken at a time where there are more.
const LOOK_VECTORS: usize = 4;
const LOOK_ROWS: usize = 4;

/// Takes in `N` vectors of each long row.
#[inline(always)]
fn columns<S: Simd, T: Real, const N: usize>(
    simd: S,
    (rows, vectors): (&[T::Vector<S>], usize),
    (at, seen): (usize, &mut [Seen<T::Vector<S>>]),
) {
    let Some(seen) = seen[at..].first_chunk_mut::<N>() else { return };
    let (mut least, mut greatest) = (seen.map(|seen| seen.least), seen.map(|seen| seen.greatest));
    let mut none = seen.map(|seen| seen.none);
    // Zero times a number that is not finite is none, and stays none.
    let zero = T::splat(simd, T::default());
    for row in rows.chunks_exact(vectors) {
        let Some(row) = row[at..].first_chunk::<N>() else { break };
        for n in 0..N {
            none[n] = T::mul_add(simd, row[n], zero, none[n]);
            least[n] = T::min(simd, row[n], least[n]);
            greatest[n] = T::max(simd, row[n], greatest[n]);
        }
    }
    for n in 0..N {
        seen[n] = Seen { least: least[n], greatest: greatest[n], none: none[n] };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extent_of_rows_of_any_width_is_that_of_their_columns() {
        for dim in [1, 2, 3, 7, 8, 10, 31, 32, 33, 45] {
            for count in [1, 2, 7, 8, 9, 50] {
                let number = |at: usize| ((at * 7919) % 1009) as f64 - 500.0;
                let values: Vec<f64> = (0..count * dim).map(number).collect();
                let rows = Rows::new(&values[..], dim).unwrap();
                let all: Vec<usize> = (0..count).collect();
                assert_eq!(
                    Extent::of(&rows),
                    Some(Extent::of_some(&rows, &all)),
                    "{count} x {dim}"
                );
                for at in [0, count * dim / 2, count * dim - 1] {
                    for wrong in [f64::NAN, f64::INFINITY] {
                        let mut values = values.clone();
                        values[at] = wrong;
                        assert_eq!(Extent::of(&Rows::new(values, dim).unwrap()), None);
                    }
                }
            }
        }
    }
}
