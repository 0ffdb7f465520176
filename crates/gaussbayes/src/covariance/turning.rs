//! Turns axes until the mean log-determinant of the classes is least \[M26\].

use super::axes::{Axes, Turned};
use super::bend::Bend;
use super::family::Part;
use super::matrix::Covariance;
use super::structure::Convergence;
use crate::moments::{Shape, Spread};
use crate::tolerance::{
    ANGLE_CHANGE, AXES_FLAT, AXES_GAIN, AXES_STEPS, NEWTON_ANGLE, PLANE_STEPS, PLANE_SWEEPS,
};

/// A search for the axes along which the mean log-determinant of the classes is least.
pub(super) struct Search<'a> {
    axes: Axes,
    /// DᵀS_kD of each class.
    pub(super) turned: Vec<Turned>,
    shares: &'a [f64],
    /// What each class weighs in the slope; they sum to one.
    pub(super) weights: Vec<f64>,
    /// 1/d for one volume; none where each class has its own.
    pub(super) power: Option<f64>,
}

/// Shares of the classes; for one volume each weighs by its own volume too.
fn weights(turned: &[Turned], shares: &[f64], power: Option<f64>) -> Vec<f64> {
    let Some(power) = power else { return shares.to_vec() };
    let volume = |(turned, share): (&Turned, &f64)| {
        let log: f64 = turned.diagonal().map(f64::ln).sum();
        share * (power * log).exp()
    };
    let volumes: Vec<f64> = turned.iter().zip(shares).map(volume).collect();
    let total: f64 = volumes.iter().sum();
    volumes.iter().map(|volume| volume / total).collect()
}

/// What one class shows in a plane: p q − r² and, at angle t/2, r(t) = r cos t + h sin t.
struct Plane {
    share: f64,
    det: f64,
    r: f64,
    h: f64,
    pq: f64,
}

/// The objective at an angle, its slope and its curvature.
struct Slope {
    value: f64,
    first: f64,
    second: f64,
    /// The part of the curvature that is never negative.
    scale: f64,
}

impl<'a> Search<'a> {
    /// Starts at some axes with the factored covariance of each class.
    pub(super) fn new<'b>(
        classes: impl IntoIterator<Item = &'b Covariance>,
        shares: &'a [f64],
        volume: Part,
        axes: Axes,
    ) -> Self {
        let turned: Vec<Turned> = classes.into_iter().map(|one| Turned::new(one, &axes)).collect();
        let power = (volume == Part::Equal).then(|| 1.0 / axes.len() as f64);
        let weights = weights(&turned, shares, power);
        Self { axes, turned, shares, weights, power }
    }

    /// Axes.
    pub(super) fn len(&self) -> usize {
        self.axes.len()
    }

    /// Mean log-determinant over the classes, up to what does not depend on the axes.
    fn objective(&self) -> f64 {
        let logs = self.turned.iter().map(|s| s.diagonal().map(f64::ln).sum::<f64>());
        match self.power {
            None => self.shares.iter().zip(logs).map(|(share, log)| share * log).sum(),
            Some(power) => {
                let volumes: f64 = self
                    .shares
                    .iter()
                    .zip(logs)
                    .map(|(share, log)| share * (power * log).exp())
                    .sum();
                volumes.ln() / power
            }
        }
    }

    /// Turns plane by plane, a few times: each is searched as a whole, so that no saddle can hold the
    /// axes up. Returns the objective.
    pub(super) fn sweep(&mut self) -> f64 {
        for _ in 0..PLANE_SWEEPS {
            if self.turn_all() <= ANGLE_CHANGE {
                break;
            }
        }
        self.objective()
    }

    /// The axes at the bottom, the spread of each class along them, and how the way there ended.
    pub(super) fn finish(mut self) -> (Axes, Vec<Spread>, Convergence) {
        let dim = self.axes.len();
        let mut convergence = Convergence { steps: 0, converged: dim < 2 };
        // In one plane the angle of one class is known.
        let known = dim == 2 && self.turned.len() == 1;
        while convergence.steps < AXES_STEPS && !convergence.converged {
            convergence.steps += 1;
            if known || !self.newton(&mut convergence) {
                convergence.converged = self.turn_all() <= ANGLE_CHANGE;
            }
        }
        let along = |turned: &Turned| {
            let values = turned.diagonal().collect();
            Spread { shape: Shape::Diagonal, dim, values }
        };
        (self.axes, self.turned.iter().map(along).collect(), convergence)
    }

    /// Turns in every plane once; returns the widest angle.
    fn turn_all(&mut self) -> f64 {
        let dim = self.axes.len();
        let planes = (0..dim).flat_map(|l| (l + 1..dim).map(move |m| (l, m)));
        planes.map(|(l, m)| self.turn(l, m)).fold(0.0, f64::max)
    }

    /// One step of Newton's method in all planes at once; false where it does not lead down.
    fn newton(&mut self, convergence: &mut Convergence) -> bool {
        let bend = Bend::of(self);
        let gradient = bend.gradient();
        let mut step = bend.newton_step(&gradient);
        let slope: f64 = step.iter().zip(&gradient).map(|(s, g)| s * g).sum();
        if slope >= 0.0 {
            convergence.converged = gradient.iter().all(|g| *g == 0.0);
            return convergence.converged;
        }
        let widest = step.iter().fold(0.0_f64, |widest, s| widest.max(s.abs()));
        if widest > NEWTON_ANGLE {
            step.iter_mut().for_each(|angle| *angle *= NEWTON_ANGLE / widest);
        }
        let before = (self.objective(), self.axes.clone(), self.turned.clone());
        let mut angles = step.iter();
        for l in 0..self.axes.len() {
            for (m, angle) in (l + 1..self.axes.len()).zip(angles.by_ref()) {
                self.rotate(l, m, *angle);
            }
        }
        // So near the bottom the objective cannot tell the two any more.
        convergence.converged = -slope <= AXES_FLAT || widest <= ANGLE_CHANGE;
        if self.objective() > before.0 + AXES_GAIN {
            (_, self.axes, self.turned) = before;
            self.weights = weights(&self.turned, self.shares, self.power);
            convergence.converged = false;
            return false;
        }
        true
    }

    /// Finds the best angle in one plane and turns there; returns how far.
    fn turn(&mut self, l: usize, m: usize) -> f64 {
        let planes = self.planes(l, m);
        let angle = self.best_angle(&planes);
        if angle == 0.0 {
            return 0.0;
        }
        self.rotate(l, m, 0.5 * angle);
        angle.abs()
    }

    fn rotate(&mut self, l: usize, m: usize, angle: f64) {
        let (sin, cos) = angle.sin_cos();
        self.axes.turn(l, m, (cos, sin));
        for (turned, weight) in self.turned.iter_mut().zip(&mut self.weights) {
            let volume = |turned: &Turned| turned.entry(l, l) * turned.entry(m, m);
            let before = volume(turned);
            turned.turn(l, m, (cos, sin));
            if let Some(power) = self.power {
                *weight *= (volume(turned) / before).powf(power);
            }
        }
        if self.power.is_some() {
            let total: f64 = self.weights.iter().sum();
            self.weights.iter_mut().for_each(|weight| *weight /= total);
        }
    }

    fn planes(&self, l: usize, m: usize) -> Vec<Plane> {
        let plane = |(turned, share): (&Turned, f64)| {
            let (p, q, r) = (turned.entry(l, l), turned.entry(m, m), turned.entry(m, l));
            Plane { share, det: (p * q - r * r).max(0.0), r, h: 0.5 * (q - p), pq: p * q }
        };
        self.turned.iter().zip(self.weights.iter().copied()).map(plane).collect()
    }

    /// The angle with the least objective: Newton's method from the best of each class's own.
    fn best_angle(&self, planes: &[Plane]) -> f64 {
        let mut angle = 0.0;
        let mut here = self.slope(planes, angle);
        for plane in planes {
            let own = (-plane.r).atan2(plane.h);
            // r² repeats after half a turn: of the two angles, the one nearer to zero.
            let own = if own.abs() > std::f64::consts::FRAC_PI_2 {
                own - std::f64::consts::PI.copysign(own)
            } else {
                own
            };
            let there = self.slope(planes, own);
            if there.value < here.value - AXES_GAIN {
                (angle, here) = (own, there);
            }
        }
        for _ in 0..PLANE_STEPS {
            let curvature = if here.second > 0.0 { here.second } else { here.scale };
            if here.first.abs() <= ANGLE_CHANGE * curvature.max(1.0) {
                break;
            }
            let mut step = -here.first / curvature.max(f64::MIN_POSITIVE);
            step = step.clamp(-std::f64::consts::FRAC_PI_4, std::f64::consts::FRAC_PI_4);
            let mut next = self.slope(planes, angle + step);
            while next.value > here.value && step.abs() > ANGLE_CHANGE {
                step *= 0.5;
                next = self.slope(planes, angle + step);
            }
            if next.value > here.value {
                break;
            }
            angle += step;
            here = next;
        }
        angle
    }

    fn slope(&self, planes: &[Plane], angle: f64) -> Slope {
        let (sin, cos) = angle.sin_cos();
        let mut sum = Slope { value: 0.0, first: 0.0, second: 0.0, scale: 0.0 };
        for plane in planes {
            let r = plane.r * cos + plane.h * sin;
            let dr = plane.h * cos - plane.r * sin;
            let product = plane.det + r * r;
            let log = (product / plane.pq).ln();
            let first = 2.0 * r * dr / product;
            let second = 2.0 * (dr * dr - r * r) / product - first * first;
            sum.scale += plane.share * 2.0 * dr * dr / product;
            match self.power {
                None => {
                    sum.value += plane.share * log;
                    sum.first += plane.share * first;
                    sum.second += plane.share * second;
                }
                // (Σ share (e^(power·log) − 1)) / power: the same scale as the logs themselves.
                Some(power) => {
                    let volume = plane.share * (power * log).exp();
                    sum.value += plane.share * (power * log).exp_m1() / power;
                    sum.first += volume * first;
                    sum.second += volume * (second + power * first * first);
                }
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::covariance::bend::tests::{classes, search};

    #[test]
    fn a_plane_is_searched_as_a_whole() {
        let h = 1e-4;
        for (seed, volume) in (0..8).flat_map(|s| [(s, Part::Equal), (s, Part::Variable)]) {
            let all = classes(seed, 3, 3);
            let new = || search(&all, volume, Axes::of(&all.pooled()).unwrap());
            for (l, m) in [(0, 1), (0, 2), (1, 2)] {
                let (search, base) = (new(), new().objective());
                let planes = search.planes(l, m);
                let gain = |angle: f64| {
                    let mut turned = new();
                    turned.rotate(l, m, 0.5 * angle);
                    turned.objective() - base
                };
                let slope = |angle: f64| search.slope(&planes, angle);
                let best = gain(search.best_angle(&planes));
                for step in -90..=90 {
                    let t = f64::from(step) * std::f64::consts::PI / 180.0;
                    let here = slope(t);
                    let f = search.power.map_or(here.value, |p| (p * here.value).ln_1p() / p);
                    assert!((f - gain(t)).abs() < 1e-10, "{seed} {volume:?} {l} {m} {t}");
                    let first = (slope(t + h).value - slope(t - h).value) / (2.0 * h);
                    let second = (slope(t + h).first - slope(t - h).first) / (2.0 * h);
                    assert!((here.first - first).abs() < 1e-4 * (1.0 + first.abs()), "{t}");
                    assert!((here.second - second).abs() < 1e-4 * (1.0 + second.abs()), "{t}");
                    assert!(best <= gain(t) + 1e-10, "{seed} {volume:?} {l} {m} {t}");
                }
            }
        }
    }
}
