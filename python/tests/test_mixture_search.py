"""Searches numbers of components and families, and asks the best mixture."""

import os
import pickle
import signal
import threading

import numpy as np
import pandas as pd
import pytest
from bits import is_same
from samples import gaussians
from sklearn.base import clone

import gaussbayes as gb

LETTERS = ["EII", "VII", "EEI", "VEI", "EVI", "VVI", "EEE"]
LETTERS += ["VEE", "EVE", "VVE", "EEV", "VEV", "EVV", "VVV"]


@pytest.fixture(scope="module")
def faithful() -> np.ndarray:
    return gb.datasets.load_faithful().data


@pytest.fixture(scope="module")
def search(faithful) -> gb.MixtureSearch:
    return gb.MixtureSearch(range(1, 5), random_state=0).fit(faithful)


def test_old_faithful_has_three_components_of_one_covariance(search):
    # As mclust 6 has it: EEE with 3 components, BIC 2 314.316 in our sign.
    best = search.best_estimator_
    assert isinstance(best, gb.GaussianMixture)
    assert (best.covariance_type, best.n_components) == ("EEE", 3)
    assert 2314.29 < search.table_[search.best_index_]["bic"] < 2314.31629566578


def test_the_table_has_every_mixture(search, faithful):
    table = pd.DataFrame(search.table_)
    assert len(table) == 4 * 14
    assert set(table["family"]) == set(LETTERS)
    for name in ["loglik", "bic", "icl", "aic", "parameters", "converged", "iterations", "note"]:
        assert name in table
    fitted = table[table["bic"].notna()]
    assert (fitted["icl"] >= fitted["bic"] - 1e-9).all()
    ranked = fitted[fitted["note"].isna()]
    assert ranked["bic"].idxmin() == search.best_index_
    n = len(faithful)
    expected = -2 * fitted["loglik"] + fitted["parameters"] * np.log(n)
    np.testing.assert_allclose(fitted["bic"], expected)
    row = search.table_[search.best_index_]
    assert search.bic(faithful) == pytest.approx(row["bic"], rel=1e-12)
    assert search.score(faithful) * n == pytest.approx(row["loglik"], rel=1e-12)


def test_the_search_answers_as_its_best_mixture(search, faithful):
    best = search.best_estimator_
    for method in ["predict", "predict_proba", "score_samples", "entropy", "bic", "icl", "aic"]:
        assert is_same(getattr(search, method)(faithful), getattr(best, method)(faithful))
    assert is_same(search.sample(3)[0], best.sample(3)[0])
    copied = pickle.loads(pickle.dumps(search))
    assert is_same(copied.predict_proba(faithful), search.predict_proba(faithful))
    assert copied.table_ == search.table_
    assert best.precisions_.shape == (3, 2, 2)


@pytest.mark.parametrize("criterion", ["bic", "icl", "aic"])
def test_the_criterion_decides(faithful, criterion):
    search = gb.MixtureSearch([1, 2, 3], ["tied", "VVV"], criterion, random_state=0).fit(faithful)
    values = [entry[criterion] for entry in search.table_]
    assert search.best_index_ == int(np.argmin(values))
    assert [entry["family"] for entry in search.table_[:2]] == ["EEE", "VVV"]


def test_threads_leave_the_same_bits(monkeypatch):
    # More rows than starts are computed from.
    X = gaussians(3, 2, rows=20000, seed=3).X
    fits = []
    for threads in ["1", "2"]:
        monkeypatch.setenv("GAUSSBAYES_NUM_THREADS", threads)
        search = gb.MixtureSearch([2, 3], ["VVV", "EEI"], random_state=1, tol=1e-4)
        fits.append(search.fit(X))
    assert fits[0].table_ == fits[1].table_
    assert is_same(fits[0].best_estimator_.means_, fits[1].best_estimator_.means_)


def test_one_feature_has_two_families():
    X = np.concatenate([np.linspace(0, 1, 50), np.linspace(5, 6, 50)])[:, None]
    search = gb.MixtureSearch([1, 2], random_state=0).fit(X)
    assert [entry["family"] for entry in search.table_] == ["EII", "VII"] * 2
    assert search.best_estimator_.n_components == 2


def test_mixtures_that_cannot_be_are_noted(faithful):
    search = gb.MixtureSearch([1, 400], ["VVV"], random_state=0).fit(faithful)
    assert search.best_index_ == 0
    refused = search.table_[1]
    assert refused["bic"] is None and "400" in refused["note"]


@pytest.mark.parametrize(
    "parameters",
    [
        {"n_components": []},
        {"n_components": [0]},
        {"families": "round"},
        {"families": ["VVV", "round"]},
        {"families": []},
        {"criterion": "cic"},
        {"init_params": "none"},
        {"tol": -1.0},
    ],
)
def test_what_makes_no_search_is_refused(faithful, parameters):
    name = next(iter(parameters))
    with pytest.raises(ValueError, match=name):
        gb.MixtureSearch(**parameters).fit(faithful)


def test_clones_are_not_fitted(search):
    assert not hasattr(clone(search), "table_")
    assert clone(search).get_params() == search.get_params()


def test_an_interrupt_keeps_the_best_until_then():
    # One component ends at once; the others would take minutes.
    rows = np.random.default_rng(1).normal(size=(16_000, 4))
    search = gb.MixtureSearch([1, *range(20, 60)], "VVI", random_state=0)
    timer = threading.Timer(3.0, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.warns(UserWarning, match="interrupted"), pytest.raises(KeyboardInterrupt):
        search.fit(rows)
    timer.join()
    fitted = [entry["n_components"] for entry in search.table_ if entry["bic"] is not None]
    assert 1 in fitted and 59 not in fitted
    assert search.best_estimator_.n_components in fitted
    assert search.predict(rows).max() < search.best_estimator_.n_components
