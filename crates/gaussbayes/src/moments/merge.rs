//! Joins moments: re-bases them to one frame, then adds by Chan's formula \[M3\].

use super::spread::{move_scatter, powers_between};
use super::{Frame, Merge, Moments, Storage, lower_index, spare};
use crate::linalg::lanes::{Job, LANES, vectorized};

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
    pub(super) fn rebase(&mut self, to: Frame) {
        if self.frame == to {
            return;
        }
        let len = self.scatter_len();
        for values in self.scatter.chunks_exact_mut(len.max(1)) {
            move_scatter(self.storage.shape(), values, &self.frame, &to);
        }
        self.rebase_means(to);
    }

    /// The same but for the scatter, which is left as it was.
    fn rebase_means(&mut self, to: Frame) {
        if self.frame == to {
            return;
        }
        let dim = self.dim();
        for k in 0..self.components() {
            // An empty component has no mean to move.
            if self.weight[k] > 0.0 {
                let moved: Vec<f64> = self.mean_in(k, &to).collect();
                self.mean[k * dim..(k + 1) * dim].copy_from_slice(&moved);
            }
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

/// Adds a lower triangle and `factor · δδᵀ` to another, both multiplied by powers of two from both sides: what
/// moving, adding and correcting would do one after the other, with one look at each number.
struct Join<'a> {
    values: &'a mut [f64],
    more: &'a [f64],
    powers: (&'a [f64], &'a [f64]),
    factor: f64,
    delta: &'a [f64],
}

impl Job for Join<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let (own, other) = self.powers;
        let (mut values, mut more) = (self.values, self.more);
        for (i, ((di, p), q)) in self.delta.iter().zip(own).zip(other).enumerate() {
            let (row, later) = values.split_at_mut(i + 1);
            let (more_row, more_later) = more.split_at(i + 1);
            let of_row = Row { p: *p, q: *q, d: self.factor * di };
            let columns = (self.delta, own, other);
            for at in (0..=i).step_by(LANES) {
                of_row.join::<LANES>(row, more_row, columns, at);
            }
            for at in (i + 1) / LANES * LANES..=i {
                of_row.join::<1>(row, more_row, columns, at);
            }
            (values, more) = (later, more_later);
        }
    }
}

/// What the numbers of a row are multiplied by.
struct Row {
    p: f64,
    q: f64,
    d: f64,
}

impl Row {
    /// `C` numbers from `at` on, where there are as many.
    #[inline(always)]
    fn join<const C: usize>(
        &self,
        row: &mut [f64],
        more: &[f64],
        (delta, own, other): (&[f64], &[f64], &[f64]),
        at: usize,
    ) {
        let Some(values) = row[at..].first_chunk_mut::<C>() else { return };
        let columns = (more[at..].first_chunk::<C>(), delta[at..].first_chunk::<C>());
        let powers = (own[at..].first_chunk::<C>(), other[at..].first_chunk::<C>());
        if let ((Some(more), Some(delta)), (Some(own), Some(other))) = (columns, powers) {
            for j in 0..C {
                let sum = values[j] * (self.p * own[j]) + more[j] * (self.q * other[j]);
                values[j] = sum + self.d * delta[j];
            }
        }
    }
}

impl Merge for Moments {
    fn merge(mut self, mut later: Self) -> Self {
        debug_assert_eq!(self.components(), later.components());
        debug_assert_eq!(self.storage, later.storage);
        // Fourth moments are about the means of one pass; more rows need another.
        self.quartic = None;
        let frame = self.frame.joined(&later.frame);
        let powers = |moments: &Self| powers_between(&moments.frame, &frame);
        let (dim, len) = (self.dim(), self.scatter_len());
        let powers = (self.storage == Storage::Full).then(|| powers(&self).zip(powers(&later)));
        let (own, other) = if let Some(Some(powers)) = powers {
            // Moved while they are added.
            self.rebase_means(frame.clone());
            later.rebase_means(frame);
            powers
        } else {
            self.rebase(frame.clone());
            later.rebase(frame);
            (vec![1.0; dim], vec![1.0; dim])
        };
        if self.storage == Storage::Shared {
            vectorized(AddAll(&mut self.scatter, &later.scatter));
        }
        for k in 0..self.components() {
            let (a, b) = (self.weight[k], later.weight[k]);
            let (n, range) = (a + b, k * dim..(k + 1) * dim);
            let (mut factor, mut delta) = (0.0, vec![0.0; dim]);
            if a == 0.0 {
                self.mean[range.clone()].copy_from_slice(&later.mean[range]);
            } else if b > 0.0 {
                factor = a * (b / n);
                let pairs = self.mean[range].iter_mut().zip(later.mean(k));
                for ((mean, other), delta) in pairs.zip(&mut delta) {
                    *delta = other - *mean;
                    *mean += *delta * (b / n);
                }
            }
            self.weight[k] = n;
            // One component after the other, while it lies in the cache.
            let part = k * len..(k + 1) * len;
            match self.storage {
                Storage::Full => {
                    let (values, more) = (&mut self.scatter[part.clone()], &later.scatter[part]);
                    let (powers, delta) = ((&own[..], &other[..]), &delta[..]);
                    vectorized(Join { values, more, powers, factor, delta });
                }
                Storage::Shared => self.add_outer(k, factor, &delta),
                Storage::Diagonal | Storage::Spherical => {
                    vectorized(AddAll(&mut self.scatter[part.clone()], &later.scatter[part]));
                    self.add_outer(k, factor, &delta);
                }
            }
        }
        spare::keep(later.scatter);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Random;

    /// Moments of two components, the second of which may be empty, in a frame of its own.
    fn some(random: &mut Random, (dim, storage): (usize, Storage), empty: bool) -> Moments {
        let mut number = || random.normal_pair().0;
        let origin = (0..dim).map(|_| number()).collect();
        let exponent = (0..dim).map(|_| (3.0 * number()) as i32).collect();
        let frame = Frame::new(origin, exponent, vec![-60; dim]).unwrap();
        let mut moments = Moments::empty(frame, 2, storage);
        moments.weight = vec![3.0 + number(), if empty { 0.0 } else { 5.0 }];
        moments.mean[..dim].fill_with(&mut number);
        let filled = if empty { moments.scatter_len() } else { moments.scatter.len() };
        moments.scatter[..filled].fill_with(&mut number);
        if !empty {
            moments.mean[dim..].fill_with(number);
        }
        moments
    }

    #[test]
    fn one_look_at_each_number_is_moving_adding_and_correcting() {
        let mut random = Random::new(5, 0);
        for dim in [1, 2, 7, 8, 9, 24, 29] {
            for (first, second) in [(false, false), (false, true), (true, false), (true, true)] {
                let full = (dim, Storage::Full);
                let (a, b) = (some(&mut random, full, first), some(&mut random, full, second));
                let joined = a.clone().merge(b.clone());
                let frame = a.frame.joined(&b.frame);
                let (mut moved, mut more) = (a, b);
                moved.rebase(frame.clone());
                more.rebase(frame);
                moved.scatter.iter_mut().zip(&more.scatter).for_each(|(sum, more)| *sum += more);
                for k in 0..2 {
                    let (n, m) = (moved.weight[k], more.weight[k]);
                    if n > 0.0 && m > 0.0 {
                        let apart = moved.mean(k).iter().zip(more.mean(k)).map(|(a, b)| b - a);
                        let apart: Vec<f64> = apart.collect();
                        moved.add_outer(k, n * (m / (n + m)), &apart);
                    }
                }
                assert_eq!(joined.scatter, moved.scatter, "{dim} {first} {second}");
            }
        }
    }
}
