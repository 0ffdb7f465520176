//! Lends the rows of a block in a frame, taken as they are read.

use super::group::{Group, View};
use super::{Frame, Moments, Storage};
use crate::data::{Block, Dense};

/// The rows of a block in its own frame.
#[derive(Debug)]
pub(crate) struct Placed<'a> {
    frame: Frame,
    origin: Vec<f64>,
    scale: Vec<f64>,
    rows: Held<'a>,
}

#[derive(Debug)]
enum Held<'a> {
    /// As they are, to be moved and scaled.
    Raw(Dense<'a>),
    /// In the frame already: what moving and scaling could not do in one step.
    Framed(Vec<f64>),
}

impl<'a> Placed<'a> {
    /// The rows of a block in the frame of those of positive weight.
    pub(crate) fn of(block: &'a Block<'_>) -> Self {
        let rows = block.rows();
        let frame = Frame::of(block);
        if let (Some(dense), Some(scale)) = (rows.dense(), frame.scale()) {
            let origin = frame.origin().to_vec();
            return Self { frame, origin, scale, rows: Held::Raw(dense) };
        }
        let framed = frame.apply(rows);
        let dim = frame.dim();
        Self { frame, origin: vec![0.0; dim], scale: vec![1.0; dim], rows: Held::Framed(framed) }
    }

    pub(crate) fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The moments of the rows, group by group: rows of positive weight, each with its weight.
    pub(crate) fn moments(&self, groups: &[Vec<(usize, f64)>], storage: Storage) -> Moments {
        self.of_groups(groups.iter().map(Vec::as_slice), groups.len(), storage)
    }

    /// The moments of the classes of rows that count once each.
    pub(crate) fn of_classes(&self, classes: &Classes, storage: Storage) -> Moments {
        self.of_groups(classes.rows(), classes.ends.len(), storage)
    }

    fn of_groups<G: Group>(
        &self,
        groups: impl Iterator<Item = G>,
        count: usize,
        storage: Storage,
    ) -> Moments {
        let empty = Moments::unwritten(self.frame.clone(), count, storage);
        match &self.rows {
            Held::Raw(Dense::F64(values, stride)) => {
                self.view(values, *stride).moments(groups, empty)
            }
            Held::Raw(Dense::F32(values, stride)) => {
                self.view(values, *stride).moments(groups, empty)
            }
            Held::Framed(values) => self.view(values, self.frame.dim()).moments(groups, empty),
        }
    }

    fn view<'b, T>(&'b self, values: &'b [T], stride: usize) -> View<'b, T> {
        View { values, stride, origin: &self.origin, scale: &self.scale }
    }
}

/// Rows in the order of their classes.
#[derive(Debug)]
pub(crate) struct Classes {
    rows: Vec<u32>,
    /// Behind the last row of each class.
    ends: Vec<usize>,
}

impl Classes {
    /// Of so many classes, by the code of each row; a code beyond them is none.
    pub(crate) fn new(codes: &[u32], count: usize) -> Self {
        let mut ends = vec![0; count];
        for &code in codes {
            if let Some(end) = ends.get_mut(code as usize) {
                *end += 1;
            }
        }
        let mut before = 0;
        for end in &mut ends {
            (*end, before) = (before, before + *end);
        }
        let mut rows = vec![0; before];
        for (row, &code) in (0..).zip(codes) {
            if let Some(end) = ends.get_mut(code as usize) {
                rows[*end] = row;
                *end += 1;
            }
        }
        Self { rows, ends }
    }

    fn rows(&self) -> impl Iterator<Item = &[u32]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.rows[start..*end])
    }
}
