//! Keeps defects mended, each named by its symptom.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use gaussbayes::{
    Action, Classifier, CovarianceSpec, Error, Family, FoldRefusal, Folds, JudgeSweep, Judgement,
    Label, LabelSweep, Loss, Memberships, Moments, On, Pool, Random, Scaling, Score, Storage,
    Sweep, Table, Training, Tree, cross_validate, rows_per_block, run,
};
use support::{
    distance, features, fit, iris, labels, left_out, mapped, models, numbers_table, posteriors,
    table,
};

/// `n` rows of class a, in which the second column is constant, among `2n` of class b: too few for
/// the constant to be the frame's origin, where it would sum up to zero exactly.
fn constant_in_a(n: usize, seed: u64) -> Table {
    let mut random = Random::new(seed, n as u64);
    let constant = random.normal_pair().0;
    let mut rows = Vec::new();
    for i in 0..3 * n {
        let (x, y) = random.normal_pair();
        rows.push(vec![x, if i % 3 == 0 { constant } else { y }]);
    }
    table(&rows, &["a", "b", "b"].repeat(n))
}

fn assert_refused<T>(result: Result<T, Error>, what: &str) {
    let error = result.err();
    assert!(matches!(error.as_ref().map(Error::root), Some(Error::Singular(_))), "{what}");
}

fn validated(spec: &CovarianceSpec, table: &Table, folds: usize) -> Result<Judgement, Error> {
    let folds = Folds { count: folds, seed: 1 };
    let (priors, names) = (spec.default_priors(), features(table));
    let pool = Pool::new(1)?;
    cross_validate(spec, &priors, &names, None, folds, &mut table.source(), On::pool(&pool))
}

#[test]
fn a_column_constant_in_one_class_was_fitted_from_rounding() {
    for spec in [CovarianceSpec::qda(), CovarianceSpec::naive_bayes()] {
        for n in [3, 5, 7, 10, 20, 49, 98, 103, 107, 161] {
            for seed in 0..10 {
                let mut table = constant_in_a(n, seed);
                assert_refused(fit(&spec, &table), "whole");
                let mut random = Random::new(seed, 1);
                table.weights = Some((0..3 * n).map(|_| 0.01 + random.uniform()).collect());
                assert_refused(fit(&spec, &table), "weighted");
            }
        }
        let table = constant_in_a(60, 3);
        assert_refused(validated(&spec, &table, 5), "folds");
        let sweep = LabelSweep::new(spec.storage());
        let mut tree = Tree::default();
        for start in (0..180).step_by(7) {
            let block = table.block(start..(start + 7).min(180)).unwrap();
            tree.push(sweep.block(&block).unwrap());
        }
        let stat = tree.fold().unwrap();
        let fitted = Classifier::fit(&spec, &spec.default_priors(), stat, &features(&table));
        assert_refused(fitted, "blocks");
    }
}

#[test]
fn a_label_that_leaked_into_a_column_was_fitted_over_blocks() {
    for seed in 0..6 {
        let mut random = Random::new(seed, 5);
        let values: Vec<f64> = (0..3)
            .map(|_| 10_f64.powf(3.0 * random.normal_pair().0) * random.normal_pair().0)
            .collect();
        let codes: Vec<u32> = (0..20_000).map(|_| random.below(3) as u32).collect();
        let rows =
            codes.iter().flat_map(|&c| [random.normal_pair().0, values[c as usize]]).collect();
        let leaked = Table {
            dim: 2,
            values: rows,
            weights: None,
            codes: Some(codes),
            dictionary: ["a", "b", "c"].map(Label::from).to_vec(),
            ..Table::default()
        };
        for (name, spec) in models() {
            if !spec.depends_on_units() {
                assert_refused(fit(&spec, &leaked), name);
            }
        }
    }
}

#[test]
fn a_wild_first_row_took_the_digits_of_the_others() {
    let mut random = Random::new(1, 0);
    let mut rows: Vec<Vec<f64>> =
        (0..200).map(|i| vec![random.normal_pair().0 + f64::from(i % 2)]).collect();
    let mut names = ["a", "b"].repeat(100);
    let sentinels = [vec![-1e14], vec![-1.1e14]];
    let spec = CovarianceSpec::qda();
    let last = {
        let (rows, names) =
            ([rows.clone(), sentinels.to_vec()].concat(), [names.clone(), vec!["c", "c"]].concat());
        fit(&spec, &table(&rows, &names)).unwrap().classifier
    };
    rows.splice(0..0, sentinels);
    names.splice(0..0, ["c", "c"]);
    let first = fit(&spec, &table(&rows, &names)).unwrap().classifier;
    for k in 0..2 {
        let (a, b) = (
            last.mixture().unwrap().raw_covariance(k)[0],
            first.mixture().unwrap().raw_covariance(k)[0],
        );
        assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
    }
}

#[test]
fn a_far_class_took_the_digits_of_the_nearest_mean() {
    let rows: Vec<Vec<f64>> =
        [[0.0], [0.2], [1.0], [1.2], [1e17], [1e17]].map(|r| r.to_vec()).to_vec();
    let classifier =
        fit(&CovarianceSpec::nearest_mean(), &table(&rows, &["a", "a", "b", "b", "c", "c"]));
    let query = numbers_table(1, &[0.59, 0.61, 0.1, 1.1]);
    assert_eq!(labels(&classifier.unwrap().classifier, &query), ["a", "b", "a", "b"]);
}

#[test]
fn weights_beyond_sums_made_columns_constant() {
    for weight in [1e-310, 1e308, f64::NAN, -1.0] {
        let weighted = Table { weights: Some(vec![weight; 150]), ..iris() };
        assert!(matches!(fit(&CovarianceSpec::qda(), &weighted), Err(Error::BadWeight { .. })));
    }
    let fine = Table { weights: Some(vec![1e-140; 150]), ..iris() };
    assert!(fit(&CovarianceSpec::qda(), &fine).is_ok());
}

#[test]
fn a_weightless_row_of_an_unknown_class_stopped_judging() {
    let mut table = constant_in_a(20, 1);
    table.dictionary.push(Label::from("z"));
    table.codes.as_mut().unwrap()[5] = 2;
    let mut weights = vec![1.0; 60];
    weights[5] = 0.0;
    table.weights = Some(weights);
    let spec = CovarianceSpec::lda();
    let classifier = fit(&spec, &table).unwrap().classifier;
    let pool = Pool::new(1).unwrap();
    let judged = run(&JudgeSweep(&classifier), &mut table.source(), On::pool(&pool)).unwrap();
    assert_eq!(judged.n(), 59.0);
    assert_eq!(validated(&spec, &table, 4).unwrap().n(), 59.0);
    assert_eq!(left_out(&spec, &spec.default_priors(), &table).unwrap().n(), 59.0);
    table.weights = Some(vec![0.0; 60]);
    assert_eq!(validated(&spec, &table, 4).unwrap_err(), Error::NoRows);
    let none = run(&JudgeSweep(&classifier), &mut table.source(), On::pool(&pool)).unwrap();
    assert_eq!(none.checked().unwrap_err(), Error::NoRows);
}

#[test]
fn classes_named_by_numbers_keep_their_own_moments() {
    let plain = iris();
    let renamed =
        Table { dictionary: ["9", "10", "100"].map(Label::from).to_vec(), ..plain.clone() };
    let spec = CovarianceSpec::qda();
    let (a, b) = (fit(&spec, &plain).unwrap(), fit(&spec, &renamed).unwrap());
    assert_eq!(b.classifier.classes()[1].as_str(), "10");
    let apart = distance(&posteriors(&a.classifier, &plain), &posteriors(&b.classifier, &renamed));
    assert!(apart == 0.0, "{apart}");
}

#[test]
fn weights_count_in_folds_and_soft_memberships() {
    let mut table = iris();
    table.weights = Some((0..150).map(|i| f64::from(i % 4)).collect());
    let codes = table.codes.clone().unwrap();
    let hot: Vec<f64> =
        codes.iter().flat_map(|&c| (0..3).map(move |k| f64::from(u8::from(k == c)))).collect();
    let block = table.block(0..150).unwrap();
    for storage in [Storage::Full, Storage::Shared, Storage::Diagonal, Storage::Spherical] {
        let hard = Moments::of_block(&block, Memberships::Codes(&codes), 3, storage).unwrap();
        let soft = Moments::of_block(&block, Memberships::Soft(&hot), 3, storage).unwrap();
        assert_eq!(hard, soft);
    }
    let spec = CovarianceSpec::qda();
    let by_folds = validated(&spec, &table, 150).unwrap().log_loss();
    let one_by_one = left_out(&spec, &spec.default_priors(), &table).unwrap().log_loss();
    assert!((by_folds - one_by_one).abs() < 1e-9, "{by_folds} {one_by_one}");
}

#[test]
fn memberships_of_the_wrong_shape_are_refused() {
    let table = iris();
    let block = table.block(0..150).unwrap();
    let of =
        |memberships: Memberships<'_>| Moments::of_block(&block, memberships, 2, Storage::Diagonal);
    assert!(matches!(of(Memberships::Codes(&[0])), Err(Error::Shape { .. })));
    assert!(matches!(of(Memberships::Soft(&[0.5; 299])), Err(Error::Shape { .. })));
    for share in [-0.1, 1.1, f64::NAN] {
        assert!(matches!(of(Memberships::Soft(&[share; 300])), Err(Error::BadParameter { .. })));
    }
}

#[test]
fn folds_go_on_from_block_to_block() {
    // Blocks of 64 rows, as many folds as rows: the second block's rows have their own classifiers.
    let (dim, n) = (5000, 130);
    assert_eq!(rows_per_block(dim), 64);
    let mut random = Random::new(1, 1);
    let value = |at: usize| random.normal_pair().0 + 0.01 * (at / dim % 2) as f64;
    let wide = Table {
        dim,
        values: (0..n * dim).map(value).collect(),
        weights: None,
        codes: Some((0..n as u32).map(|i| i % 2).collect()),
        dictionary: vec![Label::from("a"), Label::from("b")],
        ..Table::default()
    };
    let spec = CovarianceSpec::nearest_mean();
    let by_folds = validated(&spec, &wide, n).unwrap().log_loss();
    let one_by_one = left_out(&spec, &spec.default_priors(), &wide).unwrap().log_loss();
    assert!((by_folds / one_by_one - 1.0).abs() < 1e-9, "{by_folds} {one_by_one}");
}

#[test]
fn folds_that_cannot_be_made_are_refused_before_anything_is_allocated() {
    let spec = CovarianceSpec::lda();
    for folds in [0, 1, 1001, usize::MAX] {
        let error = validated(&spec, &iris(), folds).unwrap_err();
        assert_eq!(error, FoldRefusal::Number { folds, most: 1000 }.into());
    }
    assert_eq!(
        validated(&spec, &iris(), 151).unwrap_err(),
        FoldRefusal::Number { folds: 151, most: 150 }.into()
    );
    let rows: Vec<Vec<f64>> = (0..20).map(|i| vec![f64::from(i * i % 7)]).collect();
    let mut names = ["a", "c"].repeat(10);
    names[3] = "b";
    let error = validated(&spec, &table(&rows, &names), 5).unwrap_err();
    assert_eq!(error, FoldRefusal::ClassInOne { class: "b".into() }.into());
}

#[test]
fn raw_quadratics_are_the_scores() {
    // One class counts twice: offsets of debiased densities differ by class.
    let weights = (0..150).map(|i| if i < 50 { 2.0 } else { 1.0 }).collect();
    let iris = Table { weights: Some(weights), ..iris() };
    let debiased = |spec| CovarianceSpec { density: gaussbayes::Density::Debiased, ..spec };
    let (qda, lda) = (CovarianceSpec::qda, CovarianceSpec::lda);
    for spec in [qda(), CovarianceSpec::naive_bayes(), lda(), debiased(qda()), debiased(lda())] {
        let classifier = fit(&spec, &iris).unwrap().classifier;
        let scores = classifier.mixture().unwrap().quadratics().unwrap();
        let posterior = classifier.predict(&iris.block(0..150).unwrap()).unwrap().posterior;
        for k in 1..3 {
            let g = scores[k].minus(&scores[0]).raw();
            for (i, x) in iris.values.chunks_exact(4).enumerate() {
                let mut value = g.constant;
                for a in 0..4 {
                    value += g.linear[a] * x[a];
                    for b in 0..=a {
                        let twice = if a == b { 1.0 } else { 2.0 };
                        value += twice * g.quadratic[a * (a + 1) / 2 + b] * x[a] * x[b];
                    }
                }
                let expected = posterior.log_prob(i, k) - posterior.log_prob(i, 0);
                assert!(
                    (value - expected).abs() < 1e-9 * (1.0 + expected.abs()),
                    "{value} {expected}"
                );
            }
        }
    }
}

#[test]
fn a_constant_column_that_varies_later_does_not_decide() {
    let narrow = constant_in_a(30, 2);
    let values = narrow.values.chunks(2).flat_map(|row| [row[0], row[1], 7.25]).collect();
    let wide = Table { dim: 3, values, ..narrow.clone() };
    let spec = CovarianceSpec { scaling: Scaling::Standardized, ..CovarianceSpec::nearest_mean() };
    let a = posteriors(&fit(&spec, &narrow).unwrap().classifier, &numbers_table(2, &[0.3, 0.4]));
    let b = posteriors(&fit(&spec, &wide).unwrap().classifier, &numbers_table(3, &[0.3, 0.4, 8.0]));
    assert!(distance(&a, &b) < 1e-9, "{a:?} {b:?}");
}

#[test]
fn columns_that_span_more_than_the_largest_number() {
    let mut unit = mapped(&iris(), |_, x| x / 8.0);
    (unit.values[0], unit.values[4]) = (-1.0, 1.0);
    let huge = mapped(&unit, |_, x| x * 1.7e308);
    for (name, spec) in models() {
        let (a, b) = (fit(&spec, &unit).unwrap(), fit(&spec, &huge).unwrap());
        assert_eq!(labels(&a.classifier, &unit), labels(&b.classifier, &huge), "{name}");
    }
}

#[test]
fn huge_costs_are_refused_and_not_compared_wrongly() {
    let actions = vec![Action::Class(0), Action::Class(1)];
    let error = Loss::new(2, actions, vec![-1e308, 1e308, 1e308, -1e308]).unwrap_err();
    assert_eq!(error, Error::BadCost { class: 0, action: 0, value: -1e308 });
}

#[test]
fn a_posterior_does_not_depend_on_the_rows_beside_it() {
    let wine = support::wine();
    for (name, spec) in models() {
        let classifier = fit(&spec, &wine).unwrap().classifier;
        let together = posteriors(&classifier, &wine);
        for i in (0..wine.rows()).step_by(7) {
            let alone = classifier.predict(&wine.block(i..i + 1).unwrap()).unwrap().posterior;
            assert!(alone.probs(0).eq(together[i].iter().copied()), "{name}, row {i}");
        }
    }
}

#[test]
fn shared_scatter_cannot_be_pooled_otherwise() {
    let (_, moments) = support::stat(&CovarianceSpec::lda(), &iris()).unwrap().sorted();
    let average = CovarianceSpec { pooling: gaussbayes::Pooling::Average, ..CovarianceSpec::lda() };
    let error = average.estimate(&moments, &average.default_priors(), None).unwrap_err();
    assert!(matches!(error, Error::Storage { .. }), "{error}");
}

#[test]
fn batches_may_number_their_labels_as_they_like() {
    let plain = iris();
    let reversed = Table {
        codes: Some(plain.codes.as_ref().unwrap().iter().map(|c| 2 - c).collect()),
        dictionary: plain.dictionary.iter().rev().cloned().collect(),
        ..plain.clone()
    };
    let unused = Table {
        dictionary: [plain.dictionary.clone(), vec!["x".into()]].concat(),
        ..plain.clone()
    };
    let pool = Pool::new(1).unwrap();
    let trained = |tables: &[&Table]| {
        let mut training = Training::new(Storage::Full, 4);
        for table in tables {
            training.add(&mut table.source(), On::pool(&pool)).unwrap();
        }
        training
    };
    assert_eq!(trained(&[&plain]), trained(&[&reversed]));
    assert_eq!(trained(&[&plain, &plain]), trained(&[&unused, &reversed]));
}

#[test]
fn a_family_without_covariance_counts_no_priors_it_did_not_estimate() {
    let of = |family: Family| fit(&family.into(), &iris()).unwrap().report.parameters;
    // 3 means of 4 columns; observed priors add 2; a shared covariance 10.
    assert_eq!((of(Family::Unit), of(Family::Eee)), (12, 24));
}

#[test]
fn a_target_of_names_was_summed_up_until_memory_ended() {
    let (dim, n) = (5000, 64);
    let named = Table {
        dim,
        values: vec![1.0; n * dim],
        weights: None,
        codes: Some((0..n as u32).collect()),
        dictionary: (0..n).map(|i| Label::from(format!("id{i}"))).collect(),
        ..Table::default()
    };
    let spec = CovarianceSpec::qda();
    let refused = Error::TooManyClasses { classes: n, columns: dim };
    assert_eq!(fit(&spec, &named).unwrap_err(), refused);
    assert_eq!(validated(&spec, &named, 10).unwrap_err(), refused);
    assert!(fit(&CovarianceSpec::nearest_mean(), &named).is_ok());
}

#[test]
fn the_owner_of_a_component_was_the_largest_number_and_wrapped_to_none() {
    let (iris, nothing) = (iris(), Loss::zero_one(0));
    let model = fit(&CovarianceSpec::lda(), &iris).unwrap().classifier.model().clone();
    let owned = Classifier::owned(model, vec![0, 1, usize::MAX], vec![], features(&iris), nothing);
    assert!(matches!(owned, Err(Error::Shape { what: "classes", found: 0, .. })), "{owned:?}");
}
