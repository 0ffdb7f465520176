//! Takes rows of a table in nested parts of which each has all classes, and orders its columns.

use crate::data::{Folds, Table};
use crate::error::Error;
use crate::moments::Storage;
use crate::rng::Random;
use crate::sweep::{LabelSweep, Sweep};

/// The streams of the orders: no run of folds comes that far.
const ORDERS: u64 = 1 << 63;

/// Rows of a fold, and all others in the order in which they are learnt from.
pub(super) struct Split {
    pub(super) tested: Vec<usize>,
    pub(super) learnt: Vec<usize>,
}

impl Split {
    /// Rows of weight zero are in neither part.
    pub(super) fn of(table: &Table, folds: Folds, fold: usize) -> Self {
        let place = folds.of_rows(0, table.rows());
        let counts = |&i: &usize| table.weights.as_ref().is_none_or(|weights| weights[i] > 0.0);
        let rows = (0..table.rows()).filter(counts);
        let (tested, learnt): (Vec<usize>, Vec<usize>) = rows.partition(|&i| place[i] == fold);
        let learnt = spread(table, &learnt, Random::new(folds.seed, ORDERS | fold as u64));
        Self { tested, learnt }
    }
}

/// The same rows at random, but so that the first of them, however many, have the classes in the shares of all.
fn spread(table: &Table, rows: &[usize], mut random: Random) -> Vec<usize> {
    let class = |i: usize| table.codes.as_ref().map_or(0, |codes| codes[i] as usize);
    let mut members = vec![Vec::new(); table.dictionary.len() + 1];
    let order = random.permutation(rows.len());
    for at in order {
        let own = class(rows[at]).min(table.dictionary.len());
        members[own].push(rows[at]);
    }
    let place =
        |(rank, row): (usize, usize), count: usize| ((rank as f64 + 0.5) / count as f64, row);
    let mut placed: Vec<(f64, usize)> = members
        .into_iter()
        .flat_map(|rows| {
            let count = rows.len();
            rows.into_iter().enumerate().map(move |ranked| place(ranked, count))
        })
        .collect();
    placed.sort_by(|a, b| a.0.total_cmp(&b.0));
    placed.into_iter().map(|(_, row)| row).collect()
}

/// Some rows of a table.
pub(super) fn picked(table: &Table, rows: &[usize]) -> Result<Table, Error> {
    let mut part = Table::default();
    part.push_block(&table.block(0..table.rows())?.picked(rows)?);
    Ok(part)
}

/// Some columns of a table.
pub(super) fn narrowed(table: &Table, columns: &[usize]) -> Table {
    let rows = table.values.chunks_exact(table.dim.max(1));
    let values = rows.flat_map(|row| columns.iter().map(|&j| row[j])).collect();
    Table { dim: columns.len(), values, ..table.clone() }
}

/// Columns by the ratio of their scatter between the classes to that within, the largest first \[M86\].
pub(super) fn separated(table: &Table) -> Result<Vec<usize>, Error> {
    let sweep = LabelSweep::new(Storage::Diagonal);
    let stat = sweep.block(&table.block(0..table.rows())?)?;
    let moments = stat.moments();
    let total: f64 = moments.weight().iter().sum();
    let ratio = |j: usize| {
        let each = || moments.weight().iter().enumerate().map(|(k, n)| (n, moments.mean(k)[j]));
        let mean = each().map(|(n, m)| n * m).sum::<f64>() / total;
        let between: f64 = each().map(|(n, m)| n * (m - mean) * (m - mean)).sum();
        let within: f64 = (0..moments.components()).map(|k| moments.scatter_of(k)[j]).sum();
        // A column without any scatter says nothing, one without scatter within everything.
        if between > 0.0 { between / within } else { 0.0 }
    };
    let ratios: Vec<f64> = (0..table.dim).map(ratio).collect();
    let mut order: Vec<usize> = (0..table.dim).collect();
    order.sort_by(|&a, &b| ratios[b].total_cmp(&ratios[a]));
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Label;

    #[test]
    fn parts_are_nested_and_have_the_classes_in_their_shares() {
        // Two thirds, a quarter and a twelfth of 240 rows, one after the other.
        let codes: Vec<u32> =
            (0..240).map(|i| if i < 160 { 0 } else { 1 + u32::from(i >= 220) }).collect();
        let table = Table {
            dim: 1,
            values: (0..240).map(f64::from).collect(),
            weights: Some((0..240).map(|i| if i == 7 { 0.0 } else { 1.0 }).collect()),
            codes: Some(codes.clone()),
            dictionary: ["a", "b", "c"].map(Label::from).to_vec(),
            ..Table::default()
        };
        let folds = Folds { count: 4, seed: 2 };
        let splits: Vec<Split> = (0..4).map(|fold| Split::of(&table, folds, fold)).collect();
        let mut tested: Vec<usize> = splits.iter().flat_map(|split| split.tested.clone()).collect();
        tested.sort_unstable();
        assert_eq!(tested, (0..240).filter(|i| *i != 7).collect::<Vec<_>>());
        for split in &splits {
            let whole = split.learnt.len() as f64;
            let count = |rows: &[usize], class: u32| {
                rows.iter().filter(|i| codes[**i] == class).count() as f64
            };
            for size in [12, 24, 60, split.learnt.len()] {
                for class in 0..3 {
                    let share = size as f64 * count(&split.learnt, class) / whole;
                    let found = count(&split.learnt[..size], class);
                    assert!((found - share).abs() <= 1.0, "{size} {class}: {found} {share}");
                }
            }
            assert!(split.learnt.iter().all(|i| !split.tested.contains(i)));
            assert!(!split.learnt.is_sorted());
        }
        assert_ne!(Split::of(&table, Folds { count: 4, seed: 3 }, 0).learnt, splits[0].learnt);
    }

    #[test]
    fn columns_are_ranked_by_their_f_ratio() {
        // Means 0 and 1 with scatter 4, 1 and 0 within, and no difference at all.
        let rows = [
            [-1.0, -0.5, 0.0, 3.0],
            [1.0, 0.5, 0.0, 4.0],
            [0.0, 0.5, 1.0, 3.0],
            [2.0, 1.5, 1.0, 4.0],
        ];
        let table = Table {
            dim: 4,
            values: rows.concat(),
            codes: Some(vec![0, 0, 1, 1]),
            dictionary: ["a", "b"].map(Label::from).to_vec(),
            ..Table::default()
        };
        assert_eq!(separated(&table).unwrap(), [2, 1, 0, 3]);
    }
}
