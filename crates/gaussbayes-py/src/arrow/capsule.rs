//! Takes Arrow data out of the capsules in which Python objects hand it over.

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{ArrayRef, make_array};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};

use crate::failure::Failure;

/// What an object has that lends arrays one after the other.
pub(super) const STREAM_METHOD: &str = "__arrow_c_stream__";

/// What an object has that lends one array.
pub(super) const ARRAY_METHOD: &str = "__arrow_c_array__";

/// A stream of arrays.
///
/// # Errors
/// What Python raises, and [`Failure::Arrow`] for a stream that cannot say what it holds.
pub(super) fn stream(object: &Bound<'_, PyAny>) -> Result<ArrayStreamReader, Failure> {
    let capsule = object.call_method0(STREAM_METHOD)?;
    let capsule = capsule.cast::<PyCapsule>().map_err(PyErr::from)?;
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: a capsule of this name holds an aligned, initialised ArrowArrayStream, by Arrow's
    // PyCapsule interface. It is moved out: what stays is marked released, so that the capsule does
    // not release it too. No Python code runs between the look at the name and the move.
    #[allow(unsafe_code, reason = "a capsule holds a C pointer: docs/adr/0016-arrow-import.md")]
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.cast().as_ptr()) };
    if stream.get_next().is_none() {
        return Err(Failure::Arrow("this stream has been read already".into()));
    }
    // A producer may ask a thread of its own for the schema, and that one for Python's lock.
    let opened = object.py().detach(|| ArrayStreamReader::try_new(stream));
    opened.map_err(|error| Failure::Arrow(error.to_string()))
}

/// One array.
///
/// # Errors
/// What Python raises, and [`Failure::Arrow`] for a type that this version does not know.
pub(super) fn array(object: &Bound<'_, PyAny>) -> Result<ArrayRef, Failure> {
    let pair = object.call_method0(ARRAY_METHOD)?;
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = pair.extract()?;
    let schema = schema.pointer_checked(Some(c"arrow_schema"))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(c"arrow_array"))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of these names hold an aligned, initialised ArrowSchema and the ArrowArray
    // that it describes, by Arrow's PyCapsule interface. The array is moved out, so that its capsule
    // does not release it too; the schema is only looked at, and its capsule outlives the look.
    #[allow(unsafe_code, reason = "a capsule holds a C pointer: docs/adr/0016-arrow-import.md")]
    let data = unsafe { from_ffi(FFI_ArrowArray::from_raw(array.as_ptr()), schema.as_ref()) };
    Ok(make_array(data.map_err(|error| Failure::Arrow(error.to_string()))?))
}
