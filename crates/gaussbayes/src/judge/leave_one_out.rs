//! Leaves each row out in turn, by halving: no row is ever subtracted from a sum \[M19\].

use std::ops::Range;

use super::Judgement;
use super::folds::{fit_fold, joined};
use crate::covariance::{CovarianceSpec, Priors};
use crate::data::Table;
use crate::decide::Loss;
use crate::error::Error;
use crate::sweep::{LabelStat, LabelSweep, Sweep};

/// Judges a specification by leaving each row of a table out in turn.
///
/// # Errors
/// [`Error::ClassInOneFold`] for a class of one row, and what the fit without a row refuses.
pub fn leave_one_out(
    spec: &CovarianceSpec,
    priors: &Priors,
    features: &[String],
    loss: Option<&Loss>,
    table: &Table,
) -> Result<Judgement, Error> {
    let rows = table.rows();
    if rows < 2 {
        return Err(Error::Folds { folds: rows, most: rows as u64 });
    }
    let all = LabelSweep::new(spec.storage()).block(&table.block(0..rows)?)?;
    let job = Job { spec, priors, features, loss, table, all };
    let mut judgement = None;
    job.halve(0..rows, None, &mut judgement)?;
    judgement.ok_or(Error::NoRows)?.checked()
}

struct Job<'a> {
    spec: &'a CovarianceSpec,
    priors: &'a Priors,
    features: &'a [String],
    loss: Option<&'a Loss>,
    table: &'a Table,
    all: LabelStat,
}

impl Job<'_> {
    /// Judges each row of a range, given the statistic of all rows outside it.
    fn halve(
        &self,
        range: Range<usize>,
        outside: Option<LabelStat>,
        judgement: &mut Option<Judgement>,
    ) -> Result<(), Error> {
        if range.len() == 1 {
            let (spec, priors) = (self.spec, self.priors);
            let classifier = fit_fold(spec, priors, self.features, self.loss, outside, &self.all)?;
            let judgement = judgement.get_or_insert_with(|| Judgement::new(&classifier));
            return judgement.add(&classifier, &self.table.block(range)?);
        }
        let middle = range.start + range.len() / 2;
        let (left, right) = (range.start..middle, middle..range.end);
        let with = |half: &Range<usize>| -> Result<Option<LabelStat>, Error> {
            let block = self.table.block(half.clone())?;
            let stat = LabelSweep::new(self.spec.storage()).block(&block)?;
            Ok(Some(joined(outside.clone(), stat)))
        };
        let (with_left, with_right) = (with(&left)?, with(&right)?);
        self.halve(left, with_right, judgement)?;
        self.halve(right, with_left, judgement)
    }
}
