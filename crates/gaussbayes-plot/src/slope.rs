//! Draws the graph of a smooth function by few pieces of parabolas.

use crate::path::{Part, Path, Segment};

/// A function at a place: its value and its slope.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Knot {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) slope: f64,
}

/// The way from one knot to the next: a parabola with both values and slopes, or a line where the function turns
/// from bending one way to the other.
fn piece(from: Knot, to: Knot) -> Segment {
    let end = [to.x, to.y];
    let x = (to.y - from.y + from.slope * from.x - to.slope * to.x) / (from.slope - to.slope);
    if from.x < x && x < to.x {
        let control = [x, from.y + from.slope * (x - from.x)];
        return Segment::Conic { control, weight: 1.0, to: end };
    }
    Segment::Line { to: end }
}

/// The graph through knots that go from left to right.
pub(crate) fn graph(knots: &[Knot]) -> Path {
    let Some(first) = knots.first() else { return Path::default() };
    let segments = knots.windows(2).map(|pair| piece(pair[0], pair[1])).collect();
    Path { parts: vec![Part { from: [first.x, first.y], segments, closed: false }] }
}

/// What is between the graph and zero.
pub(crate) fn under(knots: &[Knot]) -> Path {
    let (Some(first), Some(last)) = (knots.first(), knots.last()) else { return Path::default() };
    let mut segments = vec![Segment::Line { to: [first.x, first.y] }];
    segments.extend(knots.windows(2).map(|pair| piece(pair[0], pair[1])));
    segments.push(Segment::Line { to: [last.x, 0.0] });
    Path { parts: vec![Part { from: [first.x, 0.0], segments, closed: true }] }
}

/// The area between a graph and zero: a parabola of control c from a to b holds what the triangle a, c, b has, by two
/// thirds, beside the trapezium.
pub(crate) fn area(knots: &[Knot]) -> f64 {
    let of = |pair: &[Knot]| {
        let (from, to) = (pair[0], pair[1]);
        let trapezium = 0.5 * (from.y + to.y) * (to.x - from.x);
        match piece(from, to) {
            Segment::Line { .. } => trapezium,
            Segment::Conic { control: [x, y], .. } => {
                let cross = (to.x - from.x) * (y - from.y) - (x - from.x) * (to.y - from.y);
                trapezium + cross / 3.0
            }
        }
    };
    knots.windows(2).map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bell_is_drawn_to_its_last_pixel() {
        let bell = |x: f64| (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
        let knot = |i: i32| {
            let x = 0.5 * f64::from(i);
            Knot { x, y: bell(x), slope: -x * bell(x) }
        };
        let knots: Vec<Knot> = (-8..=8).map(knot).collect();
        assert!((area(&knots) - 1.0).abs() < 2e-4, "{}", area(&knots));
        let parts = graph(&knots).parts;
        let conics = |s: &&Segment| matches!(s, Segment::Conic { .. });
        assert_eq!(parts[0].segments.iter().filter(conics).count(), 16);
    }
}
