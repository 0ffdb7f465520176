//! Writes numbers and names as messages have them.

use crate::tolerance::PLAIN;

/// A number in a message: exponents where it would be all zeros.
pub(crate) fn number(x: f64) -> String {
    if x == 0.0 || PLAIN.contains(&x.abs()) { x.to_string() } else { format!("{x:e}") }
}

pub(crate) fn feature_name(features: &[String], j: usize) -> String {
    features.get(j).map_or_else(|| format!("feature {}", j + 1), |name| format!("'{name}'"))
}

pub(super) fn class_name(class: Option<&str>, component: usize) -> String {
    class.map_or_else(|| format!("component {}", component + 1), |name| format!("class '{name}'"))
}
