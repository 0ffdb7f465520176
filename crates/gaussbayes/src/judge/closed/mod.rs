//! Scores rows under the model without each of them, in closed form \[M32\].

mod own;
mod pooled;
mod sphere;

use crate::covariance::{
    Amount, CovarianceSpec, Density, Family, OnSingular, Pooling, Priors, Scaling, Sharing,
    Shrinkage, Target,
};
use crate::data::Block;
use crate::error::Error;
use crate::mixture::Mixture;
use crate::moments::{Moments, Shape};
use crate::tolerance::LEVERAGE_MAX;

/// A model of all rows, from which one row is easily taken out.
pub(super) struct Closed {
    weight: Vec<f64>,
    priors: Priors,
    rule: Box<dyn Rule>,
}

/// What changes when a row goes.
trait Rule: Send + Sync {
    /// What all rows of a block need first.
    ///
    /// # Errors
    /// What scoring a block refuses.
    fn view(&self, block: &Block<'_>) -> Result<View, Error>;

    /// Scores of row `i` without it, but for the priors; false for a row that its class hangs on.
    fn scores(&self, view: &View, i: usize, going: Going, scores: &mut [f64]) -> bool;
}

/// A block as a rule sees it.
struct View {
    /// Rows in the frame, or whitened.
    rows: Vec<f64>,
    /// Squared distances to each class, where they are needed.
    distances: Vec<f64>,
}

/// A row about to go: its class, its weight and that of its class.
#[derive(Clone, Copy)]
struct Going {
    class: usize,
    weight: f64,
    of: f64,
}

impl Going {
    /// x − m' = stretch · (x − m).
    fn stretch(self) -> f64 {
        self.of / (self.of - self.weight)
    }

    /// W' = W − loss · (x − m)(x − m)ᵀ.
    fn loss(self) -> f64 {
        self.weight * self.stretch()
    }
}

/// What closed forms know of rows: means in a frame, and divisors.
struct Means {
    mixture: Mixture,
    weight: Vec<f64>,
    ddof: f64,
    /// The divisor of the covariance that all classes share.
    divisor_of_all: f64,
}

impl Means {
    fn dim(&self) -> usize {
        self.mixture.dim()
    }

    /// `u` about the mean of class `k`.
    fn centred<'a>(&'a self, u: &'a [f64], k: usize) -> impl Iterator<Item = f64> + 'a {
        u.iter().zip(self.mixture.mean(k)).map(|(u, m)| u - m)
    }

    fn framed(&self, block: &Block<'_>) -> Vec<f64> {
        self.mixture.frame().apply(block.rows())
    }
}

impl Closed {
    /// `None` where there is no closed form.
    ///
    /// # Errors
    /// What the fit to all rows refuses.
    pub(super) fn of(
        spec: &CovarianceSpec,
        priors: &Priors,
        moments: &Moments,
        weighted: bool,
    ) -> Result<Option<Self>, Error> {
        let family = match spec.family {
            Family::Evv => Family::Vvv,
            Family::Evi => Family::Vvi,
            other => other,
        };
        let one_volume = family != spec.family;
        let closed = family == Family::Unit || family.is_plain();
        let plain = spec.ridge.is_none()
            && spec.scaling == Scaling::Raw
            && spec.on_singular == OnSingular::Refuse
            && spec.density == Density::PlugIn;
        if !closed || !plain {
            return Ok(None);
        }
        // Nothing is divided where nothing is estimated.
        let ddof = if family == Family::Unit { 0 } else { spec.ddof };
        let base = CovarianceSpec { family, ddof, ..spec.clone() };
        let fitted = || -> Result<Means, Error> {
            let mixture = base.estimate(moments, priors, None)?.mixture;
            let (weight, ddof) = (moments.weight().to_vec(), f64::from(ddof));
            let divisor_of_all = base.divisor_of_all(moments)?;
            Ok(Means { mixture, weight, ddof, divisor_of_all })
        };
        let shared = family.sharing() == Sharing::Shared;
        let full = family.shape() == Shape::Full;
        let by_size = spec.pooling == Pooling::Size;
        let rule: Box<dyn Rule> = match spec.shrinkage {
            None if family == Family::Unit => Box::new(pooled::Fixed(fitted()?)),
            None if !shared && (by_size || !one_volume) => {
                Box::new(own::Own::new(fitted()?, one_volume))
            }
            None if shared && !full && by_size => Box::new(pooled::Simple(fitted()?)),
            None if shared && full && by_size => Box::new(pooled::Full::new(fitted()?)),
            None if shared && full && spec.pooling == Pooling::Average && !weighted => {
                match pooled::Average::new(&base, priors, moments, fitted()?)? {
                    Some(rule) => Box::new(rule),
                    None => return Ok(None),
                }
            }
            Some(Shrinkage::Toward {
                amount: Amount::Fixed(amount),
                target: Target::Spherical,
            }) if full && !one_volume && (by_size || !shared) => {
                match sphere::Sphere::new(amount, shared, moments, fitted()?)? {
                    Some(rule) => Box::new(rule),
                    None => return Ok(None),
                }
            }
            _ => return Ok(None),
        };
        Ok(Some(Self { weight: moments.weight().to_vec(), priors: priors.clone(), rule }))
    }

    /// Log scores of each row under the model without it, row by row, up to what classes have in
    /// common; and which rows could be scored so.
    ///
    /// # Errors
    /// What [`Priors::resolve`] refuses of the weights that are left.
    pub(super) fn scores(
        &self,
        block: &Block<'_>,
        classes: &[usize],
    ) -> Result<(Vec<f64>, Vec<bool>), Error> {
        let components = self.weight.len();
        let view = self.rule.view(block)?;
        let mut scores = vec![0.0; classes.len() * components];
        let mut scored = vec![false; classes.len()];
        // Rows of one class mostly have one weight: priors are found once for them.
        let mut known: Vec<Option<(f64, Vec<f64>)>> = vec![None; components];
        for (i, row) in scores.chunks_exact_mut(components).enumerate() {
            let (class, weight) = (classes[i], block.weight(i));
            let going = Going { class, weight, of: self.weight[class] };
            // A class that hangs on one row is counted anew, too: its weight would cancel.
            let heavy = weight > LEVERAGE_MAX * going.of;
            if weight == 0.0 || heavy || !self.rule.scores(&view, i, going, row) {
                continue;
            }
            if known[class].as_ref().is_none_or(|(other, _)| *other != weight) {
                known[class] = Some((weight, self.log_priors(going)?));
            }
            if let Some((_, logs)) = &known[class] {
                row.iter_mut().zip(logs).for_each(|(score, log)| *score += log);
            }
            scored[i] = true;
        }
        Ok((scores, scored))
    }

    /// ln π relative to the largest: equal priors add nothing, however small the distances are.
    fn log_priors(&self, going: Going) -> Result<Vec<f64>, Error> {
        let mut weight = self.weight.clone();
        weight[going.class] -= going.weight;
        let priors = self.priors.resolve(&weight)?;
        let top = priors.iter().copied().fold(0.0, f64::max);
        Ok(priors.iter().map(|prior| (prior / top).ln()).collect())
    }
}

/// 1 − leverage: what is left of a scatter in a row's direction; `None` where next to nothing is.
pub(super) fn remaining(leverage: f64) -> Option<f64> {
    (leverage <= LEVERAGE_MAX).then_some(1.0 - leverage)
}
