//! Finds the median of each class, column by column \[M33\].

use std::collections::BTreeMap;

use crate::data::{Label, Source, class_order};
use crate::error::Error;
use crate::sweep::{On, each_block, present};
use crate::tolerance::HALF_WEIGHT;

/// Rows of one class and their weights.
#[derive(Debug, Default)]
struct Group {
    values: Vec<f64>,
    weights: Vec<f64>,
}

/// The classes, sorted as [`crate::LabelStat::sorted`] sorts them, and the median of each column of
/// each, class by class.
///
/// Of rows with a positive weight; a whole weight is that many copies of its row. Between the two
/// middle rows the median is halfway. Medians are no sums: **all rows are held in memory**. The source
/// is read from where it stands: rewind it for a second pass.
///
/// # Errors
/// What the source refuses, [`Error::NoLabel`] for a row without one, [`Error::NoRows`].
pub fn class_medians<S: Source>(
    source: &mut S,
    on: On<'_>,
) -> Result<(Vec<Label>, Vec<f64>), S::Error> {
    let dim = source.dim();
    let mut groups: BTreeMap<Label, Group> = BTreeMap::new();
    each_block(
        source,
        on,
        |block| {
            let (labels, codes) = present(block)?;
            let mut parts: Vec<Group> = labels.iter().map(|_| Group::default()).collect();
            let mut row = vec![0.0; dim];
            for (i, &code) in codes.iter().enumerate() {
                if block.weight(i) > 0.0 {
                    block.rows().read(i, &mut row);
                    parts[code as usize].values.extend(&row);
                    parts[code as usize].weights.push(block.weight(i));
                }
            }
            Ok((labels, parts))
        },
        |(labels, parts)| {
            for (label, part) in labels.into_iter().zip(parts) {
                let group = groups.entry(label).or_default();
                group.values.extend(part.values);
                group.weights.extend(part.weights);
            }
            Ok(())
        },
    )?;
    if groups.is_empty() {
        return Err(Error::NoRows.into());
    }
    let (labels, groups): (Vec<Label>, Vec<Group>) = groups.into_iter().unzip();
    let order = class_order(&labels);
    let medians = order.iter().flat_map(|&k| (0..dim).map(move |j| (k, j)));
    let medians = medians.map(|(k, j)| groups[k].median(j, dim)).collect();
    Ok((order.iter().map(|&k| labels[k].clone()).collect(), medians))
}

impl Group {
    fn median(&self, j: usize, dim: usize) -> f64 {
        let column = self.values.iter().skip(j).step_by(dim).copied();
        if self.weights.iter().all(|weight| *weight == self.weights[0]) {
            return middle(&mut column.collect::<Vec<f64>>());
        }
        let mut pairs: Vec<(f64, f64)> = column.zip(self.weights.iter().copied()).collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        weighted_middle(&pairs)
    }
}

fn middle(values: &mut [f64]) -> f64 {
    let half = values.len() / 2;
    let even = values.len().is_multiple_of(2);
    let (below, &mut upper, _) = values.select_nth_unstable_by(half, f64::total_cmp);
    let lower = below.iter().copied().max_by(f64::total_cmp).filter(|_| even);
    lower.map_or(upper, |lower| lower.midpoint(upper))
}

/// Halfway between the first value with at least half of the weight up to it, and the first with more.
fn weighted_middle(sorted: &[(f64, f64)]) -> f64 {
    let half = 0.5 * sums(sorted).last().unwrap_or(0.0);
    let slack = HALF_WEIGHT * half;
    let first = |bound: f64| {
        let at = sums(sorted).position(|sum| sum > bound);
        sorted[at.unwrap_or(sorted.len() - 1)].0
    };
    first(half - slack).midpoint(first(half + slack))
}

/// Running sums, each with what rounding has taken from it (Neumaier 1974): that neither the order nor
/// the number of weights decides what is half of them.
fn sums(pairs: &[(f64, f64)]) -> impl Iterator<Item = f64> + '_ {
    let (mut sum, mut lost) = (0.0_f64, 0.0);
    pairs.iter().map(move |&(_, weight)| {
        let next = sum + weight;
        lost += if sum >= weight { (sum - next) + weight } else { (weight - next) + sum };
        sum = next;
        sum + lost
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64], weights: &[f64]) -> f64 {
        Group { values: values.to_vec(), weights: weights.to_vec() }.median(0, 1)
    }

    #[test]
    fn a_median_has_half_of_the_weight_on_either_side() {
        assert_eq!(of(&[3.0, 1.0, 2.0], &[1.0; 3]), 2.0);
        assert_eq!(of(&[4.0, 1.0, 2.0, 3.0], &[1.0; 4]), 2.5);
        // 1, 2, 2, 2, 9 and 1, 2, 9, 9: the middle is 2, and halfway from 2 to 9.
        assert_eq!(of(&[9.0, 2.0, 1.0], &[1.0, 3.0, 1.0]), 2.0);
        assert_eq!(of(&[9.0, 2.0, 1.0], &[2.0, 1.0, 1.0]), 5.5);
        // 0.1 + 0.2 and 0.3 are each half of 0.6, though not to the last digit.
        assert_eq!(of(&[1.0, 2.0, 3.0], &[0.1, 0.2, 0.3]), 2.5);
        assert_eq!(of(&[3.0, 2.0, 1.0], &[0.1, 0.2, 0.3]), 1.5);
        assert_eq!(of(&[1e308, 1.5e308], &[1.0; 2]), 1.25e308);
    }
}
