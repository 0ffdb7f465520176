//! Fits naive Bayes over columns of any type, and says what they hold.

use gaussbayes::{
    Alpha, Classifier, ColumnKind, Counting, Density, Error, Label, Learner, OnSingular, Places,
    Pooling, Priors, Product, ProductReport, ProductSpec, ProductStat, ProductSweep, Ridge, Scorer,
    Training, Unseen,
};
use gaussbayes_io::{ColumnType, Data, Kept, Model, Types, shell, typed_parts};
use serde_json::{Map, Value, json};

use super::warn_of_twins;
use super::workers::Workers;
use crate::args::{Common, Estimation, Fit, Typed};
use crate::failure::Failure;
use crate::models::{learner, priors as priors_of};
use crate::output::Output;
use crate::settings;
use crate::text::{count, json_count, plural};

/// The model whose columns may be of any type.
pub(super) const NAIVE_BAYES: &str = "naive-bayes";

/// Columns up to which each is named.
const NAMED: usize = 20;

/// How columns are to be read: recognised for naive Bayes, plain numbers for all other models.
pub(super) fn types(asked: &Estimation) -> Result<Types, Failure> {
    if asked.model() == NAIVE_BAYES && asked.rda.is_none() {
        return Ok(Types::Recognised(asked.typed.types.clone()));
    }
    match asked.typed.given() {
        Some(flag) => Err(Failure::usage(
            format!("{flag} is for naive Bayes alone"),
            format!("--model {NAIVE_BAYES}, or leave {flag} out"),
        )),
        None => Ok(Types::Plain),
    }
}

/// Refuses what has nothing to do where all columns are plain numbers.
pub(super) fn refuse_idle(asked: &Typed) -> Result<(), Failure> {
    match asked.smoothing() {
        Some(flag) => Err(Failure::usage(
            format!(
                "{flag} is for flags, categories, counts and text, and all columns are numbers"
            ),
            format!("leave {flag} out, or say what columns hold: --types COL=category"),
        )),
        None => Ok(()),
    }
}

/// What is estimated of columns of these types.
pub(super) fn spec(
    asked: &Estimation,
    types: &[ColumnType],
    features: &[String],
) -> Result<(ProductSpec, Priors), Failure> {
    let (options, typed) = (&asked.options, &asked.typed);
    for (given, flag) in [
        (asked.density != Density::PlugIn, "--density"),
        (options.ddof != 0, "--ddof"),
        (options.pooling != Pooling::Size, "--pooling"),
        (options.shrinkage.is_some(), "--shrinkage"),
        (options.on_singular != OnSingular::Refuse, "--on-singular"),
        (options.standardize, "--standardize"),
    ] {
        if given {
            let message = format!("naive Bayes over typed columns takes no {flag}");
            return Err(Failure::usage(message, format!("leave {flag} out")));
        }
    }
    let counted = |kind: &ColumnType| matches!(kind, ColumnType::Count | ColumnType::Text);
    if typed.complement && !types.iter().any(counted) {
        let message = "--complement is for counts and text, and no column holds any";
        return Err(Failure::usage(message, "leave --complement out, or --types COL=count"));
    }
    let alphas = Alphas::of(typed, types, features)?;
    let counting =
        if typed.complement { Counting::Complement { norm: false } } else { Counting::Multinomial };
    let parts = typed_parts(types, counting, |columns| alphas.of_part(columns));
    let ridge = if options.ridge == 0.0 { Ridge::None } else { Ridge::OfEach(options.ridge) };
    let unseen = typed.unseen.unwrap_or(Unseen::Ignore);
    let spec = ProductSpec { parts, unseen, ridge };
    spec.check(types.len())?;
    let priors = options.priors.as_deref().map(priors_of).transpose()?;
    Ok((spec, priors.unwrap_or(Priors::Observed)))
}

/// What is added to counts: for all columns, and for those that have their own.
struct Alphas {
    usual: f64,
    own: Vec<Option<f64>>,
}

impl Alphas {
    fn of(typed: &Typed, types: &[ColumnType], features: &[String]) -> Result<Self, Failure> {
        let (mut usual, mut own) = (None, vec![None; types.len()]);
        for (column, alpha) in &typed.alpha {
            let Some(name) = column else {
                if usual.replace(*alpha).is_some() {
                    let message = "--alpha has two numbers for all columns";
                    return Err(Failure::usage(message, "--alpha 1, or --alpha 1,zip=0.1"));
                }
                continue;
            };
            let Some(j) = features.iter().position(|feature| feature == name) else {
                let nearest = gaussbayes_io::nearest(name, features.iter().map(String::as_str));
                let hint = nearest.map_or_else(
                    || "--alpha COL=0.1 with a column that is used".into(),
                    |nearest| format!("did you mean '{nearest}'?"),
                );
                return Err(Failure::usage(format!("--alpha: no column '{name}' is used"), hint));
            };
            if types[j] == ColumnType::Number {
                let message = format!("--alpha: '{name}' holds numbers, which are not counted");
                let hint = format!("leave it out, or --types {}=category", shell(name));
                return Err(Failure::usage(message, hint));
            }
            own[j] = Some(*alpha);
        }
        Ok(Self { usual: usual.unwrap_or(1.0), own })
    }

    fn of_part(&self, columns: &[usize]) -> Alpha {
        if columns.iter().all(|&j| self.own[j].is_none()) {
            return Alpha::One(self.usual);
        }
        Alpha::Each(columns.iter().map(|&j| self.own[j].unwrap_or(self.usual)).collect())
    }
}

/// Fits to rows that all have a label, in one pass over them, and saves the model.
pub(super) fn fit(
    arguments: &Fit,
    mut data: Data,
    target: String,
    common: &Common,
    output: &Output,
) -> Result<(), Failure> {
    let features = data.features().to_vec();
    let types = data.types().unwrap_or_default().to_vec();
    let (spec, priors) = spec(&arguments.estimation, &types, &features)?;
    let mut training = Training::of(ProductSweep::new(&spec), features.len());
    let workers = Workers::new(common, "fitting")?;
    let on = workers.reading(&data);
    training.add(&mut data, on).map_err(of_labels)?;
    let (classifier, report) = estimated(&spec, &priors, training.stat()?, &features, output)?;
    let weight = training.stat()?.weight().iter().sum();
    let model = Model {
        classifier,
        spec: spec.into(),
        priors,
        target: Some(target),
        weights: arguments.data.weights.clone(),
        training: (!arguments.sealed).then_some(Kept::Product(training)),
        known: false,
        note: None,
        clustering: None,
        by_em: None,
    };
    model.save(&arguments.output)?;
    saved(&model, &report, weight, &arguments.output.display().to_string(), output)
}

/// A classifier of these statistics; says what a user should know about it.
pub(super) fn estimated(
    spec: &ProductSpec,
    priors: &Priors,
    stat: ProductStat,
    features: &[String],
    output: &Output,
) -> Result<(Classifier, ProductReport), Failure> {
    let fitted = Classifier::fit_product(spec, priors, stat, features);
    let (classifier, report) = fitted.map_err(without_spread)?;
    for (column, why) in &report.silent {
        let name = &features[*column];
        output.warn(format!("column '{name}' {} and says nothing of the classes", why.text()));
    }
    warn_of_twins(classifier.classes(), output);
    Ok((classifier, report))
}

/// A column of numbers without spread in a class has other remedies than a covariance.
fn without_spread(error: Error) -> Failure {
    match error.root() {
        Error::Singular(_) => Failure::Unfitted {
            message: error.to_string(),
            hint: "leave the column out (--drop), count its values (--types COL=category), or add a share \
                   of its variance (--ridge 1e-6)"
                .into(),
        },
        _ => error.into(),
    }
}

/// Rows without a label are for EM, which knows Gaussians alone.
fn of_labels(error: gaussbayes_io::Error) -> Failure {
    if let gaussbayes_io::Error::Core(Error::NoLabel { .. }) = &error {
        let hint = "remove the row or fill the label in: only Gaussian models learn from such rows";
        return Failure::Data { message: error.to_string(), hint: hint.into() };
    }
    error.into()
}

/// Says what was saved, and what can be done with it.
pub(super) fn saved(
    model: &Model,
    report: &ProductReport,
    weight: f64,
    path: &str,
    output: &Output,
) -> Result<(), Failure> {
    let classifier = &model.classifier;
    let (classes, features) = (classifier.classes(), classifier.features());
    let columns = columns(model);
    let text = format!(
        "{} on {} rows: {} classes, {}, {} parameters\n{}\n{}\nsaved {path}\n\
         next: gaussbayes predict {} NEW.csv --proba\n",
        learner(&model.spec),
        count(weight),
        classes.len(),
        plural(features.len(), "feature"),
        report.parameters,
        sentence(&columns),
        settings::words(&model.spec, &model.priors).join(", "),
        gaussbayes_io::shell(path),
    );
    let mut result = json!({
        "model": path,
        "n": json_count(weight),
        "classes": classes.iter().map(Label::as_str).collect::<Vec<_>>(),
        "features": features,
        "types": columns.iter().map(Held::json).collect::<Vec<_>>(),
        "priors": classifier.priors(),
        "parameters": report.parameters,
        "silent": report.silent.iter().map(|(j, _)| &features[*j]).collect::<Vec<_>>(),
    });
    if let Some(object) = result.as_object_mut() {
        object.extend(settings::fields(&model.spec));
    }
    output.answer(&text, &result)
}

/// What a column of a model holds.
pub(super) struct Held {
    name: String,
    kind: &'static str,
    /// Its different values or words, where it has names for them.
    values: Option<usize>,
    /// What is added to its counts, where it has some.
    alpha: Option<f64>,
}

impl Held {
    fn text(&self) -> String {
        let (name, kind) = (&self.name, self.kind);
        let thing = if kind == "text" { "word" } else { "value" };
        let values = self.values.map(|values| format!(" ({})", plural(values, thing)));
        format!("{name} {kind}{}", values.unwrap_or_default())
    }

    pub(super) fn json(&self) -> Value {
        let mut object = Map::new();
        object.insert("column".into(), json!(self.name));
        object.insert("type".into(), json!(self.kind));
        let key = if self.kind == "text" { "words" } else { "values" };
        object.extend(self.values.map(|values| (key.to_string(), json!(values))));
        object.extend(self.alpha.map(|alpha| ("alpha".to_string(), json!(alpha))));
        object.into()
    }
}

/// What the columns of a product hold, in their order.
pub(super) fn columns(model: &Model) -> Vec<Held> {
    let (Learner::Product(spec), Scorer::Product(product)) =
        (&model.spec, model.classifier.model())
    else {
        return Vec::new();
    };
    let column = |(j, name): (usize, &String)| {
        let part = spec.parts.iter().find(|part| part.columns.contains(&j));
        let kind = part.map_or("left out", |part| part.kind.name());
        let named = part.is_some_and(|part| {
            matches!(
                part.kind,
                ColumnKind::Category | ColumnKind::Code { .. } | ColumnKind::Text(_)
            )
        });
        let alpha = part.filter(|part| part.kind != ColumnKind::Number).and_then(|part| {
            part.columns.iter().position(|column| *column == j).map(|at| part.alpha.of(at))
        });
        Held { name: name.clone(), kind, values: named.then(|| values(product, j)), alpha }
    };
    model.classifier.features().iter().enumerate().map(column).collect()
}

/// Different values or words of a column; none where no row has one.
fn values(product: &Product, column: usize) -> usize {
    use gaussbayes::Factor;
    let factor = product.factors().iter().find(|factor| factor.columns().contains(&column));
    match factor {
        Some(Factor::Names { places: Places::Names(names), .. }) => names.len(),
        Some(Factor::Names { places: Places::Below(end), .. }) => *end as usize,
        Some(Factor::Words { words, .. }) => words.len(),
        _ => 0,
    }
}

/// The columns in a line: one by one, or by type where there are many.
pub(super) fn sentence(columns: &[Held]) -> String {
    if columns.len() <= NAMED {
        let all: Vec<String> = columns.iter().map(Held::text).collect();
        return format!("columns: {}", all.join(", "));
    }
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for column in columns {
        match kinds.iter_mut().find(|(kind, _)| *kind == column.kind) {
            Some((_, number)) => *number += 1,
            None => kinds.push((column.kind, 1)),
        }
    }
    let all: Vec<String> = kinds.iter().map(|(kind, number)| format!("{number} {kind}")).collect();
    format!("columns: {}", all.join(", "))
}
