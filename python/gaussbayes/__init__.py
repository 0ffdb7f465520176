"""Gaussian Bayes classifiers with scikit-learn's interface, over one Rust core.

Names are looked up when they are first used, so that ``import gaussbayes`` itself is quick.
"""

from __future__ import annotations

from importlib import import_module

_HOMES = {
    "BayesianGaussianMixture": "_bayesian_mixture",
    "BernoulliNB": "_bernoulli",
    "CategoricalNB": "_categorical",
    "ComplementNB": "_multinomial",
    "Files": "_file_tables",
    "Gaussian": "_gaussian",
    "GaussianClassifier": "_gaussian_classifier",
    "GaussianMixture": "_mixture",
    "GaussianNB": "_naive_bayes",
    "LinearDiscriminantAnalysis": "_linear",
    "MixedNB": "_mixed",
    "MixtureClassifier": "_mixture_classifier",
    "MixtureSearch": "_mixture_search",
    "Moments": "_moments",
    "MultinomialNB": "_multinomial",
    "NearestCentroid": "_nearest_centroid",
    "Picture": "_picture",
    "QuadraticDiscriminantAnalysis": "_quadratic",
    "SoftmaxRegression": "_softmax",
    "compare": "_comparing",
    "cross_validate": "_judging",
    "datasets": "datasets",
    "figure": "_gallery",
    "figures": "_gallery",
    "load": "_files",
    "save": "_files",
}

__all__ = [
    "BayesianGaussianMixture",
    "BernoulliNB",
    "CategoricalNB",
    "ComplementNB",
    "Files",
    "Gaussian",
    "GaussianClassifier",
    "GaussianMixture",
    "GaussianNB",
    "LinearDiscriminantAnalysis",
    "MixedNB",
    "MixtureClassifier",
    "MixtureSearch",
    "Moments",
    "MultinomialNB",
    "NearestCentroid",
    "Picture",
    "QuadraticDiscriminantAnalysis",
    "SoftmaxRegression",
    "compare",
    "cross_validate",
    "datasets",
    "figure",
    "figures",
    "load",
    "save",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("gaussbayes")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'gaussbayes' has no attribute {name!r}")
    # First, and from as few calls deep as can be: where the stack of calls crosses from one chunk of
    # CPython's memory to the next, each call maps and unmaps one. A dozen calls deeper costs 0.1 s.
    import sklearn.base  # noqa: F401

    module = import_module(f"{__name__}.{home}")
    value = module if home == name else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
