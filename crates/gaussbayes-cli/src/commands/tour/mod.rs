//! Tells the whole story on built-in data, in the terminal and as a page.

mod classes;
mod known;

use std::ops::ControlFlow;

use gaussbayes::{Cell, EmSpec, EmState, Family, Outliers, Sampled, Start, Starts, em};
use gaussbayes_io::write_atomically;
use gaussbayes_plot::influence;
use serde_json::json;

use super::chapters::{Bench, Subject, by_bic, clusters, influential, steps};
use super::report::told;
use super::workers::Workers;
use crate::args::{Common, Tour};
use crate::failure::Failure;
use crate::output::Output;
use crate::page::{Chapter, Page};

const LEAD: [&str; 2] = [
    "One formula, Bayes' rule with a Gaussian per class, makes every classifier of this page: what differs is the \
     covariance, which is full, diagonal or spherical, of each class or shared by all. The story goes from data to \
     classifiers, their boundaries and errors, then to what goes wrong, then to rows without labels.",
    "All data are built in. Below each chapter stand the commands that compute the same in a terminal.",
];

/// Distances of a moved row, in standard deviations of its cluster.
const AWAY: [f64; 9] = [0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 11.0, 15.0];

pub(crate) fn run(arguments: &Tour, common: &Common, output: &Output) -> Result<(), Failure> {
    let workers = Workers::new(common, "telling the story")?;
    let bench = Bench { workers: &workers, common };
    let mut chapters = classes::chapters(&bench)?;
    chapters.extend(without_labels(&bench)?);
    let title = "Gaussian Bayes classifiers: the tour".into();
    let page = Page { title, lead: LEAD.map(String::from).to_vec(), chapters };
    let path = arguments.output.display().to_string();
    write_atomically(&arguments.output, page.html().as_bytes())?;
    let (text, sets) = told(&page);
    let next = "next: gaussbayes report YOUR.csv --target COLUMN";
    let text = format!("{text}\nsaved {path}\n{next}\n");
    output.answer(&text, &json!({ "report": path, "sets": sets }))
}

/// Old Faithful: how many clusters, how EM finds them, and what single rows do.
fn without_labels(bench: &Bench<'_>) -> Result<Vec<Chapter>, Failure> {
    let faithful = Subject::built_in("faithful", bench)?;
    let mut best = None;
    let bic = bench.chapter("clusters", "Without labels: how many clusters", |chapter| {
        chapter.say(
            "Old Faithful's eruptions have no classes. A mixture of Gaussians is the same model with the classes \
             unknown; the likelihood always rises with another cluster, and BIC subtracts what its parameters cost.",
        );
        let found = by_bic(chapter, &faithful, bench)?;
        chapter.command("gaussbayes cluster faithful -k 1..6 --model VVV,EEE,VVI,EII");
        best = Some(found);
        Ok(())
    })?;
    // Two clusters of any covariance: what a person sees, and EM has to find.
    let pair = Cell { components: 2, family: Family::Vvv };
    let em = bench.chapter("em", "EM step by step", |chapter| {
        chapter.say(
            "EM is the supervised fit in a loop: each row belongs to each cluster by its posterior probability, the \
             clusters are estimated from rows so weighed, and again. Here it starts from random shares, where both clusters are nearly the same.",
        );
        chapter.json = steps(chapter, &faithful, pair, bench)?;
        chapter.command(
            "gaussbayes cluster faithful -k 2 --model VVV --start random --restarts 1 --trace trace.csv",
        );
        Ok(())
    })?;
    let outliers = bench.chapter("outliers", "Outliers", |chapter| {
        chapter.say(
            "A Gaussian has thin tails: a row far away pulls the mean and blows up the covariance. A share of noise, or \
             Student's tails, lets go of it.",
        );
        let states = [
            ("Gaussian", Outliers::Ignored),
            ("with noise", Outliers::Noise),
            ("Student", Outliers::Student(gaussbayes::Freedom::Fixed(4.0))),
        ];
        let mut fitted = Vec::new();
        for (name, outliers) in states {
            fitted.push((name.to_string(), settled(&faithful, pair, outliers, bench)?));
        }
        let on = bench.workers.on();
        chapter.figure(influence(&fitted, &faithful.few, 0, &AWAY, on));
        if let Some(found) = &best {
            chapter.json = influential(chapter, &faithful, found, bench)?;
            let words = format!("-k {} --model {}", found.cell.components, found.cell.family);
            chapter.commands(vec![
                format!("gaussbayes cluster faithful {words} --influence 5"),
                format!("gaussbayes cluster faithful {words} --noise"),
            ]);
            chapter.brief(format!("{} of {}", clusters(found.cell.components), found.cell.family));
        }
        Ok(())
    })?;
    Ok(vec![bic, em, outliers])
}

/// A mixture at the end of its EM.
fn settled(
    subject: &Subject,
    cell: Cell,
    outliers: Outliers,
    bench: &Bench<'_>,
) -> Result<EmState, Failure> {
    let (rows, on) = (&subject.few, bench.workers.on());
    let mut spec = EmSpec::from(cell.family);
    spec.outliers = outliers;
    let sampled = Sampled::draw(&mut rows.source(), rows.rows(), bench.common.seed, on)?;
    let starts = Starts::of(&spec, &sampled, bench.common.seed, &mut rows.source(), on)?;
    let mut state = starts.begin(&spec, cell.components, Start::Hierarchical, 0, on)?;
    em(&mut state, &mut rows.source(), on, &mut |_| ControlFlow::Continue(()))?;
    Ok(state)
}
