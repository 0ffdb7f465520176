//! Units, offsets and rotations change what they must and nothing else: [M1] [M17].

use gaussbayes::{CovarianceSpec, Family, Random, Scaling, Table};
use proptest::prelude::*;

use super::support::{distance, fit, labels, mapped, models, posteriors};
use super::{random_table, seeded};

/// A random matrix plus twice the identity: with these seeds of moderate condition.
fn matrix(seed: u64, dim: usize) -> Vec<f64> {
    let mut random = Random::new(seed, 5);
    let mut a: Vec<f64> = (0..dim * dim).map(|_| 0.5 * random.normal_pair().0).collect();
    (0..dim).for_each(|j| a[j * dim + j] += 2.0);
    a
}

fn transformed(table: &Table, a: &[f64], b: &[f64]) -> Table {
    let dim = table.dim;
    let image = |row: &[f64]| {
        let row = row.to_vec();
        (0..dim).map(move |i| (0..dim).map(|j| a[i * dim + j] * row[j]).sum::<f64>() + b[i])
    };
    let values = table.values.chunks_exact(dim).flat_map(image).collect();
    Table { values, ..table.clone() }
}

proptest! {
    #![proptest_config(seeded(32))]

    #[test]
    fn lda_and_qda_ignore_invertible_affine_maps(seed in any::<u64>(), dim in 1usize..5) {
        let table = random_table(seed, 80, dim, 3);
        let shift: Vec<f64> = (0..dim).map(|j| 10.0 * j as f64 - 7.0).collect();
        let image = transformed(&table, &matrix(seed, dim), &shift);
        for spec in [CovarianceSpec::lda(), CovarianceSpec::qda()] {
            let a = fit(&spec, &table).unwrap().classifier;
            let b = fit(&spec, &image).unwrap().classifier;
            prop_assert_eq!(labels(&a, &table), labels(&b, &image));
            let apart = distance(&posteriors(&a, &table), &posteriors(&b, &image));
            prop_assert!(apart < 1e-8, "{}: {apart}", spec.family);
        }
    }

    #[test]
    fn an_offset_changes_nothing(seed in any::<u64>(), dim in 1usize..4) {
        // Whole numbers: the shifted table holds the same values exactly.
        let table = mapped(&random_table(seed, 60, dim, 2), |_, x| (16.0 * x).round());
        let moved = mapped(&table, |j, x| x + 1e9 * (1.0 + j as f64));
        for (name, spec) in models() {
            let a = fit(&spec, &table).unwrap().classifier;
            let b = fit(&spec, &moved).unwrap().classifier;
            prop_assert_eq!(labels(&a, &table), labels(&b, &moved));
            let apart = distance(&posteriors(&a, &table), &posteriors(&b, &moved));
            prop_assert!(apart < 1e-9, "{name}: {apart}");
        }
    }

    #[test]
    fn one_unit_for_all_columns_changes_no_label(
        seed in any::<u64>(), dim in 1usize..4,
        unit in prop::sample::select(vec![1e-160, 1e-3, 7.0, 1e150]),
    ) {
        let table = random_table(seed, 60, dim, 2);
        let scaled = mapped(&table, |_, x| unit * x);
        for (name, spec) in models() {
            let a = fit(&spec, &table).unwrap().classifier;
            let b = fit(&spec, &scaled).unwrap().classifier;
            prop_assert_eq!(labels(&a, &table), labels(&b, &scaled), "{} {}", name, unit);
            if spec.family != Family::Unit {
                let apart = distance(&posteriors(&a, &table), &posteriors(&b, &scaled));
                prop_assert!(apart < 1e-9, "{name}: {apart}");
            }
        }
    }

    #[test]
    fn a_unit_per_column_changes_only_what_depends_on_units(seed in any::<u64>(), dim in 2usize..4) {
        let table = random_table(seed, 60, dim, 2);
        let scaled = mapped(&table, |j, x| x * [1e-150, 1.0, 1e150][j % 3]);
        for (name, spec) in models() {
            let standardized = CovarianceSpec { scaling: Scaling::Standardized, ..spec.clone() };
            let spec = if spec.depends_on_units() { standardized } else { spec };
            let a = fit(&spec, &table).unwrap().classifier;
            let b = fit(&spec, &scaled).unwrap().classifier;
            let apart = distance(&posteriors(&a, &table), &posteriors(&b, &scaled));
            prop_assert!(apart < 1e-9, "{name}: {apart}");
        }
    }

    #[test]
    fn spheres_ignore_rotations(seed in any::<u64>(), angle in 0.0f64..6.0) {
        let table = random_table(seed, 60, 2, 3);
        let (sin, cos) = angle.sin_cos();
        let turned = transformed(&table, &[cos, -sin, sin, cos], &[3.0, -1.0]);
        for family in [Family::Vii, Family::Eii, Family::Unit] {
            let a = fit(&family.into(), &table).unwrap().classifier;
            let b = fit(&family.into(), &turned).unwrap().classifier;
            let apart = distance(&posteriors(&a, &table), &posteriors(&b, &turned));
            prop_assert!(apart < 1e-9, "{family}: {apart}");
        }
    }

    #[test]
    fn standardising_is_dividing_by_the_deviation_first(seed in any::<u64>(), dim in 1usize..4) {
        let table = random_table(seed, 60, dim, 2);
        let column = |j: usize| table.values.iter().skip(j).step_by(dim);
        let mean: Vec<f64> = (0..dim).map(|j| column(j).sum::<f64>() / 60.0).collect();
        let deviation: Vec<f64> = (0..dim)
            .map(|j| (column(j).map(|x| (x - mean[j]).powi(2)).sum::<f64>() / 60.0).sqrt())
            .collect();
        let by_hand = mapped(&table, |j, x| (x - mean[j]) / deviation[j]);
        for (name, spec) in models() {
            let standardized = CovarianceSpec { scaling: Scaling::Standardized, ..spec.clone() };
            let a = fit(&standardized, &table).unwrap().classifier;
            let b = fit(&spec, &by_hand).unwrap().classifier;
            let apart = distance(&posteriors(&a, &table), &posteriors(&b, &by_hand));
            prop_assert!(apart < 1e-9, "{name}: {apart}");
        }
    }
}
