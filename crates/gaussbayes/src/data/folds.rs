//! Deals rows out into folds by their numbers alone \[M19\].

use crate::rng::Random;

/// Which fold a row is in: a seeded permutation within each run of as many rows as folds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Folds {
    /// Number of folds.
    pub count: usize,
    /// Seed of the permutations.
    pub seed: u64,
}

impl Folds {
    /// The folds of `rows` rows from row number `first`.
    pub(crate) fn of_rows(&self, first: u64, rows: usize) -> Vec<usize> {
        let (count, end) = (self.count as u64, first + rows as u64);
        let runs = first / count..end.div_ceil(count);
        let skipped = (first % count) as usize;
        let folds = runs.flat_map(|run| Random::new(self.seed, run).permutation(self.count));
        folds.skip(skipped).take(rows).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_of_rows_has_each_fold_once_wherever_blocks_begin() {
        let folds = Folds { count: 10, seed: 7 };
        let all = folds.of_rows(0, 95);
        for run in all.chunks_exact(10) {
            let mut sorted = run.to_vec();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..10).collect::<Vec<_>>());
        }
        for first in [1, 9, 10, 37] {
            assert_eq!(folds.of_rows(first as u64, 95 - first), all[first..]);
        }
        assert_ne!(all[..10], all[10..20]);
    }
}
