//! Fits Gaussian mixtures by EM: the E-step is prediction, the M-step the one of every fit \[M56\].

mod criteria;
mod empty;
mod expect;
mod functional;
mod rounding;
mod rounds;
mod search;
mod spec;
mod start;
mod state;
mod stop;

pub use criteria::{Criteria, Criterion};
pub use expect::{EmStat, EmSweep};
pub use search::{Cell, Entry, Search, SearchSpec};
pub use spec::{Assign, EmSpec, OnEmpty};
pub use start::{Belonging, Hierarchy, Restarts, Sampled, Start, Starts, start_from};
pub use state::{EmState, Event, Pass, Saved, em};
pub use stop::{Stop, StopRule};
