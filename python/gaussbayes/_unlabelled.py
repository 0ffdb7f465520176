"""Reads labels of which some are missing, and tells the core which."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ._labels import names
from ._tables import Table, read_table

Array = np.ndarray[Any, Any]


def read_partly(
    estimator: Any, X: Any, y: Any, sample_weight: Any, mark: Any
) -> tuple[Table, dict[str, Any]]:
    """Read rows, and how the core knows those without a label; none may have none without a mark."""
    if mark is None:
        return read_table(estimator, X, y, sample_weight), {"partly": False, "mark": None}
    target = None
    if isinstance(y, str) and hasattr(X, "iloc") and y in X.columns:
        target, y, X = y, X[y], X.drop(columns=[y])
    if isinstance(y, str) or y is None:
        table = read_table(estimator, X, y, sample_weight)
        text = None if _is_missing(mark) else _text(mark, table.labels.dtype)
    else:
        y, text = _marked(y, mark)
        table = read_table(estimator, X, y, sample_weight)
    table = table if target is None else replace(table, target=target)
    return table, {"partly": True, "mark": text}


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


def _marked(y: Any, mark: Any) -> tuple[Any, str | None]:
    """Return labels that all are something, and the name of those that mark a row without."""
    nullable = hasattr(y, "iloc") and not isinstance(y.dtype, np.dtype)
    values = y.to_numpy(dtype=object, na_value=None) if nullable else np.asarray(y)
    if not _is_missing(mark):
        return (values if nullable else y), _text(mark, values.dtype)
    if values.dtype.kind == "f":
        gone = np.isnan(values)
    elif values.dtype.kind == "O":
        gone = np.fromiter((_is_missing(value) for value in values), bool, len(values))
    else:
        return y, None
    if not gone.any():
        return (values if nullable else y), None
    rest = np.array(values[~gone].tolist())
    if rest.dtype.kind in "biuf" and rest.size:
        # A number below all others stands for none.
        rest = rest.astype(np.int64) if rest.dtype.kind == "b" else rest
        lowest = rest.min() - 1
        filled = np.full(len(values), lowest, dtype=rest.dtype)
        filled[~gone] = rest
        return filled, names(filled[gone][:1])[0]
    text = ""
    while text in rest:
        text += "-"
    filled = values.astype(object)
    filled[gone] = text
    return filled, text


def _text(mark: Any, dtype: np.dtype[Any]) -> str:
    """Name a mark as the core names labels of this dtype."""
    number = isinstance(mark, int | float | np.number) and not isinstance(mark, bool)
    if dtype.kind in "biuf" and number:
        if dtype.kind == "f":
            return repr(float(mark) + 0.0)
        return str(int(mark)) if float(mark).is_integer() else str(mark)
    if dtype.kind in "UO" and isinstance(mark, str):
        return str(mark)
    raise ValueError(
        f"unlabelled is {mark!r}, but labels are of type {dtype}\n"
        "hint: give a value of that type, or nan for what is missing"
    )
