"""Second computations of EM in doubles: paths, fixed points and tables of other tools."""

import numpy as np
from scipy.special import logsumexp

from second_answers import class_sums, family, log_joint


def m_step(x, z, model):
    """Weights, means and covariances from memberships, or memberships times weights of rows."""
    total, means, scatter = class_sums(x, z)
    return total / total.sum(), means, family(model, total, scatter)


def e_step(x, weights, means, covariances):
    """Log evidence and posteriors of every row."""
    joint = log_joint(x, means, covariances, weights)
    evidence = logsumexp(joint, axis=1)
    return evidence, np.exp(joint - evidence[:, None])


def far(got, wanted):
    got, wanted = np.asarray(got, float), np.asarray(wanted, float)
    assert got.shape == wanted.shape and np.isfinite(got).all()
    return float(np.max(np.abs(got - wanted) / (1 + np.abs(wanted)), initial=0))


def path(case, x, _labels):
    """EM from 'start', compared wherever the path has an entry."""
    now = [np.array(case["start"][key]) for key in ("weights", "means", "covariances")]
    stored = {step["iterations"]: step for step in case["path"]}
    worst = 0.0
    for iteration, bound in enumerate(case["lower_bounds"], 1):
        evidence, z = e_step(x, *now)
        worst = max(worst, far(evidence.mean(), bound))
        now = m_step(x, z, case["model"])
        step = stored.get(iteration)
        if step is not None:
            assert step["lower_bound"] == bound
            worst = max([worst] + [far(a, step[key]) for a, key in zip(now, ("weights", "means", "covariances"))])
            worst = max(worst, far(e_step(x, *now)[0].sum(), step["log_likelihood"]))
    return worst


def free(model, d, k):
    """Free parameters: shares, means, then volumes, shapes and orientations, once or per component."""
    times = [{"E": 1, "V": k, "I": 0}[letter] for letter in model]
    return k - 1 + k * d + times[0] + times[1] * (d - 1) + times[2] * d * (d - 1) // 2


def table(case, x, _labels):
    """Counts, BIC from the log-likelihood, and one component, where a single M-step is the answer."""
    worst = 0.0
    likelihoods, criteria = np.array(case["log_likelihood"], float), np.array(case["bic"], float)
    n, d = x.shape
    for row, k in enumerate(case["components"]):
        assert case["parameters"][row] == [free(model, d, k) for model in case["families"]]
        if k == 1:
            alone = {model: m_step(x, np.ones((n, 1)), model) for model in ("EII", "EEI", "EEE")}
            sums = {model: e_step(x, *state)[0].sum() for model, state in alone.items()}
            same = {"II": "EII", "EI": "EEI", "VI": "EEI"}
            worst = max(worst, far([sums[same.get(f[1:], "EEE")] for f in case["families"]], likelihoods[row]))
    wanted = -2 * likelihoods + np.array(case["parameters"]) * np.log(n)
    known = np.isfinite(criteria)
    assert (np.isnan(likelihoods) == ~known).all()
    order = np.argsort(criteria, axis=None)[:3]
    for cell, at in zip(case["best"], order):
        row, column = divmod(at, len(case["families"]))
        assert (cell["components"], cell["model"]) == (case["components"][row], case["families"][column])
    return max(worst, far(wanted[known], criteria[known]))


def indicators(labels):
    """Memberships of one where the label is, columns sorted by name."""
    return np.array([labels == k for k in np.unique(labels)], float).T


def at_rest(case, x, labels):
    """The first steps from the labels, and one step from the stored parameters, which must not move them."""
    rows = np.ones(len(x)) if case["weights"] is None else np.array(case["weights"], float)
    z = np.ones((len(x), 1)) if case["components"] == 1 else indicators(labels)
    worst = 0.0
    for stored in case["log_likelihoods"]:
        state = m_step(x, z * rows[:, None], case["model"])
        evidence, z = e_step(x, *state)
        worst = max(worst, far(rows @ evidence, stored))
    return max(worst, stands(case, x, rows))


def stands(case, x, rows):
    """Distance of the log-likelihood; one step from the stored parameters must not move them."""
    stored = [np.array(case[key]) for key in ("component_weights", "means", "covariances")]
    evidence, z = e_step(x, *stored)
    after = m_step(x, z * rows[:, None], case["model"])
    if case["model"] == "VVE" and "code" in case:
        # mclust's step for the axes is not the best one
        assert e_step(x, *after)[0].sum() > evidence.sum() + 0.01
    else:
        moved = [far(a, b) for a, b in zip(after, stored)]
        assert max(moved) <= case["parameter_tolerance"], moved
    return far(rows @ evidence, case["log_likelihood"])


def of_mclust(case, x, _labels):
    return 0.0 if case["log_likelihood"] is None else stands(case, x, np.ones(len(x)))


CLOSED = ("EII", "VII", "EEI", "EVI", "VVI", "EEE", "EEV", "EVV", "VVV")


def stopped(x, z, model, share=1e-5):
    """EM until a step changes the log-likelihood by no more than a share of it, as mclust does."""
    last = None
    while True:
        evidence, z = e_step(x, *m_step(x, z, model))
        value = evidence.sum()
        if last is not None and abs(value - last) <= share * (1 + abs(value)):
            return value
        last = value


def from_partition(case, x, _labels):
    """Where EM stops from the partition, for the families whose M-step is closed."""
    worst, z = 0.0, indicators(np.array(case["partition"]))
    for model, stored in zip(case["families"], case["log_likelihood"]):
        if model in CLOSED and stored is not None:
            worst = max(worst, far(stopped(x, z, model), stored))
    return worst


BY_KEY = {"path": path, "codes": table, "rate": at_rest, "code": of_mclust, "partition": from_partition}
