//! Families are nested, and richer ones never fit worse: [M6] [M25] [M26].

use gaussbayes::{
    CovarianceSpec, Family, Mixture, Priors, Scaling, Score, Shrinkage, Table, Target,
};
use proptest::prelude::*;

use super::support::{distance, fit, fit_with, posteriors, stat};
use super::{random_table, seeded};

/// Σ ln π_k p(x|C_k) over the rows, k the class of each.
fn log_joint(mixture: &Mixture, table: &Table) -> f64 {
    let scores = mixture.scores(&table.block(0..table.rows()).unwrap()).unwrap();
    let codes = table.codes.as_ref().unwrap();
    let score = |(i, &k): (usize, &u32)| {
        scores.common[i] + scores.relative[i * scores.components + k as usize]
    };
    codes.iter().enumerate().map(score).sum()
}

/// The letters of `a` allow all that those of `b` allow.
fn contains(a: &str, b: &str) -> bool {
    a.bytes().zip(b.bytes()).all(|(a, b)| a == b || (a == b'V' && b == b'E') || (b == b'I'))
}

proptest! {
    #![proptest_config(seeded(24))]

    #[test]
    fn no_family_fits_worse_than_one_nested_in_it(
        seed in any::<u64>(), dim in 2usize..6, classes in 2usize..5,
    ) {
        let table = random_table(seed, 30 * classes, dim, classes);
        let fitted: Vec<(&str, f64)> = Family::ALL[..14]
            .iter()
            .map(|&family| {
                let fitted = fit(&family.into(), &table).unwrap();
                let convergence = fitted.report.convergence;
                assert!(convergence.is_none_or(|c| c.converged), "{family}: {convergence:?}");
                (family.name(), log_joint(fitted.classifier.mixture().unwrap(), &table))
            })
            .collect();
        let mut pairs = 0;
        for (a, of_a) in &fitted {
            for (b, of_b) in fitted.iter().filter(|(b, _)| contains(a, b)) {
                pairs += 1;
                prop_assert!(of_a >= &(of_b - 1e-9 * of_b.abs()), "{a} {of_a} < {b} {of_b}");
            }
        }
        prop_assert!(pairs > 50, "{pairs}");
    }

    #[test]
    fn covariances_of_a_family_share_what_its_letters_say(seed in any::<u64>(), dim in 2usize..5) {
        let table = random_table(seed, 90, dim, 3);
        for &family in &Family::ALL[..14] {
            let mixture = fit(&family.into(), &table).unwrap().classifier;
            let model = mixture.mixture().unwrap();
            let volume = |k: usize| model.covariances().get(k).log_det();
            let equal = (1..3).all(|k| (volume(k) - volume(0)).abs() < 1e-8);
            prop_assert_eq!(equal, family.name().starts_with('E'), "{}", family);
            let diagonal = (0..3).all(|k| {
                let matrix = model.raw_covariance(k);
                let off = (0..dim).flat_map(|i| (0..i).map(move |j| i * (i + 1) / 2 + j));
                off.map(|at| matrix[at].abs()).sum::<f64>() < 1e-12
            });
            prop_assert_eq!(diagonal, family.name().ends_with('I'), "{}", family);
        }
    }

    #[test]
    fn regularised_discriminant_analysis_has_known_corners(seed in any::<u64>(), dim in 2usize..5) {
        let table = random_table(seed, 70, dim, 3);
        let of = |spec: &CovarianceSpec, priors: &Priors| {
            posteriors(&fit_with(spec, priors, &table).unwrap().classifier, &table)
        };
        for (lambda, gamma, family) in
            [(0.0, 0.0, Family::Vvv), (1.0, 0.0, Family::Eee), (0.0, 1.0, Family::Vii), (1.0, 1.0, Family::Eii)]
        {
            for priors in [Priors::Observed, Priors::Uniform] {
                let corner = of(&CovarianceSpec::rda(lambda, gamma), &priors);
                let apart = distance(&corner, &of(&family.into(), &priors));
                prop_assert!(apart < 1e-11, "({lambda}, {gamma}) and {family}: {apart:e}");
            }
        }
        // One sphere for all and equal priors: the nearest mean.
        let corner = fit_with(&CovarianceSpec::rda(1.0, 1.0), &Priors::Uniform, &table).unwrap();
        let nearest = fit(&CovarianceSpec::nearest_mean(), &table).unwrap();
        prop_assert_eq!(
            super::support::labels(&corner.classifier, &table),
            super::support::labels(&nearest.classifier, &table)
        );
    }

    #[test]
    fn shrinking_all_the_way_is_the_simpler_family(seed in any::<u64>(), dim in 2usize..5) {
        let table = random_table(seed, 70, dim, 3);
        let of = |spec: &CovarianceSpec| posteriors(&fit(spec, &table).unwrap().classifier, &table);
        let shrunk = |family: Family, target| {
            let shrinkage = Some(Shrinkage::fixed(1.0, target));
            CovarianceSpec { shrinkage, ..family.into() }
        };
        for (family, target, simpler) in [
            (Family::Vvv, Target::Shared, Family::Eee),
            (Family::Vvv, Target::Diagonal, Family::Vvi),
            (Family::Vve, Target::Diagonal, Family::Vvi),
            (Family::Evv, Target::Diagonal, Family::Evi),
            (Family::Vee, Target::Diagonal, Family::Vei),
            (Family::Vee, Target::Shared, Family::Eee),
            (Family::Vvi, Target::Spherical, Family::Vii),
            (Family::Eee, Target::Diagonal, Family::Eei),
        ] {
            let apart = distance(&of(&shrunk(family, target)), &of(&simpler.into()));
            prop_assert!(apart < 1e-9, "{family} to {simpler}: {apart:e}");
        }
    }

    #[test]
    fn an_earlier_estimate_never_makes_it_worse(seed in any::<u64>(), dim in 2usize..5) {
        let table = random_table(seed, 90, dim, 3);
        let scalings = [Scaling::Raw, Scaling::Standardized];
        for (family, scaling) in [Family::Eve, Family::Vve].iter().flat_map(|f| scalings.map(|s| (*f, s))) {
            let spec = CovarianceSpec { scaling, ..family.into() };
            let (_, moments) = stat(&spec, &table).unwrap().sorted();
            let first = spec.estimate(&moments, &Priors::Observed, None).unwrap().mixture;
            let again = spec.estimate(&moments, &Priors::Observed, Some(&first)).unwrap().mixture;
            let gain = log_joint(&again, &table) - log_joint(&first, &table);
            prop_assert!(gain.abs() < 1e-7, "{family}: {gain:e}");
        }
    }
}
