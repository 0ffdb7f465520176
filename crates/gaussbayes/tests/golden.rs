//! Holds the library to numbers that other tools computed: testdata/golden, [M5] to [M16].

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use gaussbayes::{
    Action, Classifier, CovarianceSpec, Error, Label, Loss, Mixture, Pooling, Priors, Score,
    Shrinkage, Table, Target, leave_one_out,
};
use serde_json::Value;
use support::{faithful, features, fit_with, iris, labels, models, stat, table, wine};

fn cases(file: &str) -> Vec<Value> {
    let path = format!("{}/../../testdata/golden/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let file: Value = serde_json::from_str(&text).unwrap();
    file["cases"].as_array().unwrap().clone()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn rows(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(numbers).collect()
}

fn words(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|x| x.as_str().unwrap().into()).collect()
}

struct Case {
    json: Value,
    name: String,
    tolerance: f64,
}

impl Case {
    fn new(json: Value) -> Self {
        let name = json["name"].as_str().unwrap().to_string();
        let tolerance = json["tolerance"].as_f64().unwrap();
        Self { json, name, tolerance }
    }

    fn close(&self, what: &str, found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len(), "{}: {what}", self.name);
        for (at, (a, b)) in found.iter().zip(expected).enumerate() {
            let off = (a - b).abs();
            assert!(
                off <= self.tolerance * (1.0 + b.abs()),
                "{}: {what}[{at}] is {a:e}, not {b:e}",
                self.name
            );
        }
    }

    fn table(&self) -> Table {
        let data = &self.json["data"];
        let mut table = match data.as_str() {
            Some("iris") => iris(),
            Some("wine") => wine(),
            Some("faithful") => faithful(false),
            Some("faithful-split") => faithful(true),
            _ => {
                let labels = words(&data["labels"]);
                let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
                table(&rows(&data["rows"]), &labels)
            }
        };
        if !self.json["weights"].is_null() {
            table.weights = Some(numbers(&self.json["weights"]));
        }
        table
    }

    fn spec(&self) -> (CovarianceSpec, Priors) {
        let model = self.json["model"].as_str().unwrap();
        let mut spec = models().into_iter().find(|(name, _)| *name == model).unwrap().1;
        spec.ddof = self.json["ddof"].as_u64().unwrap() as u32;
        spec.pooling = match self.json["pooling"].as_str() {
            Some("average") => Pooling::Average,
            Some("priors") => Pooling::Priors,
            _ => Pooling::Size,
        };
        spec.shrinkage = self.json["shrinkage"].as_f64().map(|amount| Shrinkage {
            amount,
            target: match self.json["shrink_to"].as_str() {
                Some("diagonal") => Target::Diagonal,
                Some("shared") => Target::Shared,
                _ => Target::Spherical,
            },
        });
        let priors = match &self.json["priors"] {
            Value::Array(_) => Priors::Given(numbers(&self.json["priors"])),
            Value::String(word) if word == "uniform" => Priors::Uniform,
            _ => Priors::Observed,
        };
        (spec, priors)
    }

    /// Rows whose answers are listed: some, or all.
    fn listed(&self, table: &Table) -> Vec<usize> {
        match &self.json["rows"] {
            Value::Null => (0..table.rows()).collect(),
            list => numbers(list).iter().map(|&row| row as usize - 1).collect(),
        }
    }

    fn check_model(&self, mixture: &Mixture) {
        if !self.json["means"].is_null() {
            for (k, mean) in rows(&self.json["means"]).iter().enumerate() {
                self.close("mean", &mixture.raw_mean(k), mean);
            }
        }
        let Some(covariances) = self.json["covariances"].as_array() else { return };
        let shared = covariances[0][0].is_number();
        for k in 0..mixture.components() {
            let matrix =
                rows(covariances.get(k).filter(|_| !shared).unwrap_or(&self.json["covariances"]));
            let lower: Vec<f64> =
                matrix.iter().enumerate().flat_map(|(i, row)| row[..=i].to_vec()).collect();
            self.close("covariance", &mixture.raw_covariance(k), &lower);
        }
    }

    fn check_rows(&self, classifier: &Classifier, table: &Table, listed: &[usize]) {
        let block = table.block(0..table.rows()).unwrap();
        let posterior = classifier.predict(&block).unwrap().posterior;
        let distances = classifier.model().mahalanobis_sq(&block).unwrap();
        let classes = posterior.classes();
        for (at, &i) in listed.iter().enumerate() {
            let found: Vec<f64> = posterior.probs(i).collect();
            if let Some(expected) = self.json["posterior"].get(at) {
                self.close("posterior", &found, &numbers(expected));
            }
            if let Some(expected) = self.json["log_posterior"].get(at) {
                let logs: Vec<f64> = (0..classes).map(|k| posterior.log_prob(i, k)).collect();
                self.close("log posterior", &logs, &numbers(expected));
            }
            if let Some(expected) = self.json["log_evidence"].get(at) {
                let expected = expected.as_f64().unwrap();
                self.close("log evidence", &[posterior.log_evidence(i)], &[expected]);
            }
            if let Some(expected) = self.json["mahalanobis_sq"].get(at) {
                let found = &distances[i * classes..(i + 1) * classes];
                self.close("mahalanobis", found, &numbers(expected));
            }
        }
    }

    fn check_errors(&self, classifier: &Classifier, table: &Table) {
        let Some(expected) = self.json["errors"].as_u64() else { return };
        let wrong = labels(classifier, table)
            .iter()
            .enumerate()
            .filter(|(i, label)| {
                *label != table.block(*i..i + 1).unwrap().label(0).unwrap().as_str()
            })
            .count();
        assert_eq!(wrong as u64, expected, "{}: training errors", self.name);
    }

    fn check_leave_one_out(&self, spec: &CovarianceSpec, priors: &Priors, table: &Table) {
        let Some(expected) = self.json["loo_errors"].as_u64() else { return };
        if table.weights.is_some() {
            return;
        }
        let fixed = self.json["loo_priors"] == "fixed";
        let priors = if fixed {
            let (_, moments) = stat(spec, table).unwrap().sorted();
            Priors::Given(priors.resolve(moments.weight()).unwrap())
        } else {
            priors.clone()
        };
        let judged = leave_one_out(spec, &priors, &features(table), None, table).unwrap();
        assert_eq!(judged.errors(), expected as f64, "{}: leave-one-out errors", self.name);
        assert_eq!(judged.n(), table.rows() as f64);
    }

    fn check(&self) {
        let table = self.table();
        let (spec, priors) = self.spec();
        if let Some(singular) = self.json["singular"].as_array() {
            let error = fit_with(&spec, &priors, &table).unwrap_err();
            let Error::Singular(deficient) = &error else { panic!("{}: {error}", self.name) };
            for (found, expected) in deficient.iter().zip(singular) {
                assert_eq!(found.class.as_deref(), expected["class"].as_str());
                assert_eq!(found.rank as u64, expected["rank"].as_u64().unwrap());
                let features: Vec<f64> = found.constant.iter().map(|j| *j as f64 + 1.0).collect();
                assert_eq!(features, numbers(&expected["features"]));
            }
            assert_eq!(deficient.len(), singular.len());
            return;
        }
        let (_, moments) = stat(&spec, &table).unwrap().sorted();
        let estimate = spec.estimate(&moments, &priors).unwrap();
        self.check_model(&estimate.mixture);
        if moments.components() == 1 {
            return;
        }
        let classifier = fit_with(&spec, &priors, &table).unwrap().classifier;
        self.check_rows(&classifier, &table, &self.listed(&table));
        self.check_errors(&classifier, &table);
        self.check_leave_one_out(&spec, &priors, &table);
        let discriminant = &self.json["discriminant"];
        if !discriminant.is_null() {
            let scores = classifier.model().quadratics().unwrap();
            let of = |at: usize| {
                let name = Label::from(discriminant["classes"][at].as_str().unwrap());
                classifier.class(&name).unwrap()
            };
            let pair = scores[of(0)].minus(&scores[of(1)]).raw();
            self.close("w", &pair.linear, &numbers(&discriminant["linear"]));
            self.close("w0", &[pair.constant], &[discriminant["constant"].as_f64().unwrap()]);
        }
    }
}

fn check_files(files: &[&str]) {
    for file in files {
        let cases = cases(file);
        assert!(!cases.is_empty());
        cases.into_iter().for_each(|json| Case::new(json).check());
    }
}

#[test]
fn exact_answers_on_iris() {
    check_files(&["exact_iris", "exact_iris_options"]);
}

#[test]
fn exact_answers_on_wine() {
    check_files(&["exact_wine", "exact_wine_options"]);
}

#[test]
fn exact_answers_on_faithful() {
    check_files(&["exact_faithful", "exact_faithful_options"]);
}

#[test]
fn exact_answers_on_hard_cases() {
    check_files(&["exact_hard"]);
}

#[test]
fn answers_of_scikit_learn_1_9_1() {
    check_files(&["sklearn_iris_lda", "sklearn_iris_qda", "sklearn_iris_naive_bayes"]);
    check_files(&["sklearn_wine_lda", "sklearn_wine_qda", "sklearn_wine_naive_bayes"]);
}

#[test]
fn answers_of_r() {
    check_files(&["mass_iris", "mass_wine", "mass_faithful", "covwt_faithful"]);
}

fn given(parameters: &Value) -> Classifier {
    let means = rows(&parameters["means"]);
    let lower = |matrix: &Value| -> Vec<f64> {
        let matrix = rows(matrix);
        matrix.iter().enumerate().flat_map(|(i, row)| row[..=i].to_vec()).collect()
    };
    let covariances: Vec<Vec<f64>> =
        parameters["covariances"].as_array().unwrap().iter().map(lower).collect();
    let mixture = Mixture::given(&means, &covariances, numbers(&parameters["priors"])).unwrap();
    let classes: Vec<Label> = words(&parameters["classes"]).into_iter().map(Label::from).collect();
    let names = (0..means[0].len()).map(|j| format!("x{j}")).collect();
    let loss = Loss::zero_one(classes.len());
    Classifier::new(mixture, classes, names, loss).unwrap()
}

#[test]
fn textbook_examples_with_given_parameters() {
    for json in cases("exact_textbook") {
        let case = Case::new(json);
        let mut classifier = given(&case.json["parameters"]);
        if !case.json["loss"].is_null() {
            let costs = rows(&case.json["loss"]).concat();
            let actions = (0..classifier.classes().len()).map(Action::Class).collect();
            let loss = Loss::new(classifier.classes().len(), actions, costs).unwrap();
            classifier = classifier.with_loss(loss).unwrap();
        }
        let query = rows(&case.json["query"]);
        let names: Vec<&str> = query.iter().map(|_| "?").collect();
        let table = table(&query, &names);
        let all: Vec<usize> = (0..table.rows()).collect();
        case.check_rows(&classifier, &table, &all);
        let expected = if case.json["actions"].is_null() { "labels" } else { "actions" };
        assert_eq!(labels(&classifier, &table), words(&case.json[expected]), "{}", case.name);
    }
}

/// Relative distance of a number from one that is known.
fn off(found: f64, known: f64) -> f64 {
    ((found - known) / known).abs()
}

#[test]
fn distances_between_the_species_of_iris() {
    // Pooled covariance, n − g; verified with R's MASS and exact rationals.
    let spec = CovarianceSpec { ddof: 1, ..CovarianceSpec::lda() };
    let classifier = fit_with(&spec, &Priors::Observed, &iris()).unwrap().classifier;
    let model = classifier.model();
    let means: Vec<f64> = (0..3).flat_map(|k| model.raw_mean(k)).collect();
    let distances = model
        .mahalanobis_sq(&Table { dim: 4, values: means, ..Table::default() }.into_block(0).unwrap())
        .unwrap();
    for (i, j, known) in [
        (0, 1, 89.864_185_582_073_9),
        (0, 2, 179.384_712_514_277_75),
        (1, 2, 17.201_066_428_395_95),
    ] {
        assert!(off(distances[3 * i + j], known) < 1e-12, "{i} {j}: {}", distances[3 * i + j]);
    }
}

#[test]
fn the_parabola_of_duda_hart_and_stork() {
    // m = (3, 6), (3, −2), Σ = diag(½, 2), 2I: x₂ = 3.5142… − 1.125 x₁ + 0.1875 x₁².
    let means = [vec![3.0, 6.0], vec![3.0, -2.0]];
    let covariances = [vec![0.5, 0.0, 2.0], vec![2.0, 0.0, 2.0]];
    let mixture = Mixture::given(&means, &covariances, vec![0.5, 0.5]).unwrap();
    let scores = mixture.quadratics().unwrap();
    let g = scores[0].minus(&scores[1]).raw();
    assert!(g.quadratic[1].abs() < 1e-14 && g.quadratic[2].abs() < 1e-14, "{:?}", g.quadratic);
    let x2 = |coefficient: f64| -coefficient / g.linear[1];
    assert!(off(x2(g.constant), 3.514_213_204_860_013_7) < 1e-13);
    assert!(off(x2(g.linear[0]), -1.125) < 1e-13);
    assert!(off(x2(g.quadratic[0]), 0.1875) < 1e-13);
}

#[test]
fn thresholds_of_theodoridis_and_koutroumbas() {
    // N(0, ½), N(1, ½), equal priors: ½; with losses ½ and 1: (1 − ln 2)/2.
    let means = [vec![0.0], vec![1.0]];
    let mixture = Mixture::given(&means, &[vec![0.5]], vec![0.5, 0.5]).unwrap();
    let scores = mixture.quadratics().unwrap();
    let ratio = scores[0].minus(&scores[1]).raw();
    let actions = vec![Action::Class(0), Action::Class(1)];
    let costly = Loss::new(2, actions, vec![0.0, 0.5, 1.0, 0.0]).unwrap();
    for (loss, known) in [(Loss::zero_one(2), 0.5), (costly, 0.153_426_409_720_027_35)] {
        let threshold = loss.threshold(mixture.weights()).unwrap();
        let x = (threshold.ln() - ratio.constant) / ratio.linear[0];
        assert!(off(x, known) < 1e-14, "{x}");
    }
}
