//! Wraps JSON in a format word, a version and a checksum, and opens it only if all three are right.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// What a kind of file begins with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Envelope {
    /// The word for the kind.
    pub(crate) format: &'static str,
    /// The version of the layout that this release writes and reads.
    pub(crate) version: u64,
    /// The key of the content.
    pub(crate) key: &'static str,
}

/// Why a file was not opened.
#[derive(Debug)]
pub(crate) enum Fault {
    /// It is of another kind.
    Other,
    /// It has another version.
    Version(u64),
    /// Its text is not what was written.
    Damaged { expected: String, found: String },
    /// Its content is not laid out as it should be.
    Text(String),
}

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Self {
        Self::Text(error.to_string())
    }
}

#[derive(Deserialize)]
struct Opening {
    format: String,
    version: u64,
}

#[derive(Deserialize)]
struct Sealed<'a> {
    crc32: String,
    #[serde(borrow)]
    model: Option<&'a RawValue>,
    #[serde(borrow)]
    search: Option<&'a RawValue>,
}

impl Envelope {
    /// The bytes of a file; the same content has the same bytes.
    pub(crate) fn sealed(self, content: &impl Serialize) -> Result<Vec<u8>, serde_json::Error> {
        let body = serde_json::to_string(content)?;
        let Self { format, version, key } = self;
        let crc32 = checksum(&body);
        let text = format!(
            "{{\"format\":\"{format}\",\"version\":{version},\"crc32\":\"{crc32}\",\"{key}\":{body}}}\n"
        );
        Ok(text.into_bytes())
    }

    /// The content of a file.
    pub(crate) fn opened<T: DeserializeOwned>(self, bytes: &[u8]) -> Result<T, Fault> {
        if !self.begins(bytes) {
            return Err(Fault::Other);
        }
        let opening: Opening = serde_json::from_slice(bytes)?;
        if opening.format != self.format {
            return Err(Fault::Other);
        }
        if opening.version != self.version {
            return Err(Fault::Version(opening.version));
        }
        let Sealed { crc32: expected, model, search } = serde_json::from_slice(bytes)?;
        let content = if self.key == "search" { search } else { model };
        let missing = || Fault::Text(format!("missing field `{}`", self.key));
        let content = content.ok_or_else(missing)?.get();
        let found = checksum(content);
        if found != expected {
            return Err(Fault::Damaged { expected, found });
        }
        Ok(serde_json::from_str(content)?)
    }

    /// Whether bytes begin like such a file.
    pub(crate) fn begins(self, bytes: &[u8]) -> bool {
        bytes.starts_with(format!("{{\"format\":\"{}\"", self.format).as_bytes())
    }
}

fn checksum(text: &str) -> String {
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
}
