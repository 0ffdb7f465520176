"""Reads the prior that a user gives a Bayesian mixture, and refuses what is none."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._mixture_given import check_shape, numbers

Array = np.ndarray[Any, Any]


def read_prior(estimator: Any, columns: int) -> dict[str, Any]:
    """Return what is given of the prior as the core takes it, with scikit-learn's refusals."""
    mean, freedom = estimator.mean_prior, estimator.degrees_of_freedom_prior
    if mean is not None:
        mean = numbers(mean)
        check_shape(mean, (columns,), "means")
        mean = mean.tolist()
    if freedom is not None and not freedom > columns - 1.0:
        raise ValueError(
            "The parameter 'degrees_of_freedom_prior' should be greater than "
            f"{columns - 1}, but got {freedom:.3f}."
        )
    return {
        "concentration": _real(estimator.weight_concentration_prior),
        "mean_precision": _real(estimator.mean_precision_prior),
        "mean": mean,
        "degrees_of_freedom": _real(freedom),
        "covariance": _covariance(estimator.covariance_prior, estimator.covariance_type, columns),
    }


def prior_readings(estimator: Any, prior: dict[str, Any]) -> dict[str, Any]:
    """Return the public attributes of a prior; what was given is shown as it was."""
    kind, columns = estimator.covariance_type, estimator.n_features_in_

    def shown(name: str, usual: Any) -> Any:
        given = getattr(estimator, name)
        return usual if given is None else given

    covariance = _matrix(prior["covariance"], kind, columns)
    return {
        "weight_concentration_prior_": shown("weight_concentration_prior", prior["concentration"]),
        "mean_precision_prior_": shown("mean_precision_prior", prior["mean_precision"]),
        "mean_prior_": prior["mean"],
        "degrees_of_freedom_prior_": shown("degrees_of_freedom_prior", columns),
        "covariance_prior_": covariance,
    }


def _matrix(values: Array, kind: str, columns: int) -> Any:
    """Return a prior covariance of the core in the shape that scikit-learn shows it in."""
    if kind in ("full", "tied"):
        matrix = np.zeros((columns, columns))
        matrix[np.tril_indices(columns)] = values
        return matrix + np.tril(matrix, -1).T
    return values if kind == "diag" else values[0]


def _real(value: Any) -> float | None:
    return None if value is None else float(value)


def _covariance(given: Any, kind: str, columns: int) -> list[float] | None:
    if given is None:
        return None
    name = f"{kind} covariance_prior"
    if kind == "spherical":
        if np.ndim(given) != 0:
            check_shape(np.asarray(given), (), name)
        return [float(given)]
    values = numbers(given)
    if kind == "diag":
        check_shape(values, (columns,), name)
        if (values <= 0).any():
            raise ValueError(f"'{kind} precision' should be positive")
        return [float(value) for value in values]
    check_shape(values, (columns, columns), name)
    try:
        _core.Model.given(
            np.zeros((1, columns)),
            np.ascontiguousarray(values[None]),
            [1.0],
            ["1"],
            [f"x{j}" for j in range(columns)],
        )
    except ValueError as error:
        raise ValueError(
            f"'{kind} precision' should be symmetric, positive-definite\n{error}"
        ) from error
    return [float(value) for value in values[np.tril_indices(columns)]]
