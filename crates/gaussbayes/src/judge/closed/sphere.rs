//! Takes a row out of covariances that are shrunk toward spheres: one eigenbasis serves all rows.

use super::pooled::downdated;
use super::{Going, Means, Rule, View, remaining};
use crate::data::Block;
use crate::error::Error;
use crate::linalg::eigen;
use crate::moments::{Moments, Shape, Spread, Storage};
use crate::tolerance::EIGEN_RATIO;

/// A scatter by its principal axes.
struct Axes {
    /// Axis by axis.
    vectors: Vec<f64>,
    /// Scatter along each.
    scatter: Vec<f64>,
    /// The same, divided and shrunk: variances of the model of all rows.
    variances: Vec<f64>,
    log_det: f64,
    /// All means along the axes.
    means: Vec<f64>,
    divisor: f64,
}

/// Full covariances, of each class or shared, shrunk toward spheres by one amount.
pub(super) struct Sphere {
    means: Means,
    amount: f64,
    shared: bool,
    axes: Vec<Axes>,
}

impl Sphere {
    /// `None` where axes are not to be had, or not as exactly as a factor.
    ///
    /// # Errors
    /// What the moments do not hold.
    pub(super) fn new(
        amount: f64,
        shared: bool,
        moments: &Moments,
        means: Means,
    ) -> Result<Option<Self>, Error> {
        let (dim, frame) = (means.dim(), means.mixture.frame());
        let scatters = if moments.storage() == Storage::Shared { 1 } else { moments.components() };
        let mut spreads = Vec::with_capacity(scatters);
        for k in 0..scatters {
            spreads.push(moments.spread(k, Shape::Full, frame)?);
        }
        if shared {
            let mut sum = Spread::zero(Shape::Full, dim);
            spreads.iter().for_each(|spread| sum.add(1.0, spread));
            spreads = vec![sum];
        }
        let mut axes = Vec::with_capacity(spreads.len());
        for (k, spread) in spreads.iter().enumerate() {
            let Some(found) = eigen(&spread.values, dim) else { return Ok(None) };
            let divisor = if shared { means.divisor_of_all } else { means.weight[k] - means.ddof };
            let scatter: Vec<f64> = found.values.iter().map(|value| value.max(0.0)).collect();
            let mean = scatter.iter().sum::<f64>() / dim as f64;
            let variance = |s: &f64| ((1.0 - amount) * s + amount * mean) / divisor;
            let variances: Vec<f64> = scatter.iter().map(variance).collect();
            let least = variances.iter().copied().fold(f64::INFINITY, f64::min);
            if least < EIGEN_RATIO * variances.iter().copied().fold(0.0, f64::max) {
                return Ok(None);
            }
            let log_det = variances.iter().map(|v| v.ln()).sum();
            let along = |mean: &[f64]| turned(&found.vectors, mean);
            let along = means.mixture.means().chunks_exact(dim).flat_map(along).collect();
            axes.push(Axes {
                vectors: found.vectors,
                scatter,
                variances,
                log_det,
                means: along,
                divisor,
            });
        }
        Ok(Some(Self { means, amount, shared, axes }))
    }
}

/// A vector along each axis.
fn turned(axes: &[f64], x: &[f64]) -> Vec<f64> {
    let along = |axis: &[f64]| axis.iter().zip(x).map(|(a, x)| a * x).sum();
    axes.chunks_exact(x.len()).map(along).collect()
}

impl Rule for Sphere {
    fn view(&self, block: &Block<'_>) -> Result<View, Error> {
        Ok(View { rows: self.means.framed(block), distances: Vec::new() })
    }

    fn scores(&self, view: &View, i: usize, going: Going, scores: &mut [f64]) -> bool {
        let dim = self.means.dim();
        let u = &view.rows[i * dim..(i + 1) * dim];
        let axes = &self.axes[if self.shared { 0 } else { going.class }];
        let left = axes.divisor - going.weight;
        if left <= 0.0 {
            return false;
        }
        let v = turned(&axes.vectors, u);
        let own = &axes.means[going.class * dim..(going.class + 1) * dim];
        let square: f64 = v.iter().zip(own).map(|(v, a)| (v - a) * (v - a)).sum();
        // ((1 − γ)(W − loss yyᵀ) + γ tr(W − loss yyᵀ)/d · I) / left: variances along the axes first.
        let trace: f64 = axes.scatter.iter().sum();
        let Some(rest) = remaining(going.loss() * square / trace) else { return false };
        let mean = trace * rest / dim as f64;
        let variance = |s: &f64| ((1.0 - self.amount) * s + self.amount * mean) / left;
        let variances: Vec<f64> = axes.scatter.iter().map(variance).collect();
        let loss = (1.0 - self.amount) * going.loss() / left;
        if self.shared {
            let roots: Vec<f64> = variances.iter().map(|s| s.sqrt()).collect();
            let scaled = |x: &[f64]| -> Vec<f64> {
                x.chunks_exact(dim).flat_map(|x| x.iter().zip(&roots).map(|(x, s)| x / s)).collect()
            };
            return downdated(&scaled(&v), &scaled(&axes.means), going, loss, scores);
        }
        let mut q = 0.0;
        for ((v, a), s) in v.iter().zip(own).zip(&variances) {
            q += (v - a) * (v - a) / s;
        }
        let Some(rest) = remaining(loss * q) else { return false };
        let log_det = variances.iter().map(|s| s.ln()).sum::<f64>() + rest.ln();
        for (j, score) in scores.iter_mut().enumerate() {
            if j == going.class {
                *score = -0.5 * (going.stretch().powi(2) * q / rest + log_det);
            } else {
                let other = &self.axes[j];
                let mean = &other.means[j * dim..(j + 1) * dim];
                let along = turned(&other.vectors, u);
                let apart: f64 = along
                    .iter()
                    .zip(mean)
                    .zip(&other.variances)
                    .map(|((v, a), s)| (v - a) * (v - a) / s)
                    .sum();
                *score = -0.5 * (apart + other.log_det);
            }
        }
        true
    }
}
