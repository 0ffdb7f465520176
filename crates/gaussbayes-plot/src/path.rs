//! Holds lines and pieces of conics in one form that any change of axes leaves exact.

use gaussbayes::{Arc, Piece};

/// How often an arc is halved before it is drawn as it is.
const HALVINGS: u32 = 12;

/// Weights of conics that turn by no more than 120°, and whose control is not far out.
const TAME: std::ops::RangeInclusive<f64> = 0.5..=3.0;

/// How often a chord is halved: 2¹² pieces are finer than any paper.
const CHORD_HALVINGS: u32 = 12;

/// Parts, each connected.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Path {
    /// The parts.
    pub parts: Vec<Part>,
}

/// A connected part of a path.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Where it begins.
    pub from: [f64; 2],
    /// What follows.
    pub segments: Vec<Segment>,
    /// Whether it ends where it begins.
    pub closed: bool,
}

/// A way from the last point to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Segment {
    /// Straight.
    Line {
        /// The end.
        to: [f64; 2],
    },
    /// (P₀(1−t)² + 2wP₁t(1−t) + P₂t²)/((1−t)² + 2wt(1−t) + t²): a piece of an ellipse for a weight
    /// below 1, of a parabola for 1, of a hyperbola above.
    Conic {
        /// P₁, where the tangents of both ends meet.
        control: [f64; 2],
        /// w, positive.
        weight: f64,
        /// P₂.
        to: [f64; 2],
    },
}

impl Segment {
    /// Where it ends.
    pub fn end(&self) -> [f64; 2] {
        match self {
            Self::Line { to } | Self::Conic { to, .. } => *to,
        }
    }

    /// The same way back, to where it began.
    pub(crate) fn back(&self, from: [f64; 2]) -> Self {
        match *self {
            Self::Line { .. } => Self::Line { to: from },
            Self::Conic { control, weight, .. } => Self::Conic { control, weight, to: from },
        }
    }

    /// The same with its points mapped.
    fn mapped(&self, f: &impl Fn([f64; 2]) -> [f64; 2]) -> Self {
        match *self {
            Self::Line { to } => Self::Line { to: f(to) },
            Self::Conic { control, weight, to } => {
                Self::Conic { control: f(control), weight, to: f(to) }
            }
        }
    }

    /// Adds points, the end included, whose chords are off by at most `tolerance`.
    pub(crate) fn flatten(&self, from: [f64; 2], tolerance: f64, points: &mut Vec<[f64; 2]>) {
        match *self {
            Self::Line { to } => points.push(to),
            Self::Conic { control, weight, to } => {
                halve([from, control, to], weight, tolerance, CHORD_HALVINGS, points);
            }
        }
    }
}

/// The farthest that a conic is from its chord is w/(1 + w) of what its control is \[M89\].
fn halve(
    [from, control, to]: [[f64; 2]; 3],
    weight: f64,
    tolerance: f64,
    left: u32,
    points: &mut Vec<[f64; 2]>,
) {
    let way = [to[0] - from[0], to[1] - from[1]];
    let off = [control[0] - from[0], control[1] - from[1]];
    let length = way[0].hypot(way[1]);
    let away = if length > 0.0 {
        (way[0] * off[1] - way[1] * off[0]).abs() / length
    } else {
        off[0].hypot(off[1])
    };
    if left == 0 || weight / (1.0 + weight) * away <= tolerance {
        points.push(to);
        return;
    }
    // Shares, not sums, so that no digits are lost far from zero.
    let share = weight / (1.0 + weight);
    let first = [0, 1].map(|j| from[j] + share * (control[j] - from[j]));
    let second = [0, 1].map(|j| to[j] + share * (control[j] - to[j]));
    let middle = [0, 1].map(|j| first[j] + 0.5 * (second[j] - first[j]));
    let weight = (0.5 * (1.0 + weight)).sqrt();
    halve([from, first, middle], weight, tolerance, left - 1, points);
    halve([middle, second, to], weight, tolerance, left - 1, points);
}

impl Path {
    /// Straight lines from point to point.
    pub fn line(points: &[[f64; 2]]) -> Self {
        Self::through(points, false)
    }

    /// Straight lines from point to point and back to the first.
    pub fn polygon(points: &[[f64; 2]]) -> Self {
        Self::through(points, true)
    }

    fn through(points: &[[f64; 2]], closed: bool) -> Self {
        let Some((&from, rest)) = points.split_first() else {
            return Self::default();
        };
        let segments = rest.iter().map(|&to| Segment::Line { to }).collect();
        Self { parts: vec![Part { from, segments, closed }] }
    }

    /// A piece of a conic, exactly \[M89\].
    pub fn of_arc(arc: &Arc) -> Self {
        let from = arc.at(arc.from);
        let mut segments = Vec::new();
        let flat = arc.denominator[1] == 0.0 && arc.denominator[2] == 0.0;
        if arc.from == arc.to {
            // A point: nothing follows.
        } else if flat && arc.numerator.iter().all(|numerator| numerator[2] == 0.0) {
            segments.push(Segment::Line { to: arc.at(arc.to) });
        } else {
            conics(arc, arc.from, arc.to, HALVINGS, &mut segments);
        }
        Self { parts: vec![Part { from, segments, closed: false }] }
    }

    /// A connected part of a curve: exact, or from point to point as it was traced.
    pub fn of_piece(piece: &Piece) -> Self {
        match piece {
            Piece::Exact(arc) => Self::of_arc(arc),
            Piece::Traced(points) => Self::line(points),
        }
    }

    /// The ellipse at a Mahalanobis distance `radius` of a mean, as four conics of weight cos 45°.
    ///
    /// The covariance by its lower triangle (s₁₁, s₂₁, s₂₂); without an inverse it is a stroke or a point.
    pub fn ellipse(mean: [f64; 2], covariance: [f64; 3], radius: f64) -> Self {
        let a = covariance[0].max(0.0).sqrt();
        let b = if a > 0.0 { covariance[1] / a } else { 0.0 };
        let c = (covariance[2] - b * b).max(0.0).sqrt();
        let at = |x: f64, y: f64| [mean[0] + radius * (a * x), mean[1] + radius * (b * x + c * y)];
        let weight = std::f64::consts::FRAC_1_SQRT_2;
        let quarter = |control: (f64, f64), to: (f64, f64)| Segment::Conic {
            control: at(control.0, control.1),
            weight,
            to: at(to.0, to.1),
        };
        let segments = vec![
            quarter((1.0, 1.0), (0.0, 1.0)),
            quarter((-1.0, 1.0), (-1.0, 0.0)),
            quarter((-1.0, -1.0), (0.0, -1.0)),
            quarter((1.0, -1.0), (1.0, 0.0)),
        ];
        Self { parts: vec![Part { from: at(1.0, 0.0), segments, closed: true }] }
    }

    /// The same path after an affine change of axes, which leaves it exact.
    pub fn mapped(&self, f: impl Fn([f64; 2]) -> [f64; 2]) -> Self {
        let part = |part: &Part| Part {
            from: f(part.from),
            segments: part.segments.iter().map(|segment| segment.mapped(&f)).collect(),
            closed: part.closed,
        };
        Self { parts: self.parts.iter().map(part).collect() }
    }

    /// Points of every part whose chords are off by at most `tolerance`.
    pub fn flattened(&self, tolerance: f64) -> Vec<Vec<[f64; 2]>> {
        self.parts.iter().map(|part| part.flattened(tolerance)).collect()
    }
}

impl Part {
    /// Points whose chords are off by at most `tolerance`, from the first to the last.
    pub(crate) fn flattened(&self, tolerance: f64) -> Vec<[f64; 2]> {
        let mut points = vec![self.from];
        let mut from = self.from;
        for segment in &self.segments {
            segment.flatten(from, tolerance, &mut points);
            from = segment.end();
        }
        points
    }
}

/// The polar form of a polynomial of second degree.
fn polar(p: &[f64; 3], u: f64, v: f64) -> f64 {
    p[0] + p[1] * (0.5 * (u + v)) + p[2] * (u * v)
}

/// An arc between two arguments as conics of tame weights: cos 60° and more, so that none turns far.
fn conics(arc: &Arc, a: f64, b: f64, left: u32, segments: &mut Vec<Segment>) {
    let weights = [(a, a), (a, b), (b, b)].map(|(u, v)| polar(&arc.denominator, u, v));
    let weight = weights[1] / (weights[0] * weights[2]).sqrt();
    // The argument of the shoulder, where both halves weigh the same.
    let (low, high) = (weights[0].sqrt(), weights[2].sqrt());
    let middle = a + (b - a) * (low / (low + high));
    if !TAME.contains(&weight) && left > 0 && a < middle && middle < b {
        conics(arc, a, middle, left - 1, segments);
        conics(arc, middle, b, left - 1, segments);
        return;
    }
    let to = arc.at(b);
    let control = [0, 1].map(|j| arc.origin[j] + polar(&arc.numerator[j], a, b) / weights[1]);
    let known = weight > 0.0 && weight.is_finite() && control.iter().all(|x| x.is_finite());
    segments.push(if known {
        Segment::Conic { control, weight, to }
    } else {
        Segment::Line { to }
    });
}
