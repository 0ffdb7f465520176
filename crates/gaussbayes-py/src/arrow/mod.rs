//! Reads tables and columns that Python objects lend by the Arrow C interfaces.

mod capsule;
mod columns;
mod labels;
mod source;
mod stream;

pub(crate) use source::{StreamCut, StreamSource};
pub(crate) use stream::Stream;

use arrow_array::{Array, ArrayRef};
use gaussbayes_io::arrow::{Piece, foreign, read_numbers};
use pyo3::prelude::*;

use crate::failure::Failure;
use crate::labels::Encoded;

/// All arrays of a column that an object lends; nothing where it lends none.
fn arrays(object: &Bound<'_, PyAny>) -> Result<Option<Vec<ArrayRef>>, Failure> {
    if object.hasattr(capsule::STREAM_METHOD)? {
        let stream = capsule::stream(object)?;
        let all = object.py().detach(|| stream.collect::<Result<Vec<_>, _>>());
        return Ok(Some(all.map_err(|error| Failure::Arrow(error.to_string()))?));
    }
    if object.hasattr(capsule::ARRAY_METHOD)? {
        return Ok(Some(vec![capsule::array(object)?]));
    }
    Ok(None)
}

fn whole(arrays: &[ArrayRef]) -> Vec<Piece<'_>> {
    arrays.iter().map(|array| (array.as_ref(), 0..array.len())).collect()
}

/// The labels of a column; nothing where the object lends none.
///
/// # Errors
/// [`Failure::LabelType`] for what names no class, and as whole numbers are refused.
pub(crate) fn labels_of(object: &Bound<'_, PyAny>) -> Result<Option<Encoded>, Failure> {
    let Some(arrays) = arrays(object)? else { return Ok(None) };
    let labels = object.py().detach(|| labels::encode(&whole(&arrays), 0))?;
    let (codes, dictionary) = (labels.codes.into_owned(), labels.dictionary.into_owned());
    Ok(Some(Encoded { codes, dictionary }))
}

/// The numbers of a column, NaN where there is none; nothing where the object lends no column.
///
/// # Errors
/// [`Failure::NotNumbers`] for a column of something else.
pub(crate) fn numbers_of(
    object: &Bound<'_, PyAny>,
    what: &str,
) -> Result<Option<Vec<f64>>, Failure> {
    let Some(arrays) = arrays(object)? else { return Ok(None) };
    let holds = arrays.iter().find_map(|array| foreign(array.data_type()));
    if let Some(holds) = holds {
        return Err(Failure::NotNumbers { column: what.into(), holds });
    }
    let mut all = vec![0.0; arrays.iter().map(Array::len).sum()];
    read_numbers(&whole(&arrays), &mut all, 1);
    Ok(Some(all))
}
