//! Computes distances and linear scores of a tile of rows to several components, in registers \[M9\].

use pulp::Simd;

use super::micro::multiply;
use super::simd::Real;
use super::tile::{TILE, Tile};
use super::triangular::Triangular;
use crate::tolerance::{LINEAR_ROUNDING, USUAL_DISTANCE};

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
    /// −L⁻¹m, or zeros where the mean is taken off first.
    start: Vec<T>,
    /// What is taken off first, where whitened rows and means would lose digits against each other.
    mean: Option<Vec<T>>,
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
        let row = |i: usize| inverse[i * (i + 1) / 2..].iter().zip(&mean[..=i]);
        let whitened = |i: usize| row(i).map(|(l, m)| l * m).sum::<f64>();
        let sizes = (0..dim).map(|i| row(i).map(|(l, m)| (l * m).abs()).sum::<f64>());
        let size = sizes.map(|size| size * size).sum::<f64>().sqrt();
        // Of a row whose whitened numbers are those of its own component, and some more.
        let usual = (dim as f64).sqrt() + USUAL_DISTANCE;
        let rounding = 0.5 * f64::EPSILON * dim as f64 * usual * size;
        let mut start = vec![T::default(); dim.next_multiple_of(AT_ONCE)];
        if rounding <= LINEAR_ROUNDING {
            start.iter_mut().zip(0..dim).for_each(|(to, i)| *to = T::of(-whitened(i)));
            return Self { dim, packed, start, mean: None };
        }
        Self { dim, packed, start, mean: Some(mean.iter().map(|m| T::of(*m)).collect()) }
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
        let used = tile.rows.div_ceil(T::lanes::<S>());
        let rows = match &self.mean {
            None => tile.by_columns.as_slice(),
            Some(mean) => {
                let columns = tile.by_columns.chunks_exact(TILE);
                for ((x, c), m) in columns.zip(centred.chunks_exact_mut(TILE)).zip(mean) {
                    let m = T::splat(simd, *m);
                    let pairs = T::vectors::<S>(x).iter().zip(T::vectors_mut::<S>(c)).take(used);
                    for (x, c) in pairs {
                        *c = T::sub(simd, *x, m);
                    }
                }
                centred
            }
        };
        let mut first = 0;
        while used - first >= 6 && S::REGISTER_COUNT >= 32 {
            self.part::<S, 6>(simd, rows, first, out);
            first += 6;
        }
        while used - first >= 3 {
            self.part::<S, 3>(simd, rows, first, out);
            first += 3;
        }
        while first < used {
            self.part::<S, 1>(simd, rows, first, out);
            first += 1;
        }
    }

    #[inline(always)]
    fn part<S: Simd, const N: usize>(&self, simd: S, rows: &[T], first: usize, out: &mut Column) {
        let lanes = T::lanes::<S>();
        let (b, stride) = (&T::vectors::<S>(rows)[first..], TILE / lanes);
        let zero = T::splat(simd, T::default());
        let mut squares = [zero; N];
        let mut packed = self.packed.as_slice();
        for (i, start) in (0..self.dim).step_by(AT_ONCE).zip(self.start.as_chunks::<AT_ONCE>().0) {
            let (now, later) = packed.split_at(AT_ONCE * (i + AT_ONCE).min(self.dim));
            let (before, last) = now.split_at(AT_ONCE * i);
            let mut z = [[zero; N]; AT_ONCE];
            for (z, start) in z.iter_mut().zip(start) {
                *z = [T::splat(simd, *start); N];
            }
            multiply(simd, &mut z, (before, AT_ONCE), (b, stride));
            // Above the diagonal there is nothing to multiply.
            let last = (last, &b[i * stride..], stride);
            step::<S, T, N, 0>(simd, &mut z, last);
            step::<S, T, N, 1>(simd, &mut z, last);
            step::<S, T, N, 2>(simd, &mut z, last);
            step::<S, T, N, 3>(simd, &mut z, last);
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

/// Column `J` of the last four: rows from the diagonal on.
#[inline(always)]
fn step<S: Simd, T: Real, const N: usize, const J: usize>(
    simd: S,
    z: &mut [[T::Vector<S>; N]; AT_ONCE],
    (a, b, stride): (&[T], &[T::Vector<S>], usize),
) {
    let a = a.get(AT_ONCE * J..).and_then(|a| a.first_chunk::<AT_ONCE>());
    let b = b.get(J * stride..).and_then(|b| b.first_chunk::<N>());
    if let (Some(a), Some(b)) = (a, b) {
        for m in J..AT_ONCE {
            let a = T::splat(simd, a[m]);
            for n in 0..N {
                z[m][n] = T::mul_add(simd, a, b[n], z[m][n]);
            }
        }
    }
}

/// Components that are measured four at a time, the last ones fewer, column by column.
trait Grouped<T: Real> {
    /// Numbers that a component has for each column.
    const NUMBERS: usize;

    /// Measures `N` vectors of rows by `M` components.
    fn sums<S: Simd, const M: usize, const N: usize>(
        simd: S,
        packed: &[T],
        rows: (&[T::Vector<S>], usize),
    ) -> [[T::Vector<S>; N]; M];
}

/// Packs `numbers(component, column, which)` in the order in which [`measured`] takes them.
fn packed<T: Real, G: Grouped<T>>(
    (components, dim): (usize, usize),
    number: impl Fn(usize, usize, usize) -> f64,
) -> Vec<T> {
    let mut packed = Vec::with_capacity(G::NUMBERS * components * dim);
    for first in (0..components).step_by(AT_ONCE) {
        let group = first..components.min(first + AT_ONCE);
        for j in 0..dim {
            for which in 0..G::NUMBERS {
                packed.extend(group.clone().map(|k| T::of(number(k, j, which))));
            }
        }
    }
    packed
}

/// Measures a tile by all components.
#[inline(always)]
fn measured<S: Simd, T: Real, G: Grouped<T>>(
    simd: S,
    (packed, dim): (&[T], usize),
    tile: &Tile<T>,
    out: &mut [Column],
) {
    let mut packed = packed;
    for out in out.chunks_mut(AT_ONCE) {
        let (now, later) = packed.split_at(G::NUMBERS * out.len() * dim);
        match out.len() {
            4 => by_rows::<S, T, G, 4>(simd, now, tile, out),
            3 => by_rows::<S, T, G, 3>(simd, now, tile, out),
            2 => by_rows::<S, T, G, 2>(simd, now, tile, out),
            _ => by_rows::<S, T, G, 1>(simd, now, tile, out),
        }
        packed = later;
    }
}

#[inline(always)]
fn by_rows<S: Simd, T: Real, G: Grouped<T>, const M: usize>(
    simd: S,
    packed: &[T],
    tile: &Tile<T>,
    out: &mut [Column],
) {
    let used = tile.rows.div_ceil(T::lanes::<S>());
    let mut first = 0;
    while used - first >= 3 {
        part::<S, T, G, M, 3>(simd, packed, tile, first, out);
        first += 3;
    }
    while first < used {
        part::<S, T, G, M, 1>(simd, packed, tile, first, out);
        first += 1;
    }
}

#[inline(always)]
fn part<S: Simd, T: Real, G: Grouped<T>, const M: usize, const N: usize>(
    simd: S,
    packed: &[T],
    tile: &Tile<T>,
    first: usize,
    out: &mut [Column],
) {
    let lanes = T::lanes::<S>();
    let rows = (&T::vectors::<S>(&tile.by_columns)[first..], TILE / lanes);
    let sums = G::sums::<S, M, N>(simd, packed, rows);
    for (out, sums) in out.iter_mut().zip(&sums) {
        put(&mut out[first * lanes..], T::numbers::<S>(sums));
    }
}

/// Means and inverse deviations of components.
#[derive(Debug)]
pub(crate) struct Diagonals<T> {
    dim: usize,
    packed: Vec<T>,
}

impl<T: Real> Diagonals<T> {
    /// Of components given by their means and standard deviations.
    pub(crate) fn new(dim: usize, components: &[(&[f64], Vec<f64>)]) -> Self {
        let packed = packed::<T, Self>((components.len(), dim), |k, j, which| {
            let (mean, deviation) = &components[k];
            if which == 0 { mean[j] } else { 1.0 / deviation[j] }
        });
        Self { dim, packed }
    }

    /// Σ ((u − m)/s)² of each row, component by component.
    #[inline(always)]
    pub(crate) fn distances<S: Simd>(&self, simd: S, tile: &Tile<T>, out: &mut [Column]) {
        measured::<S, T, Self>(simd, (&self.packed, self.dim), tile, out);
    }
}

impl<T: Real> Grouped<T> for Diagonals<T> {
    const NUMBERS: usize = 2;

    #[inline(always)]
    fn sums<S: Simd, const M: usize, const N: usize>(
        simd: S,
        packed: &[T],
        (rows, stride): (&[T::Vector<S>], usize),
    ) -> [[T::Vector<S>; N]; M] {
        let mut squares = [[T::splat(simd, T::default()); N]; M];
        for (packed, x) in packed.chunks_exact(2 * M).zip(rows.chunks(stride)) {
            let (means, inverses) = packed.split_at(M);
            let (Some(x), Some(means)) = (x.first_chunk::<N>(), means.first_chunk::<M>()) else {
                break;
            };
            let Some(inverses) = inverses.first_chunk::<M>() else { break };
            for ((squares, m), a) in squares.iter_mut().zip(means).zip(inverses) {
                let (m, a) = (T::splat(simd, *m), T::splat(simd, *a));
                for (square, x) in squares.iter_mut().zip(x) {
                    let z = T::mul(simd, T::sub(simd, *x, m), a);
                    *square = T::mul_add(simd, z, z, *square);
                }
            }
        }
        squares
    }
}

/// Linear forms.
#[derive(Debug)]
pub(crate) struct Forms<T> {
    dim: usize,
    packed: Vec<T>,
}

impl<T: Real> Forms<T> {
    /// From the weights of each form.
    pub(crate) fn new(dim: usize, weights: &[f64]) -> Self {
        let forms = weights.len() / dim.max(1);
        Self { dim, packed: packed::<T, Self>((forms, dim), |k, j, _| weights[k * dim + j]) }
    }

    /// wᵀu of each row, form by form.
    #[inline(always)]
    pub(crate) fn values<S: Simd>(&self, simd: S, tile: &Tile<T>, out: &mut [Column]) {
        measured::<S, T, Self>(simd, (&self.packed, self.dim), tile, out);
    }
}

impl<T: Real> Grouped<T> for Forms<T> {
    const NUMBERS: usize = 1;

    #[inline(always)]
    fn sums<S: Simd, const M: usize, const N: usize>(
        simd: S,
        packed: &[T],
        rows: (&[T::Vector<S>], usize),
    ) -> [[T::Vector<S>; N]; M] {
        let mut sums = [[T::splat(simd, T::default()); N]; M];
        multiply(simd, &mut sums, (packed, M), rows);
        sums
    }
}
