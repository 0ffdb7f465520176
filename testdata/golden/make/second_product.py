"""Second computations of product densities, logistic regression and Trunk's example, in doubles."""

import numpy as np
from scipy import integrate, stats
from scipy.special import logsumexp

import exact_discrete
import golden_file
import sklearn_discrete_goldens
from second_em import far


def nan(values):
    """Nested lists as an array; null is minus infinity."""
    return np.array([[-np.inf if v is None else v for v in row] for row in values], float)


def apart(got, wanted):
    """As far(), where both are minus infinity in the same places."""
    got, wanted = np.asarray(got, float), np.asarray(wanted, float)
    assert (np.isneginf(got) == np.isneginf(wanted)).all()
    finite = np.isfinite(wanted)
    return far(got[finite], wanted[finite])


# ---- flags, counts, categories -------------------------------------------------------------------------------------


def by_class(case, values):
    """Weighted sums by class of one line of values per row."""
    own = np.array(case["data"]["labels"])
    weights = np.ones(len(own)) if case["weights"] is None else np.array(case["weights"])
    hot = np.array([(own == name) * weights for name in case["classes"]])
    return hot @ values, hot.sum(1)


def scores(case):
    """Joint log probabilities of the query without the prior."""
    rows, query = np.array(case["data"]["rows"], float), np.array(case["query"], float)
    alpha = np.broadcast_to(case["alpha"], rows.shape[1])
    if case["kind"] == "categorical":
        total = 0
        for j, table in enumerate(case["category_count"]):
            codes = np.arange(len(table[0]))
            counts, size = by_class(case, (rows[:, j : j + 1] == codes).astype(float))
            smooth = (counts + alpha[j]) / (size + len(codes) * alpha[j])[:, None]
            total = total + np.log(smooth)[:, query[:, j].astype(int)].T
        return total
    if case["kind"] == "bernoulli":
        rows, query = rows > case["above"], query > case["above"]
        yes, size = by_class(case, rows.astype(float))
        no, _ = by_class(case, (~rows).astype(float))
        both = (size[:, None] + 2 * alpha)[None]
        return np.log(np.where(query[:, None], (yes + alpha)[None], (no + alpha)[None]) / both).sum(2)
    counts, _ = by_class(case, rows)
    if case["kind"] != "multinomial":
        counts = counts.sum(0) - counts
    smooth = counts + alpha
    logs = np.log(smooth / smooth.sum(1, keepdims=True))
    if case["kind"] == "complement":
        logs = -logs
    if case["kind"] == "complement-norm":
        logs = logs / logs.sum(1, keepdims=True)
    return np.where(query[:, None] == 0, 0, query[:, None] * np.where(query[:, None] == 0, 0, logs)).sum(2)


def discrete(case, folder):
    """scikit-learn's answers against fractions; the fractions against it and against plain doubles."""
    if "scikit_learn" not in case:
        wanted = exact_discrete.answer(case)
        return sklearn_discrete_goldens.distance({key: case[key] for key in wanted}, wanted)
    theirs = 0.0
    if case["scikit_learn"]:
        theirs = sklearn_discrete_goldens.distance(sklearn_discrete_goldens.answer(case), case)
    with np.errstate(divide="ignore"):
        joint = scores(case)
    if not case["kind"].startswith("complement"):
        joint = joint + nan([case["class_log_prior"]])
    logs = joint - logsumexp(joint, axis=1, keepdims=True)
    return max(theirs, apart(joint, nan(case["joint_log_prob"])), apart(logs, nan(case["log_posterior"])))


# ---- mixed columns -------------------------------------------------------------------------------------------------


def column(kind, cells, weights, new, alpha, every, case):
    """Log density of the new cells by the cells of one class; `every`: cells and weights of all classes."""
    given = np.array([v is not None for v in cells])
    kept, w = [v for v in cells if v is not None], weights[given]
    if kind == "number":
        x, new = np.array(kept, float), np.array([np.nan if v is None else v for v in new], float)
        mean = w @ x / w.sum()
        variance = w @ (x - mean) ** 2 / (w.sum() - (case.get("divisor") == "n - 1"))
        if "ridge" in case:
            x, w = every
            variance += 1e-9 * np.cov(x, aweights=w, bias=True)
        return np.nan_to_num(stats.norm.logpdf(new, mean, np.sqrt(variance)), nan=0.0)
    seen = [0, 1] if kind == "flag" else sorted(set(every[0]))
    count = {one: alpha + sum(u for v, u in zip(kept, w) if v == one) for one in seen}
    if case.get("threshold"):
        count = {one: v or 0.001 * w.sum() for one, v in count.items()}
    total = w.sum() + alpha * len(seen)
    return np.array([np.log(count[v] / total) if v in count else 0.0 for v in new])


def by_parameters(case):
    """Joint log probabilities of the query rows from the stored parameters."""
    fit, out = case["fit"], []
    for row in case["query"]:
        out.append(np.log(fit["priors"]))
        numbers, counts, names, flags = row[:2], row[2:5], row[5:7], row[7:]
        for j, v in enumerate(numbers):
            if v is not None:
                mean, variance = np.array(fit["means"])[:, j], np.array(fit["variances"])[:, j]
                out[-1] = out[-1] + stats.norm.logpdf(v, mean, np.sqrt(variance))
        for j, v in enumerate(counts):
            out[-1] = out[-1] + (v or 0) * np.array(fit["count_log_prob"])[:, j]
        for j, v in enumerate(names):
            if v in case["categories"][j]:
                at = case["categories"][j].index(v)
                out[-1] = out[-1] + np.log([table[j][at] for table in fit["category_prob"]])
        for j, v in enumerate(flags):
            if v is not None:
                out[-1] = out[-1] + np.log([p[j] if v else 1 - p[j] for p in fit["flag_prob"]])
    return np.array(out)


def mixed(case, folder):
    rows, labels = case["data"]["rows"], np.array(case["data"]["labels"])
    weights = np.ones(len(rows)) if case["weights"] is None else np.array(case["weights"])
    new = rows + case["query"]
    joint = np.empty((len(new), len(case["classes"])))
    group = [j for j, kind in enumerate(case["kinds"]) if kind == "count"]
    for k, name in enumerate(case["classes"]):
        mine = [row for row, label in zip(rows, labels) if label == name]
        w = weights[labels == name]
        total = np.full(len(new), np.log(w.sum() / weights.sum()))
        if group:
            sums = w @ np.array([[row[j] or 0 for j in group] for row in mine]) + case["alpha"]
            total += np.array([[row[j] or 0 for j in group] for row in new]) @ np.log(sums / sums.sum())
        for j, kind in enumerate(case["kinds"]):
            if kind != "count":
                pairs = [(row[j], u) for row, u in zip(rows, weights) if row[j] is not None]
                cells, asked = [row[j] for row in mine], [row[j] for row in new]
                total += column(kind, cells, w, asked, case["alpha"], list(zip(*pairs)), case)
        joint[:, k] = total
    logs = joint - logsumexp(joint, axis=1, keepdims=True)
    n = len(rows)
    wanted = {"posterior": np.exp(logs[n:]), "row_posterior": np.exp(logs[:n]), "log_posterior": logs[n:]}
    wanted |= {"row_log_posterior": logs[:n], "joint_log_prob": joint[n:]}
    wanted["log_evidence"] = logsumexp(joint[n:], axis=1)
    out = [far(case[key], value) for key, value in wanted.items() if key in case]
    if "fit" in case:
        out.append(far(by_parameters(case), case["joint_log_prob"]))
    return max(out)


# ---- logistic regression -------------------------------------------------------------------------------------------


def logistic(case, folder):
    """Losses and posteriors at the stored optimum, and its gradient beside the terms it is made of."""
    if case["separable"]:
        return 0.0
    if case["data"] == "iris":
        rows, labels = golden_file.read_text(folder, "iris")
    else:
        rows, labels = case["data"]["rows"], case["data"]["labels"]
    x, own = np.array(rows, np.longdouble), np.array([case["classes"].index(v) for v in labels])
    w = np.ones(len(x)) if case["weights"] is None else np.array(case["weights"])
    coefficients = np.array(case["coefficients"], np.longdouble)
    intercepts = np.array(case["intercepts"], np.longdouble)
    joint = x @ coefficients.T + intercepts
    if len(case["classes"]) == 2:
        joint = np.column_stack([np.zeros(len(x)), joint])
    joint = joint - joint.max(1, keepdims=True)
    logs = joint - np.log(np.exp(joint).sum(1, keepdims=True))
    loss = -(w * logs[np.arange(len(x)), own]).sum()
    whole = loss + case["penalty"] / 2 * (coefficients**2).sum()
    off = (np.exp(logs) - np.eye(len(case["classes"]))[own]) * w[:, None]
    off = off[:, -len(coefficients) :]
    slope = off.T @ x + case["penalty"] * coefficients
    terms = np.abs(off).T @ np.abs(x) + case["penalty"] * np.abs(coefficients)
    out = [np.max(np.abs(slope) / terms), np.max(np.abs(off.sum(0)) / np.abs(off).sum(0))]
    out += [far(loss, case["sum_loss"]), far(loss / w.sum(), case["log_loss"]), far(whole, case["objective"])]
    out += [far(logs[:5], case["log_posterior"]), far(np.exp(logs[:5]), case["posterior"])]
    return float(max(out))


# ---- Trunk's example -----------------------------------------------------------------------------------------------


def trunk(case, folder):
    """P(A < B) by one integral over B, noncentral chi-squares by scipy."""
    d, n = case["dim"], case["samples"]
    h = (1 / np.arange(1, d + 1)).sum()
    first, down = stats.ncx2(d, (1 + np.sqrt(n)) ** 2 * h / 2), (1 - np.sqrt(n)) ** 2 * h / 2
    second = stats.ncx2(d, down) if down else stats.chi2(d)
    # B as a square: its density is then bounded also with one degree of freedom
    ends = np.sqrt(second.ppf([1e-16, 1e-6, 0.5, 1 - 1e-6])).tolist() + [np.sqrt(second.isf(1e-16))]
    total = sum(
        integrate.quad(lambda r: first.cdf(r * r) * second.pdf(r * r) * 2 * r, a, b, epsabs=1e-14, epsrel=1e-13)[0]
        for a, b in zip(ends, ends[1:])
    )
    known = stats.norm.sf(np.sqrt(h))
    out = [total / case["expected_error"], known / case["known_error"], h / case["squared_length"]]
    return float(max(abs(v - 1) for v in out))


BY_KEY = {"feature_log_prob": discrete, "kinds": mixed, "penalty": logistic, "samples": trunk}
