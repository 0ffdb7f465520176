"""Reads a model as a GaussianClassifier shows it, and says what its user should know."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from . import _core
from ._warning import warn


def parameters(model: _core.Model, fit: Any) -> dict[str, Any]:
    """Return priors, means and covariances in class order."""
    covariances = np.stack([model.covariance(k) for k in range(len(model.classes))])

    def placed(values: Any, absent: float) -> Any:
        return values if fit is None else fit.placed(values, absent)

    return {
        "priors_": placed(model.priors(), 0.0),
        "means_": placed(model.means(), np.nan),
        "covariances_": placed(covariances, np.nan),
        "report_": model.report() or {},
    }


def take_on(
    estimator: Any,
    model: _core.Model,
    classes: Any,
    names: Any,
    *,
    readings: dict[str, Any] | None = None,
) -> None:
    """Make an estimator one that was fitted to a model; `names` are of features, or None."""
    shown = parameters(model, None) if readings is None else readings
    state = shown | {
        "_read": tuple(shown),
        "_model": model,
        "_waiting": None,
        "_places": None,
        "_declared": None,
        "_dtype": np.dtype(np.float64),
        "classes_": classes,
        "n_features_in_": len(model.features),
    }
    if names is not None:
        state["feature_names_in_"] = np.asarray(names, dtype=object)
    estimator.__dict__.update(state)


def advise(report: dict[str, Any], features: list[str]) -> None:
    """Say what was repaired, left out or not reached."""
    if report.get("wide") is not None:
        wide, narrow = (features[j] for j in report["wide"])
        warn(
            f"{wide!r} varies far more than {narrow!r}, and this family depends on the units: "
            "consider standardize=True"
        )
    if report.get("constant"):
        warn(f"features without spread: {[features[j] for j in report['constant']]}")
    if report.get("rank") is not None:
        warn(f"classes are told apart in {report['rank']} of {len(features)} directions only")
    steps, converged = report.get("convergence") or (0, True)
    if not converged:
        warn(f"the covariances have not converged in {steps} steps", ConvergenceWarning)
