"""Maps scikit-learn's parameter names to the core's; the one module that does."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from ._core import BayesSpec, EmSpec, SoftmaxSpec, Spec
from ._warning import warn

_UNIT_INTERVAL = Interval(Real, 0, 1, closed="both")
_SHARED = {
    "shrinkage": [StrOptions({"auto"}), _UNIT_INTERVAL, None],
    "priors": ["array-like", None],
    "store_covariance": ["boolean"],
    "tol": [Interval(Real, 0, None, closed="left")],
    "covariance_estimator": [HasMethods("fit"), None],
}

LINEAR_CONSTRAINTS: dict[str, Any] = {
    "solver": [StrOptions({"svd", "lsqr", "eigen"})],
    "n_components": [Interval(Integral, 1, None, closed="left"), None],
    **_SHARED,
}
QUADRATIC_CONSTRAINTS: dict[str, Any] = {
    "solver": [StrOptions({"svd", "eigen"})],
    "reg_param": [_UNIT_INTERVAL],
    **_SHARED,
}
NAIVE_BAYES_CONSTRAINTS: dict[str, Any] = {
    "priors": ["array-like", None],
    "var_smoothing": [Interval(Real, 0, None, closed="left")],
}
DISCRETE_CONSTRAINTS: dict[str, Any] = {
    "alpha": [Interval(Real, 0, None, closed="left"), "array-like"],
    "fit_prior": ["boolean"],
    "class_prior": ["array-like", None],
    "force_alpha": ["boolean"],
}
BERNOULLI_CONSTRAINTS: dict[str, Any] = {
    **DISCRETE_CONSTRAINTS,
    "binarize": [None, Interval(Real, 0, None, closed="left")],
}
COMPLEMENT_CONSTRAINTS: dict[str, Any] = {**DISCRETE_CONSTRAINTS, "norm": ["boolean"]}
CATEGORICAL_CONSTRAINTS: dict[str, Any] = {
    **DISCRETE_CONSTRAINTS,
    "alpha": [Interval(Real, 0, None, closed="left")],
    "min_categories": [None, "array-like", Interval(Integral, 1, None, closed="left")],
}
NEAREST_CENTROID_CONSTRAINTS: dict[str, Any] = {
    "metric": [StrOptions({"manhattan", "euclidean"})],
    "shrink_threshold": [Interval(Real, 0, None, closed="neither"), None],
    "priors": ["array-like", StrOptions({"empirical", "uniform"})],
}
SOFTMAX_CONSTRAINTS: dict[str, Any] = {
    "C": [Interval(Real, 0, None, closed="right")],
    "tol": [Interval(Real, 0, None, closed="left")],
    "max_iter": [Interval(Integral, 0, None, closed="left")],
}
MIXTURE_TYPES = {"full": "VVV", "tied": "EEE", "diag": "VVI", "spherical": "VII"}
FAMILIES = (
    *("EII", "VII", "EEI", "VEI", "EVI", "VVI", "EEE"),
    *("VEE", "EVE", "VVE", "EEV", "VEV", "EVV", "VVV"),
)
STARTS = ("kmeans", "k-means++", "random", "random_from_data", "hierarchical")
_EM = {
    "tol": [Interval(Real, 0.0, None, closed="left")],
    "reg_covar": [Interval(Real, 0.0, None, closed="left")],
    "max_iter": [Interval(Integral, 0, None, closed="left")],
    "n_init": [Interval(Integral, 1, None, closed="left")],
    "random_state": ["random_state"],
    "stop": [StrOptions({"loglik", "relative", "aitken", "parameters"})],
    "guard": [Interval(Real, 0.0, 1.0, closed="left")],
    "on_empty": [StrOptions({"refuse", "reseed", "drop"})],
    "outliers": [
        None,
        StrOptions({"noise", "student", "student-common"}),
        Interval(Real, 1, 1000, closed="both"),
    ],
}
MIXTURE_CONSTRAINTS: dict[str, Any] = {
    **_EM,
    "n_components": [Interval(Integral, 1, None, closed="left")],
    "covariance_type": [StrOptions({*MIXTURE_TYPES, *FAMILIES, "unit"})],
    "init_params": [StrOptions(set(STARTS))],
    "weights_init": ["array-like", None],
    "means_init": ["array-like", None],
    "precisions_init": ["array-like", None],
    "warm_start": ["boolean"],
    "verbose": ["verbose"],
    "verbose_interval": [Interval(Integral, 1, None, closed="left")],
    "trajectory": ["boolean"],
    "frozen": [None, StrOptions({"means", "covariances", "both"}), dict],
}
_POSITIVE = Interval(Real, 0.0, None, closed="neither")
_FOR_EM = (
    *("weights_init", "means_init", "precisions_init"),
    *("guard", "on_empty", "frozen", "outliers"),
)
BAYESIAN_CONSTRAINTS: dict[str, Any] = {
    **{name: rule for name, rule in MIXTURE_CONSTRAINTS.items() if name not in _FOR_EM},
    "covariance_type": [StrOptions(set(MIXTURE_TYPES))],
    "weight_concentration_prior_type": [
        StrOptions({"dirichlet_process", "dirichlet_distribution"})
    ],
    "weight_concentration_prior": [None, _POSITIVE],
    "mean_precision_prior": [None, _POSITIVE],
    "mean_prior": [None, "array-like"],
    "degrees_of_freedom_prior": [None, _POSITIVE],
    "covariance_prior": [None, "array-like", _POSITIVE],
}
SEARCH_CONSTRAINTS: dict[str, Any] = {**_EM, "criterion": [StrOptions({"bic", "icl", "aic"})]}
# The share of rows that are given no class: what EM makes of outliers is not for classifiers.
PER_CLASS_CONSTRAINTS: dict[str, Any] = {
    **SEARCH_CONSTRAINTS,
    "outliers": [None, Interval(Real, 0, 1, closed="neither")],
}


def mixture(estimator: Any) -> EmSpec:
    """GaussianMixture: how EM goes about it."""
    kind = estimator.covariance_type
    means, covariances = frozen(estimator)
    kept = {"frozen_means": means, "frozen_covariances": covariances}
    return mixture_of(estimator, MIXTURE_TYPES.get(kind, kind), **kept)


def mixture_of(estimator: Any, family: str, **more: Any) -> EmSpec:
    """GaussianMixture of a family by its letters: how EM goes about it."""
    keywords: dict[str, Any] = {
        "stop": estimator.stop,
        "tolerance": float(estimator.tol),
        "iterations": min(int(estimator.max_iter), 2**32 - 1),
        "on_empty": estimator.on_empty,
        "outliers": estimator.outliers,
        **more,
    }
    if family == "unit":
        # Nothing but means is estimated, so there is nothing to add to or to guard.
        return EmSpec(Spec(family), assign="hard", priors="uniform", **keywords)
    ridge, guard = float(estimator.reg_covar), float(estimator.guard)
    return EmSpec(Spec(family, ridge=ridge, ridge_of="raw", guard=guard), **keywords)


def bayesian(estimator: Any, prior: dict[str, Any]) -> BayesSpec:
    """BayesianGaussianMixture: how variational Bayes goes about it."""
    family = MIXTURE_TYPES[estimator.covariance_type]
    process = estimator.weight_concentration_prior_type == "dirichlet_process"
    return BayesSpec(
        Spec(family, ridge=float(estimator.reg_covar), ridge_of="raw"),
        weights="process" if process else "dirichlet",
        stop=estimator.stop,
        tolerance=float(estimator.tol),
        iterations=min(int(estimator.max_iter), 2**32 - 1),
        **prior,
    )


def frozen(estimator: Any) -> tuple[list[bool], list[bool]]:
    """GaussianMixture: which means and which covariances stay as they are given."""
    asked, count = estimator.frozen, estimator.n_components
    if asked is None:
        return [], []
    if isinstance(asked, str):
        asked = dict.fromkeys(("means", "covariances") if asked == "both" else (asked,), True)
    if unknown := [name for name in asked if name not in ("means", "covariances")]:
        raise ValueError(f"frozen takes 'means' and 'covariances', not {unknown[0]!r}")
    kept = []
    for name, given in (("means", "means_init"), ("covariances", "precisions_init")):
        which = asked.get(name, False)
        places = range(count) if which is True else ([] if which is False else list(which))
        if places and all(isinstance(k, bool | np.bool_) for k in places):
            if len(places) != count:
                raise ValueError(f"frozen {name}: {len(places)} flags for {count} components")
            places = [k for k in range(count) if places[k]]
        if wrong := [k for k in places if not 0 <= k < count]:
            raise ValueError(f"frozen {name}: there is no component {wrong[0]} of {count}")
        if places and getattr(estimator, given) is None and not estimator.warm_start:
            raise ValueError(f"frozen {name} stay as they are given: {given} gives them")
        kept.append([k in places for k in range(count)] if places else [])
    return kept[0], kept[1]


def start_word(init_params: str) -> str:
    """GaussianMixture: where EM starts."""
    return "random-rows" if init_params == "random_from_data" else init_params


def linear(estimator: Any) -> tuple[Spec, Spec]:
    """LinearDiscriminantAnalysis: what its sums must allow, and how its model is estimated."""
    if estimator.solver == "svd":
        if estimator.shrinkage is not None:
            raise NotImplementedError("shrinkage not supported with 'svd' solver.")
        if estimator.covariance_estimator is not None:
            raise ValueError(
                "covariance estimator is not supported with svd solver. Try another solver"
            )
        if estimator.tol >= 1:
            raise ValueError(
                f"tol must be below 1, the deviation of a standardised feature, not {estimator.tol}"
            )
        spec = Spec("EEE", on_singular="range", range_above=float(estimator.tol))
        by_priors = estimator.store_covariance and estimator.priors is not None
        return (Spec("EEE", pooling="priors") if by_priors else spec), spec
    _only_one(estimator)
    spec = Spec(
        "EEE",
        pooling="size" if estimator.priors is None else "priors",
        shrinkage=estimator.shrinkage,
        on_singular="range" if estimator.solver == "lsqr" else "refuse",
    )
    return spec, spec


def quadratic(estimator: Any) -> Spec:
    """QuadraticDiscriminantAnalysis: how its model is estimated."""
    if estimator.solver == "svd":
        if estimator.shrinkage is not None:
            raise NotImplementedError("shrinkage not supported with 'svd' solver.")
        if estimator.covariance_estimator is not None:
            raise ValueError(
                "covariance_estimator is not supported with solver='svd'. Try solver='eigen' "
                "instead."
            )
        if estimator.reg_param > 0:
            return Spec("VVV", shrinkage=float(estimator.reg_param), shrink_to="unit")
        return Spec("VVV")
    _only_one(estimator)
    if estimator.reg_param != 0:
        warn("reg_param has no effect with solver='eigen': use shrinkage")
    return Spec("VVV", shrinkage=estimator.shrinkage)


def naive_bayes(estimator: Any) -> Spec:
    """GaussianNB: how its model is estimated."""
    return Spec("VVI", ridge=float(estimator.var_smoothing), ridge_of="widest")


def softmax(estimator: Any) -> SoftmaxSpec:
    """SoftmaxRegression: how its coefficients are found."""
    penalty = 1.0 / float(estimator.C)
    return SoftmaxSpec(penalty, float(estimator.tol), min(int(estimator.max_iter), 2**32 - 1))


# What a part of a product says that has nothing of the kind.
PART: dict[str, Any] = {"above": 0.0, "least": [], "complement": False, "norm": False}
_ALPHA_LEAST = 1e-10


def smoothing(estimator: Any, columns: int) -> Any:
    """Discrete naive Bayes: what is added to every count, one number or one for each column."""
    alpha = estimator.alpha
    if not isinstance(alpha, Real):
        alpha = np.asarray(alpha, dtype=np.float64)
        if alpha.shape != (columns,):
            raise ValueError(
                "When alpha is an array, it should contains `n_features`. "
                f"Got {alpha.size} elements instead of {columns}."
            )
        if (alpha < 0).any():
            raise ValueError("All values in alpha must be greater than 0.")
    if np.min(alpha) < _ALPHA_LEAST and not estimator.force_alpha:
        warn(
            "alpha too small will result in numeric errors, setting alpha ="
            f" {_ALPHA_LEAST:.1e}. Use `force_alpha=True` to keep alpha unchanged."
        )
        alpha = np.maximum(alpha, _ALPHA_LEAST)
    return float(alpha) if np.ndim(alpha) == 0 else alpha.tolist()


def least_categories(estimator: Any, columns: int) -> list[int]:
    """CategoricalNB: how many categories each column has at least."""
    if estimator.min_categories is None:
        return []
    least = np.asarray(estimator.min_categories)
    if not np.issubdtype(least.dtype, np.signedinteger):
        raise ValueError(f"'min_categories' should have integral type. Got {least.dtype} instead.")
    if least.ndim and least.shape != (columns,):
        raise ValueError(
            f"'min_categories' should have shape ({columns},) when an array-like is provided. Got"
            f" {least.shape} instead."
        )
    return [int(each) for each in np.broadcast_to(np.maximum(least, 0), (columns,))]


def _only_one(estimator: Any) -> None:
    if estimator.covariance_estimator is not None and estimator.shrinkage:
        raise ValueError(
            "covariance_estimator and shrinkage parameters are not None. Only one of the two can "
            "be set."
        )


def discriminant_priors(priors: Any, classes: Any) -> Any:
    """Priors of the discriminant analyses: a sum other than one is mended with a warning."""
    if priors is None:
        return "observed"
    given = _given(priors, classes)
    if (given < 0).any():
        raise ValueError("priors must be non-negative")
    if abs(given.sum() - 1.0) > 1e-5:
        warn("The priors do not sum to 1. Renormalizing")
    return _normalised(given)


def naive_bayes_priors(priors: Any, classes: Any) -> Any:
    """Priors of GaussianNB: a sum other than one is refused."""
    if priors is None:
        return "observed"
    given = _given(priors, classes)
    if not np.isclose(given.sum(), 1.0):
        raise ValueError("The sum of the priors should be 1.")
    if (given < 0).any():
        raise ValueError("Priors must be non-negative.")
    return _normalised(given)


def nearest_centroid_priors(priors: Any, classes: Any) -> Any:
    """Priors of NearestCentroid: words, or numbers whose sum is mended with a warning."""
    if isinstance(priors, str):
        return "observed" if priors == "empirical" else priors
    given = _given(priors, classes)
    if (given < 0).any():
        raise ValueError("priors must be non-negative")
    if not np.isclose(given.sum(), 1.0):
        warn("The priors do not sum to 1. Normalizing such that it sums to one.")
    return _normalised(given)


def _given(priors: Any, classes: Any) -> Any:
    given = np.asarray(priors, dtype=np.float64)
    if given.shape != (len(classes),):
        raise ValueError(
            f"Number of priors must match number of classes: {given.size} for {len(classes)}."
        )
    return given


def _normalised(given: Any) -> Any:
    total = given.sum()
    if not (np.isfinite(total) and total > 0):
        raise ValueError(f"priors must have a positive, finite sum, not {total}")
    return given / total
