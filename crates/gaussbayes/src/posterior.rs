//! Turns scores into posteriors by Bayes' rule \[M11\].

use crate::mixture::Scores;

/// ln Σ exp(scores), with the maximum taken out: the one log-sum-exp of the library.
///
/// −∞ for an empty or everywhere −∞ slice.
pub fn log_sum_exp(scores: &[f64]) -> f64 {
    let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if top.is_finite() {
        top + scores.iter().map(|score| (score - top).exp()).sum::<f64>().ln()
    } else {
        top
    }
}

impl Scores {
    /// P(class | row), row by row: for who wants nothing else, at half the price of [`Posterior`].
    pub fn into_probabilities(self) -> Vec<f64> {
        let mut all = self.relative;
        for row in all.chunks_exact_mut(self.components) {
            let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            row.iter_mut().for_each(|score| *score = (*score - top).exp());
            let sum: f64 = row.iter().sum();
            row.iter_mut().for_each(|share| *share /= sum);
        }
        all
    }
}

/// Posterior probabilities of some rows, in logs.
///
/// Scores relative to the best class are kept beside their norm, so that two classes whose
/// probabilities are equal as numbers still have an order.
#[derive(Debug, Clone, PartialEq)]
pub struct Posterior {
    classes: usize,
    relative: Vec<f64>,
    log_norm: Vec<f64>,
    log_evidence: Vec<f64>,
}

impl Posterior {
    /// P(class | row) from log P(class) + log p(row | class).
    pub fn from_scores(scores: Scores) -> Self {
        let classes = scores.components;
        let mut relative = scores.relative;
        let rows = relative.len() / classes.max(1);
        let mut log_norm = Vec::with_capacity(rows);
        let mut log_evidence = Vec::with_capacity(rows);
        for (row, common) in relative.chunks_exact_mut(classes).zip(&scores.common) {
            let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            row.iter_mut().for_each(|score| *score -= top);
            let norm = log_sum_exp(row);
            log_norm.push(norm);
            log_evidence.push(common + top + norm);
        }
        Self { classes, relative, log_norm, log_evidence }
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.log_norm.len()
    }

    /// Log scores of row `i` relative to its best class, which has 0.
    pub fn relative(&self, i: usize) -> &[f64] {
        &self.relative[i * self.classes..(i + 1) * self.classes]
    }

    /// ln P(class k | row i).
    pub fn log_prob(&self, i: usize, k: usize) -> f64 {
        self.relative(i)[k] - self.log_norm[i]
    }

    /// P(class | row i) of every class.
    pub fn probs(&self, i: usize) -> impl Iterator<Item = f64> + '_ {
        self.relative(i).iter().map(move |score| (score - self.log_norm[i]).exp())
    }

    /// ln p(row i), the unconditional density \[M12\].
    pub fn log_evidence(&self, i: usize) -> f64 {
        self.log_evidence[i]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_sum_exp_neither_overflows_nor_underflows() {
        assert!((log_sum_exp(&[1000.0, 1000.0]) - 1000.0 - 2.0_f64.ln()).abs() < 1e-12);
        assert!((log_sum_exp(&[-1e5, -1e5]) + 1e5 - 2.0_f64.ln()).abs() < 1e-10);
        assert_eq!(log_sum_exp(&[f64::NEG_INFINITY; 2]), f64::NEG_INFINITY);
    }

    #[test]
    fn probabilities_are_those_of_the_posterior() {
        let relative = vec![-1e5, 0.0, -1.0, f64::NEG_INFINITY, 3.0, 3.0];
        let scores = Scores { components: 3, common: vec![7.0, 0.0], relative };
        let posterior = Posterior::from_scores(scores.clone());
        for (i, row) in scores.into_probabilities().chunks_exact(3).enumerate() {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-15);
            for (found, expected) in row.iter().zip(posterior.probs(i)) {
                assert!((found - expected).abs() < 1e-15, "{found} {expected}");
            }
        }
    }
}
