//! Times ten folds against one fit and one prediction of the same rows, turn and turn about.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench talks, and stops when it cannot go on"
)]

use std::time::Instant;

use gaussbayes::{
    Classifier, CovarianceSpec, Folds, JudgeSweep, Label, LabelSweep, On, Pool, Random, Table,
    cross_validate, run,
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
    }
}

fn seconds<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed().as_secs_f64(), result)
}

fn main() {
    // `cargo test --benches` passes `--test`: the same steps on few rows.
    let test = std::env::args().any(|argument| argument == "--test");
    let (n, turns) = if test { (1000, 1) } else { (100_000, 15) };
    let table = rows(n);
    let spec = CovarianceSpec::qda();
    let priors = spec.default_priors();
    let names: Vec<String> = (0..DIM).map(|j| format!("x{j}")).collect();
    for threads in [1, 2] {
        let pool = Pool::new(threads).unwrap();
        let on = On::pool(&pool);
        let mut ratios = Vec::new();
        let (mut fits, mut predictions, mut folds) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..turns {
            let (fit, classifier) = seconds(|| {
                let sweep = LabelSweep::new(spec.storage());
                let stat = run(&sweep, &mut table.source(), on).unwrap();
                Classifier::fit(&spec, &priors, stat, &names).unwrap().classifier
            });
            let (predict, _) =
                seconds(|| run(&JudgeSweep(&classifier), &mut table.source(), on).unwrap());
            let (ten, _) = seconds(|| {
                let ten = Folds { count: 10, seed: 1 };
                cross_validate(&spec, &priors, &names, None, ten, &mut table.source(), on).unwrap()
            });
            ratios.push(ten / (fit + predict));
            fits.push(fit);
            predictions.push(predict);
            folds.push(ten);
        }
        let median = |values: &mut Vec<f64>| {
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        println!(
            "{n} x {DIM} x {CLASSES}, {threads} thread(s): fit {:.1} ms, predict {:.1} ms, 10 folds {:.1} ms, \
             ratio {:.2} (from {:.2} to {:.2} in {turns} turns)",
            1e3 * median(&mut fits),
            1e3 * median(&mut predictions),
            1e3 * median(&mut folds),
            median(&mut ratios),
            ratios[0],
            ratios[ratios.len() - 1],
        );
    }
}
