//! Checks that a model has the same bytes however its rows arrive.

use gaussbayes::{
    Amount, Classifier, CovarianceSpec, Density, On, OnSingular, Pool, Pooling, Ridge, Scaling,
    Shrinkage, Target, Training,
};
use gaussbayes_io::{Columns, Data, Kept, Model, Reading};

use super::{Folder, iris};

const ROWS: usize = 20_000;

/// Rows enough for three blocks, in three classes, with a weight.
fn table() -> String {
    let mut text = String::from("a,b,w,class\n");
    let mut state = 1_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1_u64 << 31) as f64
    };
    for i in 0..ROWS {
        let class = i % 3;
        let a = 1e6 + class as f64 + next() + next();
        let b = 1e-7 * (next() - next() * class as f64);
        text.push_str(&format!("{a},{b},{},k{class}\n", i % 5));
    }
    text
}

#[test]
fn threads_streams_and_batches_leave_the_same_bytes() {
    let folder = Folder::new("bytes");
    let text = table();
    folder.write("all.csv", &text);
    let (header, body) = text.split_once('\n').unwrap();
    let lines: Vec<&str> = body.lines().collect();
    let cuts = [0, 1, 50, 8191, 8192, 8193, 19_999, ROWS];
    for (number, pair) in cuts.windows(2).enumerate() {
        let batch = format!("{header}\n{}\n", lines[pair[0]..pair[1]].join("\n"));
        folder.write(&format!("batch{number}.csv"), batch);
    }
    for model in ["qda", "lda", "naive-bayes", "EII", "nearest-mean"] {
        let options = format!("--target class --weights w --model {model} -o");
        let fit = |threads: u32| {
            folder.run(&format!("fit all.csv {options} m.json --threads {threads}")).ok();
            folder.read("m.json")
        };
        let one = fit(1);
        assert!(one == fit(2) && one == fit(8), "{model}: threads");
        folder.run_with(&format!("fit - {options} s.json"), text.as_bytes()).ok();
        assert!(one == folder.read("s.json"), "{model}: standard input");
    }
    // A first batch must be fittable by itself: it needs rows of each class.
    for model in ["lda", "nearest-mean"] {
        let options = format!("--target class --weights w --model {model} -o");
        folder.run(&format!("fit all.csv {options} m.json")).ok();
        let first = format!("{header}\n{}\n", lines[..50].join("\n"));
        folder.write("first.csv", first);
        folder.run(&format!("fit first.csv {options} u.json")).ok();
        for number in 2..7 {
            folder.run(&format!("update u.json batch{number}.csv")).ok();
        }
        assert!(folder.read("m.json") == folder.read("u.json"), "{model}: batches");
    }
}

#[test]
fn rows_in_memory_leave_the_bytes_of_the_stream() {
    let folder = Folder::new("memory");
    folder.write("all.csv", table());
    folder.run("fit all.csv --target class --weights w --model lda -o m.json").ok();
    let columns =
        Columns { target: Some("class".into()), weights: Some("w".into()), ..Columns::default() };
    let path = folder.0.join("all.csv");
    let data = Data::open(&[path.to_str().unwrap()], &columns, &Reading::default(), 1).unwrap();
    let features = data.features().to_vec();
    let pool = Pool::new(2).unwrap();
    let rows = data.read(On::pool(&pool)).unwrap();
    let spec = CovarianceSpec::lda();
    let mut training = Training::new(spec.storage(), rows.dim);
    training.add(&mut rows.source(), On::pool(&pool)).unwrap();
    let priors = spec.default_priors();
    let fitted = Classifier::fit(&spec, &priors, training.stat().unwrap(), &features).unwrap();
    let model = Model {
        classifier: fitted.classifier,
        spec: spec.into(),
        priors,
        target: Some("class".into()),
        weights: Some("w".into()),
        training: Some(Kept::Gaussian(training)),
        known: false,
        note: None,
        clustering: None,
        by_em: None,
    };
    assert!(model.to_bytes().unwrap() == folder.read("m.json"));
    // What another face has noted is kept, until more rows make another model.
    let model = Model { note: Some("{\"scaler\": \"ü\"}".into()), ..model };
    folder.write("n.json", model.to_bytes().unwrap());
    assert_eq!(Model::from_bytes(&folder.read("n.json"), "n.json").unwrap().note, model.note);
    folder.run("update n.json all.csv").ok();
    let updated = Model::from_bytes(&folder.read("n.json"), "n.json").unwrap();
    assert_eq!(updated.note, None);
    // What no flag asks for is saved too.
    let asked = [
        CovarianceSpec { ridge: Ridge::OfWidest(1e-9), ..CovarianceSpec::naive_bayes() },
        CovarianceSpec { on_singular: OnSingular::Range { above: 0.25 }, ..CovarianceSpec::lda() },
    ];
    for spec in asked {
        let sealed = Model { spec: spec.into(), training: None, ..model.clone() };
        let read = Model::from_bytes(&sealed.to_bytes().unwrap(), "m.json").unwrap();
        assert_eq!(read, sealed);
    }
    let above = OnSingular::Range { above: 1.0 };
    let bad = CovarianceSpec { on_singular: above, ..CovarianceSpec::lda() };
    let bad = Model { spec: bad.into(), training: None, ..model.clone() };
    let error = Model::from_bytes(&bad.to_bytes().unwrap(), "m.json").unwrap_err();
    assert!(error.to_string().contains("threshold 1"), "{error}");
    assert_ne!(updated.classifier, model.classifier);
}

#[test]
fn iris_in_seven_batches() {
    let folder = Folder::new("batches");
    // Rows in an order that has every class in the first batch.
    let (header, body) = iris().split_once('\n').unwrap();
    let lines: Vec<&str> = body.lines().collect();
    let mixed: Vec<&str> = (0..150).map(|i| lines[i % 3 * 50 + i / 3]).collect();
    let text = |rows: &[&str]| format!("{header}\n{}\n", rows.join("\n"));
    folder.write("all.csv", text(&mixed));
    for model in ["qda", "lda", "naive-bayes", "diag-lda", "VII", "EII", "nearest-mean"] {
        folder.run(&format!("fit all.csv --target species --model {model} -o all.json")).ok();
        for (number, batch) in mixed.chunks(22).enumerate() {
            folder.write("batch.csv", text(batch));
            let command = if number == 0 {
                format!("fit batch.csv --target species --model {model} -o m.json")
            } else {
                "update m.json batch.csv".to_string()
            };
            folder.run(&command).ok();
        }
        assert!(folder.read("all.json") == folder.read("m.json"), "{model}");
    }
}

#[test]
fn a_model_that_is_loaded_is_the_one_that_was_saved() {
    let folder = Folder::new("round_trip");
    // Six equal classes: a sixth of one is not a fixed point of dividing by the sum.
    let rows: String =
        (0..60).map(|i| format!("{},{},k{}\n", i * i % 17, i * 5 % 23, i % 6)).collect();
    folder.write("d.csv", format!("x,y,c\n{rows}"));
    for model in ["qda", "EII", "nearest-mean"] {
        folder.run(&format!("fit d.csv --target c --model {model} -o m.json")).ok();
        let bytes = folder.read("m.json");
        let loaded = Model::from_bytes(&bytes, "m.json").unwrap();
        assert!(loaded.to_bytes().unwrap() == bytes, "{model}");
    }
}

#[test]
fn everything_that_a_specification_says_is_saved() {
    let folder = Folder::new("round_trip_options");
    let rows: String = (0..60)
        .map(|i| format!("{},{},{},k{}\n", i * i % 17, i * 5 % 23, i * i * i % 19, i % 3))
        .collect();
    folder.write("d.csv", format!("x,y,z,c\n{rows}"));
    let sum: String = (0..60)
        .map(|i| format!("{},{},{},k{}\n", i * i % 17, i * 5 % 23, i * i % 17 + i * 5 % 23, i % 3))
        .collect();
    folder.write("s.csv", format!("x,y,z,c\n{sum}"));
    let toward = |amount, target| Some(Shrinkage::Toward { amount, target });
    let (qda, lda) = (CovarianceSpec::qda, CovarianceSpec::lda);
    let cases = [
        ("d", "--model qda --ridge 0.01", CovarianceSpec { ridge: Ridge::OfEach(0.01), ..qda() }),
        ("d", "--model qda --ddof 1", CovarianceSpec { ddof: 1, ..qda() }),
        (
            "d",
            "--model lda --pooling average",
            CovarianceSpec { pooling: Pooling::Average, ..lda() },
        ),
        (
            "d",
            "--model qda --standardize",
            CovarianceSpec { scaling: Scaling::Standardized, ..qda() },
        ),
        (
            "d",
            "--model qda --shrinkage oas",
            CovarianceSpec { shrinkage: toward(Amount::Oas, Target::Diagonal), ..qda() },
        ),
        (
            "d",
            "--model qda --shrinkage auto",
            CovarianceSpec { shrinkage: toward(Amount::LedoitWolf, Target::Diagonal), ..qda() },
        ),
        (
            "d",
            "--model qda --shrinkage 0.3 --shrink-to shared",
            CovarianceSpec { shrinkage: toward(Amount::Fixed(0.3), Target::Shared), ..qda() },
        ),
        (
            "d",
            "--model qda --shrinkage 0.3 --shrink-to unit",
            CovarianceSpec { shrinkage: toward(Amount::Fixed(0.3), Target::Unit), ..qda() },
        ),
        ("d", "--rda 0.25,0.5", CovarianceSpec::rda(0.25, 0.5)),
        (
            "d",
            "--model qda --density predictive",
            CovarianceSpec { density: Density::Predictive, ..qda() },
        ),
        (
            "d",
            "--model qda --density debiased",
            CovarianceSpec { density: Density::Debiased, ..qda() },
        ),
        (
            "s",
            "--model qda --on-singular range",
            CovarianceSpec { on_singular: OnSingular::RANGE, ..qda() },
        ),
    ];
    for (file, flags, spec) in cases {
        folder.run(&format!("fit {file}.csv --target c {flags} -o m.json")).ok();
        let bytes = folder.read("m.json");
        let loaded = Model::from_bytes(&bytes, "m.json").unwrap();
        assert_eq!(loaded.spec, spec.clone().into(), "{flags}");
        assert!(loaded.to_bytes().unwrap() == bytes, "{flags}");
        // The model in the file is the one that was fitted.
        let columns = Columns { target: Some("c".into()), ..Columns::default() };
        let data = Data::open(
            &[folder.0.join(format!("{file}.csv")).to_str().unwrap()],
            &columns,
            &Reading::default(),
            1,
        )
        .unwrap();
        let (features, pool) = (data.features().to_vec(), Pool::new(1).unwrap());
        let table = data.read(On::pool(&pool)).unwrap();
        let sweep = gaussbayes::LabelSweep::new(spec.storage());
        let (source, on) = (&mut table.source(), On::pool(&pool));
        let stat =
            gaussbayes::run(&sweep, source, on).unwrap().completed(&spec, source, on).unwrap();
        let fitted = Classifier::fit(&spec, &spec.default_priors(), stat, &features).unwrap();
        assert_eq!(loaded.classifier.model(), fitted.classifier.model(), "{flags}");
    }
}
