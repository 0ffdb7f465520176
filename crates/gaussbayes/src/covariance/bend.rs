//! Knows slope and curvature of the mean log-determinant over all rotations of the axes \[M26\].

use super::axes::Turned;
use super::turning::Search;
use crate::tolerance::{CONJUGATE_RESIDUAL, NEWTON_FORCING};

/// Slope and curvature at one set of axes; a rotation is an angle for each plane l < m, in order.
pub(super) struct Bend<'a> {
    dim: usize,
    weights: &'a [f64],
    power: Option<f64>,
    /// DᵀS_kD of each class, row by row.
    matrices: Vec<Vec<f64>>,
}

impl<'a> Bend<'a> {
    pub(super) fn of(search: &'a Search<'_>) -> Self {
        Self {
            dim: search.len(),
            weights: &search.weights,
            power: search.power,
            matrices: search.turned.iter().map(Turned::square).collect(),
        }
    }

    fn planes(&self) -> impl Iterator<Item = (usize, usize)> {
        let dim = self.dim;
        (0..dim).flat_map(move |l| (l + 1..dim).map(move |m| (l, m)))
    }

    /// The slope in each plane: Σ w 2r(1/p − 1/q).
    pub(super) fn gradient(&self) -> Vec<f64> {
        let dim = self.dim;
        let mut gradient = vec![0.0; dim * (dim - 1) / 2];
        for (s, weight) in self.matrices.iter().zip(self.weights) {
            for (sum, (l, m)) in gradient.iter_mut().zip(self.planes()) {
                let between = 1.0 / s[l * dim + l] - 1.0 / s[m * dim + m];
                *sum += weight * 2.0 * s[m * dim + l] * between;
            }
        }
        gradient
    }

    /// The curvature within each plane alone, as far as it is positive.
    fn diagonal(&self) -> Vec<f64> {
        let dim = self.dim;
        let mut diagonal = vec![0.0; dim * (dim - 1) / 2];
        for (s, weight) in self.matrices.iter().zip(self.weights) {
            for (sum, (l, m)) in diagonal.iter_mut().zip(self.planes()) {
                let (p, q) = (s[l * dim + l], s[m * dim + m]);
                *sum += weight * 2.0 * (q - p) * (q - p) / (p * q);
            }
        }
        let floor = diagonal.iter().copied().fold(0.0, f64::max) * f64::EPSILON;
        diagonal.iter().map(|value| value.max(floor).max(f64::MIN_POSITIVE)).collect()
    }

    /// The change of the slope along a rotation Ω, from Ṡ = SΩ − ΩS = SΩ + (SΩ)ᵀ.
    fn change(&self, step: &[f64]) -> Vec<f64> {
        let dim = self.dim;
        let mut omega = vec![0.0; dim * dim];
        for (angle, (l, m)) in step.iter().zip(self.planes()) {
            // Axis l gains of axis m, axis m loses of axis l.
            (omega[m * dim + l], omega[l * dim + m]) = (*angle, -angle);
        }
        let mut flows = Vec::with_capacity(self.matrices.len());
        let mut log_rates = Vec::with_capacity(self.matrices.len());
        for s in &self.matrices {
            let mut flow = vec![0.0; dim * dim];
            for (row, s) in flow.chunks_exact_mut(dim).zip(s.chunks_exact(dim)) {
                for (s, omega) in s.iter().zip(omega.chunks_exact(dim)) {
                    row.iter_mut().zip(omega).for_each(|(sum, omega)| *sum += s * omega);
                }
            }
            let rate = |j: usize| 2.0 * flow[j * dim + j] / s[j * dim + j];
            log_rates.push((0..dim).map(rate).sum::<f64>());
            flows.push(flow);
        }
        let mean: f64 = self.weights.iter().zip(&log_rates).map(|(w, rate)| w * rate).sum();
        let mut change = vec![0.0; step.len()];
        for (k, (s, flow)) in self.matrices.iter().zip(&flows).enumerate() {
            let growth = self.power.map_or(0.0, |power| power * (log_rates[k] - mean));
            for (sum, (l, m)) in change.iter_mut().zip(self.planes()) {
                let (p, q, r) = (s[l * dim + l], s[m * dim + m], s[m * dim + l]);
                let (dp, dq) = (2.0 * flow[l * dim + l], 2.0 * flow[m * dim + m]);
                let dr = flow[m * dim + l] + flow[l * dim + m];
                let turning = (growth * r + dr) * (1.0 / p - 1.0 / q);
                let widening = r * (dq / (q * q) - dp / (p * p));
                *sum += self.weights[k] * 2.0 * (turning + widening);
            }
        }
        change
    }

    /// −H⁻¹g by conjugate gradients, as exactly as the gradient is small and as far as H is positive.
    pub(super) fn newton_step(&self, gradient: &[f64]) -> Vec<f64> {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let diagonal = self.diagonal();
        let scaled = |v: &[f64]| v.iter().zip(&diagonal).map(|(v, d)| v / d).collect::<Vec<f64>>();
        let mut step = vec![0.0; gradient.len()];
        let mut residual: Vec<f64> = gradient.iter().map(|g| -g).collect();
        let mut direction = scaled(&residual);
        let mut square = dot(&residual, &direction);
        let enough = square * square.clamp(CONJUGATE_RESIDUAL, NEWTON_FORCING);
        for _ in 0..2 * gradient.len() {
            if square <= enough {
                break;
            }
            let image = self.change(&direction);
            let curvature = dot(&direction, &image);
            if curvature <= 0.0 {
                break;
            }
            let length = square / curvature;
            step.iter_mut().zip(&direction).for_each(|(s, d)| *s += length * d);
            residual.iter_mut().zip(&image).for_each(|(r, i)| *r -= length * i);
            let downhill = scaled(&residual);
            let next = dot(&residual, &downhill);
            direction.iter_mut().zip(&downhill).for_each(|(d, r)| *d = r + next / square * *d);
            square = next;
        }
        step
    }
}
