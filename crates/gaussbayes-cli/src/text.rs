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

/// Characters of a line at most.
const WIDTH: usize = 100;

/// A table in parts of which none is too wide; each begins with the first column.
pub(crate) fn wrapped(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let part = |from: usize, to: usize| {
        let row = |row: &Vec<String>| {
            row.iter()
                .take(1)
                .chain(&row[from.min(row.len())..to.min(row.len())])
                .cloned()
                .collect()
        };
        table(&rows.iter().map(row).collect::<Vec<Vec<String>>>())
    };
    let (mut text, mut from) = (String::new(), 1);
    while from < columns || text.is_empty() {
        let fits = |to: &usize| widest(&part(from, *to)) <= WIDTH;
        let to = (from + 1..=columns).take_while(fits).last().unwrap_or(from + 1);
        if !text.is_empty() {
            text.push('\n');
        }
        text += &part(from, to);
        from = to;
    }
    text
}

/// Numbers of one column with enough digits to tell them apart: four, and at most twelve.
pub(crate) fn apart(values: &[f64]) -> Vec<String> {
    const MOST: i32 = 12;
    let most = |f: fn(f64, f64) -> f64, from: f64| values.iter().copied().fold(from, f);
    let (low, high) = (most(f64::min, f64::INFINITY), most(f64::max, f64::NEG_INFINITY));
    let (size, range) = (low.abs().max(high.abs()), high - low);
    let place = |x: f64| x.log10().floor() as i32;
    // The last digit is a hundredth of the range, or less.
    let digits = if range > 0.0 { place(size) - place(range) + 3 } else { 0 };
    let digits = digits.min(MOST);
    if digits <= 4 {
        return values.iter().copied().map(short).collect();
    }
    let places = (digits - 1 - place(size)).max(0) as usize;
    if (0.001..1e12).contains(&size) {
        return values.iter().map(|x| format!("{x:.places$}")).collect();
    }
    let digits = digits as usize - 1;
    values.iter().map(|x| format!("{x:.digits$e}")).collect()
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
    fn wide_tables_are_cut_and_close_numbers_told_apart() {
        let row =
            |name: &str| std::iter::once(name.into()).chain(vec!["1234567".into(); 20]).collect();
        let text = wrapped(&[row("a"), row("b")]);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert_eq!(text.matches("1234567").count(), 40);
        assert_eq!(text.lines().filter(|line| line.starts_with('b')).count(), 2);
        assert_eq!(wrapped(&[vec!["a".into()]]), "a\n");
        assert_eq!(apart(&[5.006, 6.262]), ["5.006", "6.262"]);
        assert_eq!(apart(&[1e9 + 5.006, 1e9 + 6.262]), ["1000000005.01", "1000000006.26"]);
        assert_eq!(apart(&[3.0, 3.0]), ["3", "3"]);
        assert_eq!(apart(&[0.0]), ["0"]);
    }

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
