"""Second computations, in doubles, of families, posteriors, axes and shrinkage.

Each gives the keys that check_goldens.py compares.
"""

import numpy as np
from scipy.linalg import eigh
from scipy.special import digamma, logsumexp, softmax
from scipy.stats import multivariate_normal, multivariate_t


def class_sums(x, z):
    """Sizes, means and scatters of the classes; z holds one column of memberships or weights per class."""
    total = z.sum(0)
    means = z.T @ x / total[:, None]
    scatter = np.array([(x - m).T @ ((x - m) * w[:, None]) for m, w in zip(means, z.T)])
    return total, means, scatter


def log_joint(x, means, covariances, priors):
    each = zip(means, covariances, priors)
    return np.array([np.log(p) + multivariate_normal(m, c).logpdf(x) for m, c, p in each]).T


# ---- the fourteen families -----------------------------------------------------------------------------------------


def volume(spread):
    return np.prod(spread, -1, keepdims=True) ** (1 / spread.shape[-1])


def with_volumes(spread, total, letters):
    """Volume and shape from the spreads n_k lambda_k A_k along the axes of each class; both tied or free."""
    if letters == "VV":
        return spread / total[:, None]
    if letters == "EE":
        return np.tile(spread.sum(0) / total.sum(), (len(total), 1))
    if letters == "EV":
        return spread / volume(spread) * volume(spread).sum() / total.sum()
    scale = np.ones(len(total))
    for _ in range(10000):
        shape = (spread / scale[:, None]).sum(0)
        shape /= volume(shape)
        scale, before = (spread / shape).mean(1) / total, scale
        if np.abs(scale / before - 1).max() < 1e-15:
            break
    return scale[:, None] * shape


def common_axes(scatter, total, letters):
    """Minorise and maximise: the polar factor of sum (W_k - w_k I) D / a_k, from D = I."""
    top = np.linalg.eigvalsh(scatter)[:, -1]
    axes = np.eye(scatter.shape[1])
    for _ in range(100000):
        spread = np.einsum("ji,kjl,li->ki", axes, scatter, axes)
        shape = spread / total[:, None] if letters == "VV" else spread / volume(spread)
        pull = sum((t * axes - w @ axes) / a for w, t, a in zip(scatter, top, shape))
        u, _, v = np.linalg.svd(pull)
        axes, before = u @ v, axes
        if np.abs(axes - before).max() < 1e-15:
            break
    return axes


def common_matrix(scatter, total):
    """VEE: one matrix of volume one times a volume per class."""
    d, scale = scatter.shape[1], np.ones(len(total))
    for _ in range(10000):
        shape = (scatter / scale[:, None, None]).sum(0)
        shape /= np.linalg.det(shape) ** (1 / d)
        scale, before = np.einsum("kij,ji->k", scatter, np.linalg.inv(shape)) / (d * total), scale
        if np.abs(scale / before - 1).max() < 1e-15:
            break
    return scale[:, None, None] * shape


def family(model, total, scatter):
    letters, d = model[:2], scatter.shape[1]
    if model == "EEE":
        return np.array([scatter.sum(0) / total.sum()] * len(total))
    if model == "VEE":
        return common_matrix(scatter, total)
    if model[2] == "V":
        _, axes = np.linalg.eigh(scatter)
    else:
        axes = np.array([np.eye(d) if model[2] == "I" else common_axes(scatter, total, letters)] * len(total))
    spread = np.einsum("kji,kjl,kli->ki", axes, scatter, axes)
    if model[1] == "I":
        spread, letters = np.tile(spread.mean(1, keepdims=True), d), letters[0] * 2
    return np.einsum("kij,kj,klj->kil", axes, with_volumes(spread, total, letters), axes)


def families(case, x, y):
    z = np.array(case["memberships"]) if "memberships" in case else indicators(case, y)
    total, means, scatter = class_sums(x, z)
    covariances = family(case["model"], total, scatter)
    joint = log_joint(x, means, covariances, total / total.sum())
    labels = np.array(case["classes"])[joint.argmax(1)]
    out = {"means": means, "covariances": covariances, "log_joint": (z * joint).sum()}
    if "labels" in case:
        out |= {"log_evidence_sum": logsumexp(joint, axis=1).sum(), "labels": labels.tolist()}
        out["errors"] = int((labels != y).sum())
    if "best_log_joint" in case:
        out["best_log_joint"] = out["log_joint"]
    return out


def indicators(case, y):
    weights = np.ones(len(y)) if case["weights"] is None else np.array(case["weights"], float)
    return np.array([weights * (y == k) for k in case["classes"]]).T


# ---- posteriors ----------------------------------------------------------------------------------------------------


def chosen(case, x):
    return x[np.array(case["rows"]) - 1] if "rows" in case else x


def priors_of(case, total):
    return total / total.sum() if case["priors"] == "observed" else np.array(case["priors"])


def posteriors(case, x, y):
    total, means, scatter = class_sums(x, indicators(case, y))
    d, rows, joint = x.shape[1], chosen(case, x), []
    for n, mean, own, p in zip(total, means, scatter, priors_of(case, total)):
        f, v = (n - 1, own) if case["model"] == "qda" else (total.sum() - len(total), scatter.sum(0))
        if case["posteriors_by"] == "predictive":
            log_density = multivariate_t(mean, (n + 1) / n * v / (f - d + 1), df=f - d + 1).logpdf(rows)
        else:
            log_density = multivariate_normal(mean, v / f).logpdf(rows)
        if case["posteriors_by"] == "debiased":
            distance = np.einsum("ij,ij->i", rows - mean, np.linalg.solve(v / f, (rows - mean).T).T)
            log_density += ((d + 1) / f * distance + d / n - d * np.log(f / 2)) / 2
            log_density += digamma((f + 1 - np.arange(1, d + 1)) / 2).sum() / 2
        joint.append(np.log(p) + log_density)
    joint = np.array(joint).T
    return {"posterior": softmax(joint, axis=1), "log_posterior": joint - logsumexp(joint, axis=1)[:, None]}


# ---- discriminant axes ---------------------------------------------------------------------------------------------


def canonical(case, x, y):
    """Directions and scores with the signs of the case, for these are free."""
    total, means, scatter = class_sums(x, indicators(case, y))
    priors = priors_of(case, total)
    within = scatter.sum(0) / (total.sum() - len(total))
    apart = (means - priors @ means) * np.sqrt(total.sum() * priors / (len(total) - 1))[:, None]
    values, vectors = eigh(apart.T @ apart, within)
    wanted = np.array(case["canonical"]["directions"])
    values, vectors = values[::-1][: wanted.shape[1]], vectors[:, ::-1][:, : wanted.shape[1]]
    vectors = vectors * np.sign((vectors * wanted).sum(0))
    return {
        "canonical": {"directions": vectors, "ratio": values / values.sum(), "svd": np.sqrt(values)},
        "scores": (chosen(case, x) - priors @ means) @ vectors,
    }


# ---- shrinkage -----------------------------------------------------------------------------------------------------


def amount(case, x, weights):
    """Share of the sphere for rows that are centred, by Ledoit and Wolf (2004) or by Chen and others (2010)."""
    n, d = weights.sum(), x.shape[1]
    s = (x * weights[:, None]).T @ x / n
    level = np.trace(s) / d
    if case["shrinkage"] == "oas":
        size = (s * s).mean()
        return min(1.0, (size + level**2) / ((n + 1) * (size - level**2 / d)))
    if case["shrinkage"] == "ledoit-wolf":
        apart = ((s - level * np.eye(d)) ** 2).sum()
        noise = weights @ ((x[:, :, None] * x[:, None, :] - s) ** 2).sum((1, 2)) / n**2
        return min(noise, apart) / apart
    return case["shrinkage"]


def with_posterior(case, x, total, means, covariances):
    each = [covariances] * len(total) if np.ndim(covariances) == 2 else covariances
    joint = log_joint(chosen(case, x), means, each, priors_of(case, total))
    return {
        "covariances": covariances,
        "posterior": softmax(joint, axis=1),
        "log_posterior": joint - logsumexp(joint, axis=1)[:, None],
    }


def shrinkage(case, x, y):
    z = indicators(case, y)
    total, means, scatter = class_sums(x, z)
    shares, covariances = [], []
    for weights, n, mean, w in zip(z.T, total, means, scatter):
        s = w / n
        diagonal = np.diag(np.diag(s))
        target = diagonal if case["shrink_to"] == "diagonal" else np.trace(s) / len(s) * np.eye(len(s))
        scale = np.sqrt(np.diag(s)) if case["shrink_to"] == "diagonal" else 1.0
        shares.append(amount(case, (x - mean) / scale, weights))
        covariances.append((1 - shares[-1]) * s + shares[-1] * target)
    if case["model"] == "lda":
        covariances = np.tensordot(total / total.sum(), covariances, 1)
    return {"amounts": shares} | with_posterior(case, x, total, means, covariances)


def rda(case, x, y):
    total, means, scatter = class_sums(x, indicators(case, y))
    share, sphere = case["rda"]
    mixed = (1 - share) * scatter + share * scatter.sum(0)
    mixed /= ((1 - share) * total + share * total.sum())[:, None, None]
    level = np.trace(mixed, axis1=1, axis2=2) / x.shape[1]
    covariances = (1 - sphere) * mixed + sphere * level[:, None, None] * np.eye(x.shape[1])
    return with_posterior(case, x, total, means, covariances)


def pseudo_inverse_posterior(x, y, above=0.0):
    """Posteriors from the pseudo-inverse of the pooled covariance, on the scale of correlations."""
    classes = np.unique(y)
    means = np.array([x[y == c].mean(0) for c in classes])
    centred = np.concatenate([x[y == c] - m for c, m in zip(classes, means)])
    scale = centred.std(0)
    scale[scale < 1e-12] = 1.0
    z = centred / scale
    values, vectors = np.linalg.eigh(z.T @ z / len(x))
    kept = values > max(1e-10, above**2)
    whiten = vectors[:, kept] / np.sqrt(values[kept]) / scale[:, None]
    apart = ((x @ whiten)[:, None, :] - (means @ whiten)[None]) ** 2
    scores = -0.5 * apart.sum(2) + np.log([np.mean(y == c) for c in classes])
    scores -= scores.max(1, keepdims=True)
    return np.exp(scores) / np.exp(scores).sum(1, keepdims=True), int(kept.sum())


def within_range(case, x, y):
    """Posteriors of a singular shared covariance."""
    posterior, rank = pseudo_inverse_posterior(x, y, case.get("above", 0.0))
    return {"posterior": posterior, "rank": rank}


# ---- centroids -----------------------------------------------------------------------------------------------------


def soft(d, threshold):
    """The nearest point of an interval of this half-width about zero, taken off."""
    return d - np.clip(d, -threshold, threshold)


def centroids(case, x, y):
    """Shrunken centroids and their labels, by sums over classes; margins: how far the next class is behind."""
    taxicab = case["metric"] == "manhattan"
    z = indicators(case, y)
    total, means, scatter = class_sums(x, z)
    centre = np.array([np.median(x[w > 0], axis=0) for w in z.T]) if taxicab else means
    squares = scatter.diagonal(axis1=1, axis2=2).sum(0) + total @ (means - centre) ** 2
    within = np.sqrt(squares / (total.sum() - len(total)))
    within[within < 1e-12] = 0
    error = np.sqrt(1 / total - 1 / total.sum())[:, None] * (within + np.median(within))
    overall = total @ means / total.sum()
    deviations = soft((centre - overall) / error, case["shrink_threshold"] or 0)
    centre = overall + error * deviations
    priors = np.full(len(total), 1 / len(total)) if case["priors"] == "uniform" else priors_of(case, total)
    unit = np.where((within == 0) | (np.ptp(priors) < 1e-6), 1, within)
    apart = (chosen(case, x)[:, None] - centre) / unit
    distance = np.abs(apart).sum(2) ** 2 if taxicab else (apart**2).sum(2)
    scores = 2 * np.log(priors) - distance
    best = np.sort(scores, axis=1)
    return {
        "centroids": centre,
        "deviations": deviations,
        "within": within,
        "scores": scores,
        "labels": np.array(case["classes"])[scores.argmax(1)].tolist(),
        "margins": best[:, -1] - best[:, -2],
    }


def plain(x, y):
    """Means, maximum-likelihood covariances and shares of the classes."""
    parts = [x[y == c] for c in np.unique(y)]
    covariances = np.array([np.cov(part.T, bias=True) for part in parts])
    return np.array([part.mean(0) for part in parts]), covariances, np.array([len(p) / len(x) for p in parts])


def by_density(x, means, covariances, shares):
    """Posteriors from log-densities."""
    logs = [multivariate_normal(m, c).logpdf(x) for m, c in zip(means, covariances)]
    return softmax(np.array(logs).T + np.log(shares), axis=1)


def smoothed(case, x, y):
    """Diagonals with a share of the largest variance of all rows."""
    means, covariances, shares = plain(x, y)
    added = case["ridge_of_widest"] * x.var(0).max()
    covariances = np.array([np.diag(np.diag(c) + added) for c in covariances])
    posterior = by_density(x, means, covariances, shares)
    return {"ridge_added": added, "means": means, "covariances": covariances, "posterior": posterior}


def regularised(case, x, y):
    """Covariances drawn toward the identity."""
    means, covariances, shares = plain(x, y)
    covariances = (1 - case["shrinkage"]) * covariances + case["shrinkage"] * np.eye(x.shape[1])
    variances = np.array([np.linalg.eigvalsh(c)[::-1] for c in covariances])
    posterior = by_density(x, means, covariances, shares)
    return {"covariances": covariances, "variances": variances, "posterior": posterior}


def linear(case, x, y):
    """Scores about a point, and directions within a total."""
    means, covariances, shares = plain(x, y)
    size = x.shape[1]

    def shrunk(matrix):
        amount = case.get("shrinkage", 0.0)
        return (1 - amount) * matrix + amount * np.trace(matrix) / size * np.eye(size)

    within, total = shrunk(np.tensordot(shares, covariances, 1)), shrunk(np.cov(x.T, bias=True))
    about = np.zeros(size) if case["linear"]["about"] == "zero" else shares @ means
    weights = np.linalg.solve(within, (means - about).T).T
    constants = np.log(shares) - 0.5 * ((means - about) * weights).sum(1) - weights @ about
    ratios = np.sort(np.linalg.eigvals(np.linalg.solve(within, total)).real)[::-1] - 1
    answers = {
        "posterior": softmax(x @ weights.T + constants, axis=1),
        "linear": {"coefficients": weights, "intercepts": constants},
    }
    if "total" in case:
        answers |= {"covariances": within, "total": total, "ratio": (ratios / ratios.sum())[: len(case["ratio"])]}
    return answers


BY_KEY = {
    "shrink_threshold": centroids,
    "ridge_of_widest": smoothed,
    "variances": regularised,
    "linear": linear,
    "on_singular": within_range,
    "canonical": canonical,
    "posteriors_by": posteriors,
    "rda": rda,
    "amounts": shrinkage,
    "log_joint": families,
}
