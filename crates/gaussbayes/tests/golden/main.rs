//! Holds the library to numbers that other tools computed: testdata/golden, [M5] to [M16].

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bayes;
mod case;
mod centroids;
mod families;
mod judging;
mod mixtures;
mod shift;
#[path = "../support/mod.rs"]
mod support;
mod textbook;

use case::{Case, cases};

fn check_files(files: &[&str]) {
    for file in files {
        let cases = cases(file);
        assert!(!cases.is_empty());
        cases.into_iter().for_each(|json| Case::new(json).check());
    }
}

#[test]
fn exact_answers_on_iris() {
    check_files(&["exact_iris", "exact_iris_options"]);
}

#[test]
fn exact_answers_on_wine() {
    check_files(&["exact_wine", "exact_wine_options"]);
}

#[test]
fn exact_answers_on_faithful() {
    check_files(&["exact_faithful", "exact_faithful_options"]);
}

#[test]
fn exact_answers_on_hard_cases() {
    check_files(&["exact_hard"]);
}

#[test]
fn answers_of_scikit_learn_1_9_1() {
    check_files(&["sklearn_iris_lda", "sklearn_iris_qda", "sklearn_iris_naive_bayes"]);
    check_files(&["sklearn_wine_lda", "sklearn_wine_qda", "sklearn_wine_naive_bayes"]);
}

#[test]
fn shrinkage_of_scikit_learn_1_9_1() {
    check_files(&["sklearn_shrinkage"]);
}

#[test]
fn the_svd_solver_of_scikit_learn_1_9_1() {
    check_files(&["sklearn_range"]);
}

#[test]
fn options_of_scikit_learn_1_9_1() {
    check_files(&["sklearn_options"]);
}

#[test]
fn canonical_directions_of_mass() {
    check_files(&["mass_canonical"]);
}

#[test]
fn regularised_discriminant_analysis_by_friedmans_formula() {
    check_files(&["exact_rda"]);
}

#[test]
fn predictive_and_debiased_posteriors() {
    check_files(&["exact_posteriors", "mass_posteriors"]);
}

#[test]
fn answers_of_r() {
    check_files(&["mass_iris", "mass_wine", "mass_faithful", "covwt_faithful"]);
}
