"""Holds what classifiers with costs share: decisions, other priors, other costs, missing labels."""

from __future__ import annotations

import copy
from typing import Any, Self

import numpy as np

from . import _core
from ._labels import restore
from ._learner import Discriminant, Fit, place_classes
from ._loss import in_core_order, read_costs, with_reject
from ._modelled import Array
from ._unlabelled import read_partly
from ._warning import warn


class Deciding(Discriminant):
    """A classifier that takes what costs least, and rows of which some have no label."""

    priors: Any
    loss: Any
    reject: float | None
    outliers: float | None
    reject_label: Any
    unlabelled: Any

    priors_: Array

    def _default_priors(self) -> str:
        return "observed"

    def _learn(
        self, X: Any, y: Any, sample_weight: Any, *, batch: bool = False, classes: Any = None
    ) -> Self:
        if self.unlabelled is None:
            return super()._learn(X, y, sample_weight, batch=batch, classes=classes)
        if batch:
            raise ValueError(
                "rows without a label take part by EM, which needs all rows at once\n"
                "hint: fit to all rows, or leave unlabelled out"
            )
        return self._learn_partly(X, y, sample_weight)

    def _learn_partly(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """Fit to rows of which some may have no label."""
        table, marks = read_partly(self, X, y, sample_weight, self.unlabelled)
        found = _core.classes_of(*table.parts(), **marks)
        labels = restore(found, table.labels.dtype, objects=self._object_classes)
        storage, spec = self._specifications()
        dtype, sums = table.rows.dtype, _core.Statistics(storage, table.rows.columns)
        fit = Fit(table, sums, dtype, None, *place_classes(labels, found))
        fit.found["marks"] = marks
        state: dict[str, Any] = {"_waiting": None, "_declared": None, "_dtype": dtype}
        state |= self._model_of(fit, spec, False)
        state |= {"_places": fit.places, "classes_": fit.classes}
        state["n_features_in_"] = table.rows.columns
        self.__dict__.pop("feature_names_in_", None)
        if table.rows.names is not None:
            state["feature_names_in_"] = table.rows.names
        for name in getattr(self, "_read", ()):
            self.__dict__.pop(name, None)
        self.__dict__.update(state)
        return self

    def _partly(self, fit: Fit, spec: _core.Spec) -> _core.Model:
        """Estimate the model of rows of which some may have no label."""
        model, notes = _core.semi_supervised(
            spec,
            fit.priors,
            fit.table.rows.feature_names(),
            *fit.table.parts(),
            mark=fit.found["marks"]["mark"],
            target=fit.table.target,
            weight=fit.table.weight,
        )
        for note in notes:
            warn(note)
        return model

    def _priors(self, classes: Array) -> Array | str:
        if self.priors is None:
            return self._default_priors()
        if isinstance(self.priors, str):
            return self.priors
        given = np.asarray(self.priors, dtype=np.float64)
        if given.shape != (len(classes),):
            raise ValueError(f"{given.size} priors for {len(classes)} classes")
        return given

    def _core_priors(self, fit: Fit) -> list[float] | str:
        priors = self._priors(fit.classes)
        if isinstance(priors, str) or fit.places is None:
            # Not divided by their sum: the core says what is wrong with them.
            return priors if isinstance(priors, str) else list(map(float, priors))
        return super()._core_priors(fit)

    def _check_fit(self, fit: Fit, batch: bool) -> None:
        fit.found["costs"] = self._costs(fit.classes)

    def _costs(self, classes: Array) -> Array | None:
        """Return the costs, if there is something to say of rows that are rejected."""
        costs = read_costs(self.loss, self.reject, classes)
        can_reject = costs is not None and costs.shape[1] > len(classes)
        if can_reject or self.outliers is not None:
            with_reject(classes, self.reject_label)
        return costs

    def _estimate(self, fit: Fit, spec: _core.Spec, batch: bool) -> _core.Model:
        partly = "marks" in fit.found
        model = self._partly(fit, spec) if partly else super()._estimate(fit, spec, batch)
        costs = fit.found["costs"]
        model = model if costs is None else model.with_loss(in_core_order(costs, fit.places))
        return model if self.outliers is None else model.with_outliers(float(self.outliers))

    def with_priors(self, priors: Any) -> Self:
        """Return the same classifier with other priors; nothing is fitted again.

        Parameters
        ----------
        priors : {'observed', 'uniform'} or array-like of shape (n_classes,)
            Priors, in the order of ``classes_``.

        Returns
        -------
        estimator
            A fitted classifier.
        """
        model = self._fitted()
        other = copy.copy(self)
        other.priors = priors
        if priors is None or (isinstance(priors, str) and priors == "observed"):
            sums = model.statistics
            if sums is None:
                raise ValueError("this model holds no sums that say what was observed")
            word: list[float] | str = list(sums.weights() / sums.weights().sum())
        elif isinstance(priors, str):
            word = priors
        else:
            given = np.asarray(priors, dtype=np.float64)
            if given.shape != (len(self.classes_),):
                raise ValueError(f"{given.size} priors for {len(self.classes_)} classes")
            word = list(map(float, given if self._places is None else given[self._places]))
        other._model = model.with_priors(word)
        if self.outliers is not None:
            # How unlikely that share of the rows is depends on the priors.
            other._model = other._model.with_outliers(float(self.outliers))
        other.priors_ = self._spread(other._model.priors()[None], 0.0)[0]
        return other

    def with_loss(
        self, loss: Any, reject: float | None = None, outliers: float | None = None
    ) -> Self:
        """Return the same classifier with other costs; nothing is fitted again.

        Parameters
        ----------
        loss : array-like of shape (n_classes, n_actions), data frame or None
            Cost of each action (column) for each true class (row); None for one per error.
        reject : float, default=None
            Cost of saying nothing.
        outliers : float, default=None
            Share of the model's own rows, at least 0.001, that are too unlikely to be given a
            class. Each costs as much as the dearest error of its class, unless reject has a price.

        Returns
        -------
        estimator
            A fitted classifier.
        """
        model = self._fitted()
        other = copy.copy(self)
        other.loss, other.reject, other.outliers = loss, reject, outliers
        costs = other._costs(self.classes_)
        priced = None if costs is None else in_core_order(costs, self._places)
        other._model = model.with_loss(priced)
        if outliers is not None:
            other._model = other._model.with_outliers(float(outliers))
        return other

    def predict(self, X: Any) -> Array:
        """Say what costs least for each row: a class, or ``reject_label``.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Classes, or what stands for reject.
        """
        model, rows = self._asked(X)
        codes = _core.actions(model, rows.core)
        if self._places is not None:
            codes = np.append(self._places, -1)[codes]
        if not model.rejects:
            return self.classes_.take(codes)
        return with_reject(self.classes_, self.reject_label).take(codes)

    def score_samples(self, X: Any) -> Array:
        """Return ln p(row), the density of each row under all classes together.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Log densities.
        """
        model, rows = self._asked(X)
        return _core.log_evidence(model, rows.core)

    def mahalanobis_sq(self, X: Any) -> Array:
        """Return the squared Mahalanobis distance of each row to each class.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Squared distances, in the order of ``classes_``.
        """
        model, rows = self._asked(X)
        return self._spread(_core.distances(model, rows.core), np.inf)
