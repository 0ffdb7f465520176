"""Writes sklearn_*.json: answers of scikit-learn's LDA, QDA and GaussianNB on iris and wine.

Usage, from the repository root:
    python testdata/golden/make/sklearn_goldens.py crates/gaussbayes-io/data testdata/golden
"""

import sys

import numpy as np
import scipy
import sklearn
from scipy.special import logsumexp
from scipy.stats import multivariate_normal
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

import golden_file

SCRIPT = "sklearn_goldens.py"
TOOL = f"scikit-learn {sklearn.__version__}"
GIVEN = [0.2, 0.3, 0.5]
PRIORS = ("observed", "uniform", GIVEN)
TOLERANCE = {"iris": 1e-12, "wine": 1e-11}
NOTE = (
    "posterior, means, errors by scikit-learn; it divides by n (ddof 0). lda: solver svd where pooling is 'size' (svd "
    "pools by class size whatever the priors), solver lsqr where pooling is 'priors' and where there is shrinkage (float "
    "shrinkage is spherical). qda: solver svd, with shrinkage solver eigen (spherical, per class; checked here against "
    "(1-s)S + s tr(S)/d I). naive-bayes: var_smoothing 0, covariances written as diagonal matrices. Covariances: "
    "covariance_ (lda with solver svd: that of the fit with observed priors, for with other priors the attribute is not "
    f"the matrix the solver used) or var_. log_evidence by scipy {scipy.__version__} multivariate_normal.logpdf from these "
    "parameters. errors count training rows, unweighted; error_rows are 1-based. Means and covariances are left out where "
    "an earlier case has the same. tolerance is what scikit-learn reaches against 50-digit answers, with a margin: "
    "|a-b| <= tolerance*(1+|b|)."
)


def resolve(priors, classes):
    """What scikit-learn takes for a prior policy."""
    return {"observed": None, "uniform": [1 / len(classes)] * len(classes)}.get(str(priors), priors)


def log_evidence(x, means, covariances, priors):
    joint = [
        np.log(p) + multivariate_normal(m, c).logpdf(x) for m, c, p in zip(means, covariances, priors, strict=True)
    ]
    return logsumexp(joint, axis=0)


def case(data, model, x, y, fitted, covariances, priors, words="", parameters=True, **options):
    spec = {"ddof": 0, "pooling": "size", "priors": priors, "shrinkage": None, "shrink_to": None, "weights": None}
    spec.update(options)
    prior_word = priors if isinstance(priors, str) else ",".join(map(str, priors))
    shared = covariances.ndim == 2
    means = getattr(fitted, "means_", getattr(fitted, "theta_", None))
    used = getattr(fitted, "priors_", getattr(fitted, "class_prior_", None))
    each = [covariances] * len(means) if shared else covariances
    wrong = np.flatnonzero(fitted.predict(x) != y) + 1
    out = {"name": f"{data} {model} priors={prior_word}{words}", "data": data, "model": model, **spec}
    out["classes"] = fitted.classes_.tolist()
    out["tolerance"] = TOLERANCE[data]
    if parameters:
        out["means"] = means.tolist()
        out["covariances"] = covariances.tolist()
    out["posterior"] = fitted.predict_proba(x).tolist()
    out["log_evidence"] = log_evidence(x, means, each, used).tolist()
    out["errors"], out["error_rows"] = len(wrong), wrong.tolist()
    return out


def lda_cases(data, x, y):
    classes = np.unique(y)
    cases, pooled = [], None
    for priors in PRIORS:
        fitted = LinearDiscriminantAnalysis(priors=resolve(priors, classes), store_covariance=True).fit(x, y)
        pooled = fitted.covariance_ if pooled is None else pooled
        cases.append(case(data, "lda", x, y, fitted, pooled, priors, parameters=priors == "observed"))
    for priors in PRIORS[1:]:
        fitted = LinearDiscriminantAnalysis(solver="lsqr", priors=resolve(priors, classes)).fit(x, y)
        cases.append(case(data, "lda", x, y, fitted, fitted.covariance_, priors, " pooling=priors", pooling="priors"))
    fitted = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.3).fit(x, y)
    shrink = {"shrinkage": 0.3, "shrink_to": "spherical"}
    cases.append(case(data, "lda", x, y, fitted, fitted.covariance_, "observed", " shrinkage=0.3", **shrink))
    return cases


def qda_cases(data, x, y):
    classes = np.unique(y)
    cases = []
    for priors in PRIORS:
        fitted = QuadraticDiscriminantAnalysis(priors=resolve(priors, classes), store_covariance=True).fit(x, y)
        covariances = np.array(fitted.covariance_)
        cases.append(case(data, "qda", x, y, fitted, covariances, priors, parameters=priors == "observed"))
    fitted = QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=0.3, store_covariance=True).fit(x, y)
    covariances = np.array(fitted.covariance_)
    for name, covariance in zip(classes, covariances, strict=True):
        s = np.cov(x[y == name].T, bias=True)
        expected = 0.7 * s + 0.3 * np.trace(s) / len(s) * np.eye(len(s))
        np.testing.assert_allclose(covariance, expected, rtol=1e-12, atol=1e-15)
    shrink = {"shrinkage": 0.3, "shrink_to": "spherical"}
    cases.append(case(data, "qda", x, y, fitted, covariances, "observed", " shrinkage=0.3", **shrink))
    return cases


def naive_cases(data, x, y):
    classes = np.unique(y)
    cases = []
    for priors in PRIORS:
        fitted = GaussianNB(priors=resolve(priors, classes), var_smoothing=0).fit(x, y)
        covariances = np.array([np.diag(v) for v in fitted.var_])
        cases.append(case(data, "naive-bayes", x, y, fitted, covariances, priors, parameters=priors == "observed"))
    rng = np.random.default_rng(20)
    whole = rng.integers(0, 5, len(y))
    broken = np.round(rng.uniform(0.05, 2.0, len(y)), 3)
    for word, weights in (("whole", whole), ("fractions", broken)):
        fitted = GaussianNB(var_smoothing=0).fit(x, y, sample_weight=weights)
        covariances = np.array([np.diag(v) for v in fitted.var_])
        words = f" weights={word}"
        cases.append(
            case(data, "naive-bayes", x, y, fitted, covariances, "observed", words, weights=weights.tolist())
        )
    return cases


def main(folder, out):
    for data in ("iris", "wine"):
        texts, labels = golden_file.read_text(folder, data)
        x, y = np.array(texts, dtype=float), np.array(labels)
        for stem, make in (("lda", lda_cases), ("qda", qda_cases), ("naive_bayes", naive_cases)):
            golden_file.write(out, f"sklearn_{data}_{stem}.json", TOOL, SCRIPT, NOTE, make(data, x, y))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
