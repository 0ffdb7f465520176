//! Fits a classifier to rows of which some have no label: EM in which labels are known \[M63\].

use std::ops::ControlFlow;

use super::first::{First, FirstOf};
use super::partly::{PartlyStat, PartlySweep};
use crate::classify::Classifier;
use crate::cluster::{Criteria, EmSpec, EmState, Ownership};
use crate::covariance::{CovarianceSpec, Priors, Report};
use crate::data::Source;
use crate::decide::Loss;
use crate::error::{Error, ParameterRefusal};
use crate::moments::Moments;
use crate::sweep::{On, run};

/// A classifier of rows of which some had no label, and how its fit went.
#[derive(Debug, Clone, PartialEq)]
pub struct SemiFitted {
    /// The classifier.
    pub classifier: Classifier,
    /// What a user should know about the covariances.
    pub report: Report,
    /// Rows of positive weight.
    pub rows: u64,
    /// Those of them that have no label.
    pub unlabelled_rows: u64,
    /// Weight of the rows that have a label.
    pub labelled: f64,
    /// Weight of those that have none.
    pub unlabelled: f64,
    /// How EM went; none where every row has a label and there was nothing to find out.
    pub em: Option<SemiEm>,
}

/// How EM went with labels that are known.
#[derive(Debug, Clone, PartialEq)]
pub struct SemiEm {
    /// What the first parameters are; none where each class has a mixture of its own.
    pub first: Option<First>,
    /// Where EM ended.
    pub state: EmState,
    /// How well the end fits all rows, with the labels that they have.
    pub criteria: Criteria,
}

/// Fits one Gaussian a class to rows of which some have a label.
///
/// Where every row of positive weight has one this is the supervised fit, to the last bit, and no EM is run;
/// otherwise EM over all rows starts from the labelled ones \[M63\]. `each` is told of every iteration and may
/// end it there.
///
/// # Errors
/// What the source refuses, [`Error::NoLabels`] where no row has a label, [`Error::OneClass`]; what
/// [`EmSpec::check`] refuses, and what the M-step does, by the names of classes and features.
pub fn semi_supervised<S: Source>(
    spec: &EmSpec,
    features: &[String],
    source: &mut S,
    on: On<'_>,
    each: &mut dyn FnMut(&EmState) -> ControlFlow<()>,
) -> Result<SemiFitted, S::Error> {
    let supervised = CovarianceSpec { guard: 0.0, ..spec.covariance.clone() };
    source.rewind()?;
    let stat = run(&PartlySweep::new(supervised.storage()), source, on)?;
    refuse_few(&stat)?;
    if stat.unlabelled_rows() == 0 {
        let labelled = stat.labelled().clone().completed(&supervised, source, on)?;
        let fitted = Classifier::fit(&supervised, &spec.priors, labelled, features)?;
        return Ok(SemiFitted::of(fitted.classifier, fitted.report, &stat, None));
    }
    spec.check()?;
    let (classes, moments) = stat.labelled().clone().sorted();
    let named = |error: Error| error.named(&classes, features);
    refuse_zero(&spec.priors).map_err(named)?;
    let (classes_of, all) = (classes.as_slice(), stat.all());
    let first = FirstOf { spec, classes: classes_of, features, moments: &moments, all };
    let (first, state) = first.best(source, on)?;
    let (state, criteria, after) = joint(state, source, on, each, features)?;
    let report = spec.covariance.estimate(&after, &spec.priors, Some(state.mixture()));
    let report = report.map_err(named)?.report;
    let loss = Loss::zero_one(classes.len());
    let classifier = Classifier::new(state.mixture().clone(), classes, features.to_vec(), loss)?;
    let em = SemiEm { first: Some(first), state, criteria };
    Ok(SemiFitted::of(classifier, report, &stat, Some(em)))
}

/// Refuses rows that name fewer than two classes.
pub(super) fn refuse_few(stat: &PartlyStat) -> Result<(), Error> {
    match stat.labelled().labels() {
        [] if stat.rows() == 0 => Err(Error::NoRows),
        [] => Err(Error::NoLabels { rows: stat.rows() }),
        [class] => Err(Error::OneClass { class: class.to_string() }),
        _ => Ok(()),
    }
}

/// Refuses a class that no row can belong to, as labelled rows do.
pub(super) fn refuse_zero(priors: &Priors) -> Result<(), Error> {
    match priors {
        Priors::Given(given) => match given.iter().position(|prior| *prior == 0.0) {
            Some(component) => {
                Err(Error::Parameter(ParameterRefusal::ZeroPrior { component, class: None }))
            }
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

/// EM to its end, how well that fits, and the moments of the rows there.
pub(super) fn joint<S: Source>(
    mut state: EmState,
    source: &mut S,
    on: On<'_>,
    each: &mut dyn FnMut(&EmState) -> ControlFlow<()>,
    features: &[String],
) -> Result<(EmState, Criteria, Moments), S::Error> {
    while !state.is_done() {
        source.rewind()?;
        let stat = state.partial(source, on)?;
        let names = state.ownership().map_or_else(Vec::new, Ownership::names);
        state.step(&stat).map_err(|error| error.named(&names, features))?;
        if each(&state).is_break() {
            break;
        }
    }
    source.rewind()?;
    let stat = state.partial(source, on)?;
    let criteria = state.criteria(&stat);
    Ok((state, criteria, stat.moments().clone()))
}

impl SemiFitted {
    fn of(classifier: Classifier, report: Report, stat: &PartlyStat, em: Option<SemiEm>) -> Self {
        Self {
            classifier,
            report,
            rows: stat.rows(),
            unlabelled_rows: stat.unlabelled_rows(),
            labelled: stat.labelled().moments().weight().iter().sum(),
            unlabelled: stat.unlabelled(),
            em,
        }
    }
}
