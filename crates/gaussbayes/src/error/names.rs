//! Puts names where the mathematics knew only numbers.

use super::{Deficient, Error, Singularity};

impl Error {
    pub(crate) fn singular(covariances: Vec<Deficient>) -> Self {
        Self::Singular(Singularity { covariances, remedies: Vec::new() })
    }

    /// What is wrong, apart from where that was found out.
    pub fn root(&self) -> &Self {
        match self {
            Self::WithoutRow { error, .. }
            | Self::WithoutFold { error, .. }
            | Self::InClass { error, .. } => error.root(),
            other => other,
        }
    }

    /// Puts the names of classes and features where the mathematics knew only their numbers.
    pub fn named(mut self, classes: &[crate::Label], features: &[String]) -> Self {
        match &mut self {
            Self::Singular(singularity) => singularity.put_names(classes, features),
            Self::Parameter(refusal) => refusal.put_names(classes),
            Self::Outliers(refusal) => refusal.put_names(features),
            Self::Column(refusal) => refusal.put_names(features),
            Self::Softmax(refusal) => refusal.put_names(features),
            Self::UnitsApart { features: names, .. } => *names = features.to_vec(),
            Self::TooFewRows { component: Some(component), class, .. }
            | Self::TooFewForDensity { component: Some(component), class, .. }
            | Self::Empty { component, class } => {
                *class = classes.get(*component).map(ToString::to_string);
            }
            _ => {}
        }
        self
    }
}
