//! Writes numbers, names and text so that any reader of XML takes them.

/// A number with at most two decimals, no zero before the point and no needless sign.
pub(super) fn number(value: f64) -> String {
    decimals(value, 2)
}

/// A number with at most so many decimals.
pub(super) fn decimals(value: f64, most: usize) -> String {
    let mut text = format!("{:.most$}", if value.is_finite() { value } else { 0.0 });
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    if text == "-0" {
        return "0".into();
    }
    match text.strip_prefix("-0.") {
        Some(rest) => format!("-.{rest}"),
        None => text.strip_prefix("0.").map_or(text.clone(), |rest| format!(".{rest}")),
    }
}

/// Two numbers of a place.
pub(super) fn place([x, y]: [f64; 2]) -> String {
    joined(&[number(x), number(y)])
}

/// Numbers one after the other: a minus needs no blank before it.
pub(super) fn joined(numbers: &[String]) -> String {
    let mut out = String::new();
    for number in numbers {
        if !out.is_empty() && !number.starts_with('-') {
            out.push(' ');
        }
        out += number;
    }
    out
}

/// Text as XML holds it: no mark-up, no sign that XML forbids.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\t' | '\n' | '\r' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A name that may be an id: letters, digits and hyphens, a letter first.
pub(super) fn id(name: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let name: String = name.chars().map(kept).collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("f{name}") }
}

/// One line of text: where, how large, which end is there, and a class of the style sheet.
pub(super) struct Line<'a> {
    /// The place of the anchor on the baseline.
    pub(super) at: [f64; 2],
    /// Pixels.
    pub(super) size: f64,
    /// `start`, `middle` or `end`.
    pub(super) anchor: &'static str,
    /// Further attributes, each with a blank before it.
    pub(super) more: String,
    /// The words.
    pub(super) text: &'a str,
    /// The words in full, where they were shortened.
    pub(super) full: Option<&'a str>,
}

impl Line<'_> {
    /// The element.
    pub(super) fn svg(&self) -> String {
        let Self { at: [x, y], size, more, .. } = self;
        let anchor = match self.anchor {
            "start" => String::new(),
            other => format!(" text-anchor=\"{other}\""),
        };
        let full = self.full.filter(|&full| full != self.text);
        let title = full.map_or(String::new(), |full| format!("<title>{}</title>", escaped(full)));
        format!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{anchor}{more}>{title}{}</text>\n",
            number(*x),
            number(*y),
            number(*size),
            escaped(self.text)
        )
    }
}
