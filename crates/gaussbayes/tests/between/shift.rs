//! Estimates priors that have shifted, and tests whether they have.

use gaussbayes::{
    Classifier, CovarianceSpec, Error, JudgeSweep, Label, LabelSweep, Merge, On, Parameters, Pool,
    PriorShift, Priors, Random, ShiftState, Source, Table, banana, prior_shift, run,
};

use crate::laws::Subject;
use crate::support::{fit, mapped, posteriors};

/// Gaussian classes of one column, unit variance unless said otherwise.
fn known(means: &[f64], variances: &[f64], priors: &[f64]) -> Classifier {
    let parameters = Parameters {
        classes: (1..=means.len()).map(|k| Label::from(k.to_string())).collect(),
        features: vec!["x".into()],
        priors: Some(priors.to_vec()),
        means: means.iter().map(|mean| vec![*mean]).collect(),
        covariances: variances.iter().map(|variance| vec![vec![*variance]]).collect(),
        costs: None,
    };
    parameters.classifier().unwrap()
}

fn with(classifier: &Classifier, priors: &[f64]) -> Classifier {
    classifier.clone().with_priors(&Priors::Given(priors.to_vec())).unwrap()
}

fn shift<S: Source<Error = Error>>(classifier: &Classifier, source: &mut S) -> PriorShift {
    prior_shift(classifier, source, On::pool(&Pool::new(1).unwrap())).unwrap()
}

/// The shift of rows drawn from a classifier under other priors.
fn drawn(classifier: &Classifier, priors: &[f64], rows: u64, seed: u64) -> PriorShift {
    shift(classifier, &mut with(classifier, priors).sample(rows, seed).unwrap())
}

fn error_rate<S: Source<Error = Error>>(classifier: &Classifier, source: &mut S) -> f64 {
    source.rewind().unwrap();
    let pool = Pool::new(1).unwrap();
    run(&JudgeSweep(classifier), source, On::pool(&pool)).unwrap().error_rate()
}

#[test]
fn a_shift_is_recovered_and_the_correction_errs_less() {
    let trained = known(&[0.0, 2.0], &[1.0], &[0.5, 0.5]);
    let truth = with(&trained, &[0.9, 0.1]);
    let mut beyond = 0;
    for seed in 1..=20 {
        let mut rows = truth.sample(4000, seed).unwrap();
        let found = shift(&trained, &mut rows);
        assert!(found.converged && found.moved(0.05) && found.iterations <= 7, "{found:?}");
        for (k, right) in [0.9, 0.1].into_iter().enumerate() {
            let error = found.standard_errors[k].unwrap();
            let off = (found.after[k] - right).abs() / error;
            beyond += usize::from(off > 2.0);
            assert!(off < 4.0, "seed {seed}: {found:?}");
            assert!((0.004..0.012).contains(&error), "{error}");
        }
        let corrected = with(&trained, &found.after);
        let (before, after) = (error_rate(&trained, &mut rows), error_rate(&corrected, &mut rows));
        assert!(after < before - 0.05, "seed {seed}: {before} {after}");
    }
    // Both priors are off by the same: two standard errors are passed once in twenty seeds, rarely in four.
    assert!(beyond <= 2 * 3, "{beyond}");
}

#[test]
fn a_fitted_model_recovers_a_shift_too() {
    let known = known(&[0.0, 2.0], &[1.0, 2.0], &[0.5, 0.5]);
    let pool = Pool::new(1).unwrap();
    let spec = CovarianceSpec::qda();
    let sweep = LabelSweep::new(spec.storage());
    let stat = run(&sweep, &mut known.sample(200_000, 1).unwrap(), On::pool(&pool)).unwrap();
    let fitted = Classifier::fit(&spec, &Priors::Uniform, stat, &["x".into()]).unwrap().classifier;
    let moved = with(&known, &[0.9, 0.1]);
    let mut rows = moved.sample(2000, 2).unwrap();
    let found = shift(&fitted, &mut rows);
    assert!(found.moved(1e-6));
    assert!((found.after[1] - 0.1).abs() < 2.0 * found.standard_errors[1].unwrap(), "{found:?}");
    assert!(!drawn(&fitted, &[0.5, 0.5], 2000, 3).moved(0.05));
}

#[test]
fn intervals_hold_as_often_as_they_say() {
    let trained = known(&[0.0, 2.0], &[1.0], &[0.5, 0.5]);
    let hits = (0..200).filter(|seed| {
        let found = drawn(&trained, &[0.9, 0.1], 400, 1000 + seed);
        let error = found.standard_errors[0].unwrap();
        (found.after[0] - 0.9).abs() < 1.96 * error
    });
    let hits = hits.count();
    // Of 200 intervals of 95 %, 99.9 % of the time between 178 and 199.
    assert!((178..=199).contains(&hits), "{hits}");
}

#[test]
fn what_has_not_moved_is_left_alone() {
    let trained = known(&[0.0, 1.5, 3.0], &[1.0, 2.0, 1.0], &[0.5, 0.3, 0.2]);
    assert!(!drawn(&trained, &[0.5, 0.3, 0.2], 5000, 1).moved(0.05));
    let alarms =
        (0..400).filter(|seed| drawn(&trained, &[0.5, 0.3, 0.2], 300, 5000 + seed).moved(0.05));
    let alarms = alarms.count();
    // Of 400 tests at 5 %, 99.9 % of the time between 7 and 36.
    assert!((7..=36).contains(&alarms), "{alarms}");
}

/// EM of the priors alone, as published, for so many steps.
fn published(classifier: &Classifier, table: &Table, steps: usize) -> Vec<f64> {
    let posteriors = posteriors(classifier, table);
    let before = classifier.priors();
    let weight = |i: usize| table.weights.as_ref().map_or(1.0, |weights| weights[i]);
    let total: f64 = (0..table.rows()).map(weight).sum();
    let mut priors = before.clone();
    for _ in 0..steps {
        let mut sums = vec![0.0; priors.len()];
        for (i, row) in posteriors.iter().enumerate() {
            let ratio = |k: usize| if before[k] > 0.0 { priors[k] / before[k] } else { 0.0 };
            let terms: Vec<f64> = row.iter().enumerate().map(|(k, p)| p * ratio(k)).collect();
            let norm: f64 = terms.iter().sum();
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += weight(i) * term / norm);
        }
        priors = sums.into_iter().map(|sum| sum / total).collect();
    }
    priors
}

fn table(values: Vec<f64>, weights: Option<Vec<f64>>) -> Table {
    Table { dim: 1, values, weights, ..Table::default() }
}

#[test]
fn the_end_is_that_of_the_published_algorithm() {
    let models = [
        (known(&[0.0, 2.0], &[1.0], &[0.5, 0.5]), 3000),
        (known(&[0.0, 0.7], &[1.0, 1.5], &[0.99, 0.01]), 100_000),
        (known(&[0.0, 1.0, 2.5, 5.0], &[1.0, 0.5, 2.0, 1.0], &[0.1, 0.2, 0.3, 0.4]), 100_000),
        (known(&[0.0, 1.0, 30.0], &[1.0], &[0.4, 0.4, 0.2]), 20_000),
    ];
    for (at, (model, steps)) in models.iter().enumerate() {
        for rows in [7, 60, 400] {
            let mut random = Random::new(at as u64 + 1, rows);
            let values: Vec<f64> = (0..rows).map(|_| 1.2 + 1.5 * random.normal_pair().0).collect();
            let weights = (0..rows).map(|_| (3.0 * random.uniform()).floor()).collect();
            let table = table(values, (at % 2 == 1).then_some(weights));
            let found = shift(model, &mut table.source());
            assert!(found.converged && found.iterations <= 12, "{found:?}");
            let right = published(model, &table, *steps);
            for (found, right) in found.after.iter().zip(&right) {
                assert!((found - right).abs() < 1e-7, "{at} {rows}: {found} {right}");
            }
        }
    }
}

#[test]
fn classes_that_lie_apart_are_counted() {
    let model = known(&[0.0, 50.0, 100.0], &[1.0], &[0.2, 0.2, 0.6]);
    let values = (0..1000).map(|i| if i < 900 { 50.0 } else { f64::from(i % 2) }).collect();
    let found = shift(&model, &mut table(values, None).source());
    assert!(found.converged && found.iterations <= 5, "{found:?}");
    for (found, right) in found.after.iter().zip([0.1, 0.9, 0.0]) {
        assert!((found - right).abs() < 1e-12, "{found} {right}");
    }
    // A class without rows is at the bound, where no standard error is one.
    let binomial = (0.1 * 0.9 / 1000.0_f64).sqrt();
    let [Some(first), Some(second), None] = found.standard_errors[..] else { panic!("{found:?}") };
    assert!((first - binomial).abs() < 1e-12 && (second - binomial).abs() < 1e-12);
    assert_eq!((found.vanished(), found.rare()), (vec![2], vec![]));
    // Σ n ln(after/before), known classes.
    let right = 2.0 * (100.0 * 0.5_f64.ln() + 900.0 * 4.5_f64.ln());
    assert!((found.statistic - right).abs() < 1e-9 * right, "{}", found.statistic);
    let rise = found.log_likelihood_after - found.log_likelihood_before;
    assert!((2.0 * rise - right).abs() < 1e-9 * right);
}

#[test]
fn standard_errors_are_those_of_two_classes_by_hand() {
    let model = known(&[0.0, 1.0], &[1.0, 3.0], &[0.5, 0.5]);
    let drawn = with(&model, &[0.3, 0.7]);
    let found = shift(&model, &mut drawn.sample(500, 7).unwrap());
    let pool = Pool::new(1).unwrap();
    let mut rows = drawn.sample(500, 7).unwrap();
    let (mut slope, mut information) = (0.0, 0.0);
    let density = |x: f64, mean: f64, variance: f64| {
        (-0.5 * (x - mean).powi(2) / variance).exp() / variance.sqrt()
    };
    let work = |block: &gaussbayes::Block<'_>| {
        let mut values = vec![0.0; block.rows().count()];
        values
            .iter_mut()
            .enumerate()
            .for_each(|(i, x)| block.rows().read(i, std::slice::from_mut(x)));
        Ok(values)
    };
    gaussbayes::each_block(&mut rows, On::pool(&pool), work, |values| {
        for x in values {
            let (a, b) = (density(x, 0.0, 1.0), density(x, 1.0, 3.0));
            let ratio = (a - b) / (found.after[0] * a + found.after[1] * b);
            (slope, information) = (slope + ratio, information + ratio * ratio);
        }
        Ok::<(), Error>(())
    })
    .unwrap();
    assert!(slope.abs() < 1e-7, "{slope}");
    for error in &found.standard_errors {
        assert!((error.unwrap() - 1.0 / information.sqrt()).abs() < 1e-11, "{error:?}");
    }
}

#[test]
fn a_weight_is_a_number_of_rows() {
    let model = known(&[0.0, 1.0, 2.0], &[1.0, 2.0, 1.0], &[0.3, 0.3, 0.4]);
    let values: Vec<f64> = (0..50).map(|i| f64::from(i * i % 47) / 12.0).collect();
    let weights: Vec<f64> = (0..50).map(|i| f64::from(i % 4)).collect();
    let copies = values.iter().zip(&weights).flat_map(|(x, w)| vec![*x; *w as usize]).collect();
    let weighted = shift(&model, &mut table(values, Some(weights)).source());
    let copied = shift(&model, &mut table(copies, None).source());
    assert_eq!((weighted.rows, weighted.weight, copied.weight), (37, 73.0, 73.0));
    for (a, b) in weighted.after.iter().zip(&copied.after) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }
    for (a, b) in weighted.standard_errors.iter().zip(&copied.standard_errors) {
        assert!((a.unwrap_or(0.0) - b.unwrap_or(0.0)).abs() < 1e-9, "{a:?} {b:?}");
    }
    assert!((weighted.statistic - copied.statistic).abs() < 1e-11);
}

#[test]
fn a_class_that_cannot_come_stays_away() {
    let model = known(&[0.0, 2.0, 4.0], &[1.0], &[0.5, 0.5, 0.0]);
    let two = known(&[0.0, 2.0], &[1.0], &[0.5, 0.5]);
    let rows = known(&[0.0, 4.0], &[1.0], &[0.5, 0.5]);
    let found = shift(&model, &mut rows.sample(1000, 1).unwrap());
    let right = shift(&two, &mut rows.sample(1000, 1).unwrap());
    assert_eq!(found.degrees_of_freedom, 1);
    assert_eq!((found.after[2], found.standard_errors[2]), (0.0, None));
    assert!((found.after[0] - right.after[0]).abs() < 1e-9);
    assert!((found.statistic - right.statistic).abs() < 1e-7);
    assert!(found.vanished().is_empty());
    let alone = shift(&with(&two, &[0.0, 1.0]), &mut rows.sample(1000, 1).unwrap());
    assert_eq!((alone.after.as_slice(), alone.p_value), ([0.0, 1.0].as_slice(), 1.0));
    assert_eq!((alone.degrees_of_freedom, alone.statistic), (0, 0.0));
}

#[test]
fn classes_that_are_one_keep_their_shares_of_it() {
    let model = known(&[0.0, 0.0, 3.0], &[1.0], &[0.1, 0.3, 0.6]);
    let found = drawn(&model, &[0.2, 0.6, 0.2], 2000, 3);
    assert!(found.converged, "{found:?}");
    assert!((found.after[1] / found.after[0] - 3.0).abs() < 1e-3, "{found:?}");
    let [None, None, Some(error)] = found.standard_errors[..] else { panic!("{found:?}") };
    assert!((found.after[2] - 0.2).abs() < 3.0 * error, "{found:?}");
}

#[test]
fn few_rows_and_none() {
    let model = known(&[0.0, 2.0], &[1.0], &[0.5, 0.5]);
    let one = shift(&model, &mut table(vec![-1.0], None).source());
    assert_eq!((one.after.as_slice(), one.rows), ([1.0, 0.0].as_slice(), 1));
    assert_eq!((one.standard_errors.as_slice(), one.rare()), ([None, None].as_slice(), vec![0, 1]));
    assert!(!one.moved(0.05) && one.converged);
    // A row that tells nothing: every prior is as likely.
    let middle = shift(&model, &mut table(vec![1.0], None).source());
    assert_eq!((middle.after.as_slice(), middle.statistic), ([0.5, 0.5].as_slice(), 0.0));
    let pool = Pool::new(1).unwrap();
    for empty in [table(vec![], None), table(vec![1.0], Some(vec![0.0]))] {
        let refused = prior_shift(&model, &mut empty.source(), On::pool(&pool));
        assert_eq!(refused, Err(Error::NoRows));
    }
}

#[test]
fn wild_rows_and_tiny_priors_have_an_answer() {
    let model = known(&[0.0, 2.0, 4.0], &[1.0, 1.0, 9.0], &[1e-300, 1.0 - 1e-12, 1e-12]);
    let values = vec![-40.0, -3.0, 0.1, 1e150, 2.0, 5.0, -1e9];
    let found = shift(&model, &mut table(values, None).source());
    assert!(found.converged, "{found:?}");
    assert!((found.after.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert!(found.after.iter().all(|prior| (0.0..=1.0).contains(prior)));
    assert!((0.0..1e-10).contains(&found.p_value), "{found:?}");
}

/// The banana, of which fewer rows of the first class are left than the model was fitted to.
struct Moved;

impl Moved {
    fn model(rows: &Table) -> Classifier {
        fit(&CovarianceSpec::qda(), rows).unwrap().classifier
    }

    fn numbers(found: &PriorShift) -> Vec<f64> {
        let errors = found.standard_errors.iter().map(|error| error.unwrap());
        found.after.iter().copied().chain(errors).chain([found.statistic, found.p_value]).collect()
    }
}

impl Subject for Moved {
    fn rows(&self) -> Table {
        let mut rows = mapped(&banana(10_000, 1), |_, x| (1000.0 * x).round());
        rows.weights = Some((0..rows.rows()).map(|i| [1.0, 3.0][i % 2]).collect());
        rows
    }

    fn found<S: Source<Error = Error>>(&self, source: &mut S, on: On<'_>) -> Vec<f64> {
        let model = with(&Self::model(&self.rows()), &[0.5, 0.5]);
        source.rewind().unwrap();
        Self::numbers(&prior_shift(&model, source, on).unwrap())
    }

    fn said(&self, rows: &Table, on: On<'_>) -> Vec<f64> {
        let model = with(&Self::model(rows), &[0.5, 0.5]);
        let found = prior_shift(&model, &mut rows.source(), on).unwrap();
        posteriors(&with(&model, &found.after), rows).concat()
    }

    fn merged(&self, parts: &[Table], on: On<'_>) -> Vec<f64> {
        let model = with(&Self::model(&self.rows()), &[0.5, 0.5]);
        let mut state = ShiftState::new(&model);
        while !state.is_done() {
            let stats = parts.iter().map(|part| state.partial(&mut part.source(), on).unwrap());
            state.step(&stats.reduce(Merge::merge).unwrap());
        }
        Self::numbers(&state.shift())
    }
}

laws!(moved, Moved);
