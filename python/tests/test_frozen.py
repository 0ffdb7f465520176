"""Keeps given means and covariances while a mixture is fitted."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from gaussbayes import GaussianMixture, datasets, load, save

X = datasets.load_faithful().data
MEANS = np.array([[2.0, 55.0], [4.3, 80.0]])
PRECISIONS = np.stack([np.diag([10.0, 0.03])] * 2)


def fitted(**more: object) -> GaussianMixture:
    """Return a mixture from given parameters."""
    given = {"weights_init": [0.5, 0.5], "means_init": MEANS, "precisions_init": PRECISIONS}
    return GaussianMixture(2, tol=1e-8, reg_covar=0.0, **{**given, **more}).fit(X)


def test_what_is_frozen_stays_and_the_rest_is_fitted() -> None:
    free = fitted()
    assert not np.allclose(free.means_, MEANS)
    means = fitted(frozen="means")
    np.testing.assert_allclose(means.means_, MEANS, rtol=1e-15)
    assert means.score(X) < free.score(X)
    # The covariance is the mean square about the mean that is given.
    share = means.predict_proba(X)[:, :1]
    off = X - MEANS[0]
    about = (share * off).T @ off / share.sum()
    np.testing.assert_allclose(means.covariances_[0], about, rtol=1e-4)
    both = fitted(frozen="both")
    np.testing.assert_allclose(both.precisions_, PRECISIONS, atol=1e-13)
    np.testing.assert_allclose(both.means_, MEANS, rtol=1e-15)
    assert both.weights_[0] == pytest.approx(both.predict_proba(X)[:, 0].mean(), abs=1e-6)
    assert free.bic(X) < both.bic(X)


def test_some_components_are_frozen() -> None:
    some = fitted(frozen={"means": [1], "covariances": [0]})
    assert not np.allclose(some.means_[0], MEANS[0])
    np.testing.assert_allclose(some.means_[1], MEANS[1], rtol=1e-15)
    np.testing.assert_allclose(some.precisions_[0], PRECISIONS[0], atol=1e-13)
    assert not np.allclose(some.precisions_[1], PRECISIONS[1])
    flags = fitted(frozen={"means": [False, True], "covariances": np.array([True, False])})
    np.testing.assert_array_equal(flags.means_, some.means_)


@pytest.mark.parametrize(
    ("more", "free"),
    [
        ({}, 11),
        ({"frozen": "means"}, 7),
        ({"frozen": "covariances"}, 5),
        ({"frozen": "both"}, 1),
        ({"frozen": {"means": [1], "covariances": [0]}}, 6),
        ({"frozen": "covariances", "covariance_type": "tied", "precisions_init": PRECISIONS[0]}, 5),
    ],
)
def test_criteria_count_what_was_not_frozen(
    more: dict[str, object], free: int, tmp_path: Path
) -> None:
    mixture = fitted(**more)
    deviance = -2 * mixture.score_samples(X).sum()
    bic, aic = deviance + free * np.log(len(X)), deviance + 2 * free
    np.testing.assert_allclose([mixture.bic(X), mixture.aic(X)], [bic, aic], rtol=1e-12)
    save(mixture, tmp_path / "mixture.json")
    for again in (load(tmp_path / "mixture.json"), pickle.loads(pickle.dumps(mixture))):
        assert again.bic(X) == mixture.bic(X)
    # What counts is what the fit did, not what is asked for next.
    mixture.set_params(frozen=None)
    np.testing.assert_allclose(mixture.bic(X), bic, rtol=1e-12)


def test_part_of_what_was_frozen_is_not_counted_either() -> None:
    margin = fitted(frozen="means").marginal([1])
    bic = -2 * margin.score_samples(X[:, [1]]).sum() + 3 * np.log(len(X))
    np.testing.assert_allclose(margin.bic(X[:, [1]]), bic, rtol=1e-12)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"frozen": "means", "means_init": None}, "means_init gives them"),
        ({"frozen": {"means": [2]}}, "there is no component 2 of 2"),
        ({"frozen": {"means": [True]}}, "1 flags for 2 components"),
        ({"frozen": {"weights": True}}, "not 'weights'"),
        ({"frozen": {"covariances": [0]}, "covariance_type": "VEV"}, "only some stay"),
    ],
)
def test_what_cannot_be_frozen_is_said(more: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        fitted(**more)
