//! Cross-validation is what refitting without each fold would have been: [M19].

use gaussbayes::{
    Classifier, Folds, JudgeSweep, Judgement, Merge, On, Pool, Sweep, Table, cross_validate,
};
use proptest::prelude::*;

use super::support::{features, fit, left_out, models};
use super::{picked, random_table, seeded};

/// Judges each row with a model refitted without the rows of its fold.
fn by_refits(spec: &gaussbayes::CovarianceSpec, table: &Table, fold: &[usize]) -> Judgement {
    let mut total: Option<Judgement> = None;
    for f in 0..=*fold.iter().max().unwrap() {
        let rows = |inside: bool| -> Vec<usize> {
            (0..fold.len()).filter(|&i| (fold[i] == f) == inside).collect()
        };
        let classifier: Classifier = fit(spec, &picked(table, &rows(false))).unwrap().classifier;
        let held_out = picked(table, &rows(true));
        let block = held_out.block(0..held_out.rows()).unwrap();
        let judged = JudgeSweep(&classifier).block(&block).unwrap();
        total = Some(match total {
            Some(total) => total.merge(judged),
            None => judged,
        });
    }
    total.unwrap()
}

fn assert_same(a: &Judgement, b: &Judgement, name: &str) {
    assert!(a.confusion() == b.confusion(), "{name}");
    let (a, b) = (a.log_loss(), b.log_loss());
    assert!((a - b).abs() < 1e-9 * (1.0 + a), "{name}: {a} {b}");
}

proptest! {
    #![proptest_config(seeded(12))]

    #[test]
    fn leaving_each_row_out_is_refitting_without_it(seed in any::<u64>(), dim in 1usize..4) {
        let table = random_table(seed, 36, dim, 2);
        let each: Vec<usize> = (0..36).collect();
        for (name, spec) in models() {
            let priors = spec.default_priors();
            let judged = left_out(&spec, &priors, &table).unwrap();
            assert_same(&judged, &by_refits(&spec, &table, &each), name);
        }
    }

    #[test]
    fn as_many_folds_as_rows_leave_one_out(seed in any::<u64>(), dim in 1usize..4) {
        let table = random_table(seed, 30, dim, 2);
        let pool = Pool::new(1).unwrap();
        for (name, spec) in models() {
            let (priors, names) = (spec.default_priors(), features(&table));
            let folds = Folds { count: 30, seed };
            let source = &mut table.source();
            let by_folds =
                cross_validate(&spec, &priors, &names, None, folds, source, On::pool(&pool)).unwrap();
            let one_by_one = left_out(&spec, &priors, &table).unwrap();
            assert_same(&by_folds, &one_by_one, name);
        }
    }

    #[test]
    fn every_row_is_judged_once(seed in any::<u64>(), folds in 2usize..12) {
        let table = random_table(seed, 100, 2, 2);
        let pool = Pool::new(2).unwrap();
        let (_, spec) = models().remove(0);
        let folds = Folds { count: folds, seed };
        let source = &mut table.source();
        let names = features(&table);
        let judged =
            cross_validate(&spec, &spec.default_priors(), &names, None, folds, source, On::pool(&pool)).unwrap();
        let rows: Vec<f64> = judged.confusion().iter().map(|row| row.iter().sum()).collect();
        prop_assert_eq!(rows, vec![50.0, 50.0]);
    }
}

#[test]
fn every_option_is_validated_as_by_refits_also_beside_one_that_fails() {
    let table = random_table(11, 60, 3, 2);
    let pool = Pool::new(1).unwrap();
    let folds = Folds { count: 6, seed: 4 };
    let singles = table.rows();
    let mut candidates: Vec<gaussbayes::Candidate> = super::left_out::options()
        .into_iter()
        .map(|spec| (spec.into(), gaussbayes::Priors::Observed))
        .collect();
    // Refused whatever the rows, in front of and between the others.
    let idle = gaussbayes::CovarianceSpec {
        ridge: gaussbayes::Ridge::OfEach(-1.0),
        ..gaussbayes::CovarianceSpec::qda()
    };
    candidates.insert(0, ((&idle).into(), gaussbayes::Priors::Observed));
    let lda = gaussbayes::CovarianceSpec::lda();
    candidates.insert(0, (lda.into(), gaussbayes::Priors::Observed));
    candidates.insert(5, (idle.into(), gaussbayes::Priors::Observed));
    let (names, source) = (features(&table), &mut table.source());
    let all =
        gaussbayes::cross_validate_all(&candidates, &names, None, folds, source, On::pool(&pool))
            .unwrap();
    // The fold of each row, by leaving the choice to the library and looking at one at a time.
    let each = Folds { count: singles, seed: 4 };
    let each = gaussbayes::cross_validate_all(
        &candidates,
        &names,
        None,
        each,
        &mut table.source(),
        On::pool(&pool),
    )
    .unwrap();
    assert_eq!(all.len(), candidates.len());
    let rows: Vec<usize> = (0..singles).collect();
    for ((learner, _), (six, judged)) in candidates.iter().zip(all.iter().zip(&each)) {
        let spec = learner.gaussian().unwrap();
        let refused = matches!(six, Err(gaussbayes::Error::BadRidge { .. }));
        assert_eq!((six.is_err(), refused), (spec.ridge.share() < 0.0, spec.ridge.share() < 0.0));
        if let (Ok(six), Ok(judged)) = (six, judged) {
            assert_same(judged, &by_refits(spec, &table, &rows), &format!("{spec:?}"));
            let alone = cross_validate(
                spec,
                &gaussbayes::Priors::Observed,
                &names,
                None,
                folds,
                &mut table.source(),
                On::pool(&pool),
            );
            assert_same(six, &alone.unwrap(), &format!("{spec:?}"));
        }
    }
}

#[test]
fn fourth_moments_do_not_depend_on_the_order_of_rows() {
    // Blocks of 8192 rows: by class, the first block knows one class only, and not the first.
    let table = random_table(3, 18_000, 2, 2);
    let codes = table.codes.clone().unwrap();
    let mut by_class: Vec<usize> = (0..18_000).collect();
    by_class.sort_by_key(|&i| std::cmp::Reverse(codes[i]));
    let toward =
        |target| gaussbayes::Shrinkage::Toward { amount: gaussbayes::Amount::LedoitWolf, target };
    for target in [gaussbayes::Target::Spherical, gaussbayes::Target::Diagonal] {
        let spec = gaussbayes::CovarianceSpec {
            shrinkage: Some(toward(target)),
            ..gaussbayes::CovarianceSpec::qda()
        };
        let mixed = fit(&spec, &table).unwrap().report.amounts;
        let sorted = fit(&spec, &picked(&table, &by_class)).unwrap().report.amounts;
        for (a, b) in mixed.iter().zip(&sorted) {
            assert!((a / b - 1.0).abs() < 1e-9, "{mixed:?} {sorted:?}");
        }
    }
}

#[test]
fn the_fold_that_cannot_be_fitted_is_named() {
    // Without any of its three rows, class 1 has no covariance of its own.
    let mut table = random_table(1, 20, 2, 2);
    table.codes = Some((0..20).map(|i| u32::from([5, 9, 14].contains(&i))).collect());
    let order = gaussbayes::Random::new(7, 0).permutation(20);
    let first = [5, 9, 14].map(|i: usize| order[i]).into_iter().min().unwrap();
    let (spec, folds) = (gaussbayes::CovarianceSpec::qda(), Folds { count: 20, seed: 7 });
    let (priors, names, pool) =
        (gaussbayes::Priors::Observed, features(&table), Pool::new(1).unwrap());
    let error =
        cross_validate(&spec, &priors, &names, None, folds, &mut table.source(), On::pool(&pool))
            .unwrap_err();
    assert!(
        matches!(error, gaussbayes::Error::WithoutFold { fold, .. } if fold == first),
        "{error} {first}"
    );
}
