"""Holds LinearDiscriminantAnalysis to that of scikit-learn 1.9.1."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from samples import Sample, gaussians
from sklearn.covariance import OAS, EmpiricalCovariance, LedoitWolf, ShrunkCovariance
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as Theirs
from tolerances import (
    agree,
    agree_up_to_sign,
    same_answers,
    same_form,
    same_labels,
    same_parameters,
    takes_weights_and_batches,
)

from gaussbayes import LinearDiscriminantAnalysis as Ours

pytestmark = pytest.mark.filterwarnings("error")

ATTRIBUTES = [
    "classes_",
    "coef_",
    "covariance_",
    "explained_variance_ratio_",
    "feature_names_in_",
    "intercept_",
    "means_",
    "n_features_in_",
    "priors_",
    "scalings_",
    "xbar_",
]
METHODS = ["decision_function", "predict_proba", "predict_log_proba", "predict"]
SOLVERS = ["svd", "lsqr", "eigen"]
ESTIMATORS = [LedoitWolf(), OAS(), ShrunkCovariance(shrinkage=0.3), EmpiricalCovariance()]

solvers = st.sampled_from(SOLVERS)
dtypes = st.sampled_from([np.float64, np.float32])
seeds = st.integers(0, 10_000)


def test_the_reference_is_1_9_1():
    assert sklearn.__version__ == "1.9.1"


def test_parameters():
    same_parameters(Ours, Theirs)
    assert Ours("lsqr", 0.1, None, 1, True, 1e-3, None).get_params() == {
        "solver": "lsqr",
        "shrinkage": 0.1,
        "priors": None,
        "n_components": 1,
        "store_covariance": True,
        "tol": 1e-3,
        "covariance_estimator": None,
    }


def test_weights_and_batches():
    takes_weights_and_batches(Ours)


def fit_both(sample: Sample, **parameters) -> tuple[Ours, Theirs]:
    return tuple(each(**parameters).fit(sample.X, sample.y) for each in (Ours, Theirs))


def compare(ours: Ours, theirs: Theirs, sample: Sample, directions: int | None = None) -> None:
    """Hold a fit to theirs; `directions` columns of the projection are determined."""
    dtype, queries = sample.X.dtype, sample.queries
    same_form(ours, theirs, ATTRIBUTES)
    same_answers(ours, theirs, queries, METHODS)
    agree("priors", ours.priors_, theirs.priors_, dtype)
    for name in ["means_", "xbar_", "covariance_", "coef_", "intercept_"]:
        if hasattr(theirs, name):
            agree(name, getattr(ours, name), getattr(theirs, name), dtype)
    agree("decision", ours.decision_function(queries), theirs.decision_function(queries), dtype)
    agree("posterior", ours.predict_proba(queries), theirs.predict_proba(queries), dtype)
    agree(
        "log posterior", ours.predict_log_proba(queries), theirs.predict_log_proba(queries), dtype
    )
    if dtype == np.float64:
        same_labels(ours, theirs, queries)
    if hasattr(theirs, "scalings_"):
        ratio = "explained_variance_ratio_"
        agree(ratio, getattr(ours, ratio), getattr(theirs, ratio), dtype)
        pair = ours.transform(queries), theirs.transform(queries)
        assert pair[0].dtype == pair[1].dtype
        agree_up_to_sign("transform", *pair, dtype)
        agree_up_to_sign(
            "scalings_", ours.scalings_[:, :directions], theirs.scalings_[:, :directions], dtype
        )


@given(solvers, st.integers(2, 5), st.integers(1, 6), seeds, dtypes, st.booleans(), st.booleans())
def test_any_shape(solver, n_classes, n_features, seed, dtype, with_priors, store):
    sample = gaussians(n_classes, n_features, seed=seed, dtype=dtype)
    priors = sample.priors(seed) if with_priors else None
    ours, theirs = fit_both(sample, solver=solver, priors=priors, store_covariance=store)
    compare(ours, theirs, sample, directions=min(n_classes - 1, n_features))


@given(
    st.sampled_from(["lsqr", "eigen"]),
    st.sampled_from(["auto", 0.0, 0.05, 0.5, 0.9]),
    st.integers(2, 5),
    st.integers(1, 6),
    seeds,
    dtypes,
    st.booleans(),
)
def test_shrinkage(solver, shrinkage, n_classes, n_features, seed, dtype, with_priors):
    sample = gaussians(n_classes, n_features, seed=seed, dtype=dtype)
    priors = sample.priors(seed) if with_priors else None
    ours, theirs = fit_both(sample, solver=solver, shrinkage=shrinkage, priors=priors)
    compare(ours, theirs, sample, directions=min(n_classes - 1, n_features))


@pytest.mark.parametrize("solver", ["lsqr", "eigen"])
def test_full_shrinkage_makes_the_covariance_a_multiple_of_the_identity(solver):
    sample = gaussians(3, 4)
    ours, theirs = fit_both(sample, solver=solver, shrinkage=1.0)
    agree("covariance_", ours.covariance_, theirs.covariance_)
    np.testing.assert_array_equal(ours.covariance_, ours.covariance_[0, 0] * np.eye(4))
    agree("posterior", ours.predict_proba(sample.X), theirs.predict_proba(sample.X))


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
@pytest.mark.parametrize("solver", ["lsqr", "eigen"])
def test_covariance_estimator(solver, estimator, n_classes):
    sample = gaussians(n_classes, 4, seed=3)
    for priors in [None, sample.priors()]:
        ours, theirs = fit_both(
            sample, solver=solver, covariance_estimator=estimator, priors=priors
        )
        compare(ours, theirs, sample, directions=n_classes - 1)


@pytest.mark.parametrize("n_components", [1, 2, 3])
@pytest.mark.parametrize("solver", SOLVERS)
def test_n_components_only_changes_the_projection(solver, n_components):
    sample = gaussians(4, 5, seed=1)
    ours, theirs = fit_both(sample, solver=solver, n_components=n_components)
    compare(ours, theirs, sample, directions=3)
    assert ours.coef_.tobytes() == Ours(solver=solver).fit(sample.X, sample.y).coef_.tobytes()
    if solver != "lsqr":
        assert ours.transform(sample.X).shape == (len(sample.X), n_components)


@pytest.mark.parametrize("shrinkage", [None, 0.3, "auto"])
def test_eigen_directions_are_orthonormal_in_the_covariance(shrinkage):
    sample = gaussians(3, 5, seed=2)
    ours = Ours(solver="eigen", shrinkage=shrinkage).fit(sample.X, sample.y)
    assert ours.scalings_.shape == (5, 5)
    gram = ours.scalings_.T @ ours.covariance_ @ ours.scalings_
    np.testing.assert_allclose(gram, np.eye(5), atol=1e-11)


@pytest.mark.parametrize("solver", ["svd", "eigen"])
def test_projection_and_its_names(solver):
    sample = gaussians(4, 3, seed=5)
    ours, theirs = fit_both(sample, solver=solver, n_components=2)
    at_once = Ours(solver=solver, n_components=2).fit_transform(sample.X, sample.y)
    assert at_once.tobytes() == ours.transform(sample.X).tobytes()
    names = ours.get_feature_names_out()
    np.testing.assert_array_equal(names, theirs.get_feature_names_out())
    assert names.dtype == theirs.get_feature_names_out().dtype
    np.testing.assert_array_equal(names, ours.get_feature_names_out(["a", "b", "c"]))


def test_the_svd_projection_is_centred_and_that_of_eigen_is_not():
    sample = gaussians(3, 4, seed=6)
    svd = Ours().fit(sample.X, sample.y)
    np.testing.assert_allclose(
        svd.transform(sample.X), (sample.X - svd.xbar_) @ svd.scalings_, atol=1e-10
    )
    eigen = Ours(solver="eigen").fit(sample.X, sample.y)
    np.testing.assert_allclose(
        eigen.transform(sample.X), sample.X @ eigen.scalings_[:, :2], atol=1e-10
    )


@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_set_output(container):
    sample = gaussians(3, 4, seed=7)
    frame = pd.DataFrame(sample.X, columns=list("abcd"), index=np.arange(len(sample.X)) + 7)
    found = Ours().set_output(transform=container).fit(frame, sample.y).transform(frame)
    expected = Theirs().set_output(transform=container).fit(frame, sample.y).transform(frame)
    assert type(found) is type(expected)
    assert list(found.columns) == list(expected.columns)
    if container == "pandas":
        pd.testing.assert_index_equal(found.index, frame.index)
    agree_up_to_sign("transform", found.to_numpy(), expected.to_numpy())


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_svd_leaves_directions_without_spread_out(n_classes, dtype):
    plain = gaussians(n_classes, 4, seed=8, dtype=dtype)
    twin = Sample(plain.X[:, [0, 1, 2, 3, 1]], plain.y, plain.queries[:, [0, 1, 2, 3, 1]])
    ours, theirs = fit_both(twin, store_covariance=True)
    compare(ours, theirs, twin)
    without = Ours().fit(plain.X, plain.y)
    agree(
        "posterior",
        ours.predict_proba(twin.queries),
        without.predict_proba(plain.queries),
        dtype,
    )


def test_svd_with_a_constant_column():
    plain = gaussians(3, 3, seed=9)
    extended = [np.insert(rows, 1, 5.0, axis=1) for rows in (plain.X, plain.queries)]
    flat = Sample(extended[0], plain.y, extended[1])
    compare(*fit_both(flat), flat)


def test_svd_with_fewer_rows_than_columns():
    rng = np.random.default_rng(10)
    sample = Sample(rng.normal(size=(12, 20)), np.arange(12) % 3, rng.normal(size=(5, 20)))
    compare(*fit_both(sample), sample)


def test_lsqr_predicts_where_a_column_is_a_copy():
    plain = gaussians(3, 4, seed=11)
    twin = Sample(plain.X[:, [0, 1, 2, 3, 1]], plain.y, plain.queries[:, [0, 1, 2, 3, 1]])
    ours, theirs = fit_both(twin, solver="lsqr")
    same_labels(ours, theirs, twin.queries)
    found, expected = (each.predict_proba(twin.queries) for each in (ours, theirs))
    np.testing.assert_allclose(found, expected, atol=1e-7)


@pytest.mark.parametrize("tol", [1e-6, 1e-4, 0.05, 0.5])
def test_tol_is_measured_on_standardised_columns(tol):
    # The smallest singular value of the standardised rows is about 1e-3: kept by the first two.
    plain = gaussians(3, 4, seed=12)
    rng = np.random.default_rng(12)
    nearly = plain.X[:, :1] * 1e3 + rng.normal(size=(len(plain.X), 1)) * 2.0
    sample = Sample(
        np.hstack([plain.X, nearly]), plain.y, np.hstack([plain.queries, plain.queries[:, :1]])
    )
    ours, theirs = (each(tol=tol).fit(sample.X, sample.y) for each in (Ours, Theirs))
    same_form(ours, theirs, ATTRIBUTES)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-6, atol=1e-9)
    rows = sample.X
    agree("posterior", ours.predict_proba(rows), theirs.predict_proba(rows), np.float32)


def test_one_class_can_be_fitted_and_predicted():
    sample = gaussians(2, 3, seed=13)
    one = np.full(len(sample.y), "only")
    ours, theirs = (each().fit(sample.X, one) for each in (Ours, Theirs))
    same_form(ours, theirs, ["classes_", "coef_", "intercept_", "means_", "priors_"])
    same_labels(ours, theirs, sample.X)


@pytest.mark.parametrize("fitted", [np.float64, np.float32])
@pytest.mark.parametrize("asked", [np.float64, np.float32])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("solver", SOLVERS)
def test_dtypes_of_answers_follow_model_and_rows(solver, n_classes, fitted, asked):
    sample = gaussians(n_classes, 3, seed=14, dtype=fitted)
    ours, theirs = fit_both(sample, solver=solver)
    same_answers(ours, theirs, sample.queries.astype(asked), METHODS)


@pytest.mark.parametrize("solver", SOLVERS)
def test_iris(iris, solver):
    X, y = iris
    sample = Sample(X, y, X)
    compare(*fit_both(sample, solver=solver, store_covariance=True), sample, directions=2)


def test_score_takes_weights(iris):
    X, y = iris
    weights = np.random.default_rng(0).uniform(size=len(y))
    ours, theirs = (each().fit(X, y) for each in (Ours, Theirs))
    assert ours.score(X, y, weights) == theirs.score(X, y, weights)
