//! Integrates the chances of actions in the plane along rays from the mean \[M49\].

use std::f64::consts::PI;

use super::rule::{Score, Seen};
use super::{Chance, quadrature};
use crate::boundary::{Contest, Line, Room};
use crate::linalg::dot;
use crate::tolerance::{
    PATTERN_FACTOR, RAY_ACCURACY, RAY_END, RAY_HALVINGS, RAY_PARTS, RAY_SCAN, THRESHOLD_ROUNDING,
};

/// A part of a piece of the half circle between two changes of pattern; t runs from 0 to 1 over the piece.
struct Part {
    piece: (f64, f64),
    t: (f64, f64),
    /// Integral and error of each action.
    chances: Vec<Chance>,
    /// Two angles of it between which the pattern changes.
    change: Option<(f64, f64)>,
}

/// The lines through the mean, one at a time.
struct Rays<'a> {
    contest: &'a Contest,
    seen: &'a Seen,
    quadratics: Vec<[f64; 3]>,
    product: Vec<f64>,
    room: Room,
}

/// The chance of each action, where the rule depends on two columns.
pub(super) fn chances(contest: &Contest, seen: &Seen) -> Vec<Chance> {
    let quadratics = vec![[0.0; 3]; seen.scores.len()];
    let mut rays = Rays { contest, seen, quadratics, product: Vec::new(), room: Room::default() };
    let breaks = rays.breaks();
    let mut parts: Vec<Part> = Vec::new();
    for piece in breaks.windows(2).map(|pair| (pair[0], pair[1])) {
        parts.push(rays.part(piece, (0.0, 0.5)));
        parts.push(rays.part(piece, (0.5, 1.0)));
    }
    loop {
        let sums = sums(&parts, contest.actions());
        let allowed: Vec<f64> = sums.iter().map(|sum| RAY_ACCURACY * sum.value).collect();
        let open: Vec<bool> = sums.iter().zip(&allowed).map(|(s, most)| s.error > *most).collect();
        let share = 0.5 / parts.len() as f64;
        let worth = |part: &Part| {
            (0..open.len()).any(|a| open[a] && part.chances[a].error > share * allowed[a])
                && part.t.1 - part.t.0 > f64::EPSILON
        };
        let (split, mut kept): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(worth);
        if split.is_empty() || 2 * split.len() + kept.len() > RAY_PARTS {
            kept.extend(split);
            let scale = |chance: Chance| {
                let value = chance.value / (2.0 * PI);
                // e^(−r²/2) feels the rounding of r by its square, which is −2 ln of the chance.
                let steep = 1.0 - value.clamp(f64::MIN_POSITIVE, 1.0).ln();
                let error = chance.error / (2.0 * PI)
                    + (THRESHOLD_ROUNDING + seen.rounding) * steep * value;
                Chance { value, error }
            };
            return self::sums(&kept, contest.actions()).into_iter().map(scale).collect();
        }
        for part in split {
            rays.split(&part, &mut kept);
        }
        parts = kept;
    }
}

fn sums(parts: &[Part], actions: usize) -> Vec<Chance> {
    let mut sums = vec![Chance::default(); actions];
    for part in parts {
        for (sum, chance) in sums.iter_mut().zip(&part.chances) {
            sum.value += chance.value;
            sum.error += chance.error;
        }
    }
    sums
}

impl Seen {
    /// Points of the plane toward which regions may be narrow: means, and what slopes point at.
    fn toward(&self) -> Vec<[f64; 2]> {
        let mut all = Vec::new();
        for (at, &k) in self.relevant.iter().enumerate() {
            let Score { slope, columns, .. } = &self.scores[k];
            for &l in &self.relevant[..at] {
                let other = &self.scores[l].slope;
                all.push([slope[0] - other[0], slope[1] - other[1]]);
            }
            if !columns.is_empty() {
                let (a, b) = columns.split_at(columns.len() / 2);
                let (aa, ab, bb) = (dot(a, a), dot(a, b), dot(b, b));
                all.push([bb * slope[0] - ab * slope[1], aa * slope[1] - ab * slope[0]]);
            }
        }
        all
    }
}

impl Rays<'_> {
    /// Adds to each action the chance, beside 1/2π, that it has on the line at an angle; the pattern of
    /// actions there.
    fn at(&mut self, angle: f64, into: &mut [f64]) -> u64 {
        let (sin, cos) = angle.sin_cos();
        self.seen.along(&[cos, sin], &mut self.quadratics, &mut self.product);
        let line = Line { contest: self.contest, quadratics: &self.quadratics };
        let mut pattern = 1_u64;
        for stretch in line.regions_in(&mut self.room) {
            if stretch.from < RAY_END && stretch.to > -RAY_END {
                pattern = (pattern ^ (stretch.action as u64 + 1)).wrapping_mul(PATTERN_FACTOR);
            }
            for (from, to) in [(stretch.from, stretch.to), (-stretch.to, -stretch.from)] {
                let from = from.max(0.0);
                if from < to {
                    into[stretch.action] += radial(from, to);
                }
            }
        }
        pattern
    }

    /// The actions along the line, in order, as one number: those at distances that have a chance.
    fn pattern(&mut self, angle: f64) -> u64 {
        self.at(angle, &mut vec![0.0; self.contest.actions()])
    }

    /// Halves a part, or cuts it where its pattern changes.
    fn split(&mut self, part: &Part, into: &mut Vec<Part>) {
        let (piece, t) = (part.piece, part.t);
        if let Some((low, high)) = part.change {
            let cut = self.change(low, high);
            let (from, to) = (angle(piece, t.0), angle(piece, t.1));
            if from < cut && cut < to {
                into.push(self.part((from, cut), (0.0, 1.0)));
                into.push(self.part((cut, to), (0.0, 1.0)));
                return;
            }
        }
        let middle = 0.5 * (t.0 + t.1);
        into.push(self.part(piece, (t.0, middle)));
        into.push(self.part(piece, (middle, t.1)));
    }

    /// Angles at which the pattern changes, where chances have kinks or roots, and those toward the means,
    /// where small regions lie.
    fn breaks(&mut self) -> Vec<f64> {
        let mut angles: Vec<f64> =
            (0..=RAY_SCAN).map(|i| PI * i as f64 / RAY_SCAN as f64).collect();
        let toward = self.seen.toward().into_iter();
        let mut breaks: Vec<f64> = toward.map(|z| z[1].atan2(z[0]).rem_euclid(PI)).collect();
        angles.extend(&breaks);
        angles.sort_unstable_by(f64::total_cmp);
        let mut before = self.pattern(angles[0]);
        for pair in angles.windows(2) {
            let after = self.pattern(pair[1]);
            if before != after {
                breaks.push(self.change(pair[0], pair[1]));
            }
            before = after;
        }
        breaks.extend([0.0, 0.25 * PI, 0.5 * PI, 0.75 * PI, PI]);
        breaks.sort_unstable_by(f64::total_cmp);
        breaks.dedup();
        breaks
    }

    /// Places the first change of pattern between two angles.
    fn change(&mut self, mut low: f64, mut high: f64) -> f64 {
        let before = self.pattern(low);
        for _ in 0..RAY_HALVINGS {
            let middle = 0.5 * (low + high);
            if self.pattern(middle) == before {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    /// Both rules over part of a piece, with θ = a + (b − a) t²(3 − 2t): roots of θ − a become smooth.
    fn part(&mut self, piece: (f64, f64), t: (f64, f64)) -> Part {
        let actions = self.contest.actions();
        let (middle, half) = (0.5 * (t.0 + t.1), 0.5 * (t.1 - t.0));
        let mut values = vec![0.0; 15 * actions];
        let (mut kronrod, mut gauss) = (vec![0.0; actions], vec![0.0; actions]);
        let mut patterns: Vec<(f64, u64)> = Vec::with_capacity(15);
        for ((x, wide, narrow), values) in
            quadrature::nodes().zip(values.chunks_exact_mut(actions.max(1)))
        {
            let t = middle + half * x;
            let width = piece.1 - piece.0;
            let angle = angle(piece, t);
            patterns.push((angle, self.at(angle, values)));
            let factor = half * width * 6.0 * t * (1.0 - t);
            for (a, value) in values.iter_mut().enumerate() {
                *value *= factor;
                kronrod[a] += wide * *value;
                gauss[a] += narrow * *value;
            }
        }
        let chance = |a: usize| {
            let mean = 0.5 * kronrod[a];
            let spread = quadrature::nodes().zip(values.chunks_exact(actions));
            let spread: f64 = spread.map(|((_, wide, _), v)| wide * (v[a] - mean).abs()).sum();
            let error = quadrature::error(kronrod[a] - gauss[a], spread, kronrod[a]);
            Chance { value: kronrod[a], error }
        };
        let chances = (0..actions).map(chance).collect();
        patterns.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let change = patterns.windows(2).find(|pair| pair[0].1 != pair[1].1);
        Part { piece, t, chances, change: change.map(|pair| (pair[0].0, pair[1].0)) }
    }
}

/// θ = a + (b − a) t²(3 − 2t).
fn angle(piece: (f64, f64), t: f64) -> f64 {
    piece.0 + (piece.1 - piece.0) * t * t * (3.0 - 2.0 * t)
}

/// e^{−from²/2} − e^{−to²/2}, relative to its size.
fn radial(from: f64, to: f64) -> f64 {
    if to == f64::INFINITY {
        return (-0.5 * from * from).exp();
    }
    -(-0.5 * from * from).exp() * (-0.5 * (to - from) * (to + from)).exp_m1()
}
