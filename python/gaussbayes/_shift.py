"""Says of a fitted classifier whether the shares of its classes have moved."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _core
from ._learner import Learner
from ._names import check_names
from ._tables import read_table

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class PriorShift:
    """Class priors before and after a look at rows without labels, and whether they differ.

    The class densities and the priors before are taken as known: standard errors and the p value
    are those of the model. Rows that follow other densities can look like a shift.

    Attributes
    ----------
    before : ndarray of shape (n_classes,)
        Priors of the classifier, in the order of ``classes_``.
    priors : ndarray of shape (n_classes,)
        The most likely priors of the rows. A class whose prior is 0 stays at 0.
    standard_errors : ndarray of shape (n_classes,)
        Standard errors of them; nan for a prior at 0 or 1, and where the rows do not tell the class
        from others.
    statistic : float
        Twice what the log-likelihood gains by the new priors.
    degrees_of_freedom : int
        Priors that are free.
    p_value : float
        The chance of such a statistic, or a larger one, where nothing has moved.
    level : float
        What the p value must be below.
    moved : bool
        Whether it is. Priors that have not moved are better left alone.
    log_likelihood : tuple of two floats
        Log-likelihood of the rows, before and after.
    n_iter : int
        Passes over the rows.
    converged : bool
        Whether the priors stand.
    weight : float
        Weight of all rows.
    rare : tuple
        Classes of which the priors before let fewer than five rows be expected: where there are
        any, the p value is rough.
    """

    before: Array
    priors: Array
    standard_errors: Array
    statistic: float
    degrees_of_freedom: int
    p_value: float
    level: float
    moved: bool
    log_likelihood: tuple[float, float] = field(repr=False)
    n_iter: int = field(repr=False)
    converged: bool = field(repr=False)
    weight: float = field(repr=False)
    rare: tuple[Any, ...] = field(repr=False)


class Shifting(Learner):
    """What rows without labels say about the priors of classes."""

    def estimate_shift(self, X: Any, sample_weight: Any = None, level: float = 0.05) -> PriorShift:
        """Estimate the class priors anew on rows without labels, and test whether they have moved.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file of shape (n_samples, n_features)
            Rows whose classes are not known.
        sample_weight : array-like of shape (n_samples,) or str, default=None
            How often each row counts; a name is that of a column of X.
        level : float, default=0.05
            What the p value must be below for the priors to have moved.

        Returns
        -------
        PriorShift
            ``priors`` with ``standard_errors``, ``statistic``, ``p_value`` and ``moved``. Where they
            have moved, ``with_priors`` takes them on; classifiers that have no such method are
            fitted again with them.

        Notes
        -----
        Saerens, Latinne and Decaestecker (2002), by Newton's method where EM would be slow.

        Examples
        --------
        >>> from gaussbayes import GaussianClassifier
        >>> trained = GaussianClassifier.from_parameters([[0.0], [2.0]], [[1.0]])
        >>> X, y = trained.with_priors([0.9, 0.1]).sample(4000, random_state=2)
        >>> shift = trained.estimate_shift(X)
        >>> shift.moved
        True
        >>> shift.priors.round(2).tolist()
        [0.89, 0.11]
        >>> corrected = trained.with_priors(shift.priors)
        >>> trained.score(X, y) < corrected.score(X, y)
        True
        """
        if not 0 < level < 1:
            raise ValueError(f"level is {level!r}, but must be above 0 and below 1")
        model = self._fitted()
        table = read_table(self, X, None, sample_weight, labelled=False)
        check_names(self, table.rows.names, table.rows.columns)
        rows, _, weights = table.parts()
        found = _core.prior_shift(model, rows, weights)
        errors = [np.nan if error is None else error for error in found["standard_errors"]]
        known = self.classes_.tolist()
        places = range(len(known)) if self._places is None else self._places
        return PriorShift(
            before=self._placed(found["before"], 0.0),
            priors=self._placed(found["after"], 0.0),
            standard_errors=self._placed(errors, np.nan),
            statistic=found["statistic"],
            degrees_of_freedom=found["degrees_of_freedom"],
            p_value=found["p_value"],
            level=float(level),
            moved=found["p_value"] < level,
            log_likelihood=(found["log_likelihood_before"], found["log_likelihood_after"]),
            n_iter=found["iterations"],
            converged=found["converged"],
            weight=found["weight"],
            rare=tuple(known[places[k]] for k in found["rare"]),
        )

    def _placed(self, values: Any, absent: float) -> Array:
        """Return values of the core's classes in the order of ``classes_``."""
        return self._spread(np.asarray(values, dtype=np.float64)[None], absent)[0]
