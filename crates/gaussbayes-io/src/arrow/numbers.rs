//! Reads columns of numbers of any Arrow type as double precision.

use std::ops::Range;

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal32Type, Decimal64Type, Decimal128Type, Float16Type, Float32Type,
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_schema::DataType;

use super::Piece;

/// Powers of ten and whole numbers up to here are exact in double precision, so that their quotient
/// is rounded once.
const EXACT_SCALE: i8 = 22;
const EXACT_WHOLE: u128 = 1 << 53;

/// What a column holds that is no number; nothing for numbers.
pub fn foreign(data_type: &DataType) -> Option<&'static str> {
    match data_type {
        DataType::Null | DataType::Boolean => None,
        DataType::Decimal256(..) => Some("decimals of 256 bits"),
        kind if kind.is_numeric() => None,
        kind if kind.is_temporal() => Some("times"),
        DataType::Dictionary(_, values) => foreign(values),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Some("text"),
        DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_) => Some("bytes"),
        _ => Some("nested values"),
    }
}

/// Writes numbers to every `step`-th place, NaN where there is none.
pub fn read_numbers(pieces: &[Piece<'_>], into: &mut [f64], step: usize) {
    let mut done = 0;
    for (array, rows) in pieces {
        let places = into.iter_mut().skip(done * step).step_by(step);
        read_piece(*array, rows.clone(), places);
        done += rows.len();
    }
}

fn read_piece<'a>(
    array: &dyn Array,
    rows: Range<usize>,
    places: impl Iterator<Item = &'a mut f64>,
) {
    match array.data_type() {
        DataType::Float64 => plain::<Float64Type>(array, rows, places, |x| x),
        DataType::Float32 => plain::<Float32Type>(array, rows, places, f64::from),
        DataType::Float16 => plain::<Float16Type>(array, rows, places, f64::from),
        DataType::Int64 => plain::<Int64Type>(array, rows, places, |x| x as f64),
        DataType::Int32 => plain::<Int32Type>(array, rows, places, f64::from),
        DataType::Int16 => plain::<Int16Type>(array, rows, places, f64::from),
        DataType::Int8 => plain::<Int8Type>(array, rows, places, f64::from),
        DataType::UInt64 => plain::<UInt64Type>(array, rows, places, |x| x as f64),
        DataType::UInt32 => plain::<UInt32Type>(array, rows, places, f64::from),
        DataType::UInt16 => plain::<UInt16Type>(array, rows, places, f64::from),
        DataType::UInt8 => plain::<UInt8Type>(array, rows, places, f64::from),
        &DataType::Decimal128(_, scale) => {
            plain::<Decimal128Type>(array, rows, places, |x| decimal(x, scale));
        }
        &DataType::Decimal64(_, scale) => {
            plain::<Decimal64Type>(array, rows, places, |x| decimal(x.into(), scale));
        }
        &DataType::Decimal32(_, scale) => {
            plain::<Decimal32Type>(array, rows, places, |x| decimal(x.into(), scale));
        }
        DataType::Boolean => {
            let array = array.as_boolean();
            put(array, rows, places, |i| f64::from(u8::from(array.value(i))));
        }
        DataType::Dictionary(..) => {
            let part = array.slice(rows.start, rows.len());
            let dictionary = part.as_any_dictionary();
            let values = dictionary.values();
            let mut numbers = vec![0.0; values.len()];
            read_piece(values, 0..values.len(), numbers.iter_mut());
            let keys = if numbers.is_empty() { Vec::new() } else { dictionary.normalized_keys() };
            put(dictionary.keys(), 0..rows.len(), places, |i| numbers[keys[i]]);
        }
        // Nulls; what else there is, `foreign` has refused.
        _ => places.take(rows.len()).for_each(|place| *place = f64::NAN),
    }
}

fn plain<'a, T: ArrowPrimitiveType>(
    array: &dyn Array,
    rows: Range<usize>,
    places: impl Iterator<Item = &'a mut f64>,
    number: impl Fn(T::Native) -> f64,
) {
    let array = array.as_primitive::<T>();
    if array.null_count() == 0 {
        let values = &array.values()[rows];
        places.zip(values).for_each(|(place, value)| *place = number(*value));
        return;
    }
    put(array, rows, places, |i| number(array.value(i)));
}

fn put<'a>(
    array: &(impl Array + ?Sized),
    rows: Range<usize>,
    places: impl Iterator<Item = &'a mut f64>,
    number: impl Fn(usize) -> f64,
) {
    for (i, place) in rows.zip(places) {
        *place = if array.is_valid(i) { number(i) } else { f64::NAN };
    }
}

/// `digits`·10^−`scale`, rounded once.
fn decimal(digits: i128, scale: i8) -> f64 {
    if (0..=EXACT_SCALE).contains(&scale) && digits.unsigned_abs() <= EXACT_WHOLE {
        return digits as f64 / 10_f64.powi(scale.into());
    }
    let text = format!("{digits}e{}", -i16::from(scale));
    text.parse().expect("invariant: whole digits and an exponent are a number")
}
