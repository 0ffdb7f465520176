//! Fits candidates to growing parts of the rows or columns, and counts their errors on the same rows.

use super::part::{Split, narrowed, picked, separated};
use super::{ColumnOrder, CurvePoint, CurveSpec, ErrorCurve};
use crate::classify::Classifier;
use crate::data::{Folds, Table};
use crate::error::{Error, FoldRefusal};
use crate::judge::folds::Candidate;
use crate::sweep::{On, Pool, tasks};
use crate::tolerance::{CURVE_EACH, CURVE_LEAST, CURVE_RATIO, FOLDS_MAX};

/// Error of each candidate against the number of rows that it learns from \[M86\].
///
/// In every fold the parts are nested, taken in a seeded order in which each has the classes in the shares of all, and
/// tested on the same rows. Places: those of the specification, or all rows outside of a fold, halved again and again.
///
/// # Errors
/// [`FoldRefusal::Number`] for folds that cannot be made, [`FoldRefusal::Place`] for a number of rows that is not there.
pub fn learning_curve(
    candidates: &[Candidate],
    features: &[String],
    table: &Table,
    how: &CurveSpec,
    on: On<'_>,
) -> Result<ErrorCurve, Error> {
    let splits = splits(table, how)?;
    let most = splits.iter().map(|split| split.learnt.len()).min().unwrap_or(0);
    let least = CURVE_LEAST * table.classes().len();
    let halves = std::iter::successors(Some(most), |size| Some(size / CURVE_RATIO));
    let mut usual: Vec<usize> = halves.take_while(|size| *size >= least.max(1)).collect();
    usual.reverse();
    let at = places(&how.at, usual, "rows", most)?;
    let work = |split: &Split| {
        let tested = picked(table, &split.tested)?;
        let part = |&size: &usize| {
            let learnt = picked(table, &split.learnt[..size])?;
            Ok(errors(candidates, features, &learnt, &tested))
        };
        at.iter().map(part).collect::<Result<Vec<_>, Error>>()
    };
    let by_fold = tasks(splits.len(), table.rows(), on, |i| work(&splits[i]))?;
    Ok(ErrorCurve { points: gathered(by_fold, candidates.len(), at.len()), at })
}

/// Error of each candidate against the number of columns \[M86\].
///
/// Columns join in their order, or by how far each alone sets the classes of the rows that are learnt from apart, so
/// that no test row has a say in it. Places: those of the specification, or each number of few columns.
///
/// # Errors
/// [`FoldRefusal::Number`] for folds that cannot be made, [`FoldRefusal::Place`] for a number of columns or rows that is not
/// there.
pub fn feature_curve(
    candidates: &[Candidate],
    features: &[String],
    table: &Table,
    how: &CurveSpec,
    on: On<'_>,
) -> Result<ErrorCurve, Error> {
    table.block(0..table.rows())?.plain()?;
    let splits = splits(table, how)?;
    let most = splits.iter().map(|split| split.learnt.len()).min().unwrap_or(0);
    if let Some(rows) = how.rows.filter(|rows| !(1..=most).contains(rows)) {
        return Err(FoldRefusal::Place { what: "rows", at: rows, most }.into());
    }
    let grown = |count: &usize| {
        let next = if *count < CURVE_EACH { count + 1 } else { count * 7 / 5 };
        (*count < table.dim).then_some(next.min(table.dim))
    };
    let usual = std::iter::successors(Some(1), grown).collect();
    let at = places(&how.at, usual, "columns", table.dim)?;
    let work = |split: &Split| {
        let learnt = &split.learnt[..how.rows.unwrap_or(split.learnt.len())];
        let (learnt, tested) = (picked(table, learnt)?, picked(table, &split.tested)?);
        let order = match how.order {
            ColumnOrder::Given => (0..table.dim).collect(),
            ColumnOrder::Separation => separated(&learnt)?,
        };
        let part = |&count: &usize| {
            let columns = &order[..count];
            let names: Vec<String> =
                columns.iter().filter_map(|&j| features.get(j)).cloned().collect();
            let (learnt, tested) = (narrowed(&learnt, columns), narrowed(&tested, columns));
            errors(candidates, &names, &learnt, &tested)
        };
        Ok(at.iter().map(part).collect::<Vec<_>>())
    };
    let by_fold = tasks(splits.len(), table.rows(), on, |i| work(&splits[i]))?;
    Ok(ErrorCurve { points: gathered(by_fold, candidates.len(), at.len()), at })
}

/// All folds of all turns.
fn splits(table: &Table, how: &CurveSpec) -> Result<Vec<Split>, Error> {
    let Folds { count, seed } = how.folds;
    let most = FOLDS_MAX.min(table.rows());
    if !(2..=most).contains(&count) {
        return Err(FoldRefusal::Number { folds: count, most: most as u64 }.into());
    }
    let turns =
        (0..u64::from(how.repeat)).map(|turn| Folds { count, seed: seed.wrapping_add(turn) });
    let splits = turns.flat_map(|folds| (0..count).map(move |fold| Split::of(table, folds, fold)));
    Ok(splits.filter(|split| !split.tested.is_empty()).collect())
}

/// The places asked for, in order; the usual ones where none are.
fn places(
    wanted: &[usize],
    usual: Vec<usize>,
    what: &'static str,
    most: usize,
) -> Result<Vec<usize>, Error> {
    let mut at = if wanted.is_empty() { usual } else { wanted.to_vec() };
    at.sort_unstable();
    at.dedup();
    match at.iter().find(|at| !(1..=most).contains(*at)) {
        Some(&at) => Err(FoldRefusal::Place { what, at, most }.into()),
        None => Ok(at),
    }
}

/// Error rates of the candidates, learnt from some rows and tested on others.
fn errors(
    candidates: &[Candidate],
    features: &[String],
    learnt: &Table,
    tested: &Table,
) -> Vec<Result<f64, Error>> {
    let one = |candidate: &Candidate| error_rate(&fit(candidate, features, learnt)?, tested);
    candidates.iter().map(one).collect()
}

fn fit(
    (learner, priors): &Candidate,
    features: &[String],
    table: &Table,
) -> Result<Classifier, Error> {
    // Folds are the tasks of the pool.
    let pool = Pool::new(1)?;
    let learnt = learner.learn(priors, features, &mut table.source(), On::pool(&pool))?;
    Ok(learnt.classifier)
}

/// A class that was not among the rows learnt from is an error by necessity.
fn error_rate(classifier: &Classifier, tested: &Table) -> Result<f64, Error> {
    let block = tested.block(0..tested.rows())?;
    let actions = classifier.actions(&block)?;
    let (mut wrong, mut all) = (0.0, 0.0);
    for (i, &action) in actions.iter().enumerate() {
        all += block.weight(i);
        if classifier.action_label(action) != Some(block.label(i)?) {
            wrong += block.weight(i);
        }
    }
    Ok(wrong / all)
}

/// From folds, places and candidates to candidates and places; the first error of a fold is that of its place.
fn gathered(
    by_fold: Vec<Vec<Vec<Result<f64, Error>>>>,
    candidates: usize,
    places: usize,
) -> Vec<Vec<Result<CurvePoint, Error>>> {
    let mut all: Vec<Vec<Vec<Result<f64, Error>>>> = vec![vec![Vec::new(); places]; candidates];
    for fold in by_fold {
        for (place, errors) in fold.into_iter().enumerate() {
            for (candidate, error) in errors.into_iter().enumerate() {
                all[candidate][place].push(error);
            }
        }
    }
    let point = |folds: Vec<Result<f64, Error>>| {
        folds.into_iter().collect::<Result<Vec<f64>, Error>>().map(CurvePoint::of)
    };
    all.into_iter().map(|places| places.into_iter().map(point).collect()).collect()
}
