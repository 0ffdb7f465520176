//! Turns statistics into covariances: families, pooling, shrinkage, factorisation.

mod axes;
mod before;
mod bend;
mod density;
mod equation;
mod estimate;
mod factor;
mod family;
mod guard;
mod matrix;
mod priors;
mod range;
mod remedy;
mod report;
mod ridge;
mod shrinkage;
mod spec;
mod structure;
mod turning;

pub use equation::Equation;
pub use family::{Family, Sharing};
pub use matrix::Covariance;
pub(crate) use matrix::{Form, norm_sq};
pub use priors::Priors;
pub use remedy::Remedy;
pub use report::{Estimate, Report};
pub use ridge::Ridge;
pub use shrinkage::{Amount, Shrinkage, Target, rda_grid};
pub use spec::{CovarianceSpec, Density, OnSingular, Pooling, Scaling};
pub use structure::Convergence;
