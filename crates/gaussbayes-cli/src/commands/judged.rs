//! Prints a judgement: error, interval, log loss, costs and confusion.

use gaussbayes::{Action, Judgement, Label, Reliability};
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::output::Output;
use crate::text::{count, json_count, per_cent, short, table};

/// Classes up to which the whole confusion table is printed.
const WHOLE_TABLE: usize = 20;

/// Whether decisions were made with costs of the user's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Costly {
    Yes,
    No,
}

pub(super) fn answer(
    judgement: &Judgement,
    costly: Costly,
    title: &str,
    next: &str,
    about: Map<String, Value>,
    output: &Output,
) -> Result<(), Failure> {
    let (low, high) = judgement.interval();
    let mut text = format!(
        "{title}\n\nerror     {}  ({} of {}; 95 % interval {} to {})\nlog loss  {}\nBrier     {}  (calibration error {})\n",
        per_cent(judgement.error_rate()),
        count(judgement.errors()),
        count(judgement.n()),
        per_cent(low),
        per_cent(high),
        short(judgement.log_loss()),
        short(judgement.brier()),
        short(judgement.calibration_error()),
    );
    if costly == Costly::Yes {
        text.push_str(&format!("cost      {} a row\n", short(judgement.mean_cost())));
    }
    let accepted = judgement.n() - judgement.rejected();
    let of_accepted = (accepted > 0.0).then(|| judgement.errors() / accepted);
    if judgement.rejected() > 0.0 {
        let rate = of_accepted.map_or_else(|| "none".into(), per_cent);
        text.push_str(&format!(
            "rejected  {}; error among the other rows: {rate}\n",
            per_cent(judgement.rejected() / judgement.n())
        ));
    }
    if judgement.unlearnt() > 0.0 {
        text.push_str(&format!(
            "unlearnt  {}: rows whose class has no other row or prior 0, errors by necessity, not in the log loss\n",
            count(judgement.unlearnt())
        ));
    }
    text.push('\n');
    text.push_str(&confusion(judgement));
    if !next.is_empty() {
        text.push_str(&format!("\n{next}"));
    }
    let counts: Vec<Value> = judgement
        .confusion()
        .iter()
        .map(|row| row.iter().map(|&n| json_count(n)).collect())
        .collect();
    let mut result = json!({
        "error_rate": judgement.error_rate(),
        "errors": json_count(judgement.errors()),
        "n": json_count(judgement.n()),
        "interval": [low, high],
        "log_loss": judgement.log_loss(),
        "brier": judgement.brier(),
        "calibration_error": judgement.calibration_error(),
        "reliability": judgement.reliability().iter().map(bin).collect::<Vec<_>>(),
        "unlearnt": json_count(judgement.unlearnt()),
        "rejected": json_count(judgement.rejected()),
        "accepted_error_rate": of_accepted,
        "mean_cost": judgement.mean_cost(),
        "classes": judgement.classes().iter().map(Label::as_str).collect::<Vec<_>>(),
        "actions": judgement.actions().iter().map(|a| name(judgement, *a)).collect::<Vec<_>>(),
        "confusion": counts,
    });
    if let Some(object) = result.as_object_mut() {
        object.extend(about);
    }
    output.answer(&text, &result)
}

fn bin(bin: &Reliability) -> Value {
    json!({
        "from": bin.from,
        "to": bin.to,
        "n": json_count(bin.weight),
        "confidence": bin.confidence,
        "accuracy": bin.accuracy,
    })
}

fn name(judgement: &Judgement, action: Action) -> String {
    match action {
        Action::Class(k) => judgement.classes()[k].to_string(),
        Action::Reject => Action::REJECT.into(),
    }
}

/// The whole table of few classes, the largest errors of many.
fn confusion(judgement: &Judgement) -> String {
    let classes = judgement.classes();
    let said = judgement.actions().iter().map(|action| name(judgement, *action));
    if classes.len() <= WHOLE_TABLE {
        let head = std::iter::once("true \\ said".to_string()).chain(said).collect();
        let row = |(class, row): (&Label, &Vec<f64>)| {
            std::iter::once(class.to_string()).chain(row.iter().map(|&n| count(n))).collect()
        };
        let counts = judgement.confusion();
        let rows = classes.iter().zip(&counts).map(row);
        return table(&std::iter::once(head).chain(rows).collect::<Vec<Vec<String>>>());
    }
    let said: Vec<String> = said.collect();
    let mut rows = vec![["true", "said", "rows"].map(String::from).to_vec()];
    for (class, action, n) in judgement.largest_errors().into_iter().take(WHOLE_TABLE) {
        rows.push(vec![classes[class].to_string(), said[action].clone(), count(n)]);
    }
    format!("the largest errors among {} classes\n{}", classes.len(), table(&rows))
}
