//! Gives Python classifiers that EM has a part in: rows without labels, and a mixture per class.

use std::ops::ControlFlow;

use gaussbayes::{
    Block, Cell, ClassMixture, CovarianceSpec, Criterion, Cut, EmState, Label, MixturesSpec,
    PartlySweep, SearchSpec, Source, Storage, mixture_per_class as per_class, run,
    semi_supervised as semi,
};
use gaussbayes_io::{ByEm, OfClass};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::Failure;
use crate::input::{AnySource, Input};
use crate::mixtures::EmSpec;
use crate::model::Model;
use crate::search::{cells as cells_of, fields, starts as starts_of};
use crate::spec::{PriorsWord, Spec, named};

/// Which rows have no label: those of one label, beside those that have none; none may where that is not said.
#[derive(Debug, Clone)]
enum Mark {
    Nothing,
    Missing,
    Label(Label),
}

impl Mark {
    fn of(partly: bool, mark: Option<String>) -> Self {
        match (partly, mark) {
            (false, _) => Self::Nothing,
            (true, None) => Self::Missing,
            (true, Some(text)) => Self::Label(Label::from(text)),
        }
    }
}

/// Rows of a source, those of one label without any.
struct Marked<'a, 'b> {
    source: &'a mut AnySource<'b>,
    mark: Mark,
}

struct MarkedCut<C> {
    cut: C,
    mark: Mark,
}

impl<'b> Source for Marked<'_, 'b> {
    type Cut = MarkedCut<<AnySource<'b> as Source>::Cut>;
    type Error = Failure;

    fn dim(&self) -> usize {
        self.source.dim()
    }

    fn is_held(&self) -> bool {
        self.source.is_held()
    }

    fn next(&mut self, rows: usize) -> Result<Option<Self::Cut>, Failure> {
        Ok(self.source.next(rows)?.map(|cut| MarkedCut { cut, mark: self.mark.clone() }))
    }

    fn rewind(&mut self) -> Result<(), Failure> {
        self.source.rewind()
    }
}

impl<C: Cut<Error = Failure>> Cut for MarkedCut<C> {
    type Error = Failure;

    fn decode(&self) -> Result<Block<'_>, Failure> {
        let block = self.cut.decode()?;
        match &self.mark {
            Mark::Label(mark) => Ok(block.unlabelled(mark)),
            Mark::Missing => Ok(block),
            Mark::Nothing => {
                for i in 0..block.rows().count() {
                    block.label(i)?;
                }
                Ok(block)
            }
        }
    }
}

/// The classes of rows of which some may have no label, in the order of a model's.
#[pyfunction]
#[pyo3(signature = (x, y, weights, *, partly, mark = None))]
pub(crate) fn classes_of(
    x: &Bound<'_, PyAny>,
    y: Option<&Bound<'_, PyAny>>,
    weights: Option<&Bound<'_, PyAny>>,
    partly: bool,
    mark: Option<String>,
) -> PyResult<Vec<String>> {
    let mark = Mark::of(partly, mark);
    let stat = Input::labelled(x, y, weights).over(|source, on| {
        run(&PartlySweep::new(Storage::Spherical), &mut Marked { source, mark }, on)
    })?;
    let (labels, _) = stat.labelled().clone().sorted();
    if labels.is_empty() {
        let refusal = match stat.rows() {
            0 => gaussbayes::Error::NoRows,
            rows => gaussbayes::Error::NoLabels { rows },
        };
        return Err(Failure::from(refusal).into());
    }
    Ok(labels.iter().map(ToString::to_string).collect())
}

/// Fits one Gaussian a class to rows of which some have no label; how EM went is in the model.
#[pyfunction]
#[pyo3(signature = (spec, priors, features, x, y, weights, *, mark = None, target = None, weight = None))]
#[allow(clippy::too_many_arguments, reason = "each is one argument of the Python function")]
pub(crate) fn semi_supervised(
    spec: &Spec,
    priors: PriorsWord,
    features: Vec<String>,
    x: &Bound<'_, PyAny>,
    y: Option<&Bound<'_, PyAny>>,
    weights: Option<&Bound<'_, PyAny>>,
    mark: Option<String>,
    target: Option<String>,
    weight: Option<String>,
) -> PyResult<(Model, Vec<String>)> {
    let (mark, priors) = (Mark::of(true, mark), priors.priors()?);
    let usual = gaussbayes::EmSpec::from(spec.0.family);
    let guard = usual.covariance.guard;
    let covariance = CovarianceSpec { guard, ..spec.0.clone() };
    let own = gaussbayes::EmSpec { covariance, priors: priors.clone(), ..usual };
    let found = Input::labelled(x, y, weights).over(|source, on| {
        let each = &mut |_: &EmState| ControlFlow::Continue(());
        semi(&own, &features, &mut Marked { source, mark }, on, each)
    })?;
    let covariance = if found.em.is_some() { own.covariance } else { spec.0.clone() };
    let parameters = found.em.as_ref().map_or(found.report.parameters, |em| em.state.parameters());
    let (counts, weight_of) =
        ((found.rows, found.unlabelled_rows), found.labelled + found.unlabelled);
    let record = ByEm::of(counts, weight_of, parameters, found.em.as_ref());
    let notes = found.em.as_ref().map_or_else(Vec::new, ByEm::warnings);
    let model = gaussbayes_io::Model {
        classifier: found.classifier,
        spec: covariance.into(),
        priors,
        target,
        weights: weight,
        training: None,
        known: false,
        note: None,
        clustering: None,
        by_em: Some(record),
    };
    Ok((Model::new(model, Some(found.report)), notes))
}

/// The model, what was tried for each class, which of that was chosen, and warnings.
type MixturesFound<'py> = (Model, Vec<Vec<Bound<'py, PyDict>>>, Vec<usize>, Vec<String>);

/// Fits a mixture to every class; returns the model, what was tried for each class, and what to warn of.
#[pyfunction]
#[pyo3(signature = (
    spec, cells, own, starts, x, y, weights, *, seed, criterion, priors, features, partly, mark = None,
    target = None, weight = None,
))]
#[allow(clippy::too_many_arguments, reason = "each is one argument of the Python function")]
pub(crate) fn mixture_per_class<'py>(
    spec: &EmSpec,
    cells: Vec<(usize, String)>,
    own: Vec<(String, Vec<(usize, String)>)>,
    starts: Vec<(String, u64)>,
    x: &Bound<'py, PyAny>,
    y: Option<&Bound<'py, PyAny>>,
    weights: Option<&Bound<'py, PyAny>>,
    seed: u64,
    criterion: &str,
    priors: PriorsWord,
    features: Vec<String>,
    partly: bool,
    mark: Option<String>,
    target: Option<String>,
    weight: Option<String>,
) -> PyResult<MixturesFound<'py>> {
    let (mark, priors) = (Mark::of(partly, mark), priors.priors()?);
    let criterion = named("criterion", criterion, &Criterion::ALL, Criterion::name)?;
    let search = SearchSpec {
        cells: cells_of(cells)?,
        spec: spec.0.clone(),
        runs: starts_of(starts)?,
        seed,
        criterion,
        features,
    };
    let own: Vec<(Label, Vec<Cell>)> = own
        .into_iter()
        .map(|(class, cells)| Ok((Label::from(class), cells_of(cells)?)))
        .collect::<PyResult<_>>()?;
    let wish = MixturesSpec { search, own, priors: priors.clone() };
    let found = Input::labelled(x, y, weights)
        .over(|source, on| per_class(&wish, &mut Marked { source, mark }, on))?;
    let (counts, weight_of) =
        ((found.rows, found.unlabelled_rows), found.labelled + found.unlabelled);
    let mut record = ByEm::of(counts, weight_of, found.parameters, found.em.as_ref());
    let of = |class: &ClassMixture| OfClass {
        family: class.best().cell.family,
        value: class.best().value(criterion).unwrap_or(f64::NAN),
    };
    record.classes = found.classes.iter().map(of).collect();
    record.criterion = Some(criterion);
    let mut said = Vec::new();
    for class in &found.classes {
        said.extend(class.best().note().map(|note| format!("class {}: {note}", class.class)));
        let late = class.best().state.as_ref().filter(|state| !state.converged());
        said.extend(late.map(|_| format!("class {}: EM did not converge", class.class)));
    }
    said.extend(found.em.as_ref().map_or_else(Vec::new, ByEm::warnings));
    let py = x.py();
    let table = |class: &ClassMixture| {
        class.search.entries().iter().map(|entry| fields(py, entry)).collect::<PyResult<Vec<_>>>()
    };
    let tables = found.classes.iter().map(table).collect::<PyResult<Vec<_>>>()?;
    let chosen = found.classes.iter().map(|class| class.chosen).collect();
    let model = gaussbayes_io::Model {
        classifier: found.classifier,
        spec: wish.search.spec.covariance.into(),
        priors,
        target,
        weights: weight,
        training: None,
        known: false,
        note: None,
        clustering: None,
        by_em: Some(record),
    };
    Ok((Model::new(model, None), tables, chosen, said))
}
