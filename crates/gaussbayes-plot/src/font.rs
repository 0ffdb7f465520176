//! Measures, shortens and wraps text in the embedded font.

use std::sync::LazyLock;

use ttf_parser::Face;

/// DejaVu Sans, whose licence lies beside it.
pub(crate) static FONT: &[u8] = include_bytes!("../font/DejaVuSans.ttf");

/// The family as style sheets name it: others follow where a reader's system has no such font.
pub(crate) const FAMILY: &str = "'DejaVu Sans',Verdana,sans-serif";

static FACE: LazyLock<Face<'static>> =
    LazyLock::new(|| Face::parse(FONT, 0).expect("invariant: the embedded font is whole"));

/// Pixels that a text takes in a size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let em = f64::from(FACE.units_per_em());
    let advance = |c: char| match FACE.glyph_index(c) {
        Some(glyph) => f64::from(FACE.glyph_hor_advance(glyph).unwrap_or(0)),
        // What the font lacks comes from another, where a sign is at most as wide as high.
        None => em,
    };
    text.chars().map(advance).sum::<f64>() * size / em
}

/// The text with a box for every sign that the font lacks, where no other font helps out.
pub(crate) fn boxed(text: &str) -> String {
    // Signs that steer writing are not seen: marks of direction, joiners, variations.
    let unseen = |c: char| {
        c.is_ascii()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}')
    };
    let drawn = |c: char| if unseen(c) || FACE.glyph_index(c).is_some() { c } else { '□' };
    text.chars().map(drawn).collect()
}

/// The text, or its beginning with an ellipsis where it takes more than so many pixels.
pub(crate) fn shortened(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.into();
    }
    let mut kept = String::new();
    let mut used = width("…", size);
    for c in text.chars() {
        used += width(c.encode_utf8(&mut [0; 4]), size);
        if used > most {
            break;
        }
        kept.push(c);
    }
    format!("{}…", kept.trim_end())
}

/// Lines of at most so many pixels, cut at blanks and, where a word is longer, inside it.
pub(crate) fn wrapped(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let longer = if line.is_empty() { word.into() } else { format!("{line} {word}") };
        if width(&longer, size) <= most {
            line = longer;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for c in word.chars() {
            if !line.is_empty()
                && width(&line, size) + width(c.encode_utf8(&mut [0; 4]), size) > most
            {
                lines.push(std::mem::take(&mut line));
            }
            line.push(c);
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}
