//! Adds to variances a share of those over all rows, or a number \[M7\].

use crate::error::Error;
use crate::moments::{Frame, Moments, Shape, Spread, ldexp};
use crate::tolerance::{RIDGE_MAX, RIDGE_RAW_MAX};

/// What is added to each variance: a share of the variance over all rows, or a number \[M7\].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Ridge {
    /// Nothing.
    #[default]
    None,
    /// This share of the column's own: the same in every unit.
    OfEach(f64),
    /// This share of that of the widest column, for every column: depends on units.
    OfWidest(f64),
    /// This number, in the squared unit of the columns: depends on units.
    Raw(f64),
}

impl Ridge {
    /// The share or the number; 0 where nothing is added.
    pub fn share(self) -> f64 {
        match self {
            Self::None => 0.0,
            Self::OfEach(share) | Self::OfWidest(share) | Self::Raw(share) => share,
        }
    }

    /// Whether nothing is added.
    pub fn is_none(self) -> bool {
        self.share() == 0.0
    }

    /// Whether a column in another unit changes what is added to the others.
    pub(super) fn depends_on_units(self) -> bool {
        matches!(self, Self::OfWidest(_) | Self::Raw(_)) && !self.is_none()
    }

    /// Whether it takes the variance of each column over all rows, which a trace does not know.
    pub(super) fn needs_columns(self) -> bool {
        matches!(self, Self::OfEach(_) | Self::OfWidest(_)) && !self.is_none()
    }

    /// # Errors
    /// [`Error::BadRidge`].
    pub(crate) fn check(self) -> Result<(), Error> {
        let value = self.share();
        let most = if matches!(self, Self::Raw(_)) { RIDGE_RAW_MAX } else { RIDGE_MAX };
        if (0.0..=most).contains(&value) { Ok(()) } else { Err(Error::BadRidge { value, most }) }
    }

    /// What is added to each covariance in the frame, columns divided by `scale`.
    ///
    /// # Errors
    /// What the moments do not hold.
    pub(crate) fn spread(
        self,
        shape: Shape,
        moments: &Moments,
        frame: &Frame,
        scale: Option<&[f64]>,
    ) -> Result<Spread, Error> {
        let dim = moments.dim();
        if self.is_none() {
            return Ok(Spread::zero(shape, dim));
        }
        let unit = |j: usize| scale.map_or(1.0, |scale| scale[j]);
        if let Self::Raw(value) = self {
            let framed = |j: usize| ldexp(value, -2 * frame.exponent()[j]) / unit(j).powi(2);
            let values = (0..dim).map(framed).collect();
            let total = Spread { shape: Shape::Diagonal, dim, values };
            return Ok(total.simplified(shape).widened(shape));
        }
        let deviations = moments.deviations(frame)?.into_iter().enumerate();
        let mut values: Vec<f64> = deviations.map(|(j, s)| (s / unit(j)).powi(2)).collect();
        if let Self::OfWidest(_) = self {
            let widest = values.iter().copied().fold(0.0, f64::max);
            values.fill(widest);
        }
        values.iter_mut().for_each(|value| *value *= self.share());
        let total = Spread { shape: Shape::Diagonal, dim, values };
        Ok(total.simplified(shape).widened(shape))
    }

    /// What is added to the variance of every column, where it is one number: in raw units, or in
    /// squared standard deviations where columns were divided by them.
    pub(super) fn added(self, spread: &Spread, frame: &Frame, scaled: bool) -> Option<f64> {
        let first = spread.diagonal().next()?;
        let unit = if scaled { 0 } else { frame.widest() };
        self.depends_on_units().then(|| ldexp(first, 2 * unit))
    }
}
