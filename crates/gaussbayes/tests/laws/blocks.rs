//! Neither the size of blocks, nor the order of rows, nor their precision in memory shows.

use gaussbayes::{Block, Classifier, LabelSweep, Labels, Random, Rows, Sweep, Tree};
use proptest::prelude::*;

use super::support::{distance, features, fit, models, posteriors};
use super::{picked, random_table, seeded};

proptest! {
    #![proptest_config(seeded(24))]

    #[test]
    fn block_size_does_not_matter(
        seed in any::<u64>(), dim in 1usize..5, size in prop::sample::select(vec![1, 2, 3, 17, 1000]),
    ) {
        let table = random_table(seed, 90, dim, 3);
        for (name, spec) in models() {
            let sweep = LabelSweep::new(spec.storage());
            let mut tree = Tree::default();
            for start in (0..90).step_by(size) {
                let block = table.block(start..(start + size).min(90)).unwrap();
                tree.push(sweep.block(&block).unwrap());
            }
            let stat = tree.fold().unwrap();
            let in_blocks =
                Classifier::fit(&spec, &spec.default_priors(), stat, &features(&table)).unwrap();
            let at_once = fit(&spec, &table).unwrap();
            let apart = distance(
                &posteriors(&in_blocks.classifier, &table),
                &posteriors(&at_once.classifier, &table),
            );
            prop_assert!(apart < 1e-9, "{name}: {apart}");
        }
    }

    #[test]
    fn row_order_does_not_matter(seed in any::<u64>(), dim in 1usize..5) {
        let table = random_table(seed, 80, dim, 2);
        let shuffled = picked(&table, &Random::new(seed, 3).permutation(80));
        for (name, spec) in models() {
            let a = fit(&spec, &table).unwrap().classifier;
            let b = fit(&spec, &shuffled).unwrap().classifier;
            let apart = distance(&posteriors(&a, &table), &posteriors(&b, &table));
            prop_assert!(apart < 1e-9, "{name}: {apart}");
        }
    }

    #[test]
    fn single_precision_rows_count_as_the_numbers_they_are(seed in any::<u64>(), dim in 1usize..5) {
        let mut table = random_table(seed, 60, dim, 2);
        let single: Vec<f32> = table.values.iter().map(|&x| x as f32).collect();
        table.values = single.iter().map(|&x| f64::from(x)).collect();
        let labels = Labels {
            codes: table.codes.clone().unwrap().into(),
            dictionary: table.dictionary.clone().into(),
        };
        let rows = Rows::new_f32(single, dim).unwrap();
        let block = Block::new(0, rows, None, Some(labels)).unwrap();
        for (name, spec) in models() {
            let sweep = LabelSweep::new(spec.storage());
            let double = sweep.block(&table.block(0..60).unwrap()).unwrap();
            prop_assert!(sweep.block(&block).unwrap() == double, "{name}");
        }
    }
}

#[test]
fn strided_rows_are_the_rows_they_skip_to() {
    let values: Vec<f64> = (0..12).map(f64::from).collect();
    let rows = Rows::strided(&values, 2, 4, 3).unwrap();
    let mut row = [0.0; 2];
    rows.read(2, &mut row);
    assert_eq!(row, [8.0, 9.0]);
    assert!(Rows::strided(&values, 2, 4, 4).is_err());
}
