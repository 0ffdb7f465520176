//! Draws the figures of deck 002: one Gaussian a class, and what becomes of its boundaries.

use gaussbayes::{Classifier, CovarianceSpec};

use super::made::{
    banana, banana_note, boundary, error_of, figure, fitted, line_key, stroke, told, window,
};
use super::{Deck, Exhibit, Sets, plain, trials};
use crate::error::PlotError;
use crate::picture::{Dash, Ink, Picture};
use crate::{Look, posterior, regions, scatter};

const DECK: Deck = Deck::Classifiers;

/// What the columns of the banana set are called.
const COLUMNS: [&str; 2] = ["x1", "x2"];

pub(super) const EXHIBITS: &[Exhibit] = &[
    Exhibit {
        name: "posterior-plane",
        aliases: &[],
        about: "p(y|x) for every object of the feature space",
        deck: DECK,
        draw: posterior_plane,
    },
    Exhibit {
        name: "banana-gaussians",
        aliases: &[],
        about: "a single Gaussian for each class of the banana set",
        deck: DECK,
        draw: gaussians,
    },
    Exhibit {
        name: "banana-qda",
        aliases: &[],
        about: "the quadratic classifier on the banana set",
        deck: DECK,
        draw: banana_qda,
    },
    Exhibit {
        name: "almost-linear",
        aliases: &[],
        about: "covariances that hardly differ: a conic that looks like a line",
        deck: DECK,
        draw: almost_linear,
    },
    Exhibit {
        name: "circular-boundary",
        aliases: &["circular"],
        about: "a narrow class inside a wide one: a circle",
        deck: DECK,
        draw: circular,
    },
    Exhibit {
        name: "hyperbolic-boundary",
        aliases: &["hyperbolic"],
        about: "classes that lie across each other: a hyperbola",
        deck: DECK,
        draw: hyperbolic,
    },
    Exhibit {
        name: "singular-covariance",
        aliases: &["four-points"],
        about: "four points, two flat classes: no inverse, and what a ridge does",
        deck: DECK,
        draw: plain::four_points,
    },
    Exhibit {
        name: "linear-function",
        aliases: &[],
        about: "what wᵀx means: how far x goes along w",
        deck: DECK,
        draw: plain::linear_function,
    },
    Exhibit {
        name: "linear-bias",
        aliases: &[],
        about: "what w₀ means: it moves the line along w",
        deck: DECK,
        draw: plain::linear_bias,
    },
    Exhibit {
        name: "linear-discriminant",
        aliases: &[],
        about: "w, w₀ and the signed distance of a linear rule",
        deck: DECK,
        draw: plain::linear_discriminant,
    },
    Exhibit {
        name: "banana-lda",
        aliases: &[],
        about: "the linear classifier on the banana set",
        deck: DECK,
        draw: banana_lda,
    },
    Exhibit {
        name: "banana-nearest-mean",
        aliases: &[],
        about: "the nearest mean classifier on the banana set",
        deck: DECK,
        draw: banana_nearest_mean,
    },
    Exhibit {
        name: "banana-three",
        aliases: &[],
        about: "quadratic, linear and nearest mean classifier together",
        deck: DECK,
        draw: banana_three,
    },
    Exhibit {
        name: "nearest-mean-simple",
        aliases: &[],
        about: "nearest mean on two simple data sets: question and answer",
        deck: DECK,
        draw: plain::nearest_mean,
    },
    Exhibit {
        name: "feature-scaling",
        aliases: &[],
        about: "nearest mean before and after features are scaled",
        deck: DECK,
        draw: trials::feature_scaling,
    },
    Exhibit {
        name: "curse-of-dimensionality",
        aliases: &["trunk"],
        about: "error over the number of features: more do not always help",
        deck: DECK,
        draw: trials::curse,
    },
    Exhibit {
        name: "learning-curve",
        aliases: &[],
        about: "a more flexible classifier needs more rows",
        deck: DECK,
        draw: trials::learning,
    },
];

fn rule(spec: &CovarianceSpec) -> Result<Classifier, PlotError> {
    fitted(spec, &banana().0, &COLUMNS)
}

/// The share of the rows learnt from that a rule takes for the other class.
fn wrong(rule: &Classifier) -> Result<String, PlotError> {
    let rows = banana().0;
    let said = rule.actions(&rows.block(0..rows.rows())?)?;
    let codes = rows.codes.iter().flatten();
    let wrong = said.iter().zip(codes).filter(|(said, code)| **said != **code as usize).count();
    Ok(super::made::per_cent(wrong as f64 / rows.rows() as f64))
}

/// The regions of a rule on the banana set.
fn on_banana(spec: &CovarianceSpec) -> Result<(Classifier, Picture), PlotError> {
    let rule = rule(spec)?;
    let mut picture = regions(&rule, Some(&banana().1), &Look::default())?;
    picture.notes.push(banana_note());
    Ok((rule, picture))
}

fn posterior_plane(_: Sets<'_>) -> Result<Picture, PlotError> {
    let rule = rule(&CovarianceSpec::qda())?;
    let mut picture = posterior(&rule, 0, Some(&banana().1), &Look::default())?;
    picture.notes.push(banana_note());
    Ok(told(
        picture,
        "The posterior of class 1",
        "The banana set, two bent classes of rows; the plane is shaded by the probability of class 1, from none to all, \
         with the boundary where it is one half.",
        "For every object of the feature space we should find p(y|x). Here it comes from one Gaussian a class by Bayes' \
         rule, and is steep where classes meet and flat where the model is sure.",
    ))
}

fn gaussians(_: Sets<'_>) -> Result<Picture, PlotError> {
    let rule = rule(&CovarianceSpec::qda())?;
    let features = COLUMNS.map(String::from);
    let mut picture = scatter(Some(&rule), &banana().1, &features, &Look::default())?;
    picture.notes.push(banana_note());
    Ok(told(
        picture,
        "A single Gaussian for each banana",
        "Two bent classes of rows, each with the ellipse of the Gaussian that was fitted to it. The ellipses cover the \
         hollow sides of the bananas too.",
        "A Gaussian models a blob. It has the mean and the spread of a banana, not its bend: the ellipse is densest \
         where the banana has few rows.",
    ))
}

fn banana_qda(_: Sets<'_>) -> Result<Picture, PlotError> {
    let (rule, picture) = on_banana(&CovarianceSpec::qda())?;
    let error = wrong(&rule)?;
    Ok(told(
        picture,
        "Quadratic classifier on banana data",
        format!(
            "Two bent classes and the boundary of the quadratic classifier, which is nearly straight and takes {error} \
             of the rows for the other class."
        ),
        format!(
            "The quadratic classifier may bend, and hardly does: both classes have the same covariance. It errs on \
             {error} of rows."
        ),
    ))
}

fn banana_lda(_: Sets<'_>) -> Result<Picture, PlotError> {
    let (rule, picture) = on_banana(&CovarianceSpec::lda())?;
    let error = wrong(&rule)?;
    Ok(told(
        picture,
        "Linear classifier on banana data",
        format!(
            "Two bent classes and the straight boundary of the linear classifier, which takes {error} of the rows for \
             the other class."
        ),
        format!("One averaged covariance, one line: {error} of rows are on the wrong side."),
    ))
}

fn banana_nearest_mean(_: Sets<'_>) -> Result<Picture, PlotError> {
    let (rule, picture) = on_banana(&CovarianceSpec::nearest_mean())?;
    let error = wrong(&rule)?;
    Ok(told(
        picture,
        "Nearest mean on banana data",
        format!(
            "Two bent classes, their means, and the perpendicular bisector of these; it takes {error} of the rows for \
             the other class."
        ),
        format!(
            "No covariance at all: the boundary halves the way between the means, and {error} of rows are on the wrong \
             side."
        ),
    ))
}

fn banana_three(_: Sets<'_>) -> Result<Picture, PlotError> {
    let qda = rule(&CovarianceSpec::qda())?;
    let features = COLUMNS.map(String::from);
    let mut picture = scatter(Some(&qda), &banana().1, &features, &Look::default())?;
    picture.notes.push(banana_note());
    let window = window(&picture.panels[0]);
    let mut errors = Vec::new();
    for (name, spec, dash) in [
        ("quadratic", CovarianceSpec::qda(), Dash::Solid),
        ("linear", CovarianceSpec::lda(), Dash::Dashed),
        ("nearest mean", CovarianceSpec::nearest_mean(), Dash::Dotted),
    ] {
        let rule = rule(&spec)?;
        let line = stroke(dash);
        picture.panels[0].layers.push(boundary(&rule, &window, Ink::Text, line)?);
        picture.key.push(line_key(name, Ink::Text, line));
        errors.push(wrong(&rule)?);
    }
    Ok(told(
        picture,
        "Three classifiers on banana data",
        format!(
            "Two bent classes with three boundaries: the quadratic one, solid, and the linear one, dashed, nearly \
             coincide; that of the nearest mean, dotted, lies at another angle. They err on {}, {} and {} of rows.",
            errors[0], errors[1], errors[2]
        ),
        "QDA and LDA nearly coincide: each banana is the point reflection of the other, a reflection leaves a \
         covariance as it is, so both classes have the same covariance and the squares of the quadratic rule cancel. \
         The nearest mean knows no covariance and cuts elsewhere.",
    ))
}

fn almost_linear(_: Sets<'_>) -> Result<Picture, PlotError> {
    let rule = figure("almost-linear")?;
    let kind = rule.boundary(0, 1)?.kind.name();
    Ok(told(
        regions(&rule, None, &Look::default())?,
        "An almost linear boundary",
        format!(
            "Two classes of nearly the same covariance, [1 0.3; 0.3 1] and [1.1 0.3; 0.3 1.05]; the boundary is {} and \
             looks like a line. It errs on {} of rows.",
            with_article(kind),
            error_of(&rule)?
        ),
        format!(
            "Covariances that hardly differ: the boundary is {} whose bend lies far outside the picture.",
            with_article(kind)
        ),
    ))
}

fn with_article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

fn circular(_: Sets<'_>) -> Result<Picture, PlotError> {
    let rule = figure("circular")?;
    // Equal priors, N(0, I) and N(0, 9I): ln 9 = r²(1 − 1/9)/2.
    let radius = (2.0 * 9.0_f64.ln() / (1.0 - 1.0 / 9.0)).sqrt();
    // The ellipse of nine in ten would lie on the boundary.
    let look = Look { mass: 0.5, ..Look::default() };
    Ok(told(
        regions(&rule, None, &look)?,
        "A circular boundary",
        format!(
            "Two round classes around the same centre, with covariances I and 9I; the boundary is a circle of radius \
             {radius:.2}, inside of which the narrow class is said. The rule errs on {} of rows.",
            error_of(&rule)?
        ),
        format!(
            "The means are the same: only the spread tells the classes apart, and the boundary is a circle of radius \
             {radius:.2}."
        ),
    ))
}

fn hyperbolic(_: Sets<'_>) -> Result<Picture, PlotError> {
    let rule = figure("hyperbolic")?;
    Ok(told(
        regions(&rule, None, &Look::default())?,
        "A hyperbolic boundary",
        format!(
            "Two classes that lie across each other, with covariances [4 0; 0 1] around (0, 0) and [1 0; 0 4] around (2, \
             0); the boundary is a hyperbola, so that one class has two regions. The rule errs on {} of rows.",
            error_of(&rule)?
        ),
        "Each class is the wider one in one direction: the squares have different signs and the boundary is a \
         hyperbola. A class may have a region in two parts.",
    ))
}
