//! Says how a classifier is learnt: Gaussians, products of densities, or softmax regression.

use crate::covariance::CovarianceSpec;
use crate::discriminative::SoftmaxSpec;
use crate::error::{ColumnRefusal, Error};
use crate::naive::ProductSpec;

/// How a classifier is learnt.
#[derive(Debug, Clone, PartialEq)]
pub enum Learner {
    /// Gaussians, one per class.
    Gaussian(CovarianceSpec),
    /// Products of densities of single columns.
    Product(ProductSpec),
    /// Linear scores without densities.
    Softmax(SoftmaxSpec),
}

impl Learner {
    /// How covariances are estimated.
    ///
    /// # Errors
    /// [`ColumnRefusal::NoGaussians`].
    pub fn gaussian(&self) -> Result<&CovarianceSpec, Error> {
        match self {
            Self::Gaussian(spec) => Ok(spec),
            Self::Product(_) => {
                let model = "naive Bayes over typed columns";
                Err(ColumnRefusal::NoGaussians { model }.into())
            }
            Self::Softmax(_) => {
                Err(ColumnRefusal::NoGaussians { model: "softmax regression" }.into())
            }
        }
    }
}

impl From<CovarianceSpec> for Learner {
    fn from(spec: CovarianceSpec) -> Self {
        Self::Gaussian(spec)
    }
}

impl From<ProductSpec> for Learner {
    fn from(spec: ProductSpec) -> Self {
        Self::Product(spec)
    }
}

impl From<SoftmaxSpec> for Learner {
    fn from(spec: SoftmaxSpec) -> Self {
        Self::Softmax(spec)
    }
}
