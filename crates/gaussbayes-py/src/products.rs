//! Takes products of densities from Python: what columns hold, sums of them, and models of these.

use gaussbayes::{
    Alpha, Classifier, ColumnKind, Counting, Error, Label, Part, PartStat, ProductSpec as Spec,
    ProductStat, ProductSweep, Ridge, Tally, Training, Unseen, each_block, sort_labels,
};
use gaussbayes_io::Kept;
use numpy::IntoPyArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arrays::{Matrix, Vector, grid};
use crate::failure::Failure;
use crate::input::Input;
use crate::model::Model;
use crate::spec::{PriorsWord, named};

/// Columns of one kind, with what is added to their counts.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct PartWords {
    kind: String,
    columns: Vec<usize>,
    alpha: AlphaWord,
    /// Of flags: the largest number that means no.
    above: f64,
    /// Of codes: how many there are at least, column by column.
    least: Vec<usize>,
    /// Of counts and text: whether they speak against classes, and whether their weights are divided by their sum.
    complement: bool,
    norm: bool,
}

/// One number for all columns, or one for each.
#[derive(FromPyObject)]
enum AlphaWord {
    One(f64),
    Each(Vec<f64>),
}

/// How a product of densities is estimated.
#[pyclass(frozen, module = "gaussbayes._core")]
#[derive(Debug, Clone)]
pub(crate) struct ProductSpec(pub(crate) Spec);

#[pymethods]
impl ProductSpec {
    #[new]
    #[pyo3(signature = (parts, columns, *, unseen = "ignore", ridge = 0.0))]
    fn new(parts: Vec<PartWords>, columns: usize, unseen: &str, ridge: f64) -> PyResult<Self> {
        let parts = parts.into_iter().map(PartWords::part).collect::<PyResult<_>>()?;
        let unseen = named("unseen", unseen, &Unseen::ALL, Unseen::name)?;
        let ridge = if ridge == 0.0 { Ridge::None } else { Ridge::OfEach(ridge) };
        let spec = Spec { parts, unseen, ridge };
        spec.check(columns).map_err(Failure::from)?;
        Ok(Self(spec))
    }

    /// Whether rows must be read twice.
    #[getter]
    #[allow(clippy::unused_self, reason = "a property of Python's, as that of `Spec`")]
    fn needs_second_pass(&self) -> bool {
        false
    }
}

impl PartWords {
    fn part(self) -> PyResult<Part> {
        let counting = if self.complement {
            Counting::Complement { norm: self.norm }
        } else {
            Counting::Multinomial
        };
        let kind = match self.kind.as_str() {
            "number" => ColumnKind::Number,
            "flag" => ColumnKind::Flag { above: self.above },
            "category" => ColumnKind::Category,
            "code" => ColumnKind::Code { least: self.least },
            "count" => ColumnKind::Count(counting),
            "text" => ColumnKind::Text(counting),
            other => {
                let known = "number, flag, category, count, text";
                return Err(PyValueError::new_err(format!("type '{other}' is none of {known}")));
            }
        };
        let alpha = match self.alpha {
            AlphaWord::One(alpha) => Alpha::One(alpha),
            AlphaWord::Each(all) => Alpha::Each(all),
        };
        Ok(Part { columns: self.columns, kind, alpha })
    }
}

/// Sums over labelled rows of any kind of column; adding rows gives a new one, so that a failed call changes nothing.
#[pyclass(frozen, module = "gaussbayes._core")]
#[derive(Debug, Clone)]
pub(crate) struct ProductStatistics {
    training: Training<ProductSweep>,
    /// Classes that there are, whether they have rows or not.
    declared: Vec<Label>,
}

#[pymethods]
impl ProductStatistics {
    /// No rows yet.
    #[new]
    fn new(spec: &ProductSpec, columns: usize) -> Self {
        Self { training: Training::of(ProductSweep::new(&spec.0), columns), declared: Vec::new() }
    }

    /// These rows and more. A stream may have labels and weights in columns of its own.
    #[pyo3(signature = (x, y = None, weights = None))]
    fn added(
        &self,
        x: &Bound<'_, PyAny>,
        y: Option<&Bound<'_, PyAny>>,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (mut training, declared) = (self.training.clone(), self.declared.clone());
        Input::labelled(x, y, weights).over(move |source, on| {
            training.add(source, on)?;
            Ok(Self { training, declared })
        })
    }

    /// Refuses a specification that sums rows up in another way.
    fn check(&self, spec: &ProductSpec) -> PyResult<()> {
        if alike(&spec.0.parts, self.training.sweep().parts()) {
            return Ok(());
        }
        let (held, needed) = ("other columns", "the same columns of the same kinds");
        Err(Failure::from(Error::Storage { held, needed }).into())
    }

    /// The same with classes of which there may be no row.
    fn declaring(&self, classes: Vec<String>) -> Self {
        let declared = classes.into_iter().map(Label::from).collect();
        Self { declared, ..self.clone() }
    }

    /// The classes, in the order of a model's.
    #[getter]
    fn classes(&self) -> PyResult<Vec<String>> {
        let mut labels = self.stat()?.labels().to_vec();
        sort_labels(&mut labels);
        Ok(labels.iter().map(ToString::to_string).collect())
    }

    /// Summed weights, class by class.
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Vector<'py>> {
        let stat = self.stat()?;
        let weights: Vec<f64> = order(&stat).into_iter().map(|k| stat.weight()[k]).collect();
        Ok(weights.into_pyarray(py))
    }

    /// What was counted, part by part: of flags and counts a table of classes by columns, of codes one of classes by
    /// codes for each column, of other kinds nothing.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Option<Bound<'py, PyAny>>>> {
        let stat = self.stat()?;
        let order = order(&stat);
        let parts = self.training.sweep().parts().iter().zip(stat.parts());
        let counts = |(part, stat): (&Part, &PartStat)| match stat {
            PartStat::Flag { above: tally, .. } | PartStat::Count(tally) => {
                Ok(Some(counted(py, tally, &order, part.columns.len())?.into_any()))
            }
            PartStat::Code(tallies) => {
                let table = |tally: &Tally<u32>| {
                    let width = tally.keys().last().map_or(0, |most| *most as usize + 1);
                    counted(py, tally, &order, width)
                };
                let tables = tallies.iter().map(table).collect::<PyResult<Vec<_>>>()?;
                Ok(Some(PyList::new(py, tables)?.into_any()))
            }
            PartStat::Number(_) | PartStat::Category(_) | PartStat::Text(_) => Ok(None),
        };
        parts.map(counts).collect()
    }

    /// Estimates a model.
    #[pyo3(signature = (
        spec, priors, features, *, any_classes = false, target = None, weight = None,
    ))]
    #[allow(clippy::too_many_arguments, reason = "each is one keyword of the Python method")]
    fn model(
        &self,
        py: Python<'_>,
        spec: &ProductSpec,
        priors: PriorsWord,
        features: Vec<String>,
        any_classes: bool,
        target: Option<String>,
        weight: Option<String>,
    ) -> PyResult<Model> {
        let (priors, spec) = (priors.priors()?, spec.0.clone());
        let stat = self.stat()?;
        let fit = if any_classes { Classifier::fit_any_product } else { Classifier::fit_product };
        let fitted = py.detach(|| fit(&spec, &priors, stat, &features)).map_err(Failure::from)?;
        let (classifier, report) = fitted;
        let model = gaussbayes_io::Model {
            classifier,
            spec: spec.into(),
            priors,
            target,
            weights: weight,
            training: Some(Kept::Product(self.training.clone())),
            known: false,
            note: None,
            clustering: None,
            by_em: None,
        };
        Ok(Model::of_product(model, report))
    }
}

impl ProductStatistics {
    fn stat(&self) -> PyResult<ProductStat> {
        let stat = self.training.stat().map_err(Failure::from)?;
        Ok(stat.with_classes(&self.declared))
    }
}

/// Where the classes of a model are among the labels of a statistic.
fn order(stat: &ProductStat) -> Vec<usize> {
    let mut labels = stat.labels().to_vec();
    sort_labels(&mut labels);
    labels.iter().filter_map(|label| stat.labels().binary_search(label).ok()).collect()
}

/// What was counted of each key below `width`, class by class.
fn counted<'py>(
    py: Python<'py>,
    tally: &Tally<u32>,
    order: &[usize],
    width: usize,
) -> PyResult<Matrix<'py>> {
    let mut table = vec![0.0; order.len() * width];
    for (&key, sums) in tally.iter() {
        for (row, &class) in order.iter().enumerate() {
            table[row * width + key as usize] = sums[class];
        }
    }
    grid(py, table, width)
}

/// Whether rows are summed up in the same way for both; how sums are smoothed is no matter.
fn alike(one: &[Part], other: &[Part]) -> bool {
    let same = |(one, other): (&Part, &Part)| {
        let kinds = match (&one.kind, &other.kind) {
            (ColumnKind::Flag { above: one }, ColumnKind::Flag { above: other }) => one == other,
            (one, other) => one.name() == other.name(),
        };
        kinds && one.columns == other.columns
    };
    one.len() == other.len() && one.iter().zip(other).all(same)
}

/// What the sums behind a model hold, where it has some and they are of a product.
#[pyfunction]
pub(crate) fn product_statistics(model: &Model) -> Option<ProductStatistics> {
    match &model.inner.training {
        Some(Kept::Product(training)) => {
            Some(ProductStatistics { training: training.clone(), declared: Vec::new() })
        }
        _ => None,
    }
}

/// How the fit of a product went: numbers of parameters, columns that say nothing, and how many names others have.
#[pyfunction]
pub(crate) fn product_report<'py>(
    py: Python<'py>,
    model: &Model,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let Some(report) = &model.product else { return Ok(None) };
    let fields = PyDict::new(py);
    fields.set_item("parameters", report.parameters)?;
    let silent = report.silent.iter().map(|(column, why)| (*column, why.text()));
    fields.set_item("silent", silent.collect::<Vec<_>>())?;
    fields.set_item("names", &report.names)?;
    Ok(Some(fields))
}

/// Refuses rows that hold anything but 0 and 1.
#[pyfunction]
pub(crate) fn only_flags(x: &Bound<'_, PyAny>) -> PyResult<()> {
    Input::rows(x).over(|source, on| {
        let first = |block: &gaussbayes::Block<'_>| {
            let rows = block.rows();
            let mut row = vec![0.0; rows.dim()];
            Ok((0..rows.count()).find_map(|i| {
                rows.read(i, &mut row);
                let column = row.iter().position(|value| *value != 0.0 && *value != 1.0)?;
                Some((block.first_row() + i as u64, column, row[column]))
            }))
        };
        each_block(source, on, first, |found| match found {
            Some((row, column, value)) => Err(Failure::NoFlag { row, column, value }),
            None => Ok(()),
        })
    })
}
