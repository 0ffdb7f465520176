"""Holds what every estimator over a model has: being fitted, and being asked about rows."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache, wraps
from operator import index
from typing import Any, TypeVar, cast

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, _fit_context
from sklearn.exceptions import NotFittedError
from sklearn.utils import estimator_html_repr

from . import _core
from ._export import Exported
from ._html import with_table
from ._names import check_names
from ._tables import Rows, read_rows

Array = np.ndarray[Any, Any]
Method = TypeVar("Method", bound=Callable[..., Any])


# Values that cannot change: what was found valid of them stays so.
_PLAIN = (type(None), bool, int, float, str)
_MOST_KEPT = 1000
_valid: set[tuple[Any, ...]] = set()


@cache
def _parameters(kind: Any) -> tuple[str, ...]:
    """Return the names of an estimator's parameters."""
    return tuple(inspect.signature(kind).parameters)


def _plain_values(estimator: Any) -> tuple[Any, ...] | None:
    """Return the values of all parameters with their types, if none can become invalid."""
    own: Any = type(estimator)
    values = [getattr(estimator, name) for name in _parameters(own)]
    kinds = [type(value) for value in values]
    for place, kind in enumerate(kinds):
        if kind is np.ndarray:
            # No more is asked of an array before it is read.
            values[place] = values[place].ndim
        elif kind not in _PLAIN:
            return None
    return (own, *kinds, *values)


def validated(method: Method) -> Method:
    """Check parameters as scikit-learn does before a fit, once for values that cannot change."""
    checked = _fit_context(prefer_skip_nested_validation=True)(method)

    @wraps(method)
    def fitted(estimator: Any, *args: Any, **kwargs: Any) -> Any:
        values = _plain_values(estimator)
        if values in _valid:
            return method(estimator, *args, **kwargs)
        found = checked(estimator, *args, **kwargs)
        if values is not None and not get_config()["skip_parameter_validation"]:
            if len(_valid) >= _MOST_KEPT:
                _valid.clear()
            _valid.add(values)
        return found

    return cast(Method, fitted)


class Modelled(Exported, BaseEstimator):
    """An estimator that answers by a model of the core."""

    # Whether sparse rows are taken.
    _sparse = True

    _model: _core.Model
    # The precision of the rows that it was fitted to.
    _dtype: np.dtype[Any]
    n_features_in_: int

    def __sklearn_is_fitted__(self) -> bool:
        return getattr(self, "_model", None) is not None

    def _fitted(self) -> _core.Model:
        """Return the model, if there is one."""
        model = getattr(self, "_model", None)
        if model is not None:
            return model
        name, waiting = type(self).__name__, getattr(self, "_waiting", None)
        if waiting is not None:
            raise NotFittedError(f"{name} has not seen enough rows yet: {waiting[1]}")
        raise NotFittedError(
            f"This {name} instance is not fitted yet. Call 'fit' with appropriate arguments before "
            "using this estimator."
        )

    def _asked(self, X: Any) -> tuple[_core.Model, Rows]:
        """Return the model and the rows that it is asked about."""
        model = self._fitted()
        rows = read_rows(self, X)
        check_names(self, rows.names, rows.columns)
        return model, rows

    def _feature(self, feature: Any) -> int:
        """Return the number of a feature, which is given by number or name."""
        names = self._fitted().features
        if isinstance(feature, str):
            if feature in names:
                return names.index(feature)
        elif hasattr(feature, "__index__") and 0 <= index(feature) < len(names):
            return index(feature)
        raise ValueError(
            f"there is no feature {feature!r}\n"
            f"hint: the features are {names}, or by number 0 to {len(names) - 1}"
        )

    def _narrow(self, rows: Rows) -> bool:
        """Return whether answers about these rows are in single precision, as model and rows."""
        return rows.single and self._dtype == np.float32

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._sparse
        return tags

    def _html_repr(self) -> str:
        return with_table(self, estimator_html_repr(self))
