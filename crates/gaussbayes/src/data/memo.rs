//! Keeps what was computed of each block of rows in memory for the passes that come after.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::moments::{Frame, ldexp, lower_index};
use crate::tolerance::NEAR_UNITS;

/// Σ w u and the lower triangle of Σ w u uᵀ of all rows of a block in a frame \[M92\].
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Total {
    origin: Vec<f64>,
    exponent: Vec<i32>,
    pub(crate) first: Vec<f64>,
    pub(crate) second: Vec<f64>,
}

impl Total {
    /// Of sums in this frame.
    pub(crate) fn new(frame: &Frame, first: Vec<f64>, second: Vec<f64>) -> Self {
        let (origin, exponent) = (frame.origin().to_vec(), frame.exponent().to_vec());
        Self { origin, exponent, first, second }
    }

    /// The same in another frame, to the bit what rows would add up to in it; `None` where that has another origin, or
    /// units too far from these.
    fn in_frame(&self, frame: &Frame) -> Option<Self> {
        let pairs = || self.exponent.iter().zip(frame.exponent());
        if self.origin != frame.origin() || pairs().any(|(a, b)| a.abs_diff(*b) > NEAR_UNITS) {
            return None;
        }
        let moved: Vec<i32> = pairs().map(|(from, to)| from - to).collect();
        let first = self.first.iter().zip(&moved).map(|(sum, e)| ldexp(*sum, *e)).collect();
        let mut second = self.second.clone();
        for (i, of_row) in moved.iter().enumerate() {
            for (j, of_column) in moved[..=i].iter().enumerate() {
                let sum = &mut second[lower_index(i, j)];
                *sum = ldexp(*sum, of_row + of_column);
            }
        }
        Some(Self::new(frame, first, second))
    }
}

/// A place for what is computed of a block.
#[derive(Debug, Default)]
pub(crate) struct Slot(Mutex<Option<Arc<Total>>>);

impl Slot {
    /// What was computed, in this frame.
    pub(crate) fn total(&self, frame: &Frame) -> Option<Total> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        known?.in_frame(frame)
    }

    /// Keeps what was computed last.
    pub(crate) fn keep(&self, total: Total) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(total));
    }
}

/// Places for what is computed of each block, by the source that lends the rows: what is found there was computed of
/// the same rows, so that it has the same bits as if it were computed again.
#[derive(Debug)]
pub struct Memo {
    rows: usize,
    block: usize,
    slots: Vec<Slot>,
}

impl Memo {
    /// For so many rows in blocks of so many.
    pub fn new(rows: usize, block: usize) -> Self {
        let block = block.max(1);
        let slots = (0..rows.div_ceil(block)).map(|_| Slot::default()).collect();
        Self { rows, block, slots }
    }

    /// The place of the block of these rows; none of other runs of rows than blocks.
    pub(super) fn slot(&self, range: &Range<usize>) -> Option<&Slot> {
        let end = self.rows.min(range.start + self.block);
        let is_block = range.start.is_multiple_of(self.block) && range.end == end;
        self.slots.get(range.start / self.block).filter(|_| is_block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_rows_that_are_no_block_have_no_place() {
        let memo = Memo::new(100, 32);
        assert!([0..32, 32..64, 96..100].iter().all(|range| memo.slot(range).is_some()));
        assert!(
            [0..31, 1..33, 0..64, 96..99, 128..130].iter().all(|range| memo.slot(range).is_none())
        );
    }

    #[test]
    fn sums_are_found_in_other_units_about_the_same_origin_alone() {
        let frame = |origin: f64, exponent: Vec<i32>| {
            Frame::new(vec![origin, 0.0], exponent, vec![0, 0]).unwrap()
        };
        let slot = Slot::default();
        assert_eq!(slot.total(&frame(1.0, vec![0, 0])), None);
        slot.keep(Total::new(&frame(1.0, vec![2, -1]), vec![3.0, 5.0], vec![1.0, 7.0, 9.0]));
        let moved = slot.total(&frame(1.0, vec![0, 0])).unwrap();
        assert_eq!((moved.first, moved.second), (vec![12.0, 2.5], vec![16.0, 14.0, 2.25]));
        assert_eq!(slot.total(&frame(2.0, vec![2, -1])), None);
        assert_eq!(slot.total(&frame(1.0, vec![900, -1])), None);
    }
}
