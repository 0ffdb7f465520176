"""Gaussian mixtures by EM as scikit-learn has them, with weights, fourteen families and more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, cast

from sklearn.base import clone

from . import _core
from ._mixture_answers import MixtureCriteria
from ._mixture_base import MixtureFit
from ._mixture_fit import Run, fitted_runs, going_on
from ._mixture_uses import MixtureUses
from ._sklearn_names import MIXTURE_CONSTRAINTS
from ._tables import Table


class GaussianMixture(MixtureFit, MixtureCriteria, MixtureUses):
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
    outliers : {'noise', 'student', 'student-common'}, float or None, default=None
        What is made of rows that no Gaussian explains. 'noise': they may be anywhere in the box
        around all rows, and ``predict`` says -1 of them. 'student': components are Student
        densities with degrees of freedom of their own, in whose tails outliers count little;
        'student-common' has one number of degrees of freedom for all, and a number from 1 to 1000
        gives it. Starts are then made from rows whose neighbours are near. Outliers that lie
        together are a component, not noise.
    frozen : {'means', 'covariances', 'both'}, dict or None, default=None
        What stays as ``means_init`` and ``precisions_init`` give it; of some components by their
        numbers: ``{'means': [0, 2], 'covariances': True}``.

    Attributes
    ----------
    weights_ : ndarray of shape (n_components,)
        Weights; with noise they and its share sum to 1.
    means_ : ndarray of shape (n_components, n_features)
        Means.
    covariances_ : ndarray
        Covariances: of shape (n_components, n_features, n_features), for 'tied' (n_features,
        n_features), for 'diag' (n_components, n_features), for 'spherical' (n_components,). Of
        Student components these are the scale matrices.
    precisions_ : ndarray
        Their inverses, in the same shape.
    precisions_cholesky_ : ndarray
        Upper triangular U with U @ U.T the precision, in the same shape.
    noise_share_ : float
        The share of noise, for ``outliers='noise'``.
    noise_volume_ : float
        The volume of the box that noise fills.
    degrees_of_freedom_ : ndarray of shape (n_components,)
        Degrees of freedom of Student components.
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
    # Those of mixtures that make something of outliers.
    _sometimes = ("noise_share_", "noise_volume_", "degrees_of_freedom_")
    # Which means and which covariances stayed as they were given.
    _frozen: tuple[list[bool], list[bool]] = ([], [])

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
        outliers: str | float | None = None,
        frozen: Any = None,
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
        self.outliers = outliers
        self.frozen = frozen

    def _from_starts(self, table: Table, runs: list[Run]) -> None:
        fitted_runs(self, table, runs)

    def _from_last(self, table: Table, runs: list[Run]) -> None:
        going_on(self, table, runs)

    def _read(self, run: Run) -> None:
        assert isinstance(run.em, _core.Em)
        self._frozen = run.em.frozen

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
        other = self._other(_core.marginal(self._fitted(), columns), columns)
        # Part of what stayed has stayed too.
        other._frozen = self._frozen
        return other

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
