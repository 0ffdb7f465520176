//! Estimates a mixture from moments: the only M-step there is.

use super::factor::factor;
use super::family::{Family, Sharing};
use super::matrix::Covariance;
use super::priors::Priors;
use super::spec::{CovarianceSpec, Pooling, Scaling, Target};
use crate::error::Error;
use crate::mixture::{Covariances, Mixture};
use crate::moments::{Frame, Moments, Shape, Spread, Storage, ldexp};
use crate::tolerance::WIDE_EXPONENT;

/// A mixture and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// The fitted components.
    pub mixture: Mixture,
    /// What a user should know about the fit.
    pub report: Report,
}

/// What a user should know about a fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Parameters estimated: priors, means and covariances.
    pub parameters: usize,
    /// Parameters that the decision uses.
    pub decision_parameters: usize,
    /// Columns without spread, which standardisation left as they are.
    pub constant: Vec<usize>,
    /// The widest and the narrowest column, where they differ so much that units decide.
    pub wide: Option<(usize, usize)>,
}

impl CovarianceSpec {
    /// Estimates means, covariances and weights from moments \[M5\] \[M6\].
    ///
    /// # Errors
    /// [`Error::Singular`] naming every covariance without an inverse, [`Error::TooFewRows`] for a
    /// divisor that is not positive, and what the priors and the shrinkage refuse.
    pub fn estimate(&self, moments: &Moments, priors: &Priors) -> Result<Estimate, Error> {
        self.check()?;
        if moments.components() == 0 {
            return Err(Error::NoRows);
        }
        if let Some(component) = moments.weight().iter().position(|&weight| weight == 0.0) {
            return Err(Error::Empty { component, class: None });
        }
        let weights = priors.resolve(moments.weight())?;
        let frame = if self.depends_on_units() {
            moments.frame().uniform()
        } else {
            moments.frame().settled()
        };
        let means: Vec<f64> =
            (0..moments.components()).flat_map(|k| moments.mean_in(k, &frame)).collect();
        let scale = match self.scaling {
            Scaling::Raw => None,
            Scaling::Standardized => Some(moments.deviations(&frame)?),
        };
        let mut constant = Vec::new();
        let scale = scale.map(|mut scale| {
            constant = (0..scale.len()).filter(|&j| scale[j] == 0.0).collect();
            constant.iter().for_each(|&j| scale[j] = 1.0);
            scale
        });
        let covariances = self.covariances(moments, &weights, &frame, scale.as_deref())?;
        let report = Report {
            parameters: self.parameters(moments, priors),
            decision_parameters: decision_parameters(&covariances, moments),
            constant,
            wide: self.depends_on_units().then(|| wide_columns(moments.frame())).flatten(),
        };
        Ok(Estimate { mixture: Mixture::new(frame, means, covariances, weights)?, report })
    }

    fn parameters(&self, moments: &Moments, priors: &Priors) -> usize {
        let (classes, dim) = (moments.components(), moments.dim());
        let shares = if *priors == Priors::Observed { classes - 1 } else { 0 };
        shares + classes * dim + self.family.covariance_parameters(classes, dim)
    }

    fn covariances(
        &self,
        moments: &Moments,
        weights: &[f64],
        frame: &Frame,
        scale: Option<&[f64]>,
    ) -> Result<Covariances, Error> {
        let dim = moments.dim();
        let back = |covariance: Covariance| match scale {
            Some(scale) => covariance.rescaled(scale),
            None => covariance,
        };
        if self.family == Family::Unit {
            // One in raw units; in standard deviations where columns are standardised.
            let unit = if scale.is_some() { 1.0 } else { ldexp(1.0, (-frame.widest()).min(1023)) };
            let unit = Covariance::from_factor(Shape::Spherical, dim, vec![unit])?;
            return Ok(Covariances::Shared(back(unit)));
        }
        let spreads = self.spreads(moments, weights, frame, scale)?;
        let mut covariances = Vec::with_capacity(spreads.len());
        let mut deficient = Vec::new();
        for (k, spread) in spreads.iter().enumerate() {
            let component = (self.family.sharing() == Sharing::PerClass).then_some(k);
            let of: Vec<usize> = component.map_or((0..moments.components()).collect(), |k| vec![k]);
            match factor(spread, &floors(moments, &of, frame, scale))? {
                Ok(covariance) => covariances.push(back(covariance)),
                Err(singular) => deficient.push(singular.of(component, dim)),
            }
        }
        if !deficient.is_empty() {
            return Err(Error::Singular(deficient));
        }
        Ok(match self.family.sharing() {
            Sharing::Shared => Covariances::Shared(covariances.swap_remove(0)),
            Sharing::PerClass => Covariances::Each(covariances),
        })
    }

    /// The covariance matrices before they are factored: one, or one per class.
    fn spreads(
        &self,
        moments: &Moments,
        weights: &[f64],
        frame: &Frame,
        scale: Option<&[f64]>,
    ) -> Result<Vec<Spread>, Error> {
        let shape = self.family.shape();
        let held = if scale.is_some() { shape.max(Shape::Diagonal) } else { shape };
        let inverse: Option<Vec<f64>> = scale.map(|scale| scale.iter().map(|s| 1.0 / s).collect());
        let spread = |k: usize| -> Result<Spread, Error> {
            let spread = moments.spread(k, held, frame)?;
            Ok(match &inverse {
                Some(inverse) => spread.rescaled(inverse).simplified(shape),
                None => spread,
            })
        };
        let shared = || -> Result<Spread, Error> {
            let factors = self.shares(moments, weights)?;
            if moments.storage() == Storage::Shared {
                if self.pooling != Pooling::Size {
                    return Err(per_class_needed());
                }
                return Ok(spread(0)?.scaled(factors[0]));
            }
            let mut sum = Spread::zero(shape, moments.dim());
            for (k, factor) in factors.iter().enumerate() {
                sum.add(*factor, &spread(k)?);
            }
            Ok(sum)
        };
        let own = || -> Result<Vec<Spread>, Error> {
            if moments.storage() == Storage::Shared {
                return Err(per_class_needed());
            }
            let divide = |k: usize| Ok(spread(k)?.scaled(1.0 / self.divisor(moments, k)?));
            (0..moments.components()).map(divide).collect()
        };
        let spreads = match self.family.sharing() {
            Sharing::Shared => vec![shared()?],
            Sharing::PerClass => own()?,
        };
        let Some(shrinkage) = self.shrinkage else { return Ok(spreads) };
        let pooled = if shrinkage.target == Target::Shared { Some(shared()?) } else { None };
        let shrink = |spread: Spread| {
            let target = match (shrinkage.target, &pooled) {
                (Target::Shared, Some(pooled)) => pooled.clone(),
                (Target::Diagonal, _) => spread.simplified(Shape::Diagonal),
                _ => spread.simplified(Shape::Spherical),
            };
            let mut shrunk = spread.scaled(1.0 - shrinkage.amount);
            shrunk.add(shrinkage.amount, &target.widened(shape));
            shrunk
        };
        Ok(spreads.into_iter().map(shrink).collect())
    }

    /// ν_k = n_k − ddof: the only divisor there is.
    fn divisor(&self, moments: &Moments, k: usize) -> Result<f64, Error> {
        let (weight, ddof) = (moments.weight()[k], f64::from(self.ddof));
        if weight - ddof > 0.0 {
            Ok(weight - ddof)
        } else {
            Err(Error::TooFewRows { component: Some(k), class: None, weight, ddof })
        }
    }

    /// a_k / ν_k: what each class's scatter is multiplied by in the shared covariance.
    fn shares(&self, moments: &Moments, weights: &[f64]) -> Result<Vec<f64>, Error> {
        let classes = moments.components();
        if self.pooling == Pooling::Size {
            let weight: f64 = moments.weight().iter().sum();
            let ddof = classes as f64 * f64::from(self.ddof);
            if weight - ddof <= 0.0 {
                return Err(Error::TooFewRows { component: None, class: None, weight, ddof });
            }
            return Ok(vec![1.0 / (weight - ddof); classes]);
        }
        let share = |k: usize| match self.pooling {
            Pooling::Priors => weights[k],
            _ => 1.0 / classes as f64,
        };
        (0..classes).map(|k| Ok(share(k) / self.divisor(moments, k)?)).collect()
    }
}

impl Moments {
    /// Standard deviation of each column over all rows, in the frame `to` \[M17\].
    fn deviations(&self, to: &Frame) -> Result<Vec<f64>, Error> {
        let (dim, classes) = (self.dim(), self.components());
        let total: f64 = self.weight().iter().sum();
        if total <= 0.0 {
            return Err(Error::NoRows);
        }
        let scatters = if self.storage() == Storage::Shared { 1 } else { classes };
        let mut within = Spread::zero(Shape::Diagonal, dim);
        for k in 0..scatters {
            within.add(1.0, &self.spread(k, Shape::Diagonal, to)?);
        }
        let means: Vec<Vec<f64>> = (0..classes).map(|k| self.mean_in(k, to)).collect();
        let deviation = |j: usize| {
            let mean: f64 = means.iter().zip(self.weight()).map(|(m, n)| n / total * m[j]).sum();
            let between: f64 =
                means.iter().zip(self.weight()).map(|(m, n)| n * (m[j] - mean).powi(2)).sum();
            ((within.values[j] + between) / total).sqrt()
        };
        Ok((0..dim).map(deviation).collect())
    }
}

fn per_class_needed() -> Error {
    Error::Storage { held: Storage::Shared.name(), needed: Storage::Full.name() }
}

/// The resolution of the coarsest of some components, in the unit that spreads are in.
fn floors(moments: &Moments, of: &[usize], frame: &Frame, scale: Option<&[f64]>) -> Vec<f64> {
    let mut floors = vec![0.0_f64; moments.dim()];
    for &k in of {
        let resolution = moments.resolution(k, frame);
        floors.iter_mut().zip(resolution).for_each(|(floor, more)| *floor = floor.max(more));
    }
    if let Some(scale) = scale {
        floors.iter_mut().zip(scale).for_each(|(floor, scale)| *floor /= scale);
    }
    floors
}

fn decision_parameters(covariances: &Covariances, moments: &Moments) -> usize {
    let (classes, dim) = (moments.components(), moments.dim());
    let quadratic = match covariances {
        Covariances::Shared(_) => 0,
        Covariances::Each(all) => all.first().and_then(|one| one.shape().len(dim)).unwrap_or(0),
    };
    (classes - 1) * (1 + dim + quadratic)
}

fn wide_columns(frame: &Frame) -> Option<(usize, usize)> {
    let settled = frame.settled();
    let columns = 0..settled.dim();
    let widest = columns.clone().max_by_key(|&j| settled.exponent()[j])?;
    let narrowest = columns.min_by_key(|&j| settled.exponent()[j])?;
    let apart = settled.exponent()[widest] - settled.exponent()[narrowest];
    (apart >= WIDE_EXPONENT).then_some((widest, narrowest))
}
