//! Starts at random: shares of every row, or rows as centres.

use super::{Purpose, Starts, stream};
use crate::error::Error;
use crate::rng::Random;

impl Starts<'_> {
    /// Shares that are uniform over all that sum to one (Dirichlet with parameters one), row by row: a
    /// row's own depend on the seed, the run and its number alone.
    pub(super) fn random_shares(&self, components: usize, run: u64) -> Vec<f64> {
        let stream = stream(Purpose::Shares, run);
        let mut all = Vec::with_capacity(self.sampled.rows() * components);
        for &number in self.sampled.numbers() {
            let draw = number.wrapping_mul(components as u64);
            let mut random = Random::from_draw(self.seed, stream, draw);
            let start = all.len();
            all.extend((0..components).map(|_| exponential(&mut random)));
            let sum: f64 = all[start..].iter().sum();
            all[start..].iter_mut().for_each(|share| *share /= sum);
        }
        all
    }

    /// Different rows, each drawn by its weight: an exponential race, in which a row of weight w arrives
    /// at rate w, at a time that depends on the seed, the run and its number alone.
    ///
    /// # Errors
    /// [`Error::TooFewDistinct`] where there are fewer different rows.
    pub(super) fn random_rows(&self, components: usize, run: u64) -> Result<Vec<usize>, Error> {
        let stream = stream(Purpose::Rows, run);
        let time = |(&number, weight): (&u64, &f64)| {
            exponential(&mut Random::from_draw(self.seed, stream, number)) / weight
        };
        let weights = &self.standard.weights;
        let times: Vec<f64> = self.sampled.numbers().iter().zip(weights).map(time).collect();
        let mut order: Vec<usize> = (0..times.len()).collect();
        order.sort_by(|&a, &b| times[a].total_cmp(&times[b]));
        let mut chosen: Vec<usize> = Vec::with_capacity(components.min(order.len()));
        for row in order {
            if chosen.len() == components {
                break;
            }
            let same = |&other: &usize| self.standard.row(other) == self.standard.row(row);
            if !chosen.iter().any(same) {
                chosen.push(row);
            }
        }
        if chosen.len() < components {
            return Err(self.too_few(chosen.len(), components));
        }
        Ok(chosen)
    }
}

/// A time of mean one at which something happens; above 0.
fn exponential(random: &mut Random) -> f64 {
    -(1.0 - random.uniform()).ln() + f64::MIN_POSITIVE
}
