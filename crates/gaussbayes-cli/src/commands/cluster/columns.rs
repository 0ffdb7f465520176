//! Looks at the columns of all rows together: constant ones, equations between them, their spread.

use gaussbayes::{
    Block, Cell, CovarianceSpec, Error, Family, Memberships, Moments, On, Priors, Scaling, Storage,
    Sweep, run as sweep,
};
use gaussbayes_io::{Held, shell};

use super::job::Job;
use crate::failure::Failure;
use crate::output::Output;

/// Equations that a warning lists.
const LISTED: usize = 3;

/// Moments of all rows.
struct Together(Storage);

impl Sweep for Together {
    type Stat = Moments;

    fn block(&self, block: &Block<'_>) -> Result<Moments, Error> {
        let codes = vec![0; block.rows().count()];
        Moments::of_block(block, Memberships::Codes(&codes), 1, self.0)
    }
}

/// Refuses columns that tell nothing apart, and warns of those that say the same or decide too much.
pub(super) fn look(
    rows: &mut Held,
    on: On<'_>,
    job: &Job,
    cells: &[Cell],
    output: &Output,
) -> Result<(), Failure> {
    if rows.rows() == 1 {
        let hint = "give a table of at least as many rows as clusters".into();
        return Err(Failure::Data { message: "one row has no clusters".into(), hint });
    }
    // Families of diagonal covariances do not see equations between columns.
    let full = |cell: &Cell| {
        matches!(job.spec_of(cell.family).covariance.storage(), Storage::Full | Storage::Shared)
    };
    let full = cells.iter().any(full);
    let moments = sweep(&Together(if full { Storage::Full } else { Storage::Diagonal }), rows, on)?;
    let estimate = |spec: &CovarianceSpec| spec.estimate(&moments, &Priors::Observed, None);
    let features = rows.features();
    let scaling = Scaling::Standardized;
    match estimate(&CovarianceSpec { scaling, ..CovarianceSpec::from(Family::Eii) }) {
        Ok(estimate) => refuse_constant(&estimate.report.constant, features)?,
        Err(Error::Singular(_)) => {
            refuse_constant(&(0..features.len()).collect::<Vec<_>>(), features)?;
        }
        Err(error) => return Err(error.into()),
    }
    if full && let Err(Error::Singular(singularity)) = estimate(&CovarianceSpec::qda()) {
        for one in &singularity.covariances {
            let columns: Vec<usize> = one.telling().map(|equation| equation.column).collect();
            if columns.is_empty() {
                continue;
            }
            let texts = one.telling().take(LISTED).map(|equation| equation.text(features));
            let texts: Vec<String> = texts.collect();
            let more = if columns.len() > LISTED { ", …" } else { "" };
            output.warn(format!(
                "{}{more}: full covariances collapse there; consider {}",
                texts.join(", "),
                dropped(&columns, features),
            ));
        }
    }
    let units = job.depends_on_units(cells);
    let raw = estimate(&CovarianceSpec::from(Family::Eii)).ok().filter(|_| units);
    if let Some((widest, narrowest)) = raw.and_then(|estimate| estimate.report.wide) {
        output.warn(format!(
            "columns differ widely in spread ('{}' most, '{}' least), and some models depend on units: \
             consider --standardize",
            features[widest], features[narrowest]
        ));
    }
    Ok(())
}

fn refuse_constant(constant: &[usize], features: &[String]) -> Result<(), Failure> {
    let names: Vec<String> = constant.iter().map(|&j| format!("'{}'", features[j])).collect();
    let message = match names.as_slice() {
        [] => return Ok(()),
        _ if names.len() == features.len() => {
            let message = "all rows are the same: there are no clusters".into();
            return Err(Failure::Data { message, hint: "give other rows or columns".into() });
        }
        [name] => format!("column {name} is constant: it tells no clusters apart"),
        [names @ .., last] => {
            format!(
                "columns {} and {last} are constant: they tell no clusters apart",
                names.join(", ")
            )
        }
    };
    Err(Failure::Data { message, hint: dropped(constant, features) })
}

/// The flag that leaves columns out.
fn dropped(columns: &[usize], features: &[String]) -> String {
    let names: Vec<&str> = columns.iter().map(|&j| features[j].as_str()).collect();
    let names = names.join(",");
    let gap = if names.starts_with('-') { "=" } else { " " };
    format!("--drop{gap}{}", shell(&names))
}
