//! Times exact errors and boundaries of known models, turn and turn about.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench talks, and stops when it cannot go on"
)]

use std::hint::black_box;
use std::time::Instant;

use gaussbayes::{Classifier, Label, Loss, Mixture, On, Pool, Random, RiskOptions, View, Window};

/// A random model: covariances A Aᵀ + ¼ I with A normal divided by √d.
fn model(dim: usize, classes: usize, seed: u64) -> Classifier {
    let mut random = Random::new(seed, 0);
    let mut normal = || random.normal_pair().0;
    let means: Vec<Vec<f64>> =
        (0..classes).map(|_| (0..dim).map(|_| 1.5 * normal()).collect()).collect();
    let covariances: Vec<Vec<f64>> = (0..classes)
        .map(|_| {
            let a: Vec<f64> = (0..dim * dim).map(|_| normal() / (dim as f64).sqrt()).collect();
            let entry = |(i, j): (usize, usize)| {
                let sum: f64 = (0..dim).map(|k| a[i * dim + k] * a[j * dim + k]).sum();
                sum + if i == j { 0.25 } else { 0.0 }
            };
            (0..dim).flat_map(|i| (0..=i).map(move |j| (i, j))).map(entry).collect()
        })
        .collect();
    let mixture =
        Mixture::given(&means, &covariances, vec![1.0 / classes as f64; classes]).unwrap();
    let labels = (0..classes).map(|k| Label::from(k.to_string())).collect();
    let names = (0..dim).map(|j| format!("x{j}")).collect();
    Classifier::new(mixture, labels, names, Loss::zero_one(classes)).unwrap()
}

/// Median, smallest and largest time of one call, in milliseconds.
fn time(name: &str, turns: usize, mut work: impl FnMut()) {
    let mut times: Vec<f64> = (0..turns)
        .map(|_| {
            let start = Instant::now();
            work();
            1e3 * start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let [median, low, high] = [times[turns / 2], times[0], times[turns - 1]];
    println!("{name:<44} {median:9.3} ms   {low:.3} to {high:.3}, {turns} turns, 1 thread");
}

fn main() {
    // `cargo test --benches` passes `--test`: the same steps once.
    let test = std::env::args().any(|argument| argument == "--test");
    let turns = |n: usize| if test { 1 } else { n };
    let pool = Pool::new(1).unwrap();
    let how = RiskOptions::default();
    for dim in [2, 10, 50] {
        let rule = model(dim, 2, 1);
        time(&format!("error, 2 classes, {dim} columns"), turns(201), || {
            black_box(rule.risk(None, &how, On::pool(&pool)).unwrap());
        });
    }
    let five = model(2, 5, 2);
    time("error, 5 classes, 2 columns", turns(15), || {
        black_box(five.risk(None, &how, On::pool(&pool)).unwrap());
    });
    let window = Window { low: [-6.0; 2], high: [6.0; 2] };
    time("curves, 5 classes, 2 columns", turns(201), || {
        black_box(five.curves(&View::Whole, &window).unwrap());
    });
    time("kinds of all pairs, 5 classes, 2 columns", turns(201), || {
        for b in 1..5 {
            (0..b).for_each(|a| drop(black_box(five.boundary(a, b).unwrap())));
        }
    });
    let reject = five.with_loss(Loss::zero_one(5).with_reject(0.2).unwrap()).unwrap();
    time("curves, 5 classes and reject, traced", turns(15), || {
        black_box(reject.curves(&View::Whole, &window).unwrap());
    });
}
