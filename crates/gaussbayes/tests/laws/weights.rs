//! A whole weight is that many copies of its row, and weight zero is no row: [M18].

use gaussbayes::Table;
use proptest::prelude::*;

use super::support::{distance, fit, models, posteriors};
use super::{picked, random_table, seeded};

fn weighted(table: &Table, seed: u64) -> (Table, Vec<usize>) {
    let mut random = gaussbayes::Random::new(seed, 9);
    let weights: Vec<f64> = (0..table.rows()).map(|_| random.below(4) as f64).collect();
    let copies = weights.iter().enumerate().flat_map(|(i, &w)| vec![i; w as usize]).collect();
    (Table { weights: Some(weights), ..table.clone() }, copies)
}

proptest! {
    #![proptest_config(seeded(32))]

    #[test]
    fn weight_is_repetition(seed in any::<u64>(), dim in 1usize..4, classes in 2usize..4) {
        let table = random_table(seed, 90, dim, classes);
        let (weighted, copies) = weighted(&table, seed);
        for (name, spec) in models() {
            let by_weight = fit(&spec, &weighted).unwrap().classifier;
            let by_copies = fit(&spec, &picked(&table, &copies)).unwrap().classifier;
            let apart = distance(&posteriors(&by_weight, &table), &posteriors(&by_copies, &table));
            prop_assert!(apart < 1e-9, "{name}: {apart}");
        }
    }
}

#[test]
fn a_row_of_weight_zero_is_absent_however_wild() {
    let table = random_table(5, 40, 3, 2);
    let mut wild = table.clone();
    wild.values[..3].copy_from_slice(&[1e300, -1e300, 1e-300]);
    let mut weights = vec![1.0; 40];
    weights[0] = 0.0;
    wild.weights = Some(weights);
    let without = picked(&table, &(1..40).collect::<Vec<_>>());
    for (name, spec) in models() {
        let a = fit(&spec, &wild).unwrap().classifier;
        let b = fit(&spec, &without).unwrap().classifier;
        let apart = distance(&posteriors(&a, &without), &posteriors(&b, &without));
        assert!(apart == 0.0, "{name}: {apart}");
    }
}

#[test]
fn scaling_all_weights_changes_no_posterior() {
    let table = random_table(6, 60, 3, 3);
    let scaled = Table { weights: Some(vec![0.125; 60]), ..table.clone() };
    for (name, spec) in models() {
        let (a, b) = (fit(&spec, &table).unwrap(), fit(&spec, &scaled).unwrap());
        let apart =
            distance(&posteriors(&a.classifier, &table), &posteriors(&b.classifier, &table));
        assert!(apart < 1e-12, "{name}: {apart}");
    }
}
