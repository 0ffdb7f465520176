//! Holds rows: blocks that are checked once, and the sources that cut them.

mod banana;
mod blobs;
mod block;
mod chain;
mod extent;
mod fields;
mod figures;
mod folds;
mod label;
mod memo;
mod memory;
mod mixing;
mod of_class;
mod rows;
mod source;
mod sparse;
mod trunk;

pub use banana::{Banana, BananaCut, banana};
pub use blobs::blobs;
pub use block::{Block, Labels, NO_LABEL};
pub use chain::Chain;
pub(crate) use extent::Extent;
pub use fields::Field;
pub use figures::Figure;
pub use folds::Folds;
pub(crate) use label::class_order;
pub use label::{Encoder, Label, sort_labels};
pub use memo::Memo;
pub(crate) use memo::Total;
pub use memory::{Memory, Span, Table};
pub use of_class::{ClassCut, OfClass};
pub use rows::Rows;
pub(crate) use rows::{Dense, all_finite};
pub use source::{Cut, Source, rows_per_block};
pub use sparse::Sparse;
pub use trunk::{echo, trunk};
