//! Keeps what an update needs: the merge tree's stack, and the rows that fill no block yet.

use crate::data::{Block, Chain, Source, Table, rows_per_block};
use crate::error::Error;
use crate::moments::{Merge, Storage};
use crate::sweep::{LabelStat, LabelSweep, On, Sweep, Tree, check_classes, each_block};
use crate::tolerance::LEVEL_MAX;

/// Statistics of labelled rows that more rows can join.
///
/// Rows given in any number of batches leave the same bytes as all rows given at once: the rows
/// behind the last whole block wait here until their block is full.
#[derive(Debug, Clone, PartialEq)]
pub struct Training {
    storage: Storage,
    dim: usize,
    tree: Tree<LabelStat>,
    tail: Table,
}

enum Piece {
    Whole(LabelStat),
    Rest(Table),
}

impl Training {
    /// Nothing yet.
    pub fn new(storage: Storage, dim: usize) -> Self {
        let tail = Table { dim, ..Table::default() };
        Self { storage, dim, tree: Tree::default(), tail }
    }

    /// Takes up what was saved.
    ///
    /// # Errors
    /// [`Error::Shape`] or [`Error::Storage`] when the parts do not belong together, and what
    /// [`Block::new`] refuses of the tail.
    pub fn from_parts(
        storage: Storage,
        dim: usize,
        tree: Tree<LabelStat>,
        tail: Table,
    ) -> Result<Self, Error> {
        for (_, stat) in tree.stack() {
            let moments = stat.moments();
            if moments.dim() != dim {
                return Err(Error::Shape { what: "columns", expected: dim, found: moments.dim() });
            }
            if moments.storage() != storage {
                let (held, needed) = (moments.storage().name(), storage.name());
                return Err(Error::Storage { held, needed });
            }
        }
        if tail.dim != dim || tail.rows() >= rows_per_block(dim) {
            return Err(Error::Shape {
                what: "rows of the tail",
                expected: rows_per_block(dim) - 1,
                found: tail.rows(),
            });
        }
        let (rows, values) = (tail.rows(), tail.values.len());
        let labels = tail.codes.as_ref().map_or(0, Vec::len);
        let weights = tail.weights.as_ref().map_or(rows, Vec::len);
        for (what, expected, found) in [
            ("values of the tail", rows * dim, values),
            ("labels of the tail", rows, labels),
            ("weights of the tail", rows, weights),
        ] {
            if expected != found {
                return Err(Error::Shape { what, expected, found });
            }
        }
        if rows > 0 {
            let block = tail.block(0..rows)?;
            (0..rows).try_for_each(|i| block.label(i).map(|_| ()))?;
        }
        Ok(Self { storage, dim, tree, tail })
    }

    /// Adds the rows of a source.
    ///
    /// # Errors
    /// What the source refuses; nothing is added then.
    pub fn add<S: Source>(&mut self, source: &mut S, on: On<'_>) -> Result<(), S::Error> {
        if source.dim() != self.dim {
            let (expected, found) = (self.dim, source.dim());
            return Err(Error::Shape { what: "columns", expected, found }.into());
        }
        let rows = rows_per_block(self.dim);
        let first_row = self.tree.blocks().saturating_mul(rows as u64);
        let (storage, columns) = (self.storage, self.dim);
        let sweep = LabelSweep::new(storage);
        let mut tree = self.tree.clone();
        let mut tail = Table { dim: self.dim, ..Table::default() };
        let work = |block: &Block<'_>| {
            if block.rows().count() == rows {
                return Ok(Piece::Whole(sweep.block(block)?));
            }
            for i in 0..block.rows().count() {
                block.label(i)?;
            }
            let mut rest = Table::default();
            rest.push_block(block);
            Ok(Piece::Rest(rest.with_sorted_labels()))
        };
        let head = self.tail.clone();
        each_block(&mut Chain::new(head, first_row, source), on, work, |piece| {
            match piece {
                Piece::Whole(stat) => tree.push(stat),
                Piece::Rest(rest) => tail = rest,
            }
            let classes = tree.stack().last().map_or(0, |(_, stat)| stat.labels().len());
            Ok(check_classes(storage, classes, columns)?)
        })?;
        (self.tree, self.tail) = (tree, tail);
        Ok(())
    }

    /// The statistic of all rows so far.
    ///
    /// # Errors
    /// [`Error::NoRows`] when no row has a positive weight.
    pub fn stat(&self) -> Result<LabelStat, Error> {
        let mut tree = self.tree.clone();
        if self.tail.rows() > 0 {
            tree.push(LabelSweep::new(self.storage).block(&self.tail.block(0..self.tail.rows())?)?);
        }
        tree.fold().filter(|stat| !stat.labels().is_empty()).ok_or(Error::NoRows)
    }

    /// The rows of both, those of `later` behind these.
    ///
    /// # Errors
    /// [`Error::Storage`] or [`Error::Shape`] when they were not summed up alike, or claim more rows
    /// than a merge tree has levels for.
    pub fn merge(&self, later: &Self) -> Result<Self, Error> {
        if self.storage != later.storage {
            let (held, needed) = (later.storage.name(), self.storage.name());
            return Err(Error::Storage { held, needed });
        }
        if self.dim != later.dim {
            let (expected, found) = (self.dim, later.dim);
            return Err(Error::Shape { what: "columns", expected, found });
        }
        let total = match (self.stat(), later.tree.clone().fold()) {
            (Ok(earlier), Some(later)) => Some(earlier.merge(later)),
            (Ok(earlier), None) => Some(earlier),
            (Err(_), later) => later,
        };
        let blocks = (self.tree.blocks() + u64::from(self.tail.rows() > 0)) + later.tree.blocks();
        let level = blocks.max(1).next_power_of_two().ilog2();
        let tree = Tree::from_stack(total.into_iter().map(|stat| (level, stat)).collect());
        let tree = tree.ok_or(Error::Shape {
            what: "levels of a merge tree",
            expected: LEVEL_MAX as usize,
            found: level as usize,
        })?;
        Ok(Self { tree, tail: later.tail.clone(), ..self.clone() })
    }

    /// What is kept of the scatter.
    pub fn storage(&self) -> Storage {
        self.storage
    }

    /// The merge tree.
    pub fn tree(&self) -> &Tree<LabelStat> {
        &self.tree
    }

    /// The rows behind the last whole block.
    pub fn tail(&self) -> &Table {
        &self.tail
    }
}
