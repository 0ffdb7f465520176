//! Draws densities of one column, their thresholds, and the areas that are errors.

use gaussbayes::{Action, Classifier, Region, Table};

use crate::column::{Along, Line};
use crate::error::PlotError;
use crate::path::{Part, Path, Segment};
use crate::picture::{Anchor, Axis, Dash, Ink, Key, Layer, Panel, Picture, Sign, Stroke, Ticks};
use crate::say::{apart, class_keys, dash, listed, plural, rounded, short};
use crate::slope::{Knot, area, graph, under};

/// Thresholds that have room for lines and values.
const VALUES: usize = 8;

/// What of the highest density is seen at all.
const SEEN: f64 = 2e-3;

/// Heights of the strip of regions and of a line of the rug, as shares of the highest density.
const STRIP: f64 = 0.07;
const RUG: f64 = 0.035;

/// Lines of the rug, one a class, at most.
const LANES: usize = 6;

/// The densities of the classes, each times its prior, along one line; where each action is taken; and, hatched, the
/// part of every class that lies in the region of another: the chance of an error is their area.
///
/// # Errors
/// [`PlotError::NoDensities`] for a model that has none, [`PlotError::NoDirection`] where no direction sets the classes
/// apart; what the model and its rows refuse.
pub fn densities(
    rule: &Classifier,
    rows: Option<&Table>,
    along: Along,
) -> Result<Picture, PlotError> {
    let line = Line::of(rule, rows, along)?;
    let window = line.window()?;
    let (regions, searched) = line.regions(window)?;
    let edges: Vec<f64> = regions.iter().skip(1).map(|region| region.from).collect();
    let shown: Vec<f64> =
        edges.iter().copied().filter(|x| (window[0]..=window[1]).contains(x)).collect();
    let classes = line.rule.classes().len();
    let curves = (0..classes)
        .map(|class| line.knots(class, window, &shown))
        .collect::<Result<Vec<_>, _>>()?;
    let top = curves.iter().flatten().map(|knot| knot.y).fold(0.0, f64::max);
    if !(top > 0.0 && top.is_finite()) {
        return Err(PlotError::NotFinite { what: "the highest density", value: top });
    }
    let drawn = Drawn { line: &line, window, regions: &regions, shown: &shown, curves, top };
    let lanes = drawn.lanes();
    let mut layers = drawn.strip();
    layers.extend(drawn.areas());
    layers.extend(drawn.thresholds());
    layers.extend(drawn.lines());
    layers.extend(drawn.rug(lanes));
    let across = Axis::new(line.label.clone(), window[0], window[1]);
    let floor = -top * (STRIP + RUG * lanes as f64 + if lanes > 0 { 0.01 } else { 0.0 });
    let upward = Axis {
        ticks: Ticks::Named(marks(1.15 * top)),
        ..Axis::new("prior × density", floor, 1.18 * top)
    };
    let title = format!("Densities of {}: {}", plural(classes, "class"), line.label);
    let mut picture = Picture::of(title, Panel { layers, ..Panel::new(across, upward) });
    drawn.describe(&mut picture, searched, edges.len());
    Ok(picture)
}

struct Drawn<'a> {
    line: &'a Line,
    window: [f64; 2],
    regions: &'a [Region],
    /// Thresholds in the window.
    shown: &'a [f64],
    curves: Vec<Vec<Knot>>,
    top: f64,
}

impl Drawn<'_> {
    /// Whether there are too many thresholds for lines, values and hatches.
    fn is_crowded(&self) -> bool {
        self.shown.len() > VALUES
    }

    fn action(&self, region: &Region) -> Action {
        self.line.rule.loss().actions()[region.action]
    }

    fn ends(&self, region: &Region) -> [f64; 2] {
        [region.from.max(self.window[0]), region.to.min(self.window[1])]
    }

    /// What is said where: a strip below the axis.
    fn strip(&self) -> Vec<Layer> {
        let (low, width) = (-STRIP * self.top, self.window[1] - self.window[0]);
        let mut layers = Vec::new();
        for region in self.regions {
            let [from, to] = self.ends(region);
            if from >= to {
                continue;
            }
            let ink = match self.action(region) {
                Action::Class(k) => Ink::Class(k),
                Action::Reject => Ink::Reject,
            };
            let path = Path::polygon(&[[from, low], [to, low], [to, 0.0], [from, 0.0]]);
            layers.push(Layer::Area { path, ink, strength: 0.3, hatched: false });
            let text = match self.line.rule.action_label(region.action) {
                Some(label) => format!("R({})", apart(label.as_str())),
                None => "reject".into(),
            };
            // About 7 pixels a letter on a line of 400.
            if text.chars().count() as f64 * 7.0 / 400.0 < (to - from) / width {
                let at = [0.5 * (from + to), 0.5 * low];
                layers.push(Layer::Words { at, text, anchor: Anchor::Middle, ink: Ink::Text });
            }
        }
        layers
    }

    /// The part of a class in a region.
    fn inside(&self, class: usize, region: &Region) -> Vec<Knot> {
        let [from, to] = self.ends(region);
        let inside = self.curves[class].iter().filter(|knot| (from..=to).contains(&knot.x));
        inside.copied().collect()
    }

    /// Whether a region is an error for a class: another is said there.
    fn errs(&self, class: usize, region: &Region) -> bool {
        matches!(self.action(region), Action::Class(said) if said != class)
    }

    fn areas(&self) -> Vec<Layer> {
        let mut layers = Vec::new();
        for region in self.regions {
            for class in 0..self.curves.len() {
                let knots = self.inside(class, region);
                let high = knots.iter().map(|knot| knot.y).fold(0.0, f64::max);
                if high < SEEN * self.top || knots.len() < 2 {
                    continue;
                }
                let path = under(seen(&knots, 2e-4 * self.top));
                if self.errs(class, region) {
                    let ink = Ink::Class(class);
                    layers.push(Layer::Area {
                        path,
                        ink,
                        strength: 0.35,
                        hatched: !self.is_crowded(),
                    });
                } else if self.action(region) == Action::Reject {
                    let ink = Ink::Reject;
                    layers.push(Layer::Area { path, ink, strength: 0.2, hatched: false });
                }
            }
        }
        layers
    }

    /// The chance of an error by what is drawn.
    fn drawn_error(&self) -> f64 {
        let pairs =
            self.regions.iter().flat_map(|region| (0..self.curves.len()).map(move |k| (region, k)));
        let wrong = pairs.filter(|(region, class)| self.errs(*class, region));
        wrong.map(|(region, class)| area(&self.inside(class, region))).sum::<f64>() + 0.0
    }

    fn thresholds(&self) -> Vec<Layer> {
        let width = self.window[1] - self.window[0];
        let (mut layers, mut ends) = (Vec::new(), [f64::NEG_INFINITY; 3]);
        if self.is_crowded() {
            return layers;
        }
        for &x in self.shown {
            let path = Path::line(&[[x, 0.0], [x, 1.04 * self.top]]);
            layers.push(Layer::Line { path, ink: Ink::Text, stroke: Stroke::THIN });
            let text = short(x);
            let half = 0.5 * 8.0 / 400.0 * text.chars().count() as f64 * width;
            // A value goes up a line where it would touch the one before.
            let level = (0..ends.len()).find(|&i| ends[i] < x - half).unwrap_or(0);
            ends[level] = x + half;
            let at = [x, self.top * (1.03 + 0.06 * level as f64)];
            layers.push(Layer::Words { at, text, anchor: Anchor::Above, ink: Ink::Text });
        }
        layers
    }

    fn lines(&self) -> Vec<Layer> {
        let line = |(class, knots): (usize, &Vec<Knot>)| {
            let seen = seen(knots, 2e-4 * self.top);
            let (width, dash) =
                if self.is_crowded() { (1.25, Dash::Solid) } else { (2.0, dash(class)) };
            let stroke = Stroke { width, dash };
            Layer::Line { path: graph(seen), ink: Ink::Class(class), stroke }
        };
        let all = self.curves.iter().enumerate();
        all.filter(|(_, knots)| knots.iter().any(|knot| knot.y > 0.0)).map(line).collect()
    }

    fn lanes(&self) -> usize {
        if self.line.rows.is_empty() { 0 } else { self.curves.len().clamp(1, LANES) }
    }

    /// Rows as short strokes, a line for each class: as many as there are pixels.
    fn rug(&self, lanes: usize) -> Vec<Layer> {
        const PIXELS: f64 = 400.0;
        let width = self.window[1] - self.window[0];
        let kinds = (0..self.curves.len()).map(Some).chain([None]);
        let mut layers = Vec::new();
        for kind in kinds {
            let rows = self.line.rows.iter().filter(|row| row.1 == kind);
            let pixel = |x: f64| ((x - self.window[0]) / width * PIXELS).floor() as i64;
            let mut pixels: Vec<i64> = rows.map(|row| pixel(row.0)).collect();
            pixels.sort_unstable();
            pixels.dedup();
            let lane = kind.unwrap_or(0) % lanes.max(1);
            let up = -self.top * (STRIP + 0.01 + RUG * lane as f64);
            let down = up - 0.8 * RUG * self.top;
            let stroke = |pixel: &i64| {
                let x = self.window[0] + (*pixel as f64 + 0.5) / PIXELS * width;
                let segments = vec![Segment::Line { to: [x, down] }];
                Part { from: [x, up], segments, closed: false }
            };
            let path = Path { parts: pixels.iter().map(stroke).collect() };
            let ink = kind.map_or(Ink::Faint, Ink::Class);
            let stroke = Stroke { width: 1.0, dash: Dash::Solid };
            if !path.parts.is_empty() {
                layers.push(Layer::Line { path, ink, stroke });
            }
        }
        layers
    }

    /// A class by its parameters, where it is one Gaussian.
    fn named(&self, class: usize) -> String {
        let rule = &self.line.rule;
        let label = apart(rule.classes()[class].as_str());
        let prior = rounded(rule.priors()[class], 3);
        let own: Vec<_> = self.line.bells.iter().filter(|bell| bell.2 == class).collect();
        match (own[..].as_ref(), rule.mixture().is_ok_and(|m| m.laws().is_none())) {
            ([(mean, deviation, _)], true) => {
                let variance = rounded(deviation * deviation, 3);
                format!("{label}: {prior} · N({}, {variance})", rounded(*mean, 3))
            }
            _ => format!("{label}: prior {prior}"),
        }
    }

    /// The same, as long as there is room for it.
    fn key(&self, class: usize) -> String {
        match self.curves.len() {
            0..=6 => self.named(class),
            _ => apart(self.line.rule.classes()[class].as_str()),
        }
    }

    fn describe(&self, picture: &mut Picture, searched: bool, edges: usize) {
        let rule = &self.line.rule;
        let dash = |class| if self.is_crowded() { Dash::Solid } else { dash(class) };
        let sign = |class: usize| Sign::Line(Stroke { width: 2.0, dash: dash(class) });
        let (mut key, note) = class_keys(rule.classes(), |class| self.key(class), sign);
        picture.notes.extend(note);
        let risk = self.line.chances();
        let error = risk.as_ref().map_or_else(|| self.drawn_error(), |risk| risk.error_rate.value);
        let about = if risk.is_some() { "" } else { "about " };
        if edges > 0 && error > 0.0 {
            let label = format!("errors: {about}{}", short(error));
            let sign = if self.is_crowded() { Sign::Area(0.2) } else { Sign::Hatched(0.2) };
            key.push(Key { label, ink: Ink::Text, sign });
        }
        let rejects = rule.loss().actions().contains(&Action::Reject);
        let rejected = risk.as_ref().map(|risk| risk.reject_rate.value).filter(|_| rejects);
        if let Some(rejected) = rejected {
            let label = format!("rejected: {}", short(rejected));
            key.push(Key { label, ink: Ink::Reject, sign: Sign::Area(0.2) });
        }
        picture.key = key;
        let names: Vec<String> = (0..rule.classes().len()).map(|k| self.named(k)).collect();
        let mut said =
            format!("Prior times density along {}: {}.", self.line.label, listed(&names));
        let named = |region: &Region| {
            let action = rule.action_label(region.action).map_or("reject", |label| label.as_str());
            format!("{action} from {} to {}", short(region.from), short(region.to))
        };
        let regions: Vec<String> = self.regions.iter().map(named).collect();
        said.push_str(&format!(" Decisions: {}.", listed(&regions)));
        said.push_str(&format!(
            " The chance of an error is {about}{}, the area that is filled in",
            short(error)
        ));
        said.push_str(
            &rejected.map_or_else(String::new, |share| format!("; {} is rejected", short(share))),
        );
        if let Some(risk) = risk.as_ref().filter(|_| rule.loss().costs().is_some()) {
            said.push_str(&format!("; a row costs {} on average", short(risk.total.value)));
        }
        said.push('.');
        picture.description = said;
        let wrong = "Filled in: the part of each class that lies where another is said.";
        picture.caption = match (edges, rule.loss().costs()) {
            (0, _) => "One decision is best everywhere: there is no threshold.".into(),
            (_, Some(_)) => {
                format!("{wrong} Costs move the thresholds: the cheaper error gets more room.")
            }
            (_, None) => format!(
                "{wrong} Wherever a threshold is moved to, one part shrinks by less than another grows."
            ),
        };
        if searched {
            let note = "Thresholds were searched for in the window: these densities have no formula for them.";
            picture.notes.push(note.into());
        }
        if self.is_crowded() {
            let count = plural(self.shown.len(), "threshold");
            picture.notes.push(format!("{count}: where the strip changes its colour."));
        }
        let crowded = |region: &Region| {
            let high =
                |k: &usize| self.inside(*k, region).iter().any(|knot| knot.y > SEEN * self.top);
            (0..self.curves.len()).filter(|&k| self.errs(k, region)).filter(high).count() > 1
        };
        if self.regions.iter().any(crowded) {
            picture.notes.push("Where areas overlap, each counts.".into());
        }
        let silent: Vec<&str> = (0..rule.classes().len())
            .filter(|&k| rule.priors()[k] == 0.0)
            .map(|k| rule.classes()[k].as_str())
            .collect();
        if !silent.is_empty() {
            picture.notes.push(format!("Prior 0, so no curve: {}.", listed(&silent)));
        }
    }
}

/// Knots without the flat ends.
fn seen(knots: &[Knot], least: f64) -> &[Knot] {
    let first = knots.iter().position(|knot| knot.y > least).unwrap_or(0).saturating_sub(1);
    let last = knots.iter().rposition(|knot| knot.y > least).unwrap_or(0) + 1;
    &knots[first..=last.min(knots.len() - 1)]
}

/// Round values from zero to the highest.
fn marks(top: f64) -> Vec<(f64, String)> {
    let size = 10.0_f64.powf((top / 5.0).log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].map(|m| m * size).into_iter().find(|s| top / s <= 5.0);
    let step = step.unwrap_or(size);
    let count = (top / step + 1e-9).floor() as usize;
    (0..=count).map(|i| step * i as f64).map(|y| (y, short(y))).collect()
}
