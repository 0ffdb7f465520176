"""Reads columns of any type for MixedNB: numbers, flags, names and text, of which some are missing.

Nothing here walks over numbers; names and text in Python's objects are encoded in Rust.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import numpy as np
from sklearn.utils import check_array

from . import _core
from ._arrays import behaved
from ._labels import code_points
from ._tables import Rows, number_column

KINDS = ("number", "flag", "category", "count", "text")
# Those that are read as text.
_WRITTEN = {"category": "names", "text": "words"}

_Cells = tuple[str, Any, Any]


def frame(
    estimator: Any, X: Any, places: list[int], names: Any, kinds: tuple[str, ...] | None
) -> Rows:
    """Read some columns of a pandas table."""
    columns = [X.iloc[:, j] for j in places]
    if kinds is None:
        kinds = _asked(estimator.types, [_frame_kind(column) for column in columns], names)
    cells = [_frame_cells(*each) for each in zip(columns, kinds, strict=True)]
    return Rows(_core.Typed(cells), len(X), len(places), names, False, kinds)


def stream(estimator: Any, source: _core.Stream, names: Any, kinds: tuple[str, ...] | None) -> Rows:
    """Read a table that streams by."""
    held = source.kinds or []
    if kinds is None:
        kinds = _asked(estimator.types, held, names)
    readings = []
    for name, holds, kind in zip(source.features, held, kinds, strict=True):
        if holds not in KINDS:
            raise _misfit(name, holds)
        if holds == "category" and kind not in _WRITTEN:
            raise _no_number(name, kind)
        if holds != "category" and kind == "text":
            raise _no_text(name)
        readings.append(_WRITTEN.get(kind, "numbers"))
    source.read_as(readings)
    return Rows(source, source.rows, len(readings), names, False, kinds)


def as_array(estimator: Any, X: Any) -> np.ndarray[Any, Any]:
    """Return an array of two dimensions, of numbers or of objects."""
    if not isinstance(X, np.ndarray) and not hasattr(X, "toarray"):
        numbers = np.asarray(X)
        # Beside text, numpy turns numbers into text.
        X = np.asarray(X, dtype=object) if numbers.dtype.kind in "USO" else numbers
    mixed = getattr(X, "dtype", np.dtype(float)).kind in "UO"
    table: np.ndarray[Any, Any] = check_array(
        X,
        dtype=None if mixed else "numeric",
        ensure_all_finite=False,
        estimator=estimator,
        input_name="X",
    )
    return table


def array(estimator: Any, table: np.ndarray[Any, Any], kinds: tuple[str, ...] | None) -> Rows:
    """Read an array: all columns are numbers, but for those whose type is given."""
    count, width = table.shape
    if kinds is None:
        kinds = _asked(estimator.types, ["number"] * width, None)
    cells = [_array_cells(table[:, j], j, kinds[j]) for j in range(width)]
    return Rows(_core.Typed(cells), count, width, None, False, kinds)


def _asked(types: Any, held: list[str], names: Any) -> tuple[str, ...]:
    """Return the kind of each column: what is asked for, or what its type says."""
    kinds = list(held)
    if types is None:
        types = {}
    if not isinstance(types, Mapping):
        raise ValueError(f"types is a dictionary of columns and what they hold, not {types!r}")
    known = [] if names is None else list(names)
    for column, kind in types.items():
        if kind not in KINDS:
            near = get_close_matches(str(kind), KINDS, 1)
            hint = f"\nhint: did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"type {kind!r} of {column!r} is none of {', '.join(KINDS)}{hint}")
        if column in known:
            kinds[known.index(column)] = kind
        elif isinstance(column, int | np.integer) and 0 <= column < len(kinds):
            kinds[int(column)] = kind
        else:
            near = get_close_matches(str(column), map(str, known), 1)
            hint = f"\nhint: did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"types names column {column!r}, which X does not have{hint}")
    return tuple(kinds)


def _frame_kind(series: Any) -> str:
    """Return what a column of pandas holds, by its type."""
    dtype = series.dtype
    kind = getattr(dtype, "kind", "O")
    if hasattr(series, "cat") or kind in "OSU":
        return "category"
    return "flag" if kind == "b" else "number"


def _frame_cells(series: Any, kind: str) -> _Cells:
    name = series.name
    if kind not in _WRITTEN:
        if _frame_kind(series) == "category":
            try:
                return "numbers", number_column(series), None
            except ValueError as error:
                raise _no_number(name, kind) from error
        return "numbers", number_column(series), None
    if kind == "text" and _frame_kind(series) != "category":
        raise _no_text(name)
    if hasattr(series, "cat") and kind == "category":
        categories = np.asarray(series.cat.categories, dtype=object)
        return "names", behaved(series.cat.codes.to_numpy()), categories
    if isinstance(series.dtype, np.dtype):
        return _array_cells(series.to_numpy(), name, kind)
    return _WRITTEN[kind], _objects(series), None


def _objects(series: Any) -> np.ndarray[Any, Any]:
    if hasattr(series, "cat"):
        series = series.astype(object)
    objects: np.ndarray[Any, Any] = series.to_numpy(dtype=object, na_value=None)
    return objects


def _array_cells(cells: np.ndarray[Any, Any], name: Any, kind: str) -> _Cells:
    holds = cells.dtype.kind
    if holds in "mM":
        raise _misfit(name, "dates or times")
    if kind in _WRITTEN:
        if holds == "U":
            return _WRITTEN[kind], code_points(cells), None
        if holds == "O" or (holds in "biu" and kind == "category"):
            return _WRITTEN[kind], behaved(cells), None
        if kind == "text":
            raise _no_text(name)
        return "numbers", _double(cells), None
    if holds in "OU":
        try:
            return "numbers", _from_objects(cells), None
        except ValueError as error:
            raise _no_number(name, kind) from error
    return "numbers", _double(cells), None


def _from_objects(cells: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    try:
        return cells.astype(np.float64)
    except TypeError:
        # What pandas has for missing cells is no number to numpy.
        gone = np.array([type(cell).__name__ == "NAType" for cell in cells])
        if not gone.any():
            raise
        return np.where(gone, np.nan, cells).astype(np.float64)


def _double(cells: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return numbers of a type that the core reads."""
    odd = cells.dtype.kind == "f" and cells.itemsize not in (4, 8)
    return behaved(cells.astype(np.float64) if odd else cells)


def _misfit(name: Any, holds: str) -> TypeError:
    return TypeError(
        f"column {name!r} holds {holds}, neither numbers nor names\n"
        "hint: turn it into numbers, or into text, or leave it out"
    )


def _no_number(name: Any, kind: str) -> ValueError:
    return ValueError(
        f"column {name!r} is taken as {kind}, but holds what is no number\n"
        f"hint: types={{{name!r}: 'category'}} takes names, 'text' words"
    )


def _no_text(name: Any) -> ValueError:
    return ValueError(
        f"column {name!r} is taken as text, but holds none\n"
        f"hint: types={{{name!r}: 'category'}} takes numbers as names"
    )
