"""Shows a fitted model as a table in a notebook."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from . import _core

_CLASSES = 12
_FEATURES = 8


def with_table(estimator: Any, diagram: str) -> str:
    """Put the model's table under the diagram of the estimator."""
    model = getattr(estimator, "_model", None)
    if model is None or _core.is_product(model):
        return diagram
    if _core.softmax_settings(model) is not None:
        return diagram + coefficient_table(estimator, model)
    return diagram + model_table(estimator, model)


def coefficient_table(estimator: Any, model: Any) -> str:
    """Return intercepts and coefficients of softmax regression as an HTML table."""
    classes, features = estimator.classes_, model.features[:_FEATURES]
    names = classes[1:] if len(classes) == 2 else classes[:_CLASSES]
    head = "".join(f"<th>{escape(str(name))}</th>" for name in ("class", "intercept", *features))
    lines = []
    for k, name in enumerate(names):
        cells = [estimator.intercept_[k], *estimator.coef_[k, :_FEATURES]]
        row = "".join(f"<td>{cell:.4g}</td>" for cell in cells)
        lines.append(f"<tr><td>{escape(str(name))}</td>{row}</tr>")
    left = [
        (len(estimator.intercept_) - len(names), "classes"),
        (len(model.features) - len(features), "features"),
    ]
    more = "; ".join(f"{count} more {what}" for count, what in left if count > 0)
    caption = "log-odds" if len(classes) == 2 else "scores"
    caption += ": what a unit of each feature adds" + (f"; {more} not shown" if more else "")
    return (
        f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table>"
    )


def model_table(estimator: Any, model: Any) -> str:
    """Return priors, means and deviations of classes, or of their components, as an HTML table."""
    places = getattr(estimator, "_places", None)
    mixed, owner = not hasattr(estimator, "classes_"), model.owner[: model.components]
    if mixed:
        rows: list[Any] = list(range(model.components))
    else:
        # A class of several components has a row for each.
        rows = [estimator.classes_[k if places is None else places[k]] for k in owner]
    classes = rows[:_CLASSES]
    several = not mixed and len(set(owner)) < len(owner)
    parts = mixed or several
    one, many = ("component", "components") if parts else ("class", "classes")
    family = "a mixture per class" if several else model.family
    features = model.features[:_FEATURES]
    priors, means, deviations = model.shares(), model.means(), np.sqrt(model.variances())
    titles = ["component" if mixed else "class", "weight" if parts else "prior", *features]
    head = "".join(f"<th>{escape(str(name))}</th>" for name in titles)
    lines = []
    for k, name in enumerate(classes):
        pairs = zip(means[k, :_FEATURES], deviations[k, :_FEATURES], strict=True)
        cells = [f"{mean:.4g} ± {deviation:.3g}" for mean, deviation in pairs]
        row = [escape(str(name)), f"{priors[k]:.4g}", *cells]
        lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>")
    shared = f"one covariance for all {many}" if model.shared else f"a covariance for each {one}"
    left = [
        (model.components - len(classes), many),
        (len(model.features) - len(features), "features"),
    ]
    more = "; ".join(f"{count} more {what}" for count, what in left if count > 0)
    caption = f"{escape(family)}: {shared}; mean ± standard deviation" + (
        f"; {more} not shown" if more else ""
    )
    return (
        f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table>"
    )
