"""Holds what BayesianGaussianMixture has beside scikit-learn's interface."""

import pickle

import numpy as np
import pyarrow as pa
import pytest
from sklearn.base import clone
from tolerances import Silent

import gaussbayes as gb

TYPES = ["full", "tied", "diag", "spherical"]


@pytest.fixture(scope="module")
def X() -> np.ndarray:
    return gb.datasets.load_faithful().data


def fitted(X, **parameters):
    parameters = {"n_components": 3, "random_state": 0, "max_iter": 50} | parameters
    with Silent():
        return gb.BayesianGaussianMixture(**parameters).fit(X)


@pytest.mark.parametrize("prior", ["dirichlet_process", "dirichlet_distribution"])
@pytest.mark.parametrize("kind", TYPES)
def test_it_comes_back_from_a_file_and_from_a_pickle(X, kind, prior, tmp_path):
    mixture = fitted(X, covariance_type=kind, weight_concentration_prior_type=prior)
    gb.save(mixture, tmp_path / "model.json")
    for other in (gb.load(tmp_path / "model.json"), pickle.loads(pickle.dumps(mixture))):
        assert isinstance(other, gb.BayesianGaussianMixture)
        np.testing.assert_array_equal(other.predict_proba(X), mixture.predict_proba(X))
        np.testing.assert_array_equal(other.score_samples(X), mixture.score_samples(X))
        assert other.lower_bound_ == mixture.lower_bound_
        assert other.evidence_bound_ == mixture.evidence_bound_
        assert type(other.weight_concentration_) is type(mixture.weight_concentration_)
        # It goes on where it was.
        ended = [
            each.set_params(warm_start=True, max_iter=3, tol=0.0)
            for each in (other, clone_of(mixture))
        ]
        with Silent():
            ended = [each.fit(X) for each in ended]
        np.testing.assert_array_equal(ended[0].means_, ended[1].means_)
        assert ended[0].lower_bounds_ == ended[1].lower_bounds_


def clone_of(mixture):
    other = clone(mixture)
    other.__dict__.update(mixture.__dict__)
    return other


def test_a_stream_is_an_array(X):
    table = pa.table({"eruptions": X[:, 0], "waiting": X[:, 1]})
    one, other = fitted(X), fitted(table)
    np.testing.assert_array_equal(one.means_, other.means_)
    assert one.lower_bounds_ == other.lower_bounds_
    assert list(other.feature_names_in_) == ["eruptions", "waiting"]


def test_the_bound_of_the_evidence_tells_how_many_components_there_are():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(60, 2)) + [0.0, 6.0 * k] for k in (0, 1)])
    X = np.concatenate([X, rng.normal(size=(60, 2)) + [8.0, -5.0]])
    bounds = [
        fitted(
            X,
            n_components=k,
            weight_concentration_prior_type="dirichlet_distribution",
            weight_concentration_prior=1.0,
            max_iter=500,
            n_init=3,
        ).evidence_bound_
        # Of one order of the components among all that are as good.
        + sum(np.log(range(1, k + 1)))
        for k in range(1, 6)
    ]
    assert np.argmax(bounds) == 2, bounds


def test_a_singular_prior_has_no_evidence(X):
    constant = np.column_stack([X, np.full(len(X), 3.0)])
    assert fitted(constant).evidence_bound_ is None
    assert np.isfinite(fitted(constant).lower_bound_)


def test_other_stop_rules_end_it(X):
    for stop in ["loglik", "relative", "aitken", "parameters"]:
        mixture = fitted(X, n_components=2, stop=stop, tol=1e-8, max_iter=5000)
        assert mixture.converged_ and 2 < mixture.n_iter_ < 5000


def test_the_trajectory_ends_at_the_fit(X):
    mixture = fitted(X, trajectory=True, max_iter=7, tol=0.0)
    assert len(mixture.trajectory_) == 8
    np.testing.assert_array_equal(mixture.trajectory_[-1]["means"], mixture.means_)
    assert not hasattr(fitted(X), "trajectory_")


def test_a_warm_start_without_iterations_stays(X):
    mixture = fitted(X, warm_start=True)
    names = ("means_", "mean_precision_", "degrees_of_freedom_", "weight_concentration_")
    kept = {name: np.copy(getattr(mixture, name)) for name in names}
    with Silent():
        mixture.set_params(max_iter=0).fit(X)
    for name, value in kept.items():
        np.testing.assert_array_equal(getattr(mixture, name), value)


def test_a_fit_that_fails_changes_nothing(X):
    mixture = fitted(X)
    before = dict(vars(mixture))
    with pytest.raises(ValueError):
        mixture.set_params(mean_prior=[1.0]).fit(X)
    assert all(
        vars(mixture)[name] is value for name, value in before.items() if name != "mean_prior"
    )
