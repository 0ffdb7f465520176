"""Writes sklearn_softmax.json: LogisticRegression of scikit-learn, as far as its solvers go.

Usage, from the repository root:
    python testdata/golden/make/sklearn_softmax_goldens.py crates/gaussbayes-io/data testdata/golden
"""

import sys

import numpy as np
import sklearn
from scipy.special import logsumexp
from sklearn.linear_model import LogisticRegression

import golden_file
import softmax_cases

SCRIPT = "sklearn_softmax_goldens.py"
TOOL = f"scikit-learn {sklearn.__version__}, numpy {np.__version__}"
NOTE = (
    "LogisticRegression(C=1/penalty, or inf, tol=1e-14, solver='newton-cholesky'). 'coefficients' K by d and "
    "'intercepts' sum to zero over the classes: of two classes they are half of scikit-learn's, with both signs. "
    "'loss' is sum of w (-ln posterior of the own class). Rows far from zero and columns of units far apart are left "
    "out: there it has no digits. |a-b| <= tolerance*(1+|b|), coefficients times the deviation of "
    "their column."
)


def both(coefficients, intercepts):
    if len(intercepts) == 1:
        return np.vstack([-coefficients[0], coefficients[0]]) / 2, np.array([-intercepts[0], intercepts[0]]) / 2
    return coefficients - coefficients.mean(0), intercepts - intercepts.mean()


def answer(name, data, rows, labels, weights, penalty):
    x, y = np.array(rows), np.array(labels)
    w = np.ones(len(rows)) if weights is None else np.array(weights)
    c = np.inf if penalty == 0 else 1 / penalty
    model = LogisticRegression(C=c, tol=1e-14, max_iter=1000, solver="newton-cholesky").fit(x, y, sample_weight=w)
    coefficients, intercepts = both(model.coef_, model.intercept_)
    scores = x @ coefficients.T + intercepts
    loss = w @ (logsumexp(scores, axis=1) - scores[np.arange(len(y)), np.searchsorted(model.classes_, y)])
    print(f"{name:45} {model.n_iter_[0]:3} steps, loss {loss:.12g}")
    return {
        "name": name,
        "data": data or {"rows": rows, "labels": labels},
        "weights": weights,
        "classes": model.classes_.tolist(),
        "penalty": penalty,
        "centred": True,
        "tolerance": 1e-10,
        "coefficients": coefficients.tolist(),
        "intercepts": intercepts.tolist(),
        "loss": loss,
    }


def main(folder, out):
    listed = [case for case in softmax_cases.cases(folder) if "far" not in case[0] and "apart" not in case[0]]
    golden_file.write(out, "sklearn_softmax.json", TOOL, SCRIPT, NOTE, [answer(*case) for case in listed])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
