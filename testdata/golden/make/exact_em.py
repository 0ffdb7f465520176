"""Writes exact_em.json: EM of Gaussian mixtures run to its fixed point with 50 digits.

Usage, from the repository root:
    python testdata/golden/make/exact_em.py crates/gaussbayes-io/data testdata/golden
"""

import sys
import time

import mpmath
import numpy as np
from mpmath import mp, mpf

import exact_mixture as em
import golden_file
import second_em

SCRIPT = "exact_em.py"
TOOL = f"mpmath {mpmath.__version__}, 50 digits"
MODELS = ("EII", "VII", "EEI", "VEI", "EVI", "VVI", "EEE", "VEE", "EVE", "VVE", "EEV", "VEV", "EVV", "VVV")
DIGITS = 20
NOTE = (
    "EM from the labels of the data as memberships ('iris': the species; 'faithful-split': eruptions > 3; "
    "components in the order of the labels sorted by name), covariances divided by n, run to a fixed point. "
    "'log_likelihoods': the first five of the path, the first that of the parameters of the first M-step (from the "
    "labels), each after one more E-step and M-step; VEI, VEE and VEV have their inner iteration run until nothing "
    "moves by 1e-45. 'log_likelihood', 'component_weights', 'means', 'covariances' (one per component, also where "
    "they are equal): at the fixed point, 20 digits. It was approached in doubles, then with 50 digits and jumps "
    "along the slowest direction; the last nine steps are plain EM, change the log-likelihood by less than 1e-25, "
    "and the parameters are within 1e-22 of rest. 'rate': by how much, about, a step of plain EM shrinks the "
    "distance to rest in the end. EEV and VEV take each component's axes from mpmath's eigsy, sorted by variance; "
    "EVE and VVE find the common axes by rotations in planes, from a look all round (in doubles, random starts "
    "found one maximum only). 'weights': one per row, here (i mod 3) + 1 for row i counted from 0; the fit was "
    "repeated with every row repeated as often, with the same answer to 1e-30. The likelihood counts a row as "
    "often as its weight. A double-precision fit is held to 'tolerance' in the log-likelihood and to "
    "'parameter_tolerance' in the parameters, which EM reaches more slowly: |a-b| <= tolerance*(1+|b|)."
)


def near(rows, weights, z, model):
    """The fixed point in doubles, or as near as 30000 iterations come."""
    x, w = np.array(rows, float), np.array(weights, float)
    state = second_em.m_step(x, np.array(z, float), model)
    for _ in range(30000):
        before = state
        state = second_em.m_step(x, second_em.e_step(x, *state)[1] * w[:, None], model)
        if max(np.abs(a - b).max() for a, b in zip(state, before)) < 1e-11:
            break
    shares, means, covariances = state
    return (
        [mpf(v) for v in shares],
        [[mpf(v) for v in mean] for mean in means],
        [mp.matrix(c.tolist()) for c in covariances],
    )


def digits(x):
    return "#" + mp.nstr(x, DIGITS) if not isinstance(x, (list, tuple)) else [digits(v) for v in x]


def nested(matrix):
    return [[matrix[i, j] for j in range(matrix.cols)] for i in range(matrix.rows)]


def fit(rows, labels, weights, model):
    """The path, the fixed point and the rate; a list of equal labels makes one component."""
    classes = sorted(set(labels))
    z = [[w if label == k else mpf(0) for k in classes] for w, label in zip(weights, labels)]
    state, path = em.m_step(rows, z, model), []
    for _ in range(5):
        likelihood, state = em.step(rows, weights, state, model)
        path.append(likelihood)
    state, rate = em.settle(rows, weights, near(rows, weights, z, model), model)
    return path, em.e_step(rows, weights, state)[0], state, rate


def case(folder, data, model, weights=None, alone=False):
    began = time.monotonic()
    texts, labels = golden_file.read_text(folder, data)
    labels = ["all"] * len(labels) if alone else labels
    rows = [[mpf(v) for v in line] for line in texts]
    factors = [mpf(1)] * len(rows) if weights is None else [mpf(w) for w in weights]
    path, likelihood, state, rate = fit(rows, labels, factors, model)
    if weights is not None:
        again = [i for i, w in enumerate(weights) for _ in range(w)]
        repeated = [rows[i] for i in again], [labels[i] for i in again], [mpf(1)] * len(again)
        other = fit(*repeated, model)
        gaps = [abs(a - b) for a, b in zip(path + [likelihood], other[0] + [other[1]])]
        gaps += [abs(a - b) * mpf("1e-9") for a, b in zip(em.flat(state), em.flat(other[2]))]
        assert max(gaps) < mpf("1e-30"), max(gaps)
    shares, means, covariances = state
    words = "" if weights is None else ", weights"
    print(f"{data:15} {model} rate {float(rate):.6f} {time.monotonic() - began:6.1f} s", flush=True)
    return {
        "name": f"{data} {model} K={len(shares)}{words}",
        "data": data,
        "model": model,
        "components": len(shares),
        "start": "one component" if alone else "labels",
        "weights": weights,
        "tolerance": 1e-12,
        "parameter_tolerance": 1e-8,
        "rate": float(mp.nstr(rate, 2)),
        "log_likelihoods": digits(path),
        "log_likelihood": digits(likelihood),
        "component_weights": digits(shares),
        "means": digits(means),
        "covariances": digits([nested(c) for c in covariances]),
    }


def main(folder, out):
    cases = [case(folder, data, model) for data in ("iris", "faithful-split") for model in MODELS]
    cases += [case(folder, data, "VVV", alone=True) for data in ("iris", "faithful-split")]
    weights = [i % 3 + 1 for i in range(272)]
    cases += [case(folder, "faithful-split", model, weights) for model in ("VVV", "EEE", "VEI")]
    golden_file.write(out, "exact_em.json", TOOL, SCRIPT, NOTE, cases)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
