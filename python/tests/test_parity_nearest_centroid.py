"""Holds NearestCentroid to that of scikit-learn 1.9.1, and its posteriors to Bayes' rule."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import Sample, gaussians
from scipy import sparse
from scipy.special import log_softmax
from sklearn.neighbors import NearestCentroid as Theirs
from tolerances import (
    Silent,
    agree,
    same_answers,
    same_form,
    same_labels,
    same_parameters,
    takes_weights_and_batches,
)

from gaussbayes import NearestCentroid as Ours

pytestmark = pytest.mark.filterwarnings("error")

ATTRIBUTES = [
    "centroids_",
    "class_prior_",
    "classes_",
    "deviations_",
    "feature_names_in_",
    "n_features_in_",
    "within_class_std_dev_",
]
METHODS = ["decision_function", "predict_proba", "predict_log_proba", "predict"]

dtypes = st.sampled_from([np.float64, np.float32])
seeds = st.integers(0, 10_000)
metrics = st.sampled_from(["euclidean", "manhattan"])
thresholds = st.sampled_from([None, 0.1, 0.5, 3.0])
prior_kinds = st.sampled_from(["uniform", "empirical", "given", "equal"])


def priors_of(kind: str, sample: Sample) -> str | list[float]:
    # A list, since scikit-learn 1.9.1 fails at an array: it compares it with a string.
    if kind == "given":
        return sample.priors(1).tolist()
    if kind == "equal":
        return [1.0 / sample.n_classes] * sample.n_classes
    return kind


def compare(ours: Ours, theirs: Theirs, sample: Sample) -> None:
    dtype, queries = sample.X.dtype, sample.queries
    same_form(ours, theirs, ATTRIBUTES)
    same_answers(ours, theirs, queries, METHODS)
    agree("priors", ours.class_prior_, theirs.class_prior_, dtype)
    for name in ["centroids_", "deviations_", "within_class_std_dev_"]:
        agree(name, getattr(ours, name), getattr(theirs, name), dtype)
    same_labels(ours, theirs, queries)
    same_labels(ours, theirs, sample.X)


def expected_log_posterior(fitted: Theirs, queries: np.ndarray) -> np.ndarray:
    """log softmax(log π − ½ d²), in the metric of scikit-learn's `predict` for these priors."""
    spread = fitted.within_class_std_dev_
    if np.isclose(fitted.class_prior_, 1.0 / len(fitted.classes_)).all():
        spread = np.full_like(spread, np.sqrt(np.mean(spread**2)))
    spread = np.where(spread == 0.0, 1.0, spread)
    away = (queries[:, None, :].astype(np.float64) - fitted.centroids_) / spread
    return log_softmax(np.log(fitted.class_prior_) - 0.5 * (away**2).sum(axis=2), axis=1)


def test_parameters():
    same_parameters(Ours, Theirs)
    assert Ours("manhattan").metric == "manhattan"


def test_weights_and_batches():
    takes_weights_and_batches(Ours)


@given(st.integers(2, 5), st.integers(1, 6), seeds, dtypes, metrics, thresholds, prior_kinds)
def test_fit_and_predict(n_classes, n_features, seed, dtype, metric, threshold, kind):
    sample = gaussians(n_classes, n_features, seed=seed, dtype=dtype)
    ours, theirs = (
        each(metric, shrink_threshold=threshold, priors=priors_of(kind, sample)).fit(
            sample.X, sample.y
        )
        for each in (Ours, Theirs)
    )
    compare(ours, theirs, sample)


@given(st.integers(2, 5), st.integers(1, 6), seeds, dtypes, thresholds, prior_kinds)
def test_posteriors_obey_bayes_rule(n_classes, n_features, seed, dtype, threshold, kind):
    sample = gaussians(n_classes, n_features, seed=seed, dtype=dtype)
    ours, theirs = (
        each(shrink_threshold=threshold, priors=priors_of(kind, sample)).fit(sample.X, sample.y)
        for each in (Ours, Theirs)
    )
    expected = expected_log_posterior(theirs, sample.queries)
    found = ours.predict_log_proba(sample.queries)
    agree("log posterior", found, expected, dtype)
    agree("posterior", ours.predict_proba(sample.queries), np.exp(expected), dtype)
    most_probable = ours.classes_[ours.predict_proba(sample.queries).argmax(axis=1)]
    np.testing.assert_array_equal(ours.predict(sample.queries), most_probable)


@pytest.mark.parametrize("priors", ["uniform", "empirical"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_decision_function_is_a_log_posterior_up_to_a_constant(n_classes, priors):
    sample = gaussians(n_classes, 3, seed=1)
    ours = Ours(priors=priors).fit(sample.X, sample.y)
    score = ours.decision_function(sample.queries)
    log_posterior = ours.predict_log_proba(sample.queries)
    if n_classes == 2:
        expected = log_posterior[:, 1] - log_posterior[:, 0]
        np.testing.assert_allclose(score, expected, rtol=1e-10, atol=1e-10)
    else:
        np.testing.assert_allclose(
            log_softmax(score, axis=1), log_posterior, rtol=1e-10, atol=1e-10
        )


def test_their_posteriors_are_no_reference():
    # Two centroids of spread one, at 0 and 4: x = −2 is nearer to the first by d² = 32, so that
    # the posteriors are as e^16 to 1. scikit-learn leaves the half out and says e^32.
    half = np.sqrt(0.5)
    X = np.array([[-half], [half], [4.0 - half], [4.0 + half]])
    y = np.array([0, 0, 1, 1])
    ours, theirs = (each().fit(X, y) for each in (Ours, Theirs))
    np.testing.assert_allclose(ours.within_class_std_dev_, [1.0], rtol=1e-12)
    odds = [each.predict_proba([[-2.0]])[0, 1] for each in (ours, theirs)]
    np.testing.assert_allclose(odds[0], np.exp(-16.0), rtol=1e-6)
    np.testing.assert_allclose(odds[1], np.exp(-32.0), rtol=1e-6)


def test_their_posteriors_contradict_their_labels_where_ours_do_not():
    # The second column has little spread, but distances of labels are plain ones.
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 2)) * [5.0, 0.1]
    y = np.repeat([0, 1], 30)
    X[y == 1] += [4.0, 0.3]
    queries = rng.normal(size=(200, 2)) * [5.0, 0.1] + [2.0, 0.15]
    ours, theirs = (each().fit(X, y) for each in (Ours, Theirs))
    same_labels(ours, theirs, queries)
    assert (theirs.predict(queries) != theirs.predict_proba(queries).argmax(axis=1)).any()
    np.testing.assert_array_equal(ours.predict(queries), ours.predict_proba(queries).argmax(axis=1))


@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csr_matrix, sparse.csc_array])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_sparse_rows(metric, make):
    sample = gaussians(3, 4, seed=3)
    thinned = [np.where(np.abs(rows) < 2.0, 0.0, rows) for rows in (sample.X, sample.queries)]
    ours, theirs = (each(metric).fit(make(thinned[0]), sample.y) for each in (Ours, Theirs))
    dense = Ours(metric).fit(thinned[0], sample.y)
    for name in ["centroids_", "deviations_", "within_class_std_dev_"]:
        agree(name, getattr(ours, name), getattr(theirs, name))
        agree(name, getattr(ours, name), getattr(dense, name))
    same_labels(ours, theirs, make(thinned[1]))
    if metric == "euclidean":
        found = ours.predict_proba(make(thinned[1]))
        agree("posterior", found, dense.predict_proba(thinned[1]))


@pytest.mark.parametrize("priors", ["uniform", "empirical"])
def test_a_column_that_is_constant_in_each_class(priors):
    plain = gaussians(3, 3, seed=4)
    X = np.insert(plain.X, 1, plain.y * 0.5, axis=1)
    queries = np.insert(plain.queries, 1, 0.25, axis=1)
    sample = Sample(X, plain.y, queries)
    with pytest.warns(UserWarning, match="has at least 1 zero standard deviation"):
        ours = Ours(priors=priors).fit(X, plain.y)
    with Silent():
        theirs = Theirs(priors=priors).fit(X, plain.y)
    compare(ours, theirs, sample)


def test_manhattan_has_labels_only():
    ours = Ours("manhattan").fit([[0.0], [1.0], [4.0], [5.0]], [0, 0, 1, 1])
    for method in ["decision_function", "predict_proba", "predict_log_proba"]:
        assert not hasattr(ours, method)
    np.testing.assert_array_equal(ours.predict([[1.0], [4.0]]), [0, 1])


def test_priors_as_an_array():
    sample = gaussians(3, 4, seed=5)
    priors = sample.priors()
    ours = Ours(priors=priors).fit(sample.X, sample.y)
    compare(ours, Theirs(priors=priors.tolist()).fit(sample.X, sample.y), sample)


def test_iris(iris):
    X, y = iris
    compare(*(each().fit(X, y) for each in (Ours, Theirs)), Sample(X, y, X))
