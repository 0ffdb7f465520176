"""Gaussian mixtures by EM as scikit-learn has them, with weights, fourteen families and more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, cast

import numpy as np
from sklearn.base import clone

from . import _core
from ._mixture_answers import MixtureAnswers
from ._mixture_fit import Run, fitted_runs, going_on
from ._mixture_reading import advise, readings, trajectory
from ._modelled import Array, validated
from ._names import check_names
from ._sklearn_names import MIXTURE_CONSTRAINTS
from ._tables import Table, read_table
from ._warning import warn


class GaussianMixture(MixtureAnswers):
    """Gaussian mixture fitted by EM.

    Parameters
    ----------
    n_components : int, default=1
        Number of components.
    covariance_type : str, default='full'
        'full', 'tied', 'diag' or 'spherical', or one of mclust's fourteen families by its letters:
        'VVV' (full), 'EEE' (tied), 'VVI' (diag), 'VII' (spherical), 'VEV', ...; 'unit' is k-means.
    tol : float, default=1e-3
        Below this, what ``stop`` measures ends EM.
    reg_covar : float, default=1e-6
        Added to the variances of every component, in the squared units of the features.
    max_iter : int, default=100
        Iterations at most; 0 leaves the start as it is.
    n_init : int, default=1
        Number of starts, of which the one with the highest lower bound is kept.
    init_params : str, default='kmeans'
        'kmeans', 'k-means++', 'random', 'random_from_data', or 'hierarchical': agglomeration by
        likelihood, as mclust starts.
    weights_init : array-like of shape (n_components,), default=None
        Weights to start from.
    means_init : array-like of shape (n_components, n_features), default=None
        Means to start from.
    precisions_init : array-like, default=None
        Precisions to start from, in the shape of ``precisions_``.
    random_state : int, RandomState or None, default=None
        Seed of starts and of ``sample``.
    warm_start : bool, default=False
        Whether ``fit`` goes on where the last one ended.
    verbose : int, default=0
        1 writes starts and iterations to the standard output, 2 their times and changes too.
    verbose_interval : int, default=10
        Iterations between two lines.
    stop : {'loglik', 'relative', 'aitken', 'parameters'}, default='loglik'
        What must be below ``tol``: the change of the mean log-likelihood, that of the
        log-likelihood l as a share of 1 + abs(l), what Aitken's extrapolation says that the mean
        still lacks, or the distance of the parameters on standardised features.
    guard : float, default=0.0
        Share of the variance of all rows, such as 1e-6, below which no direction of a component
        collapses; 0 for none.
    on_empty : {'refuse', 'reseed', 'drop'}, default='refuse'
        What is done about a component that lost its rows: an error, a new start at the row that the
        mixture explains worst, or going on without it.
    trajectory : bool, default=False
        Whether the parameters of every iteration are kept.

    Attributes
    ----------
    weights_ : ndarray of shape (n_components,)
        Weights.
    means_ : ndarray of shape (n_components, n_features)
        Means.
    covariances_ : ndarray
        Covariances: of shape (n_components, n_features, n_features), for 'tied' (n_features,
        n_features), for 'diag' (n_components, n_features), for 'spherical' (n_components,).
    precisions_ : ndarray
        Their inverses, in the same shape.
    precisions_cholesky_ : ndarray
        Upper triangular U with U @ U.T the precision, in the same shape.
    converged_ : bool
        Whether the stop rule was met.
    n_iter_ : int
        Iterations of the fit that was kept.
    lower_bound_ : float
        Mean log-likelihood of the parameters before the last iteration.
    lower_bounds_ : list of float
        That of every iteration.
    restarts_ : ndarray of shape (n_init,)
        The lower bound of each start.
    trajectory_ : list of dict
        Weights, means and covariances before the first iteration and after each, if asked for.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where all of them had one.

    Examples
    --------
    >>> from gaussbayes import GaussianMixture, datasets
    >>> X = datasets.load_faithful().data
    >>> mixture = GaussianMixture(2, tol=1e-6, random_state=0).fit(X)
    >>> sorted(mixture.means_.round(2).tolist())
    [[2.04, 54.48], [4.29, 79.97]]
    """

    _parameter_constraints: dict[str, Any] = MIXTURE_CONSTRAINTS

    def __init__(
        self,
        n_components: int = 1,
        *,
        covariance_type: str = "full",
        tol: float = 1e-3,
        reg_covar: float = 1e-6,
        max_iter: int = 100,
        n_init: int = 1,
        init_params: str = "kmeans",
        weights_init: Any = None,
        means_init: Any = None,
        precisions_init: Any = None,
        random_state: Any = None,
        warm_start: bool = False,
        verbose: int = 0,
        verbose_interval: int = 10,
        stop: str = "loglik",
        guard: float = 0.0,
        on_empty: str = "refuse",
        trajectory: bool = False,
    ) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.init_params = init_params
        self.weights_init = weights_init
        self.means_init = means_init
        self.precisions_init = precisions_init
        self.random_state = random_state
        self.warm_start = warm_start
        self.verbose = verbose
        self.verbose_interval = verbose_interval
        self.stop = stop
        self.guard = guard
        self.on_empty = on_empty
        self.trajectory = trajectory

    @validated
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit by EM, from ``n_init`` starts.

        Ctrl-C ends it with a KeyboardInterrupt, and leaves the estimator fitted with the best that
        was found until then.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or Arrow stream of shape (n_samples, n_features)
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
        """Fit by EM, and return the most probable component of each row.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or Arrow stream of shape (n_samples, n_features)
            Rows.
        y : ignored
            Not used.
        sample_weight : array-like of shape (n_samples,) or str, default=None
            How often each row counts; a name is that of a column of X.

        Returns
        -------
        ndarray of shape (n_samples,)
            Components, counted from 0.
        """
        table = self._fit(X, sample_weight)
        return _core.actions(self._model, table.rows.core)

    def _fit(self, X: Any, sample_weight: Any) -> Table:
        table = read_table(self, X, None, sample_weight, labelled=False)
        self._check_rows(table.rows, self.n_components)
        runs: list[Run] = []
        try:
            if self.warm_start and self.__sklearn_is_fitted__():
                check_names(self, table.rows.names, table.rows.columns)
                going_on(self, table, runs)
            else:
                fitted_runs(self, table, runs)
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
        self._hold(table.rows.names, table.rows.dtype, best.em.model())
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
        for name in ("feature_names_in_", "trajectory_"):
            self.__dict__.pop(name, None)
        if names is not None:
            self.feature_names_in_ = names
        self._model, self._dtype, self.n_features_in_ = model, dtype, len(model.features)
        self.__dict__.update(readings(model, self.covariance_type, dtype))

    def marginal(self, features: Any) -> Self:
        """Return the mixture of some features, whatever the others are.

        Parameters
        ----------
        features : list of int or str
            The features, by number or name, in the order in which they are wanted.

        Returns
        -------
        GaussianMixture
            A fitted mixture of these features.
        """
        columns = [self._feature(feature) for feature in features]
        return self._other(_core.marginal(self._fitted(), columns), columns)

    def conditional(self, given: Mapping[Any, float]) -> Self:
        """Return the mixture of the other features where some are known.

        Parameters
        ----------
        given : dict of int or str to float
            Values of features, by number or name.

        Returns
        -------
        GaussianMixture
            A fitted mixture of the other features, in their order; its weights are those of the
            components for rows with these values.
        """
        model = self._fitted()
        known = [(self._feature(feature), float(value)) for feature, value in given.items()]
        taken = {column for column, _ in known}
        left = [j for j in range(len(model.features)) if j not in taken]
        return self._other(_core.conditional(model, known), left)

    def _other(self, model: _core.Model, columns: list[int]) -> Self:
        """Return the same estimator with a model of some of its features."""
        other = clone(self).set_params(weights_init=None, means_init=None, precisions_init=None)
        names = getattr(self, "feature_names_in_", None)
        other._hold(None if names is None else names[columns], self._dtype, model)
        return cast(Self, other)
