//! Lists the figures of the gallery, and writes all of them with one page that shows them.

use std::path::Path;

use gaussbayes::Table;
use gaussbayes_io::{Columns, Data, Reading, usual_target, write_atomically};
use gaussbayes_plot::gallery::{self, Deck};
use gaussbayes_plot::{Kind, Picture, Sheet, Theme, style};
use serde_json::{Value, json};

use super::super::workers::Workers;
use crate::args::{Common, Plot};
use crate::failure::Failure;
use crate::output::Output;
use crate::page::escaped;

/// Prints the names of all figures.
pub(super) fn list(output: &Output) -> Result<(), Failure> {
    let width = gallery::all().map(|one| one.name.len()).max().unwrap_or(0);
    let line = |name: &str, about: &str| format!("  {name:width$}  {about}\n");
    let mut text = String::new();
    let mut figures: Vec<Value> = Vec::new();
    for deck in Deck::ALL {
        text.push_str(&format!("{}\n", deck.title()));
        for one in gallery::all().filter(|one| one.deck == deck) {
            text.push_str(&line(one.name, one.about));
            figures.push(json!({
                "name": one.name, "aliases": one.aliases, "about": one.about, "deck": deck.title(),
            }));
        }
        text.push('\n');
    }
    text.push_str("Kinds of figures, of your model or data\n");
    let kinds = Kind::ALL.map(|kind| {
        text.push_str(&line(kind.name(), kind.about()));
        json!({ "name": kind.name(), "about": kind.about() })
    });
    text.push_str(
        "\nnext: gaussbayes plot --figure circular-boundary -o circle.svg\n\
         next: gaussbayes plot iris --figure pairs -o iris.png\n",
    );
    output.answer(&text, &json!({ "figures": figures, "kinds": kinds }))
}

/// The built-in sets by name, for figures that show rows of them.
pub(super) fn sets<'a>(
    common: &'a Common,
    workers: &'a Workers,
) -> impl Fn(&str) -> Result<Table, gaussbayes::Error> + 'a {
    |name| {
        let target = usual_target(name).map(ToString::to_string);
        let columns = Columns { target, ..Columns::default() };
        let opened = Data::open(&[name], &columns, &Reading::default(), common.seed);
        let read = opened.and_then(|data| data.read(workers.on()));
        // A built-in set is there and can be read.
        read.map_err(|error| match error {
            gaussbayes_io::Error::Core(error) => error,
            _ => gaussbayes::Error::NoRows,
        })
    }
}

/// Draws every figure into a folder, and a page of them all.
pub(super) fn write(
    folder: &Path,
    arguments: &Plot,
    common: &Common,
    workers: &Workers,
    output: &Output,
) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| {
        let message = format!("cannot make the folder '{}': {error}", folder.display());
        Failure::usage(message, "name a folder that can be written")
    })?;
    let sets = sets(common, workers);
    let (mut sections, mut names) = (String::new(), Vec::new());
    for deck in Deck::ALL {
        sections.push_str(&format!("<section>\n<h2>{}</h2>\n", escaped(deck.title())));
        for one in gallery::all().filter(|one| one.deck == deck) {
            workers.unless_interrupted()?;
            workers.watch().say(format!("drawing {}", one.name), None);
            let picture = one.draw(&sets)?;
            let sheet = Sheet { theme: arguments.theme, ..Sheet::default() };
            let file = format!("{}.svg", one.name);
            write_atomically(&folder.join(&file), picture.svg(&sheet).as_bytes())?;
            sections.push_str(&section(one.name, &picture));
            names.push(file);
        }
        sections.push_str("</section>\n");
    }
    let page_at = folder.join("gallery.html");
    write_atomically(&page_at, page(&sections).as_bytes())?;
    let path = page_at.display().to_string();
    let text = format!("{} figures\nsaved {path}\n", names.len());
    output.answer(&text, &json!({ "page": path, "files": names }))
}

/// Pixels across from which on a figure has the room of two.
const WIDE: f64 = 560.0;

fn section(name: &str, picture: &Picture) -> String {
    let sheet = Sheet { theme: Theme::Auto, id: name.to_owned(), inline: true };
    let svg = picture.svg(&sheet);
    let across = svg.split_once("viewBox=\"0 0 ").and_then(|(_, rest)| rest.split_once(' '));
    let wide = across.and_then(|(width, _)| width.parse().ok()).is_some_and(|w: f64| w > WIDE);
    format!(
        "<figure id=\"figure-{name}\"{}>\n<div>{svg}</div>\n<figcaption>{}<br><code>gaussbayes plot --figure {name} -o \
         {name}.svg</code></figcaption>\n</figure>\n",
        if wide { " class=\"wide\"" } else { "" },
        escaped(&picture.caption),
    )
}

const STYLE: &str = "\
    body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; \
    color: #1a1a1a; background: #fff } \
    section { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); gap: 2rem } \
    h2 { grid-column: 1 / -1; margin: 1rem 0 0 } \
    figure { margin: 0; min-width: 0 } figure div { overflow-x: auto } figure svg { max-width: 100%; height: auto } \
    .wide svg { min-width: 34rem } @media (min-width: 52rem) { .wide { grid-column: span 2 } } \
    code { font-size: .85rem; overflow-wrap: anywhere } \
    @media (prefers-color-scheme: dark) { body { color: #eee; background: #161616 } }";

fn page(sections: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>gaussbayes: the gallery</title>\n<style>{STYLE} {}</style>\n</head>\n<body>\n\
         <h1>Every figure of the lectures</h1>\n\
         <p>Boundaries are exact conics; below each figure stands the command that draws it.</p>\n\
         {sections}</body>\n</html>\n",
        style(Theme::Auto)
    )
}
