"""Joins components, bootstraps and asks for the influence of rows, each held to its definition."""

import numpy as np
import pytest
from gaussbayes import GaussianMixture, datasets

IRIS = datasets.load_iris().data
FAITHFUL = datasets.load_faithful().data


def fitted(X: np.ndarray, k: int, **options: object) -> GaussianMixture:
    """Return a mixture at its end."""
    return GaussianMixture(
        k, tol=1e-9, max_iter=5000, init_params="hierarchical", reg_covar=0.0, **options
    ).fit(X)


def entropy(shares: np.ndarray) -> float:
    """Return the entropy of memberships."""
    positive = shares[shares > 0]
    return float(-(positive * np.log(positive)).sum())


def test_joined_components_are_sums_of_memberships() -> None:
    mixture = fitted(IRIS, 5)
    shares = mixture.predict_proba(IRIS)
    found = mixture.combine(IRIS, 3)
    joined = np.stack([shares[:, found.owner_ == c].sum(axis=1) for c in range(3)], axis=1)
    assert (found.labels == joined.argmax(axis=1)).all()
    assert np.isclose(found.entropies[2], entropy(joined))
    assert np.isclose(found.entropies[4], entropy(shares))
    assert found.entropies[0] == 0.0
    first = tuple(found.order[0])
    for a in range(5):
        for b in range(a):
            others = [c for c in range(5) if c not in (a, b)]
            tried = np.column_stack([shares[:, others], shares[:, a] + shares[:, b]])
            assert entropy(tried) >= found.entropies[3] - 1e-12, (a, b, first)
    assert mixture.combine(IRIS).n_clusters in range(2, 5)
    weighted = mixture.combine(IRIS, 3, sample_weight=np.full(150, 2.0))
    assert np.allclose(weighted.entropies, 2 * found.entropies)
    for wrong in (0, 6, "all", 2.5):
        with pytest.raises(ValueError, match="n_clusters is"):
            mixture.combine(IRIS, wrong)


def test_the_bootstrap_knows_how_sure_the_parameters_are() -> None:
    mixture = fitted(FAITHFUL, 2)
    found = mixture.bootstrap(FAITHFUL, 300, random_state=1)
    assert (found.n_kept, found.n_collapsed, found.n_refused) == (300, 0, 0)
    errors = found.standard_errors
    assert errors["means"].shape == (2, 2) and errors["covariances"].shape == (2, 2, 2)
    counts = mixture.weights_ * len(FAITHFUL)
    naive = np.sqrt(np.array([np.diag(c) for c in mixture.covariances_]) / counts[:, None])
    assert np.allclose(errors["means"], naive, rtol=0.35)
    assert (found.low["means"] < mixture.means_).all()
    assert (found.high["means"] > mixture.means_).all()
    again = mixture.bootstrap(FAITHFUL, 300, random_state=1)
    assert (again.standard_errors["weights"] == errors["weights"]).all()
    # A loose tolerance ends no replicate where it starts.
    loose = mixture.set_params(tol=1e-1, max_iter=1).bootstrap(FAITHFUL, 300, random_state=1)
    assert np.allclose(loose.standard_errors["means"], errors["means"], rtol=1e-2)
    with pytest.raises(ValueError, match="n_replicates is 1"):
        mixture.bootstrap(FAITHFUL, 1)
    with pytest.raises(ValueError, match="level is 2"):
        mixture.bootstrap(FAITHFUL, 10, level=2)


def shifts(before: GaussianMixture, after: GaussianMixture, k: int) -> tuple[float, float]:
    """Return how far a component moved."""
    root = np.linalg.cholesky(before.covariances_[k])
    mean = np.linalg.solve(root, after.means_[k] - before.means_[k])
    change = np.linalg.solve(root, after.covariances_[k] - before.covariances_[k])
    return np.linalg.norm(mean), np.linalg.norm(np.linalg.solve(root, change.T))


def test_influence_is_that_of_a_refit() -> None:
    rows = IRIS.copy()
    rows[41] = [8.0, 2.0, 1.0, 2.0]
    mixture = fitted(rows, 2)
    found = mixture.influence(rows)
    assert found.mean.shape == found.covariance.shape == found.component.shape == (150,)
    assert found.covariance.argmax() == 41
    start = {
        "weights_init": mixture.weights_,
        "means_init": mixture.means_,
        "precisions_init": mixture.precisions_,
    }
    step = GaussianMixture(2, tol=0, max_iter=1, reg_covar=0.0, **start)
    rest = np.delete(rows, 41, axis=0)
    with pytest.warns(UserWarning):
        without = step.fit(rest)
    k = found.component[41]
    assert np.allclose(
        shifts(mixture, without, k), (found.mean[41], found.covariance[41]), rtol=1e-3
    )
    none = mixture.influence(rows, sample_weight=np.r_[0.0, np.ones(149)])
    assert none.mean[0] == none.covariance[0] == 0.0


def test_a_row_that_lies_elsewhere_moves_its_component() -> None:
    mixture = fitted(FAITHFUL, 2)
    here = mixture.displace(FAITHFUL, 3, FAITHFUL[3])
    assert (here.mean == 0).all() and (here.covariance == 0).all()
    places = [[2.0, 60.0], [9.0, 60.0]]
    curve = mixture.displace(FAITHFUL, 3, places)
    assert curve.mean.shape == (2, 2)
    one = mixture.displace(FAITHFUL, 3, places[1])
    assert np.allclose(one.mean, curve.mean[1], rtol=1e-6)
    assert curve.covariance[1].max() > 10 * curve.covariance[0].max()
    moved = FAITHFUL.copy()
    moved[3] = places[1]
    refit = GaussianMixture(
        2,
        tol=1e-13,
        max_iter=5000,
        reg_covar=0.0,
        weights_init=mixture.weights_,
        means_init=mixture.means_,
        precisions_init=mixture.precisions_,
    ).fit(moved)
    for k in range(2):
        expected = shifts(mixture, refit, k)
        assert np.allclose((one.mean[k], one.covariance[k]), expected, rtol=1e-2, atol=1e-4)
    with pytest.raises(ValueError, match="row is -1"):
        mixture.displace(FAITHFUL, -1, places[0])
    with pytest.raises(ValueError, match="rows: 272 values where 273 are needed"):
        mixture.displace(FAITHFUL, 272, places[0])
    with pytest.raises(ValueError, match="columns of a row"):
        mixture.displace(FAITHFUL, 0, [1.0])
