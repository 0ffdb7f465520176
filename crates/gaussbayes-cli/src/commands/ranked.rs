//! Prints classifiers by what they cost: a table, what could not be fitted, and advice.

use gaussbayes::{Error, Family, Judgement, Ranking, Size};
use serde_json::{Value, json};

use super::compare::rank;
use crate::text::{json_count, per_cent, short};

/// A classifier and what came of judging it.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) family: Option<Family>,
    pub(super) judged: Result<Judgement, Error>,
    pub(super) times: Option<Times>,
    pub(super) size: Option<Size>,
}

/// Seconds that all rows took.
pub(super) struct Times {
    pub(super) fit: f64,
    pub(super) predict: f64,
    pub(super) size: Size,
}

/// Every classifier with its judgement, best first; those that cannot be fitted last.
pub(super) struct Ranked {
    /// In the order in which they were given.
    pub(super) entries: Vec<Entry>,
    pub(super) ranking: Ranking,
    costly: bool,
}

impl Ranked {
    pub(super) fn new(entries: Vec<Entry>, costly: bool) -> Self {
        let ranking = rank(&entries, costly);
        Self { entries, ranking, costly }
    }

    /// Entries, the best first, with their numbers.
    pub(super) fn best_first(&self) -> impl Iterator<Item = (usize, &Entry)> {
        self.ranking.order.iter().map(|&i| (i, &self.entries[i]))
    }

    /// What a page has room for, with the advice.
    pub(super) fn page_cells(&self) -> Vec<Vec<String>> {
        let head = ["model", "family", "error", "95 % interval", "p", "log loss", "parameters"];
        let mut rows = vec![head.map(String::from).to_vec()];
        for (rank, (i, entry)) in self.best_first().enumerate() {
            let Ok(judged) = &entry.judged else { continue };
            let tested = self.ranking.p_values[i].map_or_else(|| "-".into(), p_value);
            let mut row = name_cells(entry);
            row.extend(error_cells(judged));
            row.push(if rank == 0 { "best".into() } else { tested });
            row.push(short(judged.log_loss()));
            row.push(entry.size.map_or_else(|| "-".into(), |size| size.parameters.to_string()));
            rows.push(row);
        }
        rows
    }

    /// Everything about them.
    pub(super) fn cells(&self) -> Vec<Vec<String>> {
        let mut head = vec!["model", "error", "95 % interval"];
        if self.costly {
            head.extend(["cost", "rejected"]);
        }
        head.extend(["p", "log loss", "Brier", "calib.", "params", "fit", "predict"]);
        let mut rows = vec![head.into_iter().map(String::from).collect::<Vec<_>>()];
        for (rank, (i, entry)) in self.best_first().enumerate() {
            // Why the others cannot be fitted stands below the table.
            let Ok(judged) = &entry.judged else { continue };
            let mut row = vec![full_name(entry)];
            let (low, high) = judged.interval();
            row.push(per_cent(judged.error_rate()));
            row.push(format!("{:.2} to {:.2}", 100.0 * low, 100.0 * high));
            if self.costly {
                row.push(short(judged.mean_cost()));
                row.push(per_cent(judged.rejected() / judged.n()));
            }
            let tested = self.ranking.p_values[i].map_or_else(|| "-".into(), p_value);
            row.push(if rank == 0 { "best".into() } else { tested });
            row.push(short(judged.log_loss()));
            row.push(format!("{:.4}", judged.brier()));
            row.push(format!("{:.4}", judged.calibration_error()));
            row.push(entry.size.map_or_else(|| "-".into(), |size| size.parameters.to_string()));
            match &entry.times {
                Some(times) => row.extend([seconds(times.fit), seconds(times.predict)]),
                None => row.extend(["-".into(), "-".into()]),
            }
            rows.push(row);
        }
        rows
    }

    /// What the columns mean, why some could not be fitted, and which to take.
    pub(super) fn notes(&self) -> String {
        let mut text = self.failures();
        let what = if self.costly { "cost" } else { "error" };
        let turns = self.ranking.contrasts.iter().flatten().next();
        if let Some(found) = turns {
            text.push_str(&format!(
                "\np: that the {what} differs from that of the best by the luck of {} folds alone (corrected resampled \
                 t-test, Holm);\ncalib.: expected calibration error; fit, predict: time for all rows, measured once\n",
                found.degrees_of_freedom + 1,
            ));
        }
        if let Some(advice) = self.advice() {
            text.push_str(&format!("\n{advice}\n"));
        }
        text
    }

    pub(super) fn advice(&self) -> Option<String> {
        let names: Vec<&str> = self.entries.iter().map(|entry| entry.name.as_str()).collect();
        self.ranking.advice(&names)
    }

    /// Why some could not be fitted, a line for each reason.
    pub(super) fn failures(&self) -> String {
        let lines: String = self.reasons().iter().map(|line| format!("{line}\n")).collect();
        if lines.is_empty() { lines } else { format!("\n{UNFITTED}\n{lines}") }
    }

    /// Names and the reason why these could not be fitted.
    pub(super) fn reasons(&self) -> Vec<String> {
        let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
        for entry in &self.entries {
            let Err(error) = &entry.judged else { continue };
            let reason = error.to_string();
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, names)) => names.push(&entry.name),
                None => reasons.push((reason, vec![&entry.name])),
            }
        }
        let line =
            |(reason, names): &(String, Vec<&str>)| format!("{}: {reason}", names.join(", "));
        reasons.iter().map(line).collect()
    }

    /// What every ranking has had from the first.
    pub(super) fn short_json(&self) -> Value {
        let row = |(_, entry): (usize, &Entry)| fields(entry);
        json!({ "ranking": self.best_first().map(row).collect::<Vec<_>>() })
    }

    pub(super) fn json(&self, folds: usize, repeat: u32) -> Value {
        let row = |(rank, (i, entry)): (usize, (usize, &Entry))| {
            let mut row = fields(entry);
            let (Some(object), Ok(judged)) = (row.as_object_mut(), &entry.judged) else {
                return row;
            };
            let contrast = self.ranking.contrasts[i];
            object.extend([
                ("brier".into(), judged.brier().into()),
                ("calibration_error".into(), judged.calibration_error().into()),
                ("mean_cost".into(), judged.mean_cost().into()),
                ("rejected".into(), json_count(judged.rejected())),
                ("unlearnt".into(), json_count(judged.unlearnt())),
                ("parameters".into(), entry.size.map(|size| size.parameters).into()),
                ("rule_parameters".into(), entry.size.map(|size| size.rule).into()),
                ("fit_seconds".into(), entry.times.as_ref().map(|times| times.fit).into()),
                ("predict_seconds".into(), entry.times.as_ref().map(|times| times.predict).into()),
                ("best".into(), (rank == 0).into()),
                ("difference".into(), contrast.map(|found| found.difference).into()),
                ("standard_error".into(), contrast.map(|found| found.standard_error).into()),
                ("p_value".into(), contrast.map(|found| found.p_value).into()),
                ("p_holm".into(), self.ranking.p_values[i].into()),
            ]);
            row
        };
        let names = |all: Vec<usize>| -> Vec<&str> {
            all.into_iter().map(|i| self.entries[i].name.as_str()).collect()
        };
        json!({
            "ranking": self.best_first().enumerate().map(row).collect::<Vec<_>>(),
            "by": if self.costly { "cost" } else { "error" },
            "folds": folds,
            "repeat": repeat,
            "alike": names(self.ranking.alike()),
            "advised": self.ranking.advised.map(|i| self.entries[i].name.as_str()),
            "advice": self.advice(),
        })
    }
}

const UNFITTED: &str = "cannot be fitted";

fn name_cells(entry: &Entry) -> Vec<String> {
    let family = entry.family.map_or("", Family::name);
    vec![entry.name.clone(), family.to_string()]
}

/// The name, and the letters of its family where they are not its name.
fn full_name(entry: &Entry) -> String {
    match entry.family.map(Family::name).filter(|letters| *letters != entry.name) {
        Some(letters) => format!("{} {letters}", entry.name),
        None => entry.name.clone(),
    }
}

fn error_cells(judged: &Judgement) -> [String; 2] {
    let (low, high) = judged.interval();
    [per_cent(judged.error_rate()), format!("{:.2} to {}", 100.0 * low, per_cent(high))]
}

fn fields(entry: &Entry) -> Value {
    let family = entry.family.map(Family::name);
    match &entry.judged {
        Ok(judged) => json!({
            "model": entry.name,
            "family": family,
            "error_rate": judged.error_rate(),
            "errors": json_count(judged.errors()),
            "n": json_count(judged.n()),
            "interval": [judged.interval().0, judged.interval().1],
            "log_loss": judged.log_loss(),
        }),
        Err(error) => {
            json!({ "model": entry.name, "family": family, "failure": error.to_string() })
        }
    }
}

/// A p value of two digits.
fn p_value(p: f64) -> String {
    if p < 0.001 { "<0.001".into() } else { format!("{p:.3}") }
}

/// Seconds in a unit that is short to read.
fn seconds(seconds: f64) -> String {
    match seconds {
        s if s >= 10.0 => format!("{s:.0} s"),
        s if s >= 0.1 => format!("{s:.1} s"),
        s if s >= 1e-3 => format!("{:.1} ms", 1e3 * s),
        s => format!("{:.0} µs", 1e6 * s),
    }
}
