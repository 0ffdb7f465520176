//! Scores a block of rows: the E-step's first half, and all of prediction's arithmetic.

use std::f64::consts::{LN_2, PI};

use super::kernels::{Distances, Shared};
use super::shares::TileShares;
use super::tiles::{Doubt, Offsets, Probabilities, Relative, Walk, far};
use super::{Covariances, Mixture, Quadratic};
use crate::covariance::{Covariance, norm_sq};
use crate::data::{Block, Dense, Rows};
use crate::error::Error;
use crate::linalg::lanes::vectorized;
use crate::linalg::tile::Layout;
use crate::moments::ldexp;
use crate::tolerance::{SCORE_ROUNDING, SINGLE_FAR};

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

    /// Components: columns of its scores.
    fn components(&self) -> usize;

    /// Log scores of a block: log weight plus log density.
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns.
    fn scores(&self, block: &Block<'_>) -> Result<Scores, Error>;

    /// P(component | row) of a block, row by row: for who wants nothing else.
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns.
    fn probabilities(&self, block: &Block<'_>) -> Result<Vec<f64>, Error> {
        let mut all = vec![0.0; block.rows().count() * self.components()];
        self.probabilities_into(block, &mut all)?;
        Ok(all)
    }

    /// The same, written where they belong.
    ///
    /// # Errors
    /// As for [`Score::probabilities`]; [`Error::Shape`] when there is other room than they take.
    fn probabilities_into(&self, block: &Block<'_>, into: &mut [f64]) -> Result<(), Error> {
        self.scores(block)?.probabilities_into(into)
    }

    /// The scores as quadratic functions of the row, where they are that.
    fn quadratics(&self) -> Option<Vec<Quadratic>>;
}

impl Score for Mixture {
    fn dim(&self) -> usize {
        self.frame().dim()
    }

    fn components(&self) -> usize {
        self.weights().len() + usize::from(self.noise().is_some())
    }

    fn scores(&self, block: &Block<'_>) -> Result<Scores, Error> {
        self.check_columns(block)?;
        let tiles = if self.differ_linearly().is_some() { None } else { self.tile_scores(block) };
        let scores = tiles.unwrap_or_else(|| self.any_scores(block.rows()));
        let scores = match self.noise() {
            Some(noise) => scores.with_noise(noise),
            None => scores,
        };
        scores.checked(block)
    }

    fn probabilities_into(&self, block: &Block<'_>, into: &mut [f64]) -> Result<(), Error> {
        self.check_columns(block)?;
        let room = block.rows().count() * Score::components(self);
        if self.noise().is_none()
            && into.len() == room
            && self.tile_probabilities(block, into).is_some()
        {
            return Ok(());
        }
        self.scores(block)?.probabilities_into(into)
    }

    fn quadratics(&self) -> Option<Vec<Quadratic>> {
        let all = self.noise().is_none()
            && self.laws().is_none_or(|laws| laws.iter().all(|law| law.is_quadratic()));
        all.then(|| (0..Self::components(self)).map(|k| self.quadratic(k)).collect())
    }
}

impl Scores {
    /// Refuses a row that has none.
    fn checked(self, block: &Block<'_>) -> Result<Self, Error> {
        let row = |at: usize| block.first_row() + (at / self.components) as u64;
        match self.relative.iter().position(|score| score.is_nan()) {
            Some(at) => Err(Error::NoScore { row: row(at) }),
            None => Ok(self),
        }
    }
}

impl Mixture {
    /// The covariance of all components, where their scores differ by linear functions and nothing else counts: beside
    /// noise the density itself does, and nothing may cancel.
    fn differ_linearly(&self) -> Option<&Covariance> {
        let linear = self.laws().is_none() && self.noise().is_none();
        match self.covariances() {
            Covariances::Shared(covariance) if linear => Some(covariance),
            _ => None,
        }
    }

    /// Scores of rows of any kind, near or far \[M22\]; without noise.
    fn any_scores(&self, rows: &Rows<'_>) -> Scores {
        let components = self.weights().len();
        let (framed, drawn) = self.frame().apply_near(rows);
        let mut scores = match self.differ_linearly() {
            Some(covariance) => self.shared_scores(&framed, covariance),
            None => self.own_scores(&framed),
        };
        for (i, exponent) in drawn {
            // The row was drawn in by 2^exponent: its distances were too small by the square.
            let row = &mut scores.relative[i * components..(i + 1) * components];
            let far = |k: usize| self.laws().and_then(|laws| laws[k].farther(exponent));
            if far(0).is_some() {
                row.iter_mut().enumerate().for_each(|(k, score)| *score += far(k).unwrap_or(0.0));
            } else {
                scores.common[i] = ldexp(scores.common[i], 2 * exponent).max(-f64::MAX);
            }
        }
        scores
    }

    /// The same of one row.
    fn scores_again(&self, rows: &Rows<'_>, i: usize) -> Option<Scores> {
        let mut row = vec![0.0; self.dim()];
        rows.read(i, &mut row);
        Some(self.any_scores(&Rows::new(row, self.dim()).ok()?))
    }

    /// Scores by tiles, one covariance per component.
    fn tile_scores(&self, block: &Block<'_>) -> Option<Scores> {
        let (rows, components) = (block.rows(), self.weights().len());
        let mut out = Relative {
            mixture: self,
            offsets: self.offsets(),
            shares: TileShares::default(),
            common: Vec::with_capacity(rows.count()),
            relative: Vec::with_capacity(rows.count() * components),
            again: Vec::new(),
        };
        let walk = Walk::new(block, self.frame(), Layout::Columns)?;
        walk.each(self.tile_components()?, components, &mut out)?;
        let Relative { mut common, mut relative, again, .. } = out;
        for i in again {
            let one = self.scores_again(rows, i)?;
            common[i] = one.common[0];
            relative[i * components..(i + 1) * components].copy_from_slice(&one.relative);
        }
        Some(Scores { components, common, relative })
    }

    /// Writes P(component | row), row by row; `None` where tiles cannot be scored, or a row has no score: the scores
    /// say which.
    fn tile_probabilities(&self, block: &Block<'_>, into: &mut [f64]) -> Option<()> {
        let (components, linear) = (self.weights().len(), self.linear_form());
        if linear.is_none() && self.differ_linearly().is_some() {
            return None;
        }
        let single = match block.rows().dense()? {
            Dense::F32(..) if linear.is_none() && self.laws().is_none() => self.single_components(),
            Dense::F32(..) | Dense::F64(..) => None,
        };
        let walk = Walk::new(block, self.frame(), Layout::Columns)?;
        let offsets = self.offsets();
        let doubt = single.map(|single| Doubt::new(single.rounding(), offsets.values()));
        let mut out = Probabilities {
            mixture: self,
            offsets: linear.map_or(offsets, |form| &form.offsets),
            shares: TileShares::default(),
            into,
            seen: 0,
            reach: linear.map_or_else(far, |form| form.reach.min(far())),
            doubt,
            again: Vec::new(),
            all_scored: true,
        };
        match (linear, single) {
            (Some(form), _) => walk.each(&form.components, components, &mut out)?,
            (None, Some(single)) => {
                out.reach = SINGLE_FAR;
                walk.each(single, components, &mut out)?;
            }
            (None, None) => walk.each(self.tile_components()?, components, &mut out)?,
        }
        let Probabilities { into, again, all_scored, .. } = out;
        let rows = |i: &usize| i * components..(i + 1) * components;
        if single.is_some() && !again.is_empty() {
            let found = self.probabilities(&block.picked(&again).ok()?).ok()?;
            for (i, found) in again.iter().zip(found.chunks_exact(components)) {
                into[rows(i)].copy_from_slice(found);
            }
        } else {
            for i in &again {
                let found = self.scores_again(block.rows(), *i)?.into_probabilities();
                into[rows(i)].copy_from_slice(&found);
            }
        }
        (all_scored || into.iter().all(|share| !share.is_nan())).then_some(())
    }

    /// ln π_k and the constant of each component's density.
    pub(crate) fn offsets(&self) -> &Offsets {
        let of = |k: usize| self.weights()[k].ln() + self.log_norm(k);
        self.offsets.get(|| Offsets::Distances((0..self.weights().len()).map(of).collect()))
    }

    fn check_columns(&self, block: &Block<'_>) -> Result<(), Error> {
        block.plain()?;
        let (expected, found) = (self.frame().dim(), block.rows().dim());
        if expected == found {
            Ok(())
        } else {
            Err(Error::Shape { what: "columns of a row", expected, found })
        }
    }

    /// ln of the density's constant of component `k`, in raw units \[M9\].
    pub(crate) fn log_norm(&self, k: usize) -> f64 {
        let covariance = self.covariances().get(k);
        let gaussian =
            -0.5 * covariance.log_det() - 0.5 * covariance.rank() as f64 * (2.0 * PI).ln();
        if covariance.rank() < covariance.dim() {
            // Directions of a range have units of their own \[M29\].
            return gaussian;
        }
        let units: f64 = self.frame().exponent().iter().map(|&e| f64::from(e)).sum();
        gaussian - LN_2 * units
    }

    /// One covariance per component: whiten with each \[M9\].
    fn own_scores(&self, rows: &[f64]) -> Scores {
        let components = self.weights().len();
        let mut relative = self.distances(rows);
        let offset = self.offsets().values();
        let top = |row: &mut [f64]| {
            if let Some(laws) = self.laws() {
                let scores = row.iter_mut().zip(offset).zip(laws);
                scores.for_each(|((score, o), law)| *score = o + law.log_density(*score));
            } else {
                row.iter_mut().zip(offset).for_each(|(score, o)| *score = o - 0.5 * *score);
            }
            let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            row.iter_mut().for_each(|score| *score -= top);
            top
        };
        let common = relative.chunks_exact_mut(components).map(top).collect();
        Scores { components, common, relative }
    }

    /// ‖L_k⁻¹(u − m_k)‖² of framed rows, row by row and component by component.
    fn distances(&self, rows: &[f64]) -> Vec<f64> {
        vectorized(Distances { mixture: self, rows })
    }

    /// One covariance for all: whiten once; the quadratic part cancels between components \[M10\].
    fn shared_scores(&self, rows: &[f64], covariance: &Covariance) -> Scores {
        let covariance = covariance.bounded();
        let mut means = self.means().to_vec();
        covariance.whiten_rows(&mut means);
        let log_weight: Vec<f64> = self.weights().iter().map(|w| w.ln()).collect();
        let heaviest = log_weight.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let whitened = means.chunks_exact(self.frame().dim());
        // Equal weights leave nothing here: means a hair's breadth apart keep their digits.
        let start = whitened.zip(&log_weight).map(|(mean, w)| (w - heaviest) - 0.5 * norm_sq(mean));
        let start = start.collect();
        let log_norm = self.log_norm(0);
        let farthest = means.chunks_exact(self.frame().dim()).map(norm_sq).fold(0.0, f64::max);
        // d ε ‖z‖ ‖a‖ for any row, with the farthest mean.
        let most = SCORE_ROUNDING / (self.frame().dim() as f64 * f64::EPSILON);
        let near_sq = if farthest <= most { most * (most / farthest.max(1.0)) } else { 0.0 };
        let covariance = &*covariance;
        vectorized(Shared {
            covariance,
            means,
            log_weight,
            heaviest,
            start,
            log_norm,
            near_sq,
            rows,
        })
    }

    /// Squared Mahalanobis distances, row by row and component by component.
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns.
    pub fn mahalanobis_sq(&self, block: &Block<'_>) -> Result<Vec<f64>, Error> {
        self.check_columns(block)?;
        let components = self.weights().len();
        let (rows, drawn) = self.frame().apply_near(block.rows());
        let mut distances = self.distances(&rows);
        for (i, exponent) in drawn {
            for distance in &mut distances[i * components..(i + 1) * components] {
                *distance = ldexp(*distance, 2 * exponent).min(f64::MAX);
            }
        }
        Ok(distances)
    }
}
