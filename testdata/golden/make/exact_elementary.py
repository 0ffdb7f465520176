"""Writes exact_elementary.json: exponentials and logarithms as sums of two doubles.

    pip install mpmath
    python testdata/golden/make/exact_elementary.py crates/gaussbayes-io/data testdata/golden
"""

import json
import pathlib
import random
import sys

import mpmath

mpmath.mp.dps = 60


def two(value):
    """The nearest double, and the nearest double of what is left."""
    high = float(value)
    return [high, float(value - mpmath.mpf(high))]


def rows(function, numbers):
    return [[x, *two(function(mpmath.mpf(x)))] for x in numbers]


def main():
    random.seed(1)
    exponents = [0.0, -1e-300, -1e-17, -2.0**-27, -0.34657359, -0.34657360, -1.0, -37.5, -700.0]
    exponents += [1.0, 0.5, 88.25, 700.0, 709.5, -745.0, -744.0, -720.5, -708.5]
    exponents += [-random.random() for _ in range(150)]
    exponents += [-40.0 * random.random() for _ in range(150)]
    exponents += [-708.0 * random.random() for _ in range(100)]
    numbers = [1.0, 2.0, 0.5, 1.5, 1.4142135623730951, 1.4142135623730954, 0.75, 1e-300, 1e300]
    numbers += [1.0 + 2.0**-k for k in range(1, 53)] + [1.0 - 2.0**-k for k in range(2, 53)]
    numbers += [1.0 + 15.0 * random.random() for _ in range(150)]
    numbers += [2.0 ** random.uniform(-1000, 1000) for _ in range(100)]
    provenance = {
        "tool": f"mpmath {mpmath.__version__}",
        "script": "testdata/golden/make/exact_elementary.py",
        "note": "60 digits. x, the nearest double of f(x), and the nearest double of the rest.",
    }
    cases = [
        {"name": "exp", "tolerance": 1.0, "values": rows(mpmath.exp, exponents)},
        {"name": "ln", "tolerance": 1.0, "values": rows(mpmath.log, numbers)},
    ]
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    text = f'{{"provenance": {json.dumps(provenance, indent=1)},\n"cases": [\n{lines}\n]}}\n'
    pathlib.Path(sys.argv[2], "exact_elementary.json").write_text(text)


main()
