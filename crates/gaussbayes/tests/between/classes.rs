//! Holds what some labels and a mixture per class give: errors, refusals, and the laws of both.

use std::ops::ControlFlow;

use gaussbayes::{
    Amount, Classifier, CovarianceSpec, Density, EmSpec, Error, Family, First, JudgeSweep,
    NO_LABEL, On, OnSingular, Pool, Priors, Random, SemiFitted, Shrinkage, Source, Table, Target,
    banana, run, semi_supervised,
};

use crate::laws::Subject;
use crate::support::{features, fit, fit_with, iris, mapped, models, posteriors, wine};
use crate::{numbers, stepped};

/// The same rows with labels left to so many, dealt to the classes in turn.
fn few_labels(table: &Table, count: usize, seed: u64) -> Table {
    let codes = table.codes.clone().unwrap();
    let order = Random::new(seed, 0).permutation(codes.len());
    let mut left = vec![NO_LABEL; codes.len()];
    let classes = table.dictionary.len();
    for turn in 0..count {
        let wanted = |i: &&usize| left[**i] == NO_LABEL && codes[**i] as usize == turn % classes;
        let &i = order.iter().find(wanted).unwrap();
        left[i] = codes[i];
    }
    Table { codes: Some(left), ..table.clone() }
}

/// The rows that have a label.
fn labelled(table: &Table) -> Table {
    let codes = table.codes.as_ref().unwrap();
    let own: Vec<usize> = (0..codes.len()).filter(|&i| codes[i] != NO_LABEL).collect();
    Table {
        values: own
            .iter()
            .flat_map(|&i| table.values[i * table.dim..(i + 1) * table.dim].to_vec())
            .collect(),
        codes: Some(own.iter().map(|&i| codes[i]).collect()),
        ..table.clone()
    }
}

fn semi(spec: &EmSpec, table: &Table) -> Result<SemiFitted, Error> {
    let pool = Pool::new(2)?;
    let each = &mut |_: &_| ControlFlow::Continue(());
    semi_supervised(spec, &features(table), &mut table.source(), On::pool(&pool), each)
}

fn errors(classifier: &Classifier, table: &Table) -> f64 {
    let pool = Pool::new(2).unwrap();
    let judged = run(&JudgeSweep(classifier), &mut table.source(), On::pool(&pool)).unwrap();
    judged.error_rate()
}

/// Ten labels of iris and 140 rows without: mean errors over 20 draws, alone and with the others.
#[test]
fn rows_without_labels_help_where_the_model_is_right() {
    let table = iris();
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len().max(1) as f64;
    // Mean error of the ten rows alone (none where they are too few), and with 140 rows more.
    let expected = [
        (Family::Eee, Some(0.075), 0.025),
        (Family::Vee, Some(0.102), 0.026),
        (Family::Eei, Some(0.060), 0.048),
        (Family::Vei, Some(0.078), 0.040),
        (Family::Vvi, Some(0.127), 0.070),
        (Family::Vvv, None, 0.031),
        (Family::Eev, None, 0.021),
        // Spheres are wrong for iris: more rows of what is wrong do not help.
        (Family::Eii, Some(0.095), 0.107),
        (Family::Unit, Some(0.095), 0.109),
    ];
    for (family, alone_expected, semi_expected) in expected {
        let (mut alone, mut with) = (Vec::new(), Vec::new());
        for seed in 1..=20 {
            let few = few_labels(&table, 10, seed);
            let fitted = fit(&CovarianceSpec::from(family), &labelled(&few));
            alone.extend(fitted.ok().map(|fitted| errors(&fitted.classifier, &table)));
            let found = semi(&family.into(), &few).unwrap();
            assert_eq!((found.rows, found.unlabelled_rows), (150, 140));
            assert!(found.em.as_ref().unwrap().state.converged(), "{family} {seed}");
            with.push(errors(&found.classifier, &table));
        }
        let (one, both) = (mean(&alone), mean(&with));
        println!("{family}: alone {one:.4} of {} draws, with 140 rows {both:.4}", alone.len());
        assert!((both - semi_expected).abs() < 0.002, "{family} {both}");
        match alone_expected {
            Some(expected) => assert!((one - expected).abs() < 0.002, "{family} {one}"),
            None => assert!(alone.is_empty(), "{family}"),
        }
    }
}

#[test]
fn all_labels_are_the_supervised_fit_to_the_bit() {
    let tables = [iris(), wine(), banana(6000, 1)];
    for (name, spec) in models() {
        for table in &tables {
            let em = EmSpec { priors: spec.default_priors(), ..spec.family.into() };
            match (semi(&em, table), fit(&spec, table)) {
                (Ok(found), Ok(plain)) => {
                    assert_eq!(found.classifier, plain.classifier, "{name}");
                    assert_eq!(found.report, plain.report, "{name}");
                    assert!(found.em.is_none() && found.unlabelled == 0.0);
                }
                (found, plain) => assert_eq!(found.err(), plain.err(), "{name}"),
            }
        }
    }
    // What EM does not take is no matter where there is none: rows of weight 0 are no rows.
    let shrunk = Shrinkage::Toward { amount: Amount::LedoitWolf, target: Target::Diagonal };
    let spec = CovarianceSpec { shrinkage: Some(shrunk), ..CovarianceSpec::qda() };
    let em = EmSpec { covariance: spec.clone(), ..Family::Vvv.into() };
    assert_eq!(semi(&em, &iris()).unwrap().classifier, fit(&spec, &iris()).unwrap().classifier);
    let few = few_labels(&iris(), 60, 1);
    let weights = few.codes.iter().flatten().map(|&code| f64::from(code != NO_LABEL)).collect();
    let weighted = Table { weights: Some(weights), ..few.clone() };
    let found = semi(&Family::Vvv.into(), &weighted).unwrap();
    assert!(found.em.is_none());
    let (one, other) = (found.classifier, fit(&CovarianceSpec::qda(), &labelled(&few)).unwrap());
    let other = other.classifier;
    assert_eq!(posteriors(&one, &iris()), posteriors(&other, &iris()));
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let few = few_labels(&iris(), 10, 1);
    let refusal = |change: &dyn Fn(&mut EmSpec)| {
        let mut spec = EmSpec::from(Family::Vvv);
        change(&mut spec);
        semi(&spec, &few).unwrap_err().to_string()
    };
    let shrunk = Shrinkage::Toward { amount: Amount::LedoitWolf, target: Target::Diagonal };
    let lw = refusal(&|spec| spec.covariance.shrinkage = Some(shrunk));
    assert_eq!(lw, "EM takes no Ledoit-Wolf shrinkage");
    let range = refusal(&|spec| spec.covariance.on_singular = OnSingular::RANGE);
    assert_eq!(range, "EM takes no restriction to a range");
    let density = refusal(&|spec| {
        spec.covariance.guard = 0.0;
        spec.covariance.density = Density::Predictive;
    });
    assert_eq!(density, "EM takes no densities that know of their estimates");
    let zero = refusal(&|spec| spec.priors = Priors::Given(vec![0.5, 0.5, 0.0]));
    let said = "EM takes no prior of 0 for class 'virginica', which rows are labelled with";
    assert_eq!(zero, said);
    let none = Table { codes: Some(vec![NO_LABEL; 150]), ..iris() };
    assert_eq!(semi(&Family::Vvv.into(), &none).unwrap_err(), Error::NoLabels { rows: 150 });
    let bare = Table { codes: None, ..iris() };
    assert_eq!(semi(&Family::Vvv.into(), &bare).unwrap_err(), Error::NoLabels { rows: 150 });
    let one = Table {
        codes: Some((0..150).map(|i| if i < 9 { 0 } else { NO_LABEL }).collect()),
        ..iris()
    };
    let one = semi(&Family::Vvv.into(), &one).unwrap_err();
    assert!(matches!(one, Error::OneClass { .. }), "{one}");
}

/// Means come from the labelled rows; what these cannot say of the spread, all rows do.
#[test]
fn a_label_a_class_is_enough_to_start() {
    let few = few_labels(&iris(), 3, 2);
    for family in Family::ALL {
        let found = semi(&family.into(), &few).unwrap();
        let em = found.em.unwrap();
        let expected = if family == Family::Unit { First::Asked } else { First::Whole };
        assert_eq!(em.first, Some(expected), "{family}");
        assert_eq!(found.labelled, 3.0);
    }
    let first = |count: usize| semi(&Family::Vvv.into(), &few_labels(&iris(), count, 1)).unwrap();
    assert_eq!(first(10).em.unwrap().first, Some(First::Shared));
    assert_eq!(first(90).em.unwrap().first, Some(First::Asked));
}

#[test]
fn priors_are_shares_of_all_rows_or_stay() {
    let few = few_labels(&iris(), 10, 3);
    let with = |priors: Priors| {
        let found = semi(&EmSpec { priors, ..Family::Eee.into() }, &few).unwrap();
        (found.classifier.priors(), found.em.unwrap().state.parameters())
    };
    let (observed, free) = with(Priors::Observed);
    assert!((observed[0] - 1.0 / 3.0).abs() < 1e-6, "{observed:?}");
    assert!((observed.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    let (given, fixed) = with(Priors::Given(vec![0.5, 0.3, 0.2]));
    assert_eq!(given, [0.5, 0.3, 0.2]);
    assert_eq!(free, fixed + 2);
    assert_eq!(with(Priors::Uniform).0, [1.0 / 3.0; 3]);
}

/// The whole fit from some labels of whole numbers, more than one block of them.
struct Semi(Family);

impl Semi {
    fn spec(&self) -> EmSpec {
        let mut spec = EmSpec::from(self.0);
        spec.stop.max_iterations = 6;
        spec
    }

    fn fitted<S: Source<Error = Error>>(&self, source: &mut S, on: On<'_>) -> SemiFitted {
        let features = ["x".to_owned(), "y".to_owned()];
        let each = &mut |_: &_| ControlFlow::Continue(());
        semi_supervised(&self.spec(), &features, source, on, each).unwrap()
    }
}

impl Subject for Semi {
    fn rows(&self) -> Table {
        // The first block has no label at all: its frame must not be that of the labelled rows.
        let mut rows = mapped(&banana(9000, 1), |_, x| (1000.0 * x).round());
        for (i, code) in rows.codes.as_mut().unwrap().iter_mut().enumerate() {
            if i < 9000 || i % 100 > 1 {
                *code = NO_LABEL;
            }
        }
        rows
    }

    fn found<S: Source<Error = Error>>(&self, source: &mut S, on: On<'_>) -> Vec<f64> {
        let found = self.fitted(source, on);
        let mut all = numbers(&found.em.unwrap().state);
        all.extend([found.labelled, found.unlabelled]);
        all
    }

    fn said(&self, rows: &Table, on: On<'_>) -> Vec<f64> {
        let found = self.fitted(&mut rows.source(), on);
        posteriors(&found.classifier, rows).concat()
    }

    fn merged(&self, parts: &[Table], on: On<'_>) -> Vec<f64> {
        let whole = self.rows();
        let state = self.fitted(&mut whole.source(), on).em.unwrap().state;
        numbers(&stepped(state, parts, on))
    }
}

laws!(semi_vvv, Semi(Family::Vvv));
laws!(semi_eii, Semi(Family::Eii));
laws!(semi_eve, Semi(Family::Eve));

#[test]
fn given_priors_reach_a_supervised_fit() {
    let priors = Priors::Given(vec![0.2, 0.2, 0.6]);
    let spec = EmSpec { priors: priors.clone(), ..Family::Vvv.into() };
    let plain = fit_with(&CovarianceSpec::qda(), &priors, &iris()).unwrap();
    assert_eq!(semi(&spec, &iris()).unwrap().classifier, plain.classifier);
}
