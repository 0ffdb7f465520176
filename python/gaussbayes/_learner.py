"""Holds what all estimators share: fitting in one pass or by batches, and asking the model."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin

from . import _core
from ._labels import aligned, names, restore
from ._modelled import Array, Modelled, validated
from ._names import check_names
from ._plotted import PlottedClasses
from ._tables import Table, read_table


class Learner(ClassifierMixin, PlottedClasses, Modelled):
    """An estimator over the core: it maps parameters to a specification and reads the model."""

    # Whether one class alone, or a class without rows, makes a model.
    _any_classes = False
    # Whether the first batch must say which classes there are.
    _classes_first = False

    # Whether classes of text are Python objects, or numpy's text of fixed width.
    _object_classes = True

    classes_: Array

    @validated
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to rows and their classes.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,), or str
            Classes; a name is that of a column of X.
        sample_weight : array-like of shape (n_samples,) or str, default=None
            How often each row counts; a name is that of a column of X.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        return self._learn(X, y, sample_weight)

    @validated
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Go on fitting with more rows; any number of batches gives what one ``fit`` gives.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            More rows.
        y : array-like of shape (n_samples,), or str
            Their classes; a name is that of a column of X.
        classes : array-like of shape (n_classes,), default=None
            All classes that can ever come; by default those that have come. GaussianNB needs them
            in the first call.
        sample_weight : array-like of shape (n_samples,) or str, default=None
            How often each row counts; a name is that of a column of X.

        Returns
        -------
        self : object
            The estimator, fitted once the rows suffice.
        """
        return self._learn(X, y, sample_weight, batch=True, classes=classes)

    def _specifications(self) -> tuple[_core.Spec, _core.Spec]:
        """Return what the sums must allow, and how the model is estimated from them."""
        raise NotImplementedError

    def _specified(self, table: Table) -> tuple[Any, Any]:
        """Return the same, where it depends on the columns."""
        return self._specifications()

    def _no_sums(self, storage: Any, columns: int) -> Any:
        """Return sums of no rows."""
        return _core.Statistics(storage, columns)

    def _sums_of(self, model: _core.Model) -> Any:
        """Return the sums behind a model, where it has some."""
        return model.statistics

    def _declare(self, sums: Any, declared: Array | None) -> Any:
        """Return sums that know of classes without rows, where these are part of a model."""
        return sums

    def _columns_kept(self, table: Table) -> dict[str, Any]:
        """Return what later rows are read by, beside the names of columns."""
        return {}

    def _priors(self, classes: Array) -> Array | str:
        """Return priors in the order of the classes, or a word for where they come from."""
        raise NotImplementedError

    def _readings(self, model: _core.Model, fit: Fit) -> dict[str, Any]:
        """Return the public attributes of a fitted model."""
        raise NotImplementedError

    def _learn(
        self, X: Any, y: Any, sample_weight: Any, *, batch: bool = False, classes: Any = None
    ) -> Self:
        """Fit to rows; with `batch`, to these and all earlier ones."""
        table = read_table(self, X, y, sample_weight, fresh=not batch)
        storage, spec = self._specified(table)
        earlier = self._earlier(table, spec, classes) if batch else None
        known = earlier.declared if earlier else _declared(classes)
        like = self.classes_ if earlier else known
        if like is not None and table.labels.core is not None:
            table = replace(table, labels=aligned(table.labels, like.dtype))
        sums = earlier.statistics if earlier else self._no_sums(storage, table.rows.columns)
        sums = self._declare(sums.added(*table.parts()), known)
        return self._concluded(table, sums, spec, known=known, earlier=earlier, batch=batch)

    def _concluded(
        self,
        table: Table,
        sums: Any,
        spec: Any,
        *,
        known: Array | None = None,
        earlier: Earlier | None = None,
        batch: bool = False,
    ) -> Self:
        """Estimate a model of sums, and set what comes with it."""
        found = sums.classes
        dtype = earlier.dtype if earlier else table.rows.dtype
        labels = known
        if labels is None:
            labels = restore(found, table.labels.dtype, objects=self._object_classes)
        placed = place_classes(labels, found, declared=known is not None)
        fit = Fit(table, sums, dtype, known, *placed)
        state: dict[str, Any] = {"_model": None, "_waiting": None, "_read": ()}
        try:
            state |= self._model_of(fit, spec, batch)
        except NotYet as error:
            # More rows may bring what is missing.
            state["_waiting"] = (sums, str(error))
        state |= {
            "_places": fit.places,
            "_declared": known,
            "_dtype": dtype,
            "classes_": fit.classes,
        }
        if earlier is None:
            state["n_features_in_"] = table.rows.columns
            state |= self._columns_kept(table)
            self.__dict__.pop("feature_names_in_", None)
            if table.rows.names is not None:
                state["feature_names_in_"] = table.rows.names
        for name in getattr(self, "_read", ()):
            self.__dict__.pop(name, None)
        self.__dict__.update(state)
        return self

    def _model_of(self, fit: Fit, spec: Any, batch: bool) -> dict[str, Any]:
        """Estimate the model; returns the attributes that come with it."""
        try:
            self._check_fit(fit, batch)
            fit = replace(fit, priors=self._core_priors(fit))
        except ValueError as error:
            if batch and fit.declared is None:
                raise NotYet(str(error)) from error
            raise
        try:
            model = self._estimate(fit, spec, batch)
        except ValueError as error:
            if batch:
                raise NotYet(str(error)) from error
            if fit.table.rows.count == 1:
                raise ValueError(f"1 sample is not enough: {error}") from error
            raise
        readings = self._readings(model, fit)
        return {"_model": model, "_read": tuple(readings)} | readings

    def _check_fit(self, fit: Fit, batch: bool) -> None:
        """Refuse parameters that these rows and classes do not allow."""

    def _estimate(self, fit: Fit, spec: Any, batch: bool) -> _core.Model:
        return fit.statistics.model(
            spec,
            fit.priors,
            fit.table.rows.feature_names(),
            any_classes=self._any_classes or batch,
            rows=fit.table.parts() if spec.needs_second_pass else None,
            target=fit.table.target,
            weight=fit.table.weight,
        )

    def _core_priors(self, fit: Fit) -> list[float] | str:
        priors = self._priors(fit.classes)
        if isinstance(priors, str):
            return priors
        present = priors if fit.places is None else priors[fit.places]
        return list(map(float, present / present.sum()))

    def _earlier(self, table: Table, spec: Any, classes: Any) -> Earlier | None:
        """Return what earlier batches left, if there were any."""
        if spec.needs_second_pass:
            raise ValueError(
                "shrinkage='auto' needs a second look at all rows, so it cannot go on by batches\n"
                "hint: give a number between 0 and 1, or fit all rows at once"
            )
        if getattr(self, "covariance_estimator", None) is not None:
            raise ValueError(
                "a covariance_estimator needs all rows at once, so it cannot go on by batches\n"
                "hint: fit all rows at once, or use shrinkage"
            )
        statistics = None
        if getattr(self, "_waiting", None) is not None:
            statistics = self._waiting[0]
        elif getattr(self, "_model", None) is not None:
            statistics = self._sums_of(self._model)
            if statistics is None:
                raise ValueError("this model holds no sums that rows could join: fit it again")
        if statistics is None:
            if self._classes_first and classes is None:
                raise ValueError("classes must be passed on the first call to partial_fit.")
            return None
        check_names(self, table.rows.names, table.rows.columns)
        given = _declared(classes)
        if given is not None and not np.array_equal(self.classes_, given):
            raise ValueError(
                f"`classes={classes!r}` is not the same as on last call to partial_fit, was: "
                f"{self.classes_!r}"
            )
        return Earlier(statistics, self._declared, self._dtype)

    def _spread(self, values: Array, absent: float) -> Array:
        """Put one column per component where its class is."""
        if self._places is None:
            return values
        spread = np.full((len(values), len(self.classes_)), absent, dtype=values.dtype)
        spread[:, self._places] = values
        return spread

    def predict(self, X: Any) -> Array:
        """Predict the class of each row.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Classes.
        """
        model, rows = self._asked(X)
        codes = _core.actions(model, rows.core)
        return self.classes_.take(codes if self._places is None else self._places[codes])

    def predict_proba(self, X: Any) -> Array:
        """Return P(class | row).

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Probabilities, in the order of ``classes_``.
        """
        model, rows = self._asked(X)
        return self._spread(_core.posterior(model, rows.core, single=self._narrow(rows)), 0.0)

    def predict_log_proba(self, X: Any) -> Array:
        """Return ln P(class | row), which is finite where the probability itself underflows.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Logarithms of probabilities, in the order of ``classes_``.
        """
        model, rows = self._asked(X)
        return self._spread(
            _core.log_posterior(model, rows.core, single=self._narrow(rows)), -np.inf
        )


class Joint(Learner):
    """A learner of naive Bayes, whose scores are joint log probabilities."""

    def predict_joint_log_proba(self, X: Any) -> Array:
        """Return ln P(class) + ln p(row | class).

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Joint log densities, in the order of ``classes_``.
        """
        model, rows = self._asked(X)
        return self._spread(_core.log_joint(model, rows.core, single=self._narrow(rows)), -np.inf)


class Discriminant(Learner):
    """A learner whose scores are the discriminant functions of textbooks."""

    def decision_function(self, X: Any) -> Array:
        """Return the discriminant of each class; for two classes the log-odds of the second.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            Log joint densities, without what all classes share; costs are not in them.
        """
        model, rows = self._asked(X)
        if len(self.classes_) == 2 and self._places is None:
            return _core.log_odds(model, rows.core)
        scores = self._spread(_core.discriminants(model, rows.core), -np.inf)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores


class NotYet(Exception):
    """What batches have brought so far makes no model."""


@dataclass(frozen=True)
class Fit:
    """What is known of a fit before its model is read."""

    table: Table
    # Of moments or of counts.
    statistics: Any
    dtype: np.dtype[Any]
    declared: Array | None
    classes: Array
    places: Array | None
    priors: list[float] | str = "observed"
    # What an estimate found beside the model.
    found: dict[str, Any] = field(default_factory=dict)

    def per_class(self, values: Array, absent: float = 0.0) -> Array:
        """Put one entry per component where its class is, in the precision of the rows."""
        return self.placed(values, absent).astype(self.dtype, copy=False)

    def placed(self, values: Array, absent: float = 0.0) -> Array:
        """Put one entry per component where its class is."""
        if self.places is None:
            return values
        spread = np.full((len(self.classes), *values.shape[1:]), absent)
        spread[self.places] = values
        return spread


@dataclass(frozen=True)
class Earlier:
    """What earlier batches left."""

    statistics: Any
    declared: Array | None
    dtype: np.dtype[Any]


def _declared(classes: Any) -> Array | None:
    return None if classes is None else np.unique(np.asarray(classes))


def place_classes(
    labels: Array, found: list[str], *, declared: bool = False
) -> tuple[Array, Array | None]:
    """Return all classes in numpy's order, and the place of each component's class among them."""
    classes = labels if declared else np.sort(labels)
    named = names(classes)
    if named == found:
        return classes, None
    position = {name: place for place, name in enumerate(named)}
    unknown = [name for name in found if name not in position]
    if unknown:
        raise ValueError(
            f"The target label(s) {unknown} in y do not exist in the initial classes {classes}"
        )
    return classes, np.array([position[name] for name in found], dtype=np.intp)
