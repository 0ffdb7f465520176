//! Counts weights by key and class, in memory that is a matter of the keys met.

use crate::moments::Merge;
use crate::tolerance::DENSE_TALLY;

/// Weights by key and class; keys in ascending order, only those met.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally<K> {
    classes: usize,
    keys: Vec<K>,
    /// Key by key, class by class.
    sums: Vec<f64>,
}

impl<K: Ord + Clone> Tally<K> {
    /// Puts keys and their weights together; `None` unless keys ascend and each has one weight per class.
    pub fn new(classes: usize, keys: Vec<K>, sums: Vec<f64>) -> Option<Self> {
        let ascend = keys.windows(2).all(|pair| pair[0] < pair[1]);
        let proper = sums.iter().all(|sum| sum.is_finite() && *sum >= 0.0);
        let whole = keys.len().checked_mul(classes) == Some(sums.len());
        (ascend && proper && whole).then_some(Self { classes, keys, sums })
    }

    /// Classes.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The keys, in ascending order.
    pub fn keys(&self) -> &[K] {
        &self.keys
    }

    /// All weights, key by key and class by class.
    pub fn sums(&self) -> &[f64] {
        &self.sums
    }

    /// The keys with their weights by class.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &[f64])> {
        self.keys.iter().zip(self.sums.chunks_exact(self.classes.max(1)))
    }

    /// The weights of a key by class, where it was met.
    pub fn get(&self, key: &K) -> Option<&[f64]> {
        let at = self.keys.binary_search(key).ok()?;
        Some(&self.sums[at * self.classes..(at + 1) * self.classes])
    }

    /// Weight of each class over all keys, in their order.
    pub fn totals(&self) -> Vec<f64> {
        let mut totals = vec![0.0; self.classes];
        for (_, sums) in self.iter() {
            totals.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
        }
        totals
    }

    /// The same with class `k` taken from `from[k]`.
    pub(super) fn arranged(&self, from: &[Option<usize>]) -> Self {
        let of = |sums: &[f64]| -> Vec<f64> {
            from.iter().map(|from| from.map_or(0.0, |from| sums[from])).collect()
        };
        let sums = self.iter().flat_map(|(_, sums)| of(sums)).collect();
        Self { classes: from.len(), keys: self.keys.clone(), sums }
    }

    /// The same with other keys, which need not ascend but differ.
    pub(super) fn renamed<T: Ord + Clone>(&self, name: impl Fn(&K) -> T) -> Tally<T> {
        let mut order: Vec<(T, usize)> = self.keys.iter().map(name).zip(0..).collect();
        order.sort();
        let sums = order.iter().flat_map(|(_, at)| {
            self.sums[at * self.classes..(at + 1) * self.classes].iter().copied()
        });
        let sums = sums.collect();
        Tally { classes: self.classes, keys: order.into_iter().map(|(key, _)| key).collect(), sums }
    }
}

impl Tally<u32> {
    /// Sums entries of (key, class, weight) up, each key below `width`; in their order for every key and class.
    pub(super) fn of(classes: usize, width: usize, mut entries: Vec<(u32, u32, f64)>) -> Self {
        let mut tally = Self { classes, keys: Vec::new(), sums: Vec::new() };
        if entries.len() >= width.saturating_mul(classes) / DENSE_TALLY {
            let mut sums = vec![0.0; width * classes];
            let mut met = vec![false; width];
            for (key, class, weight) in entries {
                met[key as usize] = true;
                sums[key as usize * classes + class as usize] += weight;
            }
            for (key, row) in sums.chunks_exact(classes.max(1)).enumerate().filter(|(k, _)| met[*k])
            {
                tally.keys.push(key as u32);
                tally.sums.extend_from_slice(row);
            }
            return tally;
        }
        // A stable sort: what a key and class add up keeps the order of the rows.
        entries.sort_by_key(|entry| entry.0);
        for run in entries.chunk_by(|a, b| a.0 == b.0) {
            tally.keys.push(run[0].0);
            let at = tally.sums.len();
            tally.sums.resize(at + classes, 0.0);
            run.iter().for_each(|(_, class, weight)| tally.sums[at + *class as usize] += weight);
        }
        tally
    }
}

impl<K: Ord + Clone> Merge for Tally<K> {
    /// Both of the same classes.
    fn merge(mut self, later: Self) -> Self {
        if self.keys == later.keys {
            self.sums.iter_mut().zip(later.sums).for_each(|(sum, more)| *sum += more);
            return self;
        }
        let classes = self.classes;
        let mut both = Self {
            classes,
            keys: Vec::with_capacity(self.keys.len().max(later.keys.len())),
            sums: Vec::with_capacity(self.sums.len().max(later.sums.len())),
        };
        let (mut own, mut other) = (self.iter().peekable(), later.iter().peekable());
        loop {
            let first = match (own.peek(), other.peek()) {
                (Some((a, _)), Some((b, _))) => a.cmp(b),
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (None, None) => return both,
            };
            let earlier = own.next_if(|_| first.is_le());
            let more = other.next_if(|_| first.is_ge());
            let Some((key, sums)) = earlier.or(more) else { return both };
            both.keys.push(key.clone());
            both.sums.extend_from_slice(sums);
            if let (Some(_), Some((_, more))) = (earlier, more) {
                let at = both.sums.len() - classes;
                both.sums[at..].iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_entries_and_many_are_summed_alike() {
        let entries = vec![(7, 1, 0.1), (2, 0, 0.2), (7, 1, 0.3), (7, 0, 0.7), (7, 1, 1e-17)];
        let (sparse, dense) = (Tally::of(2, 1000, entries.clone()), Tally::of(2, 8, entries));
        assert_eq!(sparse, dense);
        assert_eq!(dense.keys(), [2, 7]);
        assert_eq!(dense.get(&7), Some(&[0.7, 0.1 + 0.3][..]));
        assert_eq!(dense.totals(), [0.2 + 0.7, 0.1 + 0.3]);
    }

    #[test]
    fn merging_joins_keys() {
        let a = Tally::new(1, vec!["b", "d"], vec![1.0, 2.0]).unwrap();
        let b = Tally::new(1, vec!["a", "d", "e"], vec![4.0, 8.0, 16.0]).unwrap();
        let both = a.merge(b);
        assert_eq!(both.keys(), ["a", "b", "d", "e"]);
        assert_eq!(both.sums(), [4.0, 1.0, 10.0, 16.0]);
        assert!(Tally::new(1, vec!["b", "a"], vec![1.0, 2.0]).is_none());
    }
}
