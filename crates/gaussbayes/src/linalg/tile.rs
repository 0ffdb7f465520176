//! Holds some rows in a frame twice: row by row, and side by side in vectors.

use super::gram::tile_stride;
use super::lanes::{Job, vectorized};
use super::simd::Real;

/// Most rows of a tile: whole numbers of three and six vectors of every width.
pub(crate) const TILE: usize = 96;

/// Some rows in a frame. Rows that are not there are zeros.
#[derive(Debug)]
pub(crate) struct Tile<T> {
    dim: usize,
    /// Rows that are there.
    pub(crate) rows: usize,
    /// The largest of their numbers.
    pub(crate) widest: f64,
    /// Each row, [`tile_stride`] numbers.
    pub(crate) by_rows: Vec<T>,
    /// Each column, [`TILE`] numbers.
    pub(crate) by_columns: Vec<T>,
}

impl<T: Real> Tile<T> {
    pub(crate) fn new(dim: usize) -> Self {
        Self {
            dim,
            rows: 0,
            widest: 0.0,
            by_rows: vec![T::default(); TILE * tile_stride::<T>(dim)],
            by_columns: vec![T::default(); TILE * dim],
        }
    }

    pub(crate) fn stride(&self) -> usize {
        tile_stride::<T>(self.dim)
    }

    /// Takes up to [`TILE`] rows, each `stride` numbers after the last, into a frame.
    pub(crate) fn fill<U: Real>(&mut self, values: (&[U], usize), frame: (&[f64], &[f64])) {
        vectorized(Fill { tile: self, values, frame });
    }

    /// Rows with a larger number.
    pub(crate) fn beyond(&self, reach: f64) -> impl Iterator<Item = usize> + '_ {
        let rows = if self.widest > reach { 0..self.rows } else { 0..0 };
        rows.filter(move |&i| self.farthest(i) > reach)
    }

    /// The largest number of row `i`.
    fn farthest(&self, i: usize) -> f64 {
        let own = self.stride();
        let row = &self.by_rows[i * own..(i + 1) * own];
        row.iter().fold(0.0, |most, u| if u.wide().abs() <= most { most } else { u.wide().abs() })
    }
}

struct Fill<'a, U, T> {
    tile: &'a mut Tile<T>,
    values: (&'a [U], usize),
    /// Origin and scale.
    frame: (&'a [f64], &'a [f64]),
}

impl<U: Real, T: Real> Job for Fill<'_, U, T> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { tile, values: (values, stride), frame: (origin, scale) } = self;
        let (dim, own) = (tile.dim, tile.stride());
        tile.rows = 0;
        let mut widest = [0.0_f64; 8];
        for (x, u) in values.chunks(stride).zip(tile.by_rows.chunks_exact_mut(own)) {
            let Some(x) = x.get(..dim) else { break };
            let columns = x.chunks(8).zip(origin.chunks(8)).zip(scale.chunks(8));
            for (((x, o), s), u) in columns.zip(u.chunks_mut(8)) {
                // Whole vectors where there are such: loops of a fixed length have no remainder.
                match (x.first_chunk::<8>(), o.first_chunk(), s.first_chunk(), u.first_chunk_mut())
                {
                    (Some(x), Some(o), Some(s), Some(u)) => place(x, o, s, u, &mut widest),
                    _ => {
                        for (j, x) in x.iter().enumerate() {
                            let most = widest.first_chunk_mut::<1>();
                            let u = u[j..].first_chunk_mut::<1>();
                            let (Some(most), Some(u)) = (most, u) else { break };
                            place(&[*x], &[o[j]], &[s[j]], u, most);
                        }
                    }
                }
            }
            tile.rows += 1;
        }
        // Eight rows and eight columns at a time: in registers.
        for (block, rows) in tile.by_rows.chunks(8 * own).take(tile.rows.div_ceil(8)).enumerate() {
            for (part, columns) in tile.by_columns.chunks_mut(8 * TILE).enumerate() {
                let mut square = [[T::default(); 8]; 8];
                for (to, row) in square.iter_mut().zip(rows.chunks_exact(own)) {
                    if let Some(row) = row[8 * part..].first_chunk() {
                        *to = *row;
                    }
                }
                for (j, column) in columns.chunks_exact_mut(TILE).enumerate() {
                    if let Some(to) = column[8 * block..].first_chunk_mut::<8>() {
                        for i in 0..8 {
                            to[i] = square[i][j];
                        }
                    }
                }
            }
        }
        tile.widest = 0.0;
        for wide in widest {
            tile.widest = if wide <= tile.widest { tile.widest } else { wide };
        }
    }
}

/// `u = (x − origin) · scale`, and the farthest so far.
#[inline(always)]
fn place<U: Real, T: Real, const C: usize>(
    x: &[U; C],
    origin: &[f64; C],
    scale: &[f64; C],
    u: &mut [T; C],
    widest: &mut [f64; C],
) {
    for j in 0..C {
        let placed = (x[j].wide() - origin[j]) * scale[j];
        widest[j] = if placed.abs() <= widest[j] { widest[j] } else { placed.abs() };
        u[j] = T::of(placed);
    }
}
