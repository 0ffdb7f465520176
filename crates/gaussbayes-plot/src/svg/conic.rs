//! Writes pieces of conics in pixels: arcs of ellipses, cubics to a hundredth of a pixel otherwise.

use super::write::{decimals, joined, number, place};

/// Pixels by which a cubic may differ from its conic.
const CLOSE: f64 = 0.01;

/// Halvings of a piece, at most: the weight is 1 to rounding long before.
const HALVINGS: usize = 12;

/// Half axes beyond which an arc hangs on digits that are not written.
const LARGEST: f64 = 5e3;

/// A piece of a conic in pixels, as a rational quadratic curve.
#[derive(Debug, Clone, Copy)]
pub(super) struct Conic {
    /// Both ends and, between them, where their tangents meet.
    pub(super) points: [[f64; 2]; 3],
    /// The weight of the point between.
    pub(super) weight: f64,
}

impl Conic {
    /// The commands that follow the first point.
    pub(super) fn commands(self) -> String {
        if self.weight == 1.0 {
            return format!("Q{} {}", place(self.points[1]), place(self.points[2]));
        }
        self.arc().unwrap_or_else(|| self.cubics(0))
    }

    fn at(self, t: f64) -> [f64; 2] {
        let weights = [(1.0 - t) * (1.0 - t), 2.0 * self.weight * t * (1.0 - t), t * t];
        let sum: f64 = weights.iter().sum();
        [0, 1].map(|i| weights.iter().zip(self.points).map(|(w, p)| w * p[i]).sum::<f64>() / sum)
    }

    /// Both halves, whose weights are nearer to 1.
    pub(super) fn halves(self) -> [Self; 2] {
        let [a, b, c] = self.points;
        let w = self.weight;
        let mixed = |p: [f64; 2], q: [f64; 2]| [0, 1].map(|i| (p[i] + w * q[i]) / (1.0 + w));
        let (left, right, middle) = (mixed(a, b), mixed(c, b), self.at(0.5));
        let weight = f64::midpoint(1.0, w).sqrt();
        [[a, left, middle], [middle, right, c]].map(|points| Self { points, weight })
    }

    fn cubics(self, depth: usize) -> String {
        let [a, b, c] = self.points;
        let share = 4.0 * self.weight / (3.0 * (1.0 + self.weight));
        let toward = |p: [f64; 2]| [0, 1].map(|i| p[i] + share * (b[i] - p[i]));
        let (first, second) = (toward(a), toward(c));
        let cubic = |t: f64| {
            let s = 1.0 - t;
            [0, 1].map(|i| {
                s * s * s * a[i] + 3.0 * s * t * (s * first[i] + t * second[i]) + t * t * t * c[i]
            })
        };
        let apart = |t: f64| {
            let (p, q) = (cubic(t), self.at(t));
            (p[0] - q[0]).hypot(p[1] - q[1])
        };
        let differs =
            [0.125, 0.25, 0.375, 0.625, 0.75, 0.875].into_iter().any(|t| apart(t) > CLOSE);
        if differs && depth < HALVINGS {
            return self.halves().map(|half| half.cubics(depth + 1)).concat();
        }
        format!("C{} {} {}", place(first), place(second), place(c))
    }

    /// The piece as elliptical arcs, where rounded numbers give it back.
    fn arc(self) -> Option<String> {
        if self.weight >= 1.0 {
            return None;
        }
        // The centre of an arc near half an ellipse hangs on the last digit of its half axes.
        if self.weight < 0.5 {
            let [first, second] = self.halves();
            return Some(first.arc()? + &second.arc()?);
        }
        let [a, b, c] = self.points;
        let middle = [0, 1].map(|i| f64::midpoint(a[i], c[i]));
        let square = 1.0 - self.weight * self.weight;
        // Half diameters that are conjugate: the images of the axes of a circle.
        let u = [0, 1].map(|i| (c[i] - a[i]) / 2.0 / square.sqrt());
        let v = [0, 1].map(|i| (b[i] - middle[i]) * self.weight / square);
        let (radii, turn) = axes(u, v);
        let cross = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
        let sweep = cross > 0.0;
        let [short, long] = [radii[0].min(radii[1]), radii[0].max(radii[1])];
        // A tip that turns within a pixel would hang on the last digit of the shorter half axis.
        let sound = long < LARGEST && short * short > long;
        let read = sound.then(|| read([a, c], radii, turn, sweep))?;
        let centre = [0, 1].map(|i| middle[i] - self.weight * v[i]);
        // How far a place is from the ellipse, to first order.
        let apart = |place: [f64; 2]| {
            let [x, y] = [0, 1].map(|i| place[i] - centre[i]);
            let area = u[0] * v[1] - u[1] * v[0];
            let [p, q] = [(x * v[1] - y * v[0]) / area, (y * u[0] - x * u[1]) / area];
            let slope = [(p * v[1] - q * u[1]) / area, (q * u[0] - p * v[0]) / area];
            (p * p + q * q - 1.0) / (2.0 * slope[0].hypot(slope[1]))
        };
        let close = read.into_iter().all(|place| apart(place).abs() < CLOSE);
        let numbers = [number(radii[0]), number(radii[1]), decimals(turn.to_degrees(), 4)];
        let end = place(c);
        close.then(|| format!("A{} 0 {} {end}", joined(&numbers), u8::from(sweep)))
    }
}

/// Half axes and the angle of the first of an ellipse with two conjugate half diameters.
fn axes(u: [f64; 2], v: [f64; 2]) -> ([f64; 2], f64) {
    // The columns are turned against each other until they are orthogonal: one step of Jacobi.
    let dot = u[0] * v[0] + u[1] * v[1];
    let difference = u[0] * u[0] + u[1] * u[1] - v[0] * v[0] - v[1] * v[1];
    let (sin, cos) = (0.5 * (2.0 * dot).atan2(difference)).sin_cos();
    let first = [0, 1].map(|i| cos * u[i] + sin * v[i]);
    let second = [0, 1].map(|i| cos * v[i] - sin * u[i]);
    let lengths = [first, second].map(|half| half[0].hypot(half[1]));
    (lengths, first[1].atan2(first[0]))
}

/// Places along the arc that a reader draws from rounded numbers.
fn read(ends: [[f64; 2]; 2], radii: [f64; 2], turn: f64, sweep: bool) -> [[f64; 2]; 9] {
    let cent = |value: f64| (value * 100.0).round() / 100.0;
    let (ends, radii) = (ends.map(|end| end.map(cent)), radii.map(cent));
    let (sin, cos) = ((turn.to_degrees() * 1e4).round() / 1e4).to_radians().sin_cos();
    // In units of the half axes the arc is one of the unit circle.
    let round = |[x, y]: [f64; 2]| [(cos * x + sin * y) / radii[0], (cos * y - sin * x) / radii[1]];
    let [a, c] = ends.map(round);
    let half = [(c[0] - a[0]) / 2.0, (c[1] - a[1]) / 2.0];
    let chord = half[0].hypot(half[1]);
    let height = (1.0 - chord * chord).max(0.0).sqrt();
    let side = if sweep { 1.0 } else { -1.0 };
    // From the middle of the chord outward.
    let out = [half[1] * side / chord, -half[0] * side / chord];
    let centre = [0, 1].map(|i| f64::midpoint(a[i], c[i]) - out[i] * height);
    [-0.8, -0.6, -0.4, -0.2, 0.0, 0.2, 0.4, 0.6, 0.8].map(|share| {
        let (s, c) = (share * chord.min(1.0).asin()).sin_cos();
        let [x, y] = [centre[0] + c * out[0] - s * out[1], centre[1] + s * out[0] + c * out[1]];
        let [x, y] = [x * radii[0], y * radii[1]];
        [cos * x - sin * y, sin * x + cos * y]
    })
}
