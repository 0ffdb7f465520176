//! Takes the words of Python's faces for how covariances and priors are found.

use gaussbayes::{
    Amount, CovarianceSpec, Density, Family, Freedom, OnSingular, Outliers, Pooling, Priors, Ridge,
    Scaling, Shrinkage, Target,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::Failure;

/// How covariances are estimated.
#[pyclass(frozen, module = "gaussbayes._core")]
#[derive(Debug, Clone)]
pub(crate) struct Spec(pub(crate) CovarianceSpec);

/// How far covariances are shrunk: a number, or the name of an automatic rule.
#[derive(FromPyObject)]
enum HowFar {
    Fixed(f64),
    Rule(String),
}

#[pymethods]
impl Spec {
    #[new]
    #[pyo3(signature = (
        family, *, ddof = 0, pooling = "size", shrinkage = None, shrink_to = None,
        rda = None, ridge = 0.0, ridge_of = "each", standardize = false, on_singular = "refuse",
        range_above = 0.0, density = "plug-in", guard = 0.0,
    ))]
    #[allow(clippy::too_many_arguments, reason = "each is one keyword of the Python constructor")]
    fn new(
        family: &str,
        ddof: u32,
        pooling: &str,
        shrinkage: Option<HowFar>,
        shrink_to: Option<&str>,
        rda: Option<(f64, f64)>,
        ridge: f64,
        ridge_of: &str,
        standardize: bool,
        on_singular: &str,
        range_above: f64,
        density: &str,
        guard: f64,
    ) -> PyResult<Self> {
        let target = |usual: Target| match shrink_to {
            Some(word) => named("shrink_to", word, &Target::ALL, Target::name),
            None => Ok(usual),
        };
        // An automatic amount goes toward the diagonal: no unit can change it there.
        let toward =
            |amount, usual| Ok::<_, PyErr>(Shrinkage::Toward { amount, target: target(usual)? });
        if shrinkage.is_none() && shrink_to.is_some() {
            return Err(PyValueError::new_err("shrink_to has no effect without shrinkage"));
        }
        let shrinkage = match (shrinkage, rda) {
            (None, None) => None,
            (None, Some((lambda, gamma))) => Some(Shrinkage::Rda { lambda, gamma }),
            (Some(HowFar::Fixed(amount)), None) => {
                Some(toward(Amount::Fixed(amount), Target::Spherical)?)
            }
            (Some(HowFar::Rule(rule)), None) => match rule.as_str() {
                "auto" => Some(toward(Amount::LedoitWolf, Target::Diagonal)?),
                "oas" => Some(toward(Amount::Oas, Target::Diagonal)?),
                _ => return Err(unknown("shrinkage", &rule, "auto, oas, a number from 0 to 1")),
            },
            (Some(_), Some(_)) => {
                return Err(PyValueError::new_err("give either shrinkage or rda, not both"));
            }
        };
        let ridge = match ridge_of {
            _ if ridge == 0.0 => Ridge::None,
            "each" => Ridge::OfEach(ridge),
            "widest" => Ridge::OfWidest(ridge),
            "raw" => Ridge::Raw(ridge),
            other => return Err(unknown("ridge_of", other, "each, widest, raw")),
        };
        let spec = CovarianceSpec {
            family: by_letters(family)?,
            ddof,
            pooling: named("pooling", pooling, &Pooling::ALL, Pooling::name)?,
            shrinkage,
            ridge,
            guard,
            scaling: if standardize { Scaling::Standardized } else { Scaling::Raw },
            on_singular: match on_singular {
                "refuse" => OnSingular::Refuse,
                "range" => OnSingular::Range { above: range_above },
                other => return Err(unknown("on_singular", other, "refuse, range")),
            },
            density: named("density", density, &Density::ALL, Density::name)?,
        };
        spec.check().map_err(Failure::from)?;
        Ok(Self(spec))
    }

    /// Whether rows must be read twice.
    #[getter]
    fn needs_second_pass(&self) -> bool {
        self.0.needs_second_pass()
    }
}

/// Priors: `"observed"`, `"uniform"`, or one number per class.
#[derive(FromPyObject)]
pub(crate) enum PriorsWord {
    Word(String),
    Given(Vec<f64>),
}

impl PriorsWord {
    /// Those of the rows.
    pub(crate) fn observed() -> Self {
        Self::Word("observed".into())
    }

    /// # Errors
    /// A `ValueError` for another word.
    pub(crate) fn priors(self) -> PyResult<Priors> {
        match self {
            Self::Given(priors) => Ok(Priors::Given(priors)),
            Self::Word(word) if word == "observed" => Ok(Priors::Observed),
            Self::Word(word) if word == "uniform" => Ok(Priors::Uniform),
            Self::Word(word) => Err(unknown("priors", &word, "observed, uniform, numbers")),
        }
    }
}

/// A family by its letters; names of the textbooks are told theirs.
fn by_letters(word: &str) -> PyResult<Family> {
    let letters = match word.to_lowercase().as_str() {
        "qda" => Some("VVV"),
        "lda" => Some("EEE"),
        "naive-bayes" | "diag-qda" => Some("VVI"),
        "diag-lda" => Some("EEI"),
        "nearest-mean" => Some("unit"),
        _ => None,
    };
    match letters {
        Some(letters) => Err(PyValueError::new_err(format!(
            "family '{word}' is known here by its letters\nhint: GaussianClassifier('{letters}')"
        ))),
        None => named("family", word, &Family::ALL, Family::name),
    }
}

/// What is made of outliers: a word, or degrees of freedom.
#[derive(FromPyObject)]
pub(crate) enum OutliersWord {
    Freedom(f64),
    Word(String),
}

impl OutliersWord {
    /// # Errors
    /// A `ValueError` for a word that names nothing.
    pub(crate) fn outliers(word: Option<Self>) -> PyResult<Outliers> {
        match word {
            None => Ok(Outliers::Ignored),
            Some(Self::Freedom(value)) => Ok(Outliers::Student(Freedom::Fixed(value))),
            Some(Self::Word(word)) => match word.as_str() {
                "noise" => Ok(Outliers::Noise),
                "student" => Ok(Outliers::Student(Freedom::Each)),
                "student-common" => Ok(Outliers::Student(Freedom::Common)),
                _ => Err(unknown("outliers", &word, "noise, student, student-common")),
            },
        }
    }
}

/// What a word names.
///
/// # Errors
/// A `ValueError` for a word that names nothing.
pub(crate) fn named<T: Copy>(
    what: &str,
    word: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> PyResult<T> {
    let found = all.iter().copied().find(|one| name(*one).eq_ignore_ascii_case(word));
    found.ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|one| name(*one)).collect();
        let near = gaussbayes_io::nearest(word, names.iter().copied());
        let meant = near.map(|near| format!("\nhint: did you mean '{near}'?")).unwrap_or_default();
        PyValueError::new_err(format!("{what} '{word}' is none of {}{meant}", names.join(", ")))
    })
}

fn unknown(what: &str, word: &str, known: &str) -> PyErr {
    PyValueError::new_err(format!("{what} '{word}' is none of {known}"))
}

/// The keywords of a `GaussianClassifier` that would be estimated like this.
///
/// # Errors
/// What Python raises.
pub(crate) fn keywords<'py>(
    py: Python<'py>,
    spec: &CovarianceSpec,
    priors: &Priors,
) -> PyResult<Bound<'py, PyDict>> {
    let words = PyDict::new(py);
    words.set_item("family", spec.family.name())?;
    words.set_item("ddof", spec.ddof)?;
    words.set_item("pooling", spec.pooling.name())?;
    words.set_item("ridge", spec.ridge.share())?;
    words.set_item("standardize", spec.scaling == Scaling::Standardized)?;
    words.set_item("on_singular", spec.on_singular.name())?;
    words.set_item("density", spec.density.name())?;
    match spec.shrinkage {
        None => {}
        Some(Shrinkage::Rda { lambda, gamma }) => words.set_item("rda", (lambda, gamma))?,
        Some(Shrinkage::Toward { amount, target }) => {
            match amount {
                Amount::Fixed(amount) => words.set_item("shrinkage", amount)?,
                Amount::Oas => words.set_item("shrinkage", "oas")?,
                Amount::LedoitWolf => words.set_item("shrinkage", "auto")?,
            }
            words.set_item("shrink_to", target.name())?;
        }
    }
    match priors {
        Priors::Observed => words.set_item("priors", "observed")?,
        Priors::Uniform => words.set_item("priors", "uniform")?,
        Priors::Given(priors) => words.set_item("priors", priors.clone())?,
    }
    Ok(words)
}
