//! Sums without rows: what is estimated of them keeps its bits, and they merge in any order.

use gaussbayes::{LabelStat, On, Pool, Storage, Table, Training, rows_per_block};
use proptest::prelude::*;

use super::merge::assert_same;
use super::{picked, random_table, seeded};

const DIM: usize = 70;

fn added(mut training: Training, table: &Table) -> Training {
    let pool = Pool::new(2).unwrap();
    training.add(&mut table.source(), On::pool(&pool)).unwrap();
    training
}

fn of(storage: Storage, table: &Table) -> Training {
    added(Training::new(storage, table.dim), table)
}

/// A table with weights, some of them 0, in parts of these shares.
fn parts(seed: u64, rows: usize, dim: usize, shares: &[f64]) -> (Table, Vec<Table>) {
    let mut table = random_table(seed, rows, dim, 3);
    table.weights = Some((0..rows).map(|i| [1.0, 0.0, 0.25, 7.0][(i + i / 3) % 4]).collect());
    let total: f64 = shares.iter().sum();
    let mut ends: Vec<usize> = vec![0];
    let mut sum = 0.0;
    for share in shares {
        sum += share;
        ends.push((rows as f64 * sum / total).round() as usize);
    }
    let part = |pair: &[usize]| picked(&table, &(pair[0]..pair[1]).collect::<Vec<_>>());
    let parts = ends.windows(2).map(part).collect();
    (table, parts)
}

/// Merged pair by pair as `order` says, each time with the result put back at the end.
fn merged(mut parts: Vec<Training>, mut order: impl FnMut(usize) -> usize) -> LabelStat {
    while parts.len() > 1 {
        let one = parts.remove(order(parts.len()));
        let other = parts.remove(order(parts.len()));
        parts.push(one.merge(&other).unwrap());
    }
    parts[0].stat().unwrap()
}

proptest! {
    #![proptest_config(seeded(8))]

    #[test]
    fn closing_keeps_every_bit_of_the_sums(
        seed in any::<u64>(), blocks in 0usize..3, rest in 0usize..40,
    ) {
        let table = random_table(seed, blocks * rows_per_block(DIM) + rest, DIM, 3);
        for storage in Storage::ALL {
            let open = of(storage, &table);
            let closed = open.closed().unwrap();
            prop_assert_eq!(closed.tail().rows(), 0);
            prop_assert!(closed.tree().stack().len() <= 1);
            prop_assert_eq!(closed.stat(), open.stat());
            prop_assert_eq!(closed.closed().unwrap(), closed);
        }
    }

    #[test]
    fn closed_parts_merge_in_any_order_and_stages(
        seed in any::<u64>(), order in any::<u64>(), dim in 1usize..6,
        shares in prop::collection::vec(0.05f64..1.0, 2..12),
    ) {
        let (table, parts) = parts(seed, 400, dim, &shares);
        for storage in Storage::ALL {
            let whole = of(storage, &table).stat().unwrap();
            let closed: Vec<Training> =
                parts.iter().map(|part| of(storage, part).closed().unwrap()).collect();
            assert_same(&whole, &merged(closed.clone(), |_| 0));
            let mut state = order;
            let any = |count: usize| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
                (state >> 33) as usize % count
            };
            assert_same(&whole, &merged(closed, any));
        }
    }

    #[test]
    fn rows_join_closed_sums(seed in any::<u64>(), share in 0.01f64..0.99) {
        let rows = 2 * rows_per_block(DIM) + 50;
        let (table, parts) = parts(seed, rows, DIM, &[share, 1.0 - share]);
        let whole = of(Storage::Shared, &table).stat().unwrap();
        let closed = of(Storage::Shared, &parts[0]).closed().unwrap();
        assert_same(&whole, &added(closed, &parts[1]).stat().unwrap());
    }
}

#[test]
fn no_rows_close_to_nothing() {
    let none = Training::new(Storage::Full, 2).closed().unwrap();
    assert!(none.tree().stack().is_empty() && none.stat().is_err());
    let some = of(Storage::Full, &random_table(4, 9, 2, 2)).closed().unwrap();
    assert_eq!(none.merge(&some).unwrap().stat(), some.stat());
    assert_eq!(some.merge(&none).unwrap().stat(), some.stat());
    // Rows of weight 0 are none.
    let weightless = Table { weights: Some(vec![0.0; 9]), ..random_table(4, 9, 2, 2) };
    assert!(of(Storage::Full, &weightless).closed().unwrap().tree().stack().is_empty());
}

/// A merge tree has forty levels: parts that come one by one may not claim one each.
#[test]
fn hundreds_of_parts_merge_one_after_the_other() {
    let table = random_table(6, 600, 3, 2);
    let part = |k: usize| of(Storage::Full, &picked(&table, &[2 * k, 2 * k + 1]));
    let one_by_one = (1..300).fold(part(0), |sum, k| sum.merge(&part(k)).unwrap());
    assert_same(&of(Storage::Full, &table).stat().unwrap(), &one_by_one.stat().unwrap());
    assert!(one_by_one.tree().blocks() <= 600, "{} blocks", one_by_one.tree().blocks());
}
