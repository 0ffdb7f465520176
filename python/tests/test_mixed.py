"""Tests MixedNB: exact posteriors, the product of its parts, gaps, what is unseen, batches."""

import json
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from bits import same_bits
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import (
    BernoulliNB,
    CategoricalNB,
    ComplementNB,
    GaussianNB,
    MultinomialNB,
)
from sklearn.preprocessing import OrdinalEncoder
from typed_tables import NAMES, TYPES, mixed, tables

from gaussbayes import MixedNB

pytestmark = pytest.mark.filterwarnings("error")

GOLDEN = Path(__file__).parents[2] / "testdata" / "golden" / "exact_mixed.json"
CASES = json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"] if GOLDEN.exists() else []


@pytest.mark.parametrize("form", ["pandas", "objects", "polars", "arrow", "stream", "array"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_exact_posteriors(case, form):
    frame, queries = (
        pd.DataFrame(rows, columns=case["columns"])
        for rows in (case["data"]["rows"], case["query"])
    )
    types = dict(zip(case["columns"], case["kinds"], strict=True))
    if form == "array":
        types = dict(enumerate(types.values()))
        X, asked = (np.array(each.astype(object)) for each in (frame, queries))
    else:
        X, asked = tables(frame)[form], tables(queries)[form]
    y, weights = case["data"]["labels"], case["weights"]
    fitted = MixedNB(types, alpha=case["alpha"]).fit(X, y, sample_weight=weights)
    assert fitted.types_ == types
    assert fitted.classes_.tolist() == case["classes"]
    for method, name in [
        ("predict_joint_log_proba", "joint_log_prob"),
        ("predict_log_proba", "log_posterior"),
        ("predict_proba", "posterior"),
    ]:
        expected = np.array(case[name])
        error = np.abs(getattr(fitted, method)(asked) - expected) / (1.0 + np.abs(expected))
        assert error.max() <= 1e-12, f"{name}: {error.max():.3g}"


def test_there_are_exact_cases():
    assert len(CASES) >= 3


def joint_of_parts(frame: pd.DataFrame, y: np.ndarray, *, complement: bool = False) -> np.ndarray:
    """What scikit-learn's classifiers of each kind say together; they know of no gaps."""
    numbers, clicks = frame[["length", "width"]], frame[["clicks", "views"]]
    codes = OrdinalEncoder(dtype=int).fit_transform(frame[["colour"]].astype(str))
    words = CountVectorizer(token_pattern=r"[a-z']+").fit_transform(frame["note"])
    paid = frame[["paid"]].astype(float)
    counting = ComplementNB if complement else MultinomialNB
    parts = [
        (GaussianNB(var_smoothing=0.0), numbers),
        (counting(), clicks),
        (CategoricalNB(), codes),
        (BernoulliNB(), paid),
        (counting(), words),
    ]
    priors = np.log(np.unique(y, return_counts=True)[1] / len(y))
    joint = sum(each.fit(X, y).predict_joint_log_proba(X) for each, X in parts)
    return joint - (2 if complement else 4) * priors


@pytest.mark.parametrize("complement", [False, True])
@pytest.mark.parametrize("form", ["pandas", "polars", "arrow", "stream"])
def test_it_is_the_product_of_its_parts(form, complement):
    frame, y = mixed(gaps=0.0)
    X = tables(frame)[form]
    fitted = MixedNB(TYPES, var_smoothing=0.0, complement=complement).fit(X, y)
    expected = joint_of_parts(frame, y, complement=complement)
    np.testing.assert_allclose(fitted.predict_joint_log_proba(X), expected, rtol=1e-11)


@pytest.mark.parametrize("order", range(5))
def test_seven_batches_in_any_order(order):
    frame, y = mixed(rows=700, seed=2)
    whole = MixedNB(TYPES).fit(frame, y)
    batches = np.array_split(np.arange(700), 7)
    one = MixedNB(TYPES)
    for batch in batches:
        one.partial_fit(frame.iloc[batch], y[batch])
    same_bits(one, whole, frame)
    other = MixedNB(TYPES)
    for k in np.random.default_rng(order).permutation(7):
        other.partial_fit(frame.iloc[batches[k]], y[batches[k]])
    np.testing.assert_allclose(
        other.predict_joint_log_proba(frame), whole.predict_joint_log_proba(frame), rtol=1e-12
    )


def test_batches_that_end_within_blocks():
    frame, y = mixed(rows=20_000, seed=3)
    whole, parts = MixedNB(TYPES).fit(frame, y), MixedNB(TYPES)
    for batch in np.split(np.arange(20_000), [100, 8192, 8199, 17_000]):
        parts.partial_fit(pl.from_pandas(frame.iloc[batch]), y[batch])
        parts = pickle.loads(pickle.dumps(parts))
    same_bits(parts, whole, frame)


def test_missing_cells_say_nothing():
    frame, y = mixed(seed=4)
    fitted = MixedNB(TYPES).fit(frame, y)
    nothing = pd.DataFrame({name: [None] for name in NAMES}).astype({"length": float})
    np.testing.assert_allclose(fitted.predict_proba(nothing), [fitted.class_prior_], rtol=1e-13)
    # A row with a gap is the row without that column; counts are columns of one distribution.
    row = frame.dropna().iloc[:1]
    for name in [name for name in NAMES if fitted.types_[name] != "count"]:
        gap = row.astype(object)
        gap[name] = None
        left = [other for other in NAMES if other != name]
        types = {other: kind for other, kind in fitted.types_.items() if other != name}
        without = MixedNB(types).fit(frame[left], y)
        found = fitted.predict_joint_log_proba(gap.astype({"length": float, "width": float}))
        expected = without.predict_joint_log_proba(row[left])
        np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_a_category_that_was_never_met():
    X, y = pd.DataFrame({"c": ["x", "x", "y", "y", "y"]}), [0, 0, 0, 1, 1]
    new = pd.DataFrame({"c": ["z", "x"]})
    np.testing.assert_allclose(MixedNB().fit(X, y).predict_proba(new)[0], [0.6, 0.4])
    # (0 + 1)/(3 + 3) against (0 + 1)/(2 + 3), by priors 3/5 and 2/5.
    smooth = MixedNB(unseen="smooth").fit(X, y)
    odds = np.array([0.6 / 6.0, 0.4 / 5.0])
    np.testing.assert_allclose(smooth.predict_proba(new)[0], odds / odds.sum())
    refusing = MixedNB(unseen="refuse").fit(X, y)
    with pytest.raises(ValueError, match=r"X\[0, .*c.*\] is .*z.*, which no row of the fit has"):
        refusing.predict(new)
    assert refusing.predict(new[1:]).tolist() == [0]


def test_words_that_were_never_met():
    X, y = pd.DataFrame({"t": ["red red", "blue", "Blue, RED!"]}), ["a", "b", "b"]
    new = pd.DataFrame({"t": ["green"]})
    types = {"t": "text"}
    np.testing.assert_allclose(MixedNB(types).fit(X, y).predict_proba(new), [[1 / 3, 2 / 3]])
    # (0 + 1)/(2 + 3) against (0 + 1)/(3 + 3).
    odds = np.array([1.0 / 15.0, 2.0 / 18.0])
    smooth = MixedNB(types, unseen="smooth").fit(X, y)
    np.testing.assert_allclose(smooth.predict_proba(new), [odds / odds.sum()])
    with pytest.raises(ValueError, match="green"):
        MixedNB(types, unseen="refuse").fit(X, y).predict(new)


def test_alpha_by_column():
    frame, y = mixed(seed=5)
    own = {"colour": 0.25, "note": 3.0, "paid": 0.5}
    fitted = MixedNB(TYPES, alpha=own).fit(frame, y)
    for name, alpha in own.items():
        alone = MixedNB({name: fitted.types_[name]}, alpha=alpha).fit(frame[[name]], y)
        np.testing.assert_array_equal(
            fitted.parameters_[name]["log_prob"], alone.parameters_[name]["log_prob"]
        )
    plain = MixedNB(TYPES, alpha={}).fit(frame, y)
    same_bits(plain, MixedNB(TYPES).fit(frame, y), frame)
    with pytest.raises(ValueError, match="alpha names column 'colors'"):
        MixedNB(TYPES, alpha={"colors": 1.0}).fit(frame, y)


def test_parameters_are_there_to_be_read():
    frame, y = mixed(seed=6, gaps=0.0)
    fitted = MixedNB(TYPES, priors="uniform").fit(frame, y)
    by_class = frame.groupby(y)
    found = fitted.parameters_
    assert list(found) == NAMES
    np.testing.assert_allclose(found["length"]["mean"], by_class["length"].mean(), rtol=1e-12)
    np.testing.assert_allclose(found["width"]["var"], by_class["width"].var(ddof=0), rtol=1e-8)
    paid = (by_class["paid"].sum() + 1) / (by_class["paid"].count() + 2)
    np.testing.assert_allclose(np.exp(found["paid"]["log_prob"]), paid.astype(float), rtol=1e-12)
    assert found["colour"]["categories"].tolist() == ["blue", "green", "red"]
    np.testing.assert_allclose(np.exp(found["colour"]["log_prob"]).sum(axis=1), 1.0)
    np.testing.assert_array_equal(fitted.class_prior_, np.full(3, 1.0) / 3.0)
    np.testing.assert_array_equal(fitted.class_count_, by_class.size())
    assert fitted.report_["categories"] == {"colour": 3, "note": 7}
    assert not hasattr(MixedNB(), "parameters_")


def test_a_column_without_any_value_is_left_out_with_a_warning():
    frame, y = mixed(seed=7, gaps=0.0)
    empty = frame.assign(gone=np.nan)
    with pytest.warns(UserWarning, match=r"columns without any value: \['gone'\]"):
        fitted = MixedNB(TYPES).fit(empty, y)
    assert fitted.report_["silent"] == {"gone": "has no value in any row"}
    without = MixedNB(TYPES).fit(frame, y)
    np.testing.assert_array_equal(fitted.predict_proba(empty), without.predict_proba(frame))


def test_a_class_without_a_number_waits_for_one():
    X = pd.DataFrame({"x": [1.0, 2.0, np.nan, np.nan], "c": list("uvuv")})
    y = [0, 0, 1, 1]
    with pytest.raises(ValueError, match="class '1' has no value in column 'x'"):
        MixedNB().fit(X, y)
    waiting = MixedNB().partial_fit(X, y)
    with pytest.raises(ValueError, match="has not seen enough rows yet"):
        waiting.predict(X)
    more = pd.DataFrame({"x": [5.0, 7.0], "c": list("uu")})
    waiting.partial_fit(more, [1, 1])
    whole = MixedNB().fit(pd.concat([X, more]), [*y, 1, 1])
    same_bits(waiting, whole, X)


def test_shares_of_classes_that_have_moved():
    frame, y = mixed(rows=4000, seed=12)
    fitted = MixedNB(TYPES).fit(frame, y)
    assert not fitted.estimate_shift(frame).moved
    few = frame[(y != "a") | (np.arange(4000) % 5 == 0)]
    shift = fitted.estimate_shift(few)
    assert shift.moved
    truth = np.unique(y[few.index], return_counts=True)[1] / len(few)
    np.testing.assert_allclose(shift.priors, truth, atol=0.05)
