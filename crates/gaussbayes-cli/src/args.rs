//! Defines every command and flag, once: parsing, help and errors come from here.

mod cluster;
mod definition;
mod examples;
mod export;
mod fit;
mod judge;
mod known;
mod moments;
mod papers;
mod plot;
mod report;
mod shift;
mod tables;
mod typed;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, FromArgMatches, Parser, Subcommand};
use gaussbayes::{Amount, Density, OnSingular, Pooling, Target};

pub(crate) use cluster::{Cluster, Merging, Numbers};
pub(crate) use definition::definition;
pub(crate) use export::{Export, Written};
pub(crate) use fit::{Components, Fit};
pub(crate) use judge::{Compare, Curve, CurveOptions, Evaluate};
pub(crate) use known::{ErrorOf, Explain, Form, Format, Known, Sample, Show, Transform};
pub(crate) use moments::{Merge, Stats};
pub(crate) use papers::{Completions, Man};
pub(crate) use plot::Plot;
pub(crate) use report::{Report, Tour};
pub(crate) use shift::{LEVEL, Shift, level};
pub(crate) use tables::Tables;
pub(crate) use typed::Typed;

/// Gaussian Bayes classifiers and mixtures: fit, judge, compare, cluster.
#[derive(Debug, Parser)]
#[command(name = "gaussbayes", version, disable_version_flag = true, after_long_help = DATA, arg_required_else_help = true,
    disable_help_flag = true)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    /// Print version
    #[arg(short = 'V', long, help_heading = "Global options", action = clap::ArgAction::Version)]
    pub(crate) version: Option<bool>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Arguments {
    /// Reads what was typed; the first word is the command's own name.
    pub(crate) fn read(words: &[OsString]) -> Result<Self, clap::Error> {
        let matches = definition().try_get_matches_from(words)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut definition()))
    }
}

const DATA: &str = "\
DATA is a file (.csv, .tsv, .parquet, .arrow, .npy, .gz or .zst of these),
several files or a pattern such as 'part-*.csv', - for standard input, or a
built-in set: iris, wine, faithful, banana, trunk, echo.";

#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Print one JSON object instead of text
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) json: bool,
    /// Threads to use; the answer does not depend on it [default: all cores]
    #[arg(long, global = true, help_heading = "Global options", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Seed of everything random: folds, starts and generated data
    #[arg(
        long,
        global = true,
        help_heading = "Global options",
        value_name = "S",
        default_value_t = 1
    )]
    pub(crate) seed: u64,
    /// Print this page
    #[arg(short, long, global = true, help_heading = "Global options", action = clap::ArgAction::HelpShort)]
    pub(crate) help: Option<bool>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Fit a classifier and save it
    Fit(Fit),
    /// Sum rows up and save the sums, to be merged with others
    Stats(Stats),
    /// Merge sums that stats has saved, from anywhere
    Merge(Merge),
    /// Add rows to a saved model
    Update(Update),
    /// Classify rows with a saved model
    Predict(Predict),
    /// Say whether the shares of the classes have moved
    Shift(Shift),
    /// Project rows on the canonical directions of a saved model
    Transform(Transform),
    /// Estimate the error of a classifier
    Evaluate(Evaluate),
    /// Rank every classifier on a data set
    Compare(Compare),
    /// Find clusters: Gaussian mixtures by EM, the best by a criterion
    Cluster(Box<Cluster>),
    /// Print what is in a model file
    Show(Show),
    /// Say what the boundaries of a model are, as equations
    Explain(Explain),
    /// Compute how often the rule of a model errs, exactly
    Error(ErrorOf),
    /// Make a model of known means, covariances and priors
    Model(Known),
    /// Write a model for other programs: ONNX, SQL, plain JSON
    Export(Export),
    /// Draw rows at random
    Sample(Sample),
    /// Draw a figure: of a model, of data, or of the lectures
    Plot(Box<Plot>),
    /// Tell the whole story on built-in data
    Tour(Tour),
    /// Tell the same story of your data, as one page
    Report(Report),
    /// Print what makes a shell complete commands and flags
    Completions(Completions),
    /// Print the manual, a page per command
    Man(Man),
}

impl Command {
    /// Whether a flag of the command asks for JSON.
    pub(crate) fn json(&self) -> bool {
        matches!(self, Self::Explain(explain) if explain.format == Format::Json)
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Fit(_) => "fit",
            Self::Stats(_) => "stats",
            Self::Merge(_) => "merge",
            Self::Update(_) => "update",
            Self::Predict(_) => "predict",
            Self::Shift(_) => "shift",
            Self::Transform(_) => "transform",
            Self::Evaluate(_) => "evaluate",
            Self::Compare(_) => "compare",
            Self::Cluster(_) => "cluster",
            Self::Show(_) => "show",
            Self::Explain(_) => "explain",
            Self::Error(_) => "error",
            Self::Model(_) => "model",
            Self::Export(_) => "export",
            Self::Sample(_) => "sample",
            Self::Plot(_) => "plot",
            Self::Tour(_) => "tour",
            Self::Report(_) => "report",
            Self::Completions(_) => "completions",
            Self::Man(_) => "man",
        }
    }
}

/// Where labelled rows come from.
#[derive(Debug, Args)]
pub(crate) struct Data {
    #[command(flatten)]
    pub(crate) tables: Tables,
    /// Column with the classes
    ///
    /// A name, or a number from 1. The built-in sets know theirs.
    #[arg(long, value_name = "COL")]
    pub(crate) target: Option<String>,
    /// Columns to use, such as x,y or 1..4 [default: all others]
    #[arg(long, value_name = "COLS", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    /// Columns to leave out
    #[arg(long, value_name = "COLS", value_delimiter = ',')]
    pub(crate) drop: Vec<String>,
    /// Column with the weights of the rows
    #[arg(long, value_name = "COL")]
    pub(crate) weights: Option<String>,
}

/// How a classifier is estimated.
#[derive(Debug, Args)]
pub(crate) struct Estimation {
    /// qda, lda, naive-bayes, nearest-mean, softmax, … [default: qda]
    ///
    /// One of qda, lda, diag-qda, diag-lda, naive-bayes, nearest-mean, softmax (logistic regression),
    /// or the letters of one of the fourteen covariance families, such as VII or EEV.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Regularised discriminant analysis: 0,0 is qda, 1,0 lda, 1,1 nearest mean with priors;
    /// auto chooses by cross-validation
    #[arg(long, value_name = "L,G|auto", value_parser = rda, conflicts_with_all = ["shrinkage"])]
    pub(crate) rda: Option<Rda>,
    /// What to make of estimated parameters: plug-in, predictive or debiased (qda and lda)
    #[arg(long, value_name = "HOW", default_value = "plug-in", value_parser = density)]
    pub(crate) density: Density,
    #[command(flatten)]
    pub(crate) options: Options,
    #[command(flatten)]
    pub(crate) typed: Typed,
    /// Penalty of softmax regression: 1/C, 0 for none [default: 1]
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) penalty: Option<f64>,
}

impl Estimation {
    /// The model that was asked for, or the usual one.
    pub(crate) fn model(&self) -> &str {
        self.model.as_deref().unwrap_or("qda")
    }
}

/// The options of an estimation, whatever the model.
#[derive(Debug, Clone, Args)]
pub(crate) struct Options {
    /// observed, uniform, or numbers such as 0.7,0.3
    ///
    /// One number per class in class order. [default: observed; uniform for nearest-mean]
    #[arg(long, value_name = "PRIORS", allow_hyphen_values = true)]
    pub(crate) priors: Option<String>,
    /// Subtract this from the size of each class before dividing
    #[arg(long, value_name = "0|1", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1))]
    pub(crate) ddof: u32,
    /// How a shared covariance weighs the classes: size, average or priors
    #[arg(long, value_name = "HOW", default_value = "size", value_parser = pooling)]
    pub(crate) pooling: Pooling,
    /// Shrink covariances: auto, oas, or 0 to 1
    ///
    /// Shrink each covariance by this much, 0 to 1, or by an amount found from the rows: auto is
    /// Ledoit and Wolf's, in a second pass; oas is found in one.
    #[arg(long, value_name = "AMOUNT", value_parser = amount)]
    pub(crate) shrinkage: Option<Amount>,
    /// Toward what to shrink: spherical, diagonal, shared, or unit (variance one in the unit of the
    /// columns) [default for auto and oas: diagonal]
    #[arg(long, value_name = "TARGET", requires = "shrinkage", value_parser = target)]
    pub(crate) shrink_to: Option<Target>,
    /// Add this share of each column's total variance to its variance in each class
    #[arg(long, value_name = "R", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) ridge: f64,
    /// A covariance without an inverse: refuse, or classify within its range
    #[arg(long, value_name = "refuse|range", default_value = "refuse", value_parser = on_singular)]
    pub(crate) on_singular: OnSingular,
    /// Measure columns in standard deviations; folded back into the model
    #[arg(long)]
    pub(crate) standardize: bool,
}

fn pooling(word: &str) -> Result<Pooling, String> {
    by_name(word, &Pooling::ALL, Pooling::name)
}

fn on_singular(word: &str) -> Result<OnSingular, String> {
    by_name(word, &OnSingular::ALL, OnSingular::name)
}

fn density(word: &str) -> Result<Density, String> {
    by_name(word, &Density::ALL, Density::name)
}

fn amount(word: &str) -> Result<Amount, String> {
    match word {
        "auto" => Ok(Amount::LedoitWolf),
        "oas" => Ok(Amount::Oas),
        number => {
            let amount = number.parse().map(Amount::Fixed);
            amount.map_err(|_| "possible values: auto, oas, or a number from 0 to 1".into())
        }
    }
}

/// How regularised discriminant analysis is to be mixed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Rda {
    /// Lambda and gamma.
    Given(f64, f64),
    /// By cross-validation.
    Auto,
}

fn rda(word: &str) -> Result<Rda, String> {
    if word == "auto" {
        return Ok(Rda::Auto);
    }
    let numbers: Option<(f64, f64)> = word.split_once(',').and_then(|(lambda, gamma)| {
        Some((lambda.trim().parse().ok()?, gamma.trim().parse().ok()?))
    });
    let numbers = numbers.map(|(lambda, gamma)| Rda::Given(lambda, gamma));
    numbers
        .ok_or_else(|| "possible values: auto, or two numbers from 0 to 1 such as 0.5,0.1".into())
}

fn target(word: &str) -> Result<Target, String> {
    by_name(word, &Target::ALL, Target::name)
}

/// The value that a word names.
fn by_name<T: Copy>(word: &str, all: &[T], name: fn(T) -> &'static str) -> Result<T, String> {
    let found = all.iter().copied().find(|value| name(*value) == word);
    found.ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|value| name(*value)).collect();
        let values = format!("possible values: {}", known.join(", "));
        match gaussbayes_io::nearest(word, known) {
            Some(nearest) => format!("did you mean '{nearest}'? {values}"),
            None => values,
        }
    })
}

/// What decisions cost.
#[derive(Debug, Args)]
pub(crate) struct Costs {
    /// Costs: first row the actions, first column the true classes
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) loss: Option<PathBuf>,
    /// Reject a row when every class would cost more
    ///
    /// Replaces a reject column of --loss.
    #[arg(long, value_name = "COST", allow_negative_numbers = true)]
    pub(crate) reject: Option<f64>,
}

#[derive(Debug, Args)]
pub(crate) struct Update {
    /// A model that fit has saved
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) data: Tables,
    /// The column of classes, for a model that does not say
    #[arg(long, value_name = "COL")]
    pub(crate) target: Option<String>,
    /// Where to save the model [default: in its place]
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "five flags that do not exclude each other")]
pub(crate) struct Predict {
    /// A model that fit or cluster has saved
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) data: Tables,
    /// Other priors: uniform, shift, or numbers such as 0.7,0.3
    ///
    /// observed keeps those of the fit; uniform; one number per class; shift takes those of the rows
    /// themselves where they have moved.
    #[arg(long, value_name = "PRIORS", allow_hyphen_values = true)]
    pub(crate) priors: Option<String>,
    /// With --priors shift: what the p value must be below for priors to have moved [default: 0.05]
    #[arg(long, value_name = "P", value_parser = level, allow_negative_numbers = true)]
    pub(crate) level: Option<f64>,
    #[command(flatten)]
    pub(crate) costs: Costs,
    /// Reject rows less likely than this share of the model's own
    ///
    /// Less likely under all classes than this share, at least 0.001, of the model's own rows.
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub(crate) outliers: Option<f64>,
    /// Columns of the data to write before the answers, as they are
    #[arg(long, value_name = "COLS", value_delimiter = ',')]
    pub(crate) keep: Vec<String>,
    /// Add a column p_<class> with the probability of each class
    #[arg(long)]
    pub(crate) proba: bool,
    /// Add a column r_<action> with the expected cost of each action
    #[arg(long)]
    pub(crate) risk: bool,
    /// Add a column d2_<class> with the squared Mahalanobis distance to each class
    #[arg(long)]
    pub(crate) distance: bool,
    /// Add a column `log_density` with ln p(x)
    #[arg(long)]
    pub(crate) density: bool,
    /// Add a column `entropy` with -Σ p ln p of the classes: 0 where there is no doubt
    #[arg(long)]
    pub(crate) entropy: bool,
    /// Where to write the CSV [default: standard output]
    #[arg(short, long, value_name = "OUT.csv")]
    pub(crate) output: Option<PathBuf>,
}
