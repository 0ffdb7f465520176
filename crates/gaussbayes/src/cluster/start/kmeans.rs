//! Groups rows by k-means: EM with hard memberships, equal weights and nothing estimated but means.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::belonging::{Belonging, start_from};
use super::{Start, Starts};
use crate::cluster::{EmSpec, OnEmpty, Stop, StopRule, em};
use crate::covariance::{Family, Scaling};
use crate::data::Block;
use crate::decide::Loss;
use crate::error::Error;
use crate::mixture::Score;
use crate::posterior::Posterior;
use crate::sweep::{On, Pool, each_block, tasks};
use crate::tolerance::{KMEANS_ITERATIONS, KMEANS_KEPT, KMEANS_TOLERANCE};

/// What k-means found, for every family that starts from as many clusters.
#[derive(Debug, Default)]
pub(super) struct Found(Mutex<HashMap<(usize, u64), Vec<u32>>>);

impl Found {
    /// Nothing panics that holds it.
    fn known(&self) -> MutexGuard<'_, HashMap<(usize, u64), Vec<u32>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Starts<'_> {
    /// Finds the clusters that several mixtures will start from, on all threads: two that start at the same time would
    /// both look for them. What is refused is refused again where it is asked for.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(in crate::cluster) fn prepare(
        &self,
        wanted: &[(usize, u64)],
        on: On<'_>,
    ) -> Result<(), Error> {
        let alone = Pool::new(1)?;
        let find = |at: usize| {
            let ((components, run), on) = (wanted[at], on.on(&alone));
            let found = self.memberships(components, Start::KMeans, run, on).map(|_| ());
            // Components with tails start from Gaussian ones too, with outliers among their rows.
            let tails = self.clean.as_ref().is_some_and(|clean| clean.extent.is_none());
            let among_all = || self.kmeans(components, run, on).map(|_| ());
            match found.and_then(|()| if tails { among_all() } else { Ok(()) }) {
                Err(error @ Error::Cancelled { .. }) => Err(error),
                _ => Ok(()),
            }
        };
        tasks(wanted.len(), self.sampled.rows(), on, find).map(|_| ())
    }

    /// The cluster of every row of the sample, on standardised columns, from centres by k-means++.
    pub(super) fn kmeans(
        &self,
        components: usize,
        run: u64,
        on: On<'_>,
    ) -> Result<Vec<u32>, Error> {
        if let Some(codes) = self.found.known().get(&(components, run)) {
            return Ok(codes.clone());
        }
        let codes = self.clusters(components, run, on)?;
        let mut known = self.found.known();
        if known.len().saturating_mul(codes.len()) < KMEANS_KEPT {
            known.insert((components, run), codes.clone());
        }
        Ok(codes)
    }

    fn clusters(&self, components: usize, run: u64, on: On<'_>) -> Result<Vec<u32>, Error> {
        let centres = self.far_rows(components, run)?;
        let nearest = Belonging::Codes(self.standard.nearest(&centres));
        let mut spec = EmSpec::from(Family::Unit);
        spec.covariance.scaling = Scaling::Standardized;
        spec.on_empty = OnEmpty::Reseed;
        let (tolerance, max_iterations) = (KMEANS_TOLERANCE, KMEANS_ITERATIONS);
        spec.stop = Stop { rule: StopRule::Loglik, tolerance, max_iterations };
        let mut state = start_from(&spec, components, &self.sampled, &nearest, on)?;
        let source = &mut self.sampled.table().source();
        em(&mut state, source, on, &mut |_| ControlFlow::Continue(()))?;
        let (loss, mixture) = (Loss::zero_one(components), state.mixture());
        let mut codes = Vec::with_capacity(self.sampled.rows());
        let source = &mut self.sampled.table().source();
        let best =
            |block: &Block<'_>| Ok(loss.decide(&Posterior::from_scores(mixture.scores(block)?)));
        each_block(source, on, best, |actions| {
            codes.extend(actions.into_iter().map(|k| k as u32));
            Ok(())
        })?;
        Ok(codes)
    }
}
