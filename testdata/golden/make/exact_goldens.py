"""Writes exact_*.json: answers in rational arithmetic, logarithms and roots with 50 digits.

Usage, from the repository root:
    python testdata/golden/make/exact_goldens.py crates/gaussbayes-io/data testdata/golden

The data are read as decimal text and turned into fractions. Moments, covariances, pooling and shrinkage
are exact; Cholesky factors and logarithms use mpmath with 50 digits. No floating-point path is shared
with the library. Every printed number is the nearest double.
"""

import sys

import mpmath as mp

import golden_file
from exact_arithmetic import SHARED, specification
from exact_case import data_case
from exact_small import small_sets
from exact_textbook import textbook

SCRIPT = "exact_goldens.py"
TOOL = f"mpmath {mp.__version__} (50 digits) on exact fractions"
LAYOUT = (
    "Every number is the exact answer rounded to the nearest double (relative error 1.2e-16). 'tolerance' is the room "
    "left to a double-precision implementation: |a-b| <= tolerance*(1+|b|). 'rows' are 1-based; posterior, log_posterior, "
    "log_evidence, mahalanobis_sq and loo_posterior belong to these rows, in this order; errors, loo_errors and "
    "loo_labels belong to all rows, unweighted. Classes are sorted by name. loo_priors 'refit': the left-out row is "
    "missing from means, covariances and observed priors alike. "
)
RULE = (
    "nu_k = n_k - ddof, n_k a sum of weights; S_k = W_k/nu_k; shared S = sum a_k S_k with a_k = nu_k/sum nu (size), "
    "1/K (average) or the prior (priors). Shrinkage s: (1-s)S + s T with T = tr(S)/d I (spherical), diag S (diagonal) "
    "or the shared S (shared). nearest-mean has Sigma = I. "
)
SPLIT = "faithful-split: class 'long' where eruptions > 3, else 'short'. "
WEIGHTS = "Weights: whole numbers 0 to 4 (7i mod 5, row i from 1), or 64ths ((1 + 37i mod 101)/64)."
HARD = (
    "Data stand in the case: data.rows, data.labels. 'singular' lists the classes whose covariance must be refused, its "
    "rank and the 1-based features without spread; no posterior exists there. 'discriminant' is "
    "g_plus - g_minus = linear.x + constant, the log prior ratio in the constant. "
)
PARAMETERS = (
    "Every number is the exact answer rounded to the nearest double. 'parameters' are given, 'query' rows are answered: "
    "posterior, log_posterior, log_evidence, mahalanobis_sq (to each class), labels of the largest posterior. 'loss' is "
    "L[i][j], the cost of action j where i is true; 'actions' minimise the expected loss; 'confusion' is P(action | class); "
    "'average_risk' the expected loss; 'bayes_error' the error of the least-error rule in total and per class; "
    "'boundary.x2_of_x1' holds c0, c1, c2 of x2 = c0 + c1 x1 + c2 x1^2. |a-b| <= tolerance*(1+|b|)."
)
MODELS = ("qda", "lda", "naive-bayes", "diag-lda", "VII", "EII", "nearest-mean")


def whole_weights(n):
    """0 to 4, zeros among them."""
    return [7 * i % 5 for i in range(1, n + 1)]


def broken_weights(n):
    """Multiples of 1/64 in (0, 1.6): exact as doubles and as decimals."""
    return [(1 + 37 * i % 101) / 64 for i in range(1, n + 1)]


def plain(folder, data):
    """All seven models at both divisors, priors as observed (nearest-mean: uniform)."""
    cases = []
    for model in MODELS:
        for ddof in (0, 1):
            spec = specification(model, ddof, priors="uniform" if model == "nearest-mean" else "observed")
            cases.append(data_case(folder, f"{data} {model} ddof={ddof}", data, spec))
    return cases


def with_options(folder, data, wanted):
    cases = []
    for spec, weights in wanted:
        words = [data, spec["model"], f"ddof={spec['ddof']}"]
        if spec["pooling"] != "size":
            words.append("pooling=" + spec["pooling"])
        if spec["priors"] != "observed":
            given = spec["priors"] if isinstance(spec["priors"], str) else ",".join(map(str, spec["priors"]))
            words.append("priors=" + given)
        if spec["shrinkage"] is not None:
            words.append(f"shrinkage={spec['shrinkage']} to {spec['shrink_to']}")
        if weights is not None:
            words.append("weights=" + weights)
        n = len(golden_file.read_text(folder, data)[1])
        values = {None: None, "whole": whole_weights(n), "fractions": broken_weights(n)}[weights]
        cases.append(data_case(folder, " ".join(words), data, spec, weights=values))
    return cases


def iris_options():
    given = [0.2, 0.3, 0.5]
    for model in ("qda", "lda", "naive-bayes", "diag-lda", "VII", "EII"):
        yield specification(model, priors=given), None
    for ddof in (0, 1):
        yield specification("lda", ddof, "priors", given), None
        for target in ("spherical", "diagonal", "shared"):
            yield specification("qda", ddof, shrinkage=0.3, shrink_to=target), None
        for target in ("spherical", "diagonal"):
            yield specification("lda", ddof, shrinkage=0.3, shrink_to=target), None
        for weights in ("whole", "fractions"):
            yield specification("qda", ddof), weights
            yield specification("lda", ddof), weights
    yield specification("naive-bayes", shrinkage=0.3, shrink_to="spherical"), None
    yield specification("naive-bayes", shrinkage=0.3, shrink_to="shared"), None
    for model in ("naive-bayes", "diag-lda", "VII", "EII"):
        yield specification(model), "fractions"
    yield specification("lda", 0, "average"), "fractions"


def wine_options():
    given = [0.2, 0.3, 0.5]
    for model in SHARED:
        for ddof in (0, 1):
            yield specification(model, ddof, "average"), None
        yield specification(model, 0, "priors", "uniform"), None
        yield specification(model, 0, "priors", given), None
        yield specification(model, 0, "size", given), None
    yield specification("qda", priors=given), None
    yield specification("qda", shrinkage=0.3, shrink_to="shared"), None
    yield specification("qda", shrinkage=0.3, shrink_to="diagonal"), None
    yield specification("lda", shrinkage=0.3, shrink_to="diagonal"), None
    yield specification("lda"), "fractions"
    yield specification("nearest-mean"), None


def faithful_options():
    for model in SHARED:
        for ddof in (0, 1):
            yield specification(model, ddof, "average"), None
        yield specification(model, 0, "priors", [0.4, 0.6]), None
    for ddof in (0, 1):
        yield specification("qda", ddof, shrinkage=0.5, shrink_to="shared"), None
    yield specification("qda"), "fractions"
    yield specification("lda", 1), "whole"
    yield specification("nearest-mean"), None


def main(folder, out):
    notes = {"iris": "", "wine": "", "faithful-split": SPLIT}
    options = {"iris": iris_options, "wine": wine_options, "faithful-split": faithful_options}
    for data, extra in notes.items():
        stem = "exact_" + data.split("-")[0]
        note = LAYOUT + RULE + extra
        golden_file.write(out, stem + ".json", TOOL, SCRIPT, note, plain(folder, data))
        cases = with_options(folder, data, list(options[data]()))
        golden_file.write(out, stem + "_options.json", TOOL, SCRIPT, note + WEIGHTS, cases)
    note = LAYOUT + RULE + HARD
    golden_file.write(out, "exact_hard.json", TOOL, SCRIPT, note, small_sets(folder))
    golden_file.write(out, "exact_textbook.json", TOOL, SCRIPT, PARAMETERS, textbook())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
