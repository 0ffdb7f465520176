//! Estimates a mixture from moments: the only M-step there is.

use std::borrow::Cow;

use super::factor::{Singular, factor};
use super::family::{Family, Part, Sharing};
use super::matrix::Covariance;
use super::priors::Priors;
use super::range::Range;
use super::report::{Estimate, Report};
use super::shrinkage::{Units, shrink_pooled};
use super::spec::{CovarianceSpec, OnSingular, Pooling, Scaling};
use super::structure::{Classes, Convergence};
use crate::error::{Deficient, Error};
use crate::mixture::{Covariances, Mixture};
use crate::moments::{Frame, Moments, Quartic, Shape, Spread, Storage, ldexp};
use crate::tolerance::{POWER_EXPONENT, UNITS_APART};

impl CovarianceSpec {
    /// Estimates means, covariances and weights from moments \[M5\] \[M6\].
    ///
    /// `previous` is an earlier estimate of nearly the same: a family whose likelihood has several
    /// maxima goes on from there, and does not end lower.
    ///
    /// # Errors
    /// [`Error::Singular`] naming every covariance without an inverse, [`Error::TooFewRows`] for a
    /// divisor that is not positive, and what the priors and the options refuse.
    pub fn estimate(
        &self,
        moments: &Moments,
        priors: &Priors,
        previous: Option<&Mixture>,
    ) -> Result<Estimate, Error> {
        self.check()?;
        if moments.components() == 0 {
            return Err(Error::NoRows);
        }
        if let Some(component) = moments.weight().iter().position(|&weight| weight == 0.0) {
            return Err(Error::Empty { component, class: None });
        }
        if let Some(found) = previous.map(Mixture::dim).filter(|dim| *dim != moments.dim()) {
            let (what, expected) = ("columns of the previous estimate", moments.dim());
            return Err(Error::Shape { what, expected, found });
        }
        let weights = priors.resolve(moments.weight())?;
        let frame = if self.depends_on_units() {
            moments.frame().uniform()
        } else {
            moments.frame().settled()
        };
        let mut means = Vec::with_capacity(moments.components() * moments.dim());
        for k in 0..moments.components() {
            means.extend(moments.mean_in(k, &frame));
        }
        let mut constant = Vec::new();
        let scale = match self.scaling {
            Scaling::Raw => None,
            Scaling::Standardized => {
                let mut scale = moments.deviations(&frame)?;
                constant = (0..scale.len()).filter(|&j| scale[j] == 0.0).collect();
                constant.iter().for_each(|&j| scale[j] = 1.0);
                Some(scale)
            }
        };
        let (weights_of, scale) = (weights.as_slice(), scale.as_deref());
        let job = Job { spec: self, moments, weights: weights_of, frame: &frame, scale, previous };
        let found = job.found()?;
        let report = Report::of(self, priors, moments, constant, &found);
        let mut mixture = Mixture::new(frame, means, found.covariances, weights)?;
        if let Some(laws) = self.laws(moments)? {
            mixture = mixture.with_laws(laws)?;
        }
        Ok(Estimate { mixture, report })
    }

    /// ν_k = n_k − ddof: the only divisor there is.
    pub(super) fn divisor(&self, moments: &Moments, k: usize) -> Result<f64, Error> {
        let (weight, ddof) = (moments.weight()[k], f64::from(self.ddof));
        if weight - ddof > 0.0 {
            Ok(weight - ddof)
        } else {
            Err(Error::TooFewRows { component: Some(k), class: None, weight, ddof })
        }
    }

    /// Σν_k: the divisor of a covariance that classes share by size.
    pub(crate) fn divisor_of_all(&self, moments: &Moments) -> Result<f64, Error> {
        let weight: f64 = moments.weight().iter().sum();
        let ddof = moments.components() as f64 * f64::from(self.ddof);
        if weight - ddof > 0.0 {
            Ok(weight - ddof)
        } else {
            Err(Error::TooFewRows { component: None, class: None, weight, ddof })
        }
    }
}

/// Covariances and how they came about.
pub(super) struct Found {
    pub(super) covariances: Covariances,
    pub(super) convergence: Option<Convergence>,
    /// Automatic shrinkage, class by class.
    pub(super) amounts: Vec<f64>,
    /// Directions with spread, where there are fewer than columns.
    pub(super) rank: Option<usize>,
    /// What was added to every variance, where it is one number.
    pub(super) ridge: Option<f64>,
    /// Components kept from collapse.
    pub(super) lifted: Vec<usize>,
}

pub(super) struct Job<'a> {
    pub(super) spec: &'a CovarianceSpec,
    pub(super) moments: &'a Moments,
    weights: &'a [f64],
    pub(super) frame: &'a Frame,
    /// What columns are divided by.
    pub(super) scale: Option<&'a [f64]>,
    pub(super) previous: Option<&'a Mixture>,
}

impl Job<'_> {
    fn found(&self) -> Result<Found, Error> {
        let (spec, moments) = (self.spec, self.moments);
        if spec.effective_family() == Family::Unit {
            let unit = ldexp(1.0, self.unit_exponent().min(1023));
            let unit = Covariance::from_factor(Shape::Spherical, moments.dim(), vec![unit])?;
            let covariances = Covariances::Shared(self.in_frame(unit));
            let (convergence, amounts) = (None, Vec::new());
            let lifted = Vec::new();
            return Ok(Found {
                covariances,
                convergence,
                amounts,
                rank: None,
                ridge: None,
                lifted,
            });
        }
        let (shape, frame) = (spec.family.shape(), self.frame);
        let ridge = spec.ridge.spread(shape, moments, frame, self.scale)?;
        let added = spec.ridge.added(&ridge, frame, self.scale.is_some());
        let (classes, amounts) = self.shrunk(&ridge)?;
        Ok(Found { ridge: added, ..self.guarded(classes, amounts)? })
    }

    /// The exponent of the deviation that is one: in raw units, or in standard deviations where columns
    /// are standardised.
    fn unit_exponent(&self) -> i32 {
        if self.scale.is_some() { 0 } else { -self.frame.widest() }
    }

    /// Class covariances, or the one of all, shrunk and with the ridge, and automatic amounts.
    fn shrunk(&self, ridge: &Spread) -> Result<(Classes, Vec<f64>), Error> {
        let (spec, moments) = (self.spec, self.moments);
        // A unit so far from the rows' own decides alone, or not at all; its square is a number.
        let far = POWER_EXPONENT / 2;
        let unit = ldexp(1.0, 2 * self.unit_exponent().clamp(-far, far));
        if spec.is_pooled() {
            let mut pooled = self.pooled()?;
            if let Some(shrinkage) = spec.shrinkage {
                pooled = shrink_pooled(shrinkage, pooled, unit);
            }
            pooled.add(1.0, ridge);
            return Ok((Classes::new(vec![pooled], vec![1.0]), Vec::new()));
        }
        let mut classes = self.classes()?;
        let mut amounts = Vec::new();
        if let Some(shrinkage) = spec.shrinkage {
            amounts = classes.shrink(shrinkage, moments, unit, &|k| self.units(k))?;
        }
        classes.spreads_mut().iter_mut().for_each(|spread| spread.add(1.0, ridge));
        if spec.sharing() == Sharing::Shared {
            classes = Classes::new(vec![classes.pooled()], vec![1.0]);
        }
        Ok((classes, amounts))
    }

    /// How fourth moments of class `k` are brought into the units of this estimate.
    fn units(&self, k: usize) -> Units {
        let (moments, to) = (self.moments, self.frame.exponent());
        let frame = moments.quartic().map_or(moments.frame(), Quartic::frame);
        let scale = |j: usize| self.scale.map_or(1.0, |scale| 1.0 / scale[j]);
        let unit = |j: usize| ldexp(1.0, frame.exponent()[j] - to[j]) * scale(j);
        let weight = moments.weight()[k];
        let likely = (weight - f64::from(self.spec.ddof)) / weight;
        Units {
            mean: moments.mean_in(k, frame).collect(),
            unit: (0..to.len()).map(unit).collect(),
            likely,
        }
    }

    /// A covariance in units of deviations as one of framed rows.
    fn in_frame(&self, covariance: Covariance) -> Covariance {
        match self.scale {
            Some(scale) => covariance.rescaled(scale),
            None => covariance,
        }
    }

    /// Scatter `k` (0 for shared scatter) in the family's shape.
    fn spread(&self, k: usize) -> Result<Spread, Error> {
        let shape = self.spec.family.shape();
        let Some(scale) = self.scale else { return self.moments.spread(k, shape, self.frame) };
        let inverse: Vec<f64> = scale.iter().map(|s| 1.0 / s).collect();
        let held = self.moments.spread(k, shape.max(Shape::Diagonal), self.frame)?;
        Ok(held.rescaled(&inverse).simplified(shape))
    }

    /// The covariance that all classes share: Σ a_k W_k/ν_k.
    fn pooled(&self) -> Result<Spread, Error> {
        let moments = self.moments;
        if self.spec.pooling == Pooling::Size {
            let divisor = self.spec.divisor_of_all(moments)?;
            if moments.storage() == Storage::Shared {
                return Ok(self.spread(0)?.scaled(1.0 / divisor));
            }
            let mut sum = Spread::zero(self.spec.family.shape(), moments.dim());
            for k in 0..moments.components() {
                sum.add(1.0 / divisor, &self.spread(k)?);
            }
            return Ok(sum);
        }
        Ok(self.classes()?.pooled())
    }

    /// The covariance of each class with its share in what is common.
    fn classes(&self) -> Result<Classes, Error> {
        let (spec, moments) = (self.spec, self.moments);
        if moments.storage() == Storage::Shared {
            let (held, needed) = (Storage::Shared.name(), Storage::Full.name());
            return Err(Error::Storage { held, needed });
        }
        let components = 0..moments.components();
        let divisors = components.clone().map(|k| spec.divisor(moments, k));
        let divisors = divisors.collect::<Result<Vec<f64>, Error>>()?;
        let total: f64 = divisors.iter().sum();
        let share = |k: usize| match spec.pooling {
            Pooling::Size => divisors[k] / total,
            Pooling::Average => 1.0 / divisors.len() as f64,
            Pooling::Priors => self.weights[k],
        };
        let spread = |k: usize| Ok(self.spread(k)?.scaled(1.0 / divisors[k]));
        let shares = components.clone().map(share).collect();
        Ok(Classes::new(components.map(spread).collect::<Result<_, Error>>()?, shares))
    }

    /// Fits the family, in the range of the common covariance where that was asked for.
    pub(super) fn factored(&self, classes: &Classes, amounts: Vec<f64>) -> Result<Found, Error> {
        let all = || 0..self.moments.components();
        let mut range = None;
        let mut projected = Cow::Borrowed(classes);
        if let OnSingular::Range { above } = self.spec.on_singular {
            range = Range::of(&classes.pooled(), &self.floors(all()), above);
            if let Some(range) = &range {
                let spreads = projected.to_mut().spreads_mut();
                spreads.iter_mut().for_each(|spread| *spread = range.project(spread));
            }
        }
        let classes = projected.as_ref();
        let shared = self.spec.sharing() == Sharing::Shared;
        let plain = shared || self.spec.family.is_plain();
        let none = vec![0.0; range.as_ref().map_or(self.moments.dim(), Range::rank)];
        let floors = |k: usize| match (&range, shared) {
            (Some(_), _) => Cow::Borrowed(&none[..]),
            (None, true) => Cow::Owned(self.floors(all())),
            (None, false) => Cow::Owned(self.floors(k..=k)),
        };
        let component = |k: usize| (!shared).then_some(k);
        if !plain {
            self.refuse_singular(classes, &floors)?;
        }
        let fitted;
        let (spreads, convergence) = if plain {
            (classes.spreads(), None)
        } else {
            let family = self.spec.family;
            let found = classes.fit(family, self.before());
            fitted = found.ok_or(Error::NoEstimate { family: family.name() })?;
            (&fitted.spreads[..], fitted.convergence)
        };
        let mut covariances = Vec::with_capacity(spreads.len());
        let mut deficient = Vec::new();
        for (k, spread) in spreads.iter().enumerate() {
            let floors = if plain { floors(k) } else { Cow::Borrowed(&none[..]) };
            match (factor(spread, &floors)?, &range) {
                (Ok(inner), None) => covariances.push(self.in_frame(inner)),
                (Ok(inner), Some(range)) => {
                    covariances.push(self.in_frame(range.widened(&inner)?));
                }
                (Err(singular), _) => deficient.push(self.explained(&singular, component(k))),
            }
        }
        if !deficient.is_empty() {
            return Err(Error::singular(deficient));
        }
        let covariances = if shared {
            Covariances::Shared(covariances.swap_remove(0))
        } else {
            Covariances::Each(covariances)
        };
        let rank = range.map(|range| range.rank());
        Ok(Found { covariances, convergence, amounts, rank, ridge: None, lifted: Vec::new() })
    }

    /// Says why a covariance has no inverse: too few rows, or equations that they obey.
    fn explained(&self, singular: &Singular, component: Option<usize>) -> Deficient {
        let moments = self.moments;
        let mut deficient = singular.of(component);
        if deficient.dim != moments.dim() {
            return deficient;
        }
        let classes: Vec<usize> =
            component.map_or_else(|| (0..moments.components()).collect(), |k| vec![k]);
        deficient.weight = classes.iter().map(|&k| moments.weight()[k]).sum();
        deficient.means = classes.len();
        let means: Vec<Vec<f64>> =
            classes.iter().map(|&k| moments.mean_in(k, self.frame).collect()).collect();
        deficient.equations = singular.equations(&means, self.frame, self.scale);
        deficient
    }

    /// Refuses classes whose covariances a family cannot do without.
    fn refuse_singular<'a>(
        &self,
        classes: &Classes,
        floors: &impl Fn(usize) -> Cow<'a, [f64]>,
    ) -> Result<(), Error> {
        let family = self.spec.family;
        let dim = classes.spreads()[0].dim;
        if family.turns() {
            // Axes mix columns: one that is lost in the rounding of another cannot take part.
            let pooled: Vec<f64> = classes.pooled().diagonal().collect();
            let by_size = |a: &usize, b: &usize| pooled[*a].total_cmp(&pooled[*b]);
            let columns = || (0..dim).filter(|&j| pooled[j] > 0.0);
            if let (Some(narrow), Some(wide)) =
                (columns().min_by(by_size), columns().max_by(by_size))
                && pooled[narrow] < UNITS_APART * UNITS_APART * pooled[wide]
            {
                let family = family.name();
                return Err(Error::UnitsApart { family, wide, narrow, features: Vec::new() });
            }
        }
        let mut deficient: Vec<Deficient> = Vec::new();
        let mut singular = Vec::new();
        let mut factors = Vec::with_capacity(classes.spreads().len());
        for (k, spread) in classes.spreads().iter().enumerate() {
            factors.push(match factor(spread, &floors(k))? {
                Ok(found) => Some(found),
                Err(found) => {
                    singular.push(self.explained(&found, Some(k)));
                    None
                }
            });
        }
        classes.keep(factors);
        if family.form() == Part::Variable {
            deficient = singular;
        } else if family.turns() {
            // Shapes are common, axes are not: one class must have spread in all directions, and each
            // in all but one, or its axes could be any.
            let all = singular.len() == classes.spreads().len();
            deficient.extend(singular.into_iter().filter(|one| all || one.rank + 1 < dim));
        } else {
            let zero = || vec![0.0; dim];
            let all = 0..classes.spreads().len();
            let floors = if dim == self.moments.dim() { self.floors(all) } else { zero() };
            if let Err(found) = factor(&classes.pooled(), &floors)? {
                deficient.push(self.explained(&found, None));
            } else if family.volume() == Part::Variable {
                // A volume of its own needs some spread of its own.
                deficient.extend(singular.into_iter().filter(|one| one.rank == 0));
            }
        }
        if deficient.is_empty() { Ok(()) } else { Err(Error::singular(deficient)) }
    }

    /// The resolution of the coarsest of some components, in the unit that spreads are in.
    fn floors(&self, of: impl Iterator<Item = usize>) -> Vec<f64> {
        let mut floors = self.moments.coarsest(of, self.frame);
        if let Some(scale) = self.scale {
            floors.iter_mut().zip(scale).for_each(|(floor, scale)| *floor /= scale);
        }
        floors
    }
}
