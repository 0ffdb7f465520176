"""Holds naive Bayes of flags, counts and codes to that of scikit-learn 1.9.1."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import counts
from scipy import sparse
from sklearn import naive_bayes
from tolerances import (
    agree,
    same_answers,
    same_form,
    same_parameters,
    takes_weights_and_batches,
)

import gaussbayes as gb

pytestmark = pytest.mark.filterwarnings("error")

NAMES = ["BernoulliNB", "MultinomialNB", "ComplementNB", "CategoricalNB"]
SPARSE = NAMES[:3]
ATTRIBUTES = [
    "category_count_",
    "class_count_",
    "class_log_prior_",
    "classes_",
    "feature_all_",
    "feature_count_",
    "feature_log_prob_",
    "feature_names_in_",
    "n_categories_",
    "n_features_in_",
]
TABLES = ["category_count_", "feature_all_", "feature_count_", "feature_log_prob_"]
METHODS = ["predict_joint_log_proba", "predict_proba", "predict_log_proba", "predict"]
FORMS = [
    sparse.csr_matrix,
    sparse.csr_array,
    sparse.csc_matrix,
    sparse.coo_array,
    sparse.lil_matrix,
]

seeds = st.integers(0, 10_000)
each = pytest.mark.parametrize("name", NAMES)


def pair(name: str, **parameters: object) -> tuple[object, object]:
    return tuple(getattr(where, name)(**parameters) for where in (gb, naive_bayes))


def compare(ours: object, theirs: object, queries: object) -> None:
    same_form(ours, theirs, ATTRIBUTES)
    same_answers(ours, theirs, queries, METHODS)
    agree("class_count_", ours.class_count_, theirs.class_count_)
    agree("priors", np.exp(ours.class_log_prior_), np.exp(theirs.class_log_prior_))
    for table in TABLES:
        if hasattr(theirs, table):
            found, expected = getattr(ours, table), getattr(theirs, table)
            found, expected = (x if isinstance(x, list) else [x] for x in (found, expected))
            for one, other in zip(found, expected, strict=True):
                agree("means_" if "count" in table or "all" in table else "decision", one, other)
    joint = [one.predict_joint_log_proba(queries) for one in (ours, theirs)]
    agree("decision", *joint)
    agree("posterior", ours.predict_proba(queries), theirs.predict_proba(queries))
    agree("log posterior", ours.predict_log_proba(queries), theirs.predict_log_proba(queries))
    same_labels_but_for_ties(ours, theirs, queries)


def same_labels_but_for_ties(ours: object, theirs: object, queries: object) -> None:
    # Classes that have counted the same score the same, up to the rounding of either.
    best = np.sort(theirs.predict_joint_log_proba(queries), axis=1)[:, -2:]
    clear = best[:, -1] - best[:, 0] > 1e-9 * (1.0 + np.abs(best[:, -1]))
    clear |= best.shape[1] == 1
    found, expected = ours.predict(queries), theirs.predict(queries)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found[clear], expected[clear])


@each
def test_parameters(name):
    same_parameters(getattr(gb, name), getattr(naive_bayes, name))
    takes_weights_and_batches(getattr(gb, name))


@each
@given(data=st.data())
def test_fit(name, data):
    n_classes, n_features = data.draw(st.integers(2, 5)), data.draw(st.integers(1, 8))
    seed, dtype = data.draw(seeds), data.draw(st.sampled_from([np.float64, np.float32, np.int64]))
    sample = counts(n_classes, n_features, seed=seed, dtype=dtype)
    rng = np.random.default_rng(seed)
    # Theirs loses digits of flags that nearly all rows have: 1 - exp(ln p).
    least = 0.1 if name == "BernoulliNB" else 1e-8
    parameters = {
        "alpha": data.draw(st.sampled_from([1.0, 0.1, least, 20.0])),
        "fit_prior": data.draw(st.booleans()),
        "class_prior": sample.priors(seed) if data.draw(st.booleans()) else None,
    }
    if name == "BernoulliNB":
        parameters["binarize"] = data.draw(st.sampled_from([0.0, 0.5, 2.0]))
    if name == "ComplementNB":
        # Of one column all weights are 0, and theirs are divided by their sum.
        parameters["norm"] = n_features > 1 and data.draw(st.booleans())
    if name == "CategoricalNB":
        least = rng.integers(1, 30, n_features)
        parameters["min_categories"] = data.draw(st.sampled_from([None, 3, 25, least]))
    if name in ("MultinomialNB", "ComplementNB") and data.draw(st.booleans()):
        parameters["alpha"] = rng.uniform(0.1, 3.0, n_features)
    weights = rng.uniform(0.1, 3.0, len(sample.y)) if data.draw(st.booleans()) else None
    ours, theirs = (
        one.fit(sample.X, sample.y, sample_weight=weights) for one in pair(name, **parameters)
    )
    compare(ours, theirs, sample.queries)


@pytest.mark.parametrize("name", SPARSE)
@given(st.integers(2, 5), st.integers(1, 9), seeds, st.sampled_from(FORMS), st.booleans())
def test_sparse_rows(name, n_classes, n_features, seed, form, weighted):
    sample = counts(n_classes, n_features, seed=seed)
    weights = np.random.default_rng(seed).uniform(0.1, 3.0, len(sample.y)) if weighted else None
    ours, theirs = (
        one.fit(form(sample.X), sample.y, sample_weight=weights) for one in pair(name, alpha=0.5)
    )
    compare(ours, theirs, form(sample.queries))


@pytest.mark.parametrize("name", SPARSE)
def test_sparse_rows_that_are_written_oddly(name):
    # Columns that do not ascend, a column twice in a row, and a zero that is written down.
    parts = ([1.0, 2.0, 3.0, 0.0, 4.0, 1.0], [2, 0, 2, 1, 1, 0], [0, 3, 4, 6])
    odd = sparse.csr_matrix(parts, shape=(3, 3))
    before = [part.copy() for part in (odd.data, odd.indices, odd.indptr)]
    X, y = odd.toarray(), [0, 1, 1]
    ours, theirs = pair(name)
    compare(ours.fit(odd, y), theirs.fit(X, y), X)
    np.testing.assert_allclose(
        ours.predict_joint_log_proba(odd), theirs.predict_joint_log_proba(X), rtol=1e-12
    )
    for part, copy in zip((odd.data, odd.indices, odd.indptr), before, strict=True):
        np.testing.assert_array_equal(part, copy)


@each
@pytest.mark.parametrize("size", [1, 7, 40, 1000])
def test_batches(name, size):
    sample = counts(3, 4, seed=2)
    parameters = {"min_categories": 40} if name == "CategoricalNB" else {}
    ours, theirs = pair(name, **parameters)
    weights = np.random.default_rng(2).uniform(0.5, 2.0, len(sample.y))
    for start in range(0, len(sample.y), size):
        batch = slice(start, start + size)
        for one in (ours, theirs):
            one.partial_fit(
                sample.X[batch], sample.y[batch], classes=[0, 1, 2], sample_weight=weights[batch]
            )
    compare(ours, theirs, sample.queries)


@each
@pytest.mark.parametrize("fit_prior", [True, False])
def test_a_declared_class_without_rows(name, fit_prior):
    sample = counts(3, 4, seed=4)
    late = sample.y == 1
    parameters = {"min_categories": 40} if name == "CategoricalNB" else {}
    ours, theirs = pair(name, fit_prior=fit_prior, **parameters)
    for one in (ours, theirs):
        one.partial_fit(sample.X[~late], sample.y[~late], classes=[0, 1, 2])
    same_form(ours, theirs, ATTRIBUTES)
    np.testing.assert_allclose(ours.class_log_prior_, theirs.class_log_prior_, rtol=1e-14)
    joint = [one.predict_joint_log_proba(sample.queries) for one in (ours, theirs)]
    np.testing.assert_allclose(*joint, rtol=1e-12)
    same_labels_but_for_ties(ours, theirs, sample.queries)
    for one in (ours, theirs):
        one.partial_fit(sample.X[late], sample.y[late])
    compare(ours, theirs, sample.queries)


@each
def test_one_class(name):
    sample = counts(1, 3, seed=5)
    compare(*(one.fit(sample.X, sample.y) for one in pair(name)), sample.queries)


@each
@pytest.mark.parametrize("labels", [["b", "a", "c"], [3.0, -1.0, 10.0], [True, False, True]])
def test_classes(name, labels):
    sample = counts(3, 3, seed=6)
    y = np.array(labels)[sample.y]
    compare(*(one.fit(sample.X, y) for one in pair(name)), sample.queries)
    if y.dtype.kind == "U":
        compare(*(one.fit(sample.X, y.astype(object)) for one in pair(name)), sample.queries)


@each
def test_a_small_alpha_that_is_not_forced(name):
    sample = counts(2, 3, seed=7)
    ours, theirs = pair(name, alpha=1e-12, force_alpha=False)
    for one in (ours, theirs):
        with pytest.warns(UserWarning, match="alpha too small will result in numeric errors"):
            one.fit(sample.X, sample.y)
    compare(ours, theirs, sample.queries)


@each
@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"alpha": -1.0}, "The 'alpha' parameter"),
        ({"fit_prior": "no"}, "The 'fit_prior' parameter"),
        ({"class_prior": [0.5, 0.5]}, "Number of priors must match number of classes"),
    ],
)
def test_parameters_that_are_refused(name, parameters, words):
    sample = counts(3, 4, seed=8)
    for one in pair(name, **parameters):
        with pytest.raises(ValueError, match=words):
            one.fit(sample.X, sample.y)


@pytest.mark.parametrize(
    ("name", "parameters", "words"),
    [
        ("MultinomialNB", {"alpha": [1.0, 2.0]}, "Got 2 elements instead of 4"),
        ("ComplementNB", {"alpha": [1.0, -2.0, 1.0, 1.0]}, "must be greater than 0"),
        ("BernoulliNB", {"binarize": -1.0}, "The 'binarize' parameter"),
        ("ComplementNB", {"norm": 2}, "The 'norm' parameter"),
        ("CategoricalNB", {"min_categories": [1.5] * 4}, "should have integral type"),
        ("CategoricalNB", {"min_categories": [3, 3]}, "shape"),
        ("CategoricalNB", {"alpha": [1.0] * 4}, "The 'alpha' parameter"),
    ],
)
def test_own_parameters_that_are_refused(name, parameters, words):
    sample = counts(3, 4, seed=8)
    for one in pair(name, **parameters):
        with pytest.raises(ValueError, match=words):
            one.fit(sample.X, sample.y)


@pytest.mark.parametrize("name", NAMES[1:])
def test_numbers_below_zero_are_refused(name):
    sample = counts(3, 4, seed=9)
    sample.X[7, 2] = -1.0
    ours, theirs = pair(name)
    with pytest.raises(ValueError, match="Negative values in data"):
        theirs.fit(sample.X, sample.y)
    with pytest.raises(ValueError, match=r"Negative values in data passed to X: X\[7, 2\]"):
        ours.fit(sample.X, sample.y)
    with pytest.raises(ValueError, match=r"X\[9002, 2\]"):
        ours.fit(np.vstack([np.abs(sample.X)] * 60 + [sample.X])[5:], np.tile(sample.y, 61)[5:])


@each
def test_missing_numbers_are_refused(name):
    sample = counts(3, 4, seed=10)
    sample.X[3, 1] = np.nan
    for one in pair(name):
        with pytest.raises(ValueError, match="Input X contains NaN"):
            one.fit(sample.X, sample.y)


def test_codes_refuse_sparse_rows():
    sample = counts(3, 4, seed=11)
    for one in pair("CategoricalNB"):
        with pytest.raises(TypeError, match="Sparse data was passed"):
            one.fit(sparse.csr_matrix(sample.X), sample.y)


@pytest.mark.parametrize("weighted", [False, True])
def test_gaussians_have_the_same_joint_log_probabilities(weighted, iris):
    X, y = iris
    weights = np.random.default_rng(3).uniform(0.5, 2.0, len(y)) if weighted else None
    ours, theirs = (
        one.fit(X, y, sample_weight=weights) for one in pair("GaussianNB", var_smoothing=0.0)
    )
    joint = [one.predict_joint_log_proba(X) for one in (ours, theirs)]
    np.testing.assert_allclose(*joint, rtol=1e-10, atol=1e-10)
