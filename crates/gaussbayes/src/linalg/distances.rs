//! Computes distances and linear scores of a tile of rows to several components, in registers \[M9\].

use pulp::Simd;

use super::dot;
use super::elementary::mul_add;
use super::features::squared_lengths;
use super::micro::multiply;
use super::simd::Real;
use super::tile::{TILE, Tile};
use crate::tolerance::{LINEAR_ROUNDING, ROUNDINGS, USUAL_DISTANCE};

/// Rows of a factor, components of a linear form: so many at a time.
pub(super) const AT_ONCE: usize = 4;

/// Scores of every row of a tile by one component: [`TILE`] numbers.
pub(crate) type Column = [f64; TILE];

/// Writes numbers of either precision in double.
#[inline(always)]
pub(super) fn put<T: Real>(to: &mut [f64], numbers: &[T]) {
    for (to, number) in to.iter_mut().zip(numbers) {
        *to = number.wide();
    }
}

/// A bound of what rounding does to half a squared distance D, as a share of 1 + D: by ‖|L⁻¹||m|‖, and by ‖|L⁻¹|s‖
/// with the deviations s of the columns \[M93\]. No bound where a factor is too large a number.
pub(super) fn rounding_of<T: Real>(
    dim: usize,
    of_mean: f64,
    of_deviations: f64,
    packed: &[T],
) -> f64 {
    if packed.iter().any(|factor| !factor.wide().is_finite()) {
        return f64::INFINITY;
    }
    0.5 * T::EPSILON * (dim as f64 + ROUNDINGS) * (of_mean + of_deviations + 1.0)
}

/// Whether rows may be whitened before their mean is taken off, given ‖|L⁻¹||m|‖: that loses no digits \[M9\].
pub(super) fn is_whitened_first(dim: usize, of_mean: f64) -> bool {
    // Of a row whose whitened numbers are those of its own component, and some more.
    let usual = (dim as f64).sqrt() + USUAL_DISTANCE;
    0.5 * f64::EPSILON * dim as f64 * usual * of_mean <= LINEAR_ROUNDING
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
    /// Whether rows are whitened before means are taken off: these are whitened then, and negative.
    whitened: bool,
    rounding: f64,
}

impl<T: Real> Diagonals<T> {
    /// Of components given by their means and standard deviations.
    pub(crate) fn new(dim: usize, components: &[(&[f64], Vec<f64>)]) -> Self {
        let size = |(mean, deviation): &(&[f64], Vec<f64>)| {
            mean.iter().zip(deviation).map(|(m, s)| (m / s) * (m / s)).sum::<f64>().sqrt()
        };
        let farthest = components.iter().map(size).fold(0.0, f64::max);
        let (whitened, count) = (is_whitened_first(dim, farthest), (components.len(), dim));
        let number = |k: usize, j: usize, which: usize| {
            let (mean, deviation): &(&[f64], Vec<f64>) = &components[k];
            match which {
                0 if whitened => -mean[j] / deviation[j],
                0 => mean[j],
                _ => 1.0 / deviation[j],
            }
        };
        let packed = packed::<T, Self>(count, number);
        let rounding = rounding_of(dim, farthest, (dim as f64).sqrt(), &packed);
        Self { dim, packed, whitened, rounding }
    }

    /// By how much of 1 + D rounding can change half a squared distance D \[M93\].
    pub(crate) fn rounding(&self) -> f64 {
        self.rounding
    }

    /// Σ ((u − m)/s)² of each row, component by component.
    #[inline(always)]
    pub(crate) fn distances<S: Simd>(&self, simd: S, tile: &Tile<T>, out: &mut [Column]) {
        let packed = (&self.packed[..], self.dim);
        if self.whitened {
            measured::<S, T, Whitened>(simd, packed, tile, out);
        } else {
            measured::<S, T, Self>(simd, packed, tile, out);
        }
    }
}

/// Diagonals that take means off whitened rows.
struct Whitened;

impl<T: Real> Grouped<T> for Whitened {
    const NUMBERS: usize = 2;

    #[inline(always)]
    fn sums<S: Simd, const M: usize, const N: usize>(
        simd: S,
        packed: &[T],
        rows: (&[T::Vector<S>], usize),
    ) -> [[T::Vector<S>; N]; M] {
        squares(simd, packed, rows, |x, start, a| T::mul_add(simd, x, a, start))
    }
}

impl<T: Real> Grouped<T> for Diagonals<T> {
    const NUMBERS: usize = 2;

    #[inline(always)]
    fn sums<S: Simd, const M: usize, const N: usize>(
        simd: S,
        packed: &[T],
        rows: (&[T::Vector<S>], usize),
    ) -> [[T::Vector<S>; N]; M] {
        squares(simd, packed, rows, |x, mean, a| T::mul(simd, T::sub(simd, x, mean), a))
    }
}

/// Sums of squares of what is made of a number, with two numbers of each component.
#[inline(always)]
fn squares<S: Simd, T: Real, const M: usize, const N: usize>(
    simd: S,
    packed: &[T],
    (rows, stride): (&[T::Vector<S>], usize),
    whiten: impl Fn(T::Vector<S>, T::Vector<S>, T::Vector<S>) -> T::Vector<S>,
) -> [[T::Vector<S>; N]; M] {
    let mut squares = [[T::splat(simd, T::default()); N]; M];
    for (packed, x) in packed.chunks_exact(2 * M).zip(rows.chunks(stride)) {
        let (first, second) = packed.split_at(M);
        let (Some(x), Some(first)) = (x.first_chunk::<N>(), first.first_chunk::<M>()) else {
            break;
        };
        let Some(second) = second.first_chunk::<M>() else { break };
        for ((squares, a), b) in squares.iter_mut().zip(first).zip(second) {
            let (a, b) = (T::splat(simd, *a), T::splat(simd, *b));
            for (square, x) in squares.iter_mut().zip(x) {
                let z = whiten(*x, a, b);
                *square = T::mul_add(simd, z, z, *square);
            }
        }
    }
    squares
}

/// Spheres: ‖u − m‖²/s² as ‖u‖²/s² − 2mᵀu/s² + ‖m‖²/s², at one product a number \[M9\], once columns are in one unit.
#[derive(Debug)]
pub(crate) struct Spheres<T> {
    forms: Forms<T>,
    /// What columns are multiplied by for that: powers of two.
    units: Vec<f64>,
    /// 1/s² and ‖m‖²/s² of each component.
    ends: Vec<(f64, f64)>,
}

impl<T: Real> Spheres<T> {
    /// Of components given by their means and standard deviations; none where there is no such unit, or where that
    /// would lose digits.
    pub(crate) fn new(dim: usize, components: &[(&[f64], Vec<f64>)]) -> Option<Self> {
        let usual = (dim as f64).sqrt() + USUAL_DISTANCE;
        let (_, first) = components.first()?;
        let units: Vec<f64> = first.iter().map(|deviation| first[0] / deviation).collect();
        let (mut ends, mut weights) = (Vec::new(), Vec::new());
        for (mean, deviations) in components {
            let inverse = 1.0 / (deviations[0] * deviations[0]);
            let moved: Vec<f64> = mean.iter().zip(&units).map(|(m, unit)| m * unit).collect();
            let length = dot(&moved, &moved) * inverse;
            // What is added up is at most (‖z‖ + 2‖m‖/s)², for a row at this distance.
            let size = usual + 2.0 * length.sqrt();
            let lost = 0.25 * T::EPSILON * (dim as f64 + ROUNDINGS) * size * size;
            let mut pairs = deviations.iter().zip(&units);
            let is_power = |unit: f64| unit.to_bits() << 12 == 0;
            let round = pairs.all(|(s, unit)| is_power(*unit) && s * unit == deviations[0]);
            if !round || lost.is_nan() || lost > LINEAR_ROUNDING {
                return None;
            }
            ends.push((inverse, length));
            weights.extend(moved.iter().zip(&units).map(|(m, unit)| -2.0 * m * unit * inverse));
        }
        Some(Self { forms: Forms::new(dim, &weights), units, ends })
    }

    /// ‖(u − m)/s‖² of each row, component by component.
    #[inline(always)]
    pub(crate) fn distances<S: Simd>(&self, simd: S, tile: &Tile<T>, out: &mut [Column]) {
        self.forms.values(simd, tile, out);
        let mut lengths = [T::default(); TILE];
        squared_lengths(simd, (tile.by_columns.as_chunks().0, &self.units), &mut lengths);
        for (out, (inverse, end)) in out.iter_mut().zip(&self.ends) {
            for (distance, length) in out.iter_mut().zip(&lengths) {
                let sum = mul_add::<S>(length.wide(), *inverse, *distance + end);
                // Rounding may leave less than nothing of a row at a mean.
                *distance = if sum < 0.0 { 0.0 } else { sum };
            }
        }
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
