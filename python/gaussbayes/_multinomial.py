"""Multinomial and complement naive Bayes as scikit-learn has them: how often things are counted."""

from __future__ import annotations

from typing import Any

from . import _core, _sklearn_names
from ._counting import Counting, counted
from ._learner import Fit
from ._modelled import Array
from ._shift import Shifting


class MultinomialNB(Counting, Shifting):
    """Naive Bayes of counts: each class has its own shares of the columns, such as words.

    A drop-in for scikit-learn's class of the same name (version 1.9.1). Sparse rows stay sparse.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        What is added to each count.
    force_alpha : bool, default=True
        Whether an alpha below 1e-10 is taken as it is; otherwise it is 1e-10.
    fit_prior : bool, default=True
        Whether class priors are the shares of the classes in the rows; otherwise all are equal.
    class_prior : array-like of shape (n_classes,), default=None
        Class priors, whatever the rows are.

    Attributes
    ----------
    class_count_ : ndarray of shape (n_classes,)
        Summed weight of each class.
    class_log_prior_ : ndarray of shape (n_classes,)
        Logarithms of the class priors.
    classes_ : ndarray of shape (n_classes,)
        Classes.
    feature_count_ : ndarray of shape (n_classes, n_features)
        Summed counts.
    feature_log_prob_ : ndarray of shape (n_classes, n_features)
        Logarithms of the shares of the columns in each class.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where all of them had one.

    Examples
    --------
    >>> from gaussbayes import MultinomialNB
    >>> X, y = [[3, 0, 1], [2, 1, 0], [0, 4, 1]], ["sport", "sport", "trade"]
    >>> MultinomialNB().fit(X, y).predict([[1, 0, 0], [0, 2, 1]]).tolist()
    ['sport', 'trade']
    """

    _parameter_constraints: dict[str, Any] = _sklearn_names.DISCRETE_CONSTRAINTS

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _kind(self, columns: int) -> dict[str, Any]:
        return {"kind": "count"}

    def _tables(self, model: _core.Model, fit: Fit) -> dict[str, Array]:
        return counted(model, fit)


class ComplementNB(Counting):
    """Naive Bayes of counts that speak against a class, by their shares in all other classes.

    A drop-in for scikit-learn's class of the same name (version 1.9.1). Sparse rows stay sparse.
    It is meant for classes of very different size. Its scores are no probabilities of rows, and
    priors do not count.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        What is added to each count.
    force_alpha : bool, default=True
        Whether an alpha below 1e-10 is taken as it is; otherwise it is 1e-10.
    fit_prior : bool, default=True
        Matters only where there is a single class.
    class_prior : array-like of shape (n_classes,), default=None
        Matters only where there is a single class.
    norm : bool, default=False
        Whether the weights of a class are divided by their sum.

    Attributes
    ----------
    class_count_ : ndarray of shape (n_classes,)
        Summed weight of each class.
    class_log_prior_ : ndarray of shape (n_classes,)
        Logarithms of the class priors.
    classes_ : ndarray of shape (n_classes,)
        Classes.
    feature_all_ : ndarray of shape (n_features,)
        Summed counts of all classes.
    feature_count_ : ndarray of shape (n_classes, n_features)
        Summed counts.
    feature_log_prob_ : ndarray of shape (n_classes, n_features)
        What one count of a column says for each class.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where all of them had one.

    Examples
    --------
    >>> from gaussbayes import ComplementNB
    >>> X, y = [[3, 0, 1], [2, 1, 0], [0, 4, 1]], ["sport", "sport", "trade"]
    >>> ComplementNB().fit(X, y).predict([[1, 0, 0], [0, 2, 1]]).tolist()
    ['sport', 'trade']
    """

    _parameter_constraints: dict[str, Any] = _sklearn_names.COMPLEMENT_CONSTRAINTS

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        norm: bool = False,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.norm = norm

    def _kind(self, columns: int) -> dict[str, Any]:
        return {"kind": "count", "complement": True, "norm": bool(self.norm)}

    def _tables(self, model: _core.Model, fit: Fit) -> dict[str, Array]:
        tables = counted(model, fit)
        return {**tables, "feature_all_": tables["feature_count_"].sum(axis=0)}
