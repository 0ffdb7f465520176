//! Shows what outliers do to clusters, and what noise and tails do about it.

use std::ops::ControlFlow;

use gaussbayes::{
    Cell, Criterion, EmSpec, Family, Freedom, Label, On, Outliers, Pool, Random, Search,
    SearchSpec, Start, Table,
};

use crate::support::numbers_table;

/// Rows of clusters: the mean of a third of them has a standard error of 0.03 deviations. What tails move means
/// by is their own inefficiency: at most 0.11 deviations with 900 rows, 0.10 with 1800, 0.06 with these.
const ROWS: usize = 2700;

const CENTRES: [[f64; 2]; 3] = [[0.0, 0.0], [8.0, 2.0], [3.0, 9.0]];

/// Three clusters of deviation one, and one row in twenty that `apart` makes.
fn contaminated(seed: u64, apart: impl Fn(&mut Random) -> [f64; 2]) -> Table {
    let mut random = Random::new(seed, 77);
    let mut values = Vec::new();
    for i in 0..ROWS {
        let (a, b) = random.normal_pair();
        let [x, y] = CENTRES[i % 3];
        values.extend([x + a, y + b]);
        if i % 19 == 0 {
            values.extend(apart(&mut random));
        }
    }
    numbers_table(2, &values)
}

/// The best of the usual starts.
fn fitted(table: &Table, outliers: Outliers, components: usize) -> gaussbayes::EmState {
    let mut spec = EmSpec { outliers, ..EmSpec::from(Family::Vvv) };
    spec.stop.tolerance = 1e-6;
    let spec = SearchSpec {
        cells: vec![Cell { components, family: Family::Vvv }],
        spec,
        runs: Start::usual(1),
        seed: 1,
        criterion: Criterion::Bic,
        features: vec!["x".into(), "y".into()],
    };
    let (pool, mut source) = (Pool::new(2).unwrap(), table.source());
    let mut search = Search::begin(&spec, &mut source, On::pool(&pool)).unwrap();
    search.go_on(&mut source, On::pool(&pool), &mut |_| ControlFlow::Continue(())).unwrap();
    search.best().unwrap().state.clone().unwrap()
}

/// How far the nearest cluster is from each true centre, at most, in deviations.
fn moved(state: &gaussbayes::EmState) -> f64 {
    let mixture = state.mixture();
    let nearest = |centre: &[f64; 2]| {
        let distance = |k: usize| {
            let mean = mixture.raw_mean(k);
            (mean[0] - centre[0]).hypot(mean[1] - centre[1])
        };
        (0..mixture.components()).map(distance).fold(f64::INFINITY, f64::min)
    };
    CENTRES.iter().map(nearest).fold(0.0, f64::max)
}

/// One row in twenty anywhere in a box ten times as wide as the clusters: 20 seeds. What counts is how far means
/// go beyond where the same rows without outliers put them.
#[test]
fn means_stay_within_a_tenth_of_a_deviation_beside_scattered_outliers() {
    let (mut worst, mut plain) = ([0.0_f64; 2], Vec::new());
    for seed in 0..20 {
        let wide = |random: &mut Random| [0, 1].map(|_| 100.0 * random.uniform() - 45.0);
        let dirty = contaminated(seed, wide);
        let clean = contaminated(seed, |random| {
            wide(random);
            [0.0, 0.0]
        });
        // The same draws, and no outliers: rows at an odd place in the list are taken out again.
        let mut values = Vec::new();
        let mut at = 0;
        for i in 0..ROWS {
            values.extend_from_slice(&clean.values[at..at + 2]);
            at += if i % 19 == 0 { 4 } else { 2 };
        }
        let clean = fitted(&numbers_table(2, &values), Outliers::Ignored, 3);
        let beside = |outliers| {
            let state = fitted(&dirty, outliers, 3);
            let mixture = state.mixture();
            let nearest = |k: usize| {
                let mean = clean.mixture().raw_mean(k);
                let distance = |other: usize| {
                    let found = mixture.raw_mean(other);
                    (found[0] - mean[0]).hypot(found[1] - mean[1])
                };
                (0..mixture.components()).map(distance).fold(f64::INFINITY, f64::min)
            };
            (0..3).map(nearest).fold(0.0, f64::max)
        };
        let noise = beside(Outliers::Noise);
        let student = beside(Outliers::Student(Freedom::Each));
        worst = [worst[0].max(noise), worst[1].max(student)];
        plain.push(beside(Outliers::Ignored));
    }
    plain.sort_by(f64::total_cmp);
    println!(
        "moved at most {:.3} (noise) and {:.3} (tails); without: {:.2} at least, {:.2} in the middle, {:.1} at most",
        worst[0], worst[1], plain[0], plain[10], plain[19]
    );
    assert!(worst[0] < 0.1, "{worst:?}");
    assert!(worst[1] < 0.1, "{worst:?}");
    assert!(plain[10] > 1.0, "{plain:?}");
}

/// Outliers that lie together are a cluster, not noise: nothing is promised of noise here. Where a component is
/// left for them they take it, and noise gets nothing.
#[test]
fn outliers_that_lie_together_are_a_cluster() {
    let clump = |random: &mut Random| {
        let (a, b) = random.normal_pair();
        [30.0 + 0.5 * a, -20.0 + 0.5 * b]
    };
    let table = contaminated(3, clump);
    let [plain, noise, tails] =
        [Outliers::Ignored, Outliers::Noise, Outliers::Student(Freedom::Each)]
            .map(|outliers| moved(&fitted(&table, outliers, 3)));
    println!(
        "clumped outliers move three means by {plain:.2}; noise: {noise:.2}, tails: {tails:.2}"
    );
    assert!(plain > 1.0);
    let four = fitted(&table, Outliers::Noise, 4);
    assert!(moved(&four) < 0.3, "{}", moved(&four));
    let mixture = four.mixture();
    assert!(mixture.noise().unwrap().share < 0.02);
    let clump = (0..4).find(|&k| mixture.raw_mean(k)[0] > 29.0).unwrap();
    assert!((mixture.weights()[clump] - 0.05).abs() < 0.005);
}

/// The label of noise is that of no cluster, and rows far away have it.
#[test]
fn rows_far_from_all_clusters_are_noise() {
    let table = contaminated(5, |random| [0, 1].map(|_| 100.0 * random.uniform() - 45.0));
    let state = fitted(&table, Outliers::Noise, 3);
    let mixture = state.mixture().clone();
    let noise = mixture.noise().unwrap().share;
    assert!((0.03..0.08).contains(&noise), "{noise}");
    let mut classes: Vec<Label> = (1..=3).map(|k| Label::from(k.to_string())).collect();
    classes.push(Label::from(gaussbayes::NOISE));
    let loss = gaussbayes::Loss::zero_one(4);
    let rule =
        gaussbayes::Classifier::new(mixture, classes, vec!["x".into(), "y".into()], loss).unwrap();
    let rows = numbers_table(2, &[40.0, 40.0, 8.1, 2.0, 1e9, -1e9]);
    let actions = rule.actions(&rows.block(0..3).unwrap()).unwrap();
    assert_eq!(actions[0], 3);
    assert!(actions[1] < 3);
    assert_eq!(actions[2], 3);
    assert!((rule.priors()[3] - noise).abs() < 1e-15);
    let refused = rule.gaussians().unwrap_err();
    assert!(refused.to_string().starts_with("class 'noise' is not one Gaussian"), "{refused}");
    assert!(refused.hint().is_some());
}
