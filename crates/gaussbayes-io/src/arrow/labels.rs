//! Encodes columns of labels of any Arrow type that can name classes.

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, BooleanArray, Float16Array, Float32Array, Float64Array, Int8Array, Int16Array,
    Int32Array, Int64Array, LargeStringArray, StringArray, StringViewArray, UInt8Array,
    UInt16Array, UInt32Array, UInt64Array,
};
use arrow_schema::DataType;
use gaussbayes::{Encoder, Label, Labels, NO_LABEL};

use super::Piece;
use crate::labels::{NotWhole, Spelling, encoded, integers, joined};

/// Why a column names no classes.
#[derive(Debug, Clone, PartialEq)]
pub enum LabelFault {
    /// A number with a fraction, or one that is not finite.
    NotWhole(NotWhole),
    /// Values of this type.
    Type(String),
}

impl From<NotWhole> for LabelFault {
    fn from(fault: NotWhole) -> Self {
        Self::NotWhole(fault)
    }
}

/// The labels of some rows, the first of which has the number `first_row`.
///
/// # Errors
/// [`LabelFault`].
pub fn encode_labels(
    pieces: &[Piece<'_>],
    first_row: usize,
    spelling: Spelling,
) -> Result<Labels<'static>, LabelFault> {
    let Some((first, _)) = pieces.first() else { return Ok(spelling.texts(std::iter::empty())) };
    Ok(match first.data_type() {
        DataType::Int64 => integers(cells(pieces, |a: &Int64Array, i| a.value(i))),
        DataType::Int32 => integers(cells(pieces, |a: &Int32Array, i| a.value(i).into())),
        DataType::Int16 => integers(cells(pieces, |a: &Int16Array, i| a.value(i).into())),
        DataType::Int8 => integers(cells(pieces, |a: &Int8Array, i| a.value(i).into())),
        DataType::UInt64 => encoded(cells(pieces, |a: &UInt64Array, i| a.value(i)), u64::to_string),
        DataType::UInt32 => integers(cells(pieces, |a: &UInt32Array, i| a.value(i).into())),
        DataType::UInt16 => integers(cells(pieces, |a: &UInt16Array, i| a.value(i).into())),
        DataType::UInt8 => integers(cells(pieces, |a: &UInt8Array, i| a.value(i).into())),
        DataType::Boolean => spelling.flags(cells(pieces, |a: &BooleanArray, i| a.value(i))),
        DataType::Float64 => {
            spelling.whole(cells(pieces, |a: &Float64Array, i| a.value(i)), first_row)?
        }
        DataType::Float32 => {
            spelling.whole(cells(pieces, |a: &Float32Array, i| a.value(i).into()), first_row)?
        }
        DataType::Float16 => {
            spelling.whole(cells(pieces, |a: &Float16Array, i| a.value(i).into()), first_row)?
        }
        DataType::Utf8 => spelling.texts(cells(pieces, |a: &StringArray, i| a.value(i))),
        DataType::LargeUtf8 => spelling.texts(cells(pieces, |a: &LargeStringArray, i| a.value(i))),
        DataType::Utf8View => spelling.texts(cells(pieces, |a: &StringViewArray, i| a.value(i))),
        DataType::Null => {
            spelling.texts(pieces.iter().flat_map(|(_, rows)| rows.clone().map(|_| None)))
        }
        DataType::Dictionary(..) => looked_up(pieces, first_row, spelling)?,
        other => return Err(LabelFault::Type(other.to_string())),
    })
}

/// Cells of columns of one type, nothing where they are null.
fn cells<'a, A: Array + 'static, T>(
    pieces: &'a [Piece<'a>],
    read: impl Fn(&'a A, usize) -> T + Copy,
) -> impl Iterator<Item = Option<T>> + Clone {
    pieces.iter().flat_map(move |(array, rows)| {
        let array = array.as_any().downcast_ref::<A>();
        let array = array.expect("invariant: all arrays of a column are of its type");
        rows.clone().map(move |i| array.is_valid(i).then(|| read(array, i)))
    })
}

/// Labels by their places in a dictionary, of which those that no row has are no classes.
fn looked_up(
    pieces: &[Piece<'_>],
    first_row: usize,
    spelling: Spelling,
) -> Result<Labels<'static>, LabelFault> {
    let mut by_text: Encoder<Label> = Encoder::default();
    let mut codes = Vec::new();
    for (array, rows) in pieces {
        let part = array.slice(rows.start, rows.len());
        let dictionary = part.as_any_dictionary();
        let values = dictionary.values();
        let keys =
            if values.is_empty() { vec![0; rows.len()] } else { dictionary.normalized_keys() };
        let mut by_key: Encoder<usize> = Encoder::default();
        let mut code_of = Vec::new();
        for (i, key) in keys.into_iter().enumerate() {
            if dictionary.keys().is_null(i) {
                codes.push(NO_LABEL);
                continue;
            }
            let place = by_key.code(&key) as usize;
            if place == code_of.len() {
                let value = (values.as_ref(), key..key + 1);
                let one = encode_labels(&[value], first_row + codes.len(), spelling)?;
                let text = one.dictionary.first();
                code_of.push(text.map_or(NO_LABEL, |text| by_text.code(text.as_str())));
            }
            codes.push(code_of[place]);
        }
    }
    Ok(joined(codes, by_text))
}
