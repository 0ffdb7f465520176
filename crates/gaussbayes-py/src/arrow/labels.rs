//! Encodes columns of labels as Python writes them, and says what they are in Python.

use arrow_schema::DataType;
use gaussbayes::Labels;
use gaussbayes_io::arrow::{LabelFault, Piece, encode_labels};
use gaussbayes_io::labels::Spelling;

use crate::failure::Failure;

/// What Python rebuilds labels as.
///
/// # Errors
/// [`Failure::LabelType`] for what names no class.
pub(super) fn python_type(data_type: &DataType) -> Result<&'static str, Failure> {
    match data_type {
        DataType::Boolean => Ok("bool"),
        kind if kind.is_integer() => Ok("int"),
        kind if kind.is_floating() => Ok("float"),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => Ok("text"),
        DataType::Dictionary(_, values) => python_type(values),
        other => Err(Failure::LabelType { kind: other.to_string() }),
    }
}

/// The labels of some rows, the first of which has the number `first_row`.
///
/// # Errors
/// [`Failure::LabelType`] for what names no class, [`Failure::Continuous`] and [`Failure::LabelNotFinite`] for numbers
/// that name none.
pub(super) fn encode(pieces: &[Piece<'_>], first_row: usize) -> Result<Labels<'static>, Failure> {
    encode_labels(pieces, first_row, Spelling::Python).map_err(|fault| match fault {
        LabelFault::Type(kind) => Failure::LabelType { kind },
        LabelFault::NotWhole(fault) => fault.into(),
    })
}
