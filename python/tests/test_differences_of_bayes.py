"""Shows where BayesianGaussianMixture is not that of scikit-learn 1.9.1, and where it stays."""

import io
import sys

import numpy as np
import pytest
from samples import gaussians
from scipy import sparse
from sklearn.mixture import BayesianGaussianMixture as TheirMixture
from tolerances import Silent

from gaussbayes import BayesianGaussianMixture as OurMixture

BOTH = [OurMixture, TheirMixture]


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    return gaussians(3, 2, rows=300, seed=1).X


@pytest.mark.parametrize("start", ["k-means++", "random_from_data"])
def test_starts_of_bayes_from_rows_have_the_rows_around(rows, start):
    ours, theirs = (
        each(n_components=3, init_params=start, max_iter=0, random_state=0).fit(rows)
        for each in BOTH
    )
    # Theirs starts every component from one row.
    np.testing.assert_allclose(theirs.mean_precision_, 2.0)
    assert ours.mean_precision_.sum() == pytest.approx(303.0)


@pytest.mark.parametrize("kind", ["tied", "diag", "spherical"])
def test_bayes_far_from_zero(rows, kind):
    def fitted(estimator, X):
        mixture = estimator(n_components=2, covariance_type=kind, random_state=0, reg_covar=0.0)
        with Silent():
            return mixture.fit(X)

    exact = np.round(rows * 64) / 64
    near, far = (fitted(OurMixture, exact + offset) for offset in (0.0, 2.0**30))
    np.testing.assert_allclose(far.covariances_, near.covariances_, rtol=1e-6)
    np.testing.assert_allclose(far.lower_bound_, near.lower_bound_, rtol=1e-6)
    try:
        wrong = fitted(TheirMixture, exact + 2.0**30).covariances_
        assert np.abs(wrong - near.covariances_).max() > 0.5
    except ValueError as error:
        assert "ill-defined" in str(error)


def test_single_precision_rows_of_bayes_are_summed_up_in_double(rows):
    X = (rows + 3000.0).astype(np.float32)
    exact = OurMixture(covariance_type="diag").fit(X.astype(np.float64)).covariances_
    ours, theirs = (each(covariance_type="diag").fit(X).covariances_ for each in BOTH)
    np.testing.assert_allclose(ours, exact, rtol=1e-6)
    assert np.abs(theirs / exact - 1).max() > 1e-4


def test_bayes_takes_weights(rows):
    weights = np.arange(len(rows)) % 2
    with pytest.raises(TypeError):
        TheirMixture().fit(rows, sample_weight=weights)
    ours = OurMixture().fit(rows, sample_weight=weights)
    theirs = TheirMixture().fit(rows[1::2])
    for name in ["means_", "covariances_", "lower_bound_", "covariance_prior_", "mean_prior_"]:
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-9)


def test_a_warm_start_of_bayes_says_why_it_refuses_more_components(rows):
    with Silent():
        fitted = [each(n_components=2, warm_start=True, random_state=0).fit(rows) for each in BOTH]
        with pytest.raises(IndexError):
            fitted[1].set_params(n_components=3).fit(rows)
    with pytest.raises(ValueError, match="2 components"):
        fitted[0].set_params(n_components=3).fit(rows)


def test_bayes_refuses_more_components_than_different_rows():
    X = np.repeat([[0.0, 0.0], [1.0, 2.0]], 5, axis=0)
    with pytest.raises(ValueError, match="2 are different"):
        OurMixture(n_components=3).fit(X)
    with Silent():
        assert TheirMixture(n_components=3, random_state=0).fit(X).weights_.shape == (3,)


def test_a_spherical_prior_of_bayes_is_one_number(rows):
    parameters = {"covariance_type": "spherical", "covariance_prior": [2.0]}
    with Silent():
        assert TheirMixture(**parameters).fit(rows).covariance_prior_ == [2.0]
    with pytest.raises(ValueError, match="spherical covariance_prior"):
        OurMixture(**parameters).fit(rows)


def test_interrupted_bayes_is_fitted_with_the_best_until_then(rows, monkeypatch):
    class Stopping(io.StringIO):
        def write(self, text: str) -> int:
            if "Iteration 3" in text:
                raise KeyboardInterrupt
            return len(text)

    interrupted = []
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", Stopping())
        for each in BOTH:
            mixture = each(n_components=2, tol=0.0, verbose=1, verbose_interval=1, random_state=0)
            with Silent(), pytest.raises(KeyboardInterrupt):
                mixture.fit(rows)
            interrupted.append(mixture)
    ours, theirs = interrupted
    assert ours.n_iter_ == 3 and ours.degrees_of_freedom_.shape == (2,)
    assert not hasattr(theirs, "n_iter_")


def test_the_bound_of_tied_bayes_is_a_number(rows):
    ours, theirs = (each(covariance_type="tied").fit(rows).lower_bound_ for each in BOTH)
    assert isinstance(ours, float) and theirs.shape == (1,)


def test_priors_of_bayes_are_in_double_precision(rows):
    ours, theirs = (each(covariance_type="diag").fit(rows.astype(np.float32)) for each in BOTH)
    for name, single in [("mean_prior_", True), ("covariance_prior_", True), ("means_", False)]:
        assert getattr(ours, name).dtype == np.float64
        assert (getattr(theirs, name).dtype == np.float32) is single


def test_the_bound_of_bayes_is_of_all_rows_and_lacks_its_constants(rows):
    for each in BOTH:
        one, two = (each().fit(X).lower_bound_ for X in (rows, np.concatenate([rows, rows])))
        assert two < 1.9 * one < 0 or two > 1.9 * one > 0
    # That of ours with them is ln p(rows) where there is one component of certain weight.
    ours = OurMixture(weight_concentration_prior_type="dirichlet_distribution", reg_covar=0.0).fit(
        rows
    )
    assert ours.evidence_bound_ < ours.score(rows) * len(rows) + 1.0
    assert abs(ours.evidence_bound_ / (ours.score(rows) * len(rows)) - 1.0) < 0.05
    assert abs(ours.evidence_bound_ - ours.lower_bound_) > 100.0


def test_scores_of_bayes_are_no_densities(rows):
    grid = np.linspace(-40.0, 40.0, 801)
    square = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2) + rows.mean(axis=0)
    for each in BOTH:
        mixture = each().fit(rows[:12])
        mass = np.exp(mixture.score_samples(square)).sum() * 0.01
        assert mass < 0.95


def test_tied_degrees_of_freedom_of_bayes_are_shared_out(rows):
    for each in BOTH:
        with Silent():
            mixture = each(n_components=3, covariance_type="tied", random_state=0).fit(rows)
        assert mixture.degrees_of_freedom_ == pytest.approx(2 + len(rows) / 3)


def test_bayes_refuses_sparse_rows(rows):
    for each in BOTH:
        with pytest.raises(TypeError, match="Sparse data was passed"):
            each().fit(sparse.csr_array(rows))
