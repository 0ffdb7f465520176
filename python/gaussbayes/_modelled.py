"""Holds what every estimator over a model has: being fitted, and being asked about rows."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any, TypeVar, cast

import numpy as np
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


def validated(method: Method) -> Method:
    """Check parameters as scikit-learn does before a fit."""
    return cast(Method, _fit_context(prefer_skip_nested_validation=True)(method))


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
