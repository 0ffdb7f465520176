"""Takes labels in every form that people have them in, or as the name of a column."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from bits import same_bits
from samples import DEFAULTS, OnlyAStream, gaussians, named
from sklearn.base import clone
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid

NAMES = list("abcd")
SAMPLE = gaussians(3, 4, seed=5)
X, CODES = SAMPLE.X, SAMPLE.y
WEIGHTS = np.random.default_rng(5).uniform(0.5, 2.0, len(CODES))
WORDS = np.array(["virginica", "setosa", "Versicolor"])[CODES]

# Whose `classes_` to have: words in object arrays become fixed-width text in LDA and naive Bayes.
THEIRS = {
    "LinearDiscriminantAnalysis": LinearDiscriminantAnalysis,
    "QuadraticDiscriminantAnalysis": QuadraticDiscriminantAnalysis,
    "GaussianNB": GaussianNB,
    "NearestCentroid": NearestCentroid,
    "GaussianClassifier": QuadraticDiscriminantAnalysis,
}

each_estimator = pytest.mark.parametrize("estimator", DEFAULTS, ids=named)

LABELS = {
    "int8": CODES.astype(np.int8),
    "uint64": CODES.astype(np.uint64) + 2**40,
    # As text, "-2" comes before "-9".
    "negative": CODES * 7 - 9,
    "flags": CODES == 1,
    "whole floats": CODES.astype(float) - 1.0,
    "whole floats in single precision": CODES.astype(np.float32),
    "list": CODES.tolist(),
    "list of words": WORDS.tolist(),
    "words": WORDS,
    "words in an object array": WORDS.astype(object),
    # As text, "10" comes before "9" and "-1" before both.
    "numbers as text": np.array(["9", "10", "-1"])[CODES],
    "text in other alphabets": np.array(["ß", "Ω", "z"])[CODES],
    "strided": np.repeat(CODES, 2)[::2],
    "backwards": CODES[::-1].copy()[::-1],
    "pandas": pd.Series(CODES, index=np.arange(len(CODES)) + 3),
    "pandas words": pd.Series(WORDS),
    "pandas objects": pd.Series(WORDS, dtype=object),
    "pandas categories": pd.Series(WORDS).astype("category"),
    "pandas categories of numbers": pd.Series(CODES).astype("category"),
    "pandas categories in their own order": pd.Categorical(
        WORDS, ["virginica", "setosa", "Versicolor", "unused"], ordered=True
    ),
    "pandas nullable": pd.Series(CODES, dtype="Int64"),
    "polars": pl.Series(CODES),
    "polars words": pl.Series(WORDS),
    "polars categories": pl.Series(WORDS).cast(pl.Categorical),
    "pyarrow": pa.array(CODES),
    "pyarrow words": pa.array(WORDS.tolist()),
    "pyarrow chunks": pa.chunked_array([WORDS[:41].tolist(), WORDS[41:].tolist()]),
    "dates": CODES.astype("M8[D]"),
}


@each_estimator
@pytest.mark.parametrize("form", LABELS)
def test_labels(form, estimator):
    labels = LABELS[form]
    found = clone(estimator).fit(X, labels)
    classes = THEIRS[type(estimator).__name__]().fit(X, labels).classes_
    np.testing.assert_array_equal(found.classes_, classes)
    assert found.classes_.dtype == classes.dtype
    # The same classes as whole numbers, in the same order.
    _, codes = np.unique(np.asarray(labels), return_inverse=True)
    expected = clone(estimator).fit(X, codes)
    if form in ("numbers as text", "negative"):
        # The core sums classes up in the order of the text: the same but for the last bits.
        np.testing.assert_allclose(found.predict_proba(X), expected.predict_proba(X), rtol=1e-13)
    else:
        assert found.predict_proba(X).tobytes() == expected.predict_proba(X).tobytes()
    predicted = found.predict(X)
    assert predicted.dtype == classes.dtype
    np.testing.assert_array_equal(predicted, classes[expected.predict(X)])


@each_estimator
def test_labels_are_sorted_as_numpy_sorts_them(estimator):
    for labels in [["9", "10", "-1"], [9, 10, -1], [False, True], ["b", "B", "a"]]:
        given = np.array(labels)[CODES % len(labels)]
        found = clone(estimator).fit(X, given)
        np.testing.assert_array_equal(found.classes_, np.unique(given))
        assert found.classes_.dtype == given.dtype


@each_estimator
def test_classes_of_batches_have_the_type_that_was_given(estimator):
    found = clone(estimator).partial_fit(X, WORDS, classes=["virginica", "setosa", "Versicolor"])
    np.testing.assert_array_equal(found.classes_, np.unique(WORDS))
    assert found.predict(X).dtype.kind == "U"


def as_pandas(columns: dict[str, np.ndarray]) -> pd.DataFrame:
    return pd.DataFrame(columns)


def as_polars(columns: dict[str, np.ndarray]) -> pl.DataFrame:
    return pl.DataFrame(columns)


def as_arrow(columns: dict[str, np.ndarray]) -> pa.Table:
    table = pa.table({name: pa.array(column) for name, column in columns.items()})
    return pa.Table.from_batches(table.to_batches(max_chunksize=41))


TABLES: dict[str, Callable[[dict[str, np.ndarray]], object]] = {
    "pandas": as_pandas,
    "polars": as_polars,
    "pyarrow": as_arrow,
    "reader": lambda columns: as_arrow(columns).to_reader(),
    "stream": lambda columns: OnlyAStream(as_arrow(columns)),
}
each_table = pytest.mark.parametrize("table", TABLES)


def columns_with(**others: np.ndarray) -> dict[str, np.ndarray]:
    """The features, with other columns between them."""
    columns = {"a": X[:, 0]} | others
    return columns | {name: X[:, j] for j, name in enumerate(NAMES) if j > 0}


@each_estimator
@each_table
@pytest.mark.parametrize("weighted", [False, True])
def test_labels_and_weights_by_name(weighted, table, estimator):
    labels = WORDS.astype(object)
    others = {"species": labels} | ({"w": WEIGHTS} if weighted else {})
    make = TABLES[table]
    found = clone(estimator)
    found.fit(make(columns_with(**others)), "species", sample_weight="w" if weighted else None)
    assert found.feature_names_in_.tolist() == NAMES
    assert found.n_features_in_ == 4
    assert found.classes_.tolist() == sorted(set(WORDS))
    expected = clone(estimator).fit(X, WORDS, sample_weight=WEIGHTS if weighted else None)
    queries = make(dict(zip(NAMES, X.T, strict=True)))
    if table == "reader":
        queries = queries.read_all()
    assert found.predict_proba(queries).tobytes() == expected.predict_proba(X).tobytes()


@each_estimator
@each_table
def test_whole_numbers_by_name(table, estimator):
    found = clone(estimator).fit(TABLES[table](columns_with(kind=CODES * 10 - 10)), "kind")
    np.testing.assert_array_equal(found.classes_, [-10, 0, 10])
    assert found.classes_.dtype == np.int64


@each_estimator
def test_categories_by_name(estimator):
    coded = pa.array(WORDS.tolist()).dictionary_encode()
    table = pa.table([*X.T, coded], names=[*NAMES, "species"])
    found = clone(estimator).fit(table, "species")
    assert found.classes_.tolist() == sorted(set(WORDS))
    expected = clone(estimator).fit(table.drop_columns("species"), WORDS)
    assert found.predict_proba(table.drop_columns("species")).tobytes() == (
        expected.predict_proba(table.drop_columns("species")).tobytes()
    )


@each_estimator
@each_table
def test_batches_by_name(table, estimator):
    batches = [slice(0, 30), slice(30, 97), slice(97, None)]
    found = clone(estimator)
    for rows in batches:
        columns = columns_with(kind=CODES, w=WEIGHTS)
        batch = TABLES[table]({name: column[rows] for name, column in columns.items()})
        found.partial_fit(batch, "kind", classes=[0, 1, 2], sample_weight="w")
    frame = pd.DataFrame(X, columns=NAMES)
    same_bits(found, clone(estimator).fit(frame, CODES, sample_weight=WEIGHTS), frame)


@each_estimator
@each_table
def test_a_name_that_is_no_column(table, estimator):
    make = TABLES[table]
    with pytest.raises(ValueError, match="specie"):
        clone(estimator).fit(make(columns_with(species=CODES)), "specie")
    with pytest.raises(ValueError, match="wt"):
        clone(estimator).fit(make(columns_with(species=CODES)), "species", sample_weight="wt")


@each_estimator
def test_a_name_without_columns(estimator):
    with pytest.raises(ValueError):
        clone(estimator).fit(X, "species")
