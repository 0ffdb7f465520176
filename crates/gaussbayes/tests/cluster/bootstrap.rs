//! Holds the weighted-likelihood bootstrap to what is known of it, and to its laws.

use gaussbayes::{Bootstrap, EmSpec, EmState, Family, Figures, On, Pool, Table, banana};

use crate::combine::fitted;
use crate::support::{faithful, iris, mapped, numbers_table};
use crate::{from_labels, run_em};

fn drawn(state: &EmState, table: &Table, replicates: usize, threads: usize) -> Bootstrap {
    let pool = Pool::new(threads).unwrap();
    Bootstrap::of(state, &mut table.source(), replicates, 5, On::pool(&pool)).unwrap()
}

/// One Gaussian: Dirichlet weights leave the mean a variance of σ²/(n + 1), whatever the rows.
#[test]
fn the_mean_of_one_gaussian_varies_as_it_must() {
    let table = faithful(false);
    let state = fitted(&table, Family::Vvv, 1);
    let found = drawn(&state, &table, 4000, 1);
    assert_eq!((found.kept(), found.collapsed, found.refused), (4000, 0, 0));
    let errors = found.standard_errors().unwrap();
    let variances = state.mixture().raw_variances(0);
    for (error, variance) in errors.means[0].iter().zip(variances) {
        let expected = (variance / 273.0).sqrt();
        assert!((error / expected - 1.0).abs() < 0.05, "{error} {expected}");
    }
    assert_eq!(errors.weights, [0.0]);
    let (low, high) = found.intervals(0.95).unwrap();
    for j in 0..2 {
        let (mean, error) = (state.mixture().raw_mean(0)[j], errors.means[0][j]);
        assert!(((mean - low.means[0][j]) / error / 1.96 - 1.0).abs() < 0.1);
        assert!(((high.means[0][j] - mean) / error / 1.96 - 1.0).abs() < 0.1);
    }
}

fn near(a: &Figures, b: &Figures, share: f64) -> bool {
    let all = |figures: &Figures| -> Vec<f64> {
        let covariances = figures.covariances.iter().flatten();
        let rest = figures.means.iter().flatten().chain(covariances);
        figures.weights.iter().chain(rest).copied().collect()
    };
    all(a).iter().zip(all(b)).all(|(a, b)| (a - b).abs() <= share * b.abs())
}

/// Figures are those of the replicates, and a replicate's scale of weights is that of the rows.
#[test]
fn figures_are_those_of_the_replicates() {
    let table = faithful(true);
    let mut state = from_labels(&EmSpec::from(Family::Vvv), &table).unwrap();
    run_em(&mut state, &table).unwrap();
    let found = drawn(&state, &table, 60, 1);
    let all: Vec<Figures> = (0..found.kept()).map(|at| found.replicate(at).unwrap()).collect();
    let column: Vec<f64> = all.iter().map(|one| one.means[1][0]).collect();
    let mean = column.iter().sum::<f64>() / 60.0;
    let squares: f64 = column.iter().map(|x| (x - mean).powi(2)).sum();
    let errors = found.standard_errors().unwrap();
    assert!((errors.means[1][0] / (squares / 59.0).sqrt() - 1.0).abs() < 1e-9);
    assert!(errors.covariances[1].len() == 3 && errors.covariances[1].iter().all(|e| *e > 0.0));
    // The lowest and the highest of all.
    let (low, high) = found.intervals(1.0).unwrap();
    let least = column.iter().copied().fold(f64::INFINITY, f64::min);
    assert!((low.means[1][0] - least).abs() < 1e-12 && high.means[1][0] > mean);
    assert!(found.intervals(1.5).is_none() && found.replicate(60).is_none());
    // Twice the weight of every row is the same mixture, and the same share of it drawn.
    let twice = Table { weights: Some(vec![2.0; table.rows()]), ..table.clone() };
    let again = drawn(&state, &twice, 60, 1).standard_errors().unwrap();
    assert!(near(&again, &errors, 1e-6));
    // With a divisor n − 1 the sum of the weights counts: it stays n.
    let mut spec = EmSpec::from(Family::Vvv);
    spec.covariance.ddof = 1;
    let state = EmState::new(spec, state.mixture().clone()).unwrap();
    let other = drawn(&state, &table, 20, 1);
    assert_eq!(other.kept(), 20);
}

#[test]
fn threads_change_no_bit_in_memory_and_beyond() {
    let state = fitted(&banana(400, 1), Family::Vvv, 2);
    for (table, replicates) in [(banana(600, 3), 9), (banana(9_000, 3), 3)] {
        let one = drawn(&state, &table, replicates, 1);
        assert_eq!(one.kept(), replicates);
        assert_eq!(one, drawn(&state, &table, replicates, 2));
        assert_eq!(one, drawn(&state, &table, replicates, 8));
    }
}

/// Rows beyond those that are kept in memory draw the same weights: rows of no weight behind others make them so many.
#[test]
fn rows_in_memory_and_beyond_draw_the_same() {
    let small = banana(8_000, 4);
    let state = fitted(&banana(400, 1), Family::Vvv, 2);
    // Sixteen thousand rows of weight one, then some of next to none.
    let mut large = small.clone();
    large.values.extend([0.0, 0.0].repeat(2_000));
    let mut weights = vec![1.0; 16_000];
    weights.extend([1e-140; 2_000]);
    (large.weights, large.codes) = (Some(weights), None);
    let (a, b) = (drawn(&state, &small, 3, 1), drawn(&state, &large, 3, 1));
    for at in 0..3 {
        let (a, b) = (a.replicate(at).unwrap(), b.replicate(at).unwrap());
        assert!(near(&a, &b, 1e-6), "{a:?} {b:?}");
    }
}

#[test]
fn offsets_change_no_error_and_collapse_is_counted() {
    let whole = mapped(&iris(), |_, x| (10.0 * x).round());
    let far = mapped(&whole, |_, x| x + 1e9);
    let errors = |table: &Table| {
        let mut state = from_labels(&EmSpec::from(Family::Vvv), table).unwrap();
        run_em(&mut state, table).unwrap();
        drawn(&state, table, 20, 1).standard_errors().unwrap()
    };
    assert!(near(&errors(&whole), &errors(&far), 1e-5));
    // Two rows apart from the others: a component of theirs collapses or is refused in each replicate.
    let mut values: Vec<f64> = (0..30).map(|i| f64::from(i % 7) + 0.01 * f64::from(i)).collect();
    values.extend([100.0, 101.0]);
    let table = numbers_table(1, &values);
    let mixture = gaussbayes::Mixture::given(
        &[vec![3.0], vec![100.5]],
        &[vec![4.0], vec![0.25]],
        vec![30.0 / 32.0, 2.0 / 32.0],
    );
    let mut spec = EmSpec::from(Family::Vvv);
    spec.covariance.guard = 0.001;
    let state = EmState::new(spec, mixture.unwrap()).unwrap();
    let found = drawn(&state, &table, 50, 1);
    assert!(found.collapsed > 0, "{found:?}");
    assert_eq!(found.kept() + found.collapsed + found.refused, 50);
    let mut spec = EmSpec::from(Family::Vvv);
    spec.covariance.guard = 0.0;
    spec.covariance.ddof = 2;
    let state = EmState::new(spec, state.mixture().clone()).unwrap();
    let found = drawn(&state, &table, 50, 1);
    assert!(found.refused > 0 && found.refusal.is_some(), "{found:?}");
}
