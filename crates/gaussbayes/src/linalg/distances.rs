//! Computes distances and linear scores of a tile of rows to several components, in registers \[M9\].

use pulp::Simd;

use super::micro::multiply;
use super::simd::Real;
use super::tile::{TILE, Tile};
use super::triangular::Triangular;

/// Rows of a factor, components of a linear form: so many at a time.
const AT_ONCE: usize = 4;

/// Scores of every row of a tile by one component: [`TILE`] numbers.
pub(crate) type Column = [f64; TILE];

/// Writes numbers of either precision in double.
#[inline(always)]
fn put<T: Real>(to: &mut [f64], numbers: &[T]) {
    for (to, number) in to.iter_mut().zip(numbers) {
        *to = number.wide();
    }
}

/// The inverse of a triangular factor, four rows at a time, each filled up with zeros to the last of the four.
#[derive(Debug)]
pub(crate) struct Whitener<T> {
    dim: usize,
    packed: Vec<T>,
    mean: Vec<T>,
}

impl<T: Real> Whitener<T> {
    pub(crate) fn new(factor: &Triangular, mean: &[f64]) -> Self {
        let (dim, inverse) = (factor.dim(), factor.inverse());
        let mut packed = Vec::with_capacity((dim + AT_ONCE) * (dim + AT_ONCE) / 2);
        for first in (0..dim).step_by(AT_ONCE) {
            for j in 0..(first + AT_ONCE).min(dim) {
                let entry = |i: usize| {
                    let within = i < dim && j <= i;
                    if within { T::of(inverse[i * (i + 1) / 2 + j]) } else { T::default() }
                };
                packed.extend((first..first + AT_ONCE).map(entry));
            }
        }
        Self { dim, packed, mean: mean.iter().map(|m| T::of(*m)).collect() }
    }

    /// ‖L⁻¹(u − m)‖² of each row; `centred` is room for a tile.
    #[inline(always)]
    pub(crate) fn distances<S: Simd>(
        &self,
        simd: S,
        tile: &Tile<T>,
        centred: &mut [T],
        out: &mut Column,
    ) {
        let lanes = T::lanes::<S>();
        let used = tile.rows.div_ceil(lanes);
        let columns = tile.by_columns.chunks_exact(TILE).zip(centred.chunks_exact_mut(TILE));
        for ((x, c), m) in columns.zip(&self.mean) {
            let m = T::splat(simd, *m);
            let pairs = T::vectors::<S>(x).iter().zip(T::vectors_mut::<S>(c)).take(used);
            for (x, c) in pairs {
                *c = T::sub(simd, *x, m);
            }
        }
        let mut first = 0;
        while used - first >= 6 && S::REGISTER_COUNT >= 32 {
            self.part::<S, 6>(simd, centred, first, out);
            first += 6;
        }
        while used - first >= 3 {
            self.part::<S, 3>(simd, centred, first, out);
            first += 3;
        }
        while first < used {
            self.part::<S, 1>(simd, centred, first, out);
            first += 1;
        }
    }

    #[inline(always)]
    fn part<S: Simd, const N: usize>(
        &self,
        simd: S,
        centred: &[T],
        first: usize,
        out: &mut Column,
    ) {
        let lanes = T::lanes::<S>();
        let b = (&T::vectors::<S>(centred)[first..], TILE / lanes);
        let zero = T::splat(simd, T::default());
        let mut squares = [zero; N];
        let mut packed = self.packed.as_slice();
        for i in (0..self.dim).step_by(AT_ONCE) {
            let (now, later) = packed.split_at(AT_ONCE * (i + AT_ONCE).min(self.dim));
            let mut z = [[zero; N]; AT_ONCE];
            multiply(simd, &mut z, (now, AT_ONCE), b);
            for z in &z {
                for (square, z) in squares.iter_mut().zip(z) {
                    *square = T::mul_add(simd, *z, *z, *square);
                }
            }
            packed = later;
        }
        put(&mut out[first * lanes..], T::numbers::<S>(&squares));
    }
}

/// Means and inverse deviations of four components at a time, column by column.
#[derive(Debug)]
pub(crate) struct Diagonals<T> {
    dim: usize,
    packed: Vec<T>,
}

impl<T: Real> Diagonals<T> {
    /// Of components given by their means and standard deviations.
    pub(crate) fn new(dim: usize, components: &[(&[f64], Vec<f64>)]) -> Self {
        let mut packed = Vec::with_capacity(2 * dim * components.len().next_multiple_of(AT_ONCE));
        for four in components.chunks(AT_ONCE) {
            for j in 0..dim {
                let of = |k: usize| four.get(k);
                packed.extend((0..AT_ONCE).map(|k| T::of(of(k).map_or(0.0, |(mean, _)| mean[j]))));
                packed.extend((0..AT_ONCE).map(|k| T::of(of(k).map_or(0.0, |(_, s)| 1.0 / s[j]))));
            }
        }
        Self { dim, packed }
    }

    /// Σ ((u − m)/s)² of each row, component by component.
    #[inline(always)]
    pub(crate) fn distances<S: Simd>(&self, simd: S, tile: &Tile<T>, out: &mut [Column]) {
        let used = tile.rows.div_ceil(T::lanes::<S>());
        let four = self.packed.chunks_exact((2 * AT_ONCE * self.dim).max(1));
        for (packed, out) in four.zip(out.chunks_mut(AT_ONCE)) {
            let mut first = 0;
            while used - first >= 3 {
                Self::part::<S, 3>(simd, packed, tile, first, out);
                first += 3;
            }
            while first < used {
                Self::part::<S, 1>(simd, packed, tile, first, out);
                first += 1;
            }
        }
    }

    #[inline(always)]
    fn part<S: Simd, const N: usize>(
        simd: S,
        packed: &[T],
        tile: &Tile<T>,
        first: usize,
        out: &mut [Column],
    ) {
        let lanes = T::lanes::<S>();
        let vectors = &T::vectors::<S>(&tile.by_columns)[first..];
        let mut squares = [[T::splat(simd, T::default()); N]; AT_ONCE];
        for (packed, x) in packed.chunks_exact(2 * AT_ONCE).zip(vectors.chunks(TILE / lanes)) {
            let Some(x) = x.first_chunk::<N>() else { break };
            let (means, inverses) = packed.split_at(AT_ONCE);
            for ((squares, m), a) in squares.iter_mut().zip(means).zip(inverses) {
                let (m, a) = (T::splat(simd, *m), T::splat(simd, *a));
                for (square, x) in squares.iter_mut().zip(x) {
                    let z = T::mul(simd, T::sub(simd, *x, m), a);
                    *square = T::mul_add(simd, z, z, *square);
                }
            }
        }
        for (out, squares) in out.iter_mut().zip(&squares) {
            put(&mut out[first * lanes..], T::numbers::<S>(squares));
        }
    }
}

/// Linear forms of four components at a time, column by column.
#[derive(Debug)]
pub(crate) struct Forms<T> {
    dim: usize,
    packed: Vec<T>,
}

impl<T: Real> Forms<T> {
    /// From the weights of each form.
    pub(crate) fn new(dim: usize, weights: &[f64]) -> Self {
        let mut packed = Vec::with_capacity(weights.len() + AT_ONCE * dim);
        for four in weights.chunks(AT_ONCE * dim.max(1)) {
            for j in 0..dim {
                let weight = |k: usize| four.get(k * dim + j).copied().unwrap_or(0.0);
                packed.extend((0..AT_ONCE).map(|k| T::of(weight(k))));
            }
        }
        Self { dim, packed }
    }

    /// wᵀu of each row, form by form.
    #[inline(always)]
    pub(crate) fn values<S: Simd>(&self, simd: S, tile: &Tile<T>, out: &mut [Column]) {
        let used = tile.rows.div_ceil(T::lanes::<S>());
        let four = self.packed.chunks_exact((AT_ONCE * self.dim).max(1));
        for (packed, out) in four.zip(out.chunks_mut(AT_ONCE)) {
            let mut first = 0;
            while used - first >= 3 {
                Self::part::<S, 3>(simd, packed, tile, first, out);
                first += 3;
            }
            while first < used {
                Self::part::<S, 1>(simd, packed, tile, first, out);
                first += 1;
            }
        }
    }

    #[inline(always)]
    fn part<S: Simd, const N: usize>(
        simd: S,
        packed: &[T],
        tile: &Tile<T>,
        first: usize,
        out: &mut [Column],
    ) {
        let lanes = T::lanes::<S>();
        let vectors = (&T::vectors::<S>(&tile.by_columns)[first..], TILE / lanes);
        let mut sums = [[T::splat(simd, T::default()); N]; AT_ONCE];
        multiply(simd, &mut sums, (packed, AT_ONCE), vectors);
        for (out, sums) in out.iter_mut().zip(&sums) {
            put(&mut out[first * lanes..], T::numbers::<S>(sums));
        }
    }
}
