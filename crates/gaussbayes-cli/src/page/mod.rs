//! Holds a page as chapters of text, tables, figures, formulas and the commands that made them.

mod markup;
mod style;
mod write;

use gaussbayes_plot::Picture;
use serde_json::Value;

pub(crate) use markup::{element, escaped, isolated, text};

/// A page that needs no network and no script.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) title: String,
    /// Paragraphs before the first chapter.
    pub(crate) lead: Vec<String>,
    pub(crate) chapters: Vec<Chapter>,
}

/// A chapter: what the page says, what the terminal says, and what programs read.
#[derive(Debug, Default)]
pub(crate) struct Chapter {
    /// Its name in links and in JSON.
    pub(crate) id: &'static str,
    pub(crate) title: String,
    pub(crate) parts: Vec<Part>,
    /// Lines for the terminal.
    pub(crate) brief: Vec<String>,
    /// What was found.
    pub(crate) json: Value,
    /// Why there is nothing to tell.
    pub(crate) missing: Option<String>,
}

/// A part of a chapter; all text is plain and is escaped when it is written.
#[derive(Debug)]
pub(crate) enum Part {
    /// A paragraph.
    Text(String),
    /// A heading within the chapter.
    Heading(String),
    /// A table: its caption, and rows of which the first is the head.
    Table(String, Vec<Vec<String>>),
    /// A figure.
    Figure(Box<Picture>),
    /// What a formula says, and its MathML.
    Formula(String, String),
    /// Lines for a shell.
    Command(Vec<String>, Ends),
    /// Why something is not there.
    Missing(String),
}

/// How a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    /// With an answer.
    Well,
    /// With a refusal, which is what it shows.
    Refused,
}

impl Chapter {
    pub(crate) fn new(id: &'static str, title: impl Into<String>) -> Self {
        Self { id, title: title.into(), ..Self::default() }
    }

    /// A chapter that cannot be told, and why.
    pub(crate) fn missing(id: &'static str, title: impl Into<String>, why: &str) -> Self {
        let why = sentence(why);
        let json = serde_json::json!({ "missing": why });
        let missing = Some(why.clone());
        Self { missing, json, parts: vec![Part::Missing(why)], ..Self::new(id, title) }
    }

    pub(crate) fn say(&mut self, text: impl Into<String>) {
        self.parts.push(Part::Text(text.into()));
    }

    pub(crate) fn heading(&mut self, text: impl Into<String>) {
        self.parts.push(Part::Heading(text.into()));
    }

    pub(crate) fn table(&mut self, caption: impl Into<String>, cells: Vec<Vec<String>>) {
        self.parts.push(Part::Table(caption.into(), cells));
    }

    pub(crate) fn formula(&mut self, about: impl Into<String>, mathml: String) {
        self.parts.push(Part::Formula(about.into(), mathml));
    }

    pub(crate) fn command(&mut self, line: impl Into<String>) {
        self.commands(vec![line.into()]);
    }

    pub(crate) fn commands(&mut self, lines: Vec<String>) {
        self.parts.push(Part::Command(lines, Ends::Well));
    }

    /// A command that is refused: the refusal is what there is to see.
    pub(crate) fn refused(&mut self, line: impl Into<String>) {
        self.parts.push(Part::Command(vec![line.into()], Ends::Refused));
    }

    /// A figure, or the reason why there is none.
    pub(crate) fn figure<E: std::fmt::Display>(&mut self, picture: Result<Picture, E>) {
        self.parts.push(match picture {
            Ok(picture) => Part::Figure(Box::new(picture)),
            Err(error) => Part::Missing(sentence(&format!("there is no figure here: {error}"))),
        });
    }

    /// Why a part of the chapter is not there.
    pub(crate) fn without(&mut self, why: &str) {
        self.parts.push(Part::Missing(sentence(why)));
    }

    /// A line for the terminal.
    pub(crate) fn brief(&mut self, line: impl Into<String>) {
        self.brief.push(line.into());
    }
}

/// A clause as a sentence.
pub(crate) fn sentence(clause: &str) -> String {
    let mut chars = clause.trim().chars();
    let Some(first) = chars.next() else { return String::new() };
    let end = if clause.trim().ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{}{}{end}", first.to_uppercase(), chars.as_str())
}
