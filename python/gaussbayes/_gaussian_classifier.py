"""The Bayes classifier with Gaussian classes of any covariance family, costs and reject."""

from __future__ import annotations

from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.utils._param_validation import Interval

from . import _core
from ._deciding import Deciding
from ._explained import Operating
from ._labels import names
from ._learner import Fit
from ._moments import FromMoments
from ._reading import advise, parameters, take_on


class GaussianClassifier(Deciding, Operating, FromMoments):
    """Bayes classifier with Gaussian classes of any covariance family.

    Parameters
    ----------
    family : str, default='VVV'
        One of mclust's fourteen families by volume, shape and orientation (VVV is quadratic, EEE
        linear discriminant analysis, VVI naive Bayes, ...), or 'unit' for the nearest mean.
    priors : {'observed', 'uniform'} or array-like of shape (n_classes,), default=None
        Class priors. By default the share of each class in the rows; for 'unit' all equal.
    ddof : int, default=0
        What is subtracted from the number of rows before dividing: 0 for maximum likelihood.
    pooling : {'size', 'average', 'priors'}, default='size'
        How parts that classes share weigh the classes.
    shrinkage : float, 'auto', 'oas' or None, default=None
        How far covariances are shrunk: between 0 and 1, by Ledoit and Wolf, or by OAS.
    shrink_to : {'spherical', 'diagonal', 'shared', 'unit'}, default=None
        Toward what; by default 'spherical' for a number, 'diagonal' for an automatic amount.
    rda : tuple of two floats, default=None
        Friedman's regularised discriminant analysis: from each class's own covariance (0) to the
        shared one (1), and from it (0) to a sphere (1).
    ridge : float, default=0.0
        Share of each feature's variance over all rows that is added to its variance in each class.
    standardize : bool, default=False
        Whether features are compared in standard deviations over all rows.
    on_singular : {'refuse', 'range'}, default='refuse'
        What is done where covariances have no inverse: an error that says why, or keeping to the
        directions that have spread.
    density : {'plug-in', 'predictive', 'debiased'}, default='plug-in'
        What densities make of the fact that their parameters are estimates.
    loss : array-like of shape (n_classes, n_actions) or data frame, default=None
        Cost of each action (column) for each true class (row); one column more than classes is
        reject. A data frame is read by its names. By default every error costs 1.
    reject : float, default=None
        Cost of saying nothing.
    outliers : float, default=None
        Share of the model's own rows, at least 0.001, that are less likely than the least likely
        row that gets a class; rows below that density are rejected, whatever their posterior.
        A rejected outlier costs as much as the dearest error of its class, unless reject has a
        price.
    reject_label : object, default=None
        What ``predict`` says then; by default 'reject', -1 or nan.
    unlabelled : int, float or str, default=None
        The value in y that marks a row without a label, such as -1 or ''; nan for what is missing.
        Such rows take part by EM: each belongs to every class by its probability.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Classes.
    priors_ : ndarray of shape (n_classes,)
        Class priors.
    means_ : ndarray of shape (n_classes, n_features)
        Class means.
    covariances_ : ndarray of shape (n_classes, n_features, n_features)
        Class covariances.
    report_ : dict
        How the fit went: numbers of parameters, shrinkage found, convergence; under 'em' how EM
        went, where rows may have no label.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where all of them had one.

    Examples
    --------
    >>> import numpy as np
    >>> from gaussbayes import GaussianClassifier, datasets
    >>> X, y = datasets.load_iris(return_X_y=True)
    >>> GaussianClassifier("VEV").fit(X, y).score(X, y).__round__(4)
    0.98
    >>> sure = GaussianClassifier("EEE", reject=0.01).fit(X, y)
    >>> int((sure.predict(X) == -1).sum())
    19
    >>> few = np.where(np.arange(150) % 15 == 0, y, -1)
    >>> some = GaussianClassifier("EEE", unlabelled=-1).fit(X, few)
    >>> some.report_["em"]["unlabelled"], some.score(X, y).__round__(2)
    (140, 0.98)
    """

    _parameter_constraints: dict[str, Any] = {
        "family": [str],
        "ddof": [Interval(Integral, 0, None, closed="left")],
        "pooling": [str],
        "standardize": ["boolean"],
        "on_singular": [str],
        "density": [str],
    }

    def __init__(
        self,
        family: str = "VVV",
        *,
        priors: Any = None,
        ddof: int = 0,
        pooling: str = "size",
        shrinkage: str | float | None = None,
        shrink_to: str | None = None,
        rda: tuple[float, float] | None = None,
        ridge: float = 0.0,
        standardize: bool = False,
        on_singular: str = "refuse",
        density: str = "plug-in",
        loss: Any = None,
        reject: float | None = None,
        outliers: float | None = None,
        reject_label: Any = None,
        unlabelled: Any = None,
    ) -> None:
        self.family = family
        self.priors = priors
        self.ddof = ddof
        self.pooling = pooling
        self.shrinkage = shrinkage
        self.shrink_to = shrink_to
        self.rda = rda
        self.ridge = ridge
        self.standardize = standardize
        self.on_singular = on_singular
        self.density = density
        self.loss = loss
        self.reject = reject
        self.outliers = outliers
        self.reject_label = reject_label
        self.unlabelled = unlabelled

    @classmethod
    def from_parameters(
        cls, means: Any, covariances: Any, priors: Any = None, classes: Any = None
    ) -> Self:
        """Make a classifier of known Gaussians.

        Parameters
        ----------
        means : array-like of shape (n_classes, n_features)
            Class means; of one feature, one number per class will do.
        covariances : array-like of shape (n_classes, n_features, n_features) or \
                (n_features, n_features)
            Class covariances, or one for all classes; of one feature, one variance per class, or
            one number for all.
        priors : array-like of shape (n_classes,), default=None
            Class priors; by default all equal.
        classes : array-like of shape (n_classes,), default=None
            Classes, in the order of the means; by default 0, 1, ...

        Returns
        -------
        GaussianClassifier
            A fitted classifier.

        Examples
        --------
        >>> from gaussbayes import GaussianClassifier
        >>> rule = GaussianClassifier.from_parameters([[0.0], [1.0]], [[1.0]], priors=[0.5, 0.5])
        >>> rule.predict([[0.4], [0.6]]).tolist()
        [0, 1]
        >>> GaussianClassifier.from_parameters([0, 1], [1, 4]).covariances_.ravel().tolist()
        [1.0, 4.0]
        """
        means = np.array(means, dtype=np.float64, ndmin=1)
        covariances = np.array(covariances, dtype=np.float64)
        if means.ndim == 1:
            # Numbers beside numbers are means and variances; beside a matrix, one mean.
            means = means[:, None] if covariances.ndim < 2 else means[None]
        if means.shape[1:] == (1,) and covariances.ndim < 2:
            covariances = covariances.reshape((-1, 1, 1) if covariances.ndim else (1, 1))
        shared = covariances.ndim == 2
        count, columns = means.shape
        covariances = covariances[None] if shared else covariances
        if covariances.shape != (1 if shared else count, columns, columns):
            raise ValueError(
                f"{count} means of {columns} features need covariances of shape "
                f"({count}, {columns}, {columns}) or ({columns}, {columns}), "
                f"not {covariances.shape[1:] if shared else covariances.shape}"
            )
        labels = np.arange(count) if classes is None else np.asarray(classes)
        if len(labels) != count or len(set(labels.tolist())) != count:
            raise ValueError(f"{count} means need {count} different classes, not {labels.tolist()}")
        weights = np.full(count, 1.0 / count) if priors is None else np.asarray(priors, dtype=float)
        if weights.shape != (count,):
            raise ValueError(f"{count} means need {count} priors, not {weights.size}")
        order = np.argsort(labels)
        estimator = cls("EEE" if shared else "VVV", priors=list(map(float, weights[order])))
        features = [f"x{j}" for j in range(columns)]
        model = _core.Model.given(
            means[order],
            np.ascontiguousarray(covariances if shared else covariances[order]),
            list(map(float, weights[order])),
            names(labels[order]),
            features,
        )
        take_on(estimator, model, labels[order], None)
        return estimator

    def _specifications(self) -> tuple[_core.Spec, _core.Spec]:
        spec = _core.Spec(
            self.family,
            ddof=self.ddof,
            pooling=self.pooling,
            shrinkage=self.shrinkage,
            shrink_to=self.shrink_to,
            rda=None if self.rda is None else _pair(self.rda),
            ridge=self.ridge,
            standardize=self.standardize,
            on_singular=self.on_singular,
            density=self.density,
        )
        return spec, spec

    def _default_priors(self) -> str:
        return "uniform" if self.family.lower() == "unit" else "observed"

    def _readings(self, model: _core.Model, fit: Fit) -> dict[str, Any]:
        readings = parameters(model, fit)
        advise(readings["report_"], model.features)
        return readings


def _pair(rda: Any) -> tuple[float, float]:
    amounts = tuple(np.asarray(rda, dtype=np.float64).ravel()) if not isinstance(rda, str) else ()
    if len(amounts) != 2:
        raise ValueError(f"rda is {rda!r}, but must be two numbers from 0 to 1, such as (0.5, 0.1)")
    return float(amounts[0]), float(amounts[1])
