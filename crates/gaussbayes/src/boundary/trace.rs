//! Traces curves that no formula gives, point by point to a stated accuracy \[M45\].

use super::contest::Duel;
use super::curves::Scene;
use super::field::{lead, side};
use super::line::{Line, Room};
use crate::tolerance::{
    END_STEPS, MEETING, POLISH_STEPS, TRACE_ACCURACY, TRACE_LINES, TRACE_SETTLED, TRACE_STEP,
    TRACE_STEPS,
};

/// A point as shares of the window.
type Point = [f64; 2];

/// The curves of two actions, each by its points in raw units.
type Traced = ((usize, usize), Vec<Vec<[f64; 2]>>);

/// A point of a curve, found on a line, and whether a curve through it is drawn already.
struct Seed {
    actions: (usize, usize),
    at: Point,
    drawn: bool,
}

/// What is still to be drawn, and what is drawn.
struct Drawing {
    seeds: Vec<Seed>,
    lines: Vec<((usize, usize), Vec<Point>)>,
}

impl Scene<'_> {
    /// The curves between actions that more than two classes tell apart; `ends` are points of other curves
    /// at which a third action comes in.
    pub(crate) fn traced(&self, ends: &[[f64; 2]]) -> Vec<Traced> {
        let live = |a: usize, b: usize| self.live.contains(&a) && self.live.contains(&b);
        let many = |(a, b): (usize, usize)| matches!(self.contest.duel(a, b), Duel::Many(_));
        let pairs = (1..self.contest.actions()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let pairs: Vec<(usize, usize)> =
            pairs.filter(|&(a, b)| live(a, b) && many((a, b))).collect();
        if pairs.is_empty() {
            return Vec::new();
        }
        let mut drawing = Drawing { seeds: self.seeds(&pairs), lines: Vec::new() };
        let size = self.size();
        for end in ends {
            self.branch([0, 1].map(|j| (end[j] - self.low[j]) / size[j]), &pairs, &mut drawing);
        }
        while let Some(at) = drawing.seeds.iter().position(|seed| !seed.drawn) {
            let seed = &mut drawing.seeds[at];
            seed.drawn = true;
            let (actions, start) = (seed.actions, seed.at);
            let line = self.through(actions, start, &mut drawing.seeds);
            let (Some(&first), Some(&last)) = (line.first(), line.last()) else { continue };
            if line.len() > 1 {
                drawing.lines.push((actions, line));
                self.branch(first, &pairs, &mut drawing);
                self.branch(last, &pairs, &mut drawing);
            }
        }
        let raw = |t: &Point| {
            let u = self.framed(*t);
            [0, 1].map(|j| self.field.frame.raw_value(j, u[j]))
        };
        let of = |actions: (usize, usize)| {
            let own = drawing.lines.iter().filter(move |(pair, _)| *pair == actions);
            (actions, own.map(|(_, line)| line.iter().map(raw).collect()).collect())
        };
        pairs.iter().map(|&pair| of(pair)).filter(|(_, lines): &Traced| !lines.is_empty()).collect()
    }

    /// Where three actions tie, curves of all three pairs begin.
    fn branch(&self, at: Point, pairs: &[(usize, usize)], drawing: &mut Drawing) {
        let mut scores = Vec::new();
        self.field.scores(&self.framed(at), &mut scores);
        let Some(best) = self.best(&scores) else { return };
        let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let tie = MEETING * (1.0 + top.abs());
        let ties = |&a: &usize| lead(self.contest, best, a, &scores) <= tie;
        let tied: Vec<usize> = self.live.iter().copied().filter(ties).collect();
        if tied.len() < 3 {
            return;
        }
        for &actions in pairs.iter().filter(|(a, b)| tied.contains(a) && tied.contains(b)) {
            let ends = |line: &Vec<Point>| {
                [line.first(), line.last()].into_iter().flatten().any(|end| near(at, *end, *end))
            };
            let known = drawing.lines.iter().any(|(pair, line)| *pair == actions && ends(line));
            drawing.seeds.push(Seed { actions, at, drawn: known });
        }
    }

    fn size(&self) -> [f64; 2] {
        [0, 1].map(|j| self.high[j] - self.low[j])
    }

    pub(crate) fn framed(&self, t: Point) -> [f64; 2] {
        [0, 1].map(|j| self.low[j] + t[j] * (self.high[j] - self.low[j]))
    }

    /// Where the best action changes along a grid of lines, and along those through means and islands.
    fn seeds(&self, pairs: &[(usize, usize)]) -> Vec<Seed> {
        let size = self.size();
        let mut lines: Vec<(Point, Point)> = Vec::new();
        let share = |x: f64, j: usize| (x - self.low[j]) / size[j];
        for i in 0..=TRACE_LINES {
            let at = i as f64 / TRACE_LINES as f64;
            lines.extend([([at, 0.0], [0.0, 1.0]), ([0.0, at], [1.0, 0.0])]);
        }
        let centres: Vec<Point> =
            self.field.components.iter().map(|c| [0, 1].map(|j| share(c.mean[j], j))).collect();
        for (k, centre) in centres.iter().enumerate() {
            lines.extend([([centre[0], 0.0], [0.0, 1.0]), ([0.0, centre[1]], [1.0, 0.0])]);
            for other in &centres[..k] {
                let step = [0, 1].map(|j| other[j] - centre[j]);
                let length = step[0].hypot(step[1]);
                if length > 0.0 {
                    lines.push((*centre, step.map(|x| x / length)));
                }
            }
        }
        for [x, y] in self.islands() {
            lines.extend([([x, 0.0], [0.0, 1.0]), ([0.0, y], [1.0, 0.0])]);
        }
        let mut room = Room::default();
        let mut seeds = Vec::new();
        for (from, step) in lines.into_iter().filter(|(from, _)| from.iter().all(|x| x.is_finite()))
        {
            let along = [0, 1].map(|j| step[j] * size[j]);
            let quadratics = self.field.along(self.framed(from), along);
            let line = Line { contest: self.contest, quadratics: &quadratics };
            for change in line.regions_in(&mut room).windows(2) {
                let (a, b) = (change[0].action, change[1].action);
                let actions = (a.min(b), a.max(b));
                let at = [0, 1].map(|j| from[j] + change[0].to * step[j]);
                if pairs.contains(&actions) && within(at) {
                    seeds.push(Seed { actions, at, drawn: false });
                }
            }
        }
        seeds
    }

    /// The lead of one action and its slope, per unit of the window.
    fn slope(&self, (a, b): (usize, usize), t: Point) -> (f64, [f64; 2]) {
        let u = self.framed(t);
        let mut scores = Vec::new();
        self.field.scores(&u, &mut scores);
        let Duel::Many(voices) = self.contest.duel(a, b) else { return (0.0, [0.0; 2]) };
        let ahead = lead(self.contest, a, b, &scores);
        let mut slope = [0.0; 2];
        for first in [true, false] {
            let total = side(voices, &scores, first);
            for voice in voices.iter().filter(|voice| voice.for_first == first) {
                let share = (scores[voice.component] + voice.log_gain - total).exp();
                let share = if first { share } else { -share };
                let component = &self.field.components[voice.component];
                for row in component.whiten.chunks_exact(2) {
                    let z: f64 = (0..2).map(|j| row[j] * (u[j] - component.mean[j])).sum();
                    (0..2).for_each(|j| slope[j] -= share * z * row[j]);
                }
            }
        }
        let size = self.size();
        (ahead, [slope[0] * size[0], slope[1] * size[1]])
    }

    /// The nearest point of the curve, with the direction of the curve there.
    fn corrected(&self, actions: (usize, usize), start: Point) -> Option<(Point, Point)> {
        let mut t = start;
        for _ in 0..POLISH_STEPS {
            let (value, slope) = self.slope(actions, t);
            let size = slope[0].hypot(slope[1]);
            let step = value / size;
            if !(step.is_finite() && size > 0.0) {
                return None;
            }
            (0..2).for_each(|j| t[j] -= step * slope[j] / size);
            if step.abs() <= TRACE_SETTLED {
                return Some((t, [-slope[1] / size, slope[0] / size]));
            }
        }
        None
    }

    fn leads(&self, (a, b): (usize, usize), t: Point) -> bool {
        let mut scores = Vec::new();
        self.field.scores(&self.framed(t), &mut scores);
        let others = self.live.iter().filter(|&&c| c != a && c != b);
        others.into_iter().all(|&c| lead(self.contest, a, c, &scores) >= 0.0)
    }

    /// The whole curve through a point, as far as its actions are the best two.
    fn through(&self, actions: (usize, usize), seed: Point, seeds: &mut [Seed]) -> Vec<Point> {
        let Some((start, direction)) = self.corrected(actions, seed) else { return Vec::new() };
        let (mut line, closed) = self.from(actions, start, direction, seeds);
        if closed {
            return line;
        }
        let (back, _) = self.from(actions, start, direction.map(|x| -x), seeds);
        line.reverse();
        line.extend(back.into_iter().skip(1));
        line
    }

    /// The curve from a point in a direction, and whether it came back.
    fn from(
        &self,
        actions: (usize, usize),
        start: Point,
        mut direction: Point,
        seeds: &mut [Seed],
    ) -> (Vec<Point>, bool) {
        let mut line = vec![start];
        let (mut at, mut h, mut gone) = (start, 0.25 * TRACE_STEP, 0.0);
        // Both the point that a step leads to and whether the curve may go there.
        let ahead = |at: Point, direction: Point, h: f64| {
            let guess = [0, 1].map(|j| at[j] + h * direction[j]);
            let (next, mut across) = self.corrected(actions, guess)?;
            if across[0] * direction[0] + across[1] * direction[1] < 0.0 {
                across = across.map(|x| -x);
            }
            let off = (next[0] - guess[0]).hypot(next[1] - guess[1]);
            (off <= 0.5 * h).then_some((next, across))
        };
        let may = |t: Point| within(t) && self.leads(actions, t);
        for _ in 0..TRACE_STEPS {
            let step = ahead(at, direction, h);
            let bend = |across: Point| {
                let turn = (across[0] * direction[1] - across[1] * direction[0]).abs();
                let cos = across[0] * direction[0] + across[1] * direction[1];
                if cos > 0.5 { h * turn / 8.0 } else { f64::INFINITY }
            };
            let off = step.map_or(f64::INFINITY, |(_, across)| bend(across));
            let Some((next, across)) = step.filter(|_| off <= 0.5 * TRACE_ACCURACY) else {
                h *= 0.5;
                if h < TRACE_ACCURACY * TRACE_ACCURACY {
                    return (line, false);
                }
                continue;
            };
            if !may(next) {
                let (mut low, mut high, mut last) = (0.0, h, at);
                for _ in 0..END_STEPS {
                    let middle = 0.5 * (low + high);
                    match ahead(at, direction, middle) {
                        Some((there, _)) if may(there) => (low, last) = (middle, there),
                        _ => high = middle,
                    }
                }
                mark(seeds, actions, at, next);
                if last != at {
                    line.push(last);
                }
                return (line, false);
            }
            mark(seeds, actions, at, next);
            gone += h;
            if gone > 2.0 * TRACE_STEP && near(start, at, next) {
                line.push(start);
                return (line, true);
            }
            line.push(next);
            (at, direction) = (next, across);
            let grow = (0.4 * TRACE_ACCURACY / off).sqrt().clamp(0.5, 2.0);
            h = (h * grow).min(TRACE_STEP);
        }
        (line, false)
    }
}

fn within(t: Point) -> bool {
    t.iter().all(|x| (0.0..=1.0).contains(x))
}

/// Whether a point lies on a chord, as far as a chord may be off.
fn near(point: Point, from: Point, to: Point) -> bool {
    let (way, off) = ([0, 1].map(|j| to[j] - from[j]), [0, 1].map(|j| point[j] - from[j]));
    let length = (way[0] * way[0] + way[1] * way[1]).max(f64::MIN_POSITIVE);
    let share = ((way[0] * off[0] + way[1] * off[1]) / length).clamp(0.0, 1.0);
    (off[0] - share * way[0]).hypot(off[1] - share * way[1]) <= 2.0 * TRACE_ACCURACY
}

fn mark(seeds: &mut [Seed], actions: (usize, usize), from: Point, to: Point) {
    for seed in seeds.iter_mut().filter(|seed| seed.actions == actions && !seed.drawn) {
        seed.drawn = near(seed.at, from, to);
    }
}
