//! Judges specifications for Python, by folds or by leaving each row out.

use gaussbayes::{
    Action, Folds, Judgement, Label, Learner, Loss, Reliability, Table, cross_validate_all,
    each_block, leave_one_out,
};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Matrix, grid};
use crate::failure::Failure;
use crate::input::Input;
use crate::model::costs;
use crate::products::ProductSpec;
use crate::softmax::SoftmaxSpec;
use crate::spec::{PriorsWord, Spec};

/// What came of judging one candidate: its fields, or why it could not be judged.
pub(crate) fn fields<'py>(
    py: Python<'py>,
    judged: &Result<Judgement, gaussbayes::Error>,
) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    let judged = match judged {
        Ok(judged) => judged,
        Err(error) => {
            fields.set_item("failure", PyErr::from(Failure::from(error.clone())))?;
            return Ok(fields);
        }
    };
    let confusion: Vec<f64> = judged.confusion().into_iter().flatten().collect();
    let confusion: Matrix<'py> = grid(py, confusion, judged.actions().len())?;
    let actions = judged.actions().iter().map(|action| match action {
        Action::Class(k) => *k as i64,
        Action::Reject => -1,
    });
    fields.set_item("classes", judged.classes().iter().map(Label::as_str).collect::<Vec<_>>())?;
    fields.set_item("actions", actions.collect::<Vec<_>>())?;
    fields.set_item("confusion", confusion)?;
    fields.set_item("n", judged.n())?;
    fields.set_item("errors", judged.errors())?;
    fields.set_item("rejected", judged.rejected())?;
    fields.set_item("error_rate", judged.error_rate())?;
    fields.set_item("interval", judged.interval())?;
    fields.set_item("log_loss", judged.log_loss())?;
    fields.set_item("brier", judged.brier())?;
    fields.set_item("calibration_error", judged.calibration_error())?;
    let bin = |bin: Reliability| (bin.from, bin.to, bin.weight, bin.confidence, bin.accuracy);
    fields
        .set_item("reliability", judged.reliability().into_iter().map(bin).collect::<Vec<_>>())?;
    fields.set_item("mean_cost", judged.mean_cost())?;
    Ok(fields)
}

/// How a candidate is learnt: Gaussians, a product, or softmax regression.
#[derive(FromPyObject)]
pub(crate) enum Learning<'py> {
    Gaussian(Bound<'py, Spec>),
    Product(Bound<'py, ProductSpec>),
    Softmax(Bound<'py, SoftmaxSpec>),
}

impl Learning<'_> {
    fn learner(&self) -> Learner {
        match self {
            Self::Gaussian(spec) => spec.get().0.clone().into(),
            Self::Product(spec) => spec.get().0.clone().into(),
            Self::Softmax(spec) => spec.get().0.into(),
        }
    }
}

/// What is judged, by the same rows and folds.
pub(crate) struct Candidates {
    pub(crate) all: Vec<gaussbayes::Candidate>,
    pub(crate) loss: Option<Loss>,
}

impl Candidates {
    pub(crate) fn new(
        candidates: Vec<(Learning<'_>, PriorsWord)>,
        losses: Option<PyReadonlyArray2<'_, f64>>,
    ) -> PyResult<Self> {
        let all = candidates
            .into_iter()
            .map(|(learning, priors)| Ok((learning.learner(), priors.priors()?)))
            .collect::<PyResult<_>>()?;
        let loss = losses.map(|losses| costs(&losses)).transpose()?;
        Ok(Self { all, loss })
    }
}

/// Judges candidates by folds: one pass of sums and one of decisions for all of them.
#[pyfunction]
#[pyo3(signature = (
    candidates, x, y, weights, features, *, folds, seed, costs = None,
))]
#[allow(clippy::too_many_arguments, reason = "each is one keyword of the Python function")]
pub(crate) fn judge_by_folds<'py>(
    candidates: Vec<(Learning<'py>, PriorsWord)>,
    x: &Bound<'py, PyAny>,
    y: Option<&Bound<'py, PyAny>>,
    weights: Option<&Bound<'py, PyAny>>,
    features: Vec<String>,
    folds: usize,
    seed: u64,
    costs: Option<PyReadonlyArray2<'_, f64>>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let candidates = Candidates::new(candidates, costs)?;
    let folds = Folds { count: folds, seed };
    let judged = Input::labelled(x, y, weights).over(|source, on| {
        let loss = candidates.loss.as_ref();
        cross_validate_all(&candidates.all, &features, loss, folds, source, on)
    })?;
    judged.iter().map(|judged| fields(x.py(), judged)).collect()
}

/// Judges candidates by leaving each row out in turn. Rows are copied into memory for it.
#[pyfunction]
#[pyo3(signature = (
    candidates, x, y, weights, features, *, costs = None,
))]
#[allow(clippy::too_many_arguments, reason = "each is one keyword of the Python function")]
pub(crate) fn judge_by_rows<'py>(
    candidates: Vec<(Learning<'py>, PriorsWord)>,
    x: &Bound<'py, PyAny>,
    y: Option<&Bound<'py, PyAny>>,
    weights: Option<&Bound<'py, PyAny>>,
    features: Vec<String>,
    costs: Option<PyReadonlyArray2<'_, f64>>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let candidates = Candidates::new(candidates, costs)?;
    let judged = Input::labelled(x, y, weights).over(|source, on| {
        let mut table = Table::default();
        let whole = |block: &gaussbayes::Block<'_>| {
            let mut part = Table::default();
            part.push_block(block);
            Ok(part)
        };
        each_block(source, on, whole, |part| {
            let rows = part.rows();
            table.push_block(&part.block(0..rows)?);
            Ok::<(), Failure>(())
        })?;
        let loss = candidates.loss.as_ref();
        let judge = |(learner, priors): &gaussbayes::Candidate| {
            leave_one_out(learner.gaussian()?, priors, &features, loss, &table, on)
        };
        Ok(candidates.all.iter().map(judge).collect::<Vec<_>>())
    })?;
    judged.iter().map(|judged| fields(x.py(), judged)).collect()
}
