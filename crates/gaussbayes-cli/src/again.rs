//! Proposes what to do next: another command, with the words that were typed and it understands.

use std::ffi::OsString;

use clap::ArgMatches;
use clap::parser::ValueSource;
use gaussbayes_io::shell;

use crate::args::definition;

/// What stands for rows that came by standard input, and are gone.
const ROWS: &str = "DATA.csv";

/// Options that are about this answer, or mean something else elsewhere.
const OWN: [&str; 5] = ["json", "output", "help", "level", "threads"];

/// A line that proposes a command.
pub(crate) fn next(words: &[&str]) -> String {
    format!("next: gaussbayes {}\n", words.join(" "))
}

/// A line that proposes `to` for what was `typed`, with other values for some arguments.
pub(crate) fn instead(typed: &[OsString], to: &str, set: &[(&str, &str)]) -> String {
    command(typed, to, set).map_or_else(String::new, |words| {
        next(&words.iter().map(String::as_str).collect::<Vec<_>>())
    })
}

/// The same as a line for a shell; nothing where what was typed is no command.
pub(crate) fn line(typed: &[OsString], to: &str, set: &[(&str, &str)]) -> String {
    command(typed, to, set)
        .map_or_else(String::new, |words| format!("gaussbayes {}", words.join(" ")))
}

fn command(typed: &[OsString], to: &str, set: &[(&str, &str)]) -> Option<Vec<String>> {
    let mut whole = definition();
    let matches = whole.try_get_matches_from_mut(typed).ok()?;
    let (from, given) = matches.subcommand()?;
    let (from, into) = (whole.find_subcommand(from)?, whole.find_subcommand(to)?);
    let set_to = |id: &str| set.iter().find(|(name, _)| *name == id).map(|(_, value)| *value);
    let mut words = vec![to.to_owned()];
    for argument in into.get_positionals() {
        let id = argument.get_id().as_str();
        let known = from.get_positionals().any(|other| other.get_id() == id);
        match set_to(id) {
            Some(value) => words.push(shell(value)),
            None if known => words.extend(values(given, id).iter().map(|word| named(word))),
            None => {}
        }
    }
    for argument in into.get_arguments().filter(|argument| !argument.is_positional()) {
        let id = argument.get_id().as_str();
        let Some(flag) = argument.get_long() else { continue };
        let was_typed = given.try_contains_id(id).unwrap_or(false)
            && given.value_source(id) == Some(ValueSource::CommandLine);
        let value = match set_to(id) {
            Some(value) => Some(value.to_owned()),
            None if was_typed && !OWN.contains(&id) => Some(values(given, id).join(",")),
            None => None,
        };
        match value {
            // A flag has no value, whatever clap keeps for it.
            Some(_) if !argument.get_action().takes_values() => words.push(format!("--{flag}")),
            Some(value) if value.starts_with('-') => {
                words.push(format!("--{flag}={}", shell(&value)));
            }
            Some(value) => words.extend([format!("--{flag}"), shell(&value)]),
            None => {}
        }
    }
    Some(words)
}

/// The values of an argument as they were typed; none of one that the command has not.
fn values(given: &ArgMatches, id: &str) -> Vec<String> {
    let raw = given.try_get_raw(id).ok().flatten();
    raw.into_iter().flatten().map(|word| word.to_string_lossy().into_owned()).collect()
}

fn named(word: &str) -> String {
    if word == "-" { ROWS.into() } else { shell(word) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(typed: &str, to: &str, set: &[(&str, &str)]) -> String {
        let words: Vec<OsString> = typed.split(' ').map(OsString::from).collect();
        instead(&words, to, set)
    }

    #[test]
    fn words_that_both_commands_know_are_kept() {
        let typed = "gaussbayes evaluate a.csv b.csv --target kind --drop=id,x --folds loo \
                     --shrinkage auto --standardize --json";
        assert_eq!(
            of(typed, "fit", &[]),
            "next: gaussbayes fit a.csv b.csv --target kind --drop id,x --shrinkage auto --standardize\n"
        );
        let typed = "gaussbayes compare iris --folds 5";
        assert_eq!(
            of(typed, "fit", &[("model", "lda")]),
            "next: gaussbayes fit iris --model lda\n"
        );
        let typed = "gaussbayes shift old.json - -o new.json --level 0.01";
        assert_eq!(
            of(typed, "predict", &[("model", "new.json")]),
            "next: gaussbayes predict new.json DATA.csv\n"
        );
        let typed = "gaussbayes shift old.json new.csv";
        assert_eq!(
            of(typed, "predict", &[("priors", "shift")]),
            "next: gaussbayes predict old.json new.csv --priors shift\n"
        );
    }
}
