"""Holds what a piece of work is given: rows, labels, start, and how to stop."""

import types

import gen
import numpy as np

# mclust's own tolerance for BIC, relative; scikit-learn's search is given the same number
TOLERANCE = {"bic": 1e-5, "bic_four": 1e-5}


def context(item, threads, dtype="f64"):
    """Return the context of an item.

    X (n x d, row-major), y (int64 labels), means (k x d, to start from), n, d, k, threads, cov
    (full, diag, tied, spherical), iters (EM iterations to run, no more and no fewer), tol.
    """
    x, y, means = gen.load(item.data, np.float64 if dtype == "f64" else np.float32)
    return types.SimpleNamespace(
        work=item.work,
        model=item.work.split("_")[0],
        data=item.data,
        cov=item.cov,
        iters=item.iters,
        tol=TOLERANCE.get(item.work, 1e-6),
        X=x,
        y=y,
        means=means,
        n=x.shape[0],
        d=x.shape[1],
        k=means.shape[0],
        threads=threads,
    )
