//! What is read from a mixture in raw units says the same as its scores: [M16].

use gaussbayes::{CovarianceSpec, Covariances, Density, Linear, Mixture, OnSingular, Score, Table};
use proptest::prelude::*;

use super::support::{fit, iris, mapped, models};
use super::{random_table, seeded};

/// w_kᵀ(x − a) + (c_k + w_kᵀa) of each component.
fn scores(linear: &Linear, about: &[f64], x: &[f64]) -> Vec<f64> {
    let score = |(w, c): (&[f64], &f64)| {
        let near: f64 = w.iter().zip(x).zip(about).map(|((w, x), a)| w * (x - a)).sum();
        near + (c + w.iter().zip(about).map(|(w, a)| w * a).sum::<f64>())
    };
    linear.coefficients.chunks_exact(x.len()).zip(&linear.intercepts).map(score).collect()
}

/// Largest difference between log-odds of the linear form and those of the model.
fn off(mixture: &Mixture, about: &[f64], table: &Table) -> f64 {
    let linear = mixture.linear(about).unwrap();
    let expected = mixture.scores(&table.block(0..table.rows()).unwrap()).unwrap();
    let mut off = 0.0_f64;
    for (x, row) in table
        .values
        .chunks_exact(table.dim)
        .zip(expected.relative.chunks_exact(expected.components))
    {
        let found = scores(&linear, about, x);
        for (a, b) in found.iter().zip(row) {
            let (found, expected) = (a - found[0], b - row[0]);
            off = off.max((found - expected).abs() / (1.0 + expected.abs()));
        }
    }
    off
}

proptest! {
    #![proptest_config(seeded(24))]

    #[test]
    fn linear_scores_have_the_log_odds_of_the_model_about_any_point(
        seed in any::<u64>(), dim in 1usize..5, classes in 2usize..5,
    ) {
        // Whole numbers: the shifted table holds the same values exactly.
        let table = mapped(&random_table(seed, 30 * classes, dim, classes), |_, x| (64.0 * x).round());
        let moved = mapped(&table, |j, x| x + 1e9 * (1.0 + j as f64));
        for (name, spec) in models() {
            let fitted = fit(&spec, &table).unwrap().classifier;
            let mixture = fitted.mixture().unwrap();
            let centre = mixture.centre();
            if matches!(mixture.covariances(), Covariances::Each(_)) {
                prop_assert_eq!(mixture.linear(&centre), None);
                continue;
            }
            for about in [centre.clone(), vec![0.0; dim], vec![3.0; dim]] {
                let off = off(mixture, &about, &table);
                prop_assert!(off < 1e-9, "{name}: {off:e}");
            }
            // Far from zero the coefficients are the same, and w_kᵀa alone is rounded.
            let fitted = fit(&spec, &moved).unwrap().classifier;
            let far: Vec<f64> = centre.iter().enumerate().map(|(j, a)| a.round() + 1e9 * (1.0 + j as f64)).collect();
            let near: Vec<f64> = centre.iter().map(|a| a.round()).collect();
            let (a, b) = (mixture.linear(&near).unwrap(), fitted.mixture().unwrap().linear(&far).unwrap());
            let size = a.coefficients.iter().fold(1e-300, |top: f64, w| top.max(w.abs()));
            for (a, b) in a.coefficients.iter().zip(&b.coefficients) {
                prop_assert!((a - b).abs() < 1e-9 * size, "{name}: {a} {b}");
            }
            let off = off(fitted.mixture().unwrap(), &far, &moved);
            let lost = 1e-16 * 1e9 * size * 32.0 * (dim as f64).powi(2);
            prop_assert!(off < 1e-9 + lost, "{name}: {off:e}");
        }
    }

    #[test]
    fn principal_axes_make_the_covariance_up(seed in any::<u64>(), dim in 1usize..6) {
        let table = random_table(seed, 60, dim, 2);
        for scale in [1.0, 1e-200, 1e150] {
            let table = mapped(&table, |_, x| x * scale);
            for (name, spec) in models() {
                let fitted = fit(&spec, &table).unwrap().classifier;
                let mixture = fitted.mixture().unwrap();
                for k in 0..2 {
                    let (variances, axes) = mixture.principal_axes(k).unwrap();
                    prop_assert!(variances.is_sorted_by(|a, b| a >= b), "{name}");
                    let axes: Vec<&[f64]> = axes.chunks_exact(dim).collect();
                    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
                    for (i, axis) in axes.iter().enumerate() {
                        for (j, other) in axes.iter().enumerate() {
                            prop_assert!((dot(axis, other) - f64::from(u8::from(i == j))).abs() < 1e-13);
                        }
                        let top = axis.iter().fold(0.0, |top: f64, v| if v.abs() > top.abs() { *v } else { top });
                        prop_assert!(top > 0.0, "{name}: {axis:?}");
                    }
                    // Of unit covariances in tiny units the squares are numbers too.
                    let raw = mixture.raw_covariance(k);
                    for i in 0..dim {
                        for j in 0..=i {
                            let sum: f64 = (0..dim).map(|a| variances[a] * axes[a][i] * axes[a][j]).sum();
                            let at = i * (i + 1) / 2 + j;
                            let near = (sum - raw[at]).abs() <= 1e-12 * variances[0];
                            prop_assert!(near || !raw[at].is_finite(), "{name}, {scale}: {sum:e} {:e}", raw[at]);
                        }
                    }
                }
                prop_assert_eq!(mixture.principal_axes(2), None);
            }
        }
    }
}

#[test]
fn linear_scores_within_a_range_and_none_where_scores_are_not_linear() {
    let iris = iris();
    let rows = iris.values.chunks_exact(4).flat_map(|r| [r[0], r[1], r[2], r[3], r[0] - r[2]]);
    let sum = Table { dim: 5, values: rows.collect(), ..iris.clone() };
    let spec = CovarianceSpec { on_singular: OnSingular::RANGE, ..CovarianceSpec::lda() };
    let fitted = fit(&spec, &sum).unwrap().classifier;
    let mixture = fitted.mixture().unwrap();
    assert!(off(mixture, &mixture.centre(), &sum) < 1e-9);
    let (variances, axes) = mixture.principal_axes(0).unwrap();
    assert!(variances[4] < 1e-15 && axes.len() == 25);
    assert_eq!(mixture.linear(&[0.0; 4]), None);
    let spec = CovarianceSpec { density: Density::Debiased, ..CovarianceSpec::lda() };
    assert_eq!(fit(&spec, &iris).unwrap().classifier.mixture().unwrap().linear(&[0.0; 4]), None);
    // By hand: deck 002 [M16], w = (28, 0) and w_0 = −21.
    let means = [vec![2.5, 0.0], vec![-1.0, 0.0]];
    let given = Mixture::given(&means, &[vec![0.125, 0.0, 0.5]], vec![0.5, 0.5]).unwrap();
    let found = given.linear(&[1.0, 7.0]).unwrap();
    assert!((found.coefficients[0] - found.coefficients[2] - 28.0).abs() < 1e-12);
    assert!((found.intercepts[0] - found.intercepts[1] + 21.0).abs() < 1e-12);
    assert_eq!(given.centre(), [0.75, 0.0]);
    let half = 0.5_f64.sqrt();
    let turned = Mixture::given(&means, &[vec![2.5, -1.5, 2.5]], vec![0.5, 0.5]).unwrap();
    let (variances, axes) = turned.principal_axes(1).unwrap();
    for (a, b) in variances.iter().chain(&axes).zip([4.0, 1.0, half, -half, half, half]) {
        // Which of two coefficients of one size is the larger is left to rounding.
        assert!((a.abs() - f64::abs(b)).abs() < 1e-14, "{variances:?} {axes:?}");
    }
}

#[test]
fn a_fixed_unit_far_from_the_rows_has_linear_scores() {
    let unit = CovarianceSpec::nearest_mean();
    for scale in [1e-160, 1e150] {
        let table = mapped(&iris(), |_, x| x * scale);
        let fitted = fit(&unit, &table).unwrap().classifier;
        let mixture = fitted.mixture().unwrap();
        let found = mixture.linear(&[0.0; 4]).unwrap();
        for (w, mean) in found.coefficients.iter().zip((0..3).flat_map(|k| mixture.raw_mean(k))) {
            assert!((w / mean - 1.0).abs() < 1e-12, "{scale}: {w} {mean}");
        }
        assert_eq!(mixture.principal_axes(0).unwrap().0, [1.0; 4]);
    }
}
