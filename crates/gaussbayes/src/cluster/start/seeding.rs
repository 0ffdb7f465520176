//! Chooses rows that lie far apart as first centres: k-means++ \[M58\].

use super::{Purpose, Starts, stream};
use crate::error::Error;
use crate::rng::Random;

impl Starts<'_> {
    /// Rows of the sample, each drawn by its weight times its squared distance from those before it, the
    /// best of some draws. They depend on the seed and the number of the run alone.
    ///
    /// # Errors
    /// [`Error::TooFewDistinct`] where there are fewer different rows.
    pub(super) fn far_rows(&self, components: usize, run: u64) -> Result<Vec<usize>, Error> {
        let mut random = Random::new(self.seed, stream(Purpose::Seeding, run));
        let (weights, count) = (&self.standard.weights, self.standard.count());
        let trials = 2 + (components as f64).ln() as usize;
        let mut chosen = Vec::with_capacity(components.min(count));
        let mut nearest = vec![f64::INFINITY; count];
        let mut shares = weights.clone();
        let weighed = |nearest: &[f64]| weights.iter().zip(nearest).map(|(w, d)| w * d).collect();
        while chosen.len() < components {
            let total: f64 = shares.iter().sum();
            if total <= 0.0 {
                return Err(self.too_few(chosen.len(), components));
            }
            let mut best: Option<(f64, usize, Vec<f64>, Vec<f64>)> = None;
            for _ in 0..if chosen.is_empty() { 1 } else { trials } {
                let row = drawn(&shares, total * random.uniform());
                let nearer = |(i, &d): (usize, &f64)| d.min(self.standard.distance_sq(i, row));
                let closer: Vec<f64> = nearest.iter().enumerate().map(nearer).collect();
                let left: Vec<f64> = weighed(&closer);
                let sum: f64 = left.iter().sum();
                if best.as_ref().is_none_or(|(least, ..)| sum < *least) {
                    best = Some((sum, row, closer, left));
                }
            }
            if let Some((_, row, closer, left)) = best {
                chosen.push(row);
                (nearest, shares) = (closer, left);
            }
        }
        Ok(chosen)
    }
}

/// The place at which the running sum of shares passes `at`.
fn drawn(shares: &[f64], at: f64) -> usize {
    let mut sum = 0.0;
    let passes = |share: &f64| {
        sum += share;
        sum > at
    };
    // Rounding may leave the sum of all a hair below `at`.
    let last = || shares.iter().rposition(|share| *share > 0.0);
    shares.iter().position(passes).or_else(last).unwrap_or(0)
}
