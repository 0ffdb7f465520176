//! Cross-validates from one pass of statistics: each fold's moments, then everything but it \[M19\].

use super::Judgement;
use crate::classify::Classifier;
use crate::covariance::{CovarianceSpec, Priors};
use crate::data::{Block, Folds, Source};
use crate::decide::Loss;
use crate::error::Error;
use crate::moments::{Merge, Moments, Quartic, Storage, framed};
use crate::sweep::{LabelStat, On, QuarticSweep, Sweep, check_classes, present, run, run_checked};
use crate::tolerance::FOLDS_MAX;

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
        Self { rows: self.rows + later.rows, folds: self.folds.merge(later.folds) }
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

/// Judges each row with every model's classifier of its fold.
struct FoldJudge<'a> {
    folds: Folds,
    /// Model by model, fold by fold.
    models: &'a [Vec<Classifier>],
}

impl Sweep for FoldJudge<'_> {
    type Stat = Vec<Judgement>;

    fn block(&self, block: &Block<'_>) -> Result<Vec<Judgement>, Error> {
        let rows = block.rows().count();
        let folds = self.folds.of_rows(block.first_row(), rows);
        let mut all: Vec<Judgement> =
            self.models.iter().map(|folds| Judgement::new(&folds[0])).collect();
        for fold in 0..self.folds.count {
            let picked: Vec<usize> = (0..rows).filter(|&i| folds[i] == fold).collect();
            if picked.is_empty() {
                continue;
            }
            let block = block.picked(&picked)?;
            for (judgement, classifiers) in all.iter_mut().zip(self.models) {
                judgement.add(&classifiers[fold], &block)?;
            }
        }
        Ok(all)
    }
}

/// What is cross-validated: how covariances and priors are found.
pub type Candidate = (CovarianceSpec, Priors);

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
    let one = [(spec.clone(), priors.clone())];
    let judged = cross_validate_all(&one, features, loss, folds, source, on)?.pop();
    Ok(judged.ok_or(Error::NoRows)??)
}

/// Judges many specifications by the same folds: one pass of statistics and one of decisions for all
/// of them. A specification that cannot be fitted is an error of its own.
///
/// # Errors
/// What is wrong with the rows or the folds, whatever the specification.
pub fn cross_validate_all<S: Source>(
    candidates: &[Candidate],
    features: &[String],
    loss: Option<&Loss>,
    folds: Folds,
    source: &mut S,
    on: On<'_>,
) -> Result<Vec<Result<Judgement, Error>>, S::Error> {
    if !(2..=FOLDS_MAX).contains(&folds.count) {
        return Err(Error::Folds { folds: folds.count, most: FOLDS_MAX as u64 }.into());
    }
    let Some(storage) = candidates.iter().map(|(spec, _)| spec.storage()).reduce(Storage::joined)
    else {
        return Ok(Vec::new());
    };
    let columns = source.dim();
    let sweep = FoldSweep { folds, storage };
    let bounded = |stat: &FoldStat| check_classes(storage, stat.classes(), columns);
    let stat = run_checked(&sweep, source, on, bounded)?;
    if stat.rows < folds.count as u64 {
        return Err(Error::Folds { folds: folds.count, most: stat.rows }.into());
    }
    let mut training = without_each(&stat.folds);
    let all = stat.folds.into_iter().reduce(Merge::merge).ok_or(Error::NoRows)?;
    if all.labels().is_empty() {
        return Err(Error::NoRows.into());
    }
    training.iter().try_for_each(|stat| knows_every_class(stat.as_ref(), &all))?;
    if candidates.iter().any(|(spec, _)| spec.needs_second_pass()) {
        source.rewind()?;
        let sums = run(&QuarticSweep { stat: &all, folds: Some(folds) }, source, on)?;
        for (stat, quartic) in training.iter_mut().zip(without_each::<Quartic>(&sums)) {
            stat.iter_mut().for_each(|stat| stat.moments.quartic.clone_from(&quartic));
        }
    }
    let fit = |(spec, priors): &Candidate| {
        let fold = |(fold, stat): (usize, &Option<LabelStat>)| {
            let stat = stat.clone().ok_or(Error::NoRows)?;
            fit_fold(spec, priors, features, loss, stat)
                .map_err(|error| Error::WithoutFold { fold, error: Box::new(error) })
        };
        training.iter().enumerate().map(fold).collect::<Result<Vec<Classifier>, Error>>()
    };
    let mut fitted = Vec::new();
    let mut outcomes: Vec<Result<(), Error>> = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let outcome = candidate.0.check().and_then(|()| fit(candidate));
        outcomes.push(outcome.map(|classifiers| fitted.push(classifiers)));
    }
    let judged = if fitted.is_empty() {
        Vec::new()
    } else {
        source.rewind()?;
        run(&FoldJudge { folds, models: &fitted }, source, on)?
    };
    let mut judged = judged.into_iter();
    let outcome = |outcome: Result<(), Error>| {
        outcome.and_then(|()| judged.next().ok_or(Error::NoRows)?.checked())
    };
    Ok(outcomes.into_iter().map(outcome).collect())
}

/// # Errors
/// [`Error::ClassInOneFold`] for a class that only the rows left out have.
fn knows_every_class(stat: Option<&LabelStat>, all: &LabelStat) -> Result<(), Error> {
    let known = stat.map_or(&[][..], LabelStat::labels);
    match all.labels().iter().find(|&label| !known.contains(label)) {
        Some(class) => Err(Error::ClassInOneFold { class: class.to_string() }),
        None => Ok(()),
    }
}

/// Fits a classifier to the rows that were not left out.
pub(super) fn fit_fold(
    spec: &CovarianceSpec,
    priors: &Priors,
    features: &[String],
    loss: Option<&Loss>,
    stat: LabelStat,
) -> Result<Classifier, Error> {
    let classifier = Classifier::fit(spec, priors, stat, features)?.classifier;
    match loss {
        Some(loss) => classifier.with_loss(loss.clone()),
        None => Ok(classifier),
    }
}

/// For each part, the merge of all the others: each half is handed what lies outside it.
fn without_each<T: Merge + Clone>(parts: &[T]) -> Vec<Option<T>> {
    let mut into = Vec::with_capacity(parts.len());
    halve(parts, None, &mut into);
    into
}

fn halve<T: Merge + Clone>(parts: &[T], outside: Option<T>, into: &mut Vec<Option<T>>) {
    if parts.len() <= 1 {
        into.push(outside);
        return;
    }
    let (left, right) = parts.split_at(parts.len() / 2);
    let with = |half: &[T]| {
        half.iter().cloned().fold(outside.clone(), |sum, part| match sum {
            Some(sum) => Some(sum.merge(part)),
            None => Some(part),
        })
    };
    halve(left, with(right), into);
    halve(right, with(left), into);
}
