//! Collects the scores of rows by classifiers that have not seen them \[M84\].

use super::roc::{Roc, Scored};
use crate::classify::Classifier;
use crate::data::{Block, Label};
use crate::error::Error;
use crate::moments::Merge;
use crate::posterior::{Posterior, log_sum_exp};
use crate::sweep::Sweep;

/// Log odds of rows whose class is known: of the second class where there are two, of each against the rest where there
/// are more. It holds so many numbers a row, its class and its weight; rows without weight are left out.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldOut {
    classes: Vec<Label>,
    scores: Vec<f64>,
    truth: Vec<usize>,
    weights: Vec<f64>,
}

impl HeldOut {
    /// The rows of a block, each by a classifier of its own; all have the same classes.
    pub(super) fn of_block<'a>(
        block: &Block<'_>,
        classifier: impl Fn(usize) -> &'a Classifier,
    ) -> Result<Self, Error> {
        let count = block.rows().count();
        let mut all = Self {
            classes: classifier(0).classes().to_vec(),
            scores: Vec::new(),
            truth: Vec::new(),
            weights: Vec::new(),
        };
        let mut odds = vec![0.0; count * all.columns()];
        let mut waiting: Vec<usize> = (0..count).filter(|&i| block.weight(i) > 0.0).collect();
        let kept = waiting.clone();
        // One classifier after the other, each on all rows that are its own.
        while let Some(&first) = waiting.first() {
            let own = classifier(first);
            let (mine, others) =
                waiting.into_iter().partition::<Vec<_>, _>(|&i| std::ptr::eq(classifier(i), own));
            waiting = others;
            let posterior = Posterior::from_scores(own.scores(&block.picked(&mine)?)?);
            for (row, &i) in mine.iter().enumerate() {
                let columns = all.columns();
                let to = &mut odds[i * columns..(i + 1) * columns];
                Self::read(&posterior, row, to);
            }
        }
        for i in kept {
            all.truth.push(classifier(i).class(block.label(i)?)?);
            all.weights.push(block.weight(i));
            all.scores.extend_from_slice(&odds[i * all.columns()..(i + 1) * all.columns()]);
        }
        Ok(all)
    }

    /// Scores that are kept of a row.
    fn columns(&self) -> usize {
        if self.classes.len() == 2 { 1 } else { self.classes.len() }
    }

    fn read(posterior: &Posterior, row: usize, to: &mut [f64]) {
        let relative = posterior.relative(row);
        if let ([first, second], [odds]) = (relative, &mut *to) {
            *odds = second - first;
            return;
        }
        for (k, odds) in to.iter_mut().enumerate() {
            let rest = [log_sum_exp(&relative[..k]), log_sum_exp(&relative[k + 1..])];
            *odds = relative[k] - log_sum_exp(&rest);
        }
    }

    /// The classes.
    pub fn classes(&self) -> &[Label] {
        &self.classes
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.truth.len()
    }

    /// Log odds of a class against the rest, and which rows have it.
    pub fn scored(&self, class: usize) -> Vec<Scored> {
        let (columns, two) = (self.columns(), self.classes.len() == 2);
        let score = |i: usize| match (two, class) {
            (true, 0) => -self.scores[i],
            (true, _) => self.scores[i],
            (false, _) => self.scores[i * columns + class],
        };
        let row = |i: usize| Scored {
            score: score(i),
            positive: self.truth[i] == class,
            weight: self.weights[i],
        };
        (0..self.rows()).map(row).collect()
    }

    /// The curve of a class against the rest; `None` where all rows have it, or none.
    pub fn roc(&self, class: usize) -> Option<Roc> {
        Roc::of(&self.scored(class))
    }

    /// The area under the curve \[M84\]: of the second of two classes, the plain mean over the classes of one against the
    /// rest where there are more. `None` where a class has no rows.
    pub fn area(&self) -> Option<f64> {
        if self.classes.len() == 2 {
            return self.roc(1).map(|roc| roc.area);
        }
        let areas = (0..self.classes.len()).map(|k| self.roc(k).map(|roc| roc.area));
        let sum: f64 = areas.sum::<Option<f64>>()?;
        Some(sum / self.classes.len() as f64)
    }
}

impl Merge for HeldOut {
    fn merge(mut self, later: Self) -> Self {
        self.scores.extend(later.scores);
        self.truth.extend(later.truth);
        self.weights.extend(later.weights);
        self
    }
}

/// Scores every row with one classifier.
#[derive(Debug, Clone, Copy)]
pub struct ScoreSweep<'a>(pub &'a Classifier);

impl Sweep for ScoreSweep<'_> {
    type Stat = HeldOut;

    fn block(&self, block: &Block<'_>) -> Result<HeldOut, Error> {
        HeldOut::of_block(block, |_| self.0)
    }
}
