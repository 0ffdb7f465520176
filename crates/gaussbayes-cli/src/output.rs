//! Writes answers to standard output and talk to standard error.

use std::cell::RefCell;
use std::io::Write;

use serde_json::{Value, json};

use crate::failure::Failure;

/// The version of the JSON objects that `--json` prints.
const SCHEMA: &str = "gaussbayes/1";

/// Where a command's answer goes, as text or as one JSON object.
#[derive(Debug)]
pub(crate) struct Output {
    command: &'static str,
    json: bool,
    warnings: RefCell<Vec<String>>,
}

impl Output {
    pub(crate) fn new(command: &'static str, json: bool) -> Self {
        Self { command, json, warnings: RefCell::default() }
    }

    /// Keeps a warning for the answer, and says it at once where the answer is text.
    pub(crate) fn warn(&self, warning: String) {
        if !self.json {
            // Nobody is left to tell when the terminal is gone.
            let _ = writeln!(std::io::stderr(), "warning: {warning}");
        }
        self.warnings.borrow_mut().push(warning);
    }

    /// Says something that is in the answer too, where that is text.
    pub(crate) fn note(&self, note: &str) {
        if !self.json {
            // Nobody is left to tell when the terminal is gone.
            let _ = writeln!(std::io::stderr(), "{note}");
        }
    }

    /// Writes the answer: `text` for people, `result` for programs.
    pub(crate) fn answer(&self, text: &str, result: &Value) -> Result<(), Failure> {
        let mut stdout = std::io::stdout().lock();
        if self.json {
            let warnings = self.warnings.take();
            let (schema, command) = (SCHEMA, self.command);
            let object = json!({
                "schema": schema, "command": command, "result": result, "warnings": warnings,
            });
            writeln!(stdout, "{object}")?;
        } else {
            write!(stdout, "{text}")?;
        }
        Ok(stdout.flush()?)
    }

    /// Says why there is no answer.
    pub(crate) fn failure(failure: &Failure) {
        let mut stderr = std::io::stderr().lock();
        let interrupted = matches!(failure, Failure::Interrupted(_));
        let title = if interrupted { "" } else { "error: " };
        let mut lines = format!("{title}{}\n", failure.message());
        for excerpt in failure.excerpt().iter().flat_map(|excerpt| excerpt.lines()) {
            lines.push_str(&format!("  {excerpt}\n"));
        }
        if let Some(hint) = failure.hint() {
            lines.push_str(&format!("hint: {hint}\n"));
        }
        // Nobody is left to tell when the terminal is gone.
        let _ = stderr.write_all(lines.as_bytes());
    }
}
