"""The figures of the lectures by name."""

from __future__ import annotations

from typing import Any

from . import _core
from ._picture import Picture
from ._plotted import shown


def figures() -> dict[str, str]:
    """Name all figures of the gallery.

    Returns
    -------
    dict
        What each shows, by its name.

    Examples
    --------
    >>> import gaussbayes
    >>> "circular-boundary" in gaussbayes.figures()
    True
    """
    return {name: about for name, about, _ in _core.figures()}


def figure(name: str, *, ax: Any = None, theme: str = "auto") -> Picture:
    """Draw a figure of the gallery.

    Parameters
    ----------
    name : str
        Its name, one of ``figures()``.
    ax : matplotlib Axes, array of Axes or Figure, default=None
        Where to draw it with matplotlib too.
    theme : {'auto', 'light', 'dark'}, default='auto'
        The paper.

    Returns
    -------
    Picture
        What shows itself in a notebook; ``save`` writes it as SVG or PNG.

    Examples
    --------
    >>> import gaussbayes
    >>> picture = gaussbayes.figure("circular-boundary")
    >>> picture.save("circle.svg")  # doctest: +SKIP
    """
    return shown(_core.figure(name), theme, ax)
