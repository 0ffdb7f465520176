//! Wraps JSON in a format word, a version and a checksum, and opens it only if all three are right.

use std::collections::HashMap;
use std::io::Read;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Bytes that hold the format word of any kind of file.
const OPENING: u64 = 64;

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
        let fields: HashMap<String, &RawValue> = serde_json::from_slice(bytes)?;
        let field = |key: &str| {
            let missing = || Fault::Text(format!("missing field `{key}`"));
            fields.get(key).ok_or_else(missing).map(|value| value.get())
        };
        let expected: String = serde_json::from_str(field("crc32")?)?;
        let content = field(self.key)?;
        let found = checksum(content);
        if found != expected {
            return Err(Fault::Damaged { expected, found });
        }
        Ok(serde_json::from_str(content)?)
    }

    /// The bytes of such a file, or the first bytes of another one: that is not read whole, however large it is.
    pub(crate) fn read(self, file: &mut impl Read) -> std::io::Result<Result<Vec<u8>, Vec<u8>>> {
        let mut bytes = opening(file)?;
        if !self.begins(&bytes) {
            return Ok(Err(bytes));
        }
        file.read_to_end(&mut bytes)?;
        Ok(Ok(bytes))
    }

    /// Whether bytes begin like such a file.
    pub(crate) fn begins(self, bytes: &[u8]) -> bool {
        bytes.starts_with(format!("{{\"format\":\"{}\"", self.format).as_bytes())
    }
}

/// As many bytes as it takes to know what kind of file it is.
pub(crate) fn opening(file: &mut impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(OPENING).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn checksum(text: &str) -> String {
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
}
