//! Decides by the nearest centroid in taxicab distance \[M33\].

use super::{Centroids, Metric};
use crate::covariance::Priors;
use crate::data::Block;
use crate::decide::arg_best;
use crate::error::Error;
use crate::moments::{exponent_of, ldexp};
use crate::tolerance::{FARTHEST, POWER_EXPONENT};

impl Centroids {
    /// The class of each row by taxicab distance D = Σ_j |x_j − c_kj|; ties go to the lowest.
    ///
    /// Equal priors: least D in raw units. Other priors: largest 2 ln π_k − D², columns in units of
    /// their deviation within classes, as scikit-learn has it; no density has such posteriors.
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns, and what [`Priors::resolve`] refuses.
    pub fn nearest_taxicab(&self, priors: &Priors, block: &Block<'_>) -> Result<Vec<usize>, Error> {
        let (dim, rows) = (self.dim(), block.rows());
        if rows.dim() != dim {
            let (expected, found) = (dim, rows.dim());
            return Err(Error::Shape { what: "columns of a row", expected, found });
        }
        let (metric, weights) = self.metric(priors)?;
        let hull = self.hull();
        let scale = match metric {
            Metric::Raw => self.one_unit(&hull),
            Metric::Scaled => self.units().iter().map(|unit| 1.0 / unit).collect(),
        };
        let (mut row, mut near) = (vec![0.0; dim], vec![0.0; self.classes()]);
        let mut decided = Vec::with_capacity(rows.count());
        for i in 0..rows.count() {
            rows.read(i, &mut row);
            // A row beyond all centroids of a column is farther from each by the same: taken off, far
            // rows have neither squares without end nor digits too few.
            let mut beyond = 0.0;
            for (j, x) in row.iter_mut().enumerate() {
                let placed = self.frame.place(j, *x);
                *x = placed.clamp(hull[j].0, hull[j].1);
                beyond += (placed - *x).abs() * scale[j];
            }
            for (sum, centre) in near.iter_mut().zip(self.framed.chunks_exact(dim)) {
                let columns = row.iter().zip(centre).zip(&scale);
                *sum = columns.map(|((x, c), s)| (x - c).abs() * s).sum();
            }
            let least = near.iter().copied().fold(f64::INFINITY, f64::min);
            let beyond = beyond.min(FARTHEST);
            decided.push(arg_best(self.classes(), |k| match metric {
                Metric::Raw => -near[k],
                // D² less that of the nearest class, as a product: nothing cancels.
                Metric::Scaled => {
                    let more = near[k] - least;
                    2.0 * weights[k].ln() - more * (2.0 * beyond + near[k] + least)
                }
            }));
        }
        Ok(decided)
    }

    /// The least and the largest centroid of each column.
    fn hull(&self) -> Vec<(f64, f64)> {
        let mut hull = vec![(f64::INFINITY, f64::NEG_INFINITY); self.dim()];
        for centre in self.framed.chunks_exact(self.dim()) {
            for ((low, high), c) in hull.iter_mut().zip(centre) {
                (*low, *high) = (low.min(*c), high.max(*c));
            }
        }
        hull
    }

    /// What brings all columns into one unit: about the largest distance between centroids.
    fn one_unit(&self, hull: &[(f64, f64)]) -> Vec<f64> {
        let columns = || hull.iter().zip(self.frame.exponent());
        let wide = |((low, high), e): (&(f64, f64), &i32)| exponent_of(high - low) + e;
        let widest = columns().map(wide).max().unwrap_or(0);
        let scale = |((low, high), e): (&(f64, f64), &i32)| {
            // A column in which all centroids are the same tells none apart, whatever its unit.
            if low == high { 0.0 } else { ldexp(1.0, (e - widest).min(POWER_EXPONENT)) }
        };
        columns().map(scale).collect()
    }
}
