//! Threads, batches and shards: the first two to the bit, the last to rounding.

use gaussbayes::{
    Classifier, CovarianceSpec, Family, Folds, LabelSweep, On, Pool, Table, Training,
    cross_validate, rows_per_block, run,
};

use super::random_table;
use super::support::{distance, features, models, posteriors};

const DIM: usize = 40;

fn large() -> Table {
    random_table(11, 5 * rows_per_block(DIM) + 123, DIM, 3)
}

fn trained(spec: &CovarianceSpec, batches: &[Table]) -> Training {
    let pool = Pool::new(2).unwrap();
    let mut training = Training::new(spec.storage(), DIM);
    for batch in batches {
        training.add(&mut batch.source(), On::pool(&pool)).unwrap();
    }
    training
}

fn split(table: &Table, cuts: &[usize]) -> Vec<Table> {
    let mut parts = Vec::new();
    let mut start = 0;
    for &end in cuts.iter().chain([&table.rows()]) {
        parts.push(super::picked(table, &(start..end).collect::<Vec<_>>()));
        start = end;
    }
    parts
}

#[test]
fn the_number_of_threads_does_not_show() {
    let table = large();
    for (name, spec) in models() {
        let of = |threads: usize| {
            let pool = Pool::new(threads).unwrap();
            run(&LabelSweep::new(spec.storage()), &mut table.source(), On::pool(&pool)).unwrap()
        };
        let one = of(1);
        for threads in [2, 3, 8] {
            assert!(one == of(threads), "{name}, {threads} threads");
        }
    }
}

#[test]
fn cross_validation_does_not_show_the_number_of_threads() {
    let table = large();
    // A search for common axes in forty columns takes its time: eight do.
    let narrow = random_table(12, 5 * rows_per_block(8) + 123, 8, 3);
    for (name, spec) in models() {
        let searches = matches!(spec.family, Family::Eve | Family::Vve);
        let table = if searches { &narrow } else { &table };
        let of = |threads: usize| {
            let pool = Pool::new(threads).unwrap();
            let folds = Folds { count: 5, seed: 2 };
            let (priors, names) = (spec.default_priors(), features(table));
            let source = &mut table.source();
            cross_validate(&spec, &priors, &names, None, folds, source, On::pool(&pool)).unwrap()
        };
        assert_eq!(of(1), of(3), "{name}");
    }
}

#[test]
fn batches_leave_the_same_state_as_all_rows_at_once() {
    let table = large();
    let block = rows_per_block(DIM);
    for (name, spec) in models() {
        let at_once = trained(&spec, std::slice::from_ref(&table));
        let cuts = [[1, 2, 3, block], [block - 1, block, block + 1, 3 * block]];
        for cuts in cuts {
            let batches = trained(&spec, &split(&table, &cuts));
            assert!(at_once == batches, "{name}, cut at {cuts:?}");
        }
        let pool = Pool::new(1).unwrap();
        let swept = run(&LabelSweep::new(spec.storage()), &mut table.source(), On::pool(&pool));
        assert!(at_once.stat().unwrap() == swept.unwrap(), "{name}: a sweep");
    }
}

#[test]
fn where_runs_of_blocks_begin_does_not_show() {
    // So many blocks that threads take several at a time, from a block that is no multiple of that.
    let block = rows_per_block(DIM);
    let table = random_table(13, 45 * block + 7, DIM, 3);
    for spec in [CovarianceSpec::qda(), CovarianceSpec::naive_bayes()] {
        let swept = run(
            &LabelSweep::new(spec.storage()),
            &mut table.source(),
            On::pool(&Pool::new(1).unwrap()),
        );
        for cuts in [vec![], vec![block], vec![3 * block + 5], vec![6 * block, 29 * block - 1]] {
            let training = trained(&spec, &split(&table, &cuts));
            assert!(training.stat().unwrap() == *swept.as_ref().unwrap(), "cut at {cuts:?}");
        }
    }
}

#[test]
fn shards_merge_to_rounding() {
    let table = large();
    for (name, spec) in models() {
        let whole = trained(&spec, std::slice::from_ref(&table));
        let parts: Vec<Training> = split(&table, &[700, 2 * rows_per_block(DIM) + 808])
            .into_iter()
            .map(|part| trained(&spec, &[part]))
            .collect();
        let merged = parts[0].merge(&parts[1]).unwrap().merge(&parts[2]).unwrap();
        let fit = |training: &Training| {
            let stat = training.stat().unwrap();
            Classifier::fit(&spec, &spec.default_priors(), stat, &features(&table)).unwrap()
        };
        let sample = super::picked(&table, &(0..200).collect::<Vec<_>>());
        let apart = distance(
            &posteriors(&fit(&whole).classifier, &sample),
            &posteriors(&fit(&merged).classifier, &sample),
        );
        assert!(apart < 1e-10, "{name}: {apart}");
    }
}

#[test]
fn the_earliest_error_is_reported_whatever_the_threads() {
    let mut table = large();
    let rows = rows_per_block(DIM);
    // The last row of the second block is found after the first rows of the next two.
    table.values[(2 * rows - 1) * DIM + 7] = f64::NAN;
    table.values[2 * rows * DIM] = f64::INFINITY;
    table.values[3 * rows * DIM] = f64::INFINITY;
    for threads in [1, 2, 8] {
        let pool = Pool::new(threads).unwrap();
        for _ in 0..20 {
            let sweep = LabelSweep::new(gaussbayes::Storage::Diagonal);
            let error = run(&sweep, &mut table.source(), On::pool(&pool)).unwrap_err();
            let expected = format!("row {}, column 8: NaN is not a finite number", 2 * rows);
            assert_eq!(error.to_string(), expected);
        }
    }
}

#[test]
fn a_control_is_told_of_every_block_and_can_stop_the_run() {
    use std::ops::ControlFlow;
    use std::sync::Mutex;

    struct Until(u64, Mutex<Vec<u64>>);
    impl gaussbayes::Control for Until {
        fn block(&self, progress: gaussbayes::Progress) -> ControlFlow<()> {
            self.1.lock().unwrap().push(progress.rows);
            if progress.blocks >= self.0 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        }
    }
    let table = large();
    let rows = rows_per_block(DIM) as u64;
    for threads in [1, 4] {
        let pool = Pool::new(threads).unwrap();
        let sweep = LabelSweep::new(gaussbayes::Storage::Diagonal);
        let all = Until(u64::MAX, Mutex::default());
        run(&sweep, &mut table.source(), On::pool(&pool).watched(&all)).unwrap();
        assert_eq!(all.1.into_inner().unwrap().len(), 6);
        let two = Until(2, Mutex::default());
        let error = run(&sweep, &mut table.source(), On::pool(&pool).watched(&two)).unwrap_err();
        assert_eq!(error, gaussbayes::Error::Cancelled { rows: 2 * rows });
        assert_eq!(two.1.into_inner().unwrap(), [rows, 2 * rows]);
    }
}
