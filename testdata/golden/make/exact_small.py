"""Answers small and hard data sets exactly: a far column, four and five points, iris at 1e9."""

from fractions import Fraction as F

import mpmath as mp

import golden_file
from exact_arithmetic import (
    class_moments,
    diagonal,
    double,
    doubles,
    estimate,
    real,
    resolve_priors,
    specification,
)
from exact_case import ROWS, data_case


def discriminant(case, inline, spec):
    """g_plus - g_minus of a linear rule, from exact fractions; the constant holds the log prior ratio."""
    rows, labels = inline
    classes = sorted(set(labels))
    moments = class_moments(rows, labels, [F(1)] * len(rows), classes)
    priors = resolve_priors(moments, spec["priors"])
    means, (covariance,) = estimate(moments, spec, priors)
    assert covariance == diagonal(covariance)
    minus, plus = means
    linear = [(p - m) / covariance[j][j] for j, (p, m) in enumerate(zip(plus, minus))]
    middle = sum(w * (p + m) / 2 for w, p, m in zip(linear, plus, minus))
    case["discriminant"] = {
        "classes": ["plus", "minus"],
        "linear": doubles(linear),
        "constant": double(mp.log(real(priors[1] / priors[0])) - real(middle)),
    }
    return case


def small_sets(folder):
    cases = []
    column = [[F(10**9 + v)] for v in (4, 7, 13, 16)]
    for ddof in (0, 1):
        cases.append(
            data_case(
                folder,
                f"1e9 + 4, 7, 13, 16, one class, ddof={ddof}",
                None,
                specification("qda", ddof),
                inline=(column, ["a"] * 4),
                rows_asked=[1, 2, 3, 4],
                tolerance=1e-14,
                loo=False,
            )
        )
    four = ([[F(-1), F(-1)], [F(-1), F(1)], [F(2), F(0)], [F(3), F(0)]], ["minus", "minus", "plus", "plus"])
    five = (four[0] + [[F(4), F(0)]], four[1] + ["plus"])
    for word, inline in (("four", four), ("five", five)):
        every = list(range(1, len(inline[0]) + 1))
        for model in ("qda", "naive-bayes"):
            rows, labels = inline
            moments = class_moments(rows, labels, [F(1)] * len(rows), ["minus", "plus"])
            spec = specification(model)
            _, covariances = estimate(moments, spec, resolve_priors(moments, "observed"))
            cases.append(
                {
                    "name": f"{word} points {model}: refused",
                    "data": {"rows": [[int(v) for v in row] for row in rows], "labels": labels},
                    **spec,
                    "weights": None,
                    "classes": ["minus", "plus"],
                    "tolerance": 1e-14,
                    "means": doubles([m.mean() for m in moments]),
                    "covariances": doubles(covariances),
                    "singular": [
                        {"class": "minus", "rank": 1, "features": [1]},
                        {"class": "plus", "rank": 1, "features": [2]},
                    ],
                }
            )
        for model, pooling, ddof in (
            ("lda", "size", 0),
            ("lda", "average", 0),
            ("lda", "size", 1),
            ("lda", "average", 1),
            ("diag-lda", "size", 0),
            ("EII", "size", 0),
            ("EII", "average", 0),
            ("nearest-mean", "size", 0),
        ):
            spec = specification(model, ddof, pooling, "uniform" if model == "nearest-mean" else "observed")
            case = data_case(
                folder,
                f"{word} points {model} ddof={ddof} pooling={pooling}",
                None,
                spec,
                inline=inline,
                rows_asked=every,
                tolerance=1e-13,
                loo=False,
            )
            cases.append(discriminant(case, inline, spec))
    texts, labels = golden_file.read_text(folder, "iris")
    far = ([[F(v) * 10 + 10**9 for v in line] for line in texts], labels)
    for model in ("lda", "qda", "naive-bayes", "EII"):
        cases.append(
            data_case(
                folder,
                f"iris in whole millimetres plus 1e9, {model}",
                None,
                specification(model),
                inline=far,
                rows_asked=ROWS["iris"],
                tolerance=1e-11,
                loo=False,
            )
        )
    return cases
