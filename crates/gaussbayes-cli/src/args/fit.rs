//! Defines the command that fits a classifier.

use std::path::PathBuf;

use clap::{Arg, Args};
use gaussbayes::Criterion;

use super::{Data, Estimation, by_name};

#[derive(Debug, Args)]
#[command(args_override_self = true, after_help = ROWS, mut_arg("data", unless_from))]
pub(crate) struct Fit {
    #[command(flatten)]
    pub(crate) data: Data,
    #[command(flatten)]
    pub(crate) estimation: Estimation,
    /// Gaussians of every class: a number, or auto
    ///
    /// A mixture of N Gaussians for every class, or of as many as --criterion chooses for each (1 to 9);
    /// --model then lists families to try. [default: all fourteen]
    #[arg(long, value_name = "N|auto", value_parser = components)]
    pub(crate) components: Option<Components>,
    /// What mixtures of a class are chosen by: bic, icl or aic; the lowest is best
    #[arg(long, value_name = "CRITERION", default_value = "bic", requires = "components", value_parser = criterion)]
    pub(crate) criterion: Criterion,
    /// Moments that stats or merge saved, in place of rows
    ///
    /// What needs a second look at rows is refused.
    #[arg(long, value_name = "MOMENTS", conflicts_with_all = OF_DATA)]
    pub(crate) from: Option<PathBuf>,
    /// Where to save the model
    #[arg(short, long, value_name = "MODEL", default_value = "model.json")]
    pub(crate) output: PathBuf,
    /// Save the model alone, without the sums and rows that an update needs
    #[arg(long)]
    pub(crate) sealed: bool,
}

const ROWS: &str = "\
Rows with an empty cell in the target column have no label: they take part by EM, each belonging to
every class by its probability. Where all rows have a label there is no EM. Input that can be read
only once is kept, in a temporary file where it is large.";

/// All that says where rows come from and how they are read.
const OF_DATA: [&str; 13] = [
    "data",
    "target",
    "features",
    "drop",
    "weights",
    "na",
    "na_words",
    "delimiter",
    "quote",
    "decimal",
    "header",
    "no_header",
    "names",
];

/// Moments take the place of data.
fn unless_from(data: Arg) -> Arg {
    data.required(false).required_unless_present("from")
}

/// How many Gaussians a class has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Components {
    /// As many as fit best.
    Auto,
    /// So many.
    Fixed(usize),
}

/// More Gaussians for a class than anybody can look at.
const MOST: usize = 10_000;

fn components(word: &str) -> Result<Components, String> {
    if word == "auto" {
        return Ok(Components::Auto);
    }
    let number = word.parse().ok().filter(|number| (1..=MOST).contains(number));
    number.map(Components::Fixed).ok_or_else(|| "a number from 1, or auto".into())
}

fn criterion(word: &str) -> Result<Criterion, String> {
    by_name(word, &Criterion::ALL, Criterion::name)
}
