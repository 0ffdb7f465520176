//! Joins moments: re-bases them to one frame, then adds by Chan's formula \[M3\].

use super::spread::move_scatter;
use super::{Merge, Moments, Storage, lower_index, spare};
use crate::linalg::lanes::{Job, vectorized};

impl Moments {
    /// The same moments with component `k` taken from `from[k]`, empty where that is `None`.
    ///
    /// Shared scatter stays what it is: the sum over all components.
    pub(crate) fn arranged(&self, from: &[Option<usize>]) -> Self {
        let dim = self.dim();
        let len = self.scatter_len();
        let mut arranged = Self {
            frame: self.frame.clone(),
            weight: vec![0.0; from.len()],
            mean: vec![0.0; from.len() * dim],
            storage: self.storage,
            scatter: match self.storage {
                Storage::Shared => self.scatter.clone(),
                _ => vec![0.0; from.len() * len],
            },
            quartic: self.quartic.as_ref().map(|quartic| quartic.arranged(from)),
        };
        for (to, from) in from.iter().enumerate() {
            let Some(from) = *from else { continue };
            arranged.weight[to] = self.weight[from];
            arranged.mean[to * dim..(to + 1) * dim].copy_from_slice(self.mean(from));
            if self.storage != Storage::Shared {
                arranged.scatter[to * len..(to + 1) * len].copy_from_slice(self.scatter_of(from));
            }
        }
        arranged
    }

    /// The moments of the other columns; `None` where only a trace is kept, or no column is left.
    pub(crate) fn without_columns(&self, columns: &[usize]) -> Option<Self> {
        let kept: Vec<usize> = (0..self.dim()).filter(|j| !columns.contains(j)).collect();
        if kept.is_empty() || self.storage == Storage::Spherical {
            return None;
        }
        let pick = |values: &[f64]| kept.iter().map(|&j| values[j]).collect::<Vec<f64>>();
        let scatter = |values: &[f64]| match self.storage.shape() {
            super::Shape::Full => {
                let rows = kept.iter().enumerate();
                let pairs = rows.flat_map(|(n, &i)| kept[..=n].iter().map(move |&j| (i, j)));
                pairs.map(|(i, j)| values[lower_index(i, j)]).collect()
            }
            _ => pick(values),
        };
        let dim = self.dim();
        Some(Self {
            frame: self.frame.picked(&kept),
            weight: self.weight.clone(),
            mean: self.mean.chunks_exact(dim).flat_map(pick).collect(),
            storage: self.storage,
            scatter: self.scatter.chunks_exact(self.scatter_len()).flat_map(scatter).collect(),
            quartic: None,
        })
    }

    /// Moves means and scatter to the frame `to`, which is as wide or wider \[M4\].
    pub(super) fn rebase(&mut self, to: super::Frame) {
        if self.frame == to {
            return;
        }
        let dim = self.dim();
        for k in 0..self.components() {
            // An empty component has no mean to move.
            if self.weight[k] > 0.0 {
                let moved = self.mean_in(k, &to);
                self.mean[k * dim..(k + 1) * dim].copy_from_slice(&moved);
            }
        }
        let len = self.scatter_len();
        for values in self.scatter.chunks_exact_mut(len.max(1)) {
            move_scatter(self.storage.shape(), values, &self.frame, &to);
        }
        self.frame = to;
    }

    /// Adds `factor · δδᵀ` to the scatter of component `k`.
    pub(crate) fn add_outer(&mut self, k: usize, factor: f64, delta: &[f64]) {
        let len = self.scatter_len();
        let at = if self.storage == Storage::Shared { 0 } else { k * len };
        let values = &mut self.scatter[at..at + len];
        match self.storage {
            Storage::Full | Storage::Shared => vectorized(Outer { values, factor, delta }),
            Storage::Diagonal => {
                for (value, d) in values.iter_mut().zip(delta) {
                    *value += factor * d * d;
                }
            }
            Storage::Spherical => {
                let squares: Vec<f64> = delta.iter().map(|d| d * d).collect();
                values[0] += factor * self.frame.trace(&squares);
            }
        }
    }
}

/// Adds `factor · δδᵀ` to a lower triangle.
struct Outer<'a> {
    values: &'a mut [f64],
    factor: f64,
    delta: &'a [f64],
}

impl Job for Outer<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let mut rest = self.values;
        for (i, di) in self.delta.iter().enumerate() {
            let (row, later) = rest.split_at_mut(i + 1);
            for (value, dj) in row.iter_mut().zip(self.delta) {
                *value += self.factor * di * dj;
            }
            rest = later;
        }
    }
}

/// Adds numbers to as many others.
struct AddAll<'a>(&'a mut [f64], &'a [f64]);

impl Job for AddAll<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.0.iter_mut().zip(self.1).for_each(|(value, more)| *value += more);
    }
}

impl Merge for Moments {
    fn merge(mut self, mut later: Self) -> Self {
        debug_assert_eq!(self.components(), later.components());
        debug_assert_eq!(self.storage, later.storage);
        // Fourth moments are about the means of one pass; more rows need another.
        self.quartic = None;
        let frame = self.frame.joined(&later.frame);
        self.rebase(frame.clone());
        later.rebase(frame);
        let (dim, len) = (self.dim(), self.scatter_len());
        let shared = self.storage == Storage::Shared;
        if shared {
            vectorized(AddAll(&mut self.scatter, &later.scatter));
        }
        for k in 0..self.components() {
            let (a, b) = (self.weight[k], later.weight[k]);
            if b == 0.0 {
                continue;
            }
            // One component after the other, while it lies in the cache.
            if !shared {
                let part = k * len..(k + 1) * len;
                vectorized(AddAll(&mut self.scatter[part.clone()], &later.scatter[part]));
            }
            let n = a + b;
            let range = k * dim..(k + 1) * dim;
            if a == 0.0 {
                self.mean[range.clone()].copy_from_slice(&later.mean[range]);
            } else {
                let delta: Vec<f64> = self.mean[range.clone()]
                    .iter()
                    .zip(later.mean(k))
                    .map(|(a, b)| b - a)
                    .collect();
                for (mean, d) in self.mean[range].iter_mut().zip(&delta) {
                    *mean += d * (b / n);
                }
                self.add_outer(k, a * (b / n), &delta);
            }
            self.weight[k] = n;
        }
        spare::keep(later.scatter);
        self
    }
}
