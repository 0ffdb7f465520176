"""Tests what must hold for every classifier that counts: batches, weights, order, sparse rows."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from bits import answers, is_same, same_bits
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import COUNTING, OnlyAStream, counts, named
from scipy import sparse
from sklearn import naive_bayes
from sklearn.base import clone
from test_laws import in_batches

import gaussbayes as gb

pytestmark = pytest.mark.filterwarnings("error")

NUMBERS = ["class_count_", "class_prior_", "feature_all_", "feature_count_", "category_count_"]
MEASURED = [*NUMBERS, "class_log_prior_", "feature_log_prob_"]

each_estimator = pytest.mark.parametrize("estimator", COUNTING, ids=named)
each_sparse = pytest.mark.parametrize("estimator", COUNTING[:6], ids=named)


def nearly(one, other, queries, allowed=1e-12):
    """Hold two fits together but for rounding, on the scale of the largest entry."""
    for name in MEASURED:
        assert hasattr(one, name) == hasattr(other, name)
        if hasattr(one, name):
            pair = [getattr(each, name) for each in (one, other)]
            pair = [each if isinstance(each, list) else [each] for each in pair]
            for found, expected in zip(*pair, strict=True):
                scale = allowed * np.abs(expected).max()
                np.testing.assert_allclose(found, expected, rtol=0, atol=scale, err_msg=name)
    found, expected = (each.predict_joint_log_proba(queries) for each in (one, other))
    np.testing.assert_allclose(found, expected, rtol=allowed, atol=allowed)
    np.testing.assert_array_equal(one.predict(queries), other.predict(queries))


@settings(max_examples=10)
@given(data=st.data())
@each_estimator
def test_batches_of_any_size(estimator, data):
    sample = counts(3, 4, seed=data.draw(st.integers(0, 1000)))
    sizes = data.draw(st.lists(st.integers(1, 60), max_size=8))
    weights = np.random.default_rng(0).uniform(0.0, 2.0, len(sample.y))
    weights = weights if data.draw(st.booleans()) else None
    found = in_batches(estimator, sample.X, sample.y, sizes, weights)
    expected = clone(estimator).fit(sample.X, sample.y, sample_weight=weights)
    same_bits(found, expected, sample.queries)


@each_estimator
def test_a_batch_for_every_row(estimator):
    sample = counts(3, 4, seed=1)
    found = in_batches(estimator, sample.X, sample.y, [1] * len(sample.y))
    same_bits(found, clone(estimator).fit(sample.X, sample.y), sample.queries)


@each_estimator
def test_batches_that_end_within_blocks(estimator):
    # Blocks have 8192 rows here: these batches end before, at and behind the ends of blocks.
    sample = counts(3, 4, rows=30_000, seed=2)
    weights = np.random.default_rng(2).uniform(0.0, 2.0, len(sample.y))
    sizes = [1, 8191, 8192, 5000, 3191, 2, 9]
    found = in_batches(estimator, sample.X, sample.y, sizes, weights)
    expected = clone(estimator).fit(sample.X, sample.y, sample_weight=weights)
    same_bits(found, expected, sample.queries)


@each_sparse
def test_sparse_batches_that_end_within_blocks(estimator):
    # Dense rows of 600 columns come in blocks of 256, sparse ones of 8192.
    sample = counts(3, 600, rows=9000, seed=3)
    estimator = clone(estimator)
    if np.ndim(estimator.alpha) == 1:
        estimator.set_params(alpha=np.linspace(0.1, 2.0, 600))
    weights = np.random.default_rng(3).uniform(0.0, 2.0, len(sample.y))
    rows = sparse.csr_matrix(sample.X)
    found = in_batches(estimator, rows, sample.y, [1, 8191, 7, 500], weights)
    expected = clone(estimator).fit(rows, sample.y, sample_weight=weights)
    same_bits(found, expected, sparse.csr_matrix(sample.queries))
    dense = clone(estimator).fit(sample.X, sample.y, sample_weight=weights)
    nearly(expected, dense, sample.queries)
    asked = answers(dense, sample.queries), answers(dense, sparse.csr_matrix(sample.queries))
    for method, answer in asked[0].items():
        assert is_same(answer, asked[1][method]), method


@pytest.mark.parametrize("name", ["BernoulliNB", "MultinomialNB", "ComplementNB"])
def test_a_million_columns_stay_sparse(name):
    # With its zeros this table would fill 24 GB.
    rng = np.random.default_rng(15)
    cells = rng.integers(0, 1_000_000, 30_000), rng.integers(1, 5, 30_000).astype(float)
    starts = np.arange(0, 30_001, 10)
    rows = sparse.csr_matrix((cells[1], cells[0], starts), shape=(3000, 1_000_000))
    rows.sum_duplicates()
    y = rng.integers(0, 2, 3000)
    ours, theirs = (getattr(where, name)().fit(rows, y) for where in (gb, naive_bayes))
    np.testing.assert_allclose(ours.feature_count_, theirs.feature_count_, rtol=1e-12)
    joint = [each.predict_joint_log_proba(rows) for each in (ours, theirs)]
    # Over a million columns of flags theirs adds up what nearly cancels.
    np.testing.assert_allclose(*joint, rtol=1e-9)


@each_sparse
def test_dense_batches_join_sparse_ones(estimator):
    sample = counts(3, 4, rows=10_000, seed=4)
    first, last = slice(None, 6000), slice(6000, None)
    found = clone(estimator).partial_fit(
        sparse.csr_matrix(sample.X[first]), sample.y[first], classes=[0, 1, 2]
    )
    found.partial_fit(sample.X[last], sample.y[last])
    nearly(found, clone(estimator).fit(sample.X, sample.y), sample.queries)


@each_estimator
def test_batches_go_on_after_fit(estimator):
    sample = counts(3, 4, seed=5)
    X, y = sample.X, sample.y
    found = clone(estimator).fit(X[:90], y[:90]).partial_fit(X[90:], y[90:])
    same_bits(found, clone(estimator).fit(X, y), sample.queries)


@each_estimator
def test_fit_forgets(estimator):
    sample = counts(3, 4, seed=6)
    X, y = sample.X, sample.y
    found = clone(estimator).partial_fit(X, y, classes=[0, 1, 2]).fit(X[:90], y[:90])
    same_bits(found, clone(estimator).fit(X[:90], y[:90]), sample.queries)


@each_estimator
def test_a_whole_weight_is_that_many_rows(estimator):
    sample = counts(3, 4, seed=7)
    weights = np.random.default_rng(7).integers(0, 5, len(sample.y))
    weights[:2] = 1
    found = clone(estimator).fit(sample.X, sample.y, sample_weight=weights)
    repeated = [np.repeat(each, weights, axis=0) for each in (sample.X, sample.y)]
    nearly(found, clone(estimator).fit(*repeated), sample.queries)


@each_estimator
def test_weights_of_one_are_no_weights(estimator):
    sample = counts(3, 4, seed=8)
    found = clone(estimator).fit(sample.X, sample.y, sample_weight=np.ones(len(sample.y)))
    nearly(found, clone(estimator).fit(sample.X, sample.y), sample.queries)


@each_estimator
def test_rows_of_weight_zero_are_no_rows(estimator):
    sample = counts(3, 4, seed=9)
    weights = np.ones(len(sample.y))
    weights[2::3] = 0.0
    distorted = sample.X.copy()
    distorted[2::3] = 1e6
    found = clone(estimator).fit(distorted, sample.y, sample_weight=weights)
    kept = weights > 0
    nearly(found, clone(estimator).fit(sample.X[kept], sample.y[kept]), sample.queries)


@each_estimator
def test_the_order_of_rows_does_not_matter(estimator):
    sample = counts(3, 4, rows=20_000, seed=10)
    order = np.random.default_rng(10).permutation(len(sample.y))
    found = clone(estimator).fit(sample.X[order], sample.y[order])
    nearly(found, clone(estimator).fit(sample.X, sample.y), sample.queries, allowed=1e-11)


@each_estimator
def test_a_row_is_answered_alone_as_in_company(estimator):
    sample = counts(3, 4, rows=9000, seed=11)
    fitted = clone(estimator).fit(sample.X, sample.y)
    whole = answers(fitted, sample.X)
    for rows in [slice(0, 1), slice(8190, 8197), slice(3, None, 1001), slice(None, None, -7)]:
        for method, part in answers(fitted, sample.X[rows]).items():
            assert part.tobytes() == whole[method][rows].tobytes(), method


@each_estimator
def test_rows_in_any_form_have_the_same_bits(estimator):
    sample = counts(3, 4, rows=9000, seed=12)
    names = list("abcd")
    frame = pd.DataFrame(sample.X, columns=names)
    expected = clone(estimator).fit(frame, sample.y)
    forms = [
        lambda rows: rows.astype("int32"),
        lambda rows: rows.astype("Int64"),
        lambda rows: pl.from_pandas(rows),
        lambda rows: pa.Table.from_pandas(rows, preserve_index=False),
        lambda rows: OnlyAStream(pa.Table.from_pandas(rows.astype("int16"), preserve_index=False)),
    ]
    queries = pd.DataFrame(sample.queries, columns=names)
    for form in forms:
        found = clone(estimator).fit(form(frame), sample.y)
        same_bits(found, expected, lambda form=form: form(queries), lambda: queries)
    labelled = frame.assign(label=sample.y)
    found = clone(estimator).fit(pl.from_pandas(labelled), "label")
    same_bits(found, expected, queries)


@each_estimator
def test_arrays_in_any_layout_have_the_same_bits(estimator):
    sample = counts(3, 4, rows=9000, seed=13)
    expected = clone(estimator).fit(sample.X, sample.y)
    for form in [
        np.asfortranarray,
        lambda rows: rows.astype(np.float32),
        lambda rows: rows.astype(np.uint8),
        lambda rows: np.repeat(rows, 2, axis=1)[:, ::2],
        lambda rows: rows.tolist(),
    ]:
        found = clone(estimator).fit(form(sample.X), sample.y)
        same_bits(found, expected, form(sample.queries), sample.queries)


def test_declared_classes_are_counted_wherever_their_rows_come():
    sample = counts(4, 3, seed=14)
    order = np.argsort(sample.y, kind="stable")
    X, y = sample.X[order], sample.y[order]
    for estimator in (gb.MultinomialNB(), gb.ComplementNB(), gb.BernoulliNB()):
        found = clone(estimator)
        for k in range(4):
            found.partial_fit(X[y == k], y[y == k], classes=[0, 1, 2, 3])
            assert found.class_count_[k + 1 :].sum() == 0.0
        same_bits(found, clone(estimator).fit(X, y), sample.queries)
