"""Computes what judging is held to a second time: scipy's t law, pairs of rows, and integrals by plain quadrature."""

import numpy as np
from scipy import integrate, special, stats


def far(found, golden):
    found, golden = np.asarray(found, float), np.asarray(golden, float)
    return float(np.max(np.abs(found - golden) / (1 + np.abs(golden)), initial=0.0))


def student(case):
    # scipy loses half its digits at t = 1e-8 with one degree of freedom, where the tail is 1 - 2 atan(t)/pi
    rows = np.array([row for row in case["student"] if row[0] > 1e-3])
    return far(2 * stats.t.sf(rows[:, 0], rows[:, 1]), rows[:, 2])


def product_below_zero(d, s, t, c):
    """Gil-Pelaez: P(u'v < 0) from the characteristic function of a sum of products of normal pairs."""
    m = 1 / np.sqrt(np.arange(1, d + 1))
    rho = c / (s * t)
    weights = [0.5 * s * t * (1 + rho), -0.5 * s * t * (1 - rho)]
    shifts = [(m / s + m / t) / np.sqrt(2 * (1 + rho)), (m / s - m / t) / np.sqrt(2 * (1 - rho))]

    def part(x):
        log = sum(
            (1j * x * w * (h**2).sum() / (1 - 2j * x * w)) - d / 2 * np.log(1 - 2j * x * w)
            for w, h in zip(weights, shifts)
        )
        return np.exp(log).imag / x

    return 0.5 - integrate.quad(part, 0, np.inf, limit=2000, epsabs=1e-13)[0] / np.pi


def trunk(case):
    worst = [far(special.ndtr(-np.sqrt(sum(1 / j for j in range(1, d + 1)))), p) for d, p in case["bayes"]]
    worst += [far(product_below_zero(d, 1, n**-0.5, 0), p) for d, n, p in case["direction"]]
    for d, a, b, p in case["nearest_mean"]:
        v, c = (1 / a + 1 / b) / 4, (1 / a - 1 / b) / 4
        both = [product_below_zero(d, (1 + v) ** 0.5, v**0.5, sign * c) for sign in (1, -1)]
        worst.append(far(np.mean(both), p))
    # quadrature of an oscillating tail: eight digits
    return max(worst) if max(worst) > 1e-8 else 0.0


def curve(case):
    """All pairs, row by row."""
    copies = case["copies"]
    s, y = np.repeat(case["scores"], copies), np.repeat(case["positive"], copies)
    up, down = s[y == 1], s[y == 0]
    pairs = (up[:, None] > down) + 0.5 * (up[:, None] == down)
    variance = pairs.mean(1).var(ddof=1) / len(up) + pairs.mean(0).var(ddof=1) / len(down)
    area = pairs.mean()
    step = 1.959963984540054 * np.sqrt(variance) / (area * (1 - area))
    interval = special.expit(special.logit(area) + np.array([-step, step]))
    return max(far(area, case["area"]), far(variance, case["variance"]), far(interval, case["interval"]))


def contrast(case):
    d = (np.array(case["a"]) - np.array(case["b"])).ravel()
    error = np.sqrt((1 / d.size + 1 / (len(case["a"][0]) - 1)) * d.var(ddof=1))
    p = 2 * stats.t.sf(abs(d.mean() / error), d.size - 1)
    return max(far(d.mean(), case["difference"]), far(error, case["standard_error"]), far(p, case["p_value"]))


def holm(case):
    p, m = np.array(case["p_values"]), len(case["p_values"])
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(m)
    adjusted[order] = np.minimum(1, np.maximum.accumulate((m - np.arange(m)) * p[order]))
    return far(adjusted, case["holm"])


def posteriors(case, rows, labels):
    """Gaussian classes by numpy, then every sum over rows as it is defined."""
    x, y = np.array(rows, float)[:, case["columns"]], np.array(labels)
    w = np.ones(len(y)) if case["weights"] is None else np.array(case["weights"])
    own = [x[y == c] for c in case["classes"]]
    means = [part.mean(0) for part in own]
    spreads = [(part - m).T @ (part - m) / len(part) for part, m in zip(own, means)]
    if case["model"] == "lda":
        spreads = [sum(len(part) * s for part, s in zip(own, spreads)) / len(x)] * len(own)
    if case["model"] == "naive-bayes":
        spreads = [np.diag(np.diag(s)) for s in spreads]
    joint = [
        stats.multivariate_normal(m, s).logpdf(x) + np.log(len(part) / len(x)) for m, s, part in zip(means, spreads, own)
    ]
    log_p = special.log_softmax(np.column_stack(joint), axis=1)
    p, truth = np.exp(log_p), np.array([case["classes"].index(c) for c in y])
    one = np.eye(len(own))[truth]
    worst = [far((w * ((p - one) ** 2).sum(1)).sum() / w.sum(), case["brier"])]
    worst.append(far(-(w * log_p[np.arange(len(y)), truth]).sum() / w.sum(), case["log_loss"]))
    top, hits = p.max(1), p.argmax(1) == truth
    bins = np.minimum((10 * top).astype(int), 9)
    gaps = [abs((top - hits)[bins == b].sum()) for b in range(10)]
    worst.append(far(sum(gaps) / len(y), case["calibration_error"]))
    areas = []
    for k in range(len(own)):
        up, down = truth == k, truth != k
        pairs = (p[up, k][:, None] > p[down, k]) + 0.5 * (p[up, k][:, None] == p[down, k])
        areas.append((w[up] @ pairs @ w[down]) / (w[up].sum() * w[down].sum()))
    worst.append(far(areas, case["areas"]))
    worst.append(far(areas[1] if len(own) == 2 else np.mean(areas), case["area"]))
    return max(worst)


BY_KEY = {"student": student, "direction": trunk, "scores": curve, "difference": contrast, "holm": holm}
