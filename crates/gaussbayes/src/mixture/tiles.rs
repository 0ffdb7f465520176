//! Scores rows tile by tile: distances in registers, the rest in the first cache level \[M9\].

use pulp::{Simd, WithSimd};

use super::Mixture;
use crate::covariance::Form;
use crate::data::{Dense, Rows};
use crate::linalg::distances::{Column, Diagonals, Forms, Whitener};
use crate::linalg::lanes::{self, vectorized};
use crate::linalg::simd::{Real, dispatch};
use crate::linalg::tile::{TILE, Tile};
use crate::moments::ldexp;
use crate::posterior::tile_shares;
use crate::tolerance::FAR_EXPONENT;

/// Components in the form that tiles are scored with.
#[derive(Debug)]
pub(crate) enum Components<T> {
    /// Each by the inverse of its factor.
    Full(Vec<Whitener<T>>),
    /// Deviations of the columns.
    Diagonal(Diagonals<T>),
    /// What scores of one covariance differ in.
    Linear(Forms<T>),
}

impl<T: Real> Components<T> {
    /// None of covariances that keep to a range.
    pub(crate) fn of(mixture: &Mixture) -> Option<Self> {
        let all = 0..mixture.components();
        let covariance = |k: usize| mixture.covariances().get(k);
        if all.clone().any(|k| matches!(covariance(k).form(), Form::Range)) {
            return None;
        }
        if all.clone().any(|k| matches!(covariance(k).form(), Form::Full(_))) {
            let whitener = |k: usize| match covariance(k).form() {
                Form::Full(factor) => Some(Whitener::new(factor, mixture.mean(k))),
                Form::Diagonal | Form::Range => None,
            };
            return all.map(whitener).collect::<Option<Vec<_>>>().map(Self::Full);
        }
        let components: Vec<(&[f64], Vec<f64>)> =
            all.map(|k| (mixture.mean(k), covariance(k).deviations())).collect();
        Some(Self::Diagonal(Diagonals::new(mixture.dim(), &components)))
    }

    /// Squared distances of a tile's rows to each component, or its linear forms; `centred` is room for a tile.
    pub(crate) fn measure(&self, tile: &Tile<T>, centred: &mut [T], out: &mut [Column]) {
        dispatch(Measure { components: self, tile, centred, out });
    }
}

struct Measure<'a, T> {
    components: &'a Components<T>,
    tile: &'a Tile<T>,
    centred: &'a mut [T],
    out: &'a mut [Column],
}

impl<T: Real> WithSimd for Measure<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.components {
            Components::Full(all) => {
                for (one, out) in all.iter().zip(self.out) {
                    one.distances(simd, self.tile, self.centred, out);
                }
            }
            Components::Diagonal(all) => all.distances(simd, self.tile, self.out),
            Components::Linear(forms) => forms.values(simd, self.tile, self.out),
        }
    }
}

/// What is made of the distances of a tile.
pub(crate) trait PerTile {
    /// Takes the next tile, and the squared distances of its rows to each component: no numbers in rows that are
    /// too far from the others.
    fn tile(&mut self, tile: &Tile<f64>, distances: &mut [Column]);
}

/// Frame units beyond which distances are no numbers \[M22\].
pub(crate) fn far() -> f64 {
    ldexp(1.0, FAR_EXPONENT)
}

/// Rows, and what places them in a frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Walk<'a> {
    pub(crate) rows: &'a Rows<'a>,
    pub(crate) origin: &'a [f64],
    pub(crate) scale: &'a [f64],
}

impl Walk<'_> {
    /// Walks over the rows tile by tile, in double precision; `None` where rows are not dense.
    pub(crate) fn each<P: PerTile>(
        self,
        components: &Components<f64>,
        count: usize,
        per: &mut P,
    ) -> Option<()> {
        match self.rows.dense()? {
            Dense::F64(values, stride) => self.walk((values, stride), (components, count), per),
            Dense::F32(values, stride) => self.walk((values, stride), (components, count), per),
        }
        Some(())
    }

    fn walk<U: Real, P: PerTile>(
        self,
        (values, stride): (&[U], usize),
        (components, count): (&Components<f64>, usize),
        per: &mut P,
    ) {
        let dim = self.origin.len();
        let mut tile = Tile::new(dim);
        let mut centred = vec![0.0; TILE * dim];
        let mut scores = vec![[0.0; TILE]; count];
        let rows = self.rows.count();
        for first in (0..rows).step_by(TILE) {
            let last = rows.min(first + TILE) - 1;
            let values = &values[first * stride..last * stride + dim];
            tile.fill((values, stride), (self.origin, self.scale));
            components.measure(&tile, &mut centred, &mut scores);
            per.tile(&tile, &mut scores);
        }
    }
}

/// What turns measures of components into log scores.
#[derive(Debug)]
pub(crate) enum Offsets {
    /// The constants of the densities, of squared distances.
    Distances(Vec<f64>),
    /// What linear forms begin with.
    Linear(Vec<f64>),
}

/// Log scores from distances, about the best component of each row.
pub(super) struct Relative<'a> {
    pub(super) mixture: &'a Mixture,
    pub(super) offsets: Offsets,
    pub(super) common: Vec<f64>,
    pub(super) relative: Vec<f64>,
    /// Rows that must be scored once more: too far.
    pub(super) again: Vec<usize>,
}

impl PerTile for Relative<'_> {
    fn tile(&mut self, tile: &Tile<f64>, distances: &mut [Column]) {
        self.again.extend(tile.beyond(far()).map(|i| self.common.len() + i));
        let top = to_scores(self.mixture, &self.offsets, distances);
        let components = distances.len();
        let start = self.common.len() * components;
        self.common.extend(&top[..tile.rows]);
        self.relative.resize(start + tile.rows * components, 0.0);
        for (k, scores) in distances.iter().enumerate() {
            let column = self.relative[start + k..].iter_mut().step_by(components);
            for (to, (score, top)) in column.zip(scores.iter().zip(&top)) {
                *to = score - top;
            }
        }
    }
}

/// Turns measures into log scores; the best of each row.
pub(crate) fn to_scores(mixture: &Mixture, offsets: &Offsets, scores: &mut [Column]) -> Column {
    vectorized(ToScores { mixture, offsets, scores })
}

struct ToScores<'a> {
    mixture: &'a Mixture,
    offsets: &'a Offsets,
    scores: &'a mut [Column],
}

impl lanes::Job for ToScores<'_> {
    type Output = Column;

    #[inline(always)]
    fn call(self) -> Column {
        match self.offsets {
            Offsets::Linear(offsets) => {
                for (scores, offset) in self.scores.iter_mut().zip(offsets) {
                    for score in scores.iter_mut() {
                        *score += offset;
                    }
                }
            }
            Offsets::Distances(offsets) => {
                for (k, (scores, offset)) in self.scores.iter_mut().zip(offsets).enumerate() {
                    if let Some(laws) = self.mixture.laws() {
                        for q in scores.iter_mut() {
                            *q = offset + laws[k].log_density(q.min(f64::MAX));
                        }
                    } else {
                        for q in scores.iter_mut() {
                            *q = offset - 0.5 * q.min(f64::MAX);
                        }
                    }
                }
            }
        }
        let mut top = [f64::NEG_INFINITY; TILE];
        for scores in self.scores.iter() {
            for (top, score) in top.iter_mut().zip(scores) {
                *top = if *score > *top { *score } else { *top };
            }
        }
        top
    }
}

/// Probabilities from distances, row by row.
pub(super) struct Probabilities<'a> {
    pub(super) mixture: &'a Mixture,
    pub(super) offsets: &'a Offsets,
    pub(super) shares: Vec<f64>,
    /// Largest number of a row that is scored.
    pub(super) reach: f64,
    /// Rows that must be scored once more: beyond it.
    pub(super) again: Vec<usize>,
}

impl PerTile for Probabilities<'_> {
    fn tile(&mut self, tile: &Tile<f64>, distances: &mut [Column]) {
        let first = self.shares.len() / distances.len();
        self.again.extend(tile.beyond(self.reach).map(|i| first + i));
        let top = to_scores(self.mixture, self.offsets, distances);
        tile_shares(distances, &top);
        write_rows(tile.rows, distances, &mut self.shares);
    }
}

/// Appends the columns of a tile row by row.
fn write_rows(rows: usize, columns: &[Column], to: &mut Vec<f64>) {
    let start = to.len();
    to.resize(start + rows * columns.len(), 0.0);
    for (i, row) in to[start..].chunks_exact_mut(columns.len()).enumerate() {
        for (to, column) in row.iter_mut().zip(columns) {
            *to = column[i];
        }
    }
}
