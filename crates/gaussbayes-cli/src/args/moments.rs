//! Defines the commands that sum rows up and merge such sums.

use std::path::PathBuf;

use clap::Args;
use gaussbayes_io::{ColumnType, PARTS_MAX};

use super::Data;
use super::typed::column_type;

#[derive(Debug, Args)]
#[command(args_override_self = true, after_help = FLOW)]
pub(crate) struct Stats {
    #[command(flatten)]
    pub(crate) data: Data,
    /// What columns hold: number, flag, category, count or text, such as age=number,zip=category; naive Bayes
    /// alone is made of such sums [default: all are numbers, none missing, for any model]
    #[arg(long, value_name = "COL=TYPE,…", value_delimiter = ',', value_parser = column_type)]
    pub(crate) types: Vec<(String, ColumnType)>,
    /// Which part of how many this is, such as 3/20: then parts that are missing or given twice are noticed
    #[arg(long, value_name = "I/N", value_parser = part)]
    pub(crate) part: Option<(u32, u32)>,
    /// Where to save the moments
    #[arg(short, long, value_name = "M.moments")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
#[command(args_override_self = true, after_help = FLOW)]
pub(crate) struct Merge {
    /// Files that stats or merge has saved, in any order
    #[arg(required = true, value_name = "M.moments")]
    pub(crate) files: Vec<PathBuf>,
    /// Where to save the moments of all rows
    #[arg(short, long, value_name = "ALL.moments")]
    pub(crate) output: PathBuf,
    /// Merge what there is, though numbered parts are missing
    #[arg(long)]
    pub(crate) partial: bool,
}

const FLOW: &str = "\
A file of moments holds sums and no rows. Each part is known by its rows: none counts twice.";

fn part(word: &str) -> Result<(u32, u32), String> {
    let numbers = word
        .split_once('/')
        .and_then(|(number, of)| Some((number.trim().parse().ok()?, of.trim().parse().ok()?)));
    let possible = numbers.filter(|(number, of)| (1..=*of).contains(number) && *of <= PARTS_MAX);
    possible.ok_or_else(|| format!("a part and how many there are, up to {PARTS_MAX}: 3/20"))
}
