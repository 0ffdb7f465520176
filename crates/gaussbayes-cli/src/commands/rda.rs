//! Chooses how regularised discriminant analysis is mixed, by cross-validation.

use gaussbayes::{Candidate, CovarianceSpec, Folds, Judgement, Priors, Shrinkage, Source};
use gaussbayes::{Error, cross_validate_all, rda_grid};
use serde_json::{Value, json};

use super::workers::Workers;
use crate::text::{per_cent, short, table};

/// Folds that choose.
const FOLDS: usize = 10;

/// Mixtures that a text lists.
const LISTED: usize = 5;

/// A grid of mixtures, judged.
pub(super) struct Choice {
    /// Lambda, gamma and what came of them; the best first.
    cells: Vec<(f64, f64, Result<Judgement, Error>)>,
}

impl Choice {
    /// Judges every mixture by the same folds: one pass of statistics, one of decisions.
    pub(super) fn of<S: Source>(
        spec: &CovarianceSpec,
        priors: &Priors,
        features: &[String],
        seed: u64,
        source: &mut S,
        workers: &Workers,
    ) -> Result<Self, S::Error> {
        let grid = rda_grid();
        let candidate = |&(lambda, gamma): &(f64, f64)| -> Candidate {
            let shrinkage = Some(Shrinkage::Rda { lambda, gamma });
            (CovarianceSpec { shrinkage, ..spec.clone() }.into(), priors.clone())
        };
        let candidates: Vec<Candidate> = grid.iter().map(candidate).collect();
        let (folds, on) = (Folds { count: FOLDS, seed }, workers.on());
        let judged = cross_validate_all(&candidates, features, None, folds, source, on)?;
        let mut cells: Vec<_> = grid
            .into_iter()
            .zip(judged)
            .map(|((lambda, gamma), judged)| (lambda, gamma, judged))
            .collect();
        cells.sort_by(|(_, _, a), (_, _, b)| Judgement::better_first(a, b));
        Ok(Self { cells })
    }

    /// The best mixture.
    pub(super) fn best(&self) -> Result<Shrinkage, Error> {
        match self.cells.first() {
            Some((lambda, gamma, Ok(_))) => Ok(Shrinkage::Rda { lambda: *lambda, gamma: *gamma }),
            Some((_, _, Err(error))) => Err(error.clone()),
            None => Err(Error::NoRows),
        }
    }

    pub(super) fn text(&self) -> String {
        let mut rows = vec![["lambda", "gamma", "error", "log loss"].map(String::from).to_vec()];
        for (lambda, gamma, judged) in self.cells.iter().take(LISTED) {
            let mut row = vec![lambda.to_string(), gamma.to_string()];
            match judged {
                Ok(judged) => row.extend([per_cent(judged.error_rate()), short(judged.log_loss())]),
                Err(_) => row.push("cannot be fitted".into()),
            }
            rows.push(row);
        }
        let more = self.cells.len().saturating_sub(LISTED);
        format!(
            "the best of {} mixtures, {FOLDS} folds; the first is taken\n{}… and {more} more\n\n",
            self.cells.len(),
            table(&rows)
        )
    }

    pub(super) fn json(&self) -> Value {
        let cell = |(lambda, gamma, judged): &(f64, f64, Result<Judgement, Error>)| match judged {
            Ok(judged) => json!({
                "lambda": lambda,
                "gamma": gamma,
                "error_rate": judged.error_rate(),
                "log_loss": judged.log_loss(),
            }),
            Err(error) => json!({ "lambda": lambda, "gamma": gamma, "failure": error.to_string() }),
        };
        self.cells.iter().map(cell).collect()
    }
}
