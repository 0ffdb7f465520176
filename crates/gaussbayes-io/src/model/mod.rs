//! Saves and loads models: versioned JSON with a checksum, checked before it is believed.

mod layout;
mod spec;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use gaussbayes::{Classifier, CovarianceSpec, Priors, Training};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::Error;
use crate::atomic::write_atomically;

/// The version of the layout that this release writes and reads.
const VERSION: u64 = 3;

/// The word that every model file begins with.
const FORMAT: &str = "gaussbayes model";

/// A classifier with what an update of it needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// What classifies.
    pub classifier: Classifier,
    /// How it was estimated.
    pub spec: CovarianceSpec,
    /// Where its priors came from.
    pub priors: Priors,
    /// The column that held the labels, where there was one.
    pub target: Option<String>,
    /// The column that held the weights, if any.
    pub weights: Option<String>,
    /// The statistics behind it, to which more rows can be added; none in a sealed model.
    pub training: Option<Training>,
    /// Whether its parameters were given and not estimated.
    pub known: bool,
    /// What another face of the library wants to find again of this model, as it is.
    pub note: Option<String>,
}

#[derive(Serialize)]
struct Written<'a> {
    format: &'a str,
    version: u64,
    crc32: String,
    model: &'a RawValue,
}

#[derive(Deserialize)]
struct Opening {
    format: String,
    version: u64,
}

#[derive(Deserialize)]
struct Read1<'a> {
    crc32: String,
    #[serde(borrow)]
    model: &'a RawValue,
}

impl Model {
    /// The bytes of the model file; the same model has the same bytes.
    ///
    /// # Errors
    /// [`Error::BadModel`] when it cannot be written as text.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let text = |error: serde_json::Error| bad("model", &error.to_string());
        let body = serde_json::to_string(&layout::Body::of(self)).map_err(text)?;
        let crc32 = checksum(&body);
        let model = RawValue::from_string(body).map_err(text)?;
        let written = Written { format: FORMAT, version: VERSION, crc32, model: &model };
        let mut bytes = serde_json::to_vec(&written).map_err(text)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Reads a model from the bytes of its file; `name` is for messages.
    ///
    /// # Errors
    /// [`Error::NotAModel`], [`Error::OtherVersion`], [`Error::DamagedModel`], and
    /// [`Error::BadModel`] for parts that do not belong together.
    pub fn from_bytes(bytes: &[u8], name: &str) -> Result<Self, Error> {
        if !begins_like_a_model(bytes) {
            return Err(Error::NotAModel { file: name.into() });
        }
        let text = |error: serde_json::Error| bad(name, &error.to_string());
        let opening: Opening = serde_json::from_slice(bytes).map_err(text)?;
        if opening.format != FORMAT {
            return Err(Error::NotAModel { file: name.into() });
        }
        if opening.version != VERSION {
            let version = opening.version;
            return Err(Error::OtherVersion { file: name.into(), version, known: VERSION });
        }
        let read: Read1<'_> = serde_json::from_slice(bytes).map_err(text)?;
        let found = checksum(read.model.get());
        if found != read.crc32 {
            let (file, expected) = (name.into(), read.crc32);
            return Err(Error::DamagedModel { file, expected, found });
        }
        let body: layout::Body = serde_json::from_str(read.model.get()).map_err(text)?;
        body.into_model().map_err(|layout::Why(why)| bad(name, &why))
    }

    /// Writes the model file: whole, or not at all.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        write_atomically(path, &self.to_bytes()?)
    }

    /// Reads a model file.
    ///
    /// # Errors
    /// [`Error::Read`], and what [`Model::from_bytes`] refuses.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let failed = |error: std::io::Error| Error::read(&name, &error);
        let mut file = File::open(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Error::NoModel { path: name.clone() },
            _ => failed(error),
        })?;
        let mut bytes = Vec::new();
        // A file that is no model is not read whole, however large it is.
        (&mut file).take(FORMAT.len() as u64 + 64).read_to_end(&mut bytes).map_err(failed)?;
        if !begins_like_a_model(&bytes) {
            return Err(Error::NotAModel { file: name });
        }
        file.read_to_end(&mut bytes).map_err(failed)?;
        Self::from_bytes(&bytes, &name)
    }
}

fn begins_like_a_model(bytes: &[u8]) -> bool {
    bytes.starts_with(format!("{{\"format\":\"{FORMAT}\"").as_bytes())
}

fn checksum(text: &str) -> String {
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
}

fn bad(file: &str, why: &str) -> Error {
    Error::BadModel { file: file.into(), why: why.into() }
}
