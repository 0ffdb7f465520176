"""Compares fitted estimators to the bit."""

import numpy as np

METHODS = [
    "predict",
    "predict_proba",
    "predict_log_proba",
    "predict_joint_log_proba",
    "decision_function",
]


def fitted_state(estimator: object) -> dict[str, object]:
    """The public fitted attributes that are numbers, text or arrays, but for column names."""
    state = {}
    for name in dir(estimator):
        if name.endswith("_") and not name.startswith("_") and name != "feature_names_in_":
            value = getattr(estimator, name, None)
            if isinstance(value, int | float | str | np.generic | np.ndarray) or is_arrays(value):
                state[name] = value
    return state


def is_arrays(value: object) -> bool:
    """Whether this is a list of arrays."""
    return isinstance(value, list) and all(isinstance(each, np.ndarray) for each in value)


def is_same(one: object, other: object) -> bool:
    """Whether two values have the same type, shape and bits."""
    if isinstance(one, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    one, other = np.asarray(one), np.asarray(other)
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if one.dtype == object:
        return bool((one == other).all())
    return one.tobytes() == other.tobytes()


def answers(estimator: object, queries: object) -> dict[str, np.ndarray]:
    """What every method that answers for rows says; `queries` is asked for each."""
    rows = queries if callable(queries) else lambda: queries
    found = [each for each in METHODS if hasattr(estimator, each)]
    return {method: getattr(estimator, method)(rows()) for method in found}


def same_bits(one: object, other: object, queries: object, others: object = None) -> None:
    """Hold attributes and answers of two fits together; `others` are the rows of the second."""
    states = fitted_state(one), fitted_state(other)
    asked = answers(one, queries), answers(other, queries if others is None else others)
    for left, right in [states, asked]:
        assert left.keys() == right.keys()
        for name in left:
            assert is_same(left[name], right[name]), f"{name}: {left[name]!r} {right[name]!r}"
