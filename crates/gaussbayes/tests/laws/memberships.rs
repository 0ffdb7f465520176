//! Memberships of zero and one are labels.

use gaussbayes::{Memberships, Moments, Storage};
use proptest::prelude::*;

use super::{random_table, seeded};

proptest! {
    #![proptest_config(seeded(32))]

    #[test]
    fn one_hot_memberships_are_a_labelled_fit(
        seed in any::<u64>(), dim in 1usize..5, classes in 1usize..4,
    ) {
        let table = random_table(seed, 50, dim, classes);
        let block = table.block(0..50).unwrap();
        let codes = table.codes.as_ref().unwrap();
        let hot: Vec<f64> = codes
            .iter()
            .flat_map(|&code| (0..classes).map(move |k| f64::from(u8::from(k == code as usize))))
            .collect();
        for storage in [Storage::Full, Storage::Shared, Storage::Diagonal, Storage::Spherical] {
            let hard = Moments::of_block(&block, Memberships::Codes(codes), classes, storage).unwrap();
            let soft = Moments::of_block(&block, Memberships::Soft(&hot), classes, storage).unwrap();
            prop_assert_eq!(hard, soft);
        }
    }

    #[test]
    fn halves_of_a_row_add_up_to_it(seed in any::<u64>(), dim in 1usize..5) {
        let table = random_table(seed, 40, dim, 1);
        let block = table.block(0..40).unwrap();
        let halves = vec![0.5; 80];
        let whole = vec![0; 40];
        let hard = Moments::of_block(&block, Memberships::Codes(&whole), 1, Storage::Diagonal).unwrap();
        let soft = Moments::of_block(&block, Memberships::Soft(&halves), 2, Storage::Diagonal).unwrap();
        for k in 0..2 {
            prop_assert_eq!(soft.weight()[k], 20.0);
            for j in 0..dim {
                prop_assert!((soft.mean(k)[j] - hard.mean(0)[j]).abs() < 1e-14);
                let twice = 2.0 * soft.scatter()[k * dim + j];
                prop_assert!((twice - hard.scatter()[j]).abs() < 1e-13 * hard.scatter()[j]);
            }
        }
    }
}
