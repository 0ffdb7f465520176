"""Linear discriminant analysis as scikit-learn has it, with weights and batches."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin, clone

from . import _core, _sklearn_names
from ._covariance_estimator import class_covariances, fitted_covariance
from ._explained import Explained
from ._learner import Fit
from ._modelled import Array
from ._moments import FromMoments
from ._tables import Rows


class LinearDiscriminantAnalysis(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, Explained, FromMoments
):
    """Linear discriminant analysis: one covariance for all classes, linear boundaries.

    A drop-in for scikit-learn's class of the same name (version 1.9.1), with ``sample_weight``,
    ``partial_fit`` and numerics that neither offsets nor units of the columns can break.

    Parameters
    ----------
    solver : {'svd', 'lsqr', 'eigen'}, default='svd'
        All solvers estimate from the same sums. 'svd' leaves out directions without spread within
        classes and pools covariances by class size; 'lsqr' and 'eigen' pool by the priors and take
        ``shrinkage``; 'lsqr' has no ``transform``; 'eigen' refuses singular covariances.
    shrinkage : 'auto', float or None, default=None
        Between 0 (none) and 1 (spherical), or Ledoit and Wolf's amount for each class.
    priors : array-like of shape (n_classes,), default=None
        Class priors; by default the share of each class in the rows.
    n_components : int, default=None
        Directions that ``transform`` keeps, at most min(n_classes - 1, n_features).
    store_covariance : bool, default=False
        Whether solver 'svd' keeps ``covariance_``; the others always do.
    tol : float, default=1e-4
        For solver 'svd': directions whose standard deviation within classes, on standardised
        columns, is no more than this are left out.
    covariance_estimator : estimator, default=None
        Estimates each class covariance in place of the sums; for solvers 'lsqr' and 'eigen'.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Weights of the features; one row for two classes.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Intercepts.
    covariance_ : ndarray of shape (n_features, n_features)
        The covariance within classes.
    explained_variance_ratio_ : ndarray of shape (n_components,)
        Share of each direction in the variance between classes (solvers 'svd' and 'eigen').
    means_ : ndarray of shape (n_classes, n_features)
        Class means.
    priors_ : ndarray of shape (n_classes,)
        Class priors.
    scalings_ : ndarray of shape (n_features, n_directions)
        The directions of ``transform`` (solvers 'svd' and 'eigen').
    xbar_ : ndarray of shape (n_features,)
        The mean of all classes by their priors (solver 'svd').
    classes_ : ndarray of shape (n_classes,)
        Classes.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where all of them had one.

    Examples
    --------
    >>> from gaussbayes import LinearDiscriminantAnalysis, datasets
    >>> X, y = datasets.load_iris(return_X_y=True)
    >>> lda = LinearDiscriminantAnalysis().fit(X, y)
    >>> lda.score(X, y)
    0.98
    >>> lda.explained_variance_ratio_.round(4).tolist()
    [0.9912, 0.0088]
    """

    _any_classes = True
    _object_classes = False
    _parameter_constraints: dict[str, Any] = _sklearn_names.LINEAR_CONSTRAINTS

    def __init__(
        self,
        solver: str = "svd",
        shrinkage: str | float | None = None,
        priors: Any = None,
        n_components: int | None = None,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: Any = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.n_components = n_components
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator

    def _specifications(self) -> tuple[_core.Spec, _core.Spec]:
        return _sklearn_names.linear(self)

    def _priors(self, classes: Array) -> Array | str:
        return _sklearn_names.discriminant_priors(self.priors, classes)

    def _check_fit(self, fit: Fit, batch: bool) -> None:
        count = fit.table.rows.count
        if not batch and count == 1:
            raise ValueError(
                f"Found array with 1 sample(s) (shape=(1, {self._features(fit)})) while a minimum "
                "of 2 is required by LinearDiscriminantAnalysis."
            )
        if not batch and count == len(fit.classes):
            raise ValueError("The number of samples must be more than the number of classes.")
        most = min(len(fit.classes) - 1, self._features(fit))
        if self.n_components is not None and self.n_components > most:
            raise ValueError("n_components cannot be larger than min(n_features, n_classes - 1).")

    def _estimate(self, fit: Fit, spec: _core.Spec, batch: bool) -> _core.Model:
        if self.covariance_estimator is None:
            return super()._estimate(fit, spec, batch)
        return class_covariances(self, fit, shared=True)

    @staticmethod
    def _features(fit: Fit) -> int:
        return fit.table.rows.columns

    def _readings(self, model: _core.Model, fit: Fit) -> dict[str, Any]:
        classes, columns = len(fit.classes), self._features(fit)
        most = min(classes - 1, columns)
        centre = model.centre()
        # About their centre no digits are lost; scikit-learn expands all but 'svd' about zero.
        about = centre if self.solver == "svd" or classes == 2 else np.zeros(columns)
        coef, intercept = model.linear(list(about))
        coef, intercept = fit.placed(coef), fit.placed(intercept, -np.inf)
        if classes == 2:
            coef, intercept = coef[1:] - coef[:1], intercept[1:] - intercept[:1]
        single = self.solver == "svd" or classes == 2
        dtype = fit.dtype if single else np.dtype(np.float64)
        readings = {
            "means_": fit.per_class(model.means()),
            "priors_": fit.per_class(model.priors()),
            "coef_": coef.astype(dtype, copy=False),
            "intercept_": intercept.astype(dtype, copy=False),
            "_max_components": self.n_components or most,
            "_about": about,
            "_total": None,
        }
        if self.solver == "svd":
            readings["xbar_"] = centre.astype(fit.dtype)
        if self.solver != "svd" or self.store_covariance:
            readings["covariance_"] = self._covariance(model, fit)
        if self.solver == "eigen":
            readings["_total"] = self._total_covariance(fit)
        return readings | self._directions_of(model, readings, fit)

    def _covariance(self, model: _core.Model, fit: Fit) -> Array:
        if self.solver != "svd" or self.priors is None:
            return model.covariance(0)
        spec = _core.Spec("EEE", pooling="priors", on_singular="range")
        names = fit.table.rows.feature_names()
        return fit.statistics.model(spec, fit.priors, names).covariance(0)

    def _total_covariance(self, fit: Fit) -> Array:
        """Return the covariance of all rows, estimated as that of each class is."""
        if self.covariance_estimator is not None:
            return fitted_covariance(clone(self.covariance_estimator, safe=False), fit.table.rows)
        spec = _core.Spec("VVV", shrinkage=self.shrinkage)
        if not spec.needs_second_pass:
            return fit.statistics.total(spec)
        x, _, weights = fit.table.parts()
        count = fit.table.rows.count
        if count is None or isinstance(x, _core.Stream):
            raise ValueError(
                "solver='eigen' with shrinkage='auto' needs rows in memory\n"
                "hint: give a numpy array, or use solver='lsqr'"
            )
        one = np.broadcast_to(np.int8(0), (count,))
        sums = _core.Statistics(spec, self._features(fit)).added(x, one, weights)
        names = fit.table.rows.feature_names()
        model = sums.model(spec, "observed", names, any_classes=True, rows=(x, one, weights))
        return model.covariance(0)

    def _directions_of(
        self, model: _core.Model, readings: dict[str, Any], fit: Fit
    ) -> dict[str, Any]:
        if self.solver == "lsqr":
            return {"_n_features_out": readings["_max_components"]}
        directions = _core.Directions(model, readings["_total"])
        scalings, explained = directions.scalings(), directions.explained()
        if self.solver == "svd":
            ratios = directions.ratios()
            scalings = scalings[:, np.sqrt(ratios) > self.tol * np.sqrt(ratios[:1])]
        kept = readings["_max_components"]
        # No more than there are directions with spread within classes.
        rank = (model.report() or {}).get("rank") or self._features(fit)
        share = np.zeros(min(kept, rank) if self.solver == "svd" else kept)
        share[: len(explained)] = explained[: len(share)]
        dtype = fit.dtype if self.solver == "svd" else np.dtype(np.float64)
        return {
            "scalings_": scalings.astype(dtype),
            "explained_variance_ratio_": share.astype(dtype),
            "_directions": directions,
            "_n_features_out": min(kept, scalings.shape[1]),
        }

    def decision_function(self, X: Any) -> Array:
        """Return the linear score of each class; for two classes the log-odds of the second.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            Scores.
        """
        model, rows = self._asked(X)
        if len(self.classes_) == 2 and self._places is None:
            odds = _core.log_odds(model, rows.core)
            return odds.astype(np.float32) if self._narrow(rows) else odds
        single = self._narrow(rows)
        scores = _core.linear_scores(model, rows.core, list(self._about), single=single)
        scores = self._spread(scores, -np.inf)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def transform(self, X: Any) -> Array:
        """Project rows on the directions in which the classes lie farthest apart.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            Coordinates; solver 'eigen' measures them from zero, 'svd' from ``xbar_``.
        """
        model, rows = self._asked(X)
        if getattr(self, "_directions", None) is None:
            self._directions = _core.Directions(model, self._total)
        centred = self.solver == "svd"
        single = centred and self._narrow(rows)
        along = _core.project(self._directions, rows.core, centred=centred, single=single)
        return along[:, : self._n_features_out]

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_directions": None}

    def _narrow(self, rows: Rows) -> bool:
        return rows.single and self.coef_.dtype == np.float32


class _NoProjection(AttributeError, NotImplementedError):
    """There is no such method, and scikit-learn's users catch that it is not implemented."""


class _UnlessLeastSquares:
    """A method that solver 'lsqr' does not have."""

    def __init__(self, method: Any) -> None:
        self.method = method
        self.__doc__ = method.__doc__

    def __get__(self, estimator: Any, owner: Any = None) -> Any:
        if estimator is not None and estimator.solver == "lsqr":
            raise _NoProjection(
                "transform not implemented for 'lsqr' solver (use 'svd' or 'eigen')."
            )
        return self.method.__get__(estimator, owner)


# Behind the class: scikit-learn wraps what it finds there for set_output.
for _name in ("transform", "fit_transform"):
    _method = getattr(LinearDiscriminantAnalysis, _name)
    setattr(LinearDiscriminantAnalysis, _name, _UnlessLeastSquares(_method))
