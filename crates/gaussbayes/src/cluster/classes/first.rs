//! Finds the first parameters of a fit from few labelled rows: the likeliest that they allow \[M63\].

use crate::cluster::{EmSpec, EmStat, EmState, EmSweep, Ownership};
use crate::covariance::{Amount, CovarianceSpec, Family, Shrinkage, Target};
use crate::data::{Label, Source};
use crate::error::Error;
use crate::mixture::{Covariances, Mixture};
use crate::moments::{Moments, Shape};
use crate::sweep::{On, run};

/// What EM starts from where some rows have labels: means are always those of the labelled rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// The supervised fit of the labelled rows.
    Asked,
    /// One covariance for all classes, of the labelled rows; a full one is shrunk toward its diagonal \[M27\].
    Shared,
    /// One covariance for all classes, that of all rows together: where the labelled ones have too little spread.
    Whole,
}

impl First {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Asked, Self::Shared, Self::Whole];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Asked => "labelled",
            Self::Shared => "labelled-shared",
            Self::Whole => "all-rows",
        }
    }
}

/// What first parameters are made of.
pub(super) struct FirstOf<'a> {
    pub(super) spec: &'a EmSpec,
    pub(super) classes: &'a [Label],
    pub(super) features: &'a [String],
    /// Of the labelled rows.
    pub(super) moments: &'a Moments,
    /// Of all rows.
    pub(super) all: &'a Moments,
}

impl FirstOf<'_> {
    /// The supervised fit, or the shared covariance where all rows are likelier under that: classes of few
    /// rows have covariances that fit these alone.
    ///
    /// # Errors
    /// Why the supervised fit is refused, where nothing simpler can be made either; what the source refuses.
    pub(super) fn best<S: Source>(
        &self,
        source: &mut S,
        on: On<'_>,
    ) -> Result<(First, EmState), S::Error> {
        let (mut states, mut refused) = (Vec::new(), None);
        for first in First::ALL {
            if first == First::Whole && !states.is_empty() {
                break;
            }
            match self.state(first) {
                Ok(Some(state)) => states.push((first, state)),
                Ok(None) => {}
                Err(error) => {
                    refused.get_or_insert(error);
                }
            }
        }
        let under = states.iter().map(|(_, state)| state.expectation()).collect();
        source.rewind()?;
        let likelihoods: Vec<f64> = match states[..] {
            [_] | [] => vec![0.0; states.len()],
            _ => {
                let stats = run(&EmSweep::new(under), source, on)?;
                stats.iter().map(EmStat::log_evidence).collect()
            }
        };
        let mut best: Option<usize> = None;
        for (at, value) in likelihoods.iter().enumerate() {
            if best.is_none_or(|best| *value > likelihoods[best]) {
                best = Some(at);
            }
        }
        match best {
            Some(best) => Ok(states.swap_remove(best)),
            None => Err(refused.unwrap_or(Error::NoRows).into()),
        }
    }

    /// The parameters of one kind; none where they are no others than those before.
    fn state(&self, first: First) -> Result<Option<EmState>, Error> {
        let asked = &self.spec.covariance;
        let shared = match asked.family.shape() {
            Shape::Full => Family::Eee,
            Shape::Diagonal => Family::Eei,
            Shape::Spherical => Family::Eii,
        };
        let simple = CovarianceSpec { scaling: asked.scaling, ..shared.into() };
        let (amount, target) = (Amount::Oas, Target::Diagonal);
        let shrinkage = (shared == Family::Eee).then_some(Shrinkage::Toward { amount, target });
        let fit = |spec: &CovarianceSpec| {
            let found = spec.estimate(self.moments, &self.spec.priors, None);
            let error = |error| spec.with_remedies(error, self.moments, &self.spec.priors);
            let error = |e: Error| error(e).named(self.classes, self.features);
            Ok::<Mixture, Error>(found.map_err(error)?.mixture)
        };
        let mixture = match first {
            First::Asked => fit(&CovarianceSpec { guard: 0.0, ..asked.clone() })?,
            _ if asked.family == Family::Unit => return Ok(None),
            First::Shared => fit(&CovarianceSpec { shrinkage, ..simple })?,
            First::Whole => self.whole(&simple)?,
        };
        let ownership = Ownership::one_each(self.classes.to_vec());
        EmState::owned(self.spec.clone(), mixture, ownership).map(Some)
    }

    /// The means of the labelled rows with the covariance of all.
    fn whole(&self, spec: &CovarianceSpec) -> Result<Mixture, Error> {
        let all = spec.estimate(self.all, &crate::Priors::Uniform, None)?.mixture;
        let frame = all.frame();
        let classes = 0..self.moments.components();
        let means = classes.flat_map(|k| self.moments.mean_in(k, frame)).collect();
        let weights = self.spec.priors.resolve(self.moments.weight())?;
        let covariances = Covariances::Shared(all.covariances().get(0).clone());
        Mixture::new(frame.clone(), means, covariances, weights)
    }
}
