//! Reads one case of a golden file and holds the library to it.

use gaussbayes::{
    Amount, Classifier, CovarianceSpec, Density, Error, Family, Label, Mixture, OnSingular,
    Pooling, Priors, Projection, Ridge, Score, Shrinkage, Table, Target,
};
use serde_json::Value;

use crate::support::{faithful, fit_with, iris, labels, left_out, models, stat, table, wine};

pub(crate) fn cases(file: &str) -> Vec<Value> {
    let path = format!("{}/../../testdata/golden/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let file: Value = serde_json::from_str(&text).unwrap();
    file["cases"].as_array().unwrap().clone()
}

pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

pub(crate) fn rows(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(numbers).collect()
}

pub(crate) fn words(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|x| x.as_str().unwrap().into()).collect()
}

/// One case of a golden file.
pub(crate) struct Case {
    pub(crate) json: Value,
    pub(crate) name: String,
    tolerance: f64,
}

impl Case {
    pub(crate) fn new(json: Value) -> Self {
        let name = json["name"].as_str().unwrap().to_string();
        let tolerance = json["tolerance"].as_f64().unwrap();
        Self { json, name, tolerance }
    }

    pub(crate) fn close(&self, what: &str, found: &[f64], expected: &[f64]) {
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

    pub(crate) fn table(&self) -> Table {
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

    pub(crate) fn spec(&self) -> (CovarianceSpec, Priors) {
        let model = self.json["model"].as_str().unwrap();
        let named = models().into_iter().find(|(name, _)| *name == model);
        let mut spec =
            named.map_or_else(|| model.parse::<Family>().unwrap().into(), |(_, spec)| spec);
        spec.ddof = self.json["ddof"].as_u64().unwrap() as u32;
        spec.pooling = match self.json["pooling"].as_str() {
            Some("average") => Pooling::Average,
            Some("priors") => Pooling::Priors,
            _ => Pooling::Size,
        };
        spec.shrinkage = self.shrinkage();
        spec.density = match self.json["posteriors_by"].as_str() {
            Some("predictive") => Density::Predictive,
            Some("debiased") => Density::Debiased,
            _ => Density::PlugIn,
        };
        if self.json["on_singular"] == "range" {
            spec.on_singular =
                OnSingular::Range { above: self.json["above"].as_f64().unwrap_or(0.0) };
        }
        if let Some(share) = self.json["ridge_of_widest"].as_f64() {
            spec.ridge = Ridge::OfWidest(share);
        }
        let priors = match &self.json["priors"] {
            Value::Array(_) => Priors::Given(numbers(&self.json["priors"])),
            Value::String(word) if word == "uniform" => Priors::Uniform,
            _ => Priors::Observed,
        };
        (spec, priors)
    }

    fn shrinkage(&self) -> Option<Shrinkage> {
        if let Some([lambda, gamma]) = self.json["rda"].as_array().map(Vec::as_slice) {
            let (lambda, gamma) = (lambda.as_f64().unwrap(), gamma.as_f64().unwrap());
            return Some(Shrinkage::Rda { lambda, gamma });
        }
        let target = match self.json["shrink_to"].as_str() {
            Some("diagonal") => Target::Diagonal,
            Some("shared") => Target::Shared,
            Some("unit") => Target::Unit,
            _ => Target::Spherical,
        };
        let amount = match &self.json["shrinkage"] {
            Value::String(word) if word == "oas" => Amount::Oas,
            Value::String(word) if word == "ledoit-wolf" => Amount::LedoitWolf,
            other => Amount::Fixed(other.as_f64()?),
        };
        Some(Shrinkage::Toward { amount, target })
    }

    /// Rows whose answers are listed: some, or all.
    pub(crate) fn listed(&self, table: &Table) -> Vec<usize> {
        match &self.json["rows"] {
            Value::Null => (0..table.rows()).collect(),
            list => numbers(list).iter().map(|&row| row as usize - 1).collect(),
        }
    }

    pub(crate) fn check_model(&self, mixture: &Mixture) {
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

    pub(crate) fn check_rows(&self, classifier: &Classifier, table: &Table, listed: &[usize]) {
        let block = table.block(0..table.rows()).unwrap();
        let posterior = classifier.predict(&block).unwrap().posterior;
        let distances = classifier.mixture().unwrap().mahalanobis_sq(&block).unwrap();
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

    /// Directions and scores; the sign of an axis is free.
    fn check_canonical(&self, mixture: &Mixture, table: &Table) {
        let expected = &self.json["canonical"];
        let found = Projection::of(mixture).unwrap();
        self.close("explained", &found.explained(), &numbers(&expected["ratio"]));
        let columns = rows(&expected["directions"]);
        let scores = found.transform(&table.block(0..table.rows()).unwrap()).unwrap();
        for (axis, direction) in found.directions().iter().enumerate() {
            let column: Vec<f64> = columns.iter().map(|row| row[axis]).collect();
            let sign = (direction[0] * column[0]).signum();
            let turned: Vec<f64> = direction.iter().map(|v| sign * v).collect();
            self.close("direction", &turned, &column);
            for (at, &i) in self.listed(table).iter().enumerate() {
                let score = sign * scores[i * found.len() + axis];
                let expected = self.json["scores"][at][axis].as_f64().unwrap();
                self.close("score", &[score], &[expected]);
            }
        }
    }

    /// Variances along the principal axes, directions within a total, and linear scores.
    fn check_readings(&self, mixture: &Mixture) {
        if !self.json["variances"].is_null() {
            for (k, variances) in rows(&self.json["variances"]).iter().enumerate() {
                self.close("variances", &mixture.principal_axes(k).unwrap().0, variances);
            }
        }
        if !self.json["total"].is_null() {
            let total = rows(&self.json["total"]);
            let total: Vec<f64> =
                total.iter().enumerate().flat_map(|(i, row)| row[..=i].to_vec()).collect();
            let found = Projection::within_total(mixture, &total).unwrap();
            let ratio = numbers(&self.json["ratio"]);
            self.close("ratio", &found.explained()[..ratio.len()], &ratio);
            let columns = rows(&self.json["directions"]);
            for (axis, direction) in found.directions().iter().enumerate() {
                let column: Vec<f64> = columns.iter().map(|row| row[axis]).collect();
                let along: f64 = direction.iter().zip(&column).map(|(a, b)| a * b).sum();
                let turned: Vec<f64> = direction.iter().map(|v| along.signum() * v).collect();
                self.close("direction", &turned, &column);
            }
        }
        let linear = &self.json["linear"];
        if !linear.is_null() {
            let zero = vec![0.0; mixture.dim()];
            let about = if linear["about"] == "zero" { zero } else { mixture.centre() };
            let found = mixture.linear(&about).unwrap();
            self.close(
                "coefficients",
                &found.coefficients,
                &rows(&linear["coefficients"]).concat(),
            );
            self.close("intercepts", &found.intercepts, &numbers(&linear["intercepts"]));
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
        let judged = left_out(spec, &priors, table).unwrap();
        assert_eq!(judged.errors(), expected as f64, "{}: leave-one-out errors", self.name);
        assert_eq!(judged.n(), table.rows() as f64);
    }

    pub(crate) fn check(&self) {
        let table = self.table();
        let (spec, priors) = self.spec();
        if let Some(singular) = self.json["singular"].as_array() {
            let error = fit_with(&spec, &priors, &table).unwrap_err();
            let Error::Singular(found) = &error else { panic!("{}: {error}", self.name) };
            let deficient = &found.covariances;
            for (found, expected) in deficient.iter().zip(singular) {
                assert_eq!(found.class.as_deref(), expected["class"].as_str());
                assert_eq!(found.rank as u64, expected["rank"].as_u64().unwrap());
                let features: Vec<f64> = found.constant().iter().map(|j| *j as f64 + 1.0).collect();
                assert_eq!(features, numbers(&expected["features"]));
            }
            assert_eq!(deficient.len(), singular.len());
            return;
        }
        let (_, moments) = stat(&spec, &table).unwrap().sorted();
        let estimate = spec.estimate(&moments, &priors, None).unwrap();
        self.check_model(&estimate.mixture);
        if let Some(rank) = self.json["rank"].as_u64() {
            assert_eq!(estimate.report.rank, Some(rank as usize), "{}", self.name);
        }
        if let Some(added) = self.json["ridge_added"].as_f64() {
            self.close("ridge", &[estimate.report.ridge.unwrap()], &[added]);
        }
        self.check_readings(&estimate.mixture);
        if !self.json["canonical"].is_null() {
            self.check_canonical(&estimate.mixture, &table);
        }
        if self.json["shrinkage"].is_string() {
            self.close("amount", &estimate.report.amounts, &numbers(&self.json["amounts"]));
        }
        if moments.components() == 1 {
            return;
        }
        let classifier = fit_with(&spec, &priors, &table).unwrap().classifier;
        self.check_rows(&classifier, &table, &self.listed(&table));
        self.check_errors(&classifier, &table);
        self.check_leave_one_out(&spec, &priors, &table);
        let discriminant = &self.json["discriminant"];
        if !discriminant.is_null() {
            let scores = classifier.mixture().unwrap().quadratics().unwrap();
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
