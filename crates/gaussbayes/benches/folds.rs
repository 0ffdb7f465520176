//! Times folds, leaving rows out and a grid against one fit and one prediction, turn and turn about.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench talks, and stops when it cannot go on"
)]

use std::time::Instant;

use gaussbayes::{
    Candidate, Classifier, CovarianceSpec, Folds, JudgeSweep, Label, LabelSweep, On, Pool, Random,
    Table, cross_validate, cross_validate_all, leave_one_out, rda_grid, run,
};

const DIM: usize = 20;
const CLASSES: usize = 3;

fn rows(n: usize) -> Table {
    let mut random = Random::new(1, 0);
    let value = |at: usize| random.normal_pair().0 + (at / DIM % CLASSES) as f64 * 0.5;
    Table {
        dim: DIM,
        values: (0..n * DIM).map(value).collect(),
        weights: None,
        codes: Some((0..n).map(|i| (i % CLASSES) as u32).collect()),
        dictionary: (0..CLASSES).map(|k| Label::from(k.to_string())).collect(),
        ..Table::default()
    }
}

fn seconds<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed().as_secs_f64(), result)
}

/// Median, smallest and largest.
fn spread(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [values[values.len() / 2], values[0], values[values.len() - 1]]
}

/// Times of one turn: fit, predict, ten folds, leaving one out.
fn turn(spec: &CovarianceSpec, table: &Table, names: &[String], on: On<'_>) -> [f64; 4] {
    let priors = spec.default_priors();
    let (fit, classifier) = seconds(|| {
        let stat = run(&LabelSweep::new(spec.storage()), &mut table.source(), on).unwrap();
        Classifier::fit(spec, &priors, stat, names).unwrap().classifier
    });
    let (predict, _) = seconds(|| run(&JudgeSweep(&classifier), &mut table.source(), on).unwrap());
    let (folds, _) = seconds(|| {
        let ten = Folds { count: 10, seed: 1 };
        cross_validate(spec, &priors, names, None, ten, &mut table.source(), on).unwrap()
    });
    let (left_out, _) = seconds(|| leave_one_out(spec, &priors, names, None, table, on).unwrap());
    [fit, predict, folds, left_out]
}

fn main() {
    // `cargo test --benches` passes `--test`: the same steps on few rows.
    let test = std::env::args().any(|argument| argument == "--test");
    let (n, turns) = if test { (1000, 1) } else { (100_000, 15) };
    let table = rows(n);
    let names: Vec<String> = (0..DIM).map(|j| format!("x{j}")).collect();
    for (name, spec) in [("qda", CovarianceSpec::qda()), ("lda", CovarianceSpec::lda())] {
        for threads in [1, 2] {
            let pool = Pool::new(threads).unwrap();
            let times: Vec<[f64; 4]> =
                (0..turns).map(|_| turn(&spec, &table, &names, On::pool(&pool))).collect();
            let of = |at: usize| 1e3 * spread(times.iter().map(|t| t[at]).collect())[0];
            let ratio = |at: usize| {
                let ratios = times.iter().map(|t| t[at] / (t[0] + t[1])).collect();
                let [middle, least, most] = spread(ratios);
                format!("{:.1} ms, {middle:.2} ({least:.2} to {most:.2})", of(at))
            };
            println!(
                "{name}, {n} x {DIM} x {CLASSES}, {threads} thread(s): fit {:.1} ms, predict {:.1} ms; \
                 10 folds {} of both; leave one out {} of both",
                of(0),
                of(1),
                ratio(2),
                ratio(3),
            );
        }
    }
    let grid: Vec<Candidate> = rda_grid()
        .into_iter()
        .map(|(lambda, gamma)| {
            let spec = CovarianceSpec::rda(lambda, gamma);
            let priors = spec.default_priors();
            (spec.into(), priors)
        })
        .collect();
    let pool = Pool::new(2).unwrap();
    let ten = Folds { count: 10, seed: 1 };
    let (all, _) = seconds(|| {
        cross_validate_all(&grid, &names, None, ten, &mut table.source(), On::pool(&pool)).unwrap()
    });
    println!("rda, {} mixtures by 10 folds, 2 threads: {:.1} ms", grid.len(), 1e3 * all);
}
