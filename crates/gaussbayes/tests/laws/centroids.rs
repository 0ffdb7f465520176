//! Shrunken centroids follow units, offsets and weights, and decide for rows however far: [M33].

use gaussbayes::{
    Centroids, Error, LabelSweep, Loss, Moments, On, Pool, Posterior, Priors, Score, Storage,
    Table, class_medians, run,
};
use proptest::prelude::*;

use super::support::{iris, mapped, numbers_table, table};
use super::{picked, random_table, seeded};

fn moments(table: &Table) -> Moments {
    let pool = Pool::new(2).unwrap();
    let sweep = LabelSweep::new(Storage::Diagonal);
    run(&sweep, &mut table.source(), On::pool(&pool)).unwrap().sorted().1
}

fn medians(table: &Table) -> Vec<f64> {
    class_medians(&mut table.source(), On::pool(&Pool::new(2).unwrap())).unwrap().1
}

/// About means, and about medians.
fn both(table: &Table, threshold: Option<f64>) -> [Centroids; 2] {
    let moments = moments(table);
    let about = Centroids::about(&moments, &medians(table), threshold).unwrap();
    [Centroids::of(&moments, threshold).unwrap(), about]
}

/// Labels by Euclidean distance to the means and by taxicab distance to the medians.
fn labels(found: &[Centroids; 2], priors: &Priors, table: &Table) -> [Vec<usize>; 2] {
    let block = table.block(0..table.rows()).unwrap();
    let scores = found[0].mixture(priors).unwrap().scores(&block).unwrap();
    let posterior = Posterior::from_scores(scores);
    let nearest = Loss::zero_one(found[0].classes()).decide(&posterior);
    [nearest, found[1].nearest_taxicab(priors, &block).unwrap()]
}

fn given(classes: usize) -> Priors {
    let sum: f64 = (1..=classes).map(|k| k as f64).sum();
    Priors::Given((1..=classes).map(|k| k as f64 / sum).collect())
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs() / (1.0 + b.abs())).fold(0.0, f64::max)
}

/// Rows that an offset of 1e9 leaves as they are: whole multiples of 2⁻²².
fn coarse(table: &Table) -> Table {
    let step = 4_194_304.0;
    mapped(table, |_, x| (x * step).round() / step)
}

proptest! {
    #![proptest_config(seeded(24))]

    #[test]
    fn an_offset_and_one_factor_for_all_columns_change_no_label(
        seed in any::<u64>(), dim in 1usize..5, classes in 2usize..5,
    ) {
        let plain = coarse(&random_table(seed, 60, dim, classes));
        for threshold in [None, Some(0.8)] {
            let found = both(&plain, threshold);
            let (tiny, huge) = (2.0_f64.powi(-530), 2.0_f64.powi(900));
            for (name, other, factor) in [
                ("offset", mapped(&plain, |_, x| x + 1e9), 1.0),
                ("tiny", mapped(&plain, |_, x| x * tiny), tiny),
                ("huge", mapped(&plain, |_, x| x * huge), huge),
                ("minus", mapped(&plain, |_, x| -x), 1.0),
            ] {
                let moved = both(&other, threshold);
                for (a, b) in found.iter().zip(&moved) {
                    let sign = if name == "minus" { -1.0 } else { 1.0 };
                    let turned: Vec<f64> = b.deviations().iter().map(|d| sign * d).collect();
                    let off = apart(a.deviations(), &turned);
                    prop_assert!(off < 1e-10, "{name}: {off}");
                    let back: Vec<f64> = b.within().iter().map(|s| s / factor).collect();
                    prop_assert!(apart(a.within(), &back) < 1e-10, "{name}");
                }
                for priors in [Priors::Uniform, given(classes)] {
                    let (a, b) = (labels(&found, &priors, &plain), labels(&moved, &priors, &other));
                    prop_assert_eq!(a, b, "{}", name);
                }
            }
        }
    }

    #[test]
    fn a_whole_weight_is_that_many_copies(seed in any::<u64>(), dim in 1usize..4) {
        let plain = random_table(seed, 80, dim, 3);
        let mut random = gaussbayes::Random::new(seed, 9);
        let weights: Vec<f64> = (0..80).map(|_| random.below(4) as f64).collect();
        let copies: Vec<usize> =
            weights.iter().enumerate().flat_map(|(i, &w)| vec![i; w as usize]).collect();
        let weighted = Table { weights: Some(weights), ..plain.clone() };
        let copied = picked(&plain, &copies);
        prop_assert_eq!(medians(&weighted), medians(&copied));
        for (a, b) in both(&weighted, Some(0.5)).iter().zip(&both(&copied, Some(0.5))) {
            prop_assert!(apart(a.centres(), b.centres()) < 1e-12);
            prop_assert!(apart(a.deviations(), b.deviations()) < 1e-10);
            prop_assert!(apart(a.within(), b.within()) < 1e-12);
        }
    }

    #[test]
    fn taxicab_labels_are_those_of_plain_sums(seed in any::<u64>(), dim in 1usize..5) {
        let plain = random_table(seed, 60, dim, 3);
        let [_, found] = both(&plain, None);
        let block = plain.block(0..60).unwrap();
        for priors in [Priors::Uniform, Priors::Given(vec![0.05, 0.9, 0.05])] {
            let equal = priors == Priors::Uniform;
            let log = priors.resolve(&[1.0; 3]).unwrap();
            let plainly = plain.values.chunks_exact(dim).map(|row| {
                let score = |k: usize| {
                    let column = |j: usize| {
                        let unit = if equal { 1.0 } else { found.within()[j] };
                        (row[j] - found.centres()[k * dim + j]).abs() / unit
                    };
                    2.0 * log[k].ln() - (0..dim).map(column).sum::<f64>().powi(2)
                };
                (0..3).max_by(|&a, &b| score(a).total_cmp(&score(b))).unwrap()
            });
            let plainly: Vec<usize> = plainly.collect();
            prop_assert_eq!(found.nearest_taxicab(&priors, &block).unwrap(), plainly);
        }
    }
}

#[test]
fn iris_far_from_the_origin_keeps_labels_and_posteriors() {
    let plain = coarse(&iris());
    let far = mapped(&plain, |_, x| x + 1e9);
    for priors in [Priors::Uniform, Priors::Given(vec![0.7, 0.2, 0.1])] {
        for threshold in [None, Some(1.5)] {
            let (a, b) = (both(&plain, threshold), both(&far, threshold));
            assert_eq!(labels(&a, &priors, &plain), labels(&b, &priors, &far));
            let probs = |found: &Centroids, rows: &Table| {
                let block = rows.block(0..rows.rows()).unwrap();
                let scores = found.mixture(&priors).unwrap().scores(&block).unwrap();
                let posterior = Posterior::from_scores(scores);
                (0..rows.rows()).flat_map(|i| posterior.probs(i).collect::<Vec<_>>()).collect()
            };
            let (p, q): (Vec<f64>, Vec<f64>) = (probs(&a[0], &plain), probs(&b[0], &far));
            assert!(apart(&p, &q) < 1e-10);
        }
    }
}

#[test]
fn a_threshold_without_end_leaves_the_mean_of_all_rows() {
    for threshold in [1e6, 1e300, f64::INFINITY] {
        for found in both(&iris(), Some(threshold)) {
            for centre in found.centres().chunks_exact(4) {
                assert_eq!(centre, found.overall());
            }
            assert!(found.deviations().iter().all(|d| *d == 0.0));
        }
    }
    // Nothing tells the classes apart any more: the first is said, or the likeliest.
    let found = both(&iris(), Some(1e6));
    assert_eq!(labels(&found, &Priors::Uniform, &iris()), [vec![0; 150], vec![0; 150]]);
    assert_eq!(labels(&found, &given(3), &iris()), [vec![2; 150], vec![2; 150]]);
}

#[test]
fn a_threshold_draws_every_centroid_in_by_as_many_standard_errors() {
    let [plain, _] = both(&iris(), None);
    let [drawn, _] = both(&iris(), Some(3.0));
    for (a, b) in plain.deviations().iter().zip(drawn.deviations()) {
        assert!((a.signum() * (a.abs() - 3.0).max(0.0) - b).abs() < 1e-12, "{a} {b}");
    }
    let [zero, _] = both(&iris(), Some(0.0));
    assert!(apart(plain.centres(), zero.centres()) < 1e-15);
}

#[test]
fn rows_however_far_have_a_label() {
    let found = both(&iris(), None);
    // Far out along the petals virginica is nearest, the other way setosa is.
    let rows = [[5.0, 3.0, 1e300, 1e300], [5.0, 3.0, -1e308, -1e308], [1e300, 3.0, 5.5, 2.0]];
    let rows = rows.concat();
    let far = numbers_table(4, &rows);
    for priors in [Priors::Uniform, Priors::Given(vec![0.5, 0.3, 0.2])] {
        let [euclid, taxicab] = labels(&found, &priors, &far);
        assert_eq!((euclid[0], taxicab[0]), (2, 2));
        assert_eq!((euclid[1], taxicab[1]), (0, 0));
        // Medians (5.0, 3.4, 1.5, 0.2), (5.9, 2.8, 4.35, 1.3), (6.5, 3.0, 5.55, 2.0): the distances less
        // 1e300 are 1.2, −3.85 and −6.45, though none of them is a digit of 1e300.
        assert_eq!((euclid[2], taxicab[2]), (2, 2));
    }
}

#[test]
fn medians_of_many_blocks_are_those_of_all_rows() {
    let rows = gaussbayes::banana(10_001, 3);
    let column = |k: usize, j: usize| {
        let mut column: Vec<f64> = rows.values.chunks_exact(2).map(|row| row[j]).collect();
        column = column.into_iter().skip(k).step_by(2).collect();
        column.sort_by(f64::total_cmp);
        column[5_000]
    };
    let expected = [column(0, 0), column(0, 1), column(1, 0), column(1, 1)];
    assert_eq!(medians(&rows), expected);
}

#[test]
fn priors_that_count_as_equal_do_not_divide_by_deviations() {
    let found = both(&iris(), None);
    let third = 1.0 / 3.0;
    let nearly = Priors::Given(vec![third + 1e-6, third, third - 1e-6]);
    let rows = iris();
    assert_eq!(labels(&found, &nearly, &rows), labels(&found, &Priors::Uniform, &rows));
    assert_eq!(found[0].mixture(&nearly).unwrap().weights(), [third; 3]);
    let apart = Priors::Given(vec![third + 1e-4, third, third - 1e-4]);
    assert_ne!(labels(&found, &apart, &rows), labels(&found, &Priors::Uniform, &rows));
    let never = Priors::Given(vec![0.0, 0.5, 0.5]);
    assert!(labels(&found, &never, &rows).iter().flatten().all(|k| *k != 0));
}

#[test]
fn spread_within_classes_may_be_missing() {
    // One row a class: no divisor, so one in raw units; a threshold has nothing to be measured by.
    let single = table(&[vec![0.0, 1.0], vec![4.0, 1.0], vec![4.0, 3.0]], &["a", "b", "c"]);
    let found = both(&single, None);
    assert_eq!(found[0].without_spread(), [0, 1]);
    assert_eq!(found[0].mixture(&Priors::Uniform).unwrap().raw_covariance(0), [1.0, 0.0, 1.0]);
    assert_eq!(labels(&found, &Priors::Uniform, &single), [vec![0, 1, 2], vec![0, 1, 2]]);
    assert_eq!(labels(&found, &given(3), &single), [vec![0, 1, 2], vec![0, 1, 2]]);
    let refused = Centroids::of(&moments(&single), Some(0.1)).unwrap_err();
    assert!(matches!(refused, Error::TooFewRows { component: None, weight: 3.0, .. }), "{refused}");
    // Two equal rows a class: no standard error to be drawn in by, and centroids without end of them.
    let pairs = [vec![0.0], vec![0.0], vec![4.0], vec![4.0], vec![2.0], vec![2.0]];
    for found in both(&table(&pairs, &["a", "a", "b", "b", "c", "c"]), Some(f64::INFINITY)) {
        assert_eq!(found.centres(), [0.0, 4.0, 2.0]);
        assert_eq!(found.deviations(), [f64::NEG_INFINITY, f64::INFINITY, 0.0]);
    }
    // A column that is constant within classes, over several blocks: rounding is no spread.
    let constant = |i: usize| [0.1, 0.3, 1e7 / 3.0][i % 3];
    let rows: Vec<Vec<f64>> = (0..30_000).map(|i| vec![constant(i), (i % 5) as f64, 0.7]).collect();
    let names: Vec<&str> = (0..30_000).map(|i| ["a", "b", "c"][i % 3]).collect();
    let found = both(&table(&rows, &names), Some(0.5));
    for found in &found {
        assert_eq!(found.without_spread(), [0, 2]);
    }
    let of_raw = found[0].mixture(&given(3)).unwrap().raw_covariance(1);
    assert_eq!((of_raw[0], of_raw[5]), (1.0, 1.0));
}

#[test]
fn what_makes_no_centroids_is_refused() {
    let same = table(&[vec![0.1, 2.0], vec![0.1, 2.0], vec![0.1, 2.0]], &["a", "b", "a"]);
    assert_eq!(Centroids::of(&moments(&same), None), Err(Error::AllConstant { columns: 2 }));
    let all = moments(&iris());
    for value in [-1.0, f64::NAN] {
        let refused = Centroids::of(&all, Some(value)).unwrap_err();
        assert!(matches!(refused, Error::BadThreshold { .. }), "{refused}");
    }
    assert!(Centroids::about(&all, &[1.0; 11], None).is_err());
    assert!(Centroids::about(&all, &[f64::NAN; 12], None).is_err());
    let one = picked(&iris(), &[0, 1, 2]);
    assert!(matches!(Centroids::of(&moments(&one), None), Err(Error::Shape { .. })));
    let [_, found] = both(&iris(), None);
    let narrow = numbers_table(2, &[1.0, 2.0]);
    assert!(found.nearest_taxicab(&Priors::Uniform, &narrow.block(0..1).unwrap()).is_err());
}
