//! Groups rows by k-means: EM with hard memberships, equal weights and nothing estimated but means.

use std::ops::ControlFlow;

use super::Starts;
use super::belonging::{Belonging, start_from};
use crate::cluster::{EmSpec, OnEmpty, Stop, StopRule, em};
use crate::covariance::{Family, Scaling};
use crate::data::Block;
use crate::decide::Loss;
use crate::error::Error;
use crate::mixture::Score;
use crate::posterior::Posterior;
use crate::sweep::{On, each_block};
use crate::tolerance::{KMEANS_ITERATIONS, KMEANS_TOLERANCE};

impl Starts<'_> {
    /// The cluster of every row of the sample, on standardised columns, from centres by k-means++.
    pub(super) fn kmeans(
        &self,
        components: usize,
        run: u64,
        on: On<'_>,
    ) -> Result<Vec<u32>, Error> {
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
