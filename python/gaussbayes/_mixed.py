"""Naive Bayes over columns of any kind: numbers, flags, categories, counts and text, with gaps."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from . import _columns, _core
from ._counting import Product
from ._learner import Fit
from ._modelled import Array
from ._names import check_names, known_names
from ._reading import take_on
from ._shift import Shifting
from ._sklearn_names import PART
from ._tables import Rows, Table
from ._warning import warn


class MixedNB(Product, Shifting):
    """Naive Bayes over columns of any kind, side by side.

    Each column has its own distribution in each class: a Gaussian for numbers, a probability of yes
    for flags, one of each category for names, one multinomial distribution over all columns of
    counts, and one over the words of text. Cells that are missing (NaN, None, null) say nothing,
    neither in a fit nor of a row.

    Parameters
    ----------
    types : dict, default=None
        What columns hold, by their name or number: 'number', 'flag', 'category', 'count' or 'text'.
        Other columns of a table are taken by their dtype: floats and integers are numbers, booleans
        flags, strings and categories are categories. Those of an array are numbers. Text is cut
        into words as the command does it: runs of letters and digits, in lower case.
    alpha : float or dict, default=1.0
        What is added to every count of flags, categories, counts and words; a dictionary has one
        for some columns, by their name or number, and 1 for the others.
    unseen : {'ignore', 'smooth', 'refuse'}, default='ignore'
        What a category or word says that no row of the fit had: nothing, as much as one more that
        nothing was counted of, or an error.
    var_smoothing : float, default=1e-9
        Share of a column's variance over all rows that is added to its variance in each class.
    priors : {'observed', 'uniform'} or array-like of shape (n_classes,), default=None
        Class priors; by default the share of each class in the rows.
    complement : bool, default=False
        Whether counts and words speak against a class, by their shares in all others. Scores are no
        logarithms of probabilities then.

    Attributes
    ----------
    types_ : dict
        What each column was taken for, by its name, or by its number where there are no names.
    classes_ : ndarray of shape (n_classes,)
        Classes.
    class_count_ : ndarray of shape (n_classes,)
        Summed weight of each class.
    class_prior_ : ndarray of shape (n_classes,)
        Class priors.
    report_ : dict
        How the fit went: 'parameters', how many numbers were estimated; 'silent', the columns that
        say nothing, with why; 'categories', how many categories or words each column has.
    parameters_ : dict
        The distributions of each column, in the order of ``classes_``: 'mean' and 'var' of numbers,
        'log_prob' of others, with 'categories' for names and words.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where all of them had one.

    Examples
    --------
    >>> import pandas as pd
    >>> from gaussbayes import MixedNB
    >>> X = pd.DataFrame({
    ...     "age": [31.0, 44.0, None, 25.0, 61.0, 58.0],
    ...     "city": ["Bern", "Kiel", "Kiel", "Bern", "Oslo", None],
    ...     "member": [True, False, True, True, False, False],
    ... })
    >>> nb = MixedNB().fit(X, ["yes", "no", "yes", "yes", "no", "no"])
    >>> nb.types_
    {'age': 'number', 'city': 'category', 'member': 'flag'}
    >>> nb.predict(X).tolist()
    ['yes', 'no', 'yes', 'yes', 'no', 'no']
    """

    # Names and gaps are read.
    _typed = True
    _sparse = False

    _parameter_constraints: dict[str, Any] = {
        "types": [dict, None],
        "alpha": [Interval(Real, 0, None, closed="left"), dict],
        "unseen": [StrOptions({"ignore", "smooth", "refuse"})],
        "var_smoothing": [Interval(Real, 0, None, closed="left")],
        "priors": [StrOptions({"observed", "uniform"}), "array-like", None],
        "complement": ["boolean"],
    }

    _kinds: tuple[str, ...]
    class_prior_: Array
    types_: dict[Any, str]

    def __init__(
        self,
        types: dict[Any, str] | None = None,
        *,
        alpha: Any = 1.0,
        unseen: str = "ignore",
        var_smoothing: float = 1e-9,
        priors: Any = None,
        complement: bool = False,
    ) -> None:
        self.types = types
        self.alpha = alpha
        self.unseen = unseen
        self.var_smoothing = var_smoothing
        self.priors = priors
        self.complement = complement

    def _known(self, names: Any, count: int, fresh: bool) -> tuple[str, ...] | None:
        """Return what columns hold that were fitted already, if these are the same ones."""
        kinds = None if fresh else getattr(self, "_kinds", None)
        if kinds is not None:
            before = getattr(self, "feature_names_in_", None)
            renamed = names is not None and before is not None and list(names) != list(before)
            if renamed or len(kinds) != count:
                check_names(self, names, count)
        return kinds

    def _typed_frame(self, X: Any, places: list[int], fresh: bool) -> Rows:
        names = known_names(X.columns[places])
        return _columns.frame(self, X, places, names, self._known(names, len(places), fresh))

    def _typed_stream(self, stream: _core.Stream, names: Any, fresh: bool) -> Rows:
        kinds = self._known(names, len(stream.features), fresh)
        return _columns.stream(self, stream, names, kinds)

    def _typed_array(self, X: Any, fresh: bool) -> Rows:
        table = _columns.as_array(self, X)
        return _columns.array(self, table, self._known(None, table.shape[1], fresh))

    def _columns_kept(self, table: Table) -> dict[str, Any]:
        return {"_kinds": table.rows.kinds}

    def _specified(self, table: Table) -> tuple[_core.ProductSpec, _core.ProductSpec]:
        kinds, features = table.rows.kinds or (), table.rows.feature_names()
        smoothing = self._smoothing(features)
        parts = []
        for kind in _columns.KINDS:
            columns = [j for j, own in enumerate(kinds) if own == kind]
            if columns:
                alphas = [smoothing[j] for j in columns]
                alpha = alphas[0] if len(set(alphas)) == 1 else alphas
                own = {"kind": kind, "columns": columns, "alpha": alpha}
                parts.append({**PART, "above": 0.5, "complement": self.complement, **own})
        ridge = float(self.var_smoothing)
        spec = _core.ProductSpec(parts, len(kinds), unseen=self.unseen, ridge=ridge)
        return spec, spec

    def _smoothing(self, features: list[str]) -> list[float]:
        """Return what is added to the counts of each column."""
        if not isinstance(self.alpha, dict):
            return [float(self.alpha)] * len(features)
        all_ = [1.0] * len(features)
        for column, alpha in self.alpha.items():
            place = features.index(column) if column in features else column
            if not isinstance(place, int | np.integer) or not 0 <= place < len(features):
                raise ValueError(f"alpha names column {column!r}, which X does not have")
            all_[int(place)] = float(alpha)
        return all_

    def _priors(self, classes: Array) -> Array | str:
        if self.priors is None or isinstance(self.priors, str):
            return self.priors or "observed"
        given = np.asarray(self.priors, dtype=np.float64)
        if given.shape != (len(classes),):
            raise ValueError(f"{given.size} priors for {len(classes)} classes")
        return given

    def _readings(self, model: _core.Model, fit: Fit) -> dict[str, Any]:
        kinds, names = fit.table.rows.kinds or (), fit.table.rows.names
        columns = list(range(len(kinds))) if names is None else names.tolist()
        report = _core.product_report(model) or {}
        gone = [columns[j] for j, why in report["silent"] if "no value" in why]
        if gone:
            warn(f"columns without any value: {gone}")
        return {
            "class_count_": fit.placed(fit.statistics.weights()),
            "class_prior_": fit.placed(model.priors()),
            "types_": dict(zip(columns, kinds, strict=True)),
            "report_": {
                "parameters": report["parameters"],
                "silent": {columns[j]: why for j, why in report["silent"]},
                "categories": {columns[j]: count for j, count in report["names"]},
            },
        }

    @property
    def parameters_(self) -> dict[Any, dict[str, Any]]:
        """The distributions of each column."""
        if getattr(self, "_model", None) is None:
            raise AttributeError("parameters_ is there once MixedNB is fitted")
        names = list(self.types_)
        found: dict[Any, dict[str, Any]] = {}
        for factor in _core.factors(self._model):
            for at, j in enumerate(factor["columns"]):
                own = found[names[j]] = {"type": self.types_[names[j]]}
                if factor["kind"] == "number":
                    own |= {name: self._per_class(factor[name]) for name in ("mean", "var")}
                elif "names" in factor:
                    own["categories"] = np.array(factor["names"], dtype=object)
                    own["log_prob"] = self._per_class(factor["log_prob"])
                else:
                    own["log_prob"] = self._per_class(factor["log_prob"][:, at])
        return {name: found[name] for name in names if name in found}

    def _per_class(self, values: Array) -> Array:
        """Put one entry per class of the model where the class is."""
        if self._places is None:
            return values
        spread = np.full((len(self.classes_), *values.shape[1:]), np.nan)
        spread[self._places] = values
        return spread

    def _narrow(self, rows: Rows) -> bool:
        return False

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def of_model(model: _core.Model, classes: Array) -> MixedNB:
    """Return a classifier of a model that the command fitted."""
    found = _core.product_settings(model)
    names = model.features
    kinds, alphas, complement = [""] * len(names), {}, False
    for part in found["parts"]:
        each = part["alpha"] if isinstance(part["alpha"], list) else None
        complement = complement or part["complement"]
        for at, j in enumerate(part["columns"]):
            kinds[j] = part["kind"]
            if part["kind"] != "number":
                alphas[names[j]] = each[at] if each else part["alpha"]
    same = len(set(alphas.values())) < 2
    estimator = MixedNB(
        dict(zip(names, kinds, strict=True)),
        alpha=next(iter(alphas.values()), 1.0) if same else alphas,
        unseen=found["unseen"],
        var_smoothing=found["ridge"],
        priors=found["priors"],
        complement=complement,
    )
    sums = _core.product_statistics(model)
    state: dict[str, Any] = {"types_": estimator.types, "class_prior_": model.priors()}
    if sums is not None:
        state["class_count_"] = sums.weights()
    take_on(estimator, model, classes, names, readings=state)
    estimator._kinds = tuple(kinds)
    return estimator
