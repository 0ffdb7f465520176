//! Computes tails and quantiles of the normal distribution, relative to their size \[M34\].

use std::f64::consts::{FRAC_1_SQRT_2, LN_2, PI, SQRT_2};

use libm::{erf, erfc};

use crate::tolerance::{MILLS_FRACTION, NORMAL_MIDDLE, QUANTILE_STEPS, SQRT_2_REST, mills_terms};

/// 1/√(2π).
const DENSITY_AT_ZERO: f64 = 0.398_942_280_401_432_7;

/// P(N > x) of a standard normal N, to some units in the last place of the result.
pub(crate) fn normal_upper(x: f64) -> f64 {
    let y = x * FRAC_1_SQRT_2;
    let tail = 0.5 * erfc(y);
    // erfc turns the rounding of y into x² times as much: what y lacks is added to first order.
    let rest = (-y).mul_add(SQRT_2, x) - y * SQRT_2_REST;
    let slope = (-y * y).exp() / PI.sqrt();
    if slope == 0.0 { tail } else { (tail - slope * rest * FRAC_1_SQRT_2).max(0.0) }
}

/// ln P(N > x), for every x.
pub(crate) fn ln_normal_upper(x: f64) -> f64 {
    if x < 0.0 {
        (-normal_upper(-x)).ln_1p()
    } else if x < MILLS_FRACTION {
        normal_upper(x).ln()
    } else {
        -0.5 * x * x - 0.5 * (LN_2 + PI.ln()) + mills(x).ln()
    }
}

/// Mills' ratio P(N > x)/φ(x); infinite where it is no number, below −38.
pub(crate) fn mills(x: f64) -> f64 {
    if x < MILLS_FRACTION {
        return normal_upper(x) / normal_density(x);
    }
    1.0 / (x + fraction(x))
}

/// 1 − x·M(x) with M Mills' ratio: ∫ r exp(−½r² − rx) dr over r > 0.
pub(super) fn mills_rest(x: f64) -> f64 {
    if x < MILLS_FRACTION {
        return 1.0 - x * mills(x);
    }
    let fraction = fraction(x);
    fraction / (x + fraction)
}

/// 1/(x + 2/(x + 3/(x + …))), the tail of Laplace's continued fraction.
fn fraction(x: f64) -> f64 {
    let terms = mills_terms(x);
    let last = f64::from(terms + 1);
    // What is cut off is near the fixed point of y = n/(x + y).
    let rest = 2.0 * last / (x + (x * x + 4.0 * last).sqrt());
    (1..=terms).rev().fold(rest, |rest, n| f64::from(n) / (x + rest))
}

/// e^(−x²/2)/√(2π).
pub(crate) fn normal_density(x: f64) -> f64 {
    DENSITY_AT_ZERO * half_square_exp(x)
}

/// exp(−½x²) to the last place: the rounding of x² is put right.
pub(super) fn half_square_exp(x: f64) -> f64 {
    let square = x * x;
    let main = (-0.5 * square).exp();
    if main == 0.0 { 0.0 } else { main * (1.0 - 0.5 * x.mul_add(x, -square)) }
}

/// x with P(N < x) = p; infinite at 0 and 1.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    if p < 0.5 { -upper_quantile(p) } else { upper_quantile(1.0 - p) }
}

/// x with P(N > x) = p, from a small p to all its digits.
pub(crate) fn upper_quantile(p: f64) -> f64 {
    if !(NORMAL_MIDDLE..=1.0 - NORMAL_MIDDLE).contains(&p) {
        return if p < 0.5 { ln_upper_quantile(p.ln()) } else { -ln_upper_quantile((-p).ln_1p()) };
    }
    // About the median the distance from it has the digits, and p − ½ is exact.
    let middle = 0.5 - p;
    let mut x = middle / DENSITY_AT_ZERO;
    for _ in 0..QUANTILE_STEPS {
        let step = (0.5 * erf(x * FRAC_1_SQRT_2) - middle) / normal_density(x);
        x -= step;
        if step.abs() <= f64::EPSILON * x.abs() {
            break;
        }
    }
    x
}

/// x with ln P(N > x) = `log`, for any tail up to one half, however small.
pub(crate) fn ln_upper_quantile(log: f64) -> f64 {
    if log > -LN_2 {
        return -ln_upper_quantile((-log.exp()).ln_1p());
    }
    if log == f64::NEG_INFINITY {
        return f64::INFINITY;
    }
    // ln P is concave: from anywhere Newton's steps arrive on the far side, and then come down.
    let mut x = (-2.0 * (log + LN_2)).sqrt();
    for _ in 0..QUANTILE_STEPS {
        let step = (ln_normal_upper(x) - log) * mills(x);
        x += step;
        if step.abs() <= f64::EPSILON * x.abs() {
            break;
        }
    }
    x
}
