"""Writes exact_tails.json: tails of normal, chi and bivariate normal laws and of quadratic forms.

Usage, from the repository root:
    python testdata/golden/make/exact_tails.py crates/gaussbayes-io/data testdata/golden
"""

import random
import sys

import mpmath as mp

import exact_forms
import golden_file

mp.mp.dps = 50
SCRIPT = "exact_tails.py"
NOTE = (
    "50 digits, orthants and forms 34. normal: x, P(N > x) (0 where it is no double), ln P(N > x). chi: columns, r, P(chi < r), P(chi > r), their "
    "logarithms. orthant: h, k, correlation, P(X > h, Y > k). form: w, b, c of sum w z^2 + b z + c, P(< 0), P(> 0) and how they "
    "were found (exact_forms.py). Arguments are doubles as they stand; comparisons are relative: |a/b - 1| <= tolerance."
)


def double(value):
    return float(value) if abs(value) > mp.mpf(2) ** -1022 else 0.0


def normal_case():
    points = [-38.0, -8.3, -1.0, -1e-9, 0.0, 1e-300, 0.1, 0.5, 1.0, 1.7, 2.0, 3.3, 4.99, 5.0, 5.01, 7.7, 10.0, 20.0, 37.0, 37.5]
    points += [38.6, 100.0, 1000.0, 1e8, 1e150]
    rows = []
    for x in points:
        upper = mp.erfc(mp.mpf(x) / mp.sqrt(2)) / 2 if x < 1e5 else mp.mpf(0)
        if upper:
            log = mp.log1p(-mp.erfc(-mp.mpf(x) / mp.sqrt(2)) / 2) if x < 0 else mp.log(upper)
        else:
            y = mp.mpf(x)
            log = -y * y / 2 - mp.log(2 * mp.pi) / 2 - mp.log(y) - 1 / y**2
        rows.append([x, double(upper), double(log)])
    return {"name": "normal", "tolerance": 1e-15, "normal": rows}


def chi_case():
    rows = []
    for dim in (1, 2, 3, 4, 5, 10, 11, 64, 201, 1000):
        middle = dim**0.5
        for r in (1e-9, 0.01, 0.5, 1.0, 2.0, 5.0, 0.5 * middle, middle - 0.5, middle, middle + 0.5, middle + 5.0, 30.0, 37.0, 40.0, 60.0):
            if r <= 0:
                continue
            a, x = mp.mpf(dim) / 2, mp.mpf(r) ** 2 / 2
            below = mp.gammainc(a, 0, x, regularized=True)
            above = mp.gammainc(a, x, mp.inf, regularized=True)
            logs = [mp.log1p(-above) if above < below else mp.log(below), mp.log1p(-below) if below < above else mp.log(above)]
            rows.append([dim, r] + [double(v) for v in (below, above, *logs)])
    return {"name": "chi", "tolerance": 1e-13, "chi": rows}


def orthant(h, k, rho):
    """The inner tail in closed form, the outer integral broken where the inner one turns."""
    h, k, rho = mp.mpf(h), mp.mpf(k), mp.mpf(rho)
    spread = mp.sqrt((1 - rho) * (1 + rho))
    breaks = {h + n for n in (0, 1, 2, 4, 8, 16, 40)}
    if rho != 0:
        breaks |= {k / rho + n * spread / abs(rho) for n in (-27, -9, -3, 0, 3, 9, 27)}
    breaks = sorted(x for x in breaks if h <= x <= max(h + 40, 40)) + [mp.inf]
    return exact_forms.integral(lambda x: mp.npdf(x) * mp.ncdf((rho * x - k) / spread), breaks)


def orthant_case():
    rows = []
    places = [(0.0, 0.0), (1.0, 0.5), (-1.0, 2.0), (3.0, 4.0), (-3.0, -2.5), (6.0, 6.0), (10.0, 2.0), (-5.0, 5.0), (20.0, 15.0), (0.0, 1e-3)]
    for h, k in places:
        for rho in (-0.999999, -0.99, -0.7, -0.3, 0.0, 0.2, 0.5, 0.9, 0.999, 0.99999999):
            with mp.workdps(34):
                value = orthant(h, k, rho)
            if value > 1e-290:
                rows.append([h, k, rho, double(value)])
    return {"name": "orthant", "tolerance": 1e-13, "orthant": rows}


def form_cases():
    chance = random.Random(1961)
    forms = [([6.0, 3.0, 1.0], [0.0] * 3, -q) for q in (1.0, 7.0, 20.0)]
    # N(0, I) against N(m, (1 + h)I) in three columns: all but equal covariances.
    for power in (2, 4, 6, 8, 10, 12, 14, 15):
        h = 10.0**-power
        forms.append(([-h / 2] * 3, [1.0, -0.5, 0.25], -1.2))
        forms.append(([h, -h, h / 3], [2.0, 0.1, -0.4], 9.0))
    # Far out, one way and the other.
    for c in (-5.0, -50.0, -400.0, -1300.0):
        forms += [([1.0, 0.5], [0.3, -0.2], c), ([1.0, -0.5, 0.1, 0.0], [1.0, 2.0, -0.3, 0.7], c)]
        forms += [([-1.0, 0.9, -0.2], [3.0, 0.0, 1.0], c / 4), ([1.0], [0.5], c), ([1.0], [0.0], c)]
    # Weights of very different size, tiny ones with and without a linear part.
    forms += [([1.0, 1e-4, -1e-8], [0.0] * 3, -1.0), ([1.0, 1e-6, 1e-12], [0.1, 1e-6, 1e-3], -0.5)]
    forms += [([1.0, -1e-16], [0.0, 1e-6], -1.0), ([1.0, -1e-16], [0.0, 1e-6], -0.01), ([1.0, 1e-15], [0.0, 0.0], -1e-6)]
    forms += [([1.0, -1e-3], [0.0, 0.05], -1e-4), ([1.0, 1e-3], [0.0, 0.05], 1e-4), ([1.0, -1e-3], [0.0, 0.01], 0.0)]
    forms += [([1e-3, 1.0, -1.0], [1.0, 0.0, 0.0], 0.0), ([1e-3, 1.0, -1.0], [1.0, 0.0, 0.0], -2000.0)]
    # Near the edge of the support, and with the constant that the squares would leave at 0.
    forms += [([1.0, 2.0], [2.0, -4.0], 3.0 - 1e-6), ([1.0, 2.0, 0.5], [2.0, -4.0, 0.0], 2.5), ([1.0], [2.0], 1.0 - 1e-9)]
    forms += [([1.0, -2.0], [2.0, -4.0], -1.0), ([1.0, -1.0], [0.0, 0.0], 0.0), ([1.0, -1.0, 2.0], [2.0, 4.0, 0.0], -3.0)]
    forms += [([1.0, -1.0], [0.0, 0.0], 1e-7), ([1.0, -1.0], [1e-3, 0.0], -1e-9), ([1.0, -0.5], [40.0, 0.0], -60.0)]
    forms += [([0.01, -0.5], [40.0, 0.1], -900.0), ([1.0] * 40, [0.1] * 40, -100.0), ([1.0] * 40, [0.1] * 40, -5.0)]
    for _ in range(50):
        dim = chance.choice([1, 2, 2, 3, 5, 10])
        scale = [10.0 ** chance.uniform(-6, 1) if chance.random() < 0.4 else 1.0 for _ in range(dim)]
        w = [round(chance.gauss(0, 1), 6) * s for s in scale]
        b = [round(chance.gauss(0, 2), 6) * (0.0 if chance.random() < 0.2 else 1.0) for _ in range(dim)]
        spread = sum(2 * x * x + y * y for x, y in zip(w, b)) ** 0.5
        forms.append((w, b, -sum(w) + spread * round(chance.gauss(0, 4), 4)))
    cases = []
    for number, (w, b, c) in enumerate(forms):
        with mp.workdps(34):
            below, above, how = exact_forms.tails(w, b, c)
        case = {"name": f"form {number + 1}", "tolerance": 1e-12, "w": w, "b": b, "c": c}
        cases.append(case | {"below": double(below), "above": double(above), "how": how})
    return cases


def main(_, out):
    cases = [normal_case(), chi_case(), orthant_case(), *form_cases()]
    golden_file.write(out, "exact_tails.json", f"mpmath {mp.__version__}", SCRIPT, NOTE, cases)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
