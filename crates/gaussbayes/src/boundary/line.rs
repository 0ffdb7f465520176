//! Cuts a line into the stretches on which one action is best \[M46\].

use super::contest::{Contest, Duel};
use super::sums::{self, Term};
use crate::moments::{exponent_of, ldexp};
use crate::tolerance::PLAIN_SQUARES;

/// Part of a line on which one action is best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stretch {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) action: usize,
}

/// A line x(s) = p + s u, known by one quadratic `[a, b, c]` per component: a s² + b s + c is the ln of
/// weight times density there, up to what all components have in common.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    pub(crate) contest: &'a Contest,
    pub(crate) quadratics: &'a [[f64; 3]],
}

/// Room for one line's answer, to be used again for the next line.
#[derive(Debug, Default)]
pub(crate) struct Room {
    stretches: Vec<Stretch>,
    roots: Vec<f64>,
    /// Where the roots of each duel are, once they are known.
    found: Vec<Option<Found>>,
    sums: sums::Room,
}

/// The roots of a duel: `roots[from..to]`, in order; the better action changes at each.
#[derive(Debug, Clone, Copy)]
struct Found {
    from: usize,
    to: usize,
    /// Whether the lower action is better before the first root.
    first: bool,
}

impl Line<'_> {
    /// The stretches from −∞ to ∞: neighbours differ, ties go to the lowest action.
    pub(crate) fn regions(&self) -> Vec<Stretch> {
        let mut room = Room::default();
        self.regions_in(&mut room);
        room.stretches
    }

    /// As [`Line::regions`], without memory of its own.
    pub(crate) fn regions_in<'r>(&self, room: &'r mut Room) -> &'r [Stretch] {
        room.stretches.clear();
        room.roots.clear();
        room.found.clear();
        room.found.resize(self.contest.duels(), None);
        let mut at = f64::NEG_INFINITY;
        let mut best = self.settled(0, at, room);
        let mut from = at;
        loop {
            let mut next = (f64::INFINITY, best);
            for other in (0..self.contest.actions()).filter(|&other| other != best) {
                let found = self.found(best, other, room);
                let roots = &room.roots[found.from..found.to];
                if let Some(&root) = roots.iter().find(|&&root| root > at)
                    && root < next.0
                {
                    next = (root, other);
                }
            }
            if next.0 == f64::INFINITY {
                room.stretches.push(Stretch { from, to: f64::INFINITY, action: best });
                return &room.stretches;
            }
            let after = self.settled(next.1, next.0, room);
            at = next.0;
            if after != best {
                room.stretches.push(Stretch { from, to: at, action: best });
                (from, best) = (at, after);
            }
        }
    }

    /// The best action just after `at`, with a first guess. Signs come from the order of the roots, so
    /// that rounding near one makes no stretch of its own; it may turn three that meet in a circle.
    fn settled(&self, mut best: usize, at: f64, room: &mut Room) -> usize {
        for _ in 0..self.contest.actions() {
            let before = best;
            for other in 0..self.contest.actions() {
                if other != best && self.better(other, best, at, room) {
                    best = other;
                }
            }
            if before == best {
                break;
            }
        }
        best
    }

    fn better(&self, a: usize, b: usize, at: f64, room: &mut Room) -> bool {
        let found = self.found(a, b, room);
        let passed = room.roots[found.from..found.to].iter().filter(|&&root| root <= at).count();
        (found.first == (passed % 2 == 0)) == (a < b)
    }

    fn found(&self, a: usize, b: usize, room: &mut Room) -> Found {
        let (a, b) = (a.min(b), a.max(b));
        let number = Contest::number(a, b);
        if let Some(found) = room.found[number] {
            return found;
        }
        let from = room.roots.len();
        let first = match self.contest.duel(a, b) {
            Duel::Same => true,
            Duel::Always { first } => *first,
            Duel::Two { first, second, shift } => {
                let (p, n) = (&self.quadratics[*first], &self.quadratics[*second]);
                let gap = [p[0] - n[0], p[1] - n[1], (p[2] - n[2]) + shift];
                room.roots.extend(changes(gap));
                starts_positive(gap)
            }
            Duel::Many(voices) => {
                let term = |voice: &super::contest::Voice| {
                    let [a, b, c] = self.quadratics[voice.component];
                    Term { q: [a, b, c + voice.log_gain], positive: voice.for_first }
                };
                sums::changes(voices.iter().map(term), &mut room.sums, &mut room.roots)
            }
        };
        let found = Found { from, to: room.roots.len(), first };
        room.found[number] = Some(found);
        found
    }
}

/// Whether a s² + b s + c is positive, or zero throughout, far to the left.
fn starts_positive([a, b, c]: [f64; 3]) -> bool {
    if a != 0.0 {
        a > 0.0
    } else if b != 0.0 {
        b < 0.0
    } else {
        c >= 0.0
    }
}

/// The finite points at which a s² + b s + c changes its sign, in order.
pub(super) fn changes(coefficients: [f64; 3]) -> impl Iterator<Item = f64> {
    // Products of coefficients must neither overflow nor vanish.
    let largest = coefficients.iter().fold(0.0_f64, |top, x| top.max(x.abs()));
    let unit = if PLAIN_SQUARES.contains(&largest) { 0 } else { -exponent_of(largest) };
    let [a, b, c] = if unit == 0 { coefficients } else { coefficients.map(|x| ldexp(x, unit)) };
    let (low, high) = if a == 0.0 {
        (-c / b, f64::NAN)
    } else {
        let (square, product) = (b * b, 4.0 * a * c);
        let mut discriminant = square - product;
        if discriminant.abs() < 0.25 * square {
            // Near a double root the rounding of both products counts.
            discriminant += b.mul_add(b, -square) - (4.0 * a).mul_add(c, -product);
        }
        // The root of larger size first; the other follows without a difference.
        let far = -0.5 * (b + discriminant.sqrt().copysign(b));
        let (one, other) = (far / a, if far == 0.0 { 0.0 } else { c / far });
        if discriminant > 0.0 { (one.min(other), one.max(other)) } else { (f64::NAN, f64::NAN) }
    };
    // Two that rounding has made one are none: nothing changes there.
    let double = low == high;
    [low, high].into_iter().filter(move |root| root.is_finite() && !double)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::{Action, Loss};
    use crate::rng::Random;

    fn regions(loss: &Loss, quadratics: &[[f64; 3]]) -> Vec<Stretch> {
        let weights: Vec<f64> =
            quadratics.iter().map(|q| f64::from(u8::from(q[2] > f64::NEG_INFINITY))).collect();
        Line { contest: &Contest::of(loss, &weights), quadratics }.regions()
    }

    /// ln of weight times N(mean, variance).
    fn normal(weight: f64, mean: f64, variance: f64) -> [f64; 3] {
        let c = weight.ln() - 0.5 * variance.ln() - 0.5 * mean * mean / variance;
        [-0.5 / variance, mean / variance, c]
    }

    #[test]
    fn thresholds_are_those_of_textbooks() {
        // N(0, ½), N(1, ½): ½, and (1 − ln 2)/2 with losses ½ and 1.
        let two = [normal(0.5, 0.0, 0.5), normal(0.5, 1.0, 0.5)];
        let found = regions(&Loss::zero_one(2), &two);
        assert_eq!(found.iter().map(|s| s.action).collect::<Vec<_>>(), [0, 1]);
        assert!((found[0].to - 0.5).abs() < 1e-15);
        let actions = vec![Action::Class(0), Action::Class(1)];
        let costs = Loss::new(2, actions, vec![0.0, 0.5, 1.0, 0.0]).unwrap();
        assert!((regions(&costs, &two)[0].to - 0.153_426_409_720_027_35).abs() < 1e-15);
        // N(0, 1) within N(0, 4): ±√(8 ln 2/3).
        let within = [normal(0.5, 0.0, 1.0), normal(0.5, 0.0, 4.0)];
        let found = regions(&Loss::zero_one(2), &within);
        assert_eq!(found.iter().map(|s| s.action).collect::<Vec<_>>(), [1, 0, 1]);
        let root = (8.0 * 2.0_f64.ln() / 3.0).sqrt();
        assert!((found[1].to - root).abs() < 1e-15 && (found[1].from + root).abs() < 1e-15);
    }

    #[test]
    fn roots_do_not_depend_on_the_size_of_coefficients() {
        // (s − 2)(s + 3) = s² + s − 6.
        for size in [1e-250, 1e-120, 1.0, 1e120, 1e250] {
            let found: Vec<f64> = changes([size, size, -6.0 * size]).collect();
            assert!(found.len() == 2 && (found[0] + 3.0).abs() < 1e-14, "{size} {found:?}");
            assert!((found[1] - 2.0).abs() < 1e-14);
        }
        assert_eq!(changes([0.0, 0.0, 0.0]).count(), 0);
    }

    #[test]
    fn ties_and_components_without_weight_leave_the_lowest() {
        let same = [normal(0.5, 0.0, 1.0); 2];
        assert_eq!(regions(&Loss::zero_one(2), &same).len(), 1);
        assert_eq!(regions(&Loss::zero_one(2), &same)[0].action, 0);
        let dead = [normal(0.0, 0.0, 1.0), normal(0.7, 1.0, 1.0), normal(0.3, 1.0, 1.0)];
        let found = regions(&Loss::zero_one(3), &dead);
        assert_eq!((found.len(), found[0].action), (1, 1));
    }

    #[test]
    fn reject_takes_the_middle() {
        // Equal variances: posterior of class 2 is 1/(1 + e^{−(s − ½)}); reject at 0.2 within ±ln 4.
        let two = [normal(0.5, 0.0, 1.0), normal(0.5, 1.0, 1.0)];
        let found = regions(&Loss::zero_one(2).with_reject(0.2).unwrap(), &two);
        assert_eq!(found.iter().map(|s| s.action).collect::<Vec<_>>(), [0, 2, 1]);
        assert!((found[1].from - (0.5 - 4.0_f64.ln())).abs() < 1e-14);
        assert!((found[1].to - (0.5 + 4.0_f64.ln())).abs() < 1e-14);
    }

    #[test]
    fn every_point_lies_in_the_stretch_of_its_best_action() {
        let mut random = Random::new(7, 0);
        for case in 0..400 {
            let classes = 2 + case % 4;
            let loss = match case % 3 {
                0 => Loss::zero_one(classes),
                1 => Loss::zero_one(classes).with_reject(0.3).unwrap(),
                _ => {
                    let actions = (0..classes).map(Action::Class).collect();
                    let costs = (0..classes * classes).map(|_| random.uniform()).collect();
                    Loss::new(classes, actions, costs).unwrap()
                }
            };
            let mut quadratics: Vec<[f64; 3]> = (0..classes)
                .map(|_| {
                    let (mean, log) = random.normal_pair();
                    normal(0.1 + random.uniform(), 2.0 * mean, (2.0 * log).exp())
                })
                .collect();
            if case % 5 == 0 {
                // Changes at 1e9 must not turn those near zero around.
                let bend = quadratics[0][0];
                let bends = (0..classes).map(|k| bend * (1.0 + 1e-9 * k as f64));
                quadratics.iter_mut().zip(bends).for_each(|(q, a)| q[0] = a);
            }
            let found = regions(&loss, &quadratics);
            assert!(found.windows(2).all(|w| w[0].to == w[1].from && w[0].action != w[1].action));
            for i in 0..4000 {
                let s = -20.0 + 0.01 * f64::from(i);
                let q: Vec<f64> = quadratics.iter().map(|q| (q[0] * s + q[1]) * s + q[2]).collect();
                let top = q.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let cost = |a: usize| -> f64 {
                    (0..classes).map(|i| loss.cost(i, a) * (q[i] - top).exp()).sum()
                };
                let action = found.iter().find(|f| f.from <= s && s <= f.to).unwrap().action;
                let least = (0..loss.actions().len()).map(cost).fold(f64::INFINITY, f64::min);
                assert!(cost(action) <= least + 1e-12, "case {case} at {s}: {found:?}");
            }
        }
    }
}
