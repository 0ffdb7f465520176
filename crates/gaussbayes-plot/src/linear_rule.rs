//! Draws a linear rule of two columns: w, w₀, and the signed distances of rows.

use gaussbayes::{Classifier, Table, Window};

use crate::column::members;
use crate::error::PlotError;
use crate::path::Path;
use crate::picture::{Anchor, Axis, Dash, Ink, Key, Layer, Mark, Panel, Picture, Sign, Stroke};
use crate::say::{apart, class_keys, rounded, short};
use crate::spread::{around, bells, dots, places, radius};

/// Rows whose distances are drawn.
const MEASURED: usize = 5;

/// f(x) = wᵀx + w₀ of two classes in two columns: where it is 0, its normal w, how far that is from the origin, and the
/// signed distance f(x)/‖w‖ of some rows.
///
/// # Errors
/// [`PlotError::Count`] for other than two classes and columns, [`PlotError::NotLinear`] for a rule that bends; what the
/// model and its rows refuse.
pub fn linear_rule(rule: &Classifier, rows: Option<&Table>) -> Result<Picture, PlotError> {
    for (what, found) in [("classes", rule.classes().len()), ("columns", rule.features().len())] {
        if found != 2 {
            return Err(PlotError::Count { what, expected: 2, found });
        }
    }
    let boundary = rule.boundary(0, 1)?;
    let Some(plane) = &boundary.plane else {
        return Err(PlotError::NotLinear { kind: boundary.kind.name() });
    };
    let (w, x0) = ([plane.normal[0], plane.normal[1]], [plane.point[0], plane.point[1]]);
    let norm = w[0].hypot(w[1]);
    if !(norm > 0.0 && norm.is_finite()) {
        return Err(PlotError::NotFinite { what: "the length of w", value: norm });
    }
    let line = Rule { unit: w.map(|w| w / norm), norm, x0 };
    let at = rows.map(|rows| places(rows, [0, 1])).transpose()?.unwrap_or_default();
    let bells = rule.mixture().map(|mixture| bells(mixture, [0, 1])).unwrap_or_default();
    let mut around = around(&[&at[..], &[x0]].concat(), &bells, radius(0.9))?;
    let origin = line.takes_in_origin(&mut around);
    let mut panel = Panel::new(
        Axis::new(rule.features()[0].clone(), around.low[0], around.high[0]),
        Axis::new(rule.features()[1].clone(), around.low[1], around.high[1]),
    );
    (panel.equal, panel.size) = (true, [400.0, 360.0]);
    let truth = members(rule, rows);
    for (k, &(mean, covariance)) in bells.iter().enumerate() {
        let path = Path::ellipse(mean, covariance, radius(0.9));
        panel.layers.push(Layer::Line { path, ink: Ink::Class(k), stroke: Stroke::PLAIN });
        panel.layers.push(Layer::Points { at: vec![mean], mark: Mark::Centre, ink: Ink::Class(k) });
    }
    let (layers, note) = dots(&at, &around, |i| truth[i]);
    panel.layers.extend(layers);
    panel.layers.extend(line.distances(&at, &around, origin));
    panel.layers.extend(line.drawn(&around, origin));
    let mut picture = Picture::of("A linear rule: w, w₀, distances", panel);
    let classes = rule.classes();
    let name = |k: usize| {
        format!("{}: f(x) {} 0", apart(classes[k].as_str()), if k == 0 { ">" } else { "<" })
    };
    picture.key = class_keys(classes, name, |k| Sign::Mark(Mark::Class(k))).0;
    let mut key = |label: String, width: f64, dash: Dash| {
        picture.key.push(Key { label, ink: Ink::Text, sign: Sign::Line(Stroke { width, dash }) });
    };
    key("f(x) = 0".into(), Stroke::BOUNDARY.width, Dash::Solid);
    if origin {
        let share = rounded(line.offset() / norm, 3);
        key(format!("from 0: w₀/‖w‖ = {share}"), 1.0, Dash::Dashed);
    }
    if !at.is_empty() {
        key("from rows: f(x)/‖w‖".into(), 1.0, Dash::Solid);
    }
    let said = format!(
        "f(x) = {} {} {} {} {} {}",
        term(w[0], true),
        rule.features()[0],
        term(w[1], false),
        rule.features()[1],
        if line.offset() < 0.0 { "−" } else { "+" },
        short(line.offset().abs())
    );
    picture.description = format!(
        "The line {said} = 0 parts {} from {}; its normal w = ({}, {}) has length {} and points to {}; the origin is at \
         the signed distance w₀/‖w‖ = {}.",
        classes[0],
        classes[1],
        short(w[0]),
        short(w[1]),
        short(norm),
        classes[0],
        short(line.offset() / norm)
    );
    picture.caption = format!(
        "{said}. Divided by ‖w‖ = {} it is the distance from the line, positive on the side of {}.",
        short(norm),
        classes[0]
    );
    picture.notes.extend(note);
    if !origin {
        picture.notes.push("The origin is too far away to be shown.".into());
    }
    Ok(picture)
}

fn term(w: f64, first: bool) -> String {
    match (first, w < 0.0) {
        (true, _) => rounded(w, 3),
        (false, true) => format!("− {}", rounded(-w, 3)),
        (false, false) => format!("+ {}", rounded(w, 3)),
    }
}

struct Rule {
    /// w/‖w‖.
    unit: [f64; 2],
    norm: f64,
    /// A point of the line.
    x0: [f64; 2],
}

impl Rule {
    /// f(x)/‖w‖.
    fn distance(&self, x: [f64; 2]) -> f64 {
        self.unit[0] * (x[0] - self.x0[0]) + self.unit[1] * (x[1] - self.x0[1])
    }

    /// w₀.
    fn offset(&self) -> f64 {
        self.norm * self.distance([0.0; 2])
    }

    fn foot(&self, x: [f64; 2]) -> [f64; 2] {
        let away = self.distance(x);
        [x[0] - away * self.unit[0], x[1] - away * self.unit[1]]
    }

    /// Widens a window up to twice its size so that it holds the origin and its foot.
    fn takes_in_origin(&self, window: &mut Window) -> bool {
        let mut wide = *window;
        for point in [[0.0; 2], self.foot([0.0; 2])] {
            for (j, x) in point.into_iter().enumerate() {
                let margin = 0.05 * (window.high[j] - window.low[j]);
                wide.low[j] = wide.low[j].min(x - margin);
                wide.high[j] = wide.high[j].max(x + margin);
            }
        }
        let fits =
            (0..2).all(|j| wide.high[j] - wide.low[j] <= 2.0 * (window.high[j] - window.low[j]));
        if fits {
            *window = wide;
        }
        fits
    }

    fn drawn(&self, window: &Window, origin: bool) -> Vec<Layer> {
        let size = (0..2).map(|j| window.high[j] - window.low[j]).fold(0.0, f64::max);
        let middle = [0, 1].map(|j| 0.5 * (window.low[j] + window.high[j]));
        let base = self.foot(middle);
        let path = Path::line(&[self.beside(base, -2.0 * size), self.beside(base, 2.0 * size)]);
        let mut layers = vec![Layer::Line { path, ink: Ink::Text, stroke: Stroke::BOUNDARY }];
        if origin {
            let path = Path::line(&[[0.0; 2], self.foot([0.0; 2])]);
            layers.push(Layer::Line { path, ink: Ink::Text, stroke: Stroke::THIN });
            layers.push(Layer::Points { at: vec![[0.0; 2]], mark: Mark::Dot, ink: Ink::Text });
            let (text, anchor) = ("0".into(), Anchor::Below);
            layers.push(Layer::Words { at: [0.0; 2], text, anchor, ink: Ink::Text });
        }
        // Only the direction of the arrow is w's: it is as long as there is room for.
        let Some([low, high]) = self.visible(base, window) else { return layers };
        let from = self.beside(base, low + 0.85 * (high - low));
        let room = self.room(from, window);
        let length = (0.8 * room).min(0.18 * size);
        let to = [from[0] + length * self.unit[0], from[1] + length * self.unit[1]];
        layers.push(Layer::Arrow { from, to, ink: Ink::Text });
        let anchor = if self.unit[0] < 0.0 { Anchor::Left } else { Anchor::Right };
        layers.push(Layer::Words { at: to, text: "w".into(), anchor, ink: Ink::Text });
        layers
    }

    /// Where the line enters and leaves a window, measured from one of its points.
    fn visible(&self, base: [f64; 2], window: &Window) -> Option<[f64; 2]> {
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for (j, way) in [-self.unit[1], self.unit[0]].into_iter().enumerate() {
            if way != 0.0 {
                let ends = [window.low[j], window.high[j]].map(|end| (end - base[j]) / way);
                low = low.max(ends[0].min(ends[1]));
                high = high.min(ends[0].max(ends[1]));
            }
        }
        (low < high && (high - low).is_finite()).then_some([low, high])
    }

    /// How far w can go from a point before it leaves a window.
    fn room(&self, from: [f64; 2], window: &Window) -> f64 {
        let side = |j: usize| {
            let end = if self.unit[j] > 0.0 { window.high[j] } else { window.low[j] };
            if self.unit[j] == 0.0 { f64::INFINITY } else { (end - from[j]) / self.unit[j] }
        };
        side(0).min(side(1)).max(0.0)
    }

    /// So far along the line.
    fn beside(&self, x: [f64; 2], by: f64) -> [f64; 2] {
        [x[0] - by * self.unit[1], x[1] + by * self.unit[0]]
    }

    /// Distances of some rows: of stretches along the line, the row that is farthest from it.
    fn distances(&self, at: &[[f64; 2]], window: &Window, origin: bool) -> Vec<Layer> {
        let along = |x: &[f64; 2]| self.unit[0] * x[1] - self.unit[1] * x[0];
        let ends = at
            .iter()
            .map(along)
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], t| [low.min(t), high.max(t)]);
        let stretch = |x: &[f64; 2]| {
            let share = (along(x) - ends[0]) / (ends[1] - ends[0]);
            ((share * MEASURED as f64) as usize).min(MEASURED - 1)
        };
        let size = window.high[0] - window.low[0];
        let gap = 0.12 * (ends[1] - ends[0]);
        let mut taken: Vec<f64> = origin.then(|| along(&[0.0; 2])).into_iter().collect();
        let mut layers = Vec::new();
        for i in 0..MEASURED {
            // Neither beside another distance nor where the origin is named.
            let clear = |x: &[f64; 2]| !origin || x[0].hypot(x[1]) > 0.15 * size;
            let apart =
                |x: &&[f64; 2]| clear(x) && taken.iter().all(|t| (along(x) - t).abs() > gap);
            let own = at.iter().filter(|x| stretch(x) == i).filter(apart);
            let far = |x: &&[f64; 2]| self.distance(**x).abs();
            let Some(&x) = own.max_by(|a, b| far(a).total_cmp(&far(b))) else { continue };
            taken.push(along(&x));
            let stroke = Stroke { width: 1.0, ..Stroke::PLAIN };
            let path = Path::line(&[x, self.foot(x)]);
            layers.push(Layer::Line { path, ink: Ink::Text, stroke });
            let away = self.distance(x);
            // Beyond the row, as seen from the line.
            let right = away * self.unit[0] > 0.0;
            let anchor = if right { Anchor::Right } else { Anchor::Left };
            let at = [x[0] + 0.012 * size * if right { 1.0 } else { -1.0 }, x[1]];
            layers.push(Layer::Words { at, text: rounded(away, 2), anchor, ink: Ink::Text });
        }
        layers
    }
}
