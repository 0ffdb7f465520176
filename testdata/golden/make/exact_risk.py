"""Writes exact_risk.json: error probabilities, bounds, linear rules, forms, thresholds.

Usage, from the repository root:
    python testdata/golden/make/exact_risk.py crates/gaussbayes-io/data testdata/golden
"""

import multiprocessing
import sys

import mpmath as mp
import numpy as np

import exact_risk_more as more
import golden_file
from exact_rules import line_case, model, plane_case, shared_case, two_class_case

EVEN = [0.5, 0.5]
REJECT = [[0.0, 1.0, 0.2], [1.0, 0.0, 0.2]]


def eye(dim, size=1.0):
    return [[size * (i == j) for j in range(dim)] for i in range(dim)]


def dense(seed, dim, count):
    """Covariances with two decimals, and directions between means with one."""
    rng = np.random.default_rng(seed)
    out = []
    for _ in range(count):
        g = rng.normal(size=(dim, dim + 1))
        s = g @ g.T / (dim + 1) + np.eye(dim) * rng.uniform(0.3, 0.9)
        s = np.round(s, 2)
        assert np.linalg.eigvalsh(s).min() > 0.1
        out.append(((s + s.T) / 2).round(2).tolist())
    step = rng.normal(size=(count, dim))
    step /= np.linalg.norm(step, axis=1)[:, None]
    return out, step


def textbook():
    one = model([[0.0], [1.0]], [[[0.5]], [[0.5]]], EVEN)
    plane = [[1.1, 0.3], [0.3, 1.9]]
    dhs = model([[3.0, 6.0], [3.0, -2.0]], [[[0.5, 0.0], [0.0, 2.0]], eye(2, 2.0)], EVEN)
    pair = [[0.0, 0.0], [3.0, 3.0]]
    unit = [[[1.0]], [[1.0]]]
    return [
        two_class_case("T&K 2.1, least error", one),
        two_class_case("T&K 2.1, with losses", one, [[0.0, 0.5], [1.0, 0.0]]),
        two_class_case("T&K 2.2", model(pair, [plane, plane], EVEN)),
        two_class_case("DHS chapter 2 example 1", dhs),
        two_class_case("modem", model([[0.0], [1.0]], unit, EVEN)),
        two_class_case("shared, distance 2, prior .9", model([[0.0], [2.0]], unit, [0.9, 0.1])),
        two_class_case("shared, distance 74", model([[0.0], [74.0]], unit, EVEN)),
    ]


def unequal():
    """Dense pairs in 1 to 10 dimensions, from near to far."""
    cases = []
    for dim in (1, 2, 3, 5, 10):
        covs, step = dense(100 + dim, dim, 2)
        levels = [("near", 1.0, EVEN), ("near, .8", 1.0, [0.8, 0.2]), ("middle, .3", 6.0, [0.3, 0.7])]
        levels += [("far", 13.0, EVEN), ("very far, .9", 27.0, [0.9, 0.1])]
        for words, size, priors in levels:
            means = [[0.0] * dim, np.round(step[0] * size, 2).tolist()]
            cases.append(two_class_case(f"unequal, d = {dim}, {words}", model(means, covs, priors)))
    return cases


def nearly_equal():
    cases = []
    for h in (1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14, 1e-15, 0.0):
        for priors in (EVEN, [0.7, 0.3]):
            given = model([[0.0] * 3, [1.5, -0.5, 1.0]], [eye(3), eye(3, 1 + h)], priors)
            cases.append(two_class_case(f"nearly equal, h = {h:g}, prior {priors[0]}", given, h=h))
    return cases


def several():
    cases = []
    for dim in (2, 3, 5):
        (cov,), _ = dense(200 + dim, dim, 1)
        rng = np.random.default_rng(dim)
        means = np.round(rng.normal(size=(3, dim)) * 1.5, 1).tolist()
        for priors in ([0.25, 0.25, 0.5], [0.2, 0.7, 0.1]):
            given = model(means, [cov] * 3, priors)
            cases.append(shared_case(f"three shared, d = {dim}, priors {priors}", given))
    tilted = [[1.0, 0.3], [0.3, 2.0]]
    line = [[0.0, 0.0], [2.0, 1.0], [5.0, 2.5]]
    for priors in ([0.25, 0.25, 0.5], [0.495, 0.01, 0.495]):
        given = model(line, [tilted] * 3, priors)
        cases.append(shared_case(f"three shared on a line, priors {priors}", given))
    covs = [[[1.0, 0.2], [0.2, 0.5]], [[0.5, 0.0], [0.0, 2.0]], [[2.0, 0.5], [0.5, 1.0]]]
    covs.append([[0.3, -0.1], [-0.1, 0.2]])
    means = [[0.0, 0.0], [2.0, 1.0], [-1.0, 2.0], [0.5, -1.5]]
    for count, priors in ((3, [0.25, 0.5, 0.25]), (3, [0.1, 0.1, 0.8]), (4, [0.25] * 4)):
        given = model(means[:count], covs[:count], priors)
        cases.append(plane_case(f"{count} unequal in the plane, priors {priors}", given))
    given = model([[0.0, 0.0]] * 3, [eye(2), eye(2, 4.0), eye(2, 16.0)], [0.25, 0.25, 0.5])
    cases.append(plane_case("three concentric in the plane", given))
    covs, _ = dense(300, 2, 4)
    means = [[0.0, 0.0], [6.0, 1.0], [-1.0, 7.0], [5.0, 8.0]]
    given = model(means, covs, [0.4, 0.3, 0.2, 0.1])
    cases.append(plane_case("four unequal, well apart", given))
    return cases


def on_the_line():
    given = model([[0.0], [1.0], [-2.0]], [[[1.0]], [[4.0]], [[0.25]]], [0.25, 0.5, 0.25])
    other = model([[0.0], [3.0], [1.0]], [[[1.0]], [[0.5]], [[9.0]]], [0.5, 0.3, 0.2])
    general = [[0.0, 1.0, 2.0], [3.0, 0.0, 1.0], [1.0, 5.0, 0.5]]
    zero_one = [[float(i != j) for j in range(3)] for i in range(3)]
    reject = [row + [0.2] for row in zero_one]
    cases = []
    for words, m in (("first", given), ("second", other)):
        for name, loss in (("zero-one", zero_one), ("general", general), ("reject .2", reject)):
            cases.append(line_case(f"line, {words} three classes, {name}", m, loss))
    cases.append(line_case("line, general with reject", given, [row + [0.9] for row in general]))
    return cases


def with_reject():
    cases = []
    for dim in (1, 2, 3):
        covs, step = dense(400 + dim, dim, 2)
        means = [[0.0] * dim, np.round(step[0] * 2, 1).tolist()]
        given = model(means, covs, [0.6, 0.4])
        cases.append(two_class_case(f"reject at .2, d = {dim}", given, REJECT))
        cases.append(two_class_case(f"L11 not 0, d = {dim}", given, [[0.25, 2.0], [1.0, -0.5]]))
        wide = [[0.0, 4.0, 0.5], [1.0, 0.25, 0.5]]
        cases.append(two_class_case(f"reject and costs, d = {dim}", given, wide))
    always = model([[0.0], [1.0]], [[[1.0]], [[1.0]]], EVEN)
    never = two_class_case("reject never, cost .6", always, [[0.0, 1.0, 0.6], [1.0, 0.0, 0.6]])
    one = [[0.0, 1.0], [0.0, 1.0]]
    return cases + [never, two_class_case("the first action always", always, one)]


def other_truth():
    cases = []
    for dim in (2, 4):
        covs, step = dense(500 + dim, dim, 4)
        means = [[0.0] * dim, np.round(step[0] * 3, 1).tolist()]
        moved = [np.round(step[1] * 0.5, 1).tolist(), np.round(step[0] * 2.5 + step[2], 1).tolist()]
        rule, truth = model(means, covs[:2], EVEN), model(moved, covs[2:], [0.7, 0.3])
        cases.append(two_class_case(f"other truth, d = {dim}", rule, truth=truth))
        shared = model(means, [covs[0]] * 2, [0.4, 0.6])
        words = f"linear rule, unequal truth, d = {dim}"
        cases.append(two_class_case(words, shared, truth=truth))
        cases.append(two_class_case(f"other truth, reject, d = {dim}", rule, REJECT, truth))
    return cases


NOTE = """Inputs are the doubles printed. 'tolerance' is RELATIVE: |a-b| <= tolerance*|b|; 'second'
names the ways (first; second) and the relative distance found between them. asks 'risk': 'model' (means,
covariances, priors), 'loss' L[i][a] (action a where i is true; an action beyond the classes is reject),
'truth' null or the model that judges the rule; 'confusion' P(action | class), 'per_class' expected cost,
'total' their prior-weighted sum (priors of the truth), 'not_own' P(action is not the own class | class),
'log_ratio_thresholds' where ln(P1 p1/P2 p2) changes the action. 'thresholds' and 'region_actions' on the
line. Other asks: 'form', 'bounds', 'linear rule', 'neyman-pearson', 'minimax', see the README."""


def main(out):
    groups = [textbook, unequal, nearly_equal, several, on_the_line, with_reject, other_truth]
    groups += [more.bounds, more.linear_rules, more.forms, more.ratio_rules]
    with multiprocessing.Pool(2) as pool:
        parts = [pool.apply_async(group) for group in groups]
        cases = [case for part in parts for case in part.get()]
    tool = f"mpmath {mp.__version__} (50 digits; classes in the plane 30)"
    note = " ".join(NOTE.split())
    golden_file.write(out, "exact_risk.json", tool, "exact_risk.py", note, cases)


if __name__ == "__main__":
    main(sys.argv[2])
