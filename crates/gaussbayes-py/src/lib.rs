//! The Python module `gaussbayes._core`: arrays in, arrays out, no mathematics.

#![allow(clippy::needless_pass_by_value, reason = "arguments of Python become owned values")]

mod answers;
mod arrays;
mod arrow;
mod bayes;
mod beside;
mod boundaries;
mod centroids;
mod classes;
mod compare;
mod datasets;
mod directions;
mod export;
mod factors;
mod failure;
mod files;
mod gallery;
mod input;
mod judge;
mod labels;
mod mixtures;
mod model;
mod moments;
mod numbers;
mod panels;
mod pictures;
mod products;
mod records;
mod risk;
mod rows;
mod search;
mod shift;
mod softmax;
mod spec;
mod statistics;
mod typed;
mod uses;
mod watch;

use std::ffi::OsString;

use pyo3::prelude::*;

/// What Python's faces of the library are made of.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::command;
    #[pymodule_export]
    use crate::answers::{
        actions, discriminants, distances, entropies, linear_scores, log_evidence, log_joint,
        log_odds, log_posterior, posterior, project,
    };
    #[pymodule_export]
    use crate::arrow::Stream;
    #[pymodule_export]
    use crate::bayes::{Bayes, BayesPrior, BayesSpec};
    #[pymodule_export]
    use crate::boundaries::{boundary, curves};
    #[pymodule_export]
    use crate::centroids::{Centroids, medians};
    #[pymodule_export]
    use crate::classes::{classes_of, mixture_per_class, semi_supervised};
    #[pymodule_export]
    use crate::compare::{classifiers, compare};
    #[pymodule_export]
    use crate::datasets::{banana_set, dataset};
    #[pymodule_export]
    use crate::directions::Directions;
    #[pymodule_export]
    use crate::export::{onnx, sql};
    #[pymodule_export]
    use crate::factors::{factors, is_product, product_settings};
    #[pymodule_export]
    use crate::files::Files;
    #[pymodule_export]
    use crate::gallery::{confusion_picture, criterion_picture, figure, figures};
    #[pymodule_export]
    use crate::judge::{judge_by_folds, judge_by_rows};
    #[pymodule_export]
    use crate::labels::codes;
    #[pymodule_export]
    use crate::mixtures::{
        Em, EmSpec, Sample, conditional, criteria, marginal, precision, whitener,
    };
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::moments::Moments;
    #[pymodule_export]
    use crate::pictures::{Picture, picture, write_file};
    #[pymodule_export]
    use crate::products::{
        ProductSpec, ProductStatistics, only_flags, product_report, product_statistics,
    };
    #[pymodule_export]
    use crate::risk::{minimax, neyman_pearson, risk, sample};
    #[pymodule_export]
    use crate::search::Search;
    #[pymodule_export]
    use crate::shift::prior_shift;
    #[pymodule_export]
    use crate::softmax::{SoftmaxSpec, as_softmax, coefficients, softmax, softmax_settings};
    #[pymodule_export]
    use crate::spec::Spec;
    #[pymodule_export]
    use crate::statistics::Statistics;
    #[pymodule_export]
    use crate::typed::Typed;
    #[pymodule_export]
    use crate::uses::{bootstrap, combine, displace, influence, merged, unmerged};
}

/// Runs the command with these arguments and returns its exit status.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| gaussbayes_cli::run(arguments))
}
