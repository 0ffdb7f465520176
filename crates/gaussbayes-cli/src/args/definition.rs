//! Completes the definition of every command: examples first, one screen, and where the rest is.

use clap::builder::StyledStr;
use clap::{Arg, CommandFactory};

use super::{Arguments, examples};

/// Columns of a page at most.
const WIDTH: usize = 80;

/// What a page of help consists of, in this order.
const PAGE: &str = "\
{about-with-newline}
{before-help}{usage-heading} {usage}

{all-args}{after-help}";

/// Where there is more about the commands.
const MORE: &str = "More about a command: gaussbayes help COMMAND";

/// Arguments that the short page of a command lists; `gaussbayes help` and the manual list all.
const EVERYDAY: &str = "\
    as axes classes columns command components curve data drop features figure files folds format from gallery given help json k keep list loss \
    marginal merge method model noise output outliers pair part partial priors proba reject rows shell shrinkage source spread target to under version with";

/// The whole command as clap has it: what is parsed, helped, completed and printed as a manual.
pub(crate) fn definition() -> clap::Command {
    let page = |command: clap::Command| {
        command.help_template(PAGE).max_term_width(WIDTH).mut_args(everyday)
    };
    let whole = page(Arguments::command()).before_help(examples::ALL).after_help(MORE);
    whole.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        let details = format!("All options, and more about them: gaussbayes help {name}");
        // What stands behind the options is for those who want all of it.
        let notes = command.get_after_help().map(StyledStr::to_string);
        let command = command.after_long_help(notes.unwrap_or_default());
        let command = page(command).after_help(details);
        match examples::of(&name) {
            Some(examples) => command.before_help(examples),
            None => command,
        }
    })
}

fn everyday(argument: Arg) -> Arg {
    let name = argument.get_long().unwrap_or(argument.get_id().as_str());
    let rare = !EVERYDAY.split_whitespace().any(|word| word == name);
    argument.hide_short_help(rare)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of a screen.
    const LINES: usize = 40;

    #[test]
    fn every_page_leads_with_examples_and_fits_one_screen() {
        let mut whole = definition();
        whole.build();
        let parts: Vec<clap::Command> = whole.get_subcommands().cloned().collect();
        for mut command in parts.into_iter().chain([whole]) {
            let name = command.get_name().to_owned();
            if name == "help" {
                continue;
            }
            let page = command.render_help().to_string();
            let lines: Vec<&str> = page.lines().collect();
            assert!(lines.len() <= LINES, "{name}: {} lines\n{page}", lines.len());
            let widest = lines.iter().map(|line| line.chars().count()).max();
            assert!(widest <= Some(WIDTH), "{name}: {widest:?} columns\n{page}");
            assert_eq!((lines[1], lines[2]), ("", "Examples:"), "{name}: {page}");
            assert!(lines[3].contains("gaussbayes"), "{page}");
            let last = format!("All options, and more about them: gaussbayes help {name}");
            let last = if name == "gaussbayes" { MORE } else { &last };
            assert_eq!(lines.last(), Some(&last), "{page}");
        }
    }

    #[test]
    fn the_full_help_names_every_option() {
        let mut whole = definition();
        whole.build();
        for command in whole.get_subcommands_mut().filter(|command| command.get_name() != "help") {
            let page = command.render_long_help().to_string();
            for argument in command.get_arguments() {
                let flag = argument.get_long().map(|flag| format!("--{flag}"));
                let flag = flag.or(argument.get_short().map(|flag| format!("-{flag}")));
                let name = flag.unwrap_or_else(|| argument.get_id().as_str().to_uppercase());
                // Places have names of their own.
                let place = argument.get_value_names().map(|names| names[0].to_string());
                assert!(page.contains(&name) || place.is_some_and(|name| page.contains(&name)));
            }
        }
    }
}
