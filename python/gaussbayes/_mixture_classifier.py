"""The Bayes classifier in which every class is a Gaussian mixture of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import Any, Self

import numpy as np

from . import _core
from ._deciding import Deciding
from ._labels import names
from ._learner import Fit
from ._mixture import GaussianMixture
from ._mixture_search import MixtureSearch
from ._modelled import Array
from ._reading import take_on
from ._seeds import seed_of
from ._shift import Shifting
from ._sklearn_names import PER_CLASS_CONSTRAINTS, mixture_of
from ._warning import warn


class MixtureClassifier(Shifting, Deciding):
    """Bayes classifier in which every class is a Gaussian mixture.

    The number of components and the covariance family of each class are chosen on its rows alone.

    Parameters
    ----------
    n_components : 'auto', int, iterable or dict, default='auto'
        Gaussians of a class: as many as the criterion chooses among 1 to 9, or so many; an iterable
        has one number for each class in their order, a dict one for each class by its label.
    families : 'all', str or iterable of str, default='all'
        Covariance families to try: mclust's letters, or scikit-learn's words for four of them.
    criterion : {'bic', 'icl', 'aic'}, default='bic'
        What is to be lowest.
    priors : {'observed', 'uniform'} or array-like of shape (n_classes,), default=None
        Class priors; by default the share of each class in the rows.
    loss : array-like of shape (n_classes, n_actions) or data frame, default=None
        Cost of each action (column) for each true class (row), as in GaussianClassifier.
    reject : float, default=None
        Cost of saying nothing.
    outliers : float, default=None
        Share of the model's own rows that are too unlikely to be given a class.
    reject_label : object, default=None
        What ``predict`` says of rejected rows; by default 'reject', -1 or nan.
    unlabelled : int, float or str, default=None
        The value in y that marks a row without a label; nan for what is missing. Mixtures are chosen
        on labelled rows, then EM over all rows goes on from there.
    random_state : int, RandomState or None, default=None
        Seed of starts.
    n_init : int, default=2
        Runs of each start that has something random.
    init_params : str or iterable of str, default=('hierarchical', 'kmeans', 'k-means++')
        Starts, as those of GaussianMixture; the best run of all is kept.
    tol : float, default=1e-7
        Below this, what ``stop`` measures ends EM.
    reg_covar : float, default=0.0
        Added to the variances of every component, in the squared units of the features.
    max_iter : int, default=1000
        Iterations at most.
    stop : {'loglik', 'relative', 'aitken', 'parameters'}, default='loglik'
        What must be below ``tol``, as in GaussianMixture.
    guard : float, default=1e-6
        Share of the variance of all rows of a class below which no direction collapses.
    on_empty : {'refuse', 'reseed', 'drop'}, default='drop'
        What is done about a component that lost its rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Classes.
    priors_ : ndarray of shape (n_classes,)
        Class priors.
    n_components_ : list of int
        Gaussians of each class.
    families_ : list of str
        Covariance family of each class.
    bic_ : ndarray of shape (n_classes,)
        BIC of the mixture of each class on its labelled rows.
    tables_ : list of list of dict
        What came of every mixture that was tried for each class.
    mixtures_ : list of GaussianMixture
        The mixture of each class.
    n_iter_ : int
        Iterations of EM: of the class that took most, and over all rows where some have no label.
    report_ : dict
        Number of parameters, and how EM over rows without a label went.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where all of them had one.

    Examples
    --------
    >>> from gaussbayes import GaussianClassifier, MixtureClassifier, datasets
    >>> X, y = datasets.make_banana(500)
    >>> GaussianClassifier().fit(X, y).score(X, y).__round__(2)
    0.82
    >>> mixture = MixtureClassifier(4, families="EEV", random_state=0).fit(X, y)
    >>> mixture.n_components_, mixture.score(X, y).__round__(2)
    ([4, 4], 0.99)
    """

    _parameter_constraints: dict[str, Any] = PER_CLASS_CONSTRAINTS

    n_components_: list[int]
    families_: list[str]

    def __init__(
        self,
        n_components: str | int | Iterable[int] | Mapping[Any, int] = "auto",
        *,
        families: str | Iterable[str] = "all",
        criterion: str = "bic",
        priors: Any = None,
        loss: Any = None,
        reject: float | None = None,
        outliers: float | None = None,
        reject_label: Any = None,
        unlabelled: Any = None,
        random_state: Any = None,
        n_init: int = 2,
        init_params: str | Iterable[str] = ("hierarchical", "kmeans", "k-means++"),
        tol: float = 1e-7,
        reg_covar: float = 0.0,
        max_iter: int = 1000,
        stop: str = "loglik",
        guard: float = 1e-6,
        on_empty: str = "drop",
    ) -> None:
        self.n_components = n_components
        self.families = families
        self.criterion = criterion
        self.priors = priors
        self.loss = loss
        self.reject = reject
        self.outliers = outliers
        self.reject_label = reject_label
        self.unlabelled = unlabelled
        self.random_state = random_state
        self.n_init = n_init
        self.init_params = init_params
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.stop = stop
        self.guard = guard
        self.on_empty = on_empty

    @property
    def mixtures_(self) -> list[GaussianMixture]:
        """The mixture of each class, in the order of ``classes_``."""
        model, found = self._fitted(), []
        for k in range(len(self.classes_)):
            mixture = GaussianMixture(
                self.n_components_[k],
                covariance_type=self.families_[k],
                random_state=self.random_state,
                **{name: getattr(self, name) for name in _SHARED},
            )
            features = getattr(self, "feature_names_in_", None)
            place = k if self._places is None else int(np.flatnonzero(self._places == k)[0])
            mixture._hold(features, self._dtype, model.of_class(place))
            found.append(mixture)
        return found

    def _learn(
        self, X: Any, y: Any, sample_weight: Any, *, batch: bool = False, classes: Any = None
    ) -> Self:
        return self._learn_partly(X, y, sample_weight)

    @property
    def partial_fit(self) -> Any:
        """Mixtures are found in all rows together: there is no fit by batches."""
        raise AttributeError("mixtures are found in all rows together: use fit")

    def _specifications(self) -> tuple[_core.Spec, _core.Spec]:
        spec = _core.Spec("VVV")
        return spec, spec

    def _search(self, numbers: Any) -> MixtureSearch:
        """Return the search that has the same parameters."""
        return MixtureSearch(
            numbers,
            self.families,
            self.criterion,
            self.random_state,
            n_init=self.n_init,
            init_params=self.init_params,
            **{name: getattr(self, name) for name in _SHARED},
        )

    def _cells(self, fit: Fit) -> tuple[Any, list[tuple[str, Any]]]:
        """Return what is tried for every class, and for those that want something else."""
        columns = fit.table.rows.columns
        wanted: Any = self.n_components
        if isinstance(wanted, str):
            if wanted != "auto":
                raise ValueError(f"n_components is {wanted!r}, but must be 'auto' or numbers")
            return self._search(tuple(range(1, 10)))._cells(columns), []
        if isinstance(wanted, Integral):
            return self._search(wanted)._cells(columns), []
        if isinstance(wanted, Mapping):
            unknown = [label for label in wanted if label not in fit.classes.tolist()]
            missing = [label for label in fit.classes.tolist() if label not in wanted]
            if unknown or missing:
                raise ValueError(
                    f"n_components names {unknown or list(wanted)}, but the classes are "
                    f"{fit.classes.tolist()}"
                )
            counts = [wanted[label] for label in fit.classes.tolist()]
        else:
            counts = list(wanted)
        if len(counts) != len(fit.classes):
            raise ValueError(f"{len(counts)} numbers of components for {len(fit.classes)} classes")
        own = [self._search(count)._cells(columns) for count in counts]
        return own[0], list(zip(names(fit.classes), own, strict=True))

    def _partly(self, fit: Fit, spec: _core.Spec) -> _core.Model:
        cells, own = self._cells(fit)
        search = self._search(1)
        model, tables, chosen, notes = _core.mixture_per_class(
            mixture_of(search, cells[0][1]),
            cells,
            own,
            search._starts(),
            *fit.table.parts(),
            seed=seed_of(self.random_state),
            criterion=self.criterion,
            priors=fit.priors,
            features=fit.table.rows.feature_names(),
            target=fit.table.target,
            weight=fit.table.weight,
            **fit.found["marks"],
        )
        fit.found.update(tables=tables, chosen=chosen)
        for note in notes:
            warn(note)
        return model

    def _readings(self, model: _core.Model, fit: Fit) -> dict[str, Any]:
        tables = fit.found["tables"]
        for table in tables:
            for entry in table:
                entry.pop("lower_bound", None)
        best = [table[place] for table, place in zip(tables, fit.found["chosen"], strict=True)]
        places = range(len(best)) if fit.places is None else np.argsort(fit.places)
        return _shown(model, fit.per_class(model.priors()), places) | {
            "bic_": np.array([best[k]["bic"] for k in places]),
            "tables_": [tables[k] for k in places],
            "n_iter_": max(entry["iterations"] for entry in best) + _iterations(model),
        }


_SHARED = ("tol", "reg_covar", "max_iter", "stop", "guard", "on_empty")


def _iterations(model: _core.Model) -> int:
    return int((model.by_em() or {}).get("iterations", 0))


def _shown(model: _core.Model, priors: Array, places: Any) -> dict[str, Any]:
    found, owner = model.by_em() or {}, model.owner
    families = found.get("families") or [model.family] * len(priors)
    return {
        "priors_": priors,
        "n_components_": [owner.count(int(k)) for k in places],
        "families_": [families[k] for k in places],
        "report_": {"parameters": found.get("parameters"), "em": found},
    }


def of_model(model: _core.Model, classes: Array) -> MixtureClassifier:
    """Make an estimator of a model in which classes are mixtures."""
    estimator = MixtureClassifier()
    take_on(estimator, model, classes, model.features, readings={})
    shown = _shown(model, model.priors(), range(len(classes)))
    estimator.__dict__.update(shown | {"_read": tuple(shown)})
    return estimator
