//! Fits classifiers by EM: rows without labels take part, and classes may be mixtures \[M63\] \[M65\].

mod first;
mod mixtures;
mod partly;
mod semi;

pub use first::First;
pub use mixtures::{ClassMixture, Mixtures, MixturesSpec, mixture_per_class};
pub use partly::{PartlyStat, PartlySweep};
pub use semi::{SemiEm, SemiFitted, semi_supervised};
