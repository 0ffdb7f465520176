"""Gaussian mixtures by variational Bayes as scikit-learn has them, with weights and streams."""

from __future__ import annotations

from typing import Any

from . import _core
from ._bayesian_prior import prior_readings, read_prior
from ._mixture_base import MixtureFit
from ._mixture_fit import Run, last_bound, run_each, run_on, sampled
from ._sklearn_names import BAYESIAN_CONSTRAINTS, bayesian, start_word
from ._tables import Table


class BayesianGaussianMixture(MixtureFit):
    """Gaussian mixture fitted by variational Bayes: components that no rows need lose their weight.

    Parameters
    ----------
    n_components : int, default=1
        Number of components at most.
    covariance_type : {'full', 'tied', 'diag', 'spherical'}, default='full'
        Shape of the covariances.
    tol : float, default=1e-3
        Below this, what ``stop`` measures ends the iteration. The lower bound is that of all rows
        together.
    reg_covar : float, default=1e-6
        Added to the variances of every component's rows, in the squared units of the features.
    max_iter : int, default=100
        Iterations at most; 0 leaves the start as it is.
    n_init : int, default=1
        Number of starts, of which the one with the highest lower bound is kept.
    init_params : str, default='kmeans'
        'kmeans', 'k-means++', 'random', 'random_from_data', or 'hierarchical': agglomeration by
        likelihood, as mclust starts.
    weight_concentration_prior_type : str, default='dirichlet_process'
        'dirichlet_process' or 'dirichlet_distribution'.
    weight_concentration_prior : float, default=None
        Concentration of the weights; 1 / n_components for None. The lower, the fewer components
        keep a weight.
    mean_precision_prior : float, default=None
        How many rows the prior mean counts as; 1 for None.
    mean_prior : array-like of shape (n_features,), default=None
        The prior mean; that of the rows for None.
    degrees_of_freedom_prior : float, default=None
        How many rows the prior covariance counts as; n_features for None.
    covariance_prior : float or array-like, default=None
        The prior covariance, in the shape of that of one component; that of the rows for None.
    random_state : int, RandomState or None, default=None
        Seed of starts and of ``sample``.
    warm_start : bool, default=False
        Whether ``fit`` goes on where the last one ended.
    verbose : int, default=0
        1 writes starts and iterations to the standard output, 2 their times and changes too.
    verbose_interval : int, default=10
        Iterations between two lines.
    stop : {'loglik', 'relative', 'aitken', 'parameters'}, default='loglik'
        What must be below ``tol``: the change of the lower bound, that of the bound b as a share of
        1 + abs(b), what Aitken's extrapolation says that the bound still lacks, or the distance of
        the parameters on standardised features.
    trajectory : bool, default=False
        Whether the parameters of every iteration are kept.

    Attributes
    ----------
    weights_ : ndarray of shape (n_components,)
        Expected weights.
    means_ : ndarray of shape (n_components, n_features)
        Expected means.
    covariances_ : ndarray
        Inverses of the expected precisions: of shape (n_components, n_features, n_features), for
        'tied' (n_features, n_features), for 'diag' (n_components, n_features), for 'spherical'
        (n_components,).
    precisions_ : ndarray
        Expected precisions, in the same shape.
    precisions_cholesky_ : ndarray
        Upper triangular U with U @ U.T the precision, in the same shape.
    converged_ : bool
        Whether the stop rule was met.
    n_iter_ : int
        Iterations of the fit that was kept.
    lower_bound_ : float
        Lower bound of the log evidence of the rows, but for what never changes.
    lower_bounds_ : list of float
        That of every iteration.
    evidence_bound_ : float
        The same with what never changes, so that fits with other numbers of components and other
        priors compare; None where the prior covariance has no inverse.
    restarts_ : ndarray of shape (n_init,)
        The lower bound of each start.
    weight_concentration_prior_ : float
        Concentration of the weights before the rows.
    weight_concentration_ : tuple of ndarray, or ndarray of shape (n_components,)
        After them: both parameters of each beta distribution of a process, or those of the
        Dirichlet distribution.
    mean_precision_prior_ : float
        How many rows the prior mean counts as.
    mean_precision_ : ndarray of shape (n_components,)
        How many rows each mean counts as.
    mean_prior_ : ndarray of shape (n_features,)
        The prior mean.
    degrees_of_freedom_prior_ : float
        How many rows the prior covariance counts as.
    degrees_of_freedom_ : ndarray of shape (n_components,), or float for 'tied'
        How many rows each covariance counts as.
    covariance_prior_ : float or ndarray
        The prior covariance.
    trajectory_ : list of dict
        Weights, means and covariances before the first iteration and after each, if asked for.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where all of them had one.

    Examples
    --------
    >>> from gaussbayes import BayesianGaussianMixture, datasets
    >>> X = datasets.load_faithful().data
    >>> mixture = BayesianGaussianMixture(
    ...     n_components=5, weight_concentration_prior=1e-3, max_iter=1000, random_state=0
    ... ).fit(X)
    >>> int((mixture.weights_ > 0.01).sum())
    2
    """

    _parameter_constraints: dict[str, Any] = BAYESIAN_CONSTRAINTS
    # As scikit-learn's.
    _keeps_single = False

    def __init__(
        self,
        *,
        n_components: int = 1,
        covariance_type: str = "full",
        tol: float = 1e-3,
        reg_covar: float = 1e-6,
        max_iter: int = 100,
        n_init: int = 1,
        init_params: str = "kmeans",
        weight_concentration_prior_type: str = "dirichlet_process",
        weight_concentration_prior: float | None = None,
        mean_precision_prior: float | None = None,
        mean_prior: Any = None,
        degrees_of_freedom_prior: float | None = None,
        covariance_prior: Any = None,
        random_state: Any = None,
        warm_start: bool = False,
        verbose: int = 0,
        verbose_interval: int = 10,
        stop: str = "loglik",
        trajectory: bool = False,
    ) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.init_params = init_params
        self.weight_concentration_prior_type = weight_concentration_prior_type
        self.weight_concentration_prior = weight_concentration_prior
        self.mean_precision_prior = mean_precision_prior
        self.mean_prior = mean_prior
        self.degrees_of_freedom_prior = degrees_of_freedom_prior
        self.covariance_prior = covariance_prior
        self.random_state = random_state
        self.warm_start = warm_start
        self.verbose = verbose
        self.verbose_interval = verbose_interval
        self.stop = stop
        self.trajectory = trajectory

    def _from_starts(self, table: Table, runs: list[Run]) -> None:
        spec, prior = self._spec(table)
        sample, features = sampled(self, table), table.rows.feature_names()
        word = start_word(self.init_params)

        def begin(init: int) -> _core.Bayes:
            return _core.Bayes.start(
                sample, spec, prior, word, init, features, trajectory=self.trajectory
            )

        run_each(self, table, runs, begin)

    def _from_last(self, table: Table, runs: list[Run]) -> None:
        before = last_bound(self)
        spec, prior = self._spec(table)
        run_on(
            self,
            table,
            runs,
            _core.Bayes(self._model, spec, prior, before=before, trajectory=self.trajectory),
        )

    def _spec(self, table: Table) -> tuple[_core.BayesSpec, _core.BayesPrior]:
        """Return how it is fitted, and what is known before the rows."""
        spec = bayesian(self, read_prior(self, table.rows.columns))
        rows, _, weights = table.parts()
        return spec, _core.BayesPrior(spec, self.n_components, rows, weights)

    def _read(self, run: Run) -> None:
        assert isinstance(run.em, _core.Bayes)
        self.__dict__.update(prior_readings(self, run.em.prior()))
        after = run.em.posterior()
        if after is None:
            # No iteration was done since the last fit.
            return
        self.weight_concentration_ = after["concentration"]
        self.mean_precision_ = after["mean_precision"]
        freedom = after["degrees_of_freedom"]
        self.degrees_of_freedom_ = freedom[0] if self.covariance_type == "tied" else freedom
        self.evidence_bound_ = run.em.evidence_bound
