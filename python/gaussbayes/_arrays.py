"""Makes arrays such as Rust can read them: aligned, in the machine's byte order, whole strides."""

from __future__ import annotations

from typing import Any

import numpy as np


def behaved(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the array, or a copy of one that lies oddly in memory, such as a field of records."""
    if not array.dtype.isnative:
        return array.astype(array.dtype.newbyteorder("="))
    whole = all(stride % max(array.itemsize, 1) == 0 for stride in array.strides)
    return array if whole and array.flags.aligned else array.copy()
