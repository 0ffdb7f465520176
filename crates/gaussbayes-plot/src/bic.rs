//! Draws a criterion over the number of components, a line for each covariance family.

use gaussbayes::{Cell, Criterion, Entry, Family};

use crate::error::PlotError;
use crate::path::Path;
use crate::picture::{Anchor, Axis, Ink, Key, Layer, Mark, Panel, Picture, Sign, Stroke, Ticks};
use crate::say::{dash, listed, plural, rounded};

/// Families up to which all values are shown.
const CROWD: usize = 6;

/// The value of a criterion for every mixture that was fitted as asked; the lowest is the best and has a ring.
///
/// # Errors
/// [`PlotError::Nothing`] where none was.
pub fn bic(entries: &[Entry], criterion: Criterion) -> Result<Picture, PlotError> {
    let cell = |entry: &Entry| (entry.cell, entry.value(criterion).filter(|_| entry.is_ranked()));
    bic_of(&entries.iter().map(cell).collect::<Vec<_>>(), criterion)
}

/// The same from the values; mixtures without one could not be fitted as asked.
///
/// # Errors
/// As [`bic`].
pub fn bic_of(cells: &[(Cell, Option<f64>)], criterion: Criterion) -> Result<Picture, PlotError> {
    let mut families: Vec<Family> = Vec::new();
    for (cell, _) in cells {
        if !families.contains(&cell.family) {
            families.push(cell.family);
        }
    }
    let points = |family: &Family| {
        let own = cells.iter().filter(|(cell, _)| cell.family == *family);
        let mut own: Vec<[f64; 2]> = own
            .filter_map(|(cell, value)| Some([cell.components as f64, finite(*value)?]))
            .collect();
        own.sort_by(|a, b| a[0].total_cmp(&b[0]));
        own
    };
    let lines: Vec<Vec<[f64; 2]>> = families.iter().map(points).collect();
    let all = || lines.iter().flatten();
    let Some(best) = all().copied().min_by(|a, b| a[1].total_cmp(&b[1])) else {
        return Err(PlotError::Nothing { what: "mixtures that could be fitted" });
    };
    let winner = lines.iter().position(|line| line.contains(&best)).unwrap_or(0);
    let (low, high) = (best[1], ceiling(&lines));
    let margin = if high > low { 0.07 * (high - low) } else { 0.5 };
    let most = all().map(|point| point[0]).fold(1.0, f64::max);
    let least = all().map(|point| point[0]).fold(most, f64::min);
    let name = criterion.name().to_uppercase();
    let mut layers = Vec::new();
    for (k, line) in lines.iter().enumerate() {
        let (ink, stroke) = (Ink::Class(k), Stroke { width: 1.75, dash: dash(k) });
        layers.push(Layer::Line { path: Path::line(line), ink, stroke });
        layers.push(Layer::Points { at: line.clone(), mark: Mark::Class(k), ink });
    }
    layers.push(Layer::Points { at: vec![best], mark: Mark::Ring, ink: Ink::Text });
    let room = (most - least).max(1.0);
    layers.extend(letters(&families, &lines, (low - margin, high + margin)));
    let ticks = (least as usize..=most as usize).map(|k| (k as f64, k.to_string())).collect();
    let across = Axis {
        ticks: Ticks::Named(ticks),
        ..Axis::new("components", least - 0.06 * room, most + 0.16 * room)
    };
    let upward = Axis::new(format!("{name} (lower is better)"), low - margin, high + margin);
    let title = format!("{name} by number of components and family");
    let mut picture = Picture::of(title, Panel { layers, ..Panel::new(across, upward) });
    let key = |(k, family): (usize, &Family)| Key {
        label: family.name().into(),
        ink: Ink::Class(k),
        sign: Sign::Mark(Mark::Class(k)),
    };
    picture.key =
        families.iter().enumerate().filter(|(k, _)| !lines[*k].is_empty()).map(key).collect();
    let label = format!("best: {}, {}", families[winner].name(), best[0]);
    picture.key.push(Key { label, ink: Ink::Text, sign: Sign::Mark(Mark::Ring) });
    let names: Vec<&str> = families.iter().map(|family| family.name()).collect();
    picture.description = format!(
        "{name} of {} of the families {}: the lowest is {} of {} with {}.",
        plural(all().count(), "mixture"),
        listed(&names),
        rounded(best[1], 6),
        families[winner].name(),
        plural(best[0] as usize, "component")
    );
    picture.caption = "Another component or a freer family pays as long as the line falls.".into();
    let above = all().filter(|point| point[1] > high + margin).count();
    if above > 0 {
        picture.notes.push(format!("{} above the top.", plural(above, "value")));
    }
    let left = cells.iter().filter(|(_, value)| finite(*value).is_none());
    let left: Vec<String> =
        left.map(|(cell, _)| format!("{} {}", cell.family.name(), cell.components)).collect();
    if !left.is_empty() {
        picture
            .notes
            .push(format!("Left out, for they could not be fitted as asked: {}.", listed(&left)));
    }
    Ok(picture)
}

/// The highest value that is shown: all of them, but where there are many families and few values lie far above the rest.
fn ceiling(lines: &[Vec<[f64; 2]>]) -> f64 {
    let mut all: Vec<f64> = lines.iter().flatten().map(|point| point[1]).collect();
    all.sort_by(f64::total_cmp);
    let share = |part: f64| all[(part * (all.len() - 1) as f64) as usize];
    let (low, most, high) = (share(0.0), share(0.75), share(1.0));
    if lines.len() > CROWD && high - low > 3.0 * (most - low) {
        low + 1.6 * (most - low)
    } else {
        high
    }
}

fn finite(value: Option<f64>) -> Option<f64> {
    value.filter(|value| value.is_finite())
}

/// Letters at the end of each line, moved apart where they would touch.
fn letters(families: &[Family], lines: &[Vec<[f64; 2]>], (low, high): (f64, f64)) -> Vec<Layer> {
    let gap = 13.0 / 320.0 * (high - low);
    let mut ends: Vec<(usize, [f64; 2], f64)> = lines
        .iter()
        .enumerate()
        .filter_map(|(k, line)| line.last().map(|end| (k, *end, end[1])))
        .collect();
    ends.retain(|end| end.2 < high);
    ends.sort_by(|a, b| a.2.total_cmp(&b.2));
    // Least moved in all: less the gaps before them, places must not fall; what falls takes its mean.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (i, end) in ends.iter().enumerate() {
        blocks.push((end.2 - gap * i as f64, 1));
        while let [.., (a, n), (b, m)] = blocks[..]
            && a / n as f64 > b / m as f64
        {
            blocks.truncate(blocks.len() - 2);
            blocks.push((a + b, n + m));
        }
    }
    let moved = blocks.iter().flat_map(|&(sum, n)| std::iter::repeat_n(sum / n as f64, n));
    let floor = low + 0.5 * gap;
    for (i, (end, y)) in ends.iter_mut().zip(moved).enumerate() {
        end.2 = y.max(floor) + gap * i as f64;
    }
    let word = |(k, end, y): (usize, [f64; 2], f64)| Layer::Words {
        at: [end[0], y],
        text: format!(" {}", families[k].name()),
        anchor: Anchor::Right,
        ink: Ink::Class(k),
    };
    ends.into_iter().map(word).collect()
}
