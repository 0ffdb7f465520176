"""Warns where the user's own code is, whatever lies between it and here."""

from __future__ import annotations

import sys
import warnings

_OURS = ("gaussbayes", "sklearn")


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the first line outside of this package and scikit-learn."""
    level = 2
    frame = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] in _OURS:
        level += 1
        frame = frame.f_back  # type: ignore[assignment]  # the outermost frame has none
    warnings.warn(message, category, stacklevel=level)
