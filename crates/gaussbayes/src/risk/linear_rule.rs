//! Finds the best linear rule between two Gaussians of unequal covariance \[M38\].

use super::bounds::check;
use super::pair::Pair;
use crate::error::Error;
use crate::mixture::Mixture;
use crate::moments::ldexp;
use crate::posterior::log_sum_exp;
use crate::special::{ln_normal_upper, normal_upper};
use crate::tolerance::{
    LEAST_SHIFT, LINEAR_BISECTIONS, LINEAR_FARTHEST, LINEAR_MIDDLE, LINEAR_STEP,
};

/// The linear rule of least error between two components: the second where normalᵀx > threshold.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearRule {
    /// For raw rows; zero where one component is always the best answer.
    pub normal: Vec<f64>,
    /// Infinite where one component is always the best answer.
    pub threshold: f64,
    /// The chance to take a row of the first component for one of the second, and the reverse.
    pub errors: (f64, f64),
    /// Both, weighted: P_i e_i + P_j e_j.
    pub total: f64,
}

impl Mixture {
    /// The linear rule between components `i` and `j` that errs least with these log weights: priors,
    /// or priors times costs.
    ///
    /// Where the covariances are equal it is the best rule of all. Where they are not, even the best
    /// plane errs more often than the quadratic rule.
    ///
    /// ```
    /// use gaussbayes::Mixture;
    ///
    /// // Equal covariances: halfway, at one deviation from either mean.
    /// let mixture = Mixture::given(&[vec![1.0], vec![5.0]], &[vec![4.0]], vec![0.5, 0.5])?;
    /// let rule = mixture.linear_rule(0, 1, (0.5_f64.ln(), 0.5_f64.ln()))?;
    /// assert!((rule.threshold / rule.normal[0] - 3.0).abs() < 1e-12);
    /// assert!((rule.total - 0.158_655_253_931_457_05).abs() < 1e-15);
    /// # Ok::<(), gaussbayes::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Mixture::bounds`].
    pub fn linear_rule(
        &self,
        i: usize,
        j: usize,
        log_weights: (f64, f64),
    ) -> Result<LinearRule, Error> {
        check(i, j, log_weights)?;
        let pair = self.pair(i, j)?;
        let found = Family::of(&pair).best(log_weights);
        let (dim, (a, b)) = (self.dim(), log_weights);
        let Some(Plane { covector, threshold, y }) = found else {
            // Always the component whose errors would cost more; the first where both cost the same.
            let (errors, total, sign) =
                if a < b { ((1.0, 0.0), a, -1.0) } else { ((0.0, 1.0), b, 1.0) };
            let (normal, threshold) = (vec![0.0; dim], sign * f64::INFINITY);
            return Ok(LinearRule { normal, threshold, errors, total: total.exp() });
        };
        let mut normal = pair.along_axes(&covector, dim);
        self.covariances().get(i).unwhiten(&mut normal);
        let (origin, exponent) = (self.frame().origin(), self.frame().exponent());
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let inner = threshold + dot(&normal, self.mean(i));
        normal.iter_mut().zip(exponent).for_each(|(w, e)| *w = ldexp(*w, -e));
        let errors = (normal_upper(y.0), normal_upper(y.1));
        let total = log_sum_exp(&[a + ln_normal_upper(y.0), b + ln_normal_upper(y.1)]).exp();
        Ok(LinearRule { threshold: inner + dot(&normal, origin), normal, errors, total })
    }
}

/// A plane between N(0, I) and N(shift, diag(ratio)): the second where covectorᵀx > threshold.
struct Plane {
    covector: Vec<f64>,
    threshold: f64,
    /// Distances of the means from the plane, each in deviations of its component.
    y: (f64, f64),
}

/// The planes (t₁I + t₂Λ)w = shift with both sides positive definite: none other can be best.
struct Family<'a> {
    pair: &'a Pair,
    shift: Vec<f64>,
    least: f64,
    most: f64,
}

/// Where a plane is in its family.
#[derive(Clone, Copy)]
struct Place {
    part: Part,
    x: f64,
}

#[derive(Clone, Copy)]
enum Part {
    /// Between the means: t₁ = x, t₂ = 1 − x.
    Between,
    /// Beyond the second mean: t₂ = −1, t₁ = λ_max + e^x.
    BeyondSecond,
    /// Beyond the first mean: t₁ = −1, t₂ λ_min = 1 + e^x.
    BeyondFirst,
}

impl<'a> Family<'a> {
    fn of(pair: &'a Pair) -> Self {
        let least = pair.ratio.iter().copied().fold(f64::INFINITY, f64::min);
        let most = pair.ratio.iter().copied().fold(0.0, f64::max);
        // Without any shift along an extreme axis the family would end before its last plane.
        let shift = |d: &f64| if d.abs() < LEAST_SHIFT { LEAST_SHIFT.copysign(*d) } else { *d };
        Self { pair, shift: pair.shift.iter().map(shift).collect(), least, most }
    }

    fn plane(&self, Place { part, x }: Place) -> Plane {
        let (gap, least, most) = (x.exp(), self.least, self.most);
        let (t1, t2) = match part {
            Part::Between => (x, 1.0 - x),
            Part::BeyondSecond => (most + gap, -1.0),
            Part::BeyondFirst => (-1.0, (1.0 + gap) / least),
        };
        // t₁ + t₂λ, beyond a mean without the difference of what cancels at the extreme λ.
        let weight = |ratio: f64| match part {
            Part::Between => t1 + t2 * ratio,
            Part::BeyondSecond => (most - ratio) + gap,
            Part::BeyondFirst => (ratio - least) / least + gap * (ratio / least),
        };
        let covector: Vec<f64> =
            self.shift.iter().zip(&self.pair.ratio).map(|(d, ratio)| d / weight(*ratio)).collect();
        // Any factor gives the same plane; this one keeps squares within range.
        let size = covector.iter().fold(0.0, |size: f64, w| w.abs().max(size));
        let unit: Vec<f64> = covector.iter().map(|w| w / size).collect();
        let first = unit.iter().map(|w| w * w).sum::<f64>().sqrt();
        let second = unit.iter().zip(&self.pair.ratio).map(|(w, r)| w * w * r).sum::<f64>().sqrt();
        let y = (t1 * size * first, t2 * size * second);
        Plane { threshold: y.0 * first, covector: unit, y }
    }

    /// ln of P_i φ(y₁)/σ₁ over P_j φ(y₂)/σ₂: zero where moving the plane changes nothing.
    fn pull(&self, place: Place, (a, b): (f64, f64)) -> f64 {
        let Plane { covector, y, .. } = self.plane(place);
        let first: f64 = covector.iter().map(|w| w * w).sum();
        let second: f64 = covector.iter().zip(&self.pair.ratio).map(|(w, r)| w * w * r).sum();
        // y₂² − y₁² as a product, since both may be large.
        (a - b) + 0.5 * (y.1 - y.0) * (y.1 + y.0) - 0.5 * (first / second).ln()
    }

    /// The best plane; none where one component is always the best answer.
    fn best(&self, log_weights: (f64, f64)) -> Option<Plane> {
        let (a, b) = log_weights;
        if !(a.is_finite() && b.is_finite()) {
            return None;
        }
        let mut best: Option<Plane> = None;
        let mut least = a.min(b);
        for path in self.paths() {
            let pulls: Vec<f64> = path.iter().map(|&at| self.pull(at, log_weights)).collect();
            for n in 1..path.len() {
                if (pulls[n - 1] > 0.0) == (pulls[n] > 0.0) {
                    continue;
                }
                let plane = self.plane(self.settle(path[n - 1], path[n], log_weights));
                let (e1, e2) = (ln_normal_upper(plane.y.0), ln_normal_upper(plane.y.1));
                let error = log_sum_exp(&[a + e1, b + e2]);
                if error < least {
                    least = error;
                    best = Some(plane);
                }
            }
        }
        best
    }

    /// Places in order, close enough that between two the pull changes its sign once at most.
    fn paths(&self) -> [Vec<Place>; 3] {
        let share = |n: usize| n as f64 / LINEAR_MIDDLE as f64;
        let middle = (0..=LINEAR_MIDDLE).map(|n| Place { part: Part::Between, x: share(n) });
        let smallest = self.shift.iter().fold(1.0, |size: f64, d| d.abs().min(size));
        let widths = self.most.ln().abs() + self.least.ln().abs() + LINEAR_FARTHEST.ln();
        let beyond = |part: Part, unit: f64| {
            // From planes that leave nothing beyond them to those through a mean.
            let (start, end) = (unit.ln() + smallest.ln() - widths, unit.ln() + widths);
            let count = ((end - start) / LINEAR_STEP) as usize;
            (0..=count).map(|n| Place { part, x: start + LINEAR_STEP * n as f64 }).collect()
        };
        [middle.collect(), beyond(Part::BeyondSecond, self.most), beyond(Part::BeyondFirst, 1.0)]
    }

    /// The place between two at which the pull is zero.
    fn settle(&self, from: Place, to: Place, log_weights: (f64, f64)) -> Place {
        let (mut from, mut to) = (from, to);
        let sign = self.pull(from, log_weights) > 0.0;
        for _ in 0..LINEAR_BISECTIONS {
            let middle = Place { part: from.part, x: 0.5 * (from.x + to.x) };
            if (self.pull(middle, log_weights) > 0.0) == sign { from = middle } else { to = middle }
        }
        to
    }
}
