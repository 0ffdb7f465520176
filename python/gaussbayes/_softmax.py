"""Softmax regression, which is logistic regression of two classes: posteriors without densities."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from . import _core, _sklearn_names
from ._deciding import Deciding
from ._explained import Explained
from ._learner import Fit, Learner
from ._modelled import Array
from ._reading import take_on
from ._warning import warn


class SoftmaxRegression(Deciding, Explained):
    """Softmax regression by Newton's method, to the last digits and in any units.

    It minimises what scikit-learn's LogisticRegression (version 1.9.1) minimises, and has its
    attributes: ``sum(weight * log_loss) + sum(coef_**2) / (2 * C)``. Rows are read once for each
    step, of which there are about ten; the answer does not depend on the number of threads.

    Parameters
    ----------
    C : float, default=1.0
        Inverse of the penalty on coefficients; the intercept has none. ``inf`` for maximum
        likelihood, which is refused where classes are separable and there is no answer.
    tol : float, default=1e-6
        Change of log-odds by a step from which one more step ends the fit.
    max_iter : int, default=100
        Most steps.
    priors : {'observed', 'uniform'} or array-like of shape (n_classes,), default=None
        Class priors where rows to come have other shares of the classes than those of the fit;
        intercepts move by the change of their logarithms.
    loss : array-like of shape (n_classes, n_actions) or data frame, default=None
        Cost of each action (column) for each true class (row), as in GaussianClassifier.
    reject : float, default=None
        Cost of saying nothing.
    reject_label : object, default=None
        What ``predict`` says of rejected rows; by default 'reject', -1 or nan.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Classes.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Coefficients of the log-odds of the second of two classes; of more classes one row for each,
        which sum to zero.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Intercepts.
    priors_ : ndarray of shape (n_classes,)
        Class priors that the intercepts are for.
    n_iter_ : ndarray of shape (1,)
        Steps.
    report_ : dict
        How the fit went: whether it converged, whether classes are separable, log-likelihood,
        deviance, that of the shares of the classes alone, number of parameters.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where all of them had one.

    Examples
    --------
    >>> from gaussbayes import SoftmaxRegression, datasets
    >>> X, y = datasets.load_iris(return_X_y=True)
    >>> softmax = SoftmaxRegression().fit(X, y)
    >>> softmax.score(X, y).__round__(4)
    0.9733
    >>> softmax.coef_[0].round(3).tolist()
    [-0.424, 0.967, -2.517, -1.079]
    >>> softmax.boundary(0, 1).kind
    'hyperplane'
    """

    _parameter_constraints: dict[str, Any] = _sklearn_names.SOFTMAX_CONSTRAINTS

    # What densities are needed for.
    outliers = None
    unlabelled = None

    coef_: Array
    intercept_: Array
    n_iter_: Array

    def __init__(
        self,
        C: float = 1.0,
        *,
        tol: float = 1e-6,
        max_iter: int = 100,
        priors: Any = None,
        loss: Any = None,
        reject: float | None = None,
        reject_label: Any = None,
    ) -> None:
        self.C = C
        self.tol = tol
        self.max_iter = max_iter
        self.priors = priors
        self.loss = loss
        self.reject = reject
        self.reject_label = reject_label

    @classmethod
    def from_classifier(cls, estimator: Learner) -> Self:
        """Write a fitted classifier whose log-odds are linear as softmax regression.

        Parameters
        ----------
        estimator : fitted classifier of this package
            Gaussians that share a covariance (LinearDiscriminantAnalysis, GaussianClassifier of the
            families EEE, EEI, EII and 'unit'), or naive Bayes of flags that are 0 or 1 and of counts
            (BernoulliNB, MultinomialNB, ComplementNB).

        Returns
        -------
        SoftmaxRegression
            A fitted classifier with the same posteriors; nothing was fitted for it.

        Examples
        --------
        >>> import numpy as np
        >>> from gaussbayes import LinearDiscriminantAnalysis, SoftmaxRegression, datasets
        >>> X, y = datasets.load_iris(return_X_y=True)
        >>> lda = LinearDiscriminantAnalysis().fit(X, y)
        >>> softmax = SoftmaxRegression.from_classifier(lda)
        >>> bool(np.allclose(softmax.predict_proba(X), lda.predict_proba(X)))
        True
        """
        if not isinstance(estimator, Learner):
            raise TypeError(f"{type(estimator).__name__} is no classifier of gaussbayes")
        written = _core.as_softmax(estimator._fitted())
        found = cls()
        readings = _coefficients(written, estimator._places, len(estimator.classes_))
        priors = estimator._spread(written.priors()[None], 0.0)[0]
        names = getattr(estimator, "feature_names_in_", None)
        take_on(found, written, estimator.classes_, names, readings={"priors_": priors} | readings)
        found._places = estimator._places
        return found

    def _specifications(self) -> tuple[_core.Spec, Any]:
        return _core.Spec("unit"), _sklearn_names.softmax(self)

    def _learn(
        self, X: Any, y: Any, sample_weight: Any, *, batch: bool = False, classes: Any = None
    ) -> Self:
        return self._learn_partly(X, y, sample_weight)

    @property
    def partial_fit(self) -> Any:
        """Every step reads all rows again: there is no fit by batches."""
        raise AttributeError("softmax regression reads all rows several times: use fit")

    @property
    def score_samples(self) -> Any:
        """There is no density: what is known is how classes compare on a row."""
        raise AttributeError("softmax regression has no densities")

    @property
    def mahalanobis_sq(self) -> Any:
        """There are no covariances."""
        raise AttributeError("softmax regression has no covariances")

    @property
    def sample(self) -> Any:
        """There is no density that rows could be drawn from."""
        raise AttributeError("softmax regression has no densities")

    def _partly(self, fit: Fit, spec: Any) -> _core.Model:
        model, report = _core.softmax(
            spec,
            fit.priors,
            fit.table.rows.feature_names(),
            *fit.table.parts(),
            target=fit.table.target,
            weight=fit.table.weight,
        )
        fit.found["report"] = report
        return model

    def _readings(self, model: _core.Model, fit: Fit) -> dict[str, Any]:
        report = fit.found["report"]
        if not report["converged"]:
            warn(
                f"the coefficients have not converged in {report['iterations']} steps: "
                "increase max_iter",
                ConvergenceWarning,
            )
        found = _coefficients(model, fit.places, len(fit.classes))
        return {name: values.astype(fit.dtype, copy=False) for name, values in found.items()} | {
            "priors_": fit.per_class(model.priors()),
            "n_iter_": np.array([report["iterations"]], dtype=np.int32),
            "report_": report,
        }

    def with_priors(self, priors: Any) -> Self:
        """Return the same classifier with other priors; nothing is fitted again.

        Parameters
        ----------
        priors : 'uniform' or array-like of shape (n_classes,)
            Priors, in the order of ``classes_``.

        Returns
        -------
        estimator
            A fitted classifier.
        """
        if priors is None or (isinstance(priors, str) and priors == "observed"):
            raise ValueError("this model does not keep what was observed: give the priors")
        other = super().with_priors(priors)
        found = _coefficients(other._model, self._places, len(self.classes_))
        other.__dict__.update(
            {name: values.astype(self._dtype, copy=False) for name, values in found.items()}
        )
        return other


def _coefficients(model: _core.Model, places: Array | None, classes: int) -> dict[str, Array]:
    """Return coefficients and intercepts as scikit-learn has them."""
    coefficients, intercepts = _core.coefficients(model)
    if places is not None:
        order = np.argsort(places)
        coefficients, intercepts = coefficients[order], intercepts[order]
    if classes == 2:
        coefficients = coefficients[1:] - coefficients[:1]
        intercepts = intercepts[1:] - intercepts[:1]
    return {"coef_": coefficients, "intercept_": intercepts}


def of_model(model: _core.Model, classes: Array) -> SoftmaxRegression:
    """Make an estimator of a model that the command has saved."""
    penalty, tolerance, steps = _core.softmax_settings(model) or (1.0, 1e-6, 100)
    strength = 1.0 / penalty if penalty > 0.0 else np.inf
    estimator = SoftmaxRegression(strength, tol=tolerance, max_iter=steps)
    readings = {"priors_": model.priors()} | _coefficients(model, None, len(classes))
    take_on(estimator, model, classes, model.features, readings=readings)
    return estimator
