//! Sums the rows of a group up by two passes: their mean first, then their scatter about it \[M2\].

use super::{Moments, Storage};
use crate::linalg::lanes::{Job, vectorized};
use crate::linalg::simd::Real;
use crate::linalg::{Gram, tile_stride};
use crate::tolerance::{NEAR_MEAN, TILE_ROWS, WIDE_TILE};

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

impl<T: Real> View<'_, T> {
    /// Fills the moments of the groups, one by one.
    pub(super) fn moments(&self, groups: &[Vec<(usize, f64)>], mut moments: Moments) -> Moments {
        let mut scratch = Scratch::new(moments.storage, self.origin.len());
        for (k, group) in groups.iter().enumerate() {
            self.add_group(&mut moments, k, group, &mut scratch);
        }
        moments
    }

    fn add_group(
        &self,
        moments: &mut Moments,
        k: usize,
        group: &[(usize, f64)],
        scratch: &mut Scratch,
    ) {
        let weight: f64 = group.iter().map(|(_, w)| w).sum();
        if weight == 0.0 {
            return;
        }
        // A point near the mean does as well as the mean, and is had without a pass of its own.
        let mut point = self.near_mean(group);
        self.add_about(&point, group, scratch);
        if !scratch.is_about_mean(weight) {
            vectorized(Mean { view: self, group, mean: &mut point });
            point.iter_mut().for_each(|mean| *mean /= weight);
            self.add_about(&point, group, scratch);
        }
        scratch.drain_into(moments, k, weight, &point);
    }

    /// The mean of eight rows of a group: the number itself where all have the same.
    fn near_mean(&self, group: &[(usize, f64)]) -> Vec<f64> {
        let rows = std::array::from_fn(|at| self.row(group[at * group.len() / 8].0));
        let mut mean = vec![0.0; self.origin.len()];
        vectorized(MeanOfEight { view: self, rows, mean: &mut mean });
        mean
    }

    /// The sums of a group about a point.
    fn add_about(&self, point: &[f64], group: &[(usize, f64)], scratch: &mut Scratch) {
        scratch.clear();
        for rows in group.chunks(tile_rows(self.origin.len())) {
            vectorized(Centre { view: self, rows, mean: point, scratch });
            if scratch.is_full() {
                scratch.gram.add(&scratch.tile);
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
    ($dim:expr, $self:ident . $part:ident) => {
        let mut at = 0;
        while $dim - at >= WIDE {
            $self.$part::<WIDE>(at);
            at += WIDE;
        }
        while $dim - at >= NARROW {
            $self.$part::<NARROW>(at);
            at += NARROW;
        }
        while at < $dim {
            $self.$part::<1>(at);
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
        let [a, b, c, d, e, f, g, h]: [[T; C]; 8] = self.rows.map(|row| columns(row, at));
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
struct Mean<'a, T> {
    view: &'a View<'a, T>,
    group: &'a [(usize, f64)],
    mean: &'a mut [f64],
}

impl<T: Real> Mean<'_, T> {
    #[inline(always)]
    fn part<const C: usize>(&mut self, at: usize) {
        let origin: [f64; C] = columns(self.view.origin, at);
        let mut sums = [0.0; C];
        for &(i, w) in self.group {
            let x: [T; C] = columns(self.view.row(i), at);
            for j in 0..C {
                sums[j] += w * (x[j].wide() - origin[j]);
            }
        }
        let scaled = sums.iter().zip(&self.view.scale[at..]);
        self.mean[at..].iter_mut().zip(scaled).for_each(|(mean, (sum, scale))| *mean = sum * scale);
    }
}

impl<T: Real> Job for Mean<'_, T> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        by_columns!(self.mean.len(), self.part);
    }
}

/// Centres a tile of rows, and adds up what is left of their sum and, of a diagonal, their squares.
struct Centre<'a, 'b, T> {
    view: &'a View<'a, T>,
    rows: &'a [(usize, f64)],
    mean: &'a [f64],
    scratch: &'b mut Scratch,
}

impl<T: Real> Centre<'_, '_, T> {
    #[inline(always)]
    fn squares<const C: usize>(&mut self, at: usize) {
        let (origin, scale): ([f64; C], [f64; C]) =
            (columns(self.view.origin, at), columns(self.view.scale, at));
        let mean: [f64; C] = columns(self.mean, at);
        let (mut residual, mut squares) = ([0.0; C], [0.0; C]);
        for &(i, w) in self.rows {
            let x: [T; C] = columns(self.view.row(i), at);
            for j in 0..C {
                let centred = (x[j].wide() - origin[j]) * scale[j] - mean[j];
                let weighted = w * centred;
                residual[j] += weighted;
                squares[j] += weighted * centred;
            }
        }
        for j in 0..C {
            self.scratch.residual[at + j] += residual[j];
            self.scratch.squares[at + j] += squares[j];
        }
    }

    #[inline(always)]
    fn tile<const C: usize>(&mut self, at: usize) {
        let (origin, scale): ([f64; C], [f64; C]) =
            (columns(self.view.origin, at), columns(self.view.scale, at));
        let mean: [f64; C] = columns(self.mean, at);
        let mut residual = [0.0; C];
        let Scratch { stride, tile, .. } = &mut *self.scratch;
        for (to, &(i, w)) in tile.chunks_exact_mut(*stride).zip(self.rows) {
            let root = if w == 1.0 { 1.0 } else { w.sqrt() };
            let x: [T; C] = columns(self.view.row(i), at);
            let Some(to) = to[at..].first_chunk_mut::<C>() else { continue };
            for j in 0..C {
                let centred = (x[j].wide() - origin[j]) * scale[j] - mean[j];
                residual[j] += w * centred;
                to[j] = root * centred;
            }
        }
        let sums = self.scratch.residual[at..].iter_mut();
        sums.zip(residual).for_each(|(sum, more)| *sum += more);
    }
}

impl<T: Real> Job for Centre<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        if !self.scratch.is_full() {
            by_columns!(self.mean.len(), self.squares);
            return;
        }
        self.scratch.tile.resize(self.rows.len() * self.scratch.stride, 0.0);
        by_columns!(self.mean.len(), self.tile);
    }
}

/// Scratch of one group: a tile of centred rows, and the sums of their squares.
struct Scratch {
    storage: Storage,
    stride: usize,
    tile: Vec<f64>,
    gram: Gram,
    /// Σ w (u − m): zero but for rounding; what is left of it corrects mean and scatter.
    residual: Vec<f64>,
    squares: Vec<f64>,
}

fn is_full(storage: Storage) -> bool {
    matches!(storage, Storage::Full | Storage::Shared)
}

impl Scratch {
    fn new(storage: Storage, dim: usize) -> Self {
        Self {
            storage,
            stride: tile_stride::<f64>(dim),
            tile: Vec::new(),
            gram: Gram::new(if is_full(storage) { dim } else { 0 }),
            residual: vec![0.0; dim],
            squares: vec![0.0; dim],
        }
    }

    fn is_full(&self) -> bool {
        is_full(self.storage)
    }

    fn clear(&mut self) {
        self.gram.clear();
        self.residual.fill(0.0);
        self.squares.fill(0.0);
    }

    /// Whether sums of squares are not many times what they would be about the mean.
    fn is_about_mean(&self, weight: f64) -> bool {
        let diagonal = if self.is_full() { &self.gram.diagonal() } else { &self.squares };
        let mut columns = self.residual.iter().zip(diagonal);
        columns.all(|(first, square)| first * first <= NEAR_MEAN * weight * square)
    }

    /// Fills component `k` with what was summed up about a point.
    fn drain_into(&self, moments: &mut Moments, k: usize, weight: f64, point: &[f64]) {
        let (dim, len) = (moments.dim(), moments.scatter_len());
        moments.weight[k] = weight;
        let to = &mut moments.mean[k * dim..(k + 1) * dim];
        for ((to, m), r) in to.iter_mut().zip(point).zip(&self.residual) {
            *to = m + r / weight;
        }
        match self.storage {
            Storage::Full => self.gram.add_to(&mut moments.scatter[k * len..(k + 1) * len]),
            Storage::Shared => self.gram.add_to(&mut moments.scatter),
            Storage::Diagonal => {
                moments.scatter[k * len..(k + 1) * len].copy_from_slice(&self.squares);
            }
            Storage::Spherical => moments.scatter[k] = moments.frame.trace(&self.squares),
        }
        moments.add_outer(k, -1.0 / weight, &self.residual);
        moments.floor_diagonal(k);
    }
}

/// Rows that are multiplied at a time: they stay in the first cache level.
fn tile_rows(dim: usize) -> usize {
    if dim <= WIDE_TILE { TILE_ROWS / 4 } else { TILE_ROWS }
}

#[cfg(test)]
mod tests {
    use crate::data::{Block, Rows};
    use crate::moments::{Memberships, Moments, Storage};

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
