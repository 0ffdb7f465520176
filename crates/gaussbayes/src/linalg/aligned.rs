//! Keeps numbers from the start of a cache line on, so that no vector lies in two of them.

use std::ops::{Deref, DerefMut};

/// Bytes of a cache line, and of the widest vector.
pub(crate) const LINE: usize = 64;

/// Numbers of the widest vector.
pub(crate) const WIDEST: usize = LINE / size_of::<f64>();

/// A fixed number of numbers, the first at the start of a cache line.
#[derive(Debug)]
pub(crate) struct Aligned<T> {
    /// The numbers, and some before or behind them that nobody sees.
    values: Vec<T>,
    start: usize,
    len: usize,
}

impl<T: Copy + Default> Aligned<T> {
    /// So many zeros.
    pub(crate) fn zeros(len: usize) -> Self {
        let more = LINE / size_of::<T>();
        let values = vec![T::default(); len + more];
        let start = values.as_ptr().align_offset(LINE).min(more);
        Self { values, start, len }
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.values[self.start..self.start + self.len]
    }
}

impl<T> DerefMut for Aligned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.values[self.start..self.start + self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_at_a_cache_line() {
        for len in [0, 1, 7, 64, 1000] {
            let (wide, narrow) = (Aligned::<f64>::zeros(len), Aligned::<f32>::zeros(len));
            assert_eq!((wide.len(), narrow.len()), (len, len));
            assert!((wide.as_ptr() as usize).is_multiple_of(LINE));
            assert!((narrow.as_ptr() as usize).is_multiple_of(LINE));
        }
    }
}
