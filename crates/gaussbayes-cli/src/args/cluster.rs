//! Defines the command that clusters rows.

use std::path::PathBuf;

use clap::Args;
use gaussbayes::{Criterion, Freedom, OnEmpty, Outliers, StopRule};

use super::{Tables, by_name};

#[derive(Debug, Args)]
#[command(args_override_self = true, after_help = STARTS)]
pub(crate) struct Cluster {
    #[command(flatten)]
    pub(crate) data: Tables,
    /// Numbers of clusters to try: 3, 1..9 or 2,4,8 [default: 1..9]
    #[arg(short = 'k', value_name = "N|A..B|N,M", value_parser = numbers)]
    pub(crate) k: Option<Numbers>,
    /// Families to try, such as VVV,EEE or kmeans
    ///
    /// All fourteen, or some such as VVV,EEE; unit or kmeans is k-means.
    #[arg(long, value_name = "MODELS", value_delimiter = ',', default_value = "all")]
    pub(crate) model: Vec<String>,
    /// What they are compared by: bic, icl or aic; the lowest is best
    #[arg(long, value_name = "CRITERION", default_value = "bic", value_parser = criterion)]
    pub(crate) criterion: Criterion,
    /// Where to start from [default: hierarchical once, kmeans twice, k-means++ twice]
    #[arg(long, value_name = "START")]
    pub(crate) start: Option<String>,
    /// Starts to keep the best of: N of a random --start [default: 4]; without --start see below
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) restarts: Option<u16>,
    /// Outliers are noise, and get the label noise
    ///
    /// Noise lies anywhere in the box around all rows.
    #[arg(long, conflicts_with = "student")]
    pub(crate) noise: bool,
    /// Outliers are in tails: degrees of freedom, or common or each to estimate them
    #[arg(long, value_name = "DF", num_args = 0..=1, default_missing_value = "each",
        value_parser = freedom)]
    pub(crate) student: Option<Freedom>,
    /// Keep what the model of --start has: means, covariances, or of some clusters: means=1,3
    #[arg(long, value_name = "WHAT[=N,M]", action = clap::ArgAction::Append)]
    pub(crate) freeze: Vec<String>,
    /// Join components into this many clusters
    ///
    /// Least doubt first; auto where the entropy turns.
    #[arg(long, value_name = "N|auto", value_parser = merging)]
    pub(crate) merge: Option<Merging>,
    /// Refit N times on random weights: standard errors and 95 % intervals of the parameters
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub(crate) bootstrap: Option<u32>,
    /// List the N rows that move a cluster most when they are left out [default: 10]
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "10",
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) influence: Option<u32>,
    /// What must be small at the end: loglik, relative, aitken or parameters
    #[arg(long, value_name = "RULE", default_value = "loglik", value_parser = rule)]
    pub(crate) stop: StopRule,
    /// How small [default: 1e-7]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) tolerance: Option<f64>,
    /// Iterations at most [default: 1000]
    #[arg(long, value_name = "N", value_parser = iterations)]
    pub(crate) max_iter: Option<u32>,
    /// Keep covariances above this share of that of all rows; 0 does not [default: 1e-6]
    #[arg(long, value_name = "G", allow_negative_numbers = true)]
    pub(crate) guard: Option<f64>,
    /// A cluster that lost its rows: refuse, reseed or drop
    #[arg(long, value_name = "HOW", default_value = "drop", value_parser = on_empty)]
    pub(crate) on_empty: OnEmpty,
    /// Measure columns in standard deviations; folded back into the model
    #[arg(long)]
    pub(crate) standardize: bool,
    /// Column with known classes, to hold clusters against
    ///
    /// The built-in sets know theirs.
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
    /// Save the search here as it goes (when, see below), and take it up from here; removed at the end
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Write every iteration of a single fit (one -k, one --model)
    #[arg(long, value_name = "FILE.csv|.json")]
    pub(crate) trace: Option<PathBuf>,
    /// Where to save the model
    #[arg(short, long, value_name = "MODEL", default_value = "model.json")]
    pub(crate) output: PathBuf,
}

impl Cluster {
    /// What is made of outliers.
    pub(crate) fn outliers(&self) -> Outliers {
        match self.student {
            Some(freedom) => Outliers::Student(freedom),
            None if self.noise => Outliers::Noise,
            None => Outliers::Ignored,
        }
    }
}

const STARTS: &str = "\
Starts: hierarchical (agglomeration by likelihood), kmeans, k-means++, random, random-rows, labels
(the classes of --target), or a model file. Without --start, --restarts N is hierarchical once and
kmeans N-1 times; without both it is the five starts that --start names as its default.
Models are letters as in mclust, or full (VVV), tied (EEE), diag (VVI), spherical (VII), kmeans (unit).
Stop rules: loglik (its change per row), relative (its change as a share of it), aitken (what it
lacks of its limit), parameters (the distance between two of them on standardised columns).
Outliers: --noise and --student begin with the rows whose neighbours are near; with --start labels
rows of the class noise begin as noise. Which of the three suits the rows is what BIC is for:
  gaussbayes cluster FILE -k 3            (then --noise, then --student)
Outliers that lie together are a cluster, not noise: ask for one cluster more.
Trace: log_likelihood of the parameters before the iteration, functional E(before; before), raised
E(after; before), change as the stop rule measures it; in .json also weights, means,
the share of noise and degrees of freedom after it.
A checkpoint is written after every pass over all rows and, where several mixtures are tried, when
those of one number of clusters have started; at most once a second.
Ctrl-C saves the best so far, as components where these were to be joined, and ends with 130; a
second one ends at once.";

/// Numbers of clusters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Numbers(pub(crate) Vec<usize>);

/// More clusters than anybody can look at.
const MOST: usize = 10_000;

pub(super) fn numbers(text: &str) -> Result<Numbers, String> {
    let wrong = || "a number from 1, a range such as 1..9, or a list such as 2,4,8".to_string();
    let number = |word: &str| {
        let number = word.trim().parse::<usize>().ok();
        number.filter(|k| (1..=MOST).contains(k)).ok_or_else(wrong)
    };
    let mut all = Vec::new();
    for word in text.split(',') {
        match word.split_once("..") {
            Some((first, last)) => {
                let (first, last) = (number(first)?, number(last.trim_start_matches('='))?);
                if first > last {
                    return Err(wrong());
                }
                all.extend(first..=last);
            }
            None => all.push(number(word)?),
        }
    }
    all.sort_unstable();
    all.dedup();
    Ok(Numbers(all))
}

/// How many clusters components are joined into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Merging {
    Auto,
    Into(usize),
}

fn merging(text: &str) -> Result<Merging, String> {
    if text == "auto" {
        return Ok(Merging::Auto);
    }
    let number = text.parse::<usize>().ok().filter(|number| *number > 0);
    number.map(Merging::Into).ok_or_else(|| "a number from 1, or auto".into())
}

fn iterations(text: &str) -> Result<u32, String> {
    let number = text.parse::<u32>().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "a whole number from 1: one iteration at least".into())
}

fn freedom(word: &str) -> Result<Freedom, String> {
    match word {
        "each" => Ok(Freedom::Each),
        "common" => Ok(Freedom::Common),
        number => number.parse().map(Freedom::Fixed).map_err(|_| {
            "degrees of freedom, common (the same for all clusters) or each (its own)".into()
        }),
    }
}

fn criterion(word: &str) -> Result<Criterion, String> {
    by_name(word, &Criterion::ALL, Criterion::name)
}

fn rule(word: &str) -> Result<StopRule, String> {
    by_name(word, &StopRule::ALL, StopRule::name)
}

fn on_empty(word: &str) -> Result<OnEmpty, String> {
    by_name(word, &OnEmpty::ALL, OnEmpty::name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_single_listed_or_in_a_range() {
        let read = |text: &str| numbers(text).map(|numbers| numbers.0);
        assert_eq!(read("3"), Ok(vec![3]));
        assert_eq!(read("1..4"), Ok(vec![1, 2, 3, 4]));
        assert_eq!(read("8,2..3,2"), Ok(vec![2, 3, 8]));
        for wrong in ["0", "", "4..2", "x", "1..", "-1", "99999999"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
