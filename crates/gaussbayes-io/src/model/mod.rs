//! Saves and loads models: versioned JSON with a checksum, checked before it is believed.

mod by_em;
mod clustering;
pub(crate) mod em;
pub(crate) mod layout;
pub(crate) mod mixture;
mod product;
mod softmax;
pub(crate) mod spec;
pub(crate) mod tallies;

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use crate::atomic::write_atomically;
use crate::cell::one_line;
use crate::columns::Columns;
use crate::envelope::{Envelope, Fault};
use crate::error::Error;
use crate::moments_file::MomentsRefusal;
use crate::types::{ColumnType, Types};
use gaussbayes::{
    Classifier, ColumnKind, Label, Learner, Priors, ProductSweep, Training, sort_labels,
};

pub use by_em::{ByEm, OfClass};
pub use clustering::Clustering;

/// What every model file begins with.
pub(crate) const ENVELOPE: Envelope =
    Envelope { format: "gaussbayes model", version: 3, key: "model" };

/// Statistics that more rows can join, of whatever a model was learnt from.
#[derive(Debug, Clone, PartialEq)]
pub enum Kept {
    /// Moments by label.
    Gaussian(Training),
    /// Counts and moments by label, part by part.
    Product(Training<ProductSweep>),
}

impl Kept {
    /// Weight of all rows.
    ///
    /// # Errors
    /// [`gaussbayes::Error::NoRows`] when there are none.
    pub fn weight(&self) -> Result<f64, gaussbayes::Error> {
        Ok(match self {
            Self::Gaussian(training) => training.stat()?.moments().weight().iter().sum(),
            Self::Product(training) => training.stat()?.weight().iter().sum(),
        })
    }

    /// The labels of the rows, as scikit-learn sorts classes, and the weight of each.
    ///
    /// # Errors
    /// [`gaussbayes::Error::NoRows`] when there are none.
    pub fn classes(&self) -> Result<Vec<(Label, f64)>, gaussbayes::Error> {
        let (mut labels, weight) = match self {
            Self::Gaussian(training) => {
                let stat = training.stat()?;
                (stat.labels().to_vec(), stat.moments().weight().to_vec())
            }
            Self::Product(training) => {
                let stat = training.stat()?;
                (stat.labels().to_vec(), stat.weight().to_vec())
            }
        };
        let weights: HashMap<Label, f64> = labels.iter().cloned().zip(weight).collect();
        sort_labels(&mut labels);
        Ok(labels.into_iter().map(|label| (label.clone(), weights[&label])).collect())
    }

    /// The same rows as sums alone.
    ///
    /// # Errors
    /// As for [`Training::closed`].
    pub fn closed(&self) -> Result<Self, gaussbayes::Error> {
        Ok(match self {
            Self::Gaussian(training) => Self::Gaussian(training.closed()?),
            Self::Product(training) => Self::Product(training.closed()?),
        })
    }

    /// Whether there are sums of rows, merged to one, and no rows.
    pub(crate) fn is_closed(&self) -> bool {
        let (rows, sums) = match self {
            Self::Gaussian(training) => (training.tail().rows(), training.tree().stack().len()),
            Self::Product(training) => (training.tail().rows(), training.tree().stack().len()),
        };
        (rows, sums) == (0, 1)
    }

    /// The rows of both, those of `later` behind these.
    ///
    /// # Errors
    /// As for [`Training::merge`]; [`gaussbayes::Error::Storage`] for moments and counts.
    pub fn merge(&self, later: &Self) -> Result<Self, gaussbayes::Error> {
        match (self, later) {
            (Self::Gaussian(one), Self::Gaussian(later)) => one.merge(later).map(Self::Gaussian),
            (Self::Product(one), Self::Product(later)) => one.merge(later).map(Self::Product),
            _ => Err(gaussbayes::Error::Storage { held: "moments", needed: "counts" }),
        }
    }
}

/// A classifier with what an update of it needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// What classifies.
    pub classifier: Classifier,
    /// How it was estimated.
    pub spec: Learner,
    /// Where its priors came from.
    pub priors: Priors,
    /// The column that held the labels, where there was one.
    pub target: Option<String>,
    /// The column that held the weights, if any.
    pub weights: Option<String>,
    /// The statistics behind it, to which more rows can be added; none in a sealed model.
    pub training: Option<Kept>,
    /// Whether its parameters were given and not estimated.
    pub known: bool,
    /// What another face of the library wants to find again of this model, as it is.
    pub note: Option<String>,
    /// How the mixture was found, where it was found by clustering.
    pub clustering: Option<Clustering>,
    /// How the classifier was found, where EM had a part in it.
    pub by_em: Option<ByEm>,
}

impl Model {
    /// A sealed model without names of columns other than its features.
    pub fn of(classifier: Classifier, spec: impl Into<Learner>, priors: Priors) -> Self {
        Self {
            classifier,
            spec: spec.into(),
            priors,
            target: None,
            weights: None,
            training: None,
            known: false,
            note: None,
            clustering: None,
            by_em: None,
        }
    }

    /// The columns that rows for this model have, by name and type; no target and no weights.
    pub fn columns(&self) -> Columns {
        Columns { types: self.types(), ..Columns::exactly(self.classifier.features()) }
    }

    /// What the features of this model hold.
    pub fn types(&self) -> Types {
        let Learner::Product(spec) = &self.spec else { return Types::Plain };
        // What a column holds that is in no part does not matter: any cell is a name.
        let mut types = vec![ColumnType::Category; self.classifier.features().len()];
        for part in &spec.parts {
            let kind = match part.kind {
                ColumnKind::Flag { above } if above == ColumnType::FLAG_ABOVE => ColumnType::Flag,
                ColumnKind::Number | ColumnKind::Flag { .. } | ColumnKind::Code { .. } => {
                    ColumnType::Number
                }
                ColumnKind::Category => ColumnType::Category,
                ColumnKind::Count(_) => ColumnType::Count,
                ColumnKind::Text(_) => ColumnType::Text,
            };
            part.columns.iter().for_each(|&column| types[column] = kind);
        }
        Types::Given(types)
    }

    /// The bytes of the model file; the same model has the same bytes.
    ///
    /// # Errors
    /// [`Error::BadModel`] when it cannot be written as text.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let text = |error: serde_json::Error| bad("model", &error.to_string());
        ENVELOPE.sealed(&layout::Body::of(self)).map_err(text)
    }

    /// A checksum of all that the file holds: a model of another one is another model.
    ///
    /// # Errors
    /// As for [`Model::to_bytes`].
    pub fn fingerprint(&self) -> Result<u32, Error> {
        let text = serde_json::to_string(&layout::Body::of(self));
        let text = text.map_err(|error| bad("model", &error.to_string()))?;
        Ok(crc32fast::hash(text.as_bytes()))
    }

    /// Reads a model from the bytes of its file; `name` is for messages.
    ///
    /// # Errors
    /// [`Error::NotAModel`], [`Error::OtherVersion`], [`Error::DamagedModel`], and
    /// [`Error::BadModel`] for parts that do not belong together.
    pub fn from_bytes(bytes: &[u8], name: &str) -> Result<Self, Error> {
        let file = || name.to_owned();
        let body: layout::Body = ENVELOPE.opened(bytes).map_err(|fault| match fault {
            Fault::Other => other(bytes, name),
            Fault::Version(version) => {
                Error::OtherVersion { file: file(), version, known: ENVELOPE.version }
            }
            Fault::Damaged { expected, found } => {
                Error::DamagedModel { file: file(), expected, found }
            }
            Fault::Text(why) => bad(name, &why),
        })?;
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
        match ENVELOPE.read(&mut file).map_err(failed)? {
            Ok(bytes) => Self::from_bytes(&bytes, &name),
            Err(opening) => Err(other(&opening, &name)),
        }
    }
}

/// Says what bytes are that are no model.
fn other(bytes: &[u8], name: &str) -> Error {
    let file = name.to_owned();
    if crate::moments_file::ENVELOPE.begins(bytes) {
        return MomentsRefusal::IsMoments { file }.into();
    }
    Error::NotAModel { file }
}

fn bad(file: &str, why: &str) -> Error {
    Error::BadModel { file: file.into(), why: one_line(why) }
}
