"""Writes exact_student.json: mixtures of multivariate t laws, maximised directly and not by EM.

Usage, from the repository root:
    python testdata/golden/make/exact_student.py crates/gaussbayes-io/data testdata/golden
"""

import sys
import time

import mpmath
import numpy as np
import scipy
from mpmath import mp, mpf
from scipy.optimize import minimize
from scipy.special import loggamma

import golden_file

mp.dps = 40
SCRIPT = "exact_student.py"
TOOL = f"scipy {scipy.__version__} (BFGS, Newton), mpmath {mpmath.__version__} (Newton, 40 digits)"
FAMILIES = ("VVV", "EEE", "VVI")
DIGITS = 20
NOTE = (
    "The log-likelihood of a mixture of t laws as a function of log ratios of the weights, means, Cholesky factors "
    "with logarithms on the diagonal (VVI: logarithms of the variances, EEE: one factor) and logarithms of the degrees "
    "of freedom, maximised by BFGS from the shares, means and covariances (divided by n) of the labels, components in "
    "the order of the labels sorted by name, and, where they are estimated, 10 degrees of freedom; then by Newton's "
    "method in doubles (complex-step gradients) and with 40 digits (central differences of 1e-13) until the gradient "
    "is below 1e-20; 'gradient' is its largest component, per coordinate of that function on columns scaled to about "
    "one. The Hessian is negative definite at every one. 'freedom': 'fixed', 'common' or 'each'; "
    "'degrees_of_freedom' one per component. 'scales' are the scale matrices: the covariance is nu/(nu-2) times it. "
    "'parameters' counts those that were estimated. 'at_start': the log-likelihood of the start, with 4 or 10 degrees "
    "of freedom and the covariances as scale matrices. 'tails': 240 draws of two t laws with 3 and 8 degrees of "
    "freedom, numpy default_rng(68), three digits, labelled by the law they came from. Where the likelihood rises as "
    "degrees of freedom grow without end, that component is Gaussian: 'degrees_of_freedom' is null there, "
    "'log_likelihood' and the rest belong to the limit, the supremum; a fit that stops at a large number ends below, "
    "by about 1/nu. "
    "'weights': one per row, counted as often. tolerance is for log-likelihoods, parameter_tolerance for the rest: "
    "|a-b| <= tolerance*(1+|b|)."
)


def tails():
    """Two t laws in the plane, and which of them made a row."""
    rng = np.random.default_rng(68)
    sizes, freedoms, means = (140, 100), (3, 8), np.array([[0, 0], [5, 3]])
    factors = np.array([[[1, 0], [0.5, 0.8]], [[1.4, 0], [-0.6, 0.5]]])
    rows = []
    for n, nu, m, f in zip(sizes, freedoms, means, factors):
        normal = rng.normal(size=(n, 2)) @ f.T
        rows.append(m + normal / np.sqrt(rng.chisquare(nu, size=(n, 1)) / nu))
    return np.round(np.concatenate(rows), 3), np.repeat(["a", "b"], sizes)


class Likelihood:
    """The log-likelihood as a function of free coordinates, in doubles, complex numbers or mpmath."""

    def __init__(self, rows, weights, count, model, freedom, fixed):
        self.model, self.freedom, self.fixed, self.k = model, freedom, fixed, count
        self.d = len(rows[0])
        x = np.array(rows, float)
        self.scale = [mpf(2) ** int(round(np.log2(s))) for s in x.std(0)]
        self.centre = [mpf(int(round(m))) for m in x.mean(0)]
        self.exact = [[(mpf(v) - c) / s for v, c, s in zip(row, self.centre, self.scale)] for row in rows]
        self.x = np.array(self.exact, float)
        self.w = np.array(weights, float)
        self.jacobian = -mp.fsum(weights) * mp.fsum(mp.log(s) for s in self.scale)
        self.per = self.d if model == "VVI" else self.d * (self.d + 1) // 2
        self.factors = 1 if model == "EEE" else count
        self.nus = {"fixed": 0, "common": 1, "each": count}[freedom]
        self.gaussian = set()

    def coordinates(self, shares, means, covariances, nu):
        """Of a start given in the scaled columns."""
        flat = list(np.log(shares[:-1] / shares[-1])) + list(np.ravel(means))
        for c in covariances[: self.factors]:
            if self.model == "VVI":
                flat += list(np.log(np.diag(c)))
            else:
                factor = np.linalg.cholesky(c)
                flat += [np.log(factor[i, i]) if i == j else factor[i, j] for i in range(self.d) for j in range(i + 1)]
        return np.array(flat + [np.log(nu)] * (self.nus - len(self.gaussian)))

    def parts(self, theta, lib):
        """Log weights, means, lower factors and degrees of freedom; 'lib' has exp, log and sqrt."""
        k, d = self.k, self.d
        ratios = [theta[i] for i in range(k - 1)] + [0 * theta[0]]
        whole = lib.log(sum(lib.exp(r) for r in ratios))
        at = k - 1
        means = [[theta[at + j * d + i] for i in range(d)] for j in range(k)]
        at += k * d
        factors = []
        for _ in range(self.factors):
            own = theta[at : at + self.per]
            if self.model == "VVI":
                factors.append([[lib.exp(own[i] / 2) if i == j else 0 for j in range(i + 1)] for i in range(d)])
            else:
                entries = iter(own)
                lower = [[next(entries) for _ in range(i + 1)] for i in range(d)]
                factors.append([row[:-1] + [lib.exp(row[-1])] for row in lower])
            at += self.per
        factors *= k // self.factors
        nus = [self.fixed] * k
        if self.nus:
            free = [lib.exp(t) for t in theta[at:]] * (k // self.nus)
            nus = [None if j in self.gaussian else free.pop(0) for j in range(k)]
        return [r - whole for r in ratios], means, factors, nus

    def plain(self, theta):
        """In doubles or complex numbers."""
        logs, means, factors, nus = self.parts(theta, np)
        d, joint = self.d, []
        for log_share, mean, factor, nu in zip(logs, means, factors, nus):
            white = []
            for i in range(d):
                rest = self.x[:, i] - mean[i] - sum(factor[i][j] * white[j] for j in range(i))
                white.append(rest / factor[i][i])
            far = sum(v * v for v in white)
            start = log_share - sum(np.log(factor[i][i]) for i in range(d))
            if nu is None:
                joint.append(start - d / 2 * np.log(2 * np.pi) - far / 2)
                continue
            start += loggamma((nu + d) / 2) - loggamma(nu / 2) - d / 2 * np.log(nu * np.pi)
            joint.append(start - (nu + d) / 2 * np.log(1 + far / nu))
        joint = np.array(joint)
        top = joint.real.max(0)
        return self.w @ (top + np.log(np.exp(joint - top).sum(0)))

    def precise(self, theta):
        """With the digits of mpmath."""
        logs, means, factors, nus = self.parts(theta, mp)
        d, total = self.d, mpf(0)
        starts = []
        for log_share, factor, nu in zip(logs, factors, nus):
            if nu is None:
                start = -mpf(d) / 2 * mp.log(2 * mp.pi)
            else:
                nu = mpf(nu)
                start = mp.loggamma((nu + d) / 2) - mp.loggamma(nu / 2) - mpf(d) / 2 * mp.log(nu * mp.pi)
            starts.append(log_share + start - mp.fsum(mp.log(factor[i][i]) for i in range(d)))
        for row, weight in zip(self.exact, self.w):
            density = mpf(0)
            for start, mean, factor, nu in zip(starts, means, factors, nus):
                white = []
                for i in range(d):
                    rest = row[i] - mean[i]
                    for j in range(i):
                        rest -= factor[i][j] * white[j]
                    white.append(rest / factor[i][i])
                far = mp.fdot(white, white)
                density += mp.exp(start - (far / 2 if nu is None else (nu + d) / mpf(2) * mp.log(1 + far / nu)))
            total += mpf(weight) * mp.log(density)
        return total + self.jacobian

    def gradient(self, theta):
        steps = np.eye(len(theta)) * 1e-30j
        return np.array([self.plain(theta + step).imag for step in steps]) / 1e-30

    def hessian(self, theta):
        h = 1e-5
        rows = [(self.gradient(theta + h * e) - self.gradient(theta - h * e)) / (2 * h) for e in np.eye(len(theta))]
        return (np.array(rows) + np.array(rows).T) / 2

    def precise_gradient(self, theta):
        h, found = mpf("1e-13"), []
        for i in range(len(theta)):
            ahead, back = list(theta), list(theta)
            ahead[i] += h
            back[i] -= h
            found.append((self.precise(ahead) - self.precise(back)) / (2 * h))
        return found

    def climb(self, theta, count):
        """BFGS in the first coordinates."""
        rest = theta[count:]
        found = minimize(lambda t: -self.plain(np.append(t, rest)), theta[:count], method="BFGS",
                         jac=lambda t: -self.gradient(np.append(t, rest))[:count],
                         options={"gtol": 1e-7, "maxiter": 5000})
        return np.append(found.x, rest)

    def maximise(self, theta):
        """The maximum as mpmath numbers, and the largest component of the gradient there."""
        if self.nus and not self.gaussian:
            # with the degrees of freedom as they are first: a long first step would carry them away
            theta = self.climb(theta, len(theta) - self.nus)
        theta = self.climb(theta, len(theta))
        if self.nus and not self.gaussian and theta[-self.nus :].max() > np.log(1e4):
            assert self.nus == self.k
            nus = theta[-self.nus :]
            self.gaussian = {j for j in range(self.k) if nus[j] > np.log(1e4)}
            kept = [t for j, t in enumerate(nus) if j not in self.gaussian]
            precise, size = self.maximise(np.append(theta[: -self.nus], kept))
            self.assert_falls_inwards(precise)
            return precise, size
        for _ in range(4):
            hessian = self.hessian(theta)
            theta = theta - np.linalg.solve(hessian, self.gradient(theta))
        assert np.linalg.eigvalsh(hessian).max() < 0
        inverse = mp.matrix(np.linalg.inv(hessian).tolist())
        precise = [mpf(v) for v in theta]
        for _ in range(12):
            gradient = self.precise_gradient(precise)
            size = max(abs(g) for g in gradient)
            if size < mpf("1e-20"):
                return precise, size
            precise = list(mp.matrix(precise) - inverse * mp.matrix(gradient))
        raise ArithmeticError(f"gradient {size}")

    def assert_falls_inwards(self, theta):
        """From the limit, finite degrees of freedom lose likelihood at first order in 1/nu, each by itself."""
        value, limits = self.precise(theta), self.gaussian
        kept = iter(theta[len(theta) - self.nus + len(limits) :])
        logs = {j: next(kept) for j in range(self.k) if j not in limits}
        base = theta[: len(theta) - len(logs)]
        for one in limits:
            self.gaussian = limits - {one}
            free = {**logs, one: mp.log(mpf(10) ** 8)}
            assert self.precise(base + [free[j] for j in sorted(free)]) < value - mpf("1e-12"), one
        self.gaussian = limits

    def parameters(self, theta):
        """Weights, means, scale matrices and degrees of freedom in the raw columns."""
        logs, means, factors, nus = self.parts(theta, mp)
        d = self.d
        means = [[v * s + c for v, s, c in zip(mean, self.scale, self.centre)] for mean in means]
        scales = []
        for factor in factors:
            raw = [[s * v for v in row] for s, row in zip(self.scale, factor)]
            full = [row + [0] * (d - len(row)) for row in raw]
            scales.append([[mp.fdot(a, b) for b in full] for a in full])
        return [mp.exp(v) for v in logs], means, scales, [None if v is None else mpf(v) for v in nus]


def digits(x):
    if isinstance(x, (list, tuple)):
        return [digits(v) for v in x]
    return None if x is None else "#" + mp.nstr(x, DIGITS)


def case(name, data, rows, labels, model, freedom, weights=None):
    began = time.monotonic()
    labels = np.array(labels)
    classes = sorted(set(labels.tolist()))
    counts = [1] * len(rows) if weights is None else weights
    fixed = 4 if freedom == "fixed" else None
    target = Likelihood(rows, counts, len(classes), model, freedom, fixed)
    w, shares, means, spreads = np.array(counts, float), [], [], []
    for c in classes:
        own = labels == c
        mean = w[own] @ target.x[own] / w[own].sum()
        centred = target.x[own] - mean
        shares.append(w[own].sum() / w.sum())
        means.append(mean)
        spreads.append(centred.T @ (centred * w[own][:, None]) / w[own].sum())
    if model == "EEE":
        spreads = [np.tensordot(shares, spreads, 1)] * len(classes)
    start = target.coordinates(np.array(shares), means, spreads, 10.0)
    at_start = target.precise([mpf(v) for v in start])
    found, size = target.maximise(start)
    shares, means, scales, nus = target.parameters(found)
    value = target.precise(found)
    print(f"{name:50} {mp.nstr(value, 16)} nu {[v and mp.nstr(v, 6) for v in nus]} gradient {mp.nstr(size, 2)} "
          f"{time.monotonic() - began:.0f} s", flush=True)
    return {
        "name": name,
        "data": data,
        "model": model,
        "freedom": freedom,
        "components": len(classes),
        "start": "labels" if len(classes) > 1 else "one component",
        "weights": weights,
        "tolerance": 1e-12,
        "parameter_tolerance": 1e-6,
        "parameters": len(start),
        "gradient": float(mp.nstr(size, 2)),
        "at_start": digits(at_start),
        "log_likelihood": digits(value),
        "component_weights": digits(shares),
        "means": digits(means),
        "scales": digits(scales),
        "degrees_of_freedom": digits(nus),
    }


def main(folder, out):
    rows, labels = tails()
    texts = [[f"{v:.3f}" for v in row] for row in rows]
    drawn = {"rows": rows.tolist(), "labels": labels.tolist()}
    alone = {"rows": rows.tolist(), "labels": ["all"] * len(rows)}
    freedoms = ("fixed", "common", "each")
    plans = [("tails", drawn, texts, labels, m, f) for m in FAMILIES for f in freedoms]
    faithful, parts = golden_file.read_text(folder, "faithful-split")
    name = "faithful-split"
    plans += [(name, name, faithful, parts, m, f) for m in FAMILIES for f in freedoms]
    iris, species = golden_file.read_text(folder, "iris")
    plans += [("iris", "iris", iris, species, m, f) for m, f in (("VVV", "fixed"), ("EEE", "fixed"), ("EEE", "common"))]
    for name in ("setosa", "versicolor", "virginica"):
        own = [row for row, label in zip(iris, species) if label == name]
        given = {"rows": [[float(v) for v in row] for row in own], "labels": ["all"] * len(own)}
        plans += [(name, given, own, ["all"] * len(own), "VVV", f) for f in ("fixed", "each")]
    plans.append(("tails as one", alone, texts, ["all"] * len(texts), "VVV", "fixed"))
    cases = [case(f"{p[0]} {p[4]} {p[5]}", *p[1:]) for p in plans]
    weights = [i % 3 + 1 for i in range(len(rows))]
    cases.append(case("tails VVV each, weights", drawn, texts, labels, "VVV", "each", weights))
    golden_file.write(out, "exact_student.json", TOOL, SCRIPT, NOTE, cases)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
