//! Defines the commands that write a page: tour and report.

use std::path::PathBuf;

use clap::Args;

use super::Data;

#[derive(Debug, Args)]
pub(crate) struct Tour {
    /// Where to write the page
    #[arg(short, long, value_name = "REPORT.html", default_value = "report.html")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
#[command(args_override_self = true)]
pub(crate) struct Report {
    #[command(flatten)]
    pub(crate) data: Data,
    /// Number of folds that classifiers are judged by
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(2..))]
    pub(crate) folds: u16,
    /// Rows that are judged and clustered at most, drawn at random from all
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(10..))]
    pub(crate) most_rows: u32,
    /// Where to write the page
    #[arg(short, long, value_name = "REPORT.html", default_value = "report.html")]
    pub(crate) output: PathBuf,
}
