//! Takes a row out of a model whose classes share a covariance: all distances change.

use super::{Going, Means, Rule, View, remaining};
use crate::covariance::{Covariance, CovarianceSpec, Priors};
use crate::data::Block;
use crate::error::Error;
use crate::moments::Moments;

/// Nothing is estimated but means: only that of the row's class moves.
pub(super) struct Fixed(pub(super) Means);

impl Rule for Fixed {
    fn view(&self, block: &Block<'_>) -> Result<View, Error> {
        Ok(View { rows: self.0.framed(block), distances: Vec::new() })
    }

    fn scores(&self, view: &View, i: usize, going: Going, scores: &mut [f64]) -> bool {
        let dim = self.0.dim();
        let u = &view.rows[i * dim..(i + 1) * dim];
        let unit = self.0.mixture.covariances().get(0).bounded();
        for (j, score) in scores.iter_mut().enumerate() {
            let stretch = if j == going.class { going.stretch().powi(2) } else { 1.0 };
            let y: Vec<f64> = self.0.centred(u, j).collect();
            *score = -0.5 * stretch * unit.mahalanobis_sq(&y);
        }
        true
    }
}

/// One diagonal or spherical covariance.
pub(super) struct Simple(pub(super) Means);

impl Rule for Simple {
    fn view(&self, block: &Block<'_>) -> Result<View, Error> {
        Ok(View { rows: self.0.framed(block), distances: Vec::new() })
    }

    fn scores(&self, view: &View, i: usize, going: Going, scores: &mut [f64]) -> bool {
        let dim = self.0.dim();
        let u = &view.rows[i * dim..(i + 1) * dim];
        let divisor = self.0.divisor_of_all;
        let (left, loss) = (divisor - going.weight, going.loss());
        let factor = self.0.mixture.covariances().get(0).factor();
        let squares = self.0.centred(u, going.class).map(|y| y * y);
        let variances: Option<Vec<f64>> = if factor.len() == dim {
            let variance = |(square, s): (f64, &f64)| {
                let scatter = divisor * s * s;
                Some(scatter * remaining(loss * square / scatter)? / left)
            };
            squares.zip(&factor).map(variance).collect()
        } else {
            let trace = divisor * dim as f64 * factor[0] * factor[0];
            let rest = remaining(loss * squares.sum::<f64>() / trace);
            rest.map(|rest| vec![trace * rest / (left * dim as f64); dim])
        };
        let Some(variances) = variances.filter(|_| left > 0.0) else { return false };
        for (j, score) in scores.iter_mut().enumerate() {
            let stretch = if j == going.class { going.stretch().powi(2) } else { 1.0 };
            let distance: f64 = self.0.centred(u, j).zip(&variances).map(|(y, v)| y * y / v).sum();
            *score = -0.5 * stretch * distance;
        }
        true
    }
}

/// Scores under Base − loss · yyᵀ, where Base whitens rows to `z`, means to `means` and y to z − a_k.
///
/// Every distance changes by one product with b = z − a_k (Sherman–Morrison).
pub(super) fn downdated(
    z: &[f64],
    means: &[f64],
    going: Going,
    loss: f64,
    scores: &mut [f64],
) -> bool {
    let dim = z.len();
    let own = &means[going.class * dim..(going.class + 1) * dim];
    let q: f64 = z.iter().zip(own).map(|(z, a)| (z - a) * (z - a)).sum();
    let Some(rest) = remaining(loss * q) else { return false };
    for (score, mean) in scores.iter_mut().zip(means.chunks_exact(dim)) {
        let (mut apart, mut cross) = (0.0, 0.0);
        for ((z, a), k) in z.iter().zip(mean).zip(own) {
            apart += (z - a) * (z - a);
            cross += (z - a) * (z - k);
        }
        *score = -0.5 * (apart + loss * cross * cross / rest);
    }
    scores[going.class] = -0.5 * going.stretch().powi(2) * q / rest;
    true
}

/// One full covariance, classes weighed by size.
pub(super) struct Full {
    means: Means,
    whitened: Vec<f64>,
}

impl Full {
    pub(super) fn new(means: Means) -> Self {
        let mut whitened = means.mixture.means().to_vec();
        means.mixture.covariances().get(0).whiten_rows(&mut whitened);
        Self { means, whitened }
    }
}

impl Rule for Full {
    fn view(&self, block: &Block<'_>) -> Result<View, Error> {
        let mut rows = self.means.framed(block);
        self.means.mixture.covariances().get(0).whiten_rows(&mut rows);
        Ok(View { rows, distances: Vec::new() })
    }

    fn scores(&self, view: &View, i: usize, going: Going, scores: &mut [f64]) -> bool {
        let dim = self.means.dim();
        let divisor = self.means.divisor_of_all;
        let left = divisor - going.weight;
        let z = &view.rows[i * dim..(i + 1) * dim];
        if left <= 0.0 || !downdated(z, &self.whitened, going, going.loss() / divisor, scores) {
            return false;
        }
        // Whitened by W/divisor, wanted by W'/left.
        scores.iter_mut().for_each(|score| *score *= left / divisor);
        true
    }
}

/// One full covariance, the plain average of the classes' own.
pub(super) struct Average {
    means: Means,
    /// For each class, the covariance with that class's scatter divided by one row fewer, and all
    /// means whitened by it.
    bases: Vec<(Covariance, Vec<f64>)>,
}

impl Average {
    /// `None` where a class is left without a divisor.
    ///
    /// # Errors
    /// What the estimate refuses.
    pub(super) fn new(
        spec: &CovarianceSpec,
        priors: &Priors,
        moments: &Moments,
        means: Means,
    ) -> Result<Option<Self>, Error> {
        if moments.weight().iter().any(|weight| weight - means.ddof <= 1.0) {
            return Ok(None);
        }
        let base = |k: usize| -> Result<(Covariance, Vec<f64>), Error> {
            let mut fewer = moments.clone();
            fewer.weight[k] -= 1.0;
            let mixture = spec.estimate(&fewer, priors, None)?.mixture;
            let covariance = mixture.covariances().get(0).clone();
            let mut whitened = means.mixture.means().to_vec();
            covariance.whiten_rows(&mut whitened);
            Ok((covariance, whitened))
        };
        let bases = (0..moments.components()).map(base).collect::<Result<Vec<_>, Error>>()?;
        Ok(Some(Self { means, bases }))
    }
}

impl Rule for Average {
    fn view(&self, block: &Block<'_>) -> Result<View, Error> {
        Ok(View { rows: self.means.framed(block), distances: Vec::new() })
    }

    fn scores(&self, view: &View, i: usize, going: Going, scores: &mut [f64]) -> bool {
        let dim = self.means.dim();
        let mut z = view.rows[i * dim..(i + 1) * dim].to_vec();
        let (base, whitened) = &self.bases[going.class];
        base.whiten_rows(&mut z);
        let left = going.of - self.means.ddof - going.weight;
        let share = 1.0 / self.bases.len() as f64;
        downdated(&z, whitened, going, share * going.loss() / left, scores)
    }
}
