//! Writes a page as HTML that is well-formed XML too.

use gaussbayes_plot::{Picture, Sheet, Theme, style};

use super::markup::{element, escaped, isolated, text};
use super::style::STYLE;
use super::{Chapter, Ends, Page, Part};

/// Pixels of a figure beyond which it is moved in a box of its own instead of being made small.
const WIDE: f64 = 540.0;

impl Page {
    /// The whole page.
    pub(crate) fn html(&self) -> String {
        let mut writer = Writer { figures: 0 };
        let lead: String = self.lead.iter().map(|line| text("p", line) + "\n").collect();
        let chapters: String =
            self.chapters.iter().map(|chapter| writer.chapter(chapter)).collect();
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n\
             <meta charset=\"utf-8\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <title>{}</title>\n<style>\n{STYLE}{}</style>\n</head>\n<body>\n<header>\n{}\n{lead}</header>\n\
             {}\n<main>\n{chapters}</main>\n</body>\n</html>\n",
            escaped(&self.title),
            style(Theme::Auto),
            text("h1", &self.title),
            self.contents(),
        )
    }

    fn contents(&self) -> String {
        let line = |chapter: &Chapter| {
            let to = format!("#{}", chapter.id);
            let link = element("a", &[("href", &to)], &escaped(&chapter.title));
            element("li", &[], &link) + "\n"
        };
        let lines: String = self.chapters.iter().map(line).collect();
        let list = element("ol", &[], &format!("\n{lines}"));
        element("nav", &[("aria-label", "Contents")], &format!("\n{list}\n"))
    }
}

struct Writer {
    /// Figures so far, which are numbered through.
    figures: usize,
}

impl Writer {
    fn chapter(&mut self, chapter: &Chapter) -> String {
        let head = format!("head-{}", chapter.id);
        let title = element("h2", &[("id", &head)], &escaped(&chapter.title));
        let parts = self.parts(&chapter.parts);
        let attributes = [("id", chapter.id), ("aria-labelledby", &head)];
        element("section", &attributes, &format!("\n{title}\n{parts}")) + "\n"
    }

    /// Parts one below the other, but for figures, which stand side by side where there is room.
    fn parts(&mut self, parts: &[Part]) -> String {
        let is_figure = |part: &Part| matches!(part, Part::Figure(_));
        let runs = parts.chunk_by(|a, b| is_figure(a) && is_figure(b));
        let mut out = String::new();
        for run in runs {
            let written: String = run.iter().map(|part| self.part(part) + "\n").collect();
            out += &match run {
                [Part::Figure(_), ..] => {
                    element("div", &[("class", "figures")], &format!("\n{written}")) + "\n"
                }
                _ => written,
            };
        }
        out
    }

    fn part(&mut self, part: &Part) -> String {
        match part {
            Part::Text(line) => text("p", line),
            Part::Heading(line) => text("h3", line),
            Part::Table(caption, cells) => table(caption, cells),
            Part::Figure(picture) => self.figure(picture),
            Part::Formula(about, mathml) => {
                let boxed = boxed(about, mathml);
                element("div", &[("class", "formula")], &format!("{}{boxed}", text("p", about)))
            }
            Part::Command(lines, ends) => {
                let class = if *ends == Ends::Refused { "command refused" } else { "command" };
                let code = text("code", &lines.join("\n"));
                // What scrolls must be reached by keys too.
                let attributes = [("class", class), ("tabindex", "0")];
                element("pre", &attributes, &code)
            }
            Part::Missing(why) => element("p", &[("class", "missing")], &escaped(why)),
        }
    }

    fn figure(&mut self, picture: &Picture) -> String {
        self.figures += 1;
        let id = format!("figure-{}", self.figures);
        let sheet = Sheet { theme: Theme::Auto, id: format!("{id}-drawing"), inline: true };
        let drawn = picture.svg(&sheet);
        let boxed = if width(&drawn).is_some_and(|width| width > WIDE) {
            let inside = element("div", &[("class", "wide")], &drawn);
            boxed(&picture.title, &inside)
        } else {
            drawn
        };
        let caption = format!("Figure {}. {}", self.figures, picture.caption);
        let caption = element("figcaption", &[], &escaped(caption.trim_end()));
        element("figure", &[("id", &id)], &format!("\n{boxed}\n{caption}\n"))
    }
}

/// A box that scrolls on its own where the screen is narrow.
fn boxed(label: &str, inside: &str) -> String {
    let attributes =
        [("class", "box"), ("role", "region"), ("aria-label", label), ("tabindex", "0")];
    element("div", &attributes, inside)
}

/// Pixels that a drawing wants.
fn width(drawn: &str) -> Option<f64> {
    let tag = drawn.get(..drawn.find('>')?)?;
    let view = tag.split_once("viewBox=\"")?.1;
    view.split_once('"')?.0.split_whitespace().nth(2)?.parse().ok()
}

/// Characters of a cell beyond which its column holds words.
const WORDS: usize = 24;

/// A table whose first row is its head and whose first column names the rows.
fn table(caption: &str, cells: &[Vec<String>]) -> String {
    let Some((head, body)) = cells.split_first() else { return String::new() };
    let columns = cells.iter().map(Vec::len).max().unwrap_or(0);
    let long = |row: &Vec<String>, j: usize| row.get(j).is_some_and(|c| c.chars().count() > WORDS);
    let words: Vec<bool> = (0..columns).map(|j| body.iter().any(|row| long(row, j))).collect();
    let class = |j: usize| if words[j] { "words" } else { "number" };
    let title = |(j, cell): (usize, &String)| match cell.as_str() {
        "" => "<td></td>".to_string(),
        _ => {
            element("th", &[("scope", "col"), ("class", class(j)), ("dir", "auto")], &escaped(cell))
        }
    };
    let head: String = head.iter().enumerate().map(title).collect();
    let head = element("tr", &[], &head);
    let row = |row: &Vec<String>| {
        let cell = |j: usize| match (j, row.get(j)) {
            (0, Some(cell)) => element("th", &[("scope", "row"), ("dir", "auto")], &escaped(cell)),
            (_, Some(cell)) => element("td", &[("class", class(j))], &escaped(&isolated(cell))),
            (_, None) => "<td></td>".into(),
        };
        element("tr", &[], &(0..columns).map(cell).collect::<String>()) + "\n"
    };
    let body: String = body.iter().map(row).collect();
    let title_of = text("caption", caption);
    let inside = format!("{title_of}\n<thead>{head}</thead>\n<tbody>\n{body}</tbody>");
    boxed(caption, &element("table", &[], &inside))
}
