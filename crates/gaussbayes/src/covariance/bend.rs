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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::covariance::axes::{Axes, common_axes};
    use crate::covariance::before::Before;
    use crate::covariance::family::{Family, Part};
    use crate::covariance::structure::{Classes, inverse};
    use crate::moments::{Shape, Spread, lower_index};
    use crate::rng::Random;

    /// Covariances with little in common, and shares that differ.
    pub(in crate::covariance) fn classes(seed: u64, dim: usize, count: usize) -> Classes {
        let mut random = Random::new(seed, 0);
        let mut spread = |_| {
            let a: Vec<f64> = (0..dim * dim).map(|_| random.normal_pair().0).collect();
            let mut spread = Spread::zero(Shape::Full, dim);
            for i in 0..dim {
                for j in 0..=i {
                    let dot: f64 = (0..dim).map(|t| a[i * dim + t] * a[j * dim + t]).sum();
                    spread.values[lower_index(i, j)] = dot + f64::from(u8::from(i == j)) / 8.0;
                }
            }
            spread
        };
        let spreads = (0..count).map(&mut spread).collect();
        let total = (count * (count + 1) / 2) as f64;
        Classes::new(spreads, (1..=count).map(|k| k as f64 / total).collect())
    }

    /// A search that starts at some axes.
    pub(in crate::covariance) fn search(all: &Classes, volume: Part, axes: Axes) -> Search<'_> {
        let factors: Vec<_> = all.spreads().iter().map(|s| inverse(s).unwrap()).collect();
        Search::new(&factors, &all.shares, volume, axes)
    }

    /// f of M26, as it is written there.
    pub(in crate::covariance) fn objective(classes: &Classes, volume: Part, axes: &Axes) -> f64 {
        let dim = axes.len() as f64;
        let along = |s: &Spread| s.along(axes.rows()).diagonal().collect::<Vec<f64>>();
        let log = |s: &Spread| along(s).iter().map(|v| v.ln()).sum::<f64>();
        let pairs = classes.spreads().iter().zip(&classes.shares);
        if volume == Part::Equal {
            dim * pairs.map(|(s, a)| a * (log(s) / dim).exp()).sum::<f64>().ln()
        } else {
            pairs.map(|(s, a)| a * log(s)).sum()
        }
    }

    #[test]
    fn slope_and_curvature_are_differences() {
        let h = 1e-5;
        for (seed, volume) in (0..6).flat_map(|s| [(s, Part::Equal), (s, Part::Variable)]) {
            let all = classes(seed, 4, 3);
            let axes = Axes::of(&all.pooled()).unwrap();
            let search = search(&all, volume, axes.clone());
            let bend = Bend::of(&search);
            let gradient = bend.gradient();
            for (p, (l, m)) in bend.planes().enumerate() {
                let turned = |angle: f64| {
                    let mut axes = axes.clone();
                    axes.turn(l, m, (angle.cos(), angle.sin()));
                    let slope =
                        Bend::of(&super::tests::search(&all, volume, axes.clone())).gradient();
                    (objective(&all, volume, &axes), slope)
                };
                let ((f, g), (e, d)) = (turned(h), turned(-h));
                let close = |a: f64, b: f64| (a - b).abs() < 1e-5 * (1.0 + b.abs());
                assert!(close((f - e) / (2.0 * h), gradient[p]), "{seed} {volume:?} {p}");
                let unit: Vec<f64> = (0..6).map(|q| f64::from(u8::from(q == p))).collect();
                for (q, change) in bend.change(&unit).into_iter().enumerate() {
                    let expected = (g[q] - d[q]) / (2.0 * h);
                    assert!(
                        close(change, expected),
                        "{seed} {volume:?} {p} {q}: {change} {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn axes_end_where_nothing_slopes_after_few_steps_and_below_every_start() {
        for (seed, volume) in (0..200).flat_map(|s| [(s, Part::Equal), (s, Part::Variable)]) {
            let all = classes(seed, 2 + seed as usize % 5, 2 + seed as usize % 3);
            let (axes, _, convergence) = common_axes(&all, volume, None).unwrap();
            let steepest = Bend::of(&search(&all, volume, axes.clone()))
                .gradient()
                .into_iter()
                .fold(0.0, |a: f64, g| a.max(g.abs()));
            assert!(steepest < 1e-10, "{seed} {volume:?}: {steepest:e}");
            assert!(
                convergence.converged && convergence.steps <= 12,
                "{seed} {volume:?}: {convergence:?}"
            );
            let mut starts: Vec<Axes> =
                all.spreads().iter().map(|s| Axes::of(s).unwrap()).collect();
            starts.push(Axes::of(&all.pooled()).unwrap());
            starts.push(common_axes(&all, Part::Equal, None).unwrap().0);
            starts.push(proportional(&all));
            let mut coordinates = Spread::zero(Shape::Full, axes.len());
            (0..axes.len()).for_each(|j| coordinates.values[lower_index(j, j)] = 1.0 + j as f64);
            starts.push(Axes::of(&coordinates).unwrap());
            for start in starts {
                let mut search = search(&all, volume, start);
                search.sweep();
                let there = objective(&all, volume, &search.finish().0);
                assert!(objective(&all, volume, &axes) <= there + 1e-9, "{seed} {volume:?}");
            }
        }
    }

    /// The axes of the proportional family.
    fn proportional(all: &Classes) -> Axes {
        Axes::of(&all.fit(Family::Vee, Before::default()).unwrap().spreads[0]).unwrap()
    }

    #[test]
    fn a_search_goes_on_from_an_earlier_estimate() {
        let mut elsewhere = 0;
        for seed in 0..200 {
            let all = classes(seed, 2 + seed as usize % 5, 2 + seed as usize % 3);
            let other = classes(seed + 1000, 2 + seed as usize % 5, 2 + seed as usize % 3);
            let f = |axes: &Axes| objective(&all, Part::Equal, axes);
            let earlier = Axes::of(&other.pooled()).unwrap();
            let found = common_axes(&all, Part::Equal, Some(earlier.clone())).unwrap().0;
            assert!(f(&found) <= f(&earlier) + 1e-9, "{seed}");
            let best = f(&common_axes(&all, Part::Equal, None).unwrap().0);
            elsewhere += usize::from((f(&found) - best).abs() > 1e-6);
        }
        assert!(elsewhere > 0);
    }
}
