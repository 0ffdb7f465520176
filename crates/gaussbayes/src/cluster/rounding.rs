//! Bounds what rounding can do to a log-likelihood \[M57\].

use super::expect::EmStat;
use crate::linalg::eigenvalues;
use crate::mixture::Mixture;
use crate::moments::lower_index;
use crate::tolerance::FALL_ROUNDING;

/// How much lower a log-likelihood may come out by rounding alone: some ε times Σ w (1 + |l|) d κ, with κ
/// the largest condition of a component's correlations, or what rows are rounded by beside it.
pub(super) fn rounding(mixture: &Mixture, stat: &EmStat) -> f64 {
    let dim = mixture.dim();
    let condition = |k: usize| {
        let triangle = mixture.covariances().get(k).triangle();
        let deviations: Vec<f64> = (0..dim).map(|j| triangle[lower_index(j, j)].sqrt()).collect();
        let pairs = (0..dim).flat_map(|i| (0..=i).map(move |j| (i, j)));
        let correlations: Vec<f64> =
            pairs.zip(&triangle).map(|((i, j), s)| s / deviations[i] / deviations[j]).collect();
        let values = eigenvalues(&correlations, dim)?;
        Some(values[dim - 1] / values[0].max(f64::EPSILON))
    };
    let condition = (0..mixture.components()).filter_map(condition).fold(1.0, f64::max);
    // Beside noise a component can be narrow against the frame, whose units rows are rounded in.
    let narrow = |k: usize| {
        let deviations = mixture.covariances().get(k).deviations();
        deviations.into_iter().fold(1.0, |most: f64, deviation| most.max(deviation.recip()))
    };
    let apart = mixture.noise().map(|_| 0..mixture.components());
    let condition = apart.into_iter().flatten().map(narrow).fold(condition, f64::max);
    let unit = if stat.single { f64::from(f32::EPSILON) / f64::EPSILON } else { 1.0 };
    unit * FALL_ROUNDING * (stat.size + stat.weight()) * dim as f64 * condition
}
