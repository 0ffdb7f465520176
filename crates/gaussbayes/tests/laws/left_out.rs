//! Leaving a row out is refitting without it, in closed form or not: [M32].

use gaussbayes::{
    Amount, CovarianceSpec, Density, Family, Pooling, Priors, Random, Scaling, Shrinkage, Table,
    Target,
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
fn options() -> Vec<CovarianceSpec> {
    let toward = |amount, target| Some(Shrinkage::Toward { amount, target });
    let qda = CovarianceSpec::qda;
    let lda = CovarianceSpec::lda;
    vec![
        CovarianceSpec { shrinkage: toward(Amount::Fixed(0.3), Target::Spherical), ..qda() },
        CovarianceSpec { shrinkage: toward(Amount::Fixed(0.3), Target::Diagonal), ..lda() },
        CovarianceSpec { shrinkage: toward(Amount::Fixed(0.3), Target::Shared), ..qda() },
        CovarianceSpec { shrinkage: toward(Amount::Oas, Target::Diagonal), ..qda() },
        CovarianceSpec { shrinkage: toward(Amount::Oas, Target::Spherical), ..lda() },
        CovarianceSpec { shrinkage: toward(Amount::LedoitWolf, Target::Diagonal), ..lda() },
        CovarianceSpec { shrinkage: toward(Amount::LedoitWolf, Target::Spherical), ..qda() },
        CovarianceSpec::rda(0.4, 0.2),
        CovarianceSpec { ridge: 0.01, ..qda() },
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
            // Axes of a matrix are known to the rounding of its largest entry, not of each.
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
