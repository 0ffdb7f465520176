//! Holds any fitted model that scores rows, whatever it was learnt from.

use crate::covariance::Priors;
use crate::data::Block;
use crate::discriminative::Softmax;
use crate::error::{ColumnRefusal, Error};
use crate::mixture::{Mixture, Quadratic, Score, Scores};
use crate::naive::Product;

/// A fitted model: what a classifier asks for scores.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "a classifier has one, and nothing holds many")]
pub enum Scorer {
    /// Gaussians.
    Mixture(Mixture),
    /// Products of densities of single columns.
    Product(Product),
    /// Linear scores without densities.
    Softmax(Softmax),
}

impl Scorer {
    /// What it is, in words.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Mixture(_) => "a Gaussian model",
            Self::Product(_) => "naive Bayes over typed columns",
            Self::Softmax(_) => "softmax regression",
        }
    }

    /// The Gaussians.
    ///
    /// # Errors
    /// [`ColumnRefusal::NoGaussians`].
    pub fn mixture(&self) -> Result<&Mixture, Error> {
        match self {
            Self::Mixture(mixture) => Ok(mixture),
            Self::Product(_) | Self::Softmax(_) => {
                Err(ColumnRefusal::NoGaussians { model: self.name() }.into())
            }
        }
    }

    /// Share of each column of its scores in all rows: weights of components, noise included, or priors of classes.
    pub fn shares(&self) -> Vec<f64> {
        match self {
            Self::Mixture(mixture) => mixture.shares(),
            Self::Product(product) => product.priors().to_vec(),
            Self::Softmax(softmax) => softmax.priors().to_vec(),
        }
    }

    /// Whether its scores hold log densities: what rows are likely can be told.
    pub fn is_generative(&self) -> bool {
        match self {
            Self::Mixture(_) => true,
            Self::Product(product) => product.is_generative(),
            Self::Softmax(_) => false,
        }
    }

    /// The same with other shares.
    ///
    /// # Errors
    /// What [`Priors::resolve`] refuses.
    pub(crate) fn with_priors(&self, priors: &Priors) -> Result<Self, Error> {
        Ok(match self {
            Self::Mixture(mixture) => Self::Mixture(mixture.with_weights(priors)?),
            Self::Product(product) => Self::Product(product.with_priors(priors)?),
            Self::Softmax(softmax) => Self::Softmax(softmax.clone().with_priors(priors)?),
        })
    }

    fn score(&self) -> &dyn Score {
        match self {
            Self::Mixture(mixture) => mixture,
            Self::Product(product) => product,
            Self::Softmax(softmax) => softmax,
        }
    }
}

impl From<Mixture> for Scorer {
    fn from(mixture: Mixture) -> Self {
        Self::Mixture(mixture)
    }
}

impl From<Product> for Scorer {
    fn from(product: Product) -> Self {
        Self::Product(product)
    }
}

impl From<Softmax> for Scorer {
    fn from(softmax: Softmax) -> Self {
        Self::Softmax(softmax)
    }
}

impl Score for Scorer {
    fn dim(&self) -> usize {
        self.score().dim()
    }

    fn components(&self) -> usize {
        self.score().components()
    }

    fn scores(&self, block: &Block<'_>) -> Result<Scores, Error> {
        self.score().scores(block)
    }

    fn probabilities_into(&self, block: &Block<'_>, into: &mut [f64]) -> Result<(), Error> {
        self.score().probabilities_into(block, into)
    }

    fn quadratics(&self) -> Option<Vec<Quadratic>> {
        self.score().quadratics()
    }
}
