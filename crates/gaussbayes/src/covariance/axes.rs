//! Holds axes, and finds those that classes have in common \[M26\].

use std::borrow::Cow;

use super::before::Before;
use super::family::{Family, Part};
use super::matrix::Covariance;
use super::structure::{Classes, Convergence, inverse};
use super::turning::Search;
use crate::linalg::{Eigen, eigen};
use crate::moments::{Shape, Spread, lower_index};
use crate::tolerance::{AXES_CLASSES, AXES_GAIN, SHARPENED_MAX};

/// An orthogonal basis, axis by axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axes {
    dim: usize,
    rows: Vec<f64>,
}

impl Axes {
    /// Axes.
    pub(super) fn len(&self) -> usize {
        self.dim
    }

    /// Axis by axis.
    #[cfg(test)]
    pub(super) fn rows(&self) -> &[f64] {
        &self.rows
    }

    fn iter(&self) -> std::slice::ChunksExact<'_, f64> {
        self.rows.chunks_exact(self.dim)
    }

    fn identity(dim: usize) -> Self {
        let mut rows = vec![0.0; dim * dim];
        rows.iter_mut().step_by(dim + 1).for_each(|one| *one = 1.0);
        Self { dim, rows }
    }

    /// The principal axes of a matrix, the shortest first.
    pub(super) fn of(spread: &Spread) -> Option<Self> {
        Some(Self::of_eigen(eigen(&spread.values, spread.dim)?))
    }

    fn of_eigen(found: Eigen) -> Self {
        Self { dim: found.values.len(), rows: found.vectors }
    }

    /// The principal axes of a matrix, the shortest first, with its spread along each.
    ///
    /// A matrix with an inverse is turned by its factor, so that short axes are known to their own
    /// rounding and not to that of the longest.
    pub(super) fn principal(
        spread: &Spread,
        factor: Option<&Covariance>,
    ) -> Option<(Self, Spread)> {
        let dim = spread.dim;
        let found = eigen(&spread.values, dim)?;
        let Some(factor) = factor else {
            // Rounding may leave a direction without spread a little below zero.
            let values = found.values.iter().map(|value| value.max(0.0)).collect();
            let along = Spread { shape: Shape::Diagonal, dim, values };
            return Some((Self::of_eigen(found), along));
        };
        let start = Self::of_eigen(found);
        let mut search = Search::new([factor], &[1.0], Part::Variable, start);
        search.sweep();
        let (axes, mut along, _) = search.finish();
        let along = along.pop()?;
        if along.values.is_sorted() {
            return Some((axes, along));
        }
        let mut order: Vec<usize> = (0..dim).collect();
        order.sort_by(|&a, &b| along.values[a].total_cmp(&along.values[b]));
        let values = order.iter().map(|&i| along.values[i]).collect();
        let rows = order.iter().flat_map(|&i| &axes.rows[i * dim..(i + 1) * dim]).copied();
        let axes = Self { dim, rows: rows.collect() };
        Some((axes, Spread { shape: Shape::Diagonal, dim, values }))
    }

    /// D diag(a) Dᵀ.
    pub(super) fn matrix(&self, along: &Spread) -> Spread {
        let mut matrix = Spread::zero(Shape::Full, along.dim);
        for (axis, a) in self.iter().zip(&along.values) {
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
        rotate(&mut self.rows, self.dim, (l, m), (cos, sin));
    }
}

impl Covariance {
    /// Variances along the principal axes, the largest first, and the axes, one after the other.
    ///
    /// `None` for values that are not finite.
    pub(crate) fn principal_axes(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        let spread = Spread { shape: Shape::Full, dim: self.dim(), values: self.triangle() };
        if spread.dim > SHARPENED_MAX {
            let found = eigen(&spread.values, spread.dim)?;
            let axes = found.vectors.chunks_exact(spread.dim).rev().flatten().copied().collect();
            // Rounding may leave the smallest below zero.
            let variances = found.values.into_iter().rev().map(|value| value.max(0.0)).collect();
            return Some((variances, axes));
        }
        let (axes, along) = Axes::principal(&spread, inverse(&spread).as_ref())?;
        let variances = along.values.into_iter().rev().collect();
        Some((variances, axes.iter().rev().flatten().copied().collect()))
    }
}

/// A matrix by its factor, turned: DᵀL, so that DᵀSD = (DᵀL)(DᵀL)ᵀ without cancellation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Turned {
    dim: usize,
    /// Row by row, one for each axis.
    rows: Vec<f64>,
}

impl Turned {
    pub(super) fn new(covariance: &Covariance, axes: &Axes) -> Self {
        let dim = covariance.dim();
        let factor = covariance.factor();
        let mut rows = vec![0.0; dim * dim];
        for (row, axis) in rows.chunks_exact_mut(dim).zip(axes.iter()) {
            for (i, a) in axis.iter().enumerate() {
                let l = &factor[lower_index(i, 0)..=lower_index(i, i)];
                row.iter_mut().zip(l).for_each(|(sum, l)| *sum += a * l);
            }
        }
        Self { dim, rows }
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.rows[i * self.dim..(i + 1) * self.dim]
    }

    /// Entry (i, j) of DᵀSD.
    pub(super) fn entry(&self, i: usize, j: usize) -> f64 {
        self.row(i).iter().zip(self.row(j)).map(|(a, b)| a * b).sum()
    }

    pub(super) fn diagonal(&self) -> impl Iterator<Item = f64> {
        (0..self.dim).map(|i| self.entry(i, i))
    }

    /// The whole of DᵀSD, row by row.
    pub(super) fn square(&self) -> Vec<f64> {
        let pairs = (0..self.dim).flat_map(|i| (0..self.dim).map(move |j| (i, j)));
        pairs.map(|(i, j)| self.entry(i.max(j), i.min(j))).collect()
    }

    /// Turns axes `l` and `m` in their plane.
    pub(super) fn turn(&mut self, l: usize, m: usize, (cos, sin): (f64, f64)) {
        rotate(&mut self.rows, self.dim, (l, m), (cos, sin));
    }
}

/// Turns rows `l` and `m` of a square matrix in their plane.
fn rotate(rows: &mut [f64], dim: usize, (l, m): (usize, usize), (cos, sin): (f64, f64)) {
    for c in 0..dim {
        let (x, y) = (rows[l * dim + c], rows[m * dim + c]);
        rows[l * dim + c] = cos * x + sin * y;
        rows[m * dim + c] = cos * y - sin * x;
    }
}

/// The axes that maximise the likelihood of a family with one orientation and a shape per class, and
/// the spread of each class along them.
///
/// There can be several maxima. The search starts from the coordinate axes, the principal axes of
/// the pooled covariance, of the largest classes and of the proportional family, and goes on from the
/// best: no family that is nested in this one can fit better. With `previous` it goes on from there.
pub(super) fn common_axes(
    classes: &Classes,
    volume: Part,
    previous: Option<Axes>,
) -> Option<(Axes, Vec<Spread>, Convergence)> {
    let starts = match previous {
        Some(previous) => vec![previous],
        None => starts(classes, volume)?,
    };
    let factors = (0..classes.spreads().len()).map(|k| classes.factor(k));
    let factors = factors.collect::<Option<Vec<Cow<'_, Covariance>>>>()?;
    let mut best: Option<(f64, Search<'_>)> = None;
    for start in starts {
        let factors = factors.iter().map(AsRef::as_ref);
        let mut search = Search::new(factors, &classes.shares, volume, start);
        let objective = search.sweep();
        if best.as_ref().is_none_or(|best| objective < best.0 - AXES_GAIN) {
            best = Some((objective, search));
        }
    }
    best.map(|(_, search)| search.finish())
}

/// Where a search without an earlier estimate starts.
fn starts(classes: &Classes, volume: Part) -> Option<Vec<Axes>> {
    let mut starts = vec![Axes::of(&classes.pooled())?, Axes::identity(classes.spreads()[0].dim)];
    let mut largest: Vec<usize> = (0..classes.spreads().len()).collect();
    largest.sort_by(|&a, &b| classes.shares[b].total_cmp(&classes.shares[a]));
    for &k in largest.iter().take(AXES_CLASSES) {
        starts.push(Axes::of(&classes.spreads()[k])?);
    }
    let proportional = classes.fit(Family::Vee, Before::default())?;
    starts.push(Axes::of(proportional.spreads.first()?)?);
    if volume == Part::Variable {
        starts.push(common_axes(classes, Part::Equal, None)?.0);
    }
    Some(starts)
}
