"""Bernoulli naive Bayes as scikit-learn has it: a probability of yes for each column and class."""

from __future__ import annotations

from typing import Any

from . import _core, _sklearn_names
from ._counting import Counting, counted
from ._learner import Fit
from ._modelled import Array
from ._shift import Shifting
from ._tables import Rows, Table


class BernoulliNB(Counting, Shifting):
    """Naive Bayes of flags: each column is yes or no, with a probability for each class.

    A drop-in for scikit-learn's class of the same name (version 1.9.1).

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        What is added to the number of rows with yes and to that with no.
    force_alpha : bool, default=True
        Whether an alpha below 1e-10 is taken as it is; otherwise it is 1e-10.
    binarize : float or None, default=0.0
        Numbers above it mean yes. None if all numbers are 0 or 1.
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
        Summed weight of the rows with yes.
    feature_log_prob_ : ndarray of shape (n_classes, n_features)
        ln P(yes | class).
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where all of them had one.

    Examples
    --------
    >>> from gaussbayes import BernoulliNB
    >>> X, y = [[0, 1], [1, 1], [1, 0], [1, 0]], ["a", "a", "b", "b"]
    >>> nb = BernoulliNB().fit(X, y)
    >>> nb.predict_proba([[1, 1]]).round(3).tolist()
    [[0.667, 0.333]]
    """

    _negative = True
    _parameter_constraints: dict[str, Any] = _sklearn_names.BERNOULLI_CONSTRAINTS

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: Any = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.binarize = binarize
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _kind(self, columns: int) -> dict[str, Any]:
        above = 0.0 if self.binarize is None else float(self.binarize)
        return {"kind": "flag", "above": above}

    def _specified(self, table: Table) -> tuple[_core.ProductSpec, _core.ProductSpec]:
        self._check_flags(table.rows)
        return super()._specified(table)

    def _asked(self, X: Any) -> tuple[_core.Model, Rows]:
        model, rows = super()._asked(X)
        self._check_flags(rows)
        return model, rows

    def _check_flags(self, rows: Rows) -> None:
        if self.binarize is None:
            _core.only_flags(rows.core)

    def _tables(self, model: _core.Model, fit: Fit) -> dict[str, Array]:
        return counted(model, fit)
