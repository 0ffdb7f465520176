"""Tests what must hold for every estimator: batches, weights, the order and the company of rows."""

import numpy as np
import pytest
from bits import answers, fitted_state, same_bits
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import DEFAULTS, ESTIMATORS, gaussians, named
from sklearn.base import clone
from tolerances import Silent

import gaussbayes as gb

pytestmark = pytest.mark.filterwarnings("error")

each_estimator = pytest.mark.parametrize("estimator", ESTIMATORS, ids=named)

# What a weight changes only by rounding. Directions may turn, so they are left to the parity tests.
MEASURED = ["means_", "theta_", "var_", "centroids_", "coef_", "intercept_", "priors_", "epsilon_"]
MEASURED += ["class_prior_", "class_count_", "within_class_std_dev_", "deviations_"]


def in_batches(estimator, X, y, sizes, weights=None):
    """Fit in batches of these sizes, the last of which takes what is left."""
    fitted, start, classes = clone(estimator), 0, np.unique(y)
    for size in [*sizes, len(y)]:
        batch = slice(start, start + size)
        own = None if weights is None else weights[batch]
        # A model of the first few rows may have cause to warn.
        with Silent():
            if start < len(y):
                known = classes if start == 0 else None
                fitted.partial_fit(X[batch], y[batch], classes=known, sample_weight=own)
        start += size
    return fitted


def nearly(one, other, queries, allowed=1e-12):
    """Hold two fits together but for rounding, on the scale of the largest entry."""
    states = [fitted_state(each) for each in (one, other)]
    for name in MEASURED:
        assert (name in states[0]) == (name in states[1])
        if name in states[0]:
            found, expected = (np.asarray(state[name]) for state in states)
            error = np.abs(found - expected).max()
            assert error <= allowed * np.abs(expected).max(), f"{name}: {error:.3g}"
    np.testing.assert_array_equal(one.predict(queries), other.predict(queries))
    found, expected = (each.predict_log_proba(queries) for each in (one, other))
    assert (np.abs(found - expected) <= allowed * (1.0 + np.abs(expected).max())).all()


@each_estimator
def test_a_batch_for_every_row(estimator, iris):
    X, y = iris
    same_bits(in_batches(estimator, X, y, [1] * len(y)), clone(estimator).fit(X, y), X)


@each_estimator
def test_batches_of_one_class_each(estimator):
    sample = gaussians(4, 3, seed=1)
    order = np.argsort(sample.y, kind="stable")
    X, y = sample.X[order], sample.y[order]
    sizes = np.bincount(y).tolist()
    same_bits(in_batches(estimator, X, y, sizes), clone(estimator).fit(X, y), sample.queries)


@settings(max_examples=10)
@given(data=st.data())
@each_estimator
def test_batches_of_any_size(estimator, data):
    sample = gaussians(3, 3, seed=data.draw(st.integers(0, 1000)))
    sizes = data.draw(st.lists(st.integers(1, 60), max_size=8))
    weights = np.random.default_rng(0).uniform(0.0, 2.0, len(sample.y))
    weights = weights if data.draw(st.booleans()) else None
    found = in_batches(estimator, sample.X, sample.y, sizes, weights)
    expected = clone(estimator).fit(sample.X, sample.y, sample_weight=weights)
    same_bits(found, expected, sample.queries)


@each_estimator
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_batches_that_end_within_blocks(dtype, estimator):
    # Blocks have 8192 rows here: these batches end before, at and behind the ends of blocks.
    sample = gaussians(3, 4, rows=30_000, seed=2, dtype=dtype)
    found = in_batches(estimator, sample.X, sample.y, [1, 8191, 8192, 5000, 3191, 2, 9])
    same_bits(found, clone(estimator).fit(sample.X, sample.y), sample.queries)


@each_estimator
def test_batches_go_on_after_fit(estimator):
    sample = gaussians(3, 4, seed=3)
    X, y = sample.X, sample.y
    found = clone(estimator).fit(X[:90], y[:90]).partial_fit(X[90:], y[90:])
    same_bits(found, clone(estimator).fit(X, y), sample.queries)


@each_estimator
def test_fit_forgets(estimator):
    sample = gaussians(3, 4, seed=4)
    X, y = sample.X, sample.y
    found = clone(estimator).partial_fit(X, y, classes=[0, 1, 2]).fit(X[:90], y[:90])
    same_bits(found, clone(estimator).fit(X[:90], y[:90]), sample.queries)
    # Other columns and other classes are no hindrance.
    found.fit(X[:, :2], y > 0)
    same_bits(found, clone(estimator).fit(X[:, :2], y > 0), sample.queries[:, :2])


@each_estimator
def test_a_whole_weight_is_that_many_rows(estimator):
    sample = gaussians(3, 4, seed=5)
    weights = np.random.default_rng(5).integers(0, 5, len(sample.y))
    found = clone(estimator).fit(sample.X, sample.y, sample_weight=weights)
    repeated = [np.repeat(each, weights, axis=0) for each in (sample.X, sample.y)]
    nearly(found, clone(estimator).fit(*repeated), sample.queries)


@each_estimator
def test_weights_of_one_are_no_weights(estimator):
    sample = gaussians(3, 4, seed=6)
    found = clone(estimator).fit(sample.X, sample.y, sample_weight=np.ones(len(sample.y)))
    nearly(found, clone(estimator).fit(sample.X, sample.y), sample.queries)


@each_estimator
def test_rows_of_weight_zero_are_no_rows(estimator):
    sample = gaussians(3, 4, seed=7)
    weights = np.ones(len(sample.y))
    weights[::3] = 0.0
    distorted = sample.X.copy()
    distorted[::3] = 1e6
    found = clone(estimator).fit(distorted, sample.y, sample_weight=weights)
    kept = weights > 0
    nearly(found, clone(estimator).fit(sample.X[kept], sample.y[kept]), sample.queries)


@pytest.mark.parametrize(
    "estimator",
    [
        each
        for each in ESTIMATORS
        if not isinstance(each, gb.NearestCentroid) and getattr(each, "ddof", 0) == 0
    ],
    ids=named,
)
def test_one_factor_for_all_weights_changes_nothing(estimator):
    # Where the number of rows only divides: not where n − K or n − 1 does.
    sample = gaussians(3, 4, seed=8)
    weights = np.random.default_rng(8).uniform(0.5, 2.0, len(sample.y))
    found, expected = (
        clone(estimator).fit(sample.X, sample.y, sample_weight=factor * weights)
        for factor in (0.125, 1.0)
    )
    np.testing.assert_allclose(
        found.predict_proba(sample.queries), expected.predict_proba(sample.queries), atol=1e-12
    )


@pytest.mark.parametrize("solver", ["svd", "lsqr", "eigen"])
def test_weighted_lda_is_the_weighted_formula(solver):
    sample = gaussians(3, 4, seed=9)
    X, y = sample.X, sample.y
    weights = np.random.default_rng(9).uniform(0.5, 2.0, len(y))
    mass = np.bincount(y, weights)
    means = np.array([np.average(X[y == k], axis=0, weights=weights[y == k]) for k in range(3)])
    away = X - means[y]
    covariance = (away * weights[:, None]).T @ away / mass.sum()
    score = np.linalg.solve(covariance, means.T)
    expected = sample.queries @ score - 0.5 * np.sum(means.T * score, axis=0)
    expected += np.log(mass / mass.sum())
    expected = np.exp(expected - np.logaddexp.reduce(expected, axis=1, keepdims=True))
    ours = gb.LinearDiscriminantAnalysis(solver=solver, store_covariance=True)
    ours.fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(ours.priors_, mass / mass.sum(), rtol=1e-13)
    np.testing.assert_allclose(ours.means_, means, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(ours.covariance_, covariance, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(ours.predict_proba(sample.queries), expected, atol=1e-11)


def test_weighted_qda_is_the_weighted_formula():
    sample = gaussians(2, 3, seed=10)
    X, y = sample.X, sample.y
    weights = np.random.default_rng(10).uniform(0.5, 2.0, len(y))
    ours = gb.QuadraticDiscriminantAnalysis(store_covariance=True)
    ours.fit(X, y, sample_weight=weights)
    scores = []
    for k in range(2):
        rows, own = X[y == k], weights[y == k]
        covariance = np.cov(rows, rowvar=False, aweights=own, ddof=0)
        np.testing.assert_allclose(ours.covariance_[k], covariance, rtol=1e-12, atol=1e-13)
        away = sample.queries - np.average(rows, axis=0, weights=own)
        distance = np.sum(away * np.linalg.solve(covariance, away.T).T, axis=1)
        log_prior = np.log(own.sum() / weights.sum())
        scores.append(log_prior - 0.5 * (distance + np.linalg.slogdet(covariance)[1]))
    np.testing.assert_allclose(
        ours.decision_function(sample.queries), scores[1] - scores[0], rtol=1e-11, atol=1e-11
    )


@each_estimator
def test_the_order_of_rows_does_not_matter(estimator):
    sample = gaussians(3, 4, rows=20_000, seed=11)
    order = np.random.default_rng(11).permutation(len(sample.y))
    found = clone(estimator).fit(sample.X[order], sample.y[order])
    nearly(found, clone(estimator).fit(sample.X, sample.y), sample.queries, allowed=1e-11)


@each_estimator
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_row_is_answered_alone_as_in_company(dtype, estimator):
    sample = gaussians(3, 4, rows=9000, seed=12, dtype=dtype)
    fitted = clone(estimator).fit(sample.X[:200], sample.y[:200])
    whole = answers(fitted, sample.X)
    for rows in [slice(0, 1), slice(8190, 8197), slice(3, None, 1001), slice(None, None, -7)]:
        for method, part in answers(fitted, sample.X[rows]).items():
            assert part.tobytes() == whole[method][rows].tobytes(), method


@pytest.mark.parametrize("estimator", DEFAULTS, ids=named)
def test_a_second_fit_has_the_same_bits(estimator):
    sample = gaussians(3, 4, rows=20_000, seed=13)
    fits = [clone(estimator).fit(sample.X, sample.y) for _ in range(2)]
    same_bits(*fits, sample.queries)


@pytest.mark.parametrize("family", ["VVV", "EEE", "VVI"])
def test_families_are_the_drop_ins_they_should_be(family, iris):
    X, y = iris
    twin = {
        "VVV": gb.QuadraticDiscriminantAnalysis(),
        "EEE": gb.LinearDiscriminantAnalysis(),
        "VVI": gb.GaussianNB(var_smoothing=0.0),
    }[family]
    found = gb.GaussianClassifier(family).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(found, twin.fit(X, y).predict_proba(X), atol=1e-12)
