"""Writes exact_posteriors.json: predictive and debiased posteriors of LDA and QDA with 50 digits.

Usage, from the repository root:
    python testdata/golden/make/exact_posteriors.py crates/gaussbayes-io/data testdata/golden

W_k is the scatter of class k, n_k its size, d the number of columns; shared W = sum W_k, n = sum n_k, g classes.

predictive: means have a flat prior and covariances the prior |S|^(-(d+1)/2). With f = n_k - 1 and V = W_k (qda), or
f = n - g and V = W (lda), the next x of class k is multivariate t with f - d + 1 degrees of freedom:
    p(x) = G((f+1)/2) / (G((f-d+1)/2) pi^(d/2)) |cV|^(-1/2) (1 + (x-m_k)' V^-1 (x-m_k) / c)^(-(f+1)/2)
with c = (n_k+1)/n_k.

debiased: the log density with unbiased estimates of its two parts. With S = V/f and D2 = (x-m_k)' S^-1 (x-m_k)
    ln|S| + d ln(f/2) - sum_{j=1..d} psi((f+1-j)/2)  for ln|Sigma|,
    (f-d-1)/f D2 - d/n_k                             for (x-mu)' Sigma^-1 (x-mu).
"""

import random
import sys
from fractions import Fraction as F

import mpmath as mp

import golden_file
from exact_arithmetic import Density, class_moments, doubles, mix, real, resolve_priors

SCRIPT = "exact_posteriors.py"
ROWS = {
    "iris": [1, 42, 51, 71, 78, 84, 99, 107, 120, 134, 139, 150],
    "wine": [1, 22, 26, 62, 66, 74, 84, 96, 122, 131, 160, 178],
}
NOTE = (
    "Scatter in exact fractions, the rest with 50 digits. predictive: multivariate t of a class with flat prior "
    "for its mean and |Sigma|^(-(d+1)/2) for the covariance (one for all classes in lda). debiased: log density "
    "from unbiased estimates of ln|Sigma| and of the squared distance. Formulas at the top of the script. "
    "Neither depends on ddof; priors enter as known. rows are 1-based; without them all rows. |a-b| <= "
    "tolerance*(1+|b|)."
)


class Predictive:
    """Log density of the next x at a squared distance under the scatter V; `size` is that of the class."""

    def __init__(self, scatter, freedom, size):
        self.density, self.f, self.c = Density(scatter), freedom, real(F(size + 1, size))
        d = len(scatter)
        self.constant = mp.loggamma(mp.mpf(freedom + 1) / 2) - mp.loggamma(mp.mpf(freedom - d + 1) / 2)
        self.constant -= (d * mp.log(mp.pi * self.c) + self.density.log_det) / 2

    def at(self, distance):
        return self.constant - mp.mpf(self.f + 1) / 2 * mp.log(1 + distance / self.c)


class Debiased:
    """Unbiased estimate of the log density, likewise."""

    def __init__(self, scatter, freedom, size):
        self.density, self.f, self.n, self.d = Density(scatter), freedom, size, len(scatter)
        self.log_det = self.density.log_det - self.d * mp.log(2)
        self.log_det -= mp.fsum(mp.psi(0, mp.mpf(freedom + 1 - j) / 2) for j in range(1, self.d + 1))

    def at(self, distance):
        unbiased = (self.f - self.d - 1) * distance - mp.mpf(self.d) / self.n
        return -(self.d * mp.log(2 * mp.pi) + self.log_det + unbiased) / 2


BY = {"predictive": Predictive, "debiased": Debiased}


def densities(moments, model, by):
    sizes = [int(m.weight) for m in moments]
    if model == "qda":
        return [BY[by](m.scatter(), n - 1, n) for m, n in zip(moments, sizes)]
    pooled = mix([(F(1), m.scatter()) for m in moments])
    return [BY[by](pooled, sum(sizes) - len(sizes), n) for n in sizes]


def posterior_case(data, origin, rows, labels, model, by, priors="observed", asked=None):
    classes = sorted(set(labels))
    moments = class_moments(rows, labels, [F(1)] * len(rows), classes)
    shares = resolve_priors(moments, priors)
    each, means = densities(moments, model, by), [m.mean() for m in moments]
    log_posterior = []
    for i in asked or range(1, len(rows) + 1):
        distances = [f.density.mahalanobis_sq(rows[i - 1], m) for f, m in zip(each, means)]
        joint = [mp.log(real(p)) + f.at(q) for p, f, q in zip(shares, each, distances)]
        top = max(joint)
        total = top + mp.log(mp.fsum(mp.exp(v - top) for v in joint))
        log_posterior.append([v - total for v in joint])
    words = "" if priors == "observed" else " priors=" + ",".join(map(str, priors))
    case = {"name": f"{data} {model} {by}{words}", "data": origin, "model": model, "ddof": 1, "pooling": "size"}
    case |= {"priors": priors, "shrinkage": None, "shrink_to": None, "weights": None, "classes": classes}
    case |= {"tolerance": 1e-10, "posteriors_by": by}
    if asked:
        case["rows"] = asked
    case["posterior"] = doubles([[mp.exp(v) for v in line] for line in log_posterior])
    case["log_posterior"] = doubles(log_posterior)
    return case


def small_set():
    """Three classes of 8, 9 and 10 rows in three columns, one decimal."""
    chance = random.Random(1974)
    rows, labels = [], []
    for label, size, centre, spread in (("a", 8, 0, 1.0), ("b", 9, 1, 1.5), ("c", 10, 2, 0.7)):
        for _ in range(size):
            common = chance.gauss(0, 1)
            noise = [common + chance.gauss(0, 1 + j / 2) for j in range(3)]
            rows.append([round(centre * (j + 1) / 2 + spread * e, 1) for j, e in enumerate(noise)])
            labels.append(label)
    return rows, labels


def integrates_to_one():
    """In one column, by quadrature, for both models."""
    moments = class_moments([[F(v)] for v in (1, 2, 4, 8, 3, 9, 5)], list("aaaabbb"), [F(1)] * 7, ["a", "b"])
    for model in ("qda", "lda"):
        for f in densities(moments, model, "predictive"):
            scatter = f.density.factor[0][0] ** 2
            half = mp.quad(lambda x: mp.exp(f.at(x * x / scatter)), [0, 1, 10, mp.inf])
            assert abs(2 * half - 1) < 1e-20, half


def main(folder, out):
    integrates_to_one()
    cases = []
    for data in ("iris", "wine"):
        texts, labels = golden_file.read_text(folder, data)
        rows = [[F(v) for v in line] for line in texts]
        for model in ("qda", "lda"):
            for by in BY:
                cases.append(posterior_case(data, data, rows, labels, model, by, asked=ROWS[data]))
                if data == "iris":
                    cases.append(posterior_case(data, data, rows, labels, model, by, [0.2, 0.3, 0.5], ROWS[data]))
    values, labels = small_set()
    rows = [[F(str(v)) for v in row] for row in values]
    for model in ("qda", "lda"):
        for by in BY:
            cases.append(posterior_case("small", {"rows": values, "labels": labels}, rows, labels, model, by))
    golden_file.write(out, "exact_posteriors.json", f"fractions, mpmath {mp.__version__}", SCRIPT, NOTE, cases)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
