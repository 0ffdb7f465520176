//! Writes the tour as one page that needs no network and no script.

use serde_json::Value;

/// One data set of the tour.
#[derive(Debug)]
pub(crate) struct Chapter {
    pub(crate) name: &'static str,
    pub(crate) title: String,
    pub(crate) about: &'static str,
    pub(crate) cells: Vec<Vec<String>>,
    pub(crate) notes: Vec<String>,
    pub(crate) json: Value,
}

const STYLE: &str = "\
    body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; \
    color: #1a1a1a; background: #fff } \
    table { border-collapse: collapse; margin: 1rem 0 } \
    th, td { padding: .3rem .9rem; text-align: right; border-bottom: 1px solid #ccc } \
    th:first-child, td:first-child { text-align: left } \
    dt { font-weight: 600 } dd { margin: 0 0 .5rem 1.5rem } \
    @media (prefers-color-scheme: dark) { body { color: #eee; background: #161616 } \
    th, td { border-color: #444 } }";

/// The page.
pub(crate) fn page(chapters: &[Chapter]) -> String {
    let body: String = chapters.iter().map(section).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>gaussbayes: the tour</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>Gaussian Bayes classifiers</h1>\n\
         <p>Every classifier is one covariance family: full, diagonal or spherical, per class or \
         shared. Errors are cross-validated, intervals are Wilson's at 95 %.</p>\n\
         {body}</body>\n</html>\n"
    )
}

fn section(chapter: &Chapter) -> String {
    let row = |tag: &str, cells: &Vec<String>| {
        let cells: String =
            cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = chapter
        .cells
        .iter()
        .enumerate()
        .map(|(i, cells)| row(if i == 0 { "th" } else { "td" }, cells))
        .collect();
    let note = |note: &String| {
        let (model, sentence) = note.split_once("  ").unwrap_or(("", note));
        format!("<dt>{}</dt><dd>{}</dd>\n", escaped(model), escaped(sentence.trim()))
    };
    let notes: String = chapter.notes.iter().map(note).collect();
    format!(
        "<h2>{}</h2>\n<p>{}</p>\n<table>\n{rows}</table>\n<dl>\n{notes}</dl>\n",
        escaped(&chapter.title),
        escaped(chapter.about)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
