//! Fits a mixture to every class, chosen by a criterion, and says which.

use gaussbayes::{
    Cell, ClassMixture, Classifier, CovarianceSpec, Criterion, Density, EmSpec, Event, Family,
    Label, Mixtures, MixturesSpec, Priors, SearchSpec, Start, mixture_per_class,
};
use gaussbayes_io::{ByEm, Held, Model, OfClass, Types};
use serde_json::{Map, Value, json};

use super::cluster::families;
use super::fit::Job;
use super::workers::Workers;
use super::{by_em, opened, warn_of_twins};
use crate::args::{Common, Components, Fit};
use crate::failure::Failure;
use crate::models::spec as spec_of;
use crate::output::Output;
use crate::settings;
use crate::text::{count, json_count, plural, short, table};

/// Runs of each random kind of start.
const RESTARTS: u64 = 2;

pub(super) fn run(
    arguments: &Fit,
    components: Components,
    common: &Common,
    output: &Output,
) -> Result<(), Failure> {
    let (covariance, priors) = estimation(arguments)?;
    let (data, target) = opened(&arguments.data, true, Types::Plain, common, output)?;
    let (features, workers) = (data.features().to_vec(), Workers::new(common, "fitting")?);
    let spec = spec(arguments, components, &covariance, &priors, &features, common)?;
    let on = workers.reading(&data);
    let mut rows = Held::read(data, on)?;
    let found = mixture_per_class(&spec, &mut rows, on)?;
    warn_of_twins(found.classifier.classes(), output);
    found.classes.iter().for_each(|class| warn(class, output));
    let (rows, weight) = (found.rows, found.labelled + found.unlabelled);
    let mut record =
        ByEm::of((rows, found.unlabelled_rows), weight, found.parameters, found.em.as_ref());
    if let Some(em) = &found.em {
        by_em::told(&record, em, output);
    }
    record.criterion = Some(arguments.criterion);
    let value = |class: &ClassMixture| class.best().value(arguments.criterion);
    let of = |class: &ClassMixture| OfClass {
        family: class.best().cell.family,
        value: value(class).unwrap_or(f64::NAN),
    };
    record.classes = found.classes.iter().map(of).collect();
    let covariance = spec.search.spec.covariance;
    let job = Job {
        arguments,
        common,
        output,
        workers: &workers,
        spec: covariance,
        priors,
        target,
        features,
    };
    let model = job.model(found.classifier.clone(), job.spec.clone(), None, Some(record));
    model.save(&arguments.output)?;
    answer(arguments, &model, &found, weight, output)
}

/// How covariances are estimated, but for their families.
fn estimation(arguments: &Fit) -> Result<(CovarianceSpec, Priors), Failure> {
    let asked = &arguments.estimation;
    for (is_there, flag) in [
        (asked.typed.given().is_some(), asked.typed.given().unwrap_or_default()),
        (asked.rda.is_some(), "--rda"),
        (asked.density != Density::PlugIn, "--density"),
        (asked.options.shrinkage.is_some(), "--shrinkage"),
    ] {
        if is_there {
            let message = format!("a mixture per class takes no {flag}");
            return Err(Failure::usage(message, format!("leave {flag} or --components out")));
        }
    }
    spec_of(Family::Vvv, &asked.options)
}

/// What is tried for every class.
fn spec(
    arguments: &Fit,
    components: Components,
    covariance: &CovarianceSpec,
    priors: &Priors,
    features: &[String],
    common: &Common,
) -> Result<MixturesSpec, Failure> {
    let words = arguments.estimation.model.as_deref().unwrap_or("all");
    let words: Vec<String> = words.split(',').map(|word| word.replace("auto", "all")).collect();
    let families = families::listed(&words)?.unwrap_or_else(|| families::all(features.len()));
    let numbers: Vec<usize> = match components {
        Components::Auto => families::USUAL.collect(),
        Components::Fixed(number) => vec![number],
    };
    let cell = |components: usize| {
        families.iter().map(move |&family| Cell { components, family }).collect::<Vec<_>>()
    };
    let usual = EmSpec::from(Family::Vvv);
    let guard = usual.covariance.guard;
    // The family of a model with one; where classes differ, that of the first is as good as any.
    let family = if let [family] = families[..] { family } else { Family::Vvv };
    let spec =
        EmSpec { covariance: CovarianceSpec { guard, family, ..covariance.clone() }, ..usual };
    let search = SearchSpec {
        cells: numbers.into_iter().flat_map(cell).collect(),
        spec,
        runs: Start::usual(RESTARTS),
        seed: common.seed,
        criterion: arguments.criterion,
        features: features.to_vec(),
    };
    Ok(MixturesSpec { search, own: Vec::new(), priors: priors.clone() })
}

/// Says what a user should know about the mixture of a class.
fn warn(class: &ClassMixture, output: &Output) {
    let (name, best) = (&class.class, class.best());
    if let Some(note) = best.note() {
        output.warn(format!("class '{name}': {note}"));
    }
    let Some(state) = &best.state else { return };
    for event in state.events() {
        if let Event::Fell { iteration, by } = event {
            let by = short(*by);
            output.warn(format!(
                "class '{name}': the log-likelihood fell by {by} in iteration {iteration}"
            ));
        }
    }
    if !state.converged() {
        let iterations = plural(state.iteration() as usize, "iteration");
        output.warn(format!("class '{name}': EM had not converged after {iterations}"));
    }
}

fn answer(
    arguments: &Fit,
    model: &Model,
    found: &Mixtures,
    weight: f64,
    output: &Output,
) -> Result<(), Failure> {
    let (classifier, path) = (&model.classifier, arguments.output.display().to_string());
    let classes = classifier.classes();
    let record = model.by_em.as_ref();
    let text = format!(
        "a mixture per class on {} rows: {} classes, {}, {} parameters\n{}\n\n{}\n{}saved {path}\n\
         next: gaussbayes predict {} NEW.csv --proba\n",
        count(weight),
        classes.len(),
        plural(classifier.features().len(), "feature"),
        found.parameters,
        settings::words(&model.spec, &model.priors).join(", "),
        chosen(found, arguments.criterion),
        record.map_or_else(String::new, by_em::sentence),
        gaussbayes_io::shell(&path),
    );
    let tried = found.classes.iter().map(|class| class.search.entries().len()).max();
    let mut result: Map<String, Value> = settings::fields(&model.spec);
    result.remove("family");
    result.extend(record.map(by_em::fields).into_iter().flatten());
    let each = |of: fn(&ClassMixture) -> Value| found.classes.iter().map(of).collect::<Vec<_>>();
    let fields = [
        ("model", json!(path)),
        ("n", json_count(weight)),
        ("classes", json!(classes.iter().map(Label::as_str).collect::<Vec<_>>())),
        ("features", json!(classifier.features())),
        ("priors", json!(classifier.priors())),
        ("criterion", json!(arguments.criterion.name())),
        ("components", json!((0..classes.len()).map(|k| kept(classifier, k)).collect::<Vec<_>>())),
        ("families", json!(each(|class| json!(class.best().cell.family.name())))),
        ("values", json!(each(|class| json!(class.best().value(class.search.criterion()))))),
        ("tried", json!(tried)),
    ];
    result.extend(fields.map(|(key, value)| (key.to_string(), value)));
    output.answer(&text, &result.into())
}

/// Components that a class has at the end: EM over all rows may have left some out.
fn kept(classifier: &Classifier, class: usize) -> usize {
    classifier.owner().iter().filter(|owner| **owner == class).count()
}

/// What was chosen, a row per class.
fn chosen(found: &Mixtures, criterion: Criterion) -> String {
    let title = criterion.name().to_uppercase();
    let titles = ["class", "rows", "components", "family", title.as_str()];
    let mut rows: Vec<Vec<String>> = vec![titles.map(String::from).to_vec()];
    for (k, class) in found.classes.iter().enumerate() {
        let value = class.best().value(criterion).map_or_else(String::new, |v| format!("{v:.1}"));
        rows.push(vec![
            class.class.to_string(),
            count(class.weight),
            kept(&found.classifier, k).to_string(),
            class.best().cell.family.to_string(),
            value,
        ]);
    }
    table(&rows)
}
