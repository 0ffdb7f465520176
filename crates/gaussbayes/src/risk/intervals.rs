//! Adds up the normal chances of the stretches of one dimension \[M47\].

use super::rule::Seen;
use super::{Chance, quadrature};
use crate::boundary::{Contest, Line};
use crate::special::{normal_density as density, normal_upper};
use crate::tolerance::{NARROW_STRETCH, THRESHOLD_ROUNDING};

/// The chance of each action, where the rule depends on one column at most.
pub(super) fn chances(contest: &Contest, seen: &Seen) -> Vec<Chance> {
    let mut quadratics = vec![[0.0; 3]; seen.scores.len()];
    seen.along(&vec![1.0; seen.dim], &mut quadratics, &mut Vec::new());
    let mut chances = vec![Chance::default(); contest.actions()];
    for stretch in (Line { contest, quadratics: &quadratics }).regions() {
        let chance = &mut chances[stretch.action];
        let value = between(stretch.from, stretch.to);
        chance.value += value;
        // A threshold has some units of rounding of its own size, and of that of z.
        let edge =
            |at: f64| if at.is_finite() { density(at) * off(seen, &quadratics, at) } else { 0.0 };
        let error = THRESHOLD_ROUNDING * value + edge(stretch.from) + edge(stretch.to);
        chance.error += error.min(1.0);
    }
    chances
}

/// How far a threshold may be off: the rounding of both scores that tie there over the slope of their difference,
/// beside its own last places.
fn off(seen: &Seen, quadratics: &[[f64; 3]], at: f64) -> f64 {
    let value = |k: usize| (quadratics[k][0] * at + quadratics[k][1]) * at + quadratics[k][2];
    let mut order = seen.relevant.clone();
    order.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
    let own = THRESHOLD_ROUNDING * (1.0 + at.abs());
    let [first, second, ..] = order[..] else { return own };
    let size = |k: usize| {
        let terms = (quadratics[k][0] * at * at).abs() + (quadratics[k][1] * at).abs();
        (f64::EPSILON + seen.rounding) * terms + f64::EPSILON * seen.scores[k].size
    };
    let slope = |k: usize| 2.0 * quadratics[k][0] * at + quadratics[k][1];
    own + (size(first) + size(second)) / (slope(first) - slope(second)).abs()
}

/// P(from < N < to), relative to its size.
pub(super) fn between(from: f64, to: f64) -> f64 {
    let width = to - from;
    if width * (1.0_f64).max((0.5 * (from + to)).abs()) < NARROW_STRETCH {
        quadrature::integral(from, to, density)
    } else if from >= 0.0 {
        normal_upper(from) - normal_upper(to)
    } else if to <= 0.0 {
        normal_upper(-to) - normal_upper(-from)
    } else {
        1.0 - normal_upper(to) - normal_upper(-from)
    }
}
