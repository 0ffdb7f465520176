"""Compares every classifier on the same folds: errors, losses, times, and which to take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from . import _core
from ._gaussian_classifier import GaussianClassifier
from ._labels import restore
from ._learner import place_classes
from ._loss import in_core_order, read_costs
from ._mixed import MixedNB
from ._tables import Table, read_table

NAIVE_BAYES = "naive-bayes"
SOFTMAX = "softmax"

# Kinds of columns that are numbers to whoever wants them to be.
_NUMBERS = {"number", "flag", "count"}

# What is kept of a judgement, in the order of a table's columns.
_KEYS = (
    "error_rate",
    "errors",
    "n",
    "log_loss",
    "brier",
    "calibration_error",
    "mean_cost",
    "rejected",
    "parameters",
    "rule_parameters",
    "fit_seconds",
    "predict_seconds",
    "difference",
    "standard_error",
    "p_value",
    "p_holm",
)


@dataclass(frozen=True)
class Comparison:
    """Classifiers that were judged on the same folds, the best first.

    Attributes
    ----------
    table : list of dict
        A row for each classifier, the best first and those that could not be fitted last; what
        ``pandas.DataFrame`` takes. 'p_holm' is the p value of its difference from the best by the
        corrected resampled t-test, with Holm's correction.
    advice : str or None
        One sentence on which to take.
    advised : str or None
        Its name: the simplest rule among those within one standard error of the best.
    alike : list of str
        The best, and those that these folds cannot tell from it.
    """

    table: list[dict[str, Any]] = field(repr=False)
    advice: str | None
    advised: str | None
    alike: list[str]

    def __str__(self) -> str:
        """Return the errors as a short table, with the advice below."""
        lines = [f"{'model':13} {'error':>8} {'p':>6} {'log loss':>9} {'Brier':>7} {'params':>6}"]
        for row in self.table:
            if row["failure"] is not None:
                lines.append(f"{row['model']:13} cannot be fitted: {row['failure']}")
                continue
            p = "best" if row["p_holm"] is None else f"{row['p_holm']:.3f}"
            lines.append(
                f"{row['model']:13} {100 * row['error_rate']:6.2f} % {p:>6} "
                f"{row['log_loss']:9.4f} {row['brier']:7.4f} {row['parameters'] or '-':>6}"
            )
        return "\n".join([*lines, *([""] if self.advice else []), self.advice or ""]).rstrip()


def compare(
    X: Any,
    y: Any,
    *,
    models: Sequence[str] | None = None,
    folds: int = 10,
    repeat: int = 1,
    seed: int = 1,
    sample_weight: Any = None,
    loss: Any = None,
    reject: float | None = None,
    penalty: float = 1.0,
    types: dict[Any, str] | None = None,
) -> Comparison:
    """Compare every classifier that can read these rows, on the same folds.

    Tables of numbers have the fourteen covariance families, the nearest mean and softmax
    regression; columns with names or text, or with missing cells, have naive Bayes alone.

    Parameters
    ----------
    X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
        Rows.
    y : array-like of shape (n_samples,), or str
        Classes; a name is that of a column of X.
    models : sequence of str, default=None
        Names of classifiers, as the command has them: 'lda', 'qda', 'naive-bayes', 'VEV',
        'softmax', …; all by default.
    folds : int, default=10
        Number of folds.
    repeat : int, default=1
        Turns through the folds, each with another seed.
    seed : int, default=1
        Decides which rows are in which fold.
    sample_weight : array-like of shape (n_samples,) or str, default=None
        How often each row counts; a name is that of a column of X.
    loss : array-like of shape (n_classes, n_classes) or data frame, default=None
        Costs: ``loss[i, j]`` is that of saying class j when class i is true. Classifiers are ranked
        by their mean cost then.
    reject : float, default=None
        Cost of rejecting a row.
    penalty : float, default=1.0
        Penalty of softmax regression, scikit-learn's 1/C.
    types : dict, default=None
        What columns hold, as for MixedNB.

    Returns
    -------
    Comparison
        The table, the best first, and advice.

    Examples
    --------
    >>> from gaussbayes import compare, datasets
    >>> X, y = datasets.load_iris(return_X_y=True)
    >>> found = compare(X, y, models=["lda", "naive-bayes", "nearest-mean"])
    >>> [row["model"] for row in found.table]
    ['lda', 'naive-bayes', 'nearest-mean']
    >>> found.advised
    'lda'
    """
    if repeat < 1:
        raise ValueError(f"repeat is {repeat}, but must be 1 or more")
    typed = MixedNB(types=types, var_smoothing=0.0)
    typed._validate_params()
    table = read_table(typed, X, y, sample_weight, fresh=True)
    kinds = set(table.rows.kinds or ())
    product = typed._specified(table)[0]
    own = (NAIVE_BAYES, None, product)
    plain = _whole(X, y, sample_weight) if kinds <= _NUMBERS else None
    if plain is not None:
        # Flags are numbers too, and naive Bayes knows them for what they are.
        table, known = plain, _plain(penalty)
        if kinds != {"number"}:
            known = [own if entry[0] == NAIVE_BAYES else entry for entry in known]
    else:
        known = [own]
    chosen = _chosen(known, models)
    names = [name for name, _, _ in chosen]
    found = _core.compare(
        [(learning, _priors(name)) for name, _, learning in chosen],
        *table.parts(),
        table.rows.feature_names(),
        folds=folds,
        repeat=repeat,
        seed=seed,
        names=names,
        costs=_costs(loss, reject, table, product),
    )
    rows = [_row(name, family, found["rows"][i]) for i, (name, family, _) in enumerate(chosen)]
    advised = found["advised"]
    return Comparison(
        table=[rows[i] for i in found["order"]],
        advice=found["advice"],
        advised=None if advised is None else names[advised],
        alike=[names[i] for i in found["alike"]],
    )


def _whole(X: Any, y: Any, sample_weight: Any) -> Table | None:
    """Return the rows as plain numbers; None where a cell is missing."""
    table = read_table(GaussianClassifier(), X, y, sample_weight)
    try:
        _core.Statistics(_core.Spec("unit"), table.rows.columns).added(*table.parts())
    except ValueError as error:
        if "NaN" not in str(error):
            raise
        return None
    return table


def _plain(penalty: float) -> list[tuple[str, str | None, Any]]:
    families = [(name, family, _core.Spec(family)) for name, family in _core.classifiers()]
    return [*families, (SOFTMAX, None, _core.SoftmaxSpec(float(penalty)))]


def _priors(name: str) -> str:
    return "uniform" if name == "nearest-mean" else "observed"


def _chosen(
    known: list[tuple[str, str | None, Any]], models: Sequence[str] | None
) -> list[tuple[str, str | None, Any]]:
    if models is None:
        return known
    if isinstance(models, str):
        raise TypeError(f"models is {models!r}, but must be a sequence of names")
    by_name = {entry[0]: entry for entry in known}
    for name in models:
        if name not in by_name:
            near = get_close_matches(str(name), by_name, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"names: {', '.join(by_name)}"
            raise ValueError(f"there is no classifier {name!r} for these rows\nhint: {hint}")
    return [by_name[name] for name in models]


def _costs(loss: Any, reject: float | None, table: Table, product: _core.ProductSpec) -> Any:
    if loss is None and reject is None:
        return None
    sums = _core.ProductStatistics(product, table.rows.columns).added(*table.parts())
    classes, places = place_classes(restore(sums.classes, table.labels.dtype), sums.classes)
    costs = read_costs(loss, reject, classes)
    return None if costs is None else in_core_order(costs, places)


def _row(name: str, family: str | None, outcome: dict[str, Any]) -> dict[str, Any]:
    failure = outcome.get("failure")
    low, high = outcome.get("interval", (None, None))
    row = {"model": name, "family": family, **{key: outcome.get(key) for key in _KEYS}}
    row |= {"interval_low": low, "interval_high": high}
    return row | {"failure": None if failure is None else str(failure)}
