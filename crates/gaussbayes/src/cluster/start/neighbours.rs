//! Guesses which rows are noise by how far their neighbours are \[M67\].

use super::Sampled;
use super::columns::Standard;
use crate::error::Error;
use crate::tolerance::{
    NEIGHBOUR, NEIGHBOUR_EXPONENT, NEIGHBOUR_ITERATIONS, NEIGHBOUR_ROWS, NEIGHBOUR_TOLERANCE,
    NEIGHBOUR_WORK,
};

/// Rows of a sample that were looked at, and which of them are noise at first sight.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Guess {
    /// Places in the sample of rows that lie as close as those of clusters do.
    pub(super) clean: Vec<usize>,
    /// Places of rows that lie apart.
    pub(super) noise: Vec<usize>,
}

impl Guess {
    /// Of the rows of a sample that are few enough to compare each with each.
    ///
    /// # Errors
    /// What the rows are refused for: none that were drawn.
    pub(super) fn of(sampled: &Sampled) -> Result<Self, Error> {
        let most = (NEIGHBOUR_WORK / sampled.table().dim as f64).sqrt() as usize;
        let most = most.clamp(NEIGHBOUR_ROWS.0, NEIGHBOUR_ROWS.1);
        let (thinned, places) = sampled.thinned(most);
        let standard = Standard::of(&thinned)?;
        let apart = volumes(&standard).and_then(|volumes| split(&volumes, &standard.weights));
        let Some(apart) = apart else { return Ok(Self { clean: places, noise: Vec::new() }) };
        let (mut clean, mut noise) = (Vec::new(), Vec::new());
        for (&place, apart) in places.iter().zip(apart) {
            if apart { noise.push(place) } else { clean.push(place) }
        }
        Ok(Self { clean, noise })
    }
}

/// The volume of the ball about each row that reaches its k-th neighbour, in units of the median's, and k.
///
/// `None` where rows are too few, or too many of them the same.
fn volumes(standard: &Standard) -> Option<(Vec<f64>, f64)> {
    let count = standard.count();
    let k = NEIGHBOUR.min(count.checked_sub(1)?);
    if k == 0 || standard.dim == 0 {
        return None;
    }
    let mut distances = vec![0.0; count];
    let mut logs = Vec::with_capacity(count);
    for i in 0..count {
        distances.iter_mut().enumerate().for_each(|(j, d)| *d = standard.distance_sq(i, j));
        // The row itself is the nearest of all.
        let (_, at, _) = distances.select_nth_unstable_by(k, f64::total_cmp);
        logs.push(0.5 * at.ln());
    }
    let mut order = logs.clone();
    let (_, &mut median, _) = order.select_nth_unstable_by(count / 2, f64::total_cmp);
    let power = standard.dim as f64;
    let volume = |log: f64| {
        let power = power * (log - median);
        power.clamp(-NEIGHBOUR_EXPONENT, NEIGHBOUR_EXPONENT).exp()
    };
    median.is_finite().then(|| (logs.into_iter().map(volume).collect(), k as f64))
}

/// EM of two Gamma laws of shape k on the volumes: which rows are more probably of the sparser one.
///
/// `None` where one law is enough.
fn split((volumes, k): &(Vec<f64>, f64), weights: &[f64]) -> Option<Vec<bool>> {
    let mut sparse: Vec<f64> = volumes.iter().map(|v| f64::from(u8::from(*v > 1.0))).collect();
    let total: f64 = weights.iter().sum();
    let rows = || weights.iter().zip(volumes);
    for _ in 0..NEIGHBOUR_ITERATIONS {
        let (mut share, mut sum, mut rest) = (0.0, 0.0, 0.0);
        for ((w, v), z) in rows().zip(&sparse) {
            share += w * z;
            sum += w * z * v;
            rest += w * (1.0 - z) * v;
        }
        let (sparser, denser) = (share / sum, (total - share) / rest);
        // Laws that have changed places, or one that has lost its rows, tell nothing apart.
        if !(sparser > 0.0 && denser.is_finite() && sparser < denser) {
            return None;
        }
        let odds = (share / (total - share)).ln() + k * (sparser / denser).ln();
        let mut change = 0.0_f64;
        for (z, v) in sparse.iter_mut().zip(volumes) {
            let next = 1.0 / (1.0 + (k * (sparser - denser) * v - odds).exp());
            change = change.max((next - *z).abs());
            *z = next;
        }
        if change < NEIGHBOUR_TOLERANCE {
            break;
        }
    }
    let noise: Vec<bool> = sparse.iter().map(|z| *z > 0.5).collect();
    (noise.contains(&true) && noise.contains(&false)).then_some(noise)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Table;
    use crate::rng::Random;
    use crate::sweep::{On, Pool};

    fn guess(values: Vec<f64>, dim: usize) -> Guess {
        let table = Table { dim, values, ..Table::default() };
        let pool = Pool::new(1).unwrap();
        let sampled = Sampled::draw(&mut table.source(), 10_000, 1, On::pool(&pool)).unwrap();
        Guess::of(&sampled).unwrap()
    }

    #[test]
    fn rows_far_from_all_others_are_noise() {
        for dim in [1, 2, 5, 40] {
            let mut random = Random::new(7, dim as u64);
            let mut values: Vec<f64> = Vec::new();
            for i in 0..300 {
                let centre = if i % 2 == 0 { 0.0 } else { 8.0 };
                values.extend((0..dim).map(|_| centre + random.normal_pair().0));
            }
            for _ in 0..15 {
                values.extend((0..dim).map(|_| 400.0 * random.uniform() - 200.0));
            }
            let found = guess(values, dim);
            let caught = found.noise.iter().filter(|place| **place >= 300).count();
            let lost = found.noise.len() - caught;
            assert!(caught >= 13 && lost <= 30, "{dim}: {caught} caught, {lost} lost");
        }
    }

    #[test]
    fn rows_that_tell_nothing_apart_are_all_clean() {
        assert!(guess(vec![1.0; 50], 1).noise.is_empty());
        assert!(guess(vec![1.0, 2.0], 2).noise.is_empty());
        let lattice: Vec<f64> = (0..50).flat_map(|i| [f64::from(i % 2), 0.0]).collect();
        assert!(guess(lattice, 2).noise.is_empty());
    }
}
