//! Draws the rows that starts are computed from: all of them, or a uniform sample.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{Purpose, stream};
use crate::data::{Block, NO_LABEL, Source, Table};
use crate::error::Error;
use crate::rng::Random;
use crate::sweep::{On, each_block};
use crate::tolerance::{BLOCK_ROWS_MIN, START_BYTES, START_ROWS};

/// Rows of positive weight, in the order of their source: all, or as many as were asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled {
    table: Table,
    numbers: Vec<u64>,
    priorities: Vec<u64>,
    seen: u64,
}

impl Sampled {
    /// Rows of so many columns that are enough to start from, whatever the number of all.
    pub fn enough(dim: usize) -> usize {
        START_ROWS.min(START_BYTES / (size_of::<f64>() * dim.max(1))).max(BLOCK_ROWS_MIN)
    }

    /// One pass over a source: every row has a random priority that depends on the seed and its number
    /// alone, and the `most` rows of lowest priority stay.
    ///
    /// # Errors
    /// What the source refuses; [`Error::NoRows`] where no row has a positive weight.
    pub fn draw<S: Source>(
        source: &mut S,
        most: usize,
        seed: u64,
        on: On<'_>,
    ) -> Result<Self, S::Error> {
        let most = most.max(1);
        // Rows above it cannot stay, whatever comes: it only ever falls.
        let limit = AtomicU64::new(u64::MAX);
        let pick = |block: &Block<'_>| Part::of(block, seed, limit.load(Ordering::Relaxed));
        let mut kept = Self {
            table: Table { dim: source.dim(), ..Table::default() },
            numbers: Vec::new(),
            priorities: Vec::new(),
            seen: 0,
        };
        each_block(source, on, pick, |part| {
            kept.seen += part.seen;
            kept.numbers.extend(part.numbers);
            kept.priorities.extend(part.priorities);
            if part.block.rows().count() > 0 {
                kept.table.push_block(&part.block);
            }
            if kept.numbers.len() >= 2 * most {
                limit.store(kept.keep(most), Ordering::Relaxed);
            }
            Ok(())
        })?;
        if kept.seen == 0 {
            return Err(Error::NoRows.into());
        }
        kept.keep(most);
        kept.table = kept.table.with_sorted_names();
        Ok(kept)
    }

    /// Keeps the `most` rows of lowest priority; the highest of these.
    fn keep(&mut self, most: usize) -> u64 {
        if self.numbers.len() > most {
            let places = self.lowest(most);
            *self = self.picked(&places);
        }
        self.priorities.iter().copied().max().unwrap_or(u64::MAX)
    }

    /// Places of the `most` rows of lowest priority, in order; the earlier row of two with the same.
    fn lowest(&self, most: usize) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.numbers.len()).collect();
        if most < places.len() {
            places.select_nth_unstable_by_key(most, |&i| (self.priorities[i], self.numbers[i]));
            places.truncate(most);
            places.sort_unstable();
        }
        places
    }

    /// The rows at some places.
    pub(super) fn picked(&self, places: &[usize]) -> Self {
        let (table, dim) = (&self.table, self.table.dim);
        let row = |&i: &usize| &table.values[i * dim..(i + 1) * dim];
        let picked = Table {
            dim,
            values: places.iter().flat_map(row).copied().collect(),
            weights: table.weights.as_ref().map(|all| places.iter().map(|&i| all[i]).collect()),
            codes: table.codes.as_ref().map(|all| places.iter().map(|&i| all[i]).collect()),
            dictionary: table.dictionary.clone(),
            ..Table::default()
        };
        Self {
            table: picked.with_sorted_names(),
            numbers: places.iter().map(|&i| self.numbers[i]).collect(),
            priorities: places.iter().map(|&i| self.priorities[i]).collect(),
            seen: self.seen,
        }
    }

    /// A smaller sample of the same rows, and the places of its rows in this one.
    pub(super) fn thinned(&self, most: usize) -> (Self, Vec<usize>) {
        let places = self.lowest(most);
        (self.picked(&places), places)
    }

    /// The rows.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Number of rows in the sample.
    pub fn rows(&self) -> usize {
        self.numbers.len()
    }

    /// The number of each row in the source.
    pub fn numbers(&self) -> &[u64] {
        &self.numbers
    }

    /// Rows of positive weight in the source.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Whether these are all rows of positive weight.
    pub fn is_whole(&self) -> bool {
        self.seen == self.numbers.len() as u64
    }

    /// The label of each row as a place in the table's dictionary, where every row has one.
    ///
    /// # Errors
    /// [`Error::NoLabel`] for the first row without.
    pub fn codes(&self) -> Result<&[u32], Error> {
        let missing = |at: usize| Error::NoLabel { row: self.numbers[at] };
        let codes = self.table.codes.as_deref().ok_or(missing(0))?;
        codes.iter().position(|&code| code == NO_LABEL).map_or(Ok(codes), |at| Err(missing(at)))
    }
}

/// What may stay of one block.
struct Part {
    block: Block<'static>,
    numbers: Vec<u64>,
    priorities: Vec<u64>,
    seen: u64,
}

impl Part {
    fn of(block: &Block<'_>, seed: u64, limit: u64) -> Result<Self, Error> {
        let first = block.first_row();
        let mut random = Random::from_draw(seed, stream(Purpose::Sample, 0), first);
        let (mut places, mut priorities, mut seen) = (Vec::new(), Vec::new(), 0);
        for i in 0..block.rows().count() {
            let priority = random.bits();
            if block.weight(i) > 0.0 {
                seen += 1;
                if priority <= limit {
                    places.push(i);
                    priorities.push(priority);
                }
            }
        }
        let numbers = places.iter().map(|&i| first + i as u64).collect();
        Ok(Self { block: block.picked(&places)?, numbers, priorities, seen })
    }
}
