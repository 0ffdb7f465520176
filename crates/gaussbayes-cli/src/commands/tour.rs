//! Tells the whole story on built-in data, in the terminal and as a page.

use std::ops::ControlFlow;

use gaussbayes::{
    Cell, Criterion, EmSpec, Entry, Family, Figure, Folds, OnSingular, Pooling, RiskOptions,
    Sampled, Search, SearchSpec, Start, Starts, em,
};
use gaussbayes_io::{Columns, Data, Reading, usual_target, write_atomically};
use serde_json::{Value, json};

use super::compare::{Timed, Trial, gaussians};
use super::ranked::Ranked;
use super::workers::Workers;
use crate::args::{Common, Options, Tour};
use crate::failure::Failure;
use crate::models::{CLASSIFIERS, TEXTBOOK};
use crate::output::Output;
use crate::report::{Chapter, page};
use crate::text::{short, table};

const FOLDS: usize = 10;

const IRIS: &str = "Three kinds of iris, four measurements. One kind stands apart, the other two \
    touch: the more a model may bend, the fewer errors, until it has more parameters than the \
    rows can pay for.";

const BANANA: &str = "Two bent classes, each the other's point reflection, so that both have the \
    same covariance: the quadratic and the linear rule nearly coincide, and no single Gaussian \
    per class comes near the Bayes rule's 1.7 %.";

const FIGURES: &str = "The figures of the lectures, as models of known parameters. A boundary between two Gaussians \
    is a quadric; with one covariance it is flat. Its error is no experiment: it follows from the parameters, and the best \
    rule never errs more often than Chernoff's bound says.";

const CLUSTERS: &str = "Old Faithful without labels: the same M-step with the model's own posterior for memberships, again \
    and again. Every iteration raises the log-likelihood; BIC says when another cluster no longer pays.";

pub(crate) fn run(arguments: &Tour, common: &Common, output: &Output) -> Result<(), Failure> {
    let workers = Workers::new(common, "telling the story")?;
    let chapters = [
        chapter("iris", IRIS, common, &workers, output)?,
        chapter("banana", BANANA, common, &workers, output)?,
        figures(&workers)?,
        clusters(common, &workers)?,
    ];
    let mut text = String::new();
    for chapter in &chapters {
        text.push_str(&format!("{}\n{}\n\n", chapter.title, wrapped(chapter.about, 88)));
        text.push_str(&table(&chapter.cells));
        text.push('\n');
        for note in &chapter.notes {
            text.push_str(&format!("  {note}\n"));
        }
        text.push('\n');
    }
    let path = arguments.output.display().to_string();
    write_atomically(&arguments.output, page(&chapters).as_bytes())?;
    text.push_str(&format!("saved {path}\nnext: gaussbayes compare YOUR.csv --target COLUMN\n"));
    let sets: Value = chapters.iter().map(|chapter| (chapter.name, chapter.json.clone())).collect();
    output.answer(&text, &json!({ "report": path, "sets": sets }))
}

fn chapter(
    name: &'static str,
    about: &'static str,
    common: &Common,
    workers: &Workers,
    output: &Output,
) -> Result<Chapter, Failure> {
    let columns =
        Columns { target: usual_target(name).map(ToString::to_string), ..Columns::default() };
    let data = Data::open(&[name], &columns, &Reading::default(), common.seed)?;
    let features = data.features().to_vec();
    let rows = workers.table(data)?;
    let folds = Folds { count: FOLDS, seed: common.seed };
    let options = Options {
        priors: None,
        ddof: 0,
        pooling: Pooling::Size,
        shrinkage: None,
        shrink_to: None,
        ridge: 0.0,
        on_singular: OnSingular::Refuse,
        standardize: false,
    };
    let trial = Trial { features: &features, loss: None, folds, repeat: 1, workers };
    let candidates = gaussians(&CLASSIFIERS[..TEXTBOOK], &options, output)?;
    let ranked = Ranked::new(trial.judged(candidates, &rows, Timed::No)?, false);
    let names: Vec<&str> = ranked.best_first().map(|(_, entry)| entry.name.as_str()).collect();
    let width = names.iter().map(|own| own.len()).max().unwrap_or(0);
    let notes = names.iter().map(|own| format!("{own:width$}  {}", sees(name, own)));
    let title = format!("{name}: {} rows, {} features, {FOLDS} folds", rows.rows(), features.len());
    Ok(Chapter {
        name,
        title,
        about,
        notes: notes.collect(),
        cells: ranked.short_cells(),
        json: ranked.short_json(),
    })
}

/// What the boundaries of the lectures' figures are, and how often their rules err.
fn figures(workers: &Workers) -> Result<Chapter, Failure> {
    let head = ["figure", "boundary", "error", "Chernoff"].map(String::from).to_vec();
    let (mut cells, mut notes, mut all) = (vec![head], Vec::new(), Vec::new());
    let width = Figure::all().iter().map(|figure| figure.name.len()).max().unwrap_or(0);
    for figure in Figure::all() {
        let rule = figure.parameters().classifier()?;
        let pairs = (1..rule.classes().len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let mut kinds = Vec::new();
        for (a, b) in pairs {
            let kind = rule.boundary(a, b)?.kind.name();
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let risk = rule.risk(None, &RiskOptions::default(), workers.on())?;
        let chernoff = rule.bounds(None)?.map(|bounds| bounds.chernoff);
        let bound = chernoff.map_or_else(String::new, short);
        cells.push(vec![figure.name.into(), kinds.join(", "), short(risk.total.value), bound]);
        notes.push(format!("{:width$}  {}", figure.name, figure.about));
        all.push(json!({
            "figure": figure.name,
            "kinds": kinds,
            "total": risk.total.value,
            "method": risk.method.name(),
            "chernoff": chernoff,
        }));
    }
    let (name, title) = ("figures", "figures of the lectures: boundaries and exact errors".into());
    Ok(Chapter { name, title, about: FIGURES, cells, notes, json: all.into() })
}

/// Mixtures of Old Faithful by BIC, and the iterations of the best.
fn clusters(common: &Common, workers: &Workers) -> Result<Chapter, Failure> {
    let on = workers.on();
    let rows = {
        let (columns, reading) = (Columns::default(), Reading::default());
        Data::open(&["faithful"], &columns, &reading, common.seed)?.read(on)?
    };
    let families = [Family::Eee, Family::Vvv, Family::Vvi];
    let cell = |components| families.map(|family| Cell { components, family });
    let spec = SearchSpec {
        cells: (1..=4).flat_map(cell).collect(),
        spec: EmSpec::from(Family::Eee),
        runs: Start::usual(2),
        seed: common.seed,
        criterion: Criterion::Bic,
        features: Vec::new(),
    };
    let search = Search::begin(&spec, &mut rows.source(), on)?;
    let letters = families.iter().map(|family| family.name().to_owned());
    let mut cells = vec![std::iter::once("clusters".into()).chain(letters).collect::<Vec<_>>()];
    for row in search.entries().chunks(families.len()) {
        let bic = |entry: &Entry| {
            entry.value(Criterion::Bic).map_or("-".into(), |value| format!("{value:.1}"))
        };
        let values = row.iter().map(bic);
        cells.push(std::iter::once(row[0].cell.components.to_string()).chain(values).collect());
    }
    let Some(best) = search.best().map(|entry| entry.cell) else {
        return Err(gaussbayes::Error::NoRows.into());
    };
    let own = EmSpec::from(best.family);
    let sampled = Sampled::draw(&mut rows.source(), rows.rows(), common.seed, on)?;
    let starts = Starts::new(&sampled, common.seed)?;
    let mut state = starts.begin(&own, best.components, Start::Hierarchical, 0, on)?;
    let mut path = Vec::new();
    em(&mut state, &mut rows.source(), on, &mut |state| {
        path.extend(state.pass().map(|pass| pass.log_likelihood));
        ControlFlow::Continue(())
    })?;
    let mut notes = vec![format!(
        "best by BIC: {}, {} clusters; EM from a hierarchy of groups:",
        best.family, best.components
    )];
    let shown = [1, 2, 5, 10, 20, 50];
    let lines = shown.iter().filter(|at| **at <= path.len());
    notes.extend(lines.map(|at| format!("iteration {at:>2}  log-likelihood {:.2}", path[at - 1])));
    notes.push(format!("at the end, after {}: {:.2}", path.len(), path[path.len() - 1]));
    let table: Vec<Value> = search
        .entries()
        .iter()
        .map(|entry| {
            let Cell { components, family } = entry.cell;
            json!({ "model": family.name(), "k": components, "bic": entry.value(Criterion::Bic) })
        })
        .collect();
    let json = json!({ "model": best.family.name(), "k": best.components, "table": table, "loglik": path });
    let title = format!("faithful: {} rows, BIC of mixtures", rows.rows());
    Ok(Chapter { name: "clusters", title, about: CLUSTERS, cells, notes, json })
}

/// One sentence on what to see in a line of the table.
fn sees(set: &str, model: &str) -> &'static str {
    match (set, model) {
        ("iris", "qda") => {
            "A covariance per class: ten numbers from fifty rows each is already much."
        }
        ("iris", "lda") => {
            "One covariance for all classes: a third of qda's covariance parameters."
        }
        ("iris", "naive-bayes") => {
            "Forgets that length and width of a petal go together, and pays for it."
        }
        ("iris", "diag-lda") => {
            "Forgets what goes together and shares the variances: linear again."
        }
        ("iris", "VII") => {
            "A sphere per class: setosa's is small, which helps, though spheres do not fit."
        }
        ("iris", "EII") => {
            "One sphere for all: the nearest mean, moved by the priors (here equal)."
        }
        ("iris", _) => "No covariance at all, and still nine in ten are right.",
        (_, "qda") => {
            "Bends its boundary, but the class covariances are equal: it has nothing to bend for."
        }
        (_, "lda") => "Nearly the same boundary as qda, with fewer parameters.",
        (_, "naive-bayes") => "Cannot tilt its ellipses along the arcs.",
        (_, "diag-lda") => "Equal variances on both axes: close to the nearest mean.",
        (_, "VII") => "Two spheres of nearly equal size.",
        (_, "EII") => "One sphere: the nearest mean, since the classes are equally frequent.",
        (_, _) => "Half-way between the means, and too sure: it takes the unit for the spread.",
    }
}

fn wrapped(text: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.len() - 1;
        if !lines[line].is_empty() && lines[line].chars().count() + 1 + word.chars().count() > width
        {
            lines.push(word.into());
        } else {
            let gap = if lines[line].is_empty() { "" } else { " " };
            lines[line] = format!("{}{gap}{word}", lines[line]);
        }
    }
    lines.join("\n")
}
