//! Reads arrays that NumPy has saved: rows are cut in order, and decoded on any thread.

mod header;
mod numbers;
mod part;

pub(crate) use part::{NpyCut, NpyPart};
