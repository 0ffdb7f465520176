//! Gives the distribution of some columns where others are known \[M61\].

use super::{Covariances, Mixture};
use crate::covariance::{Covariance, norm_sq};
use crate::error::{Error, OutlierRefusal};
use crate::moments::{Shape, lower_index};
use crate::posterior::log_sum_exp;

impl Mixture {
    /// The mixture of the other columns, in their order, where column j has the raw value x for each (j, x) \[M61\].
    ///
    /// # Errors
    /// [`Error::BadColumn`] for a column that is not there or is given twice, [`Error::Shape`] where no column is
    /// left, [`Error::NotFinite`] for a value, [`Error::NotGaussian`] for other densities,
    /// [`OutlierRefusal::WithNoise`].
    pub fn conditional(&self, given: &[(usize, f64)]) -> Result<Self, Error> {
        let columns = self.dim();
        let mut known: Vec<usize> = Vec::with_capacity(given.len());
        for &(column, value) in given {
            if column >= columns || known.contains(&column) {
                return Err(Error::BadColumn { column, columns });
            }
            if !value.is_finite() {
                return Err(Error::NotFinite { row: 0, column, value });
            }
            known.push(column);
        }
        let rest: Vec<usize> = (0..columns).filter(|j| !known.contains(j)).collect();
        if rest.is_empty() {
            return Err(Error::Shape { what: "columns that are left", expected: 1, found: 0 });
        }
        let ranged = (0..self.components()).any(|k| self.covariances().get(k).range().is_some());
        if self.noise().is_some() {
            return Err(OutlierRefusal::WithNoise { what: "conditional mixtures" }.into());
        }
        if self.laws().is_some() || ranged {
            return Err(Error::NotGaussian { what: "conditional mixtures" });
        }
        let point: Vec<f64> = given.iter().map(|&(j, x)| self.frame().place(j, x)).collect();
        let mut all = Conditioned::default();
        for k in 0..self.components() {
            let covariance = self.covariances().get(k);
            let mean = |j: &usize| self.mean(k)[*j];
            let mut apart: Vec<f64> = point.iter().zip(&known).map(|(x, j)| x - mean(j)).collect();
            let mut left: Vec<f64> = rest.iter().map(mean).collect();
            let (inner, log_det) = if covariance.shape() == Shape::Full {
                along(covariance, &known, &rest, &mut apart, &mut left)?
            } else {
                let deviations = covariance.deviations();
                apart.iter_mut().zip(&known).for_each(|(x, j)| *x /= deviations[*j]);
                let log_det = known.iter().map(|j| 2.0 * deviations[*j].ln()).sum();
                let factor = match covariance.shape() {
                    Shape::Spherical => vec![deviations[0]],
                    _ => rest.iter().map(|j| deviations[*j]).collect(),
                };
                (Covariance::from_factor(covariance.shape(), rest.len(), factor)?, log_det)
            };
            all.covariances.push(inner);
            all.means.extend(left);
            all.scores.push(self.weights()[k].ln() - 0.5 * (log_det + norm_sq(&apart)));
        }
        let norm = log_sum_exp(&all.scores);
        let weights = all.scores.iter().map(|score| (score - norm).exp()).collect();
        let covariances = match self.covariances() {
            Covariances::Shared(_) => Covariances::Shared(all.covariances.swap_remove(0)),
            Covariances::Each(_) => Covariances::Each(all.covariances),
        };
        Self::new(self.frame().picked(&rest), all.means, covariances, weights)
    }
}

#[derive(Default)]
struct Conditioned {
    means: Vec<f64>,
    covariances: Vec<Covariance>,
    /// ln of weight times density of what is given, less what all components share.
    scores: Vec<f64>,
}

/// Whitens what is known, moves the mean of the rest along with it, and gives the covariance that is left and
/// the log-determinant of the known part: the blocks of one factor, known columns first.
fn along(
    covariance: &Covariance,
    known: &[usize],
    rest: &[usize],
    apart: &mut [f64],
    left: &mut [f64],
) -> Result<(Covariance, f64), Error> {
    let triangle = covariance.triangle();
    let order: Vec<usize> = known.iter().chain(rest).copied().collect();
    let entry = |i: usize, j: usize| triangle[lower_index(i.max(j), i.min(j))];
    let pairs = (0..order.len()).flat_map(|a| (0..=a).map(move |b| (a, b)));
    let turned = pairs.map(|(a, b)| entry(order[a], order[b])).collect();
    let l = Covariance::from_matrix(order.len(), turned)?.factor();
    let given = known.len();
    for a in 0..given {
        let below: f64 = (0..a).map(|b| l[lower_index(a, b)] * apart[b]).sum();
        apart[a] = (apart[a] - below) / l[lower_index(a, a)];
    }
    for (a, left) in left.iter_mut().enumerate() {
        *left += (0..given).map(|b| l[lower_index(given + a, b)] * apart[b]).sum::<f64>();
    }
    let pairs = (0..rest.len()).flat_map(|a| (0..=a).map(move |b| (a, b)));
    let factor = pairs.map(|(a, b)| l[lower_index(given + a, given + b)]).collect();
    let log_det = (0..given).map(|a| 2.0 * l[lower_index(a, a)].ln()).sum();
    Ok((Covariance::from_factor(Shape::Full, rest.len(), factor)?, log_det))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Block, Rows};
    use crate::mixture::Score;

    fn log_density(mixture: &Mixture, row: &[f64]) -> f64 {
        let rows = Rows::new(row, row.len()).unwrap();
        let scores = mixture.scores(&Block::new(0, rows, None, None).unwrap()).unwrap();
        crate::Posterior::from_scores(scores).log_evidence(0)
    }

    #[test]
    fn joint_density_is_conditional_times_marginal() {
        let means = [vec![1.0, 2.0, -1.0], vec![0.0, 3.0, 1e9], vec![5.0, 5.0, 5.0]];
        let full = [
            vec![1.0, 0.2, 2.0, 0.3, 0.4, 3.0],
            vec![4.0, -1.0, 1.0, 0.5, 0.1, 0.5],
            vec![1.0, 0.9, 1.0, 0.9, 0.9, 1.0],
        ];
        let weights = vec![0.2, 0.5, 0.3];
        let row = [1.5, 2.5, 0.5];
        for covariances in [&full[..], &full[..1]] {
            let mixture = Mixture::given(&means, covariances, weights.clone()).unwrap();
            let given = [(2, row[2]), (0, row[0])];
            let conditional = mixture.conditional(&given).unwrap();
            let margin = mixture.marginal(&[2, 0]).unwrap();
            let parts =
                log_density(&conditional, &[row[1]]) + log_density(&margin, &[row[2], row[0]]);
            let whole = log_density(&mixture, &row);
            assert!((parts - whole).abs() < 1e-12 * whole.abs().max(1.0), "{parts} {whole}");
            assert_eq!(mixture.conditional(&[]).unwrap().weights().len(), 3);
        }
    }

    #[test]
    fn what_cannot_be_given_is_refused() {
        let mixture = Mixture::given(&[vec![0.0, 0.0]], &[vec![1.0, 0.0, 1.0]], vec![1.0]).unwrap();
        let refused = |given: &[(usize, f64)]| mixture.conditional(given).unwrap_err();
        assert!(matches!(refused(&[(2, 0.0)]), Error::BadColumn { column: 2, columns: 2 }));
        assert!(matches!(refused(&[(0, 0.0), (0, 1.0)]), Error::BadColumn { .. }));
        assert!(matches!(refused(&[(0, 0.0), (1, 1.0)]), Error::Shape { .. }));
        assert!(matches!(refused(&[(0, f64::NAN)]), Error::NotFinite { .. }));
    }
}
