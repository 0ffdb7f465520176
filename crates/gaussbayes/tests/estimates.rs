//! Estimates that once went wrong: rounding, units, weights and priors at their limits.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use gaussbayes::{
    CovarianceSpec, Error, Family, OnSingular, Pooling, Priors, Random, Shrinkage, Table, Target,
};
use support::{fit, fit_with, iris, left_out, left_out_posterior, mapped, posteriors, stat, table};

/// Iris with its last column in another unit.
fn in_unit(unit: f64) -> Table {
    mapped(&iris(), |j, x| if j == 3 { x * unit } else { x })
}

/// Largest distance of left-out posteriors from those of refits, over every fifth row.
fn apart_from_refits(spec: &CovarianceSpec, priors: &Priors, table: &Table) -> f64 {
    let posterior = left_out_posterior(spec, priors, table).unwrap();
    let mut apart = 0.0_f64;
    for i in (0..table.rows()).step_by(5) {
        let mut rest = table.clone();
        rest.values.drain(i * rest.dim..(i + 1) * rest.dim);
        rest.codes.as_mut().unwrap().remove(i);
        if let Some(weights) = &mut rest.weights {
            weights.remove(i);
        }
        let refit = fit_with(spec, priors, &rest).unwrap().classifier;
        let expected = refit.predict(&table.block(i..i + 1).unwrap()).unwrap().posterior;
        for (found, expected) in posterior.probs(i).zip(expected.probs(0)) {
            apart = apart.max((found - expected).abs());
        }
    }
    apart
}

#[test]
fn rounding_held_proportional_covariances_up_for_ten_thousand_steps() {
    let mut random = Random::new(3, 0);
    let mut rows = Vec::new();
    for i in 0..300 {
        let common = random.normal_pair().0;
        let noise = 1e-3 * (1.0 + f64::from(i % 3));
        rows.push((0..20).map(|_| common + noise * random.normal_pair().0).collect::<Vec<f64>>());
    }
    let labels = ["a", "b", "c"].repeat(100);
    for family in [Family::Vee, Family::Vei, Family::Vev] {
        let convergence = fit(&family.into(), &table(&rows, &labels)).unwrap().report.convergence;
        let convergence = convergence.unwrap();
        assert!(convergence.converged && convergence.steps < 200, "{family}: {convergence:?}");
    }
}

#[test]
fn a_wide_column_was_lost_in_the_eigenvalues_of_all() {
    for amount in [0.0, 1e-30, 1e-3] {
        let shrinkage = Some(Shrinkage::fixed(amount, Target::Spherical));
        for family in [Family::Vvv, Family::Eee] {
            let spec = CovarianceSpec { shrinkage, ..family.into() };
            let apart = apart_from_refits(&spec, &Priors::Observed, &in_unit(1e9));
            assert!(apart < 1e-9, "{family}, {amount}: {apart:e}");
        }
    }
}

#[test]
fn axes_across_units_are_exact_or_refused() {
    let turning = [Family::Eve, Family::Vve, Family::Eev, Family::Vev];
    for family in turning {
        // A narrow column stands alone: another unit changes nothing any more.
        let of = |unit: f64| {
            let table = in_unit(unit);
            posteriors(&fit(&family.into(), &table).unwrap().classifier, &table)
        };
        let apart = support::distance(&of(1e-5), &of(1e-7));
        assert!(apart < 1e-6, "{family}: {apart:e}");
        for (unit, wide) in [(1e-12, "x1"), (1e150, "x4")] {
            let error = fit(&family.into(), &in_unit(unit)).unwrap_err();
            assert!(matches!(error, Error::UnitsApart { .. }), "{family}: {error}");
            assert!(error.to_string().starts_with(&format!("'{wide}' varies")), "{error}");
        }
    }
}

#[test]
fn a_class_without_share_kept_its_covariance_under_rda() {
    let spec = CovarianceSpec { pooling: Pooling::Priors, ..CovarianceSpec::rda(0.0, 0.1) };
    let priors = Priors::Given(vec![0.0, 0.5, 0.5]);
    let shrunk = CovarianceSpec {
        shrinkage: Some(Shrinkage::fixed(0.1, Target::Spherical)),
        ..CovarianceSpec::qda()
    };
    let (a, b) =
        (fit_with(&spec, &priors, &iris()).unwrap(), fit_with(&shrunk, &priors, &iris()).unwrap());
    for k in 0..3 {
        let (a, b) = (
            a.classifier.mixture().unwrap().raw_covariance(k),
            b.classifier.mixture().unwrap().raw_covariance(k),
        );
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-14));
    }
}

#[test]
fn densities_within_a_range_do_not_see_the_unit_of_what_is_left_out() {
    let widened = |factor: f64| {
        let iris = iris();
        let rows: Vec<Vec<f64>> = iris
            .values
            .chunks_exact(4)
            .map(|row| row.iter().copied().chain([factor * (row[0] - row[3])]).collect())
            .collect();
        let wide = Table { dim: 5, values: rows.concat(), ..iris };
        let spec = CovarianceSpec { on_singular: OnSingular::RANGE, ..CovarianceSpec::lda() };
        let classifier = fit(&spec, &wide).unwrap().classifier;
        let posterior = classifier.predict(&wide.block(0..1).unwrap()).unwrap().posterior;
        posterior.log_evidence(0)
    };
    assert!((widened(1.0) - widened(1e6)).abs() < 1e-9);
}

#[test]
fn parameters_are_those_of_what_shrinkage_leaves() {
    let count = |spec: &CovarianceSpec| {
        let report = fit(spec, &iris()).unwrap().report;
        (report.parameters, report.decision_parameters)
    };
    let shrunk = |family: Family, target| {
        let shrinkage = Some(Shrinkage::fixed(1.0, target));
        count(&CovarianceSpec { shrinkage, ..family.into() })
    };
    for (found, family) in [
        (count(&CovarianceSpec::rda(1.0, 0.0)), Family::Eee),
        (count(&CovarianceSpec::rda(1.0, 1.0)), Family::Eii),
        (count(&CovarianceSpec::rda(0.0, 1.0)), Family::Vii),
        (count(&CovarianceSpec::rda(0.5, 0.5)), Family::Vvv),
        (shrunk(Family::Evv, Target::Diagonal), Family::Evi),
        (shrunk(Family::Vee, Target::Shared), Family::Eee),
    ] {
        assert_eq!(found, count(&family.into()), "{family}");
    }
}

#[test]
fn a_weight_that_outweighs_its_class_was_cancelled() {
    let mut weights = vec![1.0; 150];
    weights[60] = 1e17;
    let heavy = Table { weights: Some(weights), ..iris() };
    for family in [Family::Eee, Family::Vvi, Family::Vei] {
        let apart = apart_from_refits(&family.into(), &Priors::Observed, &heavy);
        assert!(apart < 1e-9, "{family}: {apart:e}");
    }
}

#[test]
fn weights_are_not_taken_for_numbers_of_rows() {
    let iris = iris();
    let rows: Vec<Vec<f64>> = iris
        .values
        .chunks_exact(4)
        .map(|row| row.iter().copied().chain([row[0]]).collect())
        .collect();
    let weights = Some(vec![0.01; 150]);
    let copied = Table { dim: 5, values: rows.concat(), weights, ..iris };
    let error = fit(&CovarianceSpec::qda(), &copied).unwrap_err();
    assert!(error.to_string().ends_with("rank 4 of 5: 'x5' = 'x1'"), "{error}");
}

#[test]
fn a_lone_row_leaves_priors_that_are_none() {
    let rows = [[0.0, 1.0], [1.0, 0.5], [2.0, 3.0], [0.5, 2.0], [9.0, 9.0]].map(|r| r.to_vec());
    let table = table(&rows, &["b", "b", "b", "b", "a"]);
    let judged = left_out(&CovarianceSpec::lda(), &Priors::Given(vec![1.0, 0.0]), &table).unwrap();
    assert_eq!(judged.n(), 5.0);
}

#[test]
fn an_earlier_estimate_of_other_columns_is_refused() {
    let spec = CovarianceSpec::from(Family::Vve);
    let (_, moments) = stat(&spec, &iris()).unwrap().sorted();
    let rows = [[0.0, 1.0], [1.0, 0.5], [2.0, 3.0], [0.5, 2.0]].map(|r| r.to_vec());
    let other = fit(&CovarianceSpec::lda(), &table(&rows, &["a", "b", "a", "b"])).unwrap();
    let error =
        spec.estimate(&moments, &Priors::Observed, Some(other.classifier.mixture().unwrap()));
    assert!(matches!(error, Err(Error::Shape { expected: 4, found: 2, .. })));
}

#[test]
fn the_nearest_mean_divides_by_nothing() {
    let rows = [[0.0, 1.0], [1.0, 0.5], [5.0, 3.0]].map(|row| row.to_vec());
    let spec = CovarianceSpec { ddof: 1, ..CovarianceSpec::nearest_mean() };
    let judged = left_out(&spec, &Priors::Uniform, &table(&rows, &["a", "b", "c"])).unwrap();
    assert_eq!(judged.errors(), 3.0);
}
