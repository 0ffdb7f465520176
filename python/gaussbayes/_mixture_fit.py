"""Runs EM from one start after the other, and tells of it where that was asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np

from . import _core
from ._mixture_given import read_given
from ._seeds import seed_of
from ._sklearn_names import mixture, start_word
from ._tables import Table


@dataclass(frozen=True)
class Run:
    """One run of EM, finished or not."""

    em: _core.Em | _core.Bayes

    @property
    def lower_bound(self) -> float:
        """What the last iteration came to: a mean log-likelihood, or a bound of the evidence."""
        bounds = self.em.lower_bounds
        return bounds[-1] if bounds else -np.inf


def fitted_runs(estimator: Any, table: Table, runs: list[Run]) -> None:
    """Run EM from every start; `runs` grows as they begin, so that an interrupt loses none."""
    spec = mixture(estimator)
    given = read_given(estimator, table.rows.columns)
    features = table.rows.feature_names()
    word, count = start_word(estimator.init_params), estimator.n_components
    noise = estimator.outliers == "noise"
    sample = sampled(estimator, table, noise=noise) if noise or not given.complete else None

    def begin(init: int) -> _core.Em:
        start = None
        if sample is not None and not given.complete:
            start = sample.start(spec, count, word, init, features)
        model = given.model(start, features)
        return _core.Em(model, spec, trajectory=estimator.trajectory, sample=sample)

    run_each(estimator, table, runs, begin)


def sampled(estimator: Any, table: Table, *, noise: bool = False) -> _core.Sample:
    """Return the rows that starts are computed from, with the box around all rows for noise."""
    rows, _, weights = table.parts()
    seed, names = seed_of(estimator.random_state), table.rows.feature_names()
    return _core.Sample(rows, weights, seed, noise=noise, features=names)


def run_each(
    estimator: Any,
    table: Table,
    runs: list[Run],
    begin: Callable[[int], _core.Em | _core.Bayes],
) -> None:
    """Run from every start that there is."""
    talk = Talk(estimator.verbose, estimator.verbose_interval)
    # Without anything random one start is all there are.
    inits = 1 if estimator.init_params == "hierarchical" else estimator.n_init
    for init in range(inits):
        talk.begin(init)
        _run(begin(init), table, runs, talk)


def going_on(estimator: Any, table: Table, runs: list[Run]) -> None:
    """Go on from the last fit."""
    before = last_bound(estimator)
    model, sample = estimator._model, None
    if estimator.outliers == "noise" and model.noise is None:
        sample = sampled(estimator, table, noise=True)
    em = _core.Em(
        model,
        mixture(estimator),
        before=before,
        trajectory=estimator.trajectory,
        sample=sample,
    )
    run_on(estimator, table, runs, em)


def last_bound(estimator: Any) -> float | None:
    """Return the lower bound that the last fit came to, if any; refuse another number of components."""
    count = estimator._model.components
    # A mixture may have lost components since it was asked for so many.
    if estimator.n_components not in (count, getattr(estimator, "_wanted", count)):
        raise ValueError(
            f"the last fit has {count} components, so warm_start cannot go on with "
            f"{estimator.n_components}"
        )
    # A marginal mixture was not fitted itself.
    bound = getattr(estimator, "lower_bound_", -np.inf)
    return float(bound) if np.isfinite(bound) else None


def run_on(estimator: Any, table: Table, runs: list[Run], em: _core.Em | _core.Bayes) -> None:
    """Run what goes on from the last fit."""
    talk = Talk(estimator.verbose, estimator.verbose_interval)
    talk.begin(0)
    _run(em, table, runs, talk)


def _run(em: _core.Em | _core.Bayes, table: Table, runs: list[Run], talk: Talk) -> None:
    runs.append(Run(em))
    rows, _, weights = table.parts()
    em.run(rows, weights, talk.iteration if talk.verbose else None)
    if em.iterations:
        talk.end(runs[-1].lower_bound, em.converged)


@dataclass
class Talk:
    """Writes what ``verbose`` asks for, in scikit-learn's words."""

    verbose: int
    interval: int
    last: float = field(default_factory=perf_counter)
    begun: float = field(default_factory=perf_counter)
    bound: float = -np.inf

    def begin(self, init: int) -> None:
        """Tell of a start."""
        self.last = self.begun = perf_counter()
        self.bound = -np.inf
        self._say(f"Initialization {init}")

    def iteration(self, number: int, bound: float) -> None:
        """Tell of an iteration."""
        change, self.bound = bound - self.bound, bound
        if number % self.interval:
            return
        now = perf_counter()
        more = f"\t time lapse {now - self.last:.5f}s\t ll change {change:.5f}"
        self._say(f"  Iteration {number}{more if self.verbose >= 2 else ''}")
        self.last = now

    def end(self, bound: float, converged: bool) -> None:
        """Tell of the end of a run."""
        more = f" time lapse {perf_counter() - self.begun:.5f}s\t lower bound {bound:.5f}."
        how = "converged" if converged else "did not converge"
        self._say(f"Initialization {how}.{more if self.verbose >= 2 else ''}")

    def _say(self, line: str) -> None:
        if self.verbose:
            sys.stdout.write(line + "\n")
