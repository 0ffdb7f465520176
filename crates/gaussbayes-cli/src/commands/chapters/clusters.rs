//! Looks for groups without labels: BIC over mixtures, EM step by step, rows that matter.

use std::ops::ControlFlow;

use gaussbayes::{
    Cell, Criterion, EmSpec, EmState, Entry, Family, Influential, Label, Mixture, NO_LABEL,
    Outliers, Sampled, Score, Search, SearchSpec, Start, Starts, Table, adjusted_rand, em,
    most_influential,
};
use gaussbayes_plot::{EmLook, bic, em as em_figure, milestones};
use serde_json::{Value, json};

use super::{Bench, Subject};
use crate::failure::Failure;
use crate::models::described;
use crate::page::Chapter;
use crate::text::{count, plural, short};

/// Components that are tried at most.
const MOST: usize = 6;

/// Families that are tried.
const FAMILIES: [Family; 4] = [Family::Vvv, Family::Eee, Family::Vvi, Family::Eii];

/// Columns beyond which full covariances of every component are not tried.
const FULL: usize = 30;

/// Pictures side by side, and those of a film.
const SHOWN: usize = 6;
const FILM: usize = 12;

/// Rows that matter most.
const LISTED: usize = 5;

/// The best mixture that was found.
pub(in crate::commands) struct Found {
    pub(in crate::commands) cell: Cell,
    state: EmState,
}

/// Adds BIC by family and number of components; returns the best mixture.
pub(in crate::commands) fn by_bic(
    chapter: &mut Chapter,
    subject: &Subject,
    bench: &Bench<'_>,
) -> Result<Found, Failure> {
    let (rows, on) = (&subject.few, bench.workers.on());
    let families: Vec<Family> =
        FAMILIES.into_iter().filter(|family| rows.dim <= FULL || *family != Family::Vvv).collect();
    let most = MOST.min(rows.rows());
    let cells = (1..=most)
        .flat_map(|components| families.iter().map(move |&family| Cell { components, family }));
    let spec = SearchSpec {
        cells: cells.collect(),
        spec: EmSpec::from(Family::Eee),
        runs: Start::usual(1),
        seed: bench.common.seed,
        criterion: Criterion::Bic,
        features: subject.features.clone(),
    };
    let search = Search::begin(&spec, &mut rows.source(), on)?;
    let letters = families.iter().map(|family| family.name().to_owned());
    let mut table = vec![std::iter::once("clusters".into()).chain(letters).collect::<Vec<_>>()];
    for row in search.entries().chunks(families.len()) {
        let bic = |entry: &Entry| match entry.value(Criterion::Bic) {
            Some(value) if entry.is_ranked() => format!("{value:.1}"),
            _ => "-".into(),
        };
        let values = row.iter().map(bic);
        table.push(std::iter::once(row[0].cell.components.to_string()).chain(values).collect());
    }
    chapter.table("BIC of mixtures by clusters and family: the lowest is the best", table);
    chapter.figure(bic(search.entries(), Criterion::Bic));
    let Some((best, state)) = search.best().and_then(|best| Some((best, best.state.clone()?)))
    else {
        let why = search.entries().iter().find_map(Entry::note).unwrap_or_default();
        let message = format!("no mixture could be fitted: {why}");
        return Err(Failure::Data { message, hint: "scale columns, or leave some out".into() });
    };
    let cell = best.cell;
    chapter.say(format!(
        "Best by BIC: {} of {}.",
        clusters(cell.components),
        described(cell.family).replace("classes", "clusters").replace("class", "cluster")
    ));
    chapter.brief(format!("best by BIC: {} of {}", clusters(cell.components), cell.family));
    let entry = |entry: &Entry| {
        let Cell { components, family } = entry.cell;
        let bic = entry.value(Criterion::Bic).filter(|_| entry.is_ranked());
        json!({ "model": family.name(), "k": components, "bic": bic })
    };
    let table: Vec<Value> = search.entries().iter().map(entry).collect();
    chapter.json = json!({ "model": cell.family.name(), "k": cell.components, "table": table });
    Ok(Found { cell, state })
}

/// A number of clusters, in words.
pub(in crate::commands) fn clusters(number: usize) -> String {
    plural(number, "cluster")
}

/// Adds EM of the best mixture, iteration by iteration.
pub(in crate::commands) fn steps(
    chapter: &mut Chapter,
    subject: &Subject,
    cell: Cell,
    bench: &Bench<'_>,
) -> Result<Value, Failure> {
    let (rows, on) = (&subject.few, bench.workers.on());
    let spec = EmSpec::from(cell.family);
    let sampled = Sampled::draw(&mut rows.source(), rows.rows(), bench.common.seed, on)?;
    let starts = Starts::new(&sampled, bench.common.seed)?;
    let start = starts.begin(&spec, cell.components, Start::Random, 0, on)?;
    let mut state = start.clone();
    let mut path = Vec::new();
    em(&mut state, &mut rows.source(), on, &mut |state| {
        path.extend(state.pass().map(|pass| pass.log_likelihood));
        ControlFlow::Continue(())
    })?;
    let last = path.len();
    let mut cells = vec![["iteration", "log-likelihood"].map(String::from).to_vec()];
    let marks = [1, 2, 3, 5, 10, 20, 50, 100, 200, 500].into_iter().filter(|at| *at < last);
    for at in marks.chain([last]).filter(|at| *at > 0) {
        cells.push(vec![at.to_string(), format!("{:.2}", path[at - 1])]);
    }
    chapter.table("The log-likelihood, which no iteration lowers", cells);
    if rows.dim >= 2 && cell.components > 1 {
        let states = milestones(&start, rows, SHOWN, on)?;
        let look = EmLook { columns: widest(state.mixture()), ..EmLook::default() };
        chapter.figure(em_figure(&states, rows, &subject.features, &look));
        let states = milestones(&start, rows, FILM, on)?;
        let look = EmLook { frames: true, ..look };
        chapter.figure(em_figure(&states, rows, &subject.features, &look));
    } else {
        chapter.without("a single cluster, or a single column, has no steps to look at");
    }
    chapter.brief(format!("EM from random shares: {last} iterations"));
    Ok(json!({ "iterations": last, "loglik": path }))
}

/// The two columns in which the centres of a mixture lie farthest apart, in its own deviations.
pub(in crate::commands) fn widest(mixture: &Mixture) -> [usize; 2] {
    let apart = |j: usize| {
        let means = (0..mixture.components()).map(|k| mixture.raw_mean(k)[j]);
        let (low, high) = means
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        (high - low) / mixture.raw_variances(0)[j].sqrt().max(f64::MIN_POSITIVE)
    };
    let mut columns: Vec<(usize, f64)> = (0..mixture.dim()).map(|j| (j, apart(j))).collect();
    columns.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (first, second) = (columns[0].0, columns[1].0);
    [first.min(second), first.max(second)]
}

/// Adds how far clusters and classes agree.
pub(in crate::commands) fn against_classes(
    chapter: &mut Chapter,
    subject: &Subject,
    found: &Found,
) -> Result<(), Failure> {
    let rows = &subject.few;
    let Some(codes) = rows.codes.as_ref().filter(|_| subject.target.is_some()) else {
        return Ok(());
    };
    let classes = rows.classes();
    let own = assigned(found.state.mixture(), rows)?;
    let mut counts = vec![vec![0.0; found.cell.components]; classes.len()];
    for (&code, &cluster) in codes.iter().zip(&own) {
        let label = rows.dictionary.get(code as usize).filter(|_| code != NO_LABEL);
        let class = label.and_then(|label| classes.iter().position(|class| class == label));
        if let Some(count) = class.and_then(|class| counts[class].get_mut(cluster)) {
            *count += 1.0;
        }
    }
    let agreement = adjusted_rand(&counts);
    if classes.len() <= LISTED * 4 {
        let head = (1..=found.cell.components).map(|k| format!("cluster {k}"));
        let head = std::iter::once("class".to_string()).chain(head).collect();
        let row = |(class, row): (&Label, &Vec<f64>)| {
            std::iter::once(class.to_string()).chain(row.iter().map(|&n| count(n))).collect()
        };
        let rows = classes.iter().zip(&counts).map(row);
        chapter.table(
            "Classes by clusters, which were found without them",
            std::iter::once(head).chain(rows).collect(),
        );
    }
    chapter.say(format!(
        "The adjusted Rand index of clusters and classes is {}: 1 where they are the same, 0 by chance.",
        short(agreement)
    ));
    chapter.brief(format!("clusters against classes: adjusted Rand index {}", short(agreement)));
    chapter.json["adjusted_rand"] = agreement.into();
    Ok(())
}

/// The component of each row.
fn assigned(mixture: &Mixture, rows: &Table) -> Result<Vec<usize>, Failure> {
    let scores = mixture.scores(&rows.block(0..rows.rows())?)?;
    let width = mixture.components();
    let best = |row: &[f64]| (0..width).rev().max_by(|&a, &b| row[a].total_cmp(&row[b]));
    let all = scores.into_probabilities();
    Ok(all.chunks_exact(width).map(|row| best(row).unwrap_or(0)).collect())
}

/// Adds the rows that move a cluster most, and what noise makes of outliers.
pub(in crate::commands) fn influential(
    chapter: &mut Chapter,
    subject: &Subject,
    found: &Found,
    bench: &Bench<'_>,
) -> Result<Value, Failure> {
    let (rows, on) = (&subject.few, bench.workers.on());
    let listed = most_influential(&found.state, &mut rows.source(), LISTED, on)?;
    let head = ["row", "cluster", "mean moves by", "covariance moves by"];
    let mut cells = vec![head.map(String::from).to_vec()];
    let number =
        |one: &Influential| subject.numbers.get(one.step.row as usize).map_or(0, |n| n + 1);
    let size = |x: f64| if x.is_finite() { short(x) } else { "all of it".into() };
    for one in &listed {
        let k = one.step.component;
        let moved = [one.refit.mean[k], one.refit.covariance[k]].map(size);
        let place = [number(one).to_string(), (k + 1).to_string()];
        cells.push(place.into_iter().chain(moved).collect());
    }
    chapter.table(
        "Rows that move a cluster most when they are left out (in standard deviations of the cluster)",
        cells,
    );
    let noise = noise(subject, found, bench);
    if let Some((share, better)) = noise {
        let verdict = if better { "by BIC it pays" } else { "by BIC it does not pay" };
        chapter.say(format!(
            "A mixture with a share of noise, which lies anywhere, gives {} of the rows to it; {verdict}.",
            crate::text::per_cent(share)
        ));
    }
    if let Some(one) = listed.first() {
        chapter.brief(format!("row {} matters most to a cluster", number(one)));
    }
    let row = |one: &Influential| json!({ "row": number(one), "cluster": one.step.component + 1 });
    Ok(json!({
        "influential": listed.iter().map(row).collect::<Vec<_>>(),
        "noise": noise.map(|(share, _)| share),
        "noise_pays": noise.map(|(_, better)| better),
    }))
}

/// The share of noise beside as many clusters, and whether BIC is lower with it.
fn noise(subject: &Subject, found: &Found, bench: &Bench<'_>) -> Option<(f64, bool)> {
    let (rows, on) = (&subject.few, bench.workers.on());
    let searched = |outliers: Outliers| -> Result<Option<(f64, f64)>, Failure> {
        let mut own = EmSpec::from(found.cell.family);
        own.outliers = outliers;
        let spec = SearchSpec {
            cells: vec![found.cell],
            spec: own,
            runs: Start::usual(1),
            seed: bench.common.seed,
            criterion: Criterion::Bic,
            features: subject.features.clone(),
        };
        let search = Search::begin(&spec, &mut rows.source(), on)?;
        let Some(best) = search.best() else { return Ok(None) };
        let noise = best.state.as_ref().and_then(|state| state.mixture().noise().map(|n| n.share));
        Ok(best.value(Criterion::Bic).map(|bic| (noise.unwrap_or(0.0), bic)))
    };
    let (_, plain) = searched(Outliers::Ignored).ok()??;
    let (share, noisy) = searched(Outliers::Noise).ok()??;
    Some((share, noisy < plain))
}
