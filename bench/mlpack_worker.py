"""Runs mlpack's gmm_train: SET COV ITERATIONS.

It takes no start: the difference of two numbers of iterations cancels its k-means.
"""

import sys
import time

import gen
import mlpack
from worker_loop import serve

data, cov, iters = sys.argv[1:]
x, _, means = gen.load(data)


def timed(iterations):
    """Return the seconds of a training of so many iterations."""
    start = time.perf_counter()
    mlpack.gmm_train(
        input_=x,
        gaussians=means.shape[0],
        max_iterations=iterations,
        tolerance=0.0,
        kmeans_max_iterations=1,
        seed=7,
        diagonal_covariance=cov == "diag",
    )
    return time.perf_counter() - start


serve(lambda: timed(1 + int(iters)) - timed(1), seconds=float)
