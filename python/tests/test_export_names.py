"""Exports columns of every kind, classes of every type, and names that need quotes."""

import pathlib

import numpy as np
import onnxruntime
import pandas as pd
import pytest
from exported import in_duckdb, in_onnx, in_sqlite
from samples import gaussians
from typed_tables import mixed

import gaussbayes as gb


def typed(**settings: object) -> tuple[gb.MixedNB, pd.DataFrame]:
    """Naive Bayes over columns with gaps, without text."""
    frame, y = mixed(seed=1)
    frame = frame.drop(columns="note")
    return gb.MixedNB({"clicks": "count", "views": "count"}, **settings).fit(frame, y), frame


def by_column(frame: pd.DataFrame) -> dict[str, np.ndarray]:
    """One input per column: text where there are names, empty where one is missing."""
    columns = {}
    for name in frame:
        if name == "colour":
            text = frame[name].astype(object)
            columns[name] = text.where(text.notna(), "").to_numpy(dtype=object)[:, None]
        else:
            columns[name] = frame[name].astype("Float64").to_numpy(float, na_value=np.nan)[:, None]
    return columns


@pytest.mark.parametrize("unseen", ["ignore", "smooth"])
def test_columns_of_every_kind_with_gaps(unseen: str) -> None:
    model, frame = typed(unseen=unseen)
    frame = frame.copy()
    frame.loc[:9, "colour"] = "violet"
    expected, label = model.predict_proba(frame), model.predict(frame).tolist()
    found = in_onnx(model.to_onnx(), by_column(frame))
    assert np.abs(found[1] - expected).max() <= 1e-12
    assert found[0].tolist() == label
    numbers = frame.assign(paid=frame["paid"].astype("Int64"))
    for run in (in_sqlite, in_duckdb):
        found = run(model.to_sql(), numbers)
        assert np.abs(found[1] - expected).max() <= 1e-12
        assert found[0].tolist() == label
    # Truth values are a type of their own in DuckDB.
    assert in_duckdb(model.to_sql(), frame)[0].tolist() == label


def test_names_that_are_numbers_are_compared_as_text() -> None:
    frame, y = mixed(seed=1, gaps=0)
    frame = frame[["length", "clicks"]].assign(clicks=frame["clicks"].astype(int))
    model = gb.MixedNB({"clicks": "category"}).fit(frame, y)
    for run in (in_sqlite, in_duckdb):
        found = run(model.to_sql(), frame)
        assert np.abs(found[1] - model.predict_proba(frame)).max() <= 1e-12
        assert found[0].tolist() == model.predict(frame).tolist()


def test_classes_that_differ_in_letter_case_have_columns_of_their_own() -> None:
    sample = gaussians(seed=8)
    y = np.array(["a", "A", "A_1"])[sample.y]
    model = gb.MixtureClassifier({"a": 1, "A": 2, "A_1": 1}, families=["VVI"], random_state=1)
    model.fit(sample.X, y)
    for run in (in_sqlite, in_duckdb):
        label, shares = run(model.to_sql(), sample.X)
        assert label.tolist() == model.predict(sample.X).tolist()
        assert np.abs(shares - model.predict_proba(sample.X)).max() <= 1e-12


def test_a_name_that_is_refused_has_no_label() -> None:
    model, frame = typed(unseen="refuse")
    frame = frame.head(3).copy()
    frame.loc[0, "colour"] = "violet"
    label, shares = in_onnx(model.to_onnx(), by_column(frame))
    assert label[0] == ""
    assert np.isnan(shares[0]).all()
    assert label[1:].tolist() == model.predict(frame[1:]).tolist()
    label, _ = in_sqlite(model.to_sql(), frame.assign(paid=frame["paid"].astype("Int64")))
    assert pd.isna(label[0])


def test_text_is_refused_by_name() -> None:
    frame, y = mixed(seed=1)
    model = gb.MixedNB({"clicks": "count", "views": "count", "note": "text"}).fit(frame, y)
    for write in (model.to_onnx, model.to_sql):
        with pytest.raises(ValueError, match="column 'note' holds text: how it is cut(.|\n)*hint"):
            write()


def test_taxicab_distances_are_refused() -> None:
    sample = gaussians(seed=1)
    model = gb.NearestCentroid(metric="manhattan").fit(sample.X, sample.y)
    with pytest.raises(ValueError, match="hint: metric='euclidean'"):
        model.to_sql()
    with pytest.raises(ValueError, match="precision is 'half'"):
        gb.GaussianNB().fit(sample.X, sample.y).to_onnx(precision="half")


def test_names_with_quotes_and_tables_of_any_name() -> None:
    sample = gaussians(2, 2, seed=8)
    frame = pd.DataFrame(sample.X, columns=['a "b"', "score_it's"])
    y = np.array(["it's", 'so "so"'])[sample.y]
    model = gb.LinearDiscriminantAnalysis().fit(frame, y)
    query = model.to_sql('my "rows"')
    for run in (in_sqlite, in_duckdb):
        found = run(query, frame, 'my "rows"')
        assert found[0].tolist() == model.predict(frame).tolist()
        assert np.abs(found[1] - model.predict_proba(frame)).max() <= 1e-12
    assert in_onnx(model.to_onnx(), sample.X)[0].tolist() == model.predict(frame).tolist()


def test_a_missing_column_is_an_error_and_a_missing_value_no_prediction() -> None:
    sample = gaussians(seed=1)
    model = gb.GaussianClassifier().fit(sample.X, sample.y)
    with pytest.raises(Exception, match="x3"):
        in_sqlite(model.to_sql(), sample.X[:, :3])
    rows = sample.X[:4].copy()
    rows[1, 2] = np.nan
    frame = pd.DataFrame(rows, columns=["x0", "x1", "x2", "x3"]).astype("Float64")
    for run in (in_sqlite, in_duckdb):
        label, shares = run(model.to_sql(), frame)
        assert pd.isna(label[1])
        assert np.isnan(shares[1]).all()
        assert label[[0, 2, 3]].tolist() == model.predict(rows[[0, 2, 3]]).tolist()


@pytest.mark.parametrize(
    ("classes", "said"),
    [
        (np.array([10, 9, 100]), [9, 10, 100]),
        (np.array(["10", "9", "100"]), ["10", "100", "9"]),
        (np.array([False, True, True]), ["False", "True"]),
        (np.array([1.0, 2.0, -3.0]), ["-3.0", "1.0", "2.0"]),
    ],
)
def test_classes_keep_their_type_and_order(classes: np.ndarray, said: list) -> None:
    sample = gaussians(seed=1)
    model = gb.GaussianNB().fit(sample.X, classes[sample.y].astype(classes.dtype))
    label, shares = in_onnx(model.to_onnx(), sample.X)
    assert sorted(set(label.tolist()), key=said.index) == said
    assert label.tolist() == [
        said[k] for k in np.searchsorted(model.classes_, model.predict(sample.X))
    ]
    assert np.abs(shares - model.predict_proba(sample.X)).max() <= 1e-12
    found = in_duckdb(model.to_sql(), sample.X)
    assert found[0].tolist() == label.tolist()
    assert np.abs(found[1] - shares).max() <= 1e-12


def test_a_declared_class_without_rows_has_probability_zero() -> None:
    sample = gaussians(seed=1)
    model = gb.GaussianNB().partial_fit(sample.X, 2 * sample.y, classes=[0, 1, 2, 4])
    label, shares = in_onnx(model.to_onnx(), sample.X)
    assert label.tolist() == model.predict(sample.X).tolist()
    assert np.abs(shares - model.predict_proba(sample.X)).max() <= 1e-12
    assert (shares[:, 1] == 0).all()


def test_a_file_is_written_whole_and_says_what_it_is(tmp_path: pathlib.Path) -> None:
    sample = gaussians(seed=1)
    model = gb.GaussianClassifier(reject=0.3, reject_label=-7).fit(sample.X, sample.y)
    path = tmp_path / "model.onnx"
    assert model.to_onnx(path) is None
    assert path.read_bytes() == model.to_onnx()
    meta = onnxruntime.InferenceSession(path).get_modelmeta()
    assert meta.producer_name == "gaussbayes"
    assert meta.custom_metadata_map == {
        "model": "a Gaussian model",
        "classes": '["0","1","2"]',
        "features": '["x0","x1","x2","x3"]',
    }
    assert -7 in in_onnx(model.to_onnx(), sample.X)[0]


def test_the_checker_of_onnx_finds_nothing() -> None:
    onnx = pytest.importorskip("onnx")
    sample = gaussians(seed=1)
    for model in (gb.GaussianClassifier(outliers=0.1), gb.SoftmaxRegression(), gb.MixedNB()):
        read = onnx.load_from_string(model.fit(sample.X, sample.y).to_onnx())
        onnx.checker.check_model(read, full_check=True)
        assert {node.domain for node in read.graph.node} == {""}
