//! Saves searches and mixtures between passes, and reads them back to the last bit.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::ops::ControlFlow;
use std::path::PathBuf;

use gaussbayes::{
    Cell, Classifier, Criterion, EmSpec, EmState, Family, Freedom, Frozen, Label, Loss, On,
    Outliers, Pool, Search, SearchSpec, Start, Stop,
};
use gaussbayes_io::{Checkpoint, Clustering, Columns, Data, Error, Held, Model, Reading, Settings};

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn settings(seed: u64) -> Settings {
    vec![("--seed".into(), seed.to_string()), ("rows".into(), "272".into())]
}

fn rows(pool: &Pool) -> Held {
    let data = Data::open(&["faithful"], &Columns::default(), &Reading::default(), 1).unwrap();
    Held::read(data, On::pool(pool)).unwrap()
}

/// A search of three families, one of which cannot be started.
fn search(pool: &Pool) -> Search {
    search_beside(Outliers::Ignored, pool)
}

fn search_beside(outliers: Outliers, pool: &Pool) -> Search {
    let cells = [(2, Family::Vvv), (3, Family::Eee), (300, Family::Vvi)];
    let spec = SearchSpec {
        cells: cells.map(|(components, family)| Cell { components, family }).to_vec(),
        spec: EmSpec { outliers, ..EmSpec::from(Family::Vvv) },
        runs: vec![(Start::KMeans, 0), (Start::Random, 1)],
        seed: 1,
        criterion: Criterion::Icl,
        features: Vec::new(),
    };
    Search::begin(&spec, &mut rows(pool), On::pool(pool)).unwrap()
}

#[test]
fn a_search_is_read_back_to_the_last_bit() {
    let pool = Pool::new(1).unwrap();
    let (search, trace, file) = (search(&pool), Vec::new(), path("search.json"));
    assert!(search.entries().iter().any(|entry| entry.refused.is_some()));
    let kept = Checkpoint { settings: settings(1), search, trace };
    kept.save(&file).unwrap();
    let read = Checkpoint::load(&file, &settings(1)).unwrap().unwrap();
    assert!(read == kept);
    assert_eq!(Checkpoint::load(&path("none.json"), &settings(1)).unwrap(), None);
    let error = Checkpoint::load(&file, &settings(2)).unwrap_err();
    assert!(error.to_string().ends_with("search.json is of another run: --seed was 1 and is 2"));
    let bytes = std::fs::read(&file).unwrap();
    let flipped = String::from_utf8(bytes).unwrap().replacen("0.5", "0.4", 1);
    std::fs::write(&file, flipped).unwrap();
    let error = Checkpoint::load(&file, &settings(1)).unwrap_err();
    assert!(
        matches!(&error, Error::BadCheckpoint { why, .. } if why.contains("checksum")),
        "{error}"
    );
}

#[test]
fn em_goes_on_from_a_file_as_if_nothing_had_been() {
    let pool = Pool::new(1).unwrap();
    let tails = [Freedom::Fixed(4.0), Freedom::Common, Freedom::Each].map(Outliers::Student);
    for outliers in [Outliers::Ignored, Outliers::Noise].into_iter().chain(tails) {
        goes_on(outliers, &pool);
    }
}

fn goes_on(outliers: Outliers, pool: &Pool) {
    let mut rows = rows(pool);
    let start = search_beside(outliers, pool).entries()[1].state.clone().unwrap();
    let mut spec = start.spec().clone();
    spec.stop = Stop { tolerance: 0.0, max_iterations: 12, ..spec.stop };
    let begun = || EmState::new(spec.clone(), start.mixture().clone()).unwrap();
    let mut whole = Search::given(vec![begun()], Criterion::Bic);
    whole.go_on(&mut rows, On::pool(pool), &mut |_| ControlFlow::Continue(())).unwrap();
    for cut in 1..5 {
        let mut first = Search::given(vec![begun()], Criterion::Bic);
        let mut passes = 0;
        let mut until = |_: &Search| {
            passes += 1;
            if passes == cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        first.go_on(&mut rows, On::pool(pool), &mut until).unwrap();
        let file = path("half.json");
        let kept = Checkpoint { settings: settings(1), search: first, trace: Vec::new() };
        kept.save(&file).unwrap();
        let mut read = Checkpoint::load(&file, &settings(1)).unwrap().unwrap().search;
        read.go_on(&mut rows, On::pool(pool), &mut |_| ControlFlow::Continue(())).unwrap();
        assert!(read == whole, "after {cut} passes beside {outliers:?}");
    }
}

#[test]
fn a_model_file_keeps_how_its_mixture_was_found() {
    let pool = Pool::new(1).unwrap();
    let state = search(&pool).entries()[0].state.clone().unwrap();
    let classes = ["1", "2"].map(Label::from).to_vec();
    let features = ["eruptions", "waiting"].map(String::from).to_vec();
    let mixture = state.mixture().clone();
    let classifier = Classifier::new(mixture, classes, features, Loss::zero_one(2)).unwrap();
    let found = Clustering {
        rows: 272,
        weight: 272.0,
        log_likelihood: -1130.26,
        parameters: 11,
        bic: 2322.19,
        aic: 2282.5,
        icl: None,
        entropy: Some(0.1 + 0.2),
        iterations: state.iteration(),
        converged: true,
        stop: state.spec().stop,
        outliers: gaussbayes::Outliers::Student(gaussbayes::Freedom::Common),
        frozen: Frozen { means: vec![false, true], covariances: vec![] },
        start: "kmeans".into(),
        lifted: vec![1],
        restarts: vec![-1130.26, -1140.07],
        within: Some(0.1 + 0.7),
        named: true,
    };
    let model = Model {
        classifier,
        spec: state.spec().covariance.clone().into(),
        priors: state.spec().priors.clone(),
        target: None,
        weights: None,
        training: None,
        known: false,
        note: None,
        clustering: Some(found.clone()),
        by_em: None,
    };
    let bytes = model.to_bytes().unwrap();
    assert!(Model::from_bytes(&bytes, "m.json").unwrap() == model);
    let plain = Model { clustering: None, ..model.clone() }.to_bytes().unwrap();
    assert!(!String::from_utf8(plain).unwrap().contains("clustering"));
    // A file that says nothing of names has numbers.
    let numbered = Clustering { named: false, ..found.clone() };
    let numbered = Model { clustering: Some(numbered), ..model.clone() };
    let bytes = numbered.to_bytes().unwrap();
    assert!(!String::from_utf8(bytes.clone()).unwrap().contains("named"));
    assert!(Model::from_bytes(&bytes, "m.json").unwrap() == numbered);
    assert_ne!(model.fingerprint().unwrap(), numbered.fingerprint().unwrap());
    // Nor is there a word of what stayed, where nothing did.
    let free = Clustering { frozen: Frozen::default(), ..found.clone() };
    let free = Model { clustering: Some(free), ..model.clone() }.to_bytes().unwrap();
    assert!(!String::from_utf8(free).unwrap().contains("frozen"));
    // What a file holds goes under its own key.
    let other = String::from_utf8(bytes).unwrap().replacen("\"model\":", "\"search\":", 1);
    let error = Model::from_bytes(other.as_bytes(), "m.json").unwrap_err();
    assert!(error.to_string().contains("missing field `model`"), "{error}");
    let many = Frozen { means: vec![], covariances: vec![true; 3] };
    let frozen = Clustering { frozen: many, ..found.clone() };
    for wrong in [Clustering { lifted: vec![2], ..found }, frozen] {
        let bytes = Model { clustering: Some(wrong), ..model.clone() }.to_bytes().unwrap();
        assert!(matches!(Model::from_bytes(&bytes, "m.json"), Err(Error::BadModel { .. })));
    }
}
