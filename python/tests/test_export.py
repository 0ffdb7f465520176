"""Holds exported models to the answers of the estimators that they were made of."""

import numpy as np
import pytest
from exported import in_duckdb, in_onnx, in_sqlite
from samples import counts, gaussians, named

import gaussbayes as gb

FAMILIES = "EII VII EEI VEI EVI VVI EEE VEE EVE VVE EEV VEV EVV VVV".split()
LOSS = [[0.0, 1.0, 4.0, 0.7], [2.0, 0.0, 1.0, 0.7], [1.0, 9.0, 0.0, 0.7]]

GAUSSIAN = [
    *(gb.GaussianClassifier(family) for family in FAMILIES),
    gb.GaussianClassifier("EEE", density="predictive"),
    gb.GaussianClassifier("VVV", density="predictive"),
    gb.GaussianClassifier("EEE", density="debiased"),
    gb.GaussianClassifier("VVV", density="debiased"),
    gb.GaussianClassifier("VVV", loss=LOSS),
    gb.GaussianClassifier("EEE", loss=[[0, 1, 1], [3, 0, 3], [2, 2, 0]], priors="uniform"),
    gb.GaussianClassifier("EEE", reject=0.2),
    gb.GaussianClassifier("VVV", outliers=0.05),
    gb.GaussianClassifier("EEE", outliers=0.05, loss=LOSS),
    gb.GaussianClassifier("EEE", priors=[0.3, 0.0, 0.7]),
    gb.LinearDiscriminantAnalysis(),
    gb.QuadraticDiscriminantAnalysis(),
    gb.GaussianNB(),
    gb.NearestCentroid(),
    gb.NearestCentroid(shrink_threshold=0.3, priors="empirical"),
    gb.SoftmaxRegression(),
    gb.SoftmaxRegression(loss=LOSS),
    gb.MixtureClassifier(2, families=["VVV"], random_state=1),
    gb.MixtureClassifier(2, families=["EEE"], random_state=1, loss=LOSS),
    gb.MixtureClassifier(2, families=["VVI"], random_state=1, outliers=0.02),
    gb.GaussianMixture(3, random_state=1),
    gb.GaussianMixture(3, covariance_type="EEE", random_state=1),
    gb.GaussianMixture(3, outliers="noise", random_state=1),
    gb.GaussianMixture(3, outliers="student", random_state=1),
    gb.BayesianGaussianMixture(n_components=3, random_state=1, max_iter=500),
]

COUNTING = [
    gb.BernoulliNB(),
    gb.BernoulliNB(alpha=0.3, binarize=1.0, fit_prior=False),
    gb.MultinomialNB(),
    gb.ComplementNB(),
    gb.CategoricalNB(),
    gb.MixedNB(),
]


def rows_of(estimator: object, offset: float = 0.0) -> np.ndarray:
    """Fit an estimator; return its own rows, others, and some far out."""
    sample = gaussians(seed=3)
    X = sample.X + offset
    estimator.fit(X, sample.y)
    rng = np.random.default_rng(5)
    rays = rng.normal(size=(20, X.shape[1]))
    far = [offset + size * rays for size in (1e3, 1e6)]
    return np.concatenate([X, sample.queries + offset, *far])


def agree(found: tuple, estimator: object, rows: object, tolerance: float) -> None:
    """Compare labels and probabilities with those of the estimator."""
    label, shares = found
    expected = estimator.predict(rows)
    assert np.isfinite(shares).all()
    assert shares.shape == (len(expected), len(shares[0]))
    assert np.abs(shares - estimator.predict_proba(rows)).max() <= tolerance
    assert label.tolist() == expected.tolist()


@pytest.mark.parametrize("offset", [0.0, 1e9])
@pytest.mark.parametrize("estimator", GAUSSIAN, ids=named)
def test_onnx_answers_as_the_estimator_does(estimator: object, offset: float) -> None:
    rows = rows_of(estimator, offset)
    agree(in_onnx(estimator.to_onnx(), rows), estimator, rows, 1e-12 if not offset else 1e-11)
    with np.errstate(over="ignore"):
        single = rows.astype(np.float32)
    found = in_onnx(estimator.to_onnx(precision="float"), single)
    assert found[1].dtype == np.float32
    agree(found, estimator, single.astype(np.float64), 1e-6)


@pytest.mark.parametrize("offset", [0.0, 1e9])
@pytest.mark.parametrize("estimator", GAUSSIAN, ids=named)
def test_queries_answer_as_the_estimator_does(estimator: object, offset: float) -> None:
    rows = rows_of(estimator, offset)
    for run in (in_sqlite, in_duckdb):
        agree(run(estimator.to_sql(), rows), estimator, rows, 1e-12 if not offset else 1e-11)


@pytest.mark.parametrize("estimator", COUNTING, ids=named)
def test_counts_and_flags_are_exported(estimator: object) -> None:
    sample = counts(seed=2)
    estimator.fit(sample.X, sample.y)
    rows = np.concatenate([sample.X, sample.queries])
    agree(in_onnx(estimator.to_onnx(), rows), estimator, rows, 1e-12)
    found = in_onnx(estimator.to_onnx(precision="float"), rows.astype(np.float32))
    agree(found, estimator, rows, 1e-6)
    for run in (in_sqlite, in_duckdb):
        agree(run(estimator.to_sql(), rows), estimator, rows, 1e-12)


def test_a_rank_deficient_covariance_is_exported() -> None:
    sample = gaussians(seed=4)
    X = np.column_stack([sample.X, sample.X[:, 0] + sample.X[:, 1]])
    estimator = gb.GaussianClassifier("EEE", on_singular="range").fit(X, sample.y)
    assert estimator.report_["rank"] == 4
    rows = np.concatenate([X, X + 0.25])
    agree(in_onnx(estimator.to_onnx(), rows), estimator, rows, 1e-12)
    for run in (in_sqlite, in_duckdb):
        agree(run(estimator.to_sql(), rows), estimator, rows, 1e-12)


@pytest.mark.parametrize("family", ["EEE", "VVV"])
def test_many_columns_and_classes_are_no_limit(family: str) -> None:
    sample = gaussians(10, 60, rows=2500, seed=6)
    estimator = gb.GaussianClassifier(family).fit(sample.X, sample.y)
    agree(in_onnx(estimator.to_onnx(), sample.queries), estimator, sample.queries, 1e-12)
    for run in (in_sqlite, in_duckdb):
        agree(run(estimator.to_sql(), sample.queries[:5]), estimator, sample.queries[:5], 1e-12)


@pytest.mark.parametrize(
    "estimator", [gb.GaussianClassifier("VVV"), gb.SoftmaxRegression()], ids=named
)
def test_rows_at_the_end_of_numbers_have_finite_answers(estimator: object) -> None:
    sample = gaussians(seed=3)
    estimator.fit(sample.X, sample.y)
    rows = 1e300 * np.random.default_rng(1).normal(size=(50, 4))
    agree(in_onnx(estimator.to_onnx(), rows), estimator, rows, 1e-12)


def test_a_class_far_from_two_others_takes_no_digits_from_them() -> None:
    means = [[0.0, 0.0], [1.0, 0.5], [1e7, 1e7]]
    rule = gb.GaussianClassifier.from_parameters(means, [[1.0, 0.3], [0.3, 2.0]])
    rows = np.random.default_rng(2).normal(size=(50, 2))
    agree(in_onnx(rule.to_onnx(), rows), rule, rows, 1e-12)
    for run in (in_sqlite, in_duckdb):
        agree(run(rule.to_sql(), rows), rule, rows, 1e-12)
