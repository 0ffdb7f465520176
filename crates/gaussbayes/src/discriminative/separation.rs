//! Watches rows move to their own side: whether classes are separable \[M80\].

use crate::data::Label;
use crate::error::SoftmaxRefusal;
use crate::moments::Merge;
use crate::tolerance::{SEPARABLE_BACK, SEPARABLE_MOVED};

/// For every two classes, over the rows of the first: the score of their own class less that of the other.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Margins {
    classes: usize,
    /// The least of it, own class by own class.
    least: Vec<f64>,
    /// The least and the most that the latest step has added to it.
    moved: Vec<(f64, f64)>,
    /// The farthest that the latest step has moved two scores of a row apart.
    pub(super) farthest: f64,
}

impl Margins {
    pub(super) fn none(classes: usize) -> Self {
        let pairs = classes * classes;
        Self {
            classes,
            least: vec![f64::INFINITY; pairs],
            moved: vec![(f64::INFINITY, f64::NEG_INFINITY); pairs],
            farthest: 0.0,
        }
    }

    /// Adds a row: its class, its scores, and what the latest step has added to them.
    pub(super) fn add(&mut self, own: usize, scores: &[f64], step: Option<&[f64]>) {
        let pairs = own * self.classes..(own + 1) * self.classes;
        for (least, score) in self.least[pairs.clone()].iter_mut().zip(scores) {
            *least = least.min(scores[own] - score);
        }
        let Some(step) = step else { return };
        for (moved, other) in self.moved[pairs].iter_mut().zip(step) {
            let by = step[own] - other;
            *moved = (moved.0.min(by), moved.1.max(by));
        }
        let low = step.iter().copied().fold(f64::INFINITY, f64::min);
        let high = step.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.farthest = self.farthest.max(high - low);
    }

    /// Pairs of classes that are told apart, both ways.
    fn pairs(&self, apart: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
        let both =
            |&(k, l): &(usize, usize)| apart(k * self.classes + l) || apart(l * self.classes + k);
        let all = (0..self.classes).flat_map(|k| (k + 1..self.classes).map(move |l| (k, l)));
        all.filter(both).collect()
    }

    /// Whether every row is on its own side.
    pub(super) fn all_apart(&self) -> bool {
        let pairs = (0..self.least.len()).filter(|at| at % self.classes != at / self.classes);
        pairs.map(|at| self.least[at]).all(|least| least > 0.0)
    }

    /// Whether the latest step takes rows farther to their own side, and none back.
    pub(super) fn drift(&self) -> bool {
        let most = self.moved.iter().map(|moved| moved.1).fold(0.0, f64::max);
        let least = self.moved.iter().map(|moved| moved.0).fold(0.0, f64::min);
        most >= SEPARABLE_MOVED && least >= -SEPARABLE_BACK * most
    }

    /// The refusal of classes that are separable: all of them, or those whose rows still drift apart.
    pub(super) fn refusal(&self, classes: &[Label]) -> SoftmaxRefusal {
        let all = self.all_apart();
        let most = self.moved.iter().map(|moved| moved.1).fold(0.0, f64::max);
        let drifts = |at: usize| self.moved[at].1 >= SEPARABLE_MOVED.min(0.5 * most);
        let found = if all { self.pairs(|_| true) } else { self.pairs(drifts) };
        let at = |k: usize, l: usize| self.least[k * self.classes + l];
        let complete = found.iter().all(|&(k, l)| at(k, l) > 0.0 && at(l, k) > 0.0);
        let name = |k: usize| classes[k].to_string();
        let pairs = found.into_iter().map(|(k, l)| (name(k), name(l))).collect();
        SoftmaxRefusal::Separable { pairs, complete }
    }
}

impl Merge for Margins {
    fn merge(mut self, later: Self) -> Self {
        self.least.iter_mut().zip(later.least).for_each(|(a, b)| *a = a.min(b));
        let both = self.moved.iter_mut().zip(later.moved);
        both.for_each(|(a, b)| *a = (a.0.min(b.0), a.1.max(b.1)));
        self.farthest = self.farthest.max(later.farthest);
        self
    }
}
