//! Holds every option of an estimate to what it says: shrinkage, ridge, range, densities, remedies.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use gaussbayes::{CovarianceSpec, Error, Family, Ridge, Scaling, Shrinkage, Table, Target};
use support::{distance, fit, iris, mapped, posteriors, table};

fn message(spec: &CovarianceSpec, table: &Table) -> String {
    fit(spec, table).unwrap_err().to_string()
}

#[test]
fn automatic_amounts_know_neither_divisor_nor_unit() {
    use gaussbayes::Amount;
    let iris = iris();
    let amounts = |spec: &CovarianceSpec, table: &Table| fit(spec, table).unwrap().report.amounts;
    for amount in [Amount::Oas, Amount::LedoitWolf] {
        for target in [Target::Spherical, Target::Diagonal] {
            let shrinkage = Some(Shrinkage::Toward { amount, target });
            let spec = CovarianceSpec { shrinkage, ..CovarianceSpec::qda() };
            let plain = amounts(&spec, &iris);
            let unbiased = amounts(&CovarianceSpec { ddof: 1, ..spec.clone() }, &iris);
            let (standardized, by_hand) = (
                CovarianceSpec { scaling: Scaling::Standardized, ..spec.clone() },
                standardized(&iris),
            );
            let (a, b) = (amounts(&standardized, &iris), amounts(&spec, &by_hand));
            for (x, y) in plain.iter().zip(&unbiased).chain(a.iter().zip(&b)) {
                assert!((x - y).abs() < 1e-10, "{spec:?}: {x} {y}");
            }
        }
    }
    // One column has no shape to shrink: nothing is done.
    let one = table(
        &[[1.0], [2.0], [4.0], [3.0], [7.0], [5.0]].map(|r| r.to_vec()),
        &["a", "a", "a", "b", "b", "b"],
    );
    let shrinkage =
        Some(Shrinkage::Toward { amount: Amount::LedoitWolf, target: Target::Spherical });
    assert_eq!(amounts(&CovarianceSpec { shrinkage, ..CovarianceSpec::qda() }, &one), [0.0, 0.0]);
    for (family, target) in [(Family::Vvv, Target::Shared), (Family::Vvi, Target::Spherical)] {
        let shrinkage = Some(Shrinkage::Toward { amount: Amount::Oas, target });
        let error = fit(&CovarianceSpec { shrinkage, ..family.into() }, &iris).unwrap_err();
        let shared = target == Target::Shared;
        assert_eq!(matches!(error, Error::NoAutomaticAmount { .. }), shared, "{error}");
        assert_eq!(matches!(error, Error::NotForFamily { .. }), !shared, "{error}");
    }
    let shrinkage = Some(Shrinkage::fixed(0.5, Target::Diagonal));
    let error = fit(&CovarianceSpec { shrinkage, ..Family::Vii.into() }, &iris).unwrap_err();
    assert!(matches!(error, Error::IdleShrinkage { .. }), "{error}");
    assert_eq!(CovarianceSpec::rda(1.0, 0.5).storage(), gaussbayes::Storage::Shared);
}

fn standardized(table: &Table) -> Table {
    let (n, dim) = (table.rows() as f64, table.dim);
    let column = |j: usize| table.values.iter().skip(j).step_by(dim);
    let mean: Vec<f64> = (0..dim).map(|j| column(j).sum::<f64>() / n).collect();
    let deviation: Vec<f64> = (0..dim)
        .map(|j| (column(j).map(|x| (x - mean[j]).powi(2)).sum::<f64>() / n).sqrt())
        .collect();
    mapped(table, |j, x| (x - mean[j]) / deviation[j])
}

#[test]
fn a_ridge_adds_a_share_of_the_total_variance() {
    let iris = iris();
    let of = |spec: &CovarianceSpec| fit(spec, &iris).unwrap().classifier;
    let column = |j: usize| iris.values.iter().skip(j).step_by(4);
    let total: Vec<f64> = (0..4)
        .map(|j| {
            let mean = column(j).sum::<f64>() / 150.0;
            column(j).map(|x| (x - mean).powi(2)).sum::<f64>() / 150.0
        })
        .collect();
    for family in [Family::Vvv, Family::Eee, Family::Vvi, Family::Eei, Family::Vii, Family::Eii] {
        let plain = CovarianceSpec::from(family);
        let ridged = CovarianceSpec { ridge: Ridge::OfEach(0.25), ..plain.clone() };
        let (a, b) = (of(&plain), of(&ridged));
        let spherical = matches!(family, Family::Vii | Family::Eii);
        for k in 0..3 {
            let (a, b) =
                (a.mixture().unwrap().raw_covariance(k), b.mixture().unwrap().raw_covariance(k));
            for i in 0..4 {
                for j in 0..=i {
                    let mean = total.iter().sum::<f64>() / 4.0;
                    let more =
                        if i == j { 0.25 * if spherical { mean } else { total[j] } } else { 0.0 };
                    let at = i * (i + 1) / 2 + j;
                    assert!((b[at] - a[at] - more).abs() < 1e-12, "{family} {i} {j}");
                }
            }
        }
        if !spherical {
            let standardized = CovarianceSpec { scaling: Scaling::Standardized, ..ridged.clone() };
            let apart = distance(&posteriors(&b, &iris), &posteriors(&of(&standardized), &iris));
            assert!(apart < 1e-10, "{family}: {apart:e}");
        }
    }
}

#[test]
fn families_refuse_only_what_they_cannot_do_without() {
    // In class c the fourth column is the sum of two others.
    let mut one = iris();
    one.values.chunks_exact_mut(4).skip(100).for_each(|row| row[3] = row[0] + row[1]);
    for family in [Family::Vee, Family::Vei, Family::Eev, Family::Vev] {
        let fitted = fit(&family.into(), &one).unwrap_or_else(|error| panic!("{family}: {error}"));
        assert!(fitted.report.convergence.is_none_or(|c| c.converged), "{family}");
        assert!(
            posteriors(&fitted.classifier, &one).iter().flatten().all(|p| p.is_finite()),
            "{family}"
        );
    }
    for family in [Family::Evv, Family::Vvv, Family::Eve, Family::Vve] {
        assert!(matches!(fit(&family.into(), &one), Err(Error::Singular(_))), "{family}");
    }
}

#[test]
fn densities_need_their_degrees_of_freedom() {
    use gaussbayes::Density;
    // Four rows of two columns: three degrees of freedom; five: four.
    let rows = [
        [0.0, 1.0],
        [1.0, 0.5],
        [2.0, 3.0],
        [0.5, 2.5],
        [7.0, 5.0],
        [6.0, 4.5],
        [5.0, 2.0],
        [9.0, 9.0],
        [8.0, 4.0],
    ];
    let table = table(&rows.map(|r| r.to_vec()), &["a", "a", "a", "a", "b", "b", "b", "b", "b"]);
    let with = |density, spec| fit(&CovarianceSpec { density, ..spec }, &table);
    assert!(with(Density::Predictive, CovarianceSpec::qda()).is_ok());
    let error = with(Density::Debiased, CovarianceSpec::qda()).unwrap_err();
    assert_eq!(
        error,
        Error::TooFewForDensity {
            component: Some(0),
            class: Some("a".into()),
            density: "debiased",
            weight: 4.0,
            least: 4.0
        }
    );
    assert!(with(Density::Debiased, CovarianceSpec::lda()).is_ok());
    let few = picked_rows(&table, &[0, 1, 2, 4, 5]);
    let error = fit(&CovarianceSpec { density: Density::Debiased, ..CovarianceSpec::lda() }, &few)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "all classes together have weight 5, but a debiased density needs more than 5"
    );
}

fn picked_rows(table: &Table, rows: &[usize]) -> Table {
    let codes = table.codes.as_ref().unwrap();
    Table {
        values: rows
            .iter()
            .flat_map(|&i| table.values[i * table.dim..(i + 1) * table.dim].to_vec())
            .collect(),
        codes: Some(rows.iter().map(|&i| codes[i]).collect()),
        ..table.clone()
    }
}

#[test]
fn remedies_come_in_their_order_and_only_those_that_work() {
    use gaussbayes::{Amount, Remedy};
    let remedies = |spec: &CovarianceSpec, table: &Table| match fit(spec, table) {
        Err(Error::Singular(found)) => found.remedies,
        other => panic!("{other:?}"),
    };
    let rows =
        iris().values.chunks_exact(4).flat_map(|r| [r[0], r[1], r[2], r[3], r[0] + r[1]]).collect();
    let sum = Table { dim: 5, values: rows, ..iris() };
    let toward = |amount, target| Remedy::Shrink(Shrinkage::Toward { amount, target });
    let rest = [
        toward(Amount::Fixed(0.1), Target::Diagonal),
        toward(Amount::Fixed(0.1), Target::Spherical),
        Remedy::Ridge(1e-6),
        Remedy::Family(Family::Vvi),
        Remedy::Family(Family::Eei),
        Remedy::Family(Family::Unit),
    ];
    let first = [Remedy::LeaveOut(vec![4]), Remedy::Range, toward(Amount::Oas, Target::Diagonal)];
    assert_eq!(remedies(&CovarianceSpec::qda(), &sum), [&first[..], &rest].concat());
    // Shared scatter says nothing of class covariances, which automatic amounts need.
    assert_eq!(
        remedies(&CovarianceSpec::lda(), &sum),
        [&first[..2], &rest[..3], &rest[4..]].concat()
    );
    let mut lone = iris();
    let last = lone.values.len() - 4;
    lone.dictionary.push("z".into());
    lone.codes.as_mut().unwrap()[last / 4] = 3;
    let found = remedies(&Family::Vii.into(), &lone);
    assert_eq!(found[0], Remedy::Family(Family::Eii), "{found:?}");
}

#[test]
fn a_range_changes_nothing_where_there_is_an_inverse_and_keeps_class_covariances() {
    use gaussbayes::OnSingular;
    let iris = iris();
    let rows = iris
        .values
        .chunks_exact(4)
        .flat_map(|r| [r[0], r[1], r[2], r[3], r[0] - 2.0 * r[1]])
        .collect();
    let sum = Table { dim: 5, values: rows, ..iris.clone() };
    for family in [Family::Vvv, Family::Eee, Family::Evv, Family::Vee] {
        let spec = CovarianceSpec { on_singular: OnSingular::RANGE, ..family.into() };
        let plain = fit(&family.into(), &iris).unwrap();
        let same = fit(&spec, &iris).unwrap();
        assert_eq!(same.report.rank, None);
        assert_eq!(plain.classifier, same.classifier, "{family}");
        let within = fit(&spec, &sum).unwrap();
        assert_eq!(within.report.rank, Some(4));
        if family == Family::Vvv || family == Family::Eee {
            for k in 0..3 {
                let (a, b) = (
                    plain.classifier.mixture().unwrap().raw_covariance(k),
                    within.classifier.mixture().unwrap().raw_covariance(k),
                );
                assert!(
                    a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-12),
                    "{family} {k}: {a:?} {b:?}"
                );
            }
        }
    }
}

#[test]
fn laws_are_checked_and_only_scaled_ones_are_quadratic() {
    use gaussbayes::{Density, Law, Score};
    let of = |density| {
        fit(&CovarianceSpec { density, ..CovarianceSpec::qda() }, &iris()).unwrap().classifier
    };
    let model = of(Density::Predictive).mixture().unwrap().clone();
    assert!(model.quadratics().is_none());
    assert!(of(Density::Debiased).mixture().unwrap().quadratics().is_some());
    let proper = Law::Student { power: 5.0, divisor: 2.0, offset: 0.0 };
    assert!(matches!(model.clone().with_laws(vec![proper; 2]), Err(Error::Shape { .. })));
    for bad in [
        Law::Student { power: 5.0, divisor: 0.0, offset: 0.0 },
        Law::Student { power: 0.0, divisor: 2.0, offset: 0.0 },
        Law::Scaled { factor: -1.0, offset: 0.0 },
        Law::Scaled { factor: 1.0, offset: f64::NAN },
    ] {
        assert!(matches!(model.clone().with_laws(vec![bad; 3]), Err(Error::BadParameter { .. })));
    }
}

#[test]
fn reasons_are_the_right_ones_and_not_too_many() {
    let random = |rows: usize, columns: usize| -> Vec<Vec<f64>> {
        let mut random = gaussbayes::Random::new(3, columns as u64);
        (0..rows).map(|_| (0..columns).map(|_| random.normal_pair().0).collect()).collect()
    };
    // Five rows span four directions, but two equations leave three: these are the reason.
    let mut few = random(25, 3);
    few.iter_mut().for_each(|row| row.extend([2.0 * row[1], row[0]]));
    let mut names = vec!["b"; 25];
    names[..5].fill("a");
    let text = message(&CovarianceSpec::qda(), &table(&few, &names));
    assert!(text.ends_with("have rank 3 of 5: 'x4' = 2 × 'x2', 'x5' = 'x1'"), "{text}");
    // Six classes of two rows.
    let names = ["a", "b", "c", "d", "e", "f"].repeat(2);
    let text = message(&CovarianceSpec::qda(), &table(&random(12, 2), &names));
    assert!(
        text.contains("those of classes 'a', 'b', 'c', 'd' and 2 more have rank 1 of 2"),
        "{text}"
    );
    // A row of weight ½.
    let mut light = table(&random(9, 2), &["a", "a", "a", "a", "b", "b", "b", "b", "c"]);
    light.weights = Some([vec![1.0; 8], vec![0.5]].concat());
    let text = message(&CovarianceSpec::qda(), &light);
    assert!(text.ends_with("rank 0 of 2: 'x1' is constant, 'x2' is constant"), "{text}");
    // A sum of six columns is told in short.
    let mut long = random(60, 6);
    long.iter_mut().for_each(|row| row.push(row.iter().sum()));
    let text = message(&CovarianceSpec::lda(), &table(&long, &["a", "b"].repeat(30)));
    let sum = "'x7' = 'x1' + 'x2' + 'x3' + multiples of 3 more columns";
    assert!(text.ends_with(&format!("rank 6 of 7: {sum}")), "{text}");
}

#[test]
fn a_constant_is_refused_in_standard_deviations_and_where_another_class_is_far() {
    // Column 2 is constant in class a; one row of next to no weight makes its unit wide.
    let mut refused = (0, 0);
    for (n, seed) in [3, 5, 7, 10, 20, 49].into_iter().flat_map(|n| (0..8).map(move |s| (n, s))) {
        let mut random = gaussbayes::Random::new(seed, n);
        let constant = random.normal_pair().0;
        let mut rows = Vec::new();
        for i in 0..3 * n {
            let (x, y) = random.normal_pair();
            rows.push(vec![x, if i % 3 == 0 { constant } else { y }]);
        }
        let mut wide = rows.clone();
        wide.push(vec![0.0, 1e6]);
        let mut wide = table(&wide, &[["a", "b", "b"].repeat(n as usize), vec!["b"]].concat());
        wide.weights = Some([vec![1.0; 3 * n as usize], vec![1e-10]].concat());
        let spec =
            CovarianceSpec { scaling: Scaling::Standardized, ..CovarianceSpec::naive_bayes() };
        refused.0 += u32::from(matches!(fit(&spec, &wide), Err(Error::Singular(_))));
        // Constant in each class: at the origin in the first, far from it in the second.
        for (i, row) in rows.iter_mut().enumerate() {
            row[1] = if i % 3 < 2 { 0.0 } else { constant };
        }
        let far = table(&rows, &["a", "a", "b"].repeat(n as usize));
        refused.1 +=
            u32::from(matches!(fit(&CovarianceSpec::lda(), &far), Err(Error::Singular(_))));
    }
    assert_eq!(refused, (48, 48));
}
