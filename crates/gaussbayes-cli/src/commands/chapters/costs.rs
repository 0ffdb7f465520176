//! Shows what costs do to decisions: an error on one class made five times as dear.

use gaussbayes::{Action, Candidate, Classifier, Judgement, Label, Loss, cross_validate};
use gaussbayes_io::shell;
use gaussbayes_plot::{Look, regions};
use serde_json::{Value, json};

use super::{Bench, Subject};
use crate::failure::Failure;
use crate::page::{Chapter, isolated};
use crate::text::{cell, count, per_cent, short};

/// How much dearer an error on the chosen class is.
pub(in crate::commands) const DEARER: f64 = 5.0;

/// Classes up to which a table of costs is printed as a command.
const PRINTED: usize = 6;

/// Errors cost one, those on one class five.
pub(in crate::commands) fn dearer(classes: usize, class: usize) -> Result<Loss, Failure> {
    let cost = |i: usize, j: usize| match (i == j, i == class) {
        (true, _) => 0.0,
        (_, true) => DEARER,
        _ => 1.0,
    };
    let all = (0..classes).flat_map(|i| (0..classes).map(move |j| cost(i, j))).collect();
    Ok(Loss::new(classes, (0..classes).map(Action::Class).collect(), all)?)
}

/// A command that writes the table of these costs; nothing where it would fill the page.
pub(in crate::commands) fn written(classes: &[Label], class: usize) -> Option<String> {
    if classes.len() > PRINTED {
        return None;
    }
    let names = || classes.iter().map(|label| cell(label.as_str()));
    let head = std::iter::once("true".to_string()).chain(names()).collect::<Vec<_>>().join(",");
    let mut lines = vec![shell(&head)];
    for (i, name) in names().enumerate() {
        let cost = |j: usize| match (i == j, i == class) {
            (true, _) => "0".to_string(),
            (_, true) => short(DEARER),
            _ => "1".into(),
        };
        let row: Vec<String> = std::iter::once(name).chain((0..classes.len()).map(cost)).collect();
        lines.push(shell(&row.join(",")));
    }
    Some(format!("printf '%s\\n' {} > costs.csv", lines.join(" ")))
}

/// Adds what a rule of other costs does to rows that it has not seen.
pub(in crate::commands) fn moved(
    chapter: &mut Chapter,
    candidate: &Candidate,
    classifier: &Classifier,
    before: &Judgement,
    (subject, class): (&Subject, usize),
    bench: &Bench<'_>,
) -> Result<Value, Failure> {
    let classes = classifier.classes();
    let name = isolated(classes[class].as_str());
    let loss = dearer(classes.len(), class)?;
    let (features, folds, on) = (&subject.features, subject.folds, bench.workers.on());
    let source = &mut subject.rows.source();
    let (learner, priors) = candidate;
    let after = cross_validate(learner, priors, features, Some(&loss), folds, source, on)?;
    let missed = |judged: &Judgement| {
        let row = &judged.confusion()[class];
        row.iter().sum::<f64>() - row[class]
    };
    let taken = |judged: &Judgement| {
        let column = judged.confusion();
        let others = column.iter().enumerate().filter(|(i, _)| *i != class);
        others.map(|(_, row)| row[class]).sum::<f64>()
    };
    let head = [String::new(), "equal costs".into(), format!("{DEARER:.0} to 1")];
    let row = |title: String, value: &dyn Fn(&Judgement) -> String| {
        vec![title, value(before), value(&after)]
    };
    let cells = vec![
        head.to_vec(),
        row(format!("rows of '{name}' missed"), &|judged| count(missed(judged))),
        row(format!("others taken for '{name}'"), &|judged| count(taken(judged))),
        row("errors".into(), &|judged| per_cent(judged.error_rate())),
    ];
    chapter.table(format!("Rows left out, by what an error on '{name}' costs"), cells);
    let dear =
        |judged: &Judgement| (judged.errors() + (DEARER - 1.0) * missed(judged)) / judged.n();
    chapter.say(format!(
        "Counted at {DEARER:.0} to 1, a row costs {} by the rule of equal costs and {} by the rule that knows them.",
        short(dear(before)),
        short(dear(&after))
    ));
    let rule = classifier.clone().with_loss(loss)?;
    if features.len() <= 2 {
        chapter.figure(regions(&rule, Some(&subject.few), &Look::default()));
    }
    chapter.brief(format!(
        "errors on '{}' at {DEARER:.0} to 1: {} missed instead of {}",
        classes[class],
        count(missed(&after)),
        count(missed(before))
    ));
    Ok(json!({
        "class": classes[class].as_str(),
        "missed": [missed(before), missed(&after)],
        "taken": [taken(before), taken(&after)],
        "cost": [dear(before), dear(&after)],
    }))
}
