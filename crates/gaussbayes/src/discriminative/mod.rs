//! Learns posteriors without densities: softmax regression, the discriminative twin of LDA \[M79\].

mod bridge;
mod folds;
mod model;
mod newton;
mod report;
mod separation;
mod spec;
mod state;
mod sweep;

pub(crate) use folds::softmax_folds;
pub use model::Softmax;
pub use report::{SoftmaxFit, SoftmaxReport};
pub use spec::SoftmaxSpec;
pub(crate) use state::softmax_named;
pub use state::{SoftmaxState, softmax};
pub use sweep::SoftmaxStat;
