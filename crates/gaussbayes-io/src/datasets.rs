//! Carries the built-in data sets as CSV text.

use std::fmt::Write as _;
use std::sync::Arc;

use gaussbayes::banana;

/// Rows of each class of the banana set.
const BANANA_ROWS: usize = 1000;

/// Names of the built-in sets.
pub fn names() -> [&'static str; 4] {
    ["banana", "faithful", "iris", "wine"]
}

/// The column of labels that a built-in set has, if it has one.
pub fn usual_target(name: &str) -> Option<&'static str> {
    match name {
        "banana" => Some("class"),
        "iris" => Some("species"),
        "wine" => Some("cultivar"),
        _ => None,
    }
}

/// The text of a built-in set; only the banana set depends on the seed.
pub(crate) fn text(name: &str, seed: u64) -> Option<Arc<[u8]>> {
    Some(match name {
        "banana" => banana_text(seed).into_bytes().into(),
        "faithful" => include_str!("../data/faithful.csv").as_bytes().into(),
        "iris" => include_str!("../data/iris.csv").as_bytes().into(),
        "wine" => include_str!("../data/wine.csv").as_bytes().into(),
        _ => return None,
    })
}

/// The banana set; numbers are written so that reading them gives back every bit.
fn banana_text(seed: u64) -> String {
    let table = banana(BANANA_ROWS, seed);
    let mut text = String::from("x1,x2,class\n");
    let codes = table.codes.unwrap_or_default();
    for (row, &code) in table.values.chunks_exact(table.dim).zip(&codes) {
        for value in row {
            // Writing to a string cannot fail.
            let _ = write!(text, "{value},");
        }
        let _ = writeln!(text, "{}", table.dictionary[code as usize]);
    }
    text
}
