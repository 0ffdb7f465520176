//! Scores rows by the discriminant functions of textbooks: log scores without what all classes share.

use std::f64::consts::PI;

use super::{Linear, Mixture, Score, Scores};
use crate::data::Block;
use crate::decide::arg_best;
use crate::error::Error;

impl Scores {
    /// ln π_k p(x|C_k), row by row.
    pub fn log_joint(&self) -> Vec<f64> {
        self.shifted(|_, common| common)
    }

    /// What is added to the relative scores of each row.
    fn shifted(&self, of_row: impl Fn(usize, f64) -> f64) -> Vec<f64> {
        let mut all = self.relative.clone();
        for (i, row) in all.chunks_exact_mut(self.components).enumerate() {
            let shift = of_row(i, self.common[i]);
            // A class without weight keeps −∞, a row far out a number.
            row.iter_mut()
                .filter(|score| score.is_finite())
                .for_each(|score| *score = (*score + shift).clamp(-f64::MAX, f64::MAX));
        }
        all
    }
}

impl Mixture {
    /// ln π_k − ½ ln det Σ_k − ½(x − μ_k)ᵀΣ_k⁻¹(x − μ_k) of each row and component \[M16\].
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns.
    pub fn discriminants(&self, block: &Block<'_>) -> Result<Vec<f64>, Error> {
        let rank = self.covariances().get(0).rank();
        let constant = 0.5 * rank as f64 * (2.0 * PI).ln();
        Ok(self.scores(block)?.shifted(|_, common| common + constant))
    }

    /// The linear functions of [`Mixture::linear`], row by row. Their differences are those of the log
    /// scores to the last digit, however far the rows are from zero.
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns.
    pub fn linear_scores(&self, linear: &Linear, block: &Block<'_>) -> Result<Vec<f64>, Error> {
        let scores = self.scores(block)?;
        let (dim, components) = (self.dim(), scores.components);
        let mut x = vec![0.0; dim];
        let best: Vec<f64> = (0..block.rows().count())
            .map(|i| {
                block.rows().read(i, &mut x);
                let row = &scores.relative[i * components..(i + 1) * components];
                let best = arg_best(components, |k| row[k]);
                let w = &linear.coefficients[best * dim..(best + 1) * dim];
                let along: f64 = w.iter().zip(&x).map(|(w, x)| w * x).sum();
                let along = along + linear.intercepts[best];
                if along.is_nan() { 0.0 } else { along.clamp(-f64::MAX, f64::MAX) - row[best] }
            })
            .collect();
        Ok(scores.shifted(|i, _| best[i]))
    }

    /// ln P(second class | x) − ln P(first class | x) of each row, of a mixture of two.
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns or there are not two components.
    pub fn log_odds(&self, block: &Block<'_>) -> Result<Vec<f64>, Error> {
        let scores = self.scores(block)?;
        if scores.components != 2 {
            let (what, found) = ("components for log-odds", scores.components);
            return Err(Error::Shape { what, expected: 2, found });
        }
        Ok(scores.relative.chunks_exact(2).map(|row| row[1] - row[0]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Table;

    #[test]
    fn discriminants_are_log_scores_up_to_what_classes_share() {
        // N(0, 1) and N(2, 1) with priors ¼, ¾ at x = 3: [M16].
        let means = [vec![0.0], vec![2.0]];
        let mixture = Mixture::given(&means, &[vec![1.0]], vec![0.25, 0.75]).unwrap();
        let table = Table { dim: 1, values: vec![3.0], ..Table::default() };
        let block = table.block(0..1).unwrap();
        let close = |found: &[f64], expected: [f64; 2]| {
            found.iter().zip(expected).for_each(|(a, b)| assert!((a - b).abs() < 1e-14, "{a} {b}"));
        };
        let (first, second) = (0.25_f64.ln() - 4.5, 0.75_f64.ln() - 0.5);
        close(&mixture.discriminants(&block).unwrap(), [first, second]);
        let linear = mixture.linear(&[0.0]).unwrap();
        close(&mixture.linear_scores(&linear, &block).unwrap(), [first + 4.5, second + 4.5]);
        assert!((mixture.log_odds(&block).unwrap()[0] - (second - first)).abs() < 1e-14);
        let half_log = 0.5 * (2.0 * PI).ln();
        let joint = mixture.scores(&block).unwrap().log_joint();
        close(&joint, [first - half_log, second - half_log]);
    }
}
