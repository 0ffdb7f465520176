//! Computes the chance that two correlated normal numbers both exceed given ones \[M35\].

use std::f64::consts::{FRAC_PI_2, PI};

use super::normal::{half_square_exp, mills_rest, normal_upper};
use crate::tolerance::{ANGLE_HALVINGS, ANGLE_REACH, ANGLE_SUM, ANGLE_WIDTH, FARTHEST_NORMAL};

/// P(X > h, Y > k) for a correlation in [−1, 1].
pub(crate) fn orthant(h: f64, k: f64, rho: f64) -> f64 {
    if h < -FARTHEST_NORMAL || k < -FARTHEST_NORMAL {
        return normal_upper(h.max(k));
    }
    if h.max(k) > FARTHEST_NORMAL {
        return 0.0;
    }
    if rho >= 1.0 {
        return normal_upper(h.max(k));
    }
    if rho <= -1.0 {
        // h < X < −k, as a difference of the smaller tails.
        let (low, high) = if h > k { (h, -k) } else { (k, -h) };
        return (normal_upper(low) - normal_upper(high)).max(0.0);
    }
    if rho == 0.0 {
        return normal_upper(h) * normal_upper(k);
    }
    let spread = ((1.0 - rho) * (1.0 + rho)).sqrt();
    // Each ray by its apex: along it, and across.
    // h and ρk may be nearly the same: one rounding.
    let along = |h: f64, k: f64| (-rho).mul_add(h, k) / spread;
    let rays = [(along(h, k), h), (along(k, h), k)];
    let half = 0.5 * spread.atan2(-rho);
    rays.map(|(along, across)| Ray { along, across }.sector(half)).iter().sum::<f64>().min(1.0)
}

/// A ray from the apex of a wedge, the apex as seen from it: a sector begins there.
struct Ray {
    along: f64,
    across: f64,
}

impl Ray {
    /// Chance of the points of the wedge that lie within `width` of the ray, as seen from the apex.
    fn sector(&self, width: f64) -> f64 {
        let radius = self.along.hypot(self.across);
        if radius == 0.0 {
            return width / (2.0 * PI);
        }
        // Toward the origin there is most; a right angle from there the distance begins to grow.
        let toward = (-self.across).atan2(-self.along);
        let near = ANGLE_WIDTH / radius;
        let mut ends = vec![0.0, width];
        for end in [toward - FRAC_PI_2, toward - near, toward, toward + near, toward + FRAC_PI_2] {
            let end = if end < -FRAC_PI_2 { end + 2.0 * PI } else { end };
            if end > 0.0 && end < width {
                ends.push(end);
            }
        }
        ends.sort_unstable_by(f64::total_cmp);
        ends.windows(2).map(|ends| self.integral(ends[0], ends[1] - ends[0])).sum()
    }

    /// Density of the wedge's chance over the angle from the ray: e^(−R²/2)/(2π)·(1 − p M(p)).
    fn density(&self, angle: f64) -> f64 {
        let (sin, cos) = angle.sin_cos();
        let p = self.along * cos + self.across * sin;
        let across = self.across * cos - self.along * sin;
        let across = half_square_exp(across);
        if p >= 0.0 {
            across * half_square_exp(p) * mills_rest(p) / (2.0 * PI)
        } else {
            across * (half_square_exp(p) / (2.0 * PI) - p * normal_upper(p) / (2.0 * PI).sqrt())
        }
    }

    /// Over `width` from `start`, with nodes that crowd at both ends: φ = width/(1 + exp(−π sinh u)).
    fn integral(&self, start: f64, width: f64) -> f64 {
        let at = |u: f64| {
            let share = 1.0 / (1.0 + (-PI * u.sinh()).exp());
            let other = 1.0 / (1.0 + (PI * u.sinh()).exp());
            width * PI * u.cosh() * share * other * self.density(start + width * share)
        };
        let (mut step, mut count) = (0.5, (2.0 * ANGLE_REACH) as usize);
        let pair = |u: f64| at(u) + at(-u);
        let mut sum = at(0.0) + (1..=count).map(|n| pair(step * n as f64)).sum::<f64>();
        for _ in 0..ANGLE_HALVINGS {
            let more: f64 = (0..count).map(|n| pair(step * (n as f64 + 0.5))).sum();
            let change = (more - sum).abs();
            sum += more;
            step *= 0.5;
            count *= 2;
            if change <= ANGLE_SUM * sum {
                break;
            }
        }
        step * sum
    }
}
