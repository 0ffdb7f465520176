"""Writes sklearn_shrinkage.json (shrunken covariances by scikit-learn) and exact_rda.json (regularised discriminant
analysis with 50 digits).

Usage, from the repository root:
    python testdata/golden/make/shrinkage_goldens.py crates/gaussbayes-io/data testdata/golden
"""

import sys
from fractions import Fraction as F

import mpmath as mp
import numpy as np
import scipy
import sklearn
from scipy.special import softmax
from scipy.stats import multivariate_normal
from sklearn.covariance import OAS, LedoitWolf, empirical_covariance, ledoit_wolf, oas, shrunk_covariance
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

import exact_arithmetic as exact
import golden_file

SCRIPT = "shrinkage_goldens.py"
AMOUNTS = ("oas", "ledoit-wolf", 0.3)
TOLERANCE = 1e-10
ROWS = {
    "iris": [1, 42, 51, 71, 78, 84, 107, 120, 134, 150],
    "wine": [1, 22, 26, 62, 66, 74, 84, 122, 131, 178],
    "more columns than rows": list(range(1, 13)),
}
RDA = ([0, 0], [1, 0], [0, 1], [1, 1], [0.3, 0.6], [0.8, 0.1])
NOTE = (
    "covariances, one per class (qda), by oas, ledoit_wolf or shrunk_covariance of the rows of the class (ddof "
    "0); for lda their mean weighted by class size. shrink_to spherical: of the rows as they are; diagonal: of "
    "the rows divided by the standard deviations of the class and scaled back, so that the target is diag S. "
    f"amounts: the share of the target, per class. posterior by scipy {scipy.__version__} multivariate_normal "
    "from these, checked wherever scikit-learn has the same estimator (lda solver lsqr, qda solver eigen; "
    "shrinkage 'auto' is ledoit-wolf to diagonal, a number or covariance_estimator is spherical). weights are "
    "whole numbers: every row counts that often (the rows were repeated). rows are 1-based. |a-b| <= "
    "tolerance*(1+|b|)."
)
RDA_NOTE = (
    "Friedman (1989): Sigma_k(lambda) = ((1-lambda) W_k + lambda W)/((1-lambda) n_k + lambda n), then (1-gamma) "
    "Sigma_k(lambda) + gamma tr(Sigma_k(lambda))/d I; rda = [lambda, gamma]. Exact fractions, posteriors with "
    "50 digits. rows are 1-based. |a-b| <= tolerance*(1+|b|)."
)


def shrink(x, how, to):
    """Covariance of one class and the share of the target in it."""
    scale = x.std(0) if to == "diagonal" else np.ones(x.shape[1])
    scaled = (x - x.mean(0)) / scale
    if how == "oas":
        covariance, amount = oas(scaled)
    elif how == "ledoit-wolf":
        covariance, amount = ledoit_wolf(scaled)
    else:
        covariance, amount = shrunk_covariance(empirical_covariance(scaled), how), how
    return covariance * np.outer(scale, scale), amount


def same_by_sklearn(model, how, to):
    """The classifier of scikit-learn with this estimator, or None."""
    if to == "diagonal":
        options = {"shrinkage": "auto"} if how == "ledoit-wolf" else None
    else:
        options = {"oas": {"covariance_estimator": OAS()}, "ledoit-wolf": {"covariance_estimator": LedoitWolf()}}
        options = options.get(how, {"shrinkage": how})
    if options is None:
        return None
    if model == "lda":
        return LinearDiscriminantAnalysis(solver="lsqr", **options)
    return QuadraticDiscriminantAnalysis(solver="eigen", store_covariance=True, **options)


def shrunken_case(data, x, y, model, how, to, origin=None, weights=None):
    times = np.ones(len(y), int) if weights is None else np.array(weights)
    every, labels = np.repeat(x, times, axis=0), np.repeat(y, times)
    classes, counts = np.unique(labels, return_counts=True)
    priors = counts / counts.sum()
    means = [every[labels == k].mean(0) for k in classes]
    each, amounts = zip(*[shrink(every[labels == k], how, to) for k in classes])
    covariances = np.array(each)
    if model == "lda":
        covariances = np.tensordot(priors, covariances, 1)
    used = [covariances] * len(classes) if model == "lda" else covariances
    asked = np.array(ROWS[data]) - 1
    joint = [np.log(p) + multivariate_normal(m, c).logpdf(x[asked]) for p, m, c in zip(priors, means, used)]
    posterior = softmax(np.array(joint).T, axis=1)
    other = same_by_sklearn(model, how, to)
    if other is not None:
        other.fit(every, labels)
        np.testing.assert_allclose(np.array(other.covariance_), covariances, rtol=1e-11, atol=1e-13)
        np.testing.assert_allclose(other.predict_proba(x[asked]), posterior, rtol=1e-9, atol=1e-12)
    words = "" if weights is None else " weights=whole"
    case = {"name": f"{data} {model} {how} to {to}{words}", "data": origin or data, "model": model, "ddof": 0}
    case |= {"pooling": "size", "priors": "observed", "shrinkage": how, "shrink_to": to, "weights": weights}
    case |= {"classes": classes.tolist(), "tolerance": TOLERANCE, "amounts": list(map(float, amounts))}
    case |= {"covariances": covariances.tolist(), "rows": ROWS[data], "posterior": posterior.tolist()}
    return case


def shrinkage_cases(data, x, y, origin=None):
    return [
        shrunken_case(data, x, y, model, how, to, origin)
        for model in ("qda", "lda")
        for to in ("spherical", "diagonal")
        for how in AMOUNTS
    ]


def wide_set():
    """Two classes of six rows in eight columns, one decimal."""
    rng = np.random.default_rng(2004)
    mixing = rng.normal(size=(2, 8, 8)) * np.linspace(0.5, 2, 8)
    x = np.vstack([rng.normal(size=(6, 8)) @ mixing[0], 1 + rng.normal(size=(6, 8)) @ mixing[1]]).round(1)
    return x, np.array(["a"] * 6 + ["b"] * 6)


def rda_case(data, rows, labels, pair):
    classes = sorted(set(labels))
    moments = exact.class_moments(rows, labels, [F(1)] * len(rows), classes)
    share, sphere = (F(str(v)) for v in pair)
    pooled, n = exact.mix([(F(1), m.scatter()) for m in moments]), F(len(rows))
    covariances = []
    for m in moments:
        divisor = (1 - share) * m.weight + share * n
        mixed = exact.mix([((1 - share) / divisor, m.scatter()), (share / divisor, pooled)])
        covariances.append(exact.mix([(1 - sphere, mixed), (sphere, exact.spherical(mixed))]))
    model = exact.Fit([m.mean() for m in moments], covariances, exact.resolve_priors(moments, "observed"))
    answers = [model.answer(rows[i - 1]) for i in ROWS[data]]
    case = {"name": f"{data} rda {pair[0]},{pair[1]}", "data": data, "model": "qda", "ddof": 0, "pooling": "size"}
    case |= {"priors": "observed", "shrinkage": None, "shrink_to": None, "rda": pair, "weights": None}
    case |= {"classes": classes, "tolerance": TOLERANCE, "covariances": exact.doubles(covariances), "rows": ROWS[data]}
    for key in ("posterior", "log_posterior"):
        case[key] = exact.doubles([a[key] for a in answers])
    return case


def main(folder, out):
    shrunken, rda = [], []
    for data in ("iris", "wine"):
        texts, labels = golden_file.read_text(folder, data)
        x, y = np.array(texts, dtype=float), np.array(labels)
        shrunken += shrinkage_cases(data, x, y)
        if data == "iris":
            weights = [7 * i % 5 for i in range(1, len(y) + 1)]
            for how, to in (("ledoit-wolf", "spherical"), ("oas", "spherical"), ("ledoit-wolf", "diagonal")):
                shrunken.append(shrunken_case(data, x, y, "qda", how, to, weights=weights))
        rows = [[F(v) for v in line] for line in texts]
        rda += [rda_case(data, rows, labels, pair) for pair in RDA]
    x, y = wide_set()
    shrunken += shrinkage_cases("more columns than rows", x, y, {"rows": x.tolist(), "labels": y.tolist()})
    tool = f"scikit-learn {sklearn.__version__}"
    golden_file.write(out, "sklearn_shrinkage.json", tool, SCRIPT, NOTE, shrunken)
    golden_file.write(out, "exact_rda.json", f"fractions, mpmath {mp.__version__}", SCRIPT, RDA_NOTE, rda)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
