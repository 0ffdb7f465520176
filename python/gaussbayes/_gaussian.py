"""One Gaussian with known mean and covariance."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._seeds import rows_of, seed_of

Array = np.ndarray[Any, Any]


class Gaussian:
    """A Gaussian distribution with a known mean and covariance.

    Parameters
    ----------
    mean : array-like of shape (n_features,) or float
        Mean.
    covariance : array-like of shape (n_features, n_features) or float
        Covariance; a symmetric positive definite matrix.

    Attributes
    ----------
    mean : ndarray of shape (n_features,)
        Mean; not writeable.
    covariance : ndarray of shape (n_features, n_features)
        Covariance; not writeable.

    Examples
    --------
    >>> from gaussbayes import Gaussian
    >>> gaussian = Gaussian([0, 0], [[1.1, 0.3], [0.3, 1.9]])
    >>> gaussian.mahalanobis_sq([[1, 2.2]]).round(12).tolist()
    [2.952]
    """

    mean: Array
    covariance: Array

    def __init__(self, mean: Any, covariance: Any) -> None:
        self.mean = np.atleast_1d(np.array(mean, dtype=np.float64))
        self.covariance = np.array(covariance, dtype=np.float64, ndmin=2)
        columns = self.mean.size
        if self.mean.ndim != 1 or self.covariance.shape != (columns, columns):
            raise ValueError(
                f"a mean of shape {self.mean.shape} and a covariance of shape "
                f"{self.covariance.shape} do not fit together"
            )
        self.mean.setflags(write=False)
        self.covariance.setflags(write=False)
        self._model = _core.Model.given(
            self.mean[None],
            self.covariance[None],
            [1.0],
            ["0"],
            [f"x{j}" for j in range(columns)],
        )

    def _rows(self, X: Any) -> Array:
        rows = np.asarray(X)
        plain = rows.dtype in (np.float32, np.float64)
        if not (plain and rows.flags.c_contiguous and rows.flags.aligned):
            rows = rows.astype(np.float64, order="C")
        if rows.ndim != 2 or rows.shape[1] != self.mean.size:
            raise ValueError(f"rows of shape {rows.shape} need shape (n, {self.mean.size})")
        return rows

    def log_pdf(self, X: Any) -> Array:
        """Return the log density of each row.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Log densities.
        """
        return _core.log_evidence(self._model, self._rows(X))

    def mahalanobis_sq(self, X: Any) -> Array:
        """Return the squared Mahalanobis distance of each row to the mean.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Squared distances.
        """
        return _core.distances(self._model, self._rows(X))[:, 0]

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Array:
        """Draw rows.

        Parameters
        ----------
        n_samples : int, default=1
            How many.
        random_state : int, RandomState or None, default=None
            Seed.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Rows.
        """
        return _core.sample(self._model, rows_of(n_samples), seed_of(random_state))[0]

    def __repr__(self) -> str:
        return f"Gaussian({self.mean.tolist()}, {self.covariance.tolist()})"
