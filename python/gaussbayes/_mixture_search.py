"""The search for the number of components and the covariance family of a Gaussian mixture."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any, Self

from . import _core
from ._mixture import GaussianMixture
from ._mixture_answers import MixtureCriteria
from ._modelled import Array, validated
from ._picture import Picture
from ._plotted import shown
from ._seeds import seed_of
from ._sklearn_names import (
    FAMILIES,
    MIXTURE_TYPES,
    SEARCH_CONSTRAINTS,
    STARTS,
    mixture_of,
    start_word,
)
from ._tables import Table, read_table
from ._warning import warn

# Parameters that the best mixture has, too.
_SHARED = ("tol", "reg_covar", "max_iter", "stop", "guard", "on_empty", "outliers")


class MixtureSearch(MixtureCriteria):
    """Gaussian mixture whose number of components and covariance family the rows choose.

    All mixtures are started and fitted in the same passes over the rows. It answers as the best of
    them does, which is ``best_estimator_``.

    Parameters
    ----------
    n_components : int or iterable of int, default=(1, ..., 9)
        Numbers of components to try.
    families : 'all', str or iterable of str, default='all'
        Covariance families to try: mclust's letters, or scikit-learn's words for four of them.
    criterion : {'bic', 'icl', 'aic'}, default='bic'
        What is to be lowest.
    random_state : int, RandomState or None, default=None
        Seed of starts and of ``sample``.
    n_init : int, default=2
        Runs of each start that has something random.
    init_params : str or iterable of str, default=('hierarchical', 'kmeans', 'k-means++')
        Starts, as those of GaussianMixture; the best run of all is kept. With several runs every
        mixture is tried once more where the others of as many components ended.
    tol : float, default=1e-7
        Below this, what ``stop`` measures ends EM.
    reg_covar : float, default=0.0
        Added to the variances of every component, in the squared units of the features.
    max_iter : int, default=1000
        Iterations at most.
    stop : {'loglik', 'relative', 'aitken', 'parameters'}, default='loglik'
        What must be below ``tol``, as in GaussianMixture.
    guard : float, default=1e-6
        Share of the variance of all rows below which no direction of a component collapses.
        Mixtures that it had to keep from that are not chosen.
    on_empty : {'refuse', 'reseed', 'drop'}, default='drop'
        What is done about a component that lost its rows. Mixtures that lost one are not chosen.
    outliers : {'noise', 'student', 'student-common'}, float or None, default=None
        What every mixture makes of rows that no Gaussian explains, as in GaussianMixture.

    Attributes
    ----------
    best_estimator_ : GaussianMixture
        The best mixture, fitted.
    best_index_ : int
        Its place in ``table_``.
    table_ : list of dict
        What came of every mixture: family, n_components, loglik, bic, icl, aic, parameters,
        converged, iterations, lifted, start, ranked (whether it may be chosen), note (why not).
        pandas.DataFrame takes it as it is.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where all of them had one.

    Examples
    --------
    >>> from gaussbayes import MixtureSearch, datasets
    >>> X = datasets.load_faithful().data
    >>> search = MixtureSearch(range(1, 4), ["EEE", "VVV"], random_state=0).fit(X)
    >>> search.best_estimator_.covariance_type, search.best_estimator_.n_components
    ('EEE', 3)
    """

    _parameter_constraints: dict[str, Any] = SEARCH_CONSTRAINTS

    def __init__(
        self,
        n_components: int | Iterable[int] = tuple(range(1, 10)),
        families: str | Iterable[str] = "all",
        criterion: str = "bic",
        random_state: Any = None,
        *,
        n_init: int = 2,
        init_params: str | Iterable[str] = ("hierarchical", "kmeans", "k-means++"),
        tol: float = 1e-7,
        reg_covar: float = 0.0,
        max_iter: int = 1000,
        stop: str = "loglik",
        guard: float = 1e-6,
        on_empty: str = "drop",
        outliers: str | float | None = None,
    ) -> None:
        self.n_components = n_components
        self.families = families
        self.criterion = criterion
        self.random_state = random_state
        self.n_init = n_init
        self.init_params = init_params
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.stop = stop
        self.guard = guard
        self.on_empty = on_empty
        self.outliers = outliers

    @validated
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit all mixtures and choose the best.

        Ctrl-C ends it with a KeyboardInterrupt, and leaves the best that was found until then, if
        there is one.

        Parameters
        ----------
        X : array-like, data frame or Arrow stream of shape (n_samples, n_features)
            Rows.
        y : ignored
            Not used.
        sample_weight : array-like of shape (n_samples,) or str, default=None
            How often each row counts; a name is that of a column of X.

        Returns
        -------
        self : object
            The fitted search.
        """
        self._fit(X, sample_weight)
        return self

    @validated
    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Fit all mixtures, and return the component of each row in the best.

        Parameters
        ----------
        X : array-like, data frame or Arrow stream of shape (n_samples, n_features)
            Rows.
        y : ignored
            Not used.
        sample_weight : array-like of shape (n_samples,) or str, default=None
            How often each row counts; a name is that of a column of X.

        Returns
        -------
        ndarray of shape (n_samples,)
            Components, counted from 0; -1 is noise.
        """
        table = self._fit(X, sample_weight)
        return self._components(self._model, table.rows)

    def plot(
        self,
        X: Any = None,
        y: Any = None,
        *,
        kind: str | None = None,
        ax: Any = None,
        theme: str = "auto",
        **how: Any,
    ) -> Picture:
        """Draw the criterion of every mixture that was tried, or the best mixture.

        Parameters
        ----------
        X : array-like, data frame, sparse or Arrow table, or file, default=None
            Rows to draw with the best mixture.
        y : ignored
            Not used.
        kind : str, default=None
            'bic', 'icl' or 'aic', over numbers of components and families; by default what the
            search went by, where there are no rows. Any other kind is drawn of the best mixture.
        ax : matplotlib Axes, array of Axes or Figure, default=None
            Where to draw it with matplotlib too.
        theme : {'auto', 'light', 'dark'}, default='auto'
            The paper.
        **how : any
            The rest of what ``GaussianMixture.plot`` takes.

        Returns
        -------
        Picture
            What shows itself in a notebook; ``save`` writes it as SVG or PNG.
        """
        self._fitted()
        criterion = kind or (self.criterion if X is None and not how else None)
        if criterion not in ("bic", "icl", "aic"):
            return self.best_estimator_.plot(X, y, kind=kind, ax=ax, theme=theme, **how)
        cells = [(entry["n_components"], entry["family"]) for entry in self.table_]
        values = [entry[criterion] if entry["ranked"] else None for entry in self.table_]
        return shown(_core.criterion_picture(cells, values, criterion), theme, ax)

    def _fit(self, X: Any, sample_weight: Any) -> Table:
        table = read_table(self, X, None, sample_weight, labelled=False)
        self._check_rows(table.rows)
        rows, _, weights = table.parts()
        cells = self._cells(table.rows.columns)
        search = _core.Search(
            mixture_of(self, cells[0][1]),
            cells,
            self._starts(),
            seed=seed_of(self.random_state),
            criterion=self.criterion,
            features=table.rows.feature_names(),
        )
        try:
            search.run(rows, weights)
        except KeyboardInterrupt:
            if search.best_so_far is not None:
                self._keep(table, search, search.best_so_far)
                warn("interrupted: the search holds the best mixture until then")
            raise
        if search.best is None:
            raise ValueError("no mixture could be fitted: see the notes of smaller searches")
        self._keep(table, search, search.best)
        note = self.table_[self.best_index_]["note"]
        if note is not None:
            warn(f"no mixture is beyond doubt, and of the best {note}")
        return table

    def _keep(self, table: Table, search: _core.Search, place: int) -> None:
        """Set attributes to what a search has found."""
        found = search.table()
        bounds = [entry.pop("lower_bound") for entry in found]
        best = self._best(table, search.model(place), found[place], bounds[place])
        self.__dict__.pop("feature_names_in_", None)
        if table.rows.names is not None:
            self.feature_names_in_ = table.rows.names
        self._model, self._dtype, self._outliers = best._model, best._dtype, best._outliers
        self.n_features_in_ = table.rows.columns
        self.best_estimator_, self.best_index_, self.table_ = best, place, found

    def _best(
        self, table: Table, model: _core.Model, entry: dict[str, Any], bound: float | None
    ) -> GaussianMixture:
        mixture = GaussianMixture(
            model.components,
            covariance_type=entry["family"],
            init_params="hierarchical" if entry["start"] == "hierarchical" else "kmeans",
            random_state=self.random_state,
            **{name: getattr(self, name) for name in _SHARED},
        )
        mixture._hold(table.rows.names, table.rows.dtype, model)
        mixture.converged_, mixture.n_iter_ = entry["converged"], entry["iterations"]
        if bound is not None:
            mixture.lower_bound_ = bound
        return mixture

    def _cells(self, columns: int) -> list[tuple[int, str]]:
        """Return every number of components with every family."""
        wanted: Any = self.n_components
        counts = [wanted] if isinstance(wanted, Integral) else list(wanted)
        if not counts or not all(isinstance(k, Integral) and int(k) >= 1 for k in counts):
            raise ValueError(f"n_components is {wanted!r}, but must be numbers of at least 1")
        if isinstance(self.families, str):
            # Of one feature there are variances alone: equal, or each its own.
            every = FAMILIES if columns > 1 else ("EII", "VII")
            letters = list(every) if self.families == "all" else [self.families]
        else:
            letters = list(self.families)
        letters = [MIXTURE_TYPES.get(family, family) for family in letters]
        unknown = [family for family in letters if family not in FAMILIES]
        if unknown or not letters:
            raise ValueError(
                f"families is {self.families!r}, but must be 'all' or some of {', '.join(FAMILIES)}"
            )
        return [(int(k), family) for k in counts for family in letters]

    def _starts(self) -> list[tuple[str, int]]:
        """Return every start with the number of each of its runs."""
        given = self.init_params
        names = [given] if isinstance(given, str) else list(given)
        unknown = [name for name in names if name not in STARTS]
        if unknown or not names:
            raise ValueError(
                f"init_params is {given!r}, but must be one or some of {', '.join(STARTS)}"
            )
        runs = {name: 1 if name == "hierarchical" else self.n_init for name in names}
        return [(start_word(name), run) for name, count in runs.items() for run in range(count)]
