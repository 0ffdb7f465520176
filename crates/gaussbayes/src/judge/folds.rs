//! Cross-validates from one pass of statistics: each fold's moments, then everything but it \[M19\].

use super::Judgement;
use crate::classify::Classifier;
use crate::covariance::{CovarianceSpec, Priors};
use crate::data::{Block, Source};
use crate::decide::Loss;
use crate::error::Error;
use crate::moments::{Merge, Moments, Storage, framed};
use crate::rng::Random;
use crate::sweep::{LabelStat, On, Sweep, check_classes, present, run, run_checked};
use crate::tolerance::FOLDS_MAX;

/// Which fold a row is in: a seeded permutation within each run of as many rows as folds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Folds {
    /// Number of folds.
    pub count: usize,
    /// Seed of the permutations.
    pub seed: u64,
}

impl Folds {
    /// The folds of `rows` rows from row number `first`.
    fn of_rows(&self, first: u64, rows: usize) -> Vec<usize> {
        let (count, end) = (self.count as u64, first + rows as u64);
        let runs = first / count..end.div_ceil(count);
        let skipped = (first % count) as usize;
        let folds = runs.flat_map(|run| Random::new(self.seed, run).permutation(self.count));
        folds.skip(skipped).take(rows).collect()
    }
}

/// Moments of each fold.
struct FoldSweep {
    folds: Folds,
    storage: Storage,
}

struct FoldStat {
    rows: u64,
    folds: Vec<LabelStat>,
}

impl FoldStat {
    /// Classes, counted once in each fold that has them.
    fn classes(&self) -> usize {
        self.folds.iter().map(|fold| fold.labels().len()).sum()
    }
}

impl Merge for FoldStat {
    fn merge(self, later: Self) -> Self {
        let folds = self.folds.into_iter().zip(later.folds).map(|(a, b)| a.merge(b)).collect();
        Self { rows: self.rows + later.rows, folds }
    }
}

impl Sweep for FoldSweep {
    type Stat = FoldStat;

    fn block(&self, block: &Block<'_>) -> Result<FoldStat, Error> {
        let (labels, codes) = present(block)?;
        let rows = block.rows().count();
        let mut groups = vec![vec![Vec::new(); labels.len()]; self.folds.count];
        for (i, fold) in self.folds.of_rows(block.first_row(), rows).into_iter().enumerate() {
            if block.weight(i) > 0.0 {
                groups[fold][codes[i] as usize].push((i, block.weight(i)));
            }
        }
        let occupied = groups.iter().flatten().filter(|group| !group.is_empty()).count();
        check_classes(self.storage, occupied, block.rows().dim())?;
        let (frame, framed) = framed(block);
        let stat = |groups: &Vec<Vec<(usize, f64)>>| {
            let moments = Moments::of_framed(&frame, &framed, groups, self.storage);
            LabelStat { labels: labels.clone(), moments }.without_empty()
        };
        Ok(FoldStat { rows: rows as u64, folds: groups.iter().map(stat).collect() })
    }
}

/// Judges each row with the classifier of its fold.
struct FoldJudge<'a> {
    folds: Folds,
    classifiers: &'a [Classifier],
}

impl Sweep for FoldJudge<'_> {
    type Stat = Judgement;

    fn block(&self, block: &Block<'_>) -> Result<Judgement, Error> {
        let rows = block.rows().count();
        let folds = self.folds.of_rows(block.first_row(), rows);
        let mut judgement = Judgement::new(&self.classifiers[0]);
        for (fold, classifier) in self.classifiers.iter().enumerate() {
            let picked: Vec<usize> = (0..rows).filter(|&i| folds[i] == fold).collect();
            if !picked.is_empty() {
                judgement.add(classifier, &block.picked(&picked)?)?;
            }
        }
        Ok(judgement)
    }
}

/// Judges a specification by folds: one pass of statistics, one of decisions.
///
/// # Errors
/// [`Error::Folds`] for fewer than two folds or rows than folds, [`Error::ClassInOneFold`] for a
/// class that cannot be learnt without one of them, and what the fit of a fold refuses.
pub fn cross_validate<S: Source>(
    spec: &CovarianceSpec,
    priors: &Priors,
    features: &[String],
    loss: Option<&Loss>,
    folds: Folds,
    source: &mut S,
    on: On<'_>,
) -> Result<Judgement, S::Error> {
    if !(2..=FOLDS_MAX).contains(&folds.count) {
        return Err(Error::Folds { folds: folds.count, most: FOLDS_MAX as u64 }.into());
    }
    let (storage, columns) = (spec.storage(), source.dim());
    let sweep = FoldSweep { folds, storage };
    let bounded = |stat: &FoldStat| check_classes(storage, stat.classes(), columns);
    let stat = run_checked(&sweep, source, on, bounded)?;
    if stat.rows < folds.count as u64 {
        return Err(Error::Folds { folds: folds.count, most: stat.rows }.into());
    }
    let mut training = Vec::with_capacity(folds.count);
    without_each(&stat.folds, None, &mut training);
    let all = stat.folds.into_iter().reduce(Merge::merge).ok_or(Error::NoRows)?;
    let classifiers = training
        .into_iter()
        .map(|stat| fit_fold(spec, priors, features, loss, stat, &all))
        .collect::<Result<Vec<Classifier>, Error>>()?;
    source.rewind()?;
    Ok(run(&FoldJudge { folds, classifiers: &classifiers }, source, on)?.checked()?)
}

/// Fits the classifier of one fold, which must know every class.
pub(super) fn fit_fold(
    spec: &CovarianceSpec,
    priors: &Priors,
    features: &[String],
    loss: Option<&Loss>,
    stat: Option<LabelStat>,
    all: &LabelStat,
) -> Result<Classifier, Error> {
    let known = stat.as_ref().map_or(&[][..], LabelStat::labels);
    if let Some(class) = all.labels().iter().find(|&label| !known.contains(label)) {
        return Err(Error::ClassInOneFold { class: class.to_string() });
    }
    let stat = stat.ok_or(Error::NoRows)?;
    let classifier = Classifier::fit(spec, priors, stat, features)?.classifier;
    match loss {
        Some(loss) => classifier.with_loss(loss.clone()),
        None => Ok(classifier),
    }
}

/// For each part, the merge of all the others: each half is handed what lies outside it.
fn without_each(
    parts: &[LabelStat],
    outside: Option<LabelStat>,
    into: &mut Vec<Option<LabelStat>>,
) {
    if parts.len() <= 1 {
        into.push(outside);
        return;
    }
    let (left, right) = parts.split_at(parts.len() / 2);
    let with = |half: &[LabelStat]| {
        half.iter().cloned().fold(outside.clone(), |sum, part| Some(joined(sum, part)))
    };
    without_each(left, with(right), into);
    without_each(right, with(left), into);
}

/// Merges where there is something to merge with.
pub(super) fn joined(earlier: Option<LabelStat>, later: LabelStat) -> LabelStat {
    match earlier {
        Some(earlier) => earlier.merge(later),
        None => later,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_of_rows_has_each_fold_once_wherever_blocks_begin() {
        let folds = Folds { count: 10, seed: 7 };
        let all = folds.of_rows(0, 95);
        for run in all.chunks_exact(10) {
            let mut sorted = run.to_vec();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..10).collect::<Vec<_>>());
        }
        for first in [1, 9, 10, 37] {
            assert_eq!(folds.of_rows(first as u64, 95 - first), all[first..]);
        }
        assert_ne!(all[..10], all[10..20]);
    }
}
