//! Opens what Python gives as rows, and hands it to the runner.

use gaussbayes::{Block, Cut, On, Source};
use pyo3::prelude::*;

use crate::arrow::{Stream, StreamCut, StreamSource};
use crate::beside::HeldBeside;
use crate::failure::Failure;
use crate::files::{Files, FilesCut, FilesSource};
use crate::rows::{ArrayCut, ArraySource, HeldGrid};
use crate::typed::{Typed, TypedCut, TypedSource};
use crate::watch::watched;

/// Rows with their labels and weights, as a face hands them over.
pub(crate) struct Input<'a, 'py> {
    x: &'a Bound<'py, PyAny>,
    y: Option<&'a Bound<'py, PyAny>>,
    weights: Option<&'a Bound<'py, PyAny>>,
    labelled: bool,
}

impl<'a, 'py> Input<'a, 'py> {
    /// Rows without labels; those that a stream has are left alone.
    pub(crate) fn rows(x: &'a Bound<'py, PyAny>) -> Self {
        Self { x, y: None, weights: None, labelled: false }
    }

    /// Rows with labels and weights, which a stream may have in columns of its own.
    pub(crate) fn labelled(
        x: &'a Bound<'py, PyAny>,
        y: Option<&'a Bound<'py, PyAny>>,
        weights: Option<&'a Bound<'py, PyAny>>,
    ) -> Self {
        Self { x, y, weights, labelled: true }
    }

    /// Does work on these rows, on threads, without Python's lock.
    ///
    /// # Errors
    /// What the rows or the work refuse.
    pub(crate) fn over<R: Send>(
        &self,
        work: impl FnOnce(&mut AnySource<'_>, On<'_>) -> Result<R, Failure> + Send,
    ) -> PyResult<R> {
        self.opened(|source| read(self.x.py(), source, work))
    }

    /// The same for work that has much to do on few rows: on all threads, however few rows there are.
    ///
    /// # Errors
    /// What the rows or the work refuse.
    pub(crate) fn over_much<R: Send>(
        &self,
        work: impl FnOnce(&mut AnySource<'_>, On<'_>) -> Result<R, Failure> + Send,
    ) -> PyResult<R> {
        self.opened(|mut source| {
            let dim = source.dim();
            watched(self.x.py(), None, dim, move |on| work(&mut source, on))
        })
    }

    /// Opens these rows for whoever must know more of them before [`read`].
    ///
    /// # Errors
    /// What the rows or the use refuse.
    pub(crate) fn opened<R>(&self, used: impl FnOnce(AnySource<'_>) -> PyResult<R>) -> PyResult<R> {
        let held = HeldBeside::new(self.y, self.weights)?;
        let beside = held.view();
        if let Ok(stream) = self.x.cast::<Stream>() {
            let source = StreamSource::new(stream.get(), &beside, self.labelled)?;
            return used(AnySource::Stream(source));
        }
        if let Ok(files) = self.x.cast::<Files>() {
            let source = files.get().open()?;
            let left_out = source.left_out();
            let result = used(AnySource::Files(source.into()))?;
            left_out(self.x.py())?;
            return Ok(result);
        }
        if let Ok(typed) = self.x.cast::<Typed>() {
            let held = typed.get().held(self.x.py())?;
            let view = held.view(&beside)?;
            return used(AnySource::Typed(TypedSource::new(&view)));
        }
        let grid = HeldGrid::new(self.x)?;
        let arrays = grid.view(&beside)?;
        used(AnySource::Arrays(ArraySource::new(&arrays)))
    }
}

/// Does work on rows that are open, on threads, without Python's lock.
///
/// # Errors
/// What the rows or the work refuse.
pub(crate) fn read<R: Send>(
    py: Python<'_>,
    mut source: AnySource<'_>,
    work: impl FnOnce(&mut AnySource<'_>, On<'_>) -> Result<R, Failure> + Send,
) -> PyResult<R> {
    watched(py, source.rows(), source.dim(), move |on| work(&mut source, on))
}

/// A source over whatever Python gave.
#[derive(Debug)]
pub(crate) enum AnySource<'a> {
    Arrays(ArraySource<'a>),
    Typed(TypedSource<'a>),
    Stream(StreamSource<'a>),
    Files(Box<FilesSource>),
}

/// A cut of [`AnySource`].
#[derive(Debug)]
pub(crate) enum AnyCut<'a> {
    Arrays(ArrayCut<'a>),
    Typed(TypedCut<'a>),
    Stream(StreamCut<'a>),
    Files(FilesCut),
}

impl AnySource<'_> {
    /// Rows, where their number is known.
    pub(crate) fn rows(&self) -> Option<usize> {
        match self {
            Self::Stream(source) => source.rows(),
            held => held.held_rows(),
        }
    }

    /// Rows that are all in memory.
    pub(crate) fn held_rows(&self) -> Option<usize> {
        match self {
            Self::Arrays(source) => Some(source.rows()),
            Self::Typed(source) => Some(source.rows()),
            Self::Stream(_) | Self::Files(_) => None,
        }
    }
}

impl<'a> Source for AnySource<'a> {
    type Cut = AnyCut<'a>;
    type Error = Failure;

    fn dim(&self) -> usize {
        match self {
            Self::Arrays(source) => source.dim(),
            Self::Typed(source) => source.dim(),
            Self::Stream(source) => source.dim(),
            Self::Files(source) => source.dim(),
        }
    }

    fn rows_per_block(&self) -> usize {
        match self {
            Self::Arrays(source) => source.rows_per_block(),
            Self::Typed(source) => source.rows_per_block(),
            Self::Stream(source) => source.rows_per_block(),
            Self::Files(source) => source.rows_per_block(),
        }
    }

    fn is_held(&self) -> bool {
        match self {
            Self::Arrays(source) => source.is_held(),
            Self::Typed(_) | Self::Stream(_) | Self::Files(_) => false,
        }
    }

    fn next(&mut self, rows: usize) -> Result<Option<AnyCut<'a>>, Failure> {
        Ok(match self {
            Self::Arrays(source) => source.next(rows)?.map(AnyCut::Arrays),
            Self::Typed(source) => source.next(rows)?.map(AnyCut::Typed),
            Self::Stream(source) => source.next(rows)?.map(AnyCut::Stream),
            Self::Files(source) => source.next(rows)?.map(AnyCut::Files),
        })
    }

    fn rewind(&mut self) -> Result<(), Failure> {
        match self {
            Self::Arrays(source) => source.rewind(),
            Self::Typed(source) => source.rewind(),
            Self::Stream(source) => source.rewind(),
            Self::Files(source) => source.rewind(),
        }
    }
}

impl Cut for AnyCut<'_> {
    type Error = Failure;

    fn decode(&self) -> Result<Block<'_>, Failure> {
        match self {
            Self::Arrays(cut) => cut.decode(),
            Self::Typed(cut) => cut.decode(),
            Self::Stream(cut) => cut.decode(),
            Self::Files(cut) => cut.decode(),
        }
    }
}
