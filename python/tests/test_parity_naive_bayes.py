"""Holds GaussianNB to that of scikit-learn 1.9.1, and says where ours differs on purpose."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import Sample, gaussians
from sklearn.naive_bayes import GaussianNB as Theirs
from tolerances import (
    agree,
    same_answers,
    same_form,
    same_labels,
    same_parameters,
    takes_weights_and_batches,
)

from gaussbayes import GaussianNB as Ours

pytestmark = pytest.mark.filterwarnings("error")

ATTRIBUTES = [
    "class_count_",
    "class_prior_",
    "classes_",
    "epsilon_",
    "feature_names_in_",
    "n_features_in_",
    "theta_",
    "var_",
]
METHODS = ["predict_joint_log_proba", "predict_proba", "predict_log_proba", "predict"]

dtypes = st.sampled_from([np.float64, np.float32])
seeds = st.integers(0, 10_000)


def compare(ours: Ours, theirs: Theirs, queries: np.ndarray) -> None:
    dtype = queries.dtype
    same_form(ours, theirs, ATTRIBUTES)
    same_answers(ours, theirs, queries, METHODS)
    agree("priors", ours.class_prior_, theirs.class_prior_, dtype)
    agree("class_count_", ours.class_count_, theirs.class_count_, dtype)
    agree("theta_", ours.theta_, theirs.theta_, dtype)
    agree("var_", ours.var_, theirs.var_, dtype)
    agree("epsilon_", ours.epsilon_, theirs.epsilon_, dtype)
    joint = [each.predict_joint_log_proba(queries) for each in (ours, theirs)]
    agree("decision", *joint, dtype)
    agree("posterior", ours.predict_proba(queries), theirs.predict_proba(queries), dtype)
    agree(
        "log posterior", ours.predict_log_proba(queries), theirs.predict_log_proba(queries), dtype
    )
    if dtype == np.float64:
        same_labels(ours, theirs, queries)


def test_parameters():
    same_parameters(Ours, Theirs)
    with pytest.raises(TypeError):
        Ours([0.5, 0.5])


def test_weights_and_batches():
    takes_weights_and_batches(Ours)


def test_there_is_no_decision_function():
    assert not hasattr(Ours(), "decision_function")


@given(
    st.integers(1, 5),
    st.integers(1, 6),
    seeds,
    dtypes,
    st.sampled_from([0.0, 1e-9, 1e-3, 2.0]),
    st.booleans(),
)
def test_fit(n_classes, n_features, seed, dtype, var_smoothing, with_priors):
    sample = gaussians(n_classes, n_features, seed=seed, dtype=dtype)
    priors = sample.priors(seed) if with_priors else None
    ours, theirs = (
        each(priors=priors, var_smoothing=var_smoothing).fit(sample.X, sample.y)
        for each in (Ours, Theirs)
    )
    compare(ours, theirs, sample.queries)


@given(st.integers(2, 4), st.integers(1, 5), seeds, dtypes, st.booleans())
def test_weights_without_smoothing(n_classes, n_features, seed, dtype, with_priors):
    sample = gaussians(n_classes, n_features, seed=seed, dtype=dtype)
    weights = np.random.default_rng(seed).uniform(0.1, 3.0, len(sample.y))
    priors = sample.priors(seed) if with_priors else None
    ours, theirs = (
        each(priors=priors, var_smoothing=0.0).fit(sample.X, sample.y, sample_weight=weights)
        for each in (Ours, Theirs)
    )
    compare(ours, theirs, sample.queries)


def test_smoothing_is_a_share_of_the_weighted_variance():
    # scikit-learn takes the variance of the rows as if all had weight one, so that there a row of
    # weight two is not two rows.
    sample = gaussians(3, 3, seed=1)
    weights = np.random.default_rng(1).uniform(0.1, 3.0, len(sample.y))
    ours = Ours(var_smoothing=0.01).fit(sample.X, sample.y, sample_weight=weights)
    mean = np.average(sample.X, axis=0, weights=weights)
    variance = np.average((sample.X - mean) ** 2, axis=0, weights=weights)
    np.testing.assert_allclose(ours.epsilon_, 0.01 * variance.max(), rtol=1e-12)
    plain = Theirs(var_smoothing=0.0).fit(sample.X, sample.y, sample_weight=weights)
    np.testing.assert_allclose(ours.var_ - ours.epsilon_, plain.var_, rtol=1e-11)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("size", [1, 7, 40, 1000])
def test_batches_give_what_their_fit_gives_of_all_rows(size, dtype, weighted):
    sample = gaussians(3, 4, seed=2, dtype=dtype)
    weights = np.random.default_rng(2).uniform(0.5, 2.0, len(sample.y)) if weighted else None
    smoothing = 0.0 if weighted else 1e-3
    ours = Ours(var_smoothing=smoothing)
    for start in range(0, len(sample.y), size):
        batch = slice(start, start + size)
        ours.partial_fit(
            sample.X[batch],
            sample.y[batch],
            classes=[2, 0, 1],
            sample_weight=None if weights is None else weights[batch],
        )
    theirs = Theirs(var_smoothing=smoothing).fit(sample.X, sample.y, sample_weight=weights)
    compare(ours, theirs, sample.queries)


def test_their_batches_are_no_reference():
    # In scikit-learn `epsilon_` is that of the last batch alone, and `var_` the mean over batches.
    sample = gaussians(3, 4, seed=3)
    theirs = Theirs(var_smoothing=0.1)
    for batch in np.array_split(np.arange(len(sample.y)), 10):
        theirs.partial_fit(sample.X[batch], sample.y[batch], classes=[0, 1, 2])
    whole = Theirs(var_smoothing=0.1).fit(sample.X, sample.y)
    assert abs(theirs.epsilon_ / whole.epsilon_ - 1.0) > 1e-3
    assert np.abs(theirs.var_ / whole.var_ - 1.0).max() > 1e-3


def test_a_class_that_the_first_batch_lacks():
    sample = gaussians(3, 4, seed=4)
    late = sample.y == 1
    ours = Ours().partial_fit(sample.X[~late], sample.y[~late], classes=[0, 1, 2])
    np.testing.assert_array_equal(ours.classes_, [0, 1, 2])
    assert ours.class_count_[1] == 0.0 and ours.class_prior_[1] == 0.0
    posterior = ours.predict_proba(sample.queries)
    assert posterior.shape == (len(sample.queries), 3)
    np.testing.assert_array_equal(posterior[:, 1], 0.0)
    two = Theirs().fit(sample.X[~late], sample.y[~late])
    agree("posterior", posterior[:, [0, 2]], two.predict_proba(sample.queries))
    assert not np.isin(ours.predict(sample.queries), [1]).any()

    ours.partial_fit(sample.X[late], sample.y[late])
    compare(ours, Theirs().fit(sample.X, sample.y), sample.queries)


def test_fit_then_batches_go_on():
    sample = gaussians(3, 4, seed=5)
    half = len(sample.y) // 2
    ours = Ours().fit(sample.X[:half], sample.y[:half])
    ours.partial_fit(sample.X[half:], sample.y[half:])
    compare(ours, Theirs().fit(sample.X, sample.y), sample.queries)
    ours.fit(sample.X[:half], sample.y[:half])
    compare(ours, Theirs().fit(sample.X[:half], sample.y[:half]), sample.queries)


def test_a_weight_for_all_rows():
    sample = gaussians(2, 3, seed=6)
    ours, theirs = (
        each(var_smoothing=0.0).fit(sample.X, sample.y, sample_weight=2.5)
        for each in (Ours, Theirs)
    )
    compare(ours, theirs, sample.queries)


@pytest.mark.parametrize("fitted", [np.float64, np.float32])
@pytest.mark.parametrize("asked", [np.float64, np.float32])
def test_dtypes_of_answers_follow_model_and_rows(fitted, asked):
    sample = gaussians(3, 3, seed=7, dtype=fitted)
    ours, theirs = (each().fit(sample.X, sample.y) for each in (Ours, Theirs))
    same_answers(ours, theirs, sample.queries.astype(asked), METHODS)


def test_a_constant_column():
    plain = gaussians(3, 3, seed=8)
    X, queries = (np.insert(rows, 1, 5.0, axis=1) for rows in (plain.X, plain.queries))
    sample = Sample(X, plain.y, queries)
    ours, theirs = (each().fit(sample.X, sample.y) for each in (Ours, Theirs))
    compare(ours, theirs, sample.queries)


def test_iris(iris):
    X, y = iris
    compare(*(each().fit(X, y) for each in (Ours, Theirs)), X)
