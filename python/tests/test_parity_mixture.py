"""Holds GaussianMixture to that of scikit-learn 1.9.1, iteration by iteration."""

import inspect

import numpy as np
import pytest
import sklearn.mixture
from samples import gaussians
from tolerances import Silent, same_kind

import gaussbayes as gb

TYPES = ["full", "tied", "diag", "spherical"]
ATTRIBUTES = [
    "weights_",
    "means_",
    "covariances_",
    "precisions_",
    "precisions_cholesky_",
    "converged_",
    "n_iter_",
    "n_features_in_",
]
# After so many iterations, on the scale of the largest entry.
ALLOWED = 1e-10


def data(name: str) -> np.ndarray:
    if name == "iris":
        return gb.datasets.load_iris(return_X_y=True)[0]
    if name == "faithful":
        return gb.datasets.load_faithful().data
    return gaussians(3, 5, rows=400, seed=7).X


def starts(X: np.ndarray, kind: str, count: int = 3) -> dict[str, np.ndarray]:
    """First parameters that leave EM something to do."""
    rng = np.random.default_rng(0)
    means = X[rng.choice(len(X), count, replace=False)]
    covariance = np.cov(X.T, bias=True)
    weights = rng.uniform(1.0, 3.0, count)
    precisions = {
        "full": np.stack([np.linalg.inv(covariance * (1 + 0.2 * k)) for k in range(count)]),
        "tied": np.linalg.inv(covariance),
        "diag": np.stack([1 / (np.diag(covariance) * (1 + 0.2 * k)) for k in range(count)]),
        "spherical": 1 / (covariance.trace() / len(covariance) * (1 + 0.2 * np.arange(count))),
    }
    return {
        "weights_init": weights / weights.sum(),
        "means_init": means,
        "precisions_init": precisions[kind],
    }


def near(ours: object, theirs: object, allowed: float = ALLOWED) -> None:
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).max(initial=0.0) <= allowed * np.abs(theirs).max(initial=1e-300)


def pair(X: np.ndarray, kind: str, **parameters: object) -> tuple[object, object]:
    both = []
    for module in (gb, sklearn.mixture):
        estimator = module.GaussianMixture(3, covariance_type=kind, **parameters)
        with Silent():
            both.append(estimator.fit(X))
    return both[0], both[1]


@pytest.mark.parametrize("reg_covar", [0.0, 1e-6])
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("name", ["iris", "faithful", "random"])
def test_every_iteration_of_em_is_theirs(name, kind, reg_covar):
    X = data(name)
    for iterations in [1, 2, 3, 5, 10, 50]:
        ours, theirs = pair(
            X, kind, reg_covar=reg_covar, tol=0.0, max_iter=iterations, **starts(X, kind)
        )
        for attribute in ATTRIBUTES:
            near(getattr(ours, attribute), getattr(theirs, attribute))
        near(ours.lower_bounds_, theirs.lower_bounds_)
        near(ours.lower_bound_, theirs.lower_bound_)


@pytest.mark.parametrize("kind", TYPES)
def test_both_stop_after_the_same_iteration(kind):
    X = data("iris")
    ours, theirs = pair(X, kind, tol=1e-4, **starts(X, kind))
    assert ours.converged_ and theirs.converged_
    assert ours.n_iter_ == theirs.n_iter_


@pytest.mark.parametrize("kind", TYPES)
def test_answers_are_theirs(kind):
    X = data("iris")
    queries = X[::3] + 0.1
    ours, theirs = pair(X, kind, **starts(X, kind))
    np.testing.assert_array_equal(ours.predict(queries), theirs.predict(queries))
    for method in ["predict_proba", "score_samples", "score", "bic", "aic"]:
        near(getattr(ours, method)(queries), getattr(theirs, method)(queries))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kind", TYPES)
def test_attributes_and_answers_have_their_types_and_shapes(kind, dtype):
    X = data("iris").astype(dtype)
    inits = {name: value.astype(dtype) for name, value in starts(X, kind).items()}
    ours, theirs = pair(X, kind, max_iter=5, **inits)
    for attribute in [*ATTRIBUTES[:5], "n_features_in_"]:
        same_kind(getattr(ours, attribute), getattr(theirs, attribute), attribute)
    assert isinstance(ours.lower_bounds_, list)
    assert len(ours.lower_bounds_) == ours.n_iter_ == len(theirs.lower_bounds_)
    for method in ["predict", "predict_proba", "score_samples"]:
        same_kind(getattr(ours, method)(X), getattr(theirs, method)(X), method)
    with Silent():
        drawn = zip(ours.sample(7), theirs.sample(7), strict=True)
    for one, other in drawn:
        same_kind(one, other, "sample")
    near(ours.means_, theirs.means_, ALLOWED if dtype == np.float64 else 1e-3)


def test_the_constructor_begins_as_theirs():
    one, other = (
        list(inspect.signature(module.GaussianMixture.__init__).parameters.values())
        for module in (gb, sklearn.mixture)
    )
    described = [[(p.name, p.kind, p.default) for p in each] for each in (one, other)]
    assert described[0][: len(other)] == described[1]
    for more in one[len(other) :]:
        assert more.kind is inspect.Parameter.KEYWORD_ONLY
        assert more.default is not inspect.Parameter.empty


@pytest.mark.parametrize("kind", TYPES)
def test_what_is_given_overrides_a_part_of_the_start(kind):
    # With one component every start is the same, so that the rest is known.
    X = data("iris")
    means = X[:1] + 1.0
    precisions = {"full": np.eye(4)[None] * 3, "tied": np.eye(4) * 3}.get(kind)
    if precisions is None:
        precisions = np.full((1, 4), 3.0) if kind == "diag" else np.array([3.0])
    for parameters in [{"means_init": means}, {"precisions_init": precisions}]:
        # The lower bound of the first iteration is that of the start.
        both = [
            module.GaussianMixture(1, covariance_type=kind, max_iter=1, **parameters)
            for module in (gb, sklearn.mixture)
        ]
        with Silent():
            for each in both:
                each.fit(X)
        near(both[0].lower_bound_, both[1].lower_bound_)
        near(both[0].covariances_, both[1].covariances_)


def test_no_iteration_leaves_the_start():
    X = data("iris")
    for module in (gb, sklearn.mixture):
        mixture = module.GaussianMixture(2, max_iter=0, random_state=0).fit(X)
        assert not mixture.converged_ and mixture.n_iter_ == 0
        assert mixture.lower_bound_ == -np.inf and mixture.lower_bounds_ == []


@pytest.mark.parametrize("kind", TYPES)
def test_a_warm_start_goes_on_as_theirs(kind):
    X, rng = data("iris"), np.random.default_rng(3)
    more = X[rng.permutation(len(X))[:120]]
    both = [
        module.GaussianMixture(
            3, covariance_type=kind, max_iter=3, warm_start=True, **starts(X, kind)
        )
        for module in (gb, sklearn.mixture)
    ]
    with Silent():
        for rows in [X, X, more, X]:
            for each in both:
                each.fit(rows)
            assert both[0].n_iter_ == both[1].n_iter_
            assert both[0].converged_ == both[1].converged_
            near(both[0].lower_bounds_, both[1].lower_bounds_)
            near(both[0].covariances_, both[1].covariances_)


def test_verbose_says_what_theirs_says(capsys):
    X = data("iris")
    for verbose, words in [(1, None), (2, "ll change")]:
        said = []
        for module in (gb, sklearn.mixture):
            with Silent():
                module.GaussianMixture(
                    3, verbose=verbose, verbose_interval=2, max_iter=7, **starts(X, "full")
                ).fit(X)
            said.append(capsys.readouterr().out)
        ours, theirs = (lapse_free(text) for text in said)
        assert ours == theirs and (words is None or words in ours)


def lapse_free(text: str) -> str:
    """What was said, without the times that it took."""
    words = text.split()
    return " ".join(w for i, w in enumerate(words) if i == 0 or words[i - 1] != "lapse")


@pytest.mark.parametrize(
    "parameters",
    [
        {"n_components": 200},
        {"n_components": 0},
        {"covariance_type": "round"},
        {"init_params": "none"},
        {"tol": -1.0},
        {"weights_init": [0.5, 0.6]},
        {"weights_init": [1.5, -0.5]},
        {"weights_init": [1.0]},
        {"means_init": [[0.0, 1.0]]},
        {"precisions_init": np.eye(4)},
        {"precisions_init": np.stack([np.eye(4), -np.eye(4)])},
        {"precisions_init": np.stack([np.eye(4), np.tri(4)])},
        {"covariance_type": "diag", "precisions_init": -np.ones((2, 4))},
        {"covariance_type": "spherical", "precisions_init": [1.0, 0.0]},
    ],
)
def test_both_refuse_alike(parameters):
    X = data("iris")
    said = []
    for module in (gb, sklearn.mixture):
        with pytest.raises(ValueError) as refused:
            module.GaussianMixture(**{"n_components": 2} | parameters).fit(X)
        said.append(str(refused.value))
    if "must be a str" not in said[1]:
        # Theirs calls the largest weight the smallest.
        assert said[0].startswith(said[1].partition(", but got max")[0])


def test_ill_defined_covariances_are_refused_in_their_words():
    X = np.repeat([[0.0, 0.0], [1.0, 1.0], [5.0, 1.0]], 5, axis=0)
    said = []
    for module in (gb, sklearn.mixture):
        with pytest.raises(ValueError, match="ill-defined empirical covariance") as refused:
            module.GaussianMixture(3, reg_covar=0.0, random_state=0).fit(X)
        said.append(str(refused.value))
    assert said[0].startswith(said[1])
    assert "rank 0 of 2" in said[0] and "guard" in said[0]


def test_no_convergence_is_their_warning():
    X = data("iris")
    for module in (gb, sklearn.mixture):
        with pytest.warns(sklearn.exceptions.ConvergenceWarning, match="did not converge"):
            module.GaussianMixture(3, max_iter=2, tol=0.0, random_state=0).fit(X)


def test_the_lower_bound_is_the_best_of_all_starts():
    X = data("random")
    mixture = gb.GaussianMixture(4, n_init=5, init_params="random", random_state=1).fit(X)
    assert mixture.restarts_.shape == (5,)
    assert mixture.lower_bound_ == mixture.restarts_.max()
    assert len(set(mixture.restarts_)) > 1


def test_a_warm_start_from_the_end_is_over_at_once():
    # The first iteration is compared with the last one of the fit before.
    X = data("iris")
    for module in (gb, sklearn.mixture):
        mixture = module.GaussianMixture(3, warm_start=True, **starts(X, "full")).fit(X)
        assert mixture.converged_ and mixture.n_iter_ > 2
        assert mixture.fit(X).converged_ and mixture.n_iter_ == 1
