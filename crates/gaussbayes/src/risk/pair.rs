//! Sees two Gaussians in coordinates in which both covariances are diagonal, one of them one \[M37\].

use crate::covariance::Covariance;
use crate::error::{Deficient, Error};
use crate::linalg::eigen;
use crate::mixture::{Covariances, Mixture};
use crate::moments::{Shape, Spread, ldexp};
use crate::tolerance::{SQUARE_MAX, VARIANCE_RATIO};

/// Component i is N(0, I), component j is N(shift, diag(ratio)).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pair {
    pub(crate) shift: Vec<f64>,
    /// Variances of the second component, the smallest first.
    pub(crate) ratio: Vec<f64>,
    /// Axis `k` is `axes[k * dim..(k + 1) * dim]`, in coordinates whitened by component i; none where
    /// the whitened columns themselves serve.
    axes: Option<Vec<f64>>,
}

impl Mixture {
    /// Components `i` and `j` as one pair.
    ///
    /// # Errors
    /// [`Error::NotGaussian`] for laws other than the Gaussian's, [`Error::Singular`] for covariances
    /// of their own that keep to a range, [`Error::Shape`] for a component that is not there.
    pub(crate) fn pair(&self, i: usize, j: usize) -> Result<Pair, Error> {
        if let Some(&missing) = [i, j].iter().find(|&&k| k >= self.components()) {
            let expected = self.components();
            return Err(Error::Shape { what: "components", expected, found: missing + 1 });
        }
        if self.laws().is_some() {
            return Err(Error::NotGaussian { what: "errors and bounds" });
        }
        let own = self.covariances().get(i);
        let mut shift: Vec<f64> =
            self.mean(j).iter().zip(self.mean(i)).map(|(b, a)| b - a).collect();
        own.whiten_rows(&mut shift);
        let Covariances::Each(all) = self.covariances() else {
            shift.truncate(own.rank());
            let ratio = vec![1.0; own.rank()];
            return Ok(Pair { shift, ratio, axes: None });
        };
        let (dim, other) = (self.dim(), &all[j]);
        for (component, one) in [(i, own), (j, other)] {
            if one.rank() < dim {
                let deficient = Deficient::of_rank(one.rank(), dim);
                let component = Some(component);
                return Err(Error::singular(vec![Deficient { component, ..deficient }]));
            }
        }
        let (ratio, axes) = ratios(own, other)?;
        let Some(axes) = axes else { return Ok(Pair { shift, ratio, axes: None }) };
        let along = |axis: &[f64]| axis.iter().zip(&shift).map(|(a, b)| a * b).sum();
        let shift = axes.chunks_exact(dim).map(along).collect();
        Ok(Pair { shift, ratio, axes: Some(axes) })
    }
}

impl Pair {
    #[cfg(test)]
    pub(super) fn new(shift: Vec<f64>, ratio: Vec<f64>) -> Self {
        Self { shift, ratio, axes: None }
    }

    /// Squares of the shifts, kept finite.
    pub(super) fn squares(&self) -> impl Iterator<Item = f64> + '_ {
        self.shift.iter().map(|d| (d * d).min(SQUARE_MAX))
    }

    /// A covector of this pair's coordinates as one of whitened columns.
    pub(super) fn along_axes(&self, covector: &[f64], dim: usize) -> Vec<f64> {
        let mut sum = vec![0.0; dim];
        let Some(axes) = &self.axes else {
            sum[..covector.len()].copy_from_slice(covector);
            return sum;
        };
        for (w, axis) in covector.iter().zip(axes.chunks_exact(dim)) {
            sum.iter_mut().zip(axis).for_each(|(sum, a)| *sum += w * a);
        }
        sum
    }
}

/// Variances of `other` whitened by `own`, with their axes unless both are diagonal.
fn ratios(own: &Covariance, other: &Covariance) -> Result<(Vec<f64>, Option<Vec<f64>>), Error> {
    let dim = own.dim();
    let bounded = |ratio: f64| ratio.clamp(1.0 / VARIANCE_RATIO, VARIANCE_RATIO);
    if own.shape() != Shape::Full && other.shape() != Shape::Full {
        let quotient = |(a, b): (&f64, &f64)| bounded((b / a) * (b / a));
        let (own, other) = (own.deviations(), other.deviations());
        return Ok((own.iter().zip(&other).map(quotient).collect(), None));
    }
    let unit = other.unit_exponent();
    let scaled = other.triangle().iter().map(|x| ldexp(*x, -2 * unit)).collect();
    let seen = own.whitened(&Spread { shape: Shape::Full, dim, values: scaled });
    let bad = Error::BadParameter { what: "covariance", component: 0, value: f64::NAN };
    if seen.values.iter().any(|value| !value.is_finite()) {
        return Err(bad);
    }
    let found = eigen(&seen.values, dim).ok_or(bad)?;
    let least = f64::EPSILON * found.values.last().copied().unwrap_or(0.0);
    let ratio = found.values.iter().map(|x| bounded(ldexp(x.max(least), 2 * unit))).collect();
    Ok((ratio, Some(found.vectors)))
}
