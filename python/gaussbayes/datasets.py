"""The built-in data sets: iris, wine, Old Faithful, and the banana set drawn at random."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import Bunch

from . import _core

__all__ = ["load_faithful", "load_iris", "load_wine", "make_banana"]


def load_iris(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Return Anderson's iris: 150 flowers, 4 measurements, 3 species.

    Parameters
    ----------
    return_X_y : bool, default=False
        Whether only rows and classes are returned.
    as_frame : bool, default=False
        Whether they are pandas objects.

    Returns
    -------
    Bunch or tuple
        ``data``, ``target``, ``feature_names``, ``target_names`` (and ``frame``), or (X, y).

    Examples
    --------
    >>> from gaussbayes.datasets import load_iris
    >>> load_iris().target_names.tolist()
    ['setosa', 'versicolor', 'virginica']
    """
    return _bunch(_core.dataset("iris"), return_X_y, as_frame)


def load_wine(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Return 178 wines of three cultivars with 13 chemical measurements.

    Parameters
    ----------
    return_X_y : bool, default=False
        Whether only rows and classes are returned.
    as_frame : bool, default=False
        Whether they are pandas objects.

    Returns
    -------
    Bunch or tuple
        As of ``load_iris``.

    Examples
    --------
    >>> from gaussbayes.datasets import load_wine
    >>> load_wine().data.shape
    (178, 13)
    """
    return _bunch(_core.dataset("wine"), return_X_y, as_frame)


def load_faithful(*, as_frame: bool = False) -> Any:
    """Return 272 eruptions of Old Faithful: how long, and how long until the next.

    Parameters
    ----------
    as_frame : bool, default=False
        Whether the rows are a pandas data frame.

    Returns
    -------
    Bunch
        ``data`` and ``feature_names``; there are no classes.

    Examples
    --------
    >>> from gaussbayes.datasets import load_faithful
    >>> load_faithful().data.shape
    (272, 2)
    """
    return _bunch(_core.dataset("faithful"), False, as_frame)


def make_banana(n_samples: int = 1000, *, random_state: int = 1) -> tuple[Any, Any]:
    """Draw the banana set: two arcs of equal covariance that no single Gaussian can tell apart.

    Parameters
    ----------
    n_samples : int, default=1000
        Rows in all, half of them (rounded up) of each class.
    random_state : int, default=1
        The seed.

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
        Rows.
    y : ndarray of shape (n_samples,)
        Classes, 0 and 1 in turn.

    Examples
    --------
    >>> from gaussbayes.datasets import make_banana
    >>> X, y = make_banana(7)
    >>> X.shape, y.tolist()
    ((7, 2), [0, 1, 0, 1, 0, 1, 0])
    """
    rows, codes, _, _ = _core.banana_set((n_samples + 1) // 2, random_state)
    return rows[:n_samples], codes[:n_samples]


def _bunch(loaded: tuple[Any, Any, list[str], list[str]], return_X_y: bool, as_frame: bool) -> Any:
    data, target, classes, features = loaded
    frame = None
    if as_frame:
        import pandas as pd

        data = pd.DataFrame(data, columns=features)
        frame = data
        if target is not None:
            target = pd.Series(target, name="target")
            frame = pd.concat([data, target], axis=1)
    if return_X_y:
        return data, target
    names = np.array(classes) if target is not None else None
    return Bunch(data=data, target=target, frame=frame, feature_names=features, target_names=names)
