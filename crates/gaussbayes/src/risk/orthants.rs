//! Computes three classes of one covariance by bivariate normal orthants \[M35\].

use super::Chance;
use super::rule::Seen;
use crate::boundary::{Contest, Duel};
use crate::linalg::dot;
use crate::special::orthant;
use crate::tolerance::ORTHANT_ROUNDING;

/// Whether orthants are all there is: three actions, any two of which a line parts.
pub(super) fn apply(contest: &Contest, seen: &[Seen]) -> bool {
    let lines = |(a, b): (usize, usize)| matches!(contest.duel(a, b), Duel::Two { .. });
    let flat = |seen: &Seen| seen.linear && seen.dim == 2;
    contest.actions() == 3
        && [(0, 1), (0, 2), (1, 2)].into_iter().all(lines)
        && seen.iter().all(flat)
}

/// The chance of each action: that of two linear functions of a normal vector being positive.
pub(super) fn chances(contest: &Contest, seen: &Seen) -> Vec<Chance> {
    (0..3)
        .map(|action| {
            let others = (0..3).filter(|&other| other != action);
            let sides: Vec<Side> =
                others.filter_map(|other| Side::of(contest, seen, action, other)).collect();
            let [one, other] = &sides[..] else { return Chance::default() };
            let rho = dot(&one.direction, &other.direction).clamp(-1.0, 1.0);
            let value = orthant(one.at, other.at, rho);
            // A side that is certain has no tail to feel its rounding.
            let tail = |at: f64| at.max(0.0) * at.max(0.0);
            let steep = 1.0 + tail(one.at) + tail(other.at);
            let error = (ORTHANT_ROUNDING + seen.rounding) * steep * value;
            Chance { value, error: error.min(1.0) }
        })
        .collect()
}

/// Where an action beats another: directionᵀz > at.
struct Side {
    direction: Vec<f64>,
    at: f64,
}

impl Side {
    fn of(contest: &Contest, seen: &Seen, action: usize, other: usize) -> Option<Self> {
        let duel = contest.duel(action.min(other), action.max(other));
        let Duel::Two { first, second, shift } = duel else { return None };
        let sign = if action < other { 1.0 } else { -1.0 };
        let (first, second) = (&seen.scores[*first], &seen.scores[*second]);
        let slope = first.slope.iter().zip(&second.slope).map(|(a, b)| sign * (a - b));
        let slope: Vec<f64> = slope.collect();
        let length = dot(&slope, &slope).sqrt();
        let constant = sign * (first.constant - second.constant + shift);
        Some(Self { direction: slope.iter().map(|s| s / length).collect(), at: -constant / length })
    }
}
