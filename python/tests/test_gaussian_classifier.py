"""Holds GaussianClassifier to the formulas: divisors, pooling, families, priors and costs."""

import numpy as np
import pandas as pd
import pytest
from samples import Sample, gaussians
from scipy.special import logsumexp, softmax
from scipy.stats import multivariate_normal
from sklearn.exceptions import NotFittedError

import gaussbayes as gb
from gaussbayes import GaussianClassifier

pytestmark = pytest.mark.filterwarnings("error")

# What becomes of a class covariance: its own or the shared one, and how much of it.
SHAPES = {
    "VVV": (False, lambda c: c),
    "EEE": (True, lambda c: c),
    "VVI": (False, lambda c: np.diag(np.diag(c))),
    "EEI": (True, lambda c: np.diag(np.diag(c))),
    "VII": (False, lambda c: np.eye(len(c)) * np.trace(c) / len(c)),
    "EII": (True, lambda c: np.eye(len(c)) * np.trace(c) / len(c)),
}


def expected_posterior(
    sample: Sample,
    family: str,
    *,
    ddof: int = 0,
    pooling: str = "size",
    priors: np.ndarray | None = None,
    weights: np.ndarray | None = None,
) -> np.ndarray:
    """Bayes' rule with ν_k = n_k − ddof, and a_k = ν_k/Σν, 1/K or π_k where classes share."""
    X, y, classes = sample.X, sample.y, range(sample.n_classes)
    weights = np.ones(len(y)) if weights is None else weights
    mass = np.bincount(y, weights)
    priors = mass / mass.sum() if priors is None else priors
    freedom = mass - ddof
    means, covariances = [], []
    for k in classes:
        rows, own = X[y == k], weights[y == k]
        means.append(np.average(rows, axis=0, weights=own))
        away = rows - means[-1]
        covariances.append((away * own[:, None]).T @ away / freedom[k])
    shared, shape = SHAPES[family]
    if shared:
        shares = {"size": freedom / freedom.sum(), "average": 1.0 / len(mass), "priors": priors}
        share = np.broadcast_to(shares[pooling], mass.shape)
        covariances = [sum(a * c for a, c in zip(share, covariances, strict=True))] * len(mass)
    densities = [
        multivariate_normal(means[k], shape(covariances[k])).pdf(sample.queries) for k in classes
    ]
    joint = np.stack(densities, axis=1) * priors
    return joint / joint.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("family", SHAPES)
@pytest.mark.parametrize("ddof", [0, 1])
def test_families_and_divisors(ddof, family):
    sample = gaussians(3, 3, seed=1, rows=60)
    ours = GaussianClassifier(family, ddof=ddof).fit(sample.X, sample.y)
    found = ours.predict_proba(sample.queries)
    expected = expected_posterior(sample, family, ddof=ddof)
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-13)
    np.testing.assert_allclose(np.exp(ours.predict_log_proba(sample.queries)), found, rtol=1e-10)
    np.testing.assert_array_equal(ours.predict(sample.queries), expected.argmax(axis=1))


@pytest.mark.parametrize("family", ["EEE", "EEI", "EII"])
@pytest.mark.parametrize("pooling", ["size", "average", "priors"])
@pytest.mark.parametrize("ddof", [0, 1])
def test_pooling(ddof, pooling, family):
    sample = gaussians(3, 3, seed=2, rows=60)
    priors = sample.priors()
    ours = GaussianClassifier(family, ddof=ddof, pooling=pooling, priors=priors)
    found = ours.fit(sample.X, sample.y).predict_proba(sample.queries)
    expected = expected_posterior(sample, family, ddof=ddof, pooling=pooling, priors=priors)
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-13)


@pytest.mark.parametrize("family", SHAPES)
@pytest.mark.parametrize("ddof", [0, 1])
def test_weights_count_as_rows(ddof, family):
    sample = gaussians(3, 3, seed=3, rows=60)
    weights = np.random.default_rng(3).uniform(0.5, 3.0, len(sample.y))
    ours = GaussianClassifier(family, ddof=ddof).fit(sample.X, sample.y, sample_weight=weights)
    expected = expected_posterior(sample, family, ddof=ddof, weights=weights)
    found = ours.predict_proba(sample.queries)
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-13)


@pytest.mark.parametrize("family", "EVI VEI VEE EVE VVE EEV VEV EVV".split())
def test_the_other_families_are_classifiers_too(family, iris):
    X, y = iris
    ours = GaussianClassifier(family).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X).sum(axis=1), 1.0)
    assert ours.score(X, y) > 0.9


def test_costs_decide():
    # Row: the true class; column: the action. Least expected cost wins, not the most probable.
    sample = gaussians(3, 3, seed=5)
    costs = np.array([[0.0, 1.0, 9.0], [30.0, 0.0, 2.0], [1.0, 1.0, 0.0]])
    plain = GaussianClassifier().fit(sample.X, sample.y)
    ours = GaussianClassifier(loss=costs).fit(sample.X, sample.y)
    posterior = plain.predict_proba(sample.queries)
    assert ours.predict_proba(sample.queries).tobytes() == posterior.tobytes()
    expected = (posterior @ costs).argmin(axis=1)
    np.testing.assert_array_equal(ours.predict(sample.queries), expected)
    assert (expected != plain.predict(sample.queries)).any()


def test_priors_that_are_not_of_the_sample():
    sample = gaussians(3, 3, seed=6)
    priors = [0.7, 0.2, 0.1]
    ours = GaussianClassifier(priors=priors).fit(sample.X, sample.y)
    expected = expected_posterior(sample, "VVV", priors=np.array(priors))
    np.testing.assert_allclose(ours.predict_proba(sample.queries), expected, rtol=1e-8, atol=1e-13)


def test_it_starts_unfitted_and_says_so():
    with pytest.raises(NotFittedError, match="This GaussianClassifier instance is not fitted yet"):
        GaussianClassifier().predict([[0.0]])


def test_parameters_are_kept_as_given():
    given = {"family": "EEE", "priors": [0.5, 0.5], "ddof": 1, "pooling": "average"}
    parameters = GaussianClassifier(**given).get_params()
    assert {name: parameters[name] for name in given} == given
    for name in ["shrinkage", "loss", "reject"]:
        assert parameters[name] is None


def test_rejected_rows_are_named_by_their_classes_type():
    sample = gaussians(3, 2, seed=1)
    kinds = {
        "ints": (sample.y, -1),
        "words": (np.array(["a", "b", "c"])[sample.y], "reject"),
        "objects": (np.array(["a", "b", "c"], dtype=object)[sample.y], "reject"),
    }
    for labels, said in kinds.values():
        found = gb.GaussianClassifier(reject=0.3).fit(sample.X, labels).predict(sample.X)
        sure = gb.GaussianClassifier(reject=0.3).fit(sample.X, labels).predict_proba(sample.X)
        np.testing.assert_array_equal(found == said, 1.0 - sure.max(axis=1) > 0.3)
    floats = gb.GaussianClassifier(reject=0.3).fit(sample.X, sample.y.astype(float))
    assert np.isnan(floats.predict(sample.X)).any()
    with pytest.raises(ValueError, match="reject_label"):
        gb.GaussianClassifier(reject=0.3).fit(sample.X, sample.y - 1).predict(sample.X)
    other = gb.GaussianClassifier(reject=0.3, reject_label=99).fit(sample.X, sample.y - 1)
    assert 99 in other.predict(sample.X) and other.predict(sample.X).dtype == np.int64
    mixed = gb.GaussianClassifier(reject=0.3, reject_label="?").fit(sample.X, sample.y)
    assert set(mixed.predict(sample.X)) == {0, 1, 2, "?"}
    with pytest.raises(ValueError, match="give a reject_label"):
        gb.GaussianClassifier(reject=0.3).fit(sample.X, sample.y > 0).predict(sample.X)


def test_priors_and_costs_change_after_the_fit():
    sample = gaussians(3, 3, seed=5)
    names = np.array(["9", "10", "-1"])[sample.y]
    fitted = gb.GaussianClassifier().fit(sample.X, names)
    priors = [0.7, 0.2, 0.1]
    again = gb.GaussianClassifier(priors=priors).fit(sample.X, names)
    moved = fitted.with_priors(priors)
    np.testing.assert_allclose(moved.priors_, priors)
    np.testing.assert_allclose(moved.predict_proba(sample.X), again.predict_proba(sample.X))
    for back in [moved.with_priors("observed"), again.with_priors(None)]:
        np.testing.assert_allclose(back.predict_proba(sample.X), fitted.predict_proba(sample.X))
    with pytest.raises(ValueError, match="2 priors for 3 classes"):
        fitted.with_priors([0.5, 0.5])
    costs = np.array([[0.0, 1.0, 9.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    dear = gb.GaussianClassifier(loss=costs).fit(sample.X, names)
    np.testing.assert_array_equal(fitted.with_loss(costs).predict(sample.X), dear.predict(sample.X))
    named_costs = pd.DataFrame(costs, index=dear.classes_, columns=dear.classes_)
    shuffled = named_costs.loc[["9", "-1", "10"], ["10", "9", "-1"]]
    np.testing.assert_array_equal(
        fitted.with_loss(shuffled).predict(sample.X), dear.predict(sample.X)
    )
    back = dear.with_loss(None).predict(sample.X)
    np.testing.assert_array_equal(back, fitted.predict(sample.X))
    for bad in [np.zeros((2, 2)), [[0, 1], [1, 0], [1, 1]]]:
        with pytest.raises(ValueError, match="3 classes need"):
            fitted.with_loss(bad)


def test_known_parameters_make_a_classifier():
    means = [[0.0, 0.0], [2.0, 0.0], [0.0, 3.0]]
    covariances = [np.eye(2), np.diag([2.0, 1.0]), [[1.0, 0.3], [0.3, 1.0]]]
    known = gb.GaussianClassifier.from_parameters(
        means, covariances, priors=[0.5, 0.3, 0.2], classes=["b", "c", "a"]
    )
    assert known.classes_.tolist() == ["a", "b", "c"] and known.family == "VVV"
    np.testing.assert_allclose(known.means_, [[0.0, 3.0], [0.0, 0.0], [2.0, 0.0]])
    np.testing.assert_allclose(known.priors_, [0.2, 0.5, 0.3])
    x = np.array([[0.5, 1.0], [2.5, -1.0]])
    joint = [
        np.log(p) + multivariate_normal(m, c).logpdf(x)
        for m, c, p in zip(means, covariances, [0.5, 0.3, 0.2], strict=True)
    ]
    expected = softmax(np.array(joint).T[:, [2, 0, 1]], axis=1)
    np.testing.assert_allclose(known.predict_proba(x), expected, atol=1e-14)
    np.testing.assert_allclose(known.score_samples(x), logsumexp(joint, axis=0), atol=1e-13)
    assert known.mahalanobis_sq([[0.0, 3.0]])[0, 0] == 0.0
    assert gb.GaussianClassifier.from_parameters([[0.0], [1.0]], [[1.0]]).family == "EEE"
    with pytest.raises(np.linalg.LinAlgError, match="class a"):
        gb.GaussianClassifier.from_parameters(
            [[0.0, 0.0], [1.0, 1.0]], [np.zeros((2, 2)), np.eye(2)], classes=["a", "b"]
        )
    with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
        gb.GaussianClassifier.from_parameters([[0.0, 0.0], [1.0, 1.0]], [[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(ValueError, match="symmetric"):
        gb.GaussianClassifier.from_parameters([[0.0, 0.0], [1.0, 1.0]], [[1.0, 0.2], [0.9, 1.0]])
    for bad in [
        {"priors": [0.5, 0.5, 0.7]},
        {"classes": [1, 1]},
        {"priors": [0.5, 0.6]},
        {"priors": [1.0]},
    ]:
        with pytest.raises(ValueError):
            gb.GaussianClassifier.from_parameters([[0.0], [1.0]], [[1.0]], **bad)


def test_notebooks_show_the_table_of_the_model():
    sample = gaussians(2, 3, seed=4)
    names = np.array(["<rose>", "lily"])[sample.y]
    bare = gb.GaussianClassifier()
    assert "<caption>" not in bare._repr_html_()
    shown = bare.fit(sample.X, names)._repr_html_()
    assert "<caption>VVV: a covariance for each class" in shown
    assert "&lt;rose&gt;" in shown and "<td><rose>" not in shown
    assert "<caption>VVV" in bare._repr_mimebundle_()["text/html"]
