//! Draws the key: what signs mean, in lines or, where there are many, in columns.

use super::layers::{Press, area, line};
use super::marks;
use super::write::{Line, place};
use crate::font;
use crate::picture::{Key, Mark, Sign};

/// Pixels of the text.
const SIZE: f64 = 12.0;
/// Pixels of a line.
const HEIGHT: f64 = 18.0;
/// Pixels of a line or an area.
const BAR: f64 = 22.0;
/// Pixels between a sign and its meaning.
const BEHIND: f64 = 6.0;
/// Pixels between entries.
const GAP: f64 = 18.0;
/// Lines of entries as they come; more are put in columns.
const LINES: f64 = 3.0;

/// Entries that keep their lines, however many these are: nothing of them is cut off.
const FEW: usize = 6;

/// A key laid out.
#[derive(Debug, Clone, Default)]
pub(super) struct Legend<'a> {
    entries: Vec<(&'a Key, String, [f64; 2])>,
    /// Pixels from its first line to its last.
    pub(super) height: f64,
}

impl<'a> Legend<'a> {
    /// The entries within so many pixels.
    pub(super) fn of(key: &'a [Key], width: f64) -> Self {
        let label = |entry: &'a Key| {
            font::shortened(&entry.label, SIZE, width - sign_width(entry) - BEHIND)
        };
        let mut entries = Vec::new();
        let [mut x, mut y] = [0.0, 0.0];
        for entry in key {
            let text = label(entry);
            let needs = sign_width(entry) + BEHIND + font::width(&text, SIZE);
            if x > 0.0 && x + needs > width {
                (x, y) = (0.0, y + HEIGHT);
            }
            entries.push((entry, text, [x, y]));
            x += needs + GAP;
        }
        if y > (LINES - 1.0) * HEIGHT && key.len() > FEW {
            return Self::columns(key, width);
        }
        let height = if key.is_empty() { 0.0 } else { y + HEIGHT };
        Self { entries, height }
    }

    fn columns(key: &'a [Key], width: f64) -> Self {
        let signs = key.iter().map(sign_width).fold(BEHIND, f64::max) + BEHIND;
        let longest = (width / 2.0 - GAP - signs).clamp(40.0, 150.0);
        let texts: Vec<String> =
            key.iter().map(|entry| font::shortened(&entry.label, SIZE, longest)).collect();
        let widest = texts.iter().map(|text| font::width(text, SIZE)).fold(0.0, f64::max);
        let column = signs + widest + GAP;
        let columns = (((width + GAP) / column) as usize).clamp(1, key.len());
        let rows = key.len().div_ceil(columns);
        let at = |i: usize| [(i / rows) as f64 * column, (i % rows) as f64 * HEIGHT];
        let entries = key.iter().zip(texts).enumerate();
        let entries = entries.map(|(i, (entry, text))| (entry, text, at(i))).collect();
        Self { entries, height: rows as f64 * HEIGHT }
    }

    /// The entries from a corner on.
    pub(super) fn svg(&self, corner: [f64; 2], press: Press) -> String {
        let mut out = String::new();
        for (entry, text, [x, y]) in &self.entries {
            let [x, y] = [corner[0] + x, corner[1] + y];
            out += &sign(entry, [x, y + HEIGHT / 2.0], press);
            let at = [x + sign_width(entry) + BEHIND, y + HEIGHT / 2.0 + SIZE * 0.36];
            let more = " class=\"gb-text\"".into();
            let full = Some(entry.label.as_str());
            out += &Line { at, size: SIZE, anchor: "start", more, text, full }.svg();
        }
        out
    }
}

/// Pixels of a sign.
fn sign_width(entry: &Key) -> f64 {
    match entry.sign {
        Sign::Mark(Mark::Ring) => 17.0,
        Sign::Mark(_) => 12.0,
        _ => BAR,
    }
}

fn sign(entry: &Key, [x, y]: [f64; 2], press: Press) -> String {
    let bar = format!("M{}h22v12h-22Z", place([x, y - 6.0]));
    match entry.sign {
        Sign::Mark(mark) => {
            marks::points(&[[x + sign_width(entry) / 2.0, y]], mark, entry.ink, false)
        }
        Sign::Line(stroke) => line(&format!("M{}h22", place([x, y])), entry.ink, stroke),
        Sign::Area(strength) => area(&bar, entry.ink, strength, false, press),
        Sign::Hatched(strength) => area(&bar, entry.ink, strength, true, press),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Ink;

    /// Left, top, right and bottom of all entries.
    fn boxes(legend: &Legend) -> Vec<[f64; 4]> {
        let entry = |(entry, text, [x, y]): &(&Key, String, [f64; 2])| {
            let width = sign_width(entry) + BEHIND + font::width(text, SIZE);
            [*x, *y, x + width, y + HEIGHT]
        };
        legend.entries.iter().map(entry).collect()
    }

    #[test]
    fn entries_lie_apart_and_inside() {
        let names =
            |count: usize| (0..count).map(|i| "long name ".repeat(i % 7 + 1) + &i.to_string());
        for count in [1, 3, 7, 50] {
            let sign = Sign::Mark(Mark::Class(0));
            let entry = |label| Key { label, ink: Ink::Text, sign };
            let key: Vec<Key> = names(count).map(entry).collect();
            for width in [200.0, 400.0, 1000.0] {
                let legend = Legend::of(&key, width);
                let boxes = boxes(&legend);
                assert_eq!(boxes.len(), count);
                for (i, a) in boxes.iter().enumerate() {
                    assert!(a[0] >= 0.0 && a[2] <= width && a[3] <= legend.height, "{a:?}");
                    let apart =
                        |b: &[f64; 4]| a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
                    assert!(boxes[i + 1..].iter().all(apart), "{count} entries, {width} pixels");
                }
            }
        }
    }
}
