//! Holds the loops of scoring, eight rows at a time.

use super::{Mixture, Scores};
use crate::covariance::Covariance;
use crate::linalg::lanes::{Job, LANES, Lanes, add_product, load, norm_sq};

/// Squared distances of framed rows to each component, under its own covariance \[M9\].
pub(super) struct Distances<'a> {
    pub(super) mixture: &'a Mixture,
    pub(super) rows: &'a [f64],
}

impl Job for Distances<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn call(self) -> Vec<f64> {
        let (dim, components) = (self.mixture.dim(), self.mixture.components());
        let mut distances = vec![0.0; self.rows.len() / dim * components];
        let (mut x, mut z) = (vec![[0.0; LANES]; dim], vec![[0.0; LANES]; dim]);
        let panels = self.rows.chunks(LANES * dim);
        for (panel, out) in panels.zip(distances.chunks_mut(LANES * components)) {
            load(panel, &mut x);
            for k in 0..components {
                for ((z, x), m) in z.iter_mut().zip(&x).zip(self.mixture.mean(k)) {
                    *z = x.map(|x| x - m);
                }
                self.mixture.covariances().get(k).whiten_lanes(&mut z);
                let norms = norm_sq(&z);
                for (row, norm) in out.chunks_exact_mut(components).zip(norms) {
                    row[k] = norm;
                }
            }
        }
        distances
    }
}

/// Scores of framed rows under one covariance for all components \[M10\].
pub(super) struct Shared<'a> {
    pub(super) covariance: &'a Covariance,
    /// Whitened means.
    pub(super) means: Vec<f64>,
    pub(super) log_weight: Vec<f64>,
    /// The largest ln π.
    pub(super) heaviest: f64,
    /// ln π_k − ½‖a_k‖², less the largest ln π.
    pub(super) start: Vec<f64>,
    pub(super) log_norm: f64,
    /// ‖z‖² up to which scores about the origin lose no digits; 0 where they always may \[M10\].
    pub(super) near_sq: f64,
    pub(super) rows: &'a [f64],
}

impl Shared<'_> {
    /// Scores about the origin: ln π_k + zᵀa_k − ½‖a_k‖², and what is common apart.
    #[inline(always)]
    fn about_origin(&self, z: &[Lanes], norms: &Lanes, common: &mut [f64], relative: &mut [f64]) {
        let components = self.start.len();
        for (k, start) in self.start.iter().enumerate() {
            let mut score = [*start; LANES];
            for (z, m) in z.iter().zip(self.mean(k)) {
                add_product(&mut score, z, &[*m; LANES]);
            }
            let rows = relative.chunks_exact_mut(components).zip(norms).zip(score);
            for ((row, norm), score) in rows {
                if *norm <= self.near_sq {
                    row[k] = score;
                }
            }
        }
        for ((row, common), norm) in relative.chunks_exact_mut(components).zip(common).zip(norms) {
            if *norm > self.near_sq {
                continue;
            }
            let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            row.iter_mut().for_each(|score| *score -= top);
            *common = top + self.heaviest + self.log_norm - 0.5 * norm;
        }
    }

    /// Scores about the origin, then again about the best class: no class far from the others can take
    /// digits from the difference of two that are near. `a` is room for the means of the best.
    #[inline(always)]
    fn about_best(&self, z: &[Lanes], a: &mut [Lanes], common: &mut [f64], relative: &mut [f64]) {
        let components = self.log_weight.len();
        let best = self.best(z);
        for (j, a) in a.iter_mut().enumerate() {
            *a = best.map(|k| self.mean(k)[j]);
        }
        let mut distance = [0.0; LANES];
        for (z, a) in z.iter().zip(a.iter()) {
            let apart = difference(z, a);
            add_product(&mut distance, &apart, &apart);
        }
        for (lane, common) in common.iter_mut().enumerate() {
            let log_weight = self.log_weight[best[lane]];
            *common = log_weight + self.log_norm - 0.5 * distance[lane].min(f64::MAX);
        }
        for k in 0..components {
            let mut midway = [0.0; LANES];
            for ((z, a), m) in z.iter().zip(a.iter()).zip(self.mean(k)) {
                let off = difference(z, &a.map(|a| 0.5 * (m + a)));
                add_product(&mut midway, &off, &a.map(|a| m - a));
            }
            for (lane, row) in relative.chunks_exact_mut(components).enumerate() {
                row[k] = midway[lane] + (self.log_weight[k] - self.log_weight[best[lane]]);
            }
        }
    }

    #[inline(always)]
    fn mean(&self, k: usize) -> &[f64] {
        let dim = self.covariance.dim();
        &self.means[k * dim..(k + 1) * dim]
    }

    /// The class with the best score about the origin, lane by lane.
    #[inline(always)]
    fn best(&self, z: &[Lanes]) -> [usize; LANES] {
        let (mut best, mut top) = ([0; LANES], [f64::NEG_INFINITY; LANES]);
        for (k, start) in self.start.iter().enumerate() {
            let mut score = [*start; LANES];
            for (z, m) in z.iter().zip(self.mean(k)) {
                add_product(&mut score, z, &[*m; LANES]);
            }
            for lane in 0..LANES {
                if score[lane] > top[lane] {
                    (best[lane], top[lane]) = (k, score[lane]);
                }
            }
        }
        best
    }
}

impl Job for Shared<'_> {
    type Output = Scores;

    #[inline(always)]
    fn call(self) -> Scores {
        let (dim, components) = (self.covariance.dim(), self.log_weight.len());
        let count = self.rows.len() / dim;
        let (mut common, mut relative) = (vec![0.0; count], vec![0.0; count * components]);
        let (mut z, mut a) = (vec![[0.0; LANES]; dim], vec![[0.0; LANES]; dim]);
        let out = common.chunks_mut(LANES).zip(relative.chunks_mut(LANES * components));
        for (panel, (common, relative)) in self.rows.chunks(LANES * dim).zip(out) {
            load(panel, &mut z);
            self.covariance.whiten_lanes(&mut z);
            let norms = norm_sq(&z);
            let rows = common.len();
            if norms[..rows].iter().any(|norm| *norm > self.near_sq) {
                self.about_best(&z, &mut a, common, relative);
            }
            if norms[..rows].iter().any(|norm| *norm <= self.near_sq) {
                self.about_origin(&z, &norms, common, relative);
            }
        }
        Scores { components, common, relative }
    }
}

#[inline(always)]
fn difference(a: &Lanes, b: &Lanes) -> Lanes {
    std::array::from_fn(|lane| a[lane] - b[lane])
}
