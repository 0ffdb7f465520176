"""Writes exact_logistic.json: optima of logistic and softmax regression by Newton with 60 digits.

Usage, from the repository root:
    python testdata/golden/make/exact_logistic.py crates/gaussbayes-io/data testdata/golden

Least sum_i w_i loss_i + penalty/2 |coefficients|^2, loss_i = -ln p(own class of row i), intercepts
free. Two classes: one vector, the log odds of the second. More: one vector for each; the sum of the
vectors is 0 (with a penalty by itself), and so is that of the intercepts. Each optimum is approached
in doubles, then by Newton in mpmath until the gradient is below 1e-40 of the sum of its terms.
"""

import os
import subprocess
import sys
import tempfile
import warnings

import mpmath as mp
import numpy as np
import sklearn
from sklearn.linear_model import LogisticRegression

import golden_file

SCRIPT = "exact_logistic.py"
TOOL = f"mpmath {mp.__version__}, 60 digits; checked by scikit-learn {sklearn.__version__} and R's glm"
NAMES = ("a", "b", "c", "d")
PENALTIES = (0.0, 0.01, 1.0)
ROWS = 5
NOTE = (
    "Minimum of sum w_i loss_i + penalty/2 |coefficients|^2, loss_i = -ln p(own class), intercepts free. Two classes: "
    "'coefficients' 1 x d and 'intercepts' are the log odds of the second class; more: K x d, their columns and the "
    "intercepts sum to 0. 'sum_loss' is sum w_i loss_i, 'log_loss' that over the sum of the weights, 'objective' with "
    "the penalty; 'posterior' and 'log_posterior' of the first 5 rows. 'gradient': largest entry at the optimum, over "
    "the sum of the absolute terms it is made of. 'standard_errors': roots of the diagonal of the inverse of the "
    "unpenalised information, like coefficients, then like intercepts; two classes and penalty 0 only. 'separable': "
    "true and no answers where penalty 0 has its optimum at infinity. 'second': largest |a-b|/|b| over coefficients and "
    "intercepts of LogisticRegression(tol=1e-14, C=1/penalty) with two solvers and of R's glm (two classes, penalty 0), "
    "with the sum_loss of glm; 'excess', the objective of newton-cholesky less the optimum. It fails where units are very "
    "different (coefficients off by as much as they are, objective above), glm does not. tolerance is for losses and "
    "posteriors, relative to 1 + |b|; parameter_tolerance for coefficients and intercepts, relative to |b|, since "
    "units make them very different in size."
)


class Problem:
    """Rows with a 1 in front, own classes, weights; K vectors of which the first is 0 if K is 2."""

    def __init__(self, rows, own, weights, penalty):
        self.x = [[mp.mpf(1)] + [mp.mpf(v) for v in row] for row in rows]
        self.own, self.w = own, [mp.mpf(v) for v in weights]
        self.penalty, self.k = mp.mpf(penalty), max(own) + 1
        self.p = len(self.x[0])
        self.vectors = 1 if self.k == 2 else self.k

    def log_posterior(self, theta, row):
        scores = [mp.fsum(a * b for a, b in zip(line, row)) for line in theta]
        scores = [mp.mpf(0)] + scores if self.k == 2 else scores
        top = max(scores)
        evidence = top + mp.log(mp.fsum(mp.exp(s - top) for s in scores))
        return [s - evidence for s in scores]

    def sum_loss(self, theta):
        each = [self.log_posterior(theta, row)[k] for row, k in zip(self.x, self.own)]
        return -mp.fsum(w * v for w, v in zip(self.w, each))

    def square(self, theta):
        return mp.fsum(v * v for line in theta for v in line[1:])

    def derivatives(self, theta):
        """Gradient, the sum of the absolute values of its terms, and the Hessian without penalty."""
        size, first = self.vectors * self.p, self.k - self.vectors
        gradient, terms, hessian = [mp.mpf(0)] * size, [mp.mpf(0)] * size, mp.zeros(size)
        for row, own, w in zip(self.x, self.own, self.w):
            chance = [mp.exp(v) for v in self.log_posterior(theta, row)][first:]
            for k, c in enumerate(chance):
                off = c - (own == k + first)
                for j, v in enumerate(row):
                    gradient[k * self.p + j] += w * off * v
                    terms[k * self.p + j] += abs(w * off * v)
                for m in range(k + 1):
                    factor = w * (c - c * c if k == m else -c * chance[m])
                    for j, v in enumerate(row):
                        for i, u in enumerate(row):
                            hessian[k * self.p + j, m * self.p + i] += factor * v * u
        for a in range(size):
            for b in range(a):
                hessian[b, a] = hessian[a, b]
        for k, line in enumerate(theta):
            for j in range(1, self.p):
                gradient[k * self.p + j] += self.penalty * line[j]
                terms[k * self.p + j] += abs(self.penalty * line[j])
        return gradient, terms, hessian

    def newton(self, theta):
        """The optimum from a start near to it, and its largest relative gradient."""
        for _ in range(30):
            gradient, terms, information = self.derivatives(theta)
            off = max(abs(g) / t for g, t in zip(gradient, terms))
            if off < mp.mpf("1e-40"):
                return theta, off, information
            hessian = information.copy()
            for k in range(self.vectors):
                for j in range(self.p):
                    at = k * self.p + j
                    hessian[at, at] += self.penalty * (j > 0)
                    if self.vectors > 1:
                        # a step along "the same for all classes" changes no posterior
                        scale = information[j, j]
                        for m in range(self.vectors):
                            hessian[at, m * self.p + j] += scale
            step = mp.lu_solve(hessian, mp.matrix(gradient))
            theta = [[v - step[k * self.p + j] for j, v in enumerate(line)] for k, line in enumerate(theta)]
            if self.vectors > 1:
                mean = [mp.fsum(column) / self.vectors for column in zip(*theta)]
                theta = [[v - m for v, m in zip(line, mean)] for line in theta]
        raise ArithmeticError("no optimum")


def by_sklearn(x, y, weights, penalty, solver):
    """Intercepts and coefficients, one line per vector, sums 0 where there are more than two classes."""
    strength = np.inf if penalty == 0 else 1 / penalty
    model = LogisticRegression(C=strength, tol=1e-14, max_iter=100_000, solver=solver)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(x, y, sample_weight=weights)
    theta = np.column_stack([model.intercept_, model.coef_])
    return theta - theta.mean(0) if len(theta) > 1 else theta


def start(x, own, weights, penalty):
    """A damped Newton in doubles on standardised columns, turned back."""
    centre, scale = x.mean(0), x.std(0)
    z = np.column_stack([np.ones(len(x)), (x - centre) / scale])
    k, p = max(own) + 1, z.shape[1]
    hot = np.eye(k)[own]
    ridge = np.append(0.0, penalty / scale**2)
    theta = np.zeros((k, p))
    if k == 2:
        # two vectors +v/2 and -v/2 have half the squared length of their difference, so twice the ridge
        ridge = ridge * 2

    def objective(theta):
        scores = z @ theta.T
        top = scores.max(1, keepdims=True)
        logs = scores - top - np.log(np.exp(scores - top).sum(1, keepdims=True))
        return -(weights * (logs * hot).sum(1)).sum() + (ridge * theta**2).sum() / 2, np.exp(logs)

    for _ in range(200):
        value, chance = objective(theta)
        gradient = ((chance - hot) * weights[:, None]).T @ z + ridge * theta
        hessian = -np.einsum("i,ik,im,ij,il->kjml", weights, chance, chance, z, z)
        for a in range(k):
            hessian[a, :, a] += (z * (weights * chance[:, a])[:, None]).T @ z + np.diag(ridge)
        hessian = hessian.reshape(k * p, k * p)
        hessian += np.kron(np.ones((k, k)), np.eye(p)) * np.trace(hessian) / (k * p)
        step = np.linalg.solve(hessian, gradient.ravel()).reshape(k, p)
        size = 1.0
        while size > 1e-12 and objective(theta - size * step)[0] > value:
            size /= 2
        theta = theta - size * step
        if np.abs(step).max() < 1e-12:
            break
    theta = theta - theta.mean(0)
    theta[:, 1:] /= scale
    theta[:, 0] -= theta[:, 1:] @ centre
    return theta[1:] - theta[:1] if k == 2 else theta


def by_glm(x, own, weights):
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.csv")
        np.savetxt(path, np.column_stack([weights, own, x]), delimiter=",", fmt="%.17g")
        found = subprocess.run(
            ["Rscript", os.path.join(here, "logistic_glm.R"), path], capture_output=True, text=True, check=True
        )
    *numbers, version = found.stdout.split()
    return np.array([float(v) for v in numbers[:-1]])[None], float(numbers[-1]), "R " + version


def relative(got, wanted):
    return float(np.max(np.abs(got - wanted) / np.abs(wanted)))


def doubles(x):
    return [doubles(v) for v in x] if isinstance(x, list) else float(mp.nstr(x, 40))


def answered(name, data, rows, labels, weights, penalty):
    classes = sorted(set(labels))
    own = [classes.index(v) for v in labels]
    x, w = np.array(rows, float), np.ones(len(rows)) if weights is None else np.array(weights, float)
    problem = Problem(x.tolist(), own, w.tolist(), penalty)
    theta, off, information = problem.newton([[mp.mpf(float(v)) for v in line] for line in start(x, own, w, penalty)])
    found = np.array(doubles(theta))
    loss = problem.sum_loss(theta)
    logs = [problem.log_posterior(theta, row) for row in problem.x[:ROWS]]
    objective = loss + problem.penalty / 2 * problem.square(theta)
    theirs = by_sklearn(x, own, w, penalty, "newton-cholesky")
    second = {
        "newton-cholesky": relative(theirs, found),
        "lbfgs": relative(by_sklearn(x, own, w, penalty, "lbfgs"), found),
    }
    theirs = [[mp.mpf(v) for v in line] for line in theirs.tolist()]
    second["excess"] = float(problem.sum_loss(theirs) + problem.penalty / 2 * problem.square(theirs) - objective)
    assert second["excess"] > -1e-12
    case = {
        "name": name,
        "data": data,
        "weights": weights,
        "penalty": penalty,
        "classes": classes,
        "tolerance": 1e-12,
        "parameter_tolerance": 1e-9,
        "separable": False,
        "coefficients": [line[1:] for line in found.tolist()],
        "intercepts": [line[0] for line in found.tolist()],
        "sum_loss": doubles(loss),
        "log_loss": doubles(loss / mp.fsum(problem.w)),
        "objective": doubles(objective),
        "posterior": doubles([[mp.exp(v) for v in line] for line in logs]),
        "log_posterior": doubles(logs),
        "gradient": float(off),
    }
    if len(classes) == 2 and penalty == 0:
        glm, deviance, version = by_glm(x, own, w)
        second[f"glm of {version}"] = relative(glm, found)
        second["sum_loss of glm"] = abs(deviance / 2 - case["sum_loss"]) / case["sum_loss"]
        spread = mp.inverse(information)
        errors = doubles([mp.sqrt(spread[j, j]) for j in range(problem.p)])
        case["standard_errors"] = {"coefficients": [errors[1:]], "intercepts": errors[:1]}
    case["second"] = second
    print(f"{name:60} {float(off):.0e}", {key: f"{v:.0e}" for key, v in second.items()}, flush=True)
    return case


def drawn(seed, n, d, k, signal, weights=None, units=None):
    """Rows in eighths, labels by chance from a softmax of them; `units` per column, with an offset."""
    rng = np.random.default_rng(seed)
    x = np.round(8 * rng.normal(size=(n, d))) / 8
    scores = x @ rng.normal(size=(d, k)) * signal + rng.normal(size=k) / 2
    chance = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    labels = [NAMES[rng.choice(k, p=row)] for row in chance]
    if units is not None:
        x = x * units + np.array(units) * 16
    given = {
        None: None,
        "whole": [float(v) for v in rng.integers(1, 5, n)],
        "eighths": [int(v) / 8 for v in rng.integers(1, 25, n)],
    }[weights]
    assert len(set(labels)) == k
    return x.tolist(), labels, given


def separable(penalty):
    rows = [[0.0, 1.0], [1.0, 0.5], [1.5, 2.0], [2.0, 0.0], [5.0, 1.0], [6.0, 2.0], [6.5, 0.0], [8.0, 1.5]]
    labels = ["a"] * 4 + ["b"] * 4
    data = {"rows": rows, "labels": labels}
    name = f"separable, penalty {penalty:g}"
    if penalty > 0:
        return answered(name, data, rows, labels, None, penalty)
    case = {"name": name, "data": data, "weights": None, "penalty": 0.0, "classes": ["a", "b"]}
    return {**case, "tolerance": 1e-12, "parameter_tolerance": 1e-9, "separable": True}


def main(folder, out):
    cases = []
    tables = [
        ("n 40, d 2, K 2", drawn(1, 40, 2, 2, 1.0)),
        ("n 60, d 4, K 2, eighths", drawn(2, 60, 4, 2, 0.7, "eighths")),
        ("n 50, d 3, K 2, whole weights", drawn(3, 50, 3, 2, 0.7, "whole")),
        ("n 60, d 2, K 3", drawn(4, 60, 2, 3, 1.0)),
        ("n 70, d 3, K 3, eighths", drawn(5, 70, 3, 3, 0.7, "eighths")),
        ("n 80, d 2, K 4", drawn(6, 80, 2, 4, 0.8)),
        ("n 80, d 4, K 4, whole weights", drawn(7, 80, 4, 4, 0.5, "whole")),
        ("n 50, d 3, K 2, units 2^-4, 1, 2^4", drawn(10, 50, 3, 2, 0.7, None, [2.0**-4, 1.0, 2.0**4])),
        ("n 60, d 3, K 2, units 2^-10, 1, 2^20", drawn(8, 60, 3, 2, 0.7, None, [2.0**-10, 1.0, 2.0**20])),
        ("n 70, d 3, K 3, units 2^-10, 1, 2^20, eighths", drawn(9, 70, 3, 3, 0.7, "eighths", [2.0**-10, 1.0, 2.0**20])),
    ]
    for name, (rows, labels, weights) in tables:
        for penalty in PENALTIES:
            data = {"rows": rows, "labels": labels}
            cases.append(answered(f"{name}, penalty {penalty:g}", data, rows, labels, weights, penalty))
    cases += [separable(penalty) for penalty in PENALTIES]
    texts, labels = golden_file.read_text(folder, "iris")
    rows = [[float(v) for v in line] for line in texts]
    cases += [answered(f"iris, penalty {p:g}", "iris", rows, labels, None, p) for p in (0.01, 1.0)]
    pair = [(row, label) for row, label in zip(rows, labels) if label != "setosa"]
    rows, labels = [row for row, _ in pair], [label for _, label in pair]
    data = {"rows": rows, "labels": labels}
    cases.append(answered("iris without setosa, penalty 0", data, rows, labels, None, 0.0))
    golden_file.write(out, "exact_logistic.json", TOOL, SCRIPT, NOTE, cases)


if __name__ == "__main__":
    mp.mp.dps = 60
    main(sys.argv[1], sys.argv[2])
