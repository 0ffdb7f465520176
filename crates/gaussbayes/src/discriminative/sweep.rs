//! Sums up slope and curvature of the log-likelihood at some coefficients, block by block \[M79\].

use super::model::LinearScores;
use super::separation::Margins;
use crate::data::{Block, Label};
use crate::error::Error;
use crate::linalg::Gram;
use crate::linalg::lanes::vectorized;
use crate::moments::{Frame, Merge};
use crate::posterior::to_shares;
use crate::sweep::{Sweep, present};
use crate::tolerance::TILE_ROWS;

/// What one pass finds of the log-likelihood at some coefficients; those of other rows merge with it.
#[derive(Debug, Clone, PartialEq)]
pub struct SoftmaxStat {
    /// Rows of positive weight.
    pub(super) rows: u64,
    pub(super) weight: f64,
    /// The least weight of a row.
    pub(super) least_weight: f64,
    /// −Σ w ln P(C_y|x).
    pub(super) loss: f64,
    /// Its slope, class by class: the intercept first, then the columns.
    pub(super) slope: Vec<f64>,
    /// Σ w P_k P_l z zᵀ for l < k, pair by pair: lower triangles, row by row.
    pub(super) pairs: Vec<f64>,
    /// How far rows are on their own side, and how far the latest step has moved them.
    pub(super) margins: Margins,
}

impl SoftmaxStat {
    /// Rows of positive weight.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Weight of all rows.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// Σ w ln P(C_y|x) at the coefficients of the pass.
    pub fn log_likelihood(&self) -> f64 {
        -self.loss
    }

    /// The slope of −Σ w ln P(C_y|x), class by class: by the intercept, then by each column with spread, in the unit
    /// of the frame.
    pub fn slope(&self) -> &[f64] {
        &self.slope
    }

    /// Σ w P_k P_l z zᵀ for l < k, pair by pair: lower triangles, row by row, of z = (1, u). The second derivatives by
    /// classes k ≠ l are its negative, those by one class the sum over the others.
    pub fn pairs(&self) -> &[f64] {
        &self.pairs
    }
}

impl Merge for SoftmaxStat {
    fn merge(mut self, later: Self) -> Self {
        let add = |a: &mut [f64], b: &[f64]| a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        add(&mut self.slope, &later.slope);
        add(&mut self.pairs, &later.pairs);
        Self {
            rows: self.rows + later.rows,
            weight: self.weight + later.weight,
            least_weight: self.least_weight.min(later.least_weight),
            loss: self.loss + later.loss,
            margins: self.margins.merge(later.margins),
            slope: self.slope,
            pairs: self.pairs,
        }
    }
}

/// One pass over the rows at some coefficients.
pub(super) struct SoftmaxSweep<'a> {
    pub(super) classes: &'a [Label],
    pub(super) frame: &'a Frame,
    /// Columns with spread.
    pub(super) columns: &'a [usize],
    /// Intercept and coefficients, class by class.
    pub(super) at: &'a [f64],
    /// The step that led here, in the same layout.
    pub(super) step: Option<&'a [f64]>,
}

/// Rows of a block that count, and what is known of them.
struct Counted {
    /// z = (1, u) of the columns with spread, row by row.
    z: Vec<f64>,
    weights: Vec<f64>,
    /// Class of each.
    own: Vec<usize>,
}

impl SoftmaxSweep<'_> {
    fn counted(&self, block: &Block<'_>, kept: impl Fn(usize) -> bool) -> Result<Counted, Error> {
        block.plain()?;
        let (labels, codes) = present(block)?;
        let place = |label: &Label| {
            let found = self.classes.iter().position(|class| class == label);
            found.ok_or_else(|| Error::UnknownClass { class: label.to_string() })
        };
        let places = labels.iter().map(place).collect::<Result<Vec<usize>, Error>>()?;
        let dim = self.frame.dim();
        let framed = self.frame.apply(block.rows());
        let mut counted = Counted { z: Vec::new(), weights: Vec::new(), own: Vec::new() };
        for (i, u) in framed.chunks_exact(dim).enumerate() {
            let weight = block.weight(i);
            if weight > 0.0 && kept(i) {
                counted.z.push(1.0);
                counted.z.extend(self.columns.iter().map(|&j| u[j]));
                counted.weights.push(weight);
                counted.own.push(places[codes[i] as usize]);
            }
        }
        Ok(counted)
    }

    fn scores(&self, weights: &[f64], z: &[f64]) -> Vec<f64> {
        let start = vec![0.0; self.classes.len()];
        vectorized(LinearScores { weights, start: &start, rows: z, dim: self.width() })
    }

    /// Parameters of a class.
    fn width(&self) -> usize {
        self.columns.len() + 1
    }
}

impl Sweep for SoftmaxSweep<'_> {
    type Stat = SoftmaxStat;

    fn block(&self, block: &Block<'_>) -> Result<SoftmaxStat, Error> {
        self.of_some(block, |_| true)
    }
}

impl SoftmaxSweep<'_> {
    /// The statistic of some rows of a block.
    pub(super) fn of_some(
        &self,
        block: &Block<'_>,
        kept: impl Fn(usize) -> bool,
    ) -> Result<SoftmaxStat, Error> {
        let (classes, width) = (self.classes.len(), self.width());
        let Counted { z, weights, own } = self.counted(block, kept)?;
        let mut stat = SoftmaxStat {
            rows: weights.len() as u64,
            weight: weights.iter().sum(),
            least_weight: weights.iter().copied().fold(f64::INFINITY, f64::min),
            loss: 0.0,
            slope: vec![0.0; classes * width],
            pairs: Vec::new(),
            margins: Margins::none(classes),
        };
        let mut shares = self.scores(self.at, &z);
        let moved = self.step.map(|step| self.scores(step, &z));
        for (i, row) in shares.chunks_exact_mut(classes).enumerate() {
            let (own, weight) = (own[i], weights[i]);
            let step = moved.as_ref().map(|moved| &moved[i * classes..(i + 1) * classes]);
            stat.margins.add(own, row, step);
            let score = row[own];
            let (top, sum) = to_shares(row);
            stat.loss += weight * ((top - score) + sum.ln());
            // What is missing to 1, from the others: it has all its digits where the row is as good as certain.
            let rest: f64 = (0..classes).filter(|&k| k != own).map(|k| row[k]).sum();
            let z = &z[i * width..(i + 1) * width];
            for (k, slope) in stat.slope.chunks_exact_mut(width).enumerate() {
                let residual = weight * if k == own { -rest } else { row[k] };
                slope.iter_mut().zip(z).for_each(|(sum, z)| *sum += residual * z);
            }
        }
        stat.pairs = pairs(&z, &weights, &shares, classes, width);
        Ok(stat)
    }
}

/// Σ w P_k P_l z zᵀ for l < k, pair by pair.
fn pairs(z: &[f64], weights: &[f64], shares: &[f64], classes: usize, width: usize) -> Vec<f64> {
    let size = width * (width + 1) / 2;
    let mut pairs = vec![0.0; classes * (classes - 1) / 2 * size];
    let mut gram = Gram::new(width);
    let mut tile = Vec::with_capacity(TILE_ROWS * width);
    let both = (0..classes).flat_map(|k| (0..k).map(move |l| (k, l)));
    for ((k, l), triangle) in both.zip(pairs.chunks_exact_mut(size)) {
        gram.clear();
        for start in (0..weights.len()).step_by(TILE_ROWS) {
            tile.clear();
            for i in start..weights.len().min(start + TILE_ROWS) {
                let row = &shares[i * classes..(i + 1) * classes];
                let root = (weights[i] * (row[k] * row[l])).sqrt();
                tile.extend(z[i * width..(i + 1) * width].iter().map(|z| root * z));
            }
            gram.add_rows(&tile);
        }
        gram.add_to(triangle);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Table;
    use crate::moments::lower_index;

    /// The statistic of some rows at some coefficients, of two columns and three classes.
    fn at(coefficients: &[f64]) -> SoftmaxStat {
        let rows = [[0.3, -1.0], [1.2, 0.4], [-0.7, 0.9], [0.1, 0.2], [2.0, -0.3], [-1.1, -0.6]];
        let classes = ["a", "b", "c"].map(Label::from);
        let table = Table {
            dim: 2,
            values: rows.concat(),
            weights: Some(vec![1.0, 2.0, 0.5, 0.0, 1.5, 3.0]),
            codes: Some(vec![0, 1, 2, 0, 1, 2]),
            dictionary: classes.to_vec(),
            ..Table::default()
        };
        let frame = Frame::new(vec![0.0; 2], vec![0; 2], vec![0; 2]).unwrap();
        let (classes, columns) = (&classes, &[0, 1]);
        let sweep = SoftmaxSweep { classes, frame: &frame, columns, at: coefficients, step: None };
        sweep.block(&table.block(0..6).unwrap()).unwrap()
    }

    #[test]
    fn slopes_and_curvature_are_those_of_the_loss() {
        let start = [0.2, -0.5, 0.9, -0.1, 0.4, 0.3, 0.7, 1.1, -0.8];
        let found = at(&start);
        assert_eq!((found.rows, found.weight, found.least_weight), (5, 8.0, 0.5));
        let moved = |i: usize, by: f64| {
            let mut to = start;
            to[i] += by;
            at(&to)
        };
        let step = 1e-5;
        for i in 0..9 {
            let (up, down) = (moved(i, step), moved(i, -step));
            let slope = (up.loss - down.loss) / (2.0 * step);
            assert!((slope - found.slope[i]).abs() < 1e-9, "{i}: {slope} {}", found.slope[i]);
            for j in 0..9 {
                let bend = (up.slope[j] - down.slope[j]) / (2.0 * step);
                let (k, l) = (i / 3, j / 3);
                let pair = |k: usize, l: usize| {
                    let at = 6 * (k.max(l) * (k.max(l) - 1) / 2 + k.min(l));
                    found.pairs[at + lower_index((i % 3).max(j % 3), (i % 3).min(j % 3))]
                };
                let right = if k == l {
                    (0..3).filter(|&other| other != k).map(|other| pair(k, other)).sum()
                } else {
                    -pair(k, l)
                };
                assert!((bend - right).abs() < 1e-8, "{i} {j}: {bend} {right}");
            }
        }
    }
}
