"""Answers the textbook examples, whose parameters are given, with 50 digits."""

from fractions import Fraction as F

import mpmath as mp

from exact_arithmetic import Density, Fit, double, doubles


def upper_tail(x):
    return mp.erfc(x / mp.sqrt(2)) / 2


def parameter_case(name, classes, means, covariances, priors, query, **more):
    """Decimal texts in, answers out; numbers of the query are taken as the doubles they are."""
    exact_means = [[F(v) for v in m] for m in means]
    exact_covariances = [[[F(v) for v in line] for line in m] for m in covariances]
    model = Fit(exact_means, exact_covariances, [F(p) for p in priors])
    answers = [model.answer([F(v) for v in row]) for row in query]
    case = {
        "name": name,
        "parameters": {
            "classes": classes,
            "means": doubles(exact_means),
            "covariances": doubles(exact_covariances),
            "priors": doubles([F(p) for p in priors]),
        },
        "query": query,
        "tolerance": 1e-13,
    }
    for key in ("posterior", "log_posterior", "log_evidence", "mahalanobis_sq"):
        case[key] = doubles([a[key] for a in answers])
    case["labels"] = [classes[a["choice"]] for a in answers]
    case.update(more)
    return case


def textbook():
    half = [F(1, 2), F(1, 2)]
    ln2 = mp.log(2)
    cases = []

    line = [[-1.0], [0.0], [0.15], [0.16], [0.25], [0.75], [1.0], [10.0], [40.0]]
    one = (["1", "2"], [["0"], ["1"]], [[["0.5"]], [["0.5"]]], half)
    error = upper_tail(1 / mp.sqrt(2))
    cases.append(
        parameter_case(
            "Theodoridis and Koutroumbas example 2.1, least error",
            *one,
            line,
            threshold=0.5,
            bayes_error={"total": double(error), "per_class": doubles([error, error])},
        )
    )
    cut = (1 - ln2) / 2
    first, second = upper_tail(cut * mp.sqrt(2)), upper_tail((1 - cut) * mp.sqrt(2))
    cases.append(
        parameter_case(
            "Theodoridis and Koutroumbas example 2.1, with losses",
            *one,
            line,
            loss=[[0.0, 0.5], [1.0, 0.0]],
            actions=["1" if x[0] < cut else "2" for x in line],
            threshold=double(cut),
            confusion=doubles([[1 - first, first], [second, 1 - second]]),
            average_risk=double(first / 4 + second / 2),
        )
    )

    plane = [["1.1", "0.3"], ["0.3", "1.9"]]
    gap = Density([[F(v) for v in row] for row in plane]).mahalanobis_sq([F(3), F(3)], [F(0), F(0)])
    error = upper_tail(mp.sqrt(gap) / 2)
    case = parameter_case(
        "Theodoridis and Koutroumbas example 2.2",
        ["1", "2"],
        [["0", "0"], ["3", "3"]],
        [plane, plane],
        half,
        [[1.0, 2.2], [0.0, 0.0], [2.0, 1.5], [3.0, -1.0]],
        bayes_error={"total": double(error), "per_class": doubles([error, error])},
    )
    case["euclid_sq"] = [doubles([sum((F(str(v)) - m) ** 2 for v in row) for m in (0, 3)]) for row in case["query"]]
    cases.append(case)

    # With u = x1 - 3 the squared distances are 2u^2 + (x2-6)^2/2 (ln det 0) and u^2/2 + (x2+2)^2/2 (ln det ln 4);
    # equal scores: 8 x2 = 16 + 3u^2/2 - ln 4.
    def boundary(x):
        u = x - 3
        return 2 + mp.mpf(3) * u * u / 16 - mp.log(4) / 8

    def density(x, variance):
        return mp.exp(-((x - 3) ** 2) / (2 * variance)) / mp.sqrt(2 * mp.pi * variance)

    pieces = list(range(-27, 34, 3))
    low = mp.quad(lambda x: density(x, mp.mpf(1) / 2) * upper_tail((6 - boundary(x)) / mp.sqrt(2)), pieces)
    high = mp.quad(lambda x: density(x, mp.mpf(2)) * upper_tail((boundary(x) + 2) / mp.sqrt(2)), pieces)
    cases.append(
        parameter_case(
            "Duda, Hart and Stork chapter 2 example 1",
            ["1", "2"],
            [["3", "6"], ["3", "-2"]],
            [[["0.5", "0"], ["0", "2"]], [["2", "0"], ["0", "2"]]],
            half,
            [[3.0, 1.75], [3.0, 1.9], [0.0, 3.5], [0.0, 3.6], [6.0, -2.0], [3.0, 6.0]],
            bayes_error={"total": double((low + high) / 2), "per_class": doubles([low, high])},
            boundary={
                "kind": "parabola",
                "x2_of_x1": doubles([2 + F(27, 16) - mp.log(4) / 8, F(-9, 8), F(3, 16)]),
            },
        )
    )
    error = upper_tail(mp.mpf(1) / 2)
    cases.append(
        parameter_case(
            "modem, N(0, 1) against N(1, 1)",
            ["0", "1"],
            [["0"], ["1"]],
            [[["1"]], [["1"]]],
            half,
            [[-3.0], [0.0], [0.25], [0.75], [4.0]],
            threshold=0.5,
            bayes_error={"total": double(error), "per_class": doubles([error, error])},
        )
    )
    wide = [["0"] * 4 for _ in range(4)]
    for i, size in enumerate(("1e-200", "1e-200", "1e200", "1e200")):
        wide[i][i] = size
    cases.append(
        parameter_case(
            "log-determinant 0 from variances 1e-200 and 1e200",
            ["a"],
            [["0"] * 4],
            [wide],
            [1],
            [[0.0, 0.0, 0.0, 0.0], [1e-100, -1e-100, 1e100, 2e100]],
        )
    )
    return cases
