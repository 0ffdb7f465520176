//! Fits mixtures by variational Bayes: the sweep of EM, and a posterior of its parameters \[M72\].

mod bound;
mod posterior;
mod prior;
mod spec;
mod start;
mod state;

pub use posterior::{BayesPosterior, Concentration};
pub use prior::{BayesPrior, total_moments};
pub use spec::{BayesSpec, WeightPrior};
pub use state::{BayesPass, BayesState, variational};
