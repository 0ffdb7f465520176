"""Measures the machine's ceilings: GEMM, exp and reading, in the same run as the peers.

    python ceilings.py          prints JSON

Every figure is the best of several runs: a ceiling, not a typical value.
"""

import ctypes
import glob
import json
import os
import subprocess
import sys
import threading
import time

import numpy as np
from paths import BENCH, QUICK
from threadpoolctl import threadpool_limits

SIDE = 1024 if QUICK else 3072
# far larger than the last-level cache
READ = 10_000_000 if QUICK else 80_000_000


def best(call, reps=5):
    """Return the shortest of some runs, after one that does not count."""
    call()
    times = []
    for _ in range(reps):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def square(dtype):
    """Return two factors and room for their product."""
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((SIDE, SIDE)).astype(dtype) for _ in range(2))
    return a, b, np.empty((SIDE, SIDE), dtype)


def gemm_numpy(dtype, threads):
    """Return GFLOP/s of numpy's product."""
    a, b, out = square(dtype)
    with threadpool_limits(threads):
        return 2 * SIDE**3 / best(lambda: np.dot(a, b, out=out)) / 1e9


def gemm_mkl(threads):
    """Return GFLOP/s of MKL's product, where MKL is installed."""
    found = glob.glob(os.path.join(sys.prefix, "lib", "libmkl_rt.so*"))
    if not found:
        return {}
    lib, i, rates = ctypes.CDLL(found[0]), ctypes.c_int, {}
    lib.MKL_Set_Threading_Layer(i(0))
    lib.MKL_Set_Num_Threads(i(threads))
    row_major, plain, m = i(101), i(111), i(SIDE)
    for name, real, product in (
        ("f64", ctypes.c_double, lib.cblas_dgemm),
        ("f32", ctypes.c_float, lib.cblas_sgemm),
    ):
        arrays = square(np.float64 if name == "f64" else np.float32)
        a, b, c = (ctypes.c_void_p(array.ctypes.data) for array in arrays)
        words = (row_major, plain, plain, m, m, m, real(1), a, m, b, m, real(0), c, m)
        rates[name] = 2 * SIDE**3 / best(lambda f=product, w=words: f(*w)) / 1e9
    return rates


def gemm(threads):
    """Return the better of both, in both precisions."""
    # a process each: MKL takes no larger thread count after a run at a smaller one
    names = ("MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    env = dict(os.environ, MKL_DYNAMIC="FALSE", **dict.fromkeys(names, str(threads)))
    code = f"import json, ceilings; print(json.dumps(ceilings.gemm_mkl({threads})))"
    words = [sys.executable, "-c", code]
    said = subprocess.run(words, capture_output=True, text=True, env=env, cwd=BENCH, check=False)
    mkl = json.loads(said.stdout) if said.returncode == 0 else {}
    numpys = {"f64": gemm_numpy(np.float64, threads), "f32": gemm_numpy(np.float32, threads)}
    return {name: max(rate, mkl.get(name, 0.0)) for name, rate in numpys.items()}


def exps(dtype):
    """Return G exp/s of one thread, in cache."""
    x = (-20 * np.random.default_rng(0).random(16384)).astype(dtype)
    y = np.empty_like(x)

    def many():
        for _ in range(200):
            np.exp(x, out=y)

    return 200 * x.size / best(many) / 1e9


def read(threads):
    """Return GB/s of reading, each thread a part of its own."""
    parts = np.array_split(np.ones(READ), threads)

    def once():
        running = [threading.Thread(target=np.dot, args=(part, part)) for part in parts]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()

    with threadpool_limits(1):
        return 8 * READ / best(once) / 1e9


def measure(threads):
    """Return all ceilings for one thread and for so many."""
    counts = sorted({1, threads})
    return {
        "gemm": {f"{t}t": gemm(t) for t in counts},
        "read_gb_s": {f"{t}t": read(t) for t in counts},
        "exp_g_s": {"f64": exps(np.float64), "f32": exps(np.float32)},
    }


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 2)))
