"""Fits a mixture as every mixture here is fitted: starts, runs, the best of them, Ctrl-C."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np

from . import _core
from ._mixture_answers import MixtureAnswers
from ._mixture_fit import Run
from ._mixture_reading import advise, readings, trajectory
from ._modelled import Array, validated
from ._names import check_names
from ._tables import Table, read_table
from ._warning import warn


class MixtureFit(MixtureAnswers):
    """A mixture that is fitted from starts of its own, or from where the last fit ended."""

    n_components: int
    covariance_type: str
    max_iter: int
    warm_start: bool
    trajectory: bool
    # Attributes that some models have and others have not.
    _sometimes: tuple[str, ...] = ()
    # Whether parameters of rows in single precision are shown in it.
    _keeps_single = True

    @abstractmethod
    def _from_starts(self, table: Table, runs: list[Run]) -> None:
        """Run from every start; `runs` grows as they begin, so that an interrupt loses none."""

    @abstractmethod
    def _from_last(self, table: Table, runs: list[Run]) -> None:
        """Go on from the last fit."""

    def _read(self, run: Run) -> None:
        """Set what a run has to show beside its mixture."""

    @validated
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit from ``n_init`` starts.

        Ctrl-C ends it with a KeyboardInterrupt, and leaves the estimator fitted with the best that
        was found until then.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.
        y : ignored
            Not used.
        sample_weight : array-like of shape (n_samples,) or str, default=None
            How often each row counts; a name is that of a column of X.

        Returns
        -------
        self : object
            The fitted mixture.
        """
        self._fit(X, sample_weight)
        return self

    @validated
    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Fit, and return the most probable component of each row.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.
        y : ignored
            Not used.
        sample_weight : array-like of shape (n_samples,) or str, default=None
            How often each row counts; a name is that of a column of X.

        Returns
        -------
        ndarray of shape (n_samples,)
            Components, counted from 0; -1 is noise.
        """
        table = self._fit(X, sample_weight)
        return self._components(self._model, table.rows)

    def _fit(self, X: Any, sample_weight: Any) -> Table:
        table = read_table(self, X, None, sample_weight, labelled=False)
        self._check_rows(table.rows, self.n_components)
        runs: list[Run] = []
        try:
            if self.warm_start and self.__sklearn_is_fitted__():
                check_names(self, table.rows.names, table.rows.columns)
                self._from_last(table, runs)
            else:
                self._from_starts(table, runs)
        except KeyboardInterrupt:
            self._keep(table, runs, interrupted=True)
            raise
        self._keep(table, runs)
        return table

    def _keep(self, table: Table, runs: list[Run], *, interrupted: bool = False) -> None:
        """Set attributes to those of the best run, if there is one."""
        if interrupted:
            # A bare start is no fit, least of all in place of an earlier one.
            runs = [run for run in runs if run.em.iterations]
        if not runs:
            return
        best = runs[0]
        for run in runs[1:]:
            best = run if run.lower_bound > best.lower_bound else best
        dtype = table.rows.dtype if self._keeps_single else np.dtype(np.float64)
        self._hold(table.rows.names, dtype, best.em.model())
        self._read(best)
        self.converged_ = best.em.converged and not interrupted
        self._wanted = self.n_components
        self.n_iter_ = best.em.iterations
        self.lower_bound_, self.lower_bounds_ = best.lower_bound, best.em.lower_bounds
        self.restarts_ = np.array([run.lower_bound for run in runs])
        if self.trajectory:
            self.trajectory_ = trajectory(best.em, self.covariance_type, self._dtype)
        if interrupted:
            warn(
                f"interrupted after {best.em.iterations} iterations: the estimator holds the best "
                "fit until then"
            )
        else:
            advise(best.em, self.max_iter)

    def _hold(self, names: Array | None, dtype: np.dtype[Any], model: _core.Model) -> None:
        """Take a model on, and show it in the precision of the rows."""
        for name in ("feature_names_in_", "trajectory_", *self._sometimes):
            self.__dict__.pop(name, None)
        if names is not None:
            self.feature_names_in_ = names
        self._model, self._dtype, self.n_features_in_ = model, dtype, len(model.features)
        self._outliers = getattr(self, "outliers", None)
        self.__dict__.update(readings(model, self.covariance_type, dtype))
