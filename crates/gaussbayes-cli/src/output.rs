//! Writes answers to standard output and talk to standard error.

use std::cell::{Cell, RefCell};
use std::ffi::OsString;
use std::io::Write;
use std::sync::Arc;

use gaussbayes_io::{Data, Findings};
use serde_json::{Value, json};

use crate::again;
use crate::colour;
use crate::failure::Failure;
use crate::text::plural;

/// The version of the JSON objects that `--json` prints.
const SCHEMA: &str = "gaussbayes/1";

/// Where a command's answer goes, as text or as one JSON object.
#[derive(Debug)]
pub(crate) struct Output {
    command: &'static str,
    json: bool,
    /// What was typed.
    words: Vec<OsString>,
    warnings: RefCell<Vec<String>>,
    /// What is found out about each of the data that are read.
    findings: RefCell<Vec<Arc<Findings>>>,
    /// Whether the one object is written.
    answered: Cell<bool>,
}

impl Output {
    pub(crate) fn new(command: &'static str, json: bool, words: Vec<OsString>) -> Self {
        let (warnings, findings) = (RefCell::default(), RefCell::default());
        Self { command, json, words, warnings, findings, answered: Cell::new(false) }
    }

    /// Keeps a warning for the answer, and says it at once where the answer is text.
    pub(crate) fn warn(&self, warning: String) {
        if !self.json {
            say(&format!("warning: {warning}\n"), true);
        }
        self.warnings.borrow_mut().push(warning);
    }

    /// Says something that is in the answer too, where that is text.
    pub(crate) fn note(&self, note: &str) {
        if !self.json {
            say(&format!("{note}\n"), true);
        }
    }

    /// Says how data are written, where that had to be found out, and keeps an eye on them.
    pub(crate) fn attend(&self, data: &Data) {
        let findings = data.findings();
        self.tell(&findings);
        self.findings.borrow_mut().push(findings);
    }

    fn tell(&self, findings: &Findings) {
        for note in findings.notes() {
            self.note(&format!("note: {note}"));
            if self.json {
                self.warnings.borrow_mut().push(note);
            }
        }
    }

    /// Says what was found out since the data were opened, and how many rows were left out.
    pub(crate) fn end(&self) {
        let all = self.findings.take();
        all.iter().for_each(|findings| self.tell(findings));
        let rows: u64 = all.iter().map(|findings| findings.dropped()).sum();
        if rows > 0 {
            self.warn(format!("{} with missing values left out", plural(rows as usize, "row")));
        }
    }

    /// A line that proposes another command for what was typed, with other values for some arguments; for people alone.
    pub(crate) fn next(&self, command: &str, set: &[(&str, &str)]) -> String {
        if self.json { String::new() } else { again::instead(&self.words, command, set) }
    }

    /// What was typed.
    pub(crate) fn words(&self) -> &[OsString] {
        &self.words
    }

    /// Writes the answer: `text` for people, `result` for programs.
    pub(crate) fn answer(&self, text: &str, result: &Value) -> Result<(), Failure> {
        crate::watch::clear();
        self.end();
        let mut stdout = std::io::stdout().lock();
        if self.json {
            self.answered.set(true);
            let warnings = self.warnings.take();
            let (schema, command) = (SCHEMA, self.command);
            let object = json!({
                "schema": schema, "command": command, "result": result, "warnings": warnings,
            });
            writeln!(stdout, "{object}")?;
        } else {
            write!(stdout, "{}", colour::painted(text, colour::on_stdout()))?;
        }
        Ok(stdout.flush()?)
    }

    /// Says why there is no answer: to people always, to programs where these want JSON.
    pub(crate) fn failure(&self, failure: &Failure) {
        let interrupted = matches!(failure, Failure::Interrupted(_));
        let title = if interrupted { "" } else { "error: " };
        let mut lines = format!("{title}{}\n", failure.message());
        for excerpt in failure.excerpt().iter().flat_map(|excerpt| excerpt.lines()) {
            lines.push_str(&format!("  {excerpt}\n"));
        }
        let hint = failure.hint();
        if let Some(hint) = &hint {
            lines.push_str(&format!("hint: {hint}\n"));
        }
        say(&lines, !self.json);
        // A clustering that was broken off has its answer, and there is one object for each command.
        if self.json && !self.answered.get() {
            let error = error(&failure.message(), hint.as_deref(), failure.code());
            object(Some(self.command), &error, &self.warnings.take());
        }
    }
}

/// What went wrong, for programs.
pub(crate) fn error(message: &str, hint: Option<&str>, code: u8) -> Value {
    json!({ "message": message, "hint": hint, "code": code })
}

/// Writes the object of a command that has no answer.
pub(crate) fn object(command: Option<&str>, error: &Value, warnings: &[String]) {
    let object = json!({
        "schema": SCHEMA, "command": command, "error": error, "warnings": warnings,
    });
    // Nobody is left to tell when the reader is gone.
    let _ = writeln!(std::io::stdout(), "{object}");
}

/// Talks to whoever started the command; what programs read has no colours.
fn say(text: &str, to_people: bool) {
    crate::watch::clear();
    let text = colour::painted(text, to_people && colour::on_stderr());
    // Nobody is left to tell when the terminal is gone.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
