//! Knows the families that mixtures are tried with, by the names that people type.

use gaussbayes::Family;

use crate::failure::Failure;
use crate::models::family;

/// Numbers of Gaussians that are tried where none is asked for.
pub(in crate::commands) const USUAL: std::ops::RangeInclusive<usize> = 1..=9;

/// Every family that differs from the others on rows of so many columns.
pub(in crate::commands) fn all(dim: usize) -> Vec<Family> {
    let mut all: Vec<Family> = Family::ALL.to_vec();
    all.retain(|family| *family != Family::Unit);
    if dim == 1 {
        // A variance alone has no shape and no axes: families differ in the volume only.
        let mut volumes = Vec::new();
        all.retain(|family| {
            let volume = family.name().chars().next();
            let new = !volumes.contains(&volume);
            volumes.push(volume);
            new
        });
    }
    all
}

/// The families of a list; none for all.
pub(in crate::commands) fn listed(words: &[String]) -> Result<Option<Vec<Family>>, Failure> {
    if words.iter().any(|word| word == "all") {
        return Ok(None);
    }
    let mut families = Vec::new();
    for word in words {
        let family = mixture_family(word.trim())?;
        if !families.contains(&family) {
            families.push(family);
        }
    }
    Ok(Some(families))
}

/// Names that others give to families of mixtures.
const ALIASES: [(&str, Family); 5] = [
    ("full", Family::Vvv),
    ("tied", Family::Eee),
    ("diag", Family::Vvi),
    ("spherical", Family::Vii),
    ("kmeans", Family::Unit),
];

fn mixture_family(word: &str) -> Result<Family, Failure> {
    let alias = ALIASES.into_iter().find(|(name, _)| *name == word).map(|(_, family)| family);
    if let Some(family) = alias.or_else(|| family(word).ok()) {
        return Ok(family);
    }
    let letters = Family::ALL.into_iter().map(Family::name);
    let names: Vec<&str> =
        std::iter::once("all").chain(letters).chain(ALIASES.map(|(name, _)| name)).collect();
    let hint = gaussbayes_io::nearest(word, names.iter().copied()).map_or_else(
        || format!("models: {}", names.join(", ")),
        |nearest| format!("did you mean '{nearest}'?"),
    );
    Err(Failure::usage(format!("there is no model '{word}'"), hint))
}
