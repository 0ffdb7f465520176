"""Reads seeds and numbers of rows as scikit-learn's users write them."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np


def seed_of(random_state: Any) -> int:
    """Return a seed of the core; None draws a new one."""
    match random_state:
        case None:
            return int(np.random.default_rng().integers(0, 2**63 - 1))
        case np.random.RandomState():
            return int(random_state.randint(0, 2**31 - 1))
        case np.random.Generator():
            return int(random_state.integers(0, 2**63 - 1))
        case int() | np.integer():
            if not 0 <= int(random_state) < 2**64:
                raise ValueError(
                    f"random_state is {random_state}, but a seed is at least 0 and below 2**64"
                )
            return int(random_state)
    raise ValueError(f"random_state is {random_state!r}, but must be a seed, a generator or None")


def rows_of(n_samples: Any) -> int:
    """Return how many rows are to be drawn."""
    if not isinstance(n_samples, Integral) or n_samples < 1:
        raise ValueError(f"n_samples is {n_samples!r}, but must be an integer of at least 1")
    return int(n_samples)
