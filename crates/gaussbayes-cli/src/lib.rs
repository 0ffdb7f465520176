//! The command `gaussbayes`: arguments in, answers out, and an exit code that says how it went.

mod again;
mod args;
mod colour;
mod commands;
mod equation;
mod failure;
mod interrupt;
mod models;
mod output;
mod pace;
mod page;
mod settings;
mod text;
mod usage;
mod watch;

use std::ffi::OsString;

use crate::args::{Arguments, Command};
use crate::failure::Failure;
use crate::output::Output;

/// For command and wheel alike: fits of few rows ask for little rooms by the thousand.
#[global_allocator]
static ROOMS: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Runs the command with these arguments, the first of which is its own name; returns its exit
/// status.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = arguments.into_iter().collect();
    let arguments = match Arguments::read(&words) {
        Ok(arguments) => arguments,
        Err(error) => return usage::refused(&error, &words),
    };
    let json = arguments.common.json || arguments.command.json();
    let output = Output::new(arguments.command.name(), json, words);
    match dispatch(&arguments, &output) {
        Ok(()) | Err(Failure::ClosedPipe) => 0,
        Err(failure) => {
            let failure = failure.unless_interrupted();
            output.failure(&failure);
            failure.code()
        }
    }
}

/// The Gaussian classifiers that `compare` ranks: their names, and the letters of their families.
pub fn classifiers() -> Vec<(&'static str, &'static str)> {
    models::CLASSIFIERS.iter().map(|named| (named.name, named.family.name())).collect()
}

fn dispatch(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let common = &arguments.common;
    match &arguments.command {
        Command::Fit(fit) => commands::fit::run(fit, common, output),
        Command::Stats(stats) => commands::stats::run(stats, common, output),
        Command::Merge(merge) => commands::merge::run(merge, output),
        Command::Update(update) => commands::update::run(update, common, output),
        Command::Predict(predict) => commands::predict::run(predict, common, output),
        Command::Shift(shift) => commands::shift::run(shift, common, output),
        Command::Transform(transform) => commands::transform::run(transform, common, output),
        Command::Evaluate(evaluate) => commands::evaluate::run(evaluate, common, output),
        Command::Compare(compare) => commands::compare::run(compare, common, output),
        Command::Cluster(cluster) => commands::cluster::run(cluster, common, output),
        Command::Show(show) => commands::show::run(show, output),
        Command::Explain(explain) => commands::explain::run(explain, output),
        Command::Error(error) => commands::error::run(error, common, output),
        Command::Model(known) => commands::model::run(known, output),
        Command::Export(export) => commands::export::run(export, output),
        Command::Sample(sample) => commands::sample::run(sample, common, output),
        Command::Plot(plot) => commands::plot::run(plot, common, output),
        Command::Tour(tour) => commands::tour::run(tour, common, output),
        Command::Report(report) => commands::report::run(report, common, output),
        Command::Completions(completions) => commands::papers::completions(completions, output),
        Command::Man(man) => commands::papers::man(man, output),
    }
}
