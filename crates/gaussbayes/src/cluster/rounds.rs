//! Starts mixtures of one number of components together, then each where the others ended \[M60\].

use super::search::{Cell, Entry, SearchSpec};
use super::start::{Starts, by_rank};
use super::state::EmState;
use crate::error::Error;
use crate::mixture::Mixture;
use crate::sweep::{On, Pool, tasks};
use crate::tolerance::CELL_BATCH;

/// Starts mixtures on the sample; those that cannot say why, and the first of them in full.
pub(super) fn first_round(
    spec: &SearchSpec,
    cells: &[Cell],
    starts: &Starts<'_>,
    on: On<'_>,
) -> Result<(Vec<Entry>, Option<Error>), Error> {
    let alone = Pool::new(1)?;
    let mut outcomes = Vec::with_capacity(cells.len());
    // Few at a time: who watches is told of each.
    for batch in cells.chunks(CELL_BATCH) {
        if let [cell] = cells {
            outcomes.push(begun(spec, *cell, starts, on));
            continue;
        }
        let more = tasks(batch.len(), starts.sampled().rows(), on, |at| {
            Ok(begun(spec, batch[at], starts, on.on(&alone)))
        })?;
        outcomes.extend(more);
    }
    let (mut entries, mut first) = (Vec::with_capacity(cells.len()), None);
    for (&cell, outcome) in cells.iter().zip(outcomes) {
        entries.push(match outcome {
            Ok(entry) => entry,
            Err(error @ Error::Cancelled { .. }) => return Err(error),
            Err(error) => {
                let refused = Some(error.to_string());
                first.get_or_insert(error);
                Entry { refused, ..Entry::of(cell) }
            }
        });
    }
    Ok((entries, first))
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

/// Starts every mixture again where others of as many components ended: no family then fits worse than one
/// that is a special case of it.
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
    for start in (0..entries.len()).step_by(CELL_BATCH) {
        let count = CELL_BATCH.min(entries.len() - start);
        let found = tasks(count, starts.sampled().rows(), on, |at| again(start + at))?;
        for (entry, found) in entries[start..].iter_mut().zip(found) {
            let Some(found) = found else { continue };
            if entry.state.as_ref().is_none_or(|state| by_rank(&found.best, state).is_lt()) {
                (entry.state, entry.refused, entry.start) = (Some(found.best), None, None);
            }
        }
    }
    Ok(())
}
