//! Keeps long runs of numbers for the next block: the system takes its time over new ones.

use std::cell::RefCell;

use crate::tolerance::{SPARE_BYTES, SPARE_LEAST};

thread_local! {
    static SPARE: RefCell<Vec<Vec<f64>>> = const { RefCell::new(Vec::new()) };
}

/// So many zeros.
pub(super) fn zeros(len: usize) -> Vec<f64> {
    let Some(mut kept) = taken(len) else { return vec![0.0; len] };
    kept.fill(0.0);
    kept
}

/// So many numbers, whatever they are: for who writes all of them.
pub(super) fn any(len: usize) -> Vec<f64> {
    taken(len).unwrap_or_else(|| vec![0.0; len])
}

fn taken(len: usize) -> Option<Vec<f64>> {
    SPARE.with_borrow_mut(|spare| {
        let at = spare.iter().position(|kept| kept.len() == len)?;
        Some(spare.swap_remove(at))
    })
}

/// Keeps numbers that nobody needs any more, unless there are few of them or enough are kept.
pub(super) fn keep(values: Vec<f64>) {
    let bytes = |values: &Vec<f64>| size_of::<f64>() * values.len();
    if bytes(&values) < SPARE_LEAST {
        return;
    }
    SPARE.with_borrow_mut(|spare| {
        spare.retain(|kept| kept.len() == values.len());
        if spare.iter().map(bytes).sum::<usize>() + bytes(&values) <= SPARE_BYTES {
            spare.push(values);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_lent_as_zeros_and_bounded() {
        let long = SPARE_LEAST / size_of::<f64>();
        keep(vec![1.0; long - 1]);
        assert!(SPARE.with_borrow(Vec::is_empty));
        for _ in 0..2 * SPARE_BYTES / SPARE_LEAST {
            keep(vec![1.0; long]);
        }
        assert_eq!(SPARE.with_borrow(Vec::len), SPARE_BYTES / SPARE_LEAST);
        assert!(any(long) == vec![1.0; long]);
        assert!(zeros(long) == vec![0.0; long]);
        assert_eq!(SPARE.with_borrow(Vec::len), SPARE_BYTES / SPARE_LEAST - 2);
        keep(vec![1.0; long + 1]);
        assert_eq!(SPARE.with_borrow(Vec::len), 1);
    }
}
