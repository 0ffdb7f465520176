//! Adds up AᵀB over tiles of rows, where the sum is symmetric \[M2\].

use pulp::{Simd, WithSimd};

use super::aligned::{Aligned, LINE};
use super::lanes::{Job, vectorized};
use super::micro::multiply;
use super::simd::{Real, dispatch};

/// The lower triangle of a symmetric sum of AᵀB.
///
/// Products of single precision are formed in single precision within a tile; tiles are added up in double.
#[derive(Debug)]
pub(crate) struct Gram {
    dim: usize,
    stride: usize,
    /// Row by row of `stride` numbers; only the lower triangle is kept up.
    sum: Aligned<f64>,
    /// Whether nothing was added: the sum may hold anything then.
    empty: bool,
}

/// Numbers from one row of a tile to the next: columns, and zeros behind them up to the end of a cache line.
pub(crate) fn tile_stride<T>(dim: usize) -> usize {
    dim.next_multiple_of(LINE / size_of::<T>())
}

impl Gram {
    pub(crate) fn new(dim: usize) -> Self {
        // Wide enough for tiles of either precision.
        let stride = tile_stride::<f32>(dim);
        Self { dim, stride, sum: Aligned::zeros(dim * stride), empty: true }
    }

    /// Numbers that it takes.
    pub(crate) fn len(&self) -> usize {
        self.sum.len()
    }

    pub(crate) fn clear(&mut self) {
        self.empty = true;
    }

    /// Adds TᵀT of a tile of rows, each [`tile_stride`] numbers long.
    pub(crate) fn add<T: Real>(&mut self, tile: &[T]) {
        dispatch(Product { gram: self, a: tile, b: tile });
    }

    /// Adds TᵀT of rows that lie one after the other.
    pub(crate) fn add_rows(&mut self, rows: &[f64]) {
        let (dim, stride) = (self.dim.max(1), tile_stride::<f64>(self.dim).max(1));
        let mut tile = vec![0.0; rows.len() / dim * stride];
        for (to, row) in tile.chunks_exact_mut(stride).zip(rows.chunks_exact(dim)) {
            to[..self.dim].copy_from_slice(row);
        }
        self.add(&tile);
    }

    /// The diagonal of the sum.
    pub(crate) fn diagonal(&self) -> Vec<f64> {
        if self.empty {
            return vec![0.0; self.dim];
        }
        (0..self.dim).map(|j| self.sum[j * self.stride + j]).collect()
    }

    /// The lower triangle of the sum, row by row.
    pub(crate) fn triangle(&self) -> Vec<f64> {
        let mut triangle = vec![0.0; self.dim * (self.dim + 1) / 2];
        self.add_to(&mut triangle);
        triangle
    }

    /// Adds the sum to a lower triangle stored row by row.
    pub(crate) fn add_to(&self, triangle: &mut [f64]) {
        if !self.empty {
            vectorized(AddTo { gram: self, triangle });
        }
    }

    /// Writes the sum plus `factor · δδᵀ` over a lower triangle stored row by row, whatever it held.
    pub(crate) fn write_with(&self, (factor, delta): (f64, &[f64]), triangle: &mut [f64]) {
        if self.empty {
            triangle.fill(0.0);
        } else {
            vectorized(Write { gram: self, factor, delta, triangle });
        }
    }
}

struct Write<'a> {
    gram: &'a Gram,
    factor: f64,
    delta: &'a [f64],
    triangle: &'a mut [f64],
}

impl Job for Write<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let mut values = self.triangle;
        let rows = self.gram.sum.chunks_exact(self.gram.stride.max(1));
        for (i, (row, di)) in rows.zip(self.delta).enumerate() {
            let (now, rest) = values.split_at_mut(i + 1);
            for ((value, sum), dj) in now.iter_mut().zip(row).zip(self.delta) {
                *value = sum + self.factor * di * dj;
            }
            values = rest;
        }
    }
}

struct AddTo<'a> {
    gram: &'a Gram,
    triangle: &'a mut [f64],
}

impl Job for AddTo<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let mut values = self.triangle;
        for (i, row) in self.gram.sum.chunks_exact(self.gram.stride.max(1)).enumerate() {
            let (now, rest) = values.split_at_mut(i + 1);
            now.iter_mut().zip(row).for_each(|(value, sum)| *value += sum);
            values = rest;
        }
    }
}

/// Adds AᵀB of two tiles whose product is symmetric: rows, and the same rows weighted.
pub(crate) struct Product<'a, T> {
    pub(crate) gram: &'a mut Gram,
    pub(crate) a: &'a [T],
    pub(crate) b: &'a [T],
}

impl<T: Real> Product<'_, T> {
    /// `M` rows of the sum from row `i` on, and their vectors `first..last`, as many at a time as registers hold.
    #[inline(always)]
    fn rows<S: Simd, const M: usize>(&mut self, simd: S, i: usize, last: usize) {
        let mut first = 0;
        while last - first >= 3 {
            self.part::<S, M, 3>(simd, i, first);
            first += 3;
        }
        match last - first {
            2 => self.part::<S, M, 2>(simd, i, first),
            1 => self.part::<S, M, 1>(simd, i, first),
            _ => {}
        }
    }

    #[inline(always)]
    fn part<S: Simd, const M: usize, const N: usize>(&mut self, simd: S, i: usize, first: usize) {
        let stride = tile_stride::<T>(self.gram.dim);
        let vectors = stride / T::lanes::<S>();
        let mut acc = [[T::splat(simd, T::default()); N]; M];
        let b = &T::vectors::<S>(self.b)[first..];
        multiply(simd, &mut acc, (&self.a[i..], stride), (b, vectors));
        let (at, empty) = (first * T::lanes::<S>(), self.gram.empty);
        let sums = self.gram.sum.chunks_exact_mut(self.gram.stride);
        for (row, acc) in sums.skip(i).zip(&acc) {
            for (sum, more) in row[at..].iter_mut().zip(T::numbers::<S>(acc)) {
                *sum = if empty { more.wide() } else { *sum + more.wide() };
            }
        }
    }
}

impl<T: Real> WithSimd for Product<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let lanes = T::lanes::<S>();
        let mut i = 0;
        // Eight rows of three vectors take 24 registers, four take 12.
        while self.gram.dim - i >= 8 && S::REGISTER_COUNT >= 32 {
            self.rows::<S, 8>(simd, i, (i + 7) / lanes + 1);
            i += 8;
        }
        // The last rows may be fewer than four: the zeros behind a tile's columns give rows that nobody keeps.
        while i < self.gram.dim {
            let last = (i + 3).min(self.gram.dim - 1);
            self.rows::<S, 4>(simd, i, last / lanes + 1);
            i += 4;
        }
        self.gram.empty = false;
    }
}
