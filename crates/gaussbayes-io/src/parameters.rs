//! Reads known parameters of a classifier from JSON, with every fault at its place.

use std::path::Path;

use gaussbayes::{Label, Parameters};
use serde_json::{Map, Value};

use crate::cell::shorten;
use crate::error::Error;
use crate::nearest::nearest;

/// The keys that a file may have.
const KEYS: [&str; 10] = [
    "classes",
    "features",
    "priors",
    "means",
    "covariances",
    "covariance",
    "sigma1",
    "sigma2",
    "r",
    "loss",
];

/// Reads a file such as `{"classes": ["a", "b"], "priors": [0.5, 0.5], "means": [[0, 0], [1, 1]],
/// "covariances": [[[1, 0], [0, 1]], [[2, 0], [0, 2]]]}`.
///
/// Classes default to 1, 2, …, features to x1, x2, …, priors to equal ones. All classes share one
/// `covariance`; two columns may have `sigma1`, `sigma2` and `r` instead, for each class or for all. `loss` has a
/// row of costs per true class, with one number per class and perhaps one for a reject behind them.
///
/// # Errors
/// A file that cannot be read, and [`Error::BadParameters`] for what it must not hold. Whether matrices are
/// covariances is for [`Parameters::classifier`] to say.
pub fn read_parameters(path: &Path) -> Result<Parameters, Error> {
    let file = path.display().to_string();
    let text = std::fs::read(path).map_err(|error| Error::read(&file, &error))?;
    let sheet = Sheet { file };
    let value: Value = serde_json::from_slice(&text).map_err(|error| sheet.not_json(&error))?;
    sheet.parameters(&value)
}

/// A file, for messages.
struct Sheet {
    file: String,
}

impl Sheet {
    fn parameters(&self, value: &Value) -> Result<Parameters, Error> {
        let Some(keys) = value.as_object() else {
            return self.bad("", "holds no JSON object");
        };
        if let Some(key) = keys.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(self.unknown(key, keys));
        }
        let Some(means) = keys.get("means") else {
            return self.bad("", "has no 'means'");
        };
        let means = self.rows(means, "means")?;
        let (count, dim) = (means.len(), means.first().map_or(0, Vec::len));
        for (k, mean) in means.iter().enumerate() {
            self.length(&format!("means[{k}]"), mean.len(), "means[0]", dim)?;
        }
        let classes = match keys.get("classes") {
            Some(names) => self.names(names, "classes")?,
            None => (1..=count).map(|k| k.to_string()).collect(),
        };
        self.length("means", count, "classes", classes.len())?;
        let features = match keys.get("features") {
            Some(names) => self.names(names, "features")?,
            None => (1..=dim).map(|j| format!("x{j}")).collect(),
        };
        self.length("features", features.len(), "means[0]", dim)?;
        let priors = keys.get("priors").map(|priors| self.numbers(priors, "priors")).transpose()?;
        if let Some(priors) = &priors {
            self.length("priors", priors.len(), "means", count)?;
        }
        let costs = keys.get("loss").map(|costs| self.rows(costs, "loss")).transpose()?;
        for (i, row) in costs.iter().flatten().enumerate().filter(|(_, row)| row.len() != count + 1)
        {
            self.length(&format!("loss[{i}]"), row.len(), "classes", count)?;
        }
        if let Some(costs) = &costs {
            self.length("loss", costs.len(), "classes", count)?;
        }
        Ok(Parameters {
            covariances: self.covariances(keys, count, dim)?,
            classes: classes.into_iter().map(Label::from).collect(),
            features,
            priors,
            means,
            costs,
        })
    }

    /// One matrix per class, or one for all, from whichever keys there are.
    fn covariances(
        &self,
        keys: &Map<String, Value>,
        count: usize,
        dim: usize,
    ) -> Result<Vec<Vec<Vec<f64>>>, Error> {
        let ways = ["covariances", "covariance", "sigma1"];
        let given: Vec<&str> = ways.into_iter().filter(|way| keys.contains_key(*way)).collect();
        match given.as_slice() {
            [] => self.bad("", "has no 'covariances'"),
            ["covariances"] => {
                let place = "covariances";
                let all = self.list(&keys[place], place)?;
                self.length(place, all.len(), "means", count)?;
                let matrix = |(k, value): (usize, &Value)| {
                    self.matrix(value, &format!("{place}[{k}]"), k, dim)
                };
                all.iter().enumerate().map(matrix).collect()
            }
            ["covariance"] => Ok(vec![self.matrix(&keys["covariance"], "covariance", 0, dim)?]),
            ["sigma1"] => self.bivariate(keys, count, dim),
            [first, second, ..] => {
                self.bad("", &format!("gives covariances twice: by '{first}' and by '{second}'"))
            }
            [other] => self.bad(other, "is no way to give covariances"),
        }
    }

    /// `sigma1`, `sigma2` and `r` beside each other: a number for all classes or a list.
    fn bivariate(
        &self,
        keys: &Map<String, Value>,
        count: usize,
        dim: usize,
    ) -> Result<Vec<Vec<Vec<f64>>>, Error> {
        let shared =
            ["sigma1", "sigma2", "r"].iter().all(|key| keys.get(*key).is_none_or(Value::is_number));
        let column = |key: &str| -> Result<Vec<f64>, Error> {
            let classes = if shared { 1 } else { count };
            match keys.get(key) {
                None if key == "r" => Ok(vec![0.0; classes]),
                None => self.bad("", &format!("has 'sigma1' and no '{key}'")),
                Some(value) if value.is_number() => Ok(vec![self.number(value, key)?; classes]),
                Some(value) => {
                    let numbers = self.numbers(value, key)?;
                    self.length(key, numbers.len(), "means", count)?;
                    Ok(numbers)
                }
            }
        };
        let (sigma1, sigma2, r) = (column("sigma1")?, column("sigma2")?, column("r")?);
        self.two("sigma1", dim)?;
        let of = |k: usize| Ok(Parameters::bivariate(k, (sigma1[k], sigma2[k]), r[k])?);
        (0..r.len()).map(of).collect()
    }

    /// A square matrix; a number for one column; deviations and a correlation for two.
    fn matrix(
        &self,
        value: &Value,
        place: &str,
        class: usize,
        dim: usize,
    ) -> Result<Vec<Vec<f64>>, Error> {
        if let Some(object) = value.as_object() {
            let known = ["sigma1", "sigma2", "r"];
            if let Some(key) = object.keys().find(|key| !known.contains(&key.as_str())) {
                return self.bad(&format!("{place}.{key}"), "is not known here");
            }
            self.two(place, dim)?;
            let number = |key: &str, default: Option<f64>| match (object.get(key), default) {
                (Some(value), _) => self.number(value, &format!("{place}.{key}")),
                (None, Some(default)) => Ok(default),
                (None, None) => self.bad(place, &format!("has no '{key}'")),
            };
            let sigmas = (number("sigma1", None)?, number("sigma2", None)?);
            return Ok(Parameters::bivariate(class, sigmas, number("r", Some(0.0))?)?);
        }
        let rows = if value.is_number() {
            vec![vec![self.number(value, place)?]]
        } else {
            self.rows(value, place)?
        };
        self.length(place, rows.len(), "means[0]", dim)?;
        for (i, row) in rows.iter().enumerate() {
            self.length(&format!("{place}[{i}]"), row.len(), "means[0]", dim)?;
        }
        Ok(rows)
    }

    /// A list of lists of numbers; a bare number is a list of one.
    fn rows(&self, value: &Value, place: &str) -> Result<Vec<Vec<f64>>, Error> {
        let row = |(i, value): (usize, &Value)| {
            let place = format!("{place}[{i}]");
            if value.is_number() {
                return Ok(vec![self.number(value, &place)?]);
            }
            self.numbers(value, &place)
        };
        self.list(value, place)?.iter().enumerate().map(row).collect()
    }

    fn numbers(&self, value: &Value, place: &str) -> Result<Vec<f64>, Error> {
        let number = |(i, value): (usize, &Value)| self.number(value, &format!("{place}[{i}]"));
        self.list(value, place)?.iter().enumerate().map(number).collect()
    }

    fn number(&self, value: &Value, place: &str) -> Result<f64, Error> {
        match value.as_f64() {
            Some(number) => Ok(number),
            None => self.bad(place, &format!("is {}, not a number", described(value))),
        }
    }

    fn names(&self, value: &Value, place: &str) -> Result<Vec<String>, Error> {
        let name = |(i, value): (usize, &Value)| match value {
            Value::String(name) if !name.trim().is_empty() => Ok(name.clone()),
            Value::Number(number) => Ok(number.to_string()),
            other => {
                self.bad(&format!("{place}[{i}]"), &format!("is {}, not a name", described(other)))
            }
        };
        self.list(value, place)?.iter().enumerate().map(name).collect()
    }

    fn list<'a>(&self, value: &'a Value, place: &str) -> Result<&'a Vec<Value>, Error> {
        match value.as_array() {
            Some(list) if !list.is_empty() => Ok(list),
            _ => self.bad(place, &format!("is {}, not a list", described(value))),
        }
    }

    fn length(&self, place: &str, found: usize, other: &str, needed: usize) -> Result<(), Error> {
        if found == needed {
            return Ok(());
        }
        let entries = if found == 1 { "1 entry".into() } else { format!("{found} entries") };
        self.bad(place, &format!("has {entries} where '{other}' has {needed}"))
    }

    fn two(&self, place: &str, dim: usize) -> Result<(), Error> {
        if dim == 2 {
            return Ok(());
        }
        self.bad(place, &format!("is for two features, and 'means[0]' has {dim}"))
    }

    fn unknown(&self, key: &str, keys: &Map<String, Value>) -> Error {
        let file = self.file.clone();
        if keys.get("format").is_some_and(|format| format == "gaussbayes model") {
            let why = "is a model already".into();
            let hint = Some(format!("gaussbayes show {}", crate::shell(&file)));
            return Error::BadParameters { file, place: String::new(), why, hint };
        }
        let known = || format!("the keys are {}", KEYS.join(", "));
        let hint = nearest(key, KEYS).map_or_else(known, |name| format!("did you mean '{name}'?"));
        let (place, why) = (shorten(key), "is not known".into());
        Error::BadParameters { file, place, why, hint: Some(hint) }
    }

    fn not_json(&self, error: &serde_json::Error) -> Error {
        let text = error.to_string();
        let what = text.split(" at line ").next().unwrap_or_default();
        let why = format!("is no JSON: line {}, column {}: {what}", error.line(), error.column());
        Error::BadParameters { file: self.file.clone(), place: String::new(), why, hint: None }
    }

    fn bad<T>(&self, place: &str, why: &str) -> Result<T, Error> {
        let (file, place, why) = (self.file.clone(), place.into(), why.into());
        Err(Error::BadParameters { file, place, why, hint: None })
    }
}

/// What stands somewhere, in a few words.
fn described(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => format!("'{}'", shorten(text)),
        Value::Array(list) if list.is_empty() => "an empty list".into(),
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "an object".into(),
    }
}
