"""Reads what users have as tables: arrays, data frames, sparse matrices and Arrow streams.

Nothing here walks over the numbers: the core checks them in the pass that it makes anyway.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from sklearn.utils import check_array

from . import _core
from ._arrays import behaved
from ._file_tables import Files, files_of
from ._labels import INFERRED, Labels, read_labels
from ._names import known_names


@dataclass(frozen=True)
class Rows:
    """Rows for the core, with what a face must know of them."""

    core: Any
    count: int | None
    columns: int
    names: np.ndarray[Any, Any] | None
    single: bool
    # What each column holds, where that is not all numbers.
    kinds: tuple[str, ...] | None = None

    @property
    def dtype(self) -> np.dtype[Any]:
        """The precision of answers about these rows."""
        return np.dtype(np.float32 if self.single else np.float64)

    def feature_names(self) -> list[str]:
        """Names for messages and model files."""
        if self.names is not None:
            return [str(name) for name in self.names]
        return [f"x{j}" for j in range(self.columns)]


@dataclass(frozen=True)
class Table:
    """Rows with their labels and weights."""

    rows: Rows
    labels: Labels
    weights: np.ndarray[Any, Any] | None
    # Names of the columns that hold labels and weights, where they are columns of the table.
    target: str | None = None
    weight: str | None = None

    def parts(self) -> tuple[Any, Any, Any]:
        """Return what the core takes."""
        return self.rows.core, self.labels.core, self.weights


def read_table(
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
    *,
    labelled: bool = True,
    fresh: bool = False,
) -> Table:
    """Read rows with their labels and weights; both may be names of columns of the table.

    What was learnt of the columns is forgotten where these are `fresh`.
    """
    name = type(estimator).__name__

    def labels_of(y: Any) -> Labels:
        return read_labels(y, name) if labelled else Labels(None, np.dtype(np.int64), None)

    if (files := files_of(X)) is not None:
        return _files_table(estimator, files, y, sample_weight, labelled, fresh)
    target = y if isinstance(y, str) else None
    weights = sample_weight if isinstance(sample_weight, str) else None
    if target is None and weights is None:
        rows = read_rows(estimator, X, fresh=fresh)
        return Table(rows, labels_of(y), _weights(sample_weight, rows.count))
    if _is_pandas(X):
        taken = [column for column in (target, weights) if column is not None]
        known_names(X.columns)
        for column in taken:
            if column not in X.columns:
                near = get_close_matches(column, map(str, X.columns), 1)
                hint = f"\nhint: did you mean {near[0]!r}?" if near else ""
                raise ValueError(f"there is no column {column!r} in X{hint}")
        y = X[target] if target is not None else y
        sample_weight = X[weights] if weights is not None else sample_weight
        kept = [j for j, column in enumerate(X.columns) if column not in taken]
        rows = _frame_rows(estimator, X, kept, fresh)
        given = _weights(sample_weight, rows.count)
        return Table(rows, labels_of(y), given, target, weights)
    if not _is_stream(X):
        how = "collect it" if hasattr(X, "collect") else "give arrays, or X as a data frame"
        raise ValueError(f"{name} got the name of a column, but X is no table\nhint: {how}")
    stream = _core.Stream(X, target=target, weights=weights, typed=_is_typed(estimator))
    rows = _stream_rows(estimator, stream, fresh)
    if target is None:
        return Table(rows, labels_of(y), None, None, weights)
    labels = Labels(None, _DTYPES[stream.target_type or "text"], rows.count)
    given = None if weights is not None else _weights(sample_weight, rows.count)
    return Table(rows, labels, given, target, weights)


# Cells of a table that are no more than one block of the core's holds.
_FEW = 1 << 16

_DTYPES = {
    "int": np.dtype(np.int64),
    "bool": np.dtype(bool),
    "float": np.dtype(np.float64),
    "text": np.dtype(object),
}


def read_rows(estimator: Any, X: Any, *, fresh: bool = False) -> Rows:
    """Read rows without labels."""
    if _is_plain(X) and not _is_typed(estimator):
        return _array_rows(X)
    if (files := files_of(X)) is not None:
        return _files_rows(estimator, files, {}, fresh)
    if _is_pandas(X):
        return _frame_rows(estimator, X, list(range(len(X.columns))), fresh)
    if _is_stream(X):
        return _stream_rows(estimator, _core.Stream(X, typed=_is_typed(estimator)), fresh)
    if _is_typed(estimator):
        return estimator._typed_array(X, fresh)
    array = check_array(
        X,
        accept_sparse="csr" if getattr(estimator, "_sparse", True) else False,
        accept_large_sparse=True,
        dtype="numeric",
        ensure_all_finite=False,
        estimator=estimator,
        input_name="X",
    )
    if hasattr(array, "indptr"):
        single = array.dtype == np.float32
        kept = getattr(estimator, "_stays_sparse", False)
        if kept and not array.has_canonical_format:
            array = array.copy()
            array.sum_duplicates()
        parts = (array.data, array.indices, array.indptr, array.shape[1], kept)
        return Rows(parts, array.shape[0], array.shape[1], None, single)
    return _array_rows(array)


def _array_rows(array: np.ndarray[Any, Any]) -> Rows:
    count, columns = array.shape
    single = array.dtype == np.float32
    if array.dtype.kind == "f" and array.itemsize not in (4, 8):
        array = array.astype(np.float64)
    array = behaved(array)
    if array.flags.c_contiguous:
        return Rows(array, count, columns, None, single)
    # Any other layout is read column by column; the core puts one block together at a time.
    return Rows(list(array.T), count, columns, None, single)


def _is_plain(X: Any) -> bool:
    # An array in which scikit-learn's check would find nothing to say or to change.
    return type(X) is np.ndarray and X.ndim == 2 and X.dtype.kind in "biuf" and X.size > 0


def _is_typed(estimator: Any) -> bool:
    # Whether columns may hold names, and cells may be missing.
    return getattr(estimator, "_typed", False)


def _is_pandas(X: Any) -> bool:
    return hasattr(X, "iloc") and hasattr(X, "columns")


def _is_stream(X: Any) -> bool:
    # A column alone is for scikit-learn to refuse, in its words.
    return hasattr(X, "__arrow_c_stream__") and not hasattr(X, "to_frame")


def _frame_rows(estimator: Any, X: Any, places: list[int], fresh: bool) -> Rows:
    count = len(X)
    if count == 0 or not places:
        # For the message that scikit-learn has for it.
        check_array(np.empty((count, len(places))), estimator=estimator, input_name="X")
    if _is_typed(estimator):
        return estimator._typed_frame(X, places, fresh)
    whole = len(places) == len(X.columns)
    if X.size <= _FEW:
        taken = X if whole else X.iloc[:, places]
        if set(taken.dtypes) == {np.dtype(np.float64)}:
            # To ask for each column takes longer than to copy all cells.
            array = np.ascontiguousarray(taken.to_numpy())
            return Rows(array, count, len(places), known_names(taken.columns), False)
    arrays = [number_column(X.iloc[:, j]) for j in places]
    single = all(array.dtype == np.float32 for array in arrays)
    names = known_names(X.columns if whole else X.columns[places])
    return Rows(arrays, count, len(places), names, single)


def number_column(series: Any) -> np.ndarray[Any, Any]:
    """Return a column of pandas as numbers, NaN where one is missing."""
    kind = getattr(series.dtype, "kind", "O")
    if kind == "c":
        raise ValueError(f"Complex data not supported\nhint: column {series.name!r} is complex")
    if kind in "mM":
        raise TypeError(
            f"column {series.name!r} holds dates or times, not numbers\n"
            "hint: turn it into a number of days or seconds"
        )
    if not isinstance(series.dtype, np.dtype) or kind not in "biuf":
        try:
            array = series.to_numpy(dtype=np.float64, na_value=np.nan)
        except (TypeError, ValueError) as error:
            raise type(error)(f"column {series.name!r}: {error}") from error
    elif series.dtype.itemsize > 8 or series.dtype == np.float16:
        array = series.to_numpy(dtype=np.float64)
    else:
        array = series.to_numpy()
    return behaved(array)


def _files_table(
    estimator: Any, files: Files, y: Any, sample_weight: Any, labelled: bool, fresh: bool
) -> Table:
    columns: dict[str, str] = {}
    for key, what, column in (("target", "y", y), ("weights", "sample_weight", sample_weight)):
        if column is None and (key == "weights" or not labelled):
            continue
        if not isinstance(column, str):
            raise ValueError(
                f"{what} must be the name of a column where X is a file\n"
                f"hint: fit({files!r}, y='label')"
            )
        columns[key] = column
    rows = _files_rows(estimator, files, columns, fresh)
    labels = Labels(None, INFERRED if labelled else np.dtype(np.int64), None)
    return Table(rows, labels, None, columns.get("target"), columns.get("weights"))


def _files_rows(estimator: Any, files: Files, columns: dict[str, str], fresh: bool) -> Rows:
    known = None if fresh else getattr(estimator, "feature_names_in_", None)
    kinds = None if fresh else getattr(estimator, "_kinds", None)
    types = getattr(estimator, "types", None) if _is_typed(estimator) else None
    declared = types or {} if _is_typed(estimator) else None
    core = files.opened(known, kinds if _is_typed(estimator) else None, declared, columns)
    names = known_names(core.features)
    count = len(core.features)
    if not _is_typed(estimator):
        return Rows(core, None, count, names, False)
    return Rows(core, None, count, names, False, tuple(core.kinds or ["number"] * count))


def _stream_rows(estimator: Any, stream: _core.Stream, fresh: bool) -> Rows:
    names = known_names(stream.features)
    columns = len(stream.features)
    if columns == 0 or stream.rows == 0:
        check_array(np.empty((stream.rows or 1, columns)), estimator=estimator, input_name="X")
    if _is_typed(estimator):
        return estimator._typed_stream(stream, names, fresh)
    return Rows(stream, stream.rows, columns, names, False)


def _weights(sample_weight: Any, count: int | None) -> np.ndarray[Any, Any] | None:
    if sample_weight is None:
        return None
    if np.isscalar(sample_weight) and count is not None:
        return np.full(count, float(sample_weight))  # type: ignore[arg-type]  # a number, as checked
    weights = behaved(np.asarray(sample_weight, dtype=np.float64))
    if weights.ndim != 1:
        raise ValueError(f"Sample weights must be 1D array or scalar, got {weights.ndim}D array.")
    if count is not None and weights.shape != (count,):
        raise ValueError(
            f"sample_weight.shape == {weights.shape}, expected {(count,)}!\n"
            "hint: give one weight per row"
        )
    return weights
