//! Fits a family to class covariances: volume, shape and orientation, equal or variable \[M25\].

use std::borrow::Cow;
use std::cell::OnceCell;

use super::axes::{Axes, common_axes};
use super::before::Before;
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
    spreads: Vec<Spread>,
    /// a_k of \[M5\]; they sum to one.
    pub(super) shares: Vec<f64>,
    /// The factored matrices, as far as they are known.
    factors: OnceCell<Vec<Option<Covariance>>>,
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
    pub(super) fn new(spreads: Vec<Spread>, shares: Vec<f64>) -> Self {
        Self { spreads, shares, factors: OnceCell::new() }
    }

    /// The matrices.
    pub(super) fn spreads(&self) -> &[Spread] {
        &self.spreads
    }

    /// The matrices, to be changed.
    pub(super) fn spreads_mut(&mut self) -> &mut [Spread] {
        self.factors = OnceCell::new();
        &mut self.spreads
    }

    /// Remembers the factored matrices; none of one that has no inverse.
    pub(super) fn keep(&self, factors: Vec<Option<Covariance>>) {
        // Whoever was first had the same.
        let _ = self.factors.set(factors);
    }

    /// Factored matrix `k`, where it has an inverse.
    pub(super) fn factor(&self, k: usize) -> Option<Cow<'_, Covariance>> {
        match self.factors.get().and_then(|known| known[k].as_ref()) {
            Some(known) => Some(Cow::Borrowed(known)),
            None => inverse(&self.spreads[k]).map(Cow::Owned),
        }
    }

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
    /// inverse. Searches go on from what was there before, where there is any.
    pub(super) fn fit(&self, family: Family, before: Before) -> Option<Structured> {
        let parts = (family.volume(), family.form());
        let Before { axes, volumes } = before;
        if !family.turns() {
            return self.by_volume(parts, volumes);
        }
        let along = |spreads| Self::new(spreads, self.shares.clone());
        if family.turns_together() {
            let (axes, spreads, convergence) = common_axes(self, family.volume(), axes)?;
            let mut found = along(spreads).by_volume(parts, volumes)?;
            found.spreads.iter_mut().for_each(|along| *along = axes.matrix(along));
            return Some(Structured { convergence: Some(convergence), ..found });
        }
        let principal = |(k, spread)| Axes::principal(spread, self.factor(k).as_deref());
        let found = self.spreads.iter().enumerate().map(principal).collect::<Option<Vec<_>>>()?;
        let (axes, spreads): (Vec<Axes>, Vec<Spread>) = found.into_iter().unzip();
        let mut found = along(spreads).by_volume(parts, volumes)?;
        let pairs = found.spreads.iter_mut().zip(&axes);
        pairs.for_each(|(along, axes)| *along = axes.matrix(along));
        Some(found)
    }

    fn by_volume(
        &self,
        (volume, form): (Part, Part),
        volumes: Option<Vec<f64>>,
    ) -> Option<Structured> {
        match (volume, form) {
            (Part::Variable, Part::Variable | Part::Identity) => {
                Some(Structured::closed(self.spreads.clone()))
            }
            (Part::Equal, Part::Variable) => self.with_one_volume(),
            (Part::Variable, Part::Equal) => {
                // Of odd volumes the sum may have no inverse, and that of all as they are has.
                let found = volumes.and_then(|volumes| self.with_one_form(Some(volumes)));
                found.or_else(|| self.with_one_form(None))
            }
            _ => Some(Structured::closed(vec![self.pooled(); self.spreads.len()])),
        }
    }

    /// One volume, everything else per class: λ = Σ a_k det(S_k)^(1/d).
    fn with_one_volume(&self) -> Option<Structured> {
        let volumes: Vec<f64> = (0..self.spreads.len())
            .map(|k| Some(volume(self.factor(k)?.as_ref())))
            .collect::<Option<_>>()?;
        let common: f64 = self.shares.iter().zip(&volumes).map(|(share, v)| share * v).sum();
        let spreads = self.spreads.iter().zip(&volumes);
        let scaled = |(spread, v): (&Spread, &f64)| spread.clone().scaled(common / v);
        Some(Structured::closed(spreads.map(scaled).collect()))
    }

    /// A volume per class, everything else in common: C ∝ Σ a_k S_k/λ_k and λ_k = tr(S_k C⁻¹)/d in
    /// turn, from the volumes of an earlier estimate where there is one. The likelihood has one maximum, and each
    /// step raises it.
    fn with_one_form(&self, volumes: Option<Vec<f64>>) -> Option<Structured> {
        let dim = self.spreads[0].dim as f64;
        let count = self.spreads.len();
        let usable = |v: &f64| v.is_normal() && v.recip().is_normal();
        let volumes = volumes.filter(|all| all.len() == count && all.iter().all(usable));
        let mut volumes = volumes.unwrap_or_else(|| vec![1.0; count]);
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
pub(super) fn volume(covariance: &Covariance) -> f64 {
    (covariance.log_det() / covariance.dim() as f64).exp()
}

impl Covariance {
    /// tr(Σ⁻¹S).
    pub(crate) fn trace_of(&self, spread: &Spread) -> f64 {
        if spread.shape != Shape::Full {
            let mut deviations: Vec<f64> = spread.diagonal().map(f64::sqrt).collect();
            self.whiten_rows(&mut deviations);
            return deviations.iter().map(|z| z * z).sum();
        }
        let dim = self.dim();
        self.whitened_square(spread).iter().step_by(dim + 1).sum()
    }

    /// L⁻¹SL⁻ᵀ of a full spread.
    pub(crate) fn whitened(&self, spread: &Spread) -> Spread {
        let dim = self.dim();
        let square = self.whitened_square(spread);
        let mut values = Vec::with_capacity(dim * (dim + 1) / 2);
        for (i, row) in square.chunks_exact(dim).enumerate() {
            values.extend_from_slice(&row[..=i]);
        }
        Spread { shape: Shape::Full, dim, values }
    }

    /// The same, all of it, row by row.
    fn whitened_square(&self, spread: &Spread) -> Vec<f64> {
        let dim = self.dim();
        // L⁻¹S row by row, then L⁻¹ on the rows of its transpose.
        let mut rows = spread.square();
        self.whiten_rows(&mut rows);
        for i in 0..dim {
            for j in 0..i {
                rows.swap(i * dim + j, j * dim + i);
            }
        }
        self.whiten_rows(&mut rows);
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::super::bend::tests::classes;
    use super::*;

    #[test]
    fn where_volumes_begin_does_not_show() {
        for seed in 0..20 {
            let all = classes(seed, 3, 3);
            let found = all.fit(Family::Vee, Before::default()).unwrap();
            for volumes in [vec![1e-3, 1.0, 1e5], vec![0.0; 3], vec![1.0]] {
                let before = Before { volumes: Some(volumes), ..Before::default() };
                let again = all.fit(Family::Vee, before).unwrap();
                for (a, b) in found.spreads.iter().zip(&again.spreads) {
                    let largest = a.values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
                    for (a, b) in a.values.iter().zip(&b.values) {
                        assert!((a - b).abs() < 1e-12 * largest, "{seed}: {a} {b}");
                    }
                }
            }
        }
    }

    #[test]
    fn factors_are_those_of_the_matrices_there_are() {
        let mut all = classes(1, 3, 2);
        all.keep(all.spreads.iter().map(inverse).collect());
        let before = all.factor(1).unwrap().log_det();
        all.spreads_mut().iter_mut().for_each(|spread| *spread = spread.clone().scaled(4.0));
        let after = all.factor(1).unwrap().log_det();
        assert!((after - before - 3.0 * 4.0_f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn a_form_in_common_is_the_mean_of_the_classes_in_their_own_volumes() {
        for seed in 0..20 {
            let all = classes(seed, 3, 3);
            let found = all.fit(Family::Vee, Before::default()).unwrap();
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
