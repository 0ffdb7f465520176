//! Writes paths in pixels, without numbers so large that readers of SVG lose digits.

use super::conic::Conic;
use super::plan::Field;
use super::write::place;
use crate::path::{Part, Path, Segment};

/// Pixels from the origin beyond which nothing is drawn: single precision holds a hundredth there.
const FAR: f64 = 2e4;

/// Halvings of a piece of a conic that reaches beyond, at most.
const HALVINGS: usize = 24;

/// The commands of a path.
pub(super) fn commands(path: &Path, field: &Field) -> String {
    let mut pen = Pen::default();
    for part in &path.parts {
        pen.part(part, field);
    }
    pen.out
}

/// What was written, and where it ended.
#[derive(Debug, Default)]
struct Pen {
    out: String,
    at: Option<[f64; 2]>,
    straight: bool,
}

impl Pen {
    fn part(&mut self, part: &Part, field: &Field) {
        let pixels = |place: [f64; 2]| {
            let at = field.at(place);
            at.iter().all(|value| value.is_finite()).then_some(at)
        };
        self.at = None;
        let mut last = pixels(part.from);
        for segment in &part.segments {
            let (Segment::Line { to } | Segment::Conic { to, .. }) = *segment;
            let to = pixels(to);
            match (last, to, segment) {
                (Some(from), Some(to), Segment::Conic { control, weight, .. })
                    if *weight > 0.0 && pixels(*control).is_some() =>
                {
                    let points = [from, field.at(*control), to];
                    self.conic(Conic { points, weight: *weight }, 0);
                }
                (Some(from), Some(to), _) => self.line(from, to),
                // What is not finite is a gap.
                _ => self.at = None,
            }
            last = to;
        }
        if part.closed && self.at.is_some() {
            self.out.push('Z');
        }
    }

    /// Moves to a place, by a line where something was drawn before.
    fn go(&mut self, to: [f64; 2]) {
        let text = place(to);
        match self.at {
            Some(at) if place(at) == text => return,
            None => {
                self.out.push('M');
                self.straight = false;
            }
            Some(_) if !self.straight => {
                self.out.push('L');
                self.straight = true;
            }
            Some(_) if text.starts_with('-') => {}
            Some(_) => self.out.push(' '),
        }
        self.out += &text;
        self.at = Some(to);
    }

    fn line(&mut self, from: [f64; 2], to: [f64; 2]) {
        let [from, to] = near(from, to);
        self.go(from);
        self.go(to);
    }

    fn conic(&mut self, conic: Conic, depth: usize) {
        let [from, _, to] = conic.points;
        let within = conic.points.as_flattened().iter().all(|value| value.abs() <= FAR);
        // A piece lies within the triangle of its points.
        let beside = (0..2).any(|i| {
            conic.points.iter().all(|point| point[i] > FAR)
                || conic.points.iter().all(|point| point[i] < -FAR)
        });
        if within {
            self.go(from);
            self.out += &conic.commands();
            (self.at, self.straight) = (Some(to), false);
        } else if beside || depth == HALVINGS {
            self.line(from, to);
        } else {
            conic.halves().into_iter().for_each(|half| self.conic(half, depth + 1));
        }
    }
}

/// The part of a line that is not too far, or a line along the edge where there is none.
fn near(from: [f64; 2], to: [f64; 2]) -> [[f64; 2]; 2] {
    let [mut first, mut last] = [0.0_f64, 1.0_f64];
    for i in 0..2 {
        let way = to[i] - from[i];
        for (sign, room) in [(-1.0, FAR + from[i]), (1.0, FAR - from[i])] {
            let speed = sign * way;
            if speed < 0.0 {
                first = first.max(room / speed);
            } else if speed > 0.0 {
                last = last.min(room / speed);
            } else if room < 0.0 {
                last = -1.0;
            }
        }
    }
    let at = |share: f64| [0, 1].map(|i| (from[i] + share * (to[i] - from[i])).clamp(-FAR, FAR));
    match (first <= last, first, last) {
        (true, 0.0, 1.0) => [from, to],
        (true, ..) => [at(first), at(last)],
        _ => [from, to].map(|end| end.map(|value| value.clamp(-FAR, FAR))),
    }
}
