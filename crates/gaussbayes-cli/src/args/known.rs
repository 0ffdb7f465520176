//! Defines the commands that make models of known parameters and ask models what they are.

use std::path::PathBuf;

use clap::Args;
use gaussbayes::Method;

use super::{Costs, Tables};

#[derive(Debug, Args)]
#[command(after_help = FILES)]
pub(crate) struct Known {
    /// A file of parameters, a figure of the lectures, or a model to take a part of
    #[arg(value_name = "SOURCE")]
    pub(crate) source: String,
    /// Only these columns: what is known of a row when the others are not
    #[arg(long, value_name = "COLS", value_delimiter = ',')]
    pub(crate) marginal: Vec<String>,
    /// The other columns where these have known values, such as A=1.5,B=2
    #[arg(long, value_name = "COL=X,…", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) given: Vec<String>,
    /// Other priors: uniform, or numbers such as 0.7,0.3
    ///
    /// observed keeps those of the file; one number per class.
    #[arg(long, value_name = "PRIORS", allow_hyphen_values = true)]
    pub(crate) priors: Option<String>,
    #[command(flatten)]
    pub(crate) costs: Costs,
    /// Where to save the model
    #[arg(short, long, value_name = "MODEL", default_value = "model.json")]
    pub(crate) output: PathBuf,
}

const FILES: &str = r#"PARAMS.json:
  {"classes": ["a", "b"], "priors": [0.5, 0.5], "means": [[0, 0], [1, 1]],
   "covariances": [[[1, 0], [0, 1]], [[2, 0], [0, 2]]]}
May be left out: "classes", "priors" (equal), "features" (x1, x2, …). In place of "covariances":
"covariance", one matrix for all classes; for two features "sigma1", "sigma2" and "r", a number
for all classes or a list. "loss" has a row of costs per true class, a last column is reject.

Figures: modem, quadratic, equal-covariance, spherical, lda-identity, lda-diagonal, lda-full,
qda-1, qda-2, almost-linear, circular, hyperbolic."#;

/// How equations are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Latex,
    Json,
}

fn format(word: &str) -> Result<Format, String> {
    let name = |format| match format {
        Format::Text => "text",
        Format::Latex => "latex",
        Format::Json => "json",
    };
    super::by_name(word, &[Format::Text, Format::Latex, Format::Json], name)
}

/// What a model is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Coefficients of a softmax.
    Softmax,
}

fn form(word: &str) -> Result<Form, String> {
    match word {
        "softmax" | "logistic" => Ok(Form::Softmax),
        word => super::by_name(word, &[Form::Softmax], |_| "softmax"),
    }
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// A model that fit, cluster or model has saved, or a figure of the lectures
    #[arg(value_name = "MODEL|FIGURE")]
    pub(crate) model: String,
    /// Only the boundary between these two: classes, or reject [default: all pairs]
    #[arg(long, value_name = "A,B")]
    pub(crate) pair: Option<String>,
    /// text, latex or json (the same as --json)
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format)]
    pub(crate) format: Format,
    /// The scores instead, as coefficients of softmax regression
    ///
    /// Where log-odds are linear: softmax, lda, diag-lda, nearest-mean, naive-bayes over flags and counts.
    #[arg(long = "as", value_name = "softmax", value_parser = form, conflicts_with = "pair")]
    pub(crate) form: Option<Form>,
    /// Other priors: uniform, or numbers such as 0.7,0.3
    ///
    /// observed keeps those of the model; one number per class.
    #[arg(long, value_name = "PRIORS", allow_hyphen_values = true)]
    pub(crate) priors: Option<String>,
    #[command(flatten)]
    pub(crate) costs: Costs,
}

#[derive(Debug, Args)]
pub(crate) struct ErrorOf {
    /// A model that fit, cluster or model has saved, or a figure of the lectures
    #[arg(value_name = "MODEL|FIGURE")]
    pub(crate) model: String,
    /// Rows to hold against it: CSV or TSV, - for standard input, or a built-in set
    pub(crate) data: Option<String>,
    /// Column with the classes of DATA [default: that of the model]
    #[arg(long, value_name = "COL", requires = "data")]
    pub(crate) target: Option<String>,
    /// Number of folds in which a fitted model is judged on DATA
    #[arg(long, value_name = "N", default_value_t = 10, requires = "data")]
    pub(crate) folds: usize,
    /// The model that rows come from: another model or figure [default: MODEL itself]
    #[arg(long, value_name = "TRUTH")]
    pub(crate) under: Option<String>,
    /// Other priors: uniform, or numbers such as 0.7,0.3
    ///
    /// observed keeps those of the model; one number per class.
    #[arg(long, value_name = "PRIORS", allow_hyphen_values = true)]
    pub(crate) priors: Option<String>,
    #[command(flatten)]
    pub(crate) costs: Costs,
    /// How it is computed [default: the most exact that applies]
    ///
    /// certain, normal, intervals, form, orthants, rays, lattice or simulation.
    #[arg(long, value_name = "METHOD", value_parser = method)]
    pub(crate) method: Option<Method>,
}

fn method(word: &str) -> Result<Method, String> {
    super::by_name(word, &Method::ALL, Method::name)
}

#[derive(Debug, Args)]
#[command(after_help = "Row i depends on the seed and on i alone: more rows begin with fewer.")]
pub(crate) struct Sample {
    /// A model, a figure of the lectures, or banana, blobs, trunk, echo
    ///
    /// 'gaussbayes help model' lists the figures.
    #[arg(value_name = "SOURCE")]
    pub(crate) source: String,
    /// Number of rows
    #[arg(short = 'n', long, value_name = "N", default_value = "1000", value_parser = rows)]
    pub(crate) rows: u64,
    /// Other priors of a figure or a model: uniform, or one number per class
    #[arg(long, value_name = "PRIORS", allow_hyphen_values = true)]
    pub(crate) priors: Option<String>,
    /// Classes of blobs [default: 3]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(2..))]
    pub(crate) classes: Option<u16>,
    /// Columns of blobs [default: 2], trunk [100] and echo [40]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) columns: Option<u16>,
    /// Standard deviation of blobs, whose centres lie within ±10 [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) spread: Option<f64>,
    /// Where to write the CSV [default: standard output]
    #[arg(short, long, value_name = "DATA.csv")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Transform {
    /// A model that fit or cluster has saved
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) data: Tables,
    /// Write only the first N directions [default: all, at most one fewer than classes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) components: Option<u16>,
    /// Where to write the CSV [default: standard output]
    #[arg(short, long, value_name = "OUT.csv")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// A model that fit or cluster has saved, or moments of stats or merge
    pub(crate) model: PathBuf,
}

/// A number of rows, also as 1e6.
pub(super) fn rows(word: &str) -> Result<u64, String> {
    let short = || {
        let number: f64 = word.parse().ok()?;
        // Beyond 2⁵³ a number with an exponent may not be the one that was meant.
        let whole = number.fract() == 0.0 && (0.0..=9e15).contains(&number);
        whole.then_some(number as u64)
    };
    let rows: Option<u64> = word.parse().ok().or_else(short);
    rows.filter(|rows| *rows > 0).ok_or_else(|| "a number of rows, such as 1000 or 1e6".into())
}
