//! Says why known parameters make no model.

use super::{class_name, number};
use crate::Label;

/// Why known parameters make no model.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterRefusal {
    /// A matrix that is no covariance: rows would have a negative variance in some direction.
    #[error("not positive definite: smallest eigenvalue {} of the {of} of {}", brief(*eigenvalue), whose(class.as_deref(), *component))]
    Indefinite {
        /// Component, counted from 0; `None` for the covariance that all share.
        component: Option<usize>,
        /// Name of the class, once it is known.
        class: Option<String>,
        /// What the eigenvalue belongs to: the covariance, or its correlations where units hide it.
        of: &'static str,
        /// The smallest eigenvalue.
        eigenvalue: f64,
    },
    /// A matrix whose halves differ.
    #[error("the covariance of {} is not symmetric: entry ({}, {}) is {} and entry ({}, {}) is {}", whose(class.as_deref(), *component), row + 1, column + 1, number(*value), column + 1, row + 1, number(*mirrored))]
    NotSymmetric {
        /// Component, counted from 0; `None` for the covariance that all share.
        component: Option<usize>,
        /// Name of the class, once it is known.
        class: Option<String>,
        /// Row of the entry, counted from 0.
        row: usize,
        /// Column of the entry, counted from 0.
        column: usize,
        /// The entry.
        value: f64,
        /// The entry across the diagonal.
        mirrored: f64,
    },
    /// A part of a prior that is out of its range.
    #[error("prior {what} {} is not a number{}", number(*value), above(*least))]
    Prior {
        /// Which part.
        what: &'static str,
        /// The value given.
        value: f64,
        /// What it must be more than.
        least: f64,
    },
    /// An instruction set that is none, or not of this machine.
    #[error("GAUSSBAYES_SIMD={name} names no instruction set of this machine, which has {there}")]
    Instructions {
        /// The name given.
        name: String,
        /// Those that are there.
        there: String,
    },
    /// A prior of 0 for a class that has several components: nothing would be left of their shares.
    #[error("class '{class}' has {components} components, whose shares a prior of 0 would lose")]
    SharesLost {
        /// The class.
        class: String,
        /// Its components.
        components: usize,
    },
    /// A prior of 0 for a class that rows have the label of.
    #[error("EM takes no prior of 0 for {}, which rows are labelled with", class_name(class.as_deref(), *component))]
    ZeroPrior {
        /// Component, counted from 0.
        component: usize,
        /// Name of the class, once it is known.
        class: Option<String>,
    },
    /// Two classes, or two features, of one name.
    #[error("{what} '{name}' is named twice")]
    Repeated {
        /// A class or a feature.
        what: &'static str,
        /// The name.
        name: String,
    },
}

impl ParameterRefusal {
    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::Indefinite { .. } => {
                "covariances are too large for their variances, or a variance is below 0"
            }
            Self::NotSymmetric { .. } => "entries across the diagonal are the same number",
            Self::Prior { .. } => "leave it out, and the rows say what is usual",
            Self::Instructions { .. } => "leave the variable out, and the best is taken",
            Self::SharesLost { .. } => "give the class a small prior, such as 1e-9",
            Self::ZeroPrior { .. } => "give the class a small prior, or leave its rows out",
            Self::Repeated { .. } => "give each a name of its own",
        }
    }

    pub(super) fn put_names(&mut self, classes: &[Label]) {
        match self {
            Self::Indefinite { component: Some(component), class, .. }
            | Self::NotSymmetric { component: Some(component), class, .. }
            | Self::ZeroPrior { component, class } => {
                *class = classes.get(*component).map(ToString::to_string);
            }
            _ => {}
        }
    }
}

/// A number by the six digits that a person reads.
fn brief(x: f64) -> String {
    number(format!("{x:.5e}").parse().unwrap_or(x))
}

fn above(least: f64) -> String {
    if least.is_finite() { format!(" above {}", number(least)) } else { String::new() }
}

fn whose(class: Option<&str>, component: Option<usize>) -> String {
    component.map_or_else(|| "all classes".into(), |k| class_name(class, k))
}
