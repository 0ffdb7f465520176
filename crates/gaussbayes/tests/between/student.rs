//! Holds Student components to exact arithmetic, to the laws of all fits, and to what they are.

use gaussbayes::{
    Assign, EmSpec, EmState, Error, Event, Family, Freedom, Frozen, Law, Mixture, On, OnEmpty,
    Outliers, Pool, Score, Source, StopRule, Table,
};

use crate::laws::Subject;
use crate::support::{numbers_table, stat};
use crate::{golden, memberships, numbers, rows_of, run_em, stepped};

fn spec(family: Family, freedom: Freedom) -> EmSpec {
    let mut spec = EmSpec { outliers: Outliers::Student(freedom), ..EmSpec::from(family) };
    spec.covariance.guard = 0.0;
    spec.stop.rule = StopRule::Parameters;
    (spec.stop.tolerance, spec.stop.max_iterations) = (1e-13, 50_000);
    spec
}

fn from_labels(spec: &EmSpec, table: &Table) -> EmState {
    let (_, moments) = stat(&spec.covariance, table).unwrap().sorted();
    let first = spec.covariance.estimate(&moments, &spec.priors, None).unwrap();
    EmState::new(spec.clone(), first.mixture).unwrap()
}

/// Maxima that Newton's method found with 40 digits; where degrees of freedom grow without end they are at ours.
#[test]
fn maxima_are_those_of_exact_arithmetic() {
    let pool = Pool::new(2).unwrap();
    for case in golden("exact_student") {
        let name = case["name"].as_str().unwrap();
        let family: Family = case["model"].as_str().unwrap().parse().unwrap();
        let degrees = case["degrees_of_freedom"].as_array().unwrap();
        let freedom = match case["freedom"].as_str().unwrap() {
            "fixed" => Freedom::Fixed(degrees[0].as_f64().unwrap()),
            "common" => Freedom::Common,
            _ => Freedom::Each,
        };
        let (table, spec) = (rows_of(&case), spec(family, freedom));
        let first = from_labels(&spec, &table);
        let partial =
            |state: &EmState| state.partial(&mut table.source(), On::pool(&pool)).unwrap();
        let at_start = case["at_start"].as_f64().unwrap();
        assert!((partial(&first).log_evidence() / at_start - 1.0).abs() < 1e-12, "{name}");
        let state = run_em(first, &mut table.source(), On::pool(&pool));
        let criteria = state.criteria(&partial(&state));
        assert_eq!(Some(criteria.parameters as u64), case["parameters"].as_u64(), "{name}");
        let (found, right) = (criteria.log_likelihood, case["log_likelihood"].as_f64().unwrap());
        let endless = degrees.iter().any(serde_json::Value::is_null);
        println!("{name}: {} iterations, off {:e}", state.iteration(), found - right);
        if endless {
            assert!(found < right && found > right - 0.05, "{name}: {found} {right}");
        } else {
            assert!((found - right).abs() < 1e-9 * right.abs().max(1.0), "{name}: {found} {right}");
        }
        for (law, right) in state.mixture().laws().unwrap().iter().zip(degrees) {
            let (found, right) = (law.freedom().unwrap(), right.as_f64());
            match right {
                Some(right) if !endless => {
                    assert!((found / right - 1.0).abs() < 1e-4, "{name}: {found} {right}");
                }
                Some(_) => {}
                None => assert!(found > 100.0, "{name}: {found}"),
            }
        }
        assert!(state.events().is_empty(), "{name}: {:?}", state.events());
    }
}

/// No step lowers the likelihood: every family, every kind of degrees of freedom, soft and hard, means that stay.
#[test]
fn the_likelihood_climbs_with_tails_in_every_family() {
    let (table, pool) = (tailed_rows(600), Pool::new(1).unwrap());
    let mean = Frozen { means: vec![true, false], covariances: Vec::new() };
    for family in Family::ALL.into_iter().filter(|family| *family != Family::Unit) {
        for freedom in [Freedom::Fixed(3.0), Freedom::Common, Freedom::Each] {
            for (assign, frozen) in [
                (Assign::Soft, Frozen::default()),
                (Assign::Hard, Frozen::default()),
                (Assign::Soft, mean.clone()),
            ] {
                let mut spec = EmSpec { assign, frozen, ..spec(family, freedom) };
                spec.stop.max_iterations = 25;
                let mut state = from_labels(&spec, &table);
                let mut before = f64::NEG_INFINITY;
                while !state.is_done() {
                    let stat = state.partial(&mut table.source(), On::pool(&pool)).unwrap();
                    let hard = if assign == Assign::Hard { stat.log_best() } else { 0.0 };
                    let now = stat.log_evidence() + hard;
                    assert!(now >= before - 1e-8, "{family} {freedom:?} {assign:?} {before} {now}");
                    before = now;
                    state.step(&stat).unwrap();
                }
                assert!(state.events().is_empty(), "{family} {:?}", state.events());
            }
        }
    }
}

/// Two Student components of 3 and 5 degrees of freedom in whole numbers, labelled.
fn tailed_rows(count: u64) -> Table {
    let means = [vec![0.0, 0.0], vec![500.0, 300.0]];
    let covariances = [vec![3600.0, 0.0, 1600.0], vec![900.0, 600.0, 1300.0]];
    let mixture = Mixture::given(&means, &covariances, vec![0.4, 0.6]).unwrap();
    let laws = vec![Law::student(3.0, 2), Law::student(5.0, 2)];
    let mut table = mixture.with_laws(laws).unwrap().sample(count, 9).unwrap().table().unwrap();
    table.values.iter_mut().for_each(|x| *x = x.round());
    table
}

struct Tailed(Family, Freedom);

impl Tailed {
    fn first(&self) -> EmState {
        let mut spec = spec(self.0, self.1);
        spec.stop.max_iterations = 6;
        from_labels(&spec, &tailed_rows(400))
    }
}

impl Subject for Tailed {
    fn rows(&self) -> Table {
        Table { codes: None, dictionary: Vec::new(), ..tailed_rows(12_000) }
    }

    fn found<S: Source<Error = Error>>(&self, source: &mut S, on: On<'_>) -> Vec<f64> {
        numbers(&run_em(self.first(), source, on))
    }

    fn said(&self, rows: &Table, on: On<'_>) -> Vec<f64> {
        let spec = self.first().spec().clone();
        let labels = self.rows();
        let codes = labels.values.chunks_exact(2).map(|row| u32::from(row[0] > 250.0)).collect();
        let dictionary = vec!["a".into(), "b".into()];
        let labelled = Table { codes: Some(codes), dictionary, ..rows.clone() };
        let state = run_em(from_labels(&spec, &labelled), &mut rows.source(), on);
        memberships(&state, rows)
    }

    fn merged(&self, parts: &[Table], on: On<'_>) -> Vec<f64> {
        numbers(&stepped(self.first(), parts, on))
    }
}

laws!(tails_of_full_covariances, Tailed(Family::Vvv, Freedom::Each));
laws!(tails_of_shared_covariances, Tailed(Family::Eee, Freedom::Common));

/// With many rows the degrees of freedom that made them are found again.
#[test]
fn degrees_of_freedom_are_found_again_from_a_sample() {
    let (table, pool) = (tailed_rows(40_000), Pool::new(2).unwrap());
    let mut spec = spec(Family::Vvv, Freedom::Each);
    (spec.stop.tolerance, spec.stop.max_iterations) = (1e-6, 1000);
    let state = run_em(from_labels(&spec, &table), &mut table.source(), On::pool(&pool));
    let found: Vec<f64> =
        state.mixture().laws().unwrap().iter().filter_map(|law| law.freedom()).collect();
    // Standard errors of degrees of freedom from 16,000 rows of 3 and 24,000 of 5: about 0.06 and 0.11.
    assert!((found[0] - 3.0).abs() < 0.2 && (found[1] - 5.0).abs() < 0.35, "{found:?}");
    let scale = state.mixture().raw_covariance(1);
    assert!((scale[1] / 600.0 - 1.0).abs() < 0.05, "{scale:?}");
}

/// Rows of a Gaussian have no tails: degrees of freedom go up, ever slower, and the fit is the Gaussian's.
#[test]
fn degrees_of_freedom_of_a_gaussian_are_many() {
    let pool = Pool::new(1).unwrap();
    let values: Vec<f64> = (0..2000).map(|i| normal((f64::from(i) + 0.5) / 2000.0)).collect();
    let table = Table {
        codes: Some(vec![0; 2000]),
        dictionary: vec!["a".into()],
        ..numbers_table(1, &values)
    };
    let mut spec = spec(Family::Vvv, Freedom::Each);
    (spec.stop.tolerance, spec.stop.max_iterations) = (1e-9, 20_000);
    let state = run_em(from_labels(&spec, &table), &mut table.source(), On::pool(&pool));
    let found = state.mixture().laws().unwrap()[0].freedom().unwrap();
    assert!(found > 100.0, "{found}");
    assert!((state.mixture().raw_covariance(0)[0] - 1.0).abs() < 0.01);
}

/// A quantile of the normal distribution by bisection of its series; good to a few digits, which is enough here.
fn normal(share: f64) -> f64 {
    let below = |x: f64| {
        // Zelen & Severo's series of the tail, 7.5e-8.
        let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
        let series = t
            * (0.319_381_530
                + t * (-0.356_563_782
                    + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
        let tail = (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt() * series;
        if x > 0.0 { 1.0 - tail } else { tail }
    };
    let (mut low, mut high) = (-9.0, 9.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if below(middle) < share { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The margin of a Student density is one of the same degrees of freedom: by integration over the other column.
#[test]
fn a_margin_has_the_same_degrees_of_freedom() {
    let given = Mixture::given(&[vec![1.0, 2.0]], &[vec![2.0, 0.7, 1.5]], vec![1.0]).unwrap();
    let whole = given.with_laws(vec![Law::student(4.0, 2)]).unwrap();
    let margin = whole.marginal(&[1]).unwrap();
    assert_eq!(margin.laws().unwrap()[0], Law::student(4.0, 1));
    let density = |mixture: &Mixture, values: &[f64], dim: usize| -> Vec<f64> {
        let table = numbers_table(dim, values);
        let scores = mixture.scores(&table.block(0..table.rows()).unwrap()).unwrap();
        scores.common.iter().zip(&scores.relative).map(|(a, b)| (a + b).exp()).collect()
    };
    for y in [-3.0, 1.9, 6.0] {
        let step = 0.02;
        let line: Vec<f64> =
            (-20_000..20_000).flat_map(|i| [1.0 + step * f64::from(i), y]).collect();
        let sum: f64 = density(&whole, &line, 2).iter().sum::<f64>() * step;
        let right = density(&margin, &[y], 1)[0];
        assert!((sum / right - 1.0).abs() < 1e-5, "{sum} {right}");
    }
}

/// A component far from all rows is placed anew: what it knew of tails was of no rows.
#[test]
fn a_component_that_is_placed_anew_begins_its_degrees_of_freedom_anew() {
    let (table, pool) = (tailed_rows(600), Pool::new(1).unwrap());
    let means = [vec![0.0, 0.0], vec![500.0, 300.0], vec![1e9, -1e9]];
    let covariance = vec![2500.0, 0.0, 2500.0];
    let covariances = [covariance.clone(), covariance.clone(), covariance];
    let given = Mixture::given(&means, &covariances, vec![0.4, 0.5, 0.1]).unwrap();
    let laws: Vec<Law> = [4.0, 4.0, 300.0].map(|freedom| Law::student(freedom, 2)).to_vec();
    let given = given.with_laws(laws).unwrap();
    let stepped = |freedom, mixture: &Mixture| {
        let spec = EmSpec { on_empty: OnEmpty::Reseed, ..spec(Family::Vvv, freedom) };
        let mut state = EmState::new(spec, mixture.clone()).unwrap();
        let stat = state.partial(&mut table.source(), On::pool(&pool)).unwrap();
        state.step(&stat).unwrap();
        let found: Vec<f64> =
            state.mixture().laws().unwrap().iter().filter_map(|law| law.freedom()).collect();
        (found, state.events().to_vec())
    };
    let (each, events) = stepped(Freedom::Each, &given);
    assert!(matches!(events[..], [Event::Reseeded { component: 2, .. }]), "{events:?}");
    assert_eq!(each[2], 10.0);
    assert!(each[..2].iter().all(|freedom| (2.0..20.0).contains(freedom)), "{each:?}");
}

#[test]
fn what_has_no_tails_is_refused_and_given_laws_are_taken_up() {
    let low = spec(Family::Vvv, Freedom::Fixed(0.5)).check().unwrap_err();
    assert_eq!(low.to_string(), "0.5 degrees of freedom are not between 1 and 1000");
    assert!(low.hint().is_some());
    let mut scaled = spec(Family::Eii, Freedom::Each);
    scaled.covariance.scaling = gaussbayes::Scaling::Standardized;
    assert!(scaled.check().is_err());
    let given = Mixture::given(&[vec![1.0]], &[vec![2.0]], vec![1.0]).unwrap();
    let tailed = given.clone().with_laws(vec![Law::student(7.0, 1)]).unwrap();
    let laws = |freedom, mixture: &Mixture| {
        let state = EmState::new(spec(Family::Vvv, freedom), mixture.clone()).unwrap();
        state.mixture().laws().unwrap()[0].freedom().unwrap()
    };
    assert_eq!(laws(Freedom::Each, &tailed), 7.0);
    assert_eq!(laws(Freedom::Fixed(3.0), &tailed), 3.0);
    assert_eq!(laws(Freedom::Common, &given), 10.0);
    // A file of another machine, whose log-gamma function ends otherwise.
    let Law::Student { power, divisor, offset } = Law::student(7.0, 1) else { unreachable!() };
    let other = Law::Student { power, divisor, offset: offset * (1.0 + 1e-13) };
    assert!(other.is_student(1) && !other.is_student(2));
    assert!(!Law::Student { power, divisor, offset: offset + 1e-3 }.is_student(1));
    let elsewhere = given.clone().with_laws(vec![other]).unwrap();
    assert_eq!(laws(Freedom::Each, &elsewhere), 7.0);
    assert_eq!(laws(Freedom::Fixed(7.0), &elsewhere), 7.0);
    let plain = EmState::new(EmSpec::from(Family::Vvv), tailed).unwrap();
    assert!(plain.mixture().laws().is_none());
}
