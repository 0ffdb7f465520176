//! Fits a family to class covariances: volume, shape and orientation, equal or variable \[M25\].

use super::axes::{Axes, common_axes};
use super::factor::factor;
use super::family::{Family, Part};
use super::matrix::Covariance;
use crate::moments::{Shape, Spread};
use crate::tolerance::{FAMILY_CHANGE, FAMILY_ROUNDING, FAMILY_STEPS};

/// How an iteration within an estimate ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Convergence {
    /// Steps taken.
    pub steps: usize,
    /// Whether the last one changed nothing that counts.
    pub converged: bool,
}

/// Class covariances before a family has its say, and the share of each in what is common.
#[derive(Clone)]
pub(super) struct Classes {
    pub(super) spreads: Vec<Spread>,
    /// a_k of \[M5\]; they sum to one.
    pub(super) shares: Vec<f64>,
}

/// Class covariances of a family.
pub(super) struct Structured {
    /// One, or one per class.
    pub(super) spreads: Vec<Spread>,
    /// None where the estimate is closed.
    pub(super) convergence: Option<Convergence>,
}

impl Structured {
    fn closed(spreads: Vec<Spread>) -> Self {
        Self { spreads, convergence: None }
    }
}

impl Classes {
    /// Σ a_k S_k.
    pub(super) fn pooled(&self) -> Spread {
        self.summed(&self.shares)
    }

    fn summed(&self, factors: &[f64]) -> Spread {
        let mut sum = Spread::zero(self.spreads[0].shape, self.spreads[0].dim);
        self.spreads.iter().zip(factors).for_each(|(spread, factor)| sum.add(*factor, spread));
        sum
    }

    /// The maximum-likelihood matrices of a family; `None` where a matrix that it needs has no
    /// inverse. A search for common axes goes on from `previous`, where there is one.
    pub(super) fn fit(self, family: Family, previous: Option<Axes>) -> Option<Structured> {
        let (volume, form) = (family.volume(), family.form());
        if !family.turns() {
            return self.by_volume(volume, form);
        }
        let (axes, along, turning) = if family.orientation() == Part::Variable {
            let found = self.spreads.iter().map(Axes::principal).collect::<Option<Vec<_>>>()?;
            let (axes, along): (Vec<Axes>, Vec<Spread>) = found.into_iter().unzip();
            (axes, along, None)
        } else {
            let (axes, along, convergence) = common_axes(&self, volume, previous)?;
            (vec![axes; along.len()], along, Some(convergence))
        };
        let classes = Self { spreads: along, shares: self.shares };
        let found = classes.by_volume(volume, form)?;
        let spreads = axes.iter().zip(&found.spreads).map(|(axes, along)| axes.matrix(along));
        Some(Structured { spreads: spreads.collect(), convergence: turning.or(found.convergence) })
    }

    fn by_volume(self, volume: Part, form: Part) -> Option<Structured> {
        match (volume, form) {
            (Part::Variable, Part::Variable | Part::Identity) => {
                Some(Structured::closed(self.spreads))
            }
            (Part::Equal, Part::Variable) => self.with_one_volume(),
            (Part::Variable, Part::Equal) => self.with_one_form(),
            _ => Some(Structured::closed(vec![self.pooled(); self.spreads.len()])),
        }
    }

    /// One volume, everything else per class: λ = Σ a_k det(S_k)^(1/d).
    fn with_one_volume(self) -> Option<Structured> {
        let volumes: Vec<f64> = self
            .spreads
            .iter()
            .map(|spread| Some(volume(&inverse(spread)?)))
            .collect::<Option<_>>()?;
        let common: f64 = self.shares.iter().zip(&volumes).map(|(share, v)| share * v).sum();
        let spreads = self.spreads.into_iter().zip(&volumes);
        Some(Structured::closed(spreads.map(|(spread, v)| spread.scaled(common / v)).collect()))
    }

    /// A volume per class, everything else in common: C ∝ Σ a_k S_k/λ_k and λ_k = tr(S_k C⁻¹)/d in
    /// turn. The likelihood has one maximum, and each step raises it.
    fn with_one_form(self) -> Option<Structured> {
        let dim = self.spreads[0].dim as f64;
        let mut volumes = vec![1.0; self.spreads.len()];
        let mut convergence = Convergence { steps: 0, converged: false };
        let mut form = self.pooled();
        let mut before = f64::INFINITY;
        while convergence.steps < FAMILY_STEPS && !convergence.converged {
            let factors: Vec<f64> =
                self.shares.iter().zip(&volumes).map(|(share, volume)| share / volume).collect();
            let sum = self.summed(&factors);
            let covariance = inverse(&sum)?;
            let scale = volume(&covariance);
            form = sum.scaled(1.0 / scale);
            let mut change = 0.0_f64;
            for (volume, spread) in volumes.iter_mut().zip(&self.spreads) {
                let next = scale * covariance.trace_of(spread) / dim;
                change = change.max((next / *volume - 1.0).abs());
                *volume = next;
            }
            convergence.steps += 1;
            // Rounding may hold small changes up: then they fall no more.
            convergence.converged =
                change <= FAMILY_CHANGE || (change <= FAMILY_ROUNDING && change >= before);
            before = change;
        }
        let spreads = volumes.iter().map(|&volume| form.clone().scaled(volume)).collect();
        Some(Structured { spreads, convergence: Some(convergence) })
    }
}

/// The factored matrix, where it has an inverse.
pub(super) fn inverse(spread: &Spread) -> Option<Covariance> {
    factor(spread, &vec![0.0; spread.dim]).ok()?.ok()
}

/// det(Σ)^(1/d).
fn volume(covariance: &Covariance) -> f64 {
    (covariance.log_det() / covariance.dim() as f64).exp()
}

impl Covariance {
    /// tr(Σ⁻¹S).
    pub(crate) fn trace_of(&self, spread: &Spread) -> f64 {
        if spread.shape != Shape::Full {
            let mut deviations: Vec<f64> = spread.diagonal().iter().map(|v| v.sqrt()).collect();
            self.whiten_rows(&mut deviations);
            return deviations.iter().map(|z| z * z).sum();
        }
        self.whitened(spread).diagonal().iter().sum()
    }

    /// L⁻¹SL⁻ᵀ of a full spread.
    pub(crate) fn whitened(&self, spread: &Spread) -> Spread {
        let dim = self.dim();
        // L⁻¹S row by row, then L⁻¹ on the rows of its transpose.
        let mut rows = spread.square();
        self.whiten_rows(&mut rows);
        let mut turned: Vec<f64> = (0..dim)
            .flat_map(|j| (0..dim).map(move |i| (i, j)))
            .map(|(i, j)| rows[i * dim + j])
            .collect();
        self.whiten_rows(&mut turned);
        let pairs = (0..dim).flat_map(|i| (0..=i).map(move |j| (i, j)));
        let values = pairs.map(|(i, j)| turned[i * dim + j]).collect();
        Spread { shape: Shape::Full, dim, values }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bend::tests::classes;
    use super::*;

    #[test]
    fn a_form_in_common_is_the_mean_of_the_classes_in_their_own_volumes() {
        for seed in 0..20 {
            let all = classes(seed, 3, 3);
            let own = Classes { spreads: all.spreads.clone(), shares: all.shares.clone() };
            let found = own.fit(Family::Vee, None).unwrap();
            let volumes: Vec<f64> =
                found.spreads.iter().map(|s| volume(&inverse(s).unwrap())).collect();
            let factors: Vec<f64> = all.shares.iter().zip(&volumes).map(|(a, v)| a / v).collect();
            let (mean, form) = (all.summed(&factors), found.spreads[0].clone());
            for (m, f) in mean.values.iter().zip(&form.values) {
                assert!((m - f / volumes[0]).abs() < 1e-12, "{seed}: {m} {}", f / volumes[0]);
            }
        }
    }
}
