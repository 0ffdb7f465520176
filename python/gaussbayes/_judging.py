"""Judges classifiers by folds, or by leaving each row out, without refitting them one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _core
from ._labels import restore
from ._learner import Fit, Learner, place_classes
from ._loss import in_core_order, read_costs
from ._nearest_centroid import NearestCentroid
from ._picture import Picture
from ._plotted import shown
from ._tables import Table, read_table

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Judgement:
    """What came of deciding rows whose class is known, each by a model that has not seen it."""

    error_rate: float
    interval: tuple[float, float]
    errors: float
    rejected: float
    n: float
    log_loss: float
    brier: float
    calibration_error: float
    mean_cost: float
    classes: Array = field(repr=False)
    confusion: Array = field(repr=False)

    def plot(self, *, ax: Any = None, theme: str = "auto") -> Picture:
        """Draw the confusion matrix.

        Parameters
        ----------
        ax : matplotlib Axes or Figure, default=None
            Where to draw it with matplotlib too.
        theme : {'auto', 'light', 'dark'}, default='auto'
            The paper.

        Returns
        -------
        Picture
            What shows itself in a notebook; ``save`` writes it as SVG or PNG.
        """
        counts = np.ascontiguousarray(self.confusion, dtype=np.float64)
        return shown(_core.confusion_picture(list(map(str, self.classes)), counts), theme, ax)


def cross_validate(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    folds: int | str = 10,
    seed: int = 1,
    sample_weight: Any = None,
) -> Any:
    """Judge one or several estimators: rows are read twice, whatever their number.

    Parameters
    ----------
    estimator : estimator of this package, or a sequence of them
        What is judged; it is not fitted. Costs are those of the first GaussianClassifier.
    X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
        Rows.
    y : array-like of shape (n_samples,), or str
        Classes; a name is that of a column of X.
    folds : int or 'loo', default=10
        Number of folds, or 'loo' to leave out each row in turn, in closed form where there is one.
    seed : int, default=1
        Decides which rows are in which fold.
    sample_weight : array-like of shape (n_samples,) or str, default=None
        How often each row counts; a name is that of a column of X.

    Returns
    -------
    Judgement or list of Judgement
        Error rate with its 95 % interval, confusion (rows true, columns action), log loss. In a
        list, an estimator that cannot be fitted has its error in place of a judgement.

    Examples
    --------
    >>> from gaussbayes import GaussianClassifier, cross_validate, datasets
    >>> X, y = datasets.load_iris(return_X_y=True)
    >>> cross_validate(GaussianClassifier("VVV"), X, y, folds="loo").errors
    4.0
    >>> families = [GaussianClassifier(name) for name in ("EEE", "VVI", "EII")]
    >>> [judged.errors for judged in cross_validate(families, X, y, folds="loo")]
    [3.0, 7.0, 12.0]
    """
    alone = isinstance(estimator, Learner)
    many = isinstance(estimator, Iterable) and not isinstance(estimator, str)
    estimators: Sequence[Any] = list(estimator) if many else [estimator]
    if not estimators:
        raise ValueError("there is no estimator to judge")
    for one in estimators:
        _check_kind(one)
        one._validate_params()
    table = read_table(estimators[0], X, y, sample_weight)
    fit = _classes(table) if any(map(_names_classes, estimators)) else None
    candidates = [(one._specified(table)[1], _priors(one, fit)) for one in estimators]
    outcomes = _judged(candidates, table, folds, seed, _costs(estimators, fit))
    if alone and "failure" in outcomes[0]:
        raise outcomes[0]["failure"]
    judged = [_judgement(outcome, table) for outcome in outcomes]
    return judged[0] if alone else judged


def _names_classes(one: Any) -> bool:
    """Return whether parameters have one entry per class, so that classes must be known first."""
    given = not (one.priors is None or isinstance(one.priors, str))
    return (
        given or getattr(one, "loss", None) is not None or getattr(one, "reject", None) is not None
    )


def _classes(table: Table) -> Fit:
    sums = _core.Statistics(_core.Spec("unit"), table.rows.columns).added(*table.parts())
    labels = restore(sums.classes, table.labels.dtype)
    return Fit(table, sums, table.rows.dtype, None, *place_classes(labels, sums.classes))


def _priors(one: Any, fit: Fit | None) -> Any:
    return one._priors(np.empty(0)) if fit is None else one._core_priors(fit)


def _check_kind(one: Any) -> None:
    if not isinstance(one, Learner):
        raise TypeError(f"{type(one).__name__} is no estimator of gaussbayes")
    by_em = getattr(one, "unlabelled", None) is not None or hasattr(one, "families")
    outside = getattr(one, "covariance_estimator", None) is not None
    if by_em or outside or isinstance(one, NearestCentroid):
        raise ValueError(
            f"{type(one).__name__} is not estimated from sums alone\n"
            "hint: judge it with sklearn.model_selection.cross_val_score"
        )


def _costs(estimators: Sequence[Any], fit: Fit | None) -> Array | None:
    if fit is None:
        return None
    for one in estimators:
        costs = read_costs(getattr(one, "loss", None), getattr(one, "reject", None), fit.classes)
        if costs is not None:
            return in_core_order(costs, fit.places)
    return None


def _judged(
    candidates: list[Any], table: Table, folds: int | str, seed: int, costs: Array | None
) -> list[dict[str, Any]]:
    names = table.rows.feature_names()
    if folds == "loo":
        return _core.judge_by_rows(candidates, *table.parts(), names, costs=costs)
    if isinstance(folds, str):
        raise ValueError(f"folds is {folds!r}, but must be a number or 'loo'")
    return _core.judge_by_folds(
        candidates, *table.parts(), names, folds=folds, seed=seed, costs=costs
    )


def _judgement(outcome: dict[str, Any], table: Table) -> Any:
    if "failure" in outcome:
        return outcome["failure"]
    confusion = outcome["confusion"]
    labels = restore(outcome["classes"], table.labels.dtype)
    classes, places = place_classes(labels, outcome["classes"])
    if places is not None:
        order = np.argsort(places)
        columns = [*order, *range(len(order), confusion.shape[1])]
        confusion = confusion[np.ix_(order, columns)]
    return Judgement(
        error_rate=outcome["error_rate"],
        interval=outcome["interval"],
        errors=outcome["errors"],
        rejected=outcome["rejected"],
        n=outcome["n"],
        log_loss=outcome["log_loss"],
        brier=outcome["brier"],
        calibration_error=outcome["calibration_error"],
        mean_cost=outcome["mean_cost"],
        classes=classes,
        confusion=confusion,
    )
