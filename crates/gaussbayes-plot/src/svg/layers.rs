//! Draws the layers of a panel, cut at its edges.

use std::ops::Range;

use super::plan::{Plan, WORDS, around};
use super::write::{Line, number, place};
use super::{marks, shade, shape, write};
use crate::ink::{Theme, class_name, dashes};
use crate::picture::{Anchor, Ink, Layer, Stroke};

/// Points of a panel beyond which signs are small.
const CROWD: usize = 1500;

/// Pixels of a field below which signs are small.
const NARROW: f64 = 240.0;

/// What layers share: the picture's id, the paper, and the number of the panel.
#[derive(Debug, Clone, Copy)]
pub(super) struct Press<'a> {
    /// Begins every id.
    pub(super) id: &'a str,
    /// The paper.
    pub(super) theme: Theme,
}

/// Some layers of a panel, from the back to the front.
pub(super) fn layers(plan: &Plan, some: Range<usize>, number: usize, press: Press) -> String {
    let field = &plan.field;
    let mut out = String::new();
    let mut cut = None;
    let small = crowded(plan);
    for layer in &plan.panel.layers[some] {
        let cuts = cuts(layer);
        if cuts != cut {
            out += cut.map_or("", |_| "</g>\n");
            let open = |edge| format!("<g clip-path=\"url(#{}-{edge}-{number})\">\n", press.id);
            out += &cuts.map_or(String::new(), open);
            cut = cuts;
        }
        out += &match layer {
            Layer::Area { path, ink, strength, hatched } => {
                area(&shape::commands(path, field), *ink, *strength, *hatched, press)
            }
            Layer::Line { path, ink, stroke } => line(&shape::commands(path, field), *ink, *stroke),
            Layer::Points { at, mark, ink } => {
                let seen = at.iter().filter(|&&place| field.holds(place));
                let places: Vec<[f64; 2]> = seen.map(|&place| field.at(place)).collect();
                marks::points(&places, *mark, *ink, small)
            }
            Layer::Shade(shading) => shade::shade(shading, field, press.theme),
            Layer::Words { at, text, anchor, ink } => words(plan, *at, text, *anchor, *ink),
            Layer::Arrow { from, to, ink } => arrow(field.at(*from), field.at(*to), *ink),
        };
    }
    out + cut.map_or("", |_| "</g>\n")
}

/// The edges at which layers of a panel are cut: lines along an axis keep their whole width.
pub(super) fn edges(plan: &Plan, number: usize, press: Press) -> String {
    let field = &plan.field;
    let edge = |(name, hem): (&str, f64)| {
        let used = plan.panel.layers.iter().any(|layer| cuts(layer) == Some(name));
        let [x, y] = field.corner.map(|value| write::number(value - hem));
        let [width, height] = field.size.map(|value| write::number(value + 2.0 * hem));
        let edge = format!(
            "<clipPath id=\"{}-{name}-{number}\"><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/></clipPath>\n",
            press.id
        );
        if used { edge } else { String::new() }
    };
    [("cut", 0.0), ("hem", 1.0)].map(edge).concat()
}

/// Where a layer is cut.
fn cuts(layer: &Layer) -> Option<&'static str> {
    match layer {
        Layer::Area { .. } | Layer::Shade(_) => Some("cut"),
        Layer::Line { .. } => Some("hem"),
        _ => None,
    }
}

fn crowded(plan: &Plan) -> bool {
    let count = |layer: &Layer| match layer {
        Layer::Points { at, .. } => at.len(),
        _ => 0,
    };
    plan.panel.layers.iter().map(count).sum::<usize>() > CROWD || plan.field.size[0] < NARROW
}

/// An area of an outline.
pub(super) fn area(d: &str, ink: Ink, strength: f64, hatched: bool, press: Press) -> String {
    if d.is_empty() {
        return String::new();
    }
    let class = class_name(ink);
    let mut out = format!(
        "<path class=\"{class}\" d=\"{d}\" fill=\"currentColor\" fill-opacity=\"{}\" fill-rule=\"evenodd\"/>\n",
        number(strength.clamp(0.0, 1.0))
    );
    if hatched {
        out += &format!(
            "<path d=\"{d}\" fill=\"url(#{}-hatch-{class})\" fill-rule=\"evenodd\"/>\n",
            press.id
        );
    }
    out
}

/// The lines across areas of an ink.
pub(super) fn hatch(ink: Ink, press: Press) -> String {
    let class = class_name(ink);
    let turn = match ink {
        Ink::Class(class) => [45, 135, 0, 90][class % 4],
        Ink::Alarm => 135,
        _ => 45,
    };
    format!(
        "<pattern id=\"{}-hatch-{class}\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate({turn})\"><path class=\"{class}\" d=\"M0 3.5H7\" stroke=\"currentColor\" stroke-opacity=\".6\"/></pattern>\n",
        press.id
    )
}

/// A line of an outline.
pub(super) fn line(d: &str, ink: Ink, stroke: Stroke) -> String {
    if d.is_empty() {
        return String::new();
    }
    let dash = dashes(stroke.dash, stroke.width).map_or(String::new(), |[on, off]| {
        let cap = if on < 1.0 { " stroke-linecap=\"round\"" } else { "" };
        format!(" stroke-dasharray=\"{} {}\"{cap}", number(on), number(off))
    });
    format!(
        "<path class=\"{} gb-line\" d=\"{d}\" stroke-width=\"{}\"{dash}/>\n",
        class_name(ink),
        number(stroke.width)
    )
}

fn words(plan: &Plan, at: [f64; 2], text: &str, anchor: Anchor, ink: Ink) -> String {
    let field = &plan.field;
    if text.is_empty() || !plan.bare() && !field.holds(at) {
        return String::new();
    }
    let [mut left, mut top, right, bottom] = around(field.at(at), text, anchor);
    let [width, height] = [right - left, bottom - top];
    if !plan.bare() {
        // Words end inside even where their place is at an edge.
        let inside = |from: f64, length: f64, i: usize| {
            let (low, high) = (field.corner[i] + 3.0, field.corner[i] + field.size[i] - 3.0);
            if length > high - low { from } else { from.clamp(low, high - length) }
        };
        (left, top) = (inside(left, width, 0), inside(top, height, 1));
    }
    // A reader's font may be wider or narrower: what is near the place stays there.
    let (anchor, x) = match anchor {
        Anchor::Right => ("start", left),
        Anchor::Left => ("end", left + width),
        _ => ("middle", left + width / 2.0),
    };
    let more = format!(" class=\"{} gb-halo\"", class_name(ink));
    let at = [x, top + WORDS * 0.86];
    Line { at, size: WORDS, anchor, more, text, full: None }.svg()
}

fn arrow(from: [f64; 2], to: [f64; 2], ink: Ink) -> String {
    let [x, y] = [0, 1].map(|i| to[i] - from[i]);
    let length = x.hypot(y);
    if !(length.is_finite() && length > 0.0) {
        return String::new();
    }
    let head = length.min(9.0);
    let (along, aside) = ([x / length, y / length], [-y / length, x / length]);
    let back = |share: f64, off: f64| {
        [0, 1].map(|i| to[i] - along[i] * head * share + aside[i] * head * off)
    };
    let class = class_name(ink);
    format!(
        "<path class=\"{class} gb-line\" d=\"M{}L{}\" stroke-width=\"1.6\"/>\n<path class=\"{class}\" d=\"M{}L{} {} {}Z\" fill=\"currentColor\"/>\n",
        place(from),
        place(back(0.8, 0.0)),
        place(to),
        place(back(1.0, 0.4)),
        place(back(0.8, 0.0)),
        place(back(1.0, -0.4))
    )
}
