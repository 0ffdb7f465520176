"""Hands labels to the core as they are, and gives classes back as numpy has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import DataConversionWarning

from ._arrays import behaved
from ._warning import warn

# The dtype of labels in files, whose classes are whole numbers where all of them read as such.
INFERRED = np.dtype("V1")

_NOT_CLASSES = "Unknown label type: {}. Classes are whole numbers, booleans or text"


@dataclass(frozen=True)
class Labels:
    """Labels for the core, and the dtype that their classes come back in."""

    core: Any
    dtype: np.dtype[Any]
    count: int | None


def read_labels(y: Any, estimator: str) -> Labels:
    """Read labels without walking over them; the core does that."""
    if y is None:
        raise ValueError(
            f"This {estimator} estimator requires y to be passed, but the target y is None.\n"
            "hint: give one label per row"
        )
    if not isinstance(y, np.ndarray):
        if hasattr(y, "toarray"):
            raise ValueError("Sparse data was passed for y, but dense data is required")
        if _is_arrow_text(y):
            return Labels(y, np.dtype(object), len(y))
        if _is_arrow(y) and (kind := np.asarray(y[:1]).dtype.kind) not in "biuf":
            return Labels(y, np.dtype("U" if kind == "U" else object), len(y))
        y = _as_array(y)
    y = _one_dimensional(y)
    kind = y.dtype.kind
    if kind in "biu":
        return Labels(behaved(y), y.dtype, len(y))
    if kind == "f":
        return Labels(behaved(y if y.itemsize in (4, 8) else y.astype(float)), y.dtype, len(y))
    if kind == "U":
        return Labels(code_points(y), y.dtype, len(y))
    if kind == "O":
        return Labels(_objects(behaved(y)), y.dtype, len(y))
    if kind in "mM":
        if np.isnat(y).any():
            raise ValueError("Input y contains NaT\nhint: remove the rows that have no class")
        return Labels(behaved(y).view(np.int64), y.dtype, len(y))
    if kind == "S":
        raise TypeError(
            "Support for labels represented as bytes is not supported.\nhint: decode them to text"
        )
    if kind == "c":
        raise ValueError("Complex data not supported\nhint: classes are numbers or text")
    raise ValueError(_NOT_CLASSES.format(y.dtype))


def aligned(labels: Labels, dtype: np.dtype[Any]) -> Labels:
    """Return labels in the dtype of classes known already: 1.0 and True are the class 1."""
    found, known = labels.dtype, dtype
    numbers, text, times = "biuf", "UO", "mM"
    if known.kind in times and found.kind == known.kind:
        cast = labels.core.view(found).astype(np.promote_types(found, known))
        if cast.dtype != known:
            cast = cast.astype(known)
        return Labels(cast.view(np.int64), known, labels.count)
    kinds = [kinds for kinds in (numbers, text, times) if found.kind in kinds]
    if not kinds or known.kind not in kinds[0]:
        raise ValueError(f"classes of dtype {known} cannot be joined by labels of dtype {found}")
    if found.kind == known.kind or found.kind in text:
        return Labels(labels.core, np.promote_types(found, known), labels.count)
    cast = labels.core.astype(known)
    return Labels(cast, known, labels.count) if np.array_equal(cast, labels.core) else labels


def _is_arrow(y: Any) -> bool:
    """Return whether labels are an Arrow array or a series of polars; pandas has its own way."""
    arrow = hasattr(y, "__arrow_c_stream__") or hasattr(y, "__arrow_c_array__")
    return arrow and not hasattr(y, "iloc")


def _is_arrow_text(y: Any) -> bool:
    """Return whether labels are a column of pandas that holds text as Arrow does, none missing."""
    if not (hasattr(y, "iloc") and hasattr(y, "dtype") and hasattr(y, "__arrow_c_stream__")):
        return False
    held = getattr(y.dtype, "categories", y).dtype
    return getattr(held, "storage", None) == "pyarrow" and not y.hasnans


def _as_array(y: Any) -> np.ndarray[Any, Any]:
    """Return an array that shares memory with what is given, wherever that can be."""
    if hasattr(y, "iloc"):
        kind = getattr(y.dtype, "kind", "O")
        if not isinstance(y.dtype, np.dtype) and kind in "biuf":
            # Nullable numbers, as scikit-learn reads them.
            return np.asarray(y.to_numpy(dtype=np.float64, na_value=np.nan))
        return np.asarray(y)
    return np.asarray(y)


def _one_dimensional(y: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    if y.ndim == 1:
        return y
    if y.ndim == 2 and y.shape[1] == 1:
        warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of "
            "y to (n_samples,), for example using ravel().",
            DataConversionWarning,
        )
        return y.ravel()
    raise ValueError(f"y should be a 1d array, got an array of shape {y.shape} instead.")


def code_points(y: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return text of fixed width as a table of code points, one row per label."""
    width = y.dtype.itemsize // 4
    y = np.ascontiguousarray(behaved(y))
    if width == 0:
        return np.zeros((len(y), 1), dtype=np.uint32)
    return y.view(np.uint32).reshape(len(y), width)


def _objects(y: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    if y.size and not isinstance(y[0], str):
        if any(label is None or label != label for label in y):
            raise ValueError("Input y contains NaN\nhint: remove the rows that have no class")
        raise ValueError(_NOT_CLASSES.format("unknown"))
    return y


def restore(
    texts: list[str], dtype: np.dtype[Any], *, objects: bool = True
) -> np.ndarray[Any, Any]:
    """Turn the core's names of classes into values of the dtype that the labels had."""
    match dtype.kind:
        case "m" | "M":
            return np.array([int(text) for text in texts], dtype=np.int64).view(dtype)
        case "i" | "u":
            return np.array([int(text) for text in texts], dtype=dtype)
        case "f":
            return np.array([float(text) for text in texts], dtype=dtype)
        case "b":
            return np.array([text == "True" for text in texts], dtype=dtype)
        case "V":
            whole = all(text.lstrip("-").isdecimal() and str(int(text)) == text for text in texts)
            kind: Any = np.int64 if whole else (object if objects else None)
            return np.array([int(text) for text in texts] if whole else texts, dtype=kind)
        case "O":
            return np.array(texts, dtype=object if objects else None)
        case _:
            # Earlier labels may have been longer than those whose width the dtype has.
            natural = np.array(texts, dtype=np.str_)
            return natural.astype(max(natural.dtype, dtype, key=lambda kind: kind.itemsize))


def names(classes: np.ndarray[Any, Any]) -> list[str]:
    """Name classes as the core does."""
    if classes.dtype.kind in "mM":
        classes = classes.view(np.int64)
    if classes.dtype.kind == "f":
        return [repr(float(value) + 0.0) for value in classes]
    return [str(value) for value in classes.tolist()]
