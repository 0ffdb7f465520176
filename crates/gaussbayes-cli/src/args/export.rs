//! Defines the command that writes models for other programs.

use std::path::PathBuf;

use clap::Args;
use gaussbayes_io::Precision;

use super::Costs;

#[derive(Debug, Args)]
#[command(after_help = FORMATS)]
pub(crate) struct Export {
    /// A model that fit, cluster or model has saved, or a figure of the lectures
    #[arg(value_name = "MODEL|FIGURE")]
    pub(crate) model: String,
    /// onnx, sql or json
    #[arg(long, value_name = "FORMAT", value_parser = form)]
    pub(crate) to: Written,
    /// Where to write it; onnx needs one [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Of the rows and probabilities of an ONNX model: double, or float for rows in single precision;
    /// either computes in double [default: double]
    #[arg(long, value_name = "PRECISION", value_parser = precision)]
    pub(crate) precision: Option<Precision>,
    /// The table that SQL reads [default: data]
    #[arg(long, value_name = "NAME")]
    pub(crate) table: Option<String>,
    /// Other priors: observed keeps those of the model, uniform, or one number per class
    #[arg(long, value_name = "PRIORS", allow_hyphen_values = true)]
    pub(crate) priors: Option<String>,
    #[command(flatten)]
    pub(crate) costs: Costs,
}

const FORMATS: &str = "\
Formats:
  onnx  a graph of standard operators: rows X in, label and probabilities out; where columns hold
        names, one input per column
  sql   one query: a score per class, probabilities p_<class> and prediction for every row of the
        table; runs in SQLite (3.35 or later, with its mathematical functions) and DuckDB
  json  classes, features, priors, means, covariances; 'gaussbayes model' reads it where each class
        is one Gaussian

Costs, reject and outliers of the model are in the decisions of onnx and sql.";

/// What a model is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    Onnx,
    Sql,
    Json,
}

impl Written {
    const ALL: [Self; 3] = [Self::Onnx, Self::Sql, Self::Json];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Onnx => "onnx",
            Self::Sql => "sql",
            Self::Json => "json",
        }
    }
}

fn form(word: &str) -> Result<Written, String> {
    near(word, &Written::ALL, Written::name)
}

fn precision(word: &str) -> Result<Precision, String> {
    near(word, &Precision::ALL, Precision::name)
}

/// The value that a word names, or the one that was probably meant.
fn near<T: Copy>(word: &str, all: &[T], name: fn(T) -> &'static str) -> Result<T, String> {
    super::by_name(word, all, name).map_err(|known| {
        let meant = gaussbayes_io::nearest(word, all.iter().map(|value| name(*value)));
        meant.map_or(known, |meant| format!("did you mean '{meant}'?"))
    })
}
