//! Estimates class priors anew on rows without labels, and tests whether they have moved \[M74\].

mod expect;
mod information;
mod newton;
mod state;

pub use expect::ShiftStat;
pub use state::ShiftState;

use crate::classify::Classifier;
use crate::data::Source;
use crate::error::{ColumnRefusal, Error};
use crate::scorer::Scorer;
use crate::special::chi_tails;
use crate::sweep::On;
use crate::tolerance::SHIFT_EXPECTED;

/// Class priors before and after a look at rows without labels, and whether they differ.
///
/// The class densities are taken as known: neither errors of their estimates nor of the priors before are in the
/// standard errors and the p value. Where rows follow other densities than the model's, the priors are those that
/// come nearest, not the shares of the classes.
#[derive(Debug, Clone, PartialEq)]
pub struct PriorShift {
    /// Priors of the classifier.
    pub before: Vec<f64>,
    /// The most likely priors of the rows. A class whose prior is 0 stays at 0.
    pub after: Vec<f64>,
    /// Standard errors of them \[M75\]: none for a prior at 0, or at 1, which is no normal estimate, and none
    /// where the rows do not tell the class from others.
    pub standard_errors: Vec<Option<f64>>,
    /// Log-likelihood of the rows under the priors before.
    pub log_likelihood_before: f64,
    /// The same under the priors after.
    pub log_likelihood_after: f64,
    /// Twice the difference of both.
    pub statistic: f64,
    /// Priors that are free: one fewer than classes that can come.
    pub degrees_of_freedom: usize,
    /// The chance of such a statistic, or a larger one, where nothing has moved.
    pub p_value: f64,
    /// Passes over the rows.
    pub iterations: u32,
    /// Whether the priors stand; otherwise they are the best so far.
    pub converged: bool,
    /// Rows of positive weight.
    pub rows: u64,
    /// Weight of all rows: a weight is a number of rows.
    pub weight: f64,
}

impl PriorShift {
    /// Whether the test rejects at this level that the priors are still those of the classifier.
    ///
    /// Priors that have not moved should be left alone: new ones would be their own noise.
    pub fn moved(&self, level: f64) -> bool {
        self.p_value < level
    }

    /// Classes, by number, of which the priors before let less than five rows be expected: the p value is rough.
    pub fn rare(&self) -> Vec<usize> {
        let few = |prior: f64| prior > 0.0 && prior * self.weight < SHIFT_EXPECTED;
        (0..self.before.len()).filter(|&k| few(self.before[k])).collect()
    }

    /// Classes, by number, that could come and whose prior is now 0.
    pub fn vanished(&self) -> Vec<usize> {
        let gone = |k: &usize| self.before[*k] > 0.0 && self.after[*k] == 0.0;
        (0..self.before.len()).filter(gone).collect()
    }
}

/// The chance that χ² of so many degrees of freedom exceeds a statistic.
fn p_value(degrees_of_freedom: usize, statistic: f64) -> f64 {
    if degrees_of_freedom == 0 {
        1.0
    } else {
        chi_tails(degrees_of_freedom, statistic.sqrt()).above
    }
}

/// Estimates the priors of a classifier anew on rows without labels, and tests whether they have moved \[M74\] \[M75\].
///
/// # Errors
/// What the source or its rows refuse; [`ColumnRefusal::NoPriors`] for weights against classes, which are no densities.
pub fn prior_shift<S: Source>(
    classifier: &Classifier,
    source: &mut S,
    on: On<'_>,
) -> Result<PriorShift, S::Error> {
    if let Scorer::Product(product) = classifier.model()
        && !product.is_generative()
    {
        return Err(Error::from(ColumnRefusal::NoPriors).into());
    }
    let mut state = ShiftState::new(classifier);
    while !state.is_done() {
        source.rewind()?;
        let stat = state.partial(source, on)?;
        state.step(&stat);
    }
    Ok(state.shift())
}
