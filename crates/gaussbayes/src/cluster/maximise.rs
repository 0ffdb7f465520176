//! Takes the M-step of a state: the one estimate, and what labels, noise and tails make of it.

use super::empty::Settled;
use super::expect::EmStat;
use super::frozen::Frozen;
use super::outliers::Outliers;
use super::ownership::Ownership;
use super::spec::EmSpec;
use super::state::EmState;
use crate::covariance::{CovarianceSpec, Estimate, Family, Priors, Report};
use crate::error::Error;
use crate::mixture::{Mixture, Noise};
use crate::moments::Moments;

/// What an M-step found.
pub(super) struct Maximised {
    pub(super) mixture: Mixture,
    pub(super) parameters: usize,
    pub(super) lifted: Vec<usize>,
    pub(super) ownership: Option<Ownership>,
    pub(super) frozen: Frozen,
}

impl EmState {
    /// The M-step on moments with rows in every component.
    pub(super) fn maximise(&self, stat: &EmStat, settled: Settled) -> Result<Maximised, Error> {
        let Settled { moments, weight, kept, .. } = settled;
        let (spec, whole) = (self.spec(), kept.len() == self.mixture().components());
        let picked;
        let before = if whole {
            self.mixture()
        } else {
            picked = self.mixture().picked(&kept)?;
            &picked
        };
        let ownership = match self.ownership() {
            Some(ownership) if !whole => Some(ownership.kept(&kept)?),
            same => same.cloned(),
        };
        let frozen = spec.frozen.kept(&kept);
        let counts = moments.weight().to_vec();
        let mut moments = frozen.moments(moments, &weight, before);
        let mut priors = spec.priors_of(ownership.as_ref(), &moments)?;
        let stretch = spec.stretch(&counts, &weight, before, ownership.as_ref());
        if let Some(stretch) = &stretch {
            priors = Priors::Given(priors.resolve(&weight)?);
            moments.weight.iter_mut().zip(stretch).for_each(|(n, a)| *n *= a);
        }
        let Estimate { mixture, report } =
            spec.estimate(&moments, &priors, before, ownership.as_ref())?;
        let mut mixture = frozen.restored(mixture, before)?;
        if let (Outliers::Student(freedom), Some(tails)) = (spec.outliers, &stat.tails) {
            let tails = tails.kept(&kept, counts, stretch);
            mixture = mixture.with_laws(tails.laws(freedom, before))?;
        }
        if let Some(noise) = self.mixture().noise() {
            // Rounding may take the quotient up to one, which is no share.
            let share = (stat.noise_weight() / stat.weight()).min(1.0 - f64::EPSILON);
            let noise = Noise { share, extent: noise.extent.clone() };
            mixture = mixture.with_noise(Some(noise))?;
        }
        let after = EmSpec { frozen, ..spec.clone() };
        let parameters = after.parameters(ownership.as_ref(), mixture.components(), mixture.dim());
        let frozen = after.frozen;
        // What stays as it is given was not kept from anything.
        let lifted = report.lifted.into_iter().filter(|&k| !frozen.covariance(k)).collect();
        Ok(Maximised { mixture, parameters, lifted, ownership, frozen })
    }
}

impl EmSpec {
    /// Weights of components: priors are those of classes, shares within a class are observed.
    fn priors_of(&self, ownership: Option<&Ownership>, moments: &Moments) -> Result<Priors, Error> {
        let Some(ownership) = ownership else { return Ok(self.priors.clone()) };
        if self.priors == Priors::Observed || ownership.is_one_each() {
            return Ok(self.priors.clone());
        }
        let sums = ownership.sums(moments.weight());
        let priors = self.priors.resolve(&sums)?;
        let weight = |(class, n): (&usize, &f64)| priors[*class] * n / sums[*class];
        Ok(Priors::Given(ownership.owner().iter().zip(moments.weight()).map(weight).collect()))
    }

    /// The one M-step: of all components together, or class by class where each has its own family.
    pub(super) fn estimate(
        &self,
        moments: &Moments,
        priors: &Priors,
        before: &Mixture,
        ownership: Option<&Ownership>,
    ) -> Result<Estimate, Error> {
        let families = ownership.and_then(|ownership| Some((ownership, ownership.families()?)));
        let Some((ownership, families)) = families else {
            return self.covariance.estimate(moments, priors, Some(before));
        };
        let mut parts: Vec<Option<Mixture>> = vec![None; moments.components()];
        let (mut lifted, mut last) = (Vec::new(), None);
        for (class, &family) in families.iter().enumerate() {
            let components = ownership.of(class);
            let from: Vec<Option<usize>> = components.iter().copied().map(Some).collect();
            let spec = CovarianceSpec { family, ..self.covariance.clone() };
            let previous = before.picked(&components)?;
            let part = moments.arranged(&from);
            let found = spec.estimate(&part, &Priors::Observed, Some(&previous))?;
            lifted.extend(found.report.lifted.iter().map(|&k| components[k]));
            for (place, &k) in components.iter().enumerate() {
                parts[k] = Some(found.mixture.picked(&[place])?);
            }
            last = Some(found.report);
        }
        lifted.sort_unstable();
        let parts: Vec<&Mixture> = parts.iter().flatten().collect();
        let mixture = Mixture::joined(&parts, priors.resolve(moments.weight())?)?;
        let report = last.ok_or(Error::NoRows)?;
        Ok(Estimate { mixture, report: Report { lifted, ..report } })
    }

    /// Parameters that are estimated of so many components.
    pub(super) fn parameters(
        &self,
        ownership: Option<&Ownership>,
        components: usize,
        dim: usize,
    ) -> usize {
        let shares = match (&self.priors, ownership) {
            (Priors::Observed, _) => components - 1,
            (_, Some(ownership)) => components - ownership.classes().len(),
            (_, None) => 0,
        };
        let families = ownership.and_then(|ownership| Some((ownership, ownership.families()?)));
        let gaussian = match families {
            None => self.covariance.parameters(&Priors::Uniform, components, dim),
            Some((ownership, families)) => {
                let part = |(class, &family): (usize, &Family)| {
                    let spec = CovarianceSpec { family, ..self.covariance.clone() };
                    spec.parameters(&Priors::Uniform, ownership.of(class).len(), dim)
                };
                families.iter().enumerate().map(part).sum()
            }
        };
        let kept = self.frozen.parameters(&self.covariance, components, dim);
        shares + gaussian - kept + self.outliers.parameters(components)
    }
}
