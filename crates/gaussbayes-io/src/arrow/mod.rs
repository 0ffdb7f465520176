//! Reads files of Arrow's columns: batches are cut in order, and decoded on any thread.

mod cells;
mod decode;
mod guard;
mod ipc;
mod labels;
mod numbers;
mod parquet;
mod part;
mod window;

use std::ops::Range;

use arrow_array::Array;

pub(crate) use decode::BatchCut;
pub use labels::{LabelFault, encode_labels};
pub use numbers::{foreign, read_numbers};
pub(crate) use part::BatchPart;
pub use part::index_columns;

/// Some rows of a column.
pub type Piece<'a> = (&'a dyn Array, Range<usize>);
