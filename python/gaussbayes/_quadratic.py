"""Quadratic discriminant analysis as scikit-learn has it, with weights and batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core, _sklearn_names
from ._covariance_estimator import class_covariances
from ._explained import Explained
from ._learner import Discriminant, Fit
from ._modelled import Array
from ._moments import FromMoments


class _OnDemand:
    """An attribute that is read when it is first asked for: axes may take as long as the fit."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, estimator: Any, owner: Any = None) -> Any:
        if estimator is None:
            return self
        if getattr(estimator, "_model", None) is None:
            kind = type(estimator).__name__
            raise AttributeError(f"{kind!r} object has no attribute {self.name!r}")
        axes = estimator._axes()
        estimator.__dict__.update(axes, _read=(*estimator._read, *axes))
        return axes[self.name]


class QuadraticDiscriminantAnalysis(Explained, Discriminant, FromMoments):
    """Quadratic discriminant analysis: a covariance for each class, quadratic boundaries.

    A drop-in for scikit-learn's class of the same name (version 1.9.1), with ``sample_weight``,
    ``partial_fit`` and a test of singularity that does not depend on the units of the columns.

    Parameters
    ----------
    solver : {'svd', 'eigen'}, default='svd'
        'svd' takes ``reg_param``, 'eigen' takes ``shrinkage`` and ``covariance_estimator``.
    shrinkage : 'auto', float or None, default=None
        Between 0 (none) and 1 (spherical), or Ledoit and Wolf's amount for each class.
    priors : array-like of shape (n_classes,), default=None
        Class priors; by default the share of each class in the rows.
    reg_param : float, default=0.0
        Mixes each covariance with the identity: ``(1 - reg_param) * S + reg_param * I``.
    store_covariance : bool, default=False
        Whether ``covariance_`` is kept.
    tol : float, default=1e-4
        Not used: whether a covariance is singular is decided relative to its own columns.
    covariance_estimator : estimator, default=None
        Estimates each class covariance in place of the sums; for solver 'eigen'.

    Attributes
    ----------
    covariance_ : list of ndarray of shape (n_features, n_features)
        Class covariances, with ``store_covariance``.
    means_ : ndarray of shape (n_classes, n_features)
        Class means.
    priors_ : ndarray of shape (n_classes,)
        Class priors.
    rotations_ : list of ndarray of shape (n_features, n_features)
        Principal axes of each class, as columns.
    scalings_ : list of ndarray of shape (n_features,)
        Variances along them, the largest first.
    classes_ : ndarray of shape (n_classes,)
        Classes.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where all of them had one.

    Examples
    --------
    >>> from gaussbayes import QuadraticDiscriminantAnalysis, datasets
    >>> X, y = datasets.load_iris(return_X_y=True)
    >>> qda = QuadraticDiscriminantAnalysis().fit(X, y)
    >>> qda.score(X, y)
    0.98
    >>> qda.predict_proba(X[:1]).round(6).tolist()
    [[1.0, 0.0, 0.0]]
    """

    _parameter_constraints: dict[str, Any] = _sklearn_names.QUADRATIC_CONSTRAINTS
    _shown_dtype: np.dtype[Any]

    scalings_ = _OnDemand()
    rotations_ = _OnDemand()

    def __init__(
        self,
        *,
        solver: str = "svd",
        shrinkage: str | float | None = None,
        priors: Any = None,
        reg_param: float = 0.0,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: Any = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.reg_param = reg_param
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator

    def _specifications(self) -> tuple[_core.Spec, _core.Spec]:
        spec = _sklearn_names.quadratic(self)
        return spec, spec

    def _priors(self, classes: Array) -> Array | str:
        return _sklearn_names.discriminant_priors(self.priors, classes)

    def _check_fit(self, fit: Fit, batch: bool) -> None:
        alone = np.flatnonzero(fit.statistics.weights() == 1.0)
        if alone.size and self.reg_param == 0 and not batch:
            place = alone[0] if fit.places is None else fit.places[alone[0]]
            raise ValueError(
                f"y has only 1 sample in class {fit.classes[place]}, covariance is ill defined."
            )

    def _estimate(self, fit: Fit, spec: _core.Spec, batch: bool) -> _core.Model:
        if self.covariance_estimator is None:
            try:
                return super()._estimate(fit, spec, batch)
            except np.linalg.LinAlgError as error:
                own = "reg_param" if self.solver == "svd" else "shrinkage"
                raise np.linalg.LinAlgError(f"{error}, or increase {own}") from error
        return class_covariances(self, fit, shared=False)

    def _readings(self, model: _core.Model, fit: Fit) -> dict[str, Any]:
        # Solver 'eigen' is in double precision, as scikit-learn's, unless an estimator says other.
        double = self.solver == "eigen" and self.covariance_estimator is None
        dtype = np.dtype(np.float64) if double else fit.dtype
        readings: dict[str, Any] = {
            "means_": fit.per_class(model.means()),
            "priors_": fit.placed(model.priors()),
            "_shown_dtype": dtype,
        }
        if self.store_covariance:
            components = range(len(model.classes))
            readings["covariance_"] = [model.covariance(k).astype(dtype) for k in components]
        return readings

    def _axes(self) -> dict[str, Any]:
        """Return the principal axes of each class and the variances along them."""
        model, dtype = self._fitted(), self._shown_dtype
        axes = [model.principal_axes(k) for k in range(len(model.classes))]
        return {
            "scalings_": [variances.astype(dtype) for variances, _ in axes],
            "rotations_": [rotation.astype(dtype) for _, rotation in axes],
        }

    def _narrow(self, rows: Any) -> bool:
        return False
