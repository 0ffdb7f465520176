"""Second computations of noise, t components, variational posteriors, merging, resampling and prior shift."""

import numpy as np
from scipy.optimize import brentq, minimize
from scipy.spatial import cKDTree
from scipy.special import digamma, gamma, gammaln, logsumexp
from scipy.stats import chi2, multivariate_normal, multivariate_t

import second_bayes
from second_answers import class_sums, family, log_joint
from second_em import CLOSED, e_step, far, free, m_step


# ---- noise ---------------------------------------------------------------------------------------------------------


def noise_e_step(x, share, weights, means, covariances, vinv):
    """Log-likelihood, and posteriors with noise in the last column."""
    joint = np.column_stack([log_joint(x, means, covariances, weights), np.full(len(x), np.log(share * vinv))])
    evidence = logsumexp(joint, axis=1)
    return evidence.sum(), np.exp(joint - evidence[:, None])


def noise_m_step(x, z, model):
    total, means, scatter = class_sums(x, z[:, :-1])
    return z[:, -1].mean(), total / len(x), means, family(model, total, scatter)


def noise(case, x, _labels):
    """Both boxes; EM from every partition, where the M-step is closed; no step moves what is at rest."""
    n, d = x.shape
    axes = np.linalg.svd(x - x.mean(0), full_matrices=False)[2].T
    volumes = case["volumes"]
    boxes = [np.ptp(rows, axis=0).prod() for rows in (x, (x - x.mean(0)) @ axes)]
    worst = far(boxes, [volumes["raw"], volumes["principal"]])
    smaller = min(volumes["raw"], volumes["principal"])
    worst = max(worst, far(smaller, volumes["hypvol"]), far(1 / smaller, case["vinv"]))
    for start in case.get("starts", ()):
        k = start["components"]
        own = np.array(start["partition"])
        first = np.column_stack([own == j for j in [*range(1, k + 1), 0]]).astype(float)
        for fit in start["fits"]:
            if fit["log_likelihood"] is None:
                continue
            assert fit["parameters"] == free(fit["model"], d, k) + 2
            worst = max(worst, far(fit["parameters"] * np.log(n) - 2 * fit["log_likelihood"], fit["bic"]))
            keys = ("noise_share", "component_weights", "means", "covariances")
            stored = [np.array(fit[key]) for key in keys]
            value, z = noise_e_step(x, *stored, case["vinv"])
            worst = max(worst, far(value, fit["log_likelihood"]))
            if fit["model"] == "VVE":
                # mclust's step for the axes is not the best one
                assert noise_e_step(x, *noise_m_step(x, z, "VVE"), case["vinv"])[0] > value + 1e-4
                continue
            moved = [far(a, b) for a, b in zip(noise_m_step(x, z, fit["model"]), stored)]
            assert max(moved) <= case["parameter_tolerance"], (start["name"], fit["model"], moved)
            if fit["model"] in CLOSED:
                z = first
                for _ in range(2 * fit["iterations"] + 50):
                    value, z = noise_e_step(x, *noise_m_step(x, z, fit["model"]), case["vinv"])
                worst = max(worst, far(value, fit["log_likelihood"]))
    return worst


# ---- t components --------------------------------------------------------------------------------------------------


def student_logs(x, means, scales, nus):
    """Log densities of t laws, Gaussian where nu is infinite, and squared distances."""
    d, logs, away = x.shape[1], [], []
    for m, s, nu in zip(means, scales, nus):
        far_off = ((x - m) * np.linalg.solve(s, (x - m).T).T).sum(1)
        away.append(far_off)
        logs.append(multivariate_t(m, s, nu).logpdf(x) if np.isfinite(nu) else multivariate_normal(m, s).logpdf(x))
    return np.array(logs).T, np.array(away).T, d


def student_step(x, w, state, model, freedom):
    """One round of EM with a second E-step before the degrees of freedom; the log-likelihood before it."""
    shares, means, scales, nus = state
    for part in range(2):
        logs, away, d = student_logs(x, means, scales, nus)
        joint = logs + np.log(shares)
        evidence = logsumexp(joint, axis=1)
        z = np.exp(joint - evidence[:, None]) * w[:, None]
        u = np.where(np.isfinite(nus), (nus + d) / (np.where(np.isfinite(nus), nus, 1) + away), 1.0)
        if part == 0:
            value = w @ evidence
            shares = z.sum(0) / w.sum()
            means = (z * u).T @ x / (z * u).sum(0)[:, None]
            scatter = np.array([(x - m).T @ ((x - m) * v[:, None]) for m, v in zip(means, (z * u).T)])
            scales = family(model, z.sum(0), scatter)
    if freedom == "fixed":
        return value, (shares, means, scales, nus)
    tails, total = (z * (np.log(u) - u)).sum(0), z.sum(0)
    if freedom == "common":
        tails, total = np.full_like(tails, tails.sum()), np.full_like(total, total.sum())
    found = nus.copy()
    for j in np.flatnonzero(np.isfinite(nus)):
        half = (nus[j] + d) / 2
        known = 1 + tails[j] / total[j] + digamma(half) - np.log(half)
        found[j] = brentq(lambda v: np.log(v / 2) - digamma(v / 2) + known, 0.05, 1e6, xtol=1e-13, rtol=1e-14)
    return value, (shares, means, scales, found)


def student(case, x, labels):
    """EM from the labels ends where direct maximisation did; no step moves what is stored."""
    w = np.ones(len(x)) if case["weights"] is None else np.array(case["weights"], float)
    z = np.array([labels == c for c in np.unique(labels)], float).T * w[:, None]
    if case["components"] == 1:
        z = w[:, None]
    nus = np.array([np.inf if v is None else v for v in case["degrees_of_freedom"]])
    stored = [np.array(case[key]) for key in ("component_weights", "means", "scales")] + [nus]
    value, after = student_step(x, w, stored, case["model"], case["freedom"])
    moved = max(far(a, b) for a, b in zip(after[:3], stored))
    moved = max(moved, far(1 / after[3], 1 / nus))
    assert moved < 1e-9, moved
    total, means, scatter = class_sums(x, z)
    begin = np.full(len(nus), 4.0) if case["freedom"] == "fixed" else np.where(np.isfinite(nus), 10.0, np.inf)
    state = total / total.sum(), means, family(case["model"], total, scatter), begin
    if np.isfinite(nus).all():
        worst = far(student_step(x, w, state, case["model"], case["freedom"])[0], case["at_start"])
    else:
        worst = 0.0
    last = None
    for _ in range(20000):
        now, state = student_step(x, w, state, case["model"], case["freedom"])
        if last is not None and abs(now - last) < 1e-13 * abs(now):
            break
        last = now
    assert far(now, case["log_likelihood"]) < 1e-9  # EM is slow, and stops where it creeps
    return max(worst, far(value, case["log_likelihood"]))


def one_student(case, x, _labels):
    """A step of EM moves neither location nor scale of the one law."""
    state = np.ones(1), np.array(case["means"]), np.array(case["scales"]), np.array([float(case["given_freedom"])])
    value, after = student_step(x, np.ones(len(x)), state, "VVV", "fixed")
    assert max(far(after[1], state[1]), far(after[2], state[2])) < case["parameter_tolerance"]
    return far(value, case["log_likelihood"])


# ---- joining components --------------------------------------------------------------------------------------------


def xlog(z):
    return np.where(z > 0, z * np.log(np.maximum(z, 1e-300)), 0.0)


def two_lines(x, y):
    """The 1-based break of the best two lines that share a point."""

    def left(part):
        own = np.array(x[part], float)
        return np.sum((np.polyval(np.polyfit(own, y[part], 1), own) - y[part]) ** 2)

    return 1 + min(range(1, len(x) - 1), key=lambda c: left(slice(0, c + 1)) + left(slice(c, len(x))))


def joined(case, x, _labels):
    """Every join, entropy, grouping and choice, from the stored parameters."""
    joint = log_joint(x, case["means"], np.array(case["covariances"]), case["component_weights"])
    z = np.exp(joint - logsumexp(joint, axis=1)[:, None])
    groups, entropies, worst = np.arange(1, z.shape[1] + 1), [-xlog(z).sum()], 0.0
    assert case["groups"][-1] == groups.tolist()
    for pair, rows in zip(case["merges"], case["merged_rows"]):
        k = z.shape[1]
        pairs = [(a, b) for a in range(k) for b in range(a + 1, k)]
        gains = [xlog(z[:, a] + z[:, b]).sum() - xlog(z[:, [a, b]]).sum() for a, b in pairs]
        a, b = pairs[int(np.argmax(gains))]
        assert [a + 1, b + 1] == pair
        assert np.isin(z.argmax(1), [a, b]).sum() == rows
        z[:, a] += z[:, b]
        z = np.delete(z, b, axis=1)
        groups = np.where(groups == b + 1, a + 1, groups - (groups > b + 1))
        assert case["groups"][k - 2] == groups.tolist()
        entropies.insert(0, -xlog(z).sum())
        if k - 1 == case["chosen"]:
            assert (z.argmax(1) + 1).tolist() == case["classification"]
    k = case["components"]
    if k > 2:
        assert two_lines(np.arange(1, k + 1), np.array(entropies)) == case["chosen"]
        along = np.cumsum([0] + case["merged_rows"][::-1])
        assert two_lines(along, np.array(entropies)) == case["chosen_normalized"]
    return max(worst, far(entropies, case["entropies"]))


# ---- resampling ----------------------------------------------------------------------------------------------------


def resampled(case, x, _labels):
    """A step moves nothing at rest; two seeds and plain resampling agree within chance."""
    stored = [np.array(case[key]) for key in ("component_weights", "means", "covariances")]
    evidence, z = e_step(x, *stored)
    assert max(far(a, b) for a, b in zip(m_step(x, z, case["model"]), stored)) < 1e-6
    for key, limit in (("weighted_again", 0.2), ("resampled", 0.3), ("weighted_early", 0.3)):
        for part, errors in case["weighted"]["errors"].items():
            ratio = np.array(case[key]["errors"][part]) / np.array(errors)
            assert np.abs(np.log(ratio)).max() < limit, (key, part, ratio)
    return far(evidence.sum(), case["log_likelihood"])


# ---- distances to neighbours ---------------------------------------------------------------------------------------


def neighbours(case, x, _labels):
    """Distances by a tree; intensities and share by BFGS on the log-likelihood, not by EM."""
    d, worst = x.shape[1], 0.0
    ball = np.pi ** (d / 2) / gamma(d / 2 + 1)
    for fit in case["neighbours"]:
        k, rest = fit["neighbour"], fit["rest"]
        r = cKDTree(x).query(x, k + 1)[0][:, k]
        assert far(r[:20], fit["distances"]) < 1e-12

        def logs(t, r=r, k=k):
            rate = np.exp(t[:2, None]) * ball
            density = np.log(d) + k * np.log(rate) + (d * k - 1) * np.log(r) - rate * r**d - gammaln(k)
            return density + [[-np.logaddexp(0, -t[2])], [-np.logaddexp(0, t[2])]]

        share = rest["share_inside"]
        start = np.log([rest["intensity_inside"], rest["intensity_outside"], share / (1 - share)])
        found = minimize(lambda t: -logsumexp(logs(t), axis=0).sum(), start + 0.2, options={"gtol": 1e-6})
        assert np.abs(found.x - start).max() < 1e-5, found.x - start
        both = logs(start)
        assert (np.flatnonzero(both[1] > both[0]) + 1).tolist() == rest["noise_by_posterior"]
        worst = max(worst, far(logsumexp(both, axis=0).sum(), rest["log_likelihood"]))
        worst = max(worst, abs(found.fun + rest["log_likelihood"]) / (1 + abs(found.fun)))
        both -= np.log([[share], [1 - share]])
        assert (np.flatnonzero(both[1] > both[0]) + 1).tolist() == rest["noise"]
    return worst


# ---- priors of new rows --------------------------------------------------------------------------------------------


def shifted(case, x, _labels):
    """The steps in doubles, a long run of them, the test by scipy, and second differences of the log-likelihood."""
    w = np.ones(len(x)) if case["weights"] is None else np.array(case["weights"], float)
    logs = log_joint(x, np.array(case["means"]), np.array(case["covariances"]), np.ones(len(case["priors"])))
    f = np.exp(logs)

    def value(priors):
        return w @ np.log(f @ priors)

    stages = {stage["steps"]: stage for stage in case["stages"]}
    old = now = np.array(case["priors"])
    worst = far(value(old), case["log_likelihood"]["training"])
    new = np.array(case["shifted_priors"])
    for at in range(1, 20001):
        now = now * (w @ (f / (f @ now)[:, None])) / w.sum()
        if at in stages:
            worst = max(worst, far(now, stages[at]["priors"]), far(value(now), stages[at]["log_likelihood"]))
    worst = max(worst, far(now, new), far(value(new), case["log_likelihood"]["shifted"]))
    worst = max(worst, far(w @ (f / (f @ new)[:, None]) / w.sum(), case["score"]))
    statistic = 2 * (value(new) - value(old))
    worst = max(worst, far(chi2.sf(statistic, len(old) - 1), case["p_value"]), far(statistic, case["statistic"]))
    query = np.array(case["query"]) - 1
    for key, priors in (("posterior", new), ("training_posterior", old)):
        worst = max(worst, far((f * priors / (f @ priors)[:, None])[query], case[key]))
    if case["information"] is not None:
        moves, h = np.eye(len(old))[:-1] - np.eye(len(old))[-1], 1e-4
        found = [
            [(value(new + h * (a + b)) - value(new + h * (a - b)) - value(new - h * (a - b)) + value(new - h * (a + b)))
             for b in moves] for a in moves
        ]
        assert far(-np.array(found) / (4 * h * h), case["information"]) < 1e-3
        full = moves.T @ np.linalg.inv(case["information"]) @ moves
        worst = max(worst, far(full, case["covariance"]), far(np.sqrt(np.diag(full)), case["errors"]))
    return worst


BY_KEY = {
    "vinv": noise,
    "start_partition": second_bayes.steps,
    "freedom": student,
    "given_freedom": one_student,
    "merges": joined,
    "replicates": resampled,
    "neighbours": neighbours,
    "shifted_priors": shifted,
}
