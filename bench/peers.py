"""Peers that run in this process, on the same arrays as ours.

A peer is a function of the context (see context.py) that returns the call to be timed, or None
where it has nothing for the case. Importing what is not installed is its way to say that it is
missing.
"""

import numpy as np

# (work, peer) -> function of the context
IN_PROCESS = {}

# scikit-learn's four shapes
SHAPES = ("full", "diag", "tied", "spherical")


def start_covariance(d):
    """Return what full covariances start from: of unit variances, and no diagonal matrix."""
    return 0.9 * np.eye(d) + 0.1


def start_precisions(cov, k, d):
    """Return what a shape starts from, as scikit-learn takes it."""
    full = np.linalg.inv(start_covariance(d))
    return {
        "full": np.stack([full] * k),
        "diag": np.ones((k, d)),
        "tied": full,
        "spherical": np.ones(k),
    }[cov]


def peer(name, *works):
    """Register a function as what a peer does for some works."""

    def add(function):
        IN_PROCESS.update({(work, name): function for work in works})
        return function

    return add


def sk_estimator(model, **how):
    """Return scikit-learn's estimator of a model."""
    if model == "lda":
        from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as Estimator
    elif model == "qda":
        from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as Estimator
    elif model == "gnb":
        from sklearn.naive_bayes import GaussianNB as Estimator
    else:
        from sklearn.neighbors import NearestCentroid as Estimator
    return Estimator(**how)


@peer("sklearn", "lda_fit", "qda_fit", "gnb_fit", "nc_fit")
def sk_fit(ctx):
    """Fit with the default solver."""
    return lambda: sk_estimator(ctx.model).fit(ctx.X, ctx.y)


@peer("sklearn-lsqr", "lda_fit")
def sk_lsqr(ctx):
    """Fit LDA from covariances and a system of equations."""
    return lambda: sk_estimator("lda", solver="lsqr").fit(ctx.X, ctx.y)


@peer("sklearn-eigen", "lda_fit", "qda_fit")
def sk_eigen(ctx):
    """Fit from covariances and their eigenvectors."""
    return lambda: sk_estimator(ctx.model, solver="eigen").fit(ctx.X, ctx.y)


@peer("sklearn", "lda_proba", "qda_proba", "gnb_proba")
def sk_proba(ctx):
    """Posterior of all rows."""
    how = {"solver": "lsqr"} if ctx.model == "lda" else {}
    fitted = sk_estimator(ctx.model, **how).fit(ctx.X, ctx.y)
    return lambda: fitted.predict_proba(ctx.X)


def sk_mixture(ctx, **how):
    """Return a mixture that starts from the given means and equal weights."""
    from sklearn.mixture import GaussianMixture

    return GaussianMixture(
        ctx.k,
        covariance_type=ctx.cov,
        weights_init=np.full(ctx.k, 1 / ctx.k, ctx.X.dtype),
        means_init=ctx.means.astype(ctx.X.dtype),
        precisions_init=start_precisions(ctx.cov, ctx.k, ctx.d).astype(ctx.X.dtype),
        **how,
    )


@peer("sklearn", "gmm")
def sk_gmm(ctx):
    """Drive the steps of fit() here, so that no E-step is added at the end."""

    def run():
        mixture = sk_mixture(ctx)
        mixture._initialize_parameters(ctx.X, np.random.RandomState(0))
        for _ in range(ctx.iters):
            _, log_resp = mixture._e_step(ctx.X)
            mixture._m_step(ctx.X, log_resp)
        return mixture

    return run


@peer("sklearn", "converge")
def sk_converge(ctx):
    """Fit until the mean log-likelihood changes by less than the tolerance."""
    return lambda: sk_mixture(ctx, tol=ctx.tol, max_iter=1000).fit(ctx.X)


@peer("sklearn", "bic_four")
def sk_bic(ctx):
    """Fit its four families with 1 to 9 components, from k-means."""
    from sklearn.mixture import GaussianMixture

    def run():
        best = (np.inf,)
        for cov in SHAPES:
            for k in range(1, 10):
                how = {"covariance_type": cov, "random_state": 0, "tol": ctx.tol, "max_iter": 1000}
                mixture = GaussianMixture(k, **how).fit(ctx.X)
                best = min(best, (mixture.bic(ctx.X), cov, k))
        return best

    return run


@peer("daal4py", "gmm")
def daal_gmm(ctx):
    """Return oneDAL's EM, which has full and diagonal covariances."""
    if ctx.cov not in ("full", "diag"):
        return None
    import daal4py

    daal4py.daalinit(ctx.threads)
    dtype, full = ctx.X.dtype, ctx.cov == "full"
    weights, means = np.full((1, ctx.k), 1 / ctx.k, dtype), ctx.means.astype(dtype)
    start = (start_covariance(ctx.d) if full else np.ones((1, ctx.d))).astype(dtype)

    def run():
        em = daal4py.em_gmm(
            ctx.k,
            maxIterations=ctx.iters,
            accuracyThreshold=0.0,
            fptype="double" if dtype == np.float64 else "float",
            covarianceStorage="full" if full else "diagonal",
        )
        found = em.compute(ctx.X, weights, means, [start.copy() for _ in range(ctx.k)])
        # it stops by itself when the likelihood no longer rises
        if (ran := int(found.nIterations[0, 0])) != ctx.iters:
            raise RuntimeError(f"ran {ran} of {ctx.iters} iterations")
        return found

    return run


@peer("sklearnex-covariance", "qda_fit", "lda_fit")
def sklearnex_covariance(ctx):
    """Return oneDAL's one mean and covariance of all rows: a yardstick, not a classifier."""
    from sklearnex.covariance import IncrementalEmpiricalCovariance

    return lambda: IncrementalEmpiricalCovariance(batch_size=ctx.n).fit(ctx.X)


@peer("mlpack", "gnb_fit")
def mlpack_nbc(ctx):
    """Fit mlpack's naive Bayes."""
    import mlpack

    y = ctx.y.astype(np.uint64)
    return lambda: mlpack.nbc(training=ctx.X, labels=y)


@peer("mlpack", "gnb_proba")
def mlpack_nbc_proba(ctx):
    """Posterior by mlpack's naive Bayes."""
    import mlpack

    fitted = mlpack.nbc(training=ctx.X, labels=ctx.y.astype(np.uint64))["output_model"]
    return lambda: mlpack.nbc(input_model=fitted, test=ctx.X)
