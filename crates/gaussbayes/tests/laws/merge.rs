//! Merging is what summing up all rows at once would have been: [M2] [M3] [M4].

use gaussbayes::{LabelStat, LabelSweep, Merge, Moments, Storage, Sweep, Table};
use proptest::prelude::*;

use super::{picked, random_table, seeded};

/// Weights, means and scatter in raw units, with the scale that rounding is measured on.
fn raw(moments: &Moments) -> (Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>) {
    let (dim, frame) = (moments.dim(), moments.frame());
    let unit = |j: usize| 2.0_f64.powi(frame.exponent()[j]);
    let mean = (0..moments.components() * dim)
        .map(|at| frame.origin()[at % dim] + moments.means()[at] * unit(at % dim))
        .collect();
    let widest = (0..dim).map(unit).fold(0.0, f64::max);
    let pairs: Vec<(usize, usize)> = match moments.storage() {
        Storage::Full | Storage::Shared => {
            (0..dim).flat_map(|i| (0..=i).map(move |j| (i, j))).collect()
        }
        Storage::Diagonal => (0..dim).map(|j| (j, j)).collect(),
        Storage::Spherical => vec![],
    };
    let factor = |at: usize| {
        pairs.get(at % pairs.len().max(1)).map_or(widest * widest, |&(i, j)| unit(i) * unit(j))
    };
    let scatter: Vec<f64> =
        moments.scatter().iter().enumerate().map(|(at, s)| s * factor(at)).collect();
    // Rounding is measured on √(S_ii S_jj); a scatter of zero may keep the square of a rounded mean.
    let total: f64 = moments.weight().iter().sum();
    let len = pairs.len().max(1);
    let diagonal = |at: usize, j: usize| {
        let place = pairs.iter().position(|pair| *pair == (j, j));
        scatter[at / len * len + place.unwrap_or(0)]
    };
    let scale = (0..scatter.len())
        .map(|at| {
            let (i, j) = pairs.get(at % len).copied().unwrap_or((0, 0));
            (diagonal(at, i) * diagonal(at, j)).sqrt() + 1e-18 * total * factor(at)
        })
        .collect();
    (moments.weight().to_vec(), mean, scatter, scale)
}

pub(super) fn assert_same(a: &LabelStat, b: &LabelStat) {
    assert_eq!(a.labels(), b.labels());
    let (weight, mean, scatter, scale) = raw(a.moments());
    let (other_weight, other_mean, other_scatter, _) = raw(b.moments());
    for (a, b) in weight.iter().zip(&other_weight) {
        assert!((a - b).abs() <= 1e-13 * a, "weight {a} {b}");
    }
    for (a, b) in mean.iter().zip(&other_mean) {
        assert!((a - b).abs() <= 1e-13 * (1.0 + a.abs()), "mean {a} {b}");
    }
    for ((a, b), scale) in scatter.iter().zip(&other_scatter).zip(&scale) {
        assert!((a - b).abs() <= 1e-12 * scale, "scatter {a} {b}");
    }
}

fn stat(table: &Table, storage: Storage, rows: std::ops::Range<usize>) -> LabelStat {
    LabelSweep::new(storage).block(&table.block(rows).unwrap()).unwrap()
}

/// A new storage is tested by one line.
macro_rules! merge_laws {
    ($($name:ident: $storage:expr,)*) => {$(
        mod $name {
            use super::*;

            proptest! {
                #![proptest_config(seeded(48))]

                #[test]
                fn parts_merge_to_the_whole(
                    seed in any::<u64>(), dim in 1usize..6, cut in 1usize..60, classes in 1usize..4,
                ) {
                    let table = random_table(seed, 61, dim, classes);
                    let whole = stat(&table, $storage, 0..61);
                    let parts = stat(&table, $storage, 0..cut).merge(stat(&table, $storage, cut..61));
                    assert_same(&whole, &parts);
                }

                #[test]
                fn merge_is_associative_and_commutative(
                    seed in any::<u64>(), dim in 1usize..6, classes in 1usize..4,
                ) {
                    let table = random_table(seed, 50, dim, classes);
                    let [a, b, c] = [0..7, 7..31, 31..50].map(|rows| stat(&table, $storage, rows));
                    let left = a.clone().merge(b.clone()).merge(c.clone());
                    let right = a.clone().merge(b.clone().merge(c.clone()));
                    assert_same(&left, &right);
                    assert_same(&a.clone().merge(b.clone()), &b.merge(a));
                }
            }

            #[test]
            fn no_rows_are_the_identity() {
                let table = random_table(1, 20, 3, 2);
                let all = stat(&table, $storage, 0..20);
                let none = stat(&table, $storage, 0..0);
                assert_eq!(all.clone().merge(none.clone()), all);
                assert_eq!(none.merge(all.clone()), all);
            }

            #[test]
            fn a_column_that_is_constant_in_each_part_has_the_scatter_between_them() {
                // Rows 1, 1, 4, 4 of one class: mean 2.5, scatter 9; 1e-160 of it as well.
                for unit in [1.0, 1e-160, 1e160] {
                    let mut table = random_table(1, 4, 1, 1);
                    table.values = vec![unit, unit, 4.0 * unit, 4.0 * unit];
                    let parts = stat(&table, $storage, 0..2).merge(stat(&table, $storage, 2..4));
                    let moments = parts.moments();
                    let scatter = moments.scatter()[0].sqrt()
                        * 2.0_f64.powi(moments.frame().exponent()[0]);
                    assert!((scatter / unit - 3.0).abs() < 1e-14, "{scatter}");
                }
            }
        }
    )*};
}

merge_laws! {
    full: Storage::Full,
    shared: Storage::Shared,
    diagonal: Storage::Diagonal,
    spherical: Storage::Spherical,
}

#[test]
fn classes_that_only_one_part_has_are_kept() {
    let table = random_table(3, 30, 2, 3);
    let of = |class: usize| picked(&table, &(class..30).step_by(3).collect::<Vec<_>>());
    for storage in [Storage::Full, Storage::Shared, Storage::Diagonal, Storage::Spherical] {
        let parts = [2, 0, 1].map(|class| stat(&of(class), storage, 0..10));
        let merged = parts.into_iter().reduce(Merge::merge).unwrap();
        assert_same(&stat(&table, storage, 0..30), &merged);
    }
}
