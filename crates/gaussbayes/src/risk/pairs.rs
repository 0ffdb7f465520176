//! Computes what two components decide by their log ratio, exactly \[M47\].

use super::rule::Seen;
use super::truth::Truth;
use super::{Chance, Tails, intervals};
use crate::boundary::{Contest, Line};
use crate::classify::Classifier;
use crate::decide::Loss;
use crate::error::Error;
use crate::mixture::Mixture;

/// The chance of each action, where only components i and j decide: actions follow each other along their
/// log ratio ρ = q_j − q_i, whose distribution is that of a quadratic form.
pub(super) fn chances(
    contest: &Contest,
    seen: &Seen,
    i: usize,
    j: usize,
) -> Result<Vec<Chance>, Error> {
    let mut quadratics = vec![[0.0; 3]; seen.scores.len()];
    quadratics[j] = [0.0, 1.0, 0.0];
    let stretches = Line { contest, quadratics: &quadratics }.regions();
    let form = seen.form(i, j)?;
    let thresholds: Vec<f64> = stretches.iter().skip(1).map(|stretch| stretch.from).collect();
    let tails = form.tails_at(&thresholds);
    let mut chances = vec![Chance::default(); contest.actions()];
    for (at, stretch) in stretches.iter().enumerate() {
        let low = at.checked_sub(1).map(|at| tails[at]);
        let high = tails.get(at).copied();
        // Of both ways to take a difference, the one of smaller chances loses less.
        let value = match (low, high) {
            (None, None) => 1.0,
            (None, Some(high)) => high.below,
            (Some(low), None) => low.above,
            (Some(low), Some(high)) if high.below <= low.above => high.below - low.below,
            (Some(low), Some(high)) => low.above - high.above,
        };
        let error: f64 = [low, high].into_iter().flatten().map(Tails::absolute).sum();
        let chance = Chance { value: value.max(0.0), error };
        chances[stretch.action].value += chance.value;
        chances[stretch.action].error += chance.error + f64::EPSILON * chance.value;
    }
    Ok(chances)
}

impl Tails {
    /// The absolute error, which both tails have.
    fn absolute(self) -> f64 {
        self.error * self.below.min(self.above)
    }
}

impl Classifier {
    /// The bracket of the error rate by pairs \[M47\], for maximum posterior and three classes or more.
    pub(super) fn pairwise(&self, truth: &Truth<'_>) -> Result<Option<(Chance, Chance)>, Error> {
        let (rule, classes) = (self.rule()?, self.classes().len());
        if self.loss().costs().is_some()
            || self.loss().outliers().is_some()
            || classes < 3
            || !quadratic(&rule)
        {
            return Ok(None);
        }
        let (mut most, mut sum) = (Chance::default(), Chance::default());
        for b in 1..classes {
            for a in 0..b {
                let live = |k: usize| (k == a || k == b) && rule.weights()[k] > 0.0;
                let contest = Contest::new(classes, &costs(self.loss(), a, b), live);
                let mut pair = Chance::default();
                for (right, wrong) in [(a, b), (b, a)] {
                    let weight = truth.weights()[right];
                    if weight == 0.0 {
                        continue;
                    }
                    let chance = beaten(&contest, &rule, truth, right, wrong)?;
                    pair.value += weight * chance.value;
                    pair.error += weight * chance.error;
                }
                sum = Chance { value: sum.value + pair.value, error: sum.error + pair.error };
                most = if pair.value > most.value { pair } else { most };
            }
        }
        Ok(Some((most, sum)))
    }
}

fn quadratic(rule: &Mixture) -> bool {
    (0..rule.components()).all(|k| rule.scaled(k).is_some())
}

/// Costs under which only classes a and b are said.
fn costs(loss: &Loss, a: usize, b: usize) -> Vec<f64> {
    let classes = loss.classes();
    let pairs = (0..classes).flat_map(|i| (0..classes).map(move |j| (i, j)));
    pairs.map(|(i, j)| if j == a || j == b { loss.cost(i, j) } else { 2.0 }).collect()
}

/// P(`wrong` beats `right` | `right`).
fn beaten(
    contest: &Contest,
    rule: &Mixture,
    truth: &Truth<'_>,
    right: usize,
    wrong: usize,
) -> Result<Chance, Error> {
    if let Some(best) = contest.certain() {
        let value = if best == wrong { 1.0 } else { 0.0 };
        return Ok(Chance { value, error: 0.0 });
    }
    let (a, b) = (right.min(wrong), right.max(wrong));
    let seen = Seen::new(rule, truth, right, &[a, b])?;
    let chances = if seen.linear {
        intervals::chances(contest, &seen.reduced())
    } else {
        chances(contest, &seen, a, b)?
    };
    Ok(chances[wrong])
}
