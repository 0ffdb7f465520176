//! Passes the rows of one class on, and no others.

use super::block::Block;
use super::label::Label;
use super::source::{Cut, Source};
use crate::error::Error;

/// A source of the rows of another that have one label; their numbers grow as they do there.
#[derive(Debug)]
pub struct OfClass<'a, S> {
    source: &'a mut S,
    class: Label,
}

impl<'a, S: Source> OfClass<'a, S> {
    /// The rows of `source` with this label.
    pub fn new(source: &'a mut S, class: Label) -> Self {
        Self { source, class }
    }
}

/// A cut of all rows, of which those of one class are decoded.
#[derive(Debug)]
pub struct ClassCut<C> {
    cut: C,
    class: Label,
}

impl<S: Source> Source for OfClass<'_, S> {
    type Cut = ClassCut<S::Cut>;
    type Error = S::Error;

    fn dim(&self) -> usize {
        self.source.dim()
    }

    fn rows_per_block(&self) -> usize {
        self.source.rows_per_block()
    }

    fn is_held(&self) -> bool {
        self.source.is_held()
    }

    fn next(&mut self, rows: usize) -> Result<Option<Self::Cut>, Self::Error> {
        let cut = self.source.next(rows)?;
        Ok(cut.map(|cut| ClassCut { cut, class: self.class.clone() }))
    }

    fn rewind(&mut self) -> Result<(), Self::Error> {
        self.source.rewind()
    }
}

impl<C> Cut for ClassCut<C>
where
    C: Cut,
    C::Error: From<Error>,
{
    type Error = C::Error;

    /// May hold no row at all: blocks begin and end where those of all rows do.
    fn decode(&self) -> Result<Block<'_>, C::Error> {
        let block = self.cut.decode()?;
        let Some(labels) = block.labels() else { return Ok(block.picked(&[])?) };
        let code = labels.dictionary.iter().position(|label| *label == self.class);
        let own = |&i: &usize| Some(labels.codes[i] as usize) == code;
        let rows: Vec<usize> = (0..block.rows().count()).filter(own).collect();
        if rows.len() == block.rows().count() {
            return Ok(block);
        }
        Ok(block.picked(&rows)?)
    }
}
