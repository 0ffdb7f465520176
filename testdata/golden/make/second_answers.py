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


def pseudo_inverse_posterior(x, y):
    """Posteriors from the pseudo-inverse of the pooled covariance, on the scale of correlations."""
    classes = np.unique(y)
    means = np.array([x[y == c].mean(0) for c in classes])
    centred = np.concatenate([x[y == c] - m for c, m in zip(classes, means)])
    scale = centred.std(0)
    scale[scale < 1e-12] = 1.0
    z = centred / scale
    values, vectors = np.linalg.eigh(z.T @ z / len(x))
    kept = values > 1e-10
    whiten = vectors[:, kept] / np.sqrt(values[kept]) / scale[:, None]
    apart = ((x @ whiten)[:, None, :] - (means @ whiten)[None]) ** 2
    scores = -0.5 * apart.sum(2) + np.log([np.mean(y == c) for c in classes])
    scores -= scores.max(1, keepdims=True)
    return np.exp(scores) / np.exp(scores).sum(1, keepdims=True), int(kept.sum())


def within_range(case, x, y):
    """Posteriors of a singular shared covariance."""
    posterior, rank = pseudo_inverse_posterior(x, y)
    return {"posterior": posterior, "rank": rank}


BY_KEY = {
    "on_singular": within_range,
    "canonical": canonical,
    "posteriors_by": posteriors,
    "rda": rda,
    "amounts": shrinkage,
    "log_joint": families,
}
