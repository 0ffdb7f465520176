"""Reads a mixture as scikit-learn shows it, and says what its user should know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from . import _core
from ._warning import warn

Array = np.ndarray[Any, Any]


def shaped(
    model: _core.Model, covariance_type: str, matrix: Callable[[_core.Model, int], Array]
) -> Array:
    """Return one matrix per component in the shape that the covariance type has."""
    if covariance_type == "tied":
        return matrix(model, 0)
    matrices = np.stack([matrix(model, k) for k in range(model.components)])
    if covariance_type == "diag":
        return np.diagonal(matrices, axis1=1, axis2=2).copy()
    return matrices[:, 0, 0].copy() if covariance_type == "spherical" else matrices


def parameters(model: _core.Model, covariance_type: str, dtype: np.dtype[Any]) -> dict[str, Array]:
    """Return weights, means and covariances."""
    found = {
        "weights": model.shares(),
        "means": model.means(),
        "covariances": shaped(model, covariance_type, _core.Model.covariance),
    }
    return {name: values.astype(dtype, copy=False) for name, values in found.items()}


def readings(model: _core.Model, covariance_type: str, dtype: np.dtype[Any]) -> dict[str, Any]:
    """Return the public attributes of a mixture."""
    found: dict[str, Any] = {
        f"{name}_": value for name, value in parameters(model, covariance_type, dtype).items()
    }
    for name, matrix in [
        ("precisions_", _core.precision),
        ("precisions_cholesky_", _core.whitener),
    ]:
        found[name] = shaped(model, covariance_type, matrix).astype(dtype, copy=False)
    if model.noise is not None:
        found["noise_share_"], found["noise_volume_"] = model.noise
    if model.freedom is not None:
        found["degrees_of_freedom_"] = np.array(model.freedom)
    return found


def trajectory(
    em: _core.Em | _core.Bayes, covariance_type: str, dtype: np.dtype[Any]
) -> list[dict[str, Array]]:
    """Return the parameters before the first iteration and after each."""
    return [parameters(model, covariance_type, dtype) for model in em.trajectory()]


def advise(em: _core.Em | _core.Bayes, max_iter: int) -> None:
    """Say what was not reached, and what happened on the way."""
    if not em.converged and max_iter > 0:
        warn(
            "Best performing initialization did not converge. Try different init parameters, or "
            "increase max_iter, tol, or check for degenerate data.",
            ConvergenceWarning,
        )
    if isinstance(em, _core.Bayes):
        return
    if em.lifted:
        warn(
            f"components {em.lifted} would have collapsed: the guard keeps them at their least size"
        )
    if em.nearly_gaussian:
        warn(f"components {em.nearly_gaussian} have as good as no tails: Gaussians would do")
    for what, iteration, component in em.events:
        if what in ("dropped", "reseeded"):
            warn(f"iteration {iteration}: component {component:.0f} lost its rows and was {what}")
