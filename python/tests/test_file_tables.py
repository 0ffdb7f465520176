"""Checks tables in files: what a path gives is what the same rows in memory give."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import gaussbayes
import numpy as np
import pandas as pd
import polars as pl
import pytest
from gaussbayes import (
    Files,
    GaussianClassifier,
    GaussianMixture,
    GaussianNB,
    LinearDiscriminantAnalysis,
    MixedNB,
    QuadraticDiscriminantAnalysis,
    SoftmaxRegression,
)
from sklearn.base import clone

_ROWS, _COLUMNS = 9000, 4


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    generator = np.random.default_rng(3)
    codes = generator.integers(0, 3, _ROWS)
    x = generator.normal(size=(_ROWS, _COLUMNS)) + codes[:, None] * [1, 0, -2, 0.5]
    columns: dict[str, Any] = {f"f{j}": x[:, j] for j in range(_COLUMNS)}
    weights = generator.integers(1, 4, _ROWS).astype(float)
    names = np.array(["ant", "bee", "cat"])[codes]
    return pl.DataFrame({**columns, "w": weights, "kind": names, "code": codes})


@pytest.fixture(scope="module")
def folder(frame: pl.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("tables")
    frame.write_csv(path / "t.csv")
    (path / "t.csv.gz").write_bytes(gzip.compress((path / "t.csv").read_bytes()))
    frame.write_parquet(path / "t.parquet", row_group_size=1000)
    frame.write_ipc(path / "t.arrow")
    for number, part in enumerate(frame.iter_slices(1234)):
        part.write_parquet(path / f"part-{number}.parquet")
    return path


def _features(frame: pl.DataFrame) -> Any:
    return frame.select([f"f{j}" for j in range(_COLUMNS)])


_NAMES = ["t.csv", "t.csv.gz", "t.parquet", "t.arrow", "part-*.parquet"]


@pytest.mark.parametrize("name", _NAMES)
@pytest.mark.parametrize(
    "estimator",
    [
        LinearDiscriminantAnalysis(),
        QuadraticDiscriminantAnalysis(),
        GaussianNB(),
        GaussianClassifier(family="VEV"),
        SoftmaxRegression(),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_a_file_is_fitted_as_the_rows_in_it(
    frame: pl.DataFrame, folder: Path, estimator: Any, name: str
) -> None:
    X, y = _features(frame), frame["kind"].to_list()
    expected = clone(estimator).fit(X, y, sample_weight=frame["w"].to_numpy())
    files = Files(folder / name, drop=["code"])
    found = clone(estimator).fit(files, "kind", sample_weight="w")
    assert list(found.feature_names_in_) == [f"f{j}" for j in range(_COLUMNS)]
    assert list(found.classes_) == ["ant", "bee", "cat"]
    # Columns are found by name: what else is in the file does not matter.
    assert np.array_equal(found.predict_proba(str(folder / name)), expected.predict_proba(X))
    assert list(found.predict(folder / name)) == list(expected.predict(X))


def test_classes_that_read_as_whole_numbers_are_whole_numbers(
    frame: pl.DataFrame, folder: Path
) -> None:
    for name in _NAMES:
        found = GaussianNB().fit(Files(folder / name, drop=["kind", "w"]), "code")
        assert found.classes_.dtype == np.int64, name
        assert found.score(_features(frame), frame["code"].to_numpy()) > 0.7


def test_clusters_judging_and_comparing_take_files(frame: pl.DataFrame, folder: Path) -> None:
    files = Files(folder / "t.parquet", drop=["code", "kind", "w"])
    mixture = GaussianMixture(n_components=3, random_state=1).fit(files)
    again = GaussianMixture(n_components=3, random_state=1).fit(_features(frame))
    assert np.array_equal(mixture.means_, again.means_)
    lda = LinearDiscriminantAnalysis()
    files = Files(folder / "t.csv", drop=["code", "w"])
    found = gaussbayes.cross_validate(lda, files, "kind")
    expected = gaussbayes.cross_validate(lda, _features(frame), frame["kind"].to_list())
    assert found.error_rate == expected.error_rate


def test_mixed_columns_of_a_file_are_recognised(folder: Path) -> None:
    path = folder / "mixed.csv"
    path.write_text("age,paid,city,kind\n31,yes,Oslo,a\nNA,no,Bergen,b\n27,no,Oslo,a\n41,yes,,b\n")
    found = MixedNB().fit(path, "kind")
    assert found.predict(path).tolist() == ["a", "b", "a", "b"]
    frame = pd.DataFrame(
        {
            "age": [31, None, 27, 41],
            "paid": pd.array([True, False, False, True], dtype="boolean"),
            "city": ["Oslo", "Bergen", "Oslo", None],
        }
    )
    expected = MixedNB().fit(frame, ["a", "b", "a", "b"])
    assert np.allclose(found.predict_proba(path), expected.predict_proba(frame), rtol=1e-12)


def test_how_a_file_is_written_is_told_or_found_out(folder: Path) -> None:
    path = folder / "german.csv"
    path.write_text("1,5;2;a\n2,5;1;a\n9;8,5;b\n8;9;b\n2,0;;b\n")
    told = Files(path, delimiter=";", decimal=",", names=["x", "y", "kind"], na="drop")
    with pytest.warns(UserWarning, match="1 row with missing values left out"):
        lda = LinearDiscriminantAnalysis().fit(told, "kind")
    assert lda.means_.tolist() == [[2.0, 1.5], [8.5, 8.75]]
    with pytest.warns(UserWarning) as said:
        LinearDiscriminantAnalysis().fit(Files(path, na="drop"), "x3")
    assert "fields are separated by ';'" in str(said[0].message)
    assert repr(told).startswith(f"Files({str(path)!r}, delimiter=';', decimal=','")


@pytest.mark.parametrize(
    ("X", "y", "kind", "message"),
    [
        ("nowhere.csv", "kind", OSError, "there is no file 'nowhere.csv'\nhint: "),
        ("t.csv", "kid", ValueError, "has no column 'kid'\nhint: did you mean 'kind'?"),
        ("t.csv", "code", ValueError, "line 2, column 'kind'"),
        ("t.csv", [1, 2], ValueError, "y must be the name of a column where X is a file\nhint: "),
        ("t.csv", None, ValueError, "y must be the name of a column"),
    ],
)
def test_what_is_wrong_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch, X: str, y: Any, kind: Any, message: str
) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(kind, match=re.escape(message)):
        LinearDiscriminantAnalysis().fit(X, y)


def test_an_estimator_fitted_to_a_file_is_one_of_the_command(folder: Path) -> None:
    lda = LinearDiscriminantAnalysis().fit(Files(folder / "t.csv", drop=["code", "w"]), "kind")
    gaussbayes.save(lda, folder / "lda.json")
    again = gaussbayes.load(folder / "lda.json")
    assert np.array_equal(
        again.predict_proba(folder / "t.csv"), lda.predict_proba(folder / "t.csv")
    )
