"""What ``plot`` makes of odd labels, names, features and rows: a good figure, or a named error."""

import numpy as np
import pandas as pd
import pytest
from pictures import parsed, words
from samples import gaussians

import gaussbayes as gb


@pytest.fixture(scope="module")
def two():
    """Two classes in two features, and a rule of them."""
    X, y = gb.datasets.make_banana(300)
    return X, y, gb.GaussianClassifier().fit(X, y)


@pytest.mark.parametrize(
    "classes",
    [
        np.array([3, -7, 12]),
        np.array([1.0, 2.0, 30.0]),
        np.array(["<b>&\"'", "$x_1$", "שלום עולם"]),
        np.array(["2020-01-01", "2021-05-05", "1999-12-31"], dtype="datetime64[D]"),
    ],
    ids=["int", "float", "odd text", "dates"],
)
def test_labels_of_any_type(classes):
    sample = gaussians(3, 2, rows=60)
    y = classes[sample.y]
    rule = gb.GaussianClassifier().fit(sample.X, y)
    for kind in ("regions", "scatter", "confusion", "roc", "simplex"):
        assert words(rule.plot(sample.X, y, kind=kind))
    picture = rule.plot(sample.X, y)
    assert "no known class" not in words(picture)
    joined = words(picture)
    assert all(str(name) in joined for name in classes)


def test_names_of_features_are_escaped():
    sample = gaussians(2, 2, rows=60)
    frame = pd.DataFrame(sample.X, columns=['<i>"&', "مرحبا"])
    assert '<i>"&' in words(gb.GaussianClassifier().fit(frame, sample.y).plot(frame, sample.y))


def test_classes_without_rows_and_rows_without_classes(two):
    X, y, rule = two
    part = gb.GaussianNB().partial_fit(X, y, classes=[0, 1, 5])
    assert [line["label"] for line in part.plot(X, y)._core.key(False)][:2] == ["0", "1"]
    assert "2 classes" in part.plot(X, y).description
    with pytest.raises(ValueError, match="no rows"):
        part.plot(kind="posterior", label=5)
    assert "no known class" in words(rule.plot(X))
    assert "no known class" in words(rule.plot(X, np.where(y == 1, 1, 7)))
    with pytest.raises(ValueError, match="7"):
        rule.plot(X, np.where(y == 1, 1, 7), kind="confusion")
    partly = gb.GaussianClassifier(unlabelled=np.nan)
    seen = np.where(np.arange(len(y)) % 3 == 0, np.nan, y)
    assert "no known class" in words(partly.fit(X, seen).plot(X, seen))


def test_constant_features():
    sample = gaussians(2, 2, rows=60)
    X = np.column_stack([sample.X[:, 0], np.full(len(sample.X), 3.0)])
    rule = gb.GaussianNB().fit(sample.X, sample.y)
    parsed(rule.plot(X, sample.y))
    parsed(gb.GaussianNB().fit(X, sample.y).plot(X, sample.y))
    parsed(rule.plot(np.full_like(X, 2.0), sample.y))


def test_a_million_rows_are_thinned_and_the_figure_says_so():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 1_000_000)
    X = rng.normal(size=(len(y), 2)) + y[:, None]
    rule = gb.GaussianClassifier("EEE").fit(X, y)
    picture = rule.plot(X, y)
    assert any("10000 of 1000000 rows" in note for note in picture.notes)
    assert len(picture.to_svg()) < 300_000
    few = rule.plot(X, y, rows=50)
    assert any("50 of 1000000 rows" in note for note in few.notes)


def test_a_row_without_a_value_is_named(two):
    X, y, rule = two
    holed = X.copy()
    holed[3, 0] = np.nan
    with pytest.raises(ValueError, match=r"NaN: X\[3, 0\]"):
        rule.plot(holed, y)
