"""Gaussian naive Bayes as scikit-learn has it, with batches that equal one fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core, _sklearn_names
from ._explained import Explained
from ._learner import Fit, Joint
from ._modelled import Array
from ._moments import FromMoments


class GaussianNB(Explained, Joint, FromMoments):
    """Gaussian naive Bayes: a variance for each feature and class, no correlations.

    A drop-in for scikit-learn's class of the same name (version 1.9.1) whose ``partial_fit`` equals
    one ``fit``: the smoothing is found from all rows, not batch by batch.

    Parameters
    ----------
    priors : array-like of shape (n_classes,), default=None
        Class priors; by default the share of each class in the rows.
    var_smoothing : float, default=1e-9
        Share of the largest variance of all features that is added to every variance.

    Attributes
    ----------
    class_count_ : ndarray of shape (n_classes,)
        Summed weight of each class.
    class_prior_ : ndarray of shape (n_classes,)
        Class priors.
    classes_ : ndarray of shape (n_classes,)
        Classes.
    epsilon_ : float
        What was added to every variance.
    theta_ : ndarray of shape (n_classes, n_features)
        Class means.
    var_ : ndarray of shape (n_classes, n_features)
        Variances, with ``epsilon_``.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where all of them had one.

    Examples
    --------
    >>> from gaussbayes import GaussianNB, datasets
    >>> X, y = datasets.load_iris(return_X_y=True)
    >>> nb = GaussianNB().fit(X, y)
    >>> nb.score(X, y)
    0.96
    >>> halves = GaussianNB().partial_fit(X[::2], y[::2], classes=[0, 1, 2])
    >>> bool((halves.partial_fit(X[1::2], y[1::2]).theta_.round(9) == nb.theta_.round(9)).all())
    True
    """

    _any_classes = True
    _classes_first = True
    _object_classes = False
    _parameter_constraints: dict[str, Any] = _sklearn_names.NAIVE_BAYES_CONSTRAINTS

    def __init__(self, *, priors: Any = None, var_smoothing: float = 1e-9) -> None:
        self.priors = priors
        self.var_smoothing = var_smoothing

    def _specifications(self) -> tuple[_core.Spec, _core.Spec]:
        spec = _sklearn_names.naive_bayes(self)
        return spec, spec

    def _priors(self, classes: Array) -> Array | str:
        return _sklearn_names.naive_bayes_priors(self.priors, classes)

    def _readings(self, model: _core.Model, fit: Fit) -> dict[str, Any]:
        report = model.report() or {}
        epsilon = float(report.get("ridge") or 0.0)
        # Priors that were given are those of classes without rows too.
        given = fit.per_class(model.priors()) if self.priors is None else self.priors
        return {
            "theta_": fit.per_class(model.means()),
            "var_": fit.per_class(model.variances(), epsilon),
            "class_count_": fit.per_class(fit.statistics.weights()),
            "class_prior_": np.asarray(given).astype(fit.dtype),
            "epsilon_": fit.dtype.type(epsilon),
        }
