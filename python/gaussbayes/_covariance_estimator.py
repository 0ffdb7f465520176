"""Lets an estimator of the user's own estimate class covariances."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_array

from . import _core
from ._tables import Rows


def class_covariances(estimator: Any, fit: Any, *, shared: bool) -> _core.Model:
    """Fit `covariance_estimator` to the rows of each class; the core keeps means and priors."""
    if fit.table.weights is not None:
        raise ValueError("a covariance_estimator takes no sample_weight\nhint: use shrinkage")
    X, codes = _dense(fit.table.rows), _codes(fit)
    found = [
        fitted_covariance(clone(estimator.covariance_estimator, safe=False), X[codes == k])
        for k in range(len(fit.statistics.classes))
    ]
    names = fit.table.rows.feature_names()
    plain = fit.statistics.model(_core.Spec("unit"), fit.priors, names, any_classes=True)
    weights = plain.priors()
    if shared:
        found = [sum(w * np.atleast_2d(one) for w, one in zip(weights, found, strict=True))]
    covariances = np.stack([np.atleast_2d(one) for one in found]).astype(np.float64)
    return _core.Model.given(plain.means(), covariances, list(weights), plain.classes, names)


def fitted_covariance(estimator: Any, X: Any) -> Any:
    """Return the covariance that an estimator finds."""
    estimator.fit(_dense(X) if isinstance(X, Rows) else X)
    if not hasattr(estimator, "covariance_"):
        raise ValueError(f"{type(estimator).__name__} does not have a covariance_ attribute")
    return np.atleast_2d(estimator.covariance_).astype(np.float64)


def _dense(rows: Rows) -> Any:
    if isinstance(rows.core, np.ndarray):
        return check_array(rows.core, input_name="X")
    if isinstance(rows.core, list):
        return check_array(np.column_stack(rows.core), input_name="X")
    raise ValueError("a covariance_estimator needs rows in memory\nhint: give a numpy array")


def _codes(fit: Any) -> Any:
    """Return the component of each row."""
    return _core.codes(fit.table.labels.core, fit.statistics.classes)
