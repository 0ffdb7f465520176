"""Fits and applies Gaussian classifiers in exact fractions; roots and logarithms have 50 digits."""

from fractions import Fraction as F

import mpmath as mp

mp.mp.dps = 50
SHARED = ("lda", "diag-lda", "EII")


def real(fraction):
    fraction = F(fraction)
    return mp.mpf(fraction.numerator) / fraction.denominator


def double(x):
    """The double nearest to an mpf, a fraction or an integer."""
    if isinstance(x, (F, int)):
        return float(F(x))
    return float(mp.nstr(x, 40))


def doubles(x):
    return [doubles(item) for item in x] if isinstance(x, (list, tuple)) else double(x)


# ---- moments -------------------------------------------------------------------------------------------------------


class Moments:
    """Exact sums of one class: weight, sum of w x, sum of w x x^T."""

    def __init__(self, dim):
        self.weight, self.first = F(0), [F(0)] * dim
        self.second = [[F(0)] * dim for _ in range(dim)]

    def plus(self, row, weight):
        """A copy with one row added; a negative weight takes the row away again."""
        out = Moments(len(row))
        out.weight = self.weight + weight
        out.first = [s + weight * x for s, x in zip(self.first, row)]
        out.second = [[q + weight * a * b for q, b in zip(line, row)] for line, a in zip(self.second, row)]
        return out

    def mean(self):
        return [s / self.weight for s in self.first]

    def scatter(self):
        return [[q - a * b / self.weight for q, b in zip(line, self.first)] for line, a in zip(self.second, self.first)]


def class_moments(rows, labels, weights, classes):
    sums = {name: Moments(len(rows[0])) for name in classes}
    for row, label, weight in zip(rows, labels, weights):
        sums[label] = sums[label].plus(row, weight)
    return [sums[name] for name in classes]


# ---- covariances ---------------------------------------------------------------------------------------------------


def mix(terms):
    """Weighted sum of matrices, from pairs (factor, matrix)."""
    dim = len(terms[0][1])
    return [[sum(f * m[i][j] for f, m in terms) for j in range(dim)] for i in range(dim)]


def diagonal(matrix):
    return [[v if i == j else F(0) for j, v in enumerate(line)] for i, line in enumerate(matrix)]


def spherical(matrix):
    dim = len(matrix)
    level = sum(matrix[i][i] for i in range(dim)) / dim
    return [[level if i == j else F(0) for j in range(dim)] for i in range(dim)]


def unit(matrix):
    return [[F(i == j) for j in range(len(matrix))] for i in range(len(matrix))]


SHAPE = {
    "qda": lambda m: m,
    "lda": lambda m: m,
    "naive-bayes": diagonal,
    "diag-lda": diagonal,
    "VII": spherical,
    "EII": spherical,
    "nearest-mean": unit,
}


def resolve_priors(moments, priors):
    if priors == "observed":
        total = sum(m.weight for m in moments)
        return [m.weight / total for m in moments]
    if priors == "uniform":
        return [F(1, len(moments))] * len(moments)
    return [F(str(p)) for p in priors]


def estimate(moments, spec, priors):
    """Means and covariances: a list of one matrix per class, or of a single one when shared."""
    nu = [m.weight - spec["ddof"] for m in moments]
    each = [mix([(1 / v, m.scatter())]) for v, m in zip(nu, moments)]
    share = {
        "size": [v / sum(nu) for v in nu],
        "average": [F(1, len(nu))] * len(nu),
        "priors": priors,
    }[spec["pooling"]]
    shape = SHAPE[spec["model"]]
    pooled = shape(mix(list(zip(share, each))))
    if spec["model"] in SHARED or spec["model"] == "nearest-mean":
        covariances = [pooled]
    else:
        covariances = [shape(m) for m in each]
    if spec["shrinkage"] is not None:
        s = F(str(spec["shrinkage"]))
        target = {"spherical": spherical, "diagonal": diagonal, "shared": lambda m: pooled}[spec["shrink_to"]]
        covariances = [mix([(1 - s, m), (s, target(m))]) for m in covariances]
    return [m.mean() for m in moments], covariances


# ---- densities -----------------------------------------------------------------------------------------------------


class Density:
    """Cholesky factor and log-determinant of one covariance."""

    def __init__(self, covariance):
        a = [[real(v) for v in line] for line in covariance]
        dim = len(a)
        self.factor = [[mp.mpf(0)] * dim for _ in range(dim)]
        for i in range(dim):
            for j in range(i + 1):
                rest = a[i][j] - mp.fsum(self.factor[i][k] * self.factor[j][k] for k in range(j))
                self.factor[i][j] = mp.sqrt(rest) if i == j else rest / self.factor[j][j]
        self.log_det = 2 * mp.fsum(mp.log(self.factor[i][i]) for i in range(dim))

    def mahalanobis_sq(self, row, mean):
        z = []
        for i, line in enumerate(self.factor):
            z.append((real(row[i] - mean[i]) - mp.fsum(line[k] * z[k] for k in range(i))) / line[i])
        return mp.fsum(v * v for v in z)

    def log_density(self, distance):
        return -(len(self.factor) * mp.log(2 * mp.pi) + self.log_det + distance) / 2


class Fit:
    """A Gaussian classifier from given means, covariances and priors."""

    def __init__(self, means, covariances, priors, densities=None):
        self.means, self.covariances, self.priors = means, covariances, priors
        densities = densities or [Density(m) for m in covariances]
        self.densities = densities * len(means) if len(densities) == 1 else densities

    def answer(self, row):
        distances = [d.mahalanobis_sq(row, m) for d, m in zip(self.densities, self.means)]
        joint = [mp.log(real(p)) + d.log_density(q) for p, d, q in zip(self.priors, self.densities, distances)]
        top = max(joint)
        evidence = top + mp.log(mp.fsum(mp.exp(v - top) for v in joint))
        log_posterior = [v - evidence for v in joint]
        return {
            "mahalanobis_sq": distances,
            "log_evidence": evidence,
            "log_posterior": log_posterior,
            "posterior": [mp.exp(v) for v in log_posterior],
            "choice": joint.index(top),
        }


def fit(moments, spec):
    priors = resolve_priors(moments, spec["priors"])
    return Fit(*estimate(moments, spec, priors), priors)


def leave_one_out(rows, labels, weights, classes, spec, loo_priors="refit"):
    """The answer for every row by a fit without it. Classes that keep their rows keep their factors."""
    moments = class_moments(rows, labels, weights, classes)
    whole = fit(moments, spec)
    shared = len(whole.covariances) == 1 or spec["shrink_to"] == "shared"
    answers = []
    for row, label, weight in zip(rows, labels, weights):
        own = classes.index(label)
        left = list(moments)
        left[own] = moments[own].plus(row, -weight)
        priors = resolve_priors(left if loo_priors == "refit" else moments, spec["priors"])
        means, covariances = estimate(left, spec, priors)
        densities = None
        if not shared:
            densities = list(whole.densities)
            densities[own] = Density(covariances[own])
        model = Fit(means, covariances, priors, densities)
        answers.append(model.answer(row))
    return answers


def specification(model, ddof=0, pooling="size", priors="observed", shrinkage=None, shrink_to=None):
    return {
        "model": model,
        "ddof": ddof,
        "pooling": pooling,
        "priors": priors,
        "shrinkage": shrinkage,
        "shrink_to": shrink_to,
    }
