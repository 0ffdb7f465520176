//! Says how often a rule errs, and how that is known \[M47\].

mod bounds;
mod cost_bounds;
mod form;
mod intervals;
mod lattice;
mod linear_rule;
mod method;
mod operating;
mod orthants;
mod pair;
mod pairs;
mod quadrature;
mod rays;
mod rule;
mod simulate;
mod span;
mod sums;
mod truth;

#[cfg(test)]
mod pair_tests;
#[cfg(test)]
mod tests;

pub use bounds::Bounds;
pub use cost_bounds::CostBounds;
pub(crate) use form::{Form, Tails};
pub use linear_rule::LinearRule;
pub use method::{Method, RiskOptions};
pub use operating::{Minimax, Operating};

use crate::boundary::Contest;
use crate::classify::Classifier;
use crate::decide::Action;
use crate::error::{Error, RiskRefusal};
use crate::mixture::Mixture;
use crate::scorer::Scorer;
use crate::sweep::On;
use rule::Seen;
use sums::Found;
use truth::Truth;

/// A probability or an expected cost, and how far off it may be.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Chance {
    /// The number.
    pub value: f64,
    /// Its absolute error, as estimated: rounding and quadrature, or the half-width of a 99.9 % interval
    /// where the method is an estimate.
    pub error: f64,
}

/// What a rule does to rows of each class, under a truth that is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Risk {
    /// P(action | class): class by class, one entry for each action of the loss. The largest of a class is
    /// what the others leave; those of exact methods have digits of their own, however small.
    pub confusion: Vec<Chance>,
    /// Expected cost of rows of each class: the chance of an error where every error costs one.
    pub per_class: Vec<Chance>,
    /// Expected cost of a row.
    pub total: Chance,
    /// Chance that a row is said to be of a wrong class.
    pub error_rate: Chance,
    /// Chance that nothing is said of a row.
    pub reject_rate: Chance,
    /// Weights of the classes: those of the truth.
    pub weights: Vec<f64>,
    /// How the chances are known.
    pub method: Method,
    /// Columns that the decision depends on, after whitening and projection.
    pub columns: usize,
    /// Directions or draws of each class, where the method is an estimate.
    pub points: u64,
    /// Least and largest error rate that the errors between two classes leave open: the largest and the sum
    /// of π_i P(j beats i | i) + π_j P(i beats j | j). For maximum posterior and three classes or more.
    pub pairwise: Option<(Chance, Chance)>,
    /// Whether the total was narrowed to that: it is then not the sum of estimates by class.
    pub bracketed: bool,
}

impl Classifier {
    /// How often the rule takes which action on rows of each class, when rows are drawn from `under`, or
    /// from the classifier's own model \[M47\].
    ///
    /// # Errors
    /// [`Error::Risk`] where truth and rule do not fit together, are not Gaussian, or do not allow the
    /// method asked for; [`Error::Cancelled`].
    pub fn risk(
        &self,
        under: Option<&Mixture>,
        how: &RiskOptions,
        on: On<'_>,
    ) -> Result<Risk, Error> {
        if under.is_none() && matches!(self.model(), Scorer::Softmax(_)) {
            return refused(RiskRefusal::NoTruth);
        }
        let model = self.rule()?;
        let truth = Truth::new(&model, under)?;
        let contest = Contest::of(self.loss(), model.weights());
        let outliers = self.loss().outliers().is_some();
        if let Some(method) = how.method.filter(|method| outliers && *method != Method::Simulation)
        {
            let why = "outliers are rejected by their density";
            return refused(RiskRefusal::NotForModel { method: method.name(), why });
        }
        let found = if outliers || how.method == Some(Method::Simulation) {
            simulate::simulate(self, &truth, how, on)?
        } else {
            let seen = (0..truth.components())
                .map(|t| Seen::new(&model, &truth, t, &contest.relevant()))
                .collect::<Result<Vec<Seen>, Error>>()?;
            method::compute(&contest, &seen, self.loss(), truth.weights(), how, on)?
        };
        let mut risk = self.summed(&truth, found);
        // A pair that has no number leaves no bracket; the rest stands.
        risk.pairwise = self.pairwise(&truth).unwrap_or(None);
        if how.method.is_none() && risk.method.is_estimate() {
            risk.narrow();
        }
        Ok(risk)
    }

    fn summed(&self, truth: &Truth<'_>, mut found: Found) -> Risk {
        found.rows.iter_mut().for_each(|row| complete(row));
        let (loss, weights) = (self.loss(), truth.weights());
        let per_class: Vec<Chance> =
            (0..found.rows.len()).map(|i| found.cost(i, |a| loss.cost(i, a))).collect();
        let rate = |counts: &dyn Fn(usize, Action) -> bool| {
            let one = |i: usize, a: usize| f64::from(u8::from(counts(i, loss.actions()[a])));
            let rows: Vec<Chance> =
                (0..weights.len()).map(|i| found.cost(i, |a| one(i, a))).collect();
            found.mean(weights, &rows)
        };
        Risk {
            total: found.mean(weights, &per_class),
            error_rate: rate(&|i, action| matches!(action, Action::Class(k) if k != i)),
            reject_rate: rate(&|_, action| action == Action::Reject),
            per_class,
            weights: weights.to_vec(),
            method: found.method,
            columns: found.columns,
            points: found.points,
            pairwise: None,
            bracketed: false,
            confusion: found.rows.into_iter().flatten().collect(),
        }
    }
}

impl Risk {
    /// Intersects the interval of an estimate with the bracket by pairs, which is exact.
    fn narrow(&mut self) {
        let Some((low, high)) = self.pairwise else { return };
        let found = self.total;
        let (low, high) = (low.value - low.error, high.value + high.error);
        let from = low.max(found.value - found.error).min(high);
        let to = high.min(found.value + found.error).max(from);
        let both = Chance { value: 0.5 * (from + to), error: 0.5 * (to - from) };
        self.bracketed = both.error < found.error;
        if self.bracketed {
            (self.total, self.error_rate) = (both, both);
        }
    }
}

/// The largest chance of a row is what the others leave; the others keep digits of their own.
fn complete(row: &mut [Chance]) {
    let largest = crate::decide::arg_best(row.len(), |a| row[a].value);
    let rest = row.iter().enumerate().filter(|(a, _)| *a != largest);
    let rest: f64 = rest.map(|(_, chance)| chance.value).sum();
    if let Some(largest) = row.get_mut(largest) {
        largest.value = 1.0 - rest;
    }
}

fn refused<T>(refusal: RiskRefusal) -> Result<T, Error> {
    Err(Error::Risk(refusal))
}
