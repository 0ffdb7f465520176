"""Keeps to the feature names and the number of features that an estimator was fitted with."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._warning import warn

_SHOWN = 5


def known_names(columns: Any) -> np.ndarray[Any, Any] | None:
    """Return names if all of them are text; a mixture with other types is refused."""
    names = list(columns)
    if len(set(names)) < len(names):
        twice = sorted({str(name) for name in names if names.count(name) > 1})
        raise ValueError(
            f"X has more than one column of the name {', '.join(map(repr, twice))}\n"
            "hint: give columns different names"
        )
    types = sorted({type(name).__qualname__ for name in names})
    if len(types) > 1 and "str" in types:
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your "
            f"input has {types} as feature name / column name types. If you want feature names to "
            "be stored and validated, you must convert them all to strings, by using X.columns = "
            "X.columns.astype(str) for example."
        )
    return np.asarray(names, dtype=object) if types == ["str"] else None


def check_names(estimator: Any, found: np.ndarray[Any, Any] | None, count: int) -> None:
    """Compare the features of new rows with those of the fit."""
    expected = getattr(estimator, "feature_names_in_", None)
    name = type(estimator).__name__
    if found is None and expected is not None:
        warn(f"X does not have valid feature names, but {name} was fitted with feature names")
    elif found is not None and expected is None and hasattr(estimator, "n_features_in_"):
        warn(f"X has feature names, but {name} was fitted without feature names")
    elif found is not None and expected is not None and list(found) != list(expected):
        raise ValueError(_difference(list(found), list(expected)))
    needed = getattr(estimator, "n_features_in_", count)
    if count != needed:
        raise ValueError(
            f"X has {count} features, but {name} is expecting {needed} features as input."
        )


def _difference(found: list[str], expected: list[str]) -> str:
    unseen = sorted(set(found) - set(expected))
    missing = sorted(set(expected) - set(found))
    message = "The feature names should match those that were passed during fit.\n"
    if unseen:
        message += "Feature names unseen at fit time:\n" + _listed(unseen)
    if missing:
        message += "Feature names seen at fit time, yet now missing:\n" + _listed(missing)
    if not unseen and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message


def _listed(names: list[str]) -> str:
    lines = [f"- {name}\n" for name in names[:_SHOWN]]
    return "".join(lines) + ("- ...\n" if len(names) > _SHOWN else "")
