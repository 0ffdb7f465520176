"""The nearest centroid as scikit-learn has it, with posteriors that agree with the labels."""

from __future__ import annotations

from typing import Any

from sklearn.utils.metaestimators import available_if

from . import _core, _sklearn_names
from ._learner import Discriminant, Fit
from ._modelled import Array
from ._moments import FromMoments
from ._tables import Rows
from ._warning import warn


def _is_euclidean(estimator: Any) -> bool:
    return bool(estimator.metric == "euclidean")


class NearestCentroid(Discriminant, FromMoments):
    """The nearest centroid: each class is its mean (or median), shrunken on demand.

    A drop-in for scikit-learn's class of the same name (version 1.9.1), with ``sample_weight`` and
    ``partial_fit``. Labels are scikit-learn's; ``predict_proba`` is the posterior of Gaussians at
    the centroids, which scikit-learn's is not.

    Parameters
    ----------
    metric : {'euclidean', 'manhattan'}, default='euclidean'
        'manhattan' puts centroids at the medians; it has labels, but no probabilities.
    shrink_threshold : float, default=None
        Draws centroids toward the mean of all rows by so many standard errors.
    priors : {'uniform', 'empirical'} or array-like of shape (n_classes,), default='uniform'
        Class priors. Unless they are equal, distances are in units of the deviation of each feature
        within classes.

    Attributes
    ----------
    centroids_ : ndarray of shape (n_classes, n_features)
        Centroids.
    classes_ : ndarray of shape (n_classes,)
        Classes.
    deviations_ : ndarray of shape (n_classes, n_features)
        Distance of each centroid from the mean of all rows, in standard errors.
    within_class_std_dev_ : ndarray of shape (n_features,)
        Standard deviations within classes.
    class_prior_ : ndarray of shape (n_classes,)
        Class priors.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where all of them had one.

    Examples
    --------
    >>> from gaussbayes import NearestCentroid, datasets
    >>> X, y = datasets.load_iris(return_X_y=True)
    >>> NearestCentroid().fit(X, y).score(X, y).__round__(4)
    0.9267
    >>> shrunken = NearestCentroid(shrink_threshold=30.0).fit(X, y)
    >>> bool((shrunken.deviations_ == 0).any())
    True
    """

    _parameter_constraints: dict[str, Any] = _sklearn_names.NEAREST_CENTROID_CONSTRAINTS

    def __init__(
        self,
        metric: str = "euclidean",
        *,
        shrink_threshold: float | None = None,
        priors: Any = "uniform",
    ) -> None:
        self.metric = metric
        self.shrink_threshold = shrink_threshold
        self.priors = priors

    def _specifications(self) -> tuple[_core.Spec, _core.Spec]:
        spec = _core.Spec("EEI")
        return spec, spec

    def _priors(self, classes: Array) -> Array | str:
        return _sklearn_names.nearest_centroid_priors(self.priors, classes)

    def _check_fit(self, fit: Fit, batch: bool) -> None:
        found = len(fit.statistics.classes)
        if found < 2 and not batch:
            raise ValueError(f"The number of classes has to be greater than one; got {found} class")

    def _estimate(self, fit: Fit, spec: _core.Spec, batch: bool) -> _core.Model:
        medians = None
        if self.metric == "manhattan":
            medians = _core.medians(*fit.table.parts(), fit.table.rows.columns)
        centroids = _core.Centroids(fit.statistics, self.shrink_threshold, medians)
        if centroids.without_spread():
            warn(
                "self.within_class_std_dev_ has at least 1 zero standard deviation. Inputs within "
                "the same classes for at least 1 feature are identical."
            )
        fit.found.update(medians=medians, centroids=centroids)
        return centroids.model(fit.priors, fit.table.rows.feature_names())

    def _readings(self, model: _core.Model, fit: Fit) -> dict[str, Any]:
        centroids = fit.found["centroids"]
        return {
            "_medians": fit.found["medians"],
            "_centroids": centroids,
            "centroids_": fit.placed(centroids.centres()),
            "deviations_": fit.placed(centroids.deviations()),
            "within_class_std_dev_": centroids.within(),
            "class_prior_": fit.placed(model.priors()),
        }

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
        if self.metric == "euclidean":
            return super().predict(X)
        model, rows = self._asked(X)
        sums = model.statistics
        if getattr(self, "_centroids", None) is None and sums is not None:
            self._centroids = _core.Centroids(sums, self.shrink_threshold, self._medians)
        codes = self._centroids.nearest_taxicab(list(model.priors()), rows.core)
        return self.classes_[codes if self._places is None else self._places[codes]]

    # Medians need all rows at once, and taxicab distances are no densities.
    partial_fit = available_if(_is_euclidean)(Discriminant.partial_fit)
    predict_proba = available_if(_is_euclidean)(Discriminant.predict_proba)
    predict_log_proba = available_if(_is_euclidean)(Discriminant.predict_log_proba)
    decision_function = available_if(_is_euclidean)(Discriminant.decision_function)

    def _narrow(self, rows: Rows) -> bool:
        return False

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_centroids": None}
