//! Turns statistics into covariances: families, pooling, shrinkage, factorisation.

mod estimate;
mod factor;
mod family;
mod matrix;
mod priors;
mod spec;

pub use estimate::{Estimate, Report};
pub use family::{Family, Sharing};
pub use matrix::Covariance;
pub(crate) use matrix::norm_sq;
pub use priors::Priors;
pub use spec::{CovarianceSpec, Pooling, Scaling, Shrinkage, Target};
