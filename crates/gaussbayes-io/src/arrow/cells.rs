//! Gives the cells of any column one by one: as text, or as numbers.

use arrow_array::cast::AsArray;
use arrow_array::{Array, BooleanArray};
use arrow_schema::DataType;

use super::read_numbers;
use crate::labels::Spelling;

/// The cells of an array.
pub(super) enum Cells<'a> {
    Text(Box<dyn Fn(usize) -> Option<&'a str> + 'a>),
    Flags(&'a BooleanArray),
    /// NaN where there is none.
    Numbers(Vec<f64>),
    /// Places in a dictionary, none where there is no value.
    Keys(Vec<Option<usize>>, Box<Cells<'a>>),
}

impl<'a> Cells<'a> {
    /// Whether an array holds text.
    pub(super) fn is_text(data_type: &DataType) -> bool {
        match data_type {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
            DataType::Dictionary(_, values) => Self::is_text(values),
            _ => false,
        }
    }

    pub(super) fn of(array: &'a dyn Array) -> Self {
        let valid = move |i: usize| array.is_valid(i);
        match array.data_type() {
            DataType::Utf8 => {
                let texts = array.as_string::<i32>();
                Self::Text(Box::new(move |i| valid(i).then(|| texts.value(i))))
            }
            DataType::LargeUtf8 => {
                let texts = array.as_string::<i64>();
                Self::Text(Box::new(move |i| valid(i).then(|| texts.value(i))))
            }
            DataType::Utf8View => {
                let texts = array.as_string_view();
                Self::Text(Box::new(move |i| valid(i).then(|| texts.value(i))))
            }
            DataType::Boolean => Self::Flags(array.as_boolean()),
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let values = dictionary.values();
                let keys = if values.is_empty() {
                    vec![None; array.len()]
                } else {
                    let keys = dictionary.normalized_keys().into_iter().enumerate();
                    keys.map(|(i, key)| valid(i).then_some(key)).collect()
                };
                Self::Keys(keys, Self::of(values.as_ref()).into())
            }
            _ => {
                let mut numbers = vec![0.0; array.len()];
                read_numbers(&[(array, 0..array.len())], &mut numbers, 1);
                Self::Numbers(numbers)
            }
        }
    }

    /// The text of a cell, and the word of a flag; none of a number, or where nothing is there.
    pub(super) fn text(&self, i: usize) -> Option<&'a str> {
        match self {
            Self::Text(text) => text(i),
            Self::Flags(flags) => flags.is_valid(i).then(|| Spelling::Files.flag(flags.value(i))),
            Self::Numbers(_) => None,
            Self::Keys(keys, values) => values.text(keys[i]?),
        }
    }

    /// The number of a cell, or of a flag; NaN where there is none.
    pub(super) fn number(&self, i: usize) -> f64 {
        match self {
            Self::Flags(flags) if flags.is_valid(i) => f64::from(u8::from(flags.value(i))),
            Self::Numbers(numbers) => numbers[i],
            Self::Keys(keys, values) => keys[i].map_or(f64::NAN, |key| values.number(key)),
            Self::Text(_) | Self::Flags(_) => f64::NAN,
        }
    }

    /// A cell as a file would spell it; nothing where nothing is there.
    pub(super) fn spelled(array: &dyn Array, i: usize) -> String {
        let one = array.slice(i, 1);
        let kind = one.data_type();
        if kind.is_signed_integer() || kind.is_unsigned_integer() {
            let labels = super::encode_labels(&[(one.as_ref(), 0..1)], 0, Spelling::Files);
            let first = labels.ok().and_then(|labels| labels.dictionary.first().cloned());
            return first.map(|label| label.to_string()).unwrap_or_default();
        }
        let cells = Cells::of(one.as_ref());
        match cells.text(0) {
            Some(text) => text.to_owned(),
            None if one.is_null(0) => String::new(),
            None if cells.number(0).is_nan() && cells.is_gap() => String::new(),
            None => cells.number(0).to_string(),
        }
    }

    fn is_gap(&self) -> bool {
        !matches!(self, Self::Numbers(_))
    }
}
