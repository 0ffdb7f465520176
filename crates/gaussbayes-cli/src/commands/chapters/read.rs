//! Sorts rows out once they are read: those without labels, columns without numbers, what is missing.

use std::ffi::OsString;
use std::sync::Arc;

use gaussbayes::{Folds, NO_LABEL, Sampled, Table};
use gaussbayes_io::{ColumnType, Findings};

use super::Bench;
use super::subject::{Subject, TypedRows};
use crate::failure::Failure;
use crate::text::plural;

/// Rows that are drawn and clustered at most; what is judged is up to the user.
const CLUSTERED: usize = 2_000;

/// Rows of a class below which folds may leave none to learn it from.
const LEAST: usize = 4;

/// Rows as they were read.
pub(super) struct Read {
    pub(super) name: String,
    pub(super) target: Option<String>,
    pub(super) features: Vec<String>,
    pub(super) types: Option<Vec<ColumnType>>,
    pub(super) findings: Arc<Findings>,
    pub(super) rows: Table,
    /// The number of each row in the data; none where these are all.
    pub(super) numbers: Vec<u64>,
}

impl Read {
    /// What is known of them once labels, types and missing numbers are looked at.
    pub(super) fn subject(
        self,
        typed: Vec<OsString>,
        most: usize,
        folds: Folds,
        bench: &Bench<'_>,
    ) -> Result<Subject, Failure> {
        let mut left_out = Vec::new();
        let mut set = Vec::new();
        let dropped = self.findings.dropped();
        if dropped > 0 {
            left_out
                .push(format!("{} with missing values left out.", plural(dropped as usize, "row")));
        }
        let read = self.labelled(&mut left_out)?;
        let typed_rows = read.typed_rows(most)?;
        let (name, target, total) = (read.name.clone(), read.target.clone(), read.rows.rows());
        let (features, all, places) = read.plain(&mut set, &mut left_out);
        let sampled = |most: usize| -> Result<(Table, Vec<u64>), Failure> {
            if all.dim == 0 || all.rows() == 0 {
                return Ok((all.clone(), Vec::new()));
            }
            let on = bench.workers.on();
            let sampled = Sampled::draw(&mut all.source(), most, folds.seed, on)?;
            let numbers = sampled.numbers().iter();
            let numbers = numbers.map(|&i| places.get(i as usize).copied().unwrap_or(i));
            Ok((sampled.table().clone(), numbers.collect()))
        };
        let (rows, _) = sampled(most)?;
        let (few, numbers) = sampled(CLUSTERED.min(most))?;
        let judged = typed_rows.as_ref().map_or(0, |typed| typed.rows.rows()).max(rows.rows());
        let count = folds.count.min(judged).max(2);
        let folds = Folds { count, ..folds };
        Ok(Subject {
            typed,
            set,
            name,
            target,
            features,
            total,
            all,
            rows,
            few,
            numbers,
            typed_rows,
            left_out,
            folds,
        })
    }

    /// The rows that have a label, where labels are asked for.
    fn labelled(self, left_out: &mut Vec<String>) -> Result<Self, Failure> {
        let Some(codes) = self.rows.codes.as_ref().filter(|_| self.target.is_some()) else {
            return Ok(self);
        };
        let named = |code: u32| {
            let label = self.rows.dictionary.get(code as usize);
            code != NO_LABEL && label.is_some_and(|label| !label.as_str().is_empty())
        };
        let mut sizes = vec![0_usize; self.rows.dictionary.len()];
        codes.iter().filter(|code| named(**code)).for_each(|&code| sizes[code as usize] += 1);
        let small = |code: u32| sizes[code as usize] < LEAST;
        let unnamed = codes.iter().filter(|code| !named(**code)).count();
        let lonely = codes.iter().filter(|code| named(**code) && small(**code)).count();
        if unnamed > 0 {
            left_out.push(format!("{} without a class left out.", plural(unnamed, "row")));
        }
        // Where every class is small there is nothing to tell, and that is said later.
        let lonely = if lonely + unnamed < codes.len() { lonely } else { 0 };
        if lonely > 0 {
            left_out.push(format!(
                "{} of classes with fewer than {LEAST} rows left out: there is too little to learn \
                 them from. The commands below read all rows, and may refuse these.",
                plural(lonely, "row")
            ));
        }
        if unnamed + lonely == 0 {
            return Ok(self);
        }
        let keeps = |i: &usize| named(codes[*i]) && (lonely == 0 || !small(codes[*i]));
        let kept: Vec<usize> = (0..codes.len()).filter(keeps).collect();
        let numbers = kept.iter().map(|&i| i as u64).collect();
        Ok(Self { rows: picked(&self.rows, &kept)?, numbers, ..self })
    }

    /// Columns of numbers, in rows where none of them is missing.
    fn plain(
        self,
        set: &mut Vec<(&'static str, String)>,
        left_out: &mut Vec<String>,
    ) -> (Vec<String>, Table, Vec<u64>) {
        let Some(types) = &self.types else {
            return (self.features, self.rows, self.numbers);
        };
        let number = |kind: ColumnType| !matches!(kind, ColumnType::Category | ColumnType::Text);
        let kept: Vec<usize> = (0..types.len()).filter(|&j| number(types[j])).collect();
        let names: Vec<String> = kept.iter().map(|&j| self.features[j].clone()).collect();
        if kept.len() < types.len() {
            let others: Vec<String> = (0..types.len())
                .filter(|&j| !number(types[j]))
                .map(|j| format!("'{}' ({})", self.features[j], types[j].name()))
                .collect();
            left_out.push(format!(
                "No numbers are in {}: naive Bayes alone reads them, and every other chapter is about the other columns.",
                others.join(", ")
            ));
            set.push(("features", names.join(",")));
        }
        let dim = self.rows.dim;
        let whole = |i: &usize| kept.iter().all(|&j| !self.rows.values[i * dim + j].is_nan());
        let places: Vec<usize> = (0..self.rows.rows()).filter(whole).collect();
        let missing = self.rows.rows() - places.len();
        if missing > 0 {
            left_out.push(format!("{} with missing numbers left out.", plural(missing, "row")));
            set.push(("na", "drop".into()));
        }
        let own = &self.rows.values;
        let at = |i: usize| kept.iter().map(move |&j| own[i * dim + j]);
        let codes = self.rows.codes.as_ref();
        let weights = self.rows.weights.as_ref();
        let table = Table {
            dim: kept.len(),
            values: places.iter().flat_map(|&i| at(i)).collect(),
            weights: weights.map(|all| places.iter().map(|&i| all[i]).collect()),
            codes: codes.map(|all| places.iter().map(|&i| all[i]).collect()),
            dictionary: self.rows.dictionary.clone(),
            ..Table::default()
        };
        let number = |&i: &usize| self.numbers.get(i).copied().unwrap_or(i as u64);
        (names, table, places.iter().map(number).collect())
    }

    /// Rows of all types, at most so many of them; nothing where all columns are plain numbers.
    fn typed_rows(&self, most: usize) -> Result<Option<TypedRows>, Failure> {
        let Some(types) = &self.types else { return Ok(None) };
        let step = self.rows.rows().div_ceil(most.max(1)).max(1);
        let places: Vec<usize> = (0..self.rows.rows()).step_by(step).collect();
        let (features, types) = (self.features.clone(), types.clone());
        Ok(Some(TypedRows { rows: picked(&self.rows, &places)?, features, types }))
    }
}

/// Some rows of a table, copied.
fn picked(table: &Table, places: &[usize]) -> Result<Table, Failure> {
    let block = table.block(0..table.rows())?.picked(places)?;
    let mut own = Table { dim: table.dim, ..Table::default() };
    own.push_block(&block);
    Ok(own)
}
