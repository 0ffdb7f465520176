//! Adds up what all components take of the rows of a tile: rows and squares, times shares \[M56\].

use pulp::{Simd, WithSimd};

use super::aligned::{Aligned, WIDEST};
use super::distances::Column;
use super::features::squared_lengths;
use super::gram::tile_stride;
use super::micro::multiply_columns;
use super::scatter::{Second, Sums};
use super::simd::{Real, dispatch};
use super::tile::{TILE, Tile};

/// Σ r u of each component, and Σ r u² of each column, or of all columns together.
///
/// Columns lie side by side in vectors: a sum takes as many numbers as it has, and all of them stay in the first cache
/// level. Each tile is added up by itself, and then to those before it.
#[derive(Debug)]
pub(crate) struct Tally {
    dim: usize,
    second: Option<Second>,
    /// Component by component, [`tile_stride`] numbers.
    first: Aligned<f64>,
    /// The same of the squares; of a trace a vector for each component, of which lanes have sums of their own.
    squares: Aligned<f64>,
    /// The squares of a tile, row by row, or the squared lengths of its rows.
    room: Aligned<f64>,
    /// What columns are multiplied by for these: powers of two.
    units: Vec<f64>,
}

impl Tally {
    /// Of columns in these units, and what is wanted beside Σ r u: squares of columns, or their trace.
    pub(crate) fn new(units: Vec<f64>, components: usize, second: Option<Second>) -> Self {
        let dim = units.len();
        let stride = tile_stride::<f64>(dim);
        let (squares, room) = match second {
            Some(Second::Trace) => (components * WIDEST, TILE),
            Some(_) => (components * stride, TILE * stride),
            None => (0, 0),
        };
        Self {
            dim,
            second,
            first: Aligned::zeros(components * stride),
            squares: Aligned::zeros(squares),
            room: Aligned::zeros(room),
            units,
        }
    }

    /// Adds a tile.
    pub(crate) fn add(&mut self, tile: &Tile<f64>, shares: &[Column]) {
        dispatch(Add { tally: self, tile, shares });
    }

    /// The sums of each component.
    pub(crate) fn sums(&self) -> Vec<Sums> {
        let stride = tile_stride::<f64>(self.dim).max(1);
        let of_trace = self.second == Some(Second::Trace);
        let one = |(k, first): (usize, &[f64])| Sums {
            first: first[..self.dim].to_vec(),
            second: match self.second {
                Some(Second::Trace) => {
                    vec![self.squares[k * WIDEST..(k + 1) * WIDEST].iter().sum()]
                }
                Some(_) => self.squares[k * stride..][..self.dim].to_vec(),
                None => Vec::new(),
            },
            kind: if of_trace { Second::Trace } else { Second::Diagonal },
            units: self.units.clone(),
        };
        self.first.chunks_exact(stride).enumerate().map(one).collect()
    }
}

struct Add<'a> {
    tally: &'a mut Tally,
    tile: &'a Tile<f64>,
    shares: &'a [Column],
}

impl WithSimd for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Tally { dim, second, first, squares, room, units } = self.tally;
        let (tile, shares) = (self.tile, self.shares);
        let stride = tile_stride::<f64>(*dim);
        let rows = &tile.by_rows[..tile.rows * stride];
        products(simd, (rows, stride), shares, first);
        match second {
            Some(Second::Trace) => {
                let Some(lengths) = room.first_chunk_mut::<TILE>() else { return };
                let (columns, _) = tile.by_columns.as_chunks::<TILE>();
                squared_lengths(simd, (&columns[..*dim], units), lengths);
                let used = tile.rows.div_ceil(S::F64_LANES);
                traces(simd, (lengths, used), shares, f64::vectors_mut::<S>(squares));
            }
            Some(_) => {
                let squared = f64::vectors_mut::<S>(&mut room[..rows.len()]).iter_mut();
                squared
                    .zip(f64::vectors::<S>(rows))
                    .for_each(|(to, u)| *to = simd.mul_f64s(*u, *u));
                products(simd, (&room[..rows.len()], stride), shares, squares);
            }
            None => {}
        }
    }
}

/// Adds Σ r v of each component, of rows that lie one after the other.
#[inline(always)]
fn products<S: Simd>(
    simd: S,
    (rows, stride): (&[f64], usize),
    shares: &[Column],
    sums: &mut [f64],
) {
    let (mut shares, mut sums) = (shares, sums);
    // Four components and four vectors of sums take 16 registers, four and two take 8.
    let wide = S::REGISTER_COUNT >= 32;
    while !shares.is_empty() {
        let taken = match shares.len() {
            4.. => 4,
            2.. => 2,
            _ => 1,
        };
        let (now, later) = sums.split_at_mut(taken * stride);
        match taken {
            4 if wide => components::<S, 4, 4>(simd, (rows, stride), shares, now),
            4 => components::<S, 4, 2>(simd, (rows, stride), shares, now),
            2 => components::<S, 2, 4>(simd, (rows, stride), shares, now),
            _ => components::<S, 1, 4>(simd, (rows, stride), shares, now),
        }
        (shares, sums) = (&shares[taken..], later);
    }
}

/// The same of the first `M` components, `N` vectors at a time.
#[inline(always)]
fn components<S: Simd, const M: usize, const N: usize>(
    simd: S,
    (rows, stride): (&[f64], usize),
    shares: &[Column],
    sums: &mut [f64],
) {
    let Some(shares) = shares.first_chunk::<M>() else { return };
    let (rows, vectors) = (f64::vectors::<S>(rows), stride / S::F64_LANES);
    let mut first = 0;
    while vectors - first >= N {
        part::<S, M, N>(simd, (rows, vectors), shares, first, sums);
        first += N;
    }
    while first < vectors {
        part::<S, M, 1>(simd, (rows, vectors), shares, first, sums);
        first += 1;
    }
}

#[inline(always)]
fn part<S: Simd, const M: usize, const N: usize>(
    simd: S,
    (rows, vectors): (&[S::f64s], usize),
    shares: &[Column; M],
    first: usize,
    sums: &mut [f64],
) {
    let mut acc = [[simd.splat_f64s(0.0); N]; M];
    let Some(rows) = rows.get(first..) else { return };
    multiply_columns(simd, &mut acc, shares, (rows, vectors));
    let sums = f64::vectors_mut::<S>(sums).chunks_exact_mut(vectors);
    for (sums, acc) in sums.zip(&acc) {
        for (sum, more) in sums[first..].iter_mut().zip(acc) {
            *sum = simd.add_f64s(*sum, *more);
        }
    }
}

/// Adds Σ r l of each component, over so many vectors of rows, to its vector.
#[inline(always)]
fn traces<S: Simd>(
    simd: S,
    (lengths, used): (&[f64; TILE], usize),
    shares: &[Column],
    sums: &mut [S::f64s],
) {
    // A component's room is that of the widest vectors, whatever they are here.
    let own = WIDEST / S::F64_LANES;
    for (shares, sums) in shares.iter().zip(sums.chunks_exact_mut(own)) {
        let mut sum = simd.splat_f64s(0.0);
        let pairs = f64::vectors::<S>(shares).iter().zip(f64::vectors::<S>(lengths));
        for (share, length) in pairs.take(used) {
            sum = simd.mul_add_e_f64s(*share, *length, sum);
        }
        sums[0] = simd.add_f64s(sums[0], sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::Features;
    use crate::linalg::tile::{Layout, Padded};

    #[test]
    fn sums_by_rows_are_those_by_features() {
        for (dim, components) in [(1, 1), (7, 5), (17, 3), (32, 16), (45, 9)] {
            let units: Vec<f64> = (0..dim).map(|j| [1.0, 0.5, 0.125][j % 3]).collect();
            for second in [None, Some(Second::Diagonal), Some(Second::Trace)] {
                let mut tally = Tally::new(units.clone(), components, second);
                let mut features = Features::new(units.clone(), components, second);
                let mut tile = Tile::new(dim, Layout::Both);
                let frame = Padded::new(&vec![0.0; dim], &vec![1.0; dim], None);
                for rows in [96, 96, 13] {
                    let number = |at: usize| ((at * 7919 + rows) % 1009) as f64 / 1009.0 - 0.5;
                    let values: Vec<f64> = (0..rows * dim).map(number).collect();
                    tile.fill((&values, dim), &frame);
                    let share =
                        |i: usize, k: usize| if i < rows { number(i * 16 + k).abs() } else { 0.0 };
                    let shares: Vec<Column> =
                        (0..components).map(|k| std::array::from_fn(|i| share(i, k))).collect();
                    tally.add(&tile, &shares);
                    features.add(&tile, &shares);
                }
                for (a, b) in tally.sums().iter().zip(features.sums()) {
                    assert_eq!(a.second.len(), b.second.len());
                    let pairs = a.first.iter().zip(&b.first).chain(a.second.iter().zip(&b.second));
                    for (a, b) in pairs {
                        assert!(
                            (a - b).abs() < 1e-13 * (1.0 + b.abs()),
                            "{dim} {second:?}: {a} {b}"
                        );
                    }
                }
            }
        }
    }
}
