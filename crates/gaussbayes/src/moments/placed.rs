//! Lends the rows of a block in a frame, taken as they are read.

use super::group::View;
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
        let empty = Moments::empty(self.frame.clone(), groups.len(), storage);
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
