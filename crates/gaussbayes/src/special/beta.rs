//! Computes the incomplete beta function and the tails of Student's distribution \[M83\].

use std::f64::consts::PI;

use super::gamma::stirling_rest;
use crate::tolerance::{BETA_TERMS, NEARLY_EQUAL};

/// P(|T| > |t|) of Student's distribution, for any number of degrees of freedom above 0.
pub(crate) fn student_two_sided(t: f64, freedom: f64) -> f64 {
    let square = t * t;
    if square == f64::INFINITY {
        return 0.0;
    }
    // Both shares have all digits: neither is what the other leaves of one.
    beta_share(0.5 * freedom, 0.5, freedom / (freedom + square), square / (freedom + square))
}

/// I_x(a, b), the share of the beta integral below x; y is 1 − x.
fn beta_share(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 || y <= 0.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    // Beyond the mean the other share is the smaller one.
    if y * a >= x * b {
        leading_term(a, b, x, y) * fraction(a, b, x, y)
    } else {
        1.0 - leading_term(b, a, y, x) * fraction(b, a, y, x)
    }
}

/// x^a y^b / B(a, b), by what the mean a/(a + b) leaves of it and Stirling's formula for the rest.
fn leading_term(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let sum = a + b;
    let ln_ratio = |share: f64, part: f64, excess: f64| {
        if excess.abs() < NEARLY_EQUAL { excess.ln_1p() } else { (share * (sum / part)).ln() }
    };
    // x(a + b)/a − 1 and the same of y, without a difference of nearly equal numbers.
    let tilt = x * b - y * a;
    let ln = a * ln_ratio(x, a, tilt / a) + b * ln_ratio(y, b, -tilt / b);
    // ln Γ(x) is ln Γ(x + 1) − ln x.
    let rest = stirling_rest(a) + stirling_rest(b) - stirling_rest(sum);
    (a / sum * (b / (2.0 * PI))).sqrt() * (ln - rest).exp()
}

/// 1/(β₀ + α₁/(β₁ + α₂/(β₂ + …))) of Didonato and Morris (1992, equation 9) by Lentz's way, for x below the mean.
fn fraction(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let lambda = a * y - b * x;
    let mut c = f64::INFINITY;
    let mut d = (a + 1.0) / (a * (lambda + 1.0));
    let mut value = d;
    for n in 1..BETA_TERMS {
        let n = f64::from(n);
        let last = a + 2.0 * n - 1.0;
        let alpha = (a + n - 1.0) * (a + b + n - 1.0) * n * (b - n) * (x / last) * (x / last);
        let beta =
            n + n * (b - n) * x / last + (a + n) * (lambda + 1.0 + n * (1.0 + y)) / (last + 2.0);
        d = 1.0 / (beta + alpha * d);
        c = beta + alpha / c;
        value *= c * d;
        if (c * d - 1.0).abs() <= 0.5 * f64::EPSILON {
            break;
        }
    }
    value
}
