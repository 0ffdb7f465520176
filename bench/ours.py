"""Ours, as users call it: the installed package, and the command as a cold process.

The variable GAUSSBAYES_NUM_THREADS says how many threads the package uses; the command is told.
"""

import os

import numpy as np
from paths import DATA
from peers import SHAPES, start_precisions


def fit(ctx):
    """Fit a classifier with the defaults of its class."""
    import gaussbayes

    names = {
        "lda": "LinearDiscriminantAnalysis",
        "qda": "QuadraticDiscriminantAnalysis",
        "gnb": "GaussianNB",
        "nc": "NearestCentroid",
    }
    estimator = getattr(gaussbayes, names[ctx.model])
    return lambda: estimator().fit(ctx.X, ctx.y)


def proba(ctx):
    """Posterior of all rows."""
    fitted = fit(ctx)()
    return lambda: fitted.predict_proba(ctx.X)


def mixture(ctx, **how):
    """Return a mixture that starts from the given means and equal weights."""
    from gaussbayes import GaussianMixture

    return GaussianMixture(
        ctx.k,
        covariance_type=ctx.cov,
        weights_init=np.full(ctx.k, 1 / ctx.k),
        means_init=ctx.means,
        precisions_init=start_precisions(ctx.cov, ctx.k, ctx.d),
        **how,
    )


def gmm(ctx):
    """Run so many E-steps and M-steps: fit() adds none, and no change is below a tolerance of 0."""

    def run():
        fitted = mixture(ctx, tol=0.0, max_iter=ctx.iters).fit(ctx.X)
        if fitted.n_iter_ != ctx.iters:
            raise RuntimeError(f"ran {fitted.n_iter_} of {ctx.iters} iterations")
        return fitted

    return run


def converge(ctx):
    """Fit until the mean log-likelihood changes by less than the tolerance, as sklearn does."""
    return lambda: mixture(ctx, tol=ctx.tol, max_iter=1000).fit(ctx.X)


def converge_relative(ctx):
    """Fit until the log-likelihood changes by less than a share of itself, as mclust does."""
    how = {"stop": "relative", "tol": ctx.tol, "max_iter": 100_000, "reg_covar": 0.0}
    return lambda: mixture(ctx, **how).fit(ctx.X)


def bic(ctx):
    """Search all families as mclust does: from hierarchical clustering, by its stop rule."""
    from gaussbayes import MixtureSearch

    how = {"stop": "relative", "tol": ctx.tol, "init_params": "hierarchical", "n_init": 1}
    return lambda: MixtureSearch(range(1, 10), "all", random_state=0, **how).fit(ctx.X)


def bic_default(ctx):
    """Search all families as we do by default: five starts, a tighter tolerance."""
    from gaussbayes import MixtureSearch

    return lambda: MixtureSearch(range(1, 10), random_state=0).fit(ctx.X)


def _bic_as_sklearn(ctx, families):
    from gaussbayes import MixtureSearch

    how = {"tol": ctx.tol, "reg_covar": 1e-6, "init_params": "kmeans", "n_init": 1}
    return lambda: MixtureSearch(range(1, 10), families, random_state=0, **how).fit(ctx.X)


def bic_four(ctx):
    """Search scikit-learn's four families from k-means, by its stop rule."""
    return _bic_as_sklearn(ctx, list(SHAPES))


def bic_fourteen(ctx):
    """Search all fourteen families the same way."""
    return _bic_as_sklearn(ctx, "all")


# (work, name) -> function of the context, as for peers
WARM = {
    **{(f"{model}_fit", "ours"): fit for model in ("lda", "qda", "gnb", "nc")},
    **{(f"{model}_proba", "ours"): proba for model in ("lda", "qda", "gnb")},
    ("gmm", "ours"): gmm,
    ("converge", "ours"): converge,
    ("converge_relative", "ours"): converge_relative,
    ("bic", "ours"): bic,
    ("bic", "ours-default"): bic_default,
    ("bic_four", "ours"): bic_four,
    ("bic_four", "ours-14"): bic_fourteen,
}


def command(threads, *files):
    """Return the words of a cold process that fits LDA to files and saves the model."""
    program = os.environ.get("OURS_CLI")
    if not program:
        raise FileNotFoundError("OURS_CLI names no program")
    made = str(DATA / "model.json")
    words = ["--target", "label", "--model", "lda", "--threads", str(threads), "-o", made]
    return [program, "fit", *map(str, files), *words]


def cold(ctx):
    """Fit LDA to the set as CSV, from the shell."""
    return command(ctx.threads, DATA / f"{ctx.data}.csv")
