//! Turns scores into posteriors by Bayes' rule \[M11\].

use crate::error::Error;
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
    /// Writes P(class | row), row by row.
    ///
    /// # Errors
    /// [`Error::Shape`] when there is other room than they take.
    pub fn probabilities_into(self, into: &mut [f64]) -> Result<(), Error> {
        let (expected, found) = (self.relative.len(), into.len());
        if expected != found {
            return Err(Error::Shape { what: "room for probabilities", expected, found });
        }
        into.copy_from_slice(&self.into_probabilities());
        Ok(())
    }

    /// P(class | row), row by row: for who wants nothing else, at half the price of [`Posterior`].
    pub fn into_probabilities(self) -> Vec<f64> {
        let mut all = self.relative;
        for row in all.chunks_exact_mut(self.components) {
            to_shares(row);
        }
        all
    }

    /// Scores of classes that own several components each: a class's density is the sum of theirs \[M65\].
    pub(crate) fn by_class(self, owner: &[usize], classes: usize) -> Self {
        let mut relative = Vec::with_capacity(classes * self.common.len());
        let mut own = Vec::with_capacity(owner.len());
        for row in self.relative.chunks_exact(self.components) {
            for class in 0..classes {
                own.clear();
                own.extend(row.iter().zip(owner).filter(|(_, k)| **k == class).map(|(s, _)| *s));
                relative.push(if let [one] = own[..] { one } else { log_sum_exp(&own) });
            }
        }
        Self { components: classes, common: self.common, relative }
    }

    /// The same with what EM sums up of them, at one exponential each.
    pub(crate) fn into_shares(self) -> Shares {
        let mut shares = Shares {
            probabilities: self.relative.clone(),
            log_best: Vec::with_capacity(self.common.len()),
            log_evidence: Vec::with_capacity(self.common.len()),
            entropy: Vec::with_capacity(self.common.len()),
        };
        let scores = self.relative.chunks_exact(self.components).zip(&self.common);
        for (row, (scores, common)) in
            shares.probabilities.chunks_exact_mut(self.components).zip(scores)
        {
            let (top, sum) = to_shares(row);
            let norm = sum.ln();
            // A share that is zero in numbers leaves nothing to be uncertain of.
            let pairs = row.iter().zip(scores).filter(|(share, _)| **share > 0.0);
            let inner: f64 = pairs.map(|(share, score)| share * (top - score)).sum();
            shares.log_best.push(-norm);
            shares.log_evidence.push(common + top + norm);
            shares.entropy.push(norm + inner);
        }
        shares
    }
}

/// Turns the scores of a row into probabilities; the largest score, and the sum of all relative to it.
pub(crate) fn to_shares(row: &mut [f64]) -> (f64, f64) {
    let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    row.iter_mut().for_each(|score| *score = (*score - top).exp());
    let sum: f64 = row.iter().sum();
    row.iter_mut().for_each(|share| *share /= sum);
    (top, sum)
}

/// Probabilities of some rows, and what follows from them row by row.
pub(crate) struct Shares {
    pub(crate) probabilities: Vec<f64>,
    /// ln P of the best class.
    pub(crate) log_best: Vec<f64>,
    /// ln p(x) \[M12\].
    pub(crate) log_evidence: Vec<f64>,
    /// −Σ P ln P.
    pub(crate) entropy: Vec<f64>,
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

    /// −Σ P ln P of row `i`: 0 where it belongs to one class for certain, at most ln K.
    pub fn entropy(&self, i: usize) -> f64 {
        let norm = self.log_norm[i];
        let term = |score: &f64| {
            let share = (score - norm).exp();
            if share > 0.0 { share * (norm - score) } else { 0.0 }
        };
        self.relative(i).iter().map(term).sum()
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
        let shares = scores.clone().into_shares();
        for (i, row) in scores.into_probabilities().chunks_exact(3).enumerate() {
            assert!((shares.entropy[i] - posterior.entropy(i)).abs() < 1e-15);
            assert!((shares.log_evidence[i] - posterior.log_evidence(i)).abs() < 1e-14);
            let best = (0..3).map(|k| posterior.log_prob(i, k)).fold(f64::NEG_INFINITY, f64::max);
            assert!((shares.log_best[i] - best).abs() < 1e-15);
            assert_eq!(row, &shares.probabilities[3 * i..3 * i + 3]);
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-15);
            for (found, expected) in row.iter().zip(posterior.probs(i)) {
                assert!((found - expected).abs() < 1e-15, "{found} {expected}");
            }
        }
    }
}
