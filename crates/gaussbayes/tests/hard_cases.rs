//! Meets every numerical hazard by an answer or a named refusal: [M1] [M8] [M10] [M22].

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use gaussbayes::{
    Classifier, CovarianceSpec, Density, Error, Family, OnSingular, Priors, Projection, Scaling,
    Shrinkage, Table, Target,
};
use support::{
    distance, fit, fit_with, iris, labels, left_out, mapped, models, numbers_table, posteriors,
    table,
};

fn in_whole_numbers(table: &Table) -> Table {
    mapped(table, |_, x| (10.0 * x).round())
}

fn assert_same_answers(a: &Table, b: &Table, tolerance: f64) {
    for (name, spec) in models() {
        let (one, other) = (fit(&spec, a).unwrap().classifier, fit(&spec, b).unwrap().classifier);
        assert_eq!(labels(&one, a), labels(&other, b), "{name}");
        if spec.family != Family::Unit {
            let apart = distance(&posteriors(&one, a), &posteriors(&other, b));
            assert!(apart <= tolerance, "{name}: {apart:e}");
        }
        let errors = |table: &Table| {
            let priors = spec.default_priors();
            left_out(&spec, &priors, table).unwrap().errors()
        };
        assert_eq!(errors(a), errors(b), "{name}: leave-one-out errors");
    }
}

#[test]
fn iris_moved_by_1e9_in_every_column() {
    let whole = in_whole_numbers(&iris());
    let moved = mapped(&whole, |_, x| x + 1e9);
    assert_same_answers(&whole, &moved, 1e-9);
    let spec = CovarianceSpec::nearest_mean();
    let (a, b) = (fit(&spec, &whole).unwrap(), fit(&spec, &moved).unwrap());
    let apart = distance(&posteriors(&a.classifier, &whole), &posteriors(&b.classifier, &moved));
    assert!(apart < 1e-9, "{apart:e}");
}

#[test]
fn iris_in_metres_and_in_1e_minus_160() {
    let iris = iris();
    assert_same_answers(&iris, &mapped(&iris, |_, x| x / 100.0), 1e-9);
    assert_same_answers(&iris, &mapped(&iris, |_, x| x * 1e-160), 1e-9);
    assert_same_answers(&iris, &mapped(&iris, |_, x| x * 1e160), 1e-9);
}

#[test]
fn columns_in_units_300_orders_apart() {
    let iris = iris();
    let units = [1e-150, 1e150, 1.0, 1e-80];
    let wild = mapped(&iris, |j, x| x * units[j]);
    for (name, spec) in models() {
        if spec.depends_on_units() {
            continue;
        }
        let (a, b) = (fit(&spec, &iris).unwrap(), fit(&spec, &wild).unwrap());
        assert_eq!(labels(&a.classifier, &iris), labels(&b.classifier, &wild), "{name}");
    }
}

#[test]
fn variance_of_numbers_with_a_large_common_part() {
    // NIST's NumAcc4: 10000000.2, then 10000000.1 and 10000000.3 in turn; deviation 0.1 (n − 1).
    let mut rows = vec![vec![10_000_000.2]];
    rows.extend((0..1000).map(|i| vec![if i % 2 == 0 { 10_000_000.1 } else { 10_000_000.3 }]));
    let names = vec!["all"; rows.len()];
    let spec = CovarianceSpec { ddof: 1, ..CovarianceSpec::qda() };
    let (_, moments) = support::stat(&spec, &table(&rows, &names)).unwrap().sorted();
    let mixture = spec.estimate(&moments, &Priors::Observed, None).unwrap().mixture;
    let deviation = mixture.raw_covariance(0)[0].sqrt();
    // The decimals themselves are off by 2e-9 once they are doubles.
    assert!((deviation - 0.1).abs() < 3e-9, "{deviation}");
}

fn message(spec: &CovarianceSpec, table: &Table) -> String {
    fit(spec, table).unwrap_err().to_string()
}

#[test]
fn four_points_have_no_quadratic_rule() {
    let rows = [[-1.0, -1.0], [-1.0, 1.0], [2.0, 0.0], [3.0, 0.0]].map(|row| row.to_vec());
    let table = table(&rows, &["-1", "-1", "1", "1"]);
    assert_eq!(
        message(&CovarianceSpec::qda(), &table),
        "singular covariance: that of class '-1' has rank 1 of 2: 'x1' is constant; \
         that of class '1' has rank 1 of 2: 'x2' is constant"
    );
    assert!(fit(&CovarianceSpec::lda(), &table).is_ok());
}

#[test]
fn more_columns_than_rows() {
    let rows: Vec<Vec<f64>> = (0..6)
        .map(|i| (0..8).map(|j| f64::from((i * i * 7 + j * j * i + j) % 11)).collect())
        .collect();
    let table = table(&rows, &["a", "a", "a", "b", "b", "b"]);
    let text = message(&CovarianceSpec::qda(), &table);
    let few = "those of classes 'a' and 'b' have rank 2 of 8: 3 rows span at most 2 directions";
    assert!(text.ends_with(few), "{text}");
    let text = message(&CovarianceSpec::lda(), &table);
    let few = "that of all classes together has rank 4 of 8: 6 rows span at most 4 directions";
    assert!(text.ends_with(few), "{text}");
    assert!(fit(&CovarianceSpec::nearest_mean(), &table).is_ok());
    let shrunk = CovarianceSpec {
        shrinkage: Some(Shrinkage::fixed(0.1, Target::Spherical)),
        ..CovarianceSpec::qda()
    };
    assert!(fit(&shrunk, &table).is_ok());
}

#[test]
fn constant_and_dependent_columns_are_named() {
    let iris = iris();
    let widened = |extra: &dyn Fn(&[f64]) -> f64| {
        let rows: Vec<Vec<f64>> = iris
            .values
            .chunks_exact(4)
            .map(|row| row.iter().copied().chain([extra(row)]).collect())
            .collect();
        Table { dim: 5, values: rows.concat(), ..iris.clone() }
    };
    let constant = widened(&|_| 7.25);
    for spec in [CovarianceSpec::qda(), CovarianceSpec::lda(), CovarianceSpec::naive_bayes()] {
        let text = message(&spec, &constant);
        assert!(text.ends_with("rank 4 of 5: 'x5' is constant"), "{text}");
    }
    assert!(fit(&CovarianceSpec::nearest_mean(), &constant).is_ok());
    let standardized =
        CovarianceSpec { scaling: Scaling::Standardized, ..CovarianceSpec::nearest_mean() };
    assert_eq!(fit(&standardized, &constant).unwrap().report.constant, [4]);

    for (dependent, equation) in [
        (widened(&|row| row[1]), "'x5' = 'x2'"),
        (widened(&|row| 10.0 * row[0]), "'x5' = 10 × 'x1'"),
        (widened(&|row| row[0] + row[3]), "'x5' = 'x1' + 'x4'"),
    ] {
        for spec in [CovarianceSpec::qda(), CovarianceSpec::lda()] {
            let text = message(&spec, &dependent);
            assert!(text.ends_with(&format!("rank 4 of 5: {equation}")), "{text}");
        }
        assert!(fit(&CovarianceSpec::naive_bayes(), &dependent).is_ok());
    }
    // Nearly dependent is not dependent.
    let near = widened(&|row| row[1] + 1e-4 * row[0] * row[2]);
    assert!(fit(&CovarianceSpec::qda(), &near).is_ok());
}

#[test]
fn a_class_of_one_row() {
    let rows: Vec<Vec<f64>> =
        [[0.0, 1.0], [1.0, 0.5], [2.0, 3.0], [0.5, 2.0], [9.0, 9.0]].map(|r| r.to_vec()).to_vec();
    let table = table(&rows, &["a", "a", "a", "a", "b"]);
    assert!(message(&CovarianceSpec::qda(), &table).contains("class 'b' has rank 0 of 2"));
    assert!(fit(&CovarianceSpec::lda(), &table).is_ok());
    let one = CovarianceSpec { ddof: 1, ..CovarianceSpec::qda() };
    assert_eq!(
        message(&one, &table),
        "class 'b' has weight 1, but its divisor n - 1 must be positive"
    );
    // Left out, the row is of a class that no other row teaches: an error, and no log loss.
    for (_, spec) in models().into_iter().filter(|(_, spec)| fit(spec, &table).is_ok()) {
        let judged = left_out(&spec, &Priors::Observed, &table).unwrap();
        assert_eq!(judged.confusion(), [[4.0, 0.0], [1.0, 0.0]], "{}", spec.family);
        assert_eq!((judged.unlearnt(), judged.log_loss()), (1.0, 0.0));
    }
    // With as many rows left as columns, a class of its own covariance is refused by name.
    let rows = [[0.0, 1.0], [1.0, 0.5], [2.0, 3.0], [5.0, 2.0], [9.0, 9.0], [7.0, 5.0], [6.0, 4.5]];
    let small = support::table(&rows.map(|r| r.to_vec()), &["a", "a", "a", "b", "b", "b", "b"]);
    let error = left_out(&CovarianceSpec::qda(), &Priors::Observed, &small).unwrap_err();
    assert_eq!(
        error.to_string(),
        "with row 1 left out: singular covariance: that of class 'a' has rank 1 of 2: \
         2 rows span one direction"
    );
}

#[test]
fn one_class_no_rows_and_bad_weights() {
    let rows = vec![vec![1.0], vec![2.0], vec![4.0]];
    let one = table(&rows, &["a", "a", "a"]);
    assert_eq!(
        fit(&CovarianceSpec::qda(), &one).unwrap_err(),
        Error::OneClass { class: "a".into() }
    );
    let empty = Table { dim: 1, codes: Some(vec![]), ..Table::default() };
    assert_eq!(fit(&CovarianceSpec::qda(), &empty).unwrap_err(), Error::NoRows);
    for (weights, error) in [
        (vec![1.0, -1.0, 1.0], Error::BadWeight { row: 1, value: -1.0 }),
        (vec![0.0, 0.0, 0.0], Error::NoRows),
    ] {
        let weighted = Table { weights: Some(weights), ..one.clone() };
        assert_eq!(fit(&CovarianceSpec::qda(), &weighted).unwrap_err(), error);
    }
}

/// Query rows far beyond anything seen.
fn far(classifier: &Classifier, row: Vec<f64>) -> (String, Vec<f64>, f64) {
    let query = table(&[row], &["?"]);
    let block = query.block(0..1).unwrap();
    let prediction = classifier.predict(&block).unwrap();
    let probs = prediction.posterior.probs(0).collect();
    let label = classifier.action_label(prediction.actions[0]).unwrap().to_string();
    (label, probs, prediction.posterior.log_evidence(0))
}

#[test]
fn rows_at_1e160_and_1e300_get_the_answer_of_their_direction() {
    let iris = iris();
    let directions = [
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.3, -0.5, 0.7, 0.2],
        [-1.0, -1.0, -1.0, 1.0],
    ];
    for (name, spec) in models() {
        let classifier = fit(&spec, &iris).unwrap().classifier;
        for direction in directions {
            for sign in [1.0, -1.0] {
                let at = |size: f64| {
                    let row = direction.iter().map(|x| sign * size * x).collect();
                    let (label, probs, evidence) = far(&classifier, row);
                    assert!(probs.iter().all(|p| p.is_finite()), "{name} {size:e}: {probs:?}");
                    assert!(evidence.is_finite(), "{name} {size:e}: {evidence}");
                    (label, evidence)
                };
                let (limit, evidence) = at(1e7);
                for size in [1e20, 1e92, 1e100, 1e140, 1e160, 1e300, f64::MAX] {
                    let (label, far) = at(size);
                    assert_eq!(label, limit, "{name}, {direction:?} at {size:e}");
                    // ln p(x) falls with the square of the distance, down to the last number.
                    let expected = (evidence * (size / 1e7) * (size / 1e7)).max(-f64::MAX);
                    assert!(
                        (far / expected - 1.0).abs() < 1e-5,
                        "{name} {size:e}: {far:e} {expected:e}"
                    );
                }
            }
        }
    }
}

#[test]
fn far_rows_of_models_in_extreme_units() {
    for unit in [1e-160, 1e150] {
        let scaled = mapped(&iris(), |_, x| x * unit);
        for (name, spec) in models() {
            let classifier = fit(&spec, &scaled).unwrap().classifier;
            for x in [0.0, 1.0, -1e300, f64::MAX, 5e-324] {
                let (_, probs, evidence) = far(&classifier, vec![x; 4]);
                let sum: f64 = probs.iter().sum();
                assert!((sum - 1.0).abs() < 1e-12, "{name} {unit:e} {x:e}: {probs:?}");
                assert!(!evidence.is_nan(), "{name} {unit:e} {x:e}");
            }
        }
    }
}

#[test]
fn two_near_classes_beside_one_far_away() {
    // N(0, 1), N(1, 1) and a class at 1e8: at x = ½ the first two are equally likely.
    let offsets = [-1.5, -0.5, 0.5, 1.5];
    let rows: Vec<Vec<f64>> =
        [0.0, 1.0, 1e8].iter().flat_map(|m| offsets.map(|o| vec![m + o])).collect();
    let labels: Vec<&str> = ["a", "b", "c"].iter().flat_map(|name| [*name; 4]).collect();
    for spec in [CovarianceSpec::lda(), CovarianceSpec::diagonal_lda(), Family::Eii.into()] {
        let classifier = fit(&spec, &table(&rows, &labels)).unwrap().classifier;
        for x in [0.5, 0.3, 0.9, -0.7, 1.9] {
            let (_, probs, _) = far(&classifier, vec![x]);
            // Variance 1.25: the log-odds of a are (½ − x)/1.25.
            let expected = 1.0 / (1.0 + ((x - 0.5) / 1.25_f64).exp());
            assert!((probs[0] - expected).abs() < 1e-12, "{} at {x}: {probs:?}", spec.family);
        }
    }
}

#[test]
fn ties_go_to_the_first_class() {
    let rows: Vec<Vec<f64>> =
        (0..8).map(|i| vec![f64::from(i / 2), f64::from(i / 2 % 3)]).collect();
    let names = ["b", "a"].repeat(4);
    let table = table(&rows, &names);
    for (name, spec) in models() {
        let classifier = fit(&spec, &table).unwrap().classifier;
        assert_eq!(labels(&classifier, &table), ["a"; 8], "{name}");
    }
}

#[test]
fn a_class_of_prior_zero_is_never_chosen() {
    let iris = iris();
    for (name, spec) in models() {
        let priors = Priors::Given(vec![0.5, 0.5, 0.0]);
        let classifier = fit_with(&spec, &priors, &iris).unwrap().classifier;
        let said = labels(&classifier, &iris);
        assert!(said.iter().all(|label| label != "virginica"), "{name}");
        let probs = posteriors(&classifier, &iris);
        assert!(probs.iter().all(|row| row[2] == 0.0 && row[0].is_finite()), "{name}");
    }
}

#[test]
fn shrinkage_that_means_nothing_is_refused() {
    let iris = iris();
    let shrunk = |family: Family, amount: f64, target: Target| {
        let shrinkage = Some(Shrinkage::fixed(amount, target));
        fit(&CovarianceSpec { shrinkage, ..family.into() }, &iris)
    };
    let error = shrunk(Family::Vvv, 1.5, Target::Spherical).unwrap_err();
    assert_eq!(error, Error::BadShrinkage { value: 1.5 });
    for (family, target) in [
        (Family::Eee, Target::Shared),
        (Family::Vvi, Target::Diagonal),
        (Family::Vii, Target::Spherical),
    ] {
        assert!(matches!(shrunk(family, 0.5, target), Err(Error::IdleShrinkage { .. })));
    }
}

#[test]
fn predictive_densities_of_far_rows_fall_as_a_power() {
    let spec = CovarianceSpec { density: Density::Predictive, ..CovarianceSpec::qda() };
    let classifier = fit(&spec, &iris()).unwrap().classifier;
    let at = |size: f64| {
        let row = numbers_table(4, &[size, 2.0 * size, -size, size]);
        let posterior = classifier.predict(&row.into_block(0).unwrap()).unwrap().posterior;
        (posterior.log_evidence(0), posterior.log_prob(0, 0), posterior.log_prob(0, 2))
    };
    // Each class has 50 rows: p(x) falls like |x|^−50, and ratios of classes stay what they are.
    let (near, far) = (at(1e60), at(1e200));
    assert!((near.0 - far.0 - 50.0 * 140.0 * 10.0_f64.ln()).abs() < 1e-6, "{near:?} {far:?}");
    assert!((near.1 - far.1).abs() < 1e-9 && (near.2 - far.2).abs() < 1e-9, "{near:?} {far:?}");
}

#[test]
fn within_a_range_covariances_and_directions_are_those_of_the_other_columns() {
    let iris = iris();
    let rows: Vec<Vec<f64>> = iris
        .values
        .chunks_exact(4)
        .map(|row| row.iter().copied().chain([row[0] - 2.0 * row[3]]).collect())
        .collect();
    let wide = Table { dim: 5, values: rows.concat(), ..iris.clone() };
    for family in [Family::Vvv, Family::Eee, Family::Vee, Family::Evv] {
        let spec = CovarianceSpec { on_singular: OnSingular::RANGE, ..family.into() };
        let within = fit(&spec, &wide).unwrap();
        assert_eq!(within.report.rank, Some(4));
        let without = fit(&family.into(), &iris).unwrap().classifier;
        let within = within.classifier;
        for k in 0..3 {
            let of = |classifier: &Classifier| classifier.mixture().unwrap().raw_covariance(k);
            let (a, b) = (of(&within), of(&without));
            assert!(a[..10].iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-12), "{family}: {a:?}");
            // Var(x₁ − 2x₄) from the others.
            let expected = b[0] - 4.0 * b[6] + 4.0 * b[9];
            assert!((a[14] - expected).abs() < 1e-12, "{family}");
        }
        let scores = |classifier: &Classifier, table: &Table| {
            let projection = Projection::of(classifier.mixture().unwrap()).unwrap();
            projection.transform(&table.block(0..table.rows()).unwrap()).unwrap()
        };
        for (a, b) in scores(&within, &wide).iter().zip(scores(&without, &iris)) {
            assert!((a.abs() - b.abs()).abs() < 1e-8, "{family}: {a} {b}");
        }
        assert!(distance(&posteriors(&within, &wide), &posteriors(&without, &iris)) < 1e-9);
    }
}

#[test]
fn axes_that_nothing_determines_are_refused() {
    let mut rows: Vec<Vec<f64>> = iris().values.chunks_exact(4).map(<[f64]>::to_vec).collect();
    let mut labels = ["a", "b", "c"].map(|name| [name; 50]).concat();
    rows.extend([vec![1.0, 2.0, 3.0, 4.0], vec![2.0, 2.5, 3.0, 1.0], vec![5.0, 1.0, 0.0, 4.0]]);
    labels.extend(["d"; 3]);
    for family in [Family::Eev, Family::Vev] {
        let text = message(&family.into(), &table(&rows, &labels));
        assert!(text.contains("class 'd' has rank 2 of 4: 3 rows span at most 2"), "{text}");
    }
    // With one more row only one axis is left, and the others determine it.
    rows.push(vec![0.0, 1.0, 1.0, 0.5]);
    labels.push("d");
    for family in [Family::Eev, Family::Vev] {
        assert!(fit(&family.into(), &table(&rows, &labels)).is_ok());
    }
}

#[test]
fn rows_that_are_all_alone_have_no_log_loss() {
    let rows = [[0.0, 1.0], [1.0, 0.5], [5.0, 3.0]].map(|row| row.to_vec());
    let spec = CovarianceSpec::nearest_mean();
    let judged = left_out(&spec, &Priors::Uniform, &table(&rows, &["a", "b", "c"])).unwrap();
    assert_eq!((judged.errors(), judged.log_loss()), (3.0, f64::INFINITY));
}
