//! Lays text out: aligned tables, numbers for people, numbers for programs.

/// A number with as many digits as it takes to read it back exactly.
pub(crate) fn exact(x: f64) -> String {
    serde_json::to_string(&x).unwrap_or_else(|_| x.to_string())
}

/// A number for people: four digits, no trailing zeros.
pub(crate) fn short(x: f64) -> String {
    if x == 0.0 {
        return "0".into();
    }
    let size = x.abs();
    if !(0.001..1e6).contains(&size) {
        return format!("{x:.3e}");
    }
    let places = (3 - size.log10().floor() as i32).max(0) as usize;
    let text = format!("{x:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// A share as per cent.
pub(crate) fn per_cent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// A count that may be a sum of weights.
pub(crate) fn count(x: f64) -> String {
    if x.fract() == 0.0 && x.abs() < 1e15 { format!("{x:.0}") } else { short(x) }
}

/// A number of things.
pub(crate) fn plural(n: usize, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}

/// A count as JSON: a whole number where it is one.
pub(crate) fn json_count(x: f64) -> serde_json::Value {
    if x.fract() == 0.0 && x.abs() < 9e15 { (x as i64).into() } else { x.into() }
}

/// One CSV cell, quoted where it must be.
pub(crate) fn cell(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}

/// A table: the first column to the left, the others to the right.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |j: usize| {
        rows.iter().filter_map(|row| row.get(j)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .enumerate()
            .map(|(j, cell)| {
                let pad = " ".repeat(widths[j] - cell.chars().count());
                if j == 0 { format!("{cell}{pad}") } else { format!("{pad}{cell}") }
            })
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_for_people_and_exact_for_programs() {
        assert_eq!(short(0.049_234_5), "0.04923");
        assert_eq!(short(5.0), "5");
        assert_eq!(short(12_345.6), "12346");
        assert_eq!(short(1.05e-103), "1.050e-103");
        assert_eq!(exact(8.144_832_004_441_85e-106), "8.14483200444185e-106");
        assert_eq!(cell("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
