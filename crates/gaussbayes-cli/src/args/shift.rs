//! Defines the command that estimates priors anew.

use std::path::PathBuf;

use clap::Args;

use super::Tables;

#[derive(Debug, Args)]
#[command(after_help = TAKEN)]
pub(crate) struct Shift {
    /// A model that fit or model has saved
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) data: Tables,
    /// Column with the weights of the rows
    #[arg(long, value_name = "COL")]
    pub(crate) weights: Option<String>,
    /// What the p value must be below for the priors to have moved
    #[arg(long, value_name = "P", default_value_t = LEVEL, value_parser = level, allow_negative_numbers = true)]
    pub(crate) level: f64,
    /// Save the model: with the new priors where they have moved, as it is where they have not
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) output: Option<PathBuf>,
}

/// The usual level.
pub(crate) const LEVEL: f64 = 0.05;

const TAKEN: &str = "\
The class densities and the old priors are taken as known: p values are those of the model. Rows that
follow other densities, or a model of few rows, can look like a shift.";

/// Reads a level of a test.
pub(crate) fn level(word: &str) -> Result<f64, String> {
    let level = word.parse().ok().filter(|level| (0.0..1.0).contains(level) && *level > 0.0);
    level.ok_or_else(|| "a level is above 0 and below 1".into())
}
