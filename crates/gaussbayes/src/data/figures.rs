//! Holds the figures of the lectures as parameters, by name.

use super::label::Label;
use crate::parameters::Parameters;

/// A figure of the lectures: classes of equal priors, named 1, 2, 3.
///
/// ```
/// use gaussbayes::Figure;
/// let modem = Figure::named("modem").map(|figure| figure.parameters().classifier());
/// assert!(modem.is_some_and(|classifier| classifier.is_ok()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure {
    /// The name.
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
    means: &'static [&'static [f64]],
    /// Lower triangles, row by row; one where all classes share it.
    covariances: &'static [&'static [f64]],
}

/// Three classes around the origin: deck 001 prints covariances and no means.
const THREE: &[&[f64]] = &[&[-2.0, -1.0], &[2.0, -1.0], &[0.0, 2.0]];

const FIGURES: [Figure; 12] = [
    // Deck 000. Its figures in the plane have no numbers, but for `modem`.
    Figure {
        name: "modem",
        about: "N(0, 1) against N(1, 1): one threshold",
        means: &[&[0.0], &[1.0]],
        covariances: &[&[1.0]],
    },
    // Duda, Hart & Stork, chapter 2, example 1: a parabola whose equation is printed there.
    Figure {
        name: "quadratic",
        about: "two covariances: a boundary of second degree, here a parabola",
        means: &[&[3.0, 6.0], &[3.0, -2.0]],
        covariances: &[&[0.5, 0.0, 2.0], &[2.0, 0.0, 2.0]],
    },
    // Theodoridis & Koutroumbas, example 2.2, where Mahalanobis and Euclid disagree on (1, 2.2).
    Figure {
        name: "equal-covariance",
        about: "one covariance: a line, oblique to that through the means",
        means: &[&[0.0, 0.0], &[3.0, 3.0]],
        covariances: &[&[1.1, 0.3, 1.9]],
    },
    // Chosen: any two means and one variance show a perpendicular bisector.
    Figure {
        name: "spherical",
        about: "one variance: the perpendicular bisector of the means",
        means: &[&[0.0, 0.0], &[3.0, 1.0]],
        covariances: &[&[1.0, 0.0, 1.0]],
    },
    // Deck 001: its covariances, means chosen.
    Figure {
        name: "lda-identity",
        about: "three round classes: the nearest mean by Euclid",
        means: THREE,
        covariances: &[&[1.0, 0.0, 1.0]],
    },
    Figure {
        name: "lda-diagonal",
        about: "one covariance along the axes: lines",
        means: THREE,
        covariances: &[&[0.5, 0.0, 1.5]],
    },
    Figure {
        name: "lda-full",
        about: "one oblique covariance: lines, the nearest mean by Mahalanobis",
        means: THREE,
        covariances: &[&[0.5, 0.2, 1.5]],
    },
    Figure {
        name: "qda-1",
        about: "round classes of three sizes: circles",
        means: THREE,
        covariances: &[&[1.5, 0.0, 1.5], &[2.0, 0.0, 2.0], &[1.0, 0.0, 1.0]],
    },
    Figure {
        name: "qda-2",
        about: "three oblique covariances: conics",
        means: THREE,
        covariances: &[&[1.5, 0.1, 0.5], &[1.0, -0.2, 2.0], &[2.0, -0.25, 1.5]],
    },
    // Deck 002 prints no numbers for its three boundaries: chosen.
    Figure {
        name: "almost-linear",
        about: "covariances that hardly differ: a conic that looks like a line",
        means: &[&[0.0, 0.0], &[3.0, 2.0]],
        covariances: &[&[1.0, 0.3, 1.0], &[1.1, 0.3, 1.05]],
    },
    // About one centre: round covariances of two sizes always give a circle.
    Figure {
        name: "circular",
        about: "a narrow class inside a wide one: a circle",
        means: &[&[0.0, 0.0], &[0.0, 0.0]],
        covariances: &[&[1.0, 0.0, 1.0], &[9.0, 0.0, 9.0]],
    },
    // About one centre, with equal determinants, it would be a pair of lines.
    Figure {
        name: "hyperbolic",
        about: "classes that lie across each other: a hyperbola",
        means: &[&[0.0, 0.0], &[2.0, 0.0]],
        covariances: &[&[4.0, 0.0, 1.0], &[1.0, 0.0, 4.0]],
    },
];

impl Figure {
    /// Every figure, in the order of the lectures.
    pub fn all() -> &'static [Self] {
        &FIGURES
    }

    /// The figure of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        FIGURES.iter().find(|figure| figure.name == name)
    }

    /// What the figure is drawn from.
    pub fn parameters(&self) -> Parameters {
        let (classes, dim) = (self.means.len(), self.means[0].len());
        let at = |triangle: &[f64], i: usize, j: usize| {
            triangle[crate::moments::lower_index(i.max(j), i.min(j))]
        };
        let square = |triangle: &&[f64]| -> Vec<Vec<f64>> {
            (0..dim).map(|i| (0..dim).map(|j| at(triangle, i, j)).collect()).collect()
        };
        Parameters {
            classes: (1..=classes).map(|k| Label::from(k.to_string())).collect(),
            features: match dim {
                1 => vec!["x".into()],
                _ => (1..=dim).map(|j| format!("x{j}")).collect(),
            },
            priors: None,
            means: self.means.iter().map(|mean| mean.to_vec()).collect(),
            covariances: self.covariances.iter().map(square).collect(),
            costs: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_a_classifier_of_equal_priors() {
        for figure in Figure::all() {
            let classifier = figure.parameters().classifier().unwrap();
            let weights = classifier.mixture().unwrap().weights();
            assert!(weights.iter().all(|w| *w == weights[0]), "{}", figure.name);
            assert_eq!(Figure::named(figure.name), Some(figure));
        }
        assert!(Figure::named("moden").is_none());
    }
}
