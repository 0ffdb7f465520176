"""Holds how often a rule errs, and thresholds that follow from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Risk:
    """What a rule does to rows of each class.

    Attributes
    ----------
    total : float
        Expected cost of a row: the chance of an error where every error costs 1.
    error : float
        How far ``total`` may be off: rounding and quadrature, or half of a 99.9 % interval.
    per_class : ndarray of shape (n_classes,)
        The same for rows of each class; nan for a class that has had no rows.
    per_class_error : ndarray of shape (n_classes,)
        How far each may be off.
    confusion : ndarray of shape (n_classes, n_actions)
        P(action | class): rows true classes, columns what is said, the last one reject if it can
        be. A class that has had no rows is never said; its row is nan.
    confusion_error : ndarray of shape (n_classes, n_actions)
        How far each may be off.
    error_rate, reject_rate : float
        Chance of naming a wrong class, and of naming none.
    method : str
        How the numbers are known; ``how`` says it in a sentence.
    bhattacharyya, chernoff : float or None
        Upper bounds of the least expected cost that any rule has; None where costs allow none.
    pairwise : tuple of two floats or None
        Between what the error rate lies by errors of two classes at a time, for three and more.
    actions : tuple
        What the columns of ``confusion`` stand for, as ``predict`` says it.
    """

    total: float
    error: float
    per_class: Array = field(repr=False)
    per_class_error: Array = field(repr=False)
    confusion: Array = field(repr=False)
    confusion_error: Array = field(repr=False)
    error_rate: float
    reject_rate: float
    method: str
    how: str = field(repr=False)
    bhattacharyya: float | None
    chernoff: float | None
    pairwise: tuple[float, float] | None = field(repr=False)
    actions: tuple[Any, ...] = field(repr=False)

    @classmethod
    def read(
        cls, fields: dict[str, Any], classes: int, places: Array | None, actions: list[Any]
    ) -> Self:
        """Return what the core found, with classes in their own order."""
        rows = np.arange(classes) if places is None else places
        columns = np.append(rows, np.arange(classes, len(actions)))

        def by_class(values: Array) -> Array:
            placed = np.full(classes, np.nan)
            placed[rows] = values
            return placed

        def by_action(values: Array) -> Array:
            placed = np.full((classes, len(actions)), np.nan)
            placed[rows] = 0.0
            placed[np.ix_(rows, columns)] = values
            return placed

        return cls(
            total=fields["total"][0],
            error=fields["total"][1],
            per_class=by_class(fields["per_class"]),
            per_class_error=by_class(fields["per_class_error"]),
            confusion=by_action(fields["confusion"]),
            confusion_error=by_action(fields["confusion_error"]),
            error_rate=fields["error_rate"][0],
            reject_rate=fields["reject_rate"][0],
            method=fields["method"],
            how=fields["sentence"],
            bhattacharyya=fields["bhattacharyya"],
            chernoff=fields["chernoff"],
            pairwise=fields["pairwise"],
            actions=tuple(actions),
        )


@dataclass(frozen=True)
class Threshold:
    """A rule that says the first class where the log likelihood ratio exceeds a threshold.

    Attributes
    ----------
    log_threshold : float
        The threshold of the log likelihood ratio of the first class to the second.
    errors : ndarray of shape (n_classes,)
        Chances that rows of each class are taken for the other; nan for a class without rows.
    rule : GaussianClassifier or None
        The classifier that decides so: every error costs 1, and its priors make this the best
        threshold. None where such a prior underflows to 0.
    """

    log_threshold: float
    errors: Array
    rule: Any = field(repr=False)


@dataclass(frozen=True)
class Minimax:
    """The least favourable priors, and the rule for them.

    Attributes
    ----------
    priors : ndarray of shape (n_classes,)
        Those priors, in the order of ``classes_``.
    cost : float
        What the rule costs, whatever the priors are.
    rule : GaussianClassifier or None
        The classifier with these priors. None where one of them underflows to 0.
    """

    priors: Array
    cost: float
    rule: Any = field(repr=False)
