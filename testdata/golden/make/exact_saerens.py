"""Writes saerens.json: class priors of new rows re-estimated, with 50 digits, and their test and standard errors.

Usage, from the repository root:
    python testdata/golden/make/exact_saerens.py crates/gaussbayes-io/data testdata/golden
"""

import sys
from fractions import Fraction as F

import mpmath
import numpy as np
from mpmath import mp, mpf

import golden_file

mp.dps = 50
SCRIPT = "exact_saerens.py"
TOOL = f"mpmath {mpmath.__version__}, 50 digits"
DIGITS = 20
NOTE = (
    "Gaussian classes with given 'means', 'covariances' and priors of training ('priors'); new rows ('data') without labels. "
    "EM on the priors alone (Saerens, Latinne and Decaestecker 2002): each step puts the mean posterior of the rows "
    "in place of the priors. 'stages': priors and log-likelihood after 1, 2, 5 and 50 steps. 'shifted_priors': the "
    "maximum, by Newton's method on the log-likelihood (which is concave), where a step of EM moves nothing by 1e-40 "
    "and the mean of f_k / f is one where the prior is above zero and below one elsewhere ('score', one per class). "
    "'log_likelihood' sum of w ln sum_k pi_k f_k(x) at the training priors and there; 'statistic' twice their "
    "difference, K - 1 'degrees_of_freedom', 'p_value' of the chi-square law. 'information': of the first K - 1 "
    "priors, the last being the rest: sum of w (f_j - f_K)(f_l - f_K) / f^2, the negative second derivatives. "
    "'covariance' K by K of the shifted priors, its inverse with the last row and column filled in (rows sum to "
    "zero), 'errors' the square roots of the diagonal. On the border (a prior of zero) information, covariance and "
    "errors are null. 'posterior' with the shifted priors, of 'query' rows, and 'training_posterior' with those of "
    "training. 'weights': one per row, counted as often, or null. The rows: draws by numpy default_rng(74), two digits. "
    "|a-b| <= tolerance*(1+|b|)."
)
SHIFTED = {
    "classes": ["a", "b", "c"],
    "means": [["0", "0"], ["2", "1/2"], ["-1/2", "9/4"]],
    "covariances": [
        [["1", "1/4"], ["1/4", "1/2"]],
        [["3/4", "-1/5"], ["-1/5", "1"]],
        [["5/4", "0"], ["0", "3/5"]],
    ],
}
LINE = {"classes": ["a", "b"], "means": [["0"], ["3/2"]], "covariances": [[["1"]], [["1"]]]}


def exactly(text):
    value = F(text)
    return mpf(value.numerator) / value.denominator


def nested(value, convert):
    return [nested(v, convert) for v in value] if isinstance(value, list) else convert(value)


def densities(given, rows):
    """f_k(x) for every row and class."""
    means, covariances = nested(given["means"], exactly), nested(given["covariances"], exactly)
    parts = []
    for mean, covariance in zip(means, covariances):
        matrix = mp.matrix(covariance)
        parts.append((mean, mp.inverse(matrix), 1 / mp.sqrt(mp.det(2 * mp.pi * matrix))))
    found = []
    for row in rows:
        line = []
        for mean, inverse, factor in parts:
            off = mp.matrix([exactly(v) - m for v, m in zip(row, mean)])
            line.append(factor * mp.exp(-(off.T * inverse * off)[0] / 2))
        found.append(line)
    return found


def evidence(f, priors):
    return [mp.fdot(line, priors) for line in f]


def log_likelihood(f, w, priors):
    return mp.fsum(v * mp.log(e) for v, e in zip(w, evidence(f, priors)))


def step(f, w, priors):
    total, whole = mp.fsum(w), evidence(f, priors)
    return [p * mp.fsum(v * line[k] / e for v, line, e in zip(w, f, whole)) / total for k, p in enumerate(priors)]


def information(f, w, priors, kept):
    """Gradient and information in the priors of 'kept' but its last."""
    whole, last = evidence(f, priors), kept[-1]
    ratios = [[(line[k] - line[last]) / e for k in kept[:-1]] for line, e in zip(f, whole)]
    size = len(kept) - 1
    gradient = [mp.fsum(v * r[i] for v, r in zip(w, ratios)) for i in range(size)]
    second = mp.matrix(size)
    for i in range(size):
        for j in range(size):
            second[i, j] = mp.fsum(v * r[i] * r[j] for v, r in zip(w, ratios))
    return gradient, second


def maximise(f, w, priors):
    """EM for a start, then Newton among the classes that stay above zero."""
    for _ in range(400):
        priors = step(f, w, priors)
    kept = [k for k, p in enumerate(priors) if p > mpf("1e-6")]
    priors = [p if k in kept else mpf(0) for k, p in enumerate(priors)]
    total = mp.fsum(priors)
    priors = [p / total for p in priors]
    for _ in range(60 if len(kept) > 1 else 0):
        gradient, second = information(f, w, priors, kept)
        move = mp.lu_solve(second, mp.matrix(gradient))
        for at, k in enumerate(kept[:-1]):
            priors[k] += move[at]
        priors[kept[-1]] -= mp.fsum(move)
        if mp.norm(move) < mpf("1e-45"):
            break
    assert max(abs(a - b) for a, b in zip(step(f, w, priors), priors)) < mpf("1e-40")
    score = [mp.fsum(v * line[k] / e for v, line, e in zip(w, f, evidence(f, priors))) / mp.fsum(w)
             for k in range(len(priors))]
    assert all(abs(s - 1) < mpf("1e-40") if k in kept else s < 1 for k, s in enumerate(score))
    return priors, score, kept


def digits(x):
    if isinstance(x, (list, tuple)):
        return [digits(v) for v in x]
    return None if x is None else "#" + mp.nstr(x, DIGITS)


def posteriors(f, priors):
    return [[p * v / e for p, v in zip(priors, line)] for line, e in zip(f, evidence(f, priors))]


def case(name, given, priors, rows, weights=None):
    count = len(priors)
    old = [exactly(p) for p in priors]
    w = [mpf(1)] * len(rows) if weights is None else [mpf(v) for v in weights]
    f = densities(given, rows)
    path, now = [], old
    for at in range(1, 51):
        now = step(f, w, now)
        if at in (1, 2, 5, 50):
            path.append({"steps": at, "priors": digits(now), "log_likelihood": digits(log_likelihood(f, w, now))})
    new, score, kept = maximise(f, w, old)
    before, after = log_likelihood(f, w, old), log_likelihood(f, w, new)
    statistic = 2 * (after - before)
    info = covariance = errors = None
    if len(kept) == count:
        _, second = information(f, w, new, kept)
        inverse, size = mp.inverse(second), count - 1
        covariance = [[inverse[i, j] for j in range(size)] for i in range(size)]
        covariance = [row + [-mp.fsum(row)] for row in covariance]
        covariance.append([-mp.fsum(row[j] for row in covariance) for j in range(count)])
        info = [[second[i, j] for j in range(size)] for i in range(size)]
        errors = [mp.sqrt(covariance[k][k]) for k in range(count)]
    value = mp.gammainc(mpf(count - 1) / 2, statistic / 2, regularized=True)
    print(f"{name:40} {[mp.nstr(p, 6) for p in new]} statistic {mp.nstr(statistic, 8)} p {mp.nstr(value, 6)}")
    return {
        "name": name,
        "classes": given["classes"],
        "means": nested(given["means"], lambda t: float(F(t))),
        "covariances": nested(given["covariances"], lambda t: float(F(t))),
        "priors": [float(F(p)) for p in priors],
        "data": {"rows": [[float(v) for v in row] for row in rows], "labels": ["all"] * len(rows)},
        "weights": weights,
        "tolerance": 1e-10,
        "stages": path,
        "shifted_priors": digits(new),
        "score": digits(score),
        "log_likelihood": {"training": digits(before), "shifted": digits(after)},
        "statistic": digits(statistic),
        "degrees_of_freedom": count - 1,
        "p_value": digits(value),
        "information": digits(info),
        "covariance": digits(covariance),
        "errors": digits(errors),
        "query": [1, 2, 3, len(rows)],
        "posterior": digits([posteriors(f, new)[i - 1] for i in (1, 2, 3, len(rows))]),
        "training_posterior": digits([posteriors(f, old)[i - 1] for i in (1, 2, 3, len(rows))]),
    }


def drawn(rng, given, sizes):
    """Rows of each class, in turn, as texts with two digits."""
    rows = []
    for mean, covariance, n in zip(given["means"], given["covariances"], sizes):
        centre, spread = np.array(nested(mean, lambda t: float(F(t)))), nested(covariance, lambda t: float(F(t)))
        rows += (centre + rng.normal(size=(n, len(centre))) @ np.linalg.cholesky(spread).T).tolist()
    order = rng.permutation(len(rows))
    return [[f"{v:.2f}" for v in rows[i]] for i in order]


def main(_folder, out):
    rng = np.random.default_rng(74)
    mixed = drawn(rng, SHIFTED, (6, 20, 14))
    same = drawn(rng, SHIFTED, (20, 12, 8))
    missing = drawn(rng, SHIFTED, (28, 12, 0))
    line = drawn(rng, LINE, (8, 22))
    usual, equal = ["1/2", "3/10", "1/5"], ["1/3", "1/3", "1/3"]
    cases = [
        case("40 rows, other shares", SHIFTED, usual, mixed),
        case("the same rows, equal priors before", SHIFTED, equal, mixed),
        case("the same rows, weights", SHIFTED, usual, mixed, [i % 3 + 1 for i in range(40)]),
        case("40 rows, the same shares", SHIFTED, usual, same),
        case("a class that is not there", SHIFTED, equal, missing),
        case("two classes on the line", LINE, ["4/5", "1/5"], line),
    ]
    golden_file.write(out, "saerens.json", TOOL, SCRIPT, NOTE, cases)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
