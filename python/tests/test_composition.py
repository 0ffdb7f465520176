"""Puts the estimators where scikit-learn's tools take estimators."""

import pickle

import joblib
import numpy as np
import pytest
import sklearn
from bits import same_bits
from samples import DEFAULTS, ESTIMATORS, fit_and_answer, gaussians, named
from sklearn.base import BaseEstimator, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.ensemble import VotingClassifier
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

import gaussbayes as gb

THEIRS = {
    "LinearDiscriminantAnalysis": LinearDiscriminantAnalysis,
    "QuadraticDiscriminantAnalysis": QuadraticDiscriminantAnalysis,
    "GaussianNB": GaussianNB,
    "NearestCentroid": NearestCentroid,
}

each_default = pytest.mark.parametrize("estimator", DEFAULTS, ids=named)
each_estimator = pytest.mark.parametrize("estimator", ESTIMATORS, ids=named)


def twin(estimator: BaseEstimator) -> BaseEstimator:
    """Scikit-learn's estimator of the same name and parameters; quadratic for our own class."""
    if isinstance(estimator, gb.GaussianClassifier):
        return QuadraticDiscriminantAnalysis()
    return THEIRS[type(estimator).__name__](**estimator.get_params())


@each_default
def test_pipeline(estimator, iris):
    X, y = iris
    pair = clone(estimator), twin(estimator)
    found, expected = (make_pipeline(StandardScaler(), each).fit(X, y) for each in pair)
    np.testing.assert_array_equal(found.predict(X), expected.predict(X))
    assert found.score(X, y) == expected.score(X, y)


def test_lda_as_a_step_that_projects(iris):
    X, y = iris
    found, expected = (
        make_pipeline(lda, QuadraticDiscriminantAnalysis()).fit(X, y)
        for lda in (gb.LinearDiscriminantAnalysis(), LinearDiscriminantAnalysis())
    )
    np.testing.assert_allclose(found.predict_proba(X), expected.predict_proba(X), atol=1e-10)
    names = found[:-1].get_feature_names_out()
    assert names.tolist() == ["lineardiscriminantanalysis0", "lineardiscriminantanalysis1"]


@each_default
def test_cross_validation(estimator, iris):
    X, y = iris
    found, expected = (cross_val_score(each, X, y, cv=4) for each in (estimator, twin(estimator)))
    np.testing.assert_array_equal(found, expected)
    posterior = cross_val_predict(estimator, X, y, cv=3, method="predict_proba")
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0)


@pytest.mark.parametrize(
    "ours, grid",
    [
        (
            gb.LinearDiscriminantAnalysis(solver="lsqr"),
            {"shrinkage": [None, 0.1, "auto"], "priors": [None, [0.2, 0.3, 0.5]]},
        ),
        (gb.QuadraticDiscriminantAnalysis(), {"reg_param": [0.0, 0.1, 0.5]}),
        (gb.GaussianNB(), {"var_smoothing": [1e-9, 1e-2]}),
        (gb.NearestCentroid(), {"shrink_threshold": [None, 0.5], "metric": ["euclidean"]}),
    ],
    ids=lambda each: named(each) if isinstance(each, BaseEstimator) else "",
)
def test_grid_search(ours, grid, iris):
    X, y = iris
    found, expected = (GridSearchCV(each, grid, cv=3).fit(X, y) for each in (ours, twin(ours)))
    scores = [each.cv_results_["mean_test_score"] for each in (found, expected)]
    np.testing.assert_allclose(*scores, rtol=1e-12)
    assert found.best_params_ == expected.best_params_


def test_grid_search_over_families(iris):
    X, y = iris
    grid = {"family": ["VVV", "EEE", "VVI", "EII"], "ddof": [0, 1]}
    search = GridSearchCV(gb.GaussianClassifier(), grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.95


@each_default
def test_calibration(estimator, iris):
    X, y = iris
    found, expected = (
        CalibratedClassifierCV(each, cv=3).fit(X, y) for each in (estimator, twin(estimator))
    )
    posterior = found.predict_proba(X)
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0)
    if not isinstance(estimator, gb.NearestCentroid):
        # Its decision function is Bayes' rule, theirs is not.
        np.testing.assert_allclose(posterior, expected.predict_proba(X), atol=1e-5)


@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_voting(voting, iris):
    X, y = iris
    found, expected = (
        VotingClassifier([(named(each), as_(each)) for each in DEFAULTS[:3]], voting=voting)
        for as_ in (clone, twin)
    )
    np.testing.assert_array_equal(found.fit(X, y).predict(X), expected.fit(X, y).predict(X))


@each_estimator
def test_clone(estimator, iris):
    X, y = iris
    copy = clone(clone(estimator).fit(X, y))
    assert copy.get_params() == estimator.get_params()
    assert not hasattr(copy, "classes_")
    same_bits(copy.fit(X, y), clone(estimator).fit(X, y), X)


@each_estimator
def test_pickle(estimator, iris):
    X, y = iris
    fitted = clone(estimator).fit(X, y)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        same_bits(pickle.loads(pickle.dumps(fitted, protocol)), fitted, X)


@each_estimator
def test_batches_go_on_after_pickling(estimator):
    sample = gaussians(3, 4, seed=1)
    X, y = sample.X, sample.y
    first = clone(estimator).partial_fit(X[:70], y[:70], classes=[0, 1, 2])
    loaded = pickle.loads(pickle.dumps(first))
    loaded.partial_fit(X[70:], y[70:])
    same_bits(loaded, clone(estimator).fit(X, y), sample.queries)


@each_estimator
def test_a_model_in_a_file_that_is_mapped(estimator, iris, tmp_path):
    X, y = iris
    fitted = clone(estimator).fit(X, y)
    joblib.dump(fitted, tmp_path / "model.joblib")
    mapped = joblib.load(tmp_path / "model.joblib", mmap_mode="r")
    same_bits(mapped, fitted, X)
    same_bits(mapped.fit(X, y), fitted, X)


def test_other_processes_compute_the_same_bits():
    # More than a megabyte of rows, so that the workers get them as read-only maps.
    sample = gaussians(3, 8, rows=20_000, seed=2)
    found = joblib.Parallel(n_jobs=2, backend="loky")(
        joblib.delayed(fit_and_answer)(each, sample.X, sample.y) for each in DEFAULTS
    )
    for each, posterior in zip(DEFAULTS, found, strict=True):
        assert posterior.tobytes() == fit_and_answer(each, sample.X, sample.y).tobytes()


def test_other_threads_compute_the_same_bits():
    sample = gaussians(3, 8, rows=20_000, seed=2)
    found = joblib.Parallel(n_jobs=4, backend="threading")(
        joblib.delayed(fit_and_answer)(each, sample.X, sample.y) for each in DEFAULTS
    )
    for each, posterior in zip(DEFAULTS, found, strict=True):
        assert posterior.tobytes() == fit_and_answer(each, sample.X, sample.y).tobytes()


@each_default
def test_threads_may_share_a_model(estimator):
    sample = gaussians(3, 8, rows=20_000, seed=3)
    fitted = clone(estimator).fit(sample.X, sample.y)
    found = joblib.Parallel(n_jobs=4, backend="threading")(
        joblib.delayed(fitted.predict_proba)(rows) for rows in np.array_split(sample.X, 8)
    )
    assert np.vstack(found).tobytes() == fitted.predict_proba(sample.X).tobytes()


@each_default
def test_weights_are_routed(estimator, iris):
    X, y = iris
    weights = np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    expected = clone(estimator).fit(X, y, sample_weight=weights)
    with sklearn.config_context(enable_metadata_routing=True):
        asking = clone(estimator).set_fit_request(sample_weight=True)
        pipeline = Pipeline([("pass", "passthrough"), ("classify", asking)])
        pipeline.fit(X, y, sample_weight=weights)
        same_bits(pipeline["classify"], expected, X)

        asking.set_score_request(sample_weight=True)
        grid = {"priors": [asking.priors]}
        search = GridSearchCV(asking, grid, cv=3).fit(X, y, sample_weight=weights)
        same_bits(search.best_estimator_, expected, X)

        with pytest.raises(UnsetMetadataPassedError):
            Pipeline([("classify", clone(estimator))]).fit(X, y, sample_weight=weights)


@each_default
def test_weights_of_batches_can_be_asked_for(estimator):
    with sklearn.config_context(enable_metadata_routing=True):
        asking = clone(estimator).set_partial_fit_request(sample_weight=True, classes=True)
        assert asking.get_metadata_routing().partial_fit.requests["sample_weight"] is True
