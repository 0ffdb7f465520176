//! Holds what a mixture per class gives: the banana's error, laws, refusals, and rows without labels.

use std::f64::consts::PI;

use gaussbayes::{
    Cell, Classifier, CovarianceSpec, Criterion, EmSpec, Error, Family, JudgeSweep, Label,
    LabelSweep, Mixtures, MixturesSpec, NO_LABEL, On, OutlierRefusal, Outliers, Pool, Priors,
    Search, SearchSpec, Source, Start, Storage, Table, banana, mixture_per_class, run,
};

use crate::laws::Subject;
use crate::support::{features, fit, iris, mapped, posteriors};
use crate::{numbers, stepped};

fn spec(components: &[usize], families: &[Family], dim: usize) -> MixturesSpec {
    let cell =
        |&components: &usize| families.iter().map(move |&family| Cell { components, family });
    let search = SearchSpec {
        cells: components.iter().flat_map(cell).collect(),
        spec: EmSpec::from(Family::Vvv),
        runs: Start::usual(2),
        seed: 1,
        criterion: Criterion::Bic,
        features: (1..=dim).map(|j| format!("x{j}")).collect(),
    };
    MixturesSpec { search, own: Vec::new(), priors: Priors::Observed }
}

fn found(spec: &MixturesSpec, table: &Table) -> Result<Mixtures, Error> {
    let pool = Pool::new(2)?;
    mixture_per_class(spec, &mut table.source(), On::pool(&pool))
}

fn errors(classifier: &Classifier, table: &Table) -> f64 {
    let pool = Pool::new(2).unwrap();
    run(&JudgeSweep(classifier), &mut table.source(), On::pool(&pool)).unwrap().error_rate()
}

/// ln p of a class of the banana set, by its definition [M23]: the mean over the angle.
fn banana_density(class: usize, x: f64, y: f64) -> f64 {
    let (start, turn, shift) = [(0.125, 1.0, 0.0), (0.375, -1.0, -3.75)][class];
    let steps = 400;
    (0..steps)
        .map(|i| {
            let angle = PI * (start + turn * 1.25 * (f64::from(i) + 0.5) / f64::from(steps));
            let (dx, dy) = (x - shift - 5.0 * angle.sin(), y - shift - 5.0 * angle.cos());
            (-0.5 * (dx * dx + dy * dy)).exp()
        })
        .sum()
}

#[test]
fn a_mixture_per_class_comes_near_the_rule_of_bayes_on_the_banana() {
    let (train, test) = (banana(2000, 1), banana(20_000, 2));
    // All fourteen families and 1 to 9 components choose the same: 4 and 5 of EEV.
    let families = [Family::Vvi, Family::Eee, Family::Eev, Family::Vvv];
    let found = found(&spec(&[1, 2, 3, 4, 5, 6], &families, 2), &train).unwrap();
    let mixture = errors(&found.classifier, &test);
    let qda = errors(&fit(&CovarianceSpec::qda(), &train).unwrap().classifier, &test);
    let lda = errors(&fit(&CovarianceSpec::lda(), &train).unwrap().classifier, &test);
    let wrong = test.values.chunks_exact(2).enumerate().filter(|(i, row)| {
        let density = |class| banana_density(class, row[0], row[1]);
        (density(0) < density(1)) == (i % 2 == 0)
    });
    let bayes = wrong.count() as f64 / test.rows() as f64;
    for class in &found.classes {
        let cell = class.best().cell;
        println!("class {}: {} x {}", class.class, cell.components, cell.family);
        assert!(cell.components > 1);
    }
    println!("qda {qda:.4} lda {lda:.4} mixture per class {mixture:.4} bayes {bayes:.4}");
    assert!((qda - 0.151).abs() < 0.01 && (lda - 0.151).abs() < 0.01, "{qda} {lda}");
    assert!((0.0155..0.0180).contains(&bayes), "{bayes}");
    assert!(mixture < 0.025 && mixture > bayes - 0.001, "{mixture}");
}

/// The rows of one class of a table, alone.
fn of_class(table: &Table, code: u32) -> Table {
    let codes = table.codes.as_ref().unwrap();
    let rows = (0..table.rows()).filter(|&i| codes[i] == code);
    let values = rows.flat_map(|i| table.values[i * table.dim..(i + 1) * table.dim].to_vec());
    Table { dim: table.dim, values: values.collect(), ..Table::default() }
}

#[test]
fn each_class_has_the_mixture_of_its_rows_alone_to_the_bit() {
    let (table, pool) = (iris(), Pool::new(1).unwrap());
    let spec = spec(&[1, 2], &[Family::Vvi, Family::Eee], 4);
    let found = found(&spec, &table).unwrap();
    assert_eq!(found.unlabelled_rows, 0);
    assert!(found.em.is_none());
    for (code, class) in found.classes.iter().enumerate() {
        let alone = of_class(&table, code as u32);
        let mut search = Search::begin(&spec.search, &mut alone.source(), On::pool(&pool)).unwrap();
        search
            .go_on(&mut alone.source(), On::pool(&pool), &mut |_| {
                std::ops::ControlFlow::Continue(())
            })
            .unwrap();
        assert_eq!(class.search, search, "{}", class.class);
        assert_eq!(Some(class.best()), search.best());
    }
    let priors = found.classifier.priors();
    assert!(priors.iter().all(|prior| (prior - 1.0 / 3.0).abs() < 1e-12), "{priors:?}");
    let counts: usize = found.classes.iter().map(|c| c.best().criteria.unwrap().parameters).sum();
    assert_eq!(found.parameters, counts + 2);
}

#[test]
fn one_gaussian_a_class_is_quadratic_discriminant_analysis() {
    let found = found(&spec(&[1], &[Family::Vvv], 4), &iris()).unwrap();
    let plain = fit(&CovarianceSpec::qda(), &iris()).unwrap().classifier;
    let (a, b) = (posteriors(&found.classifier, &iris()), posteriors(&plain, &iris()));
    let apart = a.concat().iter().zip(b.concat()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart < 1e-9, "{apart}");
    assert!(found.classifier.is_one_each());
}

#[test]
fn a_class_may_ask_for_cells_of_its_own_and_priors_are_those_of_classes() {
    let mut spec = spec(&[1], &[Family::Vvv], 2);
    let cells = vec![Cell { components: 3, family: Family::Eei }];
    spec.own = vec![(Label::from("2"), cells)];
    spec.priors = Priors::Given(vec![0.7, 0.3]);
    let found = found(&spec, &banana(300, 1)).unwrap();
    assert_eq!(found.classifier.owner(), [0, 1, 1, 1]);
    let priors = found.classifier.priors();
    assert!((priors[0] - 0.7).abs() < 1e-12, "{priors:?}");
    assert!(!found.classifier.is_one_each());
    let refused = found.classifier.gaussians().unwrap_err();
    assert_eq!(refused, Error::NotOneEach { class: "2".into() });
    let lost = found.classifier.clone().with_priors(&Priors::Given(vec![1.0, 0.0])).unwrap_err();
    let said = "class '2' has 3 components, whose shares a prior of 0 would lose";
    assert_eq!(lost.to_string(), said);
    assert!(lost.hint().is_some());
    let alone = found.classifier.clone().with_priors(&Priors::Given(vec![0.0, 1.0])).unwrap();
    assert_eq!(alone.priors()[0], 0.0);
    let back = alone.with_priors(&Priors::Given(vec![0.7, 0.3])).unwrap();
    for (a, b) in
        back.mixture().unwrap().shares().iter().zip(found.classifier.mixture().unwrap().shares())
    {
        assert!((a - b).abs() < 1e-15, "{a} {b}");
    }
    let other = found.classifier.clone().with_priors(&Priors::Uniform).unwrap();
    assert!((other.priors()[0] - 0.5).abs() < 1e-12);
}

#[test]
fn what_cannot_be_is_refused_by_the_name_of_the_class() {
    let table = banana(20, 1);
    let refused = found(&spec(&[50], &[Family::Vvi], 2), &table).unwrap_err();
    assert!(matches!(&refused, Error::InClass { class, .. } if class == "1"), "{refused}");
    let refused = found(&spec(&[2], &[Family::Unit], 2), &table).unwrap_err();
    assert_eq!(refused.to_string(), "family unit takes no mixture per class");
    let mut other = spec(&[1], &[Family::Vvi], 2);
    other.own = vec![(Label::from("3"), other.search.cells.clone())];
    let refused = found(&other, &table).unwrap_err();
    assert!(matches!(refused, Error::UnknownClass { .. }), "{refused}");
    let mut noisy = spec(&[1], &[Family::Vvi], 2);
    noisy.search.spec.outliers = Outliers::Noise;
    let refused = found(&noisy, &table).unwrap_err();
    assert_eq!(refused, OutlierRefusal::PerClass.into());
    let mut codes = table.codes.clone().unwrap();
    codes[7] = NO_LABEL;
    let mut zero = spec(&[1], &[Family::Vvi], 2);
    zero.priors = Priors::Given(vec![1.0, 0.0]);
    let refused = found(&zero, &Table { codes: Some(codes), ..table.clone() }).unwrap_err();
    let said = "EM takes no prior of 0 for class '2', which rows are labelled with";
    assert_eq!(refused.to_string(), said);
    let none = Table { codes: Some(vec![NO_LABEL; 40]), ..table };
    let refused = found(&spec(&[1], &[Family::Vvi], 2), &none).unwrap_err();
    assert_eq!(refused, Error::NoLabels { rows: 40 });
}

/// A classifier of several components a class, and rows of several blocks that it draws.
#[test]
fn a_sample_of_mixtures_names_every_row_by_its_class_once() {
    let mut spec = spec(&[3], &[Family::Eei], 2);
    spec.priors = Priors::Given(vec![0.7, 0.3]);
    let classifier = found(&spec, &banana(300, 1)).unwrap().classifier;
    assert_eq!(classifier.owner(), [0, 0, 0, 1, 1, 1]);
    let rows = 20_000;
    let drawn = classifier.sample(rows, 1).unwrap().table().unwrap();
    assert_eq!(drawn.dictionary, classifier.classes());
    let second = drawn.codes.as_ref().unwrap().iter().filter(|code| **code == 1).count() as f64;
    assert!((second / rows as f64 - 0.3).abs() < 0.02, "{second}");
    let (pool, sweep) = (Pool::new(2).unwrap(), LabelSweep::new(Storage::Full));
    let mut source = classifier.sample(rows, 1).unwrap();
    let stat = run(&sweep, &mut source, On::pool(&pool)).unwrap();
    assert_eq!(stat.labels(), classifier.classes());
    assert_eq!(stat.moments().weight(), [rows as f64 - second, second]);
    let again =
        Classifier::fit(&CovarianceSpec::qda(), &Priors::Observed, stat, &["x".into(), "y".into()]);
    assert_eq!(again.unwrap().classifier.classes(), classifier.classes());
}

/// Labels for a few rows of the banana: mixtures are chosen by these, then all rows take part.
#[test]
fn rows_without_labels_join_a_mixture_per_class() {
    let (mut some, test) = (banana(2000, 1), banana(20_000, 2));
    for (i, code) in some.codes.as_mut().unwrap().iter_mut().enumerate() {
        if i % 40 > 1 {
            *code = NO_LABEL;
        }
    }
    let spec = spec(&[4], &[Family::Eev], 2);
    let with = found(&spec, &some).unwrap();
    let own: Vec<f64> = (0..4000)
        .filter(|i| i % 40 < 2)
        .flat_map(|i| some.values[2 * i..2 * i + 2].to_vec())
        .collect();
    let codes = Some((0..own.len() / 2).map(|i| (i % 2) as u32).collect());
    let alone = found(&spec, &Table { values: own, codes, ..some }).unwrap();
    let (alone, both) = (errors(&alone.classifier, &test), errors(&with.classifier, &test));
    println!("100 labels a class alone {alone:.4}, with 3,800 rows more {both:.4}");
    assert!(both < alone && both < 0.025, "{alone} {both}");
    let em = with.em.unwrap();
    assert!(em.state.converged() && em.first.is_none());
    assert_eq!((with.unlabelled_rows, with.labelled), (3800, 200.0));
    assert_eq!(with.parameters, em.state.parameters());
    assert_eq!(features(&test).len(), 2);
}

/// The whole search of both classes, and EM over all rows behind it.
struct PerClass;

impl PerClass {
    fn found_on<S: Source<Error = Error>>(source: &mut S, on: On<'_>) -> Mixtures {
        let mut spec = spec(&[1, 2], &[Family::Vvi, Family::Eee], 2);
        spec.search.runs = vec![(Start::KMeans, 0)];
        spec.search.spec.stop.max_iterations = 8;
        mixture_per_class(&spec, source, on).unwrap()
    }
}

impl Subject for PerClass {
    fn rows(&self) -> Table {
        let mut rows = mapped(&banana(6000, 1), |_, x| (1000.0 * x).round());
        for (i, code) in rows.codes.as_mut().unwrap().iter_mut().enumerate() {
            // No label in the first block, and none of the second class in what is left of it.
            if i < 8500 || (i < 9000 && *code == 1) || i % 5 == 0 {
                *code = NO_LABEL;
            }
        }
        rows
    }

    fn found<S: Source<Error = Error>>(&self, source: &mut S, on: On<'_>) -> Vec<f64> {
        let found = Self::found_on(source, on);
        let searched = found.classes.iter().flat_map(|class| class.search.entries());
        let mut all: Vec<f64> = searched.filter_map(|entry| entry.value(Criterion::Bic)).collect();
        all.extend(numbers(&found.em.unwrap().state));
        all
    }

    fn said(&self, rows: &Table, on: On<'_>) -> Vec<f64> {
        posteriors(&Self::found_on(&mut rows.source(), on).classifier, rows).concat()
    }

    fn merged(&self, parts: &[Table], on: On<'_>) -> Vec<f64> {
        let state = Self::found_on(&mut self.rows().source(), on).em.unwrap().state;
        numbers(&stepped(state, parts, on))
    }
}

laws!(per_class, PerClass);
