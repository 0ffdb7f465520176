"""Compares classifiers: the numbers of the command, scikit-learn's losses, and honest advice."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss

from gaussbayes import GaussianClassifier, GaussianNB, MixedNB, compare, cross_validate, datasets


@pytest.fixture(scope="module")
def iris():
    return datasets.load_iris(return_X_y=True)


def by_name(found):
    return {row["model"]: row for row in found.table}


def test_the_numbers_are_those_of_the_command(iris):
    found = compare(*iris, seed=3)
    command = [sys.executable, "-m", "gaussbayes", "compare", "iris", "--seed", "3", "--json"]
    answer = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    rows = answer["result"]["ranking"]
    assert [row["model"] for row in rows] == [row["model"] for row in found.table]
    for ours, theirs in zip(found.table, rows, strict=True):
        for key in ("error_rate", "log_loss", "brier", "calibration_error", "parameters", "p_holm"):
            if theirs[key] is None:
                assert ours[key] is None
            else:
                assert ours[key] == pytest.approx(theirs[key], rel=1e-12), key
    assert found.advice == answer["result"]["advice"]
    assert found.advised == answer["result"]["advised"]
    assert found.alike == answer["result"]["alike"]


def test_softmax_regression_is_judged_as_by_refits_of_scikit_learn():
    # As many folds as rows: whichever fold a row is in, all others are learnt from.
    X, y = datasets.make_banana(40, random_state=5)
    found = by_name(compare(X, y, folds=40, models=["softmax", "naive-bayes"]))
    probabilities = np.empty((40, 2))
    for i in range(40):
        rest = np.arange(40) != i
        model = LogisticRegression(C=1.0, tol=1e-10, max_iter=10_000).fit(X[rest], y[rest])
        probabilities[i] = model.predict_proba(X[[i]])[0]
    row = found["softmax"]
    labels = np.unique(y)
    assert row["log_loss"] == pytest.approx(log_loss(y, probabilities, labels=labels), abs=1e-5)
    expected = brier_score_loss(y, probabilities, labels=labels, scale_by_half=False)
    assert row["brier"] == pytest.approx(expected, abs=1e-5)
    assert row["errors"] == (labels[probabilities.argmax(1)] != y).sum()
    alone = cross_validate(GaussianNB(var_smoothing=0), X, y, folds=40)
    assert found["naive-bayes"]["brier"] == pytest.approx(alone.brier, rel=1e-12)
    assert found["naive-bayes"]["calibration_error"] == pytest.approx(alone.calibration_error)


def test_p_values_follow_from_the_differences(iris):
    found = compare(*iris, repeat=3)
    tested = [row for row in found.table if row["p_value"] is not None]
    assert len(tested) == len(found.table) - 1
    for row in tested:
        if row["standard_error"] > 0:
            t = row["difference"] / row["standard_error"]
            assert row["p_value"] == pytest.approx(2 * stats.t.sf(abs(t), 29), rel=1e-10)
        best = found.table[0]["error_rate"]
        assert row["difference"] == pytest.approx(row["error_rate"] - best, abs=1e-12)
    smallest = min(row["p_value"] for row in tested)
    assert min(row["p_holm"] for row in tested) == pytest.approx(min(1, len(tested) * smallest))


def test_the_table_is_a_frame_and_the_advice_is_in_it(iris):
    found = compare(*iris)
    frame = pd.DataFrame(found.table)
    assert len(frame) == 16
    assert frame["error_rate"].is_monotonic_increasing
    assert found.advised in found.alike
    alike = frame[frame["model"].isin(found.alike)]
    # Linear rules of three classes in four columns are ten numbers, however they were found.
    rules = frame.set_index("model")["rule_parameters"]
    assert rules["lda"] == rules["softmax"] == alike["rule_parameters"].min() == 10
    assert found.advised == "lda"
    assert str(found).endswith(found.advice)
    assert str(found).count("\n") == 18
    assert (frame["fit_seconds"] > 0).all() and (frame["predict_seconds"] > 0).all()


def test_costs_rank_and_reject(iris):
    X, y = iris
    found = compare(X, y, reject=0.1, models=["lda", "qda", "nearest-mean"])
    costs = [row["mean_cost"] for row in found.table]
    assert costs == sorted(costs)
    assert any(row["rejected"] > 0 for row in found.table)
    alone = cross_validate(GaussianClassifier("EEE", reject=0.1), X, y)
    assert by_name(found)["lda"]["mean_cost"] == pytest.approx(alone.mean_cost, rel=1e-12)


def test_names_gaps_and_flags(iris):
    X, y = iris
    rows = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    rows["kind"] = np.where(X[:, 2] > 3, "long", "short")
    found = compare(rows, y)
    assert [row["model"] for row in found.table] == ["naive-bayes"]
    assert found.advice == "naive-bayes: nothing else was compared"
    gaps = X.copy()
    gaps[3, 1] = np.nan
    assert [row["model"] for row in compare(gaps, y).table] == ["naive-bayes"]
    flags = pd.DataFrame({"a": X[:, 0], "wide": X[:, 3] > 1.0})
    found = by_name(compare(flags, y))
    assert len(found) == 16
    assert found["naive-bayes"]["family"] is None and found["lda"]["family"] == "EEE"
    # A probability of yes for each class, a mean and a variance, and two free priors.
    assert found["naive-bayes"]["parameters"] == MixedNB().fit(flags, y).report_["parameters"]


def test_what_cannot_be_compared_is_said(iris):
    X, y = iris
    for wrong, message in (
        ({"models": ["ldaa"]}, "did you mean 'lda'"),
        ({"models": "lda"}, "sequence of names"),
        ({"repeat": 0}, "repeat is 0"),
        ({"folds": 1}, "folds"),
        ({"penalty": -1.0, "models": ["softmax"]}, "penalty -1"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            compare(X, y, **wrong)
    with pytest.raises(ValueError, match="infinity|Infinity"):
        compare(np.where(X > 7, np.inf, X), y)
    broken = compare(np.column_stack([X, X[:, 0]]), y, models=["qda", "nearest-mean"])
    assert broken.table[1]["model"] == "qda" and "singular" in broken.table[1]["failure"]
    assert broken.advice == "nearest-mean: the only one that could be fitted"
