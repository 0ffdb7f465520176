//! Draws the figures of deck 001: linear and quadratic discriminants with the matrices it prints.

use gaussbayes::{CovarianceSpec, Figure, Window};

use super::made::{
    beside, boundary, error_of, error_under, figure, fitted, known, line_key, matrix, stroke, told,
    window as shown,
};
use super::{Deck, Exhibit, Sets};
use crate::error::PlotError;
use crate::picture::{Dash, Ink, Key, Layer, Mark, Picture, Sign};
use crate::{Look, regions};

const DECK: Deck = Deck::Discriminants;

pub(super) const EXHIBITS: &[Exhibit] = &[
    Exhibit {
        name: "lda-identity",
        aliases: &[],
        about: "one round covariance for three classes: lines, nearest mean by Euclid",
        deck: DECK,
        draw: |_| shared("lda-identity", "round", "each line halves the way between two means"),
    },
    Exhibit {
        name: "lda-diagonal",
        aliases: &[],
        about: "one covariance along the axes: lines that follow it",
        deck: DECK,
        draw: |_| shared("lda-diagonal", "upright", "lines lean toward the wide direction"),
    },
    Exhibit {
        name: "lda-full",
        aliases: &[],
        about: "one oblique covariance: lines, nearest mean by Mahalanobis",
        deck: DECK,
        draw: |_| {
            shared("lda-full", "oblique", "the nearest mean by Mahalanobis distance, not by Euclid")
        },
    },
    Exhibit {
        name: "qda-spherical",
        aliases: &["qda-1"],
        about: "round classes of three sizes: circles",
        deck: DECK,
        draw: |_| {
            each("qda-1", "Round classes of three sizes", "every boundary is part of a circle")
        },
    },
    Exhibit {
        name: "qda-full",
        aliases: &["qda-2"],
        about: "three oblique covariances: conics of every kind",
        deck: DECK,
        draw: |_| each("qda-2", "Three oblique classes", "every boundary is part of a conic"),
    },
    Exhibit {
        name: "mahalanobis-euclid",
        aliases: &[],
        about: "a point that is nearer to one mean by Euclid and to the other by Mahalanobis",
        deck: DECK,
        draw: mahalanobis,
    },
    Exhibit {
        name: "naive-bayes",
        aliases: &[],
        about: "naive Bayes beside the quadratic rule: ellipses that may not tilt",
        deck: DECK,
        draw: naive_bayes,
    },
];

/// The covariances of a figure as the deck prints them.
fn matrices(name: &str) -> Vec<String> {
    let parameters = Figure::named(name).map(|figure| figure.parameters().covariances);
    let flat = |square: &Vec<Vec<f64>>| matrix(&[square[0][0], square[1][0], square[1][1]]);
    parameters.iter().flatten().map(flat).collect()
}

/// Three classes of one covariance.
fn shared(name: &str, shape: &str, notice: &str) -> Result<Picture, PlotError> {
    let rule = figure(name)?;
    let picture = regions(&rule, None, &Look::default())?;
    let (sigma, error) = (matrices(name).join(", "), error_of(&rule)?);
    Ok(told(
        picture,
        format!("LDA, Σ = {sigma}"),
        format!(
            "Three classes with the same {shape} covariance Σ = {sigma}; the plane is cut into three regions by three \
             half-lines that meet in one point. The rule errs on {error} of rows."
        ),
        format!(
            "One covariance Σ = {sigma} for all classes, so all boundaries are straight: {notice}."
        ),
    ))
}

/// Three classes, each of its own covariance.
fn each(name: &str, title: &str, notice: &str) -> Result<Picture, PlotError> {
    let rule = figure(name)?;
    let picture = regions(&rule, None, &Look::default())?;
    let numbered = ["Σ₁", "Σ₂", "Σ₃"].into_iter().zip(matrices(name));
    let sigmas: Vec<String> = numbered.map(|(sign, matrix)| format!("{sign} = {matrix}")).collect();
    let mut kinds: Vec<&str> = Vec::new();
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        kinds.push(rule.boundary(a, b)?.kind.name());
    }
    let (sigmas, error) = (sigmas.join(", "), error_of(&rule)?);
    Ok(told(
        picture,
        format!("QDA: {}", title.to_lowercase()),
        format!(
            "{title} with covariances {sigmas}. Boundaries: classes 1 and 2 {}, 1 and 3 {}, 2 and 3 {}. The rule errs \
             on {error} of rows.",
            kinds[0], kinds[1], kinds[2]
        ),
        format!("{sigmas}: covariances differ, so {notice}."),
    ))
}

/// Theodoridis and Koutroumbas, example 2.2: the point (1, 2.2).
fn mahalanobis(_: Sets<'_>) -> Result<Picture, PlotError> {
    let rule = figure("equal-covariance")?;
    let euclid = known(&[&[0.0, 0.0], &[3.0, 3.0]], &[&[1.0, 0.0, 1.0]], None)?;
    let window = Some(Window { low: [-2.5, -2.5], high: [5.5, 5.5] });
    let mut picture = regions(&rule, None, &Look { window, ..Look::default() })?;
    let panel = &mut picture.panels[0];
    let dotted = stroke(Dash::Dashed);
    panel.layers.push(boundary(&euclid, &shown(panel), Ink::Text, dotted)?);
    let at = [1.0, 2.2];
    panel.layers.push(Layer::Points { at: vec![at], mark: Mark::Ring, ink: Ink::Alarm });
    panel.layers.push(Layer::Points { at: vec![at], mark: Mark::Dot, ink: Ink::Text });
    picture.key.push(line_key("nearest mean by Euclid", Ink::Text, dotted));
    picture.key.push(Key {
        label: "x = (1, 2.2)".into(),
        ink: Ink::Alarm,
        sign: Sign::Mark(Mark::Ring),
    });
    Ok(told(
        picture,
        "Mahalanobis against Euclid",
        "Two classes with means (0, 0) and (3, 3) and one covariance [1.1 0.3; 0.3 1.9]. A solid line parts them by \
         Mahalanobis distance, a dashed one by Euclid's. The point (1, 2.2) lies between the lines.",
        "The squared Mahalanobis distances of x are 2.95 and 3.67, so x belongs to class 1; Euclid's are 5.84 and 4.64 \
         and say class 2. Distances count in standard deviations of the direction they go.",
    ))
}

/// The same rows by a rule that may tilt its ellipses, and by one that may not.
fn naive_bayes(_: Sets<'_>) -> Result<Picture, PlotError> {
    let truth = known(&[&[0.0, 0.0], &[1.6, 0.0]], &[&[1.0, 0.8, 1.0]], None)?;
    let rows = truth.sample(300, 3)?.table()?;
    let (mut pictures, mut errors) = (Vec::new(), Vec::new());
    let specs = [("naive Bayes", CovarianceSpec::naive_bayes()), ("QDA", CovarianceSpec::qda())];
    for (name, spec) in specs {
        let rule = fitted(&spec, &rows, &["x1", "x2"])?;
        errors.push(error_under(&rule, &truth)?);
        let picture = regions(&rule, Some(&rows), &Look::default())?;
        pictures.push(Picture { title: name.into(), ..picture });
    }
    Ok(told(
        beside("", pictures, 2, [260.0, 208.0]),
        "Naive Bayes takes the features apart",
        format!(
            "The same 300 rows of two oblique classes twice. Naive Bayes draws ellipses along the axes and errs on {} of \
             rows, the quadratic rule follows the rows and errs on {}.",
            errors[0], errors[1]
        ),
        format!(
            "Naive Bayes multiplies densities of single features, so that its ellipses cannot tilt: it does not see that \
             x1 and x2 go together, and errs on {} of rows instead of {}.",
            errors[0], errors[1]
        ),
    ))
}
