"""Reads the parameters that a user starts a mixture from, and refuses those that make none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_array

from . import _core

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Given:
    """What is given of the first parameters; covariances are one for all, or one per component."""

    weights: Array | None
    means: Array | None
    covariances: Array | None

    @property
    def complete(self) -> bool:
        """Whether nothing is left to be found."""
        return not any(part is None for part in (self.weights, self.means, self.covariances))

    def model(self, start: _core.Model | None, features: list[str]) -> _core.Model:
        """Return the model to start from: what is given, the rest from another."""
        if start is not None and self.weights is self.means is self.covariances is None:
            return start
        weights, means, covariances = self.weights, self.means, self.covariances
        if start is not None:
            if weights is None:
                # Noise begins with a share of its own.
                shares = start.shares()
                weights = shares / shares.sum()
            means = start.means() if means is None else means
            if covariances is None:
                count = 1 if start.shared else start.components
                covariances = np.stack([start.covariance(k) for k in range(count)])
        assert weights is not None and means is not None and covariances is not None
        return _model(means, covariances, weights, features)


def read_given(estimator: Any, columns: int) -> Given:
    """Read the parameters of an estimator that are given."""
    count, kind = estimator.n_components, estimator.covariance_type
    weights, means, covariances = None, None, None
    if estimator.weights_init is not None:
        weights = _weights(estimator.weights_init, count)
    if estimator.means_init is not None:
        means = numbers(estimator.means_init)
        check_shape(means, (count, columns), "means")
    if estimator.precisions_init is not None:
        covariances = _covariances(estimator.precisions_init, kind, count, columns)
    return Given(weights, means, covariances)


def _model(means: Array, covariances: Array, weights: Array, features: list[str]) -> _core.Model:
    count = len(means)
    if len(covariances) != 1 and count == 1:
        covariances = covariances[:1]
    return _core.Model.given(
        np.ascontiguousarray(means),
        np.ascontiguousarray(covariances),
        list(map(float, weights)),
        [str(k + 1) for k in range(count)],
        features,
    )


def numbers(values: Any, *, allow_nd: bool = False) -> Array:
    """Return given numbers as scikit-learn checks them."""
    if type(values) is np.ndarray and values.dtype == np.float64:
        # Then there is nothing to refuse or to change.
        if 1 <= values.ndim <= 2 + allow_nd and values.size and np.isfinite(values).all():
            return values
    checked = check_array(
        values, dtype=[np.float64, np.float32], ensure_2d=False, allow_nd=allow_nd
    )
    return np.asarray(checked, dtype=np.float64)


def check_shape(values: Array, shape: tuple[int, ...], name: str) -> None:
    """Refuse numbers in another shape, in scikit-learn's words."""
    if values.shape != shape:
        raise ValueError(
            f"The parameter '{name}' should have the shape of {shape}, but got {values.shape}"
        )


def _weights(given: Any, count: int) -> Array:
    weights = numbers(given)
    check_shape(weights, (count,), "weights")
    if (weights < 0).any() or (weights > 1).any():
        raise ValueError(
            "The parameter 'weights' should be in the range [0, 1], but got max value "
            f"{weights.max():.5f}, min value {weights.min():.5f}"
        )
    total = weights.sum()
    near = 1e-6 if getattr(given, "dtype", None) == np.float32 else 1e-8
    if abs(1.0 - total) > near:
        raise ValueError(
            f"The parameter 'weights' should be normalized, but got sum(weights) = {total:.5f}"
        )
    return weights / total


def _covariances(given: Any, kind: str, count: int, columns: int) -> Array:
    """Return the inverses of given precisions."""
    precisions = numbers(given, allow_nd=kind not in ("tied", "diag", "spherical"))
    shapes = {
        "tied": (columns, columns),
        "diag": (count, columns),
        "spherical": (count,),
    }
    shape = shapes.get(kind, (count, columns, columns))
    check_shape(precisions, shape, f"{kind} precision")
    if kind in ("diag", "spherical"):
        if (precisions <= 0).any():
            raise ValueError(f"'{kind} precision' should be positive")
        each = precisions if kind == "diag" else np.repeat(precisions[:, None], columns, axis=1)
        matrices = each[:, :, None] * np.eye(columns)
    else:
        matrices = precisions[None] if kind == "tied" else precisions
    features = [f"x{j}" for j in range(columns)]
    means = np.zeros((len(matrices), columns))
    try:
        # A precision is the covariance of a mixture whose precision is the covariance.
        turned = _model(means, matrices, np.full(len(means), 1.0 / len(means)), features)
    except ValueError as error:
        raise ValueError(
            f"'{kind} precision' should be symmetric, positive-definite\n{error}"
        ) from error
    return np.stack([_core.precision(turned, k) for k in range(len(matrices))])
