//! Defines the commands that judge classifiers: evaluate and compare.

use std::path::PathBuf;

use clap::Args;
use gaussbayes::ColumnOrder;

use super::{Costs, Data, Estimation, Options, Typed, by_name};

#[derive(Debug, Args)]
#[command(args_override_self = true)]
pub(crate) struct Evaluate {
    #[command(flatten)]
    pub(crate) data: Data,
    #[command(flatten)]
    pub(crate) estimation: Estimation,
    #[command(flatten)]
    pub(crate) costs: Costs,
    /// Number of folds, or loo to leave each row out in turn
    ///
    /// Folds are drawn at random, not by class.
    #[arg(
        long,
        value_name = "N|loo",
        default_value = "10",
        conflicts_with = "with",
        allow_negative_numbers = true
    )]
    pub(crate) folds: String,
    /// Repeat the folds with other seeds
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "with", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: u32,
    /// Judge this saved model on all rows
    #[arg(long, value_name = "MODEL", conflicts_with_all = [
        "model", "rda", "density", "ddof", "pooling", "shrinkage", "shrink_to", "ridge",
        "on_singular", "standardize", "features", "drop", "types", "alpha", "unseen", "complement",
        "penalty",
    ])]
    pub(crate) with: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) curve: CurveOptions,
}

/// What a curve is drawn over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Curve {
    Learning,
    Features,
    Roc,
    Cost,
}

impl Curve {
    const ALL: [Self; 4] = [Self::Learning, Self::Features, Self::Roc, Self::Cost];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Learning => "learning",
            Self::Features => "features",
            Self::Roc => "roc",
            Self::Cost => "cost",
        }
    }
}

/// Which curve is drawn, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Curves")]
pub(crate) struct CurveOptions {
    /// Draw a curve: learning, features, roc or cost
    ///
    /// learning is error by the rows learnt from, features error by the number of columns, cost what
    /// the best threshold costs for each ratio of costs and priors.
    #[arg(long = "curve", value_name = "CURVE", value_parser = curve)]
    pub(crate) kind: Option<Curve>,
    /// Another model on the same rows, for learning and features [default for learning: softmax]
    #[arg(long, value_name = "MODEL", requires = "kind", conflicts_with = "with")]
    pub(crate) against: Option<String>,
    /// Numbers of rows, or of columns, to look at [default: all, halved again and again; each]
    #[arg(long, value_name = "N,…", value_delimiter = ',', requires = "kind")]
    pub(crate) at: Vec<usize>,
    /// Learn from this many rows, for features [default: all outside of a fold]
    #[arg(long = "learn-from", value_name = "N", requires = "kind")]
    pub(crate) rows: Option<usize>,
    /// How columns join, for features: given, or separation (those that set the classes farthest
    /// apart first, by the rows learnt from) [default: given]
    #[arg(long, value_name = "ORDER", requires = "kind", value_parser = order)]
    pub(crate) order: Option<ColumnOrder>,
    /// Where to write the points of the curve as CSV
    #[arg(short, long, value_name = "POINTS.csv", requires = "kind")]
    pub(crate) output: Option<PathBuf>,
}

fn curve(word: &str) -> Result<Curve, String> {
    by_name(word, &Curve::ALL, Curve::name)
}

fn order(word: &str) -> Result<ColumnOrder, String> {
    let name = |order| match order {
        ColumnOrder::Given => "given",
        ColumnOrder::Separation => "separation",
    };
    by_name(word, &[ColumnOrder::Given, ColumnOrder::Separation], name)
}

#[derive(Debug, Args)]
#[command(args_override_self = true)]
pub(crate) struct Compare {
    #[command(flatten)]
    pub(crate) data: Data,
    #[command(flatten)]
    pub(crate) options: Options,
    #[command(flatten)]
    pub(crate) typed: Typed,
    #[command(flatten)]
    pub(crate) costs: Costs,
    /// Penalty of softmax regression: 1/C, 0 for none
    #[arg(long, value_name = "P", default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) penalty: f64,
    /// Number of folds
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) folds: usize,
    /// Repeat the folds with other seeds
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: u32,
}
