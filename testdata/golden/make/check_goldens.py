"""Holds every golden file against a second computation and prints how far apart they are.

Usage, from the repository root:
    python testdata/golden/make/check_goldens.py crates/gaussbayes-io/data testdata/golden

Answers of scikit-learn and R are compared with exact fractions and 50 digits; the exact ones with plain double
precision (Cholesky on centred rows); families, predictive and debiased posteriors, axes and automatic shrinkage with
second_answers.py, product densities and logistic regression with second_product.py. Error probabilities and boundaries had their second way when the file was made; it is printed, and
rules and forms are simulated here. The last column is the largest |a-b|/(1+|b|); it must stay below the tolerance of
the case. 'margin' is the smallest gap between the two largest log posteriors of a row: where it is
far above rounding, error counts are beyond doubt.
"""

import glob
import json
import os
import sys
from fractions import Fraction as F

import numpy as np
from scipy.linalg import solve_triangular
from scipy.special import logsumexp

import exact_arithmetic as exact
import golden_file
import second_answers
import second_between
import second_em
import second_product
import second_judging
import second_risk
import second_softmax
import second_tails

MIXTURES = second_em.BY_KEY | second_between.BY_KEY | second_softmax.BY_KEY
SPEC = ("model", "ddof", "pooling", "priors", "shrinkage", "shrink_to")


def data_of(case, folder):
    if isinstance(case["data"], dict):
        return [[F(v) for v in row] for row in case["data"]["rows"]], case["data"]["labels"]
    texts, labels = golden_file.read_text(folder, case["data"])
    return [[F(v) for v in line] for line in texts], labels


def distance(got, wanted):
    got, wanted = np.asarray(got, float), np.asarray(wanted, float)
    assert got.shape == wanted.shape, (got.shape, wanted.shape)
    assert np.isfinite(got).all()
    return float(np.max(np.abs(got - wanted) / (1 + np.abs(wanted)), initial=0))


def margin(answers):
    gaps = [np.diff(sorted(map(float, a["log_posterior"]))[-2:]) for a in answers]
    return float(np.min(gaps)) if len(answers[0]["posterior"]) > 1 else np.inf


def exact_answers(case, rows, labels):
    """What the other tools should have found, for all rows."""
    spec = {key: case[key] for key in SPEC}
    classes = sorted(set(labels))
    assert classes == case["classes"]
    weights = [F(1)] * len(rows) if case["weights"] is None else [F(str(w)) for w in case["weights"]]
    model = exact.fit(exact.class_moments(rows, labels, weights, classes), spec)
    answers = [model.answer(row) for row in rows]
    covariances = exact.doubles(model.covariances)
    wanted = {
        "means": exact.doubles(model.means),
        "covariances": covariances if np.ndim(case.get("covariances")) == 3 else covariances[0],
        "posterior": exact.doubles([a["posterior"] for a in answers]),
        "log_evidence": exact.doubles([a["log_evidence"] for a in answers]),
        "error_rows": [i for i, (a, y) in enumerate(zip(answers, labels), 1) if classes[a["choice"]] != y],
    }
    smallest = margin(answers)
    if "loo_priors" in case:
        out = exact.leave_one_out(rows, labels, weights, classes, spec, case["loo_priors"])
        wanted["loo_posterior"] = exact.doubles([a["posterior"] for a in out])
        wanted["loo_labels"] = [classes[a["choice"]] for a in out]
        wanted["loo_error_rows"] = [i for i, (c, y) in enumerate(zip(wanted["loo_labels"], labels), 1) if c != y]
        smallest = min(smallest, margin(out))
    return wanted, smallest


def double_fit(x, y, weights, spec, classes):
    """The same estimates in plain double precision."""
    x = x - x[0]
    total = np.array([weights[y == k].sum() for k in classes])
    priors = {"observed": total / total.sum(), "uniform": np.full(len(total), 1 / len(total))}
    prior = priors.get(str(spec["priors"]), spec["priors"])
    means = np.array([weights[y == k] @ x[y == k] for k in classes]) / total[:, None]
    nu = total - spec["ddof"]
    each = []
    for k, mean, divisor in zip(classes, means, nu):
        centred = (x[y == k] - mean) * np.sqrt(weights[y == k] / divisor)[:, None]
        each.append(centred.T @ centred)
    share = {"size": nu / nu.sum(), "average": np.full(len(nu), 1 / len(nu)), "priors": prior}[spec["pooling"]]
    pooled = np.tensordot(share, each, 1)
    eye = np.eye(x.shape[1])
    shape = {
        "qda": lambda m: m,
        "lda": lambda m: m,
        "naive-bayes": lambda m: m * eye,
        "diag-lda": lambda m: m * eye,
        "VII": lambda m: np.trace(m) / len(m) * eye,
        "EII": lambda m: np.trace(m) / len(m) * eye,
        "nearest-mean": lambda m: eye,
    }[spec["model"]]
    shared = spec["model"] in exact.SHARED or spec["model"] == "nearest-mean"
    covariances = [shape(pooled if shared else m) for m in each]
    if spec["shrinkage"] is not None:
        s = spec["shrinkage"]
        target = {
            "spherical": lambda m: np.trace(m) / len(m) * eye,
            "diagonal": lambda m: m * eye,
            "shared": lambda m: shape(pooled),
        }[spec["shrink_to"]]
        covariances = [(1 - s) * m + s * target(m) for m in covariances]
    return means, np.array(covariances), prior


def double_answers(means, covariances, prior, queries):
    distances, joint = [], []
    for mean, covariance, p in zip(means, covariances, prior):
        scale = np.sqrt(np.diag(covariance))
        factor = np.linalg.cholesky(covariance / scale[:, None] / scale)
        white = solve_triangular(factor, ((queries - mean) / scale).T, lower=True)
        distances.append((white**2).sum(0))
        log_det = 2 * (np.log(np.diag(factor)) + np.log(scale)).sum()
        joint.append(np.log(p) - (len(mean) * np.log(2 * np.pi) + log_det + distances[-1]) / 2)
    joint = np.array(joint).T
    evidence = logsumexp(joint, axis=1)
    log_posterior = joint - evidence[:, None]
    return {
        "mahalanobis_sq": np.array(distances).T,
        "log_evidence": evidence,
        "log_posterior": log_posterior,
        "posterior": np.exp(log_posterior),
    }


def check_exact(case, folder):
    if "parameters" in case:
        given = case["parameters"]
        wanted = double_answers(
            np.array(given["means"]), np.array(given["covariances"]), given["priors"], np.array(case["query"])
        )
        return max(distance(value, case[key]) for key, value in wanted.items())
    if "singular" in case:
        return 0.0
    rows, labels = data_of(case, folder)
    x, y = np.array(rows, float), np.array(labels)
    weights = np.ones(len(y)) if case["weights"] is None else np.array(case["weights"], float)
    means, covariances, prior = double_fit(x, y, weights, case, case["classes"])
    far = distance(means + x[0], case["means"])
    far = max(far, distance(covariances if np.ndim(case["covariances"]) == 3 else covariances[0], case["covariances"]))
    wanted = double_answers(means, covariances, prior, x - x[0])
    wrong = np.flatnonzero(np.array(case["classes"])[wanted["posterior"].argmax(1)] != y) + 1
    assert wrong.tolist() == case["error_rows"] and len(wrong) == case["errors"]
    chosen = np.array(case["rows"]) - 1
    far = max([far] + [distance(value[chosen], case[key]) for key, value in wanted.items()])
    if "loo_labels" in case:
        every = np.arange(len(y))
        loo = []
        for i in every:
            kept = every != i
            means, covariances, prior = double_fit(
                np.vstack([x[:1], x[kept]]), np.append("", y[kept]), np.append(0, weights[kept]), case, case["classes"]
            )
            loo.append(double_answers(means, covariances, prior, x[i : i + 1] - x[0])["posterior"][0])
        far = max(far, distance(np.array(loo)[chosen], case["loo_posterior"]))
        labels = np.array(case["classes"])[np.argmax(loo, 1)]
        assert labels.tolist() == case["loo_labels"]
        assert (np.flatnonzero(labels != y) + 1).tolist() == case["loo_error_rows"]
    return far


def check_second(case, folder, answer):
    rows, labels = data_of(case, folder)
    far = 0.0
    for key, value in answer(case, np.array(rows, float), np.array(labels)).items():
        if key in ("labels", "errors"):
            assert value == case[key], (case["name"], key)
        elif key in ("canonical", "linear"):
            far = max([far] + [distance(part, case[key][name]) for name, part in value.items()])
        elif key in case:
            far = max(far, distance(value, case[key]))
    return far


def main(folder, out):
    for path in sorted(glob.glob(os.path.join(out, "*.json"))):
        with open(path) as file:
            cases = json.load(file)["cases"]
        for case in cases:
            smallest = None
            answer = next((f for key, f in second_answers.BY_KEY.items() if key in case), None)
            mixture = next((f for key, f in MIXTURES.items() if key in case), None)
            product = next((f for key, f in second_product.BY_KEY.items() if key in case), None)
            limit = case["tolerance"]
            if product is not None and mixture is None:
                far = product(case, folder)
            elif mixture is not None:
                rows, labels = data_of(case, folder)
                far = mixture(case, np.array(rows, float), np.array(labels))
            elif "asks" in case:
                # scipy's normal tail is off by 1e-13 at 37, more than our own tolerance
                far, limit = second_risk.check(case), 1e-12
            elif os.path.basename(path).endswith("_judging.json"):
                second = next((f for key, f in second_judging.BY_KEY.items() if key in case), None)
                far = second_judging.posteriors(case, *data_of(case, folder)) if second is None else second(case)
            elif answer is not None:
                far = check_second(case, folder, answer)
            elif os.path.basename(path) == "exact_tails.json":
                far = second_tails.distance(case)
            elif os.path.basename(path).startswith("exact_"):
                far = check_exact(case, folder)
            else:
                rows, labels = data_of(case, folder)
                wanted, smallest = exact_answers(case, rows, labels)
                far = 0.0
                for key, value in wanted.items():
                    if key not in case:
                        continue
                    if key.endswith("labels") or key.endswith("rows"):
                        assert value == case[key], (case["name"], key)
                    else:
                        far = max(far, distance(case[key], value))
                for count in ("errors", "loo_errors"):
                    if count in case:
                        assert case[count] == len(case[count[:-1] + "_rows"])
            words = "" if smallest is None else f"margin {smallest:.1e}"
            print(f"{os.path.basename(path):32} {case['name']:58} {words:15} {case['tolerance']:.0e} {far:.1e}")
            assert far <= limit


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
