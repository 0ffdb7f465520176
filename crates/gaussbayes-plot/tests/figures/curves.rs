//! Draws densities, curves, matrices and the steps of EM as they were drawn before.

use gaussbayes::{
    Cell, Classifier, CovarianceSpec, Criterion, CurvePoint, EmSpec, EmState, Error, ErrorCurve,
    Family, Figure, Freedom, Gaussian, JudgeSweep, Loss, Mixture, On, Outliers, Parameters, Pool,
    Roc, Sampled, ScoreSweep, Search, SearchSpec, Start, Starts, Table, blobs, run,
};
use gaussbayes_plot::{
    Along, EmLook, ErrorLook, Over, RocLook, bic, confusion, cost_curve, densities, em, em_states,
    error_curve, gaussian, influence, linear_rule, normal, outlier, ranking, roc, scaling, simplex,
};

use crate::snapshots::snapshot;

pub(crate) fn figure(name: &str) -> Classifier {
    Figure::named(name).unwrap().parameters().classifier().unwrap()
}

pub(crate) fn rows(rule: &Classifier, count: u64) -> Table {
    rule.sample(count, 1).unwrap().table().unwrap()
}

pub(crate) fn with_pool<T>(work: impl FnOnce(On<'_>) -> T) -> T {
    let pool = Pool::new(1).unwrap();
    work(On::pool(&pool))
}

pub(crate) fn names(all: &[&str]) -> Vec<String> {
    all.iter().map(ToString::to_string).collect()
}

/// Three classes along one column, one of them wide.
pub(crate) fn three() -> Classifier {
    Parameters {
        classes: vec!["setosa".into(), "versicolor".into(), "virginica".into()],
        features: vec!["petal length".into()],
        priors: Some(vec![0.3, 0.3, 0.4]),
        means: vec![vec![1.5], vec![4.3], vec![5.5]],
        covariances: vec![vec![vec![0.09]], vec![vec![0.22]], vec![vec![0.3]]],
        costs: None,
    }
    .classifier()
    .unwrap()
}

/// Two classes with names that no file should trip over.
pub(crate) fn two_names() -> Parameters {
    Parameters {
        classes: vec!["a<b & \"c\"".into(), "שלום".into()],
        features: vec!["<x> & \"y\"".into()],
        priors: Some(vec![0.8, 0.2]),
        means: vec![vec![0.0], vec![1.0]],
        covariances: vec![vec![vec![1.0]], vec![vec![0.2]]],
        costs: None,
    }
}

#[test]
fn densities_look_as_they_did() {
    snapshot("densities-modem", &densities(&figure("modem"), None, Along::default()).unwrap());
    let rule = three();
    let table = rows(&rule, 60);
    snapshot("densities-three", &densities(&rule, Some(&table), Along::default()).unwrap());
    let reject = figure("modem").with_loss(Loss::zero_one(2).with_reject(0.25).unwrap()).unwrap();
    snapshot("densities-reject", &densities(&reject, None, Along::default()).unwrap());
    let rule = figure("equal-covariance");
    let table = rows(&rule, 80);
    let costs = Parameters { costs: Some(vec![vec![0.0, 1.0], vec![10.0, 0.0]]), ..two_names() };
    let costly = densities(&costs.classifier().unwrap(), None, Along::default()).unwrap();
    snapshot("densities-costs", &costly);
    snapshot("densities-direction", &densities(&rule, Some(&table), Along::Direction).unwrap());
    snapshot("normal", &normal(&Gaussian::new(vec![0.0], vec![1.0]).unwrap(), "x").unwrap());
}

#[test]
fn gaussians_look_as_they_did() {
    let bell = |r: f64| Gaussian::new(vec![0.0, 0.0], vec![1.0, r, 1.0]).unwrap();
    snapshot("gaussian", &gaussian(&[bell(0.8), bell(-0.8), bell(0.0)], ["x", "y"]).unwrap());
}

pub(crate) fn curves() -> Vec<(String, Roc)> {
    let held = |name: &str| {
        let rule = figure(name);
        let table = rows(&rule, 120);
        let held = with_pool(|on| run(&ScoreSweep(&rule), &mut table.source(), on)).unwrap();
        (name.to_owned(), held.roc(1).unwrap())
    };
    vec![held("spherical"), held("modem")]
}

#[test]
fn operating_curves_look_as_they_did() {
    let curves = curves();
    snapshot("roc", &roc(&curves, &RocLook { hull: true, ..RocLook::default() }).unwrap());
    let costs: Vec<_> = curves.iter().map(|(name, roc)| (name.clone(), roc.cost_curve())).collect();
    snapshot("cost-curve", &cost_curve(&costs[1..]).unwrap());
    snapshot("cost-curves", &cost_curve(&costs).unwrap());
}

pub(crate) fn errors() -> ErrorCurve {
    let at = vec![10, 20, 40, 80, 160, 320];
    let points = |means: [f64; 6]| {
        let point = |mean: f64| CurvePoint { mean, standard_error: 0.1 * mean, folds: vec![] };
        means.map(|mean| Ok(point(mean))).to_vec()
    };
    let mut qda = points([0.5, 0.24, 0.14, 0.1, 0.085, 0.08]);
    qda[0] = Err(Error::NoRows);
    ErrorCurve { at, points: vec![points([0.2, 0.15, 0.13, 0.125, 0.12, 0.12]), qda] }
}

#[test]
fn error_curves_look_as_they_did() {
    let look =
        ErrorLook { known: vec![("best rule".into(), vec![0.07; 6])], ..ErrorLook::default() };
    snapshot("learning-curve", &error_curve(&errors(), &names(&["lda", "qda"]), &look).unwrap());
    let mut few = errors();
    few.at = vec![1, 2, 3, 4, 5, 6];
    let look = ErrorLook { over: Over::Columns, ..ErrorLook::default() };
    snapshot("feature-curve", &error_curve(&few, &names(&["lda", "qda"]), &look).unwrap());
}

pub(crate) fn judged(rule: &Classifier, count: u64) -> gaussbayes::Judgement {
    let table = rows(rule, count);
    with_pool(|on| run(&JudgeSweep(rule), &mut table.source(), on)).unwrap()
}

#[test]
fn confusion_looks_as_it_did() {
    snapshot("confusion", &confusion(&judged(&three(), 300)).unwrap());
    let many = blobs(50, 2, 1.5, 3).classifier().unwrap();
    snapshot("confusion-many", &confusion(&judged(&many, 3000)).unwrap());
}

pub(crate) fn faithful() -> (Classifier, Table) {
    let rule = Parameters {
        classes: vec!["short".into(), "long".into()],
        features: vec!["eruption".into(), "waiting".into()],
        priors: Some(vec![0.36, 0.64]),
        means: vec![vec![2.0, 54.5], vec![4.3, 80.0]],
        covariances: vec![
            vec![vec![0.07, 0.44], vec![0.44, 33.7]],
            vec![vec![0.17, 0.94], vec![0.94, 36.0]],
        ],
        costs: None,
    };
    let rule = rule.classifier().unwrap();
    let table = rows(&rule, 120);
    (rule, table)
}

pub(crate) fn plain(rows: &Table) -> Table {
    Table { codes: None, dictionary: Vec::new(), ..rows.clone() }
}

#[test]
fn criteria_look_as_they_did() {
    let table = plain(&faithful().1);
    let families = [Family::Eii, Family::Vvi, Family::Eee, Family::Vvv];
    let spec = SearchSpec {
        cells: (1..=5)
            .flat_map(|components| families.map(|family| Cell { components, family }))
            .collect(),
        spec: EmSpec::from(Family::Eee),
        runs: Start::usual(1),
        seed: 1,
        criterion: Criterion::Bic,
        features: Vec::new(),
    };
    let search = with_pool(|on| Search::begin(&spec, &mut table.source(), on)).unwrap();
    let picture = bic(search.entries(), Criterion::Bic).unwrap();
    snapshot("bic", &picture);
    let best = search.best().unwrap().cell;
    assert!(picture.description.contains(best.family.name()), "{}", picture.description);
}

pub(crate) fn started(table: &Table, spec: &EmSpec, components: usize, start: Start) -> EmState {
    with_pool(|on| {
        let sampled = Sampled::draw(&mut table.source(), table.rows(), 1, on)?;
        Starts::of(spec, &sampled, 1, &mut table.source(), on)?
            .begin(spec, components, start, 3, on)
    })
    .unwrap()
}

#[test]
fn em_looks_as_it_did() {
    let table = plain(&faithful().1);
    let means = [vec![2.5, 85.0], vec![4.0, 50.0]];
    let first = Mixture::given(&means, &[vec![0.5, 0.0, 60.0]], vec![0.5, 0.5]).unwrap();
    let start = EmState::new(EmSpec::from(Family::Vvv), first).unwrap();
    let states = with_pool(|on| em_states(&start, &table, &[0, 1, 2, 5, 8], on)).unwrap();
    let features = names(&["eruption", "waiting"]);
    let picture = em(&states, &table, &features, &EmLook::default()).unwrap();
    snapshot("em", &picture);
    let frames = EmLook { frames: true, ..EmLook::default() };
    snapshot("em-frames", &em(&states, &table, &features, &frames).unwrap());
}

#[test]
fn simplices_look_as_they_did() {
    let rule = figure("lda-full");
    snapshot("simplex", &simplex(&rule, &rows(&rule, 150), None).unwrap());
    snapshot(
        "simplex-two",
        &simplex(&figure("modem"), &rows(&figure("modem"), 100), None).unwrap(),
    );
}

#[test]
fn linear_rules_look_as_they_did() {
    let rule = figure("equal-covariance");
    snapshot("linear-rule", &linear_rule(&rule, Some(&rows(&rule, 24))).unwrap());
}

/// Two classes that only the first column tells apart, beside a column of larger numbers.
pub(crate) fn units() -> Table {
    let rule = Parameters {
        classes: vec!["a".into(), "b".into()],
        features: vec!["height (m)".into(), "weight (g)".into()],
        priors: None,
        means: vec![vec![1.0, 1000.0], vec![2.0, 1100.0]],
        covariances: vec![vec![vec![0.04, 0.0], vec![0.0, 90_000.0]]],
        costs: None,
    };
    rows(&rule.classifier().unwrap(), 80)
}

#[test]
fn scaling_looks_as_it_did() {
    snapshot("scaling", &scaling(&units(), &names(&["height (m)", "weight (g)"])).unwrap());
}

#[test]
fn outliers_look_as_they_did() {
    let rule = figure("equal-covariance");
    let table = rows(&rule, 40);
    let features = names(&["x", "y"]);
    let spec = CovarianceSpec::qda();
    snapshot("outlier", &outlier(&spec, &table, &features, 0, [9.0, -4.0]).unwrap());
    let table = plain(&table);
    let ways = [
        ("Gaussian", Outliers::Ignored),
        ("noise", Outliers::Noise),
        ("Student", Outliers::Student(Freedom::Fixed(3.0))),
    ];
    let states: Vec<(String, EmState)> = ways
        .into_iter()
        .map(|(name, outliers)| {
            let spec = EmSpec { outliers, ..EmSpec::from(Family::Vvv) };
            (name.to_owned(), started(&table, &spec, 1, Start::Random))
        })
        .collect();
    let distances: Vec<f64> = (0..=10).map(|i| 2.0 * f64::from(i)).collect();
    let picture = with_pool(|on| influence(&states, &table, 0, &distances, on)).unwrap();
    snapshot("influence", &picture);
}

#[test]
fn a_ranking_looks_as_it_did() {
    let entry = |name: &str, errors: f64| {
        (name.to_owned(), errors / 150.0, gaussbayes::wilson(errors, 150.0))
    };
    let entries = [entry("lda", 3.0), entry("qda", 4.0), entry("nearest-mean", 12.0)];
    snapshot("ranking", &ranking(&entries).unwrap());
    assert!(ranking(&[]).is_err() && ranking(&[("a".into(), f64::NAN, (0.0, 1.0))]).is_err());
}
