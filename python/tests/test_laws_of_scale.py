"""Tests that neither offsets nor units nor far rows spoil an answer, as they do in scikit-learn."""

import numpy as np
import pytest
from samples import ESTIMATORS, named
from sklearn.base import clone
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis as TheirLDA,
)
from sklearn.discriminant_analysis import (
    QuadraticDiscriminantAnalysis as TheirQDA,
)
from sklearn.naive_bayes import GaussianNB as TheirNB
from sklearn.neighbors import NearestCentroid as TheirNC
from tolerances import Silent

import gaussbayes as gb

pytestmark = pytest.mark.filterwarnings("error")

OFFSET = 1e9
UNITS = np.array([1e-12, 1e-4, 1e4, 1e12])

each_estimator = pytest.mark.parametrize("estimator", ESTIMATORS, ids=named)


@each_estimator
def test_an_offset_changes_nothing(estimator, iris):
    X, y = iris
    moved = X + OFFSET
    plain = clone(estimator).fit(X, y)
    found = clone(estimator).fit(moved, y)
    np.testing.assert_array_equal(found.predict(moved), plain.predict(X))
    # At 1e9 doubles are 1.2e-7 apart, which moves the rows of iris a little.
    np.testing.assert_allclose(found.predict_proba(moved), plain.predict_proba(X), atol=1e-6)
    # The same rounded rows without the offset leave no such excuse.
    back = moved - OFFSET
    same = clone(estimator).fit(back, y)
    np.testing.assert_allclose(found.predict_proba(moved), same.predict_proba(back), atol=1e-9)


@pytest.mark.parametrize(
    "parameters",
    [
        {"solver": "svd"},
        {"solver": "lsqr"},
        {"solver": "eigen"},
        {"solver": "lsqr", "shrinkage": "auto"},
        {"solver": "eigen", "shrinkage": 0.2},
    ],
    ids=repr,
)
def test_lda_far_from_the_origin_is_theirs_near_it(parameters, iris):
    X, y = iris
    moved = X + OFFSET
    theirs = TheirLDA(**parameters).fit(X, y)
    ours = gb.LinearDiscriminantAnalysis(**parameters).fit(moved, y)
    np.testing.assert_array_equal(ours.predict(moved), theirs.predict(X))
    np.testing.assert_allclose(ours.predict_proba(moved), theirs.predict_proba(X), atol=1e-6)
    if parameters["solver"] != "svd":
        with Silent():
            lost = TheirLDA(**parameters).fit(moved, y)
            assert np.mean(lost.predict(moved) != y) > 0.5, "theirs is as bad as guessing there"


@pytest.mark.parametrize(
    "ours, theirs",
    [(gb.QuadraticDiscriminantAnalysis, TheirQDA), (gb.GaussianNB, TheirNB)],
    ids=["QDA", "naive Bayes"],
)
def test_others_far_from_the_origin_are_theirs_near_it(ours, theirs, iris):
    X, y = iris
    moved = X + OFFSET
    found, expected = ours().fit(moved, y), theirs().fit(X, y)
    np.testing.assert_array_equal(found.predict(moved), expected.predict(X))
    np.testing.assert_allclose(found.predict_proba(moved), expected.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("priors", ["uniform", [0.3, 0.3, 0.4]], ids=["uniform", "given"])
def test_centroids_far_from_the_origin_are_theirs_near_it(priors, iris):
    X, y = iris
    moved = X + OFFSET
    theirs = TheirNC(priors=priors).fit(X, y)
    ours = gb.NearestCentroid(priors=priors).fit(moved, y)
    np.testing.assert_array_equal(ours.predict(moved), theirs.predict(X))
    lost = TheirNC(priors=priors).fit(moved, y)
    assert np.mean(lost.predict(moved) != y) > 0.5, "theirs is as bad as guessing there"


@each_estimator
@pytest.mark.parametrize("size", [1e160, 1e300])
def test_far_rows_have_an_answer(size, estimator, iris):
    X, y = iris
    fitted = clone(estimator).fit(X, y)
    rng = np.random.default_rng(0)
    directions = np.vstack([np.eye(4), -np.eye(4), np.ones(4), rng.normal(size=(20, 4))])
    queries = np.vstack([directions * size, X[:3]])
    posterior = fitted.predict_proba(queries)
    assert np.isfinite(posterior).all()
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0, rtol=1e-12)
    assert not np.isnan(fitted.predict_log_proba(queries)).any()
    assert np.isin(fitted.predict(queries), y).all()
    if hasattr(fitted, "decision_function"):
        assert not np.isnan(fitted.decision_function(queries)).any()
    assert posterior[-3:].tobytes() == fitted.predict_proba(X[:3]).tobytes()


@each_estimator
def test_far_rows_in_single_precision(estimator, iris):
    X, y = iris
    fitted = clone(estimator).fit(X.astype(np.float32), y)
    queries = np.float32([[3e38, 0, 0, 0], [-3e38, 3e38, -3e38, 3e38], [0, 1e-45, 0, 1e30]])
    posterior = fitted.predict_proba(queries)
    assert np.isfinite(posterior).all()
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0, rtol=1e-5)


# Those that a unit of its own for each column does not change.
FREE_OF_UNITS = [
    gb.LinearDiscriminantAnalysis(),
    gb.LinearDiscriminantAnalysis(solver="lsqr"),
    gb.LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
    gb.LinearDiscriminantAnalysis(solver="eigen"),
    gb.QuadraticDiscriminantAnalysis(),
    gb.QuadraticDiscriminantAnalysis(solver="eigen"),
    gb.QuadraticDiscriminantAnalysis(solver="eigen", shrinkage="auto"),
    gb.GaussianNB(var_smoothing=0.0),
    gb.NearestCentroid(priors=[0.3, 0.3, 0.4]),
    gb.GaussianClassifier(),
    gb.GaussianClassifier("EEE"),
    gb.GaussianClassifier("VVI"),
    gb.GaussianClassifier("EEI"),
]


@pytest.mark.parametrize("estimator", FREE_OF_UNITS, ids=named)
def test_a_unit_for_each_column_changes_nothing(estimator, iris):
    X, y = iris
    plain, found = clone(estimator).fit(X, y), clone(estimator).fit(X * UNITS, y)
    np.testing.assert_array_equal(found.predict(X * UNITS), plain.predict(X))
    np.testing.assert_allclose(found.predict_proba(X * UNITS), plain.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize("solver", ["svd", "eigen"])
def test_qda_in_small_units_where_theirs_gives_up(solver, iris):
    X, y = iris
    with pytest.raises(np.linalg.LinAlgError):
        TheirQDA(solver=solver).fit(X * 1e-3, y)
    ours = gb.QuadraticDiscriminantAnalysis(solver=solver).fit(X * 1e-3, y)
    theirs = TheirQDA(solver=solver).fit(X, y)
    np.testing.assert_array_equal(ours.predict(X * 1e-3), theirs.predict(X))
    np.testing.assert_allclose(ours.predict_proba(X * 1e-3), theirs.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize("factor", [1e-100, 1e-30, 1e30, 1e100])
@pytest.mark.parametrize(
    "estimator",
    [each for each in ESTIMATORS if getattr(each, "reg_param", 0.0) == 0.0],
    ids=named,
)
def test_one_factor_for_all_columns_changes_nothing(estimator, factor, iris):
    # `reg_param` adds a multiple of the identity, which knows of units.
    X, y = iris
    plain, found = clone(estimator).fit(X, y), clone(estimator).fit(X * factor, y)
    np.testing.assert_array_equal(found.predict(X * factor), plain.predict(X))
    np.testing.assert_allclose(found.predict_proba(X * factor), plain.predict_proba(X), atol=1e-9)
