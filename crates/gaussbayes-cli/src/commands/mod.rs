//! Holds the commands, one file each, and what they share.

mod asked;
mod beside;
mod by_em;
mod chapters;
pub(crate) mod cluster;
pub(crate) mod compare;
mod curve;
pub(crate) mod error;
pub(crate) mod evaluate;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fit;
mod from;
mod judged;
pub(crate) mod merge;
pub(crate) mod model;
pub(crate) mod papers;
mod part;
mod per_class;
pub(crate) mod plot;
pub(crate) mod predict;
mod ranked;
mod rda;
pub(crate) mod report;
pub(crate) mod sample;
pub(crate) mod shift;
pub(crate) mod show;
mod show_typed;
mod softmax;
pub(crate) mod stats;
mod stream;
pub(crate) mod tour;
pub(crate) mod transform;
mod typed;
pub(crate) mod update;
mod workers;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use gaussbayes::{Action, Classifier, Label, Learner, Loss, Pooling, Priors, Report};
use gaussbayes_io::{Columns, Data, Model, Types, read_loss};

use crate::args::{self, Common, Costs, Tables};
use crate::failure::Failure;
use crate::output::Output;

/// Opens data with its classes; returns it with the name of its target column. Rows may have no label, or columns that
/// are no plain numbers.
fn opened(
    data: &args::Data,
    unlabelled: bool,
    types: Types,
    common: &Common,
    output: &Output,
) -> Result<(Data, String), Failure> {
    let (data, target) = opened_again(data, unlabelled, types, common)?;
    output.attend(&data);
    Ok((data, target))
}

/// The same without a word about the files, which was said before.
fn opened_again(
    data: &args::Data,
    unlabelled: bool,
    types: Types,
    common: &Common,
) -> Result<(Data, String), Failure> {
    let usual = || data.tables.usual_target();
    let target = data.target.clone().or_else(usual).ok_or_else(|| {
        // A name that is no file is the greater mistake.
        if let [only] = data.tables.data.as_slice()
            && let Some(nearest) = gaussbayes_io::nearest(only, gaussbayes_io::names())
            && !Path::new(only).exists()
        {
            let nearest = Some(nearest.to_owned());
            return gaussbayes_io::Error::NotFound { path: only.clone(), nearest }.into();
        }
        Failure::usage(
            "which column holds the classes?",
            format!("gaussbayes … {} --target COL", data.tables.shell()),
        )
    })?;
    let columns = Columns {
        features: data.features.clone(),
        drop: data.drop.clone(),
        target: Some(target),
        weights: data.weights.clone(),
        unlabelled,
        types,
        ..Columns::default()
    };
    let data = data.tables.open(&columns, common.seed)?;
    let target = data.target().unwrap_or_default().to_owned();
    Ok((data, target))
}

/// Opens rows, and says how their files are written where that had to be found out.
fn open(
    tables: &Tables,
    columns: &Columns,
    common: &Common,
    output: &Output,
) -> Result<Data, Failure> {
    let data = tables.open(columns, common.seed)?;
    output.attend(&data);
    Ok(data)
}

/// The loss that was asked for; `None` where nothing was.
fn loss(costs: &Costs, classes: &[Label]) -> Result<Option<Loss>, Failure> {
    let loss = costs.loss.as_ref().map(|path| read_loss(path, classes)).transpose()?;
    if costs.reject.is_some() && classes.iter().any(|class| class.as_str() == Action::REJECT) {
        let message = format!("a class is named '{}', as the action would be", Action::REJECT);
        return Err(Failure::usage(message, "give the class another name, or leave --reject out"));
    }
    Ok(match costs.reject {
        Some(cost) => {
            let loss = loss.unwrap_or_else(|| Loss::zero_one(classes.len()));
            Some(loss.with_reject(cost)?)
        }
        None => loss,
    })
}

/// A saved classifier with other priors.
fn with_priors(
    classifier: Classifier,
    spec: &Learner,
    priors: &Priors,
    output: &Output,
) -> Result<Classifier, Failure> {
    let classifier = classifier.with_priors(priors)?;
    if spec.gaussian().is_ok_and(|spec| spec.pooling == Pooling::Priors) {
        output.warn("covariances were pooled by the priors of the fit: this is no refit".into());
    }
    if classifier.loss().outliers().is_some() {
        output.warn("outliers are still judged by the density under the saved priors".into());
    }
    Ok(classifier)
}

/// A saved classifier with the priors and costs that were asked for.
fn adjusted(
    classifier: Classifier,
    spec: &Learner,
    priors: Option<&str>,
    costs: &Costs,
    output: &Output,
) -> Result<Classifier, Failure> {
    let priors = priors.map(crate::models::priors).transpose()?;
    let classifier = match &priors {
        Some(priors) => with_priors(classifier, spec, priors, output)?,
        None => classifier,
    };
    match (loss(costs, classifier.classes())?, classifier.loss().outliers()) {
        (Some(loss), Some(level)) => Ok(classifier.with_loss(loss.with_outliers(level)?)?),
        (Some(loss), None) => Ok(classifier.with_loss(loss)?),
        (None, _) => Ok(classifier),
    }
}

/// Says what a user should know about a fit.
fn warn_of(report: &Report, features: &[String], output: &Output) {
    for &j in &report.constant {
        output.warn(format!("column '{}' is constant and was not standardised", features[j]));
    }
    if let Some((widest, narrowest)) = report.wide {
        output.warn(format!(
            "columns differ widely in spread ('{}' most, '{}' least), and this model depends on units: \
             consider --standardize",
            features[widest], features[narrowest]
        ));
    }
    if let Some(convergence) = report.convergence.filter(|convergence| !convergence.converged) {
        output.warn(format!(
            "the covariances had not converged after {} steps: classes have little in common",
            convergence.steps
        ));
    }
    if let Some(rank) = report.rank {
        output.warn(format!(
            "classes are told apart in {rank} of {} directions: in the others they have no spread",
            features.len()
        ));
    }
}

/// Warns of classes whose names differ only in letter case or spaces.
fn warn_of_twins(classes: &[Label], output: &Output) {
    let mut seen = HashMap::new();
    for class in classes {
        if let Some(other) = seen.insert(class.as_str().trim().to_lowercase(), class) {
            output.warn(format!(
                "classes '{other}' and '{class}' differ only in how they are written"
            ));
        }
    }
}

/// What an action is called.
fn action_name(classifier: &Classifier, action: usize) -> String {
    let label = classifier.action_label(action);
    label.map_or_else(|| Action::REJECT.into(), ToString::to_string)
}

/// What a model tells apart.
fn word_of(model: &Model) -> &'static str {
    if model.clustering.is_some() { "cluster" } else { "class" }
}

/// A full matrix from its lower triangle.
fn square(triangle: &[f64], dim: usize) -> Vec<Vec<f64>> {
    let at = |i: usize, j: usize| triangle[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
    (0..dim).map(|i| (0..dim).map(|j| at(i, j)).collect()).collect()
}

/// A name for a column that no feature has.
fn free_name(name: &str, features: &[String]) -> String {
    let mut name = name.to_owned();
    while features.contains(&name) {
        name.push('_');
    }
    name
}

/// Where a file is or would be, however its name is spelt.
fn place(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let new = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(new).unwrap_or_else(|| path.to_owned())
}

/// Refuses to write over what is being read.
fn refuse_overwriting(output: &Path, inputs: &[PathBuf]) -> Result<(), Failure> {
    if output.as_os_str() == "-" {
        return Err(Failure::usage("a file named '-' cannot be written", "name a file"));
    }
    let place = |path: &Path| path.canonicalize().ok().filter(|place| place.is_file());
    let taken = place(output).is_some_and(|place_of_output| {
        inputs.iter().any(|input| place(input).as_ref() == Some(&place_of_output))
    });
    if taken {
        let name = output.display();
        let message = format!("'{name}' is read: it would be lost if it were written");
        return Err(Failure::usage(message, "name another file with -o"));
    }
    Ok(())
}
