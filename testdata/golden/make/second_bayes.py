"""Second computations of variational posteriors: scikit-learn's steps in plain numpy, and the whole bound."""

import numpy as np
from scipy.special import betaln, digamma, gammaln, logsumexp, multigammaln

from second_em import far


def in_kind(kind, matrix):
    """The diagonal, the mean of the diagonal or the matrix, as the kind stores it."""
    if kind == "diag":
        return np.diag(matrix).copy()
    return np.trace(matrix) / len(matrix) if kind == "spherical" else matrix


def whole(kind, stored, k, d):
    """K matrices from what the kind stores."""
    stored = np.asarray(stored, float)
    if kind == "full":
        return stored
    if kind == "tied":
        return np.repeat(stored[None], k, axis=0)
    return np.array([np.diag(np.broadcast_to(v, d)) for v in stored])


def m_step(x, r, kind, weights, priors, reg):
    """Posterior parameters from memberships r."""
    d, k = x.shape[1], r.shape[1]
    sizes = r.sum(0)
    safe = np.maximum(sizes, 1e-300)
    averages = r.T @ x / safe[:, None]
    spreads = [(x - a).T @ ((x - a) * w[:, None]) + n * reg * np.eye(d) for a, w, n in zip(averages, r.T, sizes)]
    beta0, m0 = priors["mean_precision_prior"], np.array(priors["mean_prior"])
    beta = beta0 + sizes
    means = (beta0 * m0 + sizes[:, None] * averages) / beta[:, None]
    pulls = [beta0 * n / b * np.outer(a - m0, a - m0) for a, n, b in zip(averages, sizes, beta)]
    parts = np.array([s + p for s, p in zip(spreads, pulls)])
    prior, nu0 = np.asarray(priors["covariance_prior"], float), priors["degrees_of_freedom_prior"]
    if kind == "tied":
        nu = nu0 + len(x) / k
        covariances = (prior + parts.mean(0)) / nu
    else:
        nu = nu0 + sizes
        covariances = np.array([(prior + in_kind(kind, p)) / v for p, v in zip(parts, nu)])
    alpha = priors["weight_concentration_prior"]
    later = np.append(np.cumsum(sizes[::-1])[-2::-1], 0)
    concentration = np.array([1 + sizes, alpha + later]) if weights == "dirichlet_process" else alpha + sizes
    return {"means": means, "covariances": covariances, "weight_concentration": concentration, "mean_precision": beta,
            "degrees_of_freedom": nu}


def log_weights(concentration):
    """Expected log weights under sticks (two lists) or a Dirichlet (one)."""
    if concentration.ndim == 1:
        return digamma(concentration) - digamma(concentration.sum())
    first, second = concentration
    both = digamma(first + second)
    return digamma(first) - both + np.append(0, np.cumsum(digamma(second) - both)[:-1])


def mean_weights(concentration):
    if concentration.ndim == 1:
        return concentration / concentration.sum()
    first, second = concentration
    found = first / (first + second) * np.append(1, np.cumprod(second / (first + second))[:-1])
    return found / found.sum()


def log_precision(kind, state, k, d):
    """Inverse scales, expected log determinants of the precisions, and their degrees of freedom."""
    nu = np.broadcast_to(state["degrees_of_freedom"], k)
    inverse = whole(kind, state["covariances"], k, d) * nu[:, None, None]
    dets = np.linalg.slogdet(inverse)[1]
    return inverse, digamma((nu[:, None] - np.arange(d)) / 2).sum(1) + d * np.log(2) - dets, nu


def e_step(x, kind, state):
    """Memberships, and what they are normalised by."""
    k, d = state["means"].shape
    inverse, log_dets, nu = log_precision(kind, state, k, d)
    joint = np.empty((len(x), k))
    for j, m in enumerate(state["means"]):
        far_off = ((x - m) * np.linalg.solve(inverse[j], (x - m).T).T).sum(1)
        joint[:, j] = (log_dets[j] - d * np.log(2 * np.pi) - d / state["mean_precision"][j] - nu[j] * far_off) / 2
    joint += log_weights(state["weight_concentration"])
    norm = logsumexp(joint, axis=1)
    return np.exp(joint - norm[:, None]), norm


def entropy(r):
    return -np.sum(r * np.log(np.maximum(r, 1e-300)))


def log_b(inverse, nu):
    """Log of the Wishart's normaliser B(W, nu), W^-1 given (Bishop B.79)."""
    d = len(inverse)
    return nu / 2 * np.linalg.slogdet(inverse)[1] - nu * d / 2 * np.log(2) - multigammaln(nu / 2, d)


def bound(r, kind, weights, state):
    """What scikit-learn calls the lower bound: no constants, the Wishart of a full matrix for every kind."""
    k, d = state["means"].shape
    inverse, _, nu = log_precision(kind, state, k, d)
    alpha = state["weight_concentration"]
    norm = -betaln(*alpha).sum() if alpha.ndim == 2 else gammaln(alpha.sum()) - gammaln(alpha).sum()
    # the constant of pi in multigammaln is left out there
    wisharts = sum(log_b(w, v) for w, v in zip(inverse, nu)) + k * d * (d - 1) / 4 * np.log(np.pi)
    return entropy(r) - wisharts - norm - d / 2 * np.log(state["mean_precision"]).sum()


def elbo(x, r, weights, priors, state):
    """All seven terms of Bishop 10.70 (10.71 to 10.77), full covariances."""
    k, d = state["means"].shape
    beta0, m0, nu0 = priors["mean_precision_prior"], np.array(priors["mean_prior"]), priors["degrees_of_freedom_prior"]
    inverse0, alpha0 = np.array(priors["covariance_prior"]), priors["weight_concentration_prior"]
    inverse, log_dets, nu = log_precision("full", state, k, d)
    alpha, beta = state["weight_concentration"], state["mean_precision"]
    logs = log_weights(alpha)
    total = entropy(r) + (r @ logs).sum()
    for j, m in enumerate(state["means"]):
        wishart = np.linalg.inv(inverse[j])
        far_off = ((x - m) * ((x - m) @ wishart)).sum(1)
        total += r[:, j] @ (log_dets[j] - d / beta[j] - nu[j] * far_off - d * np.log(2 * np.pi)) / 2
        off = m - m0
        total += (d * np.log(beta0 / 2 / np.pi) + log_dets[j] - d * beta0 / beta[j]) / 2
        total += log_b(inverse0, nu0) + (nu0 - d - 1) / 2 * log_dets[j]
        total -= nu[j] / 2 * (beta0 * off @ wishart @ off + np.trace(inverse0 @ wishart))
        own = -log_b(inverse[j], nu[j]) - (nu[j] - d - 1) / 2 * log_dets[j] + nu[j] * d / 2
        total += own - (log_dets[j] + d * np.log(beta[j] / 2 / np.pi) - d) / 2
    if weights == "dirichlet_process":
        first, second = alpha
        here, later = digamma(first) - digamma(first + second), digamma(second) - digamma(first + second)
        total += k * np.log(alpha0) + (alpha0 - 1) * later.sum()
        return total - ((first - 1) * here + (second - 1) * later - betaln(first, second)).sum()
    total += gammaln(k * alpha0) - k * gammaln(alpha0) + (alpha0 - 1) * logs.sum()
    return total - gammaln(alpha.sum()) + gammaln(alpha).sum() - ((alpha - 1) * logs).sum()


def spec(case):
    return case["covariance_type"], case["weight_concentration_prior_type"], case["priors"], case["reg_covar"]


def run(x, case, iterations):
    """States, memberships and bounds after every iteration from the partition."""
    kind, weights, priors, reg = spec(case)
    state = m_step(x, np.eye(case["components"])[np.array(case["start_partition"]) - 1], kind, weights, priors, reg)
    for _ in range(iterations):
        r, _ = e_step(x, kind, state)
        state = m_step(x, r, kind, weights, priors, reg)
        yield state, r, bound(r, kind, weights, state)


def distance(state, stored):
    weights = far(mean_weights(state["weight_concentration"]), stored["weights"])
    return max([weights] + [far(state[key], stored[key]) for key in state])


def steps(case, x, _labels):
    """The first iterations, and one from rest, which must not move it."""
    kind, weights, priors, reg = spec(case)
    stored = {step["iterations"]: step for step in case["steps"]}
    worst = 0.0
    for at, (state, r, value) in enumerate(run(x, case, len(case["lower_bounds"])), 1):
        worst = max(worst, far(value, case["lower_bounds"][at - 1]))
        if at in stored:
            worst = max(worst, distance(state, stored[at]))
            if "elbo_constant" in case:
                worst = max(worst, far(elbo(x, r, weights, priors, state) - case["elbo_constant"], value))
    if case["rest"] is not None:
        state = {key: np.array(case["rest"][key], float) for key in state}
        r, norm = e_step(x, kind, state)
        worst = max(worst, far(norm[:5], case["log_densities"]))
        moved = distance(m_step(x, r, kind, weights, priors, reg), case["rest"])
        assert moved < case["rest_tolerance"], moved
    return worst
