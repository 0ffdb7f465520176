"""Fits Gaussian mixtures: weights, families, starts, stop rules, and what is kept of them."""

import io
import os
import pickle
import signal
import sys
import threading
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.stats
from bits import fitted_state, is_same
from samples import OnlyAStream, gaussians
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score
from tolerances import Silent

import gaussbayes as gb

FAMILIES = ["EII", "VII", "EEI", "VEI", "EVI", "VVI", "EEE"]
FAMILIES += ["VEE", "EVE", "VVE", "EEV", "VEV", "EVV", "VVV"]


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    return gaussians(3, 3, rows=300, seed=5).X


def same(one: object, other: object, X: np.ndarray) -> None:
    states = fitted_state(one), fitted_state(other)
    assert states[0].keys() == states[1].keys()
    for name, value in states[0].items():
        assert is_same(value, states[1][name]), name
    for method in ["predict", "predict_proba", "score_samples", "entropy"]:
        assert is_same(getattr(one, method)(X), getattr(other, method)(X)), method


@pytest.mark.parametrize("kind", [*FAMILIES, "full", "tied", "diag", "spherical"])
def test_densities_are_those_of_the_attributes(rows, kind):
    mixture = gb.GaussianMixture(3, covariance_type=kind, random_state=0, max_iter=20, tol=1e-2)
    mixture.fit(rows)
    covariances = mixture.covariances_
    if kind == "tied":
        covariances = np.stack([covariances] * 3)
    if kind == "diag":
        covariances = np.stack([np.diag(each) for each in covariances])
    if kind == "spherical":
        covariances = np.stack([each * np.eye(3) for each in covariances])
    parts = [
        weight * scipy.stats.multivariate_normal(mean, covariance).pdf(rows)
        for weight, mean, covariance in zip(
            mixture.weights_, mixture.means_, covariances, strict=True
        )
    ]
    density = np.sum(parts, axis=0)
    np.testing.assert_allclose(mixture.score_samples(rows), np.log(density), rtol=1e-9)
    proba = np.stack(parts, axis=1) / density[:, None]
    np.testing.assert_allclose(mixture.predict_proba(rows), proba, atol=1e-12)
    entropy = -np.sum(proba * np.log(proba, where=proba > 0, out=np.zeros_like(proba)), axis=1)
    np.testing.assert_allclose(mixture.entropy(rows), entropy, atol=1e-12)
    assert mixture.icl(rows) >= mixture.bic(rows)
    if kind in FAMILIES or kind == "full":
        for covariance, precision, whitener in zip(
            covariances, mixture.precisions_, mixture.precisions_cholesky_, strict=True
        ):
            np.testing.assert_allclose(covariance @ precision, np.eye(3), atol=1e-9)
            np.testing.assert_allclose(whitener @ whitener.T, precision, rtol=1e-9, atol=1e-9)
            assert (np.tril(whitener, -1) == 0).all()


@pytest.mark.parametrize("kind", ["full", "VEV", "unit"])
def test_a_weight_is_a_number_of_rows(rows, kind):
    weights = np.random.default_rng(1).integers(0, 4, len(rows))
    repeated = np.repeat(rows, weights, axis=0)
    parameters = {"means_init": rows[[3, 100, 200]], "init_params": "hierarchical"}
    with Silent():
        one = gb.GaussianMixture(3, covariance_type=kind, **parameters).fit(
            rows, sample_weight=weights
        )
        other = gb.GaussianMixture(3, covariance_type=kind, **parameters).fit(repeated)
    np.testing.assert_allclose(one.means_, other.means_, rtol=1e-9)
    np.testing.assert_allclose(one.covariances_, other.covariances_, rtol=1e-8)
    np.testing.assert_allclose(one.lower_bounds_, other.lower_bounds_, rtol=1e-9)


@pytest.mark.parametrize("start", ["kmeans", "k-means++", "random", "random_from_data"])
def test_threads_leave_the_same_bits(start, monkeypatch):
    X = gaussians(4, 3, rows=20000, seed=2).X
    fits = []
    for threads in ["1", "2"]:
        monkeypatch.setenv("GAUSSBAYES_NUM_THREADS", threads)
        mixture = gb.GaussianMixture(
            4, init_params=start, random_state=3, n_init=2, max_iter=5, tol=0.0
        )
        with Silent():
            fits.append(mixture.fit(X))
    same(*fits, X)


def test_a_seed_gives_the_same_fit_and_another_one_another(rows):
    def fit(seed):
        with Silent():
            return gb.GaussianMixture(3, init_params="random", random_state=seed).fit(rows)

    same(fit(1), fit(1), rows)
    same(fit(np.random.RandomState(2)), fit(np.random.RandomState(2)), rows)
    assert not np.array_equal(fit(1).means_, fit(2).means_)


@pytest.mark.parametrize(
    "start", ["kmeans", "k-means++", "random", "random_from_data", "hierarchical"]
)
def test_every_start_finds_groups_far_apart(start):
    rng = np.random.default_rng(0)
    codes = np.repeat(np.arange(3), 60)
    X = rng.normal(size=(180, 2)) + np.array([[0, 0], [12, 0], [0, 12]])[codes]
    mixture = gb.GaussianMixture(3, init_params=start, n_init=10, random_state=0, tol=1e-6)
    assert adjusted_rand_score(mixture.fit_predict(X), codes) == 1.0
    np.testing.assert_array_equal(mixture.fit_predict(X), mixture.predict(X))


@pytest.mark.parametrize("stop", ["loglik", "relative", "aitken", "parameters"])
def test_stop_rules_end_at_the_same_maximum(rows, stop):
    mixture = gb.GaussianMixture(3, stop=stop, tol=1e-9, max_iter=5000, random_state=0, reg_covar=0)
    mixture.fit(rows)
    assert mixture.converged_
    best = gb.GaussianMixture(3, tol=0.0, max_iter=3000, random_state=0, reg_covar=0)
    with Silent():
        best.fit(rows)
    assert mixture.score(rows) == pytest.approx(best.score(rows), abs=1e-5)


def test_the_trajectory_leads_from_the_start_to_the_end(rows):
    mixture = gb.GaussianMixture(2, covariance_type="diag", trajectory=True, random_state=0)
    mixture.fit(rows)
    assert len(mixture.trajectory_) == mixture.n_iter_ + 1
    for name in ["weights", "means", "covariances"]:
        np.testing.assert_array_equal(mixture.trajectory_[-1][name], getattr(mixture, f"{name}_"))
    start = gb.GaussianMixture(2, covariance_type="diag", max_iter=0, random_state=0).fit(rows)
    np.testing.assert_array_equal(mixture.trajectory_[0]["means"], start.means_)
    assert not hasattr(mixture.set_params(trajectory=False).fit(rows), "trajectory_")


def test_a_component_that_loses_its_rows_is_refused_dropped_or_reseeded(rows):
    far = {
        "weights_init": [0.5, 0.5],
        "means_init": np.stack([rows.mean(axis=0), rows.mean(axis=0) + 1e4]),
        "precisions_init": np.stack([np.linalg.inv(np.cov(rows.T))] * 2),
    }
    with pytest.raises(ValueError, match="component 2 has no weight\nhint: .*on_empty"):
        gb.GaussianMixture(2, **far).fit(rows)
    with pytest.warns(UserWarning, match="component 1 lost its rows and was dropped"):
        dropped = gb.GaussianMixture(2, on_empty="drop", **far).fit(rows)
    assert dropped.weights_.tolist() == [1.0]
    with pytest.warns(UserWarning, match="component 1 lost its rows and was reseeded"):
        reseeded = gb.GaussianMixture(2, on_empty="reseed", **far).fit(rows)
    assert reseeded.weights_.min() > 0.01


def test_a_guard_keeps_components_from_collapse():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(60, 2)), np.full((8, 2), 9.0)])
    with pytest.raises(ValueError, match="ill-defined"):
        gb.GaussianMixture(2, reg_covar=0, random_state=0).fit(X)
    with pytest.warns(UserWarning, match="would have collapsed"):
        mixture = gb.GaussianMixture(2, reg_covar=0, guard=1e-6, random_state=0).fit(X)
    sizes = np.linalg.eigvalsh(mixture.covariances_)
    assert sizes.min() > 1e-7


def test_units_and_offsets_do_not_spoil_a_fit(rows):
    plain = gb.GaussianMixture(3, random_state=0, reg_covar=0).fit(rows)
    moved = gb.GaussianMixture(3, random_state=0, reg_covar=0).fit(rows * 1e-9 + 1e3)
    np.testing.assert_array_equal(plain.predict(rows), moved.predict(rows * 1e-9 + 1e3))


def test_rows_in_every_form_give_the_same_bits(rows):
    frame = pd.DataFrame(rows, columns=["a", "b", "c"])
    weights = np.arange(len(rows)) % 3 + 1.0
    table = pa.table({"a": rows[:, 0], "b": rows[:, 1], "c": rows[:, 2], "n": weights})
    new = lambda: gb.GaussianMixture(3, random_state=0)  # noqa: E731
    plain = new().fit(rows, sample_weight=weights)
    framed = new().fit(frame, sample_weight=weights)
    assert framed.feature_names_in_.tolist() == ["a", "b", "c"]
    named = new().fit(frame.assign(n=weights), sample_weight="n")
    streamed = new().fit(OnlyAStream(table), sample_weight="n")
    fortran = new().fit(np.asfortranarray(rows), sample_weight=weights)
    for other in [framed, named, streamed, fortran]:
        assert is_same(plain.means_, other.means_) and is_same(
            plain.covariances_, other.covariances_
        )
        assert plain.lower_bounds_ == other.lower_bounds_
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        framed.predict(rows)
    with pytest.raises(ValueError, match="can be read only once"):
        new().fit(pa.RecordBatchReader.from_batches(table.schema, table.to_batches()))


def test_single_precision_is_kept(rows):
    single = gb.GaussianMixture(2, random_state=0).fit(rows.astype(np.float32))
    for name in ["weights_", "means_", "covariances_", "precisions_", "precisions_cholesky_"]:
        assert getattr(single, name).dtype == np.float32
    assert single.predict_proba(rows.astype(np.float32)).dtype == np.float32
    assert single.predict_proba(rows).dtype == np.float64


def test_samples_come_from_the_components_in_order(rows):
    mixture = gb.GaussianMixture(3, random_state=0).fit(rows)
    X, y = mixture.sample(6000)
    assert (np.diff(y) >= 0).all()
    np.testing.assert_allclose(np.bincount(y) / 6000, mixture.weights_, atol=0.03)
    np.testing.assert_allclose(X[y == 1].mean(axis=0), mixture.means_[1], atol=0.5)
    assert is_same(mixture.sample(5)[0], mixture.sample(5)[0])
    with pytest.raises(ValueError, match="n_samples"):
        mixture.sample(0)


def test_copies_answer_alike(rows, tmp_path):
    mixture = gb.GaussianMixture(3, covariance_type="VEV", random_state=0, trajectory=True)
    mixture.fit(rows)
    same(pickle.loads(pickle.dumps(mixture)), mixture, rows)
    gb.save(mixture, tmp_path / "mixture.json")
    loaded = gb.load(tmp_path / "mixture.json")
    same(loaded, mixture, rows)
    assert loaded.get_params() == mixture.get_params()
    assert not hasattr(clone(mixture), "means_")
    same(clone(mixture).fit(rows), mixture, rows)


def test_marginal_and_conditional_mixtures_are_mixtures(rows):
    frame = pd.DataFrame(rows, columns=["a", "b", "c"])
    for kind in ["full", "tied", "diag", "spherical", "VEV"]:
        mixture = gb.GaussianMixture(3, covariance_type=kind, random_state=0).fit(frame)
        part = mixture.marginal(["c", 0])
        assert part.feature_names_in_.tolist() == ["c", "a"]
        np.testing.assert_array_equal(part.means_, mixture.means_[:, [2, 0]])
        known = mixture.conditional({"b": 0.3})
        queries = frame[["a", "c"]]
        both = queries.assign(b=0.3)[["a", "b", "c"]]
        expected = mixture.score_samples(both) - mixture.marginal(["b"]).score_samples(both[["b"]])
        np.testing.assert_allclose(known.score_samples(queries), expected, rtol=1e-9, atol=1e-9)
        assert known.covariances_.ndim == mixture.covariances_.ndim
    with pytest.raises(ValueError, match="no feature 'd'"):
        mixture.conditional({"d": 1.0})


def test_components_make_a_classifier(rows):
    mixture = gb.GaussianMixture(2, random_state=0).fit(rows)
    rule = mixture.classifier()
    assert is_same(rule.predict(rows), mixture.predict(rows))
    assert is_same(rule.predict_proba(rows), mixture.predict_proba(rows))
    assert rule.boundary(0, 1).kind == rule.boundary().kind
    drawn, components = mixture.set_params(random_state=5).sample(20000)
    wrong = np.mean(mixture.predict(drawn) != components)
    assert rule.error().total == pytest.approx(wrong, abs=0.01)


def test_a_fit_that_fails_changes_nothing(rows):
    mixture = gb.GaussianMixture(2, random_state=0).fit(rows)
    before = pickle.dumps(mixture.__dict__)
    with pytest.raises(ValueError, match="contains NaN"):
        mixture.fit(np.where(rows == rows[7, 1], np.nan, rows))
    assert pickle.dumps(mixture.__dict__) == before


def test_a_warm_start_needs_the_same_components_and_features(rows):
    mixture = gb.GaussianMixture(2, warm_start=True, random_state=0).fit(rows)
    with pytest.raises(ValueError, match="2 components"):
        mixture.set_params(n_components=3).fit(rows)
    with pytest.raises(ValueError, match="expecting 3 features"):
        mixture.set_params(n_components=2).fit(rows[:, :2])


def test_kmeans_is_a_mixture_of_unit_covariances(rows):
    mixture = gb.GaussianMixture(3, covariance_type="unit", random_state=0, tol=1e-12).fit(rows)
    labels = mixture.predict(rows)
    for k in range(3):
        np.testing.assert_allclose(mixture.means_[k], rows[labels == k].mean(axis=0), rtol=1e-9)


def test_nothing_warns_where_nothing_is_wrong(rows):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gb.GaussianMixture(3, random_state=0).fit(rows)


@pytest.mark.skipif(os.name != "posix", reason="signals are of POSIX")
def test_an_interrupt_keeps_the_best_until_then(rows, monkeypatch):
    begun = threading.Event()

    class Told(io.StringIO):
        def write(self, text: str) -> int:
            if "Iteration 30" in text:
                begun.set()
            return len(text)

    def interrupt() -> None:
        begun.wait()
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(sys, "stdout", Told())
    mixture = gb.GaussianMixture(3, tol=0.0, max_iter=10**9, random_state=0)
    mixture.set_params(verbose=1, verbose_interval=30)
    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.warns(UserWarning, match="interrupted after"), pytest.raises(KeyboardInterrupt):
        mixture.fit(rows)
    thread.join()
    assert not mixture.converged_
    assert mixture.n_iter_ == len(mixture.lower_bounds_) >= 30
    again = gb.GaussianMixture(3, tol=0.0, max_iter=mixture.n_iter_, random_state=0)
    with Silent():
        same(mixture, again.fit(rows), rows)
