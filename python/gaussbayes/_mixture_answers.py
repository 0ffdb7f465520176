"""Holds what a fitted Gaussian mixture can be asked."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import DensityMixin

from . import _core
from ._gaussian_classifier import GaussianClassifier
from ._modelled import Array, Modelled
from ._plotted import PlottedComponents
from ._reading import take_on
from ._seeds import rows_of, seed_of
from ._tables import Rows


class MixtureAnswers(DensityMixin, PlottedComponents, Modelled):
    """What can be asked of a Gaussian mixture."""

    # As scikit-learn's: whose check of sparse rows takes whoever has predict_proba for a classifier.
    _sparse = False

    random_state: Any

    def predict(self, X: Any) -> Array:
        """Return the most probable component of each row.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Components, counted from 0; -1 is noise.
        """
        return self._components(*self._asked(X))

    @staticmethod
    def _components(model: _core.Model, rows: Rows) -> Array:
        codes = _core.actions(model, rows.core)
        codes[codes == model.components] = -1
        return codes

    def predict_proba(self, X: Any) -> Array:
        """Return P(component | row).

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            Probabilities; with noise it has one more column, the last.
        """
        model, rows = self._asked(X)
        return _core.posterior(model, rows.core, single=self._narrow(rows))

    def score_samples(self, X: Any) -> Array:
        """Return ln p(row).

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
        found = _core.log_evidence(model, rows.core)
        return found.astype(np.float32) if self._narrow(rows) else found

    def score(self, X: Any, y: Any = None) -> float:
        """Return the mean of ln p(row).

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.
        y : ignored
            Not used.

        Returns
        -------
        float
            Mean log density.
        """
        model, rows = self._asked(X)
        return float(np.mean(_core.log_evidence(model, rows.core)))

    def entropy(self, X: Any) -> Array:
        """Return the entropy of P(component | row): 0 where a row is in no doubt.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Entropies, ln n_components at most.
        """
        model, rows = self._asked(X)
        return _core.entropies(model, rows.core)

    def sample(self, n_samples: int = 1) -> tuple[Array, Array]:
        """Draw rows from the mixture, by ``random_state``.

        Parameters
        ----------
        n_samples : int, default=1
            How many.

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
            Rows, those of the first component first.
        y : ndarray of shape (n_samples,)
            Their components; -1 is noise, the last.
        """
        model = self._fitted()
        rows, codes = _core.sample(model, rows_of(n_samples), seed_of(self.random_state))
        order = np.argsort(codes, kind="stable")
        rows, codes = rows[order], codes[order]
        codes[codes == model.components] = -1
        return rows, codes

    def _check_rows(self, rows: Rows, least: int = 1) -> None:
        """Refuse rows that are too few, in scikit-learn's words."""
        if rows.count is not None and rows.count < 2:
            raise ValueError(
                f"Found array with {rows.count} sample(s) (shape=({rows.count}, {rows.columns})) "
                f"while a minimum of 2 is required by {type(self).__name__}."
            )
        if rows.count is not None and rows.count < least:
            raise ValueError(
                f"Expected n_samples >= n_components but got n_components = {least}, "
                f"n_samples = {rows.count}"
            )


class MixtureCriteria(MixtureAnswers):
    """What can be asked of a Gaussian mixture whose parameters are numbers."""

    def bic(self, X: Any) -> float:
        """Return the Bayesian information criterion on rows: the lower, the better.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        float
            BIC.
        """
        return self._criterion(X, "bic")

    def aic(self, X: Any) -> float:
        """Return Akaike's information criterion on rows: the lower, the better.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        float
            AIC.
        """
        return self._criterion(X, "aic")

    def icl(self, X: Any) -> float:
        """Return the integrated completed likelihood on rows: BIC with a price for overlap.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        float
            ICL; the lower, the better.
        """
        return self._criterion(X, "icl")

    def _criterion(self, X: Any, name: str) -> float:
        model, rows = self._asked(X)
        means, covariances = getattr(self, "_frozen", ([], []))
        found = _core.criteria(
            model,
            rows.core,
            outliers=getattr(self, "_outliers", None),
            frozen_means=means,
            frozen_covariances=covariances,
        )
        return float(found[name])

    def classifier(self) -> GaussianClassifier:
        """Return the components as the classes 0, 1, ... of a classifier.

        It says what the boundaries between components are (``boundary``, ``curves``), and how often
        a row of one is taken for one of another (``error``).

        Returns
        -------
        GaussianClassifier
            A fitted classifier, whose priors are the weights.
        """
        model = self._fitted()
        if model.noise is not None:
            raise ValueError(
                "noise is no Gaussian: the components have no boundary with it\n"
                "hint: fit without noise, or ask predict"
            )
        rule = GaussianClassifier(model.family, priors=model.priors().tolist())
        names = getattr(self, "feature_names_in_", None)
        take_on(rule, model, np.arange(len(model.classes)), names)
        return rule
