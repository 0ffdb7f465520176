//! Names classes, and sorts the names as scikit-learn sorts classes.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, Hash};

use super::mixing::Mixing;
use crate::tolerance::LABEL_SLOTS;

/// The name of a class, as the user wrote it.
///
/// ```
/// use gaussbayes::{Label, sort_labels};
/// let mut classes = vec![Label::from("10"), Label::from("9")];
/// sort_labels(&mut classes);
/// assert_eq!(classes[0].as_str(), "9");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(Box<str>);

impl Label {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Label {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<String> for Label {
    fn from(text: String) -> Self {
        Self(text.into_boxed_str())
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Borrow<str> for Label {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// Numbers labels in the order in which they are first met: the one label encoding there is.
///
/// Where labels are not text yet (whole numbers, say), the keys are what they are.
#[derive(Debug, Clone)]
pub struct Encoder<K = Label> {
    known: HashMap<K, u32, Mixing>,
    keys: Vec<K>,
    /// The label that was met last, of those whose hashes end alike.
    latest: [u32; LABEL_SLOTS],
}

impl<K> Default for Encoder<K> {
    fn default() -> Self {
        Self { known: HashMap::default(), keys: Vec::new(), latest: [0; LABEL_SLOTS] }
    }
}

impl<K: Clone + Eq + Hash> Encoder<K> {
    /// An encoder that has met these labels already.
    pub fn of(keys: Vec<K>) -> Self {
        let known = keys.iter().cloned().zip(0..).collect();
        Self { known, keys, ..Self::default() }
    }

    /// The number of a label.
    pub fn code<Q>(&mut self, key: &Q) -> u32
    where
        K: Borrow<Q> + From<Q::Owned>,
        Q: Eq + Hash + ToOwned + ?Sized,
    {
        // There are few labels mostly: each has a slot to itself.
        let slot = self.known.hasher().hash_one(key) as usize % LABEL_SLOTS;
        let latest = self.latest[slot];
        if self.keys.get(latest as usize).is_some_and(|latest| latest.borrow() == key) {
            return latest;
        }
        let code = match self.known.get(key) {
            Some(&code) => code,
            None => self.meet(key.to_owned().into()),
        };
        self.latest[slot] = code;
        code
    }

    fn meet(&mut self, key: K) -> u32 {
        let code = self.keys.len() as u32;
        self.keys.push(key.clone());
        self.known.insert(key, code);
        code
    }

    /// The labels in the order of their numbers.
    pub fn into_labels(self) -> Vec<K> {
        self.keys
    }
}

/// Sorts classes by value when all of them are numbers, otherwise by code points.
pub fn sort_labels(labels: &mut [Label]) {
    let order = class_order(labels);
    let sorted: Vec<Label> = order.iter().map(|&k| labels[k].clone()).collect();
    labels.clone_from_slice(&sorted);
}

/// The permutation that sorts `labels`: position → old index.
pub(crate) fn class_order(labels: &[Label]) -> Vec<usize> {
    let numbers: Option<Vec<f64>> = labels
        .iter()
        .map(|label| label.as_str().trim().parse::<f64>().ok().filter(|value| !value.is_nan()))
        .collect();
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_by(|&a, &b| {
        let by_value = numbers
            .as_ref()
            .map_or(std::cmp::Ordering::Equal, |numbers| numbers[a].total_cmp(&numbers[b]));
        by_value.then_with(|| labels[a].cmp(&labels[b]))
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(names: &[&str]) -> Vec<String> {
        let mut labels: Vec<Label> = names.iter().map(|&name| name.into()).collect();
        sort_labels(&mut labels);
        labels.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn many_labels_are_numbered_in_the_order_in_which_they_come() {
        let mut encoder: Encoder<i64> = Encoder::default();
        let labels = || (0..1000_i64).map(|i| (i * i) << 40);
        for _ in 0..3 {
            assert!(labels().map(|label| encoder.code(&label)).eq(0..1000));
        }
        assert!(encoder.into_labels().into_iter().eq(labels()));
    }

    #[test]
    fn numbers_sort_by_value_and_words_by_code_point() {
        assert_eq!(sorted(&["10", "-1", "9"]), ["-1", "9", "10"]);
        assert_eq!(sorted(&["b", "B", "a"]), ["B", "a", "b"]);
        assert_eq!(sorted(&["10", "9", "x"]), ["10", "9", "x"]);
    }
}
