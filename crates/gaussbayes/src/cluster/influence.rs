//! Says how far components move when a row is left out, or lies elsewhere \[M69\].

use super::altered::{Change, again, em_altered, to_the_end};
use super::expect::EmStat;
use super::lever::Lever;
use super::movement::{Movement, information};
use super::state::EmState;
use crate::data::{Block, Source};
use crate::error::Error;
use crate::moments::Merge;
use crate::sweep::{On, Sweep, each_block, run};
use crate::tolerance::{INFLUENCE_CANDIDATES, REFIT_BATCH};

/// What one M-step without a row does to the component that it moves farthest \[M69\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Influence {
    /// The row, counted from 0 over the whole source.
    pub row: u64,
    /// The component that moves farthest, both ways together.
    pub component: usize,
    /// How far its mean moves, in its own standard deviations; infinite where the component needs the row.
    pub mean: f64,
    /// How far its covariance moves: the Frobenius norm of the difference, whitened.
    pub covariance: f64,
}

impl Influence {
    fn of(row: u64, movement: &Movement) -> Self {
        let component = movement.farthest();
        let (mean, covariance) = (movement.mean[component], movement.covariance[component]);
        Self { row, component, mean, covariance }
    }

    fn length(&self) -> f64 {
        information(self.mean, self.covariance)
    }
}

/// A row that matters, by one step and in the end.
#[derive(Debug, Clone, PartialEq)]
pub struct Influential {
    /// What one M-step without it does.
    pub step: Influence,
    /// How far every component moves when EM goes on without it to the end.
    pub refit: Movement,
    /// Whether that run came to its end; one that is refused moves components without bound.
    pub converged: bool,
}

/// What one M-step does without each row: two passes over the rows, and one more for every few rows that a
/// component hangs on.
///
/// # Errors
/// What the source, its rows or the M-step with all rows refuse.
pub fn influences<S: Source>(
    state: &EmState,
    source: &mut S,
    on: On<'_>,
) -> Result<Vec<Influence>, S::Error> {
    let lever = Lever::of(state, source, on)?;
    source.rewind()?;
    let mut all = Vec::new();
    let mut heavy = Vec::new();
    each_block(
        source,
        on,
        |block| each_row(&lever, block),
        |part: Vec<(Influence, bool)>| {
            heavy.extend(part.iter().filter(|(_, light)| !light).map(|(found, _)| found.row));
            all.extend(part.into_iter().map(|(found, _)| found));
            Ok(())
        },
    )?;
    let first = all.first().map_or(0, |found: &Influence| found.row);
    for (row, movement) in heavy.iter().zip(lever.steps(&heavy, source, on)?) {
        all[(row - first) as usize] = Influence::of(*row, &movement);
    }
    Ok(all)
}

/// Every row of a block, and whether it could be subtracted.
fn each_row(lever: &Lever, block: &Block<'_>) -> Result<Vec<(Influence, bool)>, Error> {
    let distances = lever.distances(block)?;
    let mut all = Vec::with_capacity(block.rows().count());
    for (i, distances) in distances.chunks_exact(lever.components()).enumerate() {
        let row = block.first_row() + i as u64;
        let mut light = true;
        let movement = if block.weight(i) > 0.0 {
            let alone = lever.alone(block, i)?;
            light = lever.is_light(&alone, distances);
            if light { lever.step(&alone) } else { Movement::lost(lever.components()) }
        } else {
            Movement::none(lever.components())
        };
        all.push((Influence::of(row, &movement), light));
    }
    Ok(all)
}

/// The `most` rows that matter most, the first first: two passes over the rows find them, then EM runs without each of
/// them, all in the same passes.
///
/// # Errors
/// What the source, its rows or EM with all rows refuse.
pub fn most_influential<S: Source>(
    state: &EmState,
    source: &mut S,
    most: usize,
    on: On<'_>,
) -> Result<Vec<Influential>, S::Error> {
    let lever = Lever::of(state, source, on)?;
    source.rewind()?;
    let (times, more) = INFLUENCE_CANDIDATES;
    let sweep = RankSweep { lever: &lever, most: most.saturating_mul(times).saturating_add(more) };
    let ranked = run(&sweep, source, on)?;
    let heavy =
        ranked.rows.iter().filter(|one| !one.light).map(|one| one.row).collect::<Vec<u64>>();
    let mut anew = lever.steps(&heavy, source, on)?.into_iter();
    let mut steps = Vec::with_capacity(ranked.rows.len());
    for one in &ranked.rows {
        let summed = || lever.step(&one.alone);
        let movement = if one.light { Some(summed()) } else { anew.next() };
        steps.extend(movement.map(|movement| Influence::of(one.row, &movement)));
    }
    steps.sort_by(|a, b| b.length().total_cmp(&a.length()).then(a.row.cmp(&b.row)));
    steps.truncate(most);
    let changes: Vec<Change> = steps.iter().map(|step| Change::Without(step.row)).collect();
    let refits = refitted(state, lever.weight(), &changes, source, on)?;
    let with = |(step, (refit, converged))| Influential { step, refit, converged };
    Ok(steps.into_iter().zip(refits).map(with).collect())
}

/// How far every component moves when a row lies elsewhere and EM goes on from there to its end, for each of some
/// places; the box of noise stays.
///
/// # Errors
/// [`Error::Shape`] for a row that is not there and a place of other columns, [`Error::NotFinite`] for one that is
/// none; what the source, its rows or EM refuse.
pub fn displaced<S: Source>(
    state: &EmState,
    source: &mut S,
    row: u64,
    places: &[Vec<f64>],
    on: On<'_>,
) -> Result<Vec<Movement>, S::Error> {
    let dim = source.dim();
    for place in places {
        if place.len() != dim {
            let (what, expected, found) = ("columns of a row", dim, place.len());
            return Err(Error::Shape { what, expected, found }.into());
        }
        if let Some(column) = place.iter().position(|value| !value.is_finite()) {
            return Err(Error::NotFinite { row, column, value: place[column] }.into());
        }
    }
    let (mut rows, mut weight) = (0, 0.0);
    source.rewind()?;
    let sizes = |block: &Block<'_>| {
        let count = block.rows().count();
        let weight: f64 = (0..count).map(|i| block.weight(i)).sum();
        Ok((block.first_row() + count as u64, weight))
    };
    each_block(source, on, sizes, |(end, more)| {
        rows = rows.max(end);
        weight += more;
        Ok(())
    })?;
    if row >= rows {
        let count = |rows: u64| usize::try_from(rows).unwrap_or(usize::MAX);
        let (expected, found) = (count(row).saturating_add(1), count(rows));
        return Err(Error::Shape { what: "rows", expected, found }.into());
    }
    let changes: Vec<Change> =
        places.iter().map(|place| Change::Moved(row, place.clone())).collect();
    let moved = refitted(state, weight, &changes, source, on)?;
    Ok(moved.into_iter().map(|(movement, _)| movement).collect())
}

/// How far components move from where EM ends with the rows as they are to where it ends with each change, and
/// whether it came to that end.
fn refitted<S: Source>(
    state: &EmState,
    weight: f64,
    changes: &[Change],
    source: &mut S,
    on: On<'_>,
) -> Result<Vec<(Movement, bool)>, S::Error> {
    let first = to_the_end(state, weight)?;
    let ended = em_altered(&first, &[Change::Nothing], source, on)?;
    let settled = ended.into_iter().next().ok_or(Error::NoRows)??;
    let settled = again(&settled)?;
    let mut all = Vec::with_capacity(changes.len());
    for batch in changes.chunks(REFIT_BATCH) {
        // Rows as they are go the same few steps on: what does not change does not move.
        let mut together = vec![Change::Nothing];
        together.extend_from_slice(batch);
        let mut ends = em_altered(&settled, &together, source, on)?.into_iter();
        let base = ends.next().ok_or(Error::NoRows)??;
        let components = base.mixture().components();
        all.extend(ends.map(|end| match end {
            Ok(end) => (Movement::between(base.mixture(), end.mixture()), end.converged()),
            Err(_) => (Movement::lost(components), false),
        }));
    }
    Ok(all)
}

/// Rows by how far they move a component, about.
struct RankSweep<'a> {
    lever: &'a Lever,
    most: usize,
}

struct Candidate {
    length: f64,
    row: u64,
    alone: EmStat,
    light: bool,
}

struct Ranked {
    rows: Vec<Candidate>,
    most: usize,
}

impl Ranked {
    fn kept(mut self) -> Self {
        self.rows.sort_by(|a, b| b.length.total_cmp(&a.length).then(a.row.cmp(&b.row)));
        self.rows.truncate(self.most);
        self
    }
}

impl Sweep for RankSweep<'_> {
    type Stat = Ranked;

    fn block(&self, block: &Block<'_>) -> Result<Ranked, Error> {
        let lever = self.lever;
        let distances = lever.distances(block)?;
        let mut ranked = Ranked { rows: Vec::new(), most: self.most };
        for (i, distances) in distances.chunks_exact(lever.components()).enumerate() {
            if block.weight(i) > 0.0 {
                let alone = lever.alone(block, i)?;
                let length = lever.length(&alone, distances);
                let (row, light) =
                    (block.first_row() + i as u64, lever.is_light(&alone, distances));
                ranked.rows.push(Candidate { length, row, alone, light });
            }
            if ranked.rows.len() >= 2 * self.most {
                ranked = ranked.kept();
            }
        }
        Ok(ranked.kept())
    }
}

impl Merge for Ranked {
    fn merge(mut self, later: Self) -> Self {
        self.rows.extend(later.rows);
        self.kept()
    }
}
