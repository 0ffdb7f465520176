//! Sets the threshold between two classes: by an error that is given, or for the worst priors \[M54\].

use super::form::Form;
use super::rule::Seen;
use super::truth::Truth;
use super::{Chance, refused};
use crate::classify::Classifier;
use crate::decide::{Action, Loss};
use crate::error::{Error, RiskRefusal};
use crate::tolerance::{OPERATING_ACCURACY, OPERATING_REACH, OPERATING_STEPS};

/// A rule that tells two classes apart by their likelihood ratio, and what it does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operating {
    /// ln T: the first class is said where ln p(x|C₁) − ln p(x|C₂) exceeds it.
    pub log_threshold: f64,
    /// Chances that rows of the first and of the second class are taken for the other.
    pub errors: [Chance; 2],
}

impl Operating {
    /// The priors under which this is the best threshold, where every error costs one; one of them may be too
    /// small for a number.
    pub fn priors(&self) -> [f64; 2] {
        threshold_priors(self.log_threshold)
    }
}

/// 1/(1 + T) and T/(1 + T), each to all of its digits.
fn threshold_priors(log_threshold: f64) -> [f64; 2] {
    [log_threshold, -log_threshold].map(|odds| 1.0 / (1.0 + odds.exp()))
}

/// The priors under which the best rule costs most, and that rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Minimax {
    /// The least favourable priors.
    pub priors: [f64; 2],
    /// What the rule costs then: no other rule costs less, whatever the priors.
    pub cost: f64,
    /// The rule.
    pub rule: Operating,
}

/// The log likelihood ratio of two classes, as it is distributed in each.
struct Ratio {
    first: Form,
    second: Form,
}

impl Classifier {
    /// The rule of Neyman and Pearson: rows of `class` are taken for the other with this chance, and no
    /// rule that does so errs less on the other \[M54\].
    ///
    /// # Errors
    /// [`Error::Risk`] unless there are two different Gaussian classes and the chance is between 0 and 1.
    pub fn neyman_pearson(&self, class: usize, error: f64) -> Result<Operating, Error> {
        let ratio = Ratio::of(self)?;
        if class > 1 {
            return Err(Error::Shape { what: "classes", expected: 2, found: class + 1 });
        }
        if !(error > 0.0 && error < 1.0) {
            return refused(RiskRefusal::Level { value: error });
        }
        // The error of the first class rises with the threshold, that of the second falls.
        let gap = |t: f64| {
            let [first, second] = ratio.errors(t);
            if class == 0 { first.less(error) } else { -second.less(error) }
        };
        let found = ratio.at(ratio.crossing(gap)?);
        let (nearest, rest) = (found.errors[class].value, error.min(1.0 - error));
        // Near the end of a bounded ratio one last place of the threshold is more than the chance.
        if (nearest - error).abs() > OPERATING_ACCURACY * rest {
            return refused(RiskRefusal::Unreachable { asked: error, nearest });
        }
        Ok(found)
    }

    /// The least favourable priors, and the rule that is best under them: its cost is the same whatever the
    /// priors turn out to be \[M55\].
    ///
    /// # Errors
    /// [`Error::Risk`] unless there are two different Gaussian classes and nothing but these can be said,
    /// each cheaper than the other where it is right.
    pub fn minimax(&self) -> Result<Minimax, Error> {
        let ratio = Ratio::of(self)?;
        let loss = self.loss();
        let excess = |i: usize| loss.cost(i, 1 - i) - loss.cost(i, i);
        if loss.actions() != [Action::Class(0), Action::Class(1)]
            || !(excess(0) > 0.0 && excess(1) > 0.0)
        {
            return refused(RiskRefusal::NoThreshold);
        }
        let costs = |t: f64| {
            let errors = ratio.errors(t);
            [0, 1].map(|i| loss.cost(i, i) + excess(i) * errors[i].value)
        };
        let [low, high] = [f64::NEG_INFINITY, f64::INFINITY].map(costs);
        let log_threshold = if low[0] >= low[1] {
            f64::NEG_INFINITY
        } else if high[0] <= high[1] {
            f64::INFINITY
        } else {
            ratio.crossing(|t| {
                let [first, second] = costs(t);
                first - second
            })?
        };
        // T = P₂ e₂ / (P₁ e₁), with e the excess costs.
        let odds = log_threshold + (excess(0) / excess(1)).ln();
        let priors = threshold_priors(odds);
        let cost = costs(log_threshold);
        let cost = priors[0] * cost[0] + priors[1] * cost[1];
        Ok(Minimax { priors, cost, rule: ratio.at(log_threshold) })
    }

    /// The same Gaussians, deciding by this threshold of the log likelihood ratio: every error costs one,
    /// and the priors are those that make it the best threshold.
    ///
    /// # Errors
    /// [`Error::Risk`] unless there are two classes, and for a threshold that no priors bring about.
    pub fn with_threshold(self, log_threshold: f64) -> Result<Self, Error> {
        let found = self.gaussians()?.components();
        if found != 2 {
            return refused(RiskRefusal::TwoClasses { found });
        }
        let priors = threshold_priors(log_threshold);
        if priors.contains(&0.0) {
            return refused(RiskRefusal::OutOfRange);
        }
        self.with_loss(Loss::zero_one(2))?.with_priors(&crate::Priors::Given(priors.to_vec()))
    }
}

impl Ratio {
    fn of(classifier: &Classifier) -> Result<Self, Error> {
        let model = classifier.gaussians()?;
        if model.components() != 2 {
            return refused(RiskRefusal::TwoClasses { found: model.components() });
        }
        let even = model.with_weights(&crate::Priors::Uniform)?;
        let truth = Truth::new(&even, None)?;
        let form = |t: usize| Seen::new(&even, &truth, t, &[0, 1])?.form(0, 1);
        let ratio = Self { first: form(0)?, second: form(1)? };
        let flat = |form: &Form| form.w.iter().chain(&form.b).all(|x| *x == 0.0);
        if flat(&ratio.first) || flat(&ratio.second) {
            return refused(RiskRefusal::SameClasses);
        }
        Ok(ratio)
    }

    /// The chance of an error of each class, and what is left of one, at a threshold.
    fn errors(&self, log_threshold: f64) -> [Side; 2] {
        // The forms are those of ln p₂ − ln p₁.
        let side = |form: &Form, above: bool| {
            let tails = form.tails_at(&[-log_threshold])[0];
            let (value, rest) =
                if above { (tails.above, tails.below) } else { (tails.below, tails.above) };
            Side { value, rest, error: tails.error * value.min(rest) }
        };
        [side(&self.first, true), side(&self.second, false)]
    }

    fn at(&self, log_threshold: f64) -> Operating {
        let errors = self.errors(log_threshold);
        let chance = |side: Side| Chance { value: side.value, error: side.error };
        Operating { log_threshold, errors: errors.map(chance) }
    }

    /// Where a function that rises with the threshold crosses zero.
    fn crossing(&self, gap: impl Fn(f64) -> f64) -> Result<f64, Error> {
        let mean = |form: &Form| -(form.c + form.w.iter().sum::<f64>());
        let (one, other) = (mean(&self.first), mean(&self.second));
        let middle = 0.5 * one + 0.5 * other;
        let spread = |form: &Form| {
            form.w.iter().zip(&form.b).map(|(w, b)| 2.0 * w * w + b * b).sum::<f64>().sqrt()
        };
        let mut reach =
            (0.5 * (one - other).abs()).max(spread(&self.first)).max(spread(&self.second));
        let (mut low, mut high) = (middle - reach, middle + reach);
        for _ in 0..OPERATING_REACH {
            let (below, above) = (gap(low) <= 0.0, gap(high) >= 0.0);
            if below && above {
                break;
            }
            reach *= 2.0;
            low = if below { low } else { middle - reach };
            high = if above { high } else { middle + reach };
        }
        let (mut at_low, mut at_high) = (gap(low), gap(high));
        if !(at_low <= 0.0 && at_high >= 0.0) {
            return refused(RiskRefusal::NoCrossing);
        }
        for step in 0..OPERATING_STEPS {
            let width = high - low;
            let secant = low + width * (at_low / (at_low - at_high));
            // Every third step the middle: a bracket that only one end moves of still shrinks.
            let t = if step % 3 == 2 || !(low < secant && secant < high) {
                low + 0.5 * width
            } else {
                secant
            };
            if t <= low || t >= high {
                break;
            }
            let value = gap(t);
            if value == 0.0 {
                return Ok(t);
            }
            if value < 0.0 { (low, at_low) = (t, value) } else { (high, at_high) = (t, value) }
        }
        Ok(if at_low.abs() <= at_high.abs() { low } else { high })
    }
}

/// A chance, what is left of one, and the error of both.
#[derive(Clone, Copy)]
struct Side {
    value: f64,
    rest: f64,
    error: f64,
}

impl Side {
    /// Of the sign of the chance less another, in logs of the smaller side, so that tails have digits.
    fn less(self, chance: f64) -> f64 {
        if chance <= 0.5 { (self.value / chance).ln() } else { ((1.0 - chance) / self.rest).ln() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Label;
    use crate::mixture::Mixture;

    fn normals(means: [f64; 2], variances: [f64; 2]) -> Classifier {
        let variances = variances.map(|v| vec![v]);
        let model = Mixture::given(&means.map(|m| vec![m]), &variances, vec![0.3, 0.7]).unwrap();
        let classes = ["a", "b"].map(Label::from).to_vec();
        Classifier::new(model, classes, vec!["x".into()], Loss::zero_one(2)).unwrap()
    }

    #[test]
    fn a_given_error_sets_the_threshold() {
        // N(0, 1) and N(2, 1): ln Λ = 2 − 2x; P(x > t) = 0.025 at t = 1.959963984540054 (R, qnorm).
        let found = normals([0.0, 2.0], [1.0; 2]).neyman_pearson(0, 0.025).unwrap();
        assert!((found.log_threshold - (2.0 - 2.0 * 1.959_963_984_540_054)).abs() < 1e-13);
        assert!((found.errors[0].value - 0.025).abs() < 1e-15);
        // P(x < t | N(2, 1)) = Φ(−0.040036015459946) = 0.484032206557668 (R, pnorm).
        assert!((found.errors[1].value - 0.484_032_206_557_668).abs() < 1e-12, "{found:?}");
        let tail = normals([0.0, 2.0], [1.0, 3.0]).neyman_pearson(0, 1e-30).unwrap();
        assert!((tail.errors[0].value / 1e-30 - 1.0).abs() < 1e-11, "{tail:?}");
    }

    #[test]
    fn a_chance_below_the_last_place_of_a_threshold_is_refused() {
        // ln Λ of N(0, 1) to N(0, 4) is at most ln 2: near it chances go like the root of what is left.
        let rule = normals([0.0; 2], [1.0, 4.0]);
        let refused = rule.neyman_pearson(1, 1e-12).unwrap_err();
        assert!(matches!(refused, Error::Risk(RiskRefusal::Unreachable { .. })), "{refused}");
        let found = rule.neyman_pearson(1, 1e-3).unwrap();
        assert!((found.errors[1].value / 1e-3 - 1.0).abs() < 1e-6, "{found:?}");
        assert!(rule.neyman_pearson(0, 1e-12).is_ok());
        // Classes that are nearly the same still have one.
        let alike = normals([0.0; 2], [1.0, 1.0 + 1e-8]);
        assert!((alike.neyman_pearson(0, 0.3).unwrap().errors[1].value - 0.7).abs() < 1e-6);
        assert!((alike.minimax().unwrap().cost - 0.5).abs() < 1e-6);
    }

    #[test]
    fn no_prior_makes_the_minimax_rule_cost_more() {
        let rule = normals([0.0, 2.0], [1.0, 4.0]);
        let found = rule.minimax().unwrap();
        let [one, other] = found.rule.errors.map(|error| error.value);
        assert!((one - other).abs() < 1e-14 && (found.cost - one).abs() < 1e-14, "{found:?}");
        // The Bayes error as a function of the prior is largest there.
        let bayes = |p: f64| {
            let at = (1.0 - p).ln() - p.ln();
            let [one, other] = Ratio::of(&rule).unwrap().errors(at).map(|side| side.value);
            p * one + (1.0 - p) * other
        };
        let p = found.priors[0];
        assert!((bayes(p) - found.cost).abs() < 1e-14);
        assert!(bayes(p - 0.01) < found.cost && bayes(p + 0.01) < found.cost);
    }

    #[test]
    fn costs_can_leave_one_class_to_the_worst_priors() {
        // Even a sure hit of the second class costs more than any error of the first.
        let actions = vec![Action::Class(0), Action::Class(1)];
        let loss = Loss::new(2, actions, vec![0.0, 1.0, 9.0, 5.0]).unwrap();
        let found = normals([0.0, 2.0], [1.0; 2]).with_loss(loss).unwrap().minimax().unwrap();
        assert_eq!((found.priors, found.cost), ([0.0, 1.0], 5.0));
    }

    #[test]
    fn what_has_no_threshold_is_refused() {
        let same = normals([1.0; 2], [1.0; 2]);
        let refusal = |error: Error| match error {
            Error::Risk(refusal) => refusal,
            other => panic!("{other}"),
        };
        assert_eq!(refusal(same.minimax().unwrap_err()), RiskRefusal::SameClasses);
        let rule = normals([0.0, 1.0], [1.0; 2]);
        for level in [0.0, 1.0, f64::NAN, -0.5] {
            let error = rule.neyman_pearson(0, level).unwrap_err();
            assert!(matches!(refusal(error), RiskRefusal::Level { .. }));
        }
        let reject = Loss::zero_one(2).with_reject(0.1).unwrap();
        let error = rule.with_loss(reject).unwrap().minimax().unwrap_err();
        assert_eq!(refusal(error), RiskRefusal::NoThreshold);
    }
}
