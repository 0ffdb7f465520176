//! Averages exact chances along lines over random lattices of directions \[M50\].

use super::Chance;
use super::method::{Method, RiskOptions};
use super::rule::Seen;
use super::sums::{Found, half_width};
use crate::boundary::{Contest, Line, Room};
use crate::error::Error;
use crate::rng::Random;
use crate::special::{chi_tails, normal_quantile};
use crate::sweep::{On, tasks};
use crate::tolerance::{LATTICE_SHIFTS, LATTICES};

/// The chance of each action for every Gaussian of the truth, with intervals from random shifts; lattices
/// grow until `total` of them is as exact as asked for.
pub(super) fn estimate(
    contest: &Contest,
    seen: &[Seen],
    how: &RiskOptions,
    on: On<'_>,
    total: impl Fn(&Found) -> Chance,
) -> Result<Found, Error> {
    let columns = seen.iter().map(|seen| seen.dim).max().unwrap_or(0);
    let mut found = Found::exact(Vec::new(), Method::Lattice, columns);
    for (level, &(points, generator)) in LATTICES.iter().enumerate() {
        let directions = points * LATTICE_SHIFTS as u64;
        if level > 0 && directions > how.directions {
            break;
        }
        let means = tasks(seen.len() * LATTICE_SHIFTS, points as usize, on, |task| {
            let stream = (level * seen.len() * LATTICE_SHIFTS + task) as u64;
            let mut random = Random::new(how.seed, stream);
            Ok(mean(contest, &seen[task / LATTICE_SHIFTS], points, generator, &mut random))
        })?;
        found.points = directions;
        found.rows = means.chunks_exact(LATTICE_SHIFTS).map(interval).collect();
        found.shifts = means.chunks_exact(LATTICE_SHIFTS).map(<[_]>::to_vec).collect();
        let total = total(&found);
        if total.error <= how.absolute.max(how.relative * total.value.abs()) {
            break;
        }
    }
    Ok(found)
}

/// Mean and half-width of its 99.9 % interval, from one mean per shift.
fn interval(shifts: &[Vec<f64>]) -> Vec<Chance> {
    let chance = |a: usize| {
        let means: Vec<f64> = shifts.iter().map(|shift| shift[a]).collect();
        let value = means.iter().sum::<f64>() / means.len() as f64;
        Chance { value, error: half_width(&means) }
    };
    (0..shifts.first().map_or(0, Vec::len)).map(chance).collect()
}

/// The mean over one shifted lattice: points i (1, a, a², …)/n + shift, folded, as normal directions.
fn mean(contest: &Contest, seen: &Seen, points: u64, a: u64, random: &mut Random) -> Vec<f64> {
    let shift: Vec<f64> = (0..seen.dim).map(|_| random.uniform()).collect();
    let mut steps = vec![1_u64; seen.dim];
    for j in 1..seen.dim {
        steps[j] = steps[j - 1] * a % points;
    }
    let mut sum = vec![0.0; contest.actions()];
    let mut quadratics = vec![[0.0; 3]; seen.scores.len()];
    let (mut room, mut product) = (Room::default(), Vec::new());
    let mut u = vec![0.0; seen.dim];
    for i in 0..points {
        for ((u, step), shift) in u.iter_mut().zip(&steps).zip(&shift) {
            let x = ((i * step % points) as f64 / points as f64 + shift).fract();
            // Folded, the integrand is periodic (Hickernell 2002); off the ends, it is a number.
            let folded = 1.0 - (2.0 * x - 1.0).abs();
            *u = normal_quantile(folded.clamp(f64::EPSILON, 1.0 - f64::EPSILON));
        }
        let length = crate::covariance::norm_sq(&u).sqrt();
        if length > 0.0 {
            u.iter_mut().for_each(|u| *u /= length);
        } else if let Some(first) = u.first_mut() {
            *first = 1.0;
        }
        seen.along(&u, &mut quadratics, &mut product);
        let line = Line { contest, quadratics: &quadratics };
        for stretch in line.regions_in(&mut room) {
            for (from, to) in [(stretch.from, stretch.to), (-stretch.to, -stretch.from)] {
                let from = from.max(0.0);
                if from < to {
                    sum[stretch.action] += 0.5 * radial(seen.dim, from, to);
                }
            }
        }
    }
    sum.iter().map(|sum| sum / points as f64).collect()
}

/// P(from < χ < to).
fn radial(dim: usize, from: f64, to: f64) -> f64 {
    if from == 0.0 {
        return chi_tails(dim, to).below;
    }
    let low = chi_tails(dim, from);
    if to == f64::INFINITY {
        return low.above;
    }
    let high = chi_tails(dim, to);
    if high.below < low.above { high.below - low.below } else { low.above - high.above }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P₂ of a Korobov lattice with weights 1/j² in sixteen dimensions.
    fn unevenness(points: u64, a: u64) -> f64 {
        let kernel = |x: f64| 2.0 * std::f64::consts::PI.powi(2) * (x * x - x + 1.0 / 6.0);
        let term = |i: u64| {
            let (mut step, mut product) = (1, 1.0);
            for j in 1..=16 {
                let x = (i * step % points) as f64 / points as f64;
                product *= 1.0 + kernel(x) / f64::from(j * j);
                step = step * a % points;
            }
            product
        };
        (0..points).map(term).sum::<f64>() / points as f64 - 1.0
    }

    #[test]
    fn generators_are_the_best() {
        for (points, generator) in &LATTICES[..2] {
            let own = unevenness(*points, *generator);
            assert!((2..=points / 2).all(|a| unevenness(*points, a) >= own - 1e-12), "{points}");
        }
        for (points, generator) in &LATTICES[2..] {
            let own = unevenness(*points, *generator);
            let others = (1..20).map(|i| unevenness(*points, i * points / 41));
            assert!(others.fold(f64::INFINITY, f64::min) > own, "{points}");
        }
    }
}
