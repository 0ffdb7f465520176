//! Keeps the best of many short runs, whatever happens to the others.

use gaussbayes::{EmSpec, Error, Family, On, Pool, Random, Sampled, Start, Starts};

use crate::starts::sampled;
use crate::support::{iris, numbers_table};
use crate::{pass, run_em};

fn all_starts(runs: u64) -> Vec<(Start, u64)> {
    Start::ALL.into_iter().flat_map(|start| (0..runs).map(move |run| (start, run))).collect()
}

#[test]
fn the_best_run_is_kept_and_threads_do_not_show() {
    let (table, spec) = (iris(), EmSpec::from(Family::Vvv));
    let sampled = sampled(&table);
    let starts = Starts::new(&sampled, 1).unwrap();
    let runs = all_starts(4);
    let of = |threads: usize| {
        let pool = Pool::new(threads).unwrap();
        starts.best_of(&spec, 3, &runs, On::pool(&pool)).unwrap()
    };
    let found = of(1);
    assert_eq!(found, of(3));
    assert!(found.refused.is_empty());
    assert_eq!(found.log_likelihoods.len(), runs.len());
    let best = found.log_likelihoods[found.chosen].unwrap();
    assert!(found.log_likelihoods.iter().flatten().all(|other| *other <= best));
    // The highest that is known of three components without a tiny one, as mclust and others find it.
    let mut state = found.best;
    assert_eq!(state.spec(), &spec);
    run_em(&mut state, &table).unwrap();
    assert!(pass(&state, &table).unwrap().log_evidence() > -180.2, "{best}");
}

#[test]
fn one_run_is_its_start_and_em() {
    let (table, spec) = (iris(), EmSpec::from(Family::Vvi));
    let sampled = sampled(&table);
    let starts = Starts::new(&sampled, 1).unwrap();
    let pool = Pool::new(1).unwrap();
    for start in Start::ALL {
        let found = starts.best_of(&spec, 3, &[(start, 5)], On::pool(&pool)).unwrap();
        let mut state = starts.begin(&spec, 3, start, 5, On::pool(&pool)).unwrap();
        run_em(&mut state, sampled.table()).unwrap();
        assert_eq!(found.best, state, "{}", start.name());
        assert_eq!(found.log_likelihoods, [state.pass().map(|pass| pass.log_likelihood)]);
    }
}

#[test]
fn a_run_that_is_refused_does_not_stop_the_others() {
    // A group, and two rows so far from it that they make one of their own, on a line.
    let mut random = Random::new(4, 0);
    let mut values: Vec<f64> =
        (0..60).flat_map(|_| <[f64; 2]>::from(random.normal_pair())).collect();
    values.extend([8.0, 8.0, 9.0, 9.0]);
    let sampled = sampled(&numbers_table(2, &values));
    let starts = Starts::new(&sampled, 1).unwrap();
    let pool = Pool::new(2).unwrap();
    let mut spec = EmSpec::from(Family::Vvv);
    spec.covariance.guard = 0.0;
    let runs = [(Start::Hierarchical, 0), (Start::Random, 0), (Start::Hierarchical, 1)];
    let singular = starts.best_of(&spec, 2, &runs[..1], On::pool(&pool)).unwrap_err();
    assert!(matches!(singular, Error::Singular(_)), "{singular}");
    let found = starts.best_of(&spec, 2, &runs, On::pool(&pool)).unwrap();
    assert_eq!((found.chosen, found.refused.len()), (1, 2));
    assert_eq!(found.refused[1], (2, singular));
    assert_eq!(found.log_likelihoods[0], None);
    let error = starts.best_of(&spec, 99, &runs, On::pool(&pool)).unwrap_err();
    assert_eq!(error, Error::TooFewDistinct { distinct: 62, rows: 62, components: 99 });
    assert_eq!(starts.best_of(&spec, 2, &[], On::pool(&pool)).unwrap_err(), Error::NoRows);
}

/// A run that lost a cluster has the higher likelihood, and is not what was asked for.
#[test]
fn a_run_that_lost_a_component_is_worse_than_any_that_did_not() {
    let (table, pool) = (iris(), Pool::new(1).unwrap());
    let on = On::pool(&pool);
    let sampled = Sampled::draw(&mut table.source(), 1000, 1, on).unwrap();
    let starts = Starts::new(&sampled, 1).unwrap();
    let runs: Vec<(Start, u64)> = (0..12).map(|run| (Start::Random, run)).collect();
    let spec = EmSpec::from(Family::Unit);
    let lost = |run: &(Start, u64)| {
        let one = starts.best_of(&spec, 3, &[*run], on).unwrap().best;
        one.mixture().components() < 3
    };
    assert!(runs.iter().any(lost));
    let best = starts.best_of(&spec, 3, &runs, on).unwrap().best;
    assert!(best.is_clean() && best.mixture().components() == 3);
    // R: min of kmeans(iris[, 1:4], 3, nstart = 100)$tot.withinss is 78.851.
    let stat = best.partial(&mut table.source(), on).unwrap();
    let within = best.within_squares(&best.criteria(&stat)).unwrap();
    assert!((78.85..79.0).contains(&within), "{within}");
}

/// Short runs that lead may all collapse in the end: then those that were passed over get their turn.
#[test]
fn a_clean_run_is_found_among_those_that_were_passed_over() {
    let (pool, mut random) = (Pool::new(1).unwrap(), Random::new(4, 0));
    let on = On::pool(&pool);
    let mut turns = 0;
    for case in 0..40 {
        let rows: Vec<f64> =
            (0..40).map(|_| (4.0 * random.normal_pair().0).round() / 4.0).collect();
        let table = numbers_table(1, &rows);
        let sampled = Sampled::draw(&mut table.source(), 1000, 1, on).unwrap();
        let starts = Starts::new(&sampled, case).unwrap();
        let runs: Vec<(Start, u64)> = (0..8).map(|run| (Start::RandomRows, run)).collect();
        let mut spec = EmSpec::from(Family::Vii);
        spec.stop.max_iterations = 300;
        let clean = |run: &(Start, u64)| {
            let one = starts.best_of(&spec, 3, &[*run], on);
            one.is_ok_and(|one| one.best.is_clean())
        };
        let count = runs.iter().filter(|run| clean(run)).count();
        let best = starts.best_of(&spec, 3, &runs, on).unwrap();
        assert_eq!(best.best.is_clean(), count > 0, "{case}");
        turns += usize::from(count > 0 && count < runs.len());
    }
    assert!(turns > 5, "{turns}");
}
