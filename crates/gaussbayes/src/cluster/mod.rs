//! Fits Gaussian mixtures by EM: the E-step is prediction, the M-step the one of every fit \[M56\].

mod altered;
mod bayes;
mod bootstrap;
mod classes;
mod combine;
mod criteria;
mod empty;
mod expect;
mod frozen;
mod functional;
mod fused;
mod influence;
mod lever;
mod maximise;
mod movement;
mod outliers;
mod ownership;
mod rounding;
mod rounds;
mod saved;
mod search;
mod spec;
mod start;
mod state;
mod stop;
mod tied;

pub use bayes::{
    BayesPass, BayesPosterior, BayesPrior, BayesSpec, BayesState, Concentration, WeightPrior,
    total_moments, variational,
};
pub use bootstrap::{Bootstrap, Figures};
pub use classes::{
    ClassMixture, First, Mixtures, MixturesSpec, PartlyStat, PartlySweep, SemiEm, SemiFitted,
    mixture_per_class, semi_supervised,
};
pub use combine::Combination;
pub use criteria::{Criteria, Criterion};
pub use expect::{EmStat, EmSweep, Expectation, Precision};
pub use frozen::Frozen;
pub use influence::{Influence, Influential, displaced, influences, most_influential};
pub use movement::Movement;
pub use outliers::{Freedom, Outliers};
pub use ownership::Ownership;
pub use saved::{Event, Pass, Saved};
pub use search::{Cell, Entry, Search, SearchSpec};
pub use spec::{Assign, EmSpec, OnEmpty};
pub use start::{
    Belonging, Hierarchy, Restarts, Sampled, Start, Starts, labels_of, start_from, start_labelled,
    start_within,
};
pub use state::{EmState, em};
pub use stop::{Stop, StopRule};
