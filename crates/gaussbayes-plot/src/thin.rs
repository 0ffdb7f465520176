//! Chooses rows to draw where there are too many: those that are seen come first.

use std::collections::HashMap;

use gaussbayes::Window;

/// Cells of a window across and upward: about as many as marks can be told apart.
const CELLS: f64 = 200.0;

/// Rows to draw, in their order, at most so many: of rows that would lie on top of each other some are
/// left out, so that what lies alone stays.
///
/// Rows outside the window are left out. The same rows give the same choice.
pub fn thinned(at: &[[f64; 2]], window: &Window, most: usize) -> Vec<usize> {
    let cell = |place: &[f64; 2]| {
        [0, 1].map(|axis| {
            let share = (place[axis] - window.low[axis]) / (window.high[axis] - window.low[axis]);
            (share * CELLS) as i64
        })
    };
    let inside = |place: &[f64; 2]| {
        [0, 1].iter().all(|&axis| (window.low[axis]..=window.high[axis]).contains(&place[axis]))
    };
    let seen: Vec<usize> = (0..at.len()).filter(|&row| inside(&at[row])).collect();
    if seen.len() <= most {
        return seen;
    }
    // How many rows of its cell come before a row: crowded cells give up theirs first.
    let mut counts: HashMap<[i64; 2], usize> = HashMap::new();
    let mut ranks: Vec<Vec<usize>> = Vec::new();
    for row in seen {
        let count = counts.entry(cell(&at[row])).or_default();
        if *count == ranks.len() {
            ranks.push(Vec::new());
        }
        ranks[*count].push(row);
        *count += 1;
    }
    let mut kept = Vec::with_capacity(most);
    for rows in ranks {
        kept.extend(spread(&rows, most - kept.len()));
    }
    kept.sort_unstable();
    kept
}

/// At most so many of the rows, evenly along their order.
fn spread(rows: &[usize], most: usize) -> Vec<usize> {
    if rows.len() <= most {
        return rows.to_vec();
    }
    (0..most).map(|i| rows[i * rows.len() / most]).collect()
}
