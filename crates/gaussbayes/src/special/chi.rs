//! Computes both tails of the χ distribution, each relative to its size \[M35\].

use std::f64::consts::PI;

use super::gamma::stirling_rest;
use super::normal::{half_square_exp, normal_upper};
use crate::tolerance::{CHI_PRODUCT, CHI_TERMS, EXP_SQUARE};

/// P(χ < r) and P(χ > r), with the logarithm of the smaller: it is there where the tail is no number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Chi {
    pub(crate) below: f64,
    pub(crate) above: f64,
    pub(crate) ln_below: f64,
    pub(crate) ln_above: f64,
}

/// The chances that a standard normal vector of `dim` columns is shorter and longer than `r`.
pub(crate) fn chi_tails(dim: usize, r: f64) -> Chi {
    let certain = |above: bool| {
        let (low, high) = if above { (f64::NEG_INFINITY, 0.0) } else { (0.0, f64::NEG_INFINITY) };
        Chi { below: low.exp(), above: high.exp(), ln_below: low, ln_above: high }
    };
    if dim == 0 || r == f64::INFINITY {
        return certain(dim == 0 && r < 0.0);
    }
    if r <= 0.0 {
        return certain(true);
    }
    let (half, x) = (0.5 * dim as f64, 0.5 * r * r);
    let (term, ln_term) = leading_term(dim, r);
    if x < half + 1.0 {
        let series = series(half, x);
        let (below, ln_below) = (term * series, ln_term + series.ln());
        Chi { below, above: 1.0 - below, ln_below, ln_above: (-below).ln_1p() }
    } else {
        // For one column the fraction is slow about the middle, and erfc is at hand.
        let fraction = half * fraction(half, x);
        let above = if dim == 1 { 2.0 * normal_upper(r) } else { term * fraction };
        Chi {
            below: 1.0 - above,
            above,
            ln_below: (-above).ln_1p(),
            ln_above: ln_term + fraction.ln(),
        }
    }
}

/// x^a e^(−x)/Γ(a + 1) with a = d/2, x = r²/2, and its logarithm.
fn leading_term(dim: usize, r: f64) -> (f64, f64) {
    let (half, x) = (0.5 * dim as f64, 0.5 * r * r);
    // −a(μ − 1 − ln μ) with μ = x/a, and Stirling's formula for the rest.
    let excess = (x - half) / half;
    let ln_ratio = if excess.abs() < 0.5 { excess.ln_1p() } else { (x / half).ln() };
    let ln = -half * (excess - ln_ratio) - 0.5 * (2.0 * PI * half).ln() - stirling_rest(half);
    if dim > CHI_PRODUCT || x > EXP_SQUARE {
        return (ln.exp(), ln);
    }
    // A product keeps the digits that the logarithm of a small number loses.
    let mut term = half_square_exp(r);
    let mut k = half;
    while k > 0.75 {
        term *= x / k;
        k -= 1.0;
    }
    if dim % 2 == 1 {
        term *= r * (2.0 / PI).sqrt();
    }
    (term, ln)
}

/// 1 + x/(a+1) + x²/((a+1)(a+2)) + …
fn series(half: f64, x: f64) -> f64 {
    let (mut sum, mut term) = (1.0, 1.0);
    for n in 1..CHI_TERMS {
        term *= x / (half + f64::from(n));
        sum += term;
        if term <= 0.25 * f64::EPSILON * sum {
            break;
        }
    }
    sum
}

/// 1/(x+1−a − 1(1−a)/(x+3−a − 2(2−a)/(x+5−a − …))) by Lentz's way, for x > a.
fn fraction(half: f64, x: f64) -> f64 {
    let mut b = x + 1.0 - half;
    let mut c = f64::INFINITY;
    let mut d = 1.0 / b;
    let mut value = d;
    for n in 1..CHI_TERMS {
        let n = f64::from(n);
        let a = -n * (n - half);
        b += 2.0;
        d = 1.0 / (b + a * d);
        c = b + a / c;
        value *= c * d;
        if a == 0.0 || (c * d - 1.0).abs() <= 0.5 * f64::EPSILON {
            break;
        }
    }
    value
}
