//! Puts the error of a rule by formula beside those that rows show, and says where they disagree.

use gaussbayes::{
    Classifier, Folds, JudgeSweep, Judgement, Method, Mixture, Risk, RiskOptions, cross_validate,
    run as sweep,
};
use gaussbayes_io::{Columns, Data, Model, Reading};
use serde_json::{Value, json};

use super::error::Bounded;
use super::workers::Workers;
use crate::args::{Common, ErrorOf};
use crate::failure::Failure;
use crate::output::Output;
use crate::text::{per_cent, table};

/// What was asked for.
pub(super) struct Asked<'a> {
    pub(super) arguments: &'a ErrorOf,
    pub(super) data: &'a str,
    pub(super) common: &'a Common,
    pub(super) workers: &'a Workers,
    pub(super) risk: &'a Risk,
}

/// One way to know an error rate: its name, the rate, and an interval.
struct Line {
    name: String,
    rate: f64,
    low: f64,
    high: f64,
}

/// Error rates side by side.
pub(super) struct Compared {
    lines: Vec<Line>,
    disagreements: Vec<String>,
}

impl Asked<'_> {
    pub(super) fn compare(
        &self,
        model: &Model,
        classifier: &Classifier,
        truth: Option<&Mixture>,
        output: &Output,
    ) -> Result<Compared, Failure> {
        let mut lines = vec![of_risk(self.risk)];
        if self.risk.method != Method::Simulation {
            let how = RiskOptions {
                method: Some(Method::Simulation),
                seed: self.common.seed,
                ..RiskOptions::default()
            };
            let simulated = classifier.risk(truth, &how, self.workers.on())?;
            lines.push(of_risk(&simulated));
        }
        let target = self.arguments.target.clone().or_else(|| {
            model.target.clone().or_else(|| gaussbayes_io::usual_target(self.data).map(Into::into))
        });
        let target = target.ok_or_else(|| {
            Failure::usage(
                "which column holds the classes?",
                format!("… {} --target COL", self.data),
            )
        })?;
        let columns = Columns { target: Some(target), ..Columns::exactly(classifier.features()) };
        let data = Data::open(&[self.data], &columns, &Reading::default(), self.common.seed)?;
        let rows = self.workers.table(data)?;
        let judged = sweep(&JudgeSweep(classifier), &mut rows.source(), self.workers.on())?;
        lines.push(of_rows(&format!("rows of {}", self.data), &judged.checked()?));
        if !model.known {
            let folds = Folds { count: self.arguments.folds, seed: self.common.seed };
            let (spec, priors) = (&model.spec, &model.priors);
            let loss = classifier.loss().costs().map(|_| classifier.loss());
            let source = &mut rows.source();
            let judged = cross_validate(
                spec,
                priors,
                classifier.features(),
                loss,
                folds,
                source,
                self.workers.on(),
            );
            self.workers.unless_interrupted()?;
            match judged {
                Ok(judged) => lines.push(of_rows(&format!("{} folds", folds.count), &judged)),
                Err(error) => output.warn(format!("no cross-validation: {error}")),
            }
        }
        let disagreements = disagreements(&lines);
        disagreements.iter().for_each(|sentence| output.warn(sentence.clone()));
        Ok(Compared { lines, disagreements })
    }
}

fn of_risk(risk: &Risk) -> Line {
    let (rate, error) = (risk.error_rate.value, risk.error_rate.error);
    let name = match risk.method {
        Method::Simulation => "simulation".into(),
        method => format!("formula ({})", method.name()),
    };
    Line { name, rate, low: rate - error, high: rate + error }
}

fn of_rows(name: &str, judged: &Judgement) -> Line {
    let (low, high) = judged.interval();
    Line { name: name.into(), rate: judged.error_rate(), low, high }
}

/// Pairs of intervals that do not overlap, beginning with the formula's.
fn disagreements(lines: &[Line]) -> Vec<String> {
    let formula = &lines[0];
    lines
        .iter()
        .skip(1)
        .filter(|line| line.low > formula.high || line.high < formula.low)
        .map(|line| {
            format!(
                "{} and {} disagree: {} against {} to {}",
                formula.name,
                line.name,
                per_cent(formula.rate),
                per_cent(line.low),
                per_cent(line.high)
            )
        })
        .collect()
}

impl Compared {
    pub(super) fn text(&self, bounds: &Bounded) -> String {
        let row = |line: &Line| {
            let interval = format!("{} to {}", per_cent(line.low), per_cent(line.high));
            vec![line.name.clone(), per_cent(line.rate), interval]
        };
        let mut rows = vec![["error by", "rate", "interval"].map(String::from).to_vec()];
        rows.extend(self.lines.iter().map(row));
        if let Some((bhattacharyya, chernoff)) = bounds.errors() {
            let at_most = |bound: f64| format!("at most {}", per_cent(bound));
            rows.push(vec!["Chernoff".into(), at_most(chernoff)]);
            rows.push(vec!["Bhattacharyya".into(), at_most(bhattacharyya)]);
        }
        format!("\n{}", table(&rows))
    }

    pub(super) fn json(&self) -> Value {
        let line = |line: &Line| json!({ "name": line.name, "error_rate": line.rate, "interval": [line.low, line.high] });
        json!({
            "lines": self.lines.iter().map(line).collect::<Vec<_>>(),
            "disagreements": self.disagreements,
        })
    }
}
