"""Reads costs as users write them, and names what is said of rejected rows."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

REJECT = "reject"

# Kinds of labels that classes can be joined with and stay what they are.
_WIDENS = {"U": "U", "i": "i", "u": "u", "f": "fi"}


def read_costs(loss: Any, reject: float | None, classes: Array) -> Array | None:
    """Return costs by true class and action, in class order; the last action may be reject."""
    count = len(classes)
    if loss is None and reject is None:
        return None
    if loss is None:
        costs = 1.0 - np.eye(count)
    elif hasattr(loss, "columns") and hasattr(loss, "index"):
        costs = _by_name(loss, classes)
    else:
        costs = np.asarray(loss, dtype=np.float64)
    if costs.ndim != 2 or costs.shape[0] != count or costs.shape[1] not in (count, count + 1):
        raise ValueError(
            f"loss has shape {costs.shape}, but {count} classes need ({count}, {count}), or "
            f"({count}, {count + 1}) with a last column for reject\n"
            "hint: loss[i, j] is the cost of saying class j when class i is true"
        )
    if reject is None:
        return costs
    if costs.shape[1] > count:
        raise ValueError("give the cost of reject either in loss or as reject, not both")
    return np.column_stack([costs, np.full(count, float(reject))])


def _by_name(loss: Any, classes: Array) -> Array:
    actions = [name for name in loss.columns if not _is_reject(name, classes)]
    for what, names in (("rows", list(loss.index)), ("columns", actions)):
        if sorted(map(str, names)) != sorted(map(str, classes)):
            raise ValueError(f"the {what} of loss are {names}, but the classes are {list(classes)}")
    order = {str(name): name for name in loss.index}, {str(name): name for name in loss.columns}
    rows = [order[0][str(name)] for name in classes]
    columns = [order[1][str(name)] for name in classes]
    columns += [name for name in loss.columns if _is_reject(name, classes)]
    return np.asarray(loss.loc[rows, columns], dtype=np.float64)


def _is_reject(name: Any, classes: Array) -> bool:
    return str(name) == REJECT and REJECT not in map(str, classes)


def in_core_order(costs: Array, places: Array | None) -> Array:
    """Return costs with the classes in the order of the model's components."""
    if places is None:
        return np.ascontiguousarray(costs)
    count = costs.shape[0]
    columns = [*places, *range(count, costs.shape[1])]
    return np.ascontiguousarray(costs[np.ix_(places, columns)])


def with_reject(classes: Array, label: Any) -> Array:
    """Return the classes and, behind them, what is said of a rejected row."""
    if label is None:
        match classes.dtype.kind:
            case "U" | "O":
                label = REJECT
            case "i":
                label = -1
            case "f":
                label = np.nan
            case _:
                label = None
    if label is None:
        raise ValueError(f"no {classes.dtype} can stand for reject\nhint: give a reject_label")
    if label in classes.tolist():
        raise ValueError(
            f"rejected rows cannot be told from class {label!r}\n"
            "hint: give a reject_label that is no class"
        )
    named = np.asarray([label])
    if named.dtype.kind in _WIDENS.get(classes.dtype.kind, ""):
        return np.append(classes, named)
    return np.array([*classes, label], dtype=object)
