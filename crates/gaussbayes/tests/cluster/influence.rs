//! Holds the influence of rows to refits without them.

use gaussbayes::{
    EmSpec, EmState, Error, Family, Movement, On, OnEmpty, Pool, StopRule, Table, banana,
    displaced, influences, most_influential,
};

use crate::combine::fitted;
use crate::support::{iris, mapped, numbers_table};
use crate::{from_labels, pass, run_em};

fn without(table: &Table, row: usize) -> Table {
    let mut rest = table.clone();
    rest.values.drain(row * table.dim..(row + 1) * table.dim);
    if let Some(codes) = &mut rest.codes {
        codes.remove(row);
    }
    if let Some(weights) = &mut rest.weights {
        weights.remove(row);
    }
    rest
}

/// The same parameters, to be fitted as far as numbers go.
fn settled(state: &EmState, table: &Table) -> EmState {
    let mut spec = state.spec().clone();
    spec.stop.rule = StopRule::Parameters;
    spec.stop.tolerance = 1e-12;
    spec.stop.max_iterations = 50_000;
    let mut state = EmState::new(spec, state.mixture().clone()).unwrap();
    run_em(&mut state, table).unwrap();
    state
}

fn one_step(state: &EmState, table: &Table) -> Result<EmState, Error> {
    let mut state = EmState::new(state.spec().clone(), state.mixture().clone())?;
    let stat = pass(&state, table)?;
    state.step(&stat)?;
    Ok(state)
}

fn weighted(table: &Table) -> Table {
    let weight = |i: usize| 0.5 + f64::from((i % 4) as u32);
    Table { weights: Some((0..table.rows()).map(weight).collect()), ..table.clone() }
}

#[test]
fn a_step_without_a_row_is_that_of_the_other_rows() {
    let pool = Pool::new(1).unwrap();
    for family in Family::ALL {
        for table in [iris(), weighted(&iris())] {
            let mut spec = EmSpec::from(family);
            spec.stop.max_iterations = 30;
            let mut state = from_labels(&spec, &table).unwrap();
            run_em(&mut state, &table).unwrap();
            let found = influences(&state, &mut table.source(), On::pool(&pool)).unwrap();
            assert_eq!(found.len(), 150);
            let base = one_step(&state, &table).unwrap();
            for (row, found) in found.iter().enumerate().step_by(7) {
                let rest = one_step(&state, &without(&table, row)).unwrap();
                let expected = Movement::between(base.mixture(), rest.mixture());
                let k = expected.farthest();
                assert_eq!((found.row, found.component), (row as u64, k), "{family}");
                let (mean, covariance) = (expected.mean[k], expected.covariance[k]);
                assert!((found.mean - mean).abs() < 1e-9, "{family} {row} {found:?} {mean}");
                let apart = (found.covariance - covariance).abs();
                assert!(apart < 1e-8, "{family} {row} {found:?} {covariance}");
            }
        }
    }
}

#[test]
fn rows_that_matter_most_come_first_and_are_refitted() {
    let pool = Pool::new(2).unwrap();
    let mut table = iris();
    // A row far from all others.
    table.values[4 * 17..4 * 18].copy_from_slice(&[9.0, 1.0, 3.0, 0.1]);
    for family in [Family::Vvv, Family::Eee, Family::Vvi, Family::Vii, Family::Vev] {
        let state = settled(&from_labels(&EmSpec::from(family), &table).unwrap(), &table);
        let source = &mut table.source();
        let all = influences(&state, source, On::pool(&pool)).unwrap();
        let most = most_influential(&state, source, 5, On::pool(&pool)).unwrap();
        assert_eq!(most.len(), 5);
        assert_eq!(most[0].step.row, 17, "{family}");
        let length = |mean: f64, covariance: f64| mean.powi(2) + 0.5 * covariance.powi(2);
        let mut lengths: Vec<f64> =
            all.iter().map(|one| length(one.mean, one.covariance)).collect();
        lengths.sort_by(|a, b| b.total_cmp(a));
        for (one, expected) in most.iter().zip(&lengths) {
            let found = length(one.step.mean, one.step.covariance);
            assert!((found / expected - 1.0).abs() < 1e-6, "{family} {found} {expected}");
            assert_eq!(one.step.component, all[one.step.row as usize].component);
        }
        for one in &most[..2] {
            let refit = settled(&state, &without(&table, one.step.row as usize));
            let expected = Movement::between(state.mixture(), refit.mixture());
            assert!(one.converged, "{family}");
            for k in 0..3 {
                let (a, b) = (one.refit.mean[k], expected.mean[k]);
                assert!((a - b).abs() < 1e-3 * b + 1e-6, "{family} {k} {a} {b}");
                let (a, b) = (one.refit.covariance[k], expected.covariance[k]);
                assert!((a - b).abs() < 1e-3 * b + 1e-6, "{family} {k} {a} {b}");
            }
        }
    }
}

#[test]
fn a_moved_row_moves_what_a_refit_moves() {
    let pool = Pool::new(1).unwrap();
    let table = iris();
    let state = settled(&from_labels(&EmSpec::from(Family::Vvv), &table).unwrap(), &table);
    let own = table.values[4 * 60..4 * 61].to_vec();
    let places = vec![own.clone(), vec![5.5, 3.0, 4.0, 1.9], vec![9.0, 6.0, 1.0, 5.0]];
    let source = &mut table.source();
    let found = displaced(&state, source, 60, &places, On::pool(&pool)).unwrap();
    // Where it was it moves nothing, not even by rounding.
    assert_eq!((&found[0].mean, &found[0].covariance), (&vec![0.0; 3], &vec![0.0; 3]));
    for (place, found) in places.iter().zip(&found).skip(1) {
        let mut moved = table.clone();
        moved.values[4 * 60..4 * 61].copy_from_slice(place);
        let refit = settled(&state, &moved);
        let expected = Movement::between(state.mixture(), refit.mixture());
        for k in 0..3 {
            let (a, b) = (found.mean[k], expected.mean[k]);
            assert!((a - b).abs() < 2e-3 * b + 1e-6, "{k} {a} {b}");
            let (a, b) = (found.covariance[k], expected.covariance[k]);
            assert!((a - b).abs() < 2e-3 * b + 1e-6, "{k} {a} {b}");
        }
    }
    let refused = |row: u64, place: Vec<f64>| {
        displaced(&state, &mut table.source(), row, &[place], On::pool(&pool)).unwrap_err()
    };
    assert!(matches!(refused(150, own.clone()), Error::Shape { expected: 151, found: 150, .. }));
    assert!(matches!(refused(0, vec![1.0]), Error::Shape { expected: 4, found: 1, .. }));
    assert!(matches!(refused(3, vec![f64::NAN; 4]), Error::NotFinite { row: 3, column: 0, .. }));
}

/// One Gaussian of n rows in one column: mean and variance without a row are known.
#[test]
fn the_closed_form_of_one_gaussian() {
    let values = [1.0, 2.0, 4.0, 8.0, 16.0, 3.0];
    let table = numbers_table(1, &values);
    let (mean, n) = (values.iter().sum::<f64>() / 6.0, 6.0);
    let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
    let state = fitted(&table, Family::Vvv, 1);
    let pool = Pool::new(1).unwrap();
    let found = influences(&state, &mut table.source(), On::pool(&pool)).unwrap();
    for (x, found) in values.iter().zip(&found) {
        let off = x - mean;
        let shift = off.abs() / (n - 1.0) / variance.sqrt();
        assert!((found.mean - shift).abs() < 1e-13, "{found:?} {shift}");
        // (n σ² − n/(n−1) δ²)/(n − 1) less σ², over σ².
        let left = (n * variance - n / (n - 1.0) * off * off) / (n - 1.0);
        let shift = (left / variance - 1.0).abs();
        assert!((found.covariance - shift).abs() < 1e-13, "{found:?} {shift}");
    }
    let most = most_influential(&state, &mut table.source(), 2, On::pool(&pool)).unwrap();
    assert_eq!(most[0].step.row, 4);
    // Nothing is in doubt: one step is the whole way.
    assert!((most[0].refit.mean[0] - most[0].step.mean).abs() < 1e-12);
}

#[test]
fn a_component_that_hangs_on_a_row_is_lost_without_it() {
    let mut values: Vec<f64> = (0..40).map(|i| f64::from(i % 7) + 0.1 * f64::from(i % 3)).collect();
    values.push(1e4);
    let table = numbers_table(1, &values);
    let mut spec = EmSpec::from(Family::Vvv);
    spec.on_empty = OnEmpty::Drop;
    let mixture = gaussbayes::Mixture::given(
        &[vec![3.0], vec![1e4]],
        &[vec![4.0], vec![4.0]],
        vec![40.0 / 41.0, 1.0 / 41.0],
    );
    let state = EmState::new(spec, mixture.unwrap()).unwrap();
    let pool = Pool::new(1).unwrap();
    let found = influences(&state, &mut table.source(), On::pool(&pool)).unwrap();
    assert!(found[40].mean.is_infinite() && found[40].covariance.is_infinite());
    assert!(found[..40].iter().all(|one| one.mean.is_finite() && one.component == 0));
    let most = most_influential(&state, &mut table.source(), 1, On::pool(&pool)).unwrap();
    assert_eq!(most[0].step.row, 40);
    assert!(most[0].refit.mean[1].is_infinite());
}

#[test]
fn threads_change_no_bit_weightless_rows_none_and_offsets_little() {
    let rows = banana(6_000, 1);
    let state = fitted(&banana(400, 2), Family::Vvv, 3);
    let found = |threads: usize| {
        let (pool, source) = (Pool::new(threads).unwrap(), &mut rows.source());
        let on = On::pool(&pool);
        (influences(&state, source, on).unwrap(), most_influential(&state, source, 3, on).unwrap())
    };
    let one = found(1);
    assert_eq!(one, found(2));
    assert_eq!(one, found(8));
    let whole = mapped(&iris(), |_, x| (10.0 * x).round());
    let far = mapped(&whole, |_, x| x + 1e9);
    let pool = Pool::new(1).unwrap();
    let of = |table: &Table| {
        let state = from_labels(&EmSpec::from(Family::Vvv), table).unwrap();
        influences(&state, &mut table.source(), On::pool(&pool)).unwrap()
    };
    for (a, b) in of(&whole).iter().zip(of(&far)) {
        assert_eq!(a.component, b.component);
        assert!((a.mean - b.mean).abs() < 1e-8 && (a.covariance - b.covariance).abs() < 1e-8);
    }
    let mut weights = vec![1.0; 150];
    weights[3] = 0.0;
    let lighter = Table { weights: Some(weights), ..whole.clone() };
    let found = of(&lighter);
    assert_eq!((found[3].row, found[3].mean, found[3].covariance), (3, 0.0, 0.0));
    assert_eq!(found.len(), 150);
}
