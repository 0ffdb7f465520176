//! Finds the chances that a quadratic form of a normal vector is negative and positive \[M36\].

use std::f64::consts::PI;

use crate::special::normal_upper;
use crate::tolerance::{
    CONTOUR_BEND, CONTOUR_CHANGE, CONTOUR_END, CONTOUR_HALVINGS, CONTOUR_SETTLED, CONTOUR_STEP,
    CONTOUR_STEPS, FARTHEST_MEAN, SADDLE_CHANGE, SADDLE_STEPS, STRAIGHT_PENALTY,
};

/// Q(z) = Σ_j w_j z_j² + b_j z_j + c of a standard normal vector z.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Form {
    pub(crate) w: Vec<f64>,
    pub(crate) b: Vec<f64>,
    /// May be infinite, as the logarithm of a weight may be.
    pub(crate) c: f64,
    /// Relative rounding of w and b, beside that of the last place.
    pub(crate) rounding: f64,
    /// Absolute rounding of c.
    pub(crate) noise: f64,
}

/// P(Q < 0) and P(Q > 0). Both are 0 where Q is 0 everywhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tails {
    pub(crate) below: f64,
    pub(crate) above: f64,
    /// Relative error of the smaller one, as estimated.
    pub(crate) error: f64,
}

impl Form {
    /// P(Q < 0) and P(Q > 0), the smaller one relative to its size.
    #[cfg(test)]
    pub(crate) fn tails(&self) -> Tails {
        Sum::of(self).tails(self.c)
    }

    /// P(Q < q) and P(Q > q) for each q; what does not depend on q is done once.
    pub(crate) fn tails_at(&self, q: &[f64]) -> Vec<Tails> {
        let sum = Sum::of(self);
        q.iter().map(|q| sum.tails(self.c - q)).collect()
    }
}

/// Terms of a cumulant function that have one weight.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Term {
    w: f64,
    /// Σ b².
    beta: f64,
    count: f64,
}

/// A form without its constant, of variance one.
struct Sum {
    terms: Vec<Term>,
    /// What the form was divided by.
    unit: f64,
    /// Relative rounding of the terms.
    rounding: f64,
    /// Absolute rounding of the constant, in this unit.
    noise: f64,
}

impl Sum {
    fn of(form: &Form) -> Self {
        let largest = form.w.iter().chain(&form.b).fold(0.0, |size: f64, x| x.abs().max(size));
        let mut pairs: Vec<(f64, f64)> =
            form.w.iter().zip(&form.b).map(|(w, b)| (w / largest, b / largest)).collect();
        let variance: f64 = pairs.iter().map(|(w, b)| 2.0 * w * w + b * b).sum();
        let deviation = variance.sqrt();
        if largest == 0.0 {
            return Self { terms: Vec::new(), unit: 0.0, rounding: 0.0, noise: 0.0 };
        }
        pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut terms: Vec<Term> = Vec::new();
        for (w, b) in pairs {
            let (w, b) = (w / deviation, b / deviation);
            match terms.last_mut().filter(|last| last.w == w) {
                Some(last) => {
                    last.beta += b * b;
                    last.count += 1.0;
                }
                None => terms.push(Term { w, beta: b * b, count: 1.0 }),
            }
        }
        let unit = largest * deviation;
        Self { terms, unit, rounding: form.rounding, noise: form.noise / unit }
    }

    fn tails(&self, c: f64) -> Tails {
        if self.terms.is_empty() || c.is_infinite() {
            let chance = |yes: bool| if yes { 1.0 } else { 0.0 };
            return Tails { below: chance(c < 0.0), above: chance(c > 0.0), error: 0.0 };
        }
        let c = c / self.unit;
        if let [Term { w: 0.0, .. }] = self.terms[..] {
            let error =
                (4.0 * f64::EPSILON + self.rounding) * (1.0 + c * c) + self.noise * (1.0 + c.abs());
            return Tails { below: normal_upper(c), above: normal_upper(-c), error };
        }
        let mean = c + self.terms.iter().map(|term| term.w * term.count).sum::<f64>();
        // The tail beyond the mean is never nearly one, so that the other may be what it leaves.
        let sign = if mean > 0.0 { -1.0 } else { 1.0 };
        let terms = self.terms.iter().map(|term| Term { w: sign * term.w, ..*term }).collect();
        let (tail, error) =
            Cumulant { terms, c: sign * c, rounding: self.rounding, noise: self.noise }.upper();
        let (below, above) = if sign > 0.0 { (1.0 - tail, tail) } else { (tail, 1.0 - tail) };
        Tails { below, above, error: if tail > 0.5 { error * tail / (1.0 - tail) } else { error } }
    }
}

/// K(t) = Σ −½ ln(1 − 2tw) + ½t²b²/(1 − 2tw) + tc, the logarithm of E exp(tQ); E Q ≤ 0.
struct Cumulant {
    terms: Vec<Term>,
    c: f64,
    rounding: f64,
    noise: f64,
}

/// Where a contour leaves the real axis, and how.
#[derive(Clone, Copy)]
struct Contour {
    saddle: f64,
    /// Unit of length: 1/√(K − ln t)″ at the saddle.
    unit: f64,
    bend: f64,
    /// K at the saddle.
    height: f64,
}

/// The trapezoidal rule along a contour: its sum, and that of absolute values.
struct Coarse {
    contour: Contour,
    steps: usize,
    sum: f64,
    total: f64,
}

/// A value on the contour: its logarithm's real part, and its imaginary part over exp(height).
#[derive(Clone, Copy)]
struct Value {
    size: f64,
    part: f64,
}

impl Cumulant {
    /// P(Q > 0), and its relative error as estimated.
    fn upper(&self) -> (f64, f64) {
        let mean = self.c + self.terms.iter().map(|term| term.w * term.count).sum::<f64>();
        if self.supremum() <= 0.0 || mean < -FARTHEST_MEAN {
            return (0.0, 0.0);
        }
        let saddle = self.saddle();
        let (height, sizes) = self.at_real(saddle);
        // P(Q > 0) ≤ E exp(tQ): nothing is left of it as a number.
        if height < f64::MIN_POSITIVE.ln() - CONTOUR_END {
            return (0.0, 0.0);
        }
        let unit = self.slopes(saddle).1.sqrt().recip();
        let mut tried = [CONTOUR_BEND, -CONTOUR_BEND, 0.0]
            .map(|bend| self.coarse(Contour { saddle, unit, bend, height }));
        // A straight line may have the least, but oscillates for long.
        tried[2].total *= STRAIGHT_PENALTY;
        tried.sort_unstable_by(|a, b| a.total.total_cmp(&b.total));
        let (mut tail, mut error) = (0.5, 1.0);
        for coarse in tried.iter().filter(|coarse| coarse.total.is_finite()) {
            let (sum, change) = self.refine(coarse);
            let lost = (coarse.total / sum.abs()).max(1.0);
            let noise = (f64::EPSILON + self.rounding) * (4.0 + sizes) * lost + saddle * self.noise;
            if change + noise < error {
                error = change + noise;
                tail = (sum / PI * height.exp()).clamp(0.0, 1.0);
            }
            if change <= CONTOUR_SETTLED {
                break;
            }
        }
        (tail, error)
    }

    /// Least upper bound of Q.
    fn supremum(&self) -> f64 {
        let reach = |term: &Term| match term {
            Term { w, .. } if *w > 0.0 => f64::INFINITY,
            Term { beta: 0.0, .. } => 0.0,
            Term { w, .. } if *w >= 0.0 => f64::INFINITY,
            Term { w, beta, .. } => beta / (-4.0 * w),
        };
        self.c + self.terms.iter().map(reach).sum::<f64>()
    }

    /// First and second derivative of K(t) − ln t.
    fn slopes(&self, t: f64) -> (f64, f64) {
        let (mut first, mut second) = (self.c - 1.0 / t, 1.0 / (t * t));
        for Term { w, beta, count } in &self.terms {
            let a = 1.0 / (1.0 - 2.0 * t * w);
            first += count * w * a + t * beta * (1.0 - t * w) * a * a;
            second += 2.0 * count * w * w * a * a + beta * a * a * a;
        }
        (first, second)
    }

    /// K(t), and the sum of its terms' sizes.
    fn at_real(&self, t: f64) -> (f64, f64) {
        let (mut sum, mut sizes) = (t * self.c, (t * self.c).abs());
        for Term { w, beta, count } in &self.terms {
            let a = 1.0 - 2.0 * t * w;
            let (ln, square) = (-0.5 * count * a.ln(), 0.5 * t * t * beta / a);
            sum += ln + square;
            sizes += ln.abs() + square;
        }
        (sum, sizes)
    }

    /// Where the convex K(t) − ln t is least between 0 and the first pole, to some digits.
    fn saddle(&self) -> f64 {
        let widest = self.terms.iter().map(|term| term.w).fold(0.0, f64::max);
        let pole = 0.5 / widest;
        let (mut low, mut high) = (0.0, pole);
        let mut t = if pole > 2.0 { 1.0 } else { 0.5 * pole };
        for _ in 0..SADDLE_STEPS {
            let (first, second) = self.slopes(t);
            if first > 0.0 {
                high = t;
            } else {
                low = t;
            }
            let newton = t - first / second;
            let next = if newton <= low {
                if low == 0.0 { 0.125 * t } else { 0.5 * (low + t) }
            } else if newton >= high {
                if high == pole { pole - 0.125 * (pole - t) } else { 0.5 * (t + high) }
            } else {
                newton
            };
            let change = (next - t).abs();
            t = next;
            if change <= SADDLE_CHANGE * t.min(pole - t) {
                break;
            }
        }
        t
    }

    /// The trapezoidal rule with the first step, up to where nothing is left.
    fn coarse(&self, contour: Contour) -> Coarse {
        let mut found = Coarse { contour, steps: CONTOUR_STEPS, sum: 0.0, total: 0.0 };
        let (mut largest, mut small) = (f64::NEG_INFINITY, 0);
        for n in 0..CONTOUR_STEPS {
            let Value { size, part } = self.value(&contour, CONTOUR_STEP * n as f64);
            let weight = if n == 0 { 0.5 * CONTOUR_STEP } else { CONTOUR_STEP };
            found.sum += weight * part;
            found.total += weight * size.exp();
            if !found.total.is_finite() || size > CONTOUR_END {
                found.total = f64::INFINITY;
                break;
            }
            largest = size.max(largest);
            small = if size < largest - CONTOUR_END { small + 1 } else { 0 };
            if small == 3 {
                found.steps = n;
                break;
            }
        }
        found
    }

    /// Halves the step until the sum stays: the sum, and its last relative change.
    fn refine(&self, coarse: &Coarse) -> (f64, f64) {
        let (mut sum, mut step, mut steps) = (coarse.sum, CONTOUR_STEP, coarse.steps);
        let mut change = 1.0;
        for _ in 0..CONTOUR_HALVINGS {
            let between = |n: usize| self.value(&coarse.contour, step * (n as f64 + 0.5)).part;
            let finer = 0.5 * (sum + step * (0..steps).map(between).sum::<f64>());
            change = ((finer - sum) / finer).abs();
            (sum, step, steps) = (finer, 0.5 * step, 2 * steps);
            if change <= CONTOUR_CHANGE {
                break;
            }
        }
        (sum, change)
    }

    /// Im exp(K(t))/t·dt/dv on the contour t(v) = t₀ + ½σβ(cosh v − 1)… + iσ sinh v.
    fn value(&self, contour: &Contour, v: f64) -> Value {
        let Contour { saddle, unit, bend, height } = *contour;
        let (sinh, half) = (v.sinh(), (0.5 * v).sinh());
        let (x, y) = (saddle + unit * bend * 2.0 * half * half, unit * sinh);
        let (dx, dy) = (unit * bend * sinh, unit * v.cosh());
        let (mut real, mut angle) = (x * self.c - height, y * self.c);
        for Term { w, beta, count } in &self.terms {
            let (ar, ai) = (1.0 - 2.0 * x * w, -2.0 * y * w);
            let norm = ar * ar + ai * ai;
            real -= 0.25 * count * norm.ln();
            angle -= 0.5 * count * ai.atan2(ar);
            if *beta > 0.0 {
                // t²/a = t²·conj(a)/|a|²
                let (tr, ti) = (x * x - y * y, 2.0 * x * y);
                let scale = 0.5 * beta / norm;
                real += scale * (tr * ar + ti * ai);
                angle += scale * (ti * ar - tr * ai);
            }
        }
        // (dx + i dy)/(x + i y)
        let norm = x * x + y * y;
        let (qr, qi) = ((dx * x + dy * y) / norm, (dy * x - dx * y) / norm);
        let size = real + 0.5 * (qr * qr + qi * qi).ln();
        let (sin, cos) = angle.sin_cos();
        Value { size, part: real.exp() * (qr * sin + qi * cos) }
    }
}
