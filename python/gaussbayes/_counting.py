"""Holds what the naive Bayes classifiers of flags, counts and codes share."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core, _sklearn_names
from ._labels import names
from ._learner import Earlier, Fit, Joint
from ._modelled import Array
from ._tables import Rows, Table


class Product(Joint):
    """A learner whose class densities are products over columns."""

    # Zeros of sparse rows stay unwritten.
    _stays_sparse = True

    def _no_sums(self, storage: _core.ProductSpec, columns: int) -> _core.ProductStatistics:
        return _core.ProductStatistics(storage, columns)

    def _sums_of(self, model: _core.Model) -> _core.ProductStatistics | None:
        return _core.product_statistics(model)

    def _earlier(self, table: Table, spec: _core.ProductSpec, classes: Any) -> Earlier | None:
        earlier = super()._earlier(table, spec, classes)
        if earlier is not None:
            earlier.statistics.check(spec)
        return earlier

    def _estimate(self, fit: Fit, spec: _core.ProductSpec, batch: bool) -> _core.Model:
        return fit.statistics.model(
            spec,
            fit.priors,
            fit.table.rows.feature_names(),
            any_classes=self._any_classes or batch,
            target=fit.table.target,
            weight=fit.table.weight,
        )


class Counting(Product):
    """A drop-in for one of scikit-learn's discrete classifiers: all columns are of one kind."""

    _any_classes = True
    _classes_first = True
    _object_classes = False
    # Whether a number below zero means anything.
    _negative = False

    alpha: Any
    force_alpha: bool
    fit_prior: bool
    class_prior: Any

    def _kind(self, columns: int) -> dict[str, Any]:
        """Return the kind of all columns, as the core takes it."""
        raise NotImplementedError

    def _tables(self, model: _core.Model, fit: Fit) -> dict[str, Any]:
        """Return what was counted, and what it says."""
        raise NotImplementedError

    def _specified(self, table: Table) -> tuple[_core.ProductSpec, _core.ProductSpec]:
        columns = table.rows.columns
        part = {
            "columns": list(range(columns)),
            "alpha": _sklearn_names.smoothing(self, columns),
            **_sklearn_names.PART,
            **self._kind(columns),
        }
        spec = _core.ProductSpec([part], columns)
        return spec, spec

    def _declare(
        self, sums: _core.ProductStatistics, declared: Array | None
    ) -> _core.ProductStatistics:
        return sums if declared is None else sums.declaring(names(declared))

    def _priors(self, classes: Array) -> Array | str:
        if self.class_prior is None:
            return "observed" if self.fit_prior else "uniform"
        return _sklearn_names.discriminant_priors(self.class_prior, classes)

    def _readings(self, model: _core.Model, fit: Fit) -> dict[str, Any]:
        with np.errstate(divide="ignore"):
            log_priors = np.log(fit.placed(model.priors()))
        return {
            "class_count_": fit.placed(fit.statistics.weights()),
            "class_log_prior_": log_priors,
            **self._tables(model, fit),
        }

    def _narrow(self, rows: Rows) -> bool:
        # As scikit-learn, which has these in double precision whatever the rows are.
        return False

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        tags.input_tags.positive_only = not self._negative
        return tags


def counted(model: _core.Model, fit: Fit) -> dict[str, Any]:
    """Return counts and logarithms of columns that are all flags, or one group of counts."""
    (counts,) = fit.statistics.counts()
    (factor,) = _core.factors(model)
    return {
        "feature_count_": fit.placed(counts),
        "feature_log_prob_": fit.placed(factor["log_prob"]),
    }
