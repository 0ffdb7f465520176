//! Holds that what is frozen stays, and that the rest is the best that is left.

use gaussbayes::{
    Covariances, EmSpec, EmState, Error, Family, Frozen, Mixture, On, Pool, Source, Table, banana,
};

use crate::laws::Subject;
use crate::support::{faithful, mapped, stat};
use crate::{memberships, numbers, run_em, stepped};

fn start(table: &Table, family: Family, frozen: Frozen, iterations: u32) -> EmState {
    let mut spec = EmSpec { frozen, ..EmSpec::from(family) };
    spec.stop.tolerance = 0.0;
    spec.stop.max_iterations = iterations;
    let (_, moments) = stat(&spec.covariance, table).unwrap().sorted();
    let first = spec.covariance.estimate(&moments, &spec.priors, None).unwrap();
    EmState::new(spec, first.mixture).unwrap()
}

fn means(which: &[bool]) -> Frozen {
    Frozen { means: which.to_vec(), covariances: Vec::new() }
}

fn covariances(which: &[bool]) -> Frozen {
    Frozen { means: Vec::new(), covariances: which.to_vec() }
}

#[test]
fn what_is_frozen_stays_to_the_bit_and_the_likelihood_climbs() {
    let (table, pool) = (faithful(true), Pool::new(1).unwrap());
    let both = Frozen { means: vec![true, true], covariances: vec![true, true] };
    for family in Family::ALL.into_iter().filter(|family| *family != Family::Unit) {
        let all =
            [means(&[true, false]), means(&[true, true]), covariances(&[true, true]), both.clone()];
        for frozen in all {
            let first = start(&table, family, frozen.clone(), 30);
            let mut state = first.clone();
            let mut before = f64::NEG_INFINITY;
            while !state.is_done() {
                let stat = state.partial(&mut table.source(), On::pool(&pool)).unwrap();
                assert!(stat.log_evidence() >= before - 1e-9, "{family} {frozen:?}");
                before = stat.log_evidence();
                state.step(&stat).unwrap();
            }
            assert!(state.events().is_empty(), "{family} {:?}", state.events());
            let (a, b) = (first.mixture(), state.mixture());
            for k in 0..2 {
                assert_eq!(a.mean(k) == b.mean(k), frozen.mean(k), "{family} {frozen:?}");
                let same = a.raw_covariance(k) == b.raw_covariance(k);
                assert_eq!(same, frozen.covariance(k), "{family} {frozen:?}");
            }
            // One covariance for all stays one.
            let shared =
                |mixture: &Mixture| matches!(mixture.covariances(), Covariances::Shared(_));
            assert_eq!(shared(a), shared(b), "{family} {frozen:?}");
            assert_ne!(a.weights(), b.weights());
        }
    }
}

/// About a mean that is given the maximum of the likelihood is the mean square about it, by hand.
#[test]
fn a_frozen_mean_is_what_squares_are_taken_about() {
    let (table, pool) = (faithful(true), Pool::new(1).unwrap());
    let mut spec = EmSpec { frozen: means(&[true]), ..EmSpec::from(Family::Vvv) };
    spec.stop.max_iterations = 1;
    let given = Mixture::given(&[vec![3.0, 70.0]], &[vec![1.0, 0.0, 1.0]], vec![1.0]).unwrap();
    let state = EmState::new(spec, given).unwrap();
    assert_eq!(state.parameters(), 3);
    let ended = run_em(state, &mut table.source(), On::pool(&pool));
    let mut squares = [0.0; 3];
    for row in table.values.chunks_exact(2) {
        let (x, y) = (row[0] - 3.0, row[1] - 70.0);
        squares[0] += x * x / table.rows() as f64;
        squares[1] += x * y / table.rows() as f64;
        squares[2] += y * y / table.rows() as f64;
    }
    for (found, right) in ended.mixture().raw_covariance(0).iter().zip(squares) {
        assert!((found - right).abs() < 1e-10 * right.abs(), "{found} {right}");
    }
}

/// A covariance that is known needs no rows to be estimated from.
#[test]
fn a_frozen_covariance_may_have_fewer_rows_than_columns() {
    let values = vec![0.0, 0.0, 1.0, 1.0, 50.0, 51.0];
    let table = Table { dim: 2, values, ..Table::default() };
    let mut spec = EmSpec { frozen: covariances(&[true, true]), ..EmSpec::from(Family::Vvv) };
    spec.stop.max_iterations = 5;
    let identity = vec![1.0, 0.0, 1.0];
    let given = Mixture::given(
        &[vec![0.0, 1.0], vec![40.0, 40.0]],
        &[identity.clone(), identity],
        vec![0.5, 0.5],
    );
    let state = EmState::new(spec, given.unwrap()).unwrap();
    let ended = run_em(state, &mut table.source(), On::pool(&Pool::new(1).unwrap()));
    assert_eq!(ended.mixture().raw_mean(1), [50.0, 51.0]);
    assert_eq!(ended.mixture().raw_covariance(1), [1.0, 0.0, 1.0]);
}

#[test]
fn some_covariances_of_a_shared_family_cannot_stay() {
    let table = faithful(true);
    let mut spec = EmSpec { frozen: covariances(&[true, false]), ..EmSpec::from(Family::Vev) };
    let (_, moments) = stat(&spec.covariance, &table).unwrap().sorted();
    let first = spec.covariance.estimate(&moments, &spec.priors, None).unwrap().mixture;
    let refused = EmState::new(spec.clone(), first.clone());
    assert!(matches!(refused, Err(Error::NotForFamily { .. })));
    spec.covariance.family = Family::Vvv;
    let state = EmState::new(spec, first).unwrap();
    assert_eq!(state.parameters(), 1 + 4 + 3);
}

/// Components that are left keep what they had, under their new numbers.
#[test]
fn a_component_that_is_dropped_takes_its_own_wish_along() {
    let (table, pool) = (faithful(true), Pool::new(1).unwrap());
    let given = vec![vec![1e4, 1e4], vec![2.0, 55.0], vec![4.3, 80.0]];
    let wide = vec![0.1, 0.0, 30.0];
    let frozen = Frozen { means: vec![false, true, false], covariances: vec![false, false, true] };
    let mut spec = EmSpec { frozen, ..EmSpec::from(Family::Vvv) };
    spec.stop.max_iterations = 6;
    let mixture = Mixture::given(&given, &[wide.clone(), wide.clone(), wide], vec![0.2, 0.4, 0.4]);
    let state = EmState::new(spec, mixture.unwrap()).unwrap();
    assert_eq!(state.parameters(), 2 + 2 * 2 + 2 * 3);
    let ended = run_em(state, &mut table.source(), On::pool(&pool));
    assert_eq!(ended.mixture().components(), 2);
    // As they were given: in the frame of means that lie 1e4 apart.
    assert!((ended.mixture().raw_mean(0)[0] - 2.0).abs() < 1e-11);
    assert!((ended.mixture().raw_mean(1)[0] - 4.3).abs() > 1e-3);
    assert!((ended.mixture().raw_covariance(1)[2] - 30.0).abs() < 1e-12);
    assert!((ended.mixture().raw_covariance(0)[2] - 30.0).abs() > 1e-3);
    assert_eq!(ended.parameters(), 1 + 2 + 3);
}

/// One mean and the other covariance of the banana stay.
struct Partly;

impl Partly {
    fn first(rows: &Table) -> EmState {
        let frozen = Frozen { means: vec![true, false], covariances: vec![false, true] };
        start(rows, Family::Vvv, frozen, 10)
    }
}

impl Subject for Partly {
    fn rows(&self) -> Table {
        mapped(&banana(5000, 1), |_, x| (1000.0 * x).round())
    }

    fn found<S: Source<Error = Error>>(&self, source: &mut S, on: On<'_>) -> Vec<f64> {
        numbers(&run_em(Self::first(&self.rows()), source, on))
    }

    fn said(&self, rows: &Table, on: On<'_>) -> Vec<f64> {
        memberships(&run_em(Self::first(rows), &mut rows.source(), on), rows)
    }

    fn merged(&self, parts: &[Table], on: On<'_>) -> Vec<f64> {
        numbers(&stepped(Self::first(&self.rows()), parts, on))
    }
}

laws!(partly_frozen, Partly);
