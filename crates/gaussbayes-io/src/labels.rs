//! Encodes labels that are no text yet: numbers, flags, or what else can name classes.

use std::borrow::Cow;
use std::hash::Hash;

use gaussbayes::{Encoder, Label, Labels, NO_LABEL};

/// How labels are written that are no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// As in CSV files: `true`, `false`, `1`. No text, and NaN, are no label.
    Files,
    /// As Python writes them: `True`, `False`, `1.0`.
    Python,
}

/// A number that names no class: it has a fraction, or is not finite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NotWhole {
    /// Its row.
    pub row: usize,
    /// The number.
    pub value: f64,
}

impl Spelling {
    /// Yes or no.
    pub fn flag(self, yes: bool) -> &'static str {
        match (self, yes) {
            (Self::Files, true) => "true",
            (Self::Files, false) => "false",
            (Self::Python, true) => "True",
            (Self::Python, false) => "False",
        }
    }

    fn number(self, value: f64) -> String {
        match self {
            Self::Files => format!("{value}"),
            Self::Python => format!("{value:?}"),
        }
    }

    /// Labels that are whole numbers in floating point, the first of which has the number `first_row`.
    ///
    /// # Errors
    /// [`NotWhole`] for numbers that name no class.
    pub fn whole(
        self,
        values: impl Iterator<Item = Option<f64>>,
        first_row: usize,
    ) -> Result<Labels<'static>, NotWhole> {
        let key = |(row, value): (usize, Option<f64>)| match value {
            None => Ok(None),
            Some(value) if value.is_nan() && self == Self::Files => Ok(None),
            Some(value) if value.fract() == 0.0 => Ok(Some((value + 0.0).to_bits())),
            Some(value) => Err(NotWhole { row, value }),
        };
        let keys = (first_row..).zip(values).map(key).collect::<Result<Vec<_>, NotWhole>>()?;
        Ok(encoded(keys.into_iter(), |bits| self.number(f64::from_bits(*bits))))
    }

    /// Labels that are yes or no.
    pub fn flags(self, values: impl Iterator<Item = Option<bool>>) -> Labels<'static> {
        encoded(values, |yes| self.flag(*yes).to_owned())
    }

    /// Labels that are text.
    pub fn texts<'t>(self, values: impl Iterator<Item = Option<&'t str>>) -> Labels<'static> {
        let mut encoder: Encoder<Label> = Encoder::default();
        let named = |text: &&str| self == Self::Python || !text.is_empty();
        let code = |text: Option<&'t str>| text.filter(named).map(|text| encoder.code(text));
        let codes = values.map(code).map(|code| code.unwrap_or(NO_LABEL)).collect();
        joined(codes, encoder)
    }
}

/// Labels that are whole numbers.
pub fn integers(values: impl Iterator<Item = Option<i64>> + Clone) -> Labels<'static> {
    few(values.clone()).unwrap_or_else(|| encoded(values, i64::to_string))
}

/// Numbers from zero to this are looked up in a table.
const FEW: usize = 256;

/// Labels that are small whole numbers, numbered in the order of their texts; `None` where one is not.
fn few(values: impl Iterator<Item = Option<i64>> + Clone) -> Option<Labels<'static>> {
    let mut codes = [NO_LABEL; FEW];
    for value in values.clone().flatten() {
        *codes.get_mut(usize::try_from(value).ok()?)? = 0;
    }
    let present = (0..FEW).filter(|value| codes[*value] == 0);
    let mut dictionary: Vec<(Label, usize)> =
        present.map(|value| (Label::from(value.to_string()), value)).collect();
    dictionary.sort();
    for (code, (_, value)) in (0..).zip(&dictionary) {
        codes[*value] = code;
    }
    let code = |value: Option<i64>| value.map_or(NO_LABEL, |value| codes[value as usize % FEW]);
    Some(Labels {
        codes: Cow::Owned(values.map(code).collect()),
        dictionary: Cow::Owned(dictionary.into_iter().map(|(label, _)| label).collect()),
    })
}

/// Keys as codes, and the text of each key as dictionary.
pub fn encoded<K: Clone + Eq + Hash>(
    keys: impl Iterator<Item = Option<K>>,
    text: impl Fn(&K) -> String,
) -> Labels<'static> {
    let mut encoder = Encoder::default();
    let codes = keys.map(|key| key.map_or(NO_LABEL, |key| encoder.code(&key))).collect();
    let dictionary = encoder.into_labels().iter().map(|key| Label::from(text(key))).collect();
    Labels { codes: Cow::Owned(codes), dictionary: Cow::Owned(dictionary) }
}

/// Codes and the encoder that gave them.
pub(crate) fn joined(codes: Vec<u32>, encoder: Encoder<Label>) -> Labels<'static> {
    Labels { codes: Cow::Owned(codes), dictionary: Cow::Owned(encoder.into_labels()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_are_the_labels_that_any_numbers_are() {
        let named = |labels: &Labels<'_>| -> Vec<Option<String>> {
            let name = |code: &u32| labels.dictionary.get(*code as usize).map(ToString::to_string);
            labels.codes.iter().map(name).collect()
        };
        for more in [None, Some(0), Some(255), Some(256), Some(-1), Some(i64::MIN)] {
            let values = || [Some(10), None, Some(9), Some(10), Some(2)].into_iter().chain([more]);
            let plain = encoded(values(), i64::to_string);
            assert_eq!(named(&integers(values())), named(&plain), "{more:?}");
        }
        let sorted = integers([Some(9), Some(10), Some(9)].into_iter()).dictionary;
        assert!(sorted.iter().map(Label::as_str).eq(["10", "9"]));
    }
}
