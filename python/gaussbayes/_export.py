"""Writes fitted estimators for other programs: ONNX and SQL."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._labels import names
from ._loss import with_reject

if TYPE_CHECKING:
    from collections.abc import Sequence

_PRECISIONS = ("double", "float")


class Exported:
    """What every fitted estimator can be written as."""

    if TYPE_CHECKING:

        def _fitted(self) -> _core.Model: ...

    def to_onnx(
        self, path: str | PathLike[str] | None = None, *, precision: str = "double"
    ) -> bytes | None:
        """Write the fitted estimator as an ONNX model.

        The graph computes in double precision whatever the rows are, so that labels are those of
        ``predict``; costs and reject are in it. Rows far from everything have finite answers.

        Parameters
        ----------
        path : path, default=None
            Where to write it, whole or not at all; by default its bytes are returned.
        precision : {'double', 'float'}, default='double'
            Of the rows that it takes and the probabilities that it gives. 'float' is for whoever
            has rows in single precision; they are then rounded before the model sees them.

        Returns
        -------
        bytes or None
            The model, unless it was written to a file. Its input is ``X`` of shape (N, n_features);
            where columns hold names, one input of shape (N, 1) per column. Its outputs are
            ``label`` of shape (N,), whole numbers where classes are and text otherwise, and
            ``probabilities`` of shape (N, n_classes).

        Examples
        --------
        >>> import gaussbayes
        >>> X, y = gaussbayes.datasets.load_iris(return_X_y=True)
        >>> model = gaussbayes.LinearDiscriminantAnalysis().fit(X, y).to_onnx()
        >>> import onnxruntime  # doctest: +SKIP
        >>> session = onnxruntime.InferenceSession(model)  # doctest: +SKIP
        >>> label, probabilities = session.run(None, {"X": X})  # doctest: +SKIP
        """
        if precision not in _PRECISIONS:
            raise ValueError(f"precision is {precision!r}, but must be one of {_PRECISIONS}")
        model, labels, columns = self._named()
        return _core.onnx(model, labels, columns, single=precision == "float", path=path)

    def to_sql(self, table: str = "data") -> str:
        """Write the fitted estimator as a SQL query.

        The query adds to every row of a table a score for each class, ``p_<class>`` and
        ``prediction``; costs and reject are in the prediction. It runs in SQLite (3.35 or later)
        and DuckDB. A row with NULL in a feature has no prediction; MixedNB leaves such a feature
        out.

        Parameters
        ----------
        table : str, default='data'
            The table, whose columns have the names of the features: those of the fit, or x0, x1...

        Returns
        -------
        str
            The query.

        Examples
        --------
        >>> import sqlite3
        >>> from gaussbayes import GaussianClassifier
        >>> modem = GaussianClassifier.from_parameters([[0.0], [1.0]], [[1.0]])
        >>> rows = sqlite3.connect(":memory:")
        >>> _ = rows.execute("CREATE TABLE data (id, x0)")
        >>> _ = rows.execute("INSERT INTO data VALUES ('a', 0.2), ('b', 0.9)")
        >>> query = modem.to_sql().rstrip(";\\n")
        >>> rows.execute(f"SELECT id, prediction FROM ({query})").fetchall()
        [('a', 0), ('b', 1)]
        """
        model, labels, columns = self._named()
        return _core.sql(model, labels, columns, str(table))

    def _named(
        self,
    ) -> tuple[_core.Model, Sequence[int] | Sequence[str], list[tuple[str, int | None]]]:
        """Return the model, its labels (reject last), and the columns of its probabilities."""
        model = self._fitted()
        if getattr(self, "metric", None) == "manhattan":
            raise ValueError(
                "taxicab distances are no densities, and have no scores to write\n"
                "hint: metric='euclidean' has"
            )
        classes = getattr(self, "classes_", None)
        if classes is None:
            count = model.components
            noise = [-1] if model.noise is not None else []
            places: list[tuple[str, int | None]] = [(str(k), k) for k in range(count)]
            return model, [*range(count), *noise], places + [("noise", count) for _ in noise]
        placed = getattr(self, "_places", None)
        order = np.arange(len(classes)) if placed is None else placed
        labels: list[Any] = list(classes[order].tolist())
        texts = [names(classes)[place] for place in order]
        if model.rejects:
            said = with_reject(classes, getattr(self, "reject_label", None))[-1:].tolist()
            labels, texts = labels + said, texts + [str(said[0])]
        core = {int(place): k for k, place in enumerate(order)}
        columns = [(name, core.get(place)) for place, name in enumerate(names(classes))]
        whole = all(type(label) is int and abs(label) < 2**63 for label in labels)
        return model, labels if whole and classes.dtype.kind in "iu" else texts, columns
