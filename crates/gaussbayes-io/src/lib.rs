//! Reads tables, costs and built-in data sets for gaussbayes, and writes files whole.

mod advice;
mod atomic;
mod cell;
mod csv;
mod datasets;
mod error;
mod loss;
mod model;
mod nearest;
mod open;
mod parameters;

pub use advice::shell;
pub use atomic::{AtomicFile, write_atomically};
pub use cell::Cell;
pub use csv::{Columns, CsvCut, CsvSource, Entries};
pub use datasets::{names, usual_target};
pub use error::{Error, Kind};
pub use loss::read_loss;
pub use model::Model;
pub use nearest::nearest;
pub use open::Data;
pub use parameters::read_parameters;
