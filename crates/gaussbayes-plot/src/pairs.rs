//! Draws all pairs of features as a matrix of small panels.

use gaussbayes::{Classifier, Factor, Field, Label, Scorer, Table, View, Window};

use crate::dots::{Dots, classes_of, column, grouped, layers, sign};
use crate::error::PlotError;
use crate::ground::{ground, ink};
use crate::histogram::histogram;
use crate::look::Look;
use crate::path::Path;
use crate::picture::{Axis, Dash, Ink, Key, Layer, Panel, Picture, Sign, Stroke, Ticks};
use crate::regions::areas;
use crate::say::{class_keys, listed, per_cent, plural};
use crate::sight::Sight;
use crate::slope::graph;
use crate::spread::radius;
use crate::window::Bounds;

/// Features that are drawn at most.
const MOST: usize = 6;

/// All points of all panels together, at most.
const POINTS: usize = 7500;

/// What all panels share.
struct Matrix<'a> {
    rule: Option<&'a Classifier>,
    columns: Vec<usize>,
    names: Vec<String>,
    classes: Vec<Label>,
    owners: Vec<Option<usize>>,
    /// Values of the columns that are drawn.
    values: Vec<Vec<f64>>,
    ends: Vec<(f64, f64)>,
    look: &'a Look,
    size: [f64; 2],
}

/// All pairs of features: rows and ellipses below the diagonal, decisions by the two features alone above it, and
/// the densities of each feature on it. Of more than six features the first six are drawn.
///
/// Without a classifier there are rows on both sides; without rows, decisions and ellipses.
///
/// # Errors
/// [`PlotError::Nothing`] without a classifier and rows, [`PlotError::Count`] for fewer than two columns of numbers,
/// [`PlotError::BadShare`], and what the classifier refuses.
pub fn pairs(
    rule: Option<&Classifier>,
    rows: Option<&Table>,
    features: &[String],
    look: &Look,
) -> Result<Picture, PlotError> {
    look.check()?;
    let matrix = Matrix::of(rule, rows, features, look)?;
    let n = matrix.columns.len();
    let mut panels = Vec::with_capacity(n * n);
    let mut notes = Vec::new();
    for i in 0..n {
        for j in 0..n {
            let (panel, note) =
                if i == j { matrix.diagonal(i)? } else { matrix.pair(i, j, rows.is_some())? };
            notes.extend(note);
            panels.push(panel);
        }
    }
    notes.sort();
    notes.dedup();
    if let Some(dim) = rule.map(|rule| rule.features().len()).or(rows.map(|rows| rows.dim))
        && dim > n
    {
        notes.insert(0, format!("{n} of {} are drawn", plural(dim, "feature")));
    }
    let title = look.title.clone().unwrap_or_else(|| "All pairs of features".into());
    let mut picture = Picture::grid(title, panels, n);
    let mark = |k: usize| {
        if rows.is_some() {
            let (mark, _) = sign(Some(k));
            Sign::Mark(mark)
        } else {
            Sign::Area(2.0 * crate::ground::TINT)
        }
    };
    let name = |k: usize| matrix.classes[k].to_string();
    let (key, more) = class_keys(&matrix.classes, name, mark);
    (picture.key, picture.notes) = (key, notes);
    picture.notes.extend(more);
    if look.ellipses && rule.is_none_or(|rule| rule.mixture().is_ok()) {
        let stroke = Stroke { width: 1.2, dash: Dash::Dashed };
        let label = format!("{} of a class", per_cent(look.mass));
        picture.key.push(Key { label, ink: Ink::Text, sign: Sign::Line(stroke) });
    }
    picture.description = format!(
        "A matrix of {n} × {n} panels for {}: {} by {}, with the distribution of each on the diagonal.",
        listed(&matrix.names),
        plural(matrix.classes.len(), "class"),
        if rows.is_some() { "points" } else { "ellipses" },
    );
    picture.caption = match (rule, rows) {
        (Some(_), Some(_)) => {
            "Below the diagonal rows, above it what two features alone would decide."
        }
        (Some(_), None) => "Each panel shows what two features alone would decide.",
        _ => "Look for a pair in which the classes lie apart.",
    }
    .into();
    Ok(picture)
}

impl<'a> Matrix<'a> {
    fn of(
        rule: Option<&'a Classifier>,
        rows: Option<&'a Table>,
        features: &[String],
        look: &'a Look,
    ) -> Result<Self, PlotError> {
        let dim = match (rule, rows) {
            (Some(rule), Some(rows)) => {
                crate::scene::fits(rows, rule.features().len())?;
                rows.dim
            }
            (Some(rule), None) => rule.features().len(),
            (None, Some(rows)) => rows.dim,
            (None, None) => return Err(PlotError::Nothing { what: "rows" }),
        };
        let mut columns: Vec<usize> =
            (0..dim).filter(|&j| is_number(rule, rows, j)).take(MOST).collect();
        let (expected, found) = (2, columns.len());
        if found < expected {
            return Err(PlotError::Count { what: "columns", expected, found });
        }
        columns.truncate(MOST);
        let names = rule.map_or(features, Classifier::features);
        let name = |j: &usize| names.get(*j).cloned().unwrap_or_else(|| format!("x{}", j + 1));
        let names: Vec<String> = columns.iter().map(name).collect();
        let classes = match (rule, rows) {
            (Some(rule), _) => rule.classes().to_vec(),
            (None, Some(rows)) => rows.classes(),
            (None, None) => Vec::new(),
        };
        let (mut values, mut owners) = (Vec::new(), Vec::new());
        if let Some(rows) = rows {
            owners = classes_of(rows, &classes);
            values = columns.iter().map(|&j| column(rows, j)).collect::<Result<_, _>>()?;
        }
        let mut ends = Vec::new();
        for (place, &j) in columns.iter().enumerate() {
            let seen = values.get(place).into_iter().flatten().copied();
            let mut bells = Bounds::NONE;
            if let Some(mixture) = rule.and_then(|rule| rule.mixture().ok()) {
                for k in (0..mixture.components()).filter(|&k| mixture.weights()[k] > 0.0) {
                    bells.add_bell(mixture.raw_mean(k)[j], mixture.raw_variances(k)[j]);
                }
            }
            ends.push(Bounds::of(seen).with_margin().joined(bells).ends());
        }
        let side = [220.0, 200.0, 160.0, 130.0][(columns.len() - 2).min(3)];
        let size = [side, 0.8 * side];
        Ok(Self { rule, columns, names, classes, owners, values, ends, look, size })
    }

    fn panel(&self, i: usize, j: usize) -> Panel {
        let last = self.columns.len() - 1;
        let axis = |k: usize, outer: bool| {
            let (low, high) = self.ends[k];
            let (label, ticks) = if outer {
                (self.names[k].clone(), Ticks::Numbers)
            } else {
                (String::new(), Ticks::Named(Vec::new()))
            };
            Axis { label, low, high, ticks }
        };
        let mut panel = Panel::new(axis(j, i == last), axis(i, j == 0));
        panel.size = self.size;
        panel
    }

    /// A pair: column `j` across and `i` upward.
    fn pair(&self, i: usize, j: usize, rows: bool) -> Result<(Panel, Option<String>), PlotError> {
        let mut panel = self.panel(i, j);
        let window = Window {
            low: [self.ends[j].0, self.ends[i].0],
            high: [self.ends[j].1, self.ends[i].1],
        };
        let decides = self.rule.filter(|_| i < j || !rows);
        let mut note = None;
        if let Some(rule) = self.rule {
            let columns = [self.columns[j], self.columns[i]];
            let view = if rule.features().len() == 2 && columns == [0, 1] {
                View::Whole
            } else {
                View::Projection { columns }
            };
            let sight = Sight::of(rule, &view)?;
            if decides.is_some() {
                let ground = ground(&sight, &window, self.size)?;
                panel.layers.extend(areas(&sight, &ground));
                let (path, stroke) = (ground.lines, Stroke::PLAIN);
                panel.layers.push(Layer::Line { path, ink: Ink::Text, stroke });
                note = ground.note;
                if ground.areas.iter().any(|(action, _)| ink(&sight, *action) == Ink::Reject) {
                    note = Some("hatched: reject".into());
                }
            }
            if rows && i > j {
                panel.layers.extend(layers(&self.dots(i, j), &window, self.points()).0);
            }
            if self.look.ellipses && (i > j || !rows) {
                let stroke = Stroke { width: 1.2, dash: Dash::Dashed };
                for bell in sight.bells.iter().filter(|bell| bell.weight > 0.0) {
                    let Some(radius) = bell.radius(self.look.mass) else { continue };
                    let path = Path::ellipse(bell.mean, bell.covariance, radius);
                    let ink = Ink::Class(bell.class);
                    panel.layers.push(Layer::Line { path, ink, stroke });
                }
            }
        } else {
            let dots = self.dots(i, j);
            panel.layers.extend(layers(&dots, &window, self.points()).0);
            let stroke = Stroke { width: 1.2, dash: Dash::Dashed };
            for dots in dots.iter().filter(|dots| self.look.ellipses && dots.class.is_some()) {
                let (mean, covariance) = crate::scatter::moments(&dots.at);
                let path = Path::ellipse(mean, covariance, radius(self.look.mass));
                let ink = dots.class.map_or(Ink::Text, Ink::Class);
                panel.layers.push(Layer::Line { path, ink, stroke });
            }
        }
        Ok((panel, note))
    }

    fn points(&self) -> usize {
        let n = self.columns.len();
        let panels = if self.rule.is_some() { n * (n - 1) / 2 } else { n * (n - 1) };
        (POINTS / panels).min(self.look.most)
    }

    fn dots(&self, i: usize, j: usize) -> Vec<Dots> {
        let points = self.values[j].iter().zip(&self.values[i]).map(|(x, y)| [*x, *y]);
        grouped(points, &self.owners)
    }

    /// The densities of one feature, class by class.
    fn diagonal(&self, i: usize) -> Result<(Panel, Option<String>), PlotError> {
        let mut panel = self.panel(i, i);
        let (low, high) = self.ends[i];
        let mut layers = Vec::new();
        let mut top: f64 = 0.0;
        if let Some(values) = self.values.get(i) {
            let (bars, highest) = histogram(values, &self.owners, self.classes.len(), [low, high]);
            (layers, top) = (bars, highest);
        }
        if let Some(rule) = self.rule {
            let curves = crate::histogram::curves(rule, self.columns[i], [low, high])?;
            for (class, knots) in curves {
                top = knots.iter().fold(top, |top, knot| top.max(knot.y));
                let (path, ink, stroke) = (graph(&knots), Ink::Class(class), Stroke::PLAIN);
                layers.push(Layer::Line { path, ink, stroke });
            }
        }
        panel.layers = layers;
        let label = if i == 0 { self.names[0].clone() } else { String::new() };
        let high = if top > 0.0 && top.is_finite() { 1.05 * top } else { 1.0 };
        panel.upward = Axis { label, low: 0.0, high, ticks: Ticks::Named(Vec::new()) };
        Ok((panel, None))
    }
}

/// Whether a column holds numbers, for the rows and for the classifier.
fn is_number(rule: Option<&Classifier>, rows: Option<&Table>, j: usize) -> bool {
    let held = rows.and_then(|rows| rows.fields.get(j));
    let known = match rule.map(Classifier::model) {
        Some(Scorer::Product(product)) => product
            .factors()
            .iter()
            .any(|factor| matches!(factor, Factor::Number { column, .. } if *column == j)),
        _ => true,
    };
    known && matches!(held, None | Some(Field::Number))
}
