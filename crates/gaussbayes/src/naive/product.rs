//! Scores rows under products of densities \[M76\].

use super::factor::Factor;
use super::spec::Unseen;
use crate::covariance::Priors;
use crate::data::Block;
use crate::error::{ColumnRefusal, Error};
use crate::mixture::{Quadratic, Score, Scores};

/// Classes whose density is a product over columns, with their priors.
#[derive(Debug, Clone, PartialEq)]
pub struct Product {
    columns: usize,
    priors: Vec<f64>,
    factors: Vec<Factor>,
    unseen: Unseen,
}

impl Product {
    /// Puts factors together.
    ///
    /// # Errors
    /// [`Error::Shape`] when a factor is of other classes or of columns that there are not,
    /// [`Error::BadPriors`] for priors that are no distribution.
    pub fn new(
        columns: usize,
        priors: Vec<f64>,
        factors: Vec<Factor>,
        unseen: Unseen,
    ) -> Result<Self, Error> {
        Priors::check(&priors)?;
        for factor in &factors {
            factor.check(columns, priors.len())?;
        }
        Ok(Self { columns, priors, factors, unseen })
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Prior of each class.
    pub fn priors(&self) -> &[f64] {
        &self.priors
    }

    /// The factors.
    pub fn factors(&self) -> &[Factor] {
        &self.factors
    }

    /// What becomes of a name that was never met.
    pub fn unseen(&self) -> Unseen {
        self.unseen
    }

    /// The same densities with other priors.
    ///
    /// # Errors
    /// What [`Priors::resolve`] refuses; [`ColumnRefusal::NoPriors`] where none count.
    pub fn with_priors(&self, priors: &Priors) -> Result<Self, Error> {
        if !self.has_priors() {
            return Err(ColumnRefusal::NoPriors.into());
        }
        Ok(Self { priors: priors.resolve(&self.priors)?, ..self.clone() })
    }

    /// Whether scores are logarithms of probabilities: weights against classes are none.
    pub fn is_generative(&self) -> bool {
        self.factors.iter().all(Factor::is_generative)
    }

    /// Whether priors count: not where all there is are weights against classes \[M77\].
    pub fn has_priors(&self) -> bool {
        self.priors.len() < 2
            || self.factors.is_empty()
            || self.factors.iter().any(Factor::is_generative)
    }
}

impl Score for Product {
    fn dim(&self) -> usize {
        self.columns
    }

    fn components(&self) -> usize {
        self.priors.len()
    }

    fn scores(&self, block: &Block<'_>) -> Result<Scores, Error> {
        let (expected, found) = (self.columns, block.rows().dim());
        if expected != found {
            return Err(Error::Shape { what: "columns of a row", expected, found });
        }
        let (classes, rows) = (self.priors.len(), block.rows().count());
        let log_prior = |prior: &f64| if self.has_priors() { prior.ln() } else { 0.0 };
        let first: Vec<f64> = self.priors.iter().map(log_prior).collect();
        let (mut common, mut relative) = (vec![0.0; rows], first.repeat(rows));
        for factor in &self.factors {
            factor.add(block, self.unseen, classes, &mut common, &mut relative)?;
        }
        for (i, row) in relative.chunks_exact(classes).enumerate() {
            let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if !top.is_finite() || row.iter().any(|score| score.is_nan()) {
                let row = block.number(i);
                return Err(ColumnRefusal::Impossible { row }.into());
            }
        }
        Ok(Scores { components: classes, common, relative })
    }

    fn quadratics(&self) -> Option<Vec<Quadratic>> {
        None
    }
}
