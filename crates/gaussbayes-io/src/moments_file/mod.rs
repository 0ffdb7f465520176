//! Saves and loads moments, and merges them: partial fits made anywhere, of parts known by name.

mod fingerprint;
mod layout;
mod merge;
mod part;
mod refusal;

use std::fs::File;
use std::ops::RangeInclusive;
use std::path::Path;

use crate::atomic::write_atomically;
use crate::cell::one_line;
use crate::envelope::{Envelope, Fault, opening};
use crate::error::Error;
use crate::model::{self, Kept};
use crate::types::ColumnType;

pub use fingerprint::Fingerprint;
pub use part::{MomentsPart, PARTS_MAX};
pub use refusal::MomentsRefusal;

/// What every file of moments begins with.
pub(crate) const ENVELOPE: Envelope =
    Envelope { format: "gaussbayes moments", version: 1, key: "moments" };

/// Sums over labelled rows, without the rows: all that is estimated in one pass can be estimated of them.
///
/// ```
/// use gaussbayes::{On, Pool, Storage, Training};
/// use gaussbayes_io::{Columns, Data, Kept, MomentsFile, MomentsPart, Reading};
/// let columns = Columns { target: Some("species".into()), ..Columns::default() };
/// let mut iris = Data::open(&["iris"], &columns, &Reading::default(), 1)?;
/// let nothing = Kept::Gaussian(Training::new(Storage::Full, 4));
/// let features = iris.features().to_vec();
/// let (sums, part) = MomentsPart::of(nothing, &mut iris, On::pool(&Pool::new(1)?))?;
/// let moments = MomentsFile::new(sums, features, None, part);
/// assert_eq!((moments.rows(), moments.parts.len()), (150, 1));
/// # Ok::<(), gaussbayes_io::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MomentsFile {
    /// The sums; no row waits in them.
    pub sums: Kept,
    /// Names of the columns that were summed up.
    pub features: Vec<String>,
    /// What they hold; none where they are plain numbers.
    pub types: Option<Vec<ColumnType>>,
    /// The column that held the labels, where there was one.
    pub target: Option<String>,
    /// The column that held the weights, if any.
    pub weights: Option<String>,
    /// What was summed up, sorted by number and fingerprint.
    pub parts: Vec<MomentsPart>,
}

impl MomentsFile {
    /// The moments of one part.
    pub fn new(
        sums: Kept,
        features: Vec<String>,
        types: Option<Vec<ColumnType>>,
        part: MomentsPart,
    ) -> Self {
        Self { sums, features, types, target: None, weights: None, parts: vec![part] }
    }

    /// Rows of all parts.
    pub fn rows(&self) -> u64 {
        self.parts.iter().fold(0, |sum, part| sum.saturating_add(part.rows))
    }

    /// Numbers of the parts that are missing, in runs; none where parts are not numbered.
    pub fn missing(&self) -> Vec<RangeInclusive<u32>> {
        part::missing(&self.parts).map_or_else(Vec::new, |(missing, _)| missing)
    }

    /// The missing parts as people write them, and how many parts there are in all; none where none is missing.
    pub fn missing_text(&self) -> Option<String> {
        let (missing, of) = part::missing(&self.parts)?;
        (!missing.is_empty()).then(|| format!("{} of {of}", refusal::listed(&missing)))
    }

    /// Refuses moments of which parts are missing.
    ///
    /// # Errors
    /// [`MomentsRefusal::Missing`].
    pub fn check_whole(&self) -> Result<(), Error> {
        match part::missing(&self.parts) {
            Some((missing, of)) if !missing.is_empty() => {
                Err(MomentsRefusal::Missing { missing, of }.into())
            }
            _ => Ok(()),
        }
    }

    /// The bytes of the file; the same moments have the same bytes.
    ///
    /// # Errors
    /// [`MomentsRefusal::Bad`] when they cannot be written as text.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let text = |error: serde_json::Error| bad("moments", &error.to_string());
        ENVELOPE.sealed(&layout::Body::of(self)).map_err(text)
    }

    /// Reads moments from the bytes of their file; `name` is for messages.
    ///
    /// # Errors
    /// A [`MomentsRefusal`] that says what the bytes are instead, or what is wrong with them.
    pub fn from_bytes(bytes: &[u8], name: &str) -> Result<Self, Error> {
        let file = || name.to_owned();
        let body: layout::Body = ENVELOPE.opened(bytes).map_err(|fault| match fault {
            Fault::Other => other(bytes, name),
            Fault::Version(version) => {
                let known = ENVELOPE.version;
                MomentsRefusal::OtherVersion { file: file(), version, known }.into()
            }
            Fault::Damaged { expected, found } => {
                MomentsRefusal::Damaged { file: file(), expected, found }.into()
            }
            Fault::Text(why) => bad(name, &why),
        })?;
        body.into_file(name).map_err(|model::layout::Why(why)| bad(name, &why))
    }

    /// Writes the file: whole, or not at all.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        write_atomically(path, &self.to_bytes()?)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`Error::Read`], [`MomentsRefusal::NoFile`], and what [`MomentsFile::from_bytes`] refuses.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let failed = |error: std::io::Error| Error::read(&name, &error);
        let mut file = File::open(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => MomentsRefusal::NoFile { path: name.clone() }.into(),
            _ => failed(error),
        })?;
        match ENVELOPE.read(&mut file).map_err(failed)? {
            Ok(bytes) => Self::from_bytes(&bytes, &name),
            Err(opening) => Err(other(&opening, &name)),
        }
    }

    /// Whether a file begins as files of moments do.
    pub fn is_at(path: &Path) -> bool {
        let found = File::open(path).and_then(|mut file| opening(&mut file));
        found.is_ok_and(|bytes| ENVELOPE.begins(&bytes))
    }
}

/// Says what bytes are that are no moments.
fn other(bytes: &[u8], name: &str) -> Error {
    let file = name.to_owned();
    if model::ENVELOPE.begins(bytes) {
        return MomentsRefusal::IsModel { file }.into();
    }
    MomentsRefusal::NotMoments { file }.into()
}

fn bad(file: &str, why: &str) -> Error {
    MomentsRefusal::Bad { file: file.into(), why: one_line(why) }.into()
}
