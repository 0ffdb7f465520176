//! Scores a block of rows: the E-step's first half, and all of prediction's arithmetic.

use std::f64::consts::{LN_2, PI};

use super::{Covariances, Mixture, Quadratic};
use crate::covariance::{Covariance, norm_sq};
use crate::data::Block;
use crate::error::Error;
use crate::moments::ldexp;
use crate::tolerance::TILE_ROWS;

/// Log scores of some rows: row `i` and component `k` have `common[i] + relative[i][k]`.
///
/// What all components of a row have in common is kept apart, so that it can cancel in the
/// posterior without being computed first.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    /// Number of components.
    pub components: usize,
    /// The part that all components of a row share.
    pub common: Vec<f64>,
    /// The rest, row by row.
    pub relative: Vec<f64>,
}

/// What a fitted model offers the rest of the library.
pub trait Score {
    /// Columns.
    fn dim(&self) -> usize;

    /// Components.
    fn components(&self) -> usize;

    /// Log scores of a block: log weight plus log density.
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns.
    fn scores(&self, block: &Block<'_>) -> Result<Scores, Error>;

    /// The scores as quadratic functions of the row, where they are that.
    fn quadratics(&self) -> Option<Vec<Quadratic>>;
}

impl Score for Mixture {
    fn dim(&self) -> usize {
        self.frame().dim()
    }

    fn components(&self) -> usize {
        self.weights().len()
    }

    fn scores(&self, block: &Block<'_>) -> Result<Scores, Error> {
        self.check_columns(block)?;
        let (rows, drawn) = self.frame().apply_near(block.rows());
        let mut scores = match self.covariances() {
            Covariances::Shared(covariance) => self.shared_scores(&rows, covariance),
            Covariances::Each(all) => self.own_scores(&rows, all),
        };
        for (i, exponent) in drawn {
            // The row was drawn in by 2^exponent: its distances were too small by the square.
            scores.common[i] = ldexp(scores.common[i], 2 * exponent).max(-f64::MAX);
        }
        Ok(scores)
    }

    fn quadratics(&self) -> Option<Vec<Quadratic>> {
        Some((0..Self::components(self)).map(|k| self.quadratic(k)).collect())
    }
}

impl Mixture {
    fn check_columns(&self, block: &Block<'_>) -> Result<(), Error> {
        let (expected, found) = (self.frame().dim(), block.rows().dim());
        if expected == found {
            Ok(())
        } else {
            Err(Error::Shape { what: "columns of a row", expected, found })
        }
    }

    /// ln of the density's constant of component `k`, in raw units \[M9\].
    pub(super) fn log_norm(&self, k: usize) -> f64 {
        let units: i32 = self.frame().exponent().iter().sum();
        -0.5 * self.covariances().get(k).log_det()
            - 0.5 * self.frame().dim() as f64 * (2.0 * PI).ln()
            - LN_2 * f64::from(units)
    }

    /// One covariance per component: whiten with each \[M9\].
    fn own_scores(&self, rows: &[f64], covariances: &[Covariance]) -> Scores {
        let (dim, components) = (self.frame().dim(), self.weights().len());
        let count = rows.len() / dim;
        let mut relative = vec![0.0; count * components];
        for (k, covariance) in covariances.iter().enumerate() {
            let offset = self.weights()[k].ln() + self.log_norm(k);
            for (tile, first) in rows.chunks(TILE_ROWS * dim).zip((0..).step_by(TILE_ROWS)) {
                let z = whitened(tile, self.mean(k), covariance);
                for (i, z) in z.chunks_exact(dim).enumerate() {
                    relative[(first + i) * components + k] = offset - 0.5 * norm_sq(z);
                }
            }
        }
        Scores { components, common: vec![0.0; count], relative }
    }

    /// One covariance for all: whiten once; the quadratic part cancels between components \[M10\].
    fn shared_scores(&self, rows: &[f64], covariance: &Covariance) -> Scores {
        let (dim, components) = (self.frame().dim(), self.weights().len());
        let covariance = covariance.bounded();
        let count = rows.len() / dim;
        let mut centre = vec![0.0; dim];
        for mean in self.means().chunks_exact(dim) {
            centre.iter_mut().zip(mean).for_each(|(c, m)| *c += m / components as f64);
        }
        let means = whitened(self.means(), &centre, &covariance);
        let mean = |k: usize| &means[k * dim..(k + 1) * dim];
        let log_weight: Vec<f64> = self.weights().iter().map(|w| w.ln()).collect();
        let first_guess: Vec<f64> =
            (0..components).map(|k| log_weight[k] - 0.5 * norm_sq(mean(k))).collect();
        let log_norm = self.log_norm(0);
        let mut scores = Scores {
            components,
            common: Vec::with_capacity(count),
            relative: Vec::with_capacity(count * components),
        };
        for tile in rows.chunks(TILE_ROWS * dim) {
            for z in whitened(tile, &centre, &covariance).chunks_exact(dim) {
                // About the centre, then again about the best class: no class far from the others
                // can take digits from the difference of two that are near.
                let guess = |k: usize| first_guess[k] + dot(z, mean(k));
                let best = (1..components).fold(0, |b, k| if guess(k) > guess(b) { k } else { b });
                let a = mean(best);
                let distance: f64 = z.iter().zip(a).map(|(z, a)| (z - a) * (z - a)).sum();
                let base = log_weight[best] + log_norm - 0.5 * distance.min(f64::MAX);
                scores.common.push(base);
                scores.relative.extend((0..components).map(|k| {
                    let midway: f64 = (z.iter().zip(a).zip(mean(k)))
                        .map(|((z, a), m)| (z - 0.5 * (m + a)) * (m - a))
                        .sum();
                    midway + (log_weight[k] - log_weight[best])
                }));
            }
        }
        scores
    }

    /// Squared Mahalanobis distances, row by row and component by component.
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns.
    pub fn mahalanobis_sq(&self, block: &Block<'_>) -> Result<Vec<f64>, Error> {
        self.check_columns(block)?;
        let (dim, components) = (self.frame().dim(), self.weights().len());
        let (rows, drawn) = self.frame().apply_near(block.rows());
        let mut distances = vec![0.0; rows.len() / dim * components];
        for k in 0..components {
            let z = whitened(&rows, self.mean(k), self.covariances().get(k));
            for (i, z) in z.chunks_exact(dim).enumerate() {
                distances[i * components + k] = norm_sq(z);
            }
        }
        for (i, exponent) in drawn {
            for distance in &mut distances[i * components..(i + 1) * components] {
                *distance = ldexp(*distance, 2 * exponent).min(f64::MAX);
            }
        }
        Ok(distances)
    }
}

/// Whitened differences of rows to a point.
fn whitened(rows: &[f64], about: &[f64], covariance: &Covariance) -> Vec<f64> {
    let mut z = rows.to_vec();
    for row in z.chunks_exact_mut(about.len()) {
        row.iter_mut().zip(about).for_each(|(u, m)| *u -= m);
    }
    covariance.whiten_rows(&mut z);
    z
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
