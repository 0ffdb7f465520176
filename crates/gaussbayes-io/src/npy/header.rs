//! Reads what stands before the numbers of a saved array: their kind, their order and their shape.

use std::io::Read;

use super::numbers::Kind;
use crate::error::Error;
use crate::refusal::FileRefusal;

/// Bytes of the longest header that is read; NumPy itself reads none above ten thousand.
const LONGEST: usize = 64 << 10;

/// Columns of the widest array.
const MOST_COLUMNS: u64 = 1 << 22;

/// A saved array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) kind: Kind,
    pub(super) rows: u64,
    pub(super) columns: usize,
    /// Whether columns, and not rows, lie one after the other.
    pub(super) by_columns: bool,
    /// Bytes of all numbers.
    pub(super) bytes: u64,
    /// Bytes before the first number.
    pub(super) start: u64,
}

fn damaged(file: &str, why: &str) -> Error {
    FileRefusal::Damaged { file: file.to_owned(), why: why.to_owned() }.into()
}

fn unread(file: &str, why: String) -> Error {
    FileRefusal::Unread { file: file.to_owned(), why }.into()
}

impl Shape {
    /// Reads the header of an array.
    ///
    /// # Errors
    /// What the system refuses, a header that cannot be, and an array that is no table of numbers.
    pub(super) fn read(file: &str, reader: &mut impl Read) -> Result<Self, Error> {
        let mut bytes = |count: usize| -> Result<Vec<u8>, Error> {
            let mut bytes = Vec::new();
            let read = reader.by_ref().take(count as u64).read_to_end(&mut bytes);
            read.map_err(|error| Error::read(file, &error))?;
            let early = || damaged(file, "it ends within its header");
            (bytes.len() == count).then_some(bytes).ok_or_else(early)
        };
        let magic = bytes(8)?;
        let (version, width) = (magic[6], if magic[6] == 1 { 2 } else { 4 });
        if !(1..=3).contains(&version) {
            return Err(unread(file, format!("version {version} of its format")));
        }
        let length = bytes(width)?;
        let length = length.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
        if length > LONGEST {
            return Err(damaged(file, "its header is longer than any"));
        }
        let text = bytes(length)?;
        let text = String::from_utf8(text).map_err(|_| damaged(file, "its header is no text"))?;
        let start = (magic.len() + width + length) as u64;
        Self::of(file, &text, start)
    }

    fn of(file: &str, text: &str, start: u64) -> Result<Self, Error> {
        let no = |key: &str| damaged(file, &format!("its header has no valid {key}"));
        let kind = value(text, "descr").ok_or_else(|| no("descr"))?;
        let kind = kind_of(file, kind)?;
        let by_columns = match value(text, "fortran_order") {
            Some(order) if order.starts_with("True") => true,
            Some(order) if order.starts_with("False") => false,
            _ => return Err(no("fortran_order")),
        };
        let shape = value(text, "shape").and_then(dimensions).ok_or_else(|| no("shape"))?;
        let (rows, columns) = match shape[..] {
            [rows] => (rows, 1),
            [rows, columns] => (rows, columns),
            ref shape => {
                return Err(unread(file, format!("an array of {} dimensions", shape.len())));
            }
        };
        let bytes = rows.checked_mul(columns).and_then(|all| all.checked_mul(kind.width() as u64));
        let bytes = bytes.filter(|_| columns <= MOST_COLUMNS).ok_or_else(|| no("shape"))?;
        let columns = columns as usize;
        // Numbers of one column lie in both orders at once.
        Ok(Self { kind, rows, columns, by_columns: by_columns && columns > 1, bytes, start })
    }
}

/// What stands behind a key.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let quoted = [format!("'{key}'"), format!("\"{key}\"")];
    let (_, behind) = quoted.iter().find_map(|key| text.split_once(key.as_str()))?;
    behind.trim_start().strip_prefix(':').map(str::trim_start)
}

/// The numbers of a tuple.
fn dimensions(text: &str) -> Option<Vec<u64>> {
    let (inside, _) = text.strip_prefix('(')?.split_once(')')?;
    let numbers = inside.split(',').map(str::trim).filter(|number| !number.is_empty());
    // Python 2 wrote an L behind long numbers.
    numbers.map(|number| number.trim_end_matches('L').parse().ok()).collect()
}

fn kind_of(file: &str, text: &str) -> Result<Kind, Error> {
    let other = |what: &str| Err(unread(file, what.to_owned()));
    let Some(quote) = text.chars().next().filter(|c| matches!(c, '\'' | '"')) else {
        return other("rows of several types: save an array of numbers");
    };
    let name = text[1..].split(quote).next().unwrap_or_default();
    if let Some(kind) = Kind::named(name) {
        return Ok(kind);
    }
    match name.trim_start_matches(['<', '>', '|', '=']).chars().next() {
        Some('O') => other("objects of Python"),
        Some('U' | 'S' | 'a') => other("an array of text"),
        Some('c') => other("complex numbers"),
        Some('M' | 'm') => other("times"),
        Some('V') => other("bytes without a type"),
        _ => other(&format!("numbers of type {}", crate::cell::shorten(name))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Shape, Error> {
        Shape::of("a.npy", text, 128)
    }

    #[test]
    fn a_header_says_what_the_numbers_are() {
        let shape = of("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }").unwrap();
        assert_eq!((shape.rows, shape.columns, shape.bytes), (3, 2, 48));
        let shape = of("{'shape': (7L,), 'descr': '>i2', 'fortran_order': True}").unwrap();
        assert_eq!((shape.rows, shape.columns, shape.by_columns), (7, 1, false));
    }

    #[test]
    fn what_is_no_table_of_numbers_is_refused_by_name() {
        for (descr, shape, why) in [
            ("'<f8'", "(2, 3, 4)", "an array of 3 dimensions"),
            ("'<f8'", "()", "an array of 0 dimensions"),
            ("'|O'", "(2,)", "objects of Python"),
            ("'<U5'", "(2,)", "an array of text"),
            ("'<c16'", "(2,)", "complex numbers"),
            ("'<M8[ns]'", "(2,)", "times"),
            ("[('a', '<f8')]", "(2,)", "rows of several types"),
            ("'<f16'", "(2,)", "numbers of type <f16"),
        ] {
            let text = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}}}");
            let error = of(&text).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn a_shape_that_cannot_be_is_refused() {
        for shape in
            ["(-1, 2)", "(4294967296, 4294967296)", "(1, 99999999999)", "(1", "x", "(1.5,)"]
        {
            let text = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}}");
            let error = of(&text).unwrap_err().to_string();
            assert_eq!(error, "a.npy is damaged: its header has no valid shape");
        }
    }
}
