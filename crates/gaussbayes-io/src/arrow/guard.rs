//! Holds foreign readers to their promise: what they panic about is a file that is damaged.

use std::cell::Cell;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use arrow_schema::ArrowError;
use parquet::errors::ParquetError;

use crate::cell::shorten;
use crate::error::Error;
use crate::refusal::FileRefusal;

thread_local! {
    /// Whether a panic of this thread is caught and says nothing.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Does some work of a foreign reader on a file.
///
/// # Errors
/// What the work refuses, and [`FileRefusal::Damaged`] where it panics.
pub(super) fn guarded<T>(file: &str, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                usual(info);
            }
        }));
    });
    let outer = QUIET.replace(true);
    // A reader that has panicked is not asked again, so that no one sees what it left behind.
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    QUIET.set(outer);
    done.unwrap_or_else(|_| Err(damaged(file, "its parts do not belong together")))
}

/// A file that is not what its format says.
pub(super) fn damaged(file: &str, why: &str) -> Error {
    FileRefusal::Damaged { file: file.to_owned(), why: why.to_owned() }.into()
}

/// What Arrow's reader refuses.
pub(super) fn arrow_fault(file: &str, error: &ArrowError) -> Error {
    match error {
        ArrowError::IoError(_, error) => system_fault(file, error),
        ArrowError::NotYetImplemented(why) => unread(file, why),
        ArrowError::ExternalError(inner) => {
            if let Some(error) = inner.downcast_ref::<io::Error>() {
                return system_fault(file, error);
            }
            match inner.downcast_ref::<ParquetError>() {
                Some(error) => parquet_fault(file, error),
                None => damaged(file, &clause(&inner.to_string())),
            }
        }
        error => damaged(file, &clause(&error.to_string())),
    }
}

/// What Parquet's reader refuses.
pub(super) fn parquet_fault(file: &str, error: &ParquetError) -> Error {
    match error {
        ParquetError::NYI(why) => unread(file, why),
        ParquetError::External(inner) => {
            if let Some(error) = inner.downcast_ref::<io::Error>() {
                return system_fault(file, error);
            }
            match inner.downcast_ref::<ArrowError>() {
                Some(error) => arrow_fault(file, error),
                None => damaged(file, &clause(&inner.to_string())),
            }
        }
        error => damaged(file, &clause(&error.to_string())),
    }
}

/// What the system refuses; an end before its time is the file's own fault.
pub(super) fn system_fault(file: &str, error: &io::Error) -> Error {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return damaged(file, "it ends too early");
    }
    // A decoder says what is wrong with its bytes as the system does, but without a number.
    if error.raw_os_error().is_none() && error.kind() != io::ErrorKind::InvalidData {
        return damaged(file, &clause(&error.to_string()));
    }
    Error::read(file, error)
}

fn unread(file: &str, why: &str) -> Error {
    FileRefusal::Unread { file: file.to_owned(), why: clause(why) }.into()
}

/// What a reader says, as a short lower-case clause.
fn clause(text: &str) -> String {
    let text = text.trim_end_matches('.');
    let text = ["Parquet error: ", "EOF: ", "Arrow: ", "Ipc error: ", "Parser error: "]
        .iter()
        .fold(text, |text, prefix| text.strip_prefix(prefix).unwrap_or(text));
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_lowercase);
    shorten(&first.chain(chars).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_damaged_file() {
        let error = guarded::<()>("t.parquet", || panic!("at a foreign bug")).unwrap_err();
        assert_eq!(error.to_string(), "t.parquet is damaged: its parts do not belong together");
        assert!(!QUIET.get());
    }

    #[test]
    fn a_fault_is_one_lower_case_clause() {
        let fault = ParquetError::General("Corrupt footer.".into());
        let error = parquet_fault("t.parquet", &fault);
        assert_eq!(error.to_string(), "t.parquet is damaged: corrupt footer");
        let end = io::Error::from(io::ErrorKind::UnexpectedEof);
        let error = arrow_fault("t.arrow", &ArrowError::IoError(String::new(), end));
        assert_eq!(error.to_string(), "t.arrow is damaged: it ends too early");
    }
}
