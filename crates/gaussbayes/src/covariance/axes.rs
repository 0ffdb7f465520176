//! Holds axes, and finds those that classes have in common \[M26\].

use super::family::{Family, Part};
use super::matrix::Covariance;
use super::structure::{Classes, Convergence, inverse};
use super::turning::Search;
use crate::linalg::{Eigen, eigen};
use crate::moments::{Shape, Spread, lower_index};
use crate::tolerance::{AXES_CLASSES, AXES_GAIN, SHARPENED_MAX};

/// An orthogonal basis; axis `i` is `0[i]`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axes(Vec<Vec<f64>>);

impl Axes {
    /// Axes.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Axis by axis.
    #[cfg(test)]
    pub(super) fn rows(&self) -> Vec<f64> {
        self.0.concat()
    }

    fn identity(dim: usize) -> Self {
        let axis = |i: usize| (0..dim).map(|j| f64::from(u8::from(i == j))).collect();
        Self((0..dim).map(axis).collect())
    }

    /// The principal axes of a matrix, the shortest first.
    pub(super) fn of(spread: &Spread) -> Option<Self> {
        Some(Self::of_eigen(&eigen(&spread.values, spread.dim)?))
    }

    fn of_eigen(found: &Eigen) -> Self {
        let dim = found.values.len();
        Self(found.vectors.chunks_exact(dim).map(<[f64]>::to_vec).collect())
    }

    /// The principal axes of a matrix, the shortest first, with its spread along each.
    ///
    /// A matrix with an inverse is turned by its factor, so that short axes are known to their own
    /// rounding and not to that of the longest.
    pub(super) fn principal(spread: &Spread) -> Option<(Self, Spread)> {
        let dim = spread.dim;
        let found = eigen(&spread.values, dim)?;
        let start = Self::of_eigen(&found);
        let Some(factor) = inverse(spread) else {
            // Rounding may leave a direction without spread a little below zero.
            let values = found.values.iter().map(|value| value.max(0.0)).collect();
            return Some((start, Spread { shape: Shape::Diagonal, dim, values }));
        };
        let mut search = Search::new(&[factor], &[1.0], Part::Variable, start);
        search.sweep();
        let (axes, along, _) = search.finish();
        let mut order: Vec<usize> = (0..dim).collect();
        order.sort_by(|&a, &b| along[0].values[a].total_cmp(&along[0].values[b]));
        let values = order.iter().map(|&i| along[0].values[i]).collect();
        let axes = Self(order.iter().map(|&i| axes.0[i].clone()).collect());
        Some((axes, Spread { shape: Shape::Diagonal, dim, values }))
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
        let (axes, along) = Axes::principal(&spread)?;
        let variances = along.values.into_iter().rev().collect();
        Some((variances, axes.0.into_iter().rev().flatten().collect()))
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
        for (row, axis) in rows.chunks_exact_mut(dim).zip(&axes.0) {
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

    pub(super) fn diagonal(&self) -> Vec<f64> {
        (0..self.dim).map(|i| self.entry(i, i)).collect()
    }

    /// The whole of DᵀSD, row by row.
    pub(super) fn square(&self) -> Vec<f64> {
        let pairs = (0..self.dim).flat_map(|i| (0..self.dim).map(move |j| (i, j)));
        pairs.map(|(i, j)| self.entry(i.max(j), i.min(j))).collect()
    }

    /// Turns axes `l` and `m` in their plane.
    pub(super) fn turn(&mut self, l: usize, m: usize, (cos, sin): (f64, f64)) {
        for c in 0..self.dim {
            let (x, y) = (self.rows[l * self.dim + c], self.rows[m * self.dim + c]);
            self.rows[l * self.dim + c] = cos * x + sin * y;
            self.rows[m * self.dim + c] = cos * y - sin * x;
        }
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
    let factors = classes.spreads.iter().map(inverse).collect::<Option<Vec<Covariance>>>()?;
    let mut best: Option<(f64, Search<'_>)> = None;
    for start in starts {
        let mut search = Search::new(&factors, &classes.shares, volume, start);
        let objective = search.sweep();
        if best.as_ref().is_none_or(|best| objective < best.0 - AXES_GAIN) {
            best = Some((objective, search));
        }
    }
    best.map(|(_, search)| search.finish())
}

/// Where a search without an earlier estimate starts.
fn starts(classes: &Classes, volume: Part) -> Option<Vec<Axes>> {
    let mut starts = vec![Axes::of(&classes.pooled())?, Axes::identity(classes.spreads[0].dim)];
    let mut largest: Vec<usize> = (0..classes.spreads.len()).collect();
    largest.sort_by(|&a, &b| classes.shares[b].total_cmp(&classes.shares[a]));
    for &k in largest.iter().take(AXES_CLASSES) {
        starts.push(Axes::of(&classes.spreads[k])?);
    }
    let own = Classes { spreads: classes.spreads.clone(), shares: classes.shares.clone() };
    starts.push(Axes::of(own.fit(Family::Vee, None)?.spreads.first()?)?);
    if volume == Part::Variable {
        starts.push(common_axes(classes, Part::Equal, None)?.0);
    }
    Some(starts)
}
