//! Sums rows up to files of moments for Python, and merges them.

use std::path::PathBuf;

use gaussbayes::{Storage, Training};
use gaussbayes_io::{Kept, MomentsFile, MomentsPart};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::failure::Failure;
use crate::input::Input;
use crate::statistics::Statistics;

/// Moments of labelled rows, and the parts that they were made of.
#[pyclass(frozen, module = "gaussbayes._core")]
#[derive(Debug, Clone)]
pub(crate) struct Moments(MomentsFile);

#[pymethods]
impl Moments {
    /// Sums rows up as one part.
    #[staticmethod]
    #[pyo3(signature = (x, y, weights, features, *, target = None, weight = None, part = None))]
    fn of(
        x: &Bound<'_, PyAny>,
        y: Option<&Bound<'_, PyAny>>,
        weights: Option<&Bound<'_, PyAny>>,
        features: Vec<String>,
        target: Option<String>,
        weight: Option<String>,
        part: Option<(u32, u32)>,
    ) -> PyResult<Self> {
        let nothing = Kept::Gaussian(Training::new(Storage::Full, features.len()));
        let input = Input::labelled(x, y, weights);
        let (sums, found) = input.over(move |source, on| MomentsPart::of(nothing, source, on))?;
        let found = MomentsPart { number: part, ..found };
        let file = MomentsFile::new(sums, features, None, found);
        Ok(Self(MomentsFile { target, weights: weight, ..file }))
    }

    /// The moments of all rows of some moments; numbered parts may be missing only where that is said.
    #[staticmethod]
    #[pyo3(signature = (all, *, partial = false))]
    fn merged(py: Python<'_>, all: Vec<PyRef<'_, Self>>, partial: bool) -> PyResult<Self> {
        let files: Vec<MomentsFile> = all.iter().map(|moments| moments.0.clone()).collect();
        let merged = py.detach(|| {
            let named: Vec<(String, &MomentsFile)> =
                (1..).zip(&files).map(|(k, file)| (format!("moments {k}"), file)).collect();
            let merged = MomentsFile::merge_all(&named)?;
            if !partial {
                merged.check_whole()?;
            }
            Ok(merged)
        });
        Ok(Self(merged.map_err(|error: gaussbayes_io::Error| Failure::from(error))?))
    }

    /// The sums that a model is estimated of.
    fn statistics(&self) -> PyResult<Statistics> {
        self.0.check_whole().map_err(Failure::from)?;
        match &self.0.sums {
            Kept::Gaussian(training) => Ok(Statistics::of(training.clone())),
            Kept::Product(_) => Err(PyValueError::new_err(
                "these moments are of columns with types, for naive Bayes alone\n\
                 hint: gaussbayes fit --from FILE makes a model of them, which gaussbayes.load reads",
            )),
        }
    }

    /// Names of the columns.
    #[getter]
    fn features(&self) -> Vec<String> {
        self.0.features.clone()
    }

    /// The classes, and the weight of each.
    fn classes(&self) -> PyResult<Vec<(String, f64)>> {
        let classes = self.0.sums.classes().map_err(Failure::from)?;
        Ok(classes.into_iter().map(|(label, weight)| (label.to_string(), weight)).collect())
    }

    /// Rows, those of weight 0 included.
    #[getter]
    fn rows(&self) -> u64 {
        self.0.rows()
    }

    /// The column that held the classes.
    #[getter]
    fn target(&self) -> Option<String> {
        self.0.target.clone()
    }

    /// The column that held the weights.
    #[getter]
    fn weight(&self) -> Option<String> {
        self.0.weights.clone()
    }

    /// What was summed up.
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let part = |part: &MomentsPart| {
            let fields = PyDict::new(py);
            fields.set_item("part", part.number)?;
            fields.set_item("data", part.name.clone())?;
            fields.set_item("rows", part.rows)?;
            fields.set_item("weight", part.weight)?;
            fields.set_item("fingerprint", part.fingerprint.to_string())?;
            Ok(fields)
        };
        self.0.parts.iter().map(part).collect()
    }

    /// Numbers of parts that are not there.
    fn missing(&self) -> Vec<u32> {
        self.0.missing().into_iter().flatten().collect()
    }

    /// Writes the file, whole or not at all.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        Ok(self.0.save(&path).map_err(Failure::from)?)
    }

    /// Reads a file.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        Ok(Self(MomentsFile::load(&path).map_err(Failure::from)?))
    }

    /// Moments from the bytes of their file.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        Ok(Self(MomentsFile::from_bytes(bytes, "the moments").map_err(Failure::from)?))
    }

    /// Pickles by the bytes of the file.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let from_bytes = py.get_type::<Self>().getattr("from_bytes")?;
        let bytes = py.detach(|| self.0.to_bytes()).map_err(Failure::from)?;
        Ok((from_bytes, (PyBytes::new(py, &bytes),)))
    }
}
