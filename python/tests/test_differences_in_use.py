"""Shows both sides of what ours takes, refuses and keeps otherwise than scikit-learn 1.9.1."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from samples import gaussians
from scipy import sparse
from sklearn.covariance import OAS, EmpiricalCovariance
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis as TheirLDA,
)
from sklearn.discriminant_analysis import (
    QuadraticDiscriminantAnalysis as TheirQDA,
)
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB as TheirNB
from sklearn.neighbors import NearestCentroid as TheirNC
from tolerances import Silent

from gaussbayes import GaussianNB as OurNB
from gaussbayes import LinearDiscriminantAnalysis as OurLDA
from gaussbayes import NearestCentroid as OurNC
from gaussbayes import QuadraticDiscriminantAnalysis as OurQDA

PAIRS = [(OurLDA, TheirLDA), (OurQDA, TheirQDA), (OurNB, TheirNB), (OurNC, TheirNC)]

each_pair = pytest.mark.parametrize("ours, theirs", PAIRS, ids=lambda each: each.__name__)


@pytest.mark.parametrize("solver", ["svd", "eigen"])
def test_qda_takes_small_units(solver, iris):
    X, y = iris
    small = X * 1e-3
    with pytest.raises(np.linalg.LinAlgError, match="not full rank"):
        TheirQDA(solver=solver).fit(small, y)
    found = OurQDA(solver=solver).fit(small, y).predict_proba(small)
    expected = TheirQDA(solver=solver).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_tol_does_not_decide_whether_qda_is_singular(iris):
    X, y = iris
    with pytest.raises(np.linalg.LinAlgError, match="not full rank"):
        TheirQDA(tol=10.0).fit(X, y)
    assert OurQDA(tol=10.0).fit(X, y).score(X, y) == TheirQDA().fit(X, y).score(X, y)
    twin = X[:, [0, 1, 2, 0]]
    TheirQDA(tol=0.0).fit(twin, y)
    with pytest.raises(np.linalg.LinAlgError, match="'x3' = 'x0'"):
        OurQDA(tol=0.0).fit(twin, y)


def test_reg_param_of_qda_serves_classes_of_few_rows():
    rng = np.random.default_rng(7)
    X, y = rng.normal(size=(5, 4)), np.repeat([0, 1], [3, 2])
    with pytest.raises(np.linalg.LinAlgError, match="class 0 has 3 samples and 4 features"):
        TheirQDA(reg_param=0.5).fit(X, y)
    ours = OurQDA(reg_param=0.5, store_covariance=True).fit(X, y)
    expected = 0.5 * np.cov(X[:3], rowvar=False, ddof=0) + 0.5 * np.eye(4)
    np.testing.assert_allclose(ours.covariance_[0], expected, rtol=1e-12, atol=1e-14)


def test_qda_says_that_eigen_ignores_reg_param(iris, recwarn):
    X, y = iris
    plain = TheirQDA(solver="eigen").fit(X, y).predict_proba(X)
    found = TheirQDA(solver="eigen", reg_param=0.5).fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(found, plain)
    assert not recwarn
    with pytest.warns(UserWarning, match="reg_param has no effect with solver='eigen'"):
        ours = OurQDA(solver="eigen", reg_param=0.5).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), plain, atol=1e-9)


@each_pair
def test_sparse_rows_are_taken(ours, theirs):
    sample = gaussians(3, 4, seed=1)
    dense = np.where(np.abs(sample.X) < 1.0, 0.0, sample.X)
    rows = sparse.csr_array(dense)
    found = ours().fit(rows, sample.y).predict_proba(rows)
    np.testing.assert_allclose(found, ours().fit(dense, sample.y).predict_proba(dense), atol=1e-9)
    if theirs is not TheirNC:
        with pytest.raises(TypeError, match="dense data is required"):
            theirs().fit(rows, sample.y)


@each_pair
def test_weights_and_batches_are_taken(ours, theirs, iris):
    X, y = iris
    assert ours().fit(X, y, sample_weight=np.ones(150)).score(X, y) > 0.9
    assert hasattr(ours(), "partial_fit")
    assert hasattr(theirs(), "partial_fit") == (theirs is TheirNB)
    if theirs is not TheirNB:
        with pytest.raises(TypeError, match="unexpected keyword argument 'sample_weight'"):
            theirs().fit(X, y, sample_weight=np.ones(150))


@each_pair
def test_labels_may_be_the_name_of_a_column(ours, theirs, iris):
    X, y = iris
    frame = pd.DataFrame(X, columns=list("abcd")).assign(species=y)
    found = ours().fit(frame, "species")
    assert found.feature_names_in_.tolist() == list("abcd")
    np.testing.assert_array_equal(found.predict(frame[list("abcd")]), ours().fit(X, y).predict(X))
    with pytest.raises(ValueError):
        theirs().fit(frame, "species")


def test_priors_of_centroids_may_be_an_array(iris):
    X, y = iris
    priors = np.array([0.2, 0.3, 0.5])
    with pytest.raises(ValueError, match="truth value of an array"):
        TheirNC(priors=priors).fit(X, y)
    expected = TheirNC(priors=priors.tolist()).fit(X, y).predict(X)
    np.testing.assert_array_equal(OurNC(priors=priors).fit(X, y).predict(X), expected)


def test_centroids_take_flags(iris):
    X, y = iris
    with Silent():
        with pytest.raises(TypeError, match="numpy boolean subtract"):
            TheirNC().fit(X > 3.0, y)
        expected = TheirNC().fit((X > 3.0).astype(float), y).predict((X > 3.0).astype(float))
        np.testing.assert_array_equal(OurNC().fit(X > 3.0, y).predict(X > 3.0), expected)


def test_one_class_has_probability_one(iris):
    X, _ = iris
    one = np.zeros(len(X))
    np.testing.assert_array_equal(OurLDA().fit(X, one).predict_proba(X), np.ones((150, 1)))
    with pytest.raises(IndexError):
        TheirLDA().fit(X, one).predict_proba(X)


def test_centroids_of_one_row_each_have_probabilities(iris):
    X, _ = iris
    rows, y = X[[0, 50, 100]], [0, 1, 2]
    with Silent():
        ours, theirs = (each().fit(rows, y) for each in (OurNC, TheirNC))
        np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
        assert np.isfinite(ours.predict_proba(X)).all()
        with pytest.raises(ValueError, match="contains NaN"):
            theirs.predict_proba(X)


def test_naive_bayes_refuses_columns_without_spread(iris):
    X, y = iris
    flat = np.c_[X, np.ones(150)]
    with Silent():
        assert np.isnan(TheirNB(var_smoothing=0.0).fit(flat, y).predict_proba(flat)).all()
        assert np.isnan(TheirNB().fit(X[:1], y[:1]).predict_joint_log_proba(X[:1])).all()
    with pytest.raises(np.linalg.LinAlgError, match="'x4' is constant"):
        OurNB(var_smoothing=0.0).fit(flat, y)
    with pytest.raises(ValueError, match="1 sample is not enough"):
        OurNB().fit(X[:1], y[:1])


def test_lda_refuses_rows_without_any_spread(iris):
    _, y = iris
    flat = np.ones((150, 2))
    with pytest.raises(IndexError):
        TheirLDA().fit(flat, y)
    posterior = TheirLDA(solver="lsqr").fit(flat, y).predict_proba(flat)
    np.testing.assert_allclose(posterior, 1.0 / 3.0)
    for solver in ["svd", "lsqr"]:
        with pytest.raises(np.linalg.LinAlgError, match="'x0' is constant, 'x1' is constant"):
            OurLDA(solver=solver).fit(flat, y)


def test_lda_refuses_numbers_written_as_text(iris):
    X, y = iris
    assert TheirLDA().fit(X.astype(str), y).score(X, y) > 0.97
    with pytest.raises(ValueError, match="not compatible with arrays of bytes/strings"):
        OurLDA().fit(X.astype(str), y)


def test_lda_refuses_a_tol_that_leaves_nothing(iris):
    X, y = iris
    np.testing.assert_allclose(TheirLDA(tol=1.0).fit(X, y).predict_proba(X), 1.0 / 3.0)
    with pytest.raises(IndexError):
        TheirLDA(tol=2.0).fit(X, y)
    for tol in [1.0, 2.0]:
        with pytest.raises(ValueError, match="below 1"):
            OurLDA(tol=tol).fit(X, y)


def test_lsqr_refuses_an_estimated_covariance_that_is_singular(iris):
    X, y = iris
    twin = X[:, [0, 1, 2, 3, 0]]
    parameters = {"solver": "lsqr", "covariance_estimator": EmpiricalCovariance()}
    assert TheirLDA(**parameters).fit(twin, y).score(twin, y) > 0.9
    with pytest.raises(np.linalg.LinAlgError, match="rank 4 of 5"):
        OurLDA(**parameters).fit(twin, y)


def test_negative_weights_are_refused(iris):
    X, y = iris
    weights = np.append(np.ones(149), -1.0)
    np.testing.assert_array_equal(TheirNB().fit(X, y, weights).class_count_, [50.0, 50.0, 48.0])
    with pytest.raises(ValueError, match=r"sample_weight\[149\] is -1.0"):
        OurNB().fit(X, y, weights)


def test_missing_values_are_always_refused(iris):
    X, y = iris
    spoilt = X.copy()
    spoilt[7, 2] = np.nan
    with sklearn.config_context(assume_finite=True), Silent():
        assert np.isnan(TheirNB().fit(spoilt, y).predict_proba(X)).all()
        for call in [lambda: OurNB().fit(spoilt, y), lambda: OurNB().fit(X, y).predict(spoilt)]:
            with pytest.raises(ValueError, match="Input X contains NaN"):
                call()


def test_errors_say_where(iris):
    X, y = iris
    spoilt = X.copy()
    spoilt[7, 2] = np.nan
    words = {}
    for each in (OurLDA, TheirLDA):
        with pytest.raises(ValueError, match="Input X contains NaN") as caught:
            each().fit(spoilt, y)
        words[each] = str(caught.value)
    assert "X[7, 2]" in words[OurLDA] and "\nhint: " in words[OurLDA]
    assert "7" not in words[TheirLDA]


def test_a_batch_that_does_not_suffice_gives_no_model(iris):
    X, y = iris
    ours, theirs = (
        each().partial_fit(X[:1], y[:1], classes=[0, 1, 2]) for each in (OurNB, TheirNB)
    )
    with Silent():
        assert np.isnan(theirs.predict_joint_log_proba(X[:1])).any()
    with pytest.raises(NotFittedError, match="has not seen enough rows yet"):
        ours.predict(X[:1])


def test_batches_and_threads_leave_the_same_bits(monkeypatch):
    sample = gaussians(3, 4, rows=20_000, seed=2)
    X, y = sample.X, sample.y

    def in_batches(each):
        fitted = each(var_smoothing=0.0)
        for rows in np.array_split(np.arange(len(y)), 7):
            fitted.partial_fit(X[rows], y[rows], classes=[0, 1, 2])
        return fitted.theta_.tobytes() + fitted.var_.tobytes()

    def at_once(each):
        fitted = each(var_smoothing=0.0).fit(X, y)
        return fitted.theta_.tobytes() + fitted.var_.tobytes()

    assert in_batches(TheirNB) != at_once(TheirNB)
    posteriors = set()
    for threads in ["1", "2", "5"]:
        monkeypatch.setenv("GAUSSBAYES_NUM_THREADS", threads)
        assert in_batches(OurNB) == at_once(OurNB)
        posteriors.add(OurQDA().fit(X, y).predict_proba(X).tobytes())
    assert len(posteriors) == 1


@each_pair
def test_attributes_are_only_readings(ours, theirs, iris):
    X, y = iris
    names = ["coef_", "intercept_", "means_", "theta_", "centroids_"]
    same = {}
    for each in (ours, theirs):
        fitted = each().fit(X, y)
        before = fitted.predict(X)
        for name in names:
            if hasattr(fitted, name):
                setattr(fitted, name, np.roll(getattr(fitted, name), 1, axis=0))
        same[each] = (fitted.predict(X) == before).all()
    assert same == {ours: True, theirs: False}


def test_a_fit_that_fails_changes_nothing(iris):
    X, y = iris
    ours, theirs = (each().fit(X, y) for each in (OurQDA, TheirQDA))
    before = theirs.predict(X)
    for each in (ours, theirs):
        with pytest.raises(np.linalg.LinAlgError):
            each.fit(X[:, [0, 0]], y)
    np.testing.assert_array_equal(ours.predict(X), before)
    with pytest.raises(ValueError, match="is expecting 2 features"):
        theirs.predict(X)


@pytest.mark.parametrize("ours, theirs", PAIRS[:2], ids=lambda each: each.__name__)
def test_a_covariance_estimator_is_left_as_it_was(ours, theirs, iris):
    X, y = iris
    for each, touched in [(ours, False), (theirs, True)]:
        estimator = OAS()
        each(solver="eigen", covariance_estimator=estimator).fit(X, y)
        assert hasattr(estimator, "covariance_") == touched


def test_lsqr_does_not_claim_to_project():
    assert not hasattr(OurLDA(solver="lsqr"), "transform")
    assert hasattr(TheirLDA(solver="lsqr"), "transform")


@each_pair
def test_priors_of_zero_are_no_cause_to_warn(ours, theirs, iris, recwarn):
    X, y = iris
    priors = [0.0, 0.25, 0.75]
    np.testing.assert_array_equal(ours(priors=priors).fit(X, y).predict_proba(X)[:, 0], 0.0)
    assert not recwarn
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        theirs(priors=priors).fit(X, y).predict_proba(X)


@each_pair
def test_the_array_api_is_not_supported(ours, theirs):
    assert not ours().__sklearn_tags__().array_api_support
    assert theirs().__sklearn_tags__().array_api_support == (theirs in (TheirLDA, TheirNB))


@each_pair
def test_ours_are_no_subclasses(ours, theirs):
    assert not issubclass(ours, theirs)
    assert ours.__name__ == theirs.__name__
