"""A figure that shows itself in a notebook, writes itself as SVG or PNG, and draws on axes."""

from __future__ import annotations

from os import PathLike, fspath
from typing import Any
from zlib import crc32

from . import _core

_WRITTEN = ("svg", "png")


class Picture:
    """A figure: boundaries as exact curves, regions, rows, and words about them.

    In a notebook it shows itself. ``plot`` methods and ``gaussbayes.figure`` make them.

    Attributes
    ----------
    title : str
        The title.
    description : str
        What is to be seen, in words: the alternative text.
    caption : str
        What to notice; it is not part of the figure.
    notes : list of str
        Small print: what was left out or thinned.

    Examples
    --------
    >>> from gaussbayes import GaussianClassifier, datasets
    >>> X, y = datasets.make_banana(200)
    >>> picture = GaussianClassifier().fit(X, y).plot(X, y)
    >>> picture
    <Picture 'Decision regions'>
    >>> picture.to_svg().startswith("<svg")
    True
    """

    def __init__(self, core: _core.Picture, theme: str = "auto") -> None:
        self._core, self._theme = core, theme

    @property
    def title(self) -> str:
        """The title."""
        return self._core.title

    @property
    def description(self) -> str:
        """What is to be seen, in words: the alternative text."""
        return self._core.description

    @property
    def caption(self) -> str:
        """What to notice; it is not part of the figure."""
        return self._core.caption

    @property
    def notes(self) -> list[str]:
        """Small print: what was left out or thinned."""
        return self._core.notes

    def __repr__(self) -> str:
        return f"<Picture {self.title!r}>"

    def _repr_svg_(self) -> str:
        return self._svg()

    def _svg(self) -> str:
        # Figures of one page have ids of their own, and the same figure always the same.
        named = crc32(self._core.svg(self._theme, "figure").encode())
        return self._core.svg(self._theme, f"figure-{named:08x}")

    def to_svg(self, path: str | PathLike[str] | None = None) -> str | None:
        """Write the figure as SVG.

        Parameters
        ----------
        path : path, default=None
            Where to write it, whole or not at all; by default its text is returned.

        Returns
        -------
        str or None
            The text, unless it was written to a file.
        """
        text = self._svg()
        if path is None:
            return text
        _core.write_file(path, text.encode())
        return None

    def to_png(
        self, path: str | PathLike[str] | None = None, *, scale: float = 2.0
    ) -> bytes | None:
        """Write the figure as PNG.

        Parameters
        ----------
        path : path, default=None
            Where to write it, whole or not at all; by default its bytes are returned.
        scale : float, default=2.0
            Pixels of it for one of the SVG.

        Returns
        -------
        bytes or None
            The bytes, unless they were written to a file.
        """
        pixels = self._core.png(self._theme, float(scale))
        if path is None:
            return pixels
        _core.write_file(path, pixels)
        return None

    def save(self, path: str | PathLike[str]) -> None:
        """Write the figure as what the name of the file ends in.

        Parameters
        ----------
        path : path
            A name that ends in .svg or .png.
        """
        ending = fspath(path).rpartition(".")[2].lower()
        if ending not in _WRITTEN:
            raise ValueError(
                f"{fspath(path)!r} ends neither in .svg nor in .png\n"
                "hint: matplotlib writes other formats: picture.draw().figure.savefig(path)"
            )
        _ = self.to_svg(path) if ending == "svg" else self.to_png(path)

    def draw(self, ax: Any = None) -> Any:
        """Draw the figure with matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes, array of Axes or Figure, default=None
            Where to draw: an Axes for a figure of one panel; an array with an Axes for each panel,
            or a Figure that gets them, for any. By default a new figure.

        Returns
        -------
        Axes or array of Axes
            What it was drawn on.
        """
        from ._matplotlib import draw

        return draw(self._core, self._theme, ax)
