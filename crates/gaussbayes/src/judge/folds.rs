//! Judges rows by classifiers that were fitted without their fold \[M19\].

use super::fold_fits::fit_folds;
use super::{HeldOut, Judgement};
use crate::classify::Classifier;
use crate::covariance::Priors;
use crate::data::{Block, Folds, Source};
use crate::decide::Loss;
use crate::error::Error;
use crate::learner::Learner;
use crate::moments::Merge;
use crate::sweep::{On, Sweep, run};

/// Judges each row with every model's classifier of its fold.
struct FoldJudge<'a> {
    folds: Folds,
    /// Model by model, fold by fold.
    models: &'a [Vec<Classifier>],
}

/// What came of judging with one model: rows that it refuses are its own failure.
struct Outcome(Result<Judgement, Error>);

impl Merge for Outcome {
    fn merge(self, later: Self) -> Self {
        Self(self.0.and_then(|judged| Ok(judged.merge(later.0?))))
    }
}

impl Sweep for FoldJudge<'_> {
    type Stat = Vec<Outcome>;

    fn block(&self, block: &Block<'_>) -> Result<Vec<Outcome>, Error> {
        let rows = block.rows().count();
        let folds = self.folds.of_rows(block.first_row(), rows);
        let mut all: Vec<Outcome> =
            self.models.iter().map(|folds| Outcome(Ok(Judgement::new(&folds[0])))).collect();
        for fold in 0..self.folds.count {
            let picked: Vec<usize> = (0..rows).filter(|&i| folds[i] == fold).collect();
            if picked.is_empty() {
                continue;
            }
            let block = block.picked(&picked)?;
            for (outcome, classifiers) in all.iter_mut().zip(self.models) {
                let Outcome(Ok(judgement)) = outcome else { continue };
                let mut part = Judgement::new(&classifiers[fold]);
                match part.add(&classifiers[fold], &block) {
                    Ok(()) => judgement.absorb(part.of_fold(self.folds.seed, fold)),
                    Err(error) => *outcome = Outcome(Err(error)),
                }
            }
        }
        Ok(all)
    }
}

/// What is cross-validated: how a classifier is learnt, and its priors.
pub type Candidate = (Learner, Priors);

/// Judges a learner by folds: one pass of statistics, one of decisions; softmax regression takes more, in which all folds
/// are fitted at once.
///
/// # Errors
/// [`FoldRefusal::Number`](crate::FoldRefusal::Number) for fewer than two folds or rows than folds, [`FoldRefusal::ClassInOne`](crate::FoldRefusal::ClassInOne) for a
/// class that cannot be learnt without one of them, and what the fit of a fold refuses.
pub fn cross_validate<S: Source>(
    learner: impl Into<Learner>,
    priors: &Priors,
    features: &[String],
    loss: Option<&Loss>,
    folds: Folds,
    source: &mut S,
    on: On<'_>,
) -> Result<Judgement, S::Error> {
    let one = [(learner.into(), priors.clone())];
    let judged = cross_validate_all(&one, features, loss, folds, source, on)?.pop();
    Ok(judged.ok_or(Error::NoRows)??)
}

/// Judges many learners by the same folds: one pass of statistics and one of decisions for all of them, beside the
/// passes of each softmax regression. A learner that cannot be fitted is an error of its own.
///
/// # Errors
/// What is wrong with the rows or the folds, whatever the learner.
pub fn cross_validate_all<S: Source>(
    candidates: &[Candidate],
    features: &[String],
    loss: Option<&Loss>,
    folds: Folds,
    source: &mut S,
    on: On<'_>,
) -> Result<Vec<Result<Judgement, Error>>, S::Error> {
    let mut fitted = Vec::new();
    let mut outcomes: Vec<Result<(), Error>> = Vec::with_capacity(candidates.len());
    for outcome in fit_folds(candidates, features, loss, folds, source, on)? {
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
        outcome.and_then(|()| judged.next().ok_or(Error::NoRows)?.0?.checked())
    };
    Ok(outcomes.into_iter().map(outcome).collect())
}

/// Scores every row by the classifier of its fold, which has not seen it \[M84\]: numbers that grow with the rows.
///
/// # Errors
/// As [`cross_validate`].
pub fn out_of_fold<S: Source>(
    candidate: &Candidate,
    features: &[String],
    folds: Folds,
    source: &mut S,
    on: On<'_>,
) -> Result<HeldOut, S::Error> {
    let one = std::slice::from_ref(candidate);
    let fitted = fit_folds(one, features, None, folds, source, on)?.pop();
    let classifiers = fitted.ok_or(Error::NoRows)??;
    source.rewind()?;
    run(&FoldScores { folds, classifiers: &classifiers }, source, on)
}

/// Scores each row with the classifier of its fold.
struct FoldScores<'a> {
    folds: Folds,
    classifiers: &'a [Classifier],
}

impl Sweep for FoldScores<'_> {
    type Stat = HeldOut;

    fn block(&self, block: &Block<'_>) -> Result<HeldOut, Error> {
        let folds = self.folds.of_rows(block.first_row(), block.rows().count());
        // A block may have no rows at all.
        let fold = |i: usize| folds.get(i).copied().unwrap_or(0);
        HeldOut::of_block(block, |i| &self.classifiers[fold(i)])
    }
}
