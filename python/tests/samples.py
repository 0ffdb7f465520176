"""Makes seeded data, and lists the estimators that every law is tried on."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from sklearn.base import BaseEstimator, clone

import gaussbayes as gb


@dataclass(frozen=True)
class Sample:
    """Rows with labels, and rows to ask for."""

    X: np.ndarray
    y: np.ndarray
    queries: np.ndarray

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return len(np.unique(self.y))

    def priors(self, seed: int = 0) -> np.ndarray:
        """Priors that are neither uniform nor the shares of the sample."""
        weights = np.random.default_rng(seed).uniform(1.0, 4.0, self.n_classes)
        return weights / weights.sum()


def gaussians(
    n_classes: int = 3,
    n_features: int = 4,
    *,
    rows: int = 150,
    seed: int = 0,
    dtype: type = np.float64,
) -> Sample:
    """Draw classes of unequal size whose covariances differ and are well conditioned."""
    rng = np.random.default_rng(seed)
    at_least = 3 * n_features + 4
    spare = max(rows - n_classes * at_least, 0)
    shares = rng.dirichlet(np.full(n_classes, 4.0))
    counts = at_least + rng.multinomial(spare, shares)
    blocks, labels = [], []
    for k, count in enumerate(counts):
        noise = rng.normal(size=(n_features, n_features)) / np.sqrt(n_features)
        mixing = 2.0 * (np.eye(n_features) + 0.35 * noise)
        mean = 3.0 * rng.normal(size=n_features)
        blocks.append(rng.normal(size=(count, n_features)) @ mixing + mean)
        labels.append(np.full(count, k))
    X, y = np.concatenate(blocks), np.concatenate(labels)
    order = rng.permutation(len(y))
    queries = rng.normal(size=(40, n_features)) * 4.0
    return Sample(X[order].astype(dtype), y[order], queries.astype(dtype))


def counts(
    n_classes: int = 3,
    n_features: int = 6,
    *,
    rows: int = 150,
    seed: int = 0,
    dtype: type = np.float64,
) -> Sample:
    """Draw counts of which many are zero, and classes of unequal size in which they differ."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(n_classes), rng.choice(n_classes, rows - n_classes)])
    rates = rng.gamma(0.6, 2.0, (n_classes, n_features))
    X = rng.poisson(rates[y])
    # Every code of a query has been met.
    X[:2] = [np.zeros(n_features), X.max(axis=0)]
    queries = rng.integers(0, X.max(axis=0) + 1, (40, n_features))
    return Sample(X.astype(dtype), y, queries.astype(dtype))


class OnlyAStream:
    """A table that offers Arrow's stream interface, and nothing else."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def named(estimator: object) -> str:
    """A short name of an estimator and its parameters, for the ids of tests."""
    return "".join(repr(estimator).split())


# One of each way to fit: solvers, families, and both metrics of the posteriors of centroids.
ESTIMATORS = [
    gb.LinearDiscriminantAnalysis(),
    gb.LinearDiscriminantAnalysis(solver="lsqr"),
    gb.LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.2),
    gb.LinearDiscriminantAnalysis(solver="eigen"),
    gb.QuadraticDiscriminantAnalysis(),
    gb.QuadraticDiscriminantAnalysis(reg_param=0.1, store_covariance=True),
    gb.QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=0.2),
    gb.GaussianNB(),
    gb.NearestCentroid(),
    gb.NearestCentroid(shrink_threshold=0.3, priors="empirical"),
    gb.GaussianClassifier(),
    gb.GaussianClassifier("EEE"),
    gb.GaussianClassifier("VVI", ddof=1),
    gb.GaussianClassifier("EII", pooling="average"),
]

# One of each way to count.
COUNTING = [
    gb.BernoulliNB(),
    gb.BernoulliNB(alpha=0.3, binarize=1.0, fit_prior=False),
    gb.MultinomialNB(),
    gb.MultinomialNB(alpha=[0.1, 0.5, 1.0, 2.0], class_prior=[0.2, 0.3, 0.5]),
    gb.ComplementNB(),
    gb.ComplementNB(alpha=0.5, norm=True),
    gb.CategoricalNB(),
    gb.CategoricalNB(alpha=0.2, min_categories=40),
    gb.MixedNB(),
    gb.MixedNB({0: "count", 1: "category", 2: "count", 3: "flag"}, unseen="smooth"),
]

# The five classes, as they are by default.
DEFAULTS = [
    gb.LinearDiscriminantAnalysis(),
    gb.QuadraticDiscriminantAnalysis(),
    gb.GaussianNB(),
    gb.NearestCentroid(),
    gb.GaussianClassifier(),
]


def fit_and_answer(estimator: BaseEstimator, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """What a worker of joblib does; it must be found by name in other processes."""
    return clone(estimator).fit(X, y).predict_proba(X)
