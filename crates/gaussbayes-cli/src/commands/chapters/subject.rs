//! Holds the rows that a page is about: all of them, a sample to judge, and how commands name them.

use std::ffi::OsString;

use gaussbayes::{Folds, Label, Table};
use gaussbayes_io::{ColumnType, Columns, Types};

use super::Bench;
use super::read::Read;
use crate::again;
use crate::args::{Arguments, Command, Report};
use crate::failure::Failure;
use crate::output::Output;

/// Rows with their names, and what there is to know about how they were read.
pub(in crate::commands) struct Subject {
    /// What was typed, from which other commands are made.
    pub(super) typed: Vec<OsString>,
    /// What those need beside it.
    pub(super) set: Vec<(&'static str, String)>,
    /// What the data are called.
    pub(in crate::commands) name: String,
    pub(in crate::commands) target: Option<String>,
    /// Names of the columns of numbers.
    pub(in crate::commands) features: Vec<String>,
    /// Rows of the data that are used, whatever their columns hold.
    pub(in crate::commands) total: usize,
    /// All rows, columns of numbers alone.
    pub(in crate::commands) all: Table,
    /// Those that are judged: all, or a sample.
    pub(in crate::commands) rows: Table,
    /// Those that are drawn and clustered.
    pub(in crate::commands) few: Table,
    /// The number of each of these in the data, from 0.
    pub(in crate::commands) numbers: Vec<u64>,
    /// Columns of all types with their rows, where some are no plain numbers.
    pub(in crate::commands) typed_rows: Option<TypedRows>,
    /// What was left out, in sentences.
    pub(in crate::commands) left_out: Vec<String>,
    pub(in crate::commands) folds: Folds,
}

/// Rows whose columns may be of any type.
pub(in crate::commands) struct TypedRows {
    pub(in crate::commands) rows: Table,
    pub(in crate::commands) features: Vec<String>,
    pub(in crate::commands) types: Vec<ColumnType>,
}

impl Subject {
    /// The rows of a built-in set.
    pub(in crate::commands) fn built_in(name: &str, bench: &Bench<'_>) -> Result<Self, Failure> {
        let seed = bench.common.seed.to_string();
        let mut words = vec!["gaussbayes", "report", name];
        if bench.common.seed != 1 {
            words.extend(["--seed", seed.as_str()]);
        }
        let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
        let refused = |error: &dyn ToString| Failure::usage(error.to_string(), "name a set");
        let arguments = Arguments::read(&words).map_err(|error| refused(&error))?;
        match &arguments.command {
            Command::Report(report) => Self::open(report, words, bench, None),
            _ => Err(refused(&name)),
        }
    }

    /// The rows that were asked for.
    pub(in crate::commands) fn open(
        arguments: &Report,
        typed: Vec<OsString>,
        bench: &Bench<'_>,
        output: Option<&Output>,
    ) -> Result<Self, Failure> {
        let asked = &arguments.data;
        let target = asked.target.clone().or_else(|| asked.tables.usual_target());
        let columns = Columns {
            features: asked.features.clone(),
            drop: asked.drop.clone(),
            target: target.clone(),
            weights: asked.weights.clone(),
            unlabelled: target.is_some(),
            types: Types::Recognised(Vec::new()),
            ..Columns::default()
        };
        let data = asked.tables.open(&columns, bench.common.seed)?;
        if let Some(output) = output {
            output.attend(&data);
        }
        let read = Read {
            name: asked.tables.to_string(),
            target: data.target().map(ToString::to_string),
            features: data.features().to_vec(),
            types: data.types().map(<[_]>::to_vec),
            findings: data.findings(),
            rows: bench.workers.table(data)?,
            numbers: Vec::new(),
        };
        let count = usize::from(arguments.folds);
        let folds = Folds { count, seed: bench.common.seed };
        read.subject(typed, arguments.most_rows as usize, folds, bench)
    }

    /// A command about these rows, with other values for some arguments.
    pub(in crate::commands) fn command(&self, to: &str, more: &[(&str, &str)]) -> String {
        let mut set: Vec<(&str, &str)> = more.to_vec();
        set.extend(self.set.iter().map(|(id, value)| (*id, value.as_str())));
        again::line(&self.typed, to, &set)
    }

    pub(in crate::commands) fn classes(&self) -> Vec<Label> {
        let typed = self.typed_rows.as_ref().filter(|_| self.features.is_empty());
        typed.map_or_else(|| self.rows.classes(), |typed| typed.rows.classes())
    }

    /// Says which rows were judged, where these are not all.
    pub(in crate::commands) fn judged_note(&self) -> Option<String> {
        let (part, all) = (self.rows.rows(), self.all.rows());
        (part < all)
            .then(|| format!("Judged on {part} of {all} rows, drawn at random (--most-rows)."))
    }

    /// The same of rows that were clustered.
    pub(in crate::commands) fn clustered_note(&self) -> Option<String> {
        let (part, all) = (self.few.rows(), self.all.rows());
        (part < all).then(|| format!("Found in {part} of {all} rows, drawn at random."))
    }
}
