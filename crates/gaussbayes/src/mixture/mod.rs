//! Scores rows under several Gaussians.

mod conditional;
mod discriminant;
mod given;
mod join;
mod kept;
mod kernels;
mod law;
mod level;
mod linear;
mod noise;
mod precision;
mod quadratic;
mod reading;
mod sample;
mod score;
pub(crate) mod shares;
pub(crate) mod tiles;

use crate::covariance::Covariance;
use crate::error::Error;
use crate::moments::Frame;
use kept::Kept;
use tiles::{Components, Offsets};

pub use law::Law;
pub(crate) use linear::LinearForm;
pub use noise::{Extent, NOISE, Noise};
pub use quadratic::{Quadratic, RawQuadratic};
pub use reading::Linear;
pub use sample::{Draw, Sample};
pub use score::{Score, Scores};

/// The covariances of a mixture.
#[derive(Debug, Clone, PartialEq)]
pub enum Covariances {
    /// One for all components.
    Shared(Covariance),
    /// One per component.
    Each(Vec<Covariance>),
}

impl Covariances {
    /// The covariance of component `k`.
    pub fn get(&self, k: usize) -> &Covariance {
        match self {
            Self::Shared(one) => one,
            Self::Each(all) => &all[k],
        }
    }
}

/// Gaussian components with their weights, in a frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Mixture {
    frame: Frame,
    means: Vec<f64>,
    covariances: Covariances,
    weights: Vec<f64>,
    laws: Option<Vec<Law>>,
    noise: Option<Noise>,
    components: Kept<Option<Components<f64>>>,
    singles: Kept<Option<Components<f32>>>,
    linear: Kept<Option<LinearForm>>,
    offsets: Kept<Offsets>,
    remoteness: Kept<f64>,
}

impl Mixture {
    /// Puts components together; means and covariances are those of framed rows.
    ///
    /// # Errors
    /// [`Error::Shape`] when lengths differ, [`Error::BadParameter`] for a mean that is not finite,
    /// [`Error::BadPriors`] for weights that are no distribution.
    pub fn new(
        frame: Frame,
        means: Vec<f64>,
        covariances: Covariances,
        weights: Vec<f64>,
    ) -> Result<Self, Error> {
        let (dim, components) = (frame.dim(), weights.len());
        let shape = |what, expected, found| {
            if expected == found { Ok(()) } else { Err(Error::Shape { what, expected, found }) }
        };
        if dim == 0 || components == 0 {
            return Err(Error::Shape { what: "a mixture", expected: 1, found: 0 });
        }
        shape("means", components.saturating_mul(dim), means.len())?;
        // Beyond the bound for rows a mean could not be told from infinity.
        let far = crate::moments::ldexp(1.0, crate::tolerance::FAR_EXPONENT);
        if let Some(at) = means.iter().position(|mean| mean.is_nan() || mean.abs() > far) {
            let component = at / dim;
            return Err(Error::BadParameter { what: "mean", component, value: means[at] });
        }
        if let Covariances::Each(all) = &covariances {
            shape("covariances", components, all.len())?;
        }
        for k in 0..components {
            shape("covariance columns", dim, covariances.get(k).dim())?;
        }
        // Checked, not divided by their sum again: a model that was saved is the one that was fitted.
        crate::Priors::check(&weights)?;
        Ok(Self {
            frame,
            means,
            covariances,
            weights,
            laws: None,
            noise: None,
            components: Kept::default(),
            singles: Kept::default(),
            linear: Kept::default(),
            offsets: Kept::default(),
            remoteness: Kept::default(),
        })
    }

    /// The frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Number of Gaussians.
    pub fn components(&self) -> usize {
        self.weights.len()
    }

    /// Columns.
    pub fn dim(&self) -> usize {
        self.frame.dim()
    }

    /// Mean of component `k` in the frame.
    pub fn mean(&self, k: usize) -> &[f64] {
        let dim = self.dim();
        &self.means[k * dim..(k + 1) * dim]
    }

    /// All means in the frame.
    pub fn means(&self) -> &[f64] {
        &self.means
    }

    /// Mean of component `k` in raw coordinates.
    pub fn raw_mean(&self, k: usize) -> Vec<f64> {
        self.mean(k).iter().enumerate().map(|(j, &u)| self.frame.raw_value(j, u)).collect()
    }

    /// The covariances of framed rows.
    pub fn covariances(&self) -> &Covariances {
        &self.covariances
    }

    /// Lower triangle, row by row, of the covariance of component `k` in raw coordinates.
    pub fn raw_covariance(&self, k: usize) -> Vec<f64> {
        let framed = self.covariances.get(k).triangle();
        let exponent = self.frame.exponent();
        let pairs = (0..self.dim()).flat_map(|i| (0..=i).map(move |j| (i, j)));
        let raw = |((i, j), value)| crate::moments::ldexp(value, exponent[i] + exponent[j]);
        pairs.zip(framed).map(raw).collect()
    }

    /// Weights of the components: the priors of the classes.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The same components with other weights.
    ///
    /// # Errors
    /// What [`crate::Priors`] refuses.
    pub fn with_weights(&self, priors: &crate::Priors) -> Result<Self, Error> {
        let weights = priors.resolve(&self.weights)?;
        Ok(Self { weights, ..self.clone() })
    }
}
