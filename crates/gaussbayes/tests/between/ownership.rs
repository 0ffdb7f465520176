//! Holds that labels narrow what a row can belong to, and nothing else.

use gaussbayes::{
    Block, CovarianceSpec, EmSpec, EmState, Error, Extent, Family, Label, Labels, Mixture,
    NO_LABEL, Noise, On, Outliers, Ownership, Pool, Priors, Rows, Score, Source, Table, banana,
    log_sum_exp,
};

use crate::laws::Subject;
use crate::support::{iris, mapped, stat};
use crate::{memberships, numbers, run_em, stepped};

/// The same rows with only every `nth` label left.
fn thinned(table: &Table, nth: usize) -> Table {
    let codes = table.codes.clone().unwrap().into_iter().enumerate();
    let codes = codes.map(|(i, code)| if i % nth == 0 { code } else { NO_LABEL });
    Table { codes: Some(codes.collect()), ..table.clone() }
}

fn spec(family: Family, iterations: u32) -> EmSpec {
    let mut spec = EmSpec::from(family);
    spec.stop.tolerance = 0.0;
    spec.stop.max_iterations = iterations;
    spec
}

/// The fit to all labels, where EM may start.
fn supervised(spec: &EmSpec, table: &Table) -> (Vec<Label>, Mixture) {
    let (labels, moments) = stat(&spec.covariance, table).unwrap().sorted();
    (labels, spec.covariance.estimate(&moments, &spec.priors, None).unwrap().mixture)
}

fn owned(spec: &EmSpec, table: &Table) -> EmState {
    let (labels, mixture) = supervised(spec, table);
    EmState::owned(spec.clone(), mixture, Ownership::one_each(labels)).unwrap()
}

/// Families whose estimate depends on the moments alone, not on where EM stands.
const CLOSED: [Family; 10] = [
    Family::Eii,
    Family::Vii,
    Family::Eei,
    Family::Evi,
    Family::Vvi,
    Family::Eee,
    Family::Eev,
    Family::Evv,
    Family::Vvv,
    Family::Unit,
];

#[test]
fn all_labels_leave_the_supervised_fit_to_the_bit() {
    let pool = Pool::new(2).unwrap();
    for table in [iris(), banana(6000, 1)] {
        for family in CLOSED {
            let spec = spec(family, 3);
            let state = owned(&spec, &table);
            let ended = run_em(state.clone(), &mut table.source(), On::pool(&pool));
            assert_eq!(ended.mixture(), state.mixture(), "{family}");
        }
    }
}

#[test]
fn no_labels_are_em_to_the_bit() {
    let (table, pool) = (iris(), Pool::new(2).unwrap());
    let bare = Table { codes: None, dictionary: Vec::new(), ..table.clone() };
    let none = Table { codes: Some(vec![NO_LABEL; table.rows()]), ..table.clone() };
    for family in Family::ALL {
        let spec = spec(family, 20);
        let plain = EmState::new(spec.clone(), supervised(&spec, &table).1).unwrap();
        let with = run_em(owned(&spec, &table), &mut none.source(), On::pool(&pool));
        let without = run_em(plain, &mut bare.source(), On::pool(&pool));
        assert_eq!(with.mixture(), without.mixture(), "{family}");
        assert_eq!(with.pass(), without.pass(), "{family}");
    }
}

/// The log-likelihood by its definition: joint with its class for a row with a label.
#[test]
fn a_label_narrows_the_likelihood_to_its_class() {
    let (table, pool) = (thinned(&iris(), 10), Pool::new(1).unwrap());
    let state = owned(&spec(Family::Vvv, 1), &iris());
    let stat = state.partial(&mut table.source(), On::pool(&pool)).unwrap();
    let block = table.block(0..150).unwrap();
    let scores = state.mixture().scores(&block).unwrap();
    let codes = table.codes.as_ref().unwrap();
    let mut sum = 0.0;
    for (i, row) in scores.relative.chunks_exact(3).enumerate() {
        let own = match codes[i] {
            NO_LABEL => log_sum_exp(row),
            code => row[code as usize],
        };
        sum += scores.common[i] + own;
    }
    assert!((stat.log_evidence() - sum).abs() < 1e-10, "{sum}");
}

#[test]
fn the_likelihood_of_some_labels_never_falls() {
    let (table, pool) = (thinned(&iris(), 15), Pool::new(1).unwrap());
    for family in Family::ALL {
        let mut state = owned(&spec(family, 40), &iris());
        let mut before = f64::NEG_INFINITY;
        while !state.is_done() {
            let stat = state.partial(&mut table.source(), On::pool(&pool)).unwrap();
            state.step(&stat).unwrap();
            let found = state.pass().unwrap().log_likelihood;
            assert!(found >= before - 1e-9, "{family}");
            before = found;
        }
        assert!(state.events().is_empty(), "{family} {:?}", state.events());
    }
}

/// Two classes of two components each, every class with a family of its own.
fn of_classes(rows: &Table) -> EmState {
    let spec = spec(Family::Vvv, 12);
    let quarters = Table {
        codes: Some((0..rows.rows()).map(|i| quarter(rows, i)).collect()),
        dictionary: ["a", "b", "c", "d"].map(Label::from).to_vec(),
        ..rows.clone()
    };
    let mixture = supervised(&spec, &quarters).1;
    let ownership = Ownership::new(rows.dictionary.clone(), vec![0, 0, 1, 1]).unwrap();
    let ownership = ownership.with_families(vec![Family::Vvi, Family::Eee]).unwrap();
    EmState::owned(spec, mixture, ownership).unwrap()
}

/// The class of a row and the side of its mean.
fn quarter(rows: &Table, i: usize) -> u32 {
    let code = rows.codes.as_ref().unwrap()[i];
    2 * code + u32::from(rows.values[i * rows.dim] > 0.0)
}

/// With labels for all, classes do not see each other: each is the mixture of its own rows.
#[test]
fn classes_with_their_own_families_are_mixtures_of_their_rows() {
    let (rows, pool) = (banana(400, 3), Pool::new(1).unwrap());
    let joint = run_em(of_classes(&rows), &mut rows.source(), On::pool(&pool));
    for (class, family) in [Family::Vvi, Family::Eee].into_iter().enumerate() {
        let own: Vec<usize> =
            (0..rows.rows()).filter(|&i| rows.codes.as_ref().unwrap()[i] == class as u32).collect();
        let values = own.iter().flat_map(|&i| rows.values[2 * i..2 * i + 2].to_vec()).collect();
        let only = Table { dim: 2, values, ..Table::default() };
        let start = of_classes(&rows).mixture().picked(&[2 * class, 2 * class + 1]).unwrap();
        let alone = EmState::new(spec(family, 12), start).unwrap();
        let alone = run_em(alone, &mut only.source(), On::pool(&pool));
        for k in 0..2 {
            let near = |a: Vec<f64>, b: Vec<f64>| {
                let apart = a.iter().zip(&b).map(|(a, b)| (a - b).abs());
                assert!(apart.fold(0.0, f64::max) < 1e-9, "{family} {a:?} {b:?}");
            };
            let (one, other) = (joint.mixture(), alone.mixture());
            near(one.raw_mean(2 * class + k), other.raw_mean(k));
            near(one.raw_covariance(2 * class + k), other.raw_covariance(k));
            let share = one.weights()[2 * class + k];
            near(vec![2.0 * share], vec![other.weights()[k]]);
        }
    }
}

#[test]
fn priors_are_those_of_classes() {
    let (rows, pool) = (banana(400, 3), Pool::new(1).unwrap());
    let mut saved = of_classes(&rows).saved();
    saved.spec.priors = Priors::Given(vec![0.9, 0.1]);
    let state = EmState::from_saved(saved).unwrap();
    let ended = run_em(state, &mut rows.source(), On::pool(&pool));
    let weights = ended.mixture().weights();
    assert!((weights[0] + weights[1] - 0.9).abs() < 1e-12, "{weights:?}");
    let free = run_em(of_classes(&rows), &mut rows.source(), On::pool(&pool));
    let share = |state: &EmState| state.mixture().weights()[0] / state.mixture().weights()[1];
    assert!((share(&ended) - share(&free)).abs() < 1e-9);
    assert_eq!(ended.parameters(), 2 + 4 * 2 + 2 * 2 + 3);
    assert_eq!(free.parameters(), 3 + 4 * 2 + 2 * 2 + 3);
}

/// A label says what a row is, however far it lies; without one the same row is noise.
#[test]
fn a_row_with_a_label_is_no_noise() {
    let (mut table, pool) = (iris(), Pool::new(1).unwrap());
    let state = owned(&spec(Family::Vvv, 1), &table);
    table.values[..4].copy_from_slice(&[50.0, 50.0, 50.0, 50.0]);
    let (low, high) = (vec![0.0; 4], vec![50.0; 4]);
    let extent = Extent::new(None, vec![0.0; 4], low, high).unwrap();
    let noise = Noise { share: 0.01, extent };
    let mut saved = state.saved();
    saved.mixture = saved.mixture.with_noise(Some(noise)).unwrap();
    saved.spec.outliers = Outliers::Noise;
    let state = EmState::from_saved(saved).unwrap();
    let weight =
        |table: &Table| state.partial(&mut table.source(), On::pool(&pool)).unwrap().noise_weight();
    assert_eq!(weight(&table), 0.0);
    let bare = Table { codes: Some(vec![NO_LABEL; 150]), ..table };
    assert!((1.0..1.1).contains(&weight(&bare)), "{}", weight(&bare));
}

#[test]
fn labels_that_are_no_class_are_refused() {
    let state = owned(&spec(Family::Vvv, 1), &iris());
    let labels = Labels { codes: vec![0].into(), dictionary: vec![Label::from("rose")].into() };
    let block = Block::new(0, Rows::new(vec![1.0; 4], 4).unwrap(), None, Some(labels)).unwrap();
    let table = {
        let mut table = Table { dim: 4, ..Table::default() };
        table.push_block(&block);
        table
    };
    let refused = state.partial(&mut table.source(), On::pool(&Pool::new(1).unwrap()));
    assert!(matches!(refused, Err(Error::UnknownClass { class }) if class == "rose"));
    assert!(Ownership::new(vec!["a".into(), "b".into()], vec![0, 0]).is_err());
    assert!(Ownership::new(vec!["a".into()], vec![0, 1]).is_err());
    let none = state.mixture().with_weights(&Priors::Given(vec![0.0, 0.5, 0.5])).unwrap();
    let labels = Ownership::one_each(["setosa", "versicolor", "virginica"].map(Label::from).into());
    assert!(matches!(
        EmState::owned(spec(Family::Vvv, 1), none, labels),
        Err(Error::NotInEm { .. })
    ));
    let one = Ownership::one_each(vec!["a".into()]);
    assert!(EmState::owned(spec(Family::Vvv, 1), state.mixture().clone(), one).is_err());
}

/// Some labels of the banana, a Gaussian a class.
struct SomeLabels(Family);

impl SomeLabels {
    fn first(&self, rows: &Table) -> EmState {
        let all = mapped(&banana(5000, 1), |_, x| (1000.0 * x).round());
        let near = rows.values[0].abs() < 1e8;
        let all = if near { all } else { mapped(&all, |_, x| x + 1e9) };
        owned(&spec(self.0, 8), &all)
    }
}

impl Subject for SomeLabels {
    fn rows(&self) -> Table {
        thinned(&mapped(&banana(5000, 1), |_, x| (1000.0 * x).round()), 50)
    }

    fn found<S: Source<Error = Error>>(&self, source: &mut S, on: On<'_>) -> Vec<f64> {
        numbers(&run_em(self.first(&self.rows()), source, on))
    }

    fn said(&self, rows: &Table, on: On<'_>) -> Vec<f64> {
        memberships(&run_em(self.first(rows), &mut rows.source(), on), rows)
    }

    fn merged(&self, parts: &[Table], on: On<'_>) -> Vec<f64> {
        numbers(&stepped(self.first(&parts[0]), parts, on))
    }
}

laws!(some_labels_vvv, SomeLabels(Family::Vvv));
laws!(some_labels_eee, SomeLabels(Family::Eee));
laws!(some_labels_vev, SomeLabels(Family::Vev));

/// Two components a class, some labels, each class with its own family.
struct SomeOfClasses;

impl Subject for SomeOfClasses {
    fn rows(&self) -> Table {
        SomeLabels(Family::Vvv).rows()
    }

    fn found<S: Source<Error = Error>>(&self, source: &mut S, on: On<'_>) -> Vec<f64> {
        let all = mapped(&banana(5000, 1), |_, x| (1000.0 * x).round());
        numbers(&run_em(of_classes(&all), source, on))
    }

    fn said(&self, rows: &Table, on: On<'_>) -> Vec<f64> {
        let all = mapped(&banana(5000, 1), |_, x| (1000.0 * x).round());
        let away = if rows.values[0].abs() < 1e8 { 0.0 } else { 1e9 };
        let mut saved = of_classes(&all).saved();
        if away > 0.0 {
            let moved = of_classes_at(&all, away);
            saved = moved.saved();
        }
        let state = EmState::from_saved(saved).unwrap();
        memberships(&run_em(state, &mut rows.source(), on), rows)
    }

    fn merged(&self, parts: &[Table], on: On<'_>) -> Vec<f64> {
        let all = mapped(&banana(5000, 1), |_, x| (1000.0 * x).round());
        numbers(&stepped(of_classes(&all), parts, on))
    }
}

/// The same start from rows that are all so far away.
fn of_classes_at(rows: &Table, away: f64) -> EmState {
    let near = of_classes(rows);
    let quarters = Table {
        codes: Some((0..rows.rows()).map(|i| quarter(rows, i)).collect()),
        dictionary: ["a", "b", "c", "d"].map(Label::from).to_vec(),
        ..mapped(rows, |_, x| x + away)
    };
    let spec = near.spec().clone();
    let mixture = supervised(&spec, &quarters).1;
    EmState::owned(spec, mixture, near.ownership().unwrap().clone()).unwrap()
}

laws!(some_of_classes, SomeOfClasses);

#[test]
fn labelled_specs_are_those_of_the_covariance() {
    // What a class owns is not more than the specification says: one component each is the plain count.
    let spec = spec(Family::Vvv, 1);
    let plain = CovarianceSpec::qda().parameters(&Priors::Observed, 3, 4);
    assert_eq!(owned(&spec, &iris()).parameters(), plain);
}
