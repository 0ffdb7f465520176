//! Defines the command that draws figures.

use std::path::PathBuf;

use clap::{Arg, Args};
use gaussbayes_plot::Theme;

use super::{Costs, Data, Estimation, Numbers, by_name};

#[derive(Debug, Args)]
#[command(args_override_self = true, after_help = KINDS, mut_arg("data", subject))]
pub(crate) struct Plot {
    #[command(flatten)]
    pub(crate) data: Data,
    /// A kind of figure, or one of the gallery: see --list
    ///
    /// Of a model or data it is a kind of figure. [default: densities for one feature, regions for two,
    /// projection for more] Without a model and data it is a figure of the lectures, by its name.
    #[arg(long, value_name = "NAME")]
    pub(crate) figure: Option<String>,
    /// Columns across and upward: names, or numbers from 1
    #[arg(long, value_name = "A,B")]
    pub(crate) axes: Option<String>,
    /// Values of the other columns, for slice [default: the centre of the model]
    #[arg(long, value_name = "COL=X,…", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) at: Vec<String>,
    /// The class whose posterior is drawn, or whose curve [default: the last of two, each of more]
    #[arg(long, value_name = "CLASS")]
    pub(crate) class: Option<String>,
    /// Clusters for em, influence and bic: 3, or 1..9
    ///
    /// [default: 2; 1..9 for bic]
    #[arg(short = 'k', value_name = "N|A..B", value_parser = super::cluster::numbers)]
    pub(crate) k: Option<Numbers>,
    /// The steps of em one after the other, in one SVG that moves
    #[arg(long)]
    pub(crate) animate: bool,
    /// Folds for roc, cost, confusion, learning, features
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) folds: usize,
    /// light, dark, or auto (as the reader's system has it; SVG alone)
    #[arg(long, value_name = "THEME", default_value = "light", value_parser = theme)]
    pub(crate) theme: Theme,
    /// Pixels of a PNG for each of the SVG
    #[arg(long, value_name = "S", default_value_t = 2.0, allow_negative_numbers = true)]
    pub(crate) scale: f64,
    /// Rows to draw at most
    ///
    /// Of more, so many are drawn at random; models are fitted to all.
    #[arg(long, value_name = "N", default_value = "10000", value_parser = super::known::rows)]
    pub(crate) rows: u64,
    /// Print the names of all figures
    #[arg(long, conflicts_with_all = ["figure", "data", "gallery"])]
    pub(crate) list: bool,
    /// Draw the whole gallery into this folder
    ///
    /// Every figure as SVG, and one page that shows them all.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["figure", "data", "output"])]
    pub(crate) gallery: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) estimation: Estimation,
    #[command(flatten)]
    pub(crate) costs: Costs,
    /// Where to write: .svg or .png [default: figure.svg]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

const KINDS: &str = "\
Kinds of figures: scatter, regions, posterior, density, densities, pairs, projection, slice, linear (of a
model, with rows where there are any); roc, cost, confusion (of a model on rows it has not seen);
learning, features, scaling (of data); bic, em, simplex, influence (of clusters in data).

A model is a file that fit, cluster or model has saved, or a figure of the lectures ('gaussbayes help
model' lists these). Where there is none, one is fitted to the data as --model and its options say.";

const SUBJECT: &str = "\
A model that fit, cluster or model has saved, or a figure of the lectures, and behind it the rows to draw with it; or data alone, to fit a model to.";

/// A model may stand before the data, and both may be left out.
fn subject(data: Arg) -> Arg {
    data.required(false)
        .value_name("MODEL|DATA")
        .help("A model and its rows, or data to fit a model to")
        .long_help(SUBJECT)
}

fn theme(word: &str) -> Result<Theme, String> {
    let name = |theme| match theme {
        Theme::Light => "light",
        Theme::Dark => "dark",
        Theme::Auto => "auto",
    };
    by_name(word, &[Theme::Light, Theme::Dark, Theme::Auto], name)
}
