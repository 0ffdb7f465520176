"""Holds SoftmaxRegression to LogisticRegression of scikit-learn 1.9.1."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import gaussians
from sklearn import metrics
from sklearn.linear_model import LogisticRegression
from tolerances import Silent, same_answers, same_form, same_labels

import gaussbayes as gb

pytestmark = pytest.mark.filterwarnings("error")

ATTRIBUTES = ["classes_", "coef_", "intercept_", "n_features_in_", "feature_names_in_"]
METHODS = ["decision_function", "predict_proba", "predict_log_proba", "predict"]
STRENGTHS = [1.0, 0.01, 100.0, 1e6]

each_strength = pytest.mark.parametrize("C", STRENGTHS)


def theirs(C: float, solver: str = "newton-cholesky") -> LogisticRegression:
    return LogisticRegression(C=C, tol=1e-14, max_iter=10_000, solver=solver)


def overlapping(classes: int, seed: int, dtype: type = np.float64):
    """Rows that no plane separates: half of the labels are drawn at random."""
    sample = gaussians(classes, 3, rows=200, seed=seed, dtype=dtype)
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(len(sample.y)) < 0.5, sample.y, rng.integers(0, classes, len(sample.y)))
    return sample.X, y, sample.queries


def centred(scores):
    """Take off what all classes have in common, which a weak penalty leaves to their rounding."""
    return scores if scores.ndim == 1 else scores - scores.mean(axis=1, keepdims=True)


def close(ours, expected, X, y, weights=None, allowed=1e-9):
    spread, one = X.std(axis=0), len(ours.coef_) == 1
    shared = 0.0 if one else expected.coef_.mean(axis=0)
    scale = np.abs(expected.coef_ * spread).max()
    assert np.abs(shared * spread).max() <= 1e-6 * scale
    assert np.abs((ours.coef_ - (expected.coef_ - shared)) * spread).max() <= allowed * scale
    intercept = expected.intercept_ - (0.0 if one else expected.intercept_.mean())
    size = np.abs(expected.intercept_).max() + np.abs(expected.coef_ @ X.mean(axis=0)).max()
    assert np.abs(ours.intercept_ - intercept).max() <= allowed * (1.0 + size)
    losses = [
        metrics.log_loss(y, each.predict_proba(X), sample_weight=weights)
        for each in (ours, expected)
    ]
    assert abs(losses[0] - losses[1]) <= 1e-10


@each_strength
@pytest.mark.parametrize("classes", [2, 3, 5])
@given(seed=st.integers(0, 10_000))
def test_coefficients_and_answers(classes, C, seed):
    X, y, queries = overlapping(classes, seed)
    ours, expected = gb.SoftmaxRegression(C).fit(X, y), theirs(C).fit(X, y)
    same_form(ours, expected, ATTRIBUTES)
    same_answers(ours, expected, queries, METHODS)
    close(ours, expected, X, y)
    same_labels(ours, expected, queries)
    for method in METHODS[:2]:
        found, right = (centred(getattr(one, method)(queries)) for one in (ours, expected))
        np.testing.assert_allclose(found, right, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("classes", [2, 4])
@given(seed=st.integers(0, 10_000))
def test_maximum_likelihood(classes, seed):
    X, y, _ = overlapping(classes, seed)
    ours, expected = gb.SoftmaxRegression(np.inf).fit(X, y), theirs(np.inf).fit(X, y)
    close(ours, expected, X, y)


@each_strength
@pytest.mark.parametrize("classes", [2, 3])
@given(seed=st.integers(0, 10_000))
def test_weights(classes, C, seed):
    X, y, _ = overlapping(classes, seed)
    weights = np.random.default_rng(seed).uniform(0.0, 3.0, len(y))
    weights[:5] = 0.0
    ours = gb.SoftmaxRegression(C).fit(X, y, sample_weight=weights)
    close(ours, theirs(C).fit(X, y, sample_weight=weights), X, y, weights)


def test_the_default_solver_comes_near():
    X, y, _ = overlapping(3, 1)
    close(gb.SoftmaxRegression().fit(X, y), theirs(1.0, "lbfgs").fit(X, y), X, y, allowed=1e-6)


@pytest.mark.parametrize("name", ["iris", "wine"])
def test_built_in_sets(name):
    X, y = getattr(gb.datasets, f"load_{name}")(return_X_y=True)
    for C in (1.0, 10.0):
        close(gb.SoftmaxRegression(C).fit(X, y), theirs(C).fit(X, y), X, y, allowed=1e-8)


def test_columns_of_any_units_and_far_from_zero():
    # Where theirs has lost its digits, ours still finds what theirs finds on the same rows at rest.
    X, y, queries = overlapping(3, 2)
    X, queries = np.round(X * 64.0), np.round(queries * 64.0)
    rest = theirs(np.inf).fit(X, y).predict_proba(queries)
    ours = gb.SoftmaxRegression(np.inf).fit(X + 1e9, y)
    np.testing.assert_allclose(ours.predict_proba(queries + 1e9), rest, atol=1e-9)
    units = np.array([2.0**40, 1.0, 2.0**-40])
    ours = gb.SoftmaxRegression(np.inf).fit(X * units, y)
    np.testing.assert_allclose(ours.predict_proba(queries * units), rest, atol=1e-9)
    with Silent():
        far = theirs(np.inf, "lbfgs").fit(X + 1e9, y).predict_proba(queries + 1e9)
    assert np.abs(far - rest).max() > 1e-2


@pytest.mark.parametrize("labels", [["b", "a"], [7, -3], [True, False], ["x", "é", "a b"]])
def test_labels_of_any_kind(labels):
    X, y, queries = overlapping(len(labels), 3)
    named = np.array(labels)[y]
    ours, expected = gb.SoftmaxRegression().fit(X, named), theirs(1.0).fit(X, named)
    close(ours, expected, X, named)
    np.testing.assert_array_equal(ours.predict(queries), expected.predict(queries))


def test_single_precision_stays_single():
    X, y, queries = overlapping(3, 4, dtype=np.float32)
    ours = gb.SoftmaxRegression().fit(X, y)
    with Silent():
        expected = LogisticRegression().fit(X, y)
    same_form(ours, expected, ATTRIBUTES)
    same_answers(ours, expected, queries, ["predict_proba", "predict_log_proba"])


def test_names_of_features():
    import pandas as pd

    X, y, _ = overlapping(3, 5)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    ours = gb.SoftmaxRegression().fit(frame, y)
    assert ours.feature_names_in_.tolist() == ["a", "b", "c"]
    with pytest.raises(ValueError, match="feature names"):
        ours.predict(frame[["b", "a", "c"]])
