//! Writes elements and escaped text that are HTML and XML at once.

/// Text as it may stand between tags and in quoted attributes; characters that no page may hold are replaced.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(c),
            c if forbidden(c) => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}

/// Controls have no place in XML, and the last two of a plane are no characters.
fn forbidden(c: char) -> bool {
    let code = u32::from(c);
    c.is_control() || code & 0xfffe == 0xfffe || (0xfdd0..=0xfdef).contains(&code)
}

/// An element with attributes; what is inside is markup already.
pub(crate) fn element(name: &str, attributes: &[(&str, &str)], inside: &str) -> String {
    let attribute = |(key, value): &(&str, &str)| format!(" {key}=\"{}\"", escaped(value));
    let attributes: String = attributes.iter().map(attribute).collect();
    format!("<{name}{attributes}>{inside}</{name}>")
}

/// An element that holds text alone.
pub(crate) fn text(name: &str, inside: &str) -> String {
    element(name, &[], &escaped(inside))
}

/// A name among words: its own direction of writing moves nothing beside it.
pub(crate) fn isolated(name: &str) -> String {
    let reversed = |c: char| matches!(u32::from(c), 0x590..=0x8ff | 0xfb1d..=0xfdff | 0xfe70..=0xfeff | 0x10800..=0x10fff);
    if name.chars().any(reversed) { format!("\u{2068}{name}\u{2069}") } else { name.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_typed_becomes_markup() {
        assert_eq!(escaped("a<b & \"c\""), "a&lt;b &amp; &quot;c&quot;");
        assert_eq!(escaped("\u{0}\u{1b}x\u{ffff}"), "\u{fffd}\u{fffd}x\u{fffd}");
        assert_eq!(
            element("a", &[("href", "#\"x\"")], "<b/>"),
            "<a href=\"#&quot;x&quot;\"><b/></a>"
        );
        assert_eq!(text("p", "1 < 2"), "<p>1 &lt; 2</p>");
        assert_eq!(isolated("width"), "width");
        assert_eq!(isolated("רוחב"), "\u{2068}רוחב\u{2069}");
    }
}
