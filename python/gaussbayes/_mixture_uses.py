"""Does with a fitted Gaussian mixture what goes beyond asking it: joining, bootstrap, influence."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from . import _core
from ._modelled import Array, Modelled
from ._names import check_names
from ._seeds import seed_of
from ._sklearn_names import mixture
from ._tables import Table, read_table
from ._warning import warn


@dataclass(frozen=True)
class Combination:
    """Components joined into clusters.

    Attributes
    ----------
    n_clusters : int
        Number of clusters.
    labels : ndarray of shape (n_samples,)
        The most probable cluster of each row, counted from 0; -1 is noise.
    owner_ : ndarray of shape (n_components,)
        The cluster of each component.
    entropies : ndarray of shape (n_components,)
        Entropy of the memberships in 1, 2, ... clusters.
    order : ndarray of shape (n_components - 1, 2)
        Clusters that were joined, the first first, each by its lowest component.
    owners : list of ndarray
        ``owner_`` for 1, 2, ... clusters.
    """

    n_clusters: int
    labels: Array
    owner_: Array
    entropies: Array
    order: Array
    owners: list[Array]


@dataclass(frozen=True)
class Bootstrap:
    """How the parameters of a mixture vary over refits to rows of random weights.

    Attributes
    ----------
    standard_errors : dict of ndarray
        Those of 'weights', 'means' and 'covariances', the latter of shape (n_components,
        n_features, n_features) whatever the covariance type.
    low, high : dict of ndarray
        Ends of the intervals, in the same shapes.
    level : float
        Share of the replicates in an interval.
    n_replicates, n_kept : int
        Replicates asked for, and those that count.
    n_collapsed, n_refused : int
        Replicates left out: those that lost a component or had one at the guard, and those that
        could not be fitted.
    n_unconverged : int
        Replicates that ran out of iterations; they count.
    """

    standard_errors: dict[str, Array]
    low: dict[str, Array]
    high: dict[str, Array]
    level: float
    n_replicates: int
    n_kept: int
    n_collapsed: int
    n_refused: int
    n_unconverged: int


@dataclass(frozen=True)
class Influence:
    """What one step of EM without a row does, row by row.

    Attributes
    ----------
    mean : ndarray of shape (n_samples,)
        How far the mean of ``component`` moves, in the component's own standard deviations;
        infinite where the component needs the row.
    covariance : ndarray of shape (n_samples,)
        Frobenius norm of the difference of its covariances, whitened by the first.
    component : ndarray of shape (n_samples,)
        The component that moves farthest.
    """

    mean: Array
    covariance: Array
    component: Array


@dataclass(frozen=True)
class Movement:
    """How far components move when a row lies elsewhere.

    Attributes
    ----------
    mean : ndarray of shape (n_components,) or (n_places, n_components)
        Shifts of the means, in the components' own standard deviations.
    covariance : ndarray of shape (n_components,) or (n_places, n_components)
        Frobenius norms of the differences of the covariances, whitened by the first.
    """

    mean: Array
    covariance: Array


class MixtureUses(Modelled):
    """What is done with a Gaussian mixture and the rows it was fitted to."""

    def combine(
        self, X: Any, n_clusters: int | str = "auto", sample_weight: Any = None
    ) -> Combination:
        """Join components into clusters, each time the two that leaves least in doubt.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.
        n_clusters : int or 'auto', default='auto'
            How many clusters; 'auto' takes the number at which the entropy turns, where two lines
            fit it best, as mclust does. It is never 1, and all components stay of two.
        sample_weight : array-like of shape (n_samples,) or str, default=None
            How often each row counts; a name is that of a column of X.

        Returns
        -------
        Combination
            Labels, and the cluster of each component.
        """
        table, (rows, weights) = self._with_weights(X, sample_weight)
        found = _core.combine(self._model, rows, weights)
        owners = [np.array(owner) for owner in found["owners"]]
        wish = found["elbow"] if n_clusters == "auto" else n_clusters
        number = int(wish) if isinstance(wish, Integral) else 0
        if not 1 <= number <= len(owners):
            raise ValueError(
                f"n_clusters is {n_clusters!r}, but must be 'auto' or from 1 to {len(owners)}"
            )
        owner = owners[number - 1]
        labels = _core.actions(_core.merged(self._model, owner.tolist()), table.rows.core)
        labels[labels == number] = -1
        order = np.array(found["order"], dtype=np.intp).reshape(-1, 2)
        entropies = np.array(found["entropies"])
        return Combination(number, labels, owner, entropies, order, owners)

    def bootstrap(
        self,
        X: Any,
        n_replicates: int = 999,
        random_state: Any = None,
        sample_weight: Any = None,
        level: float = 0.95,
    ) -> Bootstrap:
        """Refit on random weights: standard errors and intervals of the parameters.

        This is the weighted-likelihood bootstrap of Newton and Raftery: every row's weight is
        multiplied by an exponential random number, and EM goes on from the fit, to the end even
        where ``tol`` and ``max_iter`` would have it end early.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            The rows that the mixture was fitted to.
        n_replicates : int, default=999
            How often.
        random_state : int, RandomState or None, default=None
            Seed.
        sample_weight : array-like of shape (n_samples,) or str, default=None
            How often each row counts; a name is that of a column of X.
        level : float, default=0.95
            Share of the replicates in an interval, as many below as above.

        Returns
        -------
        Bootstrap
            Standard errors and intervals.
        """
        if not isinstance(n_replicates, Integral) or n_replicates < 2:
            raise ValueError(f"n_replicates is {n_replicates!r}, but must be an integer from 2 on")
        if not 0.0 < level < 1.0:
            raise ValueError(f"level is {level!r}, but must be between 0 and 1")
        _, (rows, weights) = self._with_weights(X, sample_weight)
        found = _core.bootstrap(
            self._model,
            mixture(self),
            rows,
            weights,
            int(n_replicates),
            seed_of(random_state),
            float(level),
        )
        lost = found["collapsed"] + found["refused"]
        how = f"{found['collapsed']} collapsed, {found['refused']} were refused"
        if "errors" not in found:
            why = f"\nhint: the first was refused because {found['reason']}"
            raise ValueError(
                f"of {n_replicates} replicates {how}: too few are left for standard errors"
                f"{why if found['reason'] else ''}"
            )
        if lost:
            warn(f"{lost} of {n_replicates} replicates are left out: {how}")
        return Bootstrap(
            _shaped(found["errors"]),
            _shaped(found["low"]),
            _shaped(found["high"]),
            float(level),
            int(n_replicates),
            found["kept"],
            found["collapsed"],
            found["refused"],
            found["unconverged"],
        )

    def influence(self, X: Any, sample_weight: Any = None) -> Influence:
        """Return how far components move in one step of EM without a row, for every row.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            The rows that the mixture was fitted to.
        sample_weight : array-like of shape (n_samples,) or str, default=None
            How often each row counts; a name is that of a column of X.

        Returns
        -------
        Influence
            Shifts of mean and covariance of the component that moves farthest.
        """
        _, (rows, weights) = self._with_weights(X, sample_weight)
        mean, covariance, component = _core.influence(self._model, mixture(self), rows, weights)
        return Influence(mean, covariance, np.array(component, dtype=np.intp))

    def displace(self, X: Any, row: int, to: Any, sample_weight: Any = None) -> Movement:
        """Return how far components move when a row lies elsewhere and EM goes on to its end.

        The box of noise stays that of the rows as they were.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            The rows that the mixture was fitted to.
        row : int
            The row, counted from 0.
        to : array-like of shape (n_features,) or (n_places, n_features)
            Where it lies, or several such places: they are as many points of an influence curve.
        sample_weight : array-like of shape (n_samples,) or str, default=None
            How often each row counts; a name is that of a column of X.

        Returns
        -------
        Movement
            Shifts of every mean and covariance.
        """
        if not isinstance(row, Integral) or row < 0:
            raise ValueError(f"row is {row!r}, but must be an integer of at least 0")
        places = np.asarray(to, dtype=np.float64)
        _, (rows, weights) = self._with_weights(X, sample_weight)
        grid = np.ascontiguousarray(np.atleast_2d(places))
        mean, covariance = _core.displace(self._model, mixture(self), rows, weights, int(row), grid)
        if places.ndim < 2:
            return Movement(mean[0], covariance[0])
        return Movement(mean, covariance)

    def _with_weights(self, X: Any, sample_weight: Any) -> tuple[Table, tuple[Any, Any]]:
        """Return rows and weights, checked against the fit."""
        self._fitted()
        table = read_table(self, X, None, sample_weight, labelled=False)
        check_names(self, table.rows.names, table.rows.columns)
        rows, _, weights = table.parts()
        return table, (rows, weights)


def _shaped(figures: dict[str, Array]) -> dict[str, Array]:
    """Return figures with a square matrix for each component."""
    dim = figures["means"].shape[1]
    return {**figures, "covariances": figures["covariances"].reshape(-1, dim, dim)}
