//! Says why there are no clusters: in the words of clustering, with remedies that this command has.

use std::path::Path;

use gaussbayes::{Error, Search};

use crate::args::Cluster;
use crate::failure::Failure;
use crate::text::plural;
use crate::watch::Watch;

const FEWER: &str = "ask for fewer clusters (-k), or hold covariances further off (--guard 1e-3)";
const UNGUARDED: &str =
    "hold covariances off collapse (--guard 1e-6, the default), or ask for fewer clusters (-k)";
const ROWS: &str = "ask for at most as many clusters as different rows (-k)";

/// What the library says of components and classes, said of clusters; names in quotes stay.
pub(super) fn words(text: &str) -> String {
    let pairs = [("components", "clusters"), ("component", "cluster")];
    let pairs = pairs.into_iter().chain([("classes", "clusters"), ("class", "cluster")]);
    let said = |(at, part): (usize, &str)| {
        let plain = at % 2 == 0;
        let said = |part: String, (old, new): (&str, &str)| part.replace(old, new);
        pairs.clone().filter(|_| plain).fold(part.to_owned(), said)
    };
    text.split('\'').enumerate().map(said).collect::<Vec<_>>().join("'")
}

/// The refusal of a mixture; `guard` is the one that was asked for.
pub(super) fn of(error: Error, guard: f64, features: &[String]) -> Failure {
    let error = error.named(&[], features);
    let message = words(&error.to_string());
    match error.root() {
        Error::TooFewDistinct { components, rows, .. } if *rows < *components as u64 => {
            let are = if *rows == 1 { "row is" } else { "rows are" };
            let message = format!("{rows} {are} fewer than {}", plural(*components, "cluster"));
            Failure::Unfitted { message, hint: ROWS.into() }
        }
        Error::TooFewDistinct { .. } => Failure::Unfitted { message, hint: ROWS.into() },
        Error::Singular(_) => Failure::Unfitted { message, hint: collapsed(guard).into() },
        _ => error.into(),
    }
}

fn collapsed(guard: f64) -> &'static str {
    if guard > 0.0 { FEWER } else { UNGUARDED }
}

/// Why a search has found nothing at all.
pub(super) fn nothing(search: &Search, guard: f64) -> Failure {
    let why = search.entries().iter().find_map(|entry| entry.refused.as_deref());
    let message = words(why.unwrap_or("no mixture can be fitted"));
    Failure::Unfitted { message, hint: collapsed(guard).into() }
}

/// An interruption before there is anything to save.
pub(super) fn early(arguments: &Cluster) -> Failure {
    Failure::Interrupted(format!(
        "interrupted: there was nothing to save yet{}",
        goes_on(arguments.checkpoint.as_deref())
    ))
}

/// How an interrupted search can go on.
pub(super) fn goes_on(checkpoint: Option<&Path>) -> String {
    checkpoint.filter(|path| path.exists()).map_or_else(String::new, |path| {
        format!("; {} is kept, and the same command goes on from there", path.display())
    })
}

/// An interruption where that is what an error says.
pub(super) fn unless_interrupted(error: Failure, watch: &Watch, arguments: &Cluster) -> Failure {
    match error {
        Failure::Library(gaussbayes_io::Error::Core(Error::Cancelled { .. }))
            if watch.is_interrupted() =>
        {
            early(arguments)
        }
        error => error,
    }
}

/// An interruption behind the fit, which is saved by then.
pub(super) fn unless_saved(error: Failure, watch: &Watch, arguments: &Cluster) -> Failure {
    match error {
        Failure::Library(gaussbayes_io::Error::Core(Error::Cancelled { .. }))
            if watch.is_interrupted() =>
        {
            let path = arguments.output.display();
            Failure::Interrupted(format!("interrupted behind the fit: {path} is saved"))
        }
        error => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_clusters_and_names_stay() {
        let said = words("that of component 1 is none: 'class' is constant in all classes");
        assert_eq!(said, "that of cluster 1 is none: 'class' is constant in all clusters");
    }
}
