"""Counts the least work of each item, and the time that it takes at the measured ceilings.

Flops count a multiply-add as 2; symmetric and triangular products count half. Bytes are the
compulsory traffic: X read once (once an EM iteration), the result written once (a written line is
read for ownership too: twice). The limit is max(flops / GEMM rate, bytes / bandwidth) + exps / exp
rate: exps cannot hide behind the GEMM, as both need the same vector ports.
"""


def work(kind, n, d, k, size=8, cov="full"):
    """Return (flops, bytes, exps) of one run, or of one EM iteration; None where nobody counted."""
    x, out, label = n * d * size, 2 * n * k * size, n * 4
    # EM. full: triangular whitening and symmetric weighted scatter; diag: [x, x^2] against 2d
    # coefficients, both ways; tied, spherical: linear scores and R'X, as x'Sx cancels
    em = {"full": 2 * d * (d + 1) + 6 * d, "diag": 8 * d, "tied": 4 * d, "spherical": 4 * d}
    counted = {
        "lda_fit": (n * d * (d + 1) + n * d, x + label, 0),
        "qda_fit": (n * d * (d + 1) + n * d, x + label, 0),
        "gnb_fit": (3 * n * d, x + label, 0),
        "nc_fit": (n * d, x + label, 0),
        "lda_proba": (2 * n * d * k, x + out, n * k),
        "qda_proba": (n * k * (d * (d + 1) + 2 * d), x + out, n * k),
        "gnb_proba": (4 * n * d * k, x + out, n * k),
        "gmm": (n * k * em.get(cov, 0), x, n * k),
    }
    return counted.get(kind)


def limit(least, ceilings, threads=2, dtype="f64"):
    """Return the seconds of the least work at the ceilings, and which of them binds."""
    flops, moved, exps = least
    rate = ceilings["gemm"][f"{threads}t"][dtype] * 1e9
    width = ceilings["read_gb_s"][f"{threads}t"] * 1e9
    by_flops, by_bytes = flops / rate, moved / width
    by_exps = exps / (ceilings["exp_g_s"][dtype] * 1e9 * threads)
    bound = "flops" if by_flops > by_bytes else "bytes"
    return max(by_flops, by_bytes) + by_exps, bound
