"""Writes sklearn_em.json: scikit-learn's GaussianMixture after 1, 2, 3, 5, 10 and 50 iterations.

Usage, from the repository root:
    python testdata/golden/make/sklearn_em_goldens.py crates/gaussbayes-io/data testdata/golden
"""

import sys
import warnings

import numpy as np
import sklearn
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

import golden_file
from second_answers import class_sums, family

SCRIPT = "sklearn_em_goldens.py"
TOOL = f"scikit-learn {sklearn.__version__}, numpy {np.__version__}"
TYPES = {"full": "VVV", "tied": "EEE", "diag": "VVI", "spherical": "VII"}
ITERATIONS = (1, 2, 3, 5, 10, 50)
TOLERANCE = 1e-11
NOTE = (
    "GaussianMixture(reg_covar=0, tol=0, max_iter=iterations) from weights_init, means_init and precisions_init, "
    "which are 'start' (precisions_init: numpy's inverse of its covariances). Starts: the shares, means and "
    "covariances (divided by n) of the labels of the data, sorted by name, in the shape of the type; of the "
    "overlapping rows three rows as means, equal weights, and the covariance of all rows in the shape of the type. "
    "'path': one entry per number of iterations. An iteration is an E-step and an M-step: weights, means and "
    "covariances are those after the last M-step, 'lower_bound' is lower_bound_, the mean log-likelihood of the "
    "rows in the last E-step, so that of the parameters before the last M-step; 'log_likelihood' is the sum of "
    "score_samples, that of the stored parameters. 'lower_bounds': lower_bounds_ of the longest run, whose first "
    "entry belongs to 'start'. Covariances are K by d by d for every type. model: full VVV, tied EEE, diag VVI, "
    "spherical VII. The overlapping rows: 200 draws of three Gaussians whose means lie about one standard "
    "deviation apart, numpy default_rng(33), rounded to three digits; their labels are all 'all'. |a-b| <= "
    "tolerance*(1+|b|)."
)


def overlapping():
    """Rows of three Gaussians that nobody can tell apart by eye, with three digits."""
    rng = np.random.default_rng(33)
    means = np.array([[0, 0, 0], [1.2, 0.4, -0.5], [-0.3, 1.1, 0.8]])
    turns = rng.normal(size=(3, 3, 3))
    factors = np.eye(3) * [0.9, 0.6, 1.2] + 0.2 * turns
    which = rng.choice(3, size=200, p=[0.5, 0.3, 0.2])
    rows = means[which] + np.einsum("nij,nj->ni", factors[which], rng.normal(size=(200, 3)))
    return np.round(rows, 3)


def start_of_labels(x, y, model):
    """Shares, means and covariances of the labels, by one M-step."""
    z = np.array([y == k for k in np.unique(y)], float).T
    total, means, scatter = class_sums(x, z)
    return total / len(x), means, family(model, total, scatter)


def start_of_rows(x, model):
    """Three rows as means, and the covariance of all rows."""
    total, _, scatter = class_sums(x, np.ones((len(x), 1)))
    return np.full(3, 1 / 3), x[[20, 100, 180]], np.repeat(family(model, total, scatter), 3, axis=0)


def in_type(kind, matrices):
    """K matrices as scikit-learn keeps them for a type."""
    return {
        "full": lambda: matrices,
        "tied": lambda: matrices[0],
        "diag": lambda: np.array([np.diag(m) for m in matrices]),
        "spherical": lambda: matrices[:, 0, 0],
    }[kind]()


def out_of_type(kind, kept, count, d):
    """K by d by d from what scikit-learn keeps."""
    return {
        "full": lambda: kept,
        "tied": lambda: np.repeat(kept[None], count, axis=0),
        "diag": lambda: np.array([np.diag(v) for v in kept]),
        "spherical": lambda: kept[:, None, None] * np.eye(d),
    }[kind]()


def case(name, data, x, kind, start):
    weights, means, covariances = start
    count, d = means.shape
    path, bounds = [], []
    for iterations in ITERATIONS:
        mixture = GaussianMixture(
            count,
            covariance_type=kind,
            tol=0,
            reg_covar=0,
            max_iter=iterations,
            weights_init=weights,
            means_init=means,
            precisions_init=in_type(kind, np.linalg.inv(covariances)),
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            mixture.fit(x)
        assert mixture.n_iter_ == iterations
        bounds = [float(b) for b in mixture.lower_bounds_]
        path.append(
            {
                "iterations": iterations,
                "lower_bound": float(mixture.lower_bound_),
                "log_likelihood": float(mixture.score_samples(x).sum()),
                "weights": mixture.weights_.tolist(),
                "means": mixture.means_.tolist(),
                "covariances": out_of_type(kind, mixture.covariances_, count, d).tolist(),
            }
        )
    return {
        "name": f"{name}, {kind}",
        "data": data,
        "model": TYPES[kind],
        "covariance_type": kind,
        "components": count,
        "weights": None,
        "tolerance": TOLERANCE,
        "start": {"weights": weights.tolist(), "means": means.tolist(), "covariances": covariances.tolist()},
        "lower_bounds": bounds,
        "path": path,
    }


def main(folder, out):
    cases = []
    for data in ("iris", "faithful-split"):
        texts, labels = golden_file.read_text(folder, data)
        x, y = np.array(texts, dtype=float), np.array(labels)
        for kind, model in TYPES.items():
            cases.append(case(data, data, x, kind, start_of_labels(x, y, model)))
    x = overlapping()
    data = {"rows": x.tolist(), "labels": ["all"] * len(x)}
    for kind, model in TYPES.items():
        cases.append(case("overlapping", data, x, kind, start_of_rows(x, model)))
    golden_file.write(out, "sklearn_em.json", TOOL, SCRIPT, NOTE, cases)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
