//! Judges a mixture by its likelihood and its size \[M60\].

use super::expect::EmStat;

/// What mixtures are compared by; of each the lowest is best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Criterion {
    /// −2 l + p ln n.
    #[default]
    Bic,
    /// BIC and twice what the rows' own components cost: clusters that overlap are charged for it.
    Icl,
    /// −2 l + 2 p.
    Aic,
}

impl Criterion {
    /// Every criterion.
    pub const ALL: [Self; 3] = [Self::Bic, Self::Icl, Self::Aic];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bic => "bic",
            Self::Icl => "icl",
            Self::Aic => "aic",
        }
    }
}

/// The likelihood of a mixture on some rows, and what follows from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Criteria {
    /// Σ w ln p(x).
    pub log_likelihood: f64,
    /// Parameters estimated.
    pub parameters: usize,
    /// Weight of the rows.
    pub weight: f64,
    /// Entropy of the memberships.
    pub entropy: f64,
    /// Σ w ln z of the most probable component.
    pub log_best: f64,
}

impl Criteria {
    /// Of a pass over the rows with the mixture that is judged.
    pub fn of(stat: &EmStat, parameters: usize) -> Self {
        Self {
            log_likelihood: stat.log_evidence(),
            parameters,
            weight: stat.weight(),
            entropy: stat.entropy(),
            log_best: stat.log_best(),
        }
    }

    /// The value of a criterion: lower is better.
    pub fn value(&self, criterion: Criterion) -> f64 {
        let (fit, size) = (-2.0 * self.log_likelihood, self.parameters as f64);
        match criterion {
            Criterion::Bic => fit + size * self.weight.ln(),
            Criterion::Icl => self.value(Criterion::Bic) - 2.0 * self.log_best,
            Criterion::Aic => fit + 2.0 * size,
        }
    }
}
