//! Reads a quadric in its own raw axes: centre, axes, eigenvalues, semi-axes \[M44\].

use super::quadric::Quadric;
use crate::linalg::{dot, eigen};
use crate::moments::{Frame, ldexp, lower_index};
use crate::tolerance::{AXES_EXPONENT, SHARPENED_MAX, TURNING_SWEEPS};

/// Σ_j λ_j t_j² + slope · t_s + constant with t_j = axis_j · (x − centre), all in raw units.
///
/// Axes with a square come first, the longest first, then the one with a slope, then the free ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Canonical {
    /// The centre; the vertex where there is a slope.
    pub centre: Vec<f64>,
    /// Axes of length one, one after the other.
    pub axes: Vec<f64>,
    /// λ_j, 0 for an axis without a square.
    pub eigenvalues: Vec<f64>,
    /// The slope along the first axis without a square; 0 where there is none.
    pub slope: f64,
    /// The value at the centre.
    pub constant: f64,
    /// √(−constant/λ_j) where that is a number: half the width along the axis.
    pub semi_axes: Vec<Option<f64>>,
}

impl Canonical {
    /// Of a quadric with at least one square; its sign is kept.
    pub(crate) fn of(quadric: &Quadric, frame: &Frame) -> Option<Self> {
        let dim = quadric.dim();
        let squares = quadric.w.iter().filter(|w| **w != 0.0).count();
        if squares == 0 {
            return None;
        }
        let unit = frame.exponent().iter().copied().max()?;
        let wide: Vec<f64> =
            frame.exponent().iter().map(|e| ldexp(1.0, (unit - e).min(AXES_EXPONENT))).collect();
        let mut matrix = quadric.squares();
        for i in 0..dim {
            (0..=i).for_each(|j| matrix[lower_index(i, j)] *= wide[i] * wide[j]);
        }
        let (values, vectors) = turned(matrix, dim)?;
        let slopes: Vec<f64> = quadric.slope().iter().zip(&wide).map(|(s, w)| s * w).collect();
        let mut order: Vec<usize> = (0..dim).collect();
        order.sort_by(|&i, &j| values[j].abs().total_cmp(&values[i].abs()));
        let (curved, flat) = order.split_at_mut(squares);
        curved.reverse();
        let axis = |k: usize| &vectors[k * dim..(k + 1) * dim];
        let mut axes: Vec<Vec<f64>> = curved.iter().map(|&k| axis(k).to_vec()).collect();
        let mut flat: Vec<Vec<f64>> = flat.iter().map(|&k| axis(k).to_vec()).collect();
        let mut eigenvalues: Vec<f64> = curved.iter().map(|&k| values[k]).collect();
        let mut offset = vec![0.0; dim];
        let mut constant = quadric.c;
        for (axis, value) in axes.iter().zip(&eigenvalues) {
            let along = dot(axis, &slopes);
            let step = -along / (2.0 * value);
            constant += 0.5 * step * along;
            offset.iter_mut().zip(axis).for_each(|(o, a)| *o += step * a);
        }
        let mut slope = 0.0;
        if quadric.sloped().next().is_some() {
            slope = lead(&mut flat, &slopes);
            let step = -constant / slope;
            offset.iter_mut().zip(&flat[0]).for_each(|(o, a)| *o += step * a);
            constant = 0.0;
        } else {
            constant = quadric.completed;
        }
        axes.extend(flat);
        eigenvalues.resize(dim, 0.0);
        let semi = |value: &f64| {
            let square = -constant / value;
            (*value != 0.0 && square > 0.0).then(|| ldexp(square.sqrt(), unit))
        };
        let semi_axes = eigenvalues.iter().map(semi).collect();
        let place = |j: usize| frame.raw_value(j, quadric.origin[j] + offset[j] * wide[j]);
        Some(Self {
            centre: (0..dim).map(place).collect(),
            axes: axes.into_iter().flat_map(upright).collect(),
            eigenvalues: eigenvalues.iter().map(|v| ldexp(*v, -2 * unit)).collect(),
            slope: ldexp(slope, -unit),
            constant,
            semi_axes,
        })
    }

    /// That of the function with its sign turned.
    pub(crate) fn negated(mut self) -> Self {
        let numbers = self.eigenvalues.iter_mut().chain([&mut self.slope, &mut self.constant]);
        numbers.for_each(|x| *x = 0.0 - *x);
        self
    }

    /// Whether all squares are the same, to a relative rounding: semi-axes of one length.
    pub(crate) fn is_round(&self, rounding: f64) -> bool {
        let mut values = self.eigenvalues.iter().filter(|v| **v != 0.0);
        let Some(first) = values.next() else { return false };
        values.all(|value| (value - first).abs() <= rounding * first.abs())
    }
}

/// Turns axes without squares so that the first takes the whole slope; returns it.
fn lead(flat: &mut [Vec<f64>], slopes: &[f64]) -> f64 {
    let along: Vec<f64> = flat.iter().map(|axis| dot(axis, slopes)).collect();
    let size = along.iter().map(|x| x * x).sum::<f64>().sqrt();
    // One reflection takes the slope's direction to the first axis, and the others with it.
    let mut mirror = along.clone();
    mirror[0] += size.copysign(along[0]);
    let norm = dot(&mirror, &mirror);
    let old = flat.to_vec();
    for (k, axis) in flat.iter_mut().enumerate() {
        for (i, x) in axis.iter_mut().enumerate() {
            let image: f64 = mirror.iter().zip(&old).map(|(m, axis)| m * axis[i]).sum();
            *x -= 2.0 * mirror[k] / norm * image;
        }
    }
    dot(&flat[0], slopes)
}

/// The axis with no negative zero, and the slope's sign left to it.
fn upright(mut axis: Vec<f64>) -> Vec<f64> {
    axis.iter_mut().for_each(|x| *x += 0.0);
    axis
}

/// Eigenvalues and vectors by Jacobi's rotations, which keep the digits of matrices with columns in
/// units far apart; beyond some columns by the library's own.
fn turned(mut matrix: Vec<f64>, dim: usize) -> Option<(Vec<f64>, Vec<f64>)> {
    if dim > SHARPENED_MAX {
        let found = eigen(&matrix, dim)?;
        return Some((found.values, found.vectors));
    }
    let mut vectors = vec![0.0; dim * dim];
    (0..dim).for_each(|k| vectors[k * (dim + 1)] = 1.0);
    let at = |i: usize, j: usize| lower_index(i.max(j), i.min(j));
    for _ in 0..TURNING_SWEEPS {
        let mut moved = false;
        for p in 1..dim {
            for q in 0..p {
                let (app, aqq, apq) = (matrix[at(p, p)], matrix[at(q, q)], matrix[at(p, q)]);
                if apq.abs() <= f64::EPSILON * (app.abs().sqrt() * aqq.abs().sqrt())
                    || apq.abs() < f64::MIN_POSITIVE
                {
                    matrix[at(p, q)] = 0.0;
                    continue;
                }
                moved = true;
                let theta = (aqq - app) / (2.0 * apq);
                let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
                let (cos, sin) = (1.0 / t.hypot(1.0), t / t.hypot(1.0));
                matrix[at(p, p)] = app - t * apq;
                matrix[at(q, q)] = aqq + t * apq;
                matrix[at(p, q)] = 0.0;
                for k in (0..dim).filter(|&k| k != p && k != q) {
                    let (x, y) = (matrix[at(p, k)], matrix[at(q, k)]);
                    matrix[at(p, k)] = cos * x - sin * y;
                    matrix[at(q, k)] = sin * x + cos * y;
                }
                for k in 0..dim {
                    let (x, y) = (vectors[p * dim + k], vectors[q * dim + k]);
                    vectors[p * dim + k] = cos * x - sin * y;
                    vectors[q * dim + k] = sin * x + cos * y;
                }
            }
        }
        if !moved {
            break;
        }
    }
    Some(((0..dim).map(|k| matrix[at(k, k)]).collect(), vectors))
}
