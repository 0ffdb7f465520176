//! Takes a part of a model: some of its columns, or the others where some are known.

use gaussbayes::{Classifier, Loss};
use gaussbayes_io::Model;

use super::model;
use crate::failure::Failure;

/// The model of the columns of `marginal`, or of all, where columns have the values of `given`.
pub(super) fn of(whole: Model, given: &[String], marginal: &[String]) -> Result<Model, Failure> {
    let names = whole.classifier.features().to_vec();
    // Which columns of the whole are left, in their order.
    let mut left: Vec<usize> = (0..names.len()).collect();
    let mut mixture = whole.classifier.mixture()?.clone();
    if !given.is_empty() {
        let known = given.iter().map(|text| value(text, &names));
        let known = known.collect::<Result<Vec<(usize, f64)>, Failure>>()?;
        mixture = mixture.conditional(&known)?;
        left.retain(|j| known.iter().all(|(other, _)| other != j));
    }
    if !marginal.is_empty() {
        let mut kept = Vec::new();
        for entry in marginal {
            kept.extend(columns(entry, &names)?);
        }
        let place = |j: &usize| {
            left.iter().position(|other| other == j).ok_or_else(|| {
                let message = format!("column '{}' has a given value", names[*j]);
                Failure::usage(message, "leave it out of --marginal")
            })
        };
        mixture = mixture.marginal(&kept.iter().map(place).collect::<Result<Vec<_>, _>>()?)?;
        left = kept;
    }
    let features = left.into_iter().map(|j| names[j].clone()).collect();
    let (classes, owner) = (whole.classifier.classes().to_vec(), whole.classifier.owner().to_vec());
    // A density below which rows are rejected is one of all columns.
    let loss = match whole.classifier.loss().outliers() {
        Some(_) => Loss::zero_one(classes.len()),
        None => whole.classifier.loss().clone(),
    };
    let part = model::of(Classifier::owned(mixture, owner, classes, features, loss)?)?;
    let target = if whole.clustering.is_some() { None } else { part.target };
    Ok(Model { target, clustering: whole.clustering, ..part })
}

/// The columns of a name, a number from 1, or a range of numbers.
fn columns(entry: &str, features: &[String]) -> Result<Vec<usize>, Failure> {
    let number = |word: &str| {
        word.trim().parse::<usize>().ok().filter(|number| (1..=features.len()).contains(number))
    };
    let named = features.iter().any(|feature| feature == entry.trim());
    if let (false, Some((first, last))) = (named, entry.split_once(".."))
        && let (Some(first), Some(last)) = (number(first), number(last))
        && first <= last
    {
        return Ok((first - 1..last).collect());
    }
    Ok(vec![column(entry, features)?])
}

fn column(name: &str, features: &[String]) -> Result<usize, Failure> {
    let name = name.trim();
    let number = name.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let place = number.filter(|place| *place < features.len());
    let found = features.iter().position(|feature| feature == name).or(place);
    found.ok_or_else(|| {
        let hint = gaussbayes_io::nearest(name, features.iter().map(String::as_str)).map_or_else(
            || format!("the columns are {}", features.join(", ")),
            |nearest| format!("did you mean '{nearest}'?"),
        );
        Failure::usage(format!("the model has no column '{name}'"), hint)
    })
}

fn value(text: &str, features: &[String]) -> Result<(usize, f64), Failure> {
    let wrong = || {
        let message = format!("'{text}' gives no column a value");
        Failure::usage(message, "--given COL=1.5,OTHER=2")
    };
    let (name, number) = text.rsplit_once('=').ok_or_else(wrong)?;
    let number: f64 = number.trim().parse().map_err(|_| wrong())?;
    Ok((column(name, features)?, number))
}
