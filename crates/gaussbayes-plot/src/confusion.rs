//! Draws which classes were said of rows of which.

use gaussbayes::{Action, Judgement, Label};

use crate::error::PlotError;
use crate::path::Path;
use crate::picture::{Anchor, Axis, Ink, Key, Layer, Panel, Picture, Shading, Sign, Stroke, Ticks};
use crate::say::{listed, per_cent, plural, rounded};

/// Classes up to which cells hold numbers.
const NUMBERS: usize = 10;

/// Pixels that a name needs on an axis.
const NAME: f64 = 14.0;

/// Letters of a name at most.
const LETTERS: usize = 12;

/// The confusion matrix: true classes line by line, what was said column by column, shaded by the share of the line.
///
/// # Errors
/// [`PlotError::Nothing`] where no row was judged.
pub fn confusion(judgement: &Judgement) -> Result<Picture, PlotError> {
    confusion_of(judgement.classes(), judgement.actions(), &judgement.confusion())
}

/// The same from its counts: lines of true classes, columns of what was said.
///
/// # Errors
/// As [`confusion`]; [`PlotError::Count`] for lines or columns that do not fit the classes and actions.
pub fn confusion_of(
    classes: &[Label],
    actions: &[Action],
    counts: &[Vec<f64>],
) -> Result<Picture, PlotError> {
    let (expected, found) = (classes.len(), counts.len());
    if expected != found {
        return Err(PlotError::Count { what: "lines of a confusion", expected, found });
    }
    if let Some(line) = counts.iter().find(|line| line.len() != actions.len()) {
        let (what, expected, found) = ("columns of a confusion", actions.len(), line.len());
        return Err(PlotError::Count { what, expected, found });
    }
    let n: f64 = counts.iter().flatten().sum();
    if !(n > 0.0 && n.is_finite()) {
        return Err(PlotError::Nothing { what: "judged rows" });
    }
    let (lines, columns) = (classes.len(), actions.len());
    let numbered = lines.max(columns) <= NUMBERS;
    let side = (110.0 * lines as f64).clamp(240.0, 400.0);
    let mut panel = Panel::new(
        named("said", side, actions.iter().map(|action| said(*action, classes)), false),
        named("true", side, classes.iter().map(|label| cut(label.as_str())), true),
    );
    (panel.across.high, panel.upward.high) = (columns as f64, lines as f64);
    panel.size = [side, side];
    panel.equal = true;
    let share = |i: usize, j: usize| {
        let line: f64 = counts[i].iter().sum();
        if line > 0.0 { counts[i][j] / line } else { 0.0 }
    };
    let ink = |i: usize, j: usize| match actions[j] {
        Action::Class(k) if k == i => Ink::Class(0),
        Action::Class(_) => Ink::Alarm,
        Action::Reject => Ink::Reject,
    };
    let strength = |share: f64| if share > 0.0 { 0.06 + 0.5 * share } else { 0.0 };
    if numbered {
        for (i, line) in counts.iter().enumerate() {
            for (j, &count) in line.iter().enumerate() {
                let (x, y) = (j as f64, (lines - 1 - i) as f64);
                let path = Path::polygon(&[[x, y], [x + 1.0, y], [x + 1.0, y + 1.0], [x, y + 1.0]]);
                let (ink, strength) = (ink(i, j), strength(share(i, j)));
                if strength > 0.0 {
                    panel.layers.push(Layer::Area { path, ink, strength, hatched: false });
                }
                let pixel = lines as f64 / side;
                panel.layers.extend(words([x + 0.5, y + 0.5], count, share(i, j), pixel));
            }
        }
        panel.layers.extend(lattice(lines, columns));
    } else {
        let cells = (0..lines).flat_map(|i| (0..columns).map(move |j| (i, j)));
        let cells = cells.map(|(i, j)| (ink(i, j), strength(share(i, j)) as f32)).collect();
        let high = [columns as f64, lines as f64];
        let shading = Shading { low: [0.0; 2], high, columns, cells, smooth: false };
        panel.layers.push(Layer::Shade(shading));
    }
    let title = format!("Confusion of {}", plural(lines, "class"));
    let mut picture = Picture::of(title, panel);
    let key = |label: &str, ink| Key { label: label.into(), ink, sign: Sign::Area(0.56) };
    picture.key = vec![key("right", Ink::Class(0)), key("wrong", Ink::Alarm)];
    if actions.contains(&Action::Reject) {
        picture.key.push(key("rejected", Ink::Reject));
    }
    let wrong = largest_errors(actions, counts);
    let given = wrong.iter().map(|(.., count)| count).sum::<f64>() + 0.0;
    let worst: Vec<String> = wrong
        .iter()
        .take(3)
        .map(|&(i, j, count)| {
            let taken = said(actions[j], classes);
            format!("{} of {} taken for {taken}", rounded(count, 6), classes[i])
        })
        .collect();
    let errors = if worst.is_empty() {
        "No row is taken for another class.".to_owned()
    } else {
        format!("Most frequent errors: {}.", listed(&worst))
    };
    picture.description = format!(
        "{} judged: {} are given to a wrong class ({}). {errors}",
        plural_rows(n),
        rounded(given, 6),
        per_cent(given / n)
    );
    picture.caption =
        "Each line is a true class and sums to 1; what is beside the diagonal is wrong.".into();
    picture.notes.push(if numbered {
        "Rows, and the share of their class: also by colour.".into()
    } else {
        format!("{lines} classes leave no room for numbers; colour: the share of a true class.")
    });
    Ok(picture)
}

/// True class, action and weight of rows given to a wrong class, the most frequent first.
fn largest_errors(actions: &[Action], counts: &[Vec<f64>]) -> Vec<(usize, usize, f64)> {
    let wrong = |i: usize, j: usize| !matches!(actions[j], Action::Class(k) if k == i);
    let cells = counts
        .iter()
        .enumerate()
        .flat_map(|(i, line)| line.iter().enumerate().map(move |(j, count)| (i, j, *count)));
    let mut errors: Vec<_> = cells
        .filter(|&(i, j, count)| count > 0.0 && actions[j] != Action::Reject && wrong(i, j))
        .collect();
    errors.sort_by(|a, b| b.2.total_cmp(&a.2));
    errors
}

fn plural_rows(n: f64) -> String {
    format!("{} {}", rounded(n, 9), if n == 1.0 { "row" } else { "rows" })
}

fn said(action: Action, classes: &[Label]) -> String {
    match action {
        Action::Class(k) => classes.get(k).map_or_else(String::new, |label| cut(label.as_str())),
        Action::Reject => Action::REJECT.into(),
    }
}

/// A name that fits on an axis.
fn cut(name: &str) -> String {
    if name.chars().count() <= LETTERS {
        return name.into();
    }
    name.chars().take(LETTERS - 1).chain(['…']).collect()
}

/// An axis of names, in the middle of their cells; where there is no room, every so many.
fn named(label: &str, side: f64, names: impl ExactSizeIterator<Item = String>, down: bool) -> Axis {
    let count = names.len();
    let every = (NAME * count as f64 / side).ceil().max(1.0) as usize;
    let place = |i: usize| if down { count - 1 - i } else { i } as f64 + 0.5;
    let shown = names.enumerate().step_by(every).map(|(i, name)| (place(i), name));
    Axis { ticks: Ticks::Named(shown.collect()), ..Axis::new(label, 0.0, count as f64) }
}

/// Lines between the cells, and around them.
fn lattice(lines: usize, columns: usize) -> Vec<Layer> {
    let (width, height) = (columns as f64, lines as f64);
    let across = (0..=lines).map(|i| [[0.0, i as f64], [width, i as f64]]);
    let upward = (0..=columns).map(|j| [[j as f64, 0.0], [j as f64, height]]);
    let stroke = Stroke { width: 1.0, ..Stroke::PLAIN };
    let line =
        |ends: [[f64; 2]; 2]| Layer::Line { path: Path::line(&ends), ink: Ink::Faint, stroke };
    across.chain(upward).map(line).collect()
}

fn words(at: [f64; 2], count: f64, share: f64, pixel: f64) -> Vec<Layer> {
    let text = |text: String, up: f64| Layer::Words {
        at: [at[0], at[1] + up],
        text,
        anchor: Anchor::Middle,
        ink: if count > 0.0 { Ink::Text } else { Ink::Faint },
    };
    if count == 0.0 {
        return vec![text("0".into(), 0.0)];
    }
    // Two lines of 12 pixels and what is between them.
    let up = 9.0 * pixel;
    vec![text(rounded(count, 5), up), text(per_cent(share), -up)]
}
