//! Holds the laws of EM: it climbs, whatever the threads, shards, weights, offsets and units.

use std::ops::ControlFlow;

use gaussbayes::{
    Assign, EmSpec, EmState, EmSweep, Event, Family, Merge, On, Pool, Random, Sweep, Table, banana,
    em,
};

use crate::support::{faithful, iris, mapped};
use crate::{fixed_point, from_labels, pass, run_em};

const FAMILIES: [Family; 15] = Family::ALL;

fn spec(family: Family, iterations: u32) -> EmSpec {
    let mut spec = EmSpec::from(family);
    spec.stop.max_iterations = iterations;
    spec.stop.tolerance = 0.0;
    spec
}

/// The table with some labels exchanged at random: a start that is not where EM ends.
fn muddled(table: &Table, seed: u64) -> Table {
    let mut random = Random::new(seed, 0);
    let classes = table.dictionary.len() as u64;
    let mut codes = table.codes.clone().unwrap();
    for code in &mut codes {
        if random.uniform() < 0.3 {
            *code = random.below(classes) as u32;
        }
    }
    Table { codes: Some(codes), ..table.clone() }
}

#[test]
fn the_likelihood_never_falls_and_the_m_step_raises_the_functional() {
    for family in FAMILIES {
        for (table, seed) in [(iris(), 1), (iris(), 2), (faithful(true), 3)] {
            let start = muddled(&table, seed);
            for assign in Assign::ALL {
                let spec = EmSpec { assign, ..spec(family, 60) };
                let mut state = from_labels(&spec, &start).unwrap();
                let mut before = f64::NEG_INFINITY;
                while !state.is_done() {
                    let stat = pass(&state, &table).unwrap();
                    let expected = state.mixture().expected(stat.moments()).unwrap();
                    state.step(&stat).unwrap();
                    let found = state.pass().unwrap();
                    let slack = 1e-11 * found.log_likelihood.abs();
                    // From moments about other means, and row by row.
                    let direct = if assign == Assign::Soft {
                        found.functional
                    } else {
                        found.log_likelihood
                    };
                    assert!((expected - direct).abs() < 10.0 * slack, "{family}: {expected}");
                    assert!(found.log_likelihood >= before - slack, "{family} {assign:?} {before}");
                    before = found.log_likelihood;
                    let raised = found.raised.unwrap();
                    if assign == Assign::Soft {
                        assert!(raised >= found.functional - slack, "{family}: {raised}");
                        // What EM says of itself: the likelihood is at least the functional and the entropy.
                        let next = pass(&state, &table).unwrap().log_evidence();
                        assert!(next >= raised + stat.entropy() - slack, "{family}: {next}");
                    }
                }
                assert!(state.events().is_empty(), "{family} {:?}", state.events());
            }
        }
    }
}

#[test]
fn threads_blocks_and_resumption_change_no_bit() {
    let rows = banana(12_000, 1);
    for family in [Family::Vvv, Family::Eee, Family::Vvi, Family::Eii, Family::Vve, Family::Unit] {
        let first = from_labels(&spec(family, 6), &rows).unwrap();
        let end = |threads: usize, broken_off: bool| {
            let (pool, mut state) = (Pool::new(threads).unwrap(), first.clone());
            let run = |state: &mut EmState, most: u32| {
                let mut each = |state: &EmState| {
                    let over = state.iteration() >= most;
                    if over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                em(state, &mut rows.source(), On::pool(&pool), &mut each).unwrap();
            };
            if broken_off {
                run(&mut state, 3);
                state = EmState::from_saved(state.saved()).unwrap();
                assert_eq!(state.iteration(), 3);
            }
            run(&mut state, 6);
            state
        };
        let one = end(1, false);
        assert_eq!(one.iteration(), 6);
        for (threads, broken_off) in [(2, false), (8, false), (2, true)] {
            assert_eq!(one, end(threads, broken_off), "{family} {threads}");
        }
    }
}

#[test]
fn shards_merge_to_the_whole() {
    let rows = banana(500, 1);
    for family in FAMILIES {
        let state = from_labels(&spec(family, 1), &rows).unwrap();
        let sweep = EmSweep::new(vec![state.expectation()]);
        let block = |range| sweep.block(&rows.block(range).unwrap()).unwrap();
        let merged = block(0..300).merge(block(300..350)).merge(block(350..1000));
        let (merged, whole) = (&merged[0], &block(0..1000)[0]);
        assert!((merged.log_evidence() / whole.log_evidence() - 1.0).abs() < 1e-13);
        assert!((merged.entropy() - whole.entropy()).abs() < 1e-12 * whole.entropy().max(1.0));
        assert_eq!(merged.rows(), whole.rows());
        let (mut a, mut b) = (state.clone(), state.clone());
        a.step(merged).unwrap();
        b.step(whole).unwrap();
        for k in 0..2 {
            let near = |a: Vec<f64>, b: Vec<f64>| {
                a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-11 * b.abs().max(1.0))
            };
            assert!(near(a.mixture().raw_mean(k), b.mixture().raw_mean(k)), "{family}");
            assert!(near(a.mixture().raw_covariance(k), b.mixture().raw_covariance(k)), "{family}");
        }
    }
}

#[test]
fn a_weight_is_a_number_of_copies() {
    let table = iris();
    let times = |i: usize| i % 3;
    let weights: Vec<f64> = (0..table.rows()).map(|i| times(i) as f64).collect();
    let weighted = Table { weights: Some(weights), ..table.clone() };
    let mut copied = Table { values: Vec::new(), codes: Some(Vec::new()), ..table.clone() };
    for i in 0..table.rows() {
        for _ in 0..times(i) {
            copied.values.extend(&table.values[i * table.dim..(i + 1) * table.dim]);
            copied.codes.as_mut().unwrap().push(table.codes.as_ref().unwrap()[i]);
        }
    }
    for family in FAMILIES {
        let end = |table: &Table| {
            let mut state = from_labels(&spec(family, 20), table).unwrap();
            run_em(&mut state, table).unwrap();
            let stat = pass(&state, table).unwrap();
            (state.criteria(&stat), state)
        };
        let ((a, one), (b, two)) = (end(&weighted), end(&copied));
        assert!((a.log_likelihood / b.log_likelihood - 1.0).abs() < 1e-9, "{family} {a:?} {b:?}");
        assert!((a.weight - b.weight).abs() < 1e-9 && a.parameters == b.parameters);
        assert!((a.entropy - b.entropy).abs() < 1e-6, "{family} {a:?} {b:?}");
        assert!((a.log_best - b.log_best).abs() < 1e-6, "{family} {a:?} {b:?}");
        let apart = |k: usize| {
            let pairs = one.mixture().raw_mean(k).into_iter().zip(two.mixture().raw_mean(k));
            pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        assert!((0..3).all(|k| apart(k) < 1e-8), "{family}");
    }
}

/// iris in tenths of a millimetre is whole numbers, so that 1e9 can be added exactly; and in metres.
#[test]
fn offsets_and_units_leave_the_memberships() {
    let whole = mapped(&iris(), |_, x| (10.0 * x).round());
    let far = mapped(&whole, |_, x| x + 1e9);
    let metres = mapped(&whole, |_, x| x / 1000.0);
    for family in FAMILIES.into_iter().filter(|family| *family != Family::Unit) {
        let mut spec = EmSpec::from(family);
        spec.stop.max_iterations = 3000;
        let end = |table: &Table| {
            let mut state = from_labels(&spec, table).unwrap();
            run_em(&mut state, table).unwrap();
            let block = table.block(0..table.rows()).unwrap();
            let scores = gaussbayes::Score::scores(state.mixture(), &block).unwrap();
            let stat = pass(&state, table).unwrap();
            (scores.into_probabilities(), stat.log_evidence(), state.iteration())
        };
        let (memberships, log_likelihood, iterations) = end(&whole);
        for (table, shift) in [(&far, 0.0), (&metres, 600.0 * 1000.0_f64.ln())] {
            let (other, found, steps) = end(table);
            assert_eq!(steps, iterations, "{family}");
            let apart = memberships.iter().zip(&other).map(|(a, b)| (a - b).abs());
            let apart = apart.fold(0.0, f64::max);
            assert!(apart < 1e-7, "{family}: {apart}");
            assert!((found - shift - log_likelihood).abs() < 1e-8, "{family}: {found}");
        }
    }
}

#[test]
fn hard_memberships_of_unit_are_k_means() {
    let table = iris();
    let mut state = from_labels(&spec(Family::Unit, 100), &muddled(&table, 5)).unwrap();
    let rows: Vec<&[f64]> = table.values.chunks_exact(4).collect();
    let mut means: Vec<Vec<f64>> = (0..3).map(|k| state.mixture().raw_mean(k)).collect();
    run_em(&mut state, &table).unwrap();
    // Lloyd's iteration as textbooks write it.
    for _ in 0..100 {
        let nearest = |row: &&[f64]| {
            let far = |k: &usize| -> f64 {
                row.iter().zip(&means[*k]).map(|(x, m)| (x - m).powi(2)).sum()
            };
            (0..3).min_by(|a, b| far(a).total_cmp(&far(b))).unwrap()
        };
        let nearest: Vec<usize> = rows.iter().map(nearest).collect();
        for (k, mean) in means.iter_mut().enumerate() {
            let own: Vec<&&[f64]> =
                rows.iter().zip(&nearest).filter(|(_, n)| **n == k).map(|(row, _)| row).collect();
            for (j, mean) in mean.iter_mut().enumerate() {
                *mean = own.iter().map(|row| row[j]).sum::<f64>() / own.len() as f64;
            }
        }
    }
    for (k, mean) in means.iter().enumerate() {
        for (a, b) in mean.iter().zip(state.mixture().raw_mean(k)) {
            assert!((a - b).abs() < 1e-12, "{a} {b}");
        }
    }
}

#[test]
fn every_rule_ends_where_the_others_do() {
    let table = faithful(true);
    let mut fixed = from_labels(&fixed_point(Family::Vvv), &table).unwrap();
    run_em(&mut fixed, &table).unwrap();
    let best = pass(&fixed, &table).unwrap().log_evidence();
    let mut ended = Vec::new();
    for rule in gaussbayes::StopRule::ALL {
        let mut spec = EmSpec::from(Family::Vvv);
        spec.stop.rule = rule;
        spec.stop.tolerance = 1e-9;
        let mut state = from_labels(&spec, &muddled(&table, 1)).unwrap();
        run_em(&mut state, &table).unwrap();
        assert!(state.converged(), "{rule:?}");
        assert!(state.pass().unwrap().change.unwrap() < 1e-9);
        let found = pass(&state, &table).unwrap().log_evidence();
        assert!((found / best - 1.0).abs() < 1e-9, "{rule:?}: {found} {best}");
        ended.push(state.iteration());
    }
    assert!(ended.iter().all(|steps| *steps < 200), "{ended:?}");
}

#[test]
fn components_without_rows_are_refused_dropped_or_placed_anew() {
    use gaussbayes::{Error, Mixture, OnEmpty};
    let table = faithful(false);
    let means = [vec![2.0, 55.0], vec![4.5, 80.0], vec![4000.0, -9000.0]];
    let covariances = [vec![0.1, 0.0, 30.0]];
    let third = 1.0 / 3.0;
    let mixture = Mixture::given(&means, &covariances, vec![third; 3]).unwrap();
    let state = |on_empty| {
        let spec = EmSpec { on_empty, ..spec(Family::Vvv, 50) };
        EmState::new(spec, mixture.clone()).unwrap()
    };
    let mut refused = state(OnEmpty::Refuse);
    let before = refused.clone();
    assert!(matches!(run_em(&mut refused, &table), Err(Error::Empty { component: 2, .. })));
    assert_eq!(refused, before);
    let mut dropped = state(OnEmpty::Drop);
    run_em(&mut dropped, &table).unwrap();
    assert_eq!(dropped.mixture().components(), 2);
    assert_eq!(dropped.events(), [Event::Dropped { iteration: 1, component: 2 }]);
    let mut placed = state(OnEmpty::Reseed);
    run_em(&mut placed, &table).unwrap();
    assert_eq!(placed.mixture().components(), 3);
    assert_eq!(placed.events()[0], Event::Reseeded { iteration: 1, component: 2 });
    let log_likelihood = |state: &EmState| pass(state, &table).unwrap().log_evidence();
    assert!(log_likelihood(&placed) > log_likelihood(&dropped));
    // Two at once, of one covariance for all too: each gets a row of its own.
    let means = [vec![4e3, -9e3], vec![4.5, 80.0], vec![-7e3, 2e4]];
    let far = Mixture::given(&means, &covariances, vec![third; 3]).unwrap();
    for family in [Family::Vvv, Family::Eee] {
        let spec = EmSpec { on_empty: OnEmpty::Reseed, ..spec(family, 50) };
        let mut placed = EmState::new(spec, far.clone()).unwrap();
        let stat = pass(&placed, &table).unwrap();
        placed.step(&stat).unwrap();
        let again = |component| Event::Reseeded { iteration: 1, component };
        assert_eq!(placed.events(), [again(0), again(2)]);
        assert_ne!(placed.mixture().raw_mean(0), placed.mixture().raw_mean(2));
        run_em(&mut placed, &table).unwrap();
        assert_eq!(placed.mixture().components(), 3);
    }
}

/// A hundred copies of one row and a cloud: the likelihood has no bound, the guard has one.
#[test]
fn copies_of_one_row_end_at_the_guard() {
    let mut random = Random::new(1, 7);
    let cloud: Vec<f64> = (0..200).map(|_| random.normal_pair().0).collect();
    let mut table = Table { dim: 2, values: cloud, ..Table::default() };
    table.values.extend([0.25, -0.5].repeat(100));
    table.codes = Some((0..200).map(|i| u32::from(i >= 100)).collect());
    table.dictionary = vec!["cloud".into(), "copies".into()];
    for family in FAMILIES.into_iter().filter(|family| *family != Family::Unit) {
        let mut state = from_labels(&spec(family, 200), &table).unwrap();
        run_em(&mut state, &table).unwrap();
        assert!(pass(&state, &table).unwrap().log_evidence().is_finite(), "{family}");
        if family == Family::Vvv {
            assert_eq!(state.lifted(), [1]);
            // On columns divided by their deviations no direction is narrower than a thousandth.
            let raw = state.mixture().raw_covariance(1);
            let total = |j: usize| {
                let column = || table.values.iter().skip(j).step_by(2);
                let mean = column().sum::<f64>() / 200.0;
                column().map(|x| (x - mean).powi(2)).sum::<f64>() / 200.0
            };
            let (a, b) = (raw[0] / total(0), raw[2] / total(1));
            assert!((a / 1e-6 - 1.0).abs() < 1e-9 && (b / 1e-6 - 1.0).abs() < 1e-9, "{a} {b}");
        }
        let unguarded = {
            let mut spec = spec(family, 200);
            spec.covariance.guard = 0.0;
            from_labels(&spec, &table)
        };
        // Without the guard a family with a covariance for each component is refused, by name.
        let own = family.name().starts_with('V') && family != Family::Vei;
        assert!(!own || matches!(unguarded, Err(gaussbayes::Error::Singular(_))), "{family}");
    }
}
