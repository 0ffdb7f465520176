//! Holds some rows in a frame twice: row by row, and side by side in vectors.

use pulp::{Simd, WithSimd};

use super::aligned::Aligned;
use super::gram::tile_stride;
use super::simd::{Real, dispatch};
use super::transpose::SIDE;

/// Most rows of a tile: whole numbers of three and six vectors of every width.
pub(crate) const TILE: usize = 96;

/// What a tile holds of its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Columns alone: rows side by side in vectors.
    Columns,
    /// The same, and row by row.
    Both,
}

/// Some rows in a frame.
#[derive(Debug)]
pub(crate) struct Tile<T> {
    dim: usize,
    /// Rows that are there.
    pub(crate) rows: usize,
    /// No number is larger.
    pub(crate) widest: f64,
    /// Each row, [`tile_stride`] numbers; nothing where nobody wants rows.
    pub(crate) by_rows: Aligned<T>,
    /// Each column, [`TILE`] numbers.
    pub(crate) by_columns: Aligned<T>,
}

impl<T: Real> Tile<T> {
    /// Of rows of `dim` numbers.
    pub(crate) fn new(dim: usize, layout: Layout) -> Self {
        let rows = if layout == Layout::Both { TILE } else { 0 };
        Self {
            dim,
            rows: 0,
            widest: f64::INFINITY,
            by_rows: Aligned::zeros(rows * tile_stride::<T>(dim)),
            by_columns: Aligned::zeros(TILE * dim),
        }
    }

    pub(crate) fn stride(&self) -> usize {
        tile_stride::<T>(self.dim)
    }

    /// Takes up to [`TILE`] rows, each `stride` numbers after the last, into a frame.
    pub(crate) fn fill<U: Real>(&mut self, values: (&[U], usize), frame: &Padded) {
        let (values, stride) = values;
        self.rows = (values.len() + stride - self.dim) / stride;
        self.widest = frame.widest.unwrap_or(f64::INFINITY);
        dispatch(Fill { tile: self, values, stride, frame });
    }

    /// Rows with a larger number.
    pub(crate) fn beyond(&self, reach: f64) -> impl Iterator<Item = usize> + '_ {
        let rows = if self.widest > reach { 0..self.rows } else { 0..0 };
        rows.filter(move |&i| self.farthest(i) > reach)
    }

    /// Whether no number is larger.
    pub(crate) fn is_within(&self, reach: f64) -> bool {
        self.beyond(reach).next().is_none()
    }

    /// The largest number of row `i`.
    fn farthest(&self, i: usize) -> f64 {
        let row = self.by_columns.chunks_exact(TILE).map(|column| column[i].wide().abs());
        row.fold(0.0, |most, u| if u <= most { most } else { u })
    }
}

/// Origin and scale of a frame, with zeros behind them that fill whole squares.
#[derive(Debug)]
pub(crate) struct Padded {
    origin: Vec<f64>,
    scale: Vec<f64>,
    /// No number of a row in the frame is larger, where that is known.
    widest: Option<f64>,
}

impl Padded {
    pub(crate) fn new(origin: &[f64], scale: &[f64], widest: Option<f64>) -> Self {
        let filled = |of: &[f64]| {
            let len = of.len().next_multiple_of(SIDE);
            let mut all = Vec::with_capacity(len);
            all.extend_from_slice(of);
            all.resize(len, 0.0);
            all
        };
        Self { origin: filled(origin), scale: filled(scale), widest }
    }
}

struct Fill<'a, U, T> {
    tile: &'a mut Tile<T>,
    values: &'a [U],
    stride: usize,
    frame: &'a Padded,
}

impl<U: Real, T: Real> WithSimd for Fill<'_, U, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { tile, values, stride, frame } = self;
        let (dim, own) = (tile.dim, tile.stride());
        let (whole, rest) = (dim / SIDE, dim % SIDE);
        let (origin, scale) =
            (frame.origin.as_chunks::<SIDE>().0, frame.scale.as_chunks::<SIDE>().0);
        for first in (0..tile.rows).step_by(SIDE) {
            // Where there are fewer than eight, the last stands for those that are not there.
            let mut rows = [&values[..0]; SIDE];
            let mut squares = [rows[0].as_chunks::<SIDE>().0; SIDE];
            for i in 0..SIDE {
                rows[i] = &values[(first + i).min(tile.rows - 1) * stride..][..dim];
                squares[i] = &rows[i].as_chunks().0[..whole];
            }
            for (part, (origin, scale)) in origin.iter().zip(scale).enumerate().take(whole) {
                let mut square = [[T::default(); SIDE]; SIDE];
                for (square, row) in square.iter_mut().zip(&squares) {
                    *square = placed(&row[part], origin, scale);
                }
                if !tile.by_rows.is_empty() {
                    for (i, row) in square.iter().enumerate() {
                        put(&mut tile.by_rows[(first + i) * own + SIDE * part..], row);
                    }
                }
                for (j, column) in T::transposed(simd, &square).iter().enumerate() {
                    put(&mut tile.by_columns[(SIDE * part + j) * TILE + first..], column);
                }
            }
            if rest > 0 {
                // Too few for a square to be worth turning over.
                let (origin, scale) = (&origin[whole][..rest], &scale[whole][..rest]);
                for (j, (origin, scale)) in (SIDE * whole..).zip(origin.iter().zip(scale)) {
                    let mut column = [T::default(); SIDE];
                    for (u, row) in column.iter_mut().zip(&rows) {
                        *u = T::of((row[j].wide() - origin) * scale);
                    }
                    put(&mut tile.by_columns[j * TILE + first..], &column);
                    if !tile.by_rows.is_empty() {
                        for (i, u) in column.iter().enumerate() {
                            tile.by_rows[(first + i) * own + j] = *u;
                        }
                    }
                }
            }
        }
    }
}

/// Some numbers of a row in a frame.
#[inline(always)]
fn placed<U: Real, T: Real>(x: &[U; SIDE], origin: &[f64; SIDE], scale: &[f64; SIDE]) -> [T; SIDE] {
    let mut u = [T::default(); SIDE];
    for j in 0..SIDE {
        u[j] = T::of((x[j].wide() - origin[j]) * scale[j]);
    }
    u
}

#[inline(always)]
fn put<T: Real>(to: &mut [T], numbers: &[T; SIDE]) {
    if let Some(to) = to.first_chunk_mut::<SIDE>() {
        *to = *numbers;
    }
}
