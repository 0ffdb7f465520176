//! Keeps what an update needs: the merge tree's stack, and the rows that fill no block yet.

use std::sync::Arc;

use crate::data::{Block, Chain, Source, Table, rows_per_block};
use crate::error::Error;
use crate::moments::{Merge, Storage};
use crate::sweep::{LabelStat, LabelSweep, On, Sweep, Tree, check_classes, each_run, merged};
use crate::tolerance::BLOCK_ROWS_MAX;

/// A sweep whose statistic more rows can join.
pub trait Gather: Sweep + Clone {
    /// Refuses statistics that have grown beyond what can be kept.
    ///
    /// # Errors
    /// [`Error::TooManyClasses`].
    fn bound(&self, stat: &Self::Stat, columns: usize) -> Result<(), Error>;

    /// Whether a statistic is of this sweep.
    ///
    /// # Errors
    /// What it is of instead.
    fn holds(&self, stat: &Self::Stat, columns: usize) -> Result<(), Error>;

    /// Whether another sweep sums up the same.
    ///
    /// # Errors
    /// What the other one keeps instead.
    fn agrees(&self, other: &Self) -> Result<(), Error>;

    /// Refuses rows that cannot be summed up, before they wait for their block to be full.
    ///
    /// # Errors
    /// The first row that is wrong.
    fn check(&self, _block: &Block<'_>) -> Result<(), Error> {
        Ok(())
    }

    /// Whether no row of positive weight has been summed up.
    fn is_empty(stat: &Self::Stat) -> bool;
}

/// Statistics of labelled rows that more rows can join.
///
/// Rows given in any number of batches leave the same bytes as all rows given at once: the rows
/// behind the last whole block wait here until their block is full.
#[derive(Debug, Clone, PartialEq)]
pub struct Training<W: Sweep = LabelSweep> {
    sweep: W,
    dim: usize,
    /// Rows of a whole block, once there have been rows.
    rows_per_block: Option<usize>,
    /// Shared with copies: a model keeps what it was estimated from.
    tree: Arc<Tree<W::Stat>>,
    tail: Arc<Table>,
}

enum Piece<S> {
    Whole(S),
    Rest(Box<Table>),
}

impl Training {
    /// Nothing yet, of moments.
    pub fn new(storage: Storage, dim: usize) -> Self {
        Self::of(LabelSweep::new(storage), dim)
    }

    /// What is kept of the scatter.
    pub fn storage(&self) -> Storage {
        self.sweep.storage()
    }
}

impl Gather for LabelSweep {
    fn bound(&self, stat: &LabelStat, columns: usize) -> Result<(), Error> {
        check_classes(self.storage(), stat.labels().len(), columns)
    }

    fn holds(&self, stat: &LabelStat, columns: usize) -> Result<(), Error> {
        let moments = stat.moments();
        if moments.dim() != columns {
            return Err(Error::Shape { what: "columns", expected: columns, found: moments.dim() });
        }
        self.agrees(&Self::new(moments.storage()))
    }

    fn agrees(&self, other: &Self) -> Result<(), Error> {
        if self.storage() == other.storage() {
            return Ok(());
        }
        let (held, needed) = (other.storage().name(), self.storage().name());
        Err(Error::Storage { held, needed })
    }

    fn is_empty(stat: &LabelStat) -> bool {
        stat.labels().is_empty()
    }
}

impl<W> Training<W>
where
    W: Gather,
    W::Stat: Clone,
{
    /// Nothing yet, of what a sweep sums up.
    pub fn of(sweep: W, dim: usize) -> Self {
        let tail = Arc::new(Table { dim, ..Table::default() });
        Self { sweep, dim, rows_per_block: None, tree: Arc::default(), tail }
    }

    /// Takes up what was saved; `block` rows are a whole block, where that was known.
    ///
    /// # Errors
    /// [`Error::Shape`] or [`Error::Storage`] when the parts do not belong together, and what
    /// [`Block::new`] refuses of the tail.
    pub fn from_parts(
        sweep: W,
        dim: usize,
        block: Option<usize>,
        tree: Tree<W::Stat>,
        tail: Table,
    ) -> Result<Self, Error> {
        tree.stack().iter().try_for_each(|(_, stat)| sweep.holds(stat, dim))?;
        let of_tail = if tail.sparse.is_some() { BLOCK_ROWS_MAX } else { rows_per_block(dim) };
        let whole = block.unwrap_or(of_tail);
        if ![rows_per_block(dim), BLOCK_ROWS_MAX].contains(&whole) {
            let (what, expected) = ("rows of a block", rows_per_block(dim));
            return Err(Error::Shape { what, expected, found: whole });
        }
        if tail.dim != dim || tail.rows() >= whole {
            return Err(Error::Shape {
                what: "rows of the tail",
                expected: whole - 1,
                found: tail.rows(),
            });
        }
        let (rows, values) = (tail.rows(), tail.values.len());
        let labels = tail.codes.as_ref().map_or(0, Vec::len);
        let weights = tail.weights.as_ref().map_or(rows, Vec::len);
        let needed = if tail.sparse.is_some() { 0 } else { rows * dim };
        for (what, expected, found) in [
            ("values of the tail", needed, values),
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
        let rows_per_block = block.or_else(|| tail.sparse.is_some().then_some(BLOCK_ROWS_MAX));
        Ok(Self { sweep, dim, rows_per_block, tree: Arc::new(tree), tail: Arc::new(tail) })
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
        let rows = self.rows_per_block.unwrap_or_else(|| source.rows_per_block());
        let first_row = self.tree.blocks().saturating_mul(rows as u64);
        let (sweep, columns) = (&self.sweep, self.dim);
        let mut tree = (*self.tree).clone();
        let mut tail = Table { dim: self.dim, ..Table::default() };
        let work = |block: &Block<'_>| {
            if block.rows().count() == rows {
                return Ok(Piece::Whole(sweep.block(block)?));
            }
            for i in 0..block.rows().count() {
                block.label(i)?;
            }
            sweep.check(block)?;
            let mut rest = Table::default();
            rest.push_block(block);
            Ok(Piece::Rest(rest.with_sorted_names().into()))
        };
        let head = (*self.tail).clone();
        let mut chain = Chain::new(head, first_row, source).in_blocks_of(rows);
        // Blocks of a run are merged where they were summed up; what is left over comes last.
        let join = |pieces: Vec<Piece<W::Stat>>| {
            let (mut whole, mut rest) = (Vec::with_capacity(pieces.len()), None);
            for piece in pieces {
                match piece {
                    Piece::Whole(stat) => whole.push(stat),
                    Piece::Rest(table) => rest = Some(table),
                }
            }
            (merged(whole), rest)
        };
        each_run(&mut chain, tree.blocks(), on, work, join, |(entries, rest)| {
            entries.into_iter().for_each(|entry| tree.join(entry));
            if let Some(rest) = rest {
                tail = *rest;
            }
            let latest = tree.stack().last();
            Ok(latest.map_or(Ok(()), |(_, stat)| sweep.bound(stat, columns))?)
        })?;
        (self.tree, self.tail) = (Arc::new(tree), Arc::new(tail));
        self.rows_per_block = Some(rows);
        Ok(())
    }

    /// The statistic of all rows so far.
    ///
    /// # Errors
    /// [`Error::NoRows`] when no row has a positive weight.
    pub fn stat(&self) -> Result<W::Stat, Error> {
        let mut tree = (*self.tree).clone();
        if self.tail.rows() > 0 {
            tree.push(self.sweep.block(&self.tail.block(0..self.tail.rows())?)?);
        }
        tree.fold().filter(|stat| !W::is_empty(stat)).ok_or(Error::NoRows)
    }

    /// The same rows as sums alone: none waits for its block to be full. What is estimated of them has the same
    /// bits; more rows that join begin a block of their own.
    ///
    /// # Errors
    /// [`Error::Shape`] for more rows than a merge tree has levels for; what the sweep refuses of a block.
    pub fn closed(&self) -> Result<Self, Error> {
        let total = match self.stat() {
            Err(Error::NoRows) => None,
            total => Some(total?),
        };
        let blocks = self.tree.blocks() + u64::from(self.tail.rows() > 0);
        let tail = Arc::new(Table { dim: self.dim, ..Table::default() });
        Ok(Self { tree: Arc::new(Tree::of_blocks(total, blocks)?), tail, ..self.clone() })
    }

    /// The rows of both, those of `later` behind these.
    ///
    /// # Errors
    /// [`Error::Storage`] or [`Error::Shape`] when they were not summed up alike, or claim more rows
    /// than a merge tree has levels for; more classes or words than can be kept.
    pub fn merge(&self, later: &Self) -> Result<Self, Error> {
        self.sweep.agrees(&later.sweep)?;
        if self.dim != later.dim {
            let (expected, found) = (self.dim, later.dim);
            return Err(Error::Shape { what: "columns", expected, found });
        }
        let earlier = self.closed()?.tree;
        let blocks = earlier.blocks() + later.tree.blocks();
        let total = match ((*earlier).clone().fold(), (*later.tree).clone().fold()) {
            (Some(earlier), Some(later)) => Some(earlier.merge(later)),
            (earlier, later) => earlier.or(later),
        };
        total.as_ref().map_or(Ok(()), |total| self.sweep.bound(total, self.dim))?;
        // The rows that wait are those of the later one, and so are the blocks that they wait for.
        let rows_per_block = later.rows_per_block.or(self.rows_per_block);
        let tree = Arc::new(Tree::of_blocks(total, blocks)?);
        Ok(Self { tree, tail: later.tail.clone(), rows_per_block, ..self.clone() })
    }

    /// What sums rows up.
    pub fn sweep(&self) -> &W {
        &self.sweep
    }

    /// Rows of a whole block, once there have been rows.
    pub fn rows_per_block(&self) -> Option<usize> {
        self.rows_per_block
    }

    /// The merge tree.
    pub fn tree(&self) -> &Tree<W::Stat> {
        &self.tree
    }

    /// The rows behind the last whole block.
    pub fn tail(&self) -> &Table {
        &self.tail
    }
}
