//! Streams rows from CSV text: records are cut in order, and decoded on any thread.

mod columns;
mod cut;
mod decode;
mod field;
mod records;
mod source;
#[cfg(test)]
mod tests;
mod typed;
#[cfg(test)]
mod typed_tests;
mod types;
mod words;

pub use columns::{Columns, Entries};
pub(crate) use cut::{CHUNK_BYTES, Cutter};
pub use decode::CsvCut;
pub(crate) use field::Field;
pub(crate) use records::Records;
pub use source::CsvSource;
pub(crate) use source::delimiter_of;
pub use typed::words_of;
pub use types::{ColumnType, SaidBy, Types};
