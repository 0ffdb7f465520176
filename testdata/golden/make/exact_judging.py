"""Writes exact_judging.json: tails of Student's law, and how often Trunk's example errs.

Usage, from the repository root:
    python testdata/golden/make/exact_judging.py crates/gaussbayes-io/data testdata/golden
"""

import sys

import mpmath as mp

import golden_file

mp.mp.dps = 40
SCRIPT = "exact_judging.py"
NOTE = (
    "student: t, degrees of freedom, P(|T| > t), by the incomplete beta function with 40 digits. trunk: two classes N(-m, I) and N(m, I), m_j = 1/sqrt(j), "
    "d columns. bayes: d, error of the known mean. direction: d, rows N, expected error of sign(x'm^), m^ ~ N(m, I/N). nearest_mean: d, rows of both classes, "
    "expected error of the nearest of two class means with priors 1/2. Both as the mean of a normal tail over the estimated direction: its part along m is normal, "
    "its length across is chi with d - 1 degrees of freedom, 20 digits. Comparisons are relative: |a/b - 1| <= tolerance."
)


def student_case():
    rows = []
    for freedom in (1, 2, 3, 9, 19, 29, 99, 999, 100000):
        for t in (1e-8, 0.01, 0.5, 1.0, 1.5, 2.0, 2.2621571627409915, 3.5, 8.0, 30.0, 1e4):
            n, x = mp.mpf(freedom), mp.mpf(t)
            tail = mp.betainc(n / 2, mp.mpf(1) / 2, 0, n / (n + x * x), regularized=True)
            if tail > 1e-290:
                rows.append([t, freedom, float(tail)])
    return {"name": "student", "tolerance": 1e-12, "student": rows}


def over_direction(d, t, tail):
    """Mean of tail(a, s): a is the part of v along m, s its squared length across it, v ~ N(m, t^2 I)."""
    length = mp.sqrt(mp.fsum(mp.mpf(1) / j for j in range(1, d + 1)))
    ends = [length + t * n for n in (-11, -5, -2, 0, 2, 5, 11)]
    if min(ends) < 0 < max(ends):
        ends = sorted([*ends, mp.mpf(0)])

    def along(a):
        weight = mp.npdf(a, length, t)
        if d == 1:
            return weight * tail(length, a, mp.mpf(0))
        k = mp.mpf(d - 1)
        norm = mp.power(2, 1 - k / 2) / mp.gamma(k / 2)
        middle = mp.sqrt(k)
        cuts = sorted({mp.mpf(0), max(mp.mpf(0), middle - 6), max(mp.mpf(0), middle - 2), middle, middle + 3, middle + 12})
        across = lambda r: norm * mp.power(r, k - 1) * mp.exp(-r * r / 2) * tail(length, a, (t * r) ** 2)  # noqa: E731
        return weight * mp.quad(across, cuts)

    return mp.quad(along, ends)


def upper(x):
    return mp.erfc(x / mp.sqrt(2)) / 2


def direction(d, rows):
    def tail(length, a, s):
        return upper(length * a / mp.sqrt(a * a + s))

    return over_direction(d, 1 / mp.sqrt(rows), tail)


def nearest_mean(d, first, second):
    """c = (m1 + m2)/2 given v = (m2 - m1)/2 has mean k/t^2 (v - m): the threshold moves with the direction."""
    first, second = mp.mpf(first), mp.mpf(second)
    variance = (1 / first + 1 / second) / 4
    total = mp.mpf(0)
    for covariance in ((1 / second - 1 / first) / 4, (1 / first - 1 / second) / 4):
        share = covariance / variance
        spread = mp.sqrt(1 + variance - covariance * share)

        def tail(length, a, s, share=share, spread=spread):
            square = a * a + s
            return upper(((1 + share) * length * a - share * square) / (spread * mp.sqrt(square)))

        total += over_direction(d, mp.sqrt(variance), tail) / 2
    return total


def trunk_case():
    with mp.workdps(20):
        bayes = [[d, float(upper(mp.sqrt(mp.fsum(mp.mpf(1) / j for j in range(1, d + 1)))))] for d in (1, 2, 10, 100, 10000)]
        ways = [[d, n, float(direction(d, n))] for d, n in ((1, 10), (1, 1), (2, 10), (5, 10), (10, 4), (50, 10), (200, 10), (1000, 20), (20, 200))]
        means = [[d, a, b, float(nearest_mean(d, a, b))] for d, a, b in ((1, 5, 5), (1, 1, 9), (3, 2, 4), (20, 10, 10), (100, 10, 10), (50, 3, 12))]
    return {"name": "trunk", "tolerance": 1e-11, "bayes": bayes, "direction": ways, "nearest_mean": means}


def main(_, out):
    golden_file.write(out, "exact_judging.json", f"mpmath {mp.__version__}", SCRIPT, NOTE, [student_case(), trunk_case()])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
