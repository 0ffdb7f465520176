//! Writes Gaussians as whitened distances from their own centres, or as linear scores \[M88\].

use super::{Scoring, floored};
use crate::covariance::{Covariance, norm_sq};
use crate::error::{Error, RecipeRefusal};
use crate::mixture::{Covariances, Law, Mixture};
use crate::moments::{Frame, Shape, ldexp};
use crate::tolerance::{CENTRE_SHIFT, SCORE_ROUNDING};

/// constant − ½‖z‖², or constant − ½ power ln(1 + ‖z‖²), where z = whitener · (x − centre) − shift.
#[derive(Debug, Clone, PartialEq)]
pub struct Bell {
    /// The score where z is 0.
    pub constant: f64,
    /// Where columns are measured from: the mean, as near as a number comes to it.
    pub centre: Vec<f64>,
    /// What makes distances of it.
    pub whitener: Whitener,
    /// What the centre is off the mean by, whitened; nothing where that does not matter.
    pub shift: Vec<f64>,
    /// The power of a Student density.
    pub power: Option<f64>,
}

/// A matrix that whitens rows.
#[derive(Debug, Clone, PartialEq)]
pub enum Whitener {
    /// Nothing: the score is the same for all rows.
    Zero,
    /// A factor per column.
    Diagonal(Vec<f64>),
    /// Row by row; fewer rows than columns where a covariance keeps to a range.
    Matrix(Vec<f64>),
}

/// The scores of a mixture; `density` where they are to be logarithms of densities.
pub(super) fn scoring(
    mixture: &Mixture,
    features: &[String],
    density: bool,
) -> Result<Scoring, Error> {
    if let Covariances::Shared(covariance) = mixture.covariances()
        && mixture.laws().is_none()
        && mixture.noise().is_none()
        && let Some(linear) = linear(mixture, &covariance.bounded(), features, density)?
    {
        return Ok(linear);
    }
    let rest = mixture.noise().map_or(0.0, |noise| (-noise.share).ln_1p());
    let bell = |k: usize| {
        let weight = floored(mixture.weights()[k].ln() + rest);
        bell(mixture, k, weight, features)
    };
    let mut bells: Vec<Bell> = (0..mixture.components()).map(bell).collect::<Result<_, _>>()?;
    if let Some(noise) = mixture.noise() {
        let constant = floored(noise.share.ln() - noise.extent.log_volume());
        let (centre, shift) = (vec![0.0; mixture.dim()], Vec::new());
        bells.push(Bell { constant, centre, whitener: Whitener::Zero, shift, power: None });
    }
    Ok(Scoring::Bells(bells))
}

/// One covariance for all, about the mean of all means: what is quadratic cancels. None where means are so
/// far apart that digits would, too \[M10\].
fn linear(
    mixture: &Mixture,
    covariance: &Covariance,
    features: &[String],
    density: bool,
) -> Result<Option<Scoring>, Error> {
    let (frame, dim) = (mixture.frame(), mixture.dim());
    let centre = mixture.centre();
    let origin: Vec<f64> = (0..dim).map(|j| framed(frame, j, centre[j])).collect();
    let (mut coefficients, mut constants, mut farthest) = (Vec::new(), Vec::new(), 0.0_f64);
    for (k, weight) in mixture.weights().iter().enumerate() {
        let mut white: Vec<f64> =
            mixture.mean(k).iter().zip(&origin).map(|(mean, origin)| mean - origin).collect();
        covariance.whiten_rows(&mut white);
        farthest = farthest.max(norm_sq(&white));
        constants.push(floored(weight.ln()) - 0.5 * norm_sq(&white));
        covariance.unwhiten(&mut white);
        for (j, w) in white.into_iter().enumerate() {
            coefficients.push(in_range(w, -frame.exponent()[j], j, features)?);
        }
    }
    if dim as f64 * f64::EPSILON * farthest > SCORE_ROUNDING {
        return Ok(None);
    }
    let common = if density {
        let (whitener, shift) = (whitener(frame, covariance, 1.0, features)?, Vec::new());
        let (constant, centre) = (mixture.log_norm(0), centre.clone());
        Some(Bell { constant, centre, whitener, shift, power: None })
    } else {
        None
    };
    Ok(Some(Scoring::Linear { centre, coefficients, constants, common }))
}

/// Component `k`, with the logarithm of its weight.
pub(super) fn bell(
    mixture: &Mixture,
    k: usize,
    log_weight: f64,
    features: &[String],
) -> Result<Bell, Error> {
    let (frame, dim) = (mixture.frame(), mixture.dim());
    let covariance = mixture.covariances().get(k).bounded();
    // A factor of distances is one of the whitener.
    let (factor, offset, power) = match mixture.laws().map(|laws| laws[k]) {
        None => (1.0, 0.0, None),
        Some(Law::Scaled { factor, offset }) => (factor.sqrt(), offset, None),
        Some(Law::Student { power, divisor, offset }) => {
            (1.0 / divisor.sqrt(), offset, Some(power))
        }
    };
    let centre = mixture.raw_mean(k);
    let mut shift: Vec<f64> =
        (0..dim).map(|j| mixture.mean(k)[j] - framed(frame, j, centre[j])).collect();
    covariance.whiten_rows(&mut shift);
    shift.truncate(covariance.rank());
    shift.iter_mut().for_each(|shift| *shift *= factor);
    if shift.iter().all(|shift| shift.abs() <= CENTRE_SHIFT) {
        shift.clear();
    }
    let constant = log_weight + mixture.log_norm(k) + offset;
    let whitener = whitener(frame, &covariance, factor, features)?;
    Ok(Bell { constant, centre, whitener, shift, power })
}

/// What whitens raw rows.
fn whitener(
    frame: &Frame,
    covariance: &Covariance,
    factor: f64,
    features: &[String],
) -> Result<Whitener, Error> {
    let (dim, rank) = (frame.dim(), covariance.rank());
    let raw = |j: usize, w: f64| in_range(factor * w, -frame.exponent()[j], j, features);
    if covariance.shape() != Shape::Full {
        let mut ones = vec![1.0; dim];
        covariance.whiten_rows(&mut ones);
        let all = ones.into_iter().enumerate().map(|(j, w)| raw(j, w));
        return Ok(Whitener::Diagonal(all.collect::<Result<_, _>>()?));
    }
    let mut matrix = vec![0.0; rank * dim];
    for j in 0..dim {
        let mut column = vec![0.0; dim];
        column[j] = 1.0;
        covariance.whiten_rows(&mut column);
        for (i, w) in column.into_iter().take(rank).enumerate() {
            matrix[i * dim + j] = raw(j, w)?;
        }
    }
    Ok(Whitener::Matrix(matrix))
}

/// A raw value of column `j` in the frame.
fn framed(frame: &Frame, j: usize, raw: f64) -> f64 {
    ldexp(raw - frame.origin()[j], -frame.exponent()[j])
}

/// A coefficient in raw units.
///
/// # Errors
/// [`RecipeRefusal::Unit`] where that is no number, or none with all its digits.
pub(super) fn in_range(
    value: f64,
    exponent: i32,
    column: usize,
    features: &[String],
) -> Result<f64, Error> {
    let raw = ldexp(value, exponent);
    if raw.is_normal() || value == 0.0 {
        return Ok(raw);
    }
    let name = features.get(column).cloned().unwrap_or_default();
    Err(RecipeRefusal::Unit { name, exponent: -exponent }.into())
}
