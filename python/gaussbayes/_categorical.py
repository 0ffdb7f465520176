"""Categorical naive Bayes as scikit-learn has it: each column holds codes from 0 on."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core, _sklearn_names
from ._counting import Counting
from ._learner import Fit
from ._shift import Shifting


class CategoricalNB(Counting, Shifting):
    """Naive Bayes of categories that are written as whole numbers from 0 on.

    A drop-in for scikit-learn's class of the same name (version 1.9.1). A code that no row of the
    fit had says nothing. Categories by their names are for MixedNB.

    Parameters
    ----------
    alpha : float, default=1.0
        What is added to the number of rows of each category.
    force_alpha : bool, default=True
        Whether an alpha below 1e-10 is taken as it is; otherwise it is 1e-10.
    fit_prior : bool, default=True
        Whether class priors are the shares of the classes in the rows; otherwise all are equal.
    class_prior : array-like of shape (n_classes,), default=None
        Class priors, whatever the rows are.
    min_categories : int or array-like of shape (n_features,), default=None
        How many categories there are at least; by default as many as the largest code says.

    Attributes
    ----------
    category_count_ : list of ndarray of shape (n_classes, n_categories)
        Summed weight of each category, column by column.
    class_count_ : ndarray of shape (n_classes,)
        Summed weight of each class.
    class_log_prior_ : ndarray of shape (n_classes,)
        Logarithms of the class priors.
    classes_ : ndarray of shape (n_classes,)
        Classes.
    feature_log_prob_ : list of ndarray of shape (n_classes, n_categories)
        ln P(category | class), column by column.
    n_categories_ : ndarray of shape (n_features,)
        Number of categories.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where all of them had one.

    Examples
    --------
    >>> from gaussbayes import CategoricalNB
    >>> X, y = [[0, 2], [1, 0], [1, 1], [2, 1]], [0, 0, 1, 1]
    >>> CategoricalNB().fit(X, y).predict([[0, 0], [2, 1]]).tolist()
    [0, 1]
    """

    _sparse = False
    _parameter_constraints: dict[str, Any] = _sklearn_names.CATEGORICAL_CONSTRAINTS

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        min_categories: Any = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories

    def _kind(self, columns: int) -> dict[str, Any]:
        return {"kind": "code", "least": _sklearn_names.least_categories(self, columns)}

    def _tables(self, model: _core.Model, fit: Fit) -> dict[str, Any]:
        (counts,) = fit.statistics.counts()
        logs = [factor["log_prob"] for factor in _core.factors(model)]
        # Categories behind the last that was met have no rows.
        whole = [
            np.pad(table, ((0, 0), (0, log.shape[1] - table.shape[1])))
            for table, log in zip(counts, logs, strict=True)
        ]
        return {
            "category_count_": [fit.placed(table) for table in whole],
            "feature_log_prob_": [fit.placed(log) for log in logs],
            "n_categories_": np.array([log.shape[1] for log in logs], dtype=np.int64),
        }

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        return tags
