//! Shows what the units of columns do to classifiers that measure distances.

use gaussbayes::{CovarianceSpec, Family, Scaling, Table};
use gaussbayes_plot::scaling;
use serde_json::{Value, json};

use super::compared::judged;
use super::{Bench, Subject};
use crate::commands::compare::Named3;
use crate::failure::Failure;
use crate::page::{Chapter, isolated};
use crate::text::{per_cent, short};

/// Classifiers that depend on units, and one that does not.
const TRIED: [(&str, Family); 3] =
    [("nearest-mean", Family::Unit), ("VII", Family::Vii), ("lda", Family::Eee)];

/// Adds errors before and after every column is measured in its standard deviations.
pub(in crate::commands) fn units(
    chapter: &mut Chapter,
    subject: &Subject,
    bench: &Bench<'_>,
) -> Result<Value, Failure> {
    let of = |scaling: Scaling| -> Vec<Named3> {
        let named = |(name, family): &(&str, Family)| {
            let mut spec = CovarianceSpec::from(*family);
            spec.scaling = scaling;
            let priors = spec.default_priors();
            ((*name).to_string(), Some(*family), (spec.into(), priors))
        };
        TRIED.iter().map(named).collect()
    };
    let raw = judged(of(Scaling::Raw), subject, bench)?;
    let scaled = judged(of(Scaling::Standardized), subject, bench)?;
    let mut cells =
        vec![["model", "as they are", "in standard deviations"].map(String::from).to_vec()];
    let mut found = Vec::new();
    for (before, after) in raw.entries.iter().zip(&scaled.entries) {
        let rate = |entry: &crate::commands::ranked::Entry| {
            entry.judged.as_ref().ok().map(gaussbayes::Judgement::error_rate)
        };
        let shown = |rate: Option<f64>| rate.map_or_else(|| "refused".into(), per_cent);
        cells.push(vec![before.name.clone(), shown(rate(before)), shown(rate(after))]);
        found.push(json!({ "model": before.name, "raw": rate(before), "scaled": rate(after) }));
    }
    chapter.table("Errors on rows left out, by the unit of the columns", cells);
    if let (Ok(before), Ok(after)) = (&raw.entries[0].judged, &scaled.entries[0].judged) {
        chapter.brief(format!(
            "nearest-mean errs on {} as columns are, on {} in standard deviations",
            per_cent(before.error_rate()),
            per_cent(after.error_rate())
        ));
    }
    Ok(found.into())
}

/// Adds a figure of the two columns whose spreads differ most, before and after.
pub(in crate::commands) fn drawn(chapter: &mut Chapter, subject: &Subject, deviations: &[f64]) {
    let spread = || deviations.iter().copied().enumerate().filter(|(_, d)| *d > 0.0);
    let widest = spread().max_by(|a, b| a.1.total_cmp(&b.1));
    let narrowest = spread().min_by(|a, b| a.1.total_cmp(&b.1));
    let (Some((widest, large)), Some((narrowest, small))) = (widest, narrowest) else {
        chapter.without("no column varies, so there is nothing to scale");
        return;
    };
    if widest == narrowest {
        chapter.without("there is one column alone: its unit changes no order of distances");
        return;
    }
    let columns = [widest.min(narrowest), widest.max(narrowest)];
    let names = columns.map(|j| subject.features[j].clone());
    chapter.say(format!(
        "'{}' spreads {} times as far as '{}'.",
        isolated(&subject.features[widest]),
        short(large / small),
        isolated(&subject.features[narrowest])
    ));
    chapter.figure(scaling(&narrowed(&subject.few, &columns), &names));
}

/// Some columns of rows.
pub(in crate::commands) fn narrowed(table: &Table, columns: &[usize]) -> Table {
    let row = |row: &[f64]| columns.iter().map(|&j| row[j]).collect::<Vec<f64>>();
    let values = table.values.chunks_exact(table.dim).flat_map(row).collect();
    Table { dim: columns.len(), values, ..table.clone() }
}
