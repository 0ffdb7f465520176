//! Streams records from CSV text: they are cut in order, and decoded on any thread.

mod cut;
mod decode;
mod field;
mod grammar;
mod part;
mod plain;
mod records;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod typed_tests;

pub(crate) use cut::{CHUNK_BYTES, Cutter};
pub(crate) use decode::CsvCut;
pub(crate) use field::Field;
pub(crate) use grammar::{Grammar, number};
pub(crate) use part::{CsvPart, names, refuse_twins};
pub(crate) use records::Records;
