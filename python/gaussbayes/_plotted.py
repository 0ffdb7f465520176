"""Draws fitted estimators: regions, densities, rows, and how well the rows are told apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._labels import aligned
from ._names import check_names
from ._picture import Picture
from ._unlabelled import read_partly

# Kinds that count rows by their classes.
_JUDGED = ("roc", "cost", "confusion")


class Plotted:
    """What every fitted estimator can be drawn as."""

    if TYPE_CHECKING:

        def _fitted(self) -> _core.Model: ...
        def _feature(self, feature: Any) -> int: ...

    def _drawn_names(self) -> list[str]:
        """Return what the classes of the model are called in figures."""
        raise NotImplementedError

    def _drawn_classes(self, label: Any) -> list[int] | None:
        """Return the numbers of the classes of the model that are meant."""
        raise NotImplementedError

    def _drawn_rows(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Return rows and labels for the core."""
        raise NotImplementedError

    # Whether rows are drawn as what the model takes them for.
    _assigned = False

    def plot(
        self,
        X: Any = None,
        y: Any = None,
        *,
        kind: str | None = None,
        features: Any = None,
        at: Any = None,
        label: Any = None,
        ax: Any = None,
        theme: str = "auto",
        rows: int = 10_000,
    ) -> Picture:
        """Draw the fitted estimator, and rows where there are any.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file, default=None
            Rows to draw, or to count; by default none.
        y : array-like of shape (n_samples,), or str, default=None
            Classes of the rows; a name is that of a column of X.
        kind : str, default=None
            'regions' (decisions and their boundaries), 'scatter' (rows and ellipses), 'posterior'
            (of one class), 'density' (of all classes), 'densities' (along one feature, with
            thresholds and errors), 'pairs' (of all features), 'projection' (on the directions that
            part the classes), 'slice' (decisions where other features are fixed), 'linear' (w and
            the signed distance of a linear rule), 'simplex' (posteriors of rows among three
            classes); with X and y also 'confusion', 'roc' and 'cost'. By default 'densities' of one
            feature, 'regions' of two, 'projection' of more.
        features : int, str or sequence of two of them, default=None
            Features on the axes, by number or name; by default the first.
        at : array-like of shape (n_features,) or dict, default=None
            Where a slice fixes the other features; a dict names some, by default all are at the
            centre of the model.
        label : class label or sequence of them, default=None
            The class whose posterior is drawn, by default the last; the classes of 'roc', 'cost'
            and 'simplex'.
        ax : matplotlib Axes, array of Axes or Figure, default=None
            Where to draw it with matplotlib too, as ``Picture.draw`` does.
        theme : {'auto', 'light', 'dark'}, default='auto'
            The paper: 'auto' is light, and dark where the reader's system or the Axes are.
        rows : int, default=10_000
            Rows to look at most, at random where there are more; of those that would lie on each
            other some are left out. A note says how many are drawn. 'confusion', 'roc' and 'cost'
            count all rows.

        Returns
        -------
        Picture
            What shows itself in a notebook; ``save`` writes it as SVG or PNG.

        Examples
        --------
        >>> from gaussbayes import QuadraticDiscriminantAnalysis, datasets
        >>> X, y = datasets.load_iris(return_X_y=True)
        >>> qda = QuadraticDiscriminantAnalysis().fit(X[:, 2:], y)
        >>> picture = qda.plot(X[:, 2:], y)
        >>> picture.save("iris.svg")  # doctest: +SKIP
        >>> picture = qda.plot(X[:, 2:], y, kind="confusion")
        """
        model = self._fitted()
        columns = None if features is None else self._drawn_columns(features)
        kind = self._drawn_kind(kind, columns, at, X)
        if not (isinstance(rows, Integral) and int(rows) >= 1):
            raise ValueError(f"rows is {rows!r}, but must be a number of at least 1")
        core_rows, labels = (None, None) if X is None else self._drawn_rows(X, y)
        if X is None and y is not None:
            raise ValueError("y has the classes of rows, but there are no rows: give X")
        if kind in _JUDGED and (X is None or y is None):
            raise ValueError(
                f"kind={kind!r} compares decisions with true classes, but there are none\n"
                f"hint: plot(X, y, kind={kind!r})"
            )
        wanted = {
            "kind": kind,
            "names": self._drawn_names(),
            "columns": columns,
            "at": None if at is None else self._drawn_place(at),
            "classes": self._drawn_classes(label),
            "rows": int(rows),
            "assigned": self._assigned,
        }
        return shown(_core.picture(model, wanted, core_rows, labels), theme, ax)

    def _drawn_columns(self, features: Any) -> list[int]:
        """Return numbers of features, which are given alone or several."""
        alone = isinstance(features, str) or not isinstance(features, Iterable)
        return [self._feature(one) for one in ([features] if alone else features)]

    def _drawn_kind(self, kind: str | None, columns: list[int] | None, at: Any, X: Any) -> str:
        """Return what is drawn where nothing is said."""
        if kind is not None:
            return kind
        count = len(self._fitted().features)
        if at is not None:
            return "slice"
        if columns is not None:
            return "densities" if len(columns) == 1 else "regions"
        return {1: "densities", 2: "regions"}.get(count, "projection")

    def _drawn_place(self, at: Any) -> list[float]:
        """Return a value for every feature."""
        names = self._fitted().features
        if isinstance(at, Mapping):
            place = self._fitted().centre()
            for feature, value in at.items():
                place[self._feature(feature)] = float(value)
            return place.tolist()
        held = np.asarray(at, dtype=np.float64)
        if held.shape != (len(names),):
            raise ValueError(
                f"at has shape {held.shape}, but must be one number for each of {names}\n"
                f"hint: at={{{names[-1]!r}: 1.5}} fixes some and leaves the rest at the centre"
            )
        return held.tolist()


class PlottedClasses(Plotted):
    """What every fitted classifier can be drawn as."""

    if TYPE_CHECKING:
        classes_: np.ndarray[Any, Any]
        _places: np.ndarray[Any, Any] | None

        def _asked(self, X: Any) -> tuple[_core.Model, Any]: ...

    def _drawn_places(self) -> list[int]:
        """Return where each class of the model is among ``classes_``."""
        count = len(self._fitted().classes)
        return list(range(count)) if self._places is None else self._places.tolist()

    def _drawn_names(self) -> list[str]:
        return [str(self.classes_[place]) for place in self._drawn_places()]

    def _drawn_classes(self, label: Any) -> list[int] | None:
        if label is None:
            return None
        known, places = self.classes_.tolist(), self._drawn_places()
        several = isinstance(label, list | tuple | np.ndarray)
        found = []
        for one in label if several else [label]:
            if one not in known:
                raise ValueError(f"there is no class {one!r}\nhint: the classes are {known}")
            if known.index(one) not in places:
                raise ValueError(f"class {one!r} has had no rows, so there is nothing to draw")
            found.append(places.index(known.index(one)))
        return found

    def _drawn_rows(self, X: Any, y: Any) -> tuple[Any, Any]:
        if y is None:
            return self._asked(X)[1].core, None
        table, _ = read_partly(self, X, y, None, getattr(self, "unlabelled", None))
        check_names(self, table.rows.names, table.rows.columns)
        labels = table.labels
        if isinstance(labels.core, np.ndarray):
            labels = aligned(labels, self.classes_.dtype)
        return table.rows.core, labels.core


class PlottedComponents(Plotted):
    """What every fitted mixture can be drawn as."""

    if TYPE_CHECKING:

        def _asked(self, X: Any) -> tuple[_core.Model, Any]: ...

    _assigned = True

    def _drawn_names(self) -> list[str]:
        model = self._fitted()
        names = [str(k) for k in range(model.components)]
        return names + ["noise"] * (model.noise is not None)

    def _drawn_classes(self, label: Any) -> list[int] | None:
        if label is None:
            return None
        count = len(self._fitted().classes)
        found = list(np.ravel(np.asarray(label)))
        strange = [k for k in found if not (isinstance(k, Integral) and 0 <= int(k) < count)]
        if strange:
            raise ValueError(
                f"there is no component {strange[0]!r}\nhint: they are counted from 0 to {count - 1}"
            )
        return [int(k) for k in found]

    def _drawn_rows(self, X: Any, y: Any) -> tuple[Any, Any]:
        return self._asked(X)[1].core, None

    def _drawn_kind(self, kind: str | None, columns: list[int] | None, at: Any, X: Any) -> str:
        if kind in _JUDGED:
            raise ValueError(
                f"kind={kind!r} needs true classes, and a mixture knows none\n"
                "hint: classifier() makes one of its components"
            )
        if kind == "clusters":
            return "scatter"
        usual = super()._drawn_kind(kind, columns, at, X)
        rows = kind is None and X is not None
        return "scatter" if rows and usual == "regions" else usual


def shown(core: _core.Picture, theme: str, ax: Any) -> Picture:
    """Return a picture, drawn on axes where there are some."""
    if theme not in ("auto", "light", "dark"):
        raise ValueError(f"theme is {theme!r}, but must be 'auto', 'light' or 'dark'")
    picture = Picture(core, theme)
    if ax is not None:
        picture.draw(ax)
    return picture
