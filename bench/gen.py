"""Makes seeded data, the same bytes for every peer.

A set is a raw little-endian row-major float64 matrix NAME.f64, labels NAME.i32 and the means that
EM starts from, NAME.means.f64. Raw files are read alike by numpy, Rust and R, with no parser in the
way.

    python gen.py [NAME ...]        default: what is not there yet
"""

import csv
import sys

import numpy as np
from paths import DATA, QUICK, ROOT

# name: (kind, rows, columns, classes or components, seed)
_FULL = {
    "cls_m": ("cls", 1_000_000, 32, 10, 12),
    "cls_l": ("cls", 200_000, 200, 10, 13),
    "gmm_s": ("gmm", 100_000, 10, 8, 21),
    "gmm_m": ("gmm", 1_000_000, 32, 16, 22),
    "gmm_l": ("gmm", 100_000, 128, 16, 23),
    "gmm_t": ("gmm", 5_000, 2, 5, 24),
    "bic_10k": ("gmm", 10_000, 5, 4, 31),
    "faithful": ("file", 272, 2, 2, 0),
    "iris": ("file", 150, 4, 3, 0),
}


def _sized(spec):
    kind, n, d, k, seed = spec
    if QUICK and kind != "file":
        n = max(n // 50, min(n, max(3 * d * k, 1_000)))
    return kind, n, d, k, seed


SETS = {name: _sized(spec) for name, spec in _FULL.items()}


def mixture(n, d, k, seed, spread):
    """Draw n rows from k Gaussians with full covariances of condition number about 10."""
    rng = np.random.default_rng(seed)
    means = rng.normal(scale=spread, size=(k, d))
    y = rng.integers(0, k, size=n).astype(np.int32)
    x = rng.standard_normal((n, d))
    for c in range(k):
        q, _ = np.linalg.qr(rng.normal(size=(d, d)))
        half = (q * np.exp(rng.uniform(-0.6, 0.6, size=d))) @ q.T
        rows = y == c
        x[rows] = x[rows] @ half + means[c]
    return x, y, means


def from_file(name, d, k):
    """Read one of the built-in sets of the project; rows without labels get one and the same."""
    with open(ROOT / "crates" / "gaussbayes-io" / "data" / f"{name}.csv") as file:
        rows = list(csv.reader(file))[1:]
    x = np.array([[float(cell) for cell in row[:d]] for row in rows])
    names = sorted({row[d] for row in rows if len(row) > d})
    y = np.array([names.index(row[d]) if len(row) > d else 0 for row in rows], np.int32)
    return x, y, x[np.random.default_rng(0).choice(len(x), k, replace=False)]


def make(name):
    """Write one set."""
    kind, n, d, k, seed = SETS[name]
    if kind == "file":
        x, y, means = from_file(name, d, k)
    else:
        # groups overlap: EM still moves after 20 iterations, and posteriors are not all 0 or 1
        spread = (1.2 if kind == "cls" else 1.5) * min(1.0, 4.0 / np.sqrt(d))
        x, y, means = mixture(n, d, k, seed, spread * (2.0 if d <= 2 else 1.0))
    DATA.mkdir(parents=True, exist_ok=True)
    # EM starts from the true means, perturbed, and equal weights
    rng = np.random.default_rng(seed + 1000)
    init = means + rng.normal(scale=0.3, size=means.shape)
    init.astype("<f8").tofile(DATA / f"{name}.means.f64")
    y.astype("<i4").tofile(DATA / f"{name}.i32")
    x.astype("<f8").tofile(DATA / f"{name}.f64")


def make_csv(name, places):
    """Write a set with its label as CSV."""
    import polars as pl

    x, y, _ = load(name)
    frame = pl.DataFrame({f"x{j}": x[:, j] for j in range(x.shape[1])})
    frame.with_columns(label=pl.Series(y)).write_csv(DATA / f"{name}.csv", float_precision=places)


def load(name, dtype=np.float64):
    """Return rows, labels and start means of a set."""
    _, n, d, k, _ = SETS[name]
    x = np.fromfile(DATA / f"{name}.f64").reshape(n, d).astype(dtype, copy=False)
    y = np.fromfile(DATA / f"{name}.i32", dtype="<i4").astype(np.int64)
    means = np.fromfile(DATA / f"{name}.means.f64").reshape(k, d)
    return x, y, means


def main(names):
    """Write the named sets, or those that are not there."""

    def lacks(file, size=None):
        path = DATA / file
        return not path.exists() or size not in (None, path.stat().st_size)

    wanted = names or [s for s, (_, n, d, _, _) in SETS.items() if lacks(f"{s}.f64", 8 * n * d)]
    for name in wanted:
        make(name)
        print(name, *SETS[name], flush=True)
    for name, places in (("cls_m", 6), ("iris", 1)):
        if name in wanted or lacks(f"{name}.csv"):
            make_csv(name, places)


if __name__ == "__main__":
    main(sys.argv[1:])
