//! Measures how far components moved, in their own standard deviations \[M69\].

use crate::covariance::norm_sq;
use crate::mixture::Mixture;
use crate::moments::ldexp;

/// How far every component of a mixture moved; infinite where it is there no longer.
#[derive(Debug, Clone, PartialEq)]
pub struct Movement {
    /// √((μ′ − μ)ᵀ Σ⁻¹ (μ′ − μ)) of each component.
    pub mean: Vec<f64>,
    /// ‖Σ^−½ (Σ′ − Σ) Σ^−½‖ of each, by Frobenius.
    pub covariance: Vec<f64>,
}

impl Movement {
    /// From one mixture to another with the same components.
    pub fn between(before: &Mixture, after: &Mixture) -> Self {
        let components = before.components();
        if after.components() != components || after.dim() != before.dim() {
            return Self::lost(components);
        }
        let mean = |k: usize| {
            let mut apart = mean_shift(before, after, k);
            before.covariances().get(k).whiten_rows(&mut apart);
            norm_sq(&apart).sqrt()
        };
        Self {
            mean: (0..components).map(mean).collect(),
            covariance: (0..components).map(|k| covariance_shift(before, after, k)).collect(),
        }
    }

    /// Of components that are there no longer.
    pub(super) fn lost(components: usize) -> Self {
        Self { mean: vec![f64::INFINITY; components], covariance: vec![f64::INFINITY; components] }
    }

    /// Of nothing that moved.
    pub(super) fn none(components: usize) -> Self {
        Self { mean: vec![0.0; components], covariance: vec![0.0; components] }
    }

    /// The component that moved farthest, both ways together: the length of its step by Fisher's information,
    /// √(mean² + ½ covariance²).
    pub fn farthest(&self) -> usize {
        let length = |k: &usize| information(self.mean[*k], self.covariance[*k]);
        let all = (0..self.mean.len()).rev();
        all.max_by(|a, b| length(a).total_cmp(&length(b))).unwrap_or(0)
    }
}

/// The squared length of a step of mean and covariance by Fisher's information.
pub(super) fn information(mean: f64, covariance: f64) -> f64 {
    mean * mean + 0.5 * covariance * covariance
}

/// μ′ − μ of component `k`, in the units of the first mixture's frame: no digit is lost to where the rows lie.
pub(super) fn mean_shift(before: &Mixture, after: &Mixture, k: usize) -> Vec<f64> {
    let (to, from) = (before.frame(), after.frame());
    let moved = |(j, (now, was)): (usize, (&f64, &f64))| {
        let place = to.place(j, from.origin()[j]);
        place + (ldexp(*now, from.exponent()[j] - to.exponent()[j]) - was)
    };
    after.mean(k).iter().zip(before.mean(k)).enumerate().map(moved).collect()
}

fn covariance_shift(before: &Mixture, after: &Mixture, k: usize) -> f64 {
    let dim = before.dim();
    let (to, from) = (before.frame().exponent(), after.frame().exponent());
    let whitener = before.covariances().get(k);
    let (was, now) = (whitener.triangle(), after.covariances().get(k).triangle());
    let mut square = vec![0.0; dim * dim];
    let pairs = (0..dim).flat_map(|i| (0..=i).map(move |j| (i, j)));
    for ((i, j), (was, now)) in pairs.zip(was.into_iter().zip(now)) {
        let moved = ldexp(now, from[i] - to[i] + from[j] - to[j]) - was;
        (square[i * dim + j], square[j * dim + i]) = (moved, moved);
    }
    // From both sides: a norm that no rotation of the whitened rows changes.
    whitener.whiten_rows(&mut square);
    let mut turned: Vec<f64> =
        (0..dim * dim).map(|at| square[(at % dim) * dim + at / dim]).collect();
    whitener.whiten_rows(&mut turned);
    norm_sq(&turned).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_are_in_the_units_of_the_component() {
        let of = |mean: [f64; 2], covariance: [f64; 3]| {
            Mixture::given(&[mean.to_vec()], &[covariance.to_vec()], vec![1.0]).unwrap()
        };
        // Σ = diag(4, 9); Σ′ − Σ = [[4, 3], [3, 0]] whitens to [[1, ½], [½, 0]].
        let before = of([1e6, -3.0], [4.0, 0.0, 9.0]);
        let after = of([1e6 + 6.0, 9.0], [8.0, 3.0, 9.0]);
        let found = Movement::between(&before, &after);
        assert!((found.mean[0] - 5.0).abs() < 1e-12, "{found:?}");
        assert!((found.covariance[0] - 1.5_f64.sqrt()).abs() < 1e-14, "{found:?}");
        assert_eq!(Movement::between(&before, &before), Movement::none(1));
        let two =
            Mixture::given(&[vec![0.0, 0.0], vec![1.0, 1.0]], &[vec![1.0, 0.0, 1.0]], vec![0.5; 2]);
        assert_eq!(Movement::between(&before, &two.unwrap()), Movement::lost(1));
    }
}
