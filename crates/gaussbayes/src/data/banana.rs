//! Draws the banana set: two arcs of equal covariance that no single Gaussian can tell apart.

use std::f64::consts::PI;

use super::label::Label;
use super::memory::Table;
use crate::rng::Random;

const RADIUS: f64 = 5.0;
const ARC: f64 = 1.25 * PI;

/// `rows_per_class` rows of each of the two classes, alternating \[M23\].
pub fn banana(rows_per_class: usize, seed: u64) -> Table {
    let mut random = Random::new(seed, 0);
    let mut values = Vec::with_capacity(4 * rows_per_class);
    for _ in 0..rows_per_class {
        for (start, turn, shift) in [(0.125, 1.0, 0.0), (0.375, -1.0, -0.75 * RADIUS)] {
            let angle = start * PI + turn * ARC * random.uniform();
            let (noise_x, noise_y) = random.normal_pair();
            values.push(RADIUS * angle.sin() + noise_x + shift);
            values.push(RADIUS * angle.cos() + noise_y + shift);
        }
    }
    Table {
        dim: 2,
        values,
        weights: None,
        codes: Some([0, 1].repeat(rows_per_class)),
        dictionary: vec![Label::from("1"), Label::from("2")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_class_is_the_point_reflection_of_the_other() {
        // Class 1 has mean angle 0.75π, so its arc is centred on (r s, -r s) with s = sin(0.625π)/(0.625π)
        // times the direction (sin 0.75π, cos 0.75π); reflecting it about -0.375 r gives class 2.
        let table = banana(20_000, 1);
        let mut mean = [[0.0; 2]; 2];
        for (i, row) in table.values.chunks_exact(2).enumerate() {
            mean[i % 2][0] += row[0] / 20_000.0;
            mean[i % 2][1] += row[1] / 20_000.0;
        }
        let s = (0.625 * PI).sin() / (0.625 * PI) * RADIUS;
        let expected = [s * (0.75 * PI).sin(), s * (0.75 * PI).cos()];
        for j in 0..2 {
            assert!((mean[0][j] - expected[j]).abs() < 0.1, "{mean:?} {expected:?}");
            assert!((mean[1][j] + mean[0][j] + 0.75 * RADIUS).abs() < 0.15, "{mean:?}");
        }
    }
}
