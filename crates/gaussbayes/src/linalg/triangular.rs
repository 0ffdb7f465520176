//! Solves with a lower triangular matrix, each row by itself.

use std::sync::OnceLock;

use super::lanes::{Job, LANES, Lanes, load, store, vectorized};

/// A lower triangular matrix with a positive diagonal, row by row.
#[derive(Debug, Clone)]
pub(crate) struct Triangular {
    dim: usize,
    triangle: Vec<f64>,
    /// Its inverse in the same layout, once it was asked for.
    inverse: OnceLock<Vec<f64>>,
}

impl PartialEq for Triangular {
    fn eq(&self, other: &Self) -> bool {
        (self.dim, &self.triangle) == (other.dim, &other.triangle)
    }
}

impl Triangular {
    /// From a lower triangle stored row by row.
    pub(crate) fn new(triangle: Vec<f64>, dim: usize) -> Self {
        Self { dim, triangle, inverse: OnceLock::new() }
    }

    pub(crate) fn dim(&self) -> usize {
        self.dim
    }

    /// The lower triangle, row by row.
    pub(crate) fn triangle(&self) -> &[f64] {
        &self.triangle
    }

    /// The same, for keeps.
    pub(crate) fn into_triangle(self) -> Vec<f64> {
        self.triangle
    }

    /// Row `i` up to the diagonal.
    pub(crate) fn row(&self, i: usize) -> &[f64] {
        let start = i * (i + 1) / 2;
        &self.triangle[start..=start + i]
    }

    pub(crate) fn diagonal(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.dim).map(|i| self.row(i)[i])
    }

    /// Whether nothing lies off the diagonal.
    pub(crate) fn is_diagonal(&self) -> bool {
        (0..self.dim).all(|i| self.row(i)[..i].iter().all(|value| *value == 0.0))
    }

    /// Multiplies row `i` by `factor[i]`.
    pub(crate) fn scale_rows(&mut self, factor: &[f64]) {
        self.inverse = OnceLock::new();
        let mut values = self.triangle.iter_mut();
        for (i, factor) in factor.iter().enumerate() {
            values.by_ref().take(i + 1).for_each(|value| *value *= factor);
        }
    }

    /// The lower triangle of L⁻¹, row by row: each column by forward substitution.
    pub(crate) fn inverse(&self) -> &[f64] {
        self.inverse.get_or_init(|| {
            if self.dim < LANES { inverted(self) } else { vectorized(Invert(self)) }
        })
    }

    /// The lower triangle of (LLᵀ)⁻¹ = L⁻ᵀL⁻¹, row by row.
    pub(crate) fn inverse_product(&self) -> Vec<f64> {
        let mut product = vec![0.0; self.triangle.len()];
        vectorized(AddOuter { rows: self.inverse(), product: &mut product });
        product
    }

    /// Replaces each row x of `rows` by L⁻¹x.
    pub(crate) fn solve_rows(&self, rows: &mut [f64]) {
        if rows.len() < LANES * self.dim {
            // Too few to lie side by side: the same products and sums, one row after the other.
            rows.chunks_exact_mut(self.dim.max(1)).for_each(|row| self.solve(row));
        } else {
            vectorized(SolveRows { matrix: self, rows });
        }
    }

    /// x ↦ L⁻¹x in place, by forward substitution.
    fn solve(&self, x: &mut [f64]) {
        for i in 0..self.dim {
            let (solved, rest) = x.split_at_mut(i);
            let row = self.row(i);
            let z = solved.iter().zip(row).fold(rest[0], |z, (solved, l)| z - l * solved);
            rest[0] = z / row[i];
        }
    }

    /// Replaces each lane x by L⁻¹x.
    #[inline(always)]
    pub(crate) fn solve_lanes(&self, lanes: &mut [Lanes]) {
        for i in 0..self.dim {
            let (solved, rest) = lanes.split_at_mut(i);
            let mut z = rest[0];
            let row = self.row(i);
            for (l, solved) in row.iter().zip(solved.iter()) {
                for (z, s) in z.iter_mut().zip(solved) {
                    *z -= l * s;
                }
            }
            rest[0] = z.map(|z| z / row[i]);
        }
    }

    /// x ↦ L⁻ᵀx in place, by back substitution.
    pub(crate) fn solve_transposed(&self, x: &mut [f64]) {
        for i in (0..self.dim).rev() {
            let row = self.row(i);
            let (above, rest) = x.split_at_mut(i);
            rest[0] /= row[i];
            for (x, l) in above.iter_mut().zip(row) {
                *x -= l * rest[0];
            }
        }
    }
}

struct Invert<'a>(&'a Triangular);

impl Job for Invert<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn call(self) -> Vec<f64> {
        inverted(self.0)
    }
}

#[inline(always)]
fn inverted(matrix: &Triangular) -> Vec<f64> {
    let mut inverse = vec![0.0; matrix.triangle.len()];
    for i in 0..matrix.dim {
        let row = matrix.row(i);
        // −L_i· L⁻¹ / L_ii, a sum of rows that are known.
        let (known, rest) = inverse.split_at_mut(i * (i + 1) / 2);
        let next = &mut rest[..=i];
        for (t, l) in row[..i].iter().enumerate() {
            let start = t * (t + 1) / 2;
            let known = &known[start..=start + t];
            next.iter_mut().zip(known).for_each(|(sum, known)| *sum -= l * known);
        }
        next[i] = 1.0;
        next.iter_mut().for_each(|sum| *sum /= row[i]);
    }
    inverse
}

/// Adds the product with itself of each row of a lower triangle.
struct AddOuter<'a> {
    rows: &'a [f64],
    product: &'a mut [f64],
}

impl Job for AddOuter<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let (mut rows, mut len) = (self.rows, 1);
        while let Some((row, later)) = rows.split_at_checked(len) {
            let mut product = &mut *self.product;
            for (i, x) in row.iter().enumerate() {
                let (sums, later) = product.split_at_mut(i + 1);
                sums.iter_mut().zip(row).for_each(|(sum, y)| *sum += x * y);
                product = later;
            }
            (rows, len) = (later, len + 1);
        }
    }
}

struct SolveRows<'a> {
    matrix: &'a Triangular,
    rows: &'a mut [f64],
}

impl Job for SolveRows<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let dim = self.matrix.dim;
        let mut lanes = vec![[0.0; LANES]; dim];
        for panel in self.rows.chunks_mut(LANES * dim) {
            load(panel, &mut lanes);
            self.matrix.solve_lanes(&mut lanes);
            store(&lanes, panel);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_solved_the_same_alone_and_among_others() {
        let l = Triangular::new(vec![2.0, 0.3, 1.7, -0.4, 0.9, 3.1], 3);
        let mut many: Vec<f64> = (0..57).map(|i| f64::from(i * i % 23) / 7.0).collect();
        let mut alone = many.clone();
        alone.chunks_exact_mut(3).for_each(|row| l.solve_rows(row));
        l.solve_rows(&mut many);
        assert_eq!(many, alone);
    }

    #[test]
    fn solutions_solve() {
        // L = [[2], [1, 3]], b = (4, 11): z = (2, 3); Lᵀx = (8, 9): x = (2.5, 3).
        let l = Triangular::new(vec![2.0, 1.0, 3.0], 2);
        let (mut z, mut x) = ([4.0, 11.0], [8.0, 9.0]);
        l.solve_rows(&mut z);
        l.solve_transposed(&mut x);
        assert_eq!((z, x), ([2.0, 3.0], [2.5, 3.0]));
    }
}
