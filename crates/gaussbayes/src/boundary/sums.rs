//! Finds where a sum of exponentials of quadratics changes its sign \[M46\].

use super::line::changes as quadratic_changes;
use crate::tolerance::{SUM_PARTS, SUM_STEPS};

/// ± e^{a s² + b s + c}.
#[derive(Debug, Clone, Copy)]
pub(super) struct Term {
    pub(super) q: [f64; 3],
    pub(super) positive: bool,
}

/// Room for one search, to be used again for the next.
#[derive(Debug, Default)]
pub(super) struct Room {
    terms: Vec<Term>,
    breaks: Vec<f64>,
    near: Vec<Term>,
}

/// Appends, in order, the points at which the sum changes its sign; says whether it starts positive
/// (or is zero throughout).
///
/// Between neighbouring breaks the differences of terms of different sign are monotone, and none crosses
/// ln n; where the largest term of one sign exceeds that of the other by so much, it outweighs all n
/// together. Only the rest is searched.
pub(super) fn changes(
    terms: impl Iterator<Item = Term>,
    room: &mut Room,
    out: &mut Vec<f64>,
) -> bool {
    room.terms.clear();
    terms.for_each(|term| join(&mut room.terms, term));
    room.terms.retain(|term| term.q[2] > f64::NEG_INFINITY);
    let terms = &room.terms;
    let start = terms.iter().reduce(|top, term| if leads(term, top) { term } else { top });
    let start = start.is_none_or(|term| term.positive);
    if terms.iter().all(|term| term.positive == start) {
        return start;
    }
    let many = (terms.len() as f64).ln();
    set_breaks(terms, many, &mut room.breaks);
    for pair in room.breaks.windows(2) {
        let (low, high) = (pair[0], pair[1]);
        let middle = 0.5 * low + 0.5 * high;
        if lead(terms, middle).abs() < many {
            let positive = terms.iter().filter(|term| term.positive);
            let above = |top: &&Term, term: &&Term| at(&minus(term, &top.q), middle) > 0.0;
            let top = positive.reduce(|top, term| if above(&top, &term) { term } else { top });
            room.near.clear();
            room.near.extend(top.iter().flat_map(|top| terms.iter().map(|t| minus(t, &top.q))));
            search(&room.near, low, high, out);
        }
    }
    start
}

/// Adds a term; one that differs from another by a factor alone is joined with it.
fn join(terms: &mut Vec<Term>, term: Term) {
    let [a, b, c] = term.q;
    let Some(at) = terms.iter().position(|t| t.q[0] == a && t.q[1] == b) else {
        terms.push(term);
        return;
    };
    let other = &mut terms[at];
    let (top, gap) = (c.max(other.q[2]), (c - other.q[2]).abs());
    if term.positive == other.positive {
        other.q[2] = top + (-gap).exp().ln_1p();
    } else {
        other.positive = if c > other.q[2] { term.positive } else { other.positive };
        other.q[2] = if gap == 0.0 { f64::NEG_INFINITY } else { top + (-(-gap).exp_m1()).ln() };
    }
}

/// Whether a term is larger than another far to the left.
fn leads(one: &Term, other: &Term) -> bool {
    let ([a, b, c], [oa, ob, oc]) = (one.q, other.q);
    (a, -b, c) > (oa, -ob, oc)
}

/// Where two terms of different sign are equal, apart by ln n, or turn against each other.
fn set_breaks(terms: &[Term], many: f64, breaks: &mut Vec<f64>) {
    breaks.clear();
    for one in terms.iter().filter(|term| term.positive) {
        for other in terms.iter().filter(|term| !term.positive) {
            let [a, b, c] = [0, 1, 2].map(|j| one.q[j] - other.q[j]);
            if a != 0.0 {
                breaks.push(-0.5 * b / a);
            }
            for shift in [0.0, many, -many] {
                breaks.extend(quadratic_changes([a, b, c + shift]));
            }
        }
    }
    breaks.retain(|at| at.is_finite());
    breaks.sort_unstable_by(f64::total_cmp);
    breaks.dedup();
}

/// The largest positive term less the largest negative one, in logs: by differences of coefficients, so
/// that far out, where squares are large, nothing is lost between terms that are near each other.
fn lead(terms: &[Term], s: f64) -> f64 {
    let gap = |one: &Term, other: &Term| at(&minus(one, &other.q), s);
    let over = |one: &Term| {
        let others = terms.iter().filter(|term| !term.positive);
        others.map(|other| gap(one, other)).fold(f64::INFINITY, f64::min)
    };
    terms.iter().filter(|term| term.positive).map(over).fold(f64::NEG_INFINITY, f64::max)
}

fn minus(term: &Term, base: &[f64; 3]) -> Term {
    Term { q: [0, 1, 2].map(|j| term.q[j] - base[j]), positive: term.positive }
}

fn at(term: &Term, s: f64) -> f64 {
    (term.q[0] * s + term.q[1]) * s + term.q[2]
}

/// ln of the positive terms less ln of the negative ones, and its slope; terms are relative to one that
/// is the largest of its sign near by.
fn balance(terms: &[Term], s: f64) -> (f64, f64) {
    let side = |positive: bool| {
        let own = || terms.iter().filter(move |term| term.positive == positive);
        let top = own().map(|term| at(term, s)).fold(f64::NEG_INFINITY, f64::max);
        let (mut sum, mut slope) = (0.0, 0.0);
        for term in own() {
            let share = (at(term, s) - top).exp();
            sum += share;
            slope += share * (2.0 * term.q[0] * s + term.q[1]);
        }
        (top, sum, slope / sum)
    };
    let ((top, sum, slope), (other, less, tilt)) = (side(true), side(false));
    ((top - other) + (sum / less).ln(), slope - tilt)
}

/// Searches between two breaks, in parts; an extremum that leans toward zero may hide two changes.
fn search(terms: &[Term], low: f64, high: f64, out: &mut Vec<f64>) {
    let mut left = (low, balance(terms, low));
    for part in 1..=SUM_PARTS {
        let share = f64::from(part) / f64::from(SUM_PARTS);
        let end = if part == SUM_PARTS { high } else { low + (high - low) * share };
        let right = (end, balance(terms, end));
        let ((value, slope), (after, tilt)) = (left.1, right.1);
        if (value >= 0.0) != (after >= 0.0) {
            out.push(root(left.0, right.0, value >= 0.0, |s| balance(terms, s)));
        } else if (slope > 0.0) != (tilt > 0.0) && (slope < 0.0) == (value >= 0.0) {
            let turn = root(left.0, right.0, slope > 0.0, |s| (balance(terms, s).1, f64::NAN));
            let there = balance(terms, turn).0;
            if (there >= 0.0) != (value >= 0.0) {
                out.push(root(left.0, turn, value >= 0.0, |s| balance(terms, s)));
                out.push(root(turn, right.0, there >= 0.0, |s| balance(terms, s)));
            }
        }
        left = right;
    }
}

/// The root of a function with its slope in a bracket: Newton's step where it halves the bracket's reach,
/// else the middle, to the last digit.
fn root(low: f64, high: f64, falls: bool, f: impl Fn(f64) -> (f64, f64)) -> f64 {
    let digit = f64::EPSILON * low.abs().max(high.abs());
    let (mut low, mut high) = (low, high);
    let mut s = 0.5 * low + 0.5 * high;
    for _ in 0..SUM_STEPS {
        let (value, slope) = f(s);
        if value == 0.0 {
            return s;
        }
        if (value >= 0.0) == falls {
            low = s;
        } else {
            high = s;
        }
        let width = high - low;
        let step = value / slope;
        let next = s - step;
        let inside = low < next && next < high && step.abs() < 0.5 * width;
        let next = if inside { next } else { 0.5 * low + 0.5 * high };
        if (next - s).abs() <= digit || width <= digit {
            return next;
        }
        s = next;
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn double_changes_within_a_part_are_found() {
        // 2e^{−s²/2} against e^{−s²/2 + t s − t²/2}-like bumps: cosh(s) = c has ±acosh(c).
        for c in [1.0 + 1e-6, 1.01, 2.0, 1e6] {
            let term = |b: f64, c: f64, positive| Term { q: [-0.5, b, c], positive };
            let half = 0.5_f64.ln();
            let terms =
                [term(1.0, half, true), term(-1.0, half, true), term(0.0, f64::ln(c), false)];
            let (mut room, mut found) = (Room::default(), Vec::new());
            assert!(changes(terms.into_iter(), &mut room, &mut found));
            let expected = f64::acosh(c);
            assert_eq!(found.len(), 2, "{c}");
            assert!((found[1] / expected - 1.0).abs() < 1e-9, "{c} {found:?}");
            assert!((found[0] / expected + 1.0).abs() < 1e-9, "{c} {found:?}");
        }
    }
}
