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
