"""Fits mixtures beside outliers: noise, Student components, and what is kept of them."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path

import numpy as np
import pytest
from gaussbayes import GaussianMixture, MixtureSearch, load, save
from numpy.testing import assert_allclose, assert_array_equal

CENTRES = np.array([[0.0, 0.0], [8.0, 2.0], [3.0, 9.0]])


@pytest.fixture(scope="module")
def dirty() -> np.ndarray:
    """Three clusters of deviation one, and one row in twenty anywhere."""
    rng = np.random.default_rng(4)
    rows = CENTRES[np.arange(600) % 3] + rng.normal(size=(600, 2))
    return np.vstack([rows, rng.uniform(-45, 55, size=(30, 2))])


def _moved(X: np.ndarray, means: np.ndarray) -> float:
    """How far means are from those of the clusters' own rows, at most."""
    own = [X[:600][k::3].mean(axis=0) for k in range(3)]
    return max(np.linalg.norm(means - mean, axis=1).min() for mean in own)


def _fit(X: np.ndarray, outliers: str | float | None) -> GaussianMixture:
    mixture = GaussianMixture(3, outliers=outliers, tol=1e-6, max_iter=2000, random_state=0)
    return mixture.fit(X)


def test_outliers_spoil_plain_means_and_no_others(dirty: np.ndarray) -> None:
    assert _moved(dirty, _fit(dirty, None).means_) > 1.0
    # A mean of 200 rows has a standard error of 0.07, and one in heavy tails is not that of the rows.
    for outliers, most in (("noise", 0.05), ("student-common", 0.2), (3.0, 0.2)):
        assert _moved(dirty, _fit(dirty, outliers).means_) < most, outliers


def test_noise_is_minus_one_and_has_the_last_column(dirty: np.ndarray) -> None:
    mixture = _fit(dirty, "noise")
    labels = mixture.predict(dirty)
    assert (labels[600:] == -1).mean() > 0.9 and (labels[:600] == -1).mean() < 0.02
    assert set(labels) == {-1, 0, 1, 2}
    shares = mixture.predict_proba(dirty)
    assert shares.shape == (630, 4)
    assert_allclose(shares.sum(axis=1), 1.0, rtol=1e-12)
    assert_array_equal(np.where(labels < 0, 3, labels), shares.argmax(axis=1))
    assert_allclose(mixture.weights_.sum() + mixture.noise_share_, 1.0, rtol=1e-12)
    assert 0.03 < mixture.noise_share_ < 0.07
    # mclust's box: the smaller of that along the columns and that along the principal axes.
    assert mixture.noise_volume_ <= np.prod(np.ptp(dirty, axis=0)) * (1 + 1e-12)
    assert not hasattr(mixture, "degrees_of_freedom_")
    assert_array_equal(_fit(dirty, "noise").fit_predict(dirty), labels)


def test_densities_are_those_of_scipy(dirty: np.ndarray) -> None:
    stats = pytest.importorskip("scipy.stats")
    noisy, tailed = _fit(dirty, "noise"), _fit(dirty, "student")
    parts = zip(noisy.weights_, noisy.means_, noisy.covariances_, strict=True)
    density = sum(w * stats.multivariate_normal(m, c).pdf(dirty) for w, m, c in parts)
    density += noisy.noise_share_ / noisy.noise_volume_
    assert_allclose(noisy.score_samples(dirty), np.log(density), rtol=1e-10)
    assert tailed.degrees_of_freedom_.shape == (3,) and not hasattr(tailed, "noise_share_")
    parts = zip(
        tailed.weights_,
        tailed.means_,
        tailed.covariances_,
        tailed.degrees_of_freedom_,
        strict=True,
    )
    density = sum(w * stats.multivariate_t(m, c, df=nu).pdf(dirty) for w, m, c, nu in parts)
    assert_allclose(tailed.score_samples(dirty), np.log(density), rtol=1e-10)


@pytest.mark.parametrize(
    ("outliers", "more"), [(None, 0), ("noise", 2), ("student", 3), ("student-common", 1), (4, 0)]
)
def test_criteria_count_what_was_estimated(
    dirty: np.ndarray, outliers: str | float | None, more: int
) -> None:
    mixture = _fit(dirty, outliers)
    plain = 3 * 2 + 3 * 3 + 2
    bic = -2 * mixture.score_samples(dirty).sum() + (plain + more) * np.log(len(dirty))
    assert_allclose(mixture.bic(dirty), bic, rtol=1e-12)
    mixture.set_params(outliers=None)
    assert_allclose(mixture.bic(dirty), bic, rtol=1e-12)


@pytest.mark.parametrize("outliers", ["noise", "student"])
def test_what_is_kept_is_the_same(dirty: np.ndarray, outliers: str, tmp_path: Path) -> None:
    mixture = _fit(dirty, outliers)
    save(mixture, tmp_path / "mixture.json")
    for again in (load(tmp_path / "mixture.json"), pickle.loads(pickle.dumps(mixture))):
        assert_array_equal(again.predict_proba(dirty), mixture.predict_proba(dirty))
        assert again.bic(dirty) == mixture.bic(dirty)
        assert again.outliers == outliers
    rows, labels = mixture.sample(2000)
    assert rows.shape == (2000, 2)
    assert (-1 in labels) == (outliers == "noise")
    if outliers == "noise":
        assert abs((labels == -1).mean() - mixture.noise_share_) < 0.03


def test_starts_that_are_given_begin_with_some_noise(dirty: np.ndarray) -> None:
    given = {
        "weights_init": np.full(3, 1 / 3),
        "means_init": CENTRES,
        "precisions_init": np.stack([np.eye(2)] * 3),
    }
    mixture = GaussianMixture(3, outliers="noise", tol=1e-9, max_iter=1000, **given).fit(dirty)
    assert_allclose(mixture.lower_bound_, _fit(dirty, "noise").lower_bound_, atol=1e-5)
    plain = GaussianMixture(3, warm_start=True, max_iter=5, **given)
    with pytest.warns(UserWarning):
        plain.fit(dirty)
    plain.set_params(outliers="noise", max_iter=1000).fit(dirty)
    assert 0.03 < plain.noise_share_ < 0.07


def test_what_is_not_given_comes_from_a_start_beside_noise(dirty: np.ndarray) -> None:
    best = _fit(dirty, "noise").lower_bound_
    for given in (
        {"means_init": CENTRES},
        {"precisions_init": np.stack([np.eye(2)] * 3)},
        {"weights_init": np.full(3, 1 / 3)},
    ):
        mixture = GaussianMixture(3, outliers="noise", tol=1e-9, max_iter=1000, **given).fit(dirty)
        assert_allclose(mixture.lower_bound_, best, atol=1e-5)
        assert_allclose(mixture.weights_.sum() + mixture.noise_share_, 1.0, rtol=1e-12)


def test_tails_that_say_nothing_are_told(dirty: np.ndarray) -> None:
    with pytest.warns(UserWarning, match=r"components \[0, 1, 2\] have as good as no tails"):
        _fit(dirty, 200.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _fit(dirty, 90.0)


def test_a_search_compares_mixtures_of_one_kind(dirty: np.ndarray) -> None:
    found = {}
    for outliers in (None, "noise", "student"):
        search = MixtureSearch([3], ["EEE"], outliers=outliers, random_state=0).fit(dirty)
        found[outliers] = search.bic(dirty)
        assert_allclose(found[outliers], search.table_[0]["bic"], rtol=1e-12)
        assert search.best_estimator_.outliers == outliers
    assert min(found, key=lambda outliers: found[outliers]) == "noise"
    assert found[None] > found["student"]


def test_what_has_no_answer_is_refused(dirty: np.ndarray) -> None:
    mixture = _fit(dirty, "noise")
    with pytest.raises(ValueError, match="noise is no Gaussian"):
        mixture.classifier()
    with pytest.raises(ValueError, match="conditional mixtures of a mixture with noise"):
        mixture.conditional({0: 1.0})
    with pytest.raises(ValueError, match="'x1' is constant: noise has no room there"):
        GaussianMixture(2, outliers="noise").fit(np.column_stack([np.arange(9.0), np.ones(9)]))
    for wrong in ("dust", 0.5, 2000.0):
        with pytest.raises(ValueError, match="outliers"):
            GaussianMixture(2, outliers=wrong).fit(dirty)
    margin = _fit(dirty, "student").marginal([1])
    assert margin.degrees_of_freedom_.shape == (3,)
