//! Joins two groups at a time, those whose union costs least \[M59\].

use crate::linalg::factor_in_place;
use crate::moments::lower_index;

/// Groups of rows, each a ball of variance one about its row to begin with.
pub(super) struct Groups {
    dim: usize,
    weights: Vec<f64>,
    means: Vec<f64>,
    /// Covariances, ball included, as lower triangles; none while all rows of a group are the same.
    spreads: Vec<Option<Box<[f64]>>>,
    /// n ln det of each.
    values: Vec<f64>,
    /// Costs of joining group i with any later one, group by group. Single precision: costs that
    /// differ by rounding alone are the same, so that ties do not depend on it.
    costs: Vec<Vec<f32>>,
    /// The cheapest later group to join for each, with its cost.
    best: Vec<(f32, usize)>,
    /// Groups that are left, in order.
    left: Vec<usize>,
    scratch: Vec<f64>,
}

impl Groups {
    pub(super) fn new(dim: usize, means: Vec<f64>, weights: Vec<f64>) -> Self {
        let count = weights.len();
        let mut groups = Self {
            dim,
            means,
            spreads: vec![None; count],
            values: vec![0.0; count],
            costs: Vec::with_capacity(count),
            best: vec![(f32::INFINITY, count); count],
            left: (0..count).collect(),
            scratch: vec![0.0; dim * (dim + 1) / 2],
            weights,
        };
        for a in 0..count {
            let costs = (a + 1..count).map(|b| groups.cost(a, b)).collect();
            groups.costs.push(costs);
            groups.best[a] = groups.cheapest(a);
        }
        groups
    }

    /// Joins until one group is left; the later of two joins the earlier.
    pub(super) fn joined(mut self) -> Vec<(u32, u32)> {
        let mut joins = Vec::with_capacity(self.weights.len().saturating_sub(1));
        while self.left.len() > 1 {
            let mut least = (f32::INFINITY, 0, 0);
            for &a in &self.left {
                let (cost, b) = self.best[a];
                if cost < least.0 || least.2 == 0 {
                    least = (cost, a, b);
                }
            }
            let (_, a, b) = least;
            self.join(a, b);
            joins.push((a as u32, b as u32));
        }
        joins
    }

    fn mean(&self, a: usize) -> &[f64] {
        &self.means[a * self.dim..(a + 1) * self.dim]
    }

    /// n ln det of the union's covariance, which is left in the scratch as its factor or, where two balls
    /// join, not at all.
    fn union(&mut self, a: usize, b: usize) -> f64 {
        let weight = self.weights[a] + self.weights[b];
        let (p, q) = (self.weights[a] / weight, self.weights[b] / weight);
        let (one, other) =
            (&self.means[a * self.dim..][..self.dim], &self.means[b * self.dim..][..self.dim]);
        if self.spreads[a].is_none() && self.spreads[b].is_none() {
            let apart: f64 = one.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum();
            return weight * (p * q * apart).ln_1p();
        }
        weighted(&mut self.scratch, p, self.spreads[a].as_deref(), q, self.spreads[b].as_deref());
        add_outer(&mut self.scratch, p * q, one, other);
        weight * log_det(&mut self.scratch, self.dim)
    }

    /// What joining two groups adds to Σ n ln det: never less than nothing, but for rounding.
    fn cost(&mut self, a: usize, b: usize) -> f32 {
        (self.union(a, b) - self.values[a] - self.values[b]).max(0.0) as f32
    }

    /// The cheapest later group to join, the earliest of those.
    fn cheapest(&self, a: usize) -> (f32, usize) {
        let mut best = (f32::INFINITY, self.weights.len());
        let after = self.left.partition_point(|&b| b <= a);
        for &b in &self.left[after..] {
            let cost = self.costs[a][b - a - 1];
            if cost < best.0 || best.1 == self.weights.len() {
                best = (cost, b);
            }
        }
        best
    }

    fn join(&mut self, a: usize, b: usize) {
        let weight = self.weights[a] + self.weights[b];
        let (p, q) = (self.weights[a] / weight, self.weights[b] / weight);
        self.values[a] = self.union(a, b);
        let mut spread = vec![0.0; self.scratch.len()];
        weighted(&mut spread, p, self.spreads[a].as_deref(), q, self.spreads[b].as_deref());
        add_outer(&mut spread, p * q, self.mean(a), self.mean(b));
        for j in 0..self.dim {
            let other = self.means[b * self.dim + j];
            let mean = &mut self.means[a * self.dim + j];
            *mean = p * *mean + q * other;
        }
        self.spreads[a] = Some(spread.into_boxed_slice());
        self.spreads[b] = None;
        self.weights[a] = weight;
        self.costs[b] = Vec::new();
        self.left.retain(|&group| group != b);
        for at in 0..self.left.len() {
            let i = self.left[at];
            if i < a {
                let cost = self.cost(i, a);
                self.costs[i][a - i - 1] = cost;
                let (least, partner) = self.best[i];
                if partner == a || partner == b {
                    self.best[i] = self.cheapest(i);
                } else if cost < least || (cost == least && a < partner) {
                    self.best[i] = (cost, a);
                }
            } else if i > a {
                let cost = self.cost(a, i);
                self.costs[a][i - a - 1] = cost;
                if self.best[i].1 == b {
                    self.best[i] = self.cheapest(i);
                }
            }
        }
        self.best[a] = self.cheapest(a);
    }
}

/// p A + q B of two lower triangles; one that is missing is the identity.
fn weighted(to: &mut [f64], p: f64, a: Option<&[f64]>, q: f64, b: Option<&[f64]>) {
    match (a, b) {
        (Some(a), Some(b)) => {
            to.iter_mut().zip(a.iter().zip(b)).for_each(|(to, (a, b))| *to = p * a + q * b);
        }
        (Some(a), None) => plus_ball(to, p, a, q),
        (None, Some(b)) => plus_ball(to, q, b, p),
        (None, None) => {
            to.fill(0.0);
            add_diagonal(to, p + q);
        }
    }
}

fn plus_ball(to: &mut [f64], p: f64, a: &[f64], q: f64) {
    to.iter_mut().zip(a).for_each(|(to, a)| *to = p * a);
    add_diagonal(to, q);
}

fn add_diagonal(to: &mut [f64], value: f64) {
    let places = (0..).map(|j| lower_index(j, j)).take_while(|&at| at < to.len());
    for at in places.collect::<Vec<_>>() {
        to[at] += value;
    }
}

/// Adds the outer product of a difference, times a factor, to a lower triangle.
fn add_outer(to: &mut [f64], factor: f64, a: &[f64], b: &[f64]) {
    let mut at = to.iter_mut();
    for i in 0..a.len() {
        let scaled = factor * (a[i] - b[i]);
        for (to, (a, b)) in at.by_ref().take(i + 1).zip(a.iter().zip(b)) {
            *to += scaled * (a - b);
        }
    }
}

/// ln det of a matrix that is at least the identity; its triangle is used up.
fn log_det(triangle: &mut [f64], dim: usize) -> f64 {
    /// Pivots are few units of 2¹⁰⁰ at most: the product of some has a logarithm.
    const AT_ONCE: usize = 4;
    factor_in_place(triangle, dim);
    let mut sum = 0.0;
    let mut first = 0;
    while first < dim {
        let some = first..dim.min(first + AT_ONCE);
        sum += some.map(|j| triangle[lower_index(j, j)]).product::<f64>().ln();
        first += AT_ONCE;
    }
    2.0 * sum
}
