//! Judges rules under truths that are not their own model.

use super::*;
use gaussbayes::{CovarianceSpec, LabelSweep, Table, run};

/// A linear classifier fitted to `rows` rows of each class of a truth.
fn fitted(means: &[Vec<f64>], deviations: &[f64], rows: usize, seed: u64) -> Classifier {
    let dim = means[0].len();
    let mut random = Random::new(seed, 0);
    let mut table = Table { dim, codes: Some(Vec::new()), ..Table::default() };
    table.dictionary = (0..means.len()).map(|k| Label::from(format!("c{k:02}"))).collect();
    for i in 0..rows * means.len() {
        let k = i % means.len();
        let row = means[k].iter().map(|m| m + deviations[k] * random.normal_pair().0);
        table.values.extend(row);
        table.codes.as_mut().unwrap().push(k as u32);
    }
    let spec = CovarianceSpec::lda();
    let pool = Pool::new(1).unwrap();
    let stat = run(&LabelSweep::new(spec.storage()), &mut table.source(), On::pool(&pool)).unwrap();
    let features: Vec<String> = (0..dim).map(|j| format!("x{j}")).collect();
    Classifier::fit(&spec, &spec.default_priors(), stat, &features).unwrap().classifier
}

#[test]
fn a_fitted_rule_errs_more_than_the_best_and_falls_toward_it() {
    let means = [vec![0.0, 0.0, 0.0], vec![1.5, 0.5, 0.0]];
    let truth = Mixture::given(&means, &[sphere(3, 1.0)], vec![0.5, 0.5]).unwrap();
    let best = risk(&zero_one(&means, &[sphere(3, 1.0)], &[0.5, 0.5]), &RiskOptions::default());
    let mut excess = Vec::new();
    for rows in [20, 200, 2000, 20_000] {
        let rule = fitted(&means, &[1.0, 1.0], rows, 3);
        let found = try_risk(&rule, Some(&truth), &RiskOptions::default()).unwrap();
        assert_eq!(found.method, Method::Normal);
        excess.push(found.total.value - best.total.value);
    }
    assert!(excess.iter().all(|&more| more > 0.0), "{excess:?}");
    assert!(excess[3] < 1e-4 && excess[3] < excess[0], "{excess:?}");
}

#[test]
fn a_linear_rule_under_a_quadratic_truth() {
    let means = [vec![1e6, 0.0], vec![1e6 + 1.0, 1.0], vec![1e6, 2.0]];
    let covariances = [sphere(2, 1.0), sphere(2, 4.0), sphere(2, 0.25)];
    let truth = Mixture::given(&means, &covariances, vec![0.2, 0.3, 0.5]).unwrap();
    let rule = fitted(&means, &[1.0, 2.0, 0.5], 500, 4);
    let rays = try_risk(&rule, Some(&truth), &RiskOptions::default()).unwrap();
    assert_eq!(rays.weights, [0.2, 0.3, 0.5]);
    let how = RiskOptions { draws: 200_000, ..by(Method::Simulation) };
    let counted = try_risk(&rule, Some(&truth), &how).unwrap();
    for (a, b) in rays.confusion.iter().zip(&counted.confusion) {
        assert!((a.value - b.value).abs() <= a.error + b.error, "{a:?} {b:?}");
    }
    let best = zero_one(&means, &covariances, &[0.2, 0.3, 0.5]);
    assert!(rays.total.value > risk(&best, &RiskOptions::default()).total.value);
}

#[test]
fn units_and_origins_change_nothing() {
    let mut random = Random::new(9, 0);
    for (dim, classes) in [(1, 3), (2, 3), (4, 2)] {
        let (means, covariances, weights) = random_model(dim, classes, false, 1.0, &mut random);
        let plain = risk(&zero_one(&means, &covariances, &weights), &RiskOptions::default());
        let unit = |j: usize| [1e-60, 1.0, 1e80, 0.25][j];
        let moved: Vec<Vec<f64>> = means
            .iter()
            .map(|mean| mean.iter().enumerate().map(|(j, m)| (m + 1000.0) * unit(j)).collect())
            .collect();
        let pairs: Vec<(usize, usize)> =
            (0..dim).flat_map(|i| (0..=i).map(move |j| (i, j))).collect();
        let scaled: Vec<Vec<f64>> = covariances
            .iter()
            .map(|c| c.iter().zip(&pairs).map(|(v, (i, j))| v * unit(*i) * unit(*j)).collect())
            .collect();
        let found = risk(&zero_one(&moved, &scaled, &weights), &RiskOptions::default());
        for (a, b) in found.confusion.iter().zip(&plain.confusion) {
            close(a.value, b.value, 1e-9);
        }
    }
}
