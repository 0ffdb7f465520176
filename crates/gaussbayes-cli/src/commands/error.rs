//! Computes how often the rule of a model errs: exactly, by bounds, and beside rows.

use gaussbayes::{
    Bounds, Chance, Classifier, CostBounds, Label, LinearRule, Method, Mixture, Risk, RiskOptions,
};
use serde_json::{Map, Value, json};

use super::workers::Workers;
use super::{action_name, adjusted, beside, model};
use crate::args::{Common, ErrorOf};
use crate::equation::digits;
use crate::failure::Failure;
use crate::output::Output;
use crate::text::{short, table};

/// Classes up to which a whole table is printed.
const WHOLE_TABLE: usize = 20;

pub(crate) fn run(arguments: &ErrorOf, common: &Common, output: &Output) -> Result<(), Failure> {
    let opened = model::open(&arguments.model, &[])?;
    let workers = Workers::new(common, "computing the error")?;
    let truth =
        arguments.under.as_deref().map(|name| truth(name, &opened.classifier)).transpose()?;
    let priors = arguments.priors.as_deref();
    let classifier = opened.classifier.clone();
    let classifier = adjusted(classifier, &opened.spec, priors, &arguments.costs, output)?;
    let how = RiskOptions { method: arguments.method, seed: common.seed, ..RiskOptions::default() };
    let risk = classifier.risk(truth.as_ref(), &how, workers.on())?;
    let drawn_from = match &truth {
        Some(truth) => truth,
        None => classifier.mixture()?,
    };
    let bounds = Bounded::of(&classifier, drawn_from);
    let mut text = exact(arguments, &classifier, &risk);
    text.push_str(&bounds.text(&classifier));
    let mut result = fields(&classifier, &risk);
    result.extend(bounds.fields(&classifier));
    if let Some(data) = &arguments.data {
        let asked = beside::Asked { arguments, data, common, workers: &workers, risk: &risk };
        let compared = asked.compare(&opened, &classifier, truth.as_ref(), output)?;
        text.push_str(&compared.text(&bounds));
        result.insert("comparison".into(), compared.json());
    }
    output.answer(&text, &result.into())
}

/// The mixture of a truth that has the classes and features of the rule.
fn truth(name: &str, rule: &Classifier) -> Result<Mixture, Failure> {
    let truth = model::open(name, &[])?.classifier;
    for (what, found, needed) in [
        ("classes", names(truth.classes()), names(rule.classes())),
        ("features", truth.features().to_vec(), rule.features().to_vec()),
    ] {
        if found != needed {
            return Err(Failure::usage(
                format!(
                    "'{name}' has the {what} {}, the rule {}",
                    found.join(", "),
                    needed.join(", ")
                ),
                "give a truth with the classes and features of the model",
            ));
        }
    }
    Ok(truth.gaussians()?.clone())
}

fn names(labels: &[Label]) -> Vec<String> {
    labels.iter().map(ToString::to_string).collect()
}

/// The exact part in words.
fn exact(arguments: &ErrorOf, classifier: &Classifier, risk: &Risk) -> String {
    let under = arguments.under.as_ref().map_or_else(String::new, |name| format!(" under {name}"));
    let mut rows = Vec::new();
    let costs = classifier.loss().costs().is_some();
    if costs {
        rows.push(vec!["expected cost".to_string(), chance(risk.total, risk.method)]);
    }
    rows.push(vec!["error".into(), chance(risk.error_rate, risk.method)]);
    if classifier.loss().actions().len() > classifier.classes().len() {
        rows.push(vec!["rejected".into(), chance(risk.reject_rate, risk.method)]);
    }
    if let Some((least, most)) = risk.pairwise.filter(|_| risk.method.is_estimate()) {
        rows.push(vec!["by pairs".into(), format!("{} to {}", number(least), number(most))]);
    }
    let mut text =
        format!("how often the rule of {} errs{under}\n\n{}", arguments.model, left(&rows));
    text.push_str(&format!("{}\n\n", risk.method.sentence()));
    text.push_str(&confusion(classifier, risk));
    text
}

/// Titles and values, both to the left.
fn left(rows: &[Vec<String>]) -> String {
    let width = rows.iter().map(|row| row[0].chars().count()).max().unwrap_or(0);
    let line = |row: &Vec<String>| format!("{:width$}  {}\n", row[0], row[1]);
    rows.iter().map(line).collect()
}

/// P(action | class), and what rows of each class cost.
fn confusion(classifier: &Classifier, risk: &Risk) -> String {
    let (classes, actions) = (classifier.classes(), classifier.loss().actions().len());
    if classes.len() > WHOLE_TABLE {
        return format!("{} classes: the confusion is in --json\n", classes.len());
    }
    let cost = if classifier.loss().costs().is_some() { "cost" } else { "error" };
    let said = (0..actions).map(|action| action_name(classifier, action));
    let head = std::iter::once("true \\ said".to_string()).chain(said).chain([cost.into()]);
    let row = |(k, class): (usize, &Label)| {
        let cells = risk.confusion[k * actions..(k + 1) * actions].iter();
        let cells = cells.chain([&risk.per_class[k]]).map(|chance| short(chance.value));
        std::iter::once(class.to_string()).chain(cells).collect::<Vec<_>>()
    };
    let rows = classes.iter().enumerate().map(row);
    table(&std::iter::once(head.collect()).chain(rows).collect::<Vec<_>>())
}

/// A chance with the digits that it has, and how far off it may be.
fn chance(chance: Chance, method: Method) -> String {
    if chance.error == 0.0 {
        return format!("{}  {}", number(chance), method.name());
    }
    let within = format!("± {:.0e}", chance.error);
    let interval = if method.is_estimate() { " (99.9 %)" } else { "" };
    format!("{}  {within}{interval}, {}", number(chance), method.name())
}

/// A chance with the digits that it has, at most twelve.
fn number(chance: Chance) -> String {
    let known = (chance.value.abs() / chance.error.max(f64::MIN_POSITIVE)).log10().ceil();
    let more = if chance.error > 0.0 { 1.0 } else { 0.0 };
    digits(chance.value, (known + more).clamp(2.0, 12.0) as usize)
}

fn fields(classifier: &Classifier, risk: &Risk) -> Map<String, Value> {
    let actions = classifier.loss().actions().len();
    let rows = |part: fn(&Chance) -> f64| -> Vec<Vec<f64>> {
        risk.confusion.chunks_exact(actions).map(|row| row.iter().map(part).collect()).collect()
    };
    let fields = [
        ("total", json!(risk.total.value)),
        ("error_rate", json!(risk.error_rate.value)),
        ("reject_rate", json!(risk.reject_rate.value)),
        ("per_class", json!(risk.per_class.iter().map(|c| c.value).collect::<Vec<_>>())),
        ("confusion", json!(rows(|chance| chance.value))),
        ("method", json!(risk.method.name())),
        (
            "accuracy",
            json!({
                "total": risk.total.error,
                "error_rate": risk.error_rate.error,
                "per_class": risk.per_class.iter().map(|c| c.error).collect::<Vec<_>>(),
                "confusion": rows(|chance| chance.error),
                "estimate": risk.method.is_estimate(),
            }),
        ),
        ("classes", json!(names(classifier.classes()))),
        ("actions", json!((0..actions).map(|a| action_name(classifier, a)).collect::<Vec<_>>())),
        ("priors", json!(risk.weights)),
        ("columns", json!(risk.columns)),
        ("points", json!(risk.points)),
        ("pairwise", json!(risk.pairwise.map(|(least, most)| [least.value, most.value]))),
    ];
    fields.into_iter().map(|(key, value)| (key.to_string(), value)).collect()
}

/// Bounds of what the best rule costs under a truth; nothing where they are not known.
pub(super) struct Bounded {
    bounds: Option<CostBounds>,
    /// Whether costs are errors.
    of_errors: bool,
    distances: Option<Vec<f64>>,
    why: Option<String>,
}

impl Bounded {
    pub(super) fn of(classifier: &Classifier, truth: &Mixture) -> Self {
        let (bounds, why) = match classifier.bounds(Some(truth)) {
            Ok(Some(bounds)) => (Some(bounds), None),
            Ok(None) => {
                (None, Some("they need one cost for all errors of a class, and no reject".into()))
            }
            Err(error) => (None, Some(error.to_string())),
        };
        let of_errors = classifier.loss().costs().is_none();
        Self { bounds, of_errors, distances: truth.centre_distances().ok(), why }
    }

    /// Both bounds of the error, where every error costs one.
    pub(super) fn errors(&self) -> Option<(f64, f64)> {
        self.totals().filter(|_| self.of_errors)
    }

    /// Both bounds of the cost.
    fn totals(&self) -> Option<(f64, f64)> {
        self.bounds.as_ref().map(|bounds| (bounds.bhattacharyya, bounds.chernoff))
    }

    pub(super) fn linear(&self) -> Option<&LinearRule> {
        self.bounds.as_ref()?.linear.as_ref()
    }

    fn pairs(&self) -> &[(usize, usize, Bounds)] {
        self.bounds.as_ref().map_or(&[], |bounds| &bounds.pairs)
    }

    fn text(&self, classifier: &Classifier) -> String {
        let classes = classifier.classes();
        let mut text = String::new();
        if let Some((bhattacharyya, chernoff)) = self.totals() {
            let what = if self.of_errors { "error" } else { "expected cost" };
            text.push_str(&format!("\nthe least {what} of any rule is at most\n"));
            let sum = if self.pairs().len() > 1 { ", summed over pairs" } else { "" };
            let s = match self.pairs() {
                [(_, _, bounds)] => format!(" at s = {}", short(bounds.s)),
                _ => String::new(),
            };
            text.push_str(&left(&[
                vec!["  Bhattacharyya".into(), format!("{}{sum}", short(bhattacharyya))],
                vec!["  Chernoff".into(), format!("{}{sum}{s}", short(chernoff))],
            ]));
        } else if let Some(why) = &self.why {
            text.push_str(&format!("\nno bounds: {why}\n"));
        }
        if let Some(linear) = self.linear() {
            let does = if self.of_errors { "errs with" } else { "costs" };
            text.push_str(&format!("\nthe best linear rule {does} {}\n", short(linear.total)));
        }
        if let (Some(distances), true) = (&self.distances, classes.len() <= WHOLE_TABLE) {
            text.push_str("\nMahalanobis distances between the centres\n");
            let head = std::iter::once(String::new()).chain(names(classes)).collect();
            let row = |(class, row): (&Label, &[f64])| {
                std::iter::once(class.to_string()).chain(row.iter().copied().map(short)).collect()
            };
            let rows = classes.iter().zip(distances.chunks_exact(classes.len())).map(row);
            text.push_str(&table(&std::iter::once(head).chain(rows).collect::<Vec<Vec<String>>>()));
        }
        text
    }

    fn fields(&self, classifier: &Classifier) -> Map<String, Value> {
        let (classes, totals) = (classifier.classes(), self.totals());
        let pair = |(i, j, bounds): &(usize, usize, Bounds)| {
            json!({
                "classes": [classes[*i].as_str(), classes[*j].as_str()],
                "bhattacharyya": bounds.bhattacharyya,
                "chernoff": bounds.chernoff,
                "s": bounds.s,
                "bhattacharyya_distance": bounds.distance,
                "mahalanobis": bounds.distance_sq.sqrt(),
            })
        };
        let s = match self.pairs() {
            [(_, _, bounds)] => Some(bounds.s),
            _ => None,
        };
        let square = |all: &Vec<f64>| -> Vec<Vec<f64>> {
            all.chunks_exact(classes.len()).map(<[f64]>::to_vec).collect()
        };
        let linear = self.linear().map(|rule| {
            json!({
                "total": rule.total,
                "per_class": [rule.errors.0, rule.errors.1],
                "normal": rule.normal,
                "threshold": rule.threshold.is_finite().then_some(rule.threshold),
            })
        });
        let fields = [
            ("bhattacharyya", json!(totals.map(|totals| totals.0))),
            ("chernoff", json!(totals.map(|totals| totals.1))),
            ("chernoff_s", json!(s)),
            ("pairs", self.pairs().iter().map(pair).collect()),
            ("distances", json!(self.distances.as_ref().map(square))),
            ("best_linear", json!(linear)),
        ];
        fields.into_iter().map(|(key, value)| (key.to_string(), value)).collect()
    }
}
