//! Reads a component as a peak and what whitens it, in all columns or some \[M40\].

use crate::covariance::Covariance;
use crate::linalg::dot;
use crate::mixture::Mixture;
use crate::moments::{Shape, lower_index};

/// A score `log − ½‖B(u − mean)‖²` of framed rows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Component {
    pub(crate) mean: Vec<f64>,
    /// B, row by row: as many rows as there are directions with spread.
    pub(crate) whiten: Vec<f64>,
    /// What B undoes, column by column.
    pub(crate) unfold: Vec<f64>,
    /// The score at the mean, less what all components share; −∞ without weight.
    pub(crate) log: f64,
    /// Size of the terms that `log` was summed up from.
    pub(crate) log_size: f64,
}

impl Component {
    /// Component `k` of a mixture; `None` where its law is not quadratic.
    pub(crate) fn of(mixture: &Mixture, k: usize) -> Option<Self> {
        let (factor, offset) = mixture.scaled(k)?;
        let covariance = mixture.covariances().get(k).bounded();
        let (mut whiten, mut unfold) = matrices(&covariance);
        let root = factor.sqrt();
        whiten.iter_mut().for_each(|b| *b *= root);
        unfold.iter_mut().for_each(|l| *l /= root);
        let terms = [mixture.weights()[k].ln(), offset, -0.5 * covariance.log_det()];
        Some(Self {
            mean: mixture.mean(k).to_vec(),
            whiten,
            unfold,
            log: terms.iter().sum(),
            log_size: terms.iter().map(|term| term.abs()).sum(),
        })
    }

    pub(crate) fn dim(&self) -> usize {
        self.mean.len()
    }

    pub(crate) fn rank(&self) -> usize {
        self.whiten.len() / self.dim()
    }

    /// B times a centred row.
    pub(crate) fn whitened(&self, u: &[f64]) -> Vec<f64> {
        self.whiten.chunks_exact(self.dim()).map(|row| dot(row, u)).collect()
    }

    /// Σ_j Σ_jj (Σ⁻¹)_jj, the trace of the inverse correlations: what rounding of Σ is multiplied by.
    pub(crate) fn inflation(&self) -> f64 {
        let dim = self.dim();
        let column =
            |of: &[f64], j: usize| -> f64 { of.iter().skip(j).step_by(dim).map(|x| x * x).sum() };
        (0..dim).map(|j| column(&self.whiten, j) * column(&self.unfold, j)).sum()
    }

    /// The score at a framed row.
    pub(crate) fn score(&self, u: &[f64]) -> f64 {
        let dim = self.dim();
        let distance = |row: &[f64]| {
            let z: f64 = (0..dim).map(|j| row[j] * (u[j] - self.mean[j])).sum();
            z * z
        };
        self.log - 0.5 * self.whiten.chunks_exact(dim).map(distance).sum::<f64>()
    }

    /// The same score where all but two columns are fixed: a function of these two \[M45\].
    pub(crate) fn slice(&self, free: [usize; 2], fixed: &[f64]) -> Self {
        let dim = self.dim();
        // ‖B_f u + e‖² with e = B(fixed − mean), zero in the free columns.
        let centred: Vec<f64> = (0..dim)
            .map(|j| if free.contains(&j) { 0.0 } else { fixed[j] - self.mean[j] })
            .collect();
        let mut rest = self.whitened(&centred);
        let column =
            |j: usize| -> Vec<f64> { self.whiten.iter().skip(j).step_by(dim).copied().collect() };
        let (first, second) = (column(free[0]), column(free[1]));
        let size = dot(&first, &first) + dot(&second, &second);
        let mut rows: Vec<[f64; 3]> = Vec::new();
        let mut basis: Vec<Vec<f64>> = Vec::new();
        for start in [&first, &second] {
            let mut q = start.clone();
            // Twice: what is left after one subtraction may not be orthogonal yet.
            for _ in 0..2 {
                for known in &basis {
                    let along = dot(known, &q);
                    less(&mut q, along, known);
                }
            }
            let norm = dot(&q, &q).sqrt();
            if norm * norm
                <= size * crate::tolerance::KIND_ROUNDING * crate::tolerance::KIND_ROUNDING
            {
                continue;
            }
            q.iter_mut().for_each(|x| *x /= norm);
            let along = dot(&q, &rest);
            less(&mut rest, along, &q);
            rows.push([dot(&q, &first), dot(&q, &second), along]);
            basis.push(q);
        }
        if let [_, second] = rows.as_mut_slice() {
            second[0] = 0.0;
        }
        let (unfold, shift) = inverse(&rows);
        let mean = [0, 1].map(|j| self.mean[free[j]] + shift[j]);
        let residual = 0.5 * dot(&rest, &rest);
        Self {
            mean: mean.to_vec(),
            whiten: rows.iter().flat_map(|row| [row[0], row[1]]).collect(),
            unfold,
            log: self.log - residual,
            log_size: self.log_size + residual,
        }
    }
}

/// What undoes the rows of an upper triangle, column by column, and where they give minus the last value.
fn inverse(rows: &[[f64; 3]]) -> (Vec<f64>, [f64; 2]) {
    match rows {
        [a, b] => {
            let second = -b[2] / b[1];
            let shift = [(-a[2] - a[1] * second) / a[0], second];
            (vec![1.0 / a[0], 0.0, -a[1] / (a[0] * b[1]), 1.0 / b[1]], shift)
        }
        [a] => {
            let norm = a[0] * a[0] + a[1] * a[1];
            let back = [a[0] / norm, a[1] / norm];
            (back.to_vec(), back.map(|x| -a[2] * x))
        }
        _ => (Vec::new(), [0.0; 2]),
    }
}

fn less(from: &mut [f64], factor: f64, of: &[f64]) {
    from.iter_mut().zip(of).for_each(|(x, y)| *x -= factor * y);
}

/// What whitens, row by row, and what undoes it, column by column.
fn matrices(covariance: &Covariance) -> (Vec<f64>, Vec<f64>) {
    let (dim, rank) = (covariance.dim(), covariance.rank());
    let mut whiten = vec![0.0; rank * dim];
    for j in 0..dim {
        let mut column = vec![0.0; dim];
        column[j] = 1.0;
        covariance.whiten_rows(&mut column);
        (0..rank).for_each(|k| whiten[k * dim + j] = column[k]);
    }
    let factor = covariance.factor();
    let mut unfold = vec![0.0; rank * dim];
    if rank < dim {
        // Within its range Σ Bᵀ undoes B, for B Σ Bᵀ is the identity.
        let triangle = covariance.triangle();
        for (back, row) in unfold.chunks_exact_mut(dim).zip(whiten.chunks_exact(dim)) {
            for (i, x) in back.iter_mut().enumerate() {
                *x = (0..dim).map(|j| triangle[lower_index(i.max(j), i.min(j))] * row[j]).sum();
            }
        }
        return (whiten, unfold);
    }
    for (k, back) in unfold.chunks_exact_mut(dim).enumerate() {
        match covariance.shape() {
            Shape::Full => (k..dim).for_each(|i| back[i] = factor[lower_index(i, k)]),
            Shape::Diagonal => back[k] = factor[k],
            Shape::Spherical => back[k] = factor[0],
        }
    }
    (whiten, unfold)
}
