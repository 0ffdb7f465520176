"""Holds what SoftmaxRegression has beside scikit-learn's interface."""

import pickle

import numpy as np
import pyarrow as pa
import pytest
from samples import OnlyAStream, counts, gaussians
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import gaussbayes as gb

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture
def fitted(iris):
    return gb.SoftmaxRegression().fit(*iris)


def test_separable_classes_are_refused_by_name(iris):
    X, y = iris
    with pytest.raises(ValueError, match="planes separate .* so that no finite coefficients"):
        gb.SoftmaxRegression(np.inf).fit(X, y)
    found = gb.SoftmaxRegression(1e9).fit(X[y < 2], y[y < 2])
    assert found.report_["separable"] and found.report_["converged"]
    assert not gb.SoftmaxRegression(np.inf).fit(X[y > 0], y[y > 0]).report_["separable"]
    with pytest.raises(ValueError, match="columns follow from each other"):
        gb.SoftmaxRegression(np.inf).fit(np.c_[X, X.sum(axis=1)][y > 0], y[y > 0])


def test_a_failed_fit_leaves_the_estimator_as_it_was(iris, fitted):
    X, y = iris
    before = fitted.predict_proba(X)
    with pytest.raises(ValueError, match="planes"):
        fitted.set_params(C=np.inf).fit(X, y)
    np.testing.assert_array_equal(fitted.predict_proba(X), before)


def test_too_few_steps_are_warned_of(iris):
    with pytest.warns(ConvergenceWarning, match="have not converged in 2 steps"):
        found = gb.SoftmaxRegression(max_iter=2).fit(*iris)
    assert found.n_iter_.tolist() == [2] and not found.report_["converged"]


def test_boundaries_are_planes_of_the_coefficients(iris, fitted):
    plane = fitted.boundary(0, 2)
    assert plane.kind == "hyperplane"
    right = fitted.coef_[0] - fitted.coef_[2]
    scale = plane.linear[0] / right[0]
    np.testing.assert_allclose(plane.linear, scale * right, rtol=1e-9)
    constant = scale * (fitted.intercept_[0] - fitted.intercept_[2])
    np.testing.assert_allclose(plane.constant, constant, rtol=1e-9)
    X, y = iris
    two = gb.SoftmaxRegression().fit(X[:, 2:], y)
    curves = two.curves(((1.0, 7.0), (0.0, 2.5)))
    assert {curve.classes for curve in curves} == {(0, 1), (1, 2)}
    for curve in curves:
        a, b = curve.classes
        odds = two.decision_function(curve.points)
        np.testing.assert_allclose(odds[:, a], odds[:, b], atol=1e-9)
    # Other columns are held at the mean of the rows, or where one says.
    held = fitted.curves(((1.0, 7.0), (0.0, 2.5)), features=(2, 3))
    points = np.tile(X.mean(axis=0), (len(held[0].points), 1))
    points[:, 2:] = held[0].points
    odds = fitted.decision_function(points)[:, list(held[0].classes)]
    np.testing.assert_allclose(odds[:, 0], odds[:, 1], atol=1e-9)
    with pytest.raises(ValueError, match="cannot do without columns"):
        fitted.curves(((1.0, 7.0), (0.0, 2.5)), features=(2, 3), project=True)


def test_errors_need_a_truth(iris, fitted):
    with pytest.raises(ValueError, match="needs a truth"):
        fitted.error()
    lda = gb.LinearDiscriminantAnalysis().fit(*iris)
    found, best = fitted.error(under=lda).total, lda.error().total
    assert best <= found < 2.0 * best


def test_costs_and_reject(iris, fitted):
    X, y = iris
    sure = gb.SoftmaxRegression(reject=0.1).fit(X, y)
    doubtful = fitted.predict_proba(X).max(axis=1) < 0.9
    np.testing.assert_array_equal(sure.predict(X) == -1, doubtful)
    dear = fitted.with_loss([[0, 1, 1], [9, 0, 1], [1, 1, 0]])
    assert (dear.predict(X) == 0).sum() <= (fitted.predict(X) == 0).sum()


def test_other_priors_move_intercepts(iris, fitted):
    X, _ = iris
    moved = fitted.with_priors([0.5, 0.3, 0.2])
    odds = fitted.predict_proba(X) * np.array([1.5, 0.9, 0.6])
    expected = odds / odds.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(moved.predict_proba(X), expected, rtol=1e-12)
    np.testing.assert_array_equal(moved.coef_, fitted.coef_)
    shift = moved.intercept_ - fitted.intercept_
    np.testing.assert_allclose(shift, np.log([1.5, 0.9, 0.6]), rtol=1e-9)
    given = gb.SoftmaxRegression(priors=[0.5, 0.3, 0.2]).fit(*iris)
    np.testing.assert_allclose(given.predict_proba(X), expected, rtol=1e-12)


@pytest.mark.parametrize(
    "estimator",
    [
        gb.LinearDiscriminantAnalysis(),
        gb.GaussianClassifier("EEE"),
        gb.GaussianClassifier("EEI"),
        gb.GaussianClassifier("unit"),
    ],
    ids=str,
)
def test_gaussians_of_one_covariance_are_a_softmax(estimator):
    sample = gaussians(3, 4, seed=7)
    known = estimator.fit(sample.X, sample.y)
    found = gb.SoftmaxRegression.from_classifier(known)
    expected = known.predict_proba(sample.queries)
    np.testing.assert_allclose(found.predict_proba(sample.queries), expected, atol=1e-11)
    np.testing.assert_allclose(found.coef_.sum(axis=0), 0.0, atol=1e-12 * np.abs(found.coef_).max())
    assert found.coef_.shape == (3, 4) and found.intercept_.shape == (3,)


def test_naive_bayes_of_flags_and_counts_is_a_softmax():
    sample = counts(3, 5, seed=2)
    flags = (sample.X > 0).astype(float)
    for estimator, X in [
        (gb.BernoulliNB(), flags),
        (gb.MultinomialNB(), sample.X),
        (gb.ComplementNB(), sample.X),
    ]:
        known = estimator.fit(X, sample.y)
        found = gb.SoftmaxRegression.from_classifier(known)
        np.testing.assert_allclose(found.predict_proba(X), known.predict_proba(X), atol=1e-12)
    # The difference of two classes' log odds is the coefficient of a flag.
    two = gb.BernoulliNB().fit(flags[sample.y < 2], sample.y[sample.y < 2])
    odds = two.feature_log_prob_ - np.log1p(-np.exp(two.feature_log_prob_))
    found = gb.SoftmaxRegression.from_classifier(two)
    np.testing.assert_allclose(found.coef_[0], odds[1] - odds[0], rtol=1e-10)


def test_what_is_not_linear_is_no_softmax(iris):
    X, y = iris
    for estimator in (gb.GaussianNB(), gb.QuadraticDiscriminantAnalysis()):
        with pytest.raises(ValueError, match="log-odds are not linear"):
            gb.SoftmaxRegression.from_classifier(estimator.fit(X, y))
    with pytest.raises(TypeError, match="no classifier of gaussbayes"):
        gb.SoftmaxRegression.from_classifier(StandardScaler())


def test_it_is_kept(iris, fitted, tmp_path):
    X, y = iris
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
    gb.save(fitted, tmp_path / "m.json")
    loaded = gb.load(tmp_path / "m.json")
    assert repr(loaded) == repr(fitted)
    np.testing.assert_array_equal(loaded.predict_proba(X), fitted.predict_proba(X))
    np.testing.assert_array_equal(loaded.coef_, fitted.coef_)
    assert loaded.report_ == fitted.report_
    two = gb.SoftmaxRegression(0.5, loss=[[0, 1, 0.2], [5, 0, 0.2]]).fit(X[y > 0], y[y > 0])
    gb.save(two, tmp_path / "two.json")
    np.testing.assert_array_equal(gb.load(tmp_path / "two.json").predict(X), two.predict(X))


def test_it_goes_where_estimators_go(iris):
    X, y = iris
    pipeline = make_pipeline(StandardScaler(), gb.SoftmaxRegression())
    assert cross_val_score(pipeline, X, y, cv=5).mean() > 0.9
    judged = gb.cross_validate([gb.SoftmaxRegression(), gb.GaussianClassifier("EEE")], X, y)
    assert [judgement.error_rate < 0.06 for judgement in judged] == [True, True]
    assert "<table>" in gb.SoftmaxRegression().fit(X, y)._repr_html_()
    assert clone(gb.SoftmaxRegression(2.0)).C == 2.0


def test_the_same_bits_in_every_form(iris, fitted):
    X, y = iris
    table = pa.table({f"x{j}": X[:, j] for j in range(4)} | {"class": y})
    found = gb.SoftmaxRegression().fit(OnlyAStream(table), "class")
    np.testing.assert_array_equal(found.coef_, fitted.coef_)
    found = gb.SoftmaxRegression().fit(np.asfortranarray(X), y.astype(str))
    np.testing.assert_array_equal(found.coef_, fitted.coef_)


def test_what_needs_densities_is_not_there(fitted, iris):
    for name in ("partial_fit", "score_samples", "mahalanobis_sq", "sample"):
        assert not hasattr(fitted, name)
    with pytest.raises(ValueError, match="has no Gaussians"):
        gb.cross_validate(gb.SoftmaxRegression(), *iris, folds="loo")


def test_shares_that_have_moved():
    sample = gaussians(2, 2, rows=4000, seed=3)
    found = gb.SoftmaxRegression().fit(sample.X, sample.y)
    kept = np.r_[np.flatnonzero(sample.y == 0), np.flatnonzero(sample.y == 1)[:200]]
    shift = found.estimate_shift(sample.X[kept])
    assert shift.moved and abs(shift.priors[1] - (sample.y[kept] == 1).mean()) < 0.03
