//! Simpler families agree with richer ones where the data leave no difference.

use gaussbayes::{CovarianceSpec, Family, Pooling, Priors, Table};
use proptest::prelude::*;

use super::support::{distance, fit, fit_with, posteriors};
use super::{random_table, seeded};

/// Two classes, of which the second is the first moved along.
fn moved_copies(seed: u64, dim: usize) -> Table {
    let one = random_table(seed, 40, dim, 1);
    let moved = one.values.iter().map(|x| x + 2.0);
    let mut table = random_table(seed, 80, dim, 2);
    table.values = one.values.iter().copied().chain(moved).collect();
    table.codes = Some([vec![0; 40], vec![1; 40]].concat());
    table
}

/// Each class with every combination of signs about its mean: its covariance is diagonal.
fn mirrored(seed: u64) -> Table {
    let half = random_table(seed, 20, 2, 2);
    let mut table = random_table(seed, 80, 2, 2);
    let centre = [0.0, 3.0];
    table.values.clear();
    for (i, row) in half.values.chunks_exact(2).enumerate() {
        for signs in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]] {
            table.values.extend([0, 1].map(|j| centre[i % 2] + signs[j] * row[j]));
        }
    }
    table.codes = Some((0..80).map(|i| (i / 4 % 2) as u32).collect());
    table
}

fn apart(a: &CovarianceSpec, b: &CovarianceSpec, table: &Table) -> f64 {
    let of = |spec| posteriors(&fit_with(spec, &Priors::Uniform, table).unwrap().classifier, table);
    distance(&of(a), &of(b))
}

proptest! {
    #![proptest_config(seeded(24))]

    #[test]
    fn shared_is_per_class_when_class_covariances_agree(seed in any::<u64>(), dim in 1usize..5) {
        let table = moved_copies(seed, dim);
        for (each, one) in
            [(Family::Vvv, Family::Eee), (Family::Vvi, Family::Eei), (Family::Vii, Family::Eii)]
        {
            let apart = apart(&each.into(), &one.into(), &table);
            prop_assert!(apart < 1e-9, "{each} and {one}: {apart}");
        }
        let average = CovarianceSpec { pooling: Pooling::Average, ..CovarianceSpec::lda() };
        prop_assert!(apart(&average, &CovarianceSpec::lda(), &table) < 1e-9);
    }

    #[test]
    fn diagonal_is_full_when_sample_covariances_are_diagonal(seed in any::<u64>()) {
        let table = mirrored(seed);
        for (full, diagonal) in [(Family::Vvv, Family::Vvi), (Family::Eee, Family::Eei)] {
            let apart = apart(&full.into(), &diagonal.into(), &table);
            prop_assert!(apart < 1e-9, "{full} and {diagonal}: {apart}");
        }
    }

    #[test]
    fn one_column_has_no_shape(seed in any::<u64>()) {
        let table = random_table(seed, 60, 1, 3);
        for family in [Family::Vvi, Family::Vii] {
            prop_assert!(apart(&family.into(), &CovarianceSpec::qda(), &table) < 1e-12);
        }
        for family in [Family::Eei, Family::Eii] {
            prop_assert!(apart(&family.into(), &CovarianceSpec::lda(), &table) < 1e-12);
        }
    }

    #[test]
    fn the_unit_family_is_the_euclidean_nearest_mean(seed in any::<u64>(), dim in 1usize..5) {
        let table = random_table(seed, 60, dim, 3);
        let classifier = fit(&CovarianceSpec::nearest_mean(), &table).unwrap().classifier;
        let codes = table.codes.as_ref().unwrap();
        let rows: Vec<&[f64]> = table.values.chunks_exact(dim).collect();
        let mean = |k: u32| {
            let of: Vec<&&[f64]> =
                rows.iter().zip(codes).filter(|(_, c)| **c == k).map(|(r, _)| r).collect();
            (0..dim).map(|j| of.iter().map(|r| r[j]).sum::<f64>() / of.len() as f64).collect()
        };
        let means: Vec<Vec<f64>> = (0..3).map(mean).collect();
        let squared = |row: &[f64], m: &Vec<f64>| row.iter().zip(m).map(|(x, m)| (x - m).powi(2)).sum::<f64>();
        let nearest: Vec<String> = rows
            .iter()
            .map(|row| {
                let best = (0..3).min_by(|&a, &b| squared(row, &means[a]).total_cmp(&squared(row, &means[b])));
                format!("c{}", best.unwrap())
            })
            .collect();
        prop_assert_eq!(super::support::labels(&classifier, &table), nearest);
    }
}
