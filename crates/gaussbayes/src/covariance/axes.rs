//! Holds axes, and finds those that classes have in common \[M26\].

use super::family::{Family, Part};
use super::structure::{Classes, Convergence};
use super::turning::Search;
use crate::linalg::eigen;
use crate::moments::{Shape, Spread, lower_index};
use crate::tolerance::{AXES_CLASSES, AXES_GAIN};

/// An orthogonal basis; axis `i` is `0[i]`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axes(Vec<Vec<f64>>);

impl Axes {
    /// Axes.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    fn identity(dim: usize) -> Self {
        let axis = |i: usize| (0..dim).map(|j| f64::from(u8::from(i == j))).collect();
        Self((0..dim).map(axis).collect())
    }

    /// The principal axes of a matrix, the shortest first.
    pub(super) fn of(spread: &Spread) -> Option<Self> {
        let found = eigen(&spread.values, spread.dim)?;
        Some(Self(found.vectors.chunks_exact(spread.dim).map(<[f64]>::to_vec).collect()))
    }

    /// DᵀSD.
    pub(super) fn turned(&self, spread: &Spread) -> Spread {
        let dim = spread.dim;
        let rows = spread.square();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let images: Vec<Vec<f64>> = self
            .0
            .iter()
            .map(|axis| rows.chunks_exact(dim).map(|row| dot(row, axis)).collect())
            .collect();
        let mut turned = Spread::zero(Shape::Full, dim);
        for (i, axis) in self.0.iter().enumerate() {
            for (j, image) in images[..=i].iter().enumerate() {
                turned.values[lower_index(i, j)] = dot(axis, image);
            }
        }
        turned
    }

    /// The diagonal of DᵀSD: what the rows spread along each axis.
    pub(super) fn along(&self, spread: &Spread) -> Spread {
        let mut along = self.turned(spread).simplified(Shape::Diagonal);
        // Rounding may leave a direction without spread a little below zero.
        along.values.iter_mut().for_each(|value| *value = value.max(0.0));
        along
    }

    /// D diag(a) Dᵀ.
    pub(super) fn matrix(&self, along: &Spread) -> Spread {
        let mut matrix = Spread::zero(Shape::Full, along.dim);
        for (axis, a) in self.0.iter().zip(&along.values) {
            for i in 0..along.dim {
                for j in 0..=i {
                    matrix.values[lower_index(i, j)] += a * axis[i] * axis[j];
                }
            }
        }
        matrix
    }

    /// Turns axes `l` and `m` in their plane.
    pub(super) fn turn(&mut self, l: usize, m: usize, (cos, sin): (f64, f64)) {
        for j in 0..self.0.len() {
            let (x, y) = (self.0[l][j], self.0[m][j]);
            self.0[l][j] = cos * x + sin * y;
            self.0[m][j] = cos * y - sin * x;
        }
    }
}

/// The axes that maximise the likelihood of a family with one orientation and a shape per class.
///
/// There can be several maxima. The search starts from the coordinate axes, the principal axes of
/// the pooled covariance, of the largest classes and of the proportional family, and from `previous`, and
/// goes on from the best: no family that is nested in this one can fit better.
pub(super) fn common_axes(
    classes: &Classes,
    volume: Part,
    previous: Option<Axes>,
) -> Option<(Axes, Convergence)> {
    let mut starts: Vec<Axes> = previous.into_iter().collect();
    starts.push(Axes::of(&classes.pooled())?);
    starts.push(Axes::identity(classes.spreads[0].dim));
    let mut largest: Vec<usize> = (0..classes.spreads.len()).collect();
    largest.sort_by(|&a, &b| classes.shares[b].total_cmp(&classes.shares[a]));
    for &k in largest.iter().take(AXES_CLASSES) {
        starts.push(Axes::of(&classes.spreads[k])?);
    }
    if volume == Part::Variable {
        let own = || Classes { spreads: classes.spreads.clone(), shares: classes.shares.clone() };
        starts.push(Axes::of(own().fit(Family::Vee, None)?.spreads.first()?)?);
        starts.push(common_axes(classes, Part::Equal, None)?.0);
    }
    let mut best: Option<(f64, Search<'_>)> = None;
    for start in starts {
        let mut search = Search::new(classes, volume, start);
        let objective = search.sweep();
        if best.as_ref().is_none_or(|best| objective < best.0 - AXES_GAIN) {
            best = Some((objective, search));
        }
    }
    best.map(|(_, search)| search.finish())
}
