//! Gives whoever has one Gaussian its density, distances, samples and margins.

use crate::data::Block;
use crate::error::Error;
use crate::mixture::{Covariances, Mixture, Score};

/// One Gaussian in raw units: a mixture of a single component.
///
/// ```
/// use gaussbayes::{Gaussian, Table};
/// let gaussian = Gaussian::new(vec![0.0, 0.0], vec![1.1, 0.3, 1.9])?;
/// let rows = Table { dim: 2, values: vec![1.0, 2.2], ..Table::default() };
/// let distance = gaussian.mahalanobis_sq(&rows.block(0..1)?)?;
/// assert!((distance[0] - 2.952).abs() < 1e-12);
/// # Ok::<(), gaussbayes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Gaussian(Mixture);

impl Gaussian {
    /// From a mean and the lower triangle of a covariance, row by row.
    ///
    /// # Errors
    /// What [`Mixture::given`] refuses.
    pub fn new(mean: Vec<f64>, triangle: Vec<f64>) -> Result<Self, Error> {
        Mixture::given(&[mean], &[triangle], vec![1.0]).map(Self)
    }

    /// Columns.
    pub fn dim(&self) -> usize {
        self.0.dim()
    }

    /// The mean.
    pub fn mean(&self) -> Vec<f64> {
        self.0.raw_mean(0)
    }

    /// The lower triangle of the covariance, row by row.
    pub fn covariance(&self) -> Vec<f64> {
        self.0.raw_covariance(0)
    }

    /// ln p(x) of each row \[M9\].
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns.
    pub fn log_pdf(&self, block: &Block<'_>) -> Result<Vec<f64>, Error> {
        let scores = self.0.scores(block)?;
        Ok(scores.common.iter().zip(&scores.relative).map(|(common, own)| common + own).collect())
    }

    /// (x − μ)ᵀΣ⁻¹(x − μ) of each row.
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns.
    pub fn mahalanobis_sq(&self, block: &Block<'_>) -> Result<Vec<f64>, Error> {
        self.0.mahalanobis_sq(block)
    }

    /// `rows` rows, one after the other \[M51\].
    ///
    /// # Errors
    /// [`Error::NotGaussian`] for a Student density taken from a mixture, [`Error::NotFinite`] where rows
    /// are beyond the range of numbers.
    pub fn sample(&self, rows: u64, seed: u64) -> Result<Vec<f64>, Error> {
        Ok(self.0.sample(rows, seed)?.table()?.values)
    }

    /// The distribution of some of the columns, in the order given.
    ///
    /// # Errors
    /// As for [`Mixture::marginal`].
    pub fn marginal(&self, columns: &[usize]) -> Result<Self, Error> {
        self.0.marginal(columns).map(Self)
    }
}

impl Mixture {
    /// Component `k` by itself; `None` where there is none.
    pub fn component(&self, k: usize) -> Option<Gaussian> {
        if k >= self.components() {
            return None;
        }
        let covariance = Covariances::Shared(self.covariances().get(k).clone());
        let one = Self::new(self.frame().clone(), self.mean(k).to_vec(), covariance, vec![1.0]);
        let laws = self.laws().map(|laws| vec![laws[k]]);
        let one = one.and_then(|one| match laws {
            Some(laws) => one.with_laws(laws),
            None => Ok(one),
        });
        one.ok().map(Gaussian)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Table;

    #[test]
    fn a_component_has_the_density_of_its_mixture() {
        // Weight 1/4 of N(0, 4) and 3/4 of N(3, 1): ln p(1) by hand.
        let mixture =
            Mixture::given(&[vec![0.0], vec![3.0]], &[vec![4.0], vec![1.0]], vec![0.25, 0.75]);
        let mixture = mixture.unwrap();
        let rows = Table { dim: 1, values: vec![1.0], ..Table::default() };
        let block = rows.block(0..1).unwrap();
        let log_pdf = |k: usize| mixture.component(k).unwrap().log_pdf(&block).unwrap()[0];
        let norm = -0.5 * (2.0 * std::f64::consts::PI).ln();
        assert!((log_pdf(0) - (norm - 2.0_f64.ln() - 0.125)).abs() < 1e-15);
        assert!((log_pdf(1) - (norm - 2.0)).abs() < 1e-15);
        assert!(mixture.component(2).is_none());
    }

    #[test]
    fn a_margin_takes_columns_in_the_order_given() {
        let triangle = vec![1.0, 0.2, 2.0, 0.3, 0.4, 3.0];
        let gaussian = Gaussian::new(vec![1.0, 2.0, 3.0], triangle).unwrap();
        let margin = gaussian.marginal(&[2, 0]).unwrap();
        assert_eq!(margin.mean(), [3.0, 1.0]);
        for (found, right) in margin.covariance().iter().zip([3.0, 0.3, 1.0]) {
            assert!((found - right).abs() < 1e-15);
        }
        assert!(matches!(gaussian.marginal(&[3]), Err(Error::BadColumn { .. })));
        assert!(matches!(gaussian.marginal(&[0, 0]), Err(Error::BadColumn { .. })));
        assert!(matches!(gaussian.marginal(&[]), Err(Error::Shape { .. })));
        assert_eq!(gaussian.sample(7, 1).unwrap().len(), 21);
    }
}
