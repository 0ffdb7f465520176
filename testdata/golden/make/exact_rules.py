"""Judges a rule for Gaussian classes: confusion and expected cost, each computed in two ways."""

import mpmath as mp

import exact_plane
from exact_arithmetic import double, doubles
from risk_forms import apart, diagonal, log_joint, matrix, minus, power, quad, seen_from, upper
from risk_forms import vector
from risk_forms_again import between, checked_tails

ZERO_ONE = [[0.0, 1.0], [1.0, 0.0]]


def zero_one(classes):
    return [[float(i != j) for j in range(classes)] for i in range(classes)]


def model(means, covariances, priors):
    return {"means": means, "covariances": covariances, "priors": priors}


def log_joints(given):
    rows = zip(given["means"], given["covariances"], given["priors"])
    return [log_joint(mean, covariance, mp.mpf(prior)) for mean, covariance, prior in rows]


def case(name, given, loss, confusion, far, way, truth=None, tolerance=1e-12, **more):
    """One golden case from a confusion matrix of 50-digit numbers."""
    priors = (truth or given)["priors"]
    cost = [mp.fsum(mp.mpf(c) * p for c, p in zip(*pair)) for pair in zip(loss, confusion)]
    total = mp.fsum(mp.mpf(p) * c for p, c in zip(priors, cost))
    off = [sum(p for j, p in enumerate(row) if j != i) for i, row in enumerate(confusion)]
    assert far <= tolerance, (name, mp.nstr(far, 3))
    print(f"{name:60} {mp.nstr(total, 17):24} {mp.nstr(far, 2):9} {way}", flush=True)
    return {
        "name": name,
        "asks": "risk",
        "model": given,
        "loss": loss,
        "truth": truth,
        "tolerance": tolerance,
        "confusion": doubles(confusion),
        "per_class": doubles(cost),
        "total": double(total),
        "not_own": doubles(off),
        **more,
        "second": {"way": way, "distance": power(far)},
    }


# ---- two classes: every action is an interval of the log ratio -----------------------------------


def ratio_intervals(loss):
    """Thresholds of ln(P1 p1 / P2 p2) and the best action below, between and above them."""
    first, second = ([mp.mpf(v) for v in row] for row in loss)
    cuts = set()
    for a in range(len(first)):
        for b in range(a):
            if first[a] != first[b]:
                level = (second[b] - second[a]) / (first[a] - first[b])
                if level > 0:
                    cuts.add(level)
    ends = [mp.mpf(0)] + sorted(cuts)
    tests = [(p + q) / 2 for p, q in zip(ends[:-1], ends[1:])] + [ends[-1] + 1]
    best = []
    for level in tests:
        costs = [p * level + q for p, q in zip(first, second)]
        best.append(costs.index(min(costs)))
    thresholds, actions = [], best[:1]
    for level, action in zip(ends[1:], best[1:]):
        if action != actions[-1]:
            thresholds.append(mp.log(level))
            actions.append(action)
    return thresholds, actions


def two_class(given, loss, truth=None):
    """Confusion of the best rule, distance of the second way, its names, the thresholds."""
    first, second = log_joints(given)
    ratio = minus(first, second)
    thresholds, actions = ratio_intervals(loss)
    confusion, far, ways = [], mp.mpf(0), set()
    source = truth or given
    for mean, covariance in zip(source["means"], source["covariances"]):
        a, b, c = seen_from(ratio, mean, covariance)
        w, s, level = diagonal((a, b, c))
        below, above = [], []
        for cut in thresholds:
            low, high, gap, way = checked_tails(w, s, level - cut)
            far, _ = max(far, gap), ways.add(way)
            below.append(low)
            above.append(high)
        row = [mp.mpf(0)] * len(loss[0])
        for k, action in enumerate(actions):
            if k == 0:
                row[action] += below[0] if below else 1
            elif k == len(actions) - 1:
                row[action] += above[-1]
            else:
                row[action] += min((below[k] - below[k - 1], above[k - 1] - above[k]), key=abs)
        confusion.append(row)
    return confusion, far, "; ".join(sorted(ways)), thresholds


def two_class_case(name, given, loss=None, truth=None, tolerance=1e-12, **more):
    loss = loss or ZERO_ONE
    confusion, far, way, thresholds = two_class(given, loss, truth)
    more = {"log_ratio_thresholds": doubles(thresholds), **more}
    return case(name, given, loss, confusion, far, "contour; " + way, truth, tolerance, **more)


# ---- classes in the plane ------------------------------------------------------------------------


def worst(first, second):
    pairs = [(p, q) for one, two in zip(first, second) for p, q in zip(one, two)]
    return max(apart(q, p) if p > mp.mpf(10) ** -9 else abs(p - q) * 10**9 for p, q in pairs)


def plane_case(name, given, **more):
    classes = len(given["means"])
    with mp.workdps(30):
        quadratics = log_joints(given)
        first, second = [], []
        for mean, covariance in zip(given["means"], given["covariances"]):
            here = [seen_from(q, mean, covariance) for q in quadratics]
            first.append(exact_plane.rays(here, classes))
            second.append(exact_plane.lines(here, classes))
        far = worst(first, second)
    way = "rays in polar coordinates; parallel lines"
    return case(name, given, zero_one(classes), first, far, way, **more)


# ---- three classes with one covariance -----------------------------------------------------------


def orthant(h, k, rho):
    """P(X > h, Y > k) of a standard bivariate normal law, by one quadrature."""
    h, k, rho = mp.mpf(h), mp.mpf(k), mp.mpf(rho)
    spread = mp.sqrt((1 - rho) * (1 + rho))

    def value(x):
        return mp.exp(-x * x / 2) * upper((k - rho * x) / spread)

    end = int(max(h, 0)) + 15
    marks = [h] + [mp.mpf(n) for n in range(-20, end + 1) if n > h]
    if abs(rho) > 0.9:
        # the second factor steps from 0 to 1 about k / rho over a width of spread / rho
        for n in range(-2, 4):
            marks += [k / rho + sign * spread * mp.mpf(2) ** n for sign in (-1, 1)]
        marks = [m for m in marks if h <= m <= end]
    marks = sorted(set(marks))
    return quad(value, marks) / mp.sqrt(2 * mp.pi)


def flat_means(given):
    """Whitened means in the plane that holds them (the first at the origin)."""
    root = mp.cholesky(matrix(given["covariances"][0]))
    start = vector(given["means"][0])
    white = [mp.lu_solve(root, vector(m) - start) for m in given["means"]]
    first = white[1] / mp.norm(white[1])
    height = white[2] - first * (first.T * white[2])[0]
    if mp.norm(height) < mp.mpf(10) ** -40:
        return [[(first.T * m)[0], mp.mpf(0)] for m in white]
    second = height / mp.norm(height)
    return [[(first.T * m)[0], (second.T * m)[0]] for m in white]


def shared_case(name, given, **more):
    """Three classes, one covariance: orthants, or intervals where the means lie on a line."""
    means = flat_means(given)
    logs = [mp.log(mp.mpf(p)) for p in given["priors"]]
    straight = all(m[1] == 0 for m in means)
    first = []
    for truth in range(3):
        row = []
        for j in range(3):
            sides = []
            for other in (k for k in range(3) if k != j):
                # j beats other where step . z > level, z standard normal about the true mean
                step = [p - q for p, q in zip(means[j], means[other])]
                half = [(p + q) / 2 - t for p, q, t in zip(means[j], means[other], means[truth])]
                level = sum(p * q for p, q in zip(step, half)) - logs[j] + logs[other]
                size = mp.sqrt(sum(p * p for p in step))
                sides.append(([p / size for p in step], level / size))
            (u, h), (v, k) = sides
            if not straight:
                row.append(orthant(h, k, sum(p * q for p, q in zip(u, v))))
                continue
            low = max([s[1] for s in sides if s[0][0] > 0] + [-mp.inf])
            high = min([-s[1] for s in sides if s[0][0] < 0] + [mp.inf])
            row.append(between(low, high) if low < high else mp.mpf(0))
        first.append(row)
    with mp.workdps(30):
        eye = [[1.0, 0.0], [0.0, 1.0]]
        quadratics = [log_joint(m, eye, mp.mpf(p)) for m, p in zip(means, given["priors"])]
        second = [exact_plane.rays([seen_from(q, m, eye) for q in quadratics], 3) for m in means]
    way = ("intervals" if straight else "orthants by quadrature") + "; rays in the plane of the means"
    return case(name, given, zero_one(3), first, worst(first, second), way, **more)


# ---- one dimension, any costs --------------------------------------------------------------------


def line_case(name, given, loss, **more):
    """Regions of the least expected cost on the line, by scanning and root finding."""
    import numpy as np
    from scipy.stats import norm

    rows = list(zip(given["means"], given["covariances"], given["priors"]))

    def costs(x):
        joint = []
        for (mean,), ((variance,),), prior in rows:
            variance = mp.mpf(variance)
            log = -((x - mp.mpf(mean)) ** 2) / (2 * variance) - mp.log(variance) / 2
            joint.append(mp.log(mp.mpf(prior)) + log)
        top = max(joint)
        joint = [mp.exp(v - top) for v in joint]
        actions = range(len(loss[0]))
        return [mp.fsum(mp.mpf(row[a]) * p for row, p in zip(loss, joint)) for a in actions]

    def best(x):
        with mp.workdps(60):
            value = costs(x)
            return value.index(min(value))

    grid = [mp.mpf(k) / 128 for k in range(-128 * 60, 128 * 60 + 1)]
    found = [best(x) for x in grid]
    thresholds, actions = [], [found[0]]
    for left, right, p, q in zip(grid[:-1], grid[1:], found[:-1], found[1:]):
        if p != q:
            for _ in range(180):
                middle = (left + right) / 2
                if best(middle) == p:
                    left = middle
                else:
                    right = middle
            thresholds.append((left + right) / 2)
            actions.append(q)
    ends = [-mp.inf] + thresholds + [mp.inf]
    confusion = []
    for (mean,), ((variance,),), _ in rows:
        row, scale = [mp.mpf(0)] * len(loss[0]), mp.sqrt(mp.mpf(variance))
        for left, right, action in zip(ends[:-1], ends[1:], actions):
            row[action] += between((left - mp.mpf(mean)) / scale, (right - mp.mpf(mean)) / scale)
        confusion.append(row)
    # Second way: the least cost integrated over the line, in doubles
    total = mp.fsum(
        mp.mpf(p) * mp.fsum(mp.mpf(c) * q for c, q in zip(costs_row, row))
        for (_, _, p), costs_row, row in zip(rows, loss, confusion)
    )
    nodes, rule = np.polynomial.legendre.leggauss(60)
    inner = sorted(set([-60.0, 60.0] + [float(t) for t in thresholds] + [float(k) for k in range(-60, 61)]))
    other = 0.0
    for left, right in zip(inner[:-1], inner[1:]):
        x = (left + right) / 2 + (right - left) / 2 * nodes
        joint = np.array([p * norm.pdf(x, m[0], v[0][0] ** 0.5) for m, v, p in rows])
        other += np.sum(rule * (np.array(loss).T @ joint).min(0)) * (right - left) / 2
    way = "roots and normal tails; the least cost integrated in doubles (the total)"
    more = {"thresholds": doubles(thresholds), "region_actions": actions, **more}
    return case(name, given, loss, confusion, apart(other, total), way, **more)
