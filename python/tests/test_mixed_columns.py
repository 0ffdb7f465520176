"""Tests what MixedNB takes columns for: dtypes, types that are given, names, text, and refusals."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from bits import same_bits
from tolerances import Silent
from typed_tables import NAMES, TYPES, mixed, tables

from gaussbayes import MixedNB

pytestmark = pytest.mark.filterwarnings("error")


def test_tables_in_any_form_have_the_same_bits():
    frame, y = mixed(rows=9000, seed=1)
    expected = MixedNB(TYPES).fit(frame, y)
    assert expected.types_ == {
        "length": "number",
        "width": "number",
        "clicks": "count",
        "views": "count",
        "colour": "category",
        "paid": "flag",
        "note": "text",
    }
    for form, X in tables(frame).items():
        types = {**TYPES, "length": "number", "width": "number", "paid": "flag"}
        found = MixedNB(types if form == "objects" else TYPES).fit(X, y)
        same_bits(found, expected, lambda X=X: X, lambda: frame)
    columns = {name: j for j, name in enumerate(NAMES)}
    numbered = {columns[name]: kind for name, kind in expected.types_.items()}
    found = MixedNB(numbered).fit(np.array(frame.astype(object)), y)
    same_bits(found, expected, np.array(frame.astype(object)), frame)


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (pd.Series([1.5, 2.0, None, 4.0]), "number"),
        (pd.Series([1, 2, 3, 4], dtype="int8"), "number"),
        (pd.Series([1, None, 3, 4], dtype="Int64"), "number"),
        (pd.Series([True, False, True, False]), "flag"),
        (pd.Series([True, None, True, False], dtype="boolean"), "flag"),
        (pd.Series(["u", None, "v", "u"]), "category"),
        (pd.Series(["u", None, "v", "u"], dtype="string"), "category"),
        (pd.Series(["u", None, "v", "u"], dtype=object), "category"),
        (pd.Series(["u", None, "v", "u"], dtype="category"), "category"),
        (pd.Series([7, 3, 7, 3], dtype="category"), "category"),
        (pd.Series([1.5, 2.0, None, 4.0], dtype="float64[pyarrow]"), "number"),
        (pd.Series(["u", None, "v", "u"], dtype="string[pyarrow]"), "category"),
        (pl.Series([1, 2, None, 4]), "number"),
        (pl.Series([True, None, True, False]), "flag"),
        (pl.Series(["u", None, "v", "u"]), "category"),
        (pl.Series(["u", None, "v", "u"], dtype=pl.Categorical), "category"),
        (pl.Series(["u", "v", "v", None], dtype=pl.Enum(["v", "u", "w"])), "category"),
    ],
    ids=lambda each: f"{type(each).__module__[:6]} {each.dtype}" if hasattr(each, "dtype") else "",
)
def test_the_dtype_says_what_a_column_holds(column, kind):
    library = pd if isinstance(column, pd.Series) else pl
    table = library.DataFrame({"x": column, "other": column})
    fitted = MixedNB(var_smoothing=0.1).fit(table, [0, 1, 0, 1])
    assert fitted.types_ == {"x": kind, "other": kind}
    assert fitted.predict_proba(table).shape == (4, 2)


def test_numbers_are_names_where_they_are_told_to_be():
    values, y = [7, 3, 7, 3, 12, 3], [0, 1, 0, 1, 0, 0]
    expected = MixedNB().fit(pd.DataFrame({"zip": [str(each) for each in values]}), y)
    asked = pd.DataFrame({"zip": ["3", "7", "12", "99"]})
    for column in (
        pd.Series(values),
        pd.Series(values, dtype=float),
        pd.Series(values, dtype="Int32"),
        pd.Series(values, dtype=object),
        pd.Series(values, dtype="category"),
    ):
        found = MixedNB({"zip": "category"}).fit(pd.DataFrame({"zip": column}), y)
        same_bits(found, expected, asked)
        same_bits(found, expected, pd.DataFrame({"zip": [3, 7, 12, 99]}), asked)
    for table in (pl.DataFrame({"zip": values}), pa.table({"zip": np.array(values, float)})):
        same_bits(MixedNB({"zip": "category"}).fit(table, y), expected, asked)
    array = MixedNB({0: "category"}).fit(np.array(values)[:, None], y)
    np.testing.assert_array_equal(
        array.predict_proba([[3], [7], [12], [99]]), expected.predict_proba(asked)
    )
    # Whole numbers beyond those that doubles can tell apart.
    far = pd.DataFrame({"id": [2**60, 2**60 + 1, 2**60, 2**60 + 1]})
    fitted = MixedNB({"id": "category"}).fit(far, [0, 1, 0, 1])
    assert fitted.predict(far).tolist() == [0, 1, 0, 1]


def test_text_is_cut_into_words_as_the_command_does_it():
    X = pd.DataFrame({"t": ["Don't stop; DON’T stop!", "stop_it 100%", None]})
    fitted = MixedNB({"t": "text"}).fit(X, [0, 1, 1])
    assert fitted.parameters_["t"]["categories"].tolist() == ["100", "don't", "it", "stop"]
    share = np.exp(fitted.parameters_["t"]["log_prob"])
    np.testing.assert_allclose(share, [[1 / 8, 3 / 8, 1 / 8, 3 / 8], [2 / 7, 1 / 7, 2 / 7, 2 / 7]])


@pytest.mark.parametrize(
    ("types", "error", "words"),
    [
        ({"colour": "number"}, ValueError, "column 'colour' is taken as number"),
        ({"colour": "count"}, ValueError, "column 'colour' is taken as count"),
        ({"length": "text"}, ValueError, "column 'length' is taken as text"),
        ({"color": "category"}, ValueError, "did you mean 'colour'"),
        ({"colour": "categori"}, ValueError, "did you mean 'category'"),
        ({17: "flag"}, ValueError, "which X does not have"),
    ],
)
@pytest.mark.parametrize("form", ["pandas", "polars"])
def test_types_that_do_not_fit(types, error, words, form):
    frame, y = mixed(seed=8)
    with pytest.raises(error, match=words):
        MixedNB({**TYPES, **types}).fit(tables(frame)[form], y)


@pytest.mark.parametrize("form", ["pandas", "polars", "arrow"])
def test_times_are_refused(form):
    frame = pd.DataFrame({"when": pd.to_datetime(["2020-01-01", "2020-02-01"]), "x": [1.0, 2.0]})
    with pytest.raises(TypeError, match="column 'when' holds"):
        MixedNB().fit(tables(frame)[form], [0, 1])


def test_text_in_an_array_is_refused_unless_it_is_told_what_it_is():
    X, y = [[1.0, "red"], [2.0, "blue"], [3.0, "red"]], [0, 1, 1]
    with pytest.raises(
        ValueError, match=r"column 1 is taken as number.*\n.*types=\{1: 'category'\}"
    ):
        MixedNB().fit(X, y)
    fitted = MixedNB({1: "category"}, var_smoothing=0.5).fit(X, y)
    assert fitted.types_ == {0: "number", 1: "category"}
    assert fitted.predict([[1.0, "red"]]).tolist() == [0]


def test_counts_below_zero_and_infinite_numbers_are_refused():
    frame, y = mixed(seed=9, gaps=0.0)
    frame.loc[5, "clicks"] = -2.0
    with pytest.raises(ValueError, match=r"Negative values in data passed to X: X\[5, 2\] is -2"):
        MixedNB(TYPES).fit(frame, y)
    frame.loc[5, "clicks"] = np.inf
    with pytest.raises(ValueError, match=r"Input X contains infinity"):
        MixedNB(TYPES).fit(frame, y)


def test_columns_are_those_of_the_fit():
    frame, y = mixed(seed=10)
    fitted = MixedNB(TYPES).fit(frame, y)
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.predict(frame.rename(columns={"colour": "color"}))
    with Silent(), pytest.raises(ValueError, match="5 features, but MixedNB is expecting 7"):
        fitted.predict(np.zeros((1, 5)))
    with pytest.raises(ValueError, match="column 'length' is taken as number"):
        fitted.predict(frame.assign(length="long"))
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.partial_fit(frame[NAMES[::-1]], y)


def test_labels_and_weights_may_be_columns():
    frame, y = mixed(seed=11)
    y = y.astype(object)
    weights = np.random.default_rng(11).uniform(0.5, 2.0, len(y))
    expected = MixedNB(TYPES).fit(frame, y, sample_weight=weights)
    table = frame.assign(label=y, weight=weights)
    for form in ("pandas", "polars", "arrow", "stream"):
        found = MixedNB(TYPES).fit(tables(table)[form], "label", sample_weight="weight")
        same_bits(found, expected, frame)
