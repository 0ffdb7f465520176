//! Streams rows through a model, into CSV as they come or into one JSON object.

use std::io::{IsTerminal, Write};
use std::path::Path;

use gaussbayes::{Block, Error, Source, each_block};
use gaussbayes_io::{AtomicFile, Data};
use serde_json::{Value, json};

use super::workers::Workers;
use crate::args::Common;
use crate::failure::Failure;
use crate::output::Output;
use crate::text::{cell, exact};

/// The answer to one row: texts, and numbers behind them.
pub(super) struct Row {
    pub(super) texts: Vec<String>,
    pub(super) numbers: Vec<f64>,
}

/// Where the answers to rows go.
pub(super) struct Stream<'a> {
    /// Columns to write.
    pub(super) columns: Vec<String>,
    pub(super) output: Option<&'a Path>,
    /// What is being done to the rows, in one word.
    pub(super) doing: &'static str,
    /// What may be done next, once a file is saved.
    pub(super) next: String,
    /// What has been done to the rows, in one word.
    pub(super) done: &'static str,
}

impl Stream<'_> {
    /// Threads for it; rows on a terminal are progress enough.
    pub(super) fn workers(&self, common: &Common) -> Result<Workers, Failure> {
        let workers = Workers::new(common, self.doing)?;
        if self.output.is_none() && !common.json && std::io::stdout().is_terminal() {
            workers.watch().hush();
        }
        Ok(workers)
    }

    /// Rows that are out cannot be taken back, unlike a file.
    fn unless_interrupted(&self, failure: Failure, rows: usize) -> Failure {
        match failure.unless_interrupted() {
            Failure::Interrupted(_) if self.output.is_none() => {
                Failure::Interrupted(format!("interrupted after {rows} rows"))
            }
            failure => failure,
        }
    }

    /// Answers every row of some data, in order.
    pub(super) fn run(
        &self,
        mut data: Data,
        common: &Common,
        output: &Output,
        answers: impl Fn(&Block<'_>) -> Result<Vec<Row>, Error> + Sync,
    ) -> Result<(), Failure> {
        let workers = self.workers(common)?;
        workers.watch().reads(data.meter());
        self.over(&mut data, &workers, common, output, answers)
    }

    /// The same for rows that are open already.
    pub(super) fn over<S>(
        &self,
        source: &mut S,
        workers: &Workers,
        common: &Common,
        output: &Output,
        answers: impl Fn(&Block<'_>) -> Result<Vec<Row>, Error> + Sync,
    ) -> Result<(), Failure>
    where
        S: Source,
        Failure: From<S::Error>,
    {
        self.pieces(source, workers, common, output, |block, json| {
            let answers = answers(block)?;
            Ok((answers.len(), Piece::of(answers, json)))
        })
    }

    /// Writes what `work` makes of every block, in order: rows, and their text or JSON.
    pub(super) fn pieces<S>(
        &self,
        source: &mut S,
        workers: &Workers,
        common: &Common,
        output: &Output,
        work: impl Fn(&Block<'_>, bool) -> Result<(usize, Piece), Error> + Sync,
    ) -> Result<(), Failure>
    where
        S: Source,
        Failure: From<S::Error>,
    {
        let mut sink = Sink::open(self, common.json)?;
        let json = common.json && self.output.is_none();
        let mut rows = 0;
        // A full disk or a closed pipe ends the run from inside the sink.
        let mut failure = None;
        let work = |block: &Block<'_>| work(block, json);
        let ended = each_block(source, workers.on(), work, |(count, piece)| {
            rows += count;
            sink.take(piece).map_err(|error| {
                failure = Some(error);
                Error::Cancelled { rows: rows as u64 }.into()
            })
        });
        if let Some(failure) = failure {
            return Err(failure);
        }
        ended.map_err(|error| self.unless_interrupted(error.into(), rows))?;
        sink.finish(self, output, rows)
    }
}

/// A block's answers, as they leave the command.
pub(super) enum Piece {
    Text(String),
    Json(Vec<Value>),
}

impl Piece {
    fn of(answers: Vec<Row>, json: bool) -> Self {
        if json {
            let row = |Row { texts, numbers }: Row| {
                texts.into_iter().map(Value::from).chain(numbers.into_iter().map(Value::from))
            };
            return Self::Json(answers.into_iter().map(|answer| row(answer).collect()).collect());
        }
        let mut text = String::new();
        for Row { texts, numbers } in answers {
            let texts = texts.iter().map(|text| cell(text));
            for (at, cell) in texts.chain(numbers.into_iter().map(exact)).enumerate() {
                text.push_str(if at == 0 { "" } else { "," });
                text.push_str(&cell);
            }
            text.push('\n');
        }
        Self::Text(text)
    }
}

/// Where answers go: standard output or a file as they come, a JSON object at the end.
enum Sink {
    Stdout,
    File(AtomicFile),
    Json(Vec<Value>),
}

impl Sink {
    fn open(stream: &Stream<'_>, json: bool) -> Result<Self, Failure> {
        let mut sink = match (stream.output, json) {
            (Some(path), _) => Self::File(AtomicFile::create(path)?),
            (None, true) => Self::Json(Vec::new()),
            (None, false) => Self::Stdout,
        };
        if !matches!(sink, Self::Json(_)) {
            let cells: Vec<String> = stream.columns.iter().map(|column| cell(column)).collect();
            sink.take(Piece::Text(cells.join(",") + "\n"))?;
        }
        Ok(sink)
    }

    fn take(&mut self, piece: Piece) -> Result<(), Failure> {
        match (self, piece) {
            (Self::Json(rows), Piece::Json(more)) => rows.extend(more),
            (Self::File(file), Piece::Text(text)) => file.write(text.as_bytes())?,
            (_, Piece::Text(text)) => std::io::stdout().lock().write_all(text.as_bytes())?,
            (_, Piece::Json(_)) => {}
        }
        Ok(())
    }

    fn finish(self, stream: &Stream<'_>, output: &Output, n: usize) -> Result<(), Failure> {
        match self {
            Self::Stdout => {
                output.end();
                Ok(std::io::stdout().lock().flush()?)
            }
            Self::Json(rows) => {
                output.answer("", &json!({ "n": n, "columns": stream.columns, "rows": rows }))
            }
            Self::File(file) => {
                file.commit()?;
                let path = stream.output.map(|path| path.display().to_string());
                let path = path.unwrap_or_default();
                let text = format!("{n} rows {}\nsaved {path}\n{}", stream.done, stream.next);
                output.answer(&text, &json!({ "n": n, "output": path }))
            }
        }
    }
}
