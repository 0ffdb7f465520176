//! Writes the boundaries of a classifier as formulas.

use gaussbayes::{Boundary, Classifier, Kind};
use serde_json::{Value, json};

use crate::commands::action_name;
use crate::commands::explain::place;
use crate::equation::Equation;
use crate::failure::Failure;
use crate::page::{Chapter, isolated};
use crate::text::short;

/// Terms of a formula up to which it is printed.
const MOST_TERMS: usize = 21;

/// Pairs of actions whose boundary is printed.
const MOST_PAIRS: usize = 6;

/// Adds the boundaries between the first pairs of actions; returns what they are.
pub(in crate::commands) fn explained(
    chapter: &mut Chapter,
    classifier: &Classifier,
) -> Result<Vec<Value>, Failure> {
    classifier.rule()?;
    let actions = classifier.loss().actions().len();
    let pairs: Vec<(usize, usize)> =
        (0..actions).flat_map(|a| (a + 1..actions).map(move |b| (a, b))).collect();
    let mut found = Vec::new();
    for &(a, b) in pairs.iter().take(MOST_PAIRS) {
        found.push(formula(chapter, classifier, (a, b))?);
    }
    if pairs.len() > MOST_PAIRS {
        chapter.say(format!(
            "These are the first {MOST_PAIRS} of {} pairs; gaussbayes explain lists all.",
            pairs.len()
        ));
    }
    Ok(found)
}

/// Adds the boundary between two actions.
pub(in crate::commands) fn formula(
    chapter: &mut Chapter,
    classifier: &Classifier,
    (a, b): (usize, usize),
) -> Result<Value, Failure> {
    let boundary = classifier.boundary(a, b)?;
    let place = place(classifier)?;
    let names = [a, b].map(|action| action_name(classifier, action));
    let [first, second] = names.each_ref().map(|name| isolated(name));
    let about = format!("'{first}' rather than '{second}' ({})", shape(&boundary));
    let features = classifier.features();
    let equation = boundary.quadric.as_ref().map(|it| Equation::new(it, features, &place));
    match (&equation, boundary.kind) {
        (_, Kind::Everywhere) => chapter.say(format!("{about}: both are as good everywhere.")),
        (Some(equation), _) if equation.terms() <= MOST_TERMS => {
            let where_ = format!("{about} where");
            chapter.formula(where_, equation.mathml('>', "0"));
        }
        (Some(equation), _) => chapter.say(format!(
            "{about}: an equation of {} terms, which gaussbayes explain --json prints.",
            equation.terms()
        )),
        (None, _) => chapter.say(format!("{about}.")),
    }
    if !boundary.thresholds.is_empty() {
        let at: Vec<String> = boundary.thresholds.iter().map(|x| place.precise(*x)).collect();
        chapter.say(format!("Decisions change at {}.", at.join(" and ")));
    }
    Ok(json!({
        "classes": names,
        "kind": boundary.kind.name(),
        "equation": equation.filter(|it| it.terms() <= MOST_TERMS).map(|it| it.text()),
    }))
}

/// What the boundary is, with its size where it has one.
fn shape(boundary: &Boundary) -> String {
    let kind = boundary.kind.name();
    let canonical = boundary.canonical.as_ref();
    let semi = canonical.into_iter().flat_map(|it| it.semi_axes.iter().flatten());
    let sizes: Vec<String> = semi.map(|x| short(*x)).collect();
    match (boundary.kind, sizes.as_slice()) {
        (Kind::Circle | Kind::Sphere, [radius, ..]) => format!("{kind} of radius {radius}"),
        (Kind::Ellipse, sizes) if !sizes.is_empty() => {
            format!("{kind} with semi-axes {}", sizes.join(" and "))
        }
        _ => kind.to_string(),
    }
}
