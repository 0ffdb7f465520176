//! Leaving a row out is refitting without it, in closed form or not: [M32].

use gaussbayes::{
    Amount, CovarianceSpec, Density, Family, Pooling, Priors, Random, Ridge, Scaling, Shrinkage,
    Table, Target,
};
use proptest::prelude::*;

use super::support::{fit_with, left_out_posterior, models};
use super::{picked, random_table, seeded};

/// Largest distance of posteriors from those of explicit refits.
fn apart(spec: &CovarianceSpec, priors: &Priors, table: &Table) -> f64 {
    let posterior = left_out_posterior(spec, priors, table).unwrap();
    let mut apart = 0.0_f64;
    for i in 0..table.rows() {
        if table.weights.as_ref().is_some_and(|weights| weights[i] == 0.0) {
            continue;
        }
        let rest: Vec<usize> = (0..table.rows()).filter(|&j| j != i).collect();
        let refit = fit_with(spec, priors, &picked(table, &rest)).unwrap().classifier;
        let expected = refit.predict(&table.block(i..i + 1).unwrap()).unwrap().posterior;
        for (found, expected) in posterior.probs(i).zip(expected.probs(0)) {
            apart = apart.max((found - expected).abs());
        }
    }
    apart
}

/// Everything else that a specification can say.
pub(super) fn options() -> Vec<CovarianceSpec> {
    let toward = |amount, target| Some(Shrinkage::Toward { amount, target });
    let qda = CovarianceSpec::qda;
    let lda = CovarianceSpec::lda;
    vec![
        CovarianceSpec { shrinkage: toward(Amount::Fixed(0.3), Target::Spherical), ..qda() },
        CovarianceSpec { shrinkage: toward(Amount::Fixed(0.3), Target::Diagonal), ..lda() },
        CovarianceSpec { shrinkage: toward(Amount::Fixed(0.3), Target::Shared), ..qda() },
        CovarianceSpec { shrinkage: toward(Amount::Fixed(0.3), Target::Unit), ..qda() },
        CovarianceSpec { shrinkage: toward(Amount::Fixed(0.3), Target::Unit), ..lda() },
        CovarianceSpec { shrinkage: toward(Amount::Fixed(1.0), Target::Unit), ..qda() },
        CovarianceSpec { shrinkage: toward(Amount::Oas, Target::Diagonal), ..qda() },
        CovarianceSpec { shrinkage: toward(Amount::Oas, Target::Spherical), ..lda() },
        CovarianceSpec { shrinkage: toward(Amount::LedoitWolf, Target::Diagonal), ..lda() },
        CovarianceSpec { shrinkage: toward(Amount::LedoitWolf, Target::Spherical), ..qda() },
        CovarianceSpec::rda(0.4, 0.2),
        CovarianceSpec { ridge: Ridge::OfEach(0.01), ..qda() },
        CovarianceSpec { ridge: Ridge::OfWidest(0.01), ..Family::Vvi.into() },
        CovarianceSpec { scaling: Scaling::Standardized, ..Family::Vii.into() },
        CovarianceSpec { scaling: Scaling::Standardized, ..lda() },
        CovarianceSpec { pooling: Pooling::Average, ..lda() },
        CovarianceSpec { pooling: Pooling::Priors, ..Family::Evv.into() },
        CovarianceSpec { pooling: Pooling::Average, ..Family::Eii.into() },
        CovarianceSpec { density: Density::Predictive, ..qda() },
        CovarianceSpec { density: Density::Debiased, ..lda() },
    ]
}

proptest! {
    #![proptest_config(seeded(6))]

    #[test]
    fn every_family_with_and_without_ddof(seed in any::<u64>(), dim in 1usize..5, ddof in 0u32..2) {
        let table = random_table(seed, 40, dim, 3);
        for (name, spec) in models() {
            let spec = CovarianceSpec { ddof, ..spec };
            let apart = apart(&spec, &spec.default_priors(), &table);
            prop_assert!(apart < 1e-10, "{name}, ddof {ddof}: {apart:e}");
        }
    }

    #[test]
    fn every_option(seed in any::<u64>(), dim in 2usize..5) {
        let table = random_table(seed, 36, dim, 2);
        for spec in options() {
            let apart = apart(&spec, &spec.default_priors(), &table);
            prop_assert!(apart < 1e-10, "{spec:?}: {apart:e}");
        }
    }

    #[test]
    fn weights_and_priors(seed in any::<u64>()) {
        let mut table = random_table(seed, 36, 2, 2);
        let mut random = Random::new(seed, 9);
        let weights = (0..36).map(|_| f64::from(random.below(4) as u32)).collect();
        table.weights = Some(weights);
        for (name, spec) in models() {
            for priors in [Priors::Observed, Priors::Uniform, Priors::Given(vec![0.7, 0.3])] {
                let apart = apart(&spec, &priors, &table);
                prop_assert!(apart < 1e-10, "{name}, {priors:?}: {apart:e}");
            }
        }
    }

    #[test]
    fn a_row_that_its_class_hangs_on(seed in any::<u64>(), exponent in 2i32..9) {
        // One row far away holds nearly all the scatter of its class: nothing may be subtracted.
        let mut table = random_table(seed, 30, 2, 2);
        table.values[0] += 10.0_f64.powi(exponent);
        for (name, spec) in models() {
            // Classes that share shapes but not axes take the long axis over, across their columns:
            // matrices of that condition have no digits left to compare.
            if exponent > 4 && !spec.family.follows_units() {
                continue;
            }
            let apart = apart(&spec, &spec.default_priors(), &table);
            prop_assert!(apart < 1e-8, "{name}: {apart:e}");
        }
        for spec in options().into_iter().filter(|spec| !spec.depends_on_units()) {
            let apart = apart(&spec, &spec.default_priors(), &table);
            prop_assert!(apart < 1e-8, "{spec:?}: {apart:e}");
        }
    }
}

proptest! {
    #![proptest_config(seeded(3))]

    #[test]
    fn closed_forms_know_their_limits(seed in any::<u64>(), dim in 2usize..4, ddof in 0u32..2, weighted in any::<bool>()) {
        let mut table = random_table(seed, 36, dim, 3);
        if weighted {
            let mut random = Random::new(seed, 9);
            table.weights = Some((0..36).map(|_| f64::from(1 + random.below(3) as u32)).collect());
        }
        let spherical = Some(Shrinkage::fixed(0.3, Target::Spherical));
        let mut specs = Vec::new();
        for family in [Family::Vvv, Family::Eee, Family::Evv, Family::Vvi, Family::Eei, Family::Evi, Family::Eii] {
            for pooling in Pooling::ALL {
                let plain = CovarianceSpec { ddof, pooling, ..family.into() };
                if family != Family::Eii {
                    specs.push(CovarianceSpec { shrinkage: spherical, ..plain.clone() });
                }
                specs.push(CovarianceSpec { ridge: Ridge::OfEach(0.1), ..plain.clone() });
                specs.push(CovarianceSpec { ridge: Ridge::OfWidest(0.1), ..plain.clone() });
                specs.push(CovarianceSpec { scaling: Scaling::Standardized, ..plain.clone() });
                specs.push(plain);
            }
        }
        for option in options() {
            specs.push(CovarianceSpec { ddof, ..option });
        }
        for spec in specs {
            let priors = Priors::Given(vec![0.5, 0.3, 0.2]);
            let apart = apart(&spec, &priors, &table);
            prop_assert!(apart < 1e-10, "{spec:?}: {apart:e}");
        }
    }
}

#[test]
fn log_odds_of_a_row_that_its_class_hangs_on() {
    // Posteriors of a row far away are 0 and 1 whatever happens to digits; log-odds are not.
    for (seed, exponent) in (0..4).flat_map(|seed| (2..9).map(move |e| (seed, e))) {
        let mut table = random_table(seed, 30, 2, 2);
        table.values[0] += 10.0_f64.powi(exponent);
        let rest: Vec<usize> = (1..30).collect();
        for (name, spec) in models() {
            if exponent > 4 && !spec.family.follows_units() {
                continue;
            }
            let priors = spec.default_priors();
            let found = left_out_posterior(&spec, &priors, &table).unwrap();
            let refit = fit_with(&spec, &priors, &picked(&table, &rest)).unwrap().classifier;
            let expected = refit.predict(&table.block(0..1).unwrap()).unwrap().posterior;
            let odds = |p: &gaussbayes::Posterior| p.log_prob(0, 0) - p.log_prob(0, 1);
            let (a, b) = (odds(&found), odds(&expected));
            assert!((a - b).abs() < 1e-8 * (1.0 + b.abs()), "{name}, {seed}, {exponent}: {a} {b}");
        }
    }
}

#[test]
fn within_a_range() {
    let three = random_table(5, 30, 3, 2);
    let rows = three.values.chunks_exact(3).flat_map(|r| [r[0], r[1], r[2], r[0] - r[2]]).collect();
    let table = Table { dim: 4, values: rows, ..three };
    for family in [Family::Vvv, Family::Eee, Family::Evv] {
        let on_singular = gaussbayes::OnSingular::RANGE;
        let spec = CovarianceSpec { on_singular, ..family.into() };
        let found = apart(&spec, &Priors::Observed, &table);
        assert!(found < 1e-9, "{family}: {found:e}");
        let on_singular = gaussbayes::OnSingular::Range { above: 0.5 };
        let spec = CovarianceSpec { on_singular, ..family.into() };
        let found = apart(&spec, &Priors::Observed, &table);
        assert!(found < 1e-9, "{family}: {found:e}");
    }
}

#[test]
fn a_divisor_that_the_row_takes_along() {
    // Three rows of weight ½ in each of two classes: 1½ − 1 is a divisor, 1 − 1 is none.
    let mut table = random_table(8, 6, 1, 2);
    table.weights = Some(vec![0.5; 6]);
    for (name, spec) in models() {
        let spec = CovarianceSpec { ddof: 1, ..spec };
        if spec.family.sharing() == gaussbayes::Sharing::PerClass {
            assert!(left_out_posterior(&spec, &Priors::Observed, &table).is_err(), "{name}");
        }
    }
}

#[test]
fn the_only_row_of_its_class_is_judged_by_the_priors_of_the_others() {
    let mut table = random_table(2, 31, 2, 3);
    table.codes = Some((0..31).map(|i| if i == 7 { 1 } else { 2 * (i % 2) }).collect());
    let spec = CovarianceSpec::lda();
    let given = Priors::Given(vec![0.5, 0.2, 0.3]);
    let found = left_out_posterior(&spec, &given, &table).unwrap();
    let rest: Vec<usize> = (0..31).filter(|&i| i != 7).collect();
    let others = Priors::Given(vec![0.625, 0.375]);
    let refit = fit_with(&spec, &others, &picked(&table, &rest)).unwrap().classifier;
    let expected = refit.predict(&table.block(7..8).unwrap()).unwrap().posterior;
    let (found, expected): (Vec<f64>, Vec<f64>) =
        (found.probs(7).collect(), expected.probs(0).collect());
    assert!((found[0] - expected[0]).abs() < 1e-10 && found[1] == 0.0, "{found:?} {expected:?}");
}

#[test]
fn averages_of_classes_that_hardly_have_a_divisor() {
    let average = CovarianceSpec { pooling: Pooling::Average, ..CovarianceSpec::lda() };
    let mut lone = random_table(4, 21, 2, 2);
    lone.codes = Some((0..21).map(|i| u32::from(i == 7)).collect());
    let posterior = left_out_posterior(&average, &Priors::Observed, &lone).unwrap();
    assert_eq!(posterior.probs(7).collect::<Vec<_>>(), [1.0, 0.0]);
    let mut pair = random_table(4, 21, 2, 2);
    pair.codes = Some((0..21).map(|i| u32::from(i > 18)).collect());
    let spec = CovarianceSpec { ddof: 1, ..average };
    let error = left_out_posterior(&spec, &Priors::Observed, &pair).unwrap_err();
    assert!(matches!(error, gaussbayes::Error::WithoutRow { row: 19, .. }), "{error}");
}

#[test]
fn each_row_is_weighed_by_its_own_class() {
    // Class 0 is wide, and one row of class 1 has nearly all the scatter of its class.
    for exponent in [3, 4, 5] {
        let mut table = random_table(6, 30, 2, 2);
        table.values.chunks_exact_mut(2).step_by(2).flatten().for_each(|x| *x *= 1e7);
        table.values[2] += 10.0_f64.powi(exponent);
        let rest: Vec<usize> = (0..30).filter(|&i| i != 1).collect();
        for spec in [
            CovarianceSpec { ridge: Ridge::OfEach(1e-18), ..CovarianceSpec::qda() },
            Family::Vee.into(),
        ] {
            let found = left_out_posterior(&spec, &Priors::Observed, &table).unwrap();
            let refit =
                fit_with(&spec, &Priors::Observed, &picked(&table, &rest)).unwrap().classifier;
            let expected = refit.predict(&table.block(1..2).unwrap()).unwrap().posterior;
            let odds = |p: &gaussbayes::Posterior| p.log_prob(0, 1) - p.log_prob(0, 0);
            let (a, b) = (found.log_prob(1, 1) - found.log_prob(1, 0), odds(&expected));
            assert!((a - b).abs() < 1e-8 * (1.0 + b.abs()), "{spec:?}, {exponent}: {a} {b}");
        }
    }
}
