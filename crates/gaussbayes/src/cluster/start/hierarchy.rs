//! Joins rows into ever fewer groups, as little likelihood as possible lost at each step \[M59\].

use super::Sampled;
use super::columns::Standard;
use super::merging::Groups;
use crate::data::NO_LABEL;
use crate::error::Error;
use crate::linalg::{Gram, eigen};
use crate::tolerance::{
    HIERARCHY_AXES, HIERARCHY_COST, HIERARCHY_ROWS, HIERARCHY_WORK, rank_floor,
};

/// The rows of a sample joined step by step: groups for any number of components.
///
/// Many rows are joined by their squares, so a sample of more than some thousand takes part by its rows
/// of lowest priority alone. The others are in no group: parameters that begin an EM need no more rows,
/// and its first pass finds where the others belong.
#[derive(Debug, Clone, PartialEq)]
pub struct Hierarchy {
    /// Which of the different rows each row of the sample is, or that it takes no part.
    leaves: Vec<u32>,
    distinct: usize,
    rows: u64,
    /// The second of two groups, each by its first row, joins the first.
    joins: Vec<(u32, u32)>,
}

impl Hierarchy {
    /// Joins the rows of a sample.
    ///
    /// # Errors
    /// What [`Sampled`]'s rows are refused for: none that were drawn.
    pub fn of(sampled: &Sampled) -> Result<Self, Error> {
        let (thinned, places) = sampled.thinned(rows_that_take_part(sampled.table().dim));
        let standard = Standard::of(&thinned)?;
        let (which, first) = standard.distinct();
        let mut leaves = vec![NO_LABEL; sampled.rows()];
        let mut weights = vec![0.0; first.len()];
        for (i, (&place, &leaf)) in places.iter().zip(&which).enumerate() {
            leaves[place] = leaf;
            weights[leaf as usize] += standard.weights[i];
        }
        let distinct = first.len();
        let (dim, rows) = spread_alike(&standard, &first, &weights);
        let joins = Groups::new(dim, rows, weights).joined();
        Ok(Self { leaves, distinct, rows: sampled.seen(), joins })
    }

    /// The group of each row of the sample, numbered by their first rows; [`NO_LABEL`] for rows that took
    /// no part.
    ///
    /// # Errors
    /// [`Error::TooFewDistinct`] where there are fewer different rows.
    pub fn codes(&self, components: usize) -> Result<Vec<u32>, Error> {
        let (distinct, rows) = (self.distinct, self.rows);
        let steps = distinct.checked_sub(components.max(1));
        let steps = steps.ok_or(Error::TooFewDistinct { distinct, rows, components })?;
        let mut group: Vec<u32> = (0..distinct as u32).collect();
        for &(into, from) in &self.joins[..steps] {
            group[from as usize] = into;
        }
        let mut codes = vec![NO_LABEL; distinct];
        let mut count = 0;
        // A group joins one of an earlier first row, whose own is known by then.
        for leaf in 0..distinct {
            let into = group[leaf] as usize;
            if into == leaf {
                codes[leaf] = count;
                count += 1;
            } else {
                codes[leaf] = codes[into];
            }
        }
        let code = |&leaf: &u32| codes.get(leaf as usize).copied().unwrap_or(NO_LABEL);
        Ok(self.leaves.iter().map(code).collect())
    }

    /// How many different rows took part.
    pub fn distinct(&self) -> usize {
        self.distinct
    }
}

/// Rows that can be joined in about a second: their squares times the cost of a determinant.
fn rows_that_take_part(dim: usize) -> usize {
    let axes = dim.min(HIERARCHY_AXES) as f64;
    let (per_square, per_pair) = HIERARCHY_COST;
    let rows = (HIERARCHY_WORK / (axes * axes * (axes + per_square) + per_pair)).sqrt();
    (rows as usize).clamp(4 * HIERARCHY_AXES, HIERARCHY_ROWS)
}

/// Coordinates of some rows along the principal axes of all, in which the total covariance is the same in
/// every direction and as large as makes each row the centre of a ball of variance one.
fn spread_alike(standard: &Standard, picked: &[usize], weights: &[f64]) -> (usize, Vec<f64>) {
    let (dim, count, total) = (standard.dim, picked.len(), standard.count() as f64);
    if dim == 0 {
        return (0, Vec::new());
    }
    let root = |i: usize| (weights[i] / total).sqrt();
    let weighted = |i: usize| {
        let factor = root(i);
        standard.row(picked[i]).iter().map(move |x| factor * x)
    };
    // The smaller of the two Gram matrices has all eigenvalues that there are.
    let by_columns = dim <= count;
    let side = dim.min(count);
    let mut gram = Gram::new(side);
    if by_columns {
        (0..count).for_each(|i| gram.add_rows(&weighted(i).collect::<Vec<f64>>()));
    } else {
        let rows: Vec<f64> = (0..count).flat_map(weighted).collect();
        let column = |j: usize| (0..count).map(|i| rows[i * dim + j]).collect::<Vec<f64>>();
        (0..dim).for_each(|j| gram.add_rows(&column(j)));
    }
    let mut triangle = vec![0.0; side * (side + 1) / 2];
    gram.add_to(&mut triangle);
    let Some(found) = eigen(&triangle, side) else { return (0, Vec::new()) };
    let floor = rank_floor(side, 0.0);
    let kept: Vec<usize> =
        (0..side).rev().filter(|&e| found.values[e] > floor).take(HIERARCHY_AXES).collect();
    let axes = kept.len();
    let ball = (count as f64).powf(1.0 / axes.max(1) as f64);
    let mut rows = Vec::with_capacity(count * axes);
    for i in 0..count {
        rows.extend(kept.iter().map(|&e| {
            let vector = &found.vectors[e * side..(e + 1) * side];
            if by_columns {
                let along = crate::linalg::dot(vector, standard.row(picked[i]));
                ball * along / found.values[e].sqrt()
            } else {
                ball * vector[i] / root(i)
            }
        }));
    }
    (axes, rows)
}
