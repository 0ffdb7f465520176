//! Prints what is in a model file of naive Bayes over typed columns.

use gaussbayes::{Factor, Label, Mixture, Places, Product};
use gaussbayes_io::{Kept, Model};
use serde_json::{Map, Value, json};

use super::typed::{Held, columns, sentence};
use crate::failure::Failure;
use crate::models::learner;
use crate::output::Output;
use crate::settings;
use crate::text::{count, json_count, short, wrapped};

/// Rows of a table that are printed.
const ROWS: usize = 20;

/// Words of a class that are listed.
const WORDS: usize = 10;

pub(super) fn run(
    path: &str,
    model: &Model,
    product: &Product,
    output: &Output,
) -> Result<(), Failure> {
    let classifier = &model.classifier;
    let weight = model.training.as_ref().map(Kept::weight).transpose()?;
    let rows = weight.map_or_else(|| "sealed".into(), |weight| format!("{} rows", count(weight)));
    let columns = columns(model);
    let mut parts = settings::words(&model.spec, &model.priors);
    parts.extend(model.target.iter().map(|target| format!("target '{target}'")));
    parts.extend(model.weights.iter().map(|weights| format!("weights '{weights}'")));
    let shown = Shown { classes: classifier.classes(), features: classifier.features() };
    let mut text = format!(
        "{path} · {} · {rows}\n\n{}\n{}\n\n{}",
        learner(&model.spec),
        sentence(&columns),
        parts.join(", "),
        shown.table("priors", "", &[("prior".into(), classifier.priors())]),
    );
    text.push_str(&shown.numbers(product));
    let factors = product.factors().iter();
    factors.clone().for_each(|factor| text.push_str(&shown.text(factor)));
    let mut result = json!({
        "n": weight.map(json_count),
        "target": model.target,
        "features": classifier.features(),
        "types": columns.iter().map(Held::json).collect::<Vec<_>>(),
        "classes": classifier.classes().iter().map(Label::as_str).collect::<Vec<_>>(),
        "priors": classifier.priors(),
        "factors": factors.map(|factor| shown.json(factor)).collect::<Vec<_>>(),
    });
    if let Some(object) = result.as_object_mut() {
        object.extend(settings::fields(&model.spec));
    }
    output.answer(&text, &result)
}

/// What tables name their rows and columns by.
struct Shown<'a> {
    classes: &'a [Label],
    features: &'a [String],
}

impl Shown<'_> {
    /// A column per class, a row per line, under a title; behind a blank line but for the first.
    fn table(&self, title: &str, first: &str, lines: &[(String, Vec<f64>)]) -> String {
        let classes = self.classes.iter().map(ToString::to_string);
        let mut rows = vec![std::iter::once(first.to_string()).chain(classes).collect()];
        for (name, numbers) in lines.iter().take(ROWS) {
            let cells = numbers.iter().copied().map(short);
            rows.push(std::iter::once(name.clone()).chain(cells).collect::<Vec<_>>());
        }
        let more = lines.len().saturating_sub(ROWS);
        let more = if more > 0 { format!("… and {more} more\n") } else { String::new() };
        let gap = if title == "priors" { "" } else { "\n" };
        format!("{gap}{title}\n{}{more}", wrapped(&rows))
    }

    /// Means and variances of all columns of numbers.
    fn numbers(&self, product: &Product) -> String {
        let of = |read: fn(&Mixture, usize) -> f64| -> Vec<(String, Vec<f64>)> {
            let line = |factor: &Factor| match factor {
                Factor::Number { column, mixture } => {
                    let all = (0..mixture.components()).map(|k| read(mixture, k)).collect();
                    Some((self.features[*column].clone(), all))
                }
                _ => None,
            };
            product.factors().iter().filter_map(line).collect()
        };
        let (means, variances) = (of(mean), of(variance));
        if means.is_empty() {
            return String::new();
        }
        let means = self.table("means", "column", &means);
        means + &self.table("variances", "column", &variances)
    }

    /// A factor that is no number.
    fn text(&self, factor: &Factor) -> String {
        let classes = self.classes.len();
        match factor {
            Factor::Number { .. } => String::new(),
            Factor::Flags { columns, log_yes, .. } => {
                let names: Vec<String> = self.named(columns);
                self.table("probability of yes", "column", &lines(names, log_yes, classes))
            }
            Factor::Names { column, places, log_probs, unseen } => {
                let mut names = names(places);
                let mut table = log_probs.clone();
                if let Some(unseen) = unseen {
                    names.insert(0, "(unseen)".into());
                    table.splice(0..0, unseen.iter().copied());
                }
                let title = format!("{}: probability of each value", self.features[*column]);
                self.table(&title, "value", &lines(names, &table, classes))
            }
            Factor::Counts { columns, weights, generative } => {
                let names = self.named(columns);
                if *generative {
                    let lines = lines(names, weights, classes);
                    return self.table("counts: probability of each column", "column", &lines);
                }
                let rows = weights.chunks_exact(classes).map(<[f64]>::to_vec);
                let lines: Vec<_> = names.into_iter().zip(rows).collect();
                self.table("counts: weight of each column", "column", &lines)
            }
            Factor::Words { column, words, generative, .. } => {
                let how = if *generative {
                    "times as likely as in the next class"
                } else {
                    "exponential of the weight above the next class's"
                };
                let mut text =
                    format!("\n{}: the most telling words ({how})\n", self.features[*column]);
                for (k, class) in self.classes.iter().enumerate() {
                    let word = |(at, odds): (usize, f64)| {
                        let odds =
                            if odds.is_finite() { short(odds.exp()) } else { "only here".into() };
                        format!("{} ({odds})", words[at])
                    };
                    let telling = factor.telling(k, classes, WORDS).into_iter().map(word);
                    let telling: Vec<String> = telling.collect();
                    let telling =
                        if telling.is_empty() { "none".into() } else { telling.join(", ") };
                    text.push_str(&format!("{class}: {telling}\n"));
                }
                text
            }
        }
    }

    fn named(&self, columns: &[usize]) -> Vec<String> {
        columns.iter().map(|&j| self.features[j].clone()).collect()
    }

    /// A factor for programs.
    fn json(&self, factor: &Factor) -> Value {
        let classes = self.classes.len();
        let exp = |logs: &[f64]| -> Vec<Vec<f64>> {
            let row = |row: &[f64]| row.iter().map(|log| log.exp()).collect();
            logs.chunks_exact(classes).map(row).collect()
        };
        let columns = self.named(factor.columns());
        let mut object = Map::new();
        let fields = match factor {
            Factor::Number { mixture, .. } => {
                let all = || 0..mixture.components();
                vec![
                    ("type", json!("number")),
                    ("means", json!(all().map(|k| mean(mixture, k)).collect::<Vec<_>>())),
                    ("variances", json!(all().map(|k| variance(mixture, k)).collect::<Vec<_>>())),
                ]
            }
            Factor::Flags { above, log_yes, .. } => vec![
                ("type", json!("flag")),
                ("above", json!(above)),
                ("probabilities", json!(exp(log_yes))),
            ],
            Factor::Names { places, log_probs, unseen, .. } => vec![
                ("type", json!("category")),
                ("values", json!(names(places))),
                ("probabilities", json!(exp(log_probs))),
                ("unseen_probability", json!(unseen.as_deref().map(|rest| exp(rest).concat()))),
            ],
            Factor::Counts { weights, generative, .. } => vec![
                ("type", json!("count")),
                if *generative {
                    ("probabilities", json!(exp(weights)))
                } else {
                    ("weights", json!(weights.chunks_exact(classes).collect::<Vec<_>>()))
                },
            ],
            Factor::Words { words, .. } => {
                let telling = |k: usize| -> Value {
                    let all = factor.telling(k, classes, WORDS).into_iter();
                    all.map(|(at, odds)| json!({ "word": words[at].as_str(), "log_odds": odds }))
                        .collect()
                };
                vec![
                    ("type", json!("text")),
                    ("words", json!(words.len())),
                    ("telling", (0..classes).map(telling).collect()),
                ]
            }
        };
        object.insert("columns".into(), json!(columns));
        object.extend(fields.into_iter().map(|(key, value)| (key.to_string(), value)));
        object.into()
    }
}

/// Probabilities of names, a line for each.
fn lines(names: Vec<String>, logs: &[f64], classes: usize) -> Vec<(String, Vec<f64>)> {
    let rows = logs.chunks_exact(classes).map(|row| row.iter().map(|log| log.exp()).collect());
    names.into_iter().zip(rows).collect()
}

fn names(places: &Places) -> Vec<String> {
    match places {
        Places::Names(names) => names.iter().map(ToString::to_string).collect(),
        Places::Below(end) => (0..*end).map(|code| code.to_string()).collect(),
    }
}

fn mean(mixture: &Mixture, k: usize) -> f64 {
    mixture.raw_mean(k)[0]
}

fn variance(mixture: &Mixture, k: usize) -> f64 {
    mixture.raw_covariance(k)[0]
}
