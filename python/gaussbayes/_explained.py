"""Says of a fitted classifier what its boundaries are, how often it errs, and draws its rows."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any, Self

import numpy as np

from . import _core
from ._boundary import Boundary, Curve
from ._learner import Learner
from ._loss import REJECT, with_reject
from ._risk import Minimax, Risk, Threshold
from ._seeds import rows_of, seed_of
from ._shift import Shifting

Array = np.ndarray[Any, Any]


class Explained(Shifting):
    """What can be read off Gaussian classes beside predictions."""

    def _action(self, label: Any) -> int:
        """Return the number of an action in the core: a class, or reject."""
        model = self._fitted()
        known = self.classes_.tolist()
        if label in known:
            place = known.index(label)
            if self._places is None:
                return place
            found = np.flatnonzero(self._places == place)
            if found.size:
                return int(found[0])
            raise ValueError(f"class {label!r} has no rows, so it has no boundary")
        said = self._actions()
        if model.rejects and (_same(label, said[-1]) or _same(label, REJECT)):
            return len(model.classes)
        raise ValueError(f"there is no class {label!r}\nhint: the classes are {said}")

    def _actions(self) -> list[Any]:
        """Return what ``predict`` can say: the classes and, behind them, what stands for reject."""
        known = self.classes_.tolist()
        if not self._fitted().rejects:
            return known
        return known + with_reject(self.classes_, getattr(self, "reject_label", None))[-1:].tolist()

    def _said(self, action: int) -> Any:
        """Return what an action of the core says."""
        if action >= len(self._model.classes):
            return self._actions()[-1]
        return self.classes_.tolist()[action if self._places is None else self._places[action]]

    def boundary(self, a: Any = None, b: Any = None) -> Boundary:
        """Say what the boundary between two classes is.

        Parameters
        ----------
        a, b : class labels
            Two classes, or a class and what ``predict`` says of rejected rows, or 'reject'; may be
            left out where there are only two.

        Returns
        -------
        Boundary
            The quadric ``x @ quadratic @ x + linear @ x + constant``, positive where `a` is better,
            with its kind, centre, axes, normal. Priors and costs are in the constant.

        Examples
        --------
        >>> from gaussbayes import GaussianClassifier
        >>> rule = GaussianClassifier.from_parameters(
        ...     [[3, 6], [3, -2]], [[[0.5, 0], [0, 2]], [[2, 0], [0, 2]]]
        ... )
        >>> rule.boundary(0, 1).kind
        'parabola'
        """
        model = self._fitted()
        if a is None and b is None and len(self.classes_) == 2:
            a, b = self.classes_.tolist()
        if a is None or b is None:
            raise ValueError(f"between which two of {self.classes_.tolist()} is the boundary?")
        first, second = self._action(a), self._action(b)
        if first == second:
            raise ValueError("a class has no boundary with itself")
        said = self._said(first), self._said(second)
        return Boundary(said, **_core.boundary(model, first, second))

    def curves(
        self,
        window: Any,
        *,
        features: tuple[Any, Any] = (0, 1),
        at: Any = None,
        project: bool = False,
    ) -> list[Curve]:
        """Draw the boundaries in two features, where the two sides really win.

        Parameters
        ----------
        window : ((float, float), (float, float))
            From where to where, for each of the two features.
        features : tuple of two int or str, default=(0, 1)
            The two features, by number or name.
        at : array-like of shape (n_features,), default=None
            Where the other features are held, which there must be; by default at the centre of the
            model.
        project : bool, default=False
            Whether the other features are left out of the model instead.

        Returns
        -------
        list of Curve
            Each with the two classes, its points, and how far these are off at most.
        """
        model = self._fitted()
        axes = [self._feature(feature) for feature in features]
        if len(axes) != 2:
            raise ValueError(f"curves need two features, not {len(axes)}")
        (left, right), (low, high) = _window(window)
        held = None if at is None else self._held(at, project)
        found = _core.curves(
            model,
            (axes[0], axes[1]),
            (left, right, low, high),
            at=held,
            project=project,
        )
        return [
            Curve((self._said(a), self._said(b)), points, exact, accuracy)
            for a, b, points, exact, accuracy in found
        ]

    def _held(self, at: Any, project: bool) -> list[float]:
        """Return where all features are held."""
        names = self._fitted().features
        if project:
            raise ValueError(
                "with project=True other features are left out, not held: leave out at"
            )
        if len(names) == 2:
            raise ValueError("there are only two features, so no other is held: leave out at")
        held = np.asarray(at, dtype=np.float64)
        if held.shape != (len(names),):
            raise ValueError(
                f"at has shape {held.shape}, but must be one number for each of {names}"
            )
        return held.tolist()

    def error(self, under: Any = None, *, method: str | None = None, random_state: Any = 0) -> Risk:
        """Say how often the rule errs, exactly where that is known.

        Parameters
        ----------
        under : fitted classifier of this package, default=None
            Where the rows come from: the same classes and features in the same order; by default
            from the classifier's own Gaussians.
        method : str, default=None
            'certain', 'normal', 'intervals', 'form', 'rays', 'orthants', 'lattice' or 'simulation';
            by default the most exact that applies.
        random_state : int, default=0
            Seed of 'lattice' and 'simulation', which are estimates.

        Returns
        -------
        Risk
            Total, per class and confusion, each with an estimate of its own error; the method; the
            bounds of Bhattacharyya and Chernoff.

        Examples
        --------
        >>> from gaussbayes import GaussianClassifier
        >>> modem = GaussianClassifier.from_parameters([[0.0], [1.0]], [[1.0]])
        >>> modem.error().total
        0.3085375387259869
        """
        model = self._fitted()
        truth = None
        if under is not None:
            truth = self._truth(under)
            if truth.classes != model.classes:
                raise ValueError(
                    f"the truth has the classes {truth.classes}, the rule {model.classes}"
                )
        fields = _core.risk(model, truth, method=method, seed=seed_of(random_state))
        return Risk.read(fields, len(self.classes_), self._places, self._actions())

    def _truth(self, under: Any) -> _core.Model:
        """Return the model of another classifier, if it is about the same features."""
        if not isinstance(under, Learner):
            raise TypeError(
                f"under is of type {type(under).__name__}, "
                "but must be a fitted classifier of gaussbayes\n"
                "hint: GaussianClassifier.from_parameters makes one of known Gaussians"
            )
        truth = under._fitted()
        ours, theirs = (getattr(one, "feature_names_in_", None) for one in (self, under))
        if ours is not None and theirs is not None and ours.tolist() != theirs.tolist():
            raise ValueError(
                f"the truth has the features {theirs.tolist()}, the rule {ours.tolist()}"
            )
        return truth

    def sample(self, n_samples: int = 1, random_state: Any = None) -> tuple[Array, Array]:
        """Draw rows from the classes.

        Parameters
        ----------
        n_samples : int, default=1
            How many.
        random_state : int, RandomState or None, default=None
            Seed; the same seed gives the same rows in any number of threads.

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
            Rows.
        y : ndarray of shape (n_samples,)
            Their classes.
        """
        rows, codes = _core.sample(self._fitted(), rows_of(n_samples), seed_of(random_state))
        return rows, self.classes_[codes if self._places is None else self._places[codes]]


class Operating(Explained):
    """Thresholds between two classes that follow from errors, for rules that can take them on."""

    def with_priors(self, priors: Any) -> Self:
        """Return the same classifier with other priors."""
        raise NotImplementedError

    def with_loss(self, loss: Any) -> Self:
        """Return the same classifier with other costs."""
        raise NotImplementedError

    def neyman_pearson(self, label: Any, error: float) -> Threshold:
        """Fix the chance of missing one of two classes; the other is then missed least.

        Parameters
        ----------
        label : class label
            The class whose error is fixed.
        error : float
            The chance that its rows are taken for the other class.

        Returns
        -------
        Threshold
            The threshold of the log likelihood ratio of the first class to the second, the chances
            of both errors, and ``rule``, the classifier that decides so: every error costs 1, and
            its priors make this the best threshold. ``rule`` is None where such a prior underflows
            to 0. Priors and costs of this classifier do not matter.
        """
        model = self._fitted()
        action = self._action(label)
        if action >= len(model.classes):
            raise ValueError(f"{label!r} is no class, so it has no error")
        level, errors, priors = _core.neyman_pearson(model, action, float(error))
        rule = (
            self.with_loss(None).with_priors(self._by_class(priors, 0.0)) if all(priors) else None
        )
        turned = self._places is not None and self._places[0] > self._places[1]
        return Threshold(-level if turned else level, self._by_class(errors, np.nan), rule)

    def minimax(self) -> Minimax:
        """Find the least favourable priors of two classes, and the rule for them.

        Returns
        -------
        Minimax
            Those priors, what the rule costs whatever the priors are, and ``rule`` itself, which is
            None where a prior underflows to 0.
        """
        found, cost, level = _core.minimax(self._fitted())
        priors = self._by_class(found, 0.0)
        rule = self.with_priors(priors) if all(found) or math.isinf(level) else None
        return Minimax(priors, cost, rule)

    def _by_class(self, values: Any, absent: float) -> Array:
        """Return values of the core's classes in the order of ``classes_``."""
        return self._spread(np.asarray(values, dtype=np.float64)[None], absent)[0]


def _same(label: Any, said: Any) -> bool:
    """Return whether a label is what is said; nan is nan."""
    missing = [isinstance(one, Real) and math.isnan(one) for one in (label, said)]
    return bool(label == said) or all(missing)


def _window(window: Any) -> list[list[float]]:
    """Return from where to where, for each of two features."""
    try:
        ends = np.asarray(window, dtype=np.float64)
    except (TypeError, ValueError):
        ends = np.empty(0)
    if ends.shape != (2, 2):
        raise ValueError(
            f"window is {window!r}, but must be ((left, right), (low, high)): from where to where, "
            "for each of the two features"
        )
    return ends.tolist()
