//! Writes shell completions and manual pages from the one definition of the command.

use std::io::Write as _;

use clap_complete::Shell;
use clap_mangen::Man as Page;
use gaussbayes_io::{nearest, shell as quoted, write_atomically};
use serde_json::json;

use crate::args::{Completions, Man, definition};
use crate::failure::Failure;
use crate::output::Output;
use crate::text::plural;

const NAME: &str = "gaussbayes";

pub(crate) fn completions(arguments: &Completions, output: &Output) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut definition(), NAME, &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let result = json!({ "shell": word(arguments.shell), "script": script });
    output.answer(&script, &result)
}

fn word(shell: Shell) -> String {
    shell.to_string()
}

pub(crate) fn man(arguments: &Man, output: &Output) -> Result<(), Failure> {
    let pages = pages()?;
    let Some(folder) = &arguments.output else {
        let wanted = arguments.command.as_deref();
        let file = format!("{}.1", wanted.map_or_else(|| NAME.into(), full_name));
        let Some((_, page)) = pages.iter().find(|(name, _)| *name == file) else {
            return Err(unknown(wanted.unwrap_or_default()));
        };
        let result = json!({ "command": wanted, "page": page, "files": null });
        return output.answer(page, &result);
    };
    std::fs::create_dir_all(folder).map_err(|error| {
        let name = folder.display().to_string();
        Failure::usage(format!("cannot make the folder '{name}': {error}"), "name another folder")
    })?;
    for (name, page) in &pages {
        write_atomically(&folder.join(name), page.as_bytes())?;
    }
    let shown = quoted(&folder.join(&pages[0].0).display().to_string());
    let count = plural(pages.len(), "page");
    let text = format!("{count} saved in {}\nnext: man -l {shown}\n", folder.display());
    let files: Vec<&String> = pages.iter().map(|(name, _)| name).collect();
    output.answer(&text, &json!({ "command": null, "page": null, "files": files }))
}

fn full_name(command: &str) -> String {
    format!("{NAME}-{command}")
}

fn unknown(wanted: &str) -> Failure {
    let command = definition();
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    let hint = nearest(wanted, names.iter().copied()).map_or_else(
        || format!("commands: {}", names.join(", ")),
        |nearest| format!("did you mean '{nearest}'?"),
    );
    Failure::usage(format!("there is no command '{wanted}'"), hint)
}

/// Every page with the name of its file; that of the whole command is the first.
fn pages() -> Result<Vec<(String, String)>, Failure> {
    let mut whole = definition().disable_help_subcommand(true);
    whole.build();
    let parts: Vec<clap::Command> = whole.get_subcommands().cloned().collect();
    std::iter::once(whole).chain(parts).map(page).collect()
}

fn page(command: clap::Command) -> Result<(String, String), Failure> {
    let examples = command.get_before_help().map(ToString::to_string).unwrap_or_default();
    let notes = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let parts = command.has_subcommands();
    let title = command.get_display_name().unwrap_or(NAME).to_uppercase();
    let version = concat!("gaussbayes ", env!("CARGO_PKG_VERSION"));
    let page = Page::new(command).title(title).source(version).manual("gaussbayes");
    let mut text = Vec::new();
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    section("EXAMPLES", examples.trim_start_matches("Examples:"), &mut text)?;
    page.render_options_section(&mut text)?;
    if parts {
        page.render_subcommands_section(&mut text)?;
    }
    section("NOTES", &notes, &mut text)?;
    Ok((page.get_filename(), String::from_utf8_lossy(&text).into_owned()))
}

/// Lines that stay as they are, under a title.
fn section(title: &str, lines: &str, page: &mut Vec<u8>) -> Result<(), Failure> {
    let lines = lines.trim_matches('\n');
    if lines.trim().is_empty() {
        return Ok(());
    }
    writeln!(page, ".SH {title}\n.nf")?;
    for line in lines.lines() {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        let guard = if line.starts_with(['.', '\'']) { "\\&" } else { "" };
        writeln!(page, "{guard}{line}")?;
    }
    Ok(writeln!(page, ".fi")?)
}
