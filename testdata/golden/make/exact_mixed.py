"""Writes exact_mixed.json: naive Bayes of numbers, counts, categories and a flag with missing cells.

Usage, from the repository root:
    python testdata/golden/make/exact_mixed.py crates/gaussbayes-io/data testdata/golden

w is the weight of a row; sums run over the rows of class k where the cell is present.
    prior     weight of the class over the weight of all rows
    number    Gaussian; mean and variance divided by the weight, the variance plus 1e-9 times the
              variance of all present values of that column over all classes
    flag      (ones + alpha) / (present + 2 alpha)
    category  (count + alpha) / (present + C alpha), C the categories that any class has
    count     (count_j + alpha) / (sum_j count_j + V alpha) of the V columns of the group
A missing cell adds nothing, in the fit and in a posterior; so does a category that no row had.
"""

import random
import sys
from fractions import Fraction as F

import mpmath as mp

import golden_file
from exact_arithmetic import double, doubles, real

SCRIPT = "exact_mixed.py"
TOOL = f"fractions; mpmath {mp.__version__}, 50 digits"
KINDS = ["number", "number", "count", "count", "count", "category", "category", "flag"]
NAMES = ["length", "width", "clicks", "views", "orders", "colour", "city", "paid"]
COLOURS, CITIES = ("blue", "green", "red"), ("Bern", "Kiel", "Lyon", "Oslo")
SHARE = F(1, 10**9)
TOLERANCE = 1e-12
NOTE = (
    "Columns by 'kinds'; the three counts are one multinomial group; null is a missing cell. Formulas are in the script: "
    "prior = weight share; Gaussian with variance divided by the weight, plus 1e-9 (the exact decimal) times the "
    "column's variance over all present values of all classes ('ridge'); flag, category and count smoothed by 'alpha'; "
    "C = categories seen in any class. Missing cells and categories never seen add nothing. 'fit' holds, per class: "
    "priors, means, variances (ridge included), count_log_prob, flag_prob, category_prob (in the order of 'categories'). "
    "'joint_log_prob' (without the multinomial coefficient), 'log_posterior', 'posterior', 'log_evidence' (the log-sum-exp "
    "of the joint) of the 10 'query' rows; 'row_posterior' and 'row_log_posterior' of the rows of the data. Sums are "
    "fractions, logarithms have 50 digits, each number is the nearest double. |a-b| <= tolerance*(1+|b|)."
)


def table():
    """60 rows of three classes, numbers in eighths, 24 of 480 cells missing."""
    rng = random.Random(20031)
    rows, labels = [], []
    for i in range(60):
        k = (0, 1, 2, 1, 2, 2)[i % 6]
        labels.append(("early", "late", "never")[k])
        rows.append(
            [
                round(8 * rng.gauss((2, 5, 4)[k], (1, 1.5, 0.5)[k])) / 8,
                round(8 * rng.gauss((-30, -30, 40)[k], (20, 8, 12)[k])) / 8,
                rng.choice((0, 0, 1, 2, 5)) + (k == 0),
                rng.choice((0, 1, 1, 3)) + 2 * (k == 1),
                rng.choice((0, 0, 0, 1)) + (k == 2),
                rng.choice(((0, 0, 1, 2), (1, 1, 2), (0, 2, 2, 2))[k]),
                rng.choice(((0, 1, 2), (0, 1, 2), (1, 2, 2, 3))[k]),
                int(rng.random() < (0.8, 0.5, 0.2)[k]),
            ]
        )
    for row in rows:
        row[5], row[6] = COLOURS[row[5]], CITIES[row[6]]
    for cell in rng.sample(range(480), 24):
        rows[cell // 8][cell % 8] = None
    weights = [rng.randint(1, 24) / 8 for _ in rows]
    return rows, labels, weights


QUERY = [
    [2.125, -30.0, 1, 0, 0, "blue", "Kiel", 1],
    [5.0, -28.5, 0, 4, 0, "green", "Bern", 0],
    [4.0, 41.25, 0, 0, 2, "red", "Oslo", 0],
    [3.5, 5.0, 2, 2, 1, "red", "Lyon", 1],
    [None, -12.75, 3, 1, 0, "blue", None, 1],
    [4.25, None, None, 2, 1, None, "Lyon", None],
    [3.0, 0.0, 1, 1, 0, "violet", "Kiel", 0],
    [None, None, None, None, None, None, None, None],
    [12.0, 300.0, 0, 0, 0, "green", "Oslo", 1],
    [2.5, -60.125, 40, 25, 9, "violet", None, None],
]


def present(rows, weights, j):
    return [(row[j], w) for row, w in zip(rows, weights) if row[j] is not None]


def moments(cells):
    """Mean and variance, divided by the weight."""
    total = sum(w for _, w in cells)
    mean = sum(w * F(v) for v, w in cells) / total
    return mean, sum(w * (F(v) - mean) ** 2 for v, w in cells) / total


def normal(x, mean, variance):
    z = real((F(x) - mean) ** 2 / variance)
    return -(mp.log(2 * mp.pi) + mp.log(real(variance)) + z) / 2


class Fit:
    """Parameters as fractions; one entry per class, within it one per column."""

    def __init__(self, rows, labels, weights, alpha):
        weights, alpha = [F(w) for w in weights], F(alpha)
        self.classes = sorted(set(labels))
        at = {kind: [j for j, k in enumerate(KINDS) if k == kind] for kind in set(KINDS)}
        self.at = at
        self.categories = [sorted({v for v, _ in present(rows, weights, j)}) for j in at["category"]]
        self.ridge = [SHARE * moments(present(rows, weights, j))[1] for j in at["number"]]
        self.priors, self.gauss, self.count, self.flag, self.category = [], [], [], [], []
        for name in self.classes:
            own = [(row, w) for row, w, label in zip(rows, weights, labels) if label == name]
            mine, w = [row for row, _ in own], [w for _, w in own]
            self.priors.append(sum(w) / sum(weights))
            pairs = [moments(present(mine, w, j)) for j in at["number"]]
            self.gauss.append([(mean, v + r) for (mean, v), r in zip(pairs, self.ridge)])
            sums = [alpha + sum(u * v for v, u in present(mine, w, j)) for j in at["count"]]
            self.count.append([s / sum(sums) for s in sums])
            cells = [present(mine, w, j) for j in at["flag"]]
            self.flag.append([(sum(u * v for v, u in c) + alpha) / (sum(u for _, u in c) + 2 * alpha) for c in cells])
            self.category.append([])
            for j, seen in zip(at["category"], self.categories):
                c = present(mine, w, j)
                total = sum(u for _, u in c) + len(seen) * alpha
                self.category[-1].append([(sum((u for v, u in c if v == one), F(0)) + alpha) / total for one in seen])

    def joint(self, row):
        out = []
        for k in range(len(self.classes)):
            terms = [mp.log(real(self.priors[k]))]
            for (mean, variance), j in zip(self.gauss[k], self.at["number"]):
                if row[j] is not None:
                    terms.append(normal(row[j], mean, variance))
            for chance, j in zip(self.count[k], self.at["count"]):
                if row[j]:
                    terms.append(row[j] * mp.log(real(chance)))
            for chance, j in zip(self.flag[k], self.at["flag"]):
                if row[j] is not None:
                    terms.append(mp.log(real(chance if row[j] else 1 - chance)))
            for chances, seen, j in zip(self.category[k], self.categories, self.at["category"]):
                if row[j] in seen:
                    terms.append(mp.log(real(chances[seen.index(row[j])])))
            out.append(mp.fsum(terms))
        return out

    def answers(self, rows):
        joint = [self.joint(row) for row in rows]
        evidence = [mp.log(mp.fsum(mp.exp(v) for v in line)) for line in joint]
        logs = [[v - e for v in line] for line, e in zip(joint, evidence)]
        return joint, evidence, logs, [[mp.exp(v) for v in line] for line in logs]


def answered(name, rows, labels, weights, alpha):
    fit = Fit(rows, labels, weights or [1] * len(rows), alpha)
    joint, evidence, logs, chances = fit.answers(QUERY)
    _, _, row_logs, row_chances = fit.answers(rows)
    gauss = [list(zip(*line)) for line in fit.gauss]
    return {
        "name": name,
        "kinds": KINDS,
        "columns": NAMES,
        "data": {"rows": rows, "labels": labels},
        "weights": weights,
        "alpha": alpha,
        "classes": fit.classes,
        "categories": fit.categories,
        "tolerance": TOLERANCE,
        "ridge": doubles(fit.ridge),
        "fit": {
            "priors": doubles(fit.priors),
            "means": [doubles(means) for means, _ in gauss],
            "variances": [doubles(variances) for _, variances in gauss],
            "count_log_prob": [[double(mp.log(real(v))) for v in line] for line in fit.count],
            "flag_prob": doubles(fit.flag),
            "category_prob": doubles(fit.category),
        },
        "query": QUERY,
        "joint_log_prob": doubles(joint),
        "log_evidence": doubles(evidence),
        "log_posterior": doubles(logs),
        "posterior": doubles(chances),
        "row_log_posterior": doubles(row_logs),
        "row_posterior": doubles(row_chances),
    }


def main(out):
    rows, labels, weights = table()
    cases = [
        answered("mixed, alpha 1", rows, labels, None, 1.0),
        answered("mixed, alpha 1, eighths as weights", rows, labels, weights, 1.0),
        answered("mixed, alpha 0.25, eighths as weights", rows, labels, weights, 0.25),
    ]
    golden_file.write(out, "exact_mixed.json", TOOL, SCRIPT, NOTE, cases)


if __name__ == "__main__":
    main(sys.argv[2])
