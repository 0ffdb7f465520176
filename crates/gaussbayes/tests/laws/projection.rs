//! Canonical directions keep what tells classes apart, in any unit and about any origin: [M24].

use gaussbayes::{CovarianceSpec, Covariances, Mixture, Projection, Table};
use proptest::prelude::*;

use super::support::{distance, fit, iris, mapped, models, numbers_table, posteriors, table, wine};
use super::{random_table, seeded};

fn projection(spec: &CovarianceSpec, table: &Table) -> Projection {
    Projection::of(fit(spec, table).unwrap().classifier.mixture().unwrap()).unwrap()
}

fn projected(projection: &Projection, table: &Table) -> Vec<Vec<f64>> {
    let values = projection.transform(&table.block(0..table.rows()).unwrap()).unwrap();
    values.chunks_exact(projection.len().max(1)).map(<[f64]>::to_vec).collect()
}

/// The means of the components as rows.
fn means(mixture: &Mixture) -> Table {
    let raw = |k| mixture.raw_mean(k);
    numbers_table(mixture.dim(), &(0..mixture.components()).flat_map(raw).collect::<Vec<f64>>())
}

/// Posteriors of the nearest projected mean: π_k exp(−½‖y − η_k‖²), normalised.
fn nearest(mixture: &Mixture, table: &Table) -> Vec<Vec<f64>> {
    let projection = Projection::of(mixture).unwrap();
    let centres = projected(&projection, &means(mixture));
    let posterior = |row: Vec<f64>| {
        let score = |(centre, weight): (&Vec<f64>, &f64)| {
            weight.ln() - 0.5 * row.iter().zip(centre).map(|(y, c)| (y - c).powi(2)).sum::<f64>()
        };
        let scores: Vec<f64> = centres.iter().zip(mixture.weights()).map(score).collect();
        let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = scores.iter().map(|s| (s - top).exp()).sum();
        scores.iter().map(|s| (s - top).exp() / sum).collect()
    };
    projected(&projection, table).into_iter().map(posterior).collect()
}

/// vᵀMw of a matrix given by its lower triangle.
fn form(triangle: &[f64], v: &[f64], w: &[f64]) -> f64 {
    let at = |i: usize, j: usize| triangle[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
    let row = |i: usize| (0..w.len()).map(|j| at(i, j) * w[j]).sum::<f64>();
    (0..v.len()).map(|i| v[i] * row(i)).sum()
}

proptest! {
    #![proptest_config(seeded(32))]

    #[test]
    fn a_shared_covariance_loses_nothing(
        seed in any::<u64>(), dim in 1usize..7, classes in 2usize..6,
    ) {
        let table = random_table(seed, 40 * classes, dim, classes);
        for (name, spec) in models() {
            let classifier = fit(&spec, &table).unwrap().classifier;
            let projection = Projection::of(classifier.mixture().unwrap()).unwrap();
            prop_assert_eq!(projection.len(), dim.min(classes - 1));
            if matches!(classifier.mixture().unwrap().covariances(), Covariances::Shared(_)) {
                let found = nearest(classifier.mixture().unwrap(), &table);
                let apart = distance(&found, &posteriors(&classifier, &table));
                prop_assert!(apart < 1e-10, "{name}: {apart}");
            }
        }
    }

    #[test]
    fn directions_are_uncorrelated_within_and_between(
        seed in any::<u64>(), dim in 1usize..6, classes in 2usize..6,
    ) {
        let table = random_table(seed, 40 * classes, dim, classes);
        for (name, spec) in models() {
            let fitted = fit(&spec, &table).unwrap().classifier;
            let mixture = fitted.mixture().unwrap();
            let projection = Projection::of(mixture).unwrap();
            let centres = projected(&projection, &means(mixture));
            let directions = projection.directions();
            for (a, v) in directions.iter().enumerate() {
                for (b, w) in directions.iter().enumerate() {
                    let within: f64 = (0..classes)
                        .map(|k| mixture.weights()[k] * form(&mixture.raw_covariance(k), v, w))
                        .sum();
                    let between: f64 =
                        (0..classes).map(|k| mixture.weights()[k] * centres[k][a] * centres[k][b]).sum();
                    let (one, ratio) = if a == b { (1.0, projection.ratios()[a]) } else { (0.0, 0.0) };
                    prop_assert!((within - one).abs() < 1e-10, "{name}: {within}");
                    let size = projection.ratios()[0];
                    prop_assert!((between - ratio).abs() < 1e-11 * size, "{name}: {between} {ratio}");
                }
            }
            prop_assert!(projection.ratios().is_sorted_by(|a, b| a >= b));
            let explained: f64 = projection.explained().iter().sum();
            prop_assert!((explained - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn two_classes_have_the_direction_of_fisher(seed in any::<u64>(), dim in 1usize..6) {
        let table = random_table(seed, 60, dim, 2);
        let fitted = fit(&CovarianceSpec::lda(), &table).unwrap().classifier;
        let mixture = fitted.mixture().unwrap();
        let projection = projection(&CovarianceSpec::lda(), &table);
        let [direction] = &projection.directions()[..] else { panic!("one direction") };
        // Σv ∝ μ₁ − μ₂, so that v ∝ Σ⁻¹(μ₁ − μ₂).
        let triangle = mixture.raw_covariance(0);
        let apart: Vec<f64> =
            mixture.raw_mean(0).iter().zip(mixture.raw_mean(1)).map(|(a, b)| a - b).collect();
        let unit = |j: usize| (0..dim).map(|i| f64::from(u8::from(i == j))).collect::<Vec<f64>>();
        let image: Vec<f64> = (0..dim).map(|j| form(&triangle, &unit(j), direction)).collect();
        let scale = image.iter().zip(&apart).map(|(a, b)| a * b).sum::<f64>()
            / apart.iter().map(|b| b * b).sum::<f64>();
        for (a, b) in image.iter().zip(&apart) {
            prop_assert!((a - scale * b).abs() < 1e-11, "{image:?} {apart:?}");
        }
    }

    #[test]
    fn offsets_change_no_direction(seed in any::<u64>(), dim in 1usize..5) {
        // Whole numbers: the shifted table holds the same values exactly.
        let table = mapped(&random_table(seed, 60, dim, 3), |_, x| (16.0 * x).round());
        let moved = mapped(&table, |j, x| x + 1e9 * (1.0 + j as f64));
        for (name, spec) in models() {
            let (a, b) = (projection(&spec, &table), projection(&spec, &moved));
            let apart = distance(&a.directions(), &b.directions());
            prop_assert!(apart < 1e-11, "{name}: {apart}");
            let apart = distance(&projected(&a, &table), &projected(&b, &moved));
            prop_assert!(apart < 1e-9, "{name}: {apart}");
        }
    }

    #[test]
    fn units_of_columns_change_units_of_coefficients(seed in any::<u64>(), dim in 2usize..5) {
        let table = random_table(seed, 60, dim, 3);
        let unit = |j: usize| [1e-150, 1.0, 1e150][j % 3];
        let scaled = mapped(&table, |j, x| x * unit(j));
        for (name, spec) in models() {
            if spec.depends_on_units() {
                continue;
            }
            let (a, b) = (projection(&spec, &table), projection(&spec, &scaled));
            let back: Vec<Vec<f64>> = b
                .directions()
                .iter()
                .map(|v| v.iter().enumerate().map(|(j, v)| v * unit(j)).collect())
                .collect();
            prop_assert!(distance(&a.directions(), &back) < 1e-11, "{name}");
            prop_assert!(distance(&projected(&a, &table), &projected(&b, &scaled)) < 1e-10, "{name}");
        }
    }
}

#[test]
fn iris_has_the_directions_of_mass() {
    // MASS 7.3, lda(Species ~ ., iris): scaling, svd² over their sum, and 2 svd²/150.
    let spec = CovarianceSpec { ddof: 1, ..CovarianceSpec::lda() };
    let projection = projection(&spec, &iris());
    let expected = [
        [
            -0.829_377_642_266_006_2,
            -1.534_473_067_700_012,
            2.201_211_655_561_773,
            2.810_460_308_843_104,
        ],
        [
            0.024_102_148_876_952_11,
            2.164_521_234_658_44,
            -0.931_921_210_029_371_7,
            2.839_187_852_982_734_6,
        ],
    ]
    .map(|direction| direction.to_vec());
    assert!(distance(&projection.directions(), &expected) < 1e-10, "{projection:?}");
    for (found, expected) in
        projection.explained().iter().zip([0.991_212_604_965_367_2, 0.008_787_395_034_632_788])
    {
        assert!((found - expected).abs() < 1e-12, "{found}");
    }
    let ratios = [31.548_090_614_312_48, 0.279_683_221_770_612];
    for (found, expected) in projection.ratios().iter().zip(ratios) {
        assert!((found / expected - 1.0).abs() < 1e-11, "{found}");
    }
    // predict(…)$x of row 71, with the signs above.
    let row = &projected(&projection, &iris())[70];
    assert!((row[0] - 3.715_896_146_553_517).abs() < 1e-10, "{row:?}");
    assert!((row[1] - 1.044_514_420_755_323).abs() < 1e-10, "{row:?}");
}

#[test]
fn wine_has_the_shares_of_mass() {
    let spec = CovarianceSpec { ddof: 1, ..CovarianceSpec::lda() };
    let explained = projection(&spec, &wine()).explained();
    assert!((explained[0] - 0.687_478_887_886_078_6).abs() < 1e-12, "{explained:?}");
}

#[test]
fn the_largest_standardised_coefficient_is_positive() {
    for (_, spec) in models() {
        for table in [iris(), wine()] {
            let fitted = fit(&spec, &table).unwrap().classifier;
            let mixture = fitted.mixture().unwrap();
            let variance = |j: usize| {
                let one = |k| mixture.weights()[k] * mixture.raw_covariance(k)[j * (j + 3) / 2];
                (0..mixture.components()).map(one).sum::<f64>()
            };
            for direction in Projection::of(mixture).unwrap().directions() {
                let standardised =
                    direction.iter().enumerate().map(|(j, v)| v * variance(j).sqrt());
                let largest = standardised.max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap();
                assert!(largest > 0.0, "{direction:?}");
            }
        }
    }
}

#[test]
fn a_class_far_away_hides_no_direction() {
    // Two classes one deviation apart along (-0.8, 0.6), a third at 1e8 along (0.6, 0.8); with and
    // without columns in which they agree, so that there are fewer classes or fewer columns.
    for dim in [2, 5] {
        let filled = |x: f64, y: f64| [vec![x, y], vec![0.0; dim - 2]].concat();
        let given = [filled(0.0, 0.0), filled(-0.8, 0.6), filled(0.6e8, 0.8e8)];
        let identity = (0..dim).flat_map(|i| (0..=i).map(move |j| f64::from(u8::from(i == j))));
        let weights = vec![0.25, 0.25, 0.5];
        let mixture = Mixture::given(&given, &[identity.collect()], weights).unwrap();
        let projection = Projection::of(&mixture).unwrap();
        let ratios = projection.ratios();
        assert_eq!(ratios.len(), 2);
        // Toward the third ½·½·1e16; of the near pair, whose halves weigh ¼, ¼·¼/½ remains.
        assert!((ratios[0] / 0.25e16 - 1.0).abs() < 1e-7, "{ratios:?}");
        assert!((ratios[1] - 0.125).abs() < 1e-7, "{ratios:?}");
        let rows = [filled(0.3, 0.4), filled(-1.0, 2.0), filled(0.5, -0.5)];
        let table = numbers_table(dim, &rows.concat());
        for (row, p) in rows.iter().zip(nearest(&mixture, &table)) {
            let log_odds = 0.6 * row[1] - 0.8 * row[0] - 0.5;
            assert!(((p[1] / p[0]).ln() - log_odds).abs() < 1e-6, "{p:?} {log_odds}");
        }
    }
}

#[test]
fn means_on_a_line_have_one_direction_and_equal_means_none() {
    let covariance = [vec![2.0, 0.7, 1.0, -0.3, 0.2, 0.5]];
    let weights = vec![0.2, 0.3, 0.1, 0.4];
    let on_a_line = |steps: [f64; 4]| {
        let means = steps.map(|t| vec![1e3 + 0.1 * t, 0.7 * t, -5.0 + 0.3 * t]);
        Projection::of(&Mixture::given(&means, &covariance, weights.clone()).unwrap()).unwrap()
    };
    assert_eq!(on_a_line([0.0, 1.0, 3.0, -2.0]).len(), 1);
    // A fixed unit, however far from that of the rows, hides no rounding.
    let step = |t: f64| vec![0.1 * t, 0.7 * t, 0.3 * t];
    let rows: Vec<Vec<f64>> = [0.0, 1.3, 2.9, -2.1, 4.7, 5.2].map(step).to_vec();
    let line = table(&rows, &["a", "b", "c", "c", "a", "b"]);
    for scale in [1.0, 1e-300, 1e300] {
        let scaled = mapped(&line, |_, x| x * scale);
        assert_eq!(projection(&CovarianceSpec::nearest_mean(), &scaled).len(), 1, "{scale}");
    }
    let none = on_a_line([1.0; 4]);
    assert!(none.is_empty() && none.explained().is_empty());
    let rows = numbers_table(3, &[1.0, 2.0, 3.0]);
    assert_eq!(none.transform(&rows.block(0..1).unwrap()).unwrap(), [] as [f64; 0]);
}

#[test]
fn a_class_without_weight_moves_no_direction() {
    let given = [vec![0.0, 0.0], vec![3.0, 1.0], vec![-50.0, 70.0]];
    let each = [vec![1.0, 0.2, 1.0], vec![2.0, 0.0, 1.0], vec![9.0, 1.0, 4.0]];
    let of = |count: usize, weights: &[f64]| {
        let mixture = Mixture::given(&given[..count], &each[..count], weights.to_vec());
        Projection::of(&mixture.unwrap()).unwrap().directions()
    };
    assert!(distance(&of(3, &[0.4, 0.6, 0.0]), &of(2, &[0.4, 0.6])) < 1e-14);
}

#[test]
fn far_rows_and_far_units_have_finite_answers() {
    let table = iris();
    let plain = projection(&CovarianceSpec::lda(), &table);
    let far = numbers_table(4, &[1e300, -1e300, 1e300, 1e300, 1e308, 1e308, -1e308, 1e308]);
    let answers = projected(&plain, &far);
    assert!(answers.iter().flatten().all(|y| y.is_finite()), "{answers:?}");
    // Where the centre no longer counts, a row's answer is its product with the direction.
    let direction = &plain.directions()[0];
    let expected = 1e300 * (direction[0] - direction[1] + direction[2] + direction[3]);
    assert!((answers[0][0] / expected - 1.0).abs() < 1e-12, "{answers:?}");
    // Unit covariances and columns of any size: the coefficients are those of plain iris.
    let unit = CovarianceSpec::nearest_mean();
    let plain = projection(&unit, &table);
    for scale in [1e-300, 1e-160, 1e160, 1e300, 2e307] {
        let scaled = projection(&unit, &mapped(&table, |_, x| x * scale));
        let apart = distance(&plain.directions(), &scaled.directions());
        assert!(apart < 1e-9, "{scale}: {apart}");
        let explained = scaled.explained();
        assert!((explained[0] - plain.explained()[0]).abs() < 1e-9, "{scale}: {explained:?}");
        let answers = projected(&scaled, &mapped(&table, |_, x| x * scale));
        assert!((answers[3][0] / projected(&plain, &table)[3][0] / scale - 1.0).abs() < 1e-9);
        assert!(scaled.ratios().iter().all(|ratio| ratio.is_finite()));
    }
}
