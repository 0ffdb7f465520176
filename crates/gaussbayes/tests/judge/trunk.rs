//! Trunk's example errs as often as the formula says: [M87].

use gaussbayes::{CovarianceSpec, CurveSpec, Folds, On, Pool, Random, Trunk, feature_curve, trunk};

use crate::candidates;
use crate::support::features;

#[test]
fn an_estimated_direction_errs_as_often_in_simulation() {
    let draws = 40_000_u32;
    for (dim, rows, stream) in [(1, 10, 0), (8, 4, 1), (40, 10, 2)] {
        let (exact, mut random) =
            (Trunk { dim }.direction_error(f64::from(rows)), Random::new(7, stream));
        let mean = Trunk { dim }.mean();
        let mut wrong = 0_u32;
        for _ in 0..draws {
            let product = |m: &f64| {
                let (x, estimate) = random.normal_pair();
                (m + x) * (m + estimate / f64::from(rows).sqrt())
            };
            wrong += u32::from(mean.iter().map(product).sum::<f64>() < 0.0);
        }
        let (share, p) = (f64::from(wrong) / f64::from(draws), exact.value);
        let error = (p * (1.0 - p) / f64::from(draws)).sqrt();
        assert!((share - p).abs() < 4.0 * error, "{dim} {rows}: {share} {p}");
    }
}

#[test]
fn columns_help_and_then_hurt_unless_the_mean_is_known() {
    let error = |dim: usize| Trunk { dim }.direction_error(10.0).value;
    assert!(error(1) > error(10) && error(10) > error(25), "more columns help at first");
    assert!(error(25) < error(200) && error(200) < error(5000), "and then they hurt");
    assert!(error(20_000) > 0.35);
    let best = |dim: usize| Trunk { dim }.bayes_error();
    assert!(best(10) > best(100) && best(20_000) < 0.001);
    // Many rows are as good as the mean itself.
    assert!((Trunk { dim: 20 }.direction_error(1e9).value / best(20) - 1.0).abs() < 1e-6);
    assert!((Trunk { dim: 20 }.nearest_mean_error(1e9, 1e9).value / best(20) - 1.0).abs() < 1e-6);
}

#[test]
fn a_measured_curve_has_the_exact_one_in_its_interval() {
    // Five rows of each class to learn from, 200 to test on, in every one of 40 folds.
    let rows = trunk(100).classifier().unwrap().sample(2000, 11).unwrap().table().unwrap();
    let pool = Pool::new(2).unwrap();
    let how = CurveSpec {
        repeat: 4,
        at: vec![1, 2, 5, 10, 20, 50, 100],
        rows: Some(10),
        ..CurveSpec::new(Folds { count: 10, seed: 1 })
    };
    let models = candidates(&[CovarianceSpec::nearest_mean()]);
    let curve = feature_curve(&models, &features(&rows), &rows, &how, On::pool(&pool)).unwrap();
    for (&dim, point) in curve.at.iter().zip(&curve.points[0]) {
        let (point, exact) = (point.as_ref().unwrap(), Trunk { dim }.nearest_mean_error(5.0, 5.0));
        let off = point.mean - exact.value;
        // The same 2000 rows are tested again in every turn: their own luck beside that of the folds.
        let luck = (exact.value * (1.0 - exact.value) / 2000.0).sqrt();
        let error = (point.standard_error.powi(2) + luck * luck).sqrt();
        assert!(off.abs() < 4.0 * error, "{dim}: {} {} {error}", point.mean, exact.value);
        assert!(error < 0.012, "{dim}: {error}");
    }
}
