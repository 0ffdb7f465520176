//! Words what the system refuses as an error of ours.

use crate::error::Error;
use crate::refusal::FileRefusal;

impl Error {
    pub(crate) fn read(path: &str, error: &std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::NotFound {
            return Self::NotFound { path: path.to_owned(), nearest: None };
        }
        if error.kind() == std::io::ErrorKind::InvalidData {
            return FileRefusal::Damaged { file: path.to_owned(), why: clause(error) }.into();
        }
        Self::Read { path: path.to_owned(), message: clause(error) }
    }

    pub(crate) fn spool(error: &std::io::Error) -> Self {
        let folder = std::env::temp_dir().display().to_string();
        Self::Spool { folder, message: clause(error) }
    }

    pub(crate) fn write(path: &str, error: &std::io::Error) -> Self {
        Self::Write { path: path.to_owned(), message: clause(error) }
    }
}

/// What the system said, as a lower-case clause without the number of the error.
fn clause(error: &std::io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
