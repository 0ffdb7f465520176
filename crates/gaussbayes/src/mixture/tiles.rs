//! Scores rows tile by tile: distances in registers, the rest in the first cache level \[M9\].

use pulp::{Simd, WithSimd};

use super::Mixture;
use super::shares::{TileShares, Until};
use crate::covariance::Form;
use crate::data::{Block, Dense, Extent, Rows};
use crate::linalg::aligned::Aligned;
use crate::linalg::distances::{Column, Diagonals, Forms, Spheres};
use crate::linalg::simd::{Real, dispatch};
use crate::linalg::tile::{Layout, Padded, TILE, Tile};
use crate::linalg::transpose::{SIDE, transposed};
use crate::linalg::whitener::Whitener;
use crate::moments::{Frame, ldexp};
use crate::tolerance::{FAR_EXPONENT, SINGLE_ROUNDING, USUAL_DISTANCE, WIDE_TILE};

/// Components in the form that tiles are scored with.
#[derive(Debug)]
pub(crate) enum Components<T> {
    /// Each by the inverse of its factor.
    Full(Vec<Whitener<T>>),
    /// Deviations of the columns.
    Diagonal(Diagonals<T>),
    /// One deviation for all columns.
    Spheres(Spheres<T>),
    /// What scores of one covariance differ in.
    Linear(Forms<T>),
}

impl Mixture {
    /// Its components in the form that tiles are scored with; none of covariances that keep to a range.
    pub(crate) fn tile_components(&self) -> Option<&Components<f64>> {
        self.components.get(|| Components::of(self)).as_ref()
    }

    /// The same in single precision; none where that could change scores by much \[M93\].
    pub(crate) fn single_components(&self) -> Option<&Components<f32>> {
        let usual = (self.dim() as f64).sqrt() + USUAL_DISTANCE;
        let most = SINGLE_ROUNDING / (1.0 + usual * usual);
        let fit = |all: &Components<f32>| all.rounding() <= most;
        self.singles.get(|| Components::of(self).filter(fit)).as_ref()
    }
}

impl<T: Real> Components<T> {
    fn of(mixture: &Mixture) -> Option<Self> {
        let all = 0..mixture.components();
        let covariance = |k: usize| mixture.covariances().get(k);
        if all.clone().any(|k| matches!(covariance(k).form(), Form::Range)) {
            return None;
        }
        let is_full = |k: usize| match covariance(k).form() {
            Form::Full(factor) => !factor.is_diagonal(),
            Form::Diagonal | Form::Range => false,
        };
        if all.clone().any(is_full) {
            let whitener = |k: usize| match covariance(k).form() {
                Form::Full(factor) => Some(Whitener::new(factor, mixture.mean(k))),
                Form::Diagonal | Form::Range => None,
            };
            return all.map(whitener).collect::<Option<Vec<_>>>().map(Self::Full);
        }
        let components: Vec<(&[f64], Vec<f64>)> =
            all.map(|k| (mixture.mean(k), covariance(k).deviations())).collect();
        let spheres = Spheres::new(mixture.dim(), &components).map(Self::Spheres);
        Some(spheres.unwrap_or_else(|| Self::Diagonal(Diagonals::new(mixture.dim(), &components))))
    }

    /// By how much of 1 + D rounding can change half a squared distance D \[M93\].
    pub(crate) fn rounding(&self) -> f64 {
        match self {
            Self::Full(all) => all.iter().map(Whitener::rounding).fold(0.0, f64::max),
            Self::Diagonal(all) => all.rounding(),
            // These are for double precision, where nobody asks.
            Self::Spheres(_) | Self::Linear(_) => 0.0,
        }
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
            Components::Spheres(all) => all.distances(simd, self.tile, self.out),
            Components::Linear(forms) => forms.values(simd, self.tile, self.out),
        }
    }
}

/// What is made of the distances of a tile.
pub(crate) trait PerTile<T> {
    /// Takes the next tile, and the squared distances of its rows to each component: no numbers in rows that are
    /// too far from the others.
    fn tile(&mut self, tile: &Tile<T>, distances: &mut [Column]);
}

/// Frame units beyond which distances are no numbers \[M22\].
pub(crate) fn far() -> f64 {
    ldexp(1.0, FAR_EXPONENT)
}

/// Rows, and what places them in a frame.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    rows: &'a Rows<'a>,
    frame: Padded,
    dim: usize,
    layout: Layout,
}

impl<'a> Walk<'a> {
    /// Over the rows of a block in a frame; `None` where that has units that cannot be multiplied by.
    pub(crate) fn new(block: &'a Block<'_>, frame: &Frame, layout: Layout) -> Option<Self> {
        let (origin, scale) = (frame.origin(), frame.scale()?);
        let widest = |extent: &Extent| {
            let ends = extent.least.iter().chain(&extent.greatest);
            let places = origin.iter().zip(&scale).cycle();
            let placed = ends.zip(places).map(|(x, (o, s))| ((x - o) * s).abs());
            placed.fold(0.0, |most, u| if u <= most { most } else { u })
        };
        let frame = Padded::new(origin, &scale, block.extent().map(widest));
        Some(Self { rows: block.rows(), frame, dim: origin.len(), layout })
    }

    /// Walks over the rows tile by tile, in the precision of the components; `None` where rows are not dense.
    pub(crate) fn each<T: Real, P: PerTile<T>>(
        &self,
        components: &Components<T>,
        count: usize,
        per: &mut P,
    ) -> Option<()> {
        match self.rows.dense()? {
            Dense::F64(values, stride) => self.walk((values, stride), (components, count), per),
            Dense::F32(values, stride) => self.walk((values, stride), (components, count), per),
        }
        Some(())
    }

    fn walk<U: Real, T: Real, P: PerTile<T>>(
        &self,
        (values, stride): (&[U], usize),
        (components, count): (&Components<T>, usize),
        per: &mut P,
    ) {
        let dim = self.dim;
        let mut tile = Tile::new(dim, self.layout);
        let mut centred = Aligned::zeros(TILE * dim);
        let mut room = Aligned::zeros(TILE * count);
        let (scores, _) = room.as_chunks_mut();
        let rows = self.rows.count();
        // Wide rows fill the cache sooner.
        let at_once = if dim > WIDE_TILE { TILE / 2 } else { TILE };
        for first in (0..rows).step_by(at_once) {
            let last = rows.min(first + at_once) - 1;
            let values = &values[first * stride..last * stride + dim];
            tile.fill((values, stride), &self.frame);
            components.measure(&tile, &mut centred, scores);
            per.tile(&tile, scores);
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

impl Offsets {
    pub(super) fn values(&self) -> &[f64] {
        match self {
            Self::Distances(values) | Self::Linear(values) => values,
        }
    }
}

/// Log scores from distances, about the best component of each row.
pub(super) struct Relative<'a> {
    pub(super) mixture: &'a Mixture,
    pub(super) offsets: &'a Offsets,
    pub(super) shares: TileShares,
    pub(super) common: Vec<f64>,
    pub(super) relative: Vec<f64>,
    /// Rows that must be scored once more: too far.
    pub(super) again: Vec<usize>,
}

impl PerTile<f64> for Relative<'_> {
    fn tile(&mut self, tile: &Tile<f64>, distances: &mut [Column]) {
        self.again.extend(tile.beyond(far()).map(|i| self.common.len() + i));
        self.shares.take((self.mixture, self.offsets), distances, (tile.rows, Until::Scores));
        let (components, top) = (distances.len(), &self.shares.top);
        let start = self.common.len() * components;
        self.common.extend(&top[..tile.rows]);
        self.relative.resize(start + tile.rows * components, 0.0);
        for (k, scores) in distances.iter().enumerate() {
            let column = self.relative[start + k..].iter_mut().step_by(components);
            for (to, (score, top)) in column.zip(scores.iter().zip(top)) {
                *to = score - top;
            }
        }
    }
}

/// Where rounding of distances may decide which component is the best \[M93\].
pub(super) struct Doubt {
    /// By how much of 1 + D rounding can change half a squared distance D.
    rounding: f64,
    /// The highest score that there is, at a distance of zero.
    highest: f64,
}

impl Doubt {
    pub(super) fn new(rounding: f64, offsets: &[f64]) -> Self {
        let highest = offsets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self { rounding, highest }
    }

    /// Whether another component may be the best of a row, given the best score and Σ exp(score − best).
    fn is_in(&self, top: f64, sum: f64) -> bool {
        let farthest = 2.0 * (self.highest - top);
        let gap = 2.0 * self.rounding * (1.0 + farthest) / (1.0 - 2.0 * self.rounding);
        sum >= 2.0 - gap || sum.is_nan()
    }
}

/// Probabilities from distances, row by row.
pub(super) struct Probabilities<'a> {
    pub(super) mixture: &'a Mixture,
    pub(super) offsets: &'a Offsets,
    pub(super) shares: TileShares,
    /// Where they are written.
    pub(super) into: &'a mut [f64],
    /// Rows seen.
    pub(super) seen: usize,
    /// Largest number of a row that is scored.
    pub(super) reach: f64,
    /// Where rounding may decide between components, if it may.
    pub(super) doubt: Option<Doubt>,
    /// Rows that must be scored once more: beyond the reach, or within rounding of another component.
    pub(super) again: Vec<usize>,
    /// Whether every row has a score.
    pub(super) all_scored: bool,
}

impl<T: Real> PerTile<T> for Probabilities<'_> {
    fn tile(&mut self, tile: &Tile<T>, distances: &mut [Column]) {
        self.again.extend(tile.beyond(self.reach).map(|i| self.seen + i));
        self.shares.take((self.mixture, self.offsets), distances, (tile.rows, Until::Shares));
        let TileShares { top, sum, .. } = &self.shares;
        self.all_scored &= sum[..tile.rows].iter().fold(true, |all, sum| all & !sum.is_nan());
        if let Some(doubt) = &self.doubt {
            let doubtful = (0..tile.rows).filter(|&i| doubt.is_in(top[i], sum[i]));
            self.again.extend(doubtful.map(|i| self.seen + i));
        }
        let start = self.seen * distances.len();
        let into = &mut self.into[start..start + tile.rows * distances.len()];
        dispatch(WriteRows { columns: distances, sum, into });
        self.seen += tile.rows;
    }
}

/// Writes the columns of a tile row by row, each row as shares of its sum.
struct WriteRows<'a> {
    columns: &'a [Column],
    sum: &'a Column,
    into: &'a mut [f64],
}

impl WithSimd for WriteRows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let count = self.columns.len();
        let rows = self.into.len() / count;
        let (squares, rest) = self.columns.as_chunks::<SIDE>();
        for first in (0..rows).step_by(SIDE) {
            let mut inverse = [0.0; SIDE];
            for (inverse, sum) in inverse.iter_mut().zip(&self.sum[first..]) {
                *inverse = 1.0 / sum;
            }
            for (part, columns) in squares.iter().enumerate() {
                let mut square = [[0.0; SIDE]; SIDE];
                for (to, column) in square.iter_mut().zip(columns) {
                    if let Some(column) = column[first..].first_chunk::<SIDE>() {
                        for i in 0..SIDE {
                            to[i] = column[i] * inverse[i];
                        }
                    }
                }
                let square = transposed(simd, &square);
                for (i, row) in square.iter().enumerate().take(rows - first) {
                    let at = (first + i) * count + SIDE * part;
                    self.into[at..at + SIDE].copy_from_slice(row);
                }
            }
            let into = self.into[first * count..].chunks_exact_mut(count).take(SIDE);
            for (i, row) in into.enumerate() {
                for (to, column) in row[count - rest.len()..].iter_mut().zip(rest) {
                    *to = column[first + i] * inverse[i];
                }
            }
        }
    }
}
