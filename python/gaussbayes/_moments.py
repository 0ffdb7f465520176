"""Sums rows up without keeping them: moments that merge anywhere, and estimators made of them."""

from __future__ import annotations

import re
from os import PathLike
from typing import Any, Self

import numpy as np

from . import _core
from ._labels import Labels, restore
from ._modelled import Array, validated
from ._tables import Rows, Table, read_table


class Moments:
    """Sums over labelled rows: part of a fit that can be saved, sent and merged.

    Made by ``Moments.of`` or ``Moments.load``. The file is that of the command's ``stats`` and
    ``merge``. It holds no row.

    Attributes
    ----------
    features : list of str
        Names of the features; x0, x1, ... where they had none.
    classes : ndarray of shape (n_classes,)
        Classes so far.
    counts : ndarray of shape (n_classes,)
        Weight of the rows of each class.
    rows : int
        Number of rows.
    parts : list of dict
        What was summed up: number, rows, weight and fingerprint of each part.
    missing : list of int
        Numbers of the parts that are not there, where parts are numbered.

    Examples
    --------
    >>> import gaussbayes as gb
    >>> X, y = gb.datasets.load_iris(return_X_y=True)
    >>> one, two = gb.Moments.of(X[:90], y[:90]), gb.Moments.of(X[90:], y[90:])
    >>> both = one + two
    >>> both.rows, both.counts.tolist()
    (150, [50.0, 50.0, 50.0])
    >>> lda = gb.LinearDiscriminantAnalysis().fit_moments(both)
    >>> round(lda.score(X, y), 4)
    0.98
    """

    _sums: _core.Moments
    # What classes come back in; none where names alone are known.
    _dtype: np.dtype[Any] | None

    def __init__(self) -> None:
        raise TypeError("moments are made of rows, by Moments.of(X, y), or read by Moments.load")

    @classmethod
    def of(
        cls, X: Any, y: Any, sample_weight: Any = None, *, part: tuple[int, int] | None = None
    ) -> Self:
        """Sum rows up.

        Parameters
        ----------
        X : array-like, data frame or Arrow stream of shape (n_samples, n_features)
            Rows of numbers.
        y : array-like of shape (n_samples,), or str
            Classes; a name is that of a column of X.
        sample_weight : array-like of shape (n_samples,) or str, default=None
            How often each row counts; a name is that of a column of X.
        part : tuple of two ints, default=None
            The number of this part from 1, and how many parts there are. Then parts that are
            missing or given twice are noticed.

        Returns
        -------
        Moments
            The sums of these rows.
        """
        if part is not None and not (len(part) == 2 and 1 <= part[0] <= part[1] <= 1_000_000):
            raise ValueError(f"part is {part!r}, but must be its number and how many, as (3, 20)")
        table = read_table(_Sums(), X, y, sample_weight, fresh=True)
        sums = _core.Moments.of(
            *table.parts(),
            table.rows.feature_names(),
            target=table.target,
            weight=table.weight,
            part=part,
        )
        return cls._made(sums, table.labels.dtype)

    @classmethod
    def _made(cls, sums: _core.Moments, dtype: np.dtype[Any] | None) -> Self:
        moments = cls.__new__(cls)
        moments._sums, moments._dtype = sums, dtype
        return moments

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read a file of moments, written here or by the command.

        Parameters
        ----------
        path : path
            The file.

        Returns
        -------
        Moments
            What it holds. Class names that are all whole numbers come back as numbers.
        """
        return cls._made(_core.Moments.load(path), None)

    def save(self, path: str | PathLike[str]) -> None:
        """Save the moments: whole, or not at all.

        Parameters
        ----------
        path : path
            Where to.
        """
        self._sums.save(path)

    def merge(self, *others: Moments, partial: bool = False) -> Self:
        """Return the moments of these rows and those of others, in whatever order they are given.

        Parameters
        ----------
        *others : Moments
            Moments of other rows, of the same features; a part that is given twice is refused.
        partial : bool, default=False
            Whether numbered parts may still be missing.

        Returns
        -------
        Moments
            The sums of all rows.
        """
        merged = _core.Moments.merged([self._sums, *(one._sums for one in others)], partial=partial)
        dtypes = {self._dtype, *(one._dtype for one in others)}
        return self._made(merged, self._dtype if len(dtypes) == 1 else None)

    def __add__(self, other: Moments) -> Self:
        if not isinstance(other, Moments):
            return NotImplemented
        return self.merge(other, partial=True)

    @property
    def features(self) -> list[str]:
        """Names of the features."""
        return self._sums.features

    @property
    def classes(self) -> Array:
        """Classes so far."""
        names = [name for name, _ in self._sums.classes()]
        return np.sort(restore(names, self._label_dtype()))

    @property
    def counts(self) -> Array:
        """Weight of the rows of each class."""
        names, weights = zip(*self._sums.classes(), strict=True)
        return np.array(weights)[np.argsort(restore(list(names), self._label_dtype()))]

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self._sums.rows

    @property
    def parts(self) -> list[dict[str, Any]]:
        """What was summed up."""
        return self._sums.parts()

    @property
    def missing(self) -> list[int]:
        """Numbers of the parts that are not there."""
        return self._sums.missing()

    def __repr__(self) -> str:
        """Say what they are of."""
        return f"<Moments of {self.rows} rows, {len(self.features)} features>"

    def _label_dtype(self) -> np.dtype[Any]:
        if self._dtype is not None:
            return self._dtype
        names = [name for name, _ in self._sums.classes()]
        whole = all(re.fullmatch("0|-?[1-9][0-9]{0,17}", name) for name in names)
        return np.dtype(np.int64) if whole else np.dtype(object)

    def _table(self) -> Table:
        """Return a table of these rows, of which nothing but the names and the number is left."""
        columns = len(self.features)
        unnamed = self.features == [f"x{j}" for j in range(columns)]
        names = None if unnamed else np.asarray(self.features, dtype=object)
        rows = Rows(None, self.rows, columns, names, False)
        labels = Labels(None, self._label_dtype(), self.rows)
        return Table(rows, labels, None, self._sums.target, self._sums.weight)


class _Sums:
    """Stands for an estimator where rows are read; messages call it by its name."""

    _sparse = False


_Sums.__name__ = "Moments"


class FromMoments:
    """An estimator that can be made of moments in place of rows."""

    @validated
    def fit_moments(self, moments: Moments) -> Self:
        """Fit to moments: as ``fit`` to the rows that they are of, up to rounding.

        Parameters
        ----------
        moments : Moments
            Sums of all rows; numbered parts must all be there.

        Returns
        -------
        self : object
            The fitted estimator. ``partial_fit`` goes on from there.
        """
        if not isinstance(moments, Moments):
            raise TypeError(f"fit_moments takes Moments, not {type(moments).__name__}")
        table = moments._table()
        spec = self._specified(table)[1]
        needs = {
            "shrinkage='auto'": spec.needs_second_pass,
            "a covariance_estimator": getattr(self, "covariance_estimator", None) is not None,
            "metric='manhattan'": getattr(self, "metric", None) == "manhattan",
        }
        for what, needed in needs.items():
            if needed:
                raise ValueError(
                    f"{what} needs the rows, and moments hold sums alone\n"
                    "hint: fit to the rows, or leave it out"
                )
        return self._concluded(table, moments._sums.statistics(), spec)

    def _specified(self, table: Table) -> tuple[Any, Any]:
        raise NotImplementedError

    def _concluded(self, table: Table, sums: Any, spec: Any) -> Self:
        raise NotImplementedError
