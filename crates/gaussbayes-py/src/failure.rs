//! Maps what can go wrong to Python's exceptions: the one place that does.

use gaussbayes::{Amount, ColumnRefusal, Error, ParameterRefusal, Remedy, Shrinkage};
use gaussbayes_plot::PlotError;
use pyo3::PyErr;
use pyo3::exceptions::{
    PyFileNotFoundError, PyKeyboardInterrupt, PyOSError, PyRuntimeError, PyTypeError, PyValueError,
};

pyo3::import_exception!(numpy.linalg, LinAlgError);

/// What a call can end with.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// What the library refuses.
    #[error("{0}")]
    Core(#[from] Error),
    /// What a step of EM refuses.
    #[error("{0}")]
    Em(Error),
    /// What a step of variational Bayes refuses.
    #[error("{0}")]
    Bayes(Error),
    /// What a figure refuses.
    #[error("{0}")]
    Plot(PlotError),
    /// What reading and writing models refuses.
    #[error("{0}")]
    File(#[from] gaussbayes_io::Error),
    /// A label that is a measurement.
    #[error(
        "Unknown label type: continuous. Maybe you are trying to fit a classifier, which expects \
         discrete classes on a regression target with continuous values: y[{row}] is {value}"
    )]
    Continuous { row: usize, value: f64 },
    /// A label that is no number.
    #[error("Input y contains {}: y[{row}]", not_finite(*value, "float64"))]
    LabelNotFinite { row: usize, value: f64 },
    /// A label that is neither text nor a number.
    #[error("Unknown label type: unknown. Classes are numbers or text, not {kind}")]
    LabelType { kind: String },
    /// Rows, labels and weights that are not equally many.
    #[error(
        "Found input variables with inconsistent numbers of samples: [{}{rows}, {found}]",
        if *more { "at least " } else { "" }
    )]
    Lengths { rows: usize, more: bool, found: usize },
    /// A cell that is no name.
    #[error("a {kind} is no name of a category")]
    NoName { kind: String },
    /// A flag that is neither up nor down.
    #[error("X[{row}, {column}] is {value:?}, where only 0 and 1 are read")]
    NoFlag { row: u64, column: usize, value: f64 },
    /// Labels or weights that are given twice.
    #[error("{what} are given both in a column and beside the rows")]
    GivenTwice { what: &'static str },
    /// An object that lends no Arrow data.
    #[error("an object of type {kind} has no __arrow_c_stream__")]
    NoStream { kind: String },
    /// Arrow data without columns.
    #[error("the stream holds {holds}, not a table")]
    NoTable { holds: String },
    /// A column that is not there.
    #[error("there is no column '{column}'")]
    NoColumn { column: String, nearest: Option<String> },
    /// A column that is named twice.
    #[error("column '{column}' is asked for twice among features, target and weights")]
    ColumnTwice { column: String },
    /// A table whose columns are all spoken for.
    #[error("there is no column left to be a feature")]
    NoFeatures,
    /// A column of something else.
    #[error("column '{column}' holds {holds}, not numbers")]
    NotNumbers { column: String, holds: &'static str },
    /// Columns that were others the first time.
    #[error("the stream has other columns than the first time it was read")]
    ColumnsChanged,
    /// Rows that were fewer the first time.
    #[error("the stream had {before} rows the first time it was read, and has {now} now")]
    RowsChanged { before: u64, now: u64 },
    /// A stream that ended in an error of its producer.
    #[error("the stream broke off after {rows} rows: {message}")]
    Broken { rows: u64, message: String },
    /// Text that no file could hold.
    #[error("a label in y is no valid text: it holds half of a surrogate pair")]
    LabelText,
    /// Arrow data that cannot be taken over.
    #[error("{0}")]
    Arrow(String),
    /// What Python itself raised.
    #[error("{0}")]
    Python(PyErr),
}

impl Failure {
    /// An error of the producer of a stream, by what it said itself.
    pub(crate) fn broken(rows: u64, message: &str) -> Self {
        let said = message.split_once("Producer error: ").map_or(message, |(_, said)| said);
        Self::Broken { rows, message: said.to_owned() }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::NoColumn { nearest, .. } => {
                nearest.as_ref().map(|near| format!("did you mean '{near}'?"))
            }
            Self::NotNumbers { .. } => Some(
                "features and weights are columns of numbers; name those that are meant".into(),
            ),
            Self::NoName { .. } => Some("text, whole numbers and booleans are names".into()),
            Self::NoFlag { .. } => {
                Some("binarize=0.5 reads any number as yes above it, no up to it".into())
            }
            Self::NoStream { .. } => {
                Some("tables of polars, pyarrow, pandas and duckdb have one".into())
            }
            _ => None,
        }
    }
}

impl Failure {
    /// The same with the names of features where the mathematics knew only their numbers.
    pub(crate) fn named(self, features: &[String]) -> Self {
        match self {
            Self::Core(error) => Self::Core(error.named(&[], features)),
            other => other,
        }
    }
}

impl From<PlotError> for Failure {
    fn from(error: PlotError) -> Self {
        match error {
            PlotError::Core(error) => Self::Core(error),
            other => Self::Plot(other),
        }
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Core(error) => core(&error),
            Failure::Em(error) => {
                em(&error, "guard=1e-6 keeps components from collapse, in any unit")
            }
            Failure::Bayes(error) => {
                em(&error, "a covariance_prior keeps components from collapse")
            }
            Failure::File(error) => {
                let text = with_hint(&error.to_string(), error.hint());
                match error.kind() {
                    _ if is_absent(&error) => PyFileNotFoundError::new_err(text),
                    gaussbayes_io::Kind::Failure => PyOSError::new_err(text),
                    _ => PyValueError::new_err(text),
                }
            }
            Failure::Plot(error) => {
                PyValueError::new_err(with_hint(&error.to_string(), error.hint()))
            }
            Failure::Python(error) => error,
            other => {
                let text = with_hint(&other.to_string(), other.hint());
                match other {
                    Failure::Broken { message, .. } if interrupted(&message) => {
                        PyKeyboardInterrupt::new_err(text)
                    }
                    Failure::Broken { .. } => PyRuntimeError::new_err(text),
                    Failure::Arrow(_) | Failure::NoStream { .. } | Failure::NoTable { .. } => {
                        PyTypeError::new_err(text)
                    }
                    _ => PyValueError::new_err(text),
                }
            }
        }
    }
}

/// Whether a file was not there.
fn is_absent(error: &gaussbayes_io::Error) -> bool {
    use gaussbayes_io::{Error, MomentsRefusal};
    match error {
        Error::NoModel { .. } => true,
        Error::Moments(refusal) => matches!(**refusal, MomentsRefusal::NoFile { .. }),
        _ => false,
    }
}

/// Whether a producer stopped at Ctrl-C: a stream passes on no more than the text of what its
/// generator raised, which ends with the exception.
fn interrupted(message: &str) -> bool {
    message.trim_end().lines().next_back().is_some_and(|end| end.starts_with("KeyboardInterrupt"))
}

fn core(error: &Error) -> PyErr {
    let hint = match error.root() {
        Error::Singular(singularity) => singularity.advice(remedy),
        _ => error.hint(),
    };
    let text = with_hint(&worded(error), hint);
    match error.root() {
        Error::Singular(_) | Error::Parameter(ParameterRefusal::Indefinite { .. }) => {
            LinAlgError::new_err(text)
        }
        Error::Threads { .. } => PyRuntimeError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// What a step of EM refuses, with the words that scikit-learn has for it.
fn em(error: &Error, kept: &str) -> PyErr {
    match error {
        Error::Singular(_) => LinAlgError::new_err(with_hint(
            &format!(
                "Fitting the mixture model failed because some components have ill-defined \
                 empirical covariance (for instance caused by singleton or collapsed samples). \
                 Try to decrease the number of components, increase reg_covar, or scale the input \
                 data.\n{error}"
            ),
            Some(kept.into()),
        )),
        Error::Empty { .. } => PyValueError::new_err(with_hint(
            &error.to_string(),
            Some("ask for fewer components, or on_empty='reseed' or 'drop'".into()),
        )),
        other => core(other),
    }
}

/// The places in an error as one writes them in Python, and the words that scikit-learn has for it.
fn worded(error: &Error) -> String {
    match error {
        Error::NotFinite { row, column, value } => {
            format!("Input X contains {}: X[{row}, {column}]", not_finite(*value, "float64"))
        }
        Error::BadWeight { row, value } if !value.is_finite() => {
            format!(
                "Input sample_weight contains {}: sample_weight[{row}]",
                not_finite(*value, "float64")
            )
        }
        Error::BadWeight { row, value } if *value < 0.0 => format!(
            "Negative values in data passed to `sample_weight`: sample_weight[{row}] is {value:?}"
        ),
        Error::BadWeight { row, value } => format!(
            "sample_weight[{row}] is {value:?}, which is neither 0 nor between 1e-150 and 1e150"
        ),
        Error::NoRows => {
            "Sample weights must contain at least one non-zero number: there is no row \
                          with a positive weight"
                .into()
        }
        Error::AllConstant { .. } => format!("All features have zero variance: {error}"),
        Error::Singular(singularity) => {
            let class = singularity.covariances.first().and_then(|one| one.class.as_deref());
            let which = class.map_or("within classes".into(), |class| format!("of class {class}"));
            format!("The covariance matrix {which} is not full rank: {error}")
        }
        Error::NoLabel { row } => format!("Input y contains NaN: y[{row}] names no class"),
        Error::OneClass { class } => format!(
            "The number of classes has to be greater than one. Got 1 class: all rows are of \
             '{class}'"
        ),
        Error::Column(ColumnRefusal::Negative { row, column, value, .. }) => {
            format!("Negative values in data passed to X: X[{row}, {column}] is {value:?}")
        }
        Error::Column(ColumnRefusal::BadCode { row, column, value, .. }) if *value < 0.0 => {
            format!("Negative values in data passed to X: X[{row}, {column}] is {value:?}")
        }
        Error::Column(ColumnRefusal::BadCode { row, column, value, .. }) => {
            format!("X[{row}, {column}] is {value:?}, which is no whole number from 0")
        }
        Error::Column(ColumnRefusal::Unseen { row, column, name, value }) => {
            let column =
                name.as_ref().map_or_else(|| column.to_string(), |name| format!("{name:?}"));
            format!("X[{row}, {column}] is {value:?}, which no row of the fit has")
        }
        Error::Column(ColumnRefusal::Impossible { row }) => {
            format!("X[{row}] has probability zero in every class")
        }
        Error::WithoutRow { row, error } => format!("with row {row} left out: {}", worded(error)),
        other => other.to_string(),
    }
}

/// A remedy in words, and the call that applies it.
fn remedy(remedy: &Remedy, features: &[String]) -> String {
    let words = remedy.text(features);
    let keywords = match remedy {
        Remedy::LeaveOut(_) => return words,
        Remedy::Family(family) => {
            return format!("{words}: GaussianClassifier('{family}')");
        }
        Remedy::Ridge(ridge) => format!("ridge={ridge:e}"),
        Remedy::Range => "on_singular='range'".into(),
        Remedy::Shrink(Shrinkage::Rda { lambda, gamma }) => format!("rda=({lambda}, {gamma})"),
        Remedy::Shrink(Shrinkage::Toward { amount: Amount::Fixed(amount), target }) => {
            format!("shrinkage={amount}, shrink_to='{}'", target.name())
        }
        Remedy::Shrink(_) => "shrinkage='oas'".into(),
    };
    format!("{words}: GaussianClassifier(family, {keywords})")
}

fn not_finite(value: f64, kind: &str) -> String {
    if value.is_nan() {
        "NaN".into()
    } else {
        format!("infinity or a value too large for dtype('{kind}').")
    }
}

fn with_hint(text: &str, hint: Option<String>) -> String {
    match hint {
        Some(hint) => format!("{text}\nhint: {hint}"),
        None => text.to_owned(),
    }
}
