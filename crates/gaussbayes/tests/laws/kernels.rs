//! Loops over tiles say what the plain formulas say, and of a row the same whatever is beside it.

use gaussbayes::{
    Assign, Classifier, CovarianceSpec, EmSpec, EmState, EmSweep, Expectation, Family, Label,
    LabelSweep, Loss, Memberships, Mixture, Moments, On, Pool, Precision, Ridge, Score, Stop,
    StopRule, Storage, Sweep, Table, em, rows_per_block, run,
};
use proptest::prelude::*;

use super::{random_table, seeded};

pub(super) fn fitted(table: &Table, family: Family) -> Mixture {
    let (spec, pool) = (CovarianceSpec::from(family), Pool::new(1).unwrap());
    let stat = run(&LabelSweep::new(spec.storage()), &mut table.source(), On::pool(&pool)).unwrap();
    let names: Vec<String> = (0..table.dim).map(|j| format!("x{j}")).collect();
    let fitted = Classifier::fit(&spec, &spec.default_priors(), stat, &names).unwrap();
    fitted.classifier.mixture().unwrap().clone()
}

/// The E-step of soft memberships and nothing else.
pub(super) fn plain(mixture: &Mixture, storage: Storage) -> Expectation<'_> {
    let (assign, precision) = (Assign::Soft, Precision::Double);
    Expectation { mixture, assign, storage, worst: false, ownership: None, precision }
}

/// How far apart two statistics are, as a share of what they are measured by: √(S_ii S_jj), deviations, weights.
pub(super) fn apart(a: &Moments, b: &Moments) -> f64 {
    let to = b.frame();
    let mut most = 0.0_f64;
    for k in 0..a.components() {
        most = most.max((a.weight()[k] / b.weight()[k] - 1.0).abs());
        for j in 0..a.dim() {
            let raw = |m: &Moments| {
                let unit = f64::from(m.frame().exponent()[j]).exp2();
                m.frame().origin()[j] + m.mean(k)[j] * unit
            };
            let unit = f64::from(to.exponent()[j]).exp2();
            most = most.max((raw(a) - raw(b)).abs() / unit);
        }
    }
    let matrices = if a.storage() == Storage::Shared { 1 } else { a.components() };
    let len = a.scatter().len() / matrices;
    for k in 0..matrices {
        let entries = |m: &Moments| -> Vec<f64> {
            let values = &m.scatter()[k * len..(k + 1) * len];
            let unit = |j: usize| f64::from(m.frame().exponent()[j]).exp2();
            match m.storage() {
                Storage::Full | Storage::Shared => {
                    let pairs = (0..m.dim()).flat_map(|i| (0..=i).map(move |j| (i, j)));
                    pairs.zip(values).map(|((i, j), x)| x * unit(i) * unit(j)).collect()
                }
                Storage::Diagonal => {
                    values.iter().enumerate().map(|(j, x)| x * unit(j) * unit(j)).collect()
                }
                Storage::Spherical => {
                    let widest = (0..m.dim()).map(unit).fold(0.0, f64::max);
                    vec![values[0] * widest * widest]
                }
            }
        };
        let (x, y) = (entries(a), entries(b));
        let full = matches!(a.storage(), Storage::Full | Storage::Shared);
        let deviation = |j: usize| if full { y[j * (j + 3) / 2].sqrt() } else { y[j].sqrt() };
        let size = |at: usize| {
            if !full {
                return y[at];
            }
            let i = (0..a.dim()).find(|i| at < (i + 1) * (i + 2) / 2).unwrap();
            deviation(i) * deviation(at - i * (i + 1) / 2)
        };
        for at in 0..len {
            most = most.max((x[at] - y[at]).abs() / size(at));
        }
    }
    most
}

#[test]
fn a_row_far_out_on_a_boundary_keeps_its_posterior() {
    let mut table = random_table(7, 400, 3, 2);
    let mixture = fitted(&table, Family::Eee);
    // What both classes have the same distance to, as far as linear scores reach and farther.
    let (a, b) = (mixture.raw_mean(0), mixture.raw_mean(1));
    let across: Vec<f64> = a.iter().zip(&b).map(|(a, b)| b - a).collect();
    let along = {
        let sigma = mixture.raw_covariance(0);
        let at = |i: usize, j: usize| sigma[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
        // Σ v for v at right angles to what separates the classes.
        let v = [across[1], -across[0], 0.0];
        [0, 1, 2].map(|i| (0..3).map(|j| at(i, j) * v[j]).sum::<f64>())
    };
    for far in [1.0, 1e3, 1e6, 1e9, 1e12] {
        let place = |j: usize| 0.5 * (a[j] + b[j]) + far * along[j];
        (0..3).for_each(|j| table.values[j] = place(j));
        let block = table.block(0..100).unwrap();
        let found = mixture.probabilities(&block).unwrap();
        let expected = mixture.scores(&block).unwrap().into_probabilities();
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-11, "{far}: {found} {expected}");
        }
    }
}

/// Of several components that a row belongs to alike, the first takes all of it.
#[test]
fn a_row_of_two_equal_components_is_the_first_ones() {
    let mut table = random_table(3, 50, 2, 2);
    table.codes = None;
    let weights: Vec<f64> = (0..50).map(|i| f64::from(i % 3)).collect();
    table.weights = Some(weights.clone());
    let mean = [vec![-1e3, 0.0], vec![0.1, 0.2], vec![0.1, 0.2]];
    for (triangle, storage) in [
        (vec![1.0, 0.3, 2.0], Storage::Full),
        (vec![1.0, 0.3, 2.0], Storage::Shared),
        (vec![1.0, 0.0, 2.0], Storage::Diagonal),
        (vec![1.0, 0.0, 1.0], Storage::Spherical),
    ] {
        let mixture = Mixture::given(&mean, &vec![triangle; 3], vec![1.0 / 3.0; 3]).unwrap();
        let under = Expectation { assign: Assign::Hard, ..plain(&mixture, storage) };
        let block = table.block(0..50).unwrap();
        let found = EmSweep::new(vec![under]).block(&block).unwrap().remove(0);
        assert_eq!(found.moments().weight(), [0.0, weights.iter().sum(), 0.0], "{storage:?}");
    }
}

proptest! {
    #![proptest_config(seeded(48))]

    #[test]
    fn scores_of_tiles_are_those_of_distances(
        seed in any::<u64>(), dim in 1usize..14, classes in 2usize..5, apart in 0i32..12,
    ) {
        let rows = 40 * classes;
        let mut table = random_table(seed, rows, dim, classes);
        // Classes up to thousands of deviations from each other: means cannot all be taken off together.
        for (i, row) in table.values.chunks_exact_mut(dim).enumerate() {
            let class = f64::from(table.codes.as_ref().unwrap()[i]);
            row.iter_mut().for_each(|x| *x += class * f64::from(1 << apart));
        }
        let mixture = fitted(&table, Family::Vvv);
        let block = table.block(0..rows).unwrap();
        let scores = mixture.scores(&block).unwrap();
        let distances = mixture.mahalanobis_sq(&block).unwrap();
        let odds = |i: usize, k: usize| {
            let (s, q) = (&scores.relative[i * classes..], &distances[i * classes..]);
            (s[k] - s[0] + 0.5 * (q[k] - q[0]), 1.0 + q[k] + q[0])
        };
        for k in 1..classes {
            // The nearest row has the least rounding.
            let nearest = (0..rows).map(|i| odds(i, k)).min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
            for i in 0..rows {
                let (constant, size) = odds(i, k);
                let off = (constant - nearest.0).abs() / (size + nearest.1);
                prop_assert!(off < 1e-11, "{i} {k}: {constant} {nearest:?}");
            }
        }
    }

    #[test]
    fn an_expectation_is_the_moments_of_the_posterior(
        seed in any::<u64>(), dim in 1usize..20, classes in 2usize..6, rows in 110usize..400,
        weighted in any::<bool>(), hard in any::<bool>(),
    ) {
        let mut table = random_table(seed, rows, dim, classes);
        if weighted {
            table.weights = Some((0..rows).map(|i| [0.0, 1.0, 0.25, 3.0, 1.0, 2.0, 0.5][i % 7]).collect());
        }
        for (family, storage) in [
            (Family::Vvv, Storage::Full),
            (Family::Eee, Storage::Shared),
            (Family::Vvi, Storage::Diagonal),
            (Family::Vii, Storage::Spherical),
        ] {
            let mixture = fitted(&table, family);
            let block = table.block(0..rows).unwrap();
            let scores = mixture.scores(&block).unwrap();
            let log_density: Vec<f64> = scores
                .relative
                .chunks_exact(classes)
                .zip(&scores.common)
                .map(|(row, common)| common + gaussbayes::log_sum_exp(row))
                .collect();
            let best = Loss::zero_one(classes).decide_scores(&scores);
            let codes: Vec<u32> = best.into_iter().map(|k| k as u32).collect();
            let shares = scores.into_probabilities();
            let (assign, memberships) = if hard {
                (Assign::Hard, Memberships::Codes(&codes))
            } else {
                (Assign::Soft, Memberships::Soft(&shares))
            };
            let expected = Moments::of_block(&block, memberships, classes, storage).unwrap();
            let under = Expectation { assign, ..plain(&mixture, storage) };
            let found = EmSweep::new(vec![under]).block(&block).unwrap().remove(0);
            let off = apart(found.moments(), &expected);
            prop_assert!(off < 1e-11, "{family:?} {storage:?}: {off}");
            let sum: f64 = log_density.iter().enumerate().map(|(i, l)| block.weight(i) * l).sum();
            let off = (found.log_evidence() - sum).abs() / (1.0 + sum.abs());
            prop_assert!(off < 1e-12, "{family:?}: {} {sum}", found.log_evidence());
        }
    }

    #[test]
    fn probabilities_are_those_of_the_scores_and_of_a_row_alone(
        seed in any::<u64>(), dim in 1usize..40, classes in 2usize..12, far in any::<bool>(),
    ) {
        let rows = 40 * classes + 7;
        let mut table = random_table(seed, rows, dim, classes);
        if far {
            // Beyond what linear scores are good for.
            table.values[3 * dim] += 1e12;
        }
        for family in [Family::Vvv, Family::Eee, Family::Vvi, Family::Eei, Family::Vii, Family::Eii] {
            // A full covariance of a class needs more rows than columns.
            if dim > 20 && family == Family::Vvv {
                continue;
            }
            let mixture = fitted(&random_table(seed, rows, dim, classes), family);
            let block = table.block(0..rows).unwrap();
            let found = mixture.probabilities(&block).unwrap();
            let scores = mixture.scores(&block).unwrap();
            let again = mixture.scores(&table.block(5..6).unwrap()).unwrap();
            prop_assert_eq!(&scores.relative[5 * classes..6 * classes], &again.relative[..]);
            prop_assert_eq!(scores.common[5], again.common[0]);
            for (found, expected) in found.iter().zip(scores.into_probabilities()) {
                prop_assert!((found - expected).abs() < 1e-11, "{family:?} {found} {expected}");
            }
            for i in [3, 5, rows - 1] {
                let alone = mixture.probabilities(&table.block(i..i + 1).unwrap()).unwrap();
                prop_assert_eq!(&found[i * classes..(i + 1) * classes], &alone[..]);
            }
        }
    }
}

#[test]
fn what_is_remembered_of_rows_changes_no_bit() {
    use std::ops::ControlFlow;
    // Whole blocks and a part of one; columns in units of their own, which a ridge of one number brings to one.
    for (dim, ridge) in [(3, Ridge::None), (3, Ridge::Raw(1e-6)), (40, Ridge::Raw(1e-6))] {
        let mut table = random_table(17, 2 * rows_per_block(dim) + 300, dim, 3);
        let units = table.values.iter_mut().enumerate();
        units.for_each(|(at, x)| *x *= [1.0, 37.0, 0.02][at % dim % 3]);
        table.codes = None;
        for weighted in [false, true] {
            if weighted {
                let weights = (0..table.rows()).map(|i| [1.0, 0.25, 3.0][i % 3]).collect();
                table.weights = Some(weights);
            }
            let labelled =
                Table { codes: Some(thirds(&table)), dictionary: names(), ..table.clone() };
            let (mixture, pool) = (fitted(&labelled, Family::Eee), Pool::new(2).unwrap());
            let mut spec = EmSpec::from(Family::Eee);
            spec.stop = Stop { rule: StopRule::Loglik, tolerance: 0.0, max_iterations: 4 };
            (spec.covariance.ridge, spec.covariance.guard) = (ridge, 0.0);
            let state = EmState::new(spec, mixture).unwrap();
            let mut remembered = state.clone();
            let each = &mut |_: &EmState| ControlFlow::Continue(());
            em(&mut remembered, &mut table.source(), On::pool(&pool), each).unwrap();
            let mut anew = state;
            while !anew.is_done() {
                // A source that was never rewound remembers nothing.
                let stat = anew.pass_over(&mut table.source(), On::pool(&pool)).unwrap();
                anew.step(&stat).unwrap();
            }
            assert!(remembered == anew, "{dim} columns, {ridge:?}, weighted: {weighted}");
        }
    }
}

/// Each third of the rows as a class.
fn thirds(table: &Table) -> Vec<u32> {
    (0..table.rows()).map(|i| (3 * i / table.rows()) as u32).collect()
}

fn names() -> Vec<Label> {
    ["a", "b", "c"].map(Label::from).to_vec()
}
