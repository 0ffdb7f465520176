//! Holds factored covariances to determinants and inverses that are known.

use super::*;
use crate::rng::Random;

#[test]
fn log_determinants_do_not_overflow() {
    let deviations = vec![1e-200, 1e-200, 1e200, 1e200];
    let covariance = Covariance::from_factor(Shape::Diagonal, 4, deviations).unwrap();
    assert!(covariance.log_det().abs() < 1e-12);
}

#[test]
fn precision_is_the_inverse() {
    // Σ = [[4, 2], [2, 3]] has inverse [[3, -2], [-2, 4]] / 8.
    let factor = vec![2.0, 1.0, 2.0_f64.sqrt()];
    let covariance = Covariance::from_factor(Shape::Full, 2, factor).unwrap();
    for (found, expected) in covariance.precision().iter().zip([0.375, -0.25, 0.5]) {
        assert!((found - expected).abs() < 1e-15);
    }
    assert!((covariance.triangle()[2] - 3.0).abs() < 1e-15);
}

#[test]
fn a_precision_solves_what_whitening_solves() {
    let mut random = Random::new(3, 0);
    for dim in [1, 2, 7, 8, 9, 20] {
        let mut factor: Vec<f64> =
            (0..dim * (dim + 1) / 2).map(|_| 0.3 * random.normal_pair().0).collect();
        (0..dim).for_each(|j| factor[lower_index(j, j)] = 1.0 + random.uniform());
        let covariance = Covariance::from_factor(Shape::Full, dim, factor).unwrap();
        let precision = covariance.precision();
        let largest = precision.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        for j in 0..dim {
            let mut column = vec![0.0; dim];
            column[j] = 1.0;
            covariance.whiten_rows(&mut column);
            covariance.unwhiten(&mut column);
            for (i, expected) in column.iter().enumerate() {
                let found = precision[lower_index(i.max(j), i.min(j))];
                assert!((found - expected).abs() < 1e-14 * largest, "{dim}: {found} {expected}");
            }
        }
    }
}

#[test]
fn averages_are_those_of_the_matrices() {
    let of = |shape, factor| Covariance::from_factor(shape, 2, factor).unwrap();
    let diagonal = of(Shape::Diagonal, vec![3e-200, 1.0]);
    let sphere = of(Shape::Spherical, vec![1e-200]);
    // ¼·9 + ¾·1 = 3 in units of 1e-400, which are no numbers.
    let average = Covariance::average(&[diagonal, sphere], &[0.25, 0.75]).unwrap();
    assert!((average.factor()[0] / 1e-200 - 3.0_f64.sqrt()).abs() < 1e-15);
    assert!((average.factor()[1] - 0.5).abs() < 1e-15);
    let full = of(Shape::Full, vec![2.0, 1.0, 2.0_f64.sqrt()]);
    let unit = of(Shape::Spherical, vec![1.0]);
    let average = Covariance::average(&[full, unit], &[0.5, 0.5]).unwrap();
    for (found, expected) in average.triangle().iter().zip([2.5, 1.0, 2.0]) {
        assert!((found - expected).abs() < 1e-15);
    }
    assert!((average.deviations()[0] - 2.5_f64.sqrt()).abs() < 1e-15);
}
