//! Says what is wrong with the words that were typed, to people and to programs.

use std::ffi::OsString;

use crate::args::definition;
use crate::output;

/// The exit status of a command that was asked for in a wrong way.
const STATUS: u8 = 2;

/// Prints help where that was asked for, and otherwise what is wrong; returns the exit status.
pub(crate) fn refused(refusal: &clap::Error, words: &[OsString]) -> u8 {
    // Nobody is left to tell when the terminal is gone.
    let _ = refusal.print();
    if !refusal.use_stderr() {
        return 0;
    }
    let typed: Vec<&str> = words
        .iter()
        .skip(1)
        .filter_map(|word| word.to_str())
        .take_while(|word| *word != "--")
        .collect();
    if typed.contains(&"--json") {
        let (message, hint) = sentences(&refusal.render().to_string());
        let known = definition();
        let command = typed.iter().copied().find(|word| known.find_subcommand(word).is_some());
        output::object(command, &output::error(&message, hint.as_deref(), STATUS), &[]);
    }
    STATUS
}

/// What is wrong, in one line, and the advice behind it.
fn sentences(text: &str) -> (String, Option<String>) {
    let text = text.trim_start_matches("error: ");
    let (wrong, rest) = text.split_once("\n\n").unwrap_or((text, ""));
    let wrong: Vec<&str> = wrong.lines().map(str::trim).collect();
    let tips = rest.lines().filter_map(|line| line.trim().strip_prefix("tip: "));
    let tips: Vec<&str> = tips.collect();
    (wrong.join(" "), (!tips.is_empty()).then(|| tips.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_one_line_and_advice() {
        let text = "error: unrecognized subcommand 'fitt'\n\n  tip: a similar subcommand exists: 'fit'\n\n\
                    Usage: gaussbayes <COMMAND>\n";
        assert_eq!(
            sentences(text),
            (
                "unrecognized subcommand 'fitt'".into(),
                Some("a similar subcommand exists: 'fit'".into())
            )
        );
        let text = "error: these are missing:\n  <DATA>\n\nUsage: gaussbayes\n";
        assert_eq!(sentences(text), ("these are missing: <DATA>".into(), None));
    }
}
