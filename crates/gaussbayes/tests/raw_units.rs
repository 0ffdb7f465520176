//! Options that are stated in units of the columns, or by a threshold, do what they say: [M7] [M29].

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use gaussbayes::{
    Amount, CovarianceSpec, Error, Family, OnSingular, Priors, Ridge, Scaling, Shrinkage, Storage,
    Table, Target,
};
use support::{fit, fit_with, iris, mapped, posteriors, table};

/// Families whose covariances are class covariances, whole or in part.
const PLAIN: [Family; 6] =
    [Family::Vvv, Family::Eee, Family::Vvi, Family::Eei, Family::Vii, Family::Eii];

/// Maximum-likelihood variances of all rows, weights included.
fn total(table: &Table) -> Vec<f64> {
    let weight = |i: usize| table.weights.as_ref().map_or(1.0, |weights| weights[i]);
    let n: f64 = (0..table.rows()).map(weight).sum();
    let column = |j: usize| table.values.iter().skip(j).step_by(table.dim).enumerate();
    let variance = |j: usize| {
        let mean = column(j).map(|(i, x)| weight(i) * x).sum::<f64>() / n;
        column(j).map(|(i, x)| weight(i) * (x - mean).powi(2)).sum::<f64>() / n
    };
    (0..table.dim).map(variance).collect()
}

fn covariance(spec: &CovarianceSpec, table: &Table, k: usize) -> Vec<f64> {
    fit(spec, table).unwrap().classifier.mixture().unwrap().raw_covariance(k)
}

#[test]
fn a_ridge_of_the_widest_column_is_one_number_for_all() {
    let mut weighted = mapped(&iris(), |j, x| if j == 1 { 1000.0 * x } else { x });
    weighted.weights = Some((0..150).map(|i| f64::from(1 + i % 3)).collect());
    for table in [iris(), weighted] {
        let widest = total(&table).into_iter().fold(0.0, f64::max);
        for family in PLAIN {
            let plain = CovarianceSpec::from(family);
            let ridged = CovarianceSpec { ridge: Ridge::OfWidest(0.25), ..plain.clone() };
            assert!(ridged.depends_on_units());
            let found = fit(&ridged, &table).unwrap();
            let added = found.report.ridge.unwrap();
            assert!((added / (0.25 * widest) - 1.0).abs() < 1e-12, "{family}: {added}");
            for k in 0..3 {
                let (a, b) = (covariance(&plain, &table, k), covariance(&ridged, &table, k));
                for i in 0..4 {
                    for j in 0..=i {
                        let more = if i == j { added } else { 0.0 };
                        let at = i * (i + 1) / 2 + j;
                        assert!((b[at] - a[at] - more).abs() < 1e-11 * added, "{family} {i} {j}");
                    }
                }
            }
            let none = CovarianceSpec { ridge: Ridge::OfWidest(0.0), ..plain.clone() };
            assert_eq!(none.depends_on_units(), plain.depends_on_units());
            assert_eq!(fit(&none, &table).unwrap(), fit(&plain, &table).unwrap(), "{family}");
        }
    }
}

#[test]
fn a_ridge_of_the_widest_column_serves_constant_columns() {
    // Column 2 is constant in class a, column 3 in all rows.
    let rows: Vec<Vec<f64>> = (0..20)
        .map(|i| {
            let (x, y) = (f64::from(i * i % 7), f64::from(i * 5 % 11));
            vec![1e6 + x, if i % 2 == 0 { 0.1 } else { y }, 1e9 + 0.3]
        })
        .collect();
    let table = table(&rows, &["a", "b"].repeat(10));
    let widest = total(&table).into_iter().fold(0.0, f64::max);
    for family in [Family::Vvi, Family::Eei, Family::Vvv, Family::Eee] {
        for share in [1e-9, 1e-3] {
            let spec = CovarianceSpec { ridge: Ridge::OfWidest(share), ..family.into() };
            let fitted = fit(&spec, &table).unwrap_or_else(|error| panic!("{family}: {error}"));
            let found = fitted.classifier.mixture().unwrap().raw_covariance(0);
            assert!((found[5] / (share * widest) - 1.0).abs() < 1e-9, "{family}: {found:?}");
            if family.sharing() == gaussbayes::Sharing::PerClass {
                assert!((found[2] / (share * widest) - 1.0).abs() < 1e-9, "{family}: {found:?}");
            }
            let all = posteriors(&fitted.classifier, &table);
            assert!(all.iter().flatten().all(|p| p.is_finite()), "{family}");
            // In standard deviations every column that varies has variance one.
            let spec = CovarianceSpec { scaling: Scaling::Standardized, ..spec };
            assert!(!spec.depends_on_units());
            let fitted = fit(&spec, &table).unwrap();
            let added = fitted.report.ridge.unwrap();
            assert!((added / share - 1.0).abs() < 1e-12, "{family}: {added}");
        }
        let each = CovarianceSpec { ridge: Ridge::OfEach(1e-3), ..family.into() };
        assert!(matches!(fit(&each, &table), Err(Error::Singular(_))), "{family}");
    }
    for ridge in [Ridge::OfWidest(-1.0), Ridge::OfWidest(f64::NAN), Ridge::OfEach(1e7)] {
        let spec = CovarianceSpec { ridge, ..CovarianceSpec::qda() };
        assert!(matches!(spec.check(), Err(Error::BadRidge { .. })), "{ridge:?}");
    }
    let unit = CovarianceSpec { ridge: Ridge::OfWidest(0.1), ..CovarianceSpec::nearest_mean() };
    assert!(matches!(unit.check(), Err(Error::NotForFamily { .. })));
}

fn toward_unit(amount: f64, family: Family) -> CovarianceSpec {
    let shrinkage = Some(Shrinkage::fixed(amount, Target::Unit));
    CovarianceSpec { shrinkage, ..family.into() }
}

#[test]
fn toward_the_unit_is_toward_the_identity_in_the_unit_of_the_columns() {
    for table in [iris(), mapped(&iris(), |j, x| 10.0_f64.powi(j as i32) * x + 1e6)] {
        let scales: Vec<f64> = total(&table).iter().map(|v| v.sqrt()).collect();
        for family in PLAIN {
            for scaling in [Scaling::Raw, Scaling::Standardized] {
                let plain = CovarianceSpec { scaling, ..family.into() };
                let shrunk = CovarianceSpec { scaling, ..toward_unit(0.3, family) };
                assert_eq!(shrunk.depends_on_units(), scaling == Scaling::Raw);
                assert_eq!(shrunk.effective_family(), family);
                for k in 0..3 {
                    let (a, b) = (covariance(&plain, &table, k), covariance(&shrunk, &table, k));
                    for i in 0..4 {
                        for (j, scale) in scales.iter().enumerate().take(i + 1) {
                            let one = match (i == j, scaling) {
                                (false, _) => 0.0,
                                (true, Scaling::Raw) => 1.0,
                                (true, Scaling::Standardized) => scale * scale,
                            };
                            let at = i * (i + 1) / 2 + j;
                            let expected = 0.7 * a[at] + 0.3 * one;
                            let near = (b[at] - expected).abs() < 1e-9 * (1.0 + expected.abs());
                            assert!(near, "{family} {i} {j}: {} {expected}", b[at]);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn all_the_way_to_the_unit_is_the_family_of_that_name() {
    let iris = iris();
    let unit = fit_with(&Family::Unit.into(), &Priors::Observed, &iris).unwrap();
    for family in [Family::Vvv, Family::Eee, Family::Vve, Family::Vvi, Family::Vii] {
        let spec = toward_unit(1.0, family);
        assert_eq!(spec.effective_family(), Family::Unit);
        let found = fit_with(&spec, &Priors::Observed, &iris).unwrap();
        assert_eq!(found.report, unit.report, "{family}");
        assert_eq!(
            found.classifier.mixture().unwrap().covariances(),
            unit.classifier.mixture().unwrap().covariances()
        );
        // Beside a ridge there is more than the unit.
        let ridged = CovarianceSpec { ridge: Ridge::OfWidest(0.5), ..spec };
        let found = fit(&ridged, &iris).unwrap();
        let expected = 1.0 + found.report.ridge.unwrap();
        assert!(
            (found.classifier.mixture().unwrap().raw_covariance(2)[2] - expected).abs() < 1e-12
        );
    }
    assert_eq!(toward_unit(0.5, Family::Vvv).storage(), Storage::Full);
    assert_eq!(toward_unit(0.5, Family::Vii).storage(), Storage::Spherical);
    for amount in [Amount::Oas, Amount::LedoitWolf] {
        let shrinkage = Some(Shrinkage::Toward { amount, target: Target::Unit });
        let spec = CovarianceSpec { shrinkage, ..CovarianceSpec::qda() };
        assert_eq!(spec.check(), Err(Error::NoAutomaticAmount { target: "unit" }));
    }
    let idle = toward_unit(0.5, Family::Unit).check();
    assert!(matches!(idle, Err(Error::IdleShrinkage { .. })), "{idle:?}");
    // Beyond numbers that have squares, answers are those of the limit.
    let tiny = mapped(&iris, |_, x| x * 1e-250);
    let fitted = fit(&toward_unit(0.5, Family::Vvv), &tiny).unwrap().classifier;
    let all = posteriors(&fitted, &tiny);
    assert!(all.iter().flatten().all(|p| (p - 1.0 / 3.0).abs() < 1e-12));
    // A unit far from the rows' own decides alone, or not at all.
    for (scale, one) in [(1e-150, 0.5), (1e150, 0.0)] {
        let far = mapped(&iris, |_, x| x * scale);
        let fitted = fit(&toward_unit(0.5, Family::Vvv), &far).unwrap().classifier;
        assert!(posteriors(&fitted, &far).iter().flatten().all(|p| p.is_finite()), "{scale}");
        let found = fitted.mixture().unwrap().raw_covariance(1);
        let plain = covariance(&CovarianceSpec::qda(), &far, 1);
        for (at, (a, b)) in found.iter().zip(&plain).enumerate() {
            let expected = 0.5 * b + if [0, 2, 5, 9].contains(&at) { one } else { 0.0 };
            assert!((a - expected).abs() <= 1e-12 * expected.abs(), "{scale}: {a} {expected}");
        }
    }
}

#[test]
fn a_threshold_drops_directions_that_an_inverse_would_keep() {
    let iris = iris();
    let rank = |above: f64, family: Family| {
        let spec = CovarianceSpec { on_singular: OnSingular::Range { above }, ..family.into() };
        fit(&spec, &iris).unwrap().report.rank
    };
    // Square roots of the eigenvalues of the pooled correlations, by numpy: 1.58, 0.85, 0.76, 0.43.
    for (above, expected) in [(0.0, None), (0.2, None), (0.5, Some(3)), (0.8, Some(2))] {
        assert_eq!(rank(above, Family::Eee), expected, "{above}");
    }
    // Diagonals have correlations of one alone.
    assert_eq!(rank(0.9, Family::Vvi), None);
    for above in [-0.1, 1.0, f64::NAN] {
        let on_singular = OnSingular::Range { above };
        let spec = CovarianceSpec { on_singular, ..CovarianceSpec::lda() };
        assert!(matches!(spec.check(), Err(Error::BadRange { .. })), "{above}");
    }
    // No unit of a column matters.
    let spec =
        CovarianceSpec { on_singular: OnSingular::Range { above: 0.5 }, ..CovarianceSpec::lda() };
    let far = mapped(&iris, |j, x| 100.0_f64.powi(j as i32) * x + 1e6);
    let of = |table: &Table| posteriors(&fit(&spec, table).unwrap().classifier, table);
    assert!(support::distance(&of(&iris), &of(&far)) < 1e-7);
}
