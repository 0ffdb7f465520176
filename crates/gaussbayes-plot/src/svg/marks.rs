//! Draws points: all of a layer in one path, each a few letters long.

use super::write::{decimals, number};
use crate::ink::{SHAPES, class_name};
use crate::picture::{Ink, Mark};

/// Centres that stand out from what is behind them, at most.
const FEW: usize = 200;

/// How a sign is drawn, in tenths of a pixel from its place.
struct Shape {
    /// Where its path begins.
    start: [i64; 2],
    /// The commands, relative.
    commands: &'static str,
    /// Where they end, from where they begin.
    end: [i64; 2],
    /// Pixels of the line; none where it is filled.
    line: Option<f64>,
}

/// Signs of a class by its number: circle, triangle, square, diamond, plus, cross, triangle downward.
fn of_class(class: usize, small: bool) -> Shape {
    let filled = |x, y, commands| Shape { start: [x, y], commands, end: [0, 0], line: None };
    let drawn = |start, commands, end| Shape {
        start,
        commands,
        end,
        line: Some(if small { 1.3 } else { 1.7 }),
    };
    match (class % SHAPES, small) {
        (0, false) => filled(-30, 0, "a3 3 0 1 1 0 .1z"),
        (0, true) => filled(-20, 0, "a2 2 0 1 1 0 .1z"),
        (1, false) => filled(0, -42, "l4 7h-8z"),
        (1, true) => filled(0, -30, "l3 5h-6z"),
        (2, false) => filled(-26, -26, "h5.2v5.2h-5.2z"),
        (2, true) => filled(-20, -20, "h4v4h-4z"),
        (3, false) => filled(0, -40, "l4 4-4 4-4-4z"),
        (3, true) => filled(0, -30, "l3 3-3 3-3-3z"),
        (4, false) => drawn([-40, 0], "h8m-4-4v8", [40, 40]),
        (4, true) => drawn([-30, 0], "h6m-3-3v6", [30, 30]),
        (5, false) => drawn([-30, -30], "l6 6m-6 0l6-6", [60, 0]),
        (5, true) => drawn([-20, -20], "l4 4m-4 0l4-4", [40, 0]),
        (_, false) => filled(0, 42, "l4-7h-8z"),
        (_, true) => filled(0, 30, "l3-5h-6z"),
    }
}

/// One path of a sign at each of the places, in pixels.
pub(super) fn points(places: &[[f64; 2]], mark: Mark, ink: Ink, small: bool) -> String {
    if places.is_empty() {
        return String::new();
    }
    let class = class_name(ink);
    match mark {
        Mark::Class(number) => {
            let shape = of_class(number, small);
            let d = path(places, &shape);
            match shape.line {
                None => {
                    let edge = if small { "gb-edge gb-fine" } else { "gb-edge" };
                    format!("<path class=\"{class} {edge}\" d=\"{d}\"/>\n")
                }
                Some(width) => stroked(&class, &d, width, ""),
            }
        }
        Mark::Dot => {
            let shape = Shape { start: [0, 0], commands: "h.1", end: [1, 0], line: None };
            let width = if small { 2.0 } else { 2.8 };
            stroked(&class, &path(places, &shape), width, " stroke-linecap=\"round\"")
        }
        Mark::Centre => {
            let plus = |start: i64, commands| Shape {
                start: [start, 0],
                commands,
                end: [-start, -start],
                line: None,
            };
            let shape = if small { plus(-40, "h8m-4-4v8") } else { plus(-50, "h10m-5-5v10") };
            let d = path(places, &shape);
            let cap = " stroke-linecap=\"round\"";
            let few = places.len() <= FEW;
            let halo = if few {
                stroked("gb-paper", &d, if small { 4.0 } else { 5.0 }, cap)
            } else {
                String::new()
            };
            halo + &stroked(&class, &d, if small { 1.8 } else { 2.2 }, cap)
        }
        Mark::Ring => {
            let shape =
                Shape { start: [-70, 0], commands: "a7 7 0 1 1 0 .1z", end: [0, 0], line: None };
            stroked(&class, &path(places, &shape), 1.6, "")
        }
    }
}

fn stroked(class: &str, d: &str, width: f64, more: &str) -> String {
    let width = number(width);
    format!("<path class=\"{class} gb-line\" d=\"{d}\" stroke-width=\"{width}\"{more}/>\n")
}

/// The commands of a sign at each place; places to a tenth of a pixel, and each once.
fn path(places: &[[f64; 2]], shape: &Shape) -> String {
    let tenths = places.iter().map(|place| place.map(|value| (value * 10.0).round() as i64));
    let mut tenths: Vec<[i64; 2]> = tenths.collect();
    // Neighbours one after the other: the way between them is short to write.
    tenths.sort_unstable();
    tenths.dedup();
    let mut out = String::new();
    let mut last: Option<[i64; 2]> = None;
    for place in tenths {
        let start = [0, 1].map(|i| place[i] + shape.start[i]);
        let from = last.unwrap_or([0, 0]);
        let [x, y] = [0, 1].map(|i| decimals((start[i] - from[i]) as f64 / 10.0, 1));
        out.push(if last.is_none() { 'M' } else { 'm' });
        out += &x;
        if !y.starts_with('-') {
            out.push(' ');
        }
        out += &y;
        out += shape.commands;
        last = Some([0, 1].map(|i| start[i] + shape.end[i]));
    }
    out
}
