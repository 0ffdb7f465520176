"""Holds BayesianGaussianMixture to that of scikit-learn 1.9.1, iteration by iteration."""

import inspect

import numpy as np
import pytest
import sklearn.mixture
from samples import gaussians
from tolerances import Silent, same_kind

import gaussbayes as gb

TYPES = ["full", "tied", "diag", "spherical"]
PRIORS = ["dirichlet_process", "dirichlet_distribution"]
BOTH = [gb.BayesianGaussianMixture, sklearn.mixture.BayesianGaussianMixture]
STATE = [
    "weight_concentration_",
    "mean_precision_",
    "means_",
    "degrees_of_freedom_",
    "covariances_",
    "precisions_cholesky_",
]
ATTRIBUTES = [
    *STATE,
    "weights_",
    "precisions_",
    "weight_concentration_prior_",
    "mean_precision_prior_",
    "mean_prior_",
    "degrees_of_freedom_prior_",
    "covariance_prior_",
    "converged_",
    "n_iter_",
    "n_features_in_",
    "lower_bound_",
    "lower_bounds_",
]
# After so many iterations, on the scale of the largest entry.
ALLOWED = 1e-9


def data(name: str) -> np.ndarray:
    if name == "iris":
        return gb.datasets.load_iris(return_X_y=True)[0]
    if name == "faithful":
        return gb.datasets.load_faithful().data
    return gaussians(3, 5, rows=400, seed=7).X


def near(ours: object, theirs: object, allowed: float = ALLOWED) -> None:
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    if theirs.shape == (*ours.shape, 1):
        # Their lower bound of 'tied' is an array of one number.
        theirs = theirs[..., 0]
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).max(initial=0.0) <= allowed * np.abs(theirs).max(initial=1e-300)


def started(X: np.ndarray, **parameters: object) -> tuple[object, object]:
    """Both estimators where ours starts, with nothing done yet."""
    parameters = {"n_components": 4, "random_state": 0, "warm_start": True} | parameters
    ours, theirs = (each(**parameters) for each in BOTH)
    ours.set_params(max_iter=0).fit(X)
    for name in STATE:
        setattr(theirs, name, getattr(ours, name))
    theirs.lower_bound_, theirs.converged_ = -np.inf, False
    return ours, theirs


def pair(X: np.ndarray, iterations: int, **parameters: object) -> tuple[object, object]:
    both = started(X, **parameters)
    with Silent():
        for each in both:
            each.set_params(max_iter=iterations).fit(X)
    return both


@pytest.mark.parametrize("reg_covar", [0.0, 1e-6, 0.1])
@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("name", ["iris", "faithful", "random"])
def test_every_iteration_is_theirs(name, kind, prior, reg_covar):
    for iterations in [1, 2, 5, 30]:
        ours, theirs = pair(
            data(name),
            iterations,
            covariance_type=kind,
            weight_concentration_prior_type=prior,
            reg_covar=reg_covar,
            tol=0.0,
        )
        for attribute in ATTRIBUTES:
            near(getattr(ours, attribute), getattr(theirs, attribute))


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("kind", TYPES)
def test_one_component_needs_no_start(kind, prior):
    X = data("iris")
    with Silent():
        ours, theirs = (
            each(covariance_type=kind, weight_concentration_prior_type=prior).fit(X)
            for each in BOTH
        )
    for attribute in ATTRIBUTES:
        near(getattr(ours, attribute), getattr(theirs, attribute))


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("kind", TYPES)
def test_given_priors_are_theirs(kind, prior):
    X = data("iris")
    covariance = np.cov(X.T) * 2 + 0.1 * np.eye(4)
    given = {
        "full": covariance,
        "tied": covariance,
        "diag": np.diag(covariance),
        "spherical": 0.7,
    }
    ours, theirs = pair(
        X,
        20,
        covariance_type=kind,
        weight_concentration_prior_type=prior,
        weight_concentration_prior=0.01,
        mean_precision_prior=0.3,
        mean_prior=[5.0, 3.0, 4.0, 1.0],
        degrees_of_freedom_prior=6.5,
        covariance_prior=given[kind],
    )
    for attribute in ATTRIBUTES:
        near(getattr(ours, attribute), getattr(theirs, attribute))


@pytest.mark.parametrize("kind", TYPES)
def test_both_stop_after_the_same_iteration(kind):
    ours, theirs = pair(data("iris"), 2000, covariance_type=kind, tol=1e-3)
    assert ours.converged_ and theirs.converged_
    assert ours.n_iter_ == theirs.n_iter_ > 3


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("kind", TYPES)
def test_answers_are_theirs(kind, prior):
    X = data("iris")
    queries = X[::3] + 0.1
    ours, theirs = pair(X, 10, covariance_type=kind, weight_concentration_prior_type=prior)
    np.testing.assert_array_equal(ours.predict(queries), theirs.predict(queries))
    for method in ["predict_proba", "score_samples", "score"]:
        near(getattr(ours, method)(queries), getattr(theirs, method)(queries))
    with Silent():
        drawn = [each.sample(20_000)[0] for each in (ours, theirs)]
    near(drawn[0].mean(axis=0), drawn[1].mean(axis=0), 0.02)
    near(np.cov(drawn[0].T), np.cov(drawn[1].T), 0.1)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("kind", TYPES)
def test_attributes_and_answers_have_their_types_and_shapes(kind, prior, dtype):
    X = data("iris").astype(dtype)
    both = [
        each(
            n_components=2,
            covariance_type=kind,
            weight_concentration_prior_type=prior,
            max_iter=5,
            random_state=0,
        )
        for each in BOTH
    ]
    with Silent():
        ours, theirs = (each.fit(X) for each in both)
        drawn = zip(ours.sample(7), theirs.sample(7), strict=True)
    # Their priors of rows in single precision are partly in it.
    mixed = {"mean_prior_", "covariance_prior_"} if dtype == np.float32 else set()
    for attribute in [name for name in ATTRIBUTES[1:-5] if name not in mixed]:
        same_kind(getattr(ours, attribute), getattr(theirs, attribute), attribute)
    for one, other in zip(ours.weight_concentration_, theirs.weight_concentration_, strict=True):
        same_kind(one, other, "weight_concentration_")
    assert isinstance(ours.lower_bounds_, list)
    assert len(ours.lower_bounds_) == ours.n_iter_
    for method in ["predict", "predict_proba", "score_samples"]:
        same_kind(getattr(ours, method)(X), getattr(theirs, method)(X), method)
    for one, other in drawn:
        same_kind(one, other, "sample")


def test_the_constructor_begins_as_theirs():
    one, other = (list(inspect.signature(each.__init__).parameters.values()) for each in BOTH)
    described = [[(p.name, p.kind, p.default) for p in each] for each in (one, other)]
    assert described[0][: len(other)] == described[1]
    for more in one[len(other) :]:
        assert more.kind is inspect.Parameter.KEYWORD_ONLY
        assert more.default is not inspect.Parameter.empty


def test_methods_are_theirs():
    ours, theirs = ({name for name in dir(each) if name[0] != "_"} for each in BOTH)
    assert theirs - {"get_metadata_routing", "set_fit_request"} <= ours
    assert not ours & {"bic", "aic", "icl", "classifier", "marginal"}


def test_no_iteration_leaves_the_start():
    X = data("iris")
    for each in BOTH:
        mixture = each(n_components=2, max_iter=0, random_state=0).fit(X)
        assert not mixture.converged_ and mixture.n_iter_ == 0
        assert mixture.lower_bound_ == -np.inf and mixture.lower_bounds_ == []


@pytest.mark.parametrize("kind", TYPES)
def test_a_warm_start_goes_on_as_theirs(kind):
    X, rng = data("iris"), np.random.default_rng(3)
    more = X[rng.permutation(len(X))[:120]]
    both = started(X, covariance_type=kind)
    with Silent():
        for rows in [X, X, more, X]:
            for each in both:
                each.set_params(max_iter=3).fit(rows)
            assert both[0].n_iter_ == both[1].n_iter_
            assert both[0].converged_ == both[1].converged_
            for attribute in ATTRIBUTES:
                near(getattr(both[0], attribute), getattr(both[1], attribute))


def test_a_warm_start_from_the_end_is_over_at_once():
    X = data("iris")
    for each in BOTH:
        mixture = each(n_components=2, warm_start=True, random_state=0, max_iter=500).fit(X)
        assert mixture.converged_ and mixture.n_iter_ >= 2
        assert mixture.fit(X).converged_ and mixture.n_iter_ == 1


def test_verbose_says_what_theirs_says(capsys):
    X = data("iris")
    for verbose, words in [(1, None), (2, "ll change")]:
        said = []
        for each in started(X, verbose=verbose, verbose_interval=2, tol=0.0):
            capsys.readouterr()
            with Silent():
                each.set_params(max_iter=7).fit(X)
            said.append(capsys.readouterr().out.split())
        ours, theirs = (
            [word for i, word in enumerate(text) if i == 0 or text[i - 1] != "lapse"]
            for text in said
        )
        assert ours == theirs and (words is None or words in " ".join(ours))


@pytest.mark.parametrize(
    "parameters",
    [
        {"n_components": 200},
        {"n_components": 0},
        {"covariance_type": "VVV"},
        {"init_params": "none"},
        {"tol": -1.0},
        {"weight_concentration_prior_type": "none"},
        {"weight_concentration_prior": 0.0},
        {"mean_precision_prior": 0.0},
        {"mean_prior": [1.0, 2.0]},
        {"degrees_of_freedom_prior": 3.0},
        {"degrees_of_freedom_prior": -1.0},
        {"covariance_prior": np.eye(3)},
        {"covariance_prior": -np.eye(4)},
        {"covariance_prior": np.tri(4)},
        {"covariance_type": "tied", "covariance_prior": np.ones(4)},
        {"covariance_type": "diag", "covariance_prior": -np.ones(4)},
        {"covariance_type": "diag", "covariance_prior": np.ones(3)},
        {"covariance_type": "spherical", "covariance_prior": -1.0},
    ],
)
def test_both_refuse_alike(parameters):
    X = data("iris")
    said = []
    for each in BOTH:
        with pytest.raises(ValueError) as refused:
            each(**{"n_components": 2} | parameters).fit(X)
        said.append(str(refused.value))
    if "must be a str" not in said[1]:
        assert said[0].startswith(said[1])


def test_ill_defined_covariances_are_refused_in_their_words():
    # Of two columns that are the same, neither rows nor their covariance say what is across.
    X = np.repeat(data("iris")[:, :1], 2, axis=1)
    said = []
    for each in BOTH:
        with pytest.raises(ValueError, match="ill-defined empirical covariance") as refused:
            each(reg_covar=0.0, random_state=0).fit(X)
        said.append(str(refused.value))
    assert said[0].startswith(said[1])
    assert "rank 1 of 2" in said[0] and "covariance_prior" in said[0]


def test_no_convergence_is_their_warning():
    X = data("iris")
    for each in BOTH:
        with pytest.warns(sklearn.exceptions.ConvergenceWarning, match="did not converge"):
            each(n_components=3, max_iter=2, tol=0.0, random_state=0).fit(X)


def test_the_lower_bound_is_the_best_of_all_starts():
    X = data("random")
    mixture = gb.BayesianGaussianMixture(
        n_components=4, n_init=5, init_params="random", max_iter=10, random_state=1
    )
    with Silent():
        mixture.fit(X)
    assert mixture.restarts_.shape == (5,)
    assert mixture.lower_bound_ == mixture.restarts_.max()
    assert len(set(mixture.restarts_)) > 1
