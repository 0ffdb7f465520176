"""Writes exact_trunk.json: Trunk's example of columns that help and hurt, expected errors exactly.

Usage, from the repository root:
    python testdata/golden/make/exact_trunk.py crates/gaussbayes-io/data testdata/golden

Classes N(m, I) and N(-m, I), m_j = 1/sqrt(j), equally likely; the rule takes the sign of x'm^ with
m^ ~ N(m, I/N). With H = |m|^2 = sum 1/j its error is P(x'm^ < 0) for x ~ N(m, I). For y = sqrt(N) m^,
(x + y)/sqrt(2) and (x - y)/sqrt(2) are independent, so 2 x'y = A - B with A and B noncentral chi-square
of d degrees of freedom and noncentralities (1 + sqrt(N))^2 H/2 and (1 - sqrt(N))^2 H/2.
First way: a line integral of the moment generating function of x'y through its saddle point.
Second: chi-squares as Poisson mixtures, P(A < B) = sum_ij p_i q_j I_(1/2)(d/2 + i, d/2 + j).
Third: a simulation.
"""

import sys

import mpmath as mp
import numpy as np

import golden_file

SCRIPT = "exact_trunk.py"
TOOL = f"mpmath {mp.__version__}, 40 digits; numpy {np.__version__} for the simulation"
DIMS = (1, 2, 5, 10, 50, 200)
SAMPLES = (1, 5, 10, 25, 100)
DRAWS = 400_000
NOTE = (
    "Classes N(m, I) and N(-m, I) with m_j = 1/sqrt(j), j = 1 to 'dim', equal priors; the rule is the sign of x'm^, m^ "
    "~ N(m, I/'samples') (the mean of that many rows, turned to one side). 'expected_error': its error, averaged over "
    "m^; 'known_error' = Q(sqrt(sum 1/j)), the error where m is known; 'squared_length' = sum 1/j. Every number is the "
    "nearest double. 'second': relative distance of a double series of Poisson mixtures from the line integral (40 "
    "digits), and the simulated share with its distance in standard errors (400000 draws). Trunk's own formula (1979) "
    "is a normal approximation and differs (0.1807 for d = 1, N = 10). |a-b| <= tolerance*|b|."
)


def by_line(d, n, h):
    """P(x'y < 0) as -1/(2 pi i) of the integral of M(t)/t along t = c + i s sinh(v), c < 0."""
    up, down = (1 + mp.sqrt(n)) ** 2 * h / 2, (1 - mp.sqrt(n)) ** 2 * h / 2

    def exponent(t):
        return -mp.mpf(d) / 2 * (mp.log(1 - t) + mp.log(1 + t)) + (up * t / (1 - t) - down * t / (1 + t)) / 2

    def slope(t):
        return d * t / (1 - t * t) + (up / (1 - t) ** 2 - down / (1 + t) ** 2) / 2 - 1 / t

    low, high = mp.mpf(-1), mp.mpf(0)
    for _ in range(80):
        c = (low + high) / 2
        low, high = (c, high) if slope(c) < 0 else (low, c)
    small = mp.mpf("1e-6")
    width = 1 / mp.sqrt((slope(c + small) - slope(c - small)) / (2 * small))

    def term(v):
        t = mp.mpc(c, width * mp.sinh(v))
        return (-mp.exp(exponent(t)) / t).real * width * mp.cosh(v) / (2 * mp.pi)

    step, before = mp.mpf(1) / 4, None
    while True:
        total, at = term(mp.mpf(0)), 1
        while True:
            more = term(at * step)
            total += 2 * more
            if abs(more) < abs(total) * mp.mpf("1e-38"):
                break
            at += 1
        total *= step
        if before is not None and abs(total / before - 1) < mp.mpf("1e-28"):
            return total
        before, step = total, step / 2


def by_series(d, n, h):
    """The same as a sum over two Poisson laws; I(a, b + 1) = I(a, b) + 2^(-a-b) / (b B(a, b)) at 1/2."""
    up, down = (1 + mp.sqrt(n)) ** 2 * h / 4, (1 - mp.sqrt(n)) ** 2 * h / 4

    def poisson(rate):
        out, term, i = [], mp.exp(-rate), 0
        while i <= rate or term > mp.mpf("1e-45"):
            out.append(term)
            i += 1
            term *= rate / i
        return out

    first, second = poisson(up), poisson(down)
    half, a = mp.mpf(1) / 2, mp.mpf(d) / 2
    total = mp.mpf(0)
    for i, p in enumerate(first):
        x = a + i
        value = mp.betainc(x, a, 0, half, regularized=True)
        jump = half ** (x + a) / (a * mp.beta(x, a))
        line = mp.mpf(0)
        for j, q in enumerate(second):
            line += q * value
            value += jump
            jump *= half * (x + a + j) / (a + j + 1)
        total += p * line
    return total


def simulated(d, n, rng):
    m = 1 / np.sqrt(np.arange(1, d + 1))
    wrong, left = 0, DRAWS
    while left:
        size = min(left, 20_000)
        x = rng.normal(size=(size, d)) + m
        estimate = rng.normal(size=(size, d)) / np.sqrt(n) + m
        wrong += int(((x * estimate).sum(1) < 0).sum())
        left -= size
    return wrong / DRAWS


def main(out):
    cases, rng, worst, widest = [], np.random.default_rng(1979), 0.0, 0.0
    for d in DIMS:
        h = mp.fsum(mp.mpf(1) / j for j in range(1, d + 1))
        for n in SAMPLES:
            error, again = by_line(d, n, h), by_series(d, n, h)
            share = simulated(d, n, rng)
            apart = float(abs(error / again - 1))
            sigmas = (share - float(error)) / float(mp.sqrt(error * (1 - error) / DRAWS))
            worst, widest = max(worst, apart), max(widest, abs(sigmas))
            assert apart < 1e-24 and abs(sigmas) < 4
            cases.append(
                {
                    "name": f"d = {d}, N = {n}",
                    "dim": d,
                    "samples": n,
                    "tolerance": 1e-12,
                    "squared_length": float(h),
                    "expected_error": float(mp.nstr(error, 30)),
                    "known_error": float(mp.nstr(mp.erfc(mp.sqrt(h / 2)) / 2, 30)),
                    "second": {"series": apart, "simulated": share, "standard_errors": round(sigmas, 2)},
                }
            )
            print(cases[-1]["name"], cases[-1]["expected_error"], f"{apart:.0e} {sigmas:.2f}", flush=True)
    print(f"series {worst:.1e}, simulation {widest:.2f} standard errors")
    golden_file.write(out, "exact_trunk.json", TOOL, SCRIPT, NOTE, cases)


if __name__ == "__main__":
    mp.mp.dps = 40
    main(sys.argv[2])
