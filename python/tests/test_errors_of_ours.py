"""Refuses weights, batches and parameters that scikit-learn has not, or lets pass."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import polars as pl
import pytest
from samples import DEFAULTS, gaussians
from sklearn.covariance import OAS
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB as TheirNB
from tolerances import Silent

import gaussbayes as gb

SAMPLE = gaussians(3, 3, seed=0)
X, Y = SAMPLE.X, SAMPLE.y

each_class = pytest.mark.parametrize(
    "ours", [type(each) for each in DEFAULTS], ids=lambda each: each.__name__
)


def error_of(call: Callable[[], object]) -> Exception | None:
    with Silent():
        try:
            call()
        except Exception as error:  # noqa: BLE001 - which one is what is asked
            return error
    return None


@pytest.mark.parametrize(
    "parameters",
    [
        {"family": "XYZ"},
        {"ddof": -1},
        {"pooling": "x"},
        {"shrinkage": 1.5},
        {"priors": [0.5, 0.5]},
        {"priors": [-0.5, 1.0, 0.5]},
        {"loss": [[0.0, 1.0], [1.0, 0.0]]},
    ],
    ids=repr,
)
def test_bad_parameters_of_ours_are_found_by_fit(parameters):
    classifier = gb.GaussianClassifier(**parameters)
    with pytest.raises(ValueError, match=next(iter(parameters))):
        classifier.fit(X, Y)


@pytest.mark.parametrize("parameters", [{"priors": [0.5, 0.5]}, {"priors": [-0.5, 1.0, 0.5]}])
@pytest.mark.parametrize("ours", [gb.QuadraticDiscriminantAnalysis, gb.NearestCentroid])
def test_priors_that_they_let_pass_are_refused(ours, parameters):
    with pytest.raises(ValueError, match="priors"):
        ours(**parameters).fit(X, Y)


@each_class
def test_constant_rows_are_refused_or_told_apart_by_priors_alone(ours):
    flat = np.ones_like(X)
    with Silent():
        try:
            posterior = ours().fit(flat, Y).predict_proba(flat)
        except ValueError as error:
            assert ours is not gb.NearestCentroid or "All features have zero variance" in str(error)
        else:
            assert np.isfinite(posterior).all()


BAD_WEIGHTS = {
    "negative": (-np.ones(len(Y)), "(?i)negative"),
    "NaN": (np.full(len(Y), np.nan), "Input sample_weight contains NaN"),
    "infinite": (np.full(len(Y), np.inf), "Input sample_weight contains infinity"),
    "too few": (np.ones(3), r"sample_weight.shape == \(3,\), expected \(150,\)!"),
    "two columns": (np.ones((len(Y), 2)), "Sample weights must be 1D array or scalar"),
    "all zero": (np.zeros(len(Y)), "Sample weights must contain at least one non-zero number"),
}


@each_class
@pytest.mark.parametrize("case", BAD_WEIGHTS)
def test_bad_weights(case, ours):
    weights, words = BAD_WEIGHTS[case]
    with pytest.raises(ValueError, match=words):
        ours().fit(X, Y, sample_weight=weights)


BAD_BATCHES = {
    "classes must be passed on the first call to partial_fit": lambda c: c.partial_fit(X, Y),
    "do not exist in the initial classes": lambda c: c.partial_fit(X, Y, classes=[0, 1]),
    "is not the same as on last call to partial_fit": lambda c: c.partial_fit(
        X, Y, classes=[0, 1, 2]
    ).partial_fit(X, Y, classes=[0, 1]),
    "X has 2 features, but": lambda c: c.partial_fit(X, Y, classes=[0, 1, 2]).partial_fit(
        X[:, :2], Y
    ),
}


@each_class
@pytest.mark.parametrize("words", BAD_BATCHES)
def test_bad_batches(words, ours):
    if "first call" in words and ours is not gb.GaussianNB:
        # The others take classes as they come.
        assert error_of(lambda: ours().partial_fit(X, Y)) is None
        return
    for each in [ours] + ([TheirNB] if ours is gb.GaussianNB else []):
        error = error_of(lambda each=each: BAD_BATCHES[words](each()))
        assert isinstance(error, ValueError) and words in str(error), repr(error)


@each_class
def test_a_refused_batch_changes_nothing(ours):
    fitted = ours().partial_fit(X, Y, classes=[0, 1, 2])
    before = fitted.predict_proba(X).tobytes()
    for rows, labels in [(X, Y + 1), (X * np.nan, Y), (X[:, :2], Y), (X, Y[:-1])]:
        assert isinstance(error_of(lambda r=rows, t=labels: fitted.partial_fit(r, t)), ValueError)
        assert fitted.predict_proba(X).tobytes() == before
    again = ours().partial_fit(X, Y, classes=[0, 1, 2]).partial_fit(X, Y)
    assert fitted.partial_fit(X, Y).predict_proba(X).tobytes() == again.predict_proba(X).tobytes()


def test_parameters_that_no_rows_can_mend_are_refused_by_the_first_batch():
    for each in [
        gb.GaussianNB(priors=[0.5, 0.5, 0.5]),
        gb.QuadraticDiscriminantAnalysis(priors=[-1, 1, 1]),
        gb.LinearDiscriminantAnalysis(n_components=9),
        gb.LinearDiscriminantAnalysis(solver="lsqr", covariance_estimator=OAS()),
        gb.GaussianClassifier(loss=np.zeros((2, 2))),
    ]:
        with pytest.raises(ValueError):
            each.partial_fit(X, Y, classes=[0, 1, 2])


def test_what_is_not_known_yet_is_not_shown():
    fitted = gb.QuadraticDiscriminantAnalysis(store_covariance=True).fit(X, Y)
    waiting = fitted.partial_fit(X[:1], [7])
    assert waiting.classes_.tolist() == [0, 1, 2, 7]
    assert not hasattr(waiting, "means_") and not hasattr(waiting, "covariance_")
    with pytest.raises(NotFittedError, match="has not seen enough rows yet"):
        waiting.predict(X)
    again = waiting.set_params(store_covariance=False).fit(X, Y)
    assert again.means_.shape == (3, 3) and not hasattr(again, "covariance_")


def test_classes_of_batches_may_come_in_other_number_types():
    expected = gb.GaussianNB().fit(np.vstack([X, X]), np.append(Y, Y))
    for first, second, classes in [
        (Y.astype(float), Y, [0, 1, 2]),
        (Y, Y.astype(np.float32), [0, 1, 2]),
        (Y.astype(np.int8), Y.astype(np.uint64), [0.0, 1.0, 2.0]),
    ]:
        found = gb.GaussianNB().partial_fit(X, first, classes=classes).partial_fit(X, second)
        assert found.predict_proba(X).tobytes() == expected.predict_proba(X).tobytes()
    flags = gb.GaussianNB().partial_fit(X, Y > 0, classes=[0, 1])
    assert flags.class_count_.sum() == len(Y)
    texts = np.array(["short", "a longer one", "x"])[Y]
    words = gb.GaussianClassifier().partial_fit(X, texts).partial_fit(X[Y == 2], texts[Y == 2])
    assert words.classes_.tolist() == ["a longer one", "short", "x"]


def test_tables_that_are_none_are_refused():
    frame = pd.DataFrame(X, columns=["a", "b", "a"])
    with pytest.raises(ValueError, match="more than one column of the name 'a'"):
        gb.GaussianNB().fit(frame, Y)
    dates = pd.DataFrame({"a": X[:, 0], "d": pd.to_datetime(Y, unit="D")})
    with pytest.raises(TypeError, match="column 'd' holds dates"):
        gb.GaussianNB().fit(dates, Y)
    for column in [pd.Series(X[:, 0]), pl.Series(X[:, 0])]:
        with pytest.raises(ValueError, match="(?i)2d array|2-dimensional"):
            gb.GaussianNB().fit(column, Y)


def test_hints_name_what_helps():
    def words(call: Callable[[], object]) -> str:
        return str(error_of(call))

    twin = np.c_[X, X[:, 0]]
    shared = words(lambda: gb.GaussianClassifier("EEE").fit(twin, Y))
    assert "GaussianClassifier(family, on_singular='range')" in shared
    assert "reg_param" in words(lambda: gb.QuadraticDiscriminantAnalysis().fit(twin, Y))
    assert "GaussianClassifier('EEE')" in words(lambda: gb.GaussianClassifier("lda").fit(X, Y))
    assert "did you mean 'VVI'" in words(lambda: gb.GaussianClassifier("VVJ").fit(X, Y))
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(species=Y)
    assert "did you mean 'species'" in words(lambda: gb.GaussianNB().fit(frame, "specis"))
    text = frame.assign(a="red")
    assert "column 'a'" in words(lambda: gb.GaussianNB().fit(text, "species"))
    assert "two numbers" in words(lambda: gb.GaussianClassifier(rda="auto").fit(X, Y))
    assert "no effect" in words(lambda: gb.GaussianClassifier(shrink_to="shared").fit(X, Y))


def test_warnings_point_at_the_user():
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    with pytest.warns(UserWarning, match="feature names") as caught:
        gb.GaussianNB().fit(frame, Y).predict(X)
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match="directions only") as caught:
        gb.GaussianClassifier("EEE", on_singular="range").fit(np.c_[X, X[:, 0]], Y)
    assert caught[0].filename == __file__


@pytest.mark.filterwarnings("ignore:self.within_class_std_dev_ has at least 1 zero")
def test_arrays_that_lie_oddly_in_memory_are_read_right():
    record = np.zeros(len(Y), [("gap", "i1"), ("y", "i8"), ("w", "f8"), ("o", "O"), ("x", "f8")])
    record["y"], record["w"], record["x"] = Y, 1.0 + Y, X[:, 0]
    record["o"] = np.array(["a", "b", "c"], dtype=object)[Y]
    plain = gb.GaussianNB().fit(X, Y, sample_weight=1.0 + Y)
    packed = gb.GaussianNB().fit(X, record["y"], sample_weight=record["w"])
    assert packed.predict_proba(X).tobytes() == plain.predict_proba(X).tobytes()
    words = gb.GaussianNB().fit(X, record["o"], sample_weight=record["w"])
    assert words.predict_proba(X).tobytes() == plain.predict_proba(X).tobytes()
    days = np.zeros(len(Y), [("gap", "i1"), ("d", "M8[D]")])
    days["d"] = Y.astype("M8[D]")
    assert len(gb.GaussianNB().fit(X, days["d"]).classes_) == 3
    frame = pd.DataFrame({"x": pd.Series(record["x"], copy=False), "z": X[:, 1]}, copy=False)
    expected = gb.GaussianNB().fit(X[:, :2], Y).theta_
    np.testing.assert_array_equal(gb.GaussianNB().fit(frame, Y).theta_, expected)
    for byte in [1, 2, 100, 255]:
        flags = ((Y > 0) * byte).astype(np.uint8).view(bool)
        assert gb.GaussianNB().fit(X, flags).classes_.tolist() == [False, True]
        columns = np.c_[flags, ~flags].view(bool)
        assert gb.NearestCentroid().fit(columns, Y).centroids_.max() == 1.0


def test_labels_that_no_file_could_hold_are_refused():
    with pytest.raises(ValueError, match="no valid text"):
        gb.GaussianNB().fit(X, np.array(["\udc80", "\udc81", "a"])[Y])
    missing = Y.astype("M8[D]")
    missing[3] = "NaT"
    with pytest.raises(ValueError, match="NaT"):
        gb.GaussianNB().fit(X, missing)


def test_batches_keep_to_the_kind_of_their_classes():
    days = Y.astype("M8[D]")
    both = gb.GaussianClassifier().partial_fit(X, days).partial_fit(X, days.astype("M8[s]"))
    assert both.classes_.tolist() == np.unique(days).tolist()
    wide = gb.GaussianClassifier().partial_fit(X, Y * 1000).partial_fit(X, Y.astype(np.int8))
    assert wide.classes_.tolist() == [0, 1, 2, 1000, 2000] and wide.classes_.dtype == np.int64
    for other in [Y.astype(str), Y.astype("M8[D]")]:
        with pytest.raises(ValueError, match="cannot be joined"):
            gb.GaussianClassifier().partial_fit(X, Y).partial_fit(X, other)


def test_log_odds_of_two_classes_keep_their_digits_far_out():
    two = Y < 2
    for each in [
        gb.QuadraticDiscriminantAnalysis(),
        gb.NearestCentroid(),
        gb.GaussianClassifier("EEE"),
    ]:
        fitted = each.fit(X[two], Y[two])
        far = X[two] * 1e154
        odds = fitted.decision_function(far)
        np.testing.assert_array_equal(odds > 0, fitted.predict(far) == 1)


def test_medians_are_no_part_of_a_model_file(tmp_path):
    fitted = gb.NearestCentroid(metric="manhattan").fit(X, Y)
    with pytest.raises(ValueError, match="hint: pickle it"):
        gb.save(fitted, tmp_path / "model.json")
