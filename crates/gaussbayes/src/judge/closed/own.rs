//! Takes a row out of a model with a covariance per class: only that of its class changes.

use super::{Going, Means, Rule, View, remaining};
use crate::data::Block;
use crate::error::Error;
use crate::moments::Shape;

/// A covariance per class, of one volume or each of its own.
pub(super) struct Own {
    means: Means,
    /// Whether volumes are made equal afterwards.
    one_volume: bool,
    log_dets: Vec<f64>,
    /// What whitens diagonal and spherical covariances.
    factors: Vec<Vec<f64>>,
}

/// A squared distance and a log-determinant without a row.
struct Without {
    distance: f64,
    log_det: f64,
}

impl Own {
    pub(super) fn new(means: Means, one_volume: bool) -> Self {
        let covariance = |k: usize| means.mixture.covariances().get(k);
        let classes = 0..means.weight.len();
        let log_dets = classes.clone().map(|k| covariance(k).log_det()).collect();
        let factors = classes.map(|k| covariance(k).factor()).collect();
        Self { means, one_volume, log_dets, factors }
    }

    /// Distance and log-determinant of the row's own class without it.
    fn without(&self, u: &[f64], distance: f64, going: Going) -> Option<Without> {
        let divisor = going.of - self.means.ddof;
        let left = divisor - going.weight;
        if left <= 0.0 {
            return None;
        }
        let (k, dim) = (going.class, u.len() as f64);
        let (stretch, loss) = (going.stretch().powi(2), going.loss());
        let squares = self.means.centred(u, k).map(|y| y * y);
        match self.means.mixture.covariances().get(k).shape() {
            Shape::Full => {
                // Sherman–Morrison on W = divisor · S.
                let q = distance / divisor;
                let rest = remaining(loss * q)?;
                let log_det = self.log_dets[k] + dim * (divisor / left).ln() + rest.ln();
                Some(Without { distance: stretch * left * q / rest, log_det })
            }
            Shape::Diagonal => {
                let mut sum = Without { distance: 0.0, log_det: 0.0 };
                for (square, s) in squares.zip(&self.factors[k]) {
                    let scatter = divisor * s * s;
                    let scatter = scatter * remaining(loss * square / scatter)?;
                    sum.distance += stretch * left * square / scatter;
                    sum.log_det += (scatter / left).ln();
                }
                Some(sum)
            }
            Shape::Spherical => {
                let square: f64 = squares.sum();
                let trace = divisor * dim * self.factors[k][0].powi(2);
                let trace = trace * remaining(loss * square / trace)?;
                let variance = trace / (left * dim);
                Some(Without {
                    distance: stretch * square / variance,
                    log_det: dim * variance.ln(),
                })
            }
        }
    }

    /// Makes volumes equal: Σ_j = S_j λ/g_j with g_j = det(S_j)^(1/d) and λ = Σ a_j g_j.
    fn level(&self, mine: &Without, going: Going, distances: &[f64], scores: &mut [f64]) {
        let dim = self.means.dim() as f64;
        let is_mine = |j: usize| j == going.class;
        let share = |j: usize| {
            self.means.weight[j] - self.means.ddof - if is_mine(j) { going.weight } else { 0.0 }
        };
        let volume =
            |j: usize| (if is_mine(j) { mine.log_det } else { self.log_dets[j] } / dim).exp();
        let classes = 0..scores.len();
        let total: f64 = classes.clone().map(share).sum();
        let common: f64 = classes.map(|j| share(j) / total * volume(j)).sum();
        for (j, score) in scores.iter_mut().enumerate() {
            let distance = if is_mine(j) { mine.distance } else { distances[j] };
            *score = -0.5 * distance * volume(j) / common;
        }
    }
}

impl Rule for Own {
    fn view(&self, block: &Block<'_>) -> Result<View, Error> {
        let distances = self.means.mixture.mahalanobis_sq(block)?;
        Ok(View { rows: self.means.framed(block), distances })
    }

    fn scores(&self, view: &View, i: usize, going: Going, scores: &mut [f64]) -> bool {
        let (dim, count) = (self.means.dim(), scores.len());
        let distances = &view.distances[i * count..(i + 1) * count];
        let u = &view.rows[i * dim..(i + 1) * dim];
        let Some(mine) = self.without(u, distances[going.class], going) else { return false };
        if self.one_volume {
            self.level(&mine, going, distances, scores);
            return true;
        }
        for ((score, distance), log_det) in scores.iter_mut().zip(distances).zip(&self.log_dets) {
            *score = -0.5 * (distance + log_det);
        }
        scores[going.class] = -0.5 * (mine.distance + mine.log_det);
        true
    }
}
