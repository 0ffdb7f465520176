"""Holds QuadraticDiscriminantAnalysis to that of scikit-learn 1.9.1."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import Sample, gaussians
from sklearn.covariance import OAS, EmpiricalCovariance, LedoitWolf, ShrunkCovariance
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as Theirs
from tolerances import (
    agree,
    agree_up_to_sign,
    same_answers,
    same_form,
    same_labels,
    same_parameters,
    takes_weights_and_batches,
)

from gaussbayes import QuadraticDiscriminantAnalysis as Ours

pytestmark = pytest.mark.filterwarnings("error")

ATTRIBUTES = [
    "classes_",
    "covariance_",
    "feature_names_in_",
    "means_",
    "n_features_in_",
    "priors_",
    "rotations_",
    "scalings_",
]
METHODS = ["decision_function", "predict_proba", "predict_log_proba", "predict"]

dtypes = st.sampled_from([np.float64, np.float32])
seeds = st.integers(0, 10_000)


def fit_both(sample: Sample, **parameters) -> tuple[Ours, Theirs]:
    return tuple(each(**parameters).fit(sample.X, sample.y) for each in (Ours, Theirs))


def compare(ours: Ours, theirs: Theirs, sample: Sample) -> None:
    dtype, queries = sample.X.dtype, sample.queries
    same_form(ours, theirs, ATTRIBUTES)
    same_answers(ours, theirs, queries, METHODS)
    agree("priors", ours.priors_, theirs.priors_, dtype)
    agree("means_", ours.means_, theirs.means_, dtype)
    for k in range(len(theirs.classes_)):
        agree("scalings_", ours.scalings_[k], theirs.scalings_[k], dtype)
        agree_up_to_sign("rotations_", ours.rotations_[k], theirs.rotations_[k], dtype)
        if hasattr(theirs, "covariance_"):
            agree("covariance_", ours.covariance_[k], theirs.covariance_[k], dtype)
    agree("decision", ours.decision_function(queries), theirs.decision_function(queries), dtype)
    agree("posterior", ours.predict_proba(queries), theirs.predict_proba(queries), dtype)
    agree(
        "log posterior", ours.predict_log_proba(queries), theirs.predict_log_proba(queries), dtype
    )
    if dtype == np.float64:
        same_labels(ours, theirs, queries)


def test_parameters():
    same_parameters(Ours, Theirs)
    with pytest.raises(TypeError):
        Ours("eigen")


def test_weights_and_batches():
    takes_weights_and_batches(Ours)


@given(
    st.integers(2, 5),
    st.integers(1, 6),
    seeds,
    dtypes,
    st.sampled_from([0.0, 0.01, 0.5, 0.9]),
    st.booleans(),
    st.booleans(),
)
def test_svd(n_classes, n_features, seed, dtype, reg_param, with_priors, store):
    sample = gaussians(n_classes, n_features, seed=seed, dtype=dtype)
    priors = sample.priors(seed) if with_priors else None
    ours, theirs = fit_both(sample, reg_param=reg_param, priors=priors, store_covariance=store)
    compare(ours, theirs, sample)


@given(
    st.integers(2, 5),
    st.integers(1, 6),
    seeds,
    dtypes,
    st.sampled_from([None, "auto", 0.0, 0.1, 0.8]),
    st.booleans(),
    st.booleans(),
)
def test_eigen(n_classes, n_features, seed, dtype, shrinkage, with_priors, store):
    sample = gaussians(n_classes, n_features, seed=seed, dtype=dtype)
    priors = sample.priors(seed) if with_priors else None
    ours, theirs = fit_both(
        sample, solver="eigen", shrinkage=shrinkage, priors=priors, store_covariance=store
    )
    compare(ours, theirs, sample)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    "estimator",
    [LedoitWolf(), OAS(), ShrunkCovariance(shrinkage=0.3), EmpiricalCovariance()],
    ids=repr,
)
def test_covariance_estimator(estimator, n_classes):
    sample = gaussians(n_classes, 4, seed=3)
    compare(
        *fit_both(sample, solver="eigen", covariance_estimator=estimator, store_covariance=True),
        sample,
    )


def test_eigen_ignores_reg_param():
    sample = gaussians(3, 3, seed=4)
    with pytest.warns(UserWarning, match="reg_param has no effect"):
        ours, theirs = fit_both(sample, solver="eigen", reg_param=0.5)
    compare(ours, theirs, sample)


@pytest.mark.parametrize("solver", ["svd", "eigen"])
def test_the_parts_give_the_covariance(solver):
    sample = gaussians(3, 4, seed=5)
    ours = Ours(solver=solver, store_covariance=True).fit(sample.X, sample.y)
    for k, label in enumerate(ours.classes_):
        rows = sample.X[sample.y == label]
        covariance = np.cov(rows, rowvar=False, ddof=0)
        np.testing.assert_allclose(ours.covariance_[k], covariance, rtol=1e-11, atol=1e-12)
        parts = ours.rotations_[k] * ours.scalings_[k] @ ours.rotations_[k].T
        np.testing.assert_allclose(parts, covariance, rtol=1e-10, atol=1e-11)
        assert (np.diff(ours.scalings_[k]) <= 0).all(), "largest variance first"


def test_as_many_rows_as_columns_with_reg_param():
    rng = np.random.default_rng(6)
    X = rng.normal(size=(8, 4)) + np.repeat([[0.0], [2.0]], 4, axis=0)
    sample = Sample(X, np.repeat([0, 1], 4), rng.normal(size=(10, 4)))
    compare(*fit_both(sample, reg_param=0.2), sample)


def test_shrinkage_helps_where_rows_are_few():
    rng = np.random.default_rng(7)
    sample = Sample(rng.normal(size=(12, 8)), np.arange(12) % 2, rng.normal(size=(10, 8)))
    for shrinkage in ["auto", 0.5]:
        ours, theirs = fit_both(sample, solver="eigen", shrinkage=shrinkage)
        same_form(ours, theirs, ATTRIBUTES)
        agree("posterior", ours.predict_proba(sample.queries), theirs.predict_proba(sample.queries))


@pytest.mark.parametrize("fitted", [np.float64, np.float32])
@pytest.mark.parametrize("asked", [np.float64, np.float32])
@pytest.mark.parametrize("solver", ["svd", "eigen"])
def test_dtypes_of_answers_follow_model_and_rows(solver, fitted, asked):
    sample = gaussians(3, 3, seed=8, dtype=fitted)
    ours, theirs = fit_both(sample, solver=solver)
    same_answers(ours, theirs, sample.queries.astype(asked), METHODS)


@pytest.mark.parametrize("solver", ["svd", "eigen"])
def test_iris(iris, solver):
    X, y = iris
    sample = Sample(X, y, X)
    compare(*fit_both(sample, solver=solver, store_covariance=True), sample)
