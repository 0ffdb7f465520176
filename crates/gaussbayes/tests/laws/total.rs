//! Directions between a total covariance and that within classes: [M24].

use gaussbayes::{CovarianceSpec, Error, Mixture, OnSingular, Projection, Table};
use proptest::prelude::*;

use super::support::{distance, fit, iris, mapped, models, numbers_table};
use super::{random_table, seeded};

/// Lower triangle of the maximum-likelihood covariance of all rows.
fn total(table: &Table) -> Vec<f64> {
    let (dim, n) = (table.dim, table.rows() as f64);
    let column = |j: usize| table.values.iter().skip(j).step_by(dim);
    let mean: Vec<f64> = (0..dim).map(|j| column(j).sum::<f64>() / n).collect();
    let entry = |i: usize, j: usize| {
        let pairs = column(i).zip(column(j));
        pairs.map(|(x, y)| (x - mean[i]) * (y - mean[j])).sum::<f64>() / n
    };
    (0..dim).flat_map(|i| (0..=i).map(move |j| (i, j))).map(|(i, j)| entry(i, j)).collect()
}

/// vᵀMw of a matrix given by its lower triangle.
fn form(triangle: &[f64], v: &[f64], w: &[f64]) -> f64 {
    let at = |i: usize, j: usize| triangle[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
    let row = |i: usize| (0..w.len()).map(|j| at(i, j) * w[j]).sum::<f64>();
    (0..v.len()).map(|i| v[i] * row(i)).sum()
}

proptest! {
    #![proptest_config(seeded(24))]

    #[test]
    fn directions_solve_their_equation_for_any_total(
        seed in any::<u64>(), dim in 1usize..6, classes in 2usize..5, share in 0.1_f64..3.0,
    ) {
        let table = random_table(seed, 40 * classes, dim, classes);
        let total: Vec<f64> = total(&table).iter().map(|t| share * t).collect();
        for (name, spec) in models() {
            let fitted = fit(&spec, &table).unwrap().classifier;
            let mixture = fitted.mixture().unwrap();
            let found = Projection::within_total(mixture, &total).unwrap();
            prop_assert_eq!(found.len(), dim);
            prop_assert!(found.ratios().is_sorted_by(|a, b| a >= b));
            let directions = found.directions();
            let size = 1.0 + found.ratios()[0].abs();
            for (a, v) in directions.iter().enumerate() {
                for (b, w) in directions.iter().enumerate() {
                    let within: f64 = (0..classes)
                        .map(|k| mixture.weights()[k] * form(&mixture.raw_covariance(k), v, w))
                        .sum();
                    let (one, ratio) = if a == b { (1.0, 1.0 + found.ratios()[a]) } else { (0.0, 0.0) };
                    prop_assert!((within - one).abs() < 1e-10, "{name}: {within}");
                    let all = form(&total, v, w);
                    prop_assert!((all - ratio).abs() < 1e-9 * size, "{name}: {all} {ratio}");
                }
            }
            let sum: f64 = found.ratios().iter().sum();
            for (share, ratio) in found.explained().iter().zip(found.ratios()) {
                prop_assert!((share * sum - ratio).abs() < 1e-9 * size, "{name}: {share}");
            }
        }
    }

    #[test]
    fn of_rows_without_shrinkage_they_are_the_canonical_ones(seed in any::<u64>(), dim in 2usize..6) {
        let table = random_table(seed, 120, dim, 3);
        let fitted = fit(&CovarianceSpec::lda(), &table).unwrap().classifier;
        let canonical = Projection::of(fitted.mixture().unwrap()).unwrap();
        for scale in [1.0, 1e-120, 1e120] {
            let scaled = mapped(&table, |_, x| x * scale);
            let fitted = fit(&CovarianceSpec::lda(), &scaled).unwrap().classifier;
            let found = Projection::within_total(fitted.mixture().unwrap(), &total(&scaled)).unwrap();
            for (a, b) in found.ratios().iter().zip(canonical.ratios()) {
                prop_assert!((a - b).abs() < 1e-9 * canonical.ratios()[0], "{a} {b}");
            }
            prop_assert!(found.ratios()[canonical.len()..].iter().all(|r| r.abs() < 1e-9 * canonical.ratios()[0]));
            let raw: Vec<Vec<f64>> = found.directions()[..1]
                .iter().map(|v| v.iter().map(|v| v * scale).collect()).collect();
            prop_assert!(distance(&raw, &canonical.directions()[..1]) < 1e-8);
        }
    }
}

#[test]
fn rows_are_projected_about_the_centre_or_about_zero() {
    let iris = iris();
    let fitted = fit(&CovarianceSpec::lda(), &iris).unwrap().classifier;
    let (mixture, block) = (fitted.mixture().unwrap(), iris.block(0..150).unwrap());
    let (of, within) = (
        Projection::of(mixture).unwrap(),
        Projection::within_total(mixture, &total(&iris)).unwrap(),
    );
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    for projection in [of, within] {
        let directions = projection.directions();
        let (centred, plain) = (
            projection.transform(&block).unwrap(),
            projection.transform_uncentred(&block).unwrap(),
        );
        for (i, row) in iris.values.chunks_exact(4).enumerate() {
            for (at, v) in directions.iter().enumerate() {
                let place = i * directions.len() + at;
                assert!((plain[place] - dot(row, v)).abs() < 1e-12);
                assert!((centred[place] - plain[place] + dot(&mixture.centre(), v)).abs() < 1e-12);
            }
        }
        let other = numbers_table(3, &[1.0; 3]);
        let error = projection.transform_uncentred(&other.block(0..1).unwrap());
        assert!(matches!(error, Err(Error::Shape { .. })));
    }
}

#[test]
fn a_total_must_fit_and_a_range_has_no_such_directions() {
    let means = [vec![-1.0, 0.0], vec![1.0, 0.0]];
    let mixture = Mixture::given(&means, &[vec![4.0, 0.0, 1.0]], vec![0.5, 0.5]).unwrap();
    // T smaller than W: nothing is left between the classes, and ρ says by how much.
    let found = Projection::within_total(&mixture, &[2.0, 0.0, 1.5]).unwrap();
    assert_eq!(found.ratios(), [0.5, -0.5]);
    assert_eq!(found.explained(), [0.0, 0.0]);
    assert!(matches!(Projection::within_total(&mixture, &[2.0]), Err(Error::Shape { .. })));
    let bad = Projection::within_total(&mixture, &[2.0, f64::NAN, 1.0]);
    assert!(matches!(bad, Err(Error::BadParameter { .. })), "{bad:?}");
    let iris = iris();
    let rows = iris.values.chunks_exact(4).flat_map(|r| [r[0], r[1], r[2], r[3], r[0] - r[2]]);
    let sum = Table { dim: 5, values: rows.collect(), ..iris.clone() };
    let spec = CovarianceSpec { on_singular: OnSingular::RANGE, ..CovarianceSpec::lda() };
    let fitted = fit(&spec, &sum).unwrap().classifier;
    let error = Projection::within_total(fitted.mixture().unwrap(), &total(&sum)).unwrap_err();
    assert!(error.to_string().contains("rank 4 of 5"), "{error}");
}
