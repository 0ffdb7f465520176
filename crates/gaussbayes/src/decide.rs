//! Decides by least expected cost; MAP, maximum likelihood and thresholds are special losses \[M13\].

use crate::error::{Error, OutlierRefusal};
use crate::mixture::Scores;
use crate::moments::ldexp;
use crate::posterior::{Posterior, log_sum_exp};
use crate::tolerance::COST_EXPONENT;

/// What a decision returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// Say this class.
    Class(usize),
    /// Say nothing.
    Reject,
}

/// The cost of every action for every true class.
#[derive(Debug, Clone, PartialEq)]
pub struct Loss {
    classes: usize,
    actions: Vec<Action>,
    /// How many of the actions have a price; one more is reject, for outliers alone.
    priced: usize,
    /// Of the actions with a price, true class by true class; none for one per error.
    cost: Option<Vec<f64>>,
    rule: Rule,
    /// ln p(x) below which a row is rejected, whatever its posterior.
    outliers: Option<f64>,
}

/// How the argmin is found.
#[derive(Debug, Clone, PartialEq)]
enum Rule {
    /// Argmax of log posterior plus this gain per class \[M14\].
    Gain(Vec<f64>),
    /// Argmin of the log of the reduced risk; ln of the costs less their row's least.
    Risk(Vec<f64>),
}

impl Action {
    /// The word for saying nothing, in files and answers.
    pub const REJECT: &'static str = "reject";
}

impl Loss {
    /// One for every error: decide by maximum posterior.
    pub fn zero_one(classes: usize) -> Self {
        let actions = (0..classes).map(Action::Class).collect();
        let rule = Rule::Gain(vec![0.0; classes]);
        Self { classes, actions, priced: classes, cost: None, rule, outliers: None }
    }

    /// Any costs: `cost[i * actions + j]` of action `j` when class `i` is true.
    ///
    /// # Errors
    /// [`Error::Shape`] when the costs do not fill classes × actions, [`Error::BadCost`] for one
    /// that is no number or beyond 1e150.
    pub fn new(classes: usize, actions: Vec<Action>, cost: Vec<f64>) -> Result<Self, Error> {
        let expected = classes * actions.len();
        if cost.len() != expected || actions.is_empty() {
            return Err(Error::Shape { what: "costs", expected, found: cost.len() });
        }
        if let Some(Action::Class(k)) =
            actions.iter().find(|action| matches!(action, Action::Class(k) if *k >= classes))
        {
            return Err(Error::Shape {
                what: "actions",
                expected: classes,
                found: k.saturating_add(1),
            });
        }
        let most = ldexp(1.0, COST_EXPONENT);
        if let Some(at) = cost.iter().position(|cost| cost.is_nan() || cost.abs() > most) {
            let (class, action) = (at / actions.len(), at % actions.len());
            return Err(Error::BadCost { class, action, value: cost[at] });
        }
        let (rule, priced) = (rule(&actions, &cost), actions.len());
        Ok(Self { classes, actions, priced, cost: Some(cost), rule, outliers: None })
    }

    /// The loss under which two classes are told apart at the likelihood ratio `threshold` \[M14\].
    ///
    /// # Errors
    /// [`Error::Shape`] unless there are two priors, [`Error::BadCost`] for a threshold that is
    /// not positive and finite.
    pub fn likelihood_ratio(threshold: f64, priors: &[f64]) -> Result<Self, Error> {
        let [first, second] = priors else {
            return Err(Error::Shape { what: "priors", expected: 2, found: priors.len() });
        };
        let cost = threshold * first / second;
        if !(cost.is_finite() && cost > 0.0) {
            return Err(Error::BadCost { class: 1, action: 0, value: cost });
        }
        let actions = vec![Action::Class(0), Action::Class(1)];
        Self::new(2, actions, vec![0.0, 1.0, cost, 0.0])
    }

    /// The same with one more action, reject, at a constant cost \[M15\].
    ///
    /// # Errors
    /// [`Error::BadCost`] for a cost that is not finite.
    pub fn with_reject(&self, cost: f64) -> Result<Self, Error> {
        let kept: Vec<usize> =
            (0..self.actions.len()).filter(|&j| self.actions[j] != Action::Reject).collect();
        let row =
            |i: usize| kept.iter().map(|&j| self.cost(i, j)).chain([cost]).collect::<Vec<f64>>();
        let costs = (0..self.classes()).flat_map(row).collect();
        let actions = kept.iter().map(|&j| self.actions[j]).chain([Action::Reject]).collect();
        Ok(Self { outliers: self.outliers, ..Self::new(self.classes(), actions, costs)? })
    }

    /// The same, with rows rejected whose log density ln p(x) is below `level` \[M53\].
    ///
    /// Where reject had no price, a rejected row costs as much as the dearest error of its class.
    ///
    /// # Errors
    /// [`OutlierRefusal::Level`] for a level that is no number.
    pub fn with_outliers(mut self, level: f64) -> Result<Self, Error> {
        if !level.is_finite() {
            return Err(OutlierRefusal::Level { value: level }.into());
        }
        if !self.actions.contains(&Action::Reject) {
            self.actions.push(Action::Reject);
        }
        self.outliers = Some(level);
        Ok(self)
    }

    /// The log density below which rows are rejected, whatever their posterior.
    pub fn outliers(&self) -> Option<f64> {
        self.outliers
    }

    /// Number of true classes.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The actions, in the order of the costs.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The actions that have a price, in the order of the costs: all but a reject for outliers alone.
    pub fn priced(&self) -> &[Action] {
        &self.actions[..self.priced]
    }

    /// The costs of these, true class by true class; `None` where every error costs one.
    pub fn costs(&self) -> Option<&[f64]> {
        self.cost.as_deref()
    }

    /// Cost of action number `action` when `class` is true.
    pub fn cost(&self, class: usize, action: usize) -> f64 {
        match &self.cost {
            Some(cost) => {
                let row = &cost[class * self.priced..(class + 1) * self.priced];
                let dearest = || row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                row.get(action).copied().unwrap_or_else(dearest)
            }
            None => f64::from(u8::from(class != action)),
        }
    }

    /// The number of the best action of each row; ties go to the lowest.
    pub fn decide(&self, posterior: &Posterior) -> Vec<usize> {
        let decide = |i| match self.rejected(posterior.log_evidence(i)) {
            Some(reject) => reject,
            None => self.decide_row(posterior.relative(i)),
        };
        (0..posterior.rows()).map(decide).collect()
    }

    /// The number of reject, for a row of this log density, where that makes it an outlier.
    fn rejected(&self, log_density: f64) -> Option<usize> {
        let is_out = self.outliers.is_some_and(|level| log_density < level);
        is_out.then(|| self.actions.iter().position(|action| *action == Action::Reject)).flatten()
    }

    /// As [`Loss::decide`], from the scores: only their order matters, so no norms are computed.
    pub fn decide_scores(&self, scores: &Scores) -> Vec<usize> {
        let mut relative = vec![0.0; scores.components];
        let decide = |(row, common): (&[f64], &f64)| {
            let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            relative.iter_mut().zip(row).for_each(|(to, score)| *to = score - top);
            let evidence = || common + top + log_sum_exp(&relative);
            let rejected = self.outliers.and_then(|_| self.rejected(evidence()));
            rejected.unwrap_or_else(|| self.decide_row(&relative))
        };
        scores.relative.chunks_exact(scores.components).zip(&scores.common).map(decide).collect()
    }

    fn decide_row(&self, relative: &[f64]) -> usize {
        match &self.rule {
            Rule::Gain(gain) => arg_best(self.priced, |j| {
                let Action::Class(k) = self.actions[j] else { return f64::NEG_INFINITY };
                relative[k] + gain[k]
            }),
            Rule::Risk(log_cost) => {
                let mut terms = vec![0.0; relative.len()];
                arg_best(self.priced, |j| {
                    for (i, term) in terms.iter_mut().enumerate() {
                        *term = relative[i] + log_cost[i * self.priced + j];
                    }
                    -log_sum_exp(&terms)
                })
            }
        }
    }

    /// Expected cost of every action for row `i`: Σ_i L_ij P(C_i | x).
    pub fn risks(&self, posterior: &Posterior, i: usize) -> Vec<f64> {
        let mut risks = vec![0.0; self.actions.len()];
        for (class, prob) in posterior.probs(i).enumerate() {
            for (action, risk) in risks.iter_mut().enumerate() {
                *risk += prob * self.cost(class, action);
            }
        }
        risks
    }

    /// T₁₂, with which class 1 of two is chosen when p(x|C₁)/p(x|C₂) exceeds it \[M14\].
    ///
    /// `None` unless there are exactly the actions "class 1" and "class 2", each cheaper than the
    /// other where it is right: otherwise the inequality turns or one class always wins.
    pub fn threshold(&self, priors: &[f64]) -> Option<f64> {
        if self.priced() != [Action::Class(0), Action::Class(1)] || priors.len() != 2 {
            return None;
        }
        let of_first = self.cost(0, 1) - self.cost(0, 0);
        let of_second = self.cost(1, 0) - self.cost(1, 1);
        (of_first > 0.0 && of_second > 0.0)
            .then(|| (priors[1] * of_second) / (priors[0] * of_first))
    }
}

impl Loss {
    /// ln of what an error of each class costs more than a hit, where all errors of it cost the same and
    /// nothing is rejected.
    pub(crate) fn gains(&self) -> Option<&[f64]> {
        self.by_gain().filter(|_| self.priced == self.actions.len())
    }

    /// The same, whether outliers are rejected or not.
    pub(crate) fn by_gain(&self) -> Option<&[f64]> {
        match &self.rule {
            Rule::Gain(gains) => Some(gains),
            Rule::Risk(_) => None,
        }
    }

    /// T_kj, row by row: class k is said where p(x|C_k)/p(x|C_j) exceeds T_kj for every j ≠ k
    /// \[M14\]. The diagonal is one.
    ///
    /// `None` unless errors of a class all cost the same, more than its hits, and nothing is rejected
    /// at a price: only then do thresholds decide.
    pub fn thresholds(&self, priors: &[f64]) -> Option<Vec<f64>> {
        let Rule::Gain(gain) = &self.rule else { return None };
        if priors.len() != gain.len() {
            return None;
        }
        let weight: Vec<f64> = gain.iter().zip(priors).map(|(gain, p)| p.ln() + gain).collect();
        let threshold = |k: usize, j: usize| {
            // Equal weights, of classes that cannot come too.
            if weight[j] == weight[k] { 1.0 } else { (weight[j] - weight[k]).exp() }
        };
        let pairs = (0..gain.len()).flat_map(|k| (0..gain.len()).map(move |j| (k, j)));
        Some(pairs.map(|(k, j)| threshold(k, j)).collect())
    }
}

/// The place of the largest value, the first of equals.
pub(crate) fn arg_best(n: usize, mut value: impl FnMut(usize) -> f64) -> usize {
    let mut best = (0, value(0));
    for j in 1..n {
        let candidate = value(j);
        if candidate > best.1 {
            best = (j, candidate);
        }
    }
    best.0
}

fn rule(actions: &Vec<Action>, cost: &[f64]) -> Rule {
    let width = actions.len();
    let classes = cost.len() / width;
    let all: Vec<Action> = (0..classes).map(Action::Class).collect();
    let gains = || -> Option<Vec<f64>> {
        let gain = |(i, row): (usize, &[f64])| {
            let mut off = row.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, cost)| *cost);
            let first = off.next().unwrap_or(row[i]);
            (off.all(|cost| cost == first) && first > row[i]).then(|| (first - row[i]).ln())
        };
        cost.chunks_exact(width).enumerate().map(gain).collect()
    };
    if actions == &all
        && let Some(gains) = gains()
    {
        return Rule::Gain(gains);
    }
    let reduced = |row: &[f64]| {
        let least = row.iter().copied().fold(f64::INFINITY, f64::min);
        row.iter().map(|cost| (cost - least).ln()).collect::<Vec<f64>>()
    };
    Rule::Risk(cost.chunks_exact(width).flat_map(reduced).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mixture::Scores;

    fn posterior(probs: &[f64]) -> Posterior {
        let relative = probs.iter().map(|p: &f64| p.ln()).collect();
        Posterior::from_scores(Scores { components: probs.len(), common: vec![0.0], relative })
    }

    #[test]
    fn two_classes_are_told_apart_at_the_threshold() {
        // Theodoridis & Koutroumbas, example 2.1: λ12 = 0.5, λ21 = 1, equal priors: T₁₂ = 2.
        let classes = vec![Action::Class(0), Action::Class(1)];
        let loss = Loss::new(2, classes, vec![0.0, 0.5, 1.0, 0.0]).unwrap();
        assert_eq!(loss.threshold(&[0.5, 0.5]), Some(2.0));
        assert_eq!(loss.decide(&posterior(&[0.67, 0.33])), [0]);
        assert_eq!(loss.decide(&posterior(&[0.66, 0.34])), [1]);
        let same = Loss::likelihood_ratio(2.0, &[0.5, 0.5]).unwrap();
        assert_eq!(same.threshold(&[0.5, 0.5]), Some(2.0));
        assert_eq!(Loss::zero_one(2).threshold(&[0.25, 0.75]), Some(3.0));
    }

    #[test]
    fn a_threshold_needs_errors_that_cost_more_than_hits() {
        let classes = vec![Action::Class(0), Action::Class(1)];
        let loss = Loss::new(2, classes, vec![1.0, 0.5, 1.0, 0.0]).unwrap();
        assert_eq!(loss.threshold(&[0.5, 0.5]), None);
        assert_eq!(loss.decide(&posterior(&[0.999, 0.001])), [1]);
    }

    #[test]
    fn a_general_loss_takes_the_least_risk() {
        // r = (0.4·0 + 0.35·10 + 0.25·1, 0.4 + 0.25·1, 0.4·1 + 0.35·1): the second action.
        let actions = (0..3).map(Action::Class).collect();
        let cost = vec![0.0, 1.0, 1.0, 10.0, 0.0, 1.0, 1.0, 1.0, 0.0];
        let loss = Loss::new(3, actions, cost).unwrap();
        let row = posterior(&[0.4, 0.35, 0.25]);
        assert_eq!(loss.decide(&row), [1]);
        let risks = loss.risks(&row, 0);
        assert!((risks[0] - 3.75).abs() < 1e-12 && (risks[1] - 0.65).abs() < 1e-12);
    }

    #[test]
    fn thresholds_of_many_classes_are_those_of_pairs() {
        // P = (½, ¼, ¼), c = (1, 2, 4): T_kj = P_j c_j/(P_k c_k).
        let actions = (0..3).map(Action::Class).collect();
        let cost = vec![0.0, 1.0, 1.0, 2.0, 0.0, 2.0, 5.0, 5.0, 1.0];
        let loss = Loss::new(3, actions, cost).unwrap();
        let found = loss.thresholds(&[0.5, 0.25, 0.25]).unwrap();
        let expected = [1.0, 1.0, 2.0, 1.0, 1.0, 2.0, 0.5, 0.5, 1.0];
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?}");
        assert_eq!(loss.with_reject(0.1).unwrap().thresholds(&[0.5, 0.25, 0.25]), None);
    }

    #[test]
    fn an_outlier_is_rejected_whatever_its_posterior() {
        let row = |density: f64| {
            let relative = vec![0.9_f64.ln(), 0.1_f64.ln()];
            Scores { components: 2, common: vec![density], relative }
        };
        let loss = Loss::zero_one(2).with_outliers(-10.0).unwrap();
        for (density, action) in [(-9.9, 0), (-10.1, 2)] {
            assert_eq!(loss.decide_scores(&row(density)), [action]);
            assert_eq!(loss.decide(&Posterior::from_scores(row(density))), [action]);
        }
        assert_eq!((loss.actions().len(), loss.priced().len(), loss.cost(0, 2)), (3, 2, 1.0));
        // A price that reject already has stays its price.
        let priced = Loss::zero_one(2).with_reject(0.05).unwrap().with_outliers(-10.0).unwrap();
        assert_eq!((priced.actions().len(), priced.cost(1, 2)), (3, 0.05));
        assert_eq!(priced.decide_scores(&row(0.0)), [2]);
        assert!(Loss::zero_one(2).with_outliers(f64::NAN).is_err());
    }

    #[test]
    fn ties_go_to_the_lowest_class_and_never_to_reject() {
        assert_eq!(Loss::zero_one(2).decide(&posterior(&[0.5, 0.5])), [0]);
        let reject = Loss::zero_one(2).with_reject(0.5).unwrap();
        assert_eq!(reject.decide(&posterior(&[0.5, 0.5])), [0]);
        let cheap = Loss::zero_one(2).with_reject(0.1).unwrap();
        assert_eq!(cheap.actions()[cheap.decide(&posterior(&[0.6, 0.4]))[0]], Action::Reject);
    }
}
