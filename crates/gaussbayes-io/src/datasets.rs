//! Carries the built-in data sets as CSV text.

use std::fmt::Write as _;
use std::sync::Arc;

use gaussbayes::{Parameters, Table, banana, echo, trunk};

/// Rows of each class of the banana set.
const BANANA_ROWS: usize = 1000;

/// Columns and rows of the sets that show what numbers of columns and rows do.
const TRUNK: (usize, u64) = (100, 2000);
const ECHO: (usize, u64) = (40, 4000);

/// Names of the built-in sets.
pub fn names() -> [&'static str; 6] {
    ["banana", "echo", "faithful", "iris", "trunk", "wine"]
}

/// The column of labels that a built-in set has, if it has one.
pub fn usual_target(name: &str) -> Option<&'static str> {
    match name {
        "banana" | "echo" | "trunk" => Some("class"),
        "iris" => Some("species"),
        "wine" => Some("cultivar"),
        _ => None,
    }
}

/// The text of a built-in set; those that are drawn depend on the seed.
pub(crate) fn text(name: &str, seed: u64) -> Option<Arc<[u8]>> {
    Some(match name {
        "banana" => written(&banana(BANANA_ROWS, seed)).into_bytes().into(),
        "echo" => drawn(&echo(ECHO.0), ECHO.1, seed)?.into_bytes().into(),
        "trunk" => drawn(&trunk(TRUNK.0), TRUNK.1, seed)?.into_bytes().into(),
        "faithful" => include_str!("../data/faithful.csv").as_bytes().into(),
        "iris" => include_str!("../data/iris.csv").as_bytes().into(),
        "wine" => include_str!("../data/wine.csv").as_bytes().into(),
        _ => return None,
    })
}

fn drawn(parameters: &Parameters, rows: u64, seed: u64) -> Option<String> {
    let table = parameters.classifier().ok()?.sample(rows, seed).ok()?.table().ok()?;
    Some(written(&table))
}

/// A table as text; numbers are written so that reading them gives back every bit.
fn written(table: &Table) -> String {
    let names: Vec<String> = (1..=table.dim).map(|j| format!("x{j}")).collect();
    let mut text = format!("{},class\n", names.join(","));
    let codes = table.codes.as_deref().unwrap_or_default();
    for (row, &code) in table.values.chunks_exact(table.dim).zip(codes) {
        for value in row {
            // Writing to a string cannot fail.
            let _ = write!(text, "{value},");
        }
        let _ = writeln!(text, "{}", table.dictionary[code as usize]);
    }
    text
}
