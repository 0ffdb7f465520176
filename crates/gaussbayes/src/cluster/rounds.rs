//! Starts mixtures of one number of components together, then each where the others ended \[M60\].

use std::collections::BTreeMap;

use super::search::{Cell, Entry, SearchSpec};
use super::start::{Start, Starts, by_rank};
use super::state::EmState;
use crate::error::Error;
use crate::mixture::Mixture;
use crate::sweep::{On, Pool, each_task, tasks};

/// Starts mixtures on the sample, and hands each over in their order: those that cannot say why, in full. With one run
/// a mixture it is at its end then, as far as the sample tells.
pub(super) fn first_round(
    spec: &SearchSpec,
    cells: &[Cell],
    starts: &Starts<'_>,
    on: On<'_>,
    mut sink: impl FnMut(Entry, Option<Error>) -> Result<(), Error>,
) -> Result<(), Error> {
    let alone = Pool::new(1)?;
    starts.prepare(&spec.common_clusters(cells), on)?;
    let begun = |cell: Cell, on: On<'_>| match begun(spec, cell, starts, on) {
        Ok(entry) if spec.is_of_one_run() => Ok((entry.settled(starts.sampled(), on)?, None)),
        Ok(entry) => Ok((entry, None)),
        Err(error @ Error::Cancelled { .. }) => Err(error),
        Err(error) => {
            let refused = Some(error.to_string());
            Ok((Entry { refused, ..Entry::of(cell) }, Some(error)))
        }
    };
    if let [cell] = cells {
        let (entry, refusal) = begun(*cell, on)?;
        return sink(entry, refusal);
    }
    let work = |at: usize| begun(cells[at], on.on(&alone));
    each_task(cells.len(), starts.sampled().rows(), on, work, |(entry, error)| sink(entry, error))
}

impl SearchSpec {
    /// Numbers of clusters, and runs of k-means, that more than one mixture starts from: the most clusters first, as they
    /// take longest.
    fn common_clusters(&self, cells: &[Cell]) -> Vec<(usize, u64)> {
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        cells.iter().for_each(|cell| *numbers.entry(cell.components).or_default() += 1);
        let shared = numbers.into_iter().rev().filter(|(_, mixtures)| *mixtures > 1);
        let runs = |components: usize| {
            let of_kmeans = self.runs.iter().filter(|(start, _)| *start == Start::KMeans);
            of_kmeans.map(move |&(_, run)| (components, run))
        };
        shared.flat_map(|(components, _)| runs(components)).collect()
    }
}

/// Starts one mixture on the sample; where that is all rows, runs it to its end.
fn begun(spec: &SearchSpec, cell: Cell, starts: &Starts<'_>, on: On<'_>) -> Result<Entry, Error> {
    let named = |error: Error| error.named(&[], &spec.features);
    let own = spec.of(cell);
    let found = starts.best_of(&own, cell.components, &spec.runs, on).map_err(named)?;
    Ok(Entry {
        cell,
        state: Some(found.best),
        criteria: None,
        refused: None,
        start: spec.runs.get(found.chosen).map(|run| run.0),
        restarts: found.log_likelihoods.into_iter().flatten().collect(),
    })
}

/// Starts every mixture again where others of as many components ended, and judges it: no family then fits worse than
/// one that is a special case of it.
pub(super) fn second_round(
    spec: &SearchSpec,
    entries: &mut [Entry],
    starts: &Starts<'_>,
    on: On<'_>,
) -> Result<(), Error> {
    let alone = Pool::new(1)?;
    let first = entries.to_vec();
    let again = |at: usize| {
        let entry = &first[at];
        let others = first
            .iter()
            .enumerate()
            .filter(|(other, one)| *other != at && one.cell.components == entry.cell.components);
        let mixtures: Vec<&Mixture> = others
            .filter_map(|(_, other)| other.state.as_ref().map(EmState::mixture))
            .filter(|mixture| mixture.components() == entry.cell.components)
            .collect();
        if mixtures.is_empty() {
            return Ok(None);
        }
        match starts.best_from(&spec.of(entry.cell), &mixtures, on.on(&alone)) {
            Ok(found) => Ok(Some(found)),
            Err(error @ Error::Cancelled { .. }) => Err(error),
            // What none of them helps is left as it was.
            Err(_) => Ok(None),
        }
    };
    let work = |at: usize| {
        let mut entry = first[at].clone();
        if let Some(found) = again(at)?
            && entry.state.as_ref().is_none_or(|state| by_rank(&found.best, state).is_lt())
        {
            (entry.state, entry.refused, entry.start) = (Some(found.best), None, None);
        }
        entry.settled(starts.sampled(), on.on(&alone))
    };
    let found = tasks(first.len(), starts.sampled().rows(), on, work)?;
    entries.clone_from_slice(&found);
    Ok(())
}
