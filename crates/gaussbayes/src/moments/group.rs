//! Sums the rows of a group up by two passes: their mean first, then their scatter about it \[M2\].

use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::Moments;
use super::scratch::{Scratch, tile_rows};
use crate::linalg::elementary::mul_add;
use crate::linalg::lanes::{Job, vectorized};
use crate::linalg::simd::{Real, dispatch};

/// Rows of numbers, and what places them in a frame: `u = (x − origin) · scale`, without overflow.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'a, T> {
    pub(super) values: &'a [T],
    /// Numbers from one row to the next.
    pub(super) stride: usize,
    pub(super) origin: &'a [f64],
    /// Powers of two.
    pub(super) scale: &'a [f64],
}

/// The rows that a component takes, each with its weight.
pub(super) trait Group: Copy {
    /// Whether weights are not all 1.
    const WEIGHTED: bool;

    fn count(self) -> usize;

    fn member(self, at: usize) -> (usize, f64);

    fn part(self, range: Range<usize>) -> Self;
}

impl Group for &[(usize, f64)] {
    const WEIGHTED: bool = true;

    fn count(self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn member(self, at: usize) -> (usize, f64) {
        self[at]
    }

    fn part(self, range: Range<usize>) -> Self {
        &self[range]
    }
}

/// Rows that count once.
impl Group for &[u32] {
    const WEIGHTED: bool = false;

    fn count(self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn member(self, at: usize) -> (usize, f64) {
        (self[at] as usize, 1.0)
    }

    fn part(self, range: Range<usize>) -> Self {
        &self[range]
    }
}

impl<T: Real> View<'_, T> {
    /// Fills the moments of the groups, one by one.
    pub(super) fn moments<G: Group>(
        &self,
        groups: impl Iterator<Item = G>,
        mut moments: Moments,
    ) -> Moments {
        let dim = self.origin.len();
        Scratch::lend((moments.storage, dim), |scratch| {
            for (k, group) in groups.enumerate() {
                self.add_group(&mut moments, k, group, scratch);
            }
        });
        moments
    }

    fn add_group<G: Group>(&self, to: &mut Moments, k: usize, group: G, scratch: &mut Scratch) {
        let count = group.count();
        let weights = || (0..count).map(|at| group.member(at).1);
        let weight = if G::WEIGHTED { weights().sum() } else { count as f64 };
        if weight == 0.0 {
            return to.clear_matrix(k);
        }
        // A point near the mean does as well as the mean, and is had without a pass of its own.
        let mut point = self.near_mean(group);
        self.add_about(&point, group, scratch);
        if !scratch.is_about_mean(weight) {
            vectorized(Mean { view: self, group, mean: &mut point });
            point.iter_mut().for_each(|mean| *mean /= weight);
            self.add_about(&point, group, scratch);
        }
        scratch.drain_into(to, k, weight, &point);
    }

    /// The mean of eight rows of a group: the number itself where all have the same.
    fn near_mean<G: Group>(&self, group: G) -> Vec<f64> {
        let rows = std::array::from_fn(|at| self.row(group.member(at * group.count() / 8).0));
        let mut mean = vec![0.0; self.origin.len()];
        vectorized(MeanOfEight { view: self, rows, mean: &mut mean });
        mean
    }

    /// The sums of a group about a point.
    fn add_about<G: Group>(&self, point: &[f64], group: G, scratch: &mut Scratch) {
        scratch.clear();
        let (count, most) = (group.count(), tile_rows(self.origin.len()));
        for first in (0..count).step_by(most) {
            let rows = group.part(first..count.min(first + most));
            dispatch(Centre { view: self, rows, mean: point, scratch });
            if scratch.is_full() {
                scratch.gram.add(&scratch.tile[..scratch.used]);
            }
        }
    }

    #[inline(always)]
    fn row(&self, i: usize) -> &[T] {
        &self.values[i * self.stride..i * self.stride + self.origin.len()]
    }
}

/// Columns that a loop over rows keeps in registers, and fewer for the rest of them.
const WIDE: usize = 32;
const NARROW: usize = 8;

/// Calls a loop over columns `at..at + C` for wide, narrow and single parts of `dim` columns.
macro_rules! by_columns {
    ($dim:expr, $self:ident . $part:ident $(, $simd:ty)?) => {
        let mut at = 0;
        while $dim - at >= WIDE {
            $self.$part::<$($simd,)? WIDE>(at);
            at += WIDE;
        }
        while $dim - at >= NARROW {
            $self.$part::<$($simd,)? NARROW>(at);
            at += NARROW;
        }
        while at < $dim {
            $self.$part::<$($simd,)? 1>(at);
            at += 1;
        }
    };
}

/// `C` numbers from `at` on.
#[inline(always)]
fn columns<T: Copy + Default, const C: usize>(values: &[T], at: usize) -> [T; C] {
    values[at..].first_chunk().copied().unwrap_or([T::default(); C])
}

/// Of eight rows, added up in pairs: sums of equal numbers are exact.
struct MeanOfEight<'a, T> {
    view: &'a View<'a, T>,
    rows: [&'a [T]; 8],
    mean: &'a mut [f64],
}

impl<T: Real> MeanOfEight<'_, T> {
    #[inline(always)]
    fn part<const C: usize>(&mut self, at: usize) {
        let (origin, scale): ([f64; C], [f64; C]) =
            (columns(self.view.origin, at), columns(self.view.scale, at));
        let [a, b, c, d, e, f, g, h] = self.rows;
        let (a, b, c, d): ([T; C], [T; C], [T; C], [T; C]) =
            (columns(a, at), columns(b, at), columns(c, at), columns(d, at));
        let (e, f, g, h): ([T; C], [T; C], [T; C], [T; C]) =
            (columns(e, at), columns(f, at), columns(g, at), columns(h, at));
        let Some(mean) = self.mean[at..].first_chunk_mut::<C>() else { return };
        for j in 0..C {
            let pair = |a: T, b: T| (a.wide() - origin[j]) + (b.wide() - origin[j]);
            let sum = (pair(a[j], b[j]) + pair(c[j], d[j])) + (pair(e[j], f[j]) + pair(g[j], h[j]));
            mean[j] = 0.125 * scale[j] * sum;
        }
    }
}

impl<T: Real> Job for MeanOfEight<'_, T> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        by_columns!(self.mean.len(), self.part);
    }
}

/// Σ w u of some rows.
struct Mean<'a, T, G> {
    view: &'a View<'a, T>,
    group: G,
    mean: &'a mut [f64],
}

impl<T: Real, G: Group> Mean<'_, T, G> {
    #[inline(always)]
    fn part<const C: usize>(&mut self, at: usize) {
        let origin: [f64; C] = columns(self.view.origin, at);
        let mut sums = [0.0; C];
        for (i, w) in (0..self.group.count()).map(|at| self.group.member(at)) {
            let x: [T; C] = columns(self.view.row(i), at);
            for j in 0..C {
                sums[j] += w * (x[j].wide() - origin[j]);
            }
        }
        let scaled = sums.iter().zip(&self.view.scale[at..]);
        self.mean[at..].iter_mut().zip(scaled).for_each(|(mean, (sum, scale))| *mean = sum * scale);
    }
}

impl<T: Real, G: Group> Job for Mean<'_, T, G> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        by_columns!(self.mean.len(), self.part);
    }
}

/// Centres a tile of rows, and adds up what is left of their sum and, of a diagonal, their squares.
struct Centre<'a, 'b, T, G> {
    view: &'a View<'a, T>,
    rows: G,
    mean: &'a [f64],
    scratch: &'b mut Scratch,
}

impl<T: Real, G: Group> Centre<'_, '_, T, G> {
    #[inline(always)]
    fn squares<S: Simd, const C: usize>(&mut self, at: usize) {
        let place = Place::<C>::of(self.view.origin, self.view.scale, self.mean, at);
        let (mut residual, mut squares) = ([0.0; C], [0.0; C]);
        for row in 0..self.rows.count() {
            let (i, w) = self.rows.member(row);
            let centred = place.centred::<S, T>(&columns(self.view.row(i), at));
            for j in 0..C {
                let weighted = if G::WEIGHTED { w * centred[j] } else { centred[j] };
                residual[j] += weighted;
                squares[j] = mul_add::<S>(weighted, centred[j], squares[j]);
            }
        }
        for j in 0..C {
            self.scratch.residual[at + j] += residual[j];
            self.scratch.squares[at + j] += squares[j];
        }
    }

    #[inline(always)]
    fn tile<S: Simd, const C: usize>(&mut self, at: usize) {
        let place = Place::<C>::of(self.view.origin, self.view.scale, self.mean, at);
        let mut residual = [0.0; C];
        let Scratch { stride, tile, .. } = &mut *self.scratch;
        for (row, to) in tile.chunks_exact_mut(*stride).enumerate().take(self.rows.count()) {
            let (i, w) = self.rows.member(row);
            let centred = place.centred::<S, T>(&columns(self.view.row(i), at));
            let Some(to) = to[at..].first_chunk_mut::<C>() else { continue };
            if G::WEIGHTED {
                let root = if w == 1.0 { 1.0 } else { w.sqrt() };
                for j in 0..C {
                    residual[j] += w * centred[j];
                    to[j] = root * centred[j];
                }
            } else {
                for j in 0..C {
                    residual[j] += centred[j];
                }
                *to = centred;
            }
        }
        let sums = self.scratch.residual[at..].iter_mut();
        sums.zip(residual).for_each(|(sum, more)| *sum += more);
    }
}

/// Some columns of a frame, and of a point in it.
struct Place<const C: usize> {
    origin: [f64; C],
    scale: [f64; C],
    point: [f64; C],
}

impl<const C: usize> Place<C> {
    #[inline(always)]
    fn of(origin: &[f64], scale: &[f64], point: &[f64], at: usize) -> Self {
        Self { origin: columns(origin, at), scale: columns(scale, at), point: columns(point, at) }
    }

    /// Numbers of a row about the point: units are powers of two, so that nothing is rounded but differences.
    #[inline(always)]
    fn centred<S: Simd, T: Real>(&self, x: &[T; C]) -> [f64; C] {
        let mut centred = [0.0; C];
        for j in 0..C {
            let moved = x[j].wide() - self.origin[j];
            centred[j] = mul_add::<S>(moved, self.scale[j], -self.point[j]);
        }
        centred
    }
}

impl<T: Real, G: Group> WithSimd for Centre<'_, '_, T, G> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) {
        if !self.scratch.is_full() {
            by_columns!(self.mean.len(), self.squares, S);
            return;
        }
        self.scratch.used = self.rows.count() * self.scratch.stride;
        by_columns!(self.mean.len(), self.tile, S);
    }
}

#[cfg(test)]
mod tests {
    use crate::data::{Block, Rows};
    use crate::moments::{Memberships, Merge, Moments, Storage};

    #[test]
    fn nothing_is_left_in_a_class_without_rows_of_what_lay_there_before() {
        // Matrices of ten classes are long enough to be kept for the next block.
        let (dim, classes) = (60, 10);
        let values: Vec<f64> = (0..500 * dim).map(|at| (at * 7919 % 1009) as f64).collect();
        let block = Block::new(0, Rows::new(values, dim).unwrap(), None, None).unwrap();
        let of = |codes: &[u32]| {
            let memberships = Memberships::Codes(codes);
            Moments::of_block(&block, memberships, classes, Storage::Full).unwrap()
        };
        let all: Vec<u32> = (0..500).map(|i| i % 10).collect();
        let _ = of(&all).merge(of(&all));
        let some: Vec<u32> = all.iter().map(|&code| if code == 3 { 4 } else { code }).collect();
        let found = of(&some);
        assert!(found.scatter_of(3).iter().all(|value| *value == 0.0));
        assert!(found.scatter_of(4).iter().any(|value| *value > 0.0));
    }

    #[test]
    fn rows_that_stand_for_a_group_may_be_far_from_its_mean() {
        // Each eighth begins with a row that is nothing like the others.
        let value = |i: usize| if i.is_multiple_of(100) { 1e9 } else { (i % 7) as f64 };
        let values: Vec<f64> = (0..800).map(value).collect();
        let few = values.iter().filter(|x| **x < 1e9);
        let (count, sum) = few.clone().fold((0.0, 0.0), |(n, s), x| (n + 1.0, s + x));
        let mean = sum / count;
        let block = Block::new(0, Rows::new(values.clone(), 1).unwrap(), None, None).unwrap();
        let codes: Vec<u32> = (0..800).map(|i| u32::from(value(i) == 1e9)).collect();
        for storage in [Storage::Full, Storage::Diagonal] {
            let memberships = Memberships::Codes(&codes);
            let moments = Moments::of_block(&block, memberships, 2, storage).unwrap();
            let unit = f64::from(moments.frame().exponent()[0]).exp2();
            let found = moments.scatter()[0] * unit * unit;
            let expected: f64 = few.clone().map(|x| (x - mean) * (x - mean)).sum();
            assert!((found / expected - 1.0).abs() < 1e-13, "{found} {expected}");
            let together = Memberships::Codes(&[0; 800]);
            let moments = Moments::of_block(&block, together, 1, storage).unwrap();
            let mean = values.iter().sum::<f64>() / 800.0;
            let expected: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
            let unit = f64::from(moments.frame().exponent()[0]).exp2();
            let found = moments.scatter()[0] * unit * unit;
            assert!((found / expected - 1.0).abs() < 1e-13, "{found} {expected}");
        }
    }
}
