"""Fits to rows of which some have no label, whatever marks them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import gaussbayes as gb

X, Y = gb.datasets.load_iris(return_X_y=True)
FEW = np.where(np.arange(150) % 15 == 0, Y, -1)


def fitted(y, mark, family="EEE", **keywords):
    return gb.GaussianClassifier(family, unlabelled=mark, **keywords).fit(X, y)


def test_ten_labels_and_the_rest():
    some = fitted(FEW, -1)
    em = some.report_["em"]
    assert (em["rows"], em["unlabelled"], em["converged"]) == (150, 140, True)
    assert some.classes_.tolist() == [0, 1, 2]
    alone = gb.GaussianClassifier("EEE").fit(X[FEW >= 0], FEW[FEW >= 0])
    assert some.score(X, Y) == pytest.approx(0.98) and some.score(X, Y) > alone.score(X, Y)
    with pytest.raises(ValueError, match="few|rows"):
        gb.GaussianClassifier("VVV").fit(X[FEW >= 0], FEW[FEW >= 0])
    assert fitted(FEW, -1, "VVV").score(X, Y) > 0.95


@pytest.mark.parametrize(
    ("y", "mark"),
    [
        (np.where(FEW < 0, np.nan, FEW), np.nan),
        (np.array([None if k < 0 else "abc"[k] for k in FEW], dtype=object), np.nan),
        (np.array([None if k < 0 else int(k) for k in FEW], dtype=object), np.nan),
        (np.array(["" if k < 0 else "abc"[k] for k in FEW]), ""),
        ([("none" if k < 0 else "abc"[k]) for k in FEW], "none"),
        (pd.Series(FEW).astype("Int64").where(lambda k: k >= 0), np.nan),
        (pd.Series(FEW), -1),
        (FEW.astype(float), -1),
    ],
)
def test_marks_of_every_kind_say_the_same(y, mark):
    assert np.array_equal(fitted(y, mark).predict_proba(X), fitted(FEW, -1).predict_proba(X))


def test_a_column_of_a_table_may_be_missing_labels():
    frame = pd.DataFrame(X, columns=list("abcd")).assign(kind=np.where(FEW < 0, np.nan, FEW))
    some = gb.GaussianClassifier("EEE", unlabelled=np.nan).fit(frame, "kind")
    assert some.feature_names_in_.tolist() == list("abcd")
    assert np.array_equal(some.means_, fitted(FEW, -1).means_)
    arrow = pytest.importorskip("pyarrow")
    text = ["" if k < 0 else "abc"[k] for k in FEW]
    table = arrow.table({**{c: X[:, j] for j, c in enumerate("abcd")}, "kind": text})
    other = gb.GaussianClassifier("EEE", unlabelled="").fit(table, "kind")
    assert np.array_equal(other.means_, some.means_)


@pytest.mark.parametrize("family", ["VVV", "EEE", "VVI", "EII", "VEV", "EVE", "unit"])
def test_all_labels_are_the_plain_fit(family):
    plain = gb.GaussianClassifier(family).fit(X, Y)
    some = fitted(Y, -1, family)
    assert np.array_equal(some.predict_proba(X), plain.predict_proba(X))
    assert np.array_equal(some.covariances_, plain.covariances_)


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="none of 150 rows has a label"):
        fitted(np.full(150, -1), -1)
    with pytest.raises(ValueError, match="EM takes no densities"):
        fitted(FEW, -1, density="predictive")
    with pytest.raises(ValueError, match="Ledoit-Wolf"):
        fitted(FEW, -1, shrinkage="auto")
    with pytest.raises(ValueError, match="unlabelled is -1, but labels are of type"):
        fitted(np.array(list("abc"))[Y], -1)
    with pytest.raises(ValueError, match="all rows at once"):
        gb.GaussianClassifier(unlabelled=-1).partial_fit(X, Y)
    for by_em in (gb.GaussianClassifier(unlabelled=-1), gb.MixtureClassifier(2)):
        with pytest.raises(ValueError, match="not estimated from sums alone"):
            gb.cross_validate(by_em, X, Y)
    with pytest.raises(ValueError, match="NaN"):
        gb.GaussianClassifier().fit(X, np.where(FEW < 0, np.nan, FEW))
    with pytest.warns(UserWarning, match="too little spread"):
        fitted(np.where(np.isin(np.arange(150), [0, 60, 120]), Y, -1), -1, "EEI")


def test_it_is_saved_and_priors_are_those_asked_for(tmp_path):
    some = fitted(FEW, -1, priors=[0.5, 0.25, 0.25])
    assert some.priors_.tolist() == [0.5, 0.25, 0.25]
    gb.save(some, tmp_path / "m.json")
    again = gb.load(tmp_path / "m.json")
    assert np.array_equal(again.predict_proba(X), some.predict_proba(X))
    assert again.report_["em"]["unlabelled"] == 140
    assert clone(some).unlabelled == -1
    weights = np.where(FEW < 0, 0.0, 1.0)
    plain = gb.GaussianClassifier("EEE").fit(X[FEW >= 0], FEW[FEW >= 0])
    weighed = gb.GaussianClassifier("EEE", unlabelled=-1).fit(X, FEW, sample_weight=weights)
    assert np.allclose(weighed.predict_proba(X), plain.predict_proba(X), atol=1e-9)
