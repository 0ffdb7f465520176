"""Holds errors and warnings to those of scikit-learn 1.9.1: types, and what users match on."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from samples import DEFAULTS, gaussians
from scipy import sparse
from sklearn.covariance import OAS
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis as TheirLDA,
)
from sklearn.discriminant_analysis import (
    QuadraticDiscriminantAnalysis as TheirQDA,
)
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.naive_bayes import GaussianNB as TheirNB
from sklearn.neighbors import NearestCentroid as TheirNC
from tolerances import Silent, agree

import gaussbayes as gb

THEIRS = {
    gb.LinearDiscriminantAnalysis: TheirLDA,
    gb.QuadraticDiscriminantAnalysis: TheirQDA,
    gb.GaussianNB: TheirNB,
    gb.NearestCentroid: TheirNC,
}
LDA, QDA, NB, NC = THEIRS
ALL = [type(each) for each in DEFAULTS]

SAMPLE = gaussians(3, 3, seed=0)
X, Y = SAMPLE.X, SAMPLE.y
FRAME = pd.DataFrame(X, columns=list("abc"))

each_class = pytest.mark.parametrize("ours", ALL, ids=lambda each: each.__name__)
each_drop_in = pytest.mark.parametrize("ours", THEIRS, ids=lambda each: each.__name__)


def error_of(call: Callable[[], object]) -> Exception | None:
    with Silent():
        try:
            call()
        except Exception as error:  # noqa: BLE001 - which one is what is asked
            return error
    return None


def fails(call: Callable[[type], object], ours: type, kind: type, fragment: str) -> None:
    """Hold a call to the kind of error and to the words, which scikit-learn's class has too."""
    for each in [ours, THEIRS.get(ours)]:
        if each is not None:
            error = error_of(lambda each=each: call(each))
            assert isinstance(error, kind), f"{each.__module__}: {error!r}"
            assert fragment.format(name=each.__name__) in str(error), str(error)


def with_one(value: float) -> np.ndarray:
    spoilt = X.copy()
    spoilt[5, 1] = value
    return spoilt


def label_with(value: object) -> np.ndarray:
    labels = Y.astype(type(value))
    labels[3] = value
    return labels


BAD_DATA = {
    "NaN in X": (lambda c: c().fit(with_one(np.nan), Y), ValueError, "Input X contains NaN"),
    "infinity in X": (lambda c: c().fit(with_one(np.inf), Y), ValueError, "contains infinity"),
    "NaN in a query": (
        lambda c: c().fit(X, Y).predict(with_one(np.nan)),
        ValueError,
        "Input X contains NaN",
    ),
    "infinity in a query": (
        lambda c: c().fit(X, Y).predict_proba(with_one(-np.inf)),
        ValueError,
        "contains infinity",
    ),
    "NaN in a frame": (
        lambda c: c().fit(pd.DataFrame(with_one(np.nan)), Y),
        ValueError,
        "Input X contains NaN",
    ),
    "NA in a frame": (
        lambda c: c().fit(pd.DataFrame(with_one(np.nan)).convert_dtypes(), Y),
        ValueError,
        "contains NaN",
    ),
    "one dimension": (lambda c: c().fit(X[:, 0], Y), ValueError, "Expected 2D array, got 1D"),
    "one row as one dimension": (
        lambda c: c().fit(X, Y).predict(X[0]),
        ValueError,
        "Expected 2D array, got 1D array instead",
    ),
    "three dimensions": (lambda c: c().fit(X[None], Y), ValueError, "Found array with dim 3"),
    "no rows": (lambda c: c().fit(X[:0], Y[:0]), ValueError, "Found array with 0 sample(s)"),
    "no queries": (
        lambda c: c().fit(X, Y).predict(X[:0]),
        ValueError,
        "Found array with 0 sample(s) (shape=(0, 3)) while a minimum of 1 is required by {name}",
    ),
    "no columns": (
        lambda c: c().fit(X[:, :0], Y),
        ValueError,
        "0 feature(s) (shape=(150, 0)) while a minimum of 1 is required by {name}",
    ),
    "other number of features": (
        lambda c: c().fit(X, Y).predict(X[:, :2]),
        ValueError,
        "X has 2 features, but {name} is expecting 3 features as input",
    ),
    "complex": (lambda c: c().fit(X + 1j, Y), ValueError, "Complex data not supported"),
    "words in X": (lambda c: c().fit(np.full(X.shape, "q"), Y), ValueError, ""),
    "too few labels": (
        lambda c: c().fit(X, Y[:-1]),
        ValueError,
        "Found input variables with inconsistent numbers of samples: [150, 149]",
    ),
    "labels in two columns": (
        lambda c: c().fit(X, np.c_[Y, Y]),
        ValueError,
        "y should be a 1d array, got an array of shape (150, 2) instead",
    ),
    "no labels": (
        lambda c: c().fit(X, None),
        ValueError,
        "This {name} estimator requires y to be passed, but the target y is None",
    ),
    "continuous labels": (lambda c: c().fit(X, Y + 0.5), ValueError, "Unknown label type"),
    "NaN label": (lambda c: c().fit(X, label_with(np.nan)), ValueError, "Input y contains NaN"),
    "infinite label": (lambda c: c().fit(X, label_with(np.inf)), ValueError, "y contains infinity"),
    "labels of two kinds": (
        lambda c: c().fit(X, np.array([1, "a", "b"] * 50, object)),
        (TypeError, ValueError),
        "",
    ),
    "bytes as labels": (
        lambda c: c().fit(X, Y.astype("S")),
        TypeError,
        "Support for labels represented as bytes is not supported",
    ),
    "numbers in an object array as labels": (
        lambda c: c().fit(X, Y.astype(object)),
        ValueError,
        "Unknown label type",
    ),
    "other order of names": (
        lambda c: c().fit(FRAME, Y).predict(FRAME[["b", "a", "c"]]),
        ValueError,
        "Feature names must be in the same order as they were in fit",
    ),
    "other names": (
        lambda c: c().fit(FRAME, Y).predict(FRAME.rename(columns={"a": "z"})),
        ValueError,
        "Feature names unseen at fit time:\n- z\nFeature names seen at fit time, yet now "
        "missing:\n- a\n",
    ),
    "names of two kinds": (
        lambda c: c().fit(FRAME.rename(columns={"a": 0}), Y),
        TypeError,
        "Feature names are only supported if all input features have string names",
    ),
}


@each_class
@pytest.mark.parametrize("case", BAD_DATA)
def test_bad_data(case, ours):
    fails(*BAD_DATA[case][:1], ours, *BAD_DATA[case][1:])


BAD_PARAMETERS = [
    (LDA, {"solver": "x"}, ValueError, "The 'solver' parameter of {name} must be a str among"),
    (LDA, {"solver": "lsqr", "shrinkage": 1.5}, ValueError, "The 'shrinkage' parameter of {name}"),
    (LDA, {"solver": "lsqr", "shrinkage": "x"}, ValueError, "Got 'x' instead"),
    (LDA, {"n_components": 0}, ValueError, "The 'n_components' parameter of {name} must be an int"),
    (LDA, {"n_components": 1.5}, ValueError, "Got 1.5 instead"),
    (LDA, {"n_components": 3}, ValueError, "n_components cannot be larger than min(n_features,"),
    (LDA, {"tol": -1}, ValueError, "The 'tol' parameter of {name} must be a float in the range"),
    (LDA, {"store_covariance": "yes"}, ValueError, "The 'store_covariance' parameter of {name}"),
    (LDA, {"shrinkage": 0.1}, NotImplementedError, "shrinkage not supported with 'svd' solver"),
    (LDA, {"covariance_estimator": OAS()}, ValueError, "is not supported with svd solver"),
    (LDA, {"solver": "lsqr", "covariance_estimator": 3}, ValueError, "implementing 'fit' or None"),
    (
        LDA,
        {"solver": "eigen", "shrinkage": 0.1, "covariance_estimator": OAS()},
        ValueError,
        "Only one of the two can be set",
    ),
    (LDA, {"priors": "x"}, ValueError, "The 'priors' parameter of {name} must be an array-like"),
    (LDA, {"priors": [-0.5, 1.0, 0.5]}, ValueError, "priors must be non-negative"),
    (LDA, {"priors": [0.5, 0.5]}, ValueError, ""),
    (LDA, {"priors": [np.nan, 0.5, 0.5]}, ValueError, ""),
    (QDA, {"solver": "lsqr"}, ValueError, "The 'solver' parameter of {name} must be a str among"),
    (QDA, {"reg_param": -0.1}, ValueError, "The 'reg_param' parameter of {name} must be a float"),
    (QDA, {"reg_param": 2}, ValueError, "in the range [0.0, 1.0]. Got 2 instead"),
    (QDA, {"shrinkage": 0.1}, NotImplementedError, "shrinkage not supported with 'svd' solver"),
    (QDA, {"covariance_estimator": OAS()}, ValueError, "is not supported with solver='svd'"),
    (
        QDA,
        {"solver": "eigen", "shrinkage": 0.1, "covariance_estimator": OAS()},
        ValueError,
        "Only one of the two can be set",
    ),
    (QDA, {"tol": -1.0}, ValueError, "The 'tol' parameter of {name} must be a float in the range"),
    (QDA, {"priors": 3.5}, ValueError, "The 'priors' parameter of {name} must be an array-like"),
    (NB, {"var_smoothing": -1.0}, ValueError, "The 'var_smoothing' parameter of {name} must be"),
    (NB, {"priors": [0.5, 0.5]}, ValueError, "Number of priors must match number of classes"),
    (NB, {"priors": [0.5, 0.5, 0.5]}, ValueError, "The sum of the priors should be 1"),
    (NB, {"priors": [-0.5, 1.0, 0.5]}, ValueError, "Priors must be non-negative"),
    (NC, {"metric": "cosine"}, ValueError, "The 'metric' parameter of {name} must be a str among"),
    (NC, {"shrink_threshold": 0}, ValueError, "The 'shrink_threshold' parameter of {name} must be"),
    (NC, {"priors": "x"}, ValueError, "The 'priors' parameter of {name} must be an array-like or"),
    (NC, {"priors": [-0.5, 1.0, 0.5]}, ValueError, "priors must be non-negative"),
]


@pytest.mark.parametrize(
    "ours, parameters, kind, fragment",
    BAD_PARAMETERS,
    ids=[f"{case[0].__name__}-{case[1]}" for case in BAD_PARAMETERS],
)
def test_bad_parameters(ours, parameters, kind, fragment):
    fails(lambda each: each(**parameters).fit(X, Y), ours, kind, fragment)


@pytest.mark.parametrize("ours", [LDA, QDA, NC])
def test_priors_that_do_not_sum_to_one(ours):
    with pytest.warns(UserWarning, match="The priors do not sum to 1"):
        fitted = ours(priors=[1.0, 1.0, 2.0]).fit(X, Y)
    found = fitted.class_prior_ if ours is NC else fitted.priors_
    np.testing.assert_array_equal(found, [0.25, 0.25, 0.5])
    scaled = ours(priors=[0.25, 0.25, 0.5]).fit(X, Y)
    assert fitted.predict_proba(X).tobytes() == scaled.predict_proba(X).tobytes()


@each_drop_in
def test_a_class_of_prior_zero_is_never_predicted(ours):
    fitted = ours(priors=[0.0, 0.25, 0.75]).fit(X, Y)
    posterior = fitted.predict_proba(X)
    np.testing.assert_array_equal(posterior[:, 0], 0.0)
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0)
    assert not (fitted.predict(X) == 0).any()
    if ours is not NC:
        with Silent():
            theirs = THEIRS[ours](priors=[0.0, 0.25, 0.75]).fit(X, Y)
            agree("posterior", posterior, theirs.predict_proba(X))


@each_class
def test_too_few_classes_or_rows(ours):
    if ours in (QDA, NC):
        one = np.zeros(len(Y))
        fails(lambda c: c().fit(X, one), ours, ValueError, "classes has to be greater than one")
    if ours is LDA:
        words = "The number of samples must be more than the number of classes"
        fails(lambda c: c().fit(X[:3], [0, 1, 2]), ours, ValueError, words)
    if ours is QDA:
        alone = np.r_[np.zeros(len(Y) - 1), 1.0]
        fails(lambda c: c().fit(X, alone), ours, ValueError, "only 1 sample in class 1.0")


@pytest.mark.parametrize("solver", ["svd", "eigen"])
@pytest.mark.parametrize("rows", ["copy", "constant", "few"])
def test_singular_covariance_of_a_class(rows, solver):
    spoilt = {"copy": X[:, [0, 1, 0]], "constant": np.c_[X, np.ones(len(X))], "few": X[:6]}[rows]
    labels = np.arange(6) % 2 if rows == "few" else Y
    fails(lambda c: c(solver=solver).fit(spoilt, labels), QDA, np.linalg.LinAlgError, "class 0")


def test_singular_covariance_of_all_classes():
    twin = X[:, [0, 1, 0]]
    fails(lambda c: c(solver="eigen").fit(twin, Y), LDA, np.linalg.LinAlgError, "")
    error = error_of(lambda: gb.GaussianClassifier("EEE").fit(twin, Y))
    assert isinstance(error, np.linalg.LinAlgError)


@each_class
def test_warnings_about_labels_and_names(ours):
    with pytest.warns(DataConversionWarning, match="A column-vector y was passed when a 1d array"):
        ours().fit(X, Y[:, None])
    name = ours.__name__
    named, unnamed = ours().fit(FRAME, Y), ours().fit(X, Y)
    with pytest.warns(UserWarning, match=f"valid feature names, but {name} was fitted with feat"):
        named.predict(X)
    with pytest.warns(UserWarning, match=f"X has feature names, but {name} was fitted without"):
        unnamed.predict(FRAME)


@each_class
@pytest.mark.parametrize(
    "method", ["predict", "predict_proba", "predict_log_proba", "decision_function", "transform"]
)
def test_unfitted(method, ours):
    if hasattr(ours(), method):
        words = "This {name} instance is not fitted yet. Call 'fit' with appropriate arguments"
        fails(lambda c: getattr(c(), method)(X), ours, NotFittedError, words)


def test_lsqr_has_no_projection():
    words = "transform not implemented for 'lsqr' solver (use 'svd' or 'eigen')"
    fails(lambda c: c(solver="lsqr").fit(X, Y).transform(X), LDA, NotImplementedError, words)
    fails(lambda c: c(solver="lsqr").transform(X), LDA, NotImplementedError, words)


@each_class
def test_sparse_rows_are_refused_in_their_words_or_taken(ours):
    rows = sparse.csr_array(np.where(np.abs(X) < 1.0, 0.0, X))
    error = error_of(lambda: ours().fit(rows, Y))
    if error is None:
        agree("posterior", *(ours().fit(r, Y).predict_proba(r) for r in (rows, rows.toarray())))
    else:
        assert isinstance(error, TypeError) and ours is not NC
        assert "Sparse data was passed for X, but dense data is required" in str(error)


def test_lda_predicts_sparse_rows_as_theirs_does():
    fitted = LDA().fit(X, Y)
    np.testing.assert_array_equal(fitted.predict(sparse.csr_array(X)), fitted.predict(X))
