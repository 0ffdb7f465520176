//! Judges classifiers: errors, confusion, losses and costs of rows whose class is known.

mod agreement;
mod calibration;
mod closed;
mod contrast;
mod cost_curve;
mod curve;
mod fold_fits;
mod folds;
mod held_out;
mod leave_one_out;
mod ranking;
mod roc;
mod trunk;

pub use agreement::adjusted_rand;
pub use calibration::Reliability;
pub use contrast::{Contrast, FoldOutcome, Measure, contrast, holm};
pub use cost_curve::{CostCurve, CostLine};
pub use curve::{
    ColumnOrder, Crossing, CurvePoint, CurveSpec, ErrorCurve, feature_curve, learning_curve,
};
pub use folds::{Candidate, cross_validate, cross_validate_all, out_of_fold};
pub use held_out::{HeldOut, ScoreSweep};
pub use leave_one_out::{leave_one_out, leave_one_out_posterior};
pub use ranking::Ranking;
pub use roc::{Roc, RocPoint, Scored};
pub use trunk::Trunk;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use calibration::{Calibration, brier};

use crate::classify::Classifier;
use crate::data::{Block, Label};
use crate::decide::{Action, Loss};
use crate::error::Error;
use crate::moments::Merge;
use crate::posterior::Posterior;
use crate::sweep::Sweep;
use crate::tolerance::NORMAL_95;

/// What came of deciding rows whose class is known. Counts are sums of weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    classes: Vec<Label>,
    actions: Vec<Action>,
    /// Weight by true class and action, where there is any.
    confusion: BTreeMap<(usize, usize), f64>,
    log_loss: f64,
    brier: f64,
    calibration: Calibration,
    cost: f64,
    /// Weight of rows that no class of the model could have been right for.
    unlearnt: f64,
    /// By turn and fold, where rows were judged in folds.
    folds: BTreeMap<(u64, usize), FoldOutcome>,
}

impl Judgement {
    /// Nothing judged yet.
    pub fn new(classifier: &Classifier) -> Self {
        Self::empty(classifier.classes().to_vec(), classifier.loss())
    }

    fn empty(classes: Vec<Label>, loss: &Loss) -> Self {
        Self {
            classes,
            actions: loss.actions().to_vec(),
            confusion: BTreeMap::new(),
            log_loss: 0.0,
            brier: 0.0,
            calibration: Calibration::default(),
            cost: 0.0,
            unlearnt: 0.0,
            folds: BTreeMap::new(),
        }
    }

    /// Counts the decision on row `i` of some; rows without weight do not count.
    fn record(
        &mut self,
        loss: &Loss,
        posterior: &Posterior,
        i: usize,
        class: usize,
        action: usize,
        weight: f64,
    ) {
        if weight == 0.0 {
            return;
        }
        *self.confusion.entry((class, action)).or_default() += weight;
        self.cost += weight * loss.cost(class, action);
        self.brier += weight * brier(posterior, i, class);
        self.calibration.record(posterior, i, class, weight);
        let log_prob = posterior.log_prob(i, class);
        if log_prob == f64::NEG_INFINITY {
            self.unlearnt += weight;
        } else {
            self.log_loss -= weight * log_prob;
        }
    }

    /// Judges the rows of a block.
    ///
    /// # Errors
    /// [`Error::NoLabel`], [`Error::UnknownClass`], and what prediction refuses.
    pub fn add(&mut self, classifier: &Classifier, block: &Block<'_>) -> Result<(), Error> {
        let prediction = classifier.predict(block)?;
        let names = block.labels().map_or(&[][..], |labels| &labels.dictionary);
        let known: Vec<Result<usize, Error>> =
            names.iter().map(|label| classifier.class(label)).collect();
        for i in (0..block.rows().count()).filter(|&i| block.weight(i) > 0.0) {
            block.label(i)?;
            let code = block.labels().map_or(0, |labels| labels.codes[i] as usize);
            let class = known[code].clone()?;
            let (posterior, action) = (&prediction.posterior, prediction.actions[i]);
            self.record(classifier.loss(), posterior, i, class, action, block.weight(i));
        }
        Ok(())
    }

    /// The same, known to be of one fold; turns through all folds are told apart by their seeds.
    fn of_fold(mut self, turn: u64, fold: usize) -> Self {
        let (weight, errors, cost) = (self.n(), self.errors(), self.cost);
        self.folds =
            BTreeMap::from([((turn, fold), FoldOutcome { turn, fold, weight, errors, cost })]);
        self
    }

    /// The judgement, if there was anything to judge.
    ///
    /// # Errors
    /// [`Error::NoRows`] when no row had a positive weight.
    pub fn checked(self) -> Result<Self, Error> {
        if self.n() > 0.0 { Ok(self) } else { Err(Error::NoRows) }
    }

    /// The mean of `turns` judgements of the same rows that were merged into this one; outcomes of folds stay as they are.
    pub fn averaged(mut self, turns: u32) -> Self {
        // Divided, not multiplied by an inverse: whole counts stay whole.
        let turns = f64::from(turns);
        self.confusion.values_mut().for_each(|count| *count /= turns);
        self.log_loss /= turns;
        self.brier /= turns;
        self.calibration = self.calibration.divided(turns);
        self.cost /= turns;
        self.unlearnt /= turns;
        self
    }

    /// Orders outcomes: fewer errors first, then the smaller log loss; what has failed comes last.
    pub fn better_first(a: &Result<Self, Error>, b: &Result<Self, Error>) -> Ordering {
        Self::better_by(Measure::Error, a, b)
    }

    /// The classes, in the order of the confusion's rows.
    pub fn classes(&self) -> &[Label] {
        &self.classes
    }

    /// The actions, in the order of the confusion's columns.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// Weight of the rows judged.
    pub fn n(&self) -> f64 {
        self.confusion.values().sum()
    }

    /// Confusion counts: rows true, columns action.
    pub fn confusion(&self) -> Vec<Vec<f64>> {
        let mut counts = vec![vec![0.0; self.actions.len()]; self.classes.len()];
        for (&(class, action), count) in &self.confusion {
            counts[class][action] = *count;
        }
        counts
    }

    /// True class, action and weight of what happened, the most frequent errors first.
    pub fn largest_errors(&self) -> Vec<(usize, usize, f64)> {
        let wrong = |&(class, action): &(usize, usize)| is_error(class, self.actions[action]);
        let errors = self.confusion.iter().filter(|(key, _)| wrong(key));
        let mut errors: Vec<_> = errors.map(|(&(class, action), &n)| (class, action, n)).collect();
        errors.sort_by(|a, b| b.2.total_cmp(&a.2));
        errors
    }

    /// Weight of the rows given to a wrong class; rejected rows are not among them.
    pub fn errors(&self) -> f64 {
        self.sum(is_error)
    }

    /// Weight of the rows that were rejected.
    pub fn rejected(&self) -> f64 {
        self.sum(|_, action| action == Action::Reject)
    }

    fn sum(&self, counts: impl Fn(usize, Action) -> bool) -> f64 {
        let counted = self
            .confusion
            .iter()
            .filter(|((class, action), _)| counts(*class, self.actions[*action]));
        // The sum of nothing is −0, which nobody wants to read.
        counted.map(|(_, count)| count).sum::<f64>() + 0.0
    }

    /// Share of the weight that was given to a wrong class.
    pub fn error_rate(&self) -> f64 {
        self.errors() / self.n()
    }

    /// 95 % interval of the error rate.
    pub fn interval(&self) -> (f64, f64) {
        wilson(self.errors(), self.n())
    }

    /// Mean of −ln P(true class | row) \[M21\], over the rows whose class has a probability; infinite
    /// where there are none.
    pub fn log_loss(&self) -> f64 {
        let n = self.n() - self.unlearnt;
        if n > 0.0 { self.log_loss / n } else { f64::INFINITY }
    }

    /// Weight of the rows whose class had no probability: the only ones of their class that were
    /// left out, or of a class with prior zero.
    pub fn unlearnt(&self) -> f64 {
        self.unlearnt
    }

    /// Mean of Σ_k (p_k − 1{k = true})² \[M82\], from 0 to 2. Rows whose class had no probability count, with p = 0 for it.
    pub fn brier(&self) -> f64 {
        self.brier / self.n()
    }

    /// The expected calibration error \[M82\]: how far the top probability is from the share of rows that it was right
    /// for, over ten bins of equal width. Rows whose class had no probability count as misses.
    pub fn calibration_error(&self) -> f64 {
        self.calibration.gap() / self.n()
    }

    /// Top probabilities and what came of them, bin by bin \[M82\].
    pub fn reliability(&self) -> Vec<Reliability> {
        self.calibration.table()
    }

    /// Mean cost of the decisions.
    pub fn mean_cost(&self) -> f64 {
        self.cost / self.n()
    }

    fn absorb(&mut self, later: Self) {
        for (key, more) in later.confusion {
            *self.confusion.entry(key).or_default() += more;
        }
        self.log_loss += later.log_loss;
        self.brier += later.brier;
        self.calibration.add(&later.calibration);
        self.cost += later.cost;
        self.unlearnt += later.unlearnt;
        for (key, more) in later.folds {
            self.folds.entry(key).and_modify(|fold| fold.add(&more)).or_insert(more);
        }
    }

    /// What came of each fold, turn by turn; nothing where rows were not judged in folds.
    pub fn folds(&self) -> impl Iterator<Item = &FoldOutcome> {
        self.folds.values()
    }
}

/// What classifiers are ranked by, over all rows.
fn plain_mean(judged: &Judgement, by: Measure) -> f64 {
    match by {
        Measure::Error => judged.error_rate(),
        Measure::Cost => judged.mean_cost(),
    }
}

fn is_error(class: usize, action: Action) -> bool {
    matches!(action, Action::Class(said) if said != class)
}

impl Merge for Judgement {
    fn merge(mut self, later: Self) -> Self {
        self.absorb(later);
        self
    }
}

/// Wilson's 95 % interval of a share (Wilson 1927) \[M20\].
pub fn wilson(hits: f64, n: f64) -> (f64, f64) {
    wilson_at(hits, n, NORMAL_95)
}

/// Wilson's interval by a two-sided point of the normal distribution.
pub(crate) fn wilson_at(hits: f64, n: f64, z: f64) -> (f64, f64) {
    let share = hits / n;
    let z_sq = z * z / n;
    let centre = share + z_sq / 2.0;
    let half = (z_sq * (share * (1.0 - share) + z_sq / 4.0)).sqrt();
    (((centre - half) / (1.0 + z_sq)).max(0.0), ((centre + half) / (1.0 + z_sq)).min(1.0))
}

/// Judges every row with one classifier.
#[derive(Debug, Clone, Copy)]
pub struct JudgeSweep<'a>(pub &'a Classifier);

impl Sweep for JudgeSweep<'_> {
    type Stat = Judgement;

    fn block(&self, block: &Block<'_>) -> Result<Judgement, Error> {
        let mut judgement = Judgement::new(self.0);
        judgement.add(self.0, block)?;
        Ok(judgement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Loss, Mixture, Table};

    #[test]
    fn wilson_intervals_are_those_of_the_textbook() {
        // R: prop.test(3, 150, correct = FALSE)$conf.int
        let (low, high) = wilson(3.0, 150.0);
        assert!((low - 0.006_824_751_322_967_453).abs() < 1e-12, "{low}");
        assert!((high - 0.057_146_683_270_386_06).abs() < 1e-12, "{high}");
        let (low, high) = wilson(0.0, 10.0);
        assert!(low == 0.0 && (high - 0.277_532_799_862_889_15).abs() < 1e-12);
    }

    #[test]
    fn counts_losses_and_costs_are_sums_over_rows() {
        // N(0, 1) against N(2, 1), equal priors: the log-odds of class b at x are 2x − 2 [M21].
        let means = [vec![0.0], vec![2.0]];
        let mixture = Mixture::given(&means, &[vec![1.0]], vec![0.5, 0.5]).unwrap();
        let classes = vec![Label::from("a"), Label::from("b")];
        let actions = vec![Action::Class(0), Action::Class(1)];
        let loss = Loss::new(2, actions, vec![0.0, 1.0, 5.0, 0.0]).unwrap();
        let classifier = Classifier::new(mixture, classes.clone(), vec!["x".into()], loss).unwrap();
        let table = Table {
            dim: 1,
            values: vec![0.0, 1.5, 0.0],
            weights: Some(vec![1.0, 2.0, 1.0]),
            codes: Some(vec![0, 0, 1]),
            dictionary: classes,
            ..Table::default()
        };
        let judged = JudgeSweep(&classifier).block(&table.block(0..3).unwrap()).unwrap();
        // Costs 5 and 1 put the threshold at x = 1 − ½ ln 5 = 0.195: rows 2 (weight 2) and 3 err.
        assert_eq!(judged.confusion(), [[1.0, 2.0], [1.0, 0.0]]);
        assert_eq!(judged.largest_errors(), [(0, 1, 2.0), (1, 0, 1.0)]);
        assert_eq!((judged.errors(), judged.n(), judged.mean_cost()), (3.0, 4.0, 1.75));
        let log_loss = |log_odds: f64| (-log_odds).exp().ln_1p();
        let expected = (log_loss(2.0) + 2.0 * log_loss(-1.0) + log_loss(-2.0)) / 4.0;
        assert!((judged.log_loss() - expected).abs() < 1e-15);
    }
}
