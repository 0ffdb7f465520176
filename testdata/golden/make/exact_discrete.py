"""Writes exact_discrete.json: naive Bayes of flags, counts and categories in exact fractions.

Usage, from the repository root:
    python testdata/golden/make/exact_discrete.py crates/gaussbayes-io/data testdata/golden

Textbook formulas; w_i weight of row i, class weight n_k, alpha_j the smoothing of column j:
    flags        p_kj = (sum of w over rows of k with the flag + alpha_j) / (n_k + 2 alpha_j)
    multinomial  p_kj = (N_kj + alpha_j) / sum_j (N_kj + alpha_j), N_kj the weighted count
    complement   q_kj = (N_j - N_kj + alpha_j) / sum_j (N_j - N_kj + alpha_j), weight -ln q_kj; with
                 norm divided by sum_j |ln q_kj| (Rennie et al. 2003, tables 3 and 4, no prior)
    categorical  p_kjc = (N_kjc + alpha_j) / (n_k + C_j alpha_j)
Counts, probabilities and priors are fractions; logarithms have 50 digits.
"""

import sys
from fractions import Fraction as F

import mpmath as mp

import discrete_cases
import golden_file
from exact_arithmetic import double, real

SCRIPT = "exact_discrete.py"
TOOL = f"fractions; mpmath {mp.__version__}, 50 digits"
TOLERANCE = 1e-13
NOTE = (
    "Textbook formulas in fractions of the very doubles of the file, logarithms with 50 digits, each number the nearest "
    "double; null is minus infinity. 'kind': bernoulli (a flag is set where the number is above 'above'), multinomial, "
    "complement, complement-norm, categorical (rows are codes from 0). 'alpha': one, or one per column. 'priors' as "
    "everywhere; complement does not use them. 'class_count' K; 'feature_count' K x p (flags, counts) or "
    "'category_count' p x K x C (also named so for scikit-learn); 'class_log_prior' K; 'feature_log_prob' K x p, "
    "categorical p x K x C, complement: the weights, which are above zero; 'joint_log_prob' of the query: log prior "
    "and log likelihood (counts: without the multinomial coefficient), complement: the scores, largest wins; "
    "'log_posterior': those less their log-sum-exp. An event of probability 0 that does not happen adds 0, also with "
    "alpha 0. 'scikit_learn': false where it has no such answer: nan for that event; BernoulliNB adds 2 alpha[k] to the "
    "weight of class k if alpha is a list (an error unless p = K), CategoricalNB takes no list, and ln(1 - exp(ln p)) of "
    "BernoulliNB loses digits where p is nearly 1. C is the largest code + 1, or min_categories if more. "
    "|a-b| <= tolerance*(1+|b|)."
)


def log(x):
    return mp.log(real(x)) if x > 0 else mp.mpf("-inf")


def times(count, logarithm):
    """Count times logarithm, and 0 where the count is 0."""
    return mp.mpf(0) if count == 0 else real(count) * logarithm


class Table:
    """Rows, weights and smoothing of a case as fractions; sums by class."""

    def __init__(self, case):
        self.rows = [[F(v) for v in row] for row in case["data"]["rows"]]
        self.query = [[F(v) for v in row] for row in case["query"]]
        if case["kind"] == "bernoulli":
            above = F(case["above"])
            self.rows = [[F(v > above) for v in row] for row in self.rows]
            self.query = [[F(v > above) for v in row] for row in self.query]
        self.p, self.classes = len(self.rows[0]), case["classes"]
        alpha = case["alpha"]
        self.alpha = [F(v) for v in (alpha if isinstance(alpha, list) else [alpha] * self.p)]
        weights = case["weights"] or [1] * len(self.rows)
        own = [self.classes.index(y) for y in case["data"]["labels"]]
        self.each = [[] for _ in self.classes]
        for row, k, weight in zip(self.rows, own, weights):
            self.each[k].append((row, F(weight)))
        self.size = [sum(w for _, w in rows) for rows in self.each]

    def log_priors(self, priors):
        if priors == "observed":
            return [log(n / sum(self.size)) for n in self.size]
        if priors == "uniform":
            return [log(F(1, len(self.size)))] * len(self.size)
        return [log(F(p)) for p in priors]

    def counts(self):
        """Weighted sums of the columns, K x p."""
        return [[sum((w * row[j] for row, w in rows), F(0)) for j in range(self.p)] for rows in self.each]

    def codes(self, sizes):
        """Weighted numbers of the codes, p x K x C."""

        def count(rows, j, code):
            return sum((w for row, w in rows if row[j] == code), F(0))

        return [[[count(rows, j, c) for c in range(size)] for rows in self.each] for j, size in enumerate(sizes)]


def flags(table, counts):
    chance = [
        [(c + a) / (n + 2 * a) for c, a in zip(line, table.alpha)] for line, n in zip(counts, table.size)
    ]
    yes, no = [[log(p) for p in line] for line in chance], [[log(1 - p) for p in line] for line in chance]

    def score(row, k):
        return mp.fsum(yes[k][j] if v else no[k][j] for j, v in enumerate(row))

    return yes, score


def words(table, counts, kind):
    if kind != "multinomial":
        total = [sum(column) for column in zip(*counts)]
        counts = [[t - c for t, c in zip(total, line)] for line in counts]
    smooth = [[c + a for c, a in zip(line, table.alpha)] for line in counts]
    weights = [[log(v / sum(line)) for v in line] for line in smooth]
    if kind == "complement":
        weights = [[-v for v in line] for line in weights]
    if kind == "complement-norm":
        weights = [[-v / mp.fsum(abs(u) for u in line) for v in line] for line in weights]

    def score(row, k):
        return mp.fsum(times(v, weights[k][j]) for j, v in enumerate(row))

    return weights, score


def categories(table, counts):
    def logs(line, a):
        return [log((c + a) / (sum(line) + len(line) * a)) for c in line]

    tables = [[logs(line, a) for line in each] for each, a in zip(counts, table.alpha)]

    def score(row, k):
        return mp.fsum(tables[j][k][int(v)] for j, v in enumerate(row))

    return tables, score


def plain(x):
    """Nested doubles, null for minus infinity."""
    if isinstance(x, list):
        return [plain(item) for item in x]
    return None if isinstance(x, mp.mpf) and mp.isinf(x) else double(x)


def answer(case):
    """All quantities of a case, exactly rounded."""
    table, kind = Table(case), case["kind"]
    priors = table.log_priors(case["priors"])
    if kind == "categorical":
        sizes = [int(max(column)) + 1 for column in zip(*table.rows)]
        least = case["min_categories"] or 0
        least = least if isinstance(least, list) else [least] * table.p
        counts = table.codes([max(pair) for pair in zip(sizes, least)])
        weights, score = categories(table, counts)
    else:
        counts = table.counts()
        weights, score = flags(table, counts) if kind == "bernoulli" else words(table, counts, kind)
    joint = []
    for row in table.query:
        line = [score(row, k) for k in range(len(table.size))]
        joint.append(line if kind.startswith("complement") else [a + b for a, b in zip(line, priors)])
    evidence = [mp.log(mp.fsum(mp.exp(v) for v in line)) for line in joint]
    return {
        "class_count": plain(table.size),
        "category_count" if kind == "categorical" else "feature_count": plain(counts),
        "class_log_prior": plain(priors),
        "feature_log_prob": plain(weights),
        "joint_log_prob": plain(joint),
        "log_posterior": plain([[v - e for v in line] for line, e in zip(joint, evidence)]),
    }


def main(out):
    cases = [(case, True) for case in discrete_cases.common()]
    cases += [(case, False) for case in discrete_cases.exact_only()]
    written = [
        {**case, "tolerance": TOLERANCE, "scikit_learn": known, **answer(case)} for case, known in cases
    ]
    golden_file.write(out, "exact_discrete.json", TOOL, SCRIPT, NOTE, written)


if __name__ == "__main__":
    main(sys.argv[2])
