//! Lays out a mixture: its frame, weights, means, factors of covariances, and laws.

use gaussbayes::{Covariance, Covariances, Error, Extent, Frame, Law, Mixture, Noise, Shape};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FrameLayout {
    origin: Vec<f64>,
    exponent: Vec<i32>,
    shift: Vec<i32>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MixtureLayout {
    frame: FrameLayout,
    weights: Vec<f64>,
    means: Vec<f64>,
    covariances: CovariancesLayout,
    /// None where densities are Gaussian.
    #[serde(default)]
    laws: Option<Vec<LawLayout>>,
    /// None where every row belongs to a component.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    noise: Option<NoiseLayout>,
}

/// A share of rows that are anywhere in a box.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NoiseLayout {
    share: f64,
    axes: Option<Vec<f64>>,
    origin: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CovariancesLayout {
    Shared(FactorLayout),
    Each(Vec<FactorLayout>),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum FactorLayout {
    Full(Vec<f64>),
    Diagonal(Vec<f64>),
    Spherical(f64),
    /// A covariance that keeps to a range.
    Range {
        whitener: Vec<f64>,
        covariance: Vec<f64>,
        log_det: f64,
    },
}

/// How a component's log density follows from the squared distance.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum LawLayout {
    Scaled { factor: f64, offset: f64 },
    Student { power: f64, divisor: f64, offset: f64 },
}

impl FrameLayout {
    pub(crate) fn of(frame: &Frame) -> Self {
        Self {
            origin: frame.origin().to_vec(),
            exponent: frame.exponent().to_vec(),
            shift: frame.shift().to_vec(),
        }
    }

    pub(crate) fn into_frame(self) -> Result<Frame, Error> {
        Frame::new(self.origin, self.exponent, self.shift)
    }
}

impl MixtureLayout {
    pub(crate) fn of(mixture: &Mixture) -> Self {
        Self {
            frame: FrameLayout::of(mixture.frame()),
            weights: mixture.weights().to_vec(),
            means: mixture.means().to_vec(),
            covariances: match mixture.covariances() {
                Covariances::Shared(one) => CovariancesLayout::Shared(FactorLayout::of(one)),
                Covariances::Each(all) => {
                    CovariancesLayout::Each(all.iter().map(FactorLayout::of).collect())
                }
            },
            laws: mixture.laws().map(|laws| laws.iter().map(LawLayout::of).collect()),
            noise: mixture.noise().map(NoiseLayout::of),
        }
    }

    pub(crate) fn into_mixture(self) -> Result<Mixture, Error> {
        let frame = self.frame.into_frame()?;
        let dim = frame.dim();
        let covariances = match self.covariances {
            CovariancesLayout::Shared(one) => Covariances::Shared(one.into_covariance(dim)?),
            CovariancesLayout::Each(all) => Covariances::Each(
                all.into_iter().map(|one| one.into_covariance(dim)).collect::<Result<_, _>>()?,
            ),
        };
        let mixture = Mixture::new(frame, self.means, covariances, self.weights)?;
        let mixture = match self.laws {
            Some(laws) => mixture.with_laws(laws.into_iter().map(LawLayout::into_law).collect())?,
            None => mixture,
        };
        mixture.with_noise(self.noise.map(NoiseLayout::into_noise).transpose()?)
    }
}

impl NoiseLayout {
    fn of(noise: &Noise) -> Self {
        let extent = &noise.extent;
        Self {
            share: noise.share,
            axes: extent.axes().map(<[f64]>::to_vec),
            origin: extent.origin().to_vec(),
            low: extent.low().to_vec(),
            high: extent.high().to_vec(),
        }
    }

    fn into_noise(self) -> Result<Noise, Error> {
        let extent = Extent::new(self.axes, self.origin, self.low, self.high)?;
        Ok(Noise { share: self.share, extent })
    }
}

impl LawLayout {
    fn of(law: &Law) -> Self {
        match *law {
            Law::Scaled { factor, offset } => Self::Scaled { factor, offset },
            Law::Student { power, divisor, offset } => Self::Student { power, divisor, offset },
        }
    }

    fn into_law(self) -> Law {
        match self {
            Self::Scaled { factor, offset } => Law::Scaled { factor, offset },
            Self::Student { power, divisor, offset } => Law::Student { power, divisor, offset },
        }
    }
}

impl FactorLayout {
    fn of(covariance: &Covariance) -> Self {
        if let Some((whitener, log_det)) = covariance.range() {
            let covariance = covariance.triangle();
            return Self::Range { whitener: whitener.to_vec(), covariance, log_det };
        }
        let factor = covariance.factor();
        match covariance.shape() {
            Shape::Full => Self::Full(factor),
            Shape::Diagonal => Self::Diagonal(factor),
            Shape::Spherical => Self::Spherical(factor[0]),
        }
    }

    fn into_covariance(self, dim: usize) -> Result<Covariance, Error> {
        match self {
            Self::Full(factor) => Covariance::from_factor(Shape::Full, dim, factor),
            Self::Diagonal(factor) => Covariance::from_factor(Shape::Diagonal, dim, factor),
            Self::Spherical(one) => Covariance::from_factor(Shape::Spherical, dim, vec![one]),
            Self::Range { whitener, covariance, log_det } => {
                Covariance::from_range(dim, whitener, covariance, log_det)
            }
        }
    }
}
