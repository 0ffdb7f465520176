//! Adds a uniform component for rows that belong to no Gaussian \[M66\].

use super::kept::Kept;
use super::{Mixture, Scores};
use crate::error::{Error, OutlierRefusal};
use crate::tolerance::NOISE_START;

/// The name of the class of rows that belong to no Gaussian.
pub const NOISE: &str = "noise";

/// A box: in raw coordinates, or along axes of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Extent {
    /// Orthonormal axes, one after the other; none where they are the columns.
    axes: Option<Vec<f64>>,
    /// The point that coordinates along the axes are measured from.
    origin: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
}

impl Extent {
    /// A box from `low` to `high` along each axis, measured from `origin`.
    ///
    /// # Errors
    /// [`Error::Shape`] when lengths differ, [`Error::BadParameter`] for sides that are not positive numbers.
    pub fn new(
        axes: Option<Vec<f64>>,
        origin: Vec<f64>,
        low: Vec<f64>,
        high: Vec<f64>,
    ) -> Result<Self, Error> {
        let dim = origin.len();
        let shape = |what, expected, found| {
            if expected == found { Ok(()) } else { Err(Error::Shape { what, expected, found }) }
        };
        shape("lower ends of a box", dim, low.len())?;
        shape("upper ends of a box", dim, high.len())?;
        if let Some(axes) = &axes {
            shape("axes of a box", dim.saturating_mul(dim), axes.len())?;
        }
        let extent = Self { axes, origin, low, high };
        let value = extent.log_volume();
        let finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
        let proper = finite(&extent.origin) && extent.axes.as_deref().is_none_or(finite);
        if value.is_finite() && proper {
            Ok(extent)
        } else {
            Err(Error::BadParameter { what: "box", component: 0, value })
        }
    }

    /// Columns.
    pub fn dim(&self) -> usize {
        self.origin.len()
    }

    /// The axes, one after the other, where they are not the columns.
    pub fn axes(&self) -> Option<&[f64]> {
        self.axes.as_deref()
    }

    /// The point that coordinates along the axes are measured from.
    pub fn origin(&self) -> &[f64] {
        &self.origin
    }

    /// Where it begins along each axis.
    pub fn low(&self) -> &[f64] {
        &self.low
    }

    /// Where it ends along each axis.
    pub fn high(&self) -> &[f64] {
        &self.high
    }

    /// ln of its volume.
    pub fn log_volume(&self) -> f64 {
        self.low.iter().zip(&self.high).map(|(low, high)| (high - low).ln()).sum()
    }

    /// The box of some columns, in this order; of all alone where it has axes of its own.
    pub(crate) fn of_columns(&self, columns: &[usize]) -> Option<Self> {
        let pick = |values: &[f64]| columns.iter().map(|&j| values[j]).collect::<Vec<f64>>();
        let origin = pick(&self.origin);
        let Some(axes) = &self.axes else {
            let (low, high) = (pick(&self.low), pick(&self.high));
            return Some(Self { axes: None, origin, low, high });
        };
        if columns.len() != self.dim() {
            return None;
        }
        let axes = axes.chunks_exact(self.dim()).flat_map(pick).collect();
        Some(Self { axes: Some(axes), origin, ..self.clone() })
    }

    /// The raw row at these shares, between 0 and 1, of the way along each axis.
    pub(crate) fn at(&self, shares: &[f64], row: &mut [f64]) {
        let sides = self.low.iter().zip(&self.high).zip(shares);
        let along: Vec<f64> = sides.map(|((low, high), t)| low + t * (high - low)).collect();
        for (j, (x, origin)) in row.iter_mut().zip(&self.origin).enumerate() {
            let offset = match &self.axes {
                None => along[j],
                Some(axes) => {
                    let column = axes.iter().skip(j).step_by(self.dim());
                    along.iter().zip(column).map(|(t, axis)| t * axis).sum()
                }
            };
            *x = origin + offset;
        }
    }
}

/// What a mixture holds for rows that belong to none of its Gaussians.
#[derive(Debug, Clone, PartialEq)]
pub struct Noise {
    /// Share of all rows.
    pub share: f64,
    /// Where such rows are, all places alike.
    pub extent: Extent,
}

impl Noise {
    /// In a box, with a share to begin with.
    pub fn first(extent: Extent) -> Self {
        Self { share: NOISE_START, extent }
    }
}

impl Mixture {
    /// The same Gaussians, and a share of rows that are anywhere in a box.
    ///
    /// # Errors
    /// [`Error::Shape`] for a box of other columns, [`OutlierRefusal::Share`] for a share that is not
    /// at least 0 and below 1.
    pub fn with_noise(mut self, noise: Option<Noise>) -> Result<Self, Error> {
        if let Some(noise) = &noise {
            let (what, expected, found) = ("columns of a box", self.dim(), noise.extent.dim());
            if expected != found {
                return Err(Error::Shape { what, expected, found });
            }
            if !(0.0..1.0).contains(&noise.share) {
                return Err(OutlierRefusal::Share { value: noise.share }.into());
            }
        }
        self.noise = noise;
        self.linear = Kept::default();
        Ok(self)
    }

    /// What it holds for rows that belong to none of its Gaussians.
    pub fn noise(&self) -> Option<&Noise> {
        self.noise.as_ref()
    }

    /// Shares of all rows, column by column of its scores: the Gaussians', then that of noise where there is any.
    pub fn shares(&self) -> Vec<f64> {
        let Some(noise) = &self.noise else { return self.weights().to_vec() };
        let rest = 1.0 - noise.share;
        let gaussian = self.weights().iter().map(|weight| rest * weight);
        gaussian.chain(std::iter::once(noise.share)).collect()
    }
}

impl Scores {
    /// The same with a last column for noise; density and share are the same for every row.
    pub(super) fn with_noise(self, noise: &Noise) -> Self {
        let (components, columns) = (self.components, self.components + 1);
        let rest = (-noise.share).ln_1p();
        let score = noise.share.ln() - noise.extent.log_volume() - rest;
        let mut relative = Vec::with_capacity(columns * self.common.len());
        let mut common = self.common;
        for (row, common) in self.relative.chunks_exact(components).zip(&mut common) {
            let best = *common + row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            // What rows far from all Gaussians have in common is noise: nothing large may cancel there.
            let from = if score > best { score } else { *common };
            let apart = *common - from;
            relative.extend(row.iter().map(|relative| relative + apart));
            relative.push(score - from);
            *common = from + rest;
        }
        Self { components: columns, common, relative }
    }
}
