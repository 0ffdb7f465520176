//! Defines the options of naive Bayes over columns that are no plain numbers.

use clap::Args;
use gaussbayes::Unseen;
use gaussbayes_io::ColumnType;

use super::by_name;

/// Under what help lists these options.
const NAIVE_BAYES: &str = "Naive Bayes";

/// What columns hold, and how their counts are smoothed.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Typed {
    /// What columns hold: number, flag, category, count or text, such as age=number,zip=category
    /// [default: recognised from the first rows]
    #[arg(long, help_heading = NAIVE_BAYES, value_name = "COL=TYPE,…", value_delimiter = ',', value_parser = column_type)]
    pub(crate) types: Vec<(String, ColumnType)>,
    /// What is added to every count, for all columns or for one: 1, or 1,zip=0.1 [default: 1]
    #[arg(long, help_heading = NAIVE_BAYES, value_name = "A,…", value_delimiter = ',', value_parser = alpha, allow_negative_numbers = true)]
    pub(crate) alpha: Vec<(Option<String>, f64)>,
    /// What a category or word says that no row of the fit had: ignore (nothing), smooth (as one
    /// more that was never counted), or refuse the row [default: ignore]
    #[arg(long, help_heading = NAIVE_BAYES, value_name = "HOW", value_parser = unseen)]
    pub(crate) unseen: Option<Unseen>,
    /// Count words and counts against a class, by their shares in all others
    #[arg(long, help_heading = NAIVE_BAYES)]
    pub(crate) complement: bool,
}

impl Typed {
    /// The first option that was given, but for types, which make any column typed.
    pub(crate) fn smoothing(&self) -> Option<&'static str> {
        [
            (!self.alpha.is_empty(), "--alpha"),
            (self.unseen.is_some(), "--unseen"),
            (self.complement, "--complement"),
        ]
        .into_iter()
        .find_map(|(given, flag)| given.then_some(flag))
    }

    /// The first option that was given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        if self.types.is_empty() { self.smoothing() } else { Some("--types") }
    }
}

pub(super) fn column_type(word: &str) -> Result<(String, ColumnType), String> {
    let (column, kind) =
        word.rsplit_once('=').ok_or("a column and its type, such as age=number")?;
    Ok((column.to_owned(), by_name(kind, &ColumnType::ALL, ColumnType::name)?))
}

fn alpha(word: &str) -> Result<(Option<String>, f64), String> {
    let (column, number) = match word.rsplit_once('=') {
        Some((column, number)) => (Some(column.to_owned()), number),
        None => (None, word),
    };
    let number = number.trim().parse().map_err(|_| "a number, or a column and one: zip=0.1")?;
    Ok((column, number))
}

fn unseen(word: &str) -> Result<Unseen, String> {
    by_name(word, &Unseen::ALL, Unseen::name)
}
