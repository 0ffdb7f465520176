"""Holds what a boundary between two classes is, and the curves that it draws."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Boundary:
    """Where two classes tie: ``x @ quadratic @ x + linear @ x + constant = 0``.

    Attributes
    ----------
    classes : tuple
        The two classes; the function is positive where the first is better.
    kind : str
        What it is: 'line', 'circle', 'hyperbola', 'ellipsoid', ..., or 'not a quadric'.
    quadratic, linear, constant : ndarray, ndarray, float
        The function; None where there is none.
    homogeneous : ndarray of shape (n_features + 1, n_features + 1)
        The same as one symmetric matrix.
    centre, axes, eigenvalues, semi_axes : ndarray
        The quadric in its own axes, one a row; None where nothing is squared. The centre is the
        vertex of a paraboloid; a semi-axis that does not exist is nan.
    normal, point : ndarray
        The hyperplane ``normal @ (x - point) = 0``; None unless it is one.
    thresholds : ndarray
        Where it lies, of one feature.
    """

    classes: tuple[Any, Any]
    kind: str
    quadratic: Array | None = field(default=None, repr=False)
    linear: Array | None = field(default=None, repr=False)
    constant: float | None = field(default=None, repr=False)
    homogeneous: Array | None = field(default=None, repr=False)
    centre: Array | None = field(default=None, repr=False)
    axes: Array | None = field(default=None, repr=False)
    eigenvalues: Array | None = field(default=None, repr=False)
    semi_axes: Array | None = field(default=None, repr=False)
    normal: Array | None = field(default=None, repr=False)
    point: Array | None = field(default=None, repr=False)
    thresholds: Array | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Curve:
    """A piece of a boundary in two features.

    Attributes
    ----------
    classes : tuple
        The two classes that tie on it.
    points : ndarray of shape (n_points, 2)
        Points on it, one after the other.
    exact : bool
        Whether it is a conic, or was traced.
    accuracy : float
        How far points of a traced curve may be off, and chords between them; 0 for a conic.
    """

    classes: tuple[Any, Any]
    points: Array = field(repr=False)
    exact: bool
    accuracy: float
