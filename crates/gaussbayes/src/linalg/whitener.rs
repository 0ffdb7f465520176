//! Whitens a tile of rows by the inverse of a factor, in registers \[M9\].

use pulp::Simd;

use super::distances::{AT_ONCE, Column, is_whitened_first, put, rounding_of};
use super::dot;
use super::micro::multiply;
use super::simd::Real;
use super::tile::{TILE, Tile};
use super::triangular::Triangular;

/// The inverse of a triangular factor, four rows at a time, each filled up with zeros to the last of the four.
#[derive(Debug)]
pub(crate) struct Whitener<T> {
    dim: usize,
    packed: Vec<T>,
    /// −L⁻¹m, or zeros where the mean is taken off first.
    start: Vec<T>,
    /// What is taken off first, where whitened rows and means would lose digits against each other.
    mean: Option<Vec<T>>,
    /// By how much of one plus itself a squared distance can be wrong, in single precision.
    rounding: f64,
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
        let row = |i: usize| inverse[i * (i + 1) / 2..][..=i].iter();
        let whitened = |i: usize| row(i).zip(mean).map(|(l, m)| l * m).sum::<f64>();
        let size_of = |of: &[f64]| {
            let sizes = (0..dim).map(|i| row(i).zip(of).map(|(l, x)| (l * x).abs()).sum::<f64>());
            sizes.map(|size| size * size).sum::<f64>().sqrt()
        };
        let of_mean = size_of(mean);
        // Nobody asks in double precision.
        let rounding = if T::EPSILON > f64::EPSILON {
            let deviation = |i: usize| dot(factor.row(i), factor.row(i)).sqrt();
            let deviations: Vec<f64> = (0..dim).map(deviation).collect();
            rounding_of(dim, of_mean, size_of(&deviations), &packed)
        } else {
            0.0
        };
        let mut start = vec![T::default(); dim.next_multiple_of(AT_ONCE)];
        if is_whitened_first(dim, of_mean) {
            start.iter_mut().zip(0..dim).for_each(|(to, i)| *to = T::of(-whitened(i)));
            return Self { dim, packed, start, mean: None, rounding };
        }
        let mean = Some(mean.iter().map(|m| T::of(*m)).collect());
        Self { dim, packed, start, mean, rounding }
    }

    /// By how much of 1 + D rounding can change half a squared distance D \[M93\].
    pub(crate) fn rounding(&self) -> f64 {
        self.rounding
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
            None => &tile.by_columns[..],
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
        let rows = (&T::vectors::<S>(rows)[first..], TILE / lanes);
        let mut squares = [T::splat(simd, T::default()); N];
        let mut packed = self.packed.as_slice();
        for (i, start) in (0..self.dim).step_by(AT_ONCE).zip(self.start.as_chunks::<AT_ONCE>().0) {
            let (now, later) = packed.split_at(AT_ONCE * (i + AT_ONCE).min(self.dim));
            let now = now.split_at(AT_ONCE * i);
            match self.dim - i {
                1 => add_squares::<S, T, N, 1>(simd, &mut squares, (now, start), rows, i),
                2 => add_squares::<S, T, N, 2>(simd, &mut squares, (now, start), rows, i),
                3 => add_squares::<S, T, N, 3>(simd, &mut squares, (now, start), rows, i),
                _ => add_squares::<S, T, N, AT_ONCE>(simd, &mut squares, (now, start), rows, i),
            }
            packed = later;
        }
        put(&mut out[first * lanes..], T::numbers::<S>(&squares));
    }
}

/// Adds the squares of `M` whitened numbers from `i` on: products before the diagonal, and the last ones.
#[inline(always)]
fn add_squares<S: Simd, T: Real, const N: usize, const M: usize>(
    simd: S,
    squares: &mut [T::Vector<S>; N],
    ((before, last), start): ((&[T], &[T]), &[T; AT_ONCE]),
    (b, stride): (&[T::Vector<S>], usize),
    i: usize,
) {
    let mut z = [[T::splat(simd, T::default()); N]; M];
    for (z, start) in z.iter_mut().zip(start) {
        *z = [T::splat(simd, *start); N];
    }
    multiply(simd, &mut z, (before, AT_ONCE), (b, stride));
    // Above the diagonal there is nothing to multiply.
    let last = (last, &b[i * stride..], stride);
    step::<S, T, N, M, 0>(simd, &mut z, last);
    step::<S, T, N, M, 1>(simd, &mut z, last);
    step::<S, T, N, M, 2>(simd, &mut z, last);
    step::<S, T, N, M, 3>(simd, &mut z, last);
    for z in &z {
        for (square, z) in squares.iter_mut().zip(z) {
            *square = T::mul_add(simd, *z, *z, *square);
        }
    }
}

/// Column `J` of the last four: rows from the diagonal on.
#[inline(always)]
fn step<S: Simd, T: Real, const N: usize, const M: usize, const J: usize>(
    simd: S,
    z: &mut [[T::Vector<S>; N]; M],
    (a, b, stride): (&[T], &[T::Vector<S>], usize),
) {
    let a = a.get(AT_ONCE * J..).and_then(|a| a.first_chunk::<AT_ONCE>());
    let b = b.get(J * stride..).and_then(|b| b.first_chunk::<N>());
    if let (Some(a), Some(b)) = (a, b) {
        for m in J..M {
            let a = T::splat(simd, a[m]);
            for n in 0..N {
                z[m][n] = T::mul_add(simd, a, b[n], z[m][n]);
            }
        }
    }
}
