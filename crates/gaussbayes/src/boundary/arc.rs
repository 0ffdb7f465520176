//! Draws conics as rational quadratic curves \[M44\].

use super::component::Component;
use super::polynomial::{Quartic, product, roots, value};
use super::quadric::Quadric;
use crate::tolerance::{ARC_MARGIN, ARC_STIFF, POLISH_STEPS};

/// A piece of a conic: x_j(u) = origin_j + numerator_j(u)/denominator(u), for u from `from` to `to`.
///
/// Polynomials by their coefficients of 1, u, u². The denominator is positive on the piece.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arc {
    /// What is added to both coordinates last, so that far from zero no digits are lost.
    pub origin: [f64; 2],
    /// Numerators of both coordinates.
    pub numerator: [[f64; 3]; 2],
    /// The denominator of both.
    pub denominator: [f64; 3],
    /// First argument.
    pub from: f64,
    /// Last argument.
    pub to: f64,
}

impl Arc {
    /// The point at an argument.
    pub fn at(&self, u: f64) -> [f64; 2] {
        let below = value(&self.denominator, u).0;
        [0, 1].map(|j| self.origin[j] + value(&self.numerator[j], u).0 / below)
    }

    /// `n` points from one end to the other; two at least, but for a single point.
    pub fn points(&self, n: usize) -> Vec<[f64; 2]> {
        if self.from == self.to {
            return vec![self.at(self.from)];
        }
        let last = n.max(2) - 1;
        (0..=last).map(|i| self.at(self.argument(i as f64 / last as f64))).collect()
    }

    /// The argument at a share of the way: equal factors on a branch of a hyperbola, equal steps elsewhere.
    pub(crate) fn argument(&self, share: f64) -> f64 {
        if share <= 0.0 {
            self.from
        } else if share >= 1.0 {
            self.to
        } else if self.denominator[0] == 0.0 {
            self.from * (self.to / self.from).powf(share)
        } else {
            self.from + share * (self.to - self.from)
        }
    }

    pub(crate) fn between(&self, from: f64, to: f64) -> Self {
        Self { from, to, ..*self }
    }

    /// Arguments at which coordinate `j` passes a value.
    pub(crate) fn crossings(&self, j: usize, at: f64) -> Vec<f64> {
        let moved = at - self.origin[j];
        let less = [0, 1, 2].map(|k| self.numerator[j][k] - moved * self.denominator[k]);
        roots(&less, self.from, self.to)
    }

    /// Score of a component along an arc in its frame, times the square of the denominator.
    pub(crate) fn score(&self, component: &Component) -> Quartic {
        let square = product(&self.denominator, &self.denominator);
        let mut all = square.map(|d| component.log * d);
        for row in component.whiten.chunks_exact(2) {
            let z = [0, 1, 2].map(|k| {
                let along = |j: usize| {
                    let centre = self.origin[j] - component.mean[j];
                    row[j] * (self.numerator[j][k] + centre * self.denominator[k])
                };
                along(0) + along(1)
            });
            all.iter_mut().zip(product(&z, &z)).for_each(|(sum, z)| *sum -= 0.5 * z);
        }
        all
    }
}

/// All of a conic that could meet a box in the plane of its quadric, as arcs in the frame.
pub(crate) fn conic(plane: &Plane) -> Vec<Arc> {
    let (w, b) = (plane.w, plane.b);
    let squares: Vec<usize> = (0..2).filter(|&k| w[k] != 0.0).collect();
    let sloped = (0..2).any(|k| w[k] == 0.0 && b[k] != 0.0);
    match (squares.as_slice(), sloped) {
        ([], true) => plane.line(),
        (&[k], true) => plane.parabola(k),
        (&[k], false) => plane.parallel(k),
        ([_, _], _) if plane.completed == 0.0 && w[0] * w[1] > 0.0 => plane.point(),
        ([_, _], _) if plane.completed == 0.0 => plane.crossing(),
        ([_, _], _) if w[0] * w[1] < 0.0 => plane.hyperbola(),
        ([_, _], _) => plane.ellipse(),
        _ => Vec::new(),
    }
}

/// A quadric of two columns in two coordinates, whatever its rank.
pub(crate) struct Plane {
    origin: [f64; 2],
    axes: [[f64; 2]; 2],
    duals: [[f64; 2]; 2],
    w: [f64; 2],
    b: [f64; 2],
    c: f64,
    completed: f64,
    /// Least and largest coordinates of the window.
    reach: [[f64; 2]; 2],
}

const ONE: [f64; 3] = [1.0, 0.0, 0.0];

impl Plane {
    pub(crate) fn of(quadric: &Quadric, corners: &[[f64; 2]; 4]) -> Self {
        let pick = |of: &[f64], k: usize| [of[2 * k], of[2 * k + 1]];
        let origin = pick(&quadric.origin, 0);
        let rank = quadric.w.len();
        let (mut axes, mut duals) = ([[0.0; 2]; 2], [[0.0; 2]; 2]);
        let (mut w, mut b) = ([0.0; 2], [0.0; 2]);
        for k in 0..rank.min(2) {
            (axes[k], duals[k]) = (pick(&quadric.axes, k), pick(&quadric.duals, k));
            (w[k], b[k]) = (quadric.w[k], quadric.b[k]);
        }
        if rank == 1 {
            // Along the direction that the only coordinate does not see.
            let size = duals[0][0].hypot(duals[0][1]);
            axes[1] = [-duals[0][1] / size, duals[0][0] / size];
            let skew = axes[1][0] * axes[0][0] + axes[1][1] * axes[0][1];
            duals[1] = [0, 1].map(|j| axes[1][j] - skew * duals[0][j]);
        }
        let mut reach = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        for corner in corners {
            for k in 0..2 {
                let y: f64 = (0..2).map(|j| duals[k][j] * (corner[j] - origin[j])).sum();
                reach[k] = [reach[k][0].min(y), reach[k][1].max(y)];
            }
        }
        let (c, completed) = (quadric.c, quadric.completed);
        Self { origin, axes, duals, w, b, c, completed, reach }
    }

    /// An arc in the frame from numerators in the plane's coordinates.
    fn arc(&self, y: [[f64; 3]; 2], denominator: [f64; 3], from: f64, to: f64) -> Arc {
        let numerator = [0, 1].map(|j| {
            [0, 1, 2].map(|i| {
                self.origin[j] * denominator[i]
                    + self.axes[0][j] * y[0][i]
                    + self.axes[1][j] * y[1][i]
            })
        });
        Arc { origin: [0.0; 2], numerator, denominator, from, to }
    }

    /// The line through a point in a direction, as far as the window reaches.
    fn along(&self, through: [f64; 2], direction: [f64; 2]) -> Arc {
        let middle = [0, 1].map(|k| 0.5 * (self.reach[k][0] + self.reach[k][1]));
        let half: f64 =
            (0..2).map(|k| 0.5 * (self.reach[k][1] - self.reach[k][0])).map(|x| x * x).sum();
        let norm = direction[0].hypot(direction[1]);
        let direction = direction.map(|x| x / norm);
        let centre: f64 = (0..2).map(|k| direction[k] * (middle[k] - through[k])).sum();
        let through = [0, 1].map(|k| through[k] + centre * direction[k]);
        let y = [0, 1].map(|k| [through[k], direction[k], 0.0]);
        let length = half.sqrt() * 1.5;
        self.arc(y, ONE, -length, length)
    }

    fn line(&self) -> Vec<Arc> {
        let norm = self.b[0] * self.b[0] + self.b[1] * self.b[1];
        vec![self.along(self.b.map(|b| -self.c * b / norm), [-self.b[1], self.b[0]])]
    }

    fn parallel(&self, k: usize) -> Vec<Arc> {
        let (w, b) = (self.w[k], self.b[k]);
        let square = -4.0 * w * self.completed;
        let places = if self.completed == 0.0 {
            vec![-b / (2.0 * w)]
        } else if square < 0.0 {
            Vec::new()
        } else {
            let q = -0.5 * (b + square.sqrt().copysign(b));
            vec![q / w, self.c / q]
        };
        let (mut through, mut direction) = ([0.0; 2], [0.0; 2]);
        direction[1 - k] = 1.0;
        let line = |place: f64| {
            through[k] = place;
            self.along(through, direction)
        };
        places.into_iter().map(line).collect()
    }

    fn parabola(&self, k: usize) -> Vec<Arc> {
        let mut y = [[0.0; 3]; 2];
        y[k] = [0.0, 1.0, 0.0];
        y[1 - k] = [self.c, self.b[k], self.w[k]].map(|x| -x / self.b[1 - k]);
        vec![self.arc(y, ONE, self.reach[k][0], self.reach[k][1])]
    }

    fn centre(&self) -> [f64; 2] {
        [0, 1].map(|k| -self.b[k] / (2.0 * self.w[k]))
    }

    fn point(&self) -> Vec<Arc> {
        let y = self.centre().map(|y| [y, 0.0, 0.0]);
        vec![self.arc(y, ONE, 0.0, 0.0)]
    }

    fn crossing(&self) -> Vec<Arc> {
        let slope = (-self.w[0] / self.w[1]).sqrt();
        [slope, -slope].map(|slope| self.along(self.centre(), [1.0, slope])).to_vec()
    }

    fn semi_axes(&self) -> [f64; 2] {
        self.w.map(|w| (self.completed / w).abs().sqrt())
    }

    fn ellipse(&self) -> Vec<Arc> {
        let ([a, b], centre) = (self.semi_axes(), self.centre());
        if self.completed * self.w[0] > 0.0 {
            return Vec::new();
        }
        // Four quarters: cos φ = (1 − v²)/(1 + v²), sin φ = 2v/(1 + v²), v = tan(π/8) u.
        let t = std::f64::consts::FRAC_PI_8.tan();
        let (cos, sin, below) = ([1.0, 0.0, -t * t], [0.0, 2.0 * t, 0.0], [1.0, 0.0, t * t]);
        let quarter = |(x, y): ([f64; 3], [f64; 3])| {
            let first = [0, 1, 2].map(|i| centre[0] * below[i] + a * x[i]);
            let second = [0, 1, 2].map(|i| centre[1] * below[i] + b * y[i]);
            self.arc([first, second], below, -1.0, 1.0)
        };
        let minus = |p: [f64; 3]| p.map(|x| -x);
        let quarters = [(cos, sin), (minus(sin), cos), (minus(cos), minus(sin)), (sin, minus(cos))];
        quarters.map(quarter).to_vec()
    }

    fn hyperbola(&self) -> Vec<Arc> {
        let (semi, centre) = (self.semi_axes(), self.centre());
        let real = usize::from(self.completed * self.w[0] > 0.0);
        // cosh = (1 + u²)/2u, sinh = (1 − u²)/2u from the vertex at u = 1 outwards.
        let far = (0..2).map(|k| {
            let reach = self.reach[k].map(|y| (y - centre[k]).abs());
            reach[0].max(reach[1]) / semi[k]
        });
        let least = 0.25 / (1.0 + far.fold(0.0, f64::max));
        let below = [0.0, 2.0, 0.0];
        let half = |branch: f64, side: f64| {
            let mut y = [[0.0; 3]; 2];
            y[real] = [1.0, 0.0, 1.0].map(|x| x * branch * semi[real]);
            y[1 - real] = [1.0, 0.0, -1.0].map(|x| x * side * semi[1 - real]);
            (0..2).for_each(|k| y[k][1] += 2.0 * centre[k]);
            self.arc(y, below, least, 1.0)
        };
        vec![half(1.0, 1.0), half(1.0, -1.0), half(-1.0, 1.0), half(-1.0, -1.0)]
    }

    /// Whether arcs about the centre have too few digits in the window.
    pub(crate) fn is_stiff(&self) -> bool {
        let far = |k: usize| self.b[k] * self.b[k] > 4.0 * self.w[k].abs() * ARC_STIFF;
        let both = self.w[0] != 0.0 && self.w[1] != 0.0;
        both && (self.completed.abs() > ARC_STIFF || far(0) || far(1))
    }

    fn slope(&self, y: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|k| 2.0 * self.w[k] * y[k] + self.b[k])
    }

    /// The nearest point of the curve, from one that is near.
    fn polished(&self, mut y: [f64; 2]) -> [f64; 2] {
        for _ in 0..POLISH_STEPS {
            let value: f64 = (0..2).map(|k| y[k] * (self.w[k] * y[k] + self.b[k])).sum();
            let slope = self.slope(y);
            let step = (value + self.c) / (slope[0] * slope[0] + slope[1] * slope[1]);
            if !step.is_finite() {
                break;
            }
            (0..2).for_each(|k| y[k] -= step * slope[k]);
        }
        y
    }

    /// The same piece, about its own middle: y = P + (uτ − u²(ω/|g|)n)/(1 − 2u τᵀWn/|g| + u² ω nᵀWn/|g|²)
    /// with ω = τᵀWτ, for the slope g = |g|n at P and τ across it \[M44\]. `drawn` says at which ends it
    /// goes on beyond.
    pub(crate) fn about_middle(&self, arc: &Arc, drawn: [bool; 2]) -> Arc {
        let on = |u: f64| {
            let at = arc.at(u);
            let y = [0, 1]
                .map(|k| (0..2).map(|j| self.duals[k][j] * (at[j] - self.origin[j])).sum::<f64>());
            self.polished(y)
        };
        let middle = on(arc.argument(0.5));
        let slope = self.slope(middle);
        let size = slope[0].hypot(slope[1]);
        let n = slope.map(|x| x / size);
        let mut across = [-n[1], n[0]];
        let ends = [on(arc.from), on(arc.to)];
        let forward: f64 = (0..2).map(|k| across[k] * (ends[1][k] - ends[0][k])).sum();
        if forward < 0.0 {
            across = across.map(|x| -x);
        }
        let form = |a: [f64; 2], b: [f64; 2]| (0..2).map(|k| a[k] * self.w[k] * b[k]).sum::<f64>();
        let omega = form(across, across);
        let below = [1.0, -2.0 * form(across, n) / size, omega * form(n, n) / (size * size)];
        let y = [0, 1].map(|k| {
            let linear = across[k];
            let square = -omega / size * n[k];
            [0, 1, 2].map(|i| middle[k] * below[i] + [0.0, linear, square][i])
        });
        let argument = |end: [f64; 2]| {
            let off = [0, 1].map(|k| end[k] - middle[k]);
            let (along, away): (f64, f64) =
                (0..2).fold((0.0, 0.0), |(s, t), k| (s + across[k] * off[k], t + n[k] * off[k]));
            // Two points lie as far across: the one that is as far away is meant.
            let miss = |u: f64| (-omega / size * u * u / value(&below, u).0 - away).abs();
            let (a, b) = (along * below[2], along * below[1] - 1.0);
            let far = -0.5 * (b + (b * b - 4.0 * a * along).max(0.0).sqrt().copysign(b));
            let (near, other) = (along / far, far / a);
            if other.is_finite() && miss(other) < miss(near) { other } else { near }
        };
        let (from, to) = (argument(ends[0]), argument(ends[1]));
        let margin = ARC_MARGIN * (to - from);
        let from = if drawn[0] { from - margin } else { from };
        let to = if drawn[1] { to + margin } else { to };
        self.arc(y, below, from, to)
    }
}
