"""Shows both sides of where GaussianMixture is not that of scikit-learn 1.9.1, and where it stays."""

import io
import sys

import numpy as np
import pytest
from samples import gaussians
from scipy import sparse
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture as TheirMixture
from tolerances import Silent

from gaussbayes import GaussianMixture as OurMixture

BOTH = [OurMixture, TheirMixture]


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    return gaussians(3, 2, rows=300, seed=1).X


def given(X: np.ndarray, count: int = 2) -> dict[str, np.ndarray]:
    precision = np.linalg.inv(np.atleast_2d(np.cov(X.T)))
    return {
        "weights_init": np.full(count, 1.0 / count),
        "means_init": X[:count].copy(),
        "precisions_init": np.stack([precision] * count),
    }


def test_starts_of_mixtures_do_not_depend_on_units():
    rng = np.random.default_rng(0)
    codes = np.repeat([0, 1], 200)
    X = np.stack([codes * 10 + rng.normal(size=400), 1e3 * rng.normal(size=400)], axis=1)
    agreements = [
        adjusted_rand_score(codes, each(2, max_iter=0, random_state=0).fit_predict(X))
        for each in BOTH
    ]
    assert agreements[0] == 1.0
    assert agreements[1] < 0.2


@pytest.mark.parametrize("start", ["k-means++", "random_from_data"])
def test_starts_from_rows_have_the_spread_of_the_rows_around(rows, start):
    ours, theirs = (
        each(3, init_params=start, max_iter=0, random_state=0).fit(rows) for each in BOTH
    )
    # Theirs starts every component from one row.
    np.testing.assert_allclose(theirs.covariances_, np.stack([1e-6 * np.eye(2)] * 3), atol=1e-9)
    assert ours.covariances_.trace(axis1=1, axis2=2).min() > 0.1
    assert ours.weights_.sum() == pytest.approx(1.0)
    assert theirs.weights_.sum() == pytest.approx(0.01)


@pytest.mark.parametrize("kind", ["tied", "diag", "spherical"])
def test_mixtures_far_from_zero(rows, kind):
    def fitted(estimator, X):
        with Silent():
            return estimator(2, covariance_type=kind, random_state=0, means_init=X[:2]).fit(X)

    exact = np.round(rows * 64) / 64
    near, far = (fitted(OurMixture, exact + offset) for offset in (0.0, 2.0**30))
    np.testing.assert_allclose(far.covariances_, near.covariances_, rtol=1e-6)
    try:
        wrong = fitted(TheirMixture, exact + 2.0**30).covariances_
        assert np.abs(wrong - near.covariances_).max() > 0.5
    except ValueError as error:
        assert "ill-defined" in str(error)


def test_single_precision_rows_of_mixtures_are_summed_up_in_double(rows):
    X = (rows + 3000.0).astype(np.float32)
    ours = OurMixture(1, covariance_type="diag").fit(X)
    exact = X.astype(np.float64).var(axis=0) + 1e-6
    np.testing.assert_allclose(ours.covariances_[0], exact, rtol=1e-6)
    theirs = TheirMixture(1, covariance_type="diag").fit(X)
    assert np.abs(theirs.covariances_[0] / exact - 1).max() > 1e-3


def test_a_component_without_rows_is_refused(rows):
    start = given(rows)
    start["means_init"][1] += 1e4
    theirs = TheirMixture(2, **start).fit(rows)
    np.testing.assert_allclose(theirs.covariances_[1], 1e-6 * np.eye(2), atol=1e-9)
    with pytest.raises(ValueError, match="component 2 has no weight"):
        OurMixture(2, **start).fit(rows)
    with Silent():
        assert len(OurMixture(2, on_empty="drop", **start).fit(rows).weights_) == 1


def test_mixtures_take_weights(rows):
    weights = np.arange(len(rows)) % 2
    with pytest.raises(TypeError):
        TheirMixture(2).fit(rows, sample_weight=weights)
    ours = OurMixture(2, **given(rows)).fit(rows, sample_weight=weights)
    theirs = TheirMixture(2, **given(rows)).fit(rows[1::2])
    np.testing.assert_allclose(ours.means_, theirs.means_, rtol=1e-9)


def test_precisions_may_be_given_without_iterations(rows):
    with pytest.raises(AttributeError, match="covariances_"):
        TheirMixture(2, max_iter=0, **given(rows)).fit(rows)
    ours = OurMixture(2, max_iter=0, **given(rows)).fit(rows)
    np.testing.assert_allclose(ours.covariances_[0], np.cov(rows.T), rtol=1e-12)


def test_given_starts_are_left_as_they_were(rows):
    start = {name: value.tolist() for name, value in given(rows).items()}
    ours, theirs = (each(2, **start).fit(rows) for each in BOTH)
    assert isinstance(theirs.means_init, np.ndarray)
    assert ours.means_init is start["means_init"]


def test_a_warm_start_refuses_another_number_of_components(rows):
    fitted = [each(2, warm_start=True, random_state=0).fit(rows) for each in BOTH]
    assert fitted[1].set_params(n_components=3).fit(rows).means_.shape == (2, 2)
    with pytest.raises(ValueError, match="2 components"):
        fitted[0].set_params(n_components=3).fit(rows)


def test_an_interrupted_mixture_is_fitted_with_the_best_until_then(rows, monkeypatch):
    class Stopping(io.StringIO):
        def write(self, text: str) -> int:
            if "Iteration 3" in text:
                raise KeyboardInterrupt
            return len(text)

    interrupted = []
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", Stopping())
        for each in BOTH:
            mixture = each(2, tol=0.0, verbose=1, verbose_interval=1, **given(rows))
            with Silent(), pytest.raises(KeyboardInterrupt):
                mixture.fit(rows)
            interrupted.append(mixture)
    ours, theirs = interrupted
    assert ours.n_iter_ == 3 and ours.precisions_.shape == (2, 2, 2)
    assert not hasattr(theirs, "n_iter_")


def test_the_lower_bound_is_that_before_the_last_iteration(rows):
    for each in BOTH:
        with Silent():
            mixture = each(3, max_iter=3, tol=0.0, **given(rows, 3)).fit(rows)
        assert mixture.score(rows) > mixture.lower_bound_ + 1e-6


def test_the_default_tolerance_stops_far_from_the_maximum():
    rng = np.random.default_rng(2)
    X = np.concatenate([rng.normal(size=(100, 1)), 2.0 + rng.normal(size=(300, 1))])
    for each in BOTH:
        start = given(X)
        early = each(2, **start).fit(X)
        with Silent():
            late = each(2, tol=1e-9, max_iter=10000, **start).fit(X)
        assert early.converged_ and np.abs(early.weights_ - late.weights_).max() > 0.1


def test_reg_covar_depends_on_units(rows):
    for each in BOTH:
        small = each(1).fit(rows * 1e-3).covariances_[0] * 1e6
        plain = each(1).fit(rows).covariances_[0]
        assert np.diag(small - plain).min() > 0.5


def test_mixtures_refuse_sparse_rows(rows):
    for each in BOTH:
        with pytest.raises(TypeError, match="Sparse data was passed"):
            each(1).fit(sparse.csr_array(rows))


def test_more_components_than_different_rows_are_refused():
    X = np.repeat([[0.0, 0.0], [1.0, 2.0]], 5, axis=0)
    with pytest.raises(ValueError, match="2 are different"):
        OurMixture(3).fit(X)
    with Silent():
        assert TheirMixture(3, random_state=0).fit(X).weights_.min() < 1e-9


def test_a_component_that_starts_with_no_weight_has_no_rows(rows):
    start = given(rows, 3) | {"weights_init": np.array([0.5, 0.5, 0.0])}
    with Silent():
        assert TheirMixture(3, max_iter=2, **start).fit(rows).weights_[2] < 1e-9
    with pytest.raises(ValueError):
        OurMixture(3, max_iter=2, **start).fit(rows)
    with Silent():
        assert len(OurMixture(3, max_iter=2, on_empty="drop", **start).fit(rows).weights_) == 2


def test_a_ridge_beyond_all_rows_is_refused(rows):
    with Silent():
        theirs = TheirMixture(2, random_state=0).fit(1e-160 * rows)
    np.testing.assert_allclose(theirs.covariances_, np.stack([1e-6 * np.eye(2)] * 2), atol=1e-300)
    with pytest.raises(ValueError, match="out of range"):
        OurMixture(2, random_state=0).fit(1e-160 * rows)
