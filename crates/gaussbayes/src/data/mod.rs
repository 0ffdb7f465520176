//! Holds rows: blocks that are checked once, and the sources that cut them.

mod banana;
mod blobs;
mod block;
mod chain;
mod figures;
mod folds;
mod label;
mod memory;
mod of_class;
mod source;

pub use banana::{Banana, BananaCut, banana};
pub use blobs::blobs;
pub(crate) use block::all_finite;
pub use block::{Block, Labels, NO_LABEL, Rows};
pub use chain::Chain;
pub use figures::Figure;
pub use folds::Folds;
pub(crate) use label::class_order;
pub use label::{Encoder, Label, sort_labels};
pub use memory::{Memory, Span, Table};
pub use of_class::{ClassCut, OfClass};
pub use source::{Cut, Source, rows_per_block};
