"""Peers that are processes: workers in other languages, and scripts that start cold.

A worker reads the set once, says that it is ready, and then does its work once for every line that
it gets, so that it takes its turn with the others and is as warm as they are.
"""

import shutil
import sys

from paths import BENCH, DATA, HOME

# (work, peer) -> function of the context that returns the words of a worker, or None
WORKERS = {}
# (work, peer) -> function of the context that returns the words of a cold process
COLD = {}
# Never the fastest, and minutes each: only on demand.
SLOW = set()


class Missing(Exception):
    """What a peer needs is not installed."""


def _program(name):
    found = shutil.which(name)
    if found is None:
        raise Missing(f"{name} is not installed")
    return found


def _numbers(ctx):
    return [str(DATA), ctx.data, str(ctx.n), str(ctx.d), str(ctx.k)]


def _r(work):
    def words(ctx):
        script = [_program("Rscript"), "--vanilla", str(BENCH / "peers.R")]
        return [*script, *_numbers(ctx), work, str(ctx.iters), ctx.cov or "-", str(ctx.tol)]

    return words


for _work in ("lda_fit", "qda_fit", "lda_proba", "qda_proba"):
    WORKERS[_work, "MASS"] = _r(_work)
    SLOW.add((_work, "MASS"))
for _work in ("gmm", "converge_relative", "bic"):
    WORKERS[_work, "mclust"] = _r(_work)
SLOW.add(("gmm", "mclust"))


def _linfa(work):
    def words(ctx):
        # mixtures: 20 s an iteration on the larger sets
        if work == "gmm" and (ctx.cov != "full" or ctx.data != "gmm_s"):
            return None
        program = HOME / "rust" / "release" / "rust_peers"
        if not program.exists():
            raise Missing("linfa is not built")
        return [str(program), *_numbers(ctx), work, str(ctx.iters)]

    return words


for _work in ("gnb_fit", "gnb_proba", "gmm"):
    WORKERS[_work, "linfa"] = _linfa(_work)
SLOW.update({("gnb_proba", "linfa"), ("gmm", "linfa")})


def _pomegranate(ctx):
    if ctx.cov == "tied":
        return None
    python = HOME / "torch" / "env" / "bin" / "python"
    if not python.exists():
        raise Missing("torch is not installed: --torch")
    words = [ctx.work, ctx.cov or "-", str(ctx.iters), str(ctx.threads)]
    return [str(python), str(BENCH / "pomegranate_worker.py"), ctx.data, *words]


for _work in ("qda_fit", "gnb_fit", "qda_proba", "gnb_proba", "gmm"):
    WORKERS[_work, "pomegranate"] = _pomegranate
SLOW.add(("gmm", "pomegranate"))


def _mlpack_gmm(ctx):
    if ctx.data != "gmm_s" or ctx.cov not in ("full", "diag"):
        return None
    words = [ctx.data, ctx.cov, str(ctx.iters)]
    return [sys.executable, str(BENCH / "mlpack_worker.py"), *words]


WORKERS["gmm", "mlpack"] = _mlpack_gmm
SLOW.add(("gmm", "mlpack"))

PANDAS = "import pandas as p;d=p.read_csv({0!r});y=d.pop('label').to_numpy();X=d.to_numpy()"
POLARS = (
    "import polars as p;d=p.read_csv({0!r});y=d['label'].to_numpy();X=d.drop('label').to_numpy()"
)
NUMPY = (
    "import numpy as p;d=p.loadtxt({0!r},delimiter=',',skiprows=1);X=d[:,:-1];y=d[:,-1].astype(int)"
)
LDA = ";from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as L;L({0}).fit(X,y)"


def _python(reading, solver=""):
    def words(ctx):
        path = str(DATA / f"{ctx.data}.csv")
        return [sys.executable, "-c", reading.format(path) + LDA.format(solver)]

    return words


def _r_iris(ctx):
    code = f"d <- read.csv('{DATA / 'iris.csv'}'); MASS::lda(label ~ ., d)"
    return [_program("Rscript"), "--vanilla", "-e", code]


COLD["csv_lda", "polars+sklearn-lsqr"] = _python(POLARS, "solver='lsqr'")
COLD["csv_lda", "polars+sklearn"] = _python(POLARS)
COLD["csv_lda", "pandas+sklearn"] = _python(PANDAS)
COLD["iris_shell", "sklearn"] = _python(NUMPY)
COLD["iris_shell", "polars+sklearn"] = _python(POLARS)
COLD["iris_shell", "pandas+sklearn"] = _python(PANDAS)
COLD["iris_shell", "MASS"] = _r_iris
