"""Answers one case on data: fit, posteriors, training errors and leave-one-out, exactly."""

from fractions import Fraction as F

import golden_file
from exact_arithmetic import SHARED, class_moments, doubles, fit, leave_one_out

ROWS = {
    "iris": [1, 51, 71, 84, 107, 134, 150],
    "wine": [1, 26, 62, 74, 84, 131, 178],
    "faithful-split": [1, 2, 24, 100, 149, 265, 272],
}
TOLERANCE = {"iris": 1e-12, "wine": 1e-12, "faithful-split": 1e-12}


def data_case(folder, name, data, spec, weights=None, inline=None, rows_asked=None, tolerance=None, loo=True):
    """One case; `inline` is (rows, labels) as fractions and replaces the named data set."""
    if inline is None:
        texts, labels = golden_file.read_text(folder, data)
        rows = [[F(v) for v in line] for line in texts]
        origin = data
    else:
        rows, labels = inline
        origin = {"rows": [[float(v) if v.denominator > 1 else int(v) for v in row] for row in rows], "labels": labels}
    classes = sorted(set(labels))
    factors = [F(1)] * len(rows) if weights is None else [F(str(w)) for w in weights]
    moments = class_moments(rows, labels, factors, classes)
    model = fit(moments, spec)
    answers = [model.answer(row) for row in rows]
    wrong = [i for i, (a, label) in enumerate(zip(answers, labels), 1) if classes[a["choice"]] != label]
    asked = rows_asked or ROWS[data]
    covariances = doubles(model.covariances)
    case = {"name": name, "data": origin, **spec, "weights": weights, "classes": classes}
    case["tolerance"] = tolerance or TOLERANCE[data]
    case["means"] = doubles(model.means)
    shared = spec["model"] in SHARED or spec["model"] == "nearest-mean"
    case["covariances"] = covariances[0] if shared else covariances
    case["rows"] = asked
    for key in ("posterior", "log_posterior", "log_evidence", "mahalanobis_sq"):
        case[key] = doubles([answers[i - 1][key] for i in asked])
    case["errors"], case["error_rows"] = len(wrong), wrong
    if loo:
        out = leave_one_out(rows, labels, factors, classes, spec)
        chosen = [classes[a["choice"]] for a in out]
        missed = [i for i, (c, label) in enumerate(zip(chosen, labels), 1) if c != label]
        case["loo_priors"] = "refit"
        case["loo_posterior"] = doubles([out[i - 1]["posterior"] for i in asked])
        case["loo_labels"] = chosen
        case["loo_errors"], case["loo_error_rows"] = len(missed), missed
    return case
