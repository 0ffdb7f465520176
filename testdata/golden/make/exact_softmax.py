"""Writes exact_softmax.json: softmax regression with 50 digits, by Newton's method on all K vectors.

Usage, from the repository root:
    python testdata/golden/make/exact_softmax.py crates/gaussbayes-io/data testdata/golden
"""

import sys
from fractions import Fraction as F

import mpmath
from mpmath import mp, mpf

import golden_file
import softmax_cases

mp.dps = 50
SCRIPT = "exact_softmax.py"
TOOL = f"mpmath {mpmath.__version__}, 50 digits"
NOTE = (
    "sum of w (ln sum_l exp(s_l) - s_y) + penalty/2 |coefficients|^2, s_k = coefficients_k x + intercept_k in raw units, "
    "at its minimum: slopes below 1e-35 of their terms. 'coefficients' K by d and 'intercepts' sum to zero over the "
    "classes. Of two classes the penalty is that of scikit-learn's LogisticRegression(C = 1/penalty), on the difference "
    "of both vectors; of more it is on all K vectors, as there. 'loss' is the first sum, 'posterior' that of the first "
    "rows. A column that is constant has coefficient 0. 'weights': one per row or null. Rows of 'three classes' are draws "
    "by numpy default_rng(79), rounded to whole numbers. |a-b| <= tolerance*(1+|b|), coefficients times the deviation "
    "of their column."
)
DIGITS = 20


def exactly(value):
    fraction = F(value)
    return mpf(fraction.numerator) / fraction.denominator


class Problem:
    """Rows about their mean and in units of their deviation, which Newton's method does not see."""

    def __init__(self, rows, labels, weights, penalty):
        self.classes = sorted(set(y for y, w in zip(labels, weights) if w > 0))
        kept = [i for i, w in enumerate(weights) if w > 0]
        self.w = [exactly(weights[i]) for i in kept]
        self.y = [self.classes.index(labels[i]) for i in kept]
        exact = [[exactly(v) for v in rows[i]] for i in kept]
        total, self.d = mp.fsum(self.w), len(rows[0])
        self.centre = [mp.fdot(self.w, [row[j] for row in exact]) / total for j in range(self.d)]
        spread = [mp.sqrt(mp.fsum(w * (row[j] - c) ** 2 for w, row in zip(self.w, exact)) / total)
                  for j, c in enumerate(self.centre)]
        self.columns = [j for j in range(self.d) if spread[j] > 0]
        self.unit = [spread[j] for j in self.columns]
        self.z = [[mpf(1)] + [(row[j] - self.centre[j]) / s for j, s in zip(self.columns, self.unit)] for row in exact]
        factor = 2 if len(self.classes) == 2 else 1
        self.p = [mpf(0)] + [factor * exactly(penalty) / s**2 for s in self.unit]

    def shares(self, at, z):
        scores = [mp.fdot(row, z) for row in at]
        top = max(scores)
        powers = [mp.exp(s - top) for s in scores]
        norm = mp.fsum(powers)
        return [v / norm for v in powers], scores, top + mp.log(norm)

    def value(self, at):
        """Loss and penalty."""
        loss = mp.fsum(w * (lse - scores[y]) for w, y, (_, scores, lse) in
                       zip(self.w, self.y, (self.shares(at, z) for z in self.z)))
        return loss, mp.fsum(p * v * v for row in at for p, v in zip(self.p, row)) / 2

    def step(self, at):
        k, m = len(self.classes), len(self.p)
        slope = [[p * v for p, v in zip(self.p, row)] for row in at]
        size = mpf(0)
        bend = mp.zeros(k * m)
        for w, y, z in zip(self.w, self.y, self.z):
            share = self.shares(at, z)[0]
            outer = [[w * a * b for b in z] for a in z]
            for c in range(k):
                off = w * (share[c] - (1 if c == y else 0))
                for j in range(m):
                    slope[c][j] += off * z[j]
                    size = max(size, abs(off * z[j]))
                for e in range(k):
                    factor = share[c] * ((1 if c == e else 0) - share[e])
                    for i in range(m):
                        for j in range(m):
                            bend[c * m + i, e * m + j] += factor * outer[i][j]
        for c in range(k):
            for j in range(m):
                bend[c * m + j, c * m + j] += self.p[j]
                # What all classes have in common changes nothing, or the penalty alone: pinned at zero.
                for e in range(k):
                    bend[c * m + j, e * m + j] += mpf(1)
        move = mp.lu_solve(bend, -mp.matrix([v for row in slope for v in row]))
        worst = max(abs(v) for row in slope for v in row) / size
        return [[move[c * m + j] for j in range(m)] for c in range(k)], worst

    def minimise(self):
        k, m = len(self.classes), len(self.p)
        at = [[mpf(0)] * m for _ in range(k)]
        before = sum(self.value(at))
        for count in range(200):
            move, worst = self.step(at)
            if worst < mpf("1e-35"):
                break
            share = mpf(1)
            while True:
                trial = [[a + share * v for a, v in zip(row, more)] for row, more in zip(at, move)]
                after = sum(self.value(trial))
                if after <= before or share < mpf("1e-10"):
                    break
                share /= 2
            at, before = trial, after
        assert worst < mpf("1e-35"), worst
        return at, count

    def raw(self, at):
        """Coefficients of raw rows and their intercepts."""
        coefficients, intercepts = [], []
        for row in at:
            full = [mpf(0)] * self.d
            for j, s, v in zip(self.columns, self.unit, row[1:]):
                full[j] = v / s
            coefficients.append(full)
            intercepts.append(row[0] - mp.fdot(full, self.centre))
        return coefficients, intercepts


def digits(x):
    return [digits(v) for v in x] if isinstance(x, list) else "#" + mp.nstr(x, DIGITS)


def answer(name, data, rows, labels, weights, penalty):
    problem = Problem(rows, labels, weights or [1.0] * len(rows), penalty)
    at, count = problem.minimise()
    loss, value = problem.value(at)
    coefficients, intercepts = problem.raw(at)
    print(f"{name:45} {count:3} steps, loss {mp.nstr(loss, 12)}")
    query = [i for i, w in enumerate(weights or [1.0] * len(rows)) if w > 0][:: max(1, len(rows) // softmax_cases.QUERY)]
    exact = [[exactly(v) for v in rows[i]] for i in query]
    scores = [[mp.fdot(w, row) + b for w, b in zip(coefficients, intercepts)] for row in exact]
    shares = [[mp.exp(s - max(line)) for s in line] for line in scores]
    return {
        "name": name,
        "data": data or {"rows": rows, "labels": labels},
        "weights": weights,
        "classes": problem.classes,
        "penalty": penalty,
        "centred": True,
        "tolerance": 1e-11,
        "coefficients": digits(coefficients),
        "intercepts": digits(intercepts),
        "deviations": digits([s for s in problem.unit]),
        "loss": digits(loss),
        "penalty_value": digits(value),
        "rows": [i + 1 for i in query],
        "posterior": digits([[v / mp.fsum(line) for v in line] for line in shares]),
    }


def main(folder, out):
    cases = [answer(*case) for case in softmax_cases.cases(folder)]
    golden_file.write(out, "exact_softmax.json", TOOL, SCRIPT, NOTE, cases)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
