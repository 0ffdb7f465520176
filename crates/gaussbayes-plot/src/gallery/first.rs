//! Draws the figures of deck 000: densities, boundaries of known classes, and clusters by EM.

use gaussbayes::Gaussian;

use super::clusters;
use super::made::{boundary, error_of, figure, known, line_key, stroke, told, window, with_priors};
use super::{Deck, Exhibit, Sets};
use crate::error::PlotError;
use crate::path::Path;
use crate::picture::{Dash, Ink, Layer, Mark, Picture, Stroke};
use crate::{Along, Look, densities, gaussian, normal, regions};

const DECK: Deck = Deck::Densities;

pub(super) const EXHIBITS: &[Exhibit] = &[
    Exhibit {
        name: "modem",
        aliases: &[],
        about: "N(0, 1) against N(1, 1): one threshold, and the areas of both errors",
        deck: DECK,
        draw: modem,
    },
    Exhibit {
        name: "gaussian-1d",
        aliases: &[],
        about: "the density of N(0, 1), and the mass within one, two and three deviations",
        deck: DECK,
        draw: bell,
    },
    Exhibit {
        name: "correlation-positive",
        aliases: &[],
        about: "a density of two variables with r above 0",
        deck: DECK,
        draw: |_| correlated(0.7),
    },
    Exhibit {
        name: "correlation-negative",
        aliases: &[],
        about: "a density of two variables with r below 0",
        deck: DECK,
        draw: |_| correlated(-0.7),
    },
    Exhibit {
        name: "correlation-zero",
        aliases: &[],
        about: "a density of two variables with r = 0",
        deck: DECK,
        draw: |_| correlated(0.0),
    },
    Exhibit {
        name: "quadratic-boundary",
        aliases: &["quadratic"],
        about: "two covariances: a boundary of second degree, here a parabola",
        deck: DECK,
        draw: quadratic,
    },
    Exhibit {
        name: "linear-boundary",
        aliases: &["equal-covariance"],
        about: "one covariance for two classes: a line",
        deck: DECK,
        draw: linear,
    },
    Exhibit {
        name: "perpendicular-bisector",
        aliases: &["spherical"],
        about: "one variance, equal priors: the line that halves the way between the means",
        deck: DECK,
        draw: bisector,
    },
    Exhibit {
        name: "moving-priors",
        aliases: &[],
        about: "three priors: the line moves toward the rarer class, and does not turn",
        deck: DECK,
        draw: priors,
    },
    Exhibit {
        name: "oblique-boundary",
        aliases: &[],
        about: "equal priors and one oblique covariance: through the middle, at a slant",
        deck: DECK,
        draw: oblique,
    },
    Exhibit {
        name: "em-steps",
        aliases: &[],
        about: "clusters of Old Faithful, step by step",
        deck: DECK,
        draw: |sets| clusters::steps(sets, false),
    },
    Exhibit {
        name: "em-moving",
        aliases: &[],
        about: "the same steps one after the other, in one picture that moves",
        deck: DECK,
        draw: |sets| clusters::steps(sets, true),
    },
    Exhibit {
        name: "posterior-simplex",
        aliases: &[],
        about: "posteriors of three clusters: all in the plane where they sum to one",
        deck: DECK,
        draw: clusters::simplex_of_three,
    },
    Exhibit {
        name: "outlier-influence",
        aliases: &[],
        about: "one outlier belongs somewhere, and moves what it belongs to",
        deck: DECK,
        draw: clusters::outlier_of_two,
    },
];

fn modem(_: Sets<'_>) -> Result<Picture, PlotError> {
    let rule = figure("modem")?;
    let error = error_of(&rule)?;
    Ok(told(
        densities(&rule, None, Along::default())?,
        "Two classes N(0, 1) and N(1, 1)",
        format!(
            "Two bell curves of equal width around 0 and 1 cross at the threshold 0.5. The tail of each beyond the \
             threshold is hatched; together the tails are the error of {error}."
        ),
        format!(
            "A modem's decision: 0 below the threshold T = ½, 1 above. The hatched areas are what is decided wrongly, \
             and no other threshold makes them smaller: {error} of rows."
        ),
    ))
}

fn bell(_: Sets<'_>) -> Result<Picture, PlotError> {
    Ok(told(
        normal(&Gaussian::new(vec![0.0], vec![1.0])?, "x")?,
        "The Gaussian density N(0, 1)",
        "The bell curve of the standard normal distribution, highest at 0 with density 0.399; 68 % of its mass lies \
         within one standard deviation, 95 % within two, 99.7 % within three.",
        "N(0, 1): two thirds of all values lie within one standard deviation of the mean, all but three in a thousand \
         within three.",
    ))
}

fn correlated(r: f64) -> Result<Picture, PlotError> {
    let (sign, axes) = if r > 0.0 {
        ("positive", "upward to the right: where one variable is large, so is the other")
    } else if r < 0.0 {
        ("negative", "downward to the right: where one variable is large, the other is small")
    } else {
        ("zero", "along the axes: knowing one variable says nothing of the other")
    };
    // Deviations differ, so that ellipses without correlation are seen to be none of circles.
    let (first, second) = (1.5, 1.0);
    let covariance = vec![first * first, r * first * second, second * second];
    let mut picture = gaussian(&[Gaussian::new(vec![0.0, 0.0], covariance)?], ["x", "y"])?;
    // The title of the picture says it.
    picture.panels[0].title.clear();
    Ok(told(
        picture,
        format!("Gaussian density with r = {}", minus(r)),
        format!(
            "A density of two variables with σ₁ = {first}, σ₂ = {second} and correlation {}: shaded, with ellipses that \
             hold stated shares of its mass and lie {}.",
            minus(r),
            axes.split_once(':').map_or(axes, |(axes, _)| axes)
        ),
        format!("The correlation is {sign}: the ellipses lie {axes}."),
    ))
}

/// A number with a true minus sign.
fn minus(x: f64) -> String {
    format!("{x}").replace('-', "−")
}

fn quadratic(_: Sets<'_>) -> Result<Picture, PlotError> {
    let rule = figure("quadratic")?;
    Ok(told(
        regions(&rule, None, &Look::default())?,
        "A boundary of second degree",
        format!(
            "Two classes around (3, 6) and (3, −2) with covariances [0.5 0; 0 2] and [2 0; 0 2]; the boundary is a \
             parabola that opens upward around class 1. The rule errs on {} of rows.",
            error_of(&rule)?
        ),
        "Covariances that differ give a boundary of second degree. Both classes have the same variance upward, so one \
         square vanishes and the conic is a parabola: x₂ = 3.514 − 1.125 x₁ + 0.1875 x₁².",
    ))
}

fn linear(_: Sets<'_>) -> Result<Picture, PlotError> {
    let rule = figure("equal-covariance")?;
    Ok(told(
        regions(&rule, None, &Look::default())?,
        "One covariance: a linear boundary",
        format!(
            "Two classes around (0, 0) and (3, 3) with the same covariance [1.1 0.3; 0.3 1.9]; the boundary is a \
             straight line between them. The rule errs on {} of rows.",
            error_of(&rule)?
        ),
        "With one covariance C for both classes the squares cancel, and what is left is a line aᵀx = f with a = \
         C⁻¹(m₁ − m₂).",
    ))
}

/// A line between two means with the middle marked.
fn between(picture: &mut Picture, a: [f64; 2], b: [f64; 2]) {
    let middle = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
    let layers = &mut picture.panels[0].layers;
    layers.push(Layer::Line { path: Path::line(&[a, b]), ink: Ink::Text, stroke: Stroke::THIN });
    layers.push(Layer::Points { at: vec![middle], mark: Mark::Dot, ink: Ink::Text });
    picture.key.push(line_key("from mean to mean", Ink::Text, Stroke::THIN));
}

fn bisector(_: Sets<'_>) -> Result<Picture, PlotError> {
    let rule = figure("spherical")?;
    let mut picture = regions(&rule, None, &Look::default())?;
    between(&mut picture, [0.0, 0.0], [3.0, 1.0]);
    Ok(told(
        picture,
        "C = σ²I: the perpendicular bisector",
        format!(
            "Two round classes of the same size around (0, 0) and (3, 1); the boundary crosses the dashed line between \
             the means in its middle, at a right angle. The rule errs on {} of rows.",
            error_of(&rule)?
        ),
        "Round classes of one size and equal priors: whichever mean is nearer wins, so the boundary is the \
         perpendicular bisector of the means.",
    ))
}

fn priors(_: Sets<'_>) -> Result<Picture, PlotError> {
    let rule = figure("spherical")?;
    let mut picture = regions(&rule, None, &Look::default())?;
    let window = window(&picture.panels[0]);
    // The boundary of equal priors is there already.
    picture.key.retain(|key| !key.label.contains("boundary"));
    let shown = [(0.5, Dash::Solid), (0.95, Dash::Dashed), (0.05, Dash::Dotted)];
    for (prior, dash) in shown {
        let own = with_priors(&rule, &[prior, 1.0 - prior])?;
        let line = stroke(dash);
        if dash != Dash::Solid {
            picture.panels[0].layers.push(boundary(&own, &window, Ink::Text, line)?);
        }
        picture.key.push(line_key(format!("P(C₁) = {prior}"), Ink::Text, line));
    }
    between(&mut picture, [0.0, 0.0], [3.0, 1.0]);
    Ok(told(
        picture,
        "Priors move the boundary",
        "Two round classes around (0, 0) and (3, 1) and three parallel boundaries: for a prior of class 1 of 0.5 in the \
         middle, for 0.95 near the mean of class 2, for 0.05 near that of class 1.",
        "x₀ = ½(m₁ + m₂) − σ² ln(P₁/P₂)(m₁ − m₂)/‖m₁ − m₂‖²: where P₁ ≫ P₂ the boundary approaches m₂, \
         where P₁ ≪ P₂ it approaches m₁. It moves and does not turn.",
    ))
}

fn oblique(_: Sets<'_>) -> Result<Picture, PlotError> {
    let (first, second) = ([0.0, 0.0], [2.5, 0.5]);
    let rule = known(&[&first, &second], &[&[1.0, 0.7, 1.0]], None)?;
    let mut picture = regions(&rule, None, &Look::default())?;
    between(&mut picture, first, second);
    Ok(told(
        picture,
        "Equal priors, one oblique covariance",
        format!(
            "Two classes around (0, 0) and (2.5, 0.5) with the same covariance [1 0.7; 0.7 1]; the boundary passes \
             through the middle between the means, at a slant to the line that joins them. It errs on {} of rows.",
            error_of(&rule)?
        ),
        "Equal priors still put the boundary through the middle between the means, but w = C⁻¹(m₁ − m₂) turns it along \
         the ellipses: it is no perpendicular bisector any more.",
    ))
}
