//! Multiplies densities of columns: naive Bayes over numbers, flags, names, counts and words.

mod estimate;
mod factor;
mod gather;
mod product;
mod report;
mod spec;
mod stat;
mod tally;
mod telling;

pub use factor::{Factor, Places};
pub use product::Product;
pub use report::{ProductReport, Silence};
pub use spec::{Alpha, Counting, Kind, Part, ProductSpec, Unseen};
pub use stat::{PartStat, ProductStat, ProductSweep};
pub use tally::Tally;
