//! Says whether the shares of the classes have moved, from rows without labels.

use gaussbayes::{Classifier, Label, PriorShift, Priors, Source, prior_shift};
use gaussbayes_io::{Columns, Held, Model, shell};
use serde_json::json;

use super::workers::Workers;
use super::{open, refuse_overwriting, with_priors, word_of};
use crate::args::{Common, Shift, Tables};
use crate::failure::Failure;
use crate::output::Output;
use crate::text::{count, json_count, short, table};

pub(crate) fn run(arguments: &Shift, common: &Common, output: &Output) -> Result<(), Failure> {
    let mut model = Model::load(&arguments.model)?;
    if let Some(path) = &arguments.output {
        refuse_overwriting(path, &arguments.data.paths())?;
        if model.clustering.is_some() {
            let file = shell(&arguments.model.display().to_string());
            let data = arguments.data.shell();
            return Err(Failure::usage(
                "the shares of clusters are part of their fit: they are not saved without it",
                format!(
                    "gaussbayes cluster {data} --start {file} --freeze means --freeze covariances"
                ),
            ));
        }
    }
    let columns = Columns { weights: arguments.weights.clone(), ..model.columns() };
    let (found, _) = look(&model.classifier, &arguments.data, &columns, common, output)?;
    warn_of(&found, &model.classifier, output);
    let moved = found.moved(arguments.level);
    let word = word_of(&model);
    let mut text = format!(
        "{} on {}: {} rows\n\n{}\nlikelihood ratio {}, {}\n{}\n",
        arguments.model.display(),
        arguments.data,
        count(found.weight),
        cells(&found, &model.classifier, word),
        short(found.statistic),
        degrees(found.degrees_of_freedom),
        sentence(&found, arguments.level),
    );
    let classes: Vec<&str> = model.classifier.classes().iter().map(Label::as_str).collect();
    let result = json!({
        "n": found.rows,
        "weight": json_count(found.weight),
        "classes": classes,
        "before": found.before,
        "after": found.after,
        "standard_errors": found.standard_errors,
        "log_likelihood_before": found.log_likelihood_before,
        "log_likelihood_after": found.log_likelihood_after,
        "statistic": found.statistic,
        "degrees_of_freedom": found.degrees_of_freedom,
        "p_value": found.p_value,
        "level": arguments.level,
        "moved": moved,
        "iterations": found.iterations,
        "converged": found.converged,
        "model": arguments.output.as_ref().map(|path| path.display().to_string()),
    });
    if let Some(path) = &arguments.output {
        if moved {
            warn_of_vanished(&found, &model.classifier, output);
            let priors = Priors::Given(found.after.clone());
            model.classifier = with_priors(model.classifier, &model.spec, &priors, output)?;
            model.priors = priors;
            // What another face of the library has noted is about the priors before.
            model.note = None;
        }
        model.save(path)?;
        let which = if moved { "the new priors" } else { "the priors it had" };
        text.push_str(&format!("saved {} with {which}\n", path.display()));
    }
    let saved = arguments.output.as_ref().map(|path| path.display().to_string());
    text += &match &saved {
        Some(path) => output.next("predict", &[("model", path)]),
        None if moved => output.next("predict", &[("priors", "shift")]),
        None => output.next("predict", &[("proba", "")]),
    };
    output.answer(&text, &result)
}

/// What the rows of some data say about the priors of a classifier, and these rows again.
pub(super) fn look(
    classifier: &Classifier,
    data: &Tables,
    columns: &Columns,
    common: &Common,
    output: &Output,
) -> Result<(PriorShift, Held), Failure> {
    let workers = Workers::new(common, "reading")?;
    let mut rows = workers.held(open(data, columns, common, output)?)?;
    workers.watch().say("looking for a shift".into(), Some(rows.rows()));
    let found = prior_shift(classifier, &mut rows, workers.on())?;
    rows.rewind()?;
    Ok((found, rows))
}

/// What came of the test, and what follows from it.
pub(super) fn sentence(found: &PriorShift, level: f64) -> String {
    let p = if found.p_value > 0.0 {
        format!("p = {}", short(found.p_value))
    } else {
        "p < 1e-300".into()
    };
    if found.moved(level) {
        return format!("the priors have moved: {p}, below {level}");
    }
    format!("the priors have not moved as far as these rows can tell: {p}, not below {level}")
}

/// What a user should know about the estimate.
pub(super) fn warn_of(found: &PriorShift, classifier: &Classifier, output: &Output) {
    let name = |k: usize| &classifier.classes()[k];
    for k in found.rare() {
        output.warn(format!(
            "of '{}' {} rows are to be expected, fewer than 5: the p value is rough",
            name(k),
            short(found.before[k] * found.weight)
        ));
    }
    let open = |k: &usize| found.after[*k] > 0.0 && found.after[*k] < 1.0;
    for k in (0..found.after.len()).filter(open) {
        if found.standard_errors[k].is_none() {
            output.warn(format!("these rows do not tell '{}' from all others", name(k)));
        }
    }
    if !found.converged {
        output.warn(format!("the priors were still moving after {} passes", found.iterations));
    }
}

/// Priors of 0 are for good.
pub(super) fn warn_of_vanished(found: &PriorShift, classifier: &Classifier, output: &Output) {
    for k in found.vanished() {
        output.warn(format!(
            "'{}' has prior 0 now: it is never said, and no later shift brings it back",
            classifier.classes()[k]
        ));
    }
}

/// Priors before and after, a row per class.
fn cells(found: &PriorShift, classifier: &Classifier, word: &str) -> String {
    let mut rows = vec![[word, "prior", "new prior", "± se"].map(String::from).to_vec()];
    for (k, class) in classifier.classes().iter().enumerate() {
        let error = found.standard_errors[k].map_or_else(|| "-".into(), short);
        let priors = [found.before[k], found.after[k]].map(short);
        rows.push([class.to_string()].into_iter().chain(priors).chain([error]).collect());
    }
    let mut text = table(&rows);
    if found.standard_errors.iter().any(Option::is_none) {
        text.push_str(
            "- a prior at 0 or 1, or a class that these rows do not show, has no standard error\n",
        );
    }
    text
}

fn degrees(number: usize) -> String {
    format!("{number} degree{} of freedom", if number == 1 { "" } else { "s" })
}
