//! Reads tables, costs and built-in data sets for gaussbayes, and writes files whole.

mod advice;
mod atomic;
mod cell;
mod checkpoint;
mod csv;
mod datasets;
mod envelope;
mod error;
mod held;
mod loss;
mod model;
mod nearest;
mod open;
mod parameters;
mod spool;

pub use advice::shell;
pub use atomic::{AtomicFile, check_writable, write_atomically};
pub use cell::Cell;
pub use checkpoint::{Checkpoint, Settings, TracePoint};
pub use csv::{ColumnType, Columns, CsvCut, CsvSource, Entries, SaidBy, Types, words_of};
pub use datasets::{names, usual_target};
pub use error::{Error, Kind};
pub use held::{Held, HeldCut};
pub use loss::read_loss;
pub use model::{ByEm, Clustering, Kept, Model, OfClass};
pub use nearest::nearest;
pub use open::Data;
pub use parameters::read_parameters;
