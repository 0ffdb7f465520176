//! Gives Python tables in files, by the readers that the command has.

use gaussbayes::{Block, Cut, Source};
use gaussbayes_io::{ColumnType, Columns, Data, DataCut, Entries, Na, Quote, Reading, Types};
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::Failure;
use crate::spec::named;

/// One table in one or several files, opened anew for every pass over it.
#[pyclass(frozen, module = "gaussbayes._core")]
#[derive(Debug)]
pub(crate) struct Files {
    names: Vec<String>,
    columns: Columns,
    reading: Reading,
    features: Vec<String>,
    types: Option<Vec<ColumnType>>,
    notes: Vec<String>,
}

#[pymethods]
impl Files {
    #[new]
    #[pyo3(signature = (names, reading, *, target = None, weights = None, features = None, drop = None, kinds = None, declared = None))]
    #[allow(clippy::too_many_arguments, reason = "each is a keyword of its own in Python")]
    fn new(
        names: Vec<String>,
        reading: &Bound<'_, PyDict>,
        target: Option<String>,
        weights: Option<String>,
        features: Option<Vec<String>>,
        drop: Option<Vec<String>>,
        kinds: Option<Vec<String>>,
        declared: Option<Vec<(String, String)>>,
    ) -> PyResult<Self> {
        let kind = |word: &String| named("type", word, &ColumnType::ALL, ColumnType::name);
        let types = match (kinds, declared) {
            (Some(kinds), _) => {
                Types::Given(kinds.iter().map(kind).collect::<PyResult<Vec<ColumnType>>>()?)
            }
            (None, Some(declared)) => {
                let declared = declared.iter().map(|(name, word)| Ok((name.clone(), kind(word)?)));
                Types::Recognised(declared.collect::<PyResult<_>>()?)
            }
            (None, None) => Types::Plain,
        };
        // Names that were learnt are meant as they are, whatever they look like.
        let entries = if features.is_some() { Entries::Names } else { Entries::NamesOrPlaces };
        let columns = Columns {
            features: features.unwrap_or_default(),
            drop: drop.unwrap_or_default(),
            target,
            weights,
            entries,
            types,
            ..Columns::default()
        };
        let reading = asked(reading)?;
        let data = opened(&names, &columns, &reading)?;
        let (features, notes) = (data.features().to_vec(), data.findings().notes());
        let types = data.types().map(<[_]>::to_vec);
        Ok(Self { names, columns, reading, features, types, notes })
    }

    /// Names of the features, in the order in which rows have them.
    #[getter]
    fn features(&self) -> Vec<&str> {
        self.features.iter().map(String::as_str).collect()
    }

    /// What the features hold, where any type will do.
    #[getter]
    fn kinds(&self) -> Option<Vec<&'static str>> {
        let types = self.types.as_ref()?;
        Some(types.iter().map(|kind| kind.name()).collect())
    }

    /// What was found out about how the files are written.
    #[getter]
    fn notes(&self) -> Vec<&str> {
        self.notes.iter().map(String::as_str).collect()
    }
}

impl Files {
    /// Begins a pass.
    ///
    /// # Errors
    /// What is wrong with the files.
    pub(crate) fn open(&self) -> Result<FilesSource, Failure> {
        Ok(FilesSource(opened(&self.names, &self.columns, &self.reading)?))
    }
}

fn opened(names: &[String], columns: &Columns, reading: &Reading) -> Result<Data, Failure> {
    Ok(Data::open(names, columns, reading, 1)?)
}

/// How files are read, by the names that the command has for it.
fn asked(options: &Bound<'_, PyDict>) -> PyResult<Reading> {
    let mut reading = Reading::default();
    for (key, value) in options.iter().filter(|(_, value)| !value.is_none()) {
        let key: String = key.extract()?;
        match key.as_str() {
            "delimiter" => reading.delimiter = Some(character(&key, &value)?),
            "quote" if value.extract::<String>()?.is_empty() => reading.quote = Some(Quote::No),
            "quote" => reading.quote = Some(Quote::By(character(&key, &value)?)),
            "decimal" => reading.decimal = Some(character(&key, &value)?),
            "header" => reading.header = Some(value.extract()?),
            "names" => reading.names = value.extract()?,
            "na_words" => reading.missing = Some(value.extract()?),
            "na" => reading.na = named("na", &value.extract::<String>()?, &Na::ALL, Na::name)?,
            _ => return Err(PyValueError::new_err(format!("there is no option '{key}'"))),
        }
    }
    Ok(reading)
}

fn character(key: &str, value: &Bound<'_, PyAny>) -> PyResult<u8> {
    match value.extract::<String>()?.as_bytes() {
        &[byte] if byte.is_ascii() => Ok(byte),
        _ => Err(PyValueError::new_err(format!("{key} is one character of ASCII"))),
    }
}

/// A pass over files.
#[derive(Debug)]
pub(crate) struct FilesSource(Data);

impl FilesSource {
    /// Says how many rows were left out so far; what is called afterwards, once the pass is over.
    pub(crate) fn left_out(&self) -> impl Fn(Python<'_>) -> PyResult<()> + use<> {
        let findings = self.0.findings();
        move |py| {
            let rows = findings.dropped();
            if rows == 0 {
                return Ok(());
            }
            let s = if rows == 1 { "" } else { "s" };
            let text = format!("{rows} row{s} with missing values left out\0");
            let text = std::ffi::CStr::from_bytes_with_nul(text.as_bytes());
            let text = text.expect("invariant: a number and words hold no NUL");
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), text, 2)
        }
    }
}

impl Source for FilesSource {
    type Cut = FilesCut;
    type Error = Failure;

    fn dim(&self) -> usize {
        self.0.dim()
    }

    fn next(&mut self, rows: usize) -> Result<Option<FilesCut>, Failure> {
        Ok(self.0.next(rows)?.map(FilesCut))
    }

    fn rewind(&mut self) -> Result<(), Failure> {
        Ok(self.0.rewind()?)
    }
}

/// A cut of a pass over files.
#[derive(Debug)]
pub(crate) struct FilesCut(DataCut);

impl Cut for FilesCut {
    type Error = Failure;

    fn decode(&self) -> Result<Block<'_>, Failure> {
        Ok(self.0.decode()?)
    }
}
