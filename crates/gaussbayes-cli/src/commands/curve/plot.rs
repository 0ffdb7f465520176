//! Draws a few series of points with characters.

use crate::text::short;

/// Characters of the plot itself.
const WIDTH: usize = 60;
const HEIGHT: usize = 14;

/// Whether equal steps of the horizontal axis are equal factors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    Linear,
    Logarithmic,
}

/// Series by their marks, later ones on top; straight from point to point.
pub(super) fn plot(
    series: &[(char, Vec<(f64, f64)>)],
    scale: Scale,
    (bottom, top): (f64, f64),
) -> String {
    let place = |x: f64| if scale == Scale::Logarithmic { x.ln() } else { x };
    let all = || series.iter().flat_map(|(_, points)| points).map(|(x, _)| place(*x));
    let (low, high) =
        (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    if !(high > low && top > bottom) {
        return String::new();
    }
    let mut cells = vec![vec![' '; WIDTH]; HEIGHT];
    for (mark, points) in series {
        for (column, y) in heights(points, place, low, high) {
            let share = ((y - bottom) / (top - bottom)).clamp(0.0, 1.0);
            let row = HEIGHT - 1 - (share * (HEIGHT - 1) as f64).round() as usize;
            cells[row][column] = *mark;
        }
    }
    let labels = [(0, short(top)), (HEIGHT - 1, short(bottom))];
    let margin = labels.iter().map(|(_, label)| label.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (row, cells) in cells.iter().enumerate() {
        let label = labels.iter().find(|(at, _)| *at == row).map_or("", |(_, label)| label);
        let line: String = cells.iter().collect();
        text.push_str(&format!("{label:>margin$} |{}\n", line.trim_end()));
    }
    let back = |at: f64| if scale == Scale::Logarithmic { at.exp().round() } else { at };
    let (left, right) = (short(back(low)), short(back(high)));
    let gap = (WIDTH + 1).saturating_sub(left.len() + right.len());
    text.push_str(&format!("{:margin$} +{}\n", "", "-".repeat(WIDTH)));
    text.push_str(&format!("{:margin$} {left}{}{right}\n", "", " ".repeat(gap)));
    text
}

/// The height of a series in every column that it reaches.
fn heights(
    points: &[(f64, f64)],
    place: impl Fn(f64) -> f64,
    low: f64,
    high: f64,
) -> Vec<(usize, f64)> {
    let at = |column: usize| low + (high - low) * column as f64 / (WIDTH - 1) as f64;
    let between = |x: f64| {
        points.windows(2).rev().find_map(|pair| {
            let (a, b) = (place(pair[0].0), place(pair[1].0));
            if !(a <= x && x <= b) {
                return None;
            }
            let share = if b > a { (x - a) / (b - a) } else { 1.0 };
            Some(pair[0].1 + share * (pair[1].1 - pair[0].1))
        })
    };
    (0..WIDTH).filter_map(|column| Some((column, between(at(column))?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_rises_from_corner_to_corner() {
        let text = plot(&[('*', vec![(0.0, 0.0), (1.0, 1.0)])], Scale::Linear, (0.0, 1.0));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), HEIGHT + 2);
        assert!(lines[0].starts_with("1 |") && lines[0].ends_with('*'), "{text}");
        assert!(lines[HEIGHT - 1].starts_with("0 |*"), "{text}");
        assert_eq!(lines[HEIGHT + 1].split_whitespace().collect::<Vec<_>>(), ["0", "1"]);
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH + 3), "{text}");
        assert_eq!(plot(&[('*', vec![(2.0, 1.0)])], Scale::Logarithmic, (0.0, 1.0)), "");
    }
}
