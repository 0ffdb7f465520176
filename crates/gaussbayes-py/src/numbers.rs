//! Holds columns of numbers of any type that numpy has, and reads them as double precision.

use std::ops::Range;

use numpy::ndarray::{ArrayView1, s};
use numpy::{PyArrayDescrMethods, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// One definition for every element type: what is held, how it is viewed, how it is read.
macro_rules! element_types {
    ($($name:ident $type:ty, $read:expr;)*) => {
        /// A column that a call holds on to.
        pub(crate) enum HeldColumn<'py> {
            $($name(PyReadonlyArray1<'py, $type>),)*
        }

        /// A column that any thread can read.
        #[derive(Debug, Clone, Copy)]
        pub(crate) enum Column<'a> {
            $($name(ArrayView1<'a, $type>),)*
        }

        impl<'py> HeldColumn<'py> {
            /// # Errors
            /// A `TypeError` for an element type that is no number.
            pub(crate) fn new(array: &Bound<'py, PyAny>) -> PyResult<Self> {
                behaved(array)?;
                if array.extract::<PyReadonlyArray1<'py, bool>>().is_ok() {
                    // A byte of numpy's that means true may be any but 0.
                    let bytes = array.call_method1("view", ("u1",))?;
                    return Ok(Self::Bool(bytes.extract()?));
                }
                $(if let Ok(held) = array.extract::<PyReadonlyArray1<'py, $type>>() {
                    return Ok(Self::$name(held));
                })*
                let kind = array.cast::<PyUntypedArray>().map(|a| a.dtype().to_string());
                let kind = kind.unwrap_or_else(|_| array.get_type().to_string());
                Err(PyTypeError::new_err(format!("a column of {kind} holds no numbers")))
            }

            pub(crate) fn view(&self) -> Column<'_> {
                match self {
                    $(Self::$name(held) => Column::$name(held.as_array()),)*
                }
            }
        }

        impl Column<'_> {
            pub(crate) fn len(&self) -> usize {
                match self {
                    $(Self::$name(view) => view.len(),)*
                }
            }

            /// Writes values from `start` on to every `step`-th place.
            pub(crate) fn read(&self, start: usize, into: &mut [f64], step: usize) {
                match self {
                    $(Self::$name(view) => {
                        let values = view.slice(s![start..]);
                        if step == 1 && let Some(values) = values.as_slice() {
                            // Several at a time.
                            let pairs = into.iter_mut().zip(values);
                            pairs.for_each(|(place, value)| *place = $read(*value));
                            return;
                        }
                        let places = into.iter_mut().step_by(step);
                        places.zip(values.iter()).for_each(|(place, value)| *place = $read(*value));
                    })*
                }
            }
        }
    };
}

element_types! {
    F64 f64, |x| x;
    F32 f32, f64::from;
    I64 i64, |x| x as f64;
    I32 i32, f64::from;
    I16 i16, f64::from;
    I8 i8, f64::from;
    U64 u64, |x| x as f64;
    U32 u32, f64::from;
    U16 u16, f64::from;
    U8 u8, f64::from;
    Bool u8, |x| f64::from(u8::from(x != 0));
}

/// Refuses arrays whose elements do not lie where Rust would look for them: fields of packed records.
///
/// # Errors
/// A `ValueError`; Python's side copies such arrays before they come here.
pub(crate) fn behaved(array: &Bound<'_, PyAny>) -> PyResult<()> {
    let Ok(untyped) = array.cast::<PyUntypedArray>() else { return Ok(()) };
    let size = untyped.dtype().itemsize().max(1) as isize;
    let apart = untyped.strides().iter().all(|stride| stride % size == 0);
    if apart && array.getattr("flags")?.getattr("aligned")?.extract::<bool>()? {
        return Ok(());
    }
    Err(PyValueError::new_err("the array is a field of packed records: copy it first"))
}

impl Column<'_> {
    /// Some whole numbers as places in an array.
    pub(crate) fn indices(&self, range: Range<usize>) -> Vec<usize> {
        let mut values = vec![0.0; range.len()];
        self.read(range.start, &mut values, 1);
        values.into_iter().map(|value| value as usize).collect()
    }
}
