//! Sums rows up by their labels: the sweep behind every supervised fit.

use std::borrow::Cow;

use super::Sweep;
use crate::data::{Block, Label, NO_LABEL};
use crate::error::Error;
use crate::moments::{Memberships, Merge, Moments, Storage};
use crate::tolerance::SCATTER_MAX;

/// Moments per label.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LabelSweep {
    storage: Storage,
}

impl LabelSweep {
    /// Keeps this much of the scatter.
    pub fn new(storage: Storage) -> Self {
        Self { storage }
    }

    /// What is kept of the scatter.
    pub fn storage(&self) -> Storage {
        self.storage
    }
}

impl Sweep for LabelSweep {
    type Stat = LabelStat;

    fn block(&self, block: &Block<'_>) -> Result<LabelStat, Error> {
        block.plain()?;
        let (labels, codes) = present(block)?;
        let memberships = Memberships::Codes(&codes);
        check_classes(self.storage, labels.len(), block.rows().dim())?;
        let moments = Moments::of_block(block, memberships, labels.len(), self.storage)?;
        Ok(LabelStat { labels, moments })
    }
}

/// Refuses more classes than their scatter can be kept for.
pub(crate) fn check_classes(storage: Storage, classes: usize, columns: usize) -> Result<(), Error> {
    match storage.len(classes, columns) {
        Some(len) if len <= SCATTER_MAX => Ok(()),
        _ => Err(Error::TooManyClasses { classes, columns }),
    }
}

/// The labels of a block's rows of positive weight, sorted as text, and each row's place in them.
pub(crate) fn present<'a>(block: &'a Block<'_>) -> Result<(Vec<Label>, Cow<'a, [u32]>), Error> {
    if block.rows().count() == 0 {
        return Ok((Vec::new(), Cow::default()));
    }
    block.label(0)?;
    let labels = block.labels().ok_or(Error::NoLabel { row: block.first_row() })?;
    let mut seen = vec![false; labels.dictionary.len()];
    for (i, &code) in labels.codes.iter().enumerate() {
        match seen.get_mut(code as usize) {
            Some(seen) if block.weight(i) > 0.0 => *seen = true,
            Some(_) => {}
            None => return block.label(i).map(|_| Default::default()),
        }
    }
    let mut order: Vec<usize> = (0..seen.len()).filter(|&code| seen[code]).collect();
    order.sort_by(|&a, &b| labels.dictionary[a].cmp(&labels.dictionary[b]));
    let names = order.iter().map(|&code| labels.dictionary[code].clone()).collect();
    if order.iter().copied().eq(0..seen.len()) {
        return Ok((names, Cow::Borrowed(&labels.codes)));
    }
    let mut place = vec![NO_LABEL; seen.len()];
    for (k, &code) in order.iter().enumerate() {
        place[code] = k as u32;
    }
    Ok((names, labels.codes.iter().map(|&code| place[code as usize]).collect()))
}

/// Moments keyed by label, the labels sorted as text.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelStat {
    pub(crate) labels: Vec<Label>,
    pub(crate) moments: Moments,
}

impl LabelStat {
    /// Puts labels and their moments together.
    ///
    /// # Errors
    /// [`Error::Shape`] when there are not as many of the one as of the other, or the labels are
    /// not sorted.
    pub fn new(labels: Vec<Label>, moments: Moments) -> Result<Self, Error> {
        let sorted = labels.windows(2).all(|pair| pair[0] < pair[1]);
        if !sorted || labels.len() != moments.components() {
            return Err(Error::Shape {
                what: "sorted labels",
                expected: moments.components(),
                found: labels.len(),
            });
        }
        Ok(Self { labels, moments })
    }

    /// Puts labels in any order and their moments together.
    pub(crate) fn unsorted(labels: &[Label], moments: &Moments) -> Self {
        let mut order: Vec<usize> = (0..labels.len()).collect();
        order.sort_by(|&a, &b| labels[a].cmp(&labels[b]));
        let from: Vec<Option<usize>> = order.iter().copied().map(Some).collect();
        let labels = order.into_iter().map(|k| labels[k].clone()).collect();
        Self { labels, moments: moments.arranged(&from) }
    }

    /// The labels, sorted as text.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The moments, in the order of the labels.
    pub fn moments(&self) -> &Moments {
        &self.moments
    }

    /// The same without labels that no row of positive weight has.
    pub(crate) fn without_empty(self) -> Self {
        let kept: Vec<usize> =
            (0..self.labels.len()).filter(|&k| self.moments.weight()[k] > 0.0).collect();
        if kept.len() == self.labels.len() {
            return self;
        }
        let labels = kept.iter().map(|&k| self.labels[k].clone()).collect();
        let from: Vec<Option<usize>> = kept.into_iter().map(Some).collect();
        Self { labels, moments: self.moments.arranged(&from) }
    }

    /// The classes as scikit-learn sorts them, and their moments in that order.
    pub fn sorted(self) -> (Vec<Label>, Moments) {
        let order = crate::data::class_order(&self.labels);
        let labels = order.iter().map(|&k| self.labels[k].clone()).collect();
        let from: Vec<Option<usize>> = order.into_iter().map(Some).collect();
        (labels, self.moments.arranged(&from))
    }
}

impl Merge for LabelStat {
    fn merge(self, later: Self) -> Self {
        if self.labels == later.labels {
            let moments = self.moments.merge(later.moments);
            return Self { labels: self.labels, moments };
        }
        // Nothing summed up yet: its frame says nothing either.
        if self.labels.is_empty() {
            return later;
        }
        if later.labels.is_empty() {
            return self;
        }
        let mut labels = self.labels.clone();
        labels.extend(later.labels.iter().cloned());
        labels.sort();
        labels.dedup();
        let arranged = |stat: &Self| {
            let from: Vec<Option<usize>> =
                labels.iter().map(|label| stat.labels.binary_search(label).ok()).collect();
            stat.moments.arranged(&from)
        };
        let moments = arranged(&self).merge(arranged(&later));
        Self { labels, moments }
    }
}
