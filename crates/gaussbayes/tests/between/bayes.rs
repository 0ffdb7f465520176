//! Holds variational posteriors to exact evidence, to their own bound and to what a prior is.

use std::ops::ControlFlow;

use gaussbayes::{
    BayesSpec, BayesState, Concentration, Error, Family, Memberships, Merge, Moments, On, Pool,
    Ridge, Score, Source, Table, WeightPrior, banana, total_moments, variational,
};

use crate::laws::Subject;
use crate::support::{faithful, iris, mapped, numbers_table};

fn spec(family: Family, weights: WeightPrior, iterations: u32) -> BayesSpec {
    let mut spec = BayesSpec { weights, ..BayesSpec::from(family) };
    spec.stop.tolerance = 0.0;
    spec.stop.max_iterations = iterations;
    spec
}

/// A start by which every row is in a component for itself, and in all others by the number of the row.
fn started(spec: &BayesSpec, components: usize, rows: &Table) -> BayesState {
    let pool = Pool::new(1).unwrap();
    let total = total_moments(spec, &mut rows.source(), On::pool(&pool)).unwrap();
    let prior = spec.prior(components, &total).unwrap();
    let codes: Vec<u32> = match &rows.codes {
        Some(codes) => codes.iter().map(|code| code % components as u32).collect(),
        None => (0..rows.rows()).map(|i| (i % components) as u32).collect(),
    };
    let block = rows.block(0..rows.rows()).unwrap();
    let memberships = Memberships::Codes(&codes);
    let moments = Moments::of_block(&block, memberships, components, spec.storage()).unwrap();
    BayesState::after(spec.clone(), prior, &moments).unwrap()
}

fn iterate<S: Source<Error = Error>>(
    mut state: BayesState,
    source: &mut S,
    on: On<'_>,
) -> BayesState {
    variational(&mut state, source, on, &mut |_| ControlFlow::Continue(())).unwrap();
    state
}

fn alone(state: BayesState, rows: &Table) -> BayesState {
    iterate(state, &mut rows.source(), On::pool(&Pool::new(1).unwrap()))
}

const EACH: [WeightPrior; 2] = WeightPrior::ALL;

#[test]
fn the_bound_never_falls() {
    let pool = Pool::new(1).unwrap();
    for family in BayesSpec::FAMILIES {
        for weights in EACH {
            for (table, components) in [(iris(), 3), (iris(), 6), (faithful(true), 4)] {
                let spec = spec(family, weights, 150);
                let mut state = started(&spec, components, &table);
                let mut before = f64::NEG_INFINITY;
                while !state.is_done() {
                    let stat = state.partial(&mut table.source(), On::pool(&pool)).unwrap();
                    state.step(&stat).unwrap();
                    let bound = state.lower_bound().unwrap();
                    assert!(bound >= before - 1e-11 * bound.abs(), "{family} {bound} {before}");
                    before = bound;
                }
                assert!(state.pass().unwrap().change.unwrap() < 0.1, "{family} {weights:?}");
            }
        }
    }
}

/// ln p of rows in the plane whose mean and precision have a prior, row by row: each is Student given those
/// before it, and in the plane its density needs no Γ.
fn evidence(
    rows: &[&[f64]],
    mean: [f64; 2],
    precision: f64,
    freedom: f64,
    scatter: [f64; 3],
) -> f64 {
    let (mut m, mut beta, mut nu, mut s) = (mean, precision, freedom, scatter);
    let mut sum = 0.0;
    for row in rows {
        let (x, y) = (row[0] - m[0], row[1] - m[1]);
        let degrees = nu - 1.0;
        let wide = (beta + 1.0) / (beta * degrees);
        let (a, b, c) = (s[0] * wide, s[1] * wide, s[2] * wide);
        let det = a * c - b * b;
        let distance = (c * x * x - 2.0 * b * x * y + a * y * y) / det;
        sum -= (2.0 * std::f64::consts::PI).ln() + 0.5 * det.ln();
        sum -= 0.5 * (degrees + 2.0) * (distance / degrees).ln_1p();
        let share = beta / (beta + 1.0);
        s = [s[0] + share * x * x, s[1] + share * x * y, s[2] + share * y * y];
        m = [m[0] + x / (beta + 1.0), m[1] + y / (beta + 1.0)];
        (beta, nu) = (beta + 1.0, nu + 1.0);
    }
    sum
}

fn given() -> BayesSpec {
    BayesSpec {
        concentration: Some(1.0),
        mean_precision: Some(0.5),
        mean: Some(vec![1.0, -2.0]),
        degrees_of_freedom: Some(3.5),
        covariance: Some(vec![2.0, 0.5, 1.0]),
        ..spec(Family::Vvv, WeightPrior::Dirichlet, 400)
    }
}

fn exact(rows: &[&[f64]]) -> f64 {
    evidence(rows, [1.0, -2.0], 0.5, 3.5, [2.0, 0.5, 1.0])
}

#[test]
fn one_component_has_the_exact_evidence() {
    let rows = faithful(false);
    let found = alone(started(&given(), 1, &rows), &rows).evidence_bound().unwrap();
    let right = exact(&rows.values.chunks_exact(2).collect::<Vec<_>>());
    assert!((found - right).abs() < 1e-11 * right.abs(), "{found} {right}");
}

/// With so few rows all ways to group them can be summed up.
#[test]
fn the_bound_is_below_the_evidence_of_all_groupings() {
    let values = [0.0, 0.1, 0.4, -0.3, 0.2, 0.5, 6.0, -5.0, 6.5, -4.4, 5.8, -5.2, 6.1, -4.9];
    let (table, count) = (numbers_table(2, &values), values.len() / 2);
    let rows: Vec<&[f64]> = values.chunks_exact(2).collect();
    let factorial = |n: usize| (1..=n).map(|i| (i as f64).ln()).sum::<f64>();
    let all: Vec<f64> = (0..1_usize << count)
        .map(|groups| {
            let of = |k: usize| -> Vec<&[f64]> {
                let own = rows.iter().enumerate().filter(|(i, _)| (groups >> i) & 1 == k);
                own.map(|(_, row)| *row).collect()
            };
            let (one, two) = (of(0), of(1));
            let weights = factorial(one.len()) + factorial(two.len()) - factorial(count + 1);
            weights + exact(&one) + exact(&two)
        })
        .collect();
    let right = gaussbayes::log_sum_exp(&all);
    let found = alone(started(&given(), 2, &table), &table).evidence_bound().unwrap();
    // A posterior of one mode cannot know that the components could be exchanged: ln 2.
    assert!(found < right && found > right - 1.0, "{found} {right}");
    let diagonal = BayesSpec { family: Family::Vvi, covariance: Some(vec![2.0, 1.0]), ..given() };
    let full = BayesSpec { covariance: Some(vec![2.0, 0.0, 1.0]), ..given() };
    let bound =
        |spec: &BayesSpec| alone(started(spec, 2, &table), &table).evidence_bound().unwrap();
    assert!(bound(&diagonal) < bound(&full));
}

#[test]
fn a_component_without_rows_is_as_before_them() {
    let table = iris();
    let block = table.block(0..table.rows()).unwrap();
    let codes = vec![0; table.rows()];
    let total = |spec: &BayesSpec| {
        Moments::of_block(&block, Memberships::Codes(&codes), 1, spec.storage()).unwrap()
    };
    for family in BayesSpec::FAMILIES {
        for weights in EACH {
            let spec = spec(family, weights, 5);
            let prior = spec.prior(3, &total(&spec)).unwrap();
            let memberships = Memberships::Codes(&codes);
            let moments = Moments::of_block(&block, memberships, 3, spec.storage()).unwrap();
            let posterior = prior.posterior(&moments).unwrap();
            let mixture = posterior.mixture();
            assert_eq!(mixture.raw_mean(2), prior.raw_mean());
            assert_eq!(posterior.mean_precision(), [151.0, 1.0, 1.0]);
            if family == Family::Eee {
                assert_eq!(posterior.degrees_of_freedom(), [4.0 + 50.0; 3]);
            } else {
                assert_eq!(posterior.degrees_of_freedom(), [154.0, 4.0, 4.0]);
            }
            if family == Family::Vvv {
                for (found, right) in mixture.raw_covariance(1).iter().zip(prior.raw_covariance()) {
                    assert!((4.0 * found - right).abs() < 1e-14, "{found} {right}");
                }
            }
            let third = 1.0 / 3.0;
            let right = match weights {
                WeightPrior::Dirichlet => {
                    Concentration::Dirichlet(vec![150.0 + third, third, third])
                }
                WeightPrior::Process => {
                    Concentration::Process { taken: vec![151.0, 1.0, 1.0], left: vec![third; 3] }
                }
            };
            assert_eq!(*posterior.concentration(), right);
            assert!((mixture.weights().iter().sum::<f64>() - 1.0).abs() < 1e-15);
        }
    }
}

#[test]
fn components_that_no_rows_need_lose_their_weight() {
    let mut table = faithful(true);
    let codes = table.codes.iter().flatten().enumerate();
    // Three components in each of two clusters.
    table.codes = Some(codes.map(|(i, code)| 3 * code + (i % 3) as u32).collect());
    table.dictionary = (0..6).map(|k| k.to_string().into()).collect();
    let few =
        BayesSpec { concentration: Some(1e-3), ..spec(Family::Vvv, WeightPrior::Process, 2000) };
    let ended = alone(started(&few, 6, &table), &table);
    let heavy = ended.mixture().weights().iter().filter(|weight| **weight > 0.01).count();
    assert_eq!(heavy, 2, "{:?}", ended.mixture().weights());
}

/// So many sticks of so little that weights leave the range of numbers: rows still have scores.
#[test]
fn weights_too_small_for_numbers_have_logarithms() {
    let table = faithful(false);
    let none =
        BayesSpec { concentration: Some(1e-30), ..spec(Family::Vvv, WeightPrior::Process, 3) };
    let ended = alone(started(&none, 20, &table), &table);
    assert!(ended.lower_bound().unwrap().is_finite());
    assert!(ended.mixture().weights().iter().all(|weight| *weight > 0.0));
}

#[test]
fn a_weight_is_a_number_of_copies() {
    let table = faithful(true);
    let times = |i: usize| i % 3;
    let weights = (0..table.rows()).map(|i| times(i) as f64).collect();
    let weighted = Table { weights: Some(weights), ..table.clone() };
    let mut copied = Table { values: Vec::new(), codes: Some(Vec::new()), ..table.clone() };
    for i in 0..table.rows() {
        for _ in 0..times(i) {
            copied.values.extend(&table.values[2 * i..2 * i + 2]);
            copied.codes.as_mut().unwrap().push(table.codes.as_ref().unwrap()[i]);
        }
    }
    for family in BayesSpec::FAMILIES {
        let spec = BayesSpec { ridge: Ridge::Raw(1e-3), ..spec(family, WeightPrior::Process, 30) };
        let ended = [&weighted, &copied].map(|rows| alone(started(&spec, 3, rows), rows));
        let [a, b] = ended.map(|state| numbers(&state));
        for (a, b) in a.iter().zip(&b) {
            assert!((a - b).abs() < 1e-9 * b.abs().max(1.0), "{family}: {a} {b}");
        }
    }
}

/// A prior that says what the rows would have said is no other prior; and a run goes on from its mixture alone.
#[test]
fn what_is_given_may_be_what_is_usual_and_runs_go_on() {
    let table = iris();
    for family in BayesSpec::FAMILIES {
        let plain = spec(family, WeightPrior::Dirichlet, 6);
        let first = started(&plain, 3, &table);
        let told = BayesSpec {
            concentration: Some(1.0 / 3.0),
            mean_precision: Some(1.0),
            mean: Some(first.prior().raw_mean()),
            degrees_of_freedom: Some(4.0),
            covariance: Some(first.prior().raw_covariance()),
            ..plain.clone()
        };
        let whole = numbers(&alone(first.clone(), &table));
        let same = numbers(&alone(started(&told, 3, &table), &table));
        let mut stop = plain.stop;
        stop.max_iterations = 3;
        let half = alone(first.clone().with_stop(stop).unwrap(), &table);
        let again = BayesState::new(plain, first.prior().clone(), half.mixture().clone());
        let mut again = again.unwrap().with_stop(stop).unwrap();
        again.goes_on_from(half.lower_bound().unwrap());
        let again = numbers(&alone(again, &table));
        for ((whole, same), again) in whole.iter().zip(&same).zip(&again) {
            assert!((whole - same).abs() < 1e-11 * whole.abs().max(1.0), "{family} {whole} {same}");
            assert_eq!(whole, again, "{family}");
        }
    }
}

#[test]
fn every_rule_ends_where_the_others_do() {
    let table = faithful(true);
    let mut ended = Vec::new();
    for rule in gaussbayes::StopRule::ALL {
        let mut spec = BayesSpec::from(Family::Vii);
        spec.stop.rule = rule;
        spec.stop.tolerance = 1e-9;
        let state = alone(started(&spec, 2, &table), &table);
        assert!(state.converged() && state.iteration() < 500, "{rule:?}");
        ended.push(state.lower_bound().unwrap());
    }
    assert!(ended.iter().all(|bound| (bound - ended[0]).abs() < 1e-5), "{ended:?}");
}

#[test]
fn priors_out_of_range_are_refused() {
    let table = faithful(false);
    let refused = |spec: BayesSpec| {
        let pool = Pool::new(1).unwrap();
        let total = total_moments(&spec, &mut table.source(), On::pool(&pool)).unwrap();
        spec.prior(2, &total).unwrap_err().to_string()
    };
    let plain = || spec(Family::Vvv, WeightPrior::Process, 1);
    let cases = [
        (
            BayesSpec { concentration: Some(0.0), ..plain() },
            "prior concentration 0 is not a number above 0",
        ),
        (BayesSpec { mean_precision: Some(-1.0), ..plain() }, "prior mean precision -1"),
        (BayesSpec { degrees_of_freedom: Some(1.0), ..plain() }, "is not a number above 1"),
        (
            BayesSpec { mean: Some(vec![f64::NAN, 0.0]), ..plain() },
            "prior mean NaN is not a number",
        ),
        (BayesSpec { mean: Some(vec![0.0]), ..plain() }, "1 values where 2"),
        (BayesSpec { covariance: Some(vec![1.0, 1.0]), ..plain() }, "2 values where 3"),
        (BayesSpec { covariance: Some(vec![1.0, 2.0, 1.0]), ..plain() }, "singular covariance"),
        (BayesSpec { family: Family::Vev, ..plain() }, "family VEV takes no variational posterior"),
    ];
    for (spec, words) in cases {
        let said = refused(spec);
        assert!(said.contains(words), "{said}");
    }
}

/// All numbers of a state.
fn numbers(state: &BayesState) -> Vec<f64> {
    let (mixture, posterior) = (state.mixture(), state.posterior().unwrap());
    let mut all = mixture.weights().to_vec();
    all.extend(posterior.mean_precision());
    all.extend(posterior.degrees_of_freedom());
    for k in 0..mixture.components() {
        all.extend(mixture.raw_mean(k));
        all.extend(mixture.raw_covariance(k));
    }
    all.extend(state.lower_bound());
    all.extend(state.evidence_bound());
    all
}

/// Some iterations on the banana, in one of the families.
struct Iterations(Family, WeightPrior);

impl Iterations {
    fn first(&self, rows: &Table) -> BayesState {
        started(&spec(self.0, self.1, 8), 4, rows)
    }
}

impl Subject for Iterations {
    fn rows(&self) -> Table {
        mapped(&banana(5000, 1), |_, x| (1000.0 * x).round())
    }

    fn found<S: Source<Error = Error>>(&self, source: &mut S, on: On<'_>) -> Vec<f64> {
        let spec = spec(self.0, self.1, 8);
        let total = total_moments(&spec, source, on).unwrap();
        let first = self.first(&self.rows());
        let prior = spec.prior(4, &total).unwrap();
        let state = BayesState::new(spec, prior, first.mixture().clone()).unwrap();
        numbers(&iterate(state, source, on))
    }

    fn said(&self, rows: &Table, on: On<'_>) -> Vec<f64> {
        let state = iterate(self.first(rows), &mut rows.source(), on);
        let block = rows.block(0..rows.rows()).unwrap();
        state.mixture().scores(&block).unwrap().into_probabilities()
    }

    fn merged(&self, parts: &[Table], on: On<'_>) -> Vec<f64> {
        let mut state = self.first(&self.rows());
        let stats = parts.iter().map(|part| state.partial(&mut part.source(), on).unwrap());
        let stat = stats.reduce(Merge::merge).unwrap();
        state.step(&stat).unwrap();
        numbers(&state)
    }
}

laws!(full, Iterations(Family::Vvv, WeightPrior::Process));
laws!(tied, Iterations(Family::Eee, WeightPrior::Dirichlet));
laws!(diagonal, Iterations(Family::Vvi, WeightPrior::Dirichlet));
laws!(spherical, Iterations(Family::Vii, WeightPrior::Process));
