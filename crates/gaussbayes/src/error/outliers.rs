//! Says why outliers cannot be told from the other rows.

use super::words::{feature_name, number};

/// What is wrong with how outliers are to be told, or with the rows for it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OutlierRefusal {
    /// Degrees of freedom beyond those that a Student density may have.
    #[error("{} degrees of freedom are not between {} and {}", number(*value), number(*least), number(*most))]
    Freedom {
        /// The value given.
        value: f64,
        /// The fewest.
        least: f64,
        /// The most.
        most: f64,
    },
    /// A column without spread, where a box needs a side.
    #[error("{} is constant: noise has no room there", name.clone().unwrap_or_else(|| feature_name(&[], *column)))]
    Flat {
        /// Column, counted from 0.
        column: usize,
        /// Its name, where one is known.
        name: Option<String>,
    },
    /// Noise whose box is not known.
    #[error("noise is spread over a box, and none is given")]
    NoBox,
    /// A share of noise that leaves nothing for the Gaussians, or is none.
    #[error("share {} of noise is not at least 0 and below 1", number(*value))]
    Share {
        /// The value given.
        value: f64,
    },
    /// Fewer different rows than components to start at them, without those that look like outliers.
    #[error(
        "{components} components cannot start from {distinct} different rows; {apart} other rows look like outliers"
    )]
    TooFewDistinct {
        /// Different rows that do not look like outliers.
        distinct: usize,
        /// Rows that do.
        apart: usize,
        /// Components asked for.
        components: usize,
    },
    /// Noise, which is nobody's, beside a mixture for every class.
    #[error("a mixture per class takes no noise")]
    PerClass,
    /// An answer that a mixture with noise does not have.
    #[error("{what} of a mixture with noise are not known: noise fills a box")]
    WithNoise {
        /// What was asked for.
        what: &'static str,
    },
    /// Outliers by density, of a model that has none.
    #[error("{model} has no densities, so that no row can be called an outlier")]
    NoDensities {
        /// What the model is.
        model: &'static str,
    },
    /// A density below which rows are rejected that is no number.
    #[error("log density {value} below which rows are rejected is not a finite number")]
    Level {
        /// The value given.
        value: f64,
    },
    /// Curves of a rule that rejects outliers, which follow a level of density.
    #[error("curves do not show where outliers are rejected")]
    Curves,
}

impl OutlierRefusal {
    /// Puts the names of features where the mathematics knew only their numbers.
    pub(super) fn put_names(&mut self, features: &[String]) {
        if let Self::Flat { column, name } = self
            && *column < features.len()
        {
            *name = Some(feature_name(features, *column));
        }
    }

    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::Freedom { .. } => "3 to 10 have heavy tails, and 1000 none to speak of",
            Self::Flat { .. } => "leave the column out, or fit without noise",
            Self::NoBox => "measure the box of all rows first (Extent::of)",
            Self::Share { .. } => "0.05 is one row in twenty",
            Self::TooFewDistinct { .. } => "ask for fewer components, or fit without outliers",
            Self::PerClass => "Student densities keep outliers in their classes",
            Self::NoDensities { .. } => {
                "reject rows whose class is in doubt (--reject, reject=), or fit densities"
            }
            Self::Level { .. } => "give ln p(x) of the least likely row to keep",
            Self::Curves => "draw the same rule without outliers",
            Self::WithNoise { .. } => "ask a mixture without noise, or take its Gaussians alone",
        }
    }
}
