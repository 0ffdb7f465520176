//! Puts rows left over from an earlier batch in front of a source, without moving block borders.

use super::block::Block;
use super::memory::Table;
use super::source::{Cut, Source};

/// A source whose first cut begins with the rows of a table.
#[derive(Debug)]
pub struct Chain<'a, S> {
    head: Option<Table>,
    source: &'a mut S,
    first_row: u64,
    rows_per_block: usize,
}

impl<'a, S: Source> Chain<'a, S> {
    /// Reads `head`, whose rows are numbered from `first_row`, then `source`.
    pub fn new(head: Table, first_row: u64, source: &'a mut S) -> Self {
        let rows_per_block = source.rows_per_block();
        let head = Some(head).filter(|table| table.rows() > 0);
        Self { head, source, first_row, rows_per_block }
    }

    /// The same in blocks of so many rows.
    pub(crate) fn in_blocks_of(self, rows_per_block: usize) -> Self {
        Self { rows_per_block, ..self }
    }
}

/// Some rows of the head, then a cut of the source.
#[derive(Debug)]
pub struct ChainCut<C> {
    head: Option<(Table, u64)>,
    cut: Option<C>,
}

impl<S: Source> Source for Chain<'_, S> {
    type Cut = ChainCut<S::Cut>;
    type Error = S::Error;

    fn dim(&self) -> usize {
        self.source.dim()
    }

    fn rows_per_block(&self) -> usize {
        self.rows_per_block
    }

    fn is_held(&self) -> bool {
        self.source.is_held()
    }

    fn next(&mut self, rows: usize) -> Result<Option<Self::Cut>, Self::Error> {
        let taken = self.head.as_ref().map_or(0, Table::rows);
        let cut = self.source.next(rows.saturating_sub(taken).max(1))?;
        let head = self.head.take().map(|table| (table, self.first_row));
        Ok((head.is_some() || cut.is_some()).then_some(ChainCut { head, cut }))
    }

    fn rewind(&mut self) -> Result<(), Self::Error> {
        Err(crate::Error::OnePass.into())
    }
}

impl<C> Cut for ChainCut<C>
where
    C: Cut,
    C::Error: From<crate::Error>,
{
    type Error = C::Error;

    fn decode(&self) -> Result<Block<'_>, C::Error> {
        match (&self.head, &self.cut) {
            (None, Some(cut)) => cut.decode(),
            (Some((table, first_row)), cut) => {
                let mut joined = table.clone();
                if let Some(cut) = cut {
                    let block = cut.decode()?;
                    joined.joins(&block)?;
                    joined.push_block(&block);
                }
                Ok(joined.into_block(*first_row)?)
            }
            (None, None) => Err(crate::Error::NoRows.into()),
        }
    }
}
