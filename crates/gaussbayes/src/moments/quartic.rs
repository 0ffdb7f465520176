//! Sums fourth moments up about known means: what Ledoit–Wolf shrinkage needs \[M28\].

use super::{Frame, Merge, lower_index};

/// Moments up to the fourth of each class, about points that stay where they are.
///
/// With y = u − point: Σw, Σwy, Σw y_a y_b, Σw y_a² y_b and Σw y_a² y_b². About a fixed point they
/// merge by addition, and moving to a mean near by takes a few small terms.
#[derive(Debug, Clone, PartialEq)]
pub struct Quartic {
    frame: Frame,
    points: Vec<Vec<f64>>,
    sums: Vec<Sums>,
}

#[derive(Debug, Clone, PartialEq)]
struct Sums {
    weight: f64,
    first: Vec<f64>,
    /// Lower triangle, row by row.
    second: Vec<f64>,
    /// Row a, column b: Σw y_a² y_b.
    third: Vec<f64>,
    /// Lower triangle, row by row.
    fourth: Vec<f64>,
}

impl Sums {
    fn zero(dim: usize) -> Self {
        let triangle = vec![0.0; dim * (dim + 1) / 2];
        Self {
            weight: 0.0,
            first: vec![0.0; dim],
            second: triangle.clone(),
            third: vec![0.0; dim * dim],
            fourth: triangle,
        }
    }

    fn add(&mut self, y: &[f64], weight: f64) {
        let dim = y.len();
        self.weight += weight;
        for (a, ya) in y.iter().enumerate() {
            let wy = weight * ya;
            let wyy = wy * ya;
            self.first[a] += wy;
            let row = lower_index(a, 0)..=lower_index(a, a);
            for (sum, yb) in self.second[row.clone()].iter_mut().zip(y) {
                *sum += wy * yb;
            }
            for (sum, yb) in self.fourth[row].iter_mut().zip(y) {
                *sum += wyy * (yb * yb);
            }
            for (sum, yb) in self.third[a * dim..(a + 1) * dim].iter_mut().zip(y) {
                *sum += wyy * yb;
            }
        }
    }
}

impl Quartic {
    /// Nothing yet, about these points of a frame.
    pub(crate) fn new(frame: Frame, points: Vec<Vec<f64>>) -> Self {
        let sums = vec![Sums::zero(frame.dim()); points.len()];
        Self { frame, points, sums }
    }

    /// The frame of the points.
    pub(crate) fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Adds a framed row to class `k`; a negative weight takes it out again.
    pub(crate) fn add(&mut self, k: usize, u: &[f64], weight: f64) {
        let y: Vec<f64> = u.iter().zip(&self.points[k]).map(|(u, c)| u - c).collect();
        self.sums[k].add(&y, weight);
    }

    /// The same with class `k` taken from `from[k]`; nothing where that is `None`.
    pub(crate) fn arranged(&self, from: &[Option<usize>]) -> Self {
        let dim = self.frame.dim();
        let points = from.iter().map(|k| k.map_or(vec![0.0; dim], |k| self.points[k].clone()));
        let sums = from.iter().map(|k| k.map_or(Sums::zero(dim), |k| self.sums[k].clone()));
        Self { frame: self.frame.clone(), points: points.collect(), sums: sums.collect() }
    }

    /// Σ w (Σ_j scale_j² (u_j − mean_j)²)² of class `k`.
    pub(crate) fn fourth(&self, k: usize, mean: &[f64], scale: &[f64]) -> f64 {
        let (dim, sums) = (mean.len(), &self.sums[k]);
        let square: Vec<f64> = scale.iter().map(|s| s * s).collect();
        let pull: Vec<f64> = (0..dim).map(|j| square[j] * (mean[j] - self.points[k][j])).collect();
        let shift: f64 = (0..dim).map(|j| pull[j] * (mean[j] - self.points[k][j])).sum();
        // A = Σ s²y², B = Σ s²δy, C = Σ s²δ²: Σw (A − 2B + C)².
        let twice = |a: usize, b: usize| if a == b { 1.0 } else { 2.0 };
        let (mut aa, mut bb, mut ab, mut a, mut b) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for i in 0..dim {
            a += square[i] * sums.second[lower_index(i, i)];
            b += pull[i] * sums.first[i];
            for j in 0..=i {
                let at = lower_index(i, j);
                aa += twice(i, j) * square[i] * square[j] * sums.fourth[at];
                bb += twice(i, j) * pull[i] * pull[j] * sums.second[at];
            }
            for (pull, third) in pull.iter().zip(&sums.third[i * dim..(i + 1) * dim]) {
                ab += square[i] * pull * third;
            }
        }
        aa + 4.0 * bb + sums.weight * shift * shift - 4.0 * ab + 2.0 * a * shift - 4.0 * b * shift
    }
}

impl Merge for Quartic {
    fn merge(mut self, later: Self) -> Self {
        debug_assert_eq!(self.points, later.points);
        let add = |a: &mut [f64], b: &[f64]| a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        for (sums, more) in self.sums.iter_mut().zip(&later.sums) {
            sums.weight += more.weight;
            add(&mut sums.first, &more.first);
            add(&mut sums.second, &more.second);
            add(&mut sums.third, &more.third);
            add(&mut sums.fourth, &more.fourth);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fourth_moments_about_any_mean_come_from_one_point() {
        let frame = Frame::new(vec![0.0; 2], vec![0; 2], vec![0; 2]).unwrap();
        let rows = [[0.3, -0.2], [0.9, 0.4], [-0.5, 0.1], [0.2, 0.8]];
        let mut sums = Quartic::new(frame, vec![vec![0.1, 0.2]]);
        rows.iter().for_each(|row| sums.add(0, row, 2.0));
        sums.add(0, &rows[0], -2.0);
        let (mean, scale) = ([0.25, 0.35], [1.5, 0.5]);
        let norm_sq =
            |row: &[f64; 2]| (0..2).map(|j| (scale[j] * (row[j] - mean[j])).powi(2)).sum::<f64>();
        let expected: f64 = rows[1..].iter().map(|row| 2.0 * norm_sq(row).powi(2)).sum();
        assert!((sums.fourth(0, &mean, &scale) / expected - 1.0).abs() < 1e-13);
    }
}
