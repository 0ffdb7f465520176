//! Writes numbers and lists for people.

use gaussbayes::Label;

use crate::picture::{Dash, Ink, Key, Sign};

/// Lines of a key at most: more are said in one line.
const KEYS: usize = 12;

/// Names of a list at most.
const LISTED: usize = 6;

/// A number with four digits, without zeros behind them.
pub(crate) fn short(x: f64) -> String {
    rounded(x, 4)
}

/// A number with so many digits, without zeros behind them.
pub(crate) fn rounded(x: f64, digits: i32) -> String {
    if x == 0.0 {
        return "0".into();
    }
    if !x.is_finite() {
        return if x.is_nan() { "?".into() } else { if x > 0.0 { "∞" } else { "−∞" }.into() };
    }
    let size = x.abs();
    let text = if (1e-3..1e6).contains(&size) {
        let places = (digits - 1 - size.log10().floor() as i32).max(0) as usize;
        let text = format!("{x:.places$}");
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        }
    } else {
        let places = (digits - 2).max(0) as usize;
        format!("{x:.places$e}")
    };
    text.replace('-', "−")
}

/// A share as per cent.
pub(crate) fn per_cent(share: f64) -> String {
    format!("{} %", rounded(100.0 * share, 3))
}

/// A number of things.
pub(crate) fn plural(n: usize, thing: &str) -> String {
    let many = match thing.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None if thing.ends_with('s') => format!("{thing}es"),
        None => format!("{thing}s"),
    };
    if n == 1 { format!("1 {thing}") } else { format!("{n} {many}") }
}

/// Names one after the other; of many, the first few and how many more.
pub(crate) fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let all = |names: &[S]| names.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(", ");
    match names {
        [] => "none".into(),
        [one] => one.as_ref().into(),
        _ if names.len() > LISTED => {
            format!("{} and {} more", all(&names[..LISTED - 1]), names.len() - LISTED + 1)
        }
        [first @ .., last] => format!("{} and {}", all(first), last.as_ref()),
    }
}

/// A name that may stand beside other words: one that is read from right to left stays by itself.
pub(crate) fn apart(name: &str) -> String {
    let turned = |c: char| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}');
    if name.contains(turned) { format!("\u{2068}{name}\u{2069}") } else { name.into() }
}

/// Patterns that tell lines apart without colour.
pub(crate) fn dash(k: usize) -> Dash {
    [Dash::Solid, Dash::Dashed, Dash::Dotted][k % 3]
}

/// The key of the classes, and a note where there are more than it has room for.
pub(crate) fn class_keys(
    classes: &[Label],
    label: impl Fn(usize) -> String,
    sign: impl Fn(usize) -> Sign,
) -> (Vec<Key>, Option<String>) {
    let key = |k: usize| Key { label: label(k), ink: Ink::Class(k), sign: sign(k) };
    let shown = if classes.len() > KEYS { KEYS - 1 } else { classes.len() };
    let note = (shown < classes.len()).then(|| {
        let rest: Vec<&str> = classes[shown..].iter().map(Label::as_str).collect();
        format!("The key leaves out {}: {}.", plural(rest.len(), "class"), listed(&rest))
    });
    ((0..shown).map(key).collect(), note)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_more_digits_than_are_read() {
        let said = [0.308_537_5, 0.5, -2.0, 1234.0, 0.0, 1e-7, f64::INFINITY].map(short);
        assert_eq!(said, ["0.3085", "0.5", "−2", "1234", "0", "1.00e−7", "∞"]);
        assert_eq!(
            [plural(1, "class"), plural(2, "class"), plural(3, "row")].join(" "),
            "1 class 2 classes 3 rows"
        );
    }

    #[test]
    fn names_from_right_to_left_stay_by_themselves() {
        assert_eq!(apart("a<b"), "a<b");
        assert_eq!(apart("שלום"), "\u{2068}שלום\u{2069}");
    }

    #[test]
    fn long_lists_end_early() {
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
        assert_eq!(listed(&["a"; 50]), "a, a, a, a, a and 45 more");
    }
}
