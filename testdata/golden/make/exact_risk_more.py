"""Answers bounds, linear rules, forms, Neyman-Pearson and minimax rules in two ways each."""

import mpmath as mp
import numpy as np
from scipy import optimize
from scipy.stats import norm

from exact_arithmetic import double, doubles
from risk_forms import above, apart, diagonal, log_joint, matrix, minus, power, seen_from, upper
from risk_forms import vector
from risk_forms_again import checked_tails, second_above
from exact_rules import ZERO_ONE, model

EVEN = [0.5, 0.5]


def done(name, asks, far, way, tolerance=1e-12, **more):
    print(f"{name:60} {mp.nstr(mp.mpf(far), 2):9} {way}", flush=True)
    assert far <= tolerance, (name, far)
    second = {"way": way, "distance": power(far)}
    return {"name": name, "asks": asks, "tolerance": tolerance, **more, "second": second}


def pairs():
    eye = [[1.0, 0.0], [0.0, 1.0]]
    three = [[2.0, 0.5, 0.1], [0.5, 1.0, -0.2], [0.1, -0.2, 0.6]]
    other = [[0.5, 0.0, 0.2], [0.0, 1.5, 0.3], [0.2, 0.3, 1.0]]
    dhs = [[3.0, 6.0], [3.0, -2.0]], [[[0.5, 0.0], [0.0, 2.0]], [[2.0, 0.0], [0.0, 2.0]]]
    tilted = [[0.0, 0.0], [2.0, 1.0]], [eye, [[3.0, 1.0], [1.0, 0.5]]]
    solid = [[0.0, 0.0, 0.0], [1.0, -1.5, 2.0]], [three, other]
    return {
        "DHS": model(*dhs, EVEN),
        "line": model([[0.0], [2.0]], [[[1.0]], [[4.0]]], EVEN),
        "line, .85": model([[0.0], [2.0]], [[[1.0]], [[4.0]]], [0.85, 0.15]),
        "tilted, .3": model(*tilted, [0.3, 0.7]),
        "solid": model(*solid, EVEN),
        "solid, .9": model(*solid, [0.9, 0.1]),
        "shared": model([[0.0, 0.0], [2.0, 1.0]], [tilted[1][1]] * 2, [0.6, 0.4]),
        "one-sided": model([[0.0, 0.0], [0.2, 0.1]], [eye, [[1.5, 0.0], [0.0, 1.2]]], [0.95, 0.05]),
        "one-sided, turned": model(
            [[0.0, 0.0], [0.2, 0.1]], [eye, [[1.5, 0.0], [0.0, 1.2]]], [0.05, 0.95]
        ),
    }


# ---- bounds --------------------------------------------------------------------------------------


def distance(given, s):
    """k(s) with exp(-k) the integral of p1^s p2^(1-s)."""
    one, two = (matrix(c) for c in given["covariances"])
    step = vector(given["means"][1]) - vector(given["means"][0])
    mix = (1 - s) * one + s * two
    square = (step.T * mp.lu_solve(mix, step))[0]
    logs = mp.log(mp.det(mix)) - (1 - s) * mp.log(mp.det(one)) - s * mp.log(mp.det(two))
    return s * (1 - s) / 2 * square + logs / 2


def overlap(given, s):
    """The same integral from the quadratic exponents: a Gaussian integral."""
    one, two = (log_joint(m, c, 1) for m, c in zip(given["means"], given["covariances"]))
    a = -(s * one[0] + (1 - s) * two[0])
    b, c = s * one[1] + (1 - s) * two[1], s * one[2] + (1 - s) * two[2]
    size = len(given["means"][0])
    return mp.exp(c + (b.T * mp.lu_solve(a, b))[0] / 4) * mp.sqrt(mp.pi**size / mp.det(a))


def bounds_case(name, given):
    p, q = (mp.mpf(v) for v in given["priors"])

    def log_bound(s):
        return s * mp.log(p) + (1 - s) * mp.log(q) - distance(given, s)

    low, high = mp.mpf(0), mp.mpf(1)
    golden = (mp.sqrt(5) - 1) / 2
    for _ in range(110):
        left, right = high - golden * (high - low), low + golden * (high - low)
        if log_bound(left) < log_bound(right):
            high = right
        else:
            low = left
    s = (low + high) / 2
    if s < mp.mpf(10) ** -15 or s > 1 - mp.mpf(10) ** -15:
        s = mp.mpf(round(s))
    else:
        s = mp.findroot(lambda v: mp.diff(log_bound, v), s)
    half = mp.mpf(1) / 2
    far = max(
        apart(p**v * q ** (1 - v) * overlap(given, v), mp.exp(log_bound(v))) for v in (half, s)
    )

    def plain(v):
        return float(log_bound(mp.mpf(float(v))))

    near = {"xatol": 1e-12}
    found = optimize.minimize_scalar(plain, bounds=(0, 1), method="bounded", options=near)
    # scipy stays 1e-8 away from an end of the interval
    assert -1e-12 < found.fun - log_bound(s) < 1e-6
    values = {
        "bhattacharyya": double(mp.exp(log_bound(half))),
        "chernoff": double(mp.exp(log_bound(s))),
        "s": double(s),
        "distance_at_half": double(distance(given, half)),
        "distance_at_s": double(distance(given, s)),
    }
    way = "closed form and its minimum; Gaussian integral of the product, scipy's minimum"
    return done("bounds, " + name, "bounds", far, way, model=given, **values)


# ---- the best linear rule (Anderson and Bahadur) -------------------------------------------------


def linear_case(name, given):
    one, two = (matrix(c) for c in given["covariances"])
    first, second = (vector(m) for m in given["means"])
    p, q = (mp.mpf(v) for v in given["priors"])
    dim = len(first)
    arrays = [np.array(c) for c in given["covariances"]], [np.array(m) for m in given["means"]]

    def plain(v):
        n, t = v[:-1] / np.linalg.norm(v[:-1]), v[-1]
        spread = [np.sqrt(n @ c @ n) for c in arrays[0]]
        tail = norm.sf((t - n @ arrays[1][0]) / spread[0])
        return float(p) * tail + float(q) * norm.cdf((t - n @ arrays[1][1]) / spread[1])

    rng, best = np.random.default_rng(0), None
    for _ in range(60):
        found = optimize.minimize(plain, rng.normal(size=dim + 1) * 2, method="BFGS", tol=1e-14)
        if best is None or found.fun < best.fun:
            best = found
    n = best.x[:-1] / np.linalg.norm(best.x[:-1])
    start = [mp.mpf(v) for v in n] + [mp.mpf(best.x[-1])]

    def parts(v):
        w, t = mp.matrix(v[:-1]), v[-1]
        spread = [mp.sqrt((w.T * c * w)[0]) for c in (one, two)]
        return w, spread, (t - (w.T * first)[0]) / spread[0], ((w.T * second)[0] - t) / spread[1]

    def stationary(*v):
        w, spread, u1, u2 = parts(list(v))
        f1, f2 = p * mp.exp(-u1 * u1 / 2) / spread[0], q * mp.exp(-u2 * u2 / 2) / spread[1]
        d1 = -first - (u1 / spread[0]) * (one * w)
        d2 = second - (u2 / spread[1]) * (two * w)
        grad = f1 * d1 + f2 * d2
        # the gradient along w itself vanishes with the one of t: its place is taken by |w| = 1
        rows = [grad[i] for i in range(dim)]
        lead = max(range(dim), key=lambda i: abs(start[i]))
        rows[lead] = (w.T * w)[0] - 1
        return rows + [f1 - f2]

    root = mp.findroot(stationary, start)
    v = [root[i] for i in range(dim + 1)]
    _, _, u1, u2 = parts(v)
    total = p * upper(u1) + q * upper(u2)
    far = apart(best.fun, total)
    share = [upper(u1), upper(u2)]
    way = "stationary point at 50 digits; search in doubles from 60 starts"
    more = {"normal": doubles(v[:-1]), "threshold": double(v[-1]), "per_class": doubles(share)}
    return done(
        "linear rule, " + name, "linear rule", far, way, model=given, **more, total=double(total)
    )


# ---- quadratic forms -----------------------------------------------------------------------------


def forms():
    many = [0.9, 0.7, 0.5, 0.4, 0.3, 0.2, -0.2, -0.3, -0.4, -0.5, -0.6, -0.8]
    lean = [0.1, -0.2, 0.3, 0.0, 0.5, 1.0, -1.0, 0.2, 0.0, 0.4, -0.3, 0.6]
    list_of = {
        "Davies, 1": ([6.0, 3.0, 1.0], [0.0] * 3, -1.0),
        "Davies, 7": ([6.0, 3.0, 1.0], [0.0] * 3, -7.0),
        "Davies, 20": ([6.0, 3.0, 1.0], [0.0] * 3, -20.0),
        "one, linear": ([0.0], [2.0], -3.0),
        "one, two roots": ([1.0], [1.0], -3.0),
        "one, always positive": ([1.0], [1.0], 3.0),
        "one, tail 1e-200": ([0.0], [1.0], -30.2),
        "one, narrow gap": ([1.0], [0.0], -1e-12),
        "two, mixed": ([2.0, -1.0], [1.0, 0.5], 0.3),
        "two, no constant": ([1.0, -1.0], [0.0, 0.0], 0.0),
        "two, far": ([0.5, -0.3], [1.0, 0.0], -400.0),
        "two, parabola": ([0.0, 0.75], [4.0, 0.0], -6.0),
        "two, tiny weight": ([1e-9, 0.5], [3.0, 0.0], -2.0),
        "three, positive": ([1.0, 2.0, 0.5], [1.0, -1.0, 0.3], -4.0),
        "three, positive, small ball": ([1.0, 2.0, 0.5], [0.0, 0.0, 0.0], -1e-6),
        "three, mixed": ([1.0, -2.0, 0.5], [1.0, 0.0, 3.0], -4.0),
        "three, tiny weights": ([1e-8] * 3, [1.0, 0.3, 0.0], -1.0),
        "three, tiny weights, big slope": ([1e-12] * 3, [50.0, -20.0, 5.0], -900.0),
        "three, negative": ([-0.5, -0.5, -2.0], [1.0, 0.0, 0.0], 3.0),
        "four, big slopes": ([0.3, -0.2, 0.1, -0.4], [10.0, 8.0, -6.0, 3.0], -5.0),
        "four, tail": ([0.3, -0.2, 0.1, -0.4], [3.0, 2.0, -1.0, 1.0], -60.0),
        "five, mixed": ([0.5, 0.25, -0.3, -0.1, -0.2], [1.0, 0.0, 3.0, 1.0, 1.0], 4.0),
        "five, 1e-70": ([0.5, 0.25, -0.3, -0.1, -0.2], [1.0, 0.0, 3.0, 1.0, 1.0], 150.0),
        "five, a linear part": ([0.5, 0.25, -0.3, -0.1, 0.0], [1.0, 0.0, 3.0, 1.0, 1.0], 15.0),
        "six, positive tail": ([1.0, 0.8, 0.6, 0.5, 0.4, 0.3], [0.0] * 6, -60.0),
        "eight, scales": ([5.0, 2.0, 1.0, 0.5, -0.25, -0.5, -1.0, -4.0], [0.5] * 8, -3.0),
        "ten, equal": ([0.5] * 10, [1.0] + [0.0] * 9, -5.0),
        "twelve": (many, lean, 0.5),
        "twelve, tail": (many, lean, -40.0),
        "twelve, 1e-200": ([0.0, 0.01] + many[2:], [5.0] + lean[1:], 520.0),
    }
    out = []
    for name, (w, b, c) in list_of.items():
        low, high, far, way = checked_tails(w, b, c)
        values = {"w": w, "b": b, "c": c, "below": double(low), "above": double(high)}
        print(f"  {mp.nstr(low, 6)} {mp.nstr(high, 6)}")
        out.append(done("form, " + name, "form", far, "contour; " + way, **values))
    return out


# ---- Neyman-Pearson and minimax ------------------------------------------------------------------


def views(given):
    """The log ratio ln p1/p2 as a form under either class."""
    rows = list(zip(given["means"], given["covariances"]))
    one, two = (log_joint(m, c, 1) for m, c in rows)
    return [diagonal(seen_from(minus(one, two), m, c)) for m, c in rows]


def error(forms_of, k, t, digits=28):
    """P(error | class k) of the rule 'first class where ln p1/p2 > t'."""
    w, b, c = forms_of[k]
    if k == 0:
        return above([-x for x in w], [-y for y in b], t - c, digits)
    return above(w, b, c - t, digits)


def second_errors(forms_of, t):
    (w, b, c), (v, d, e) = forms_of
    one, way = second_above([-x for x in w], [-y for y in b], t - c)
    two, other = second_above(v, d, e - t)
    return one, two, "; ".join(sorted({way, other}))


def solve(function):
    """A root of an increasing function of (t, digits): bracket, bisect roughly, then secants."""
    low = high = mp.mpf(0)
    step = mp.mpf(1)
    while function(low, 8) > 0:
        low, step = low - step, step * 2
    step = mp.mpf(1)
    while function(high, 8) < 0:
        high, step = high + step, step * 2
    for _ in range(16):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle, 8) < 0 else (low, middle)
    one, two = function(low, 28), function(high, 28)
    for _ in range(8):
        if two == one:
            break
        low, one, high = high, two, high - two * (high - low) / (two - one)
        two = function(high, 28)
        if abs(high - low) < mp.mpf(10) ** -18:
            break
    return high


def neyman_pearson(name, given, level):
    seen = views(given)
    target = mp.log(mp.mpf(level))
    t = solve(lambda v, digits: mp.log(error(seen, 0, v, digits)) - target)
    first, second = error(seen, 0, t), error(seen, 1, t)
    assert apart(first, mp.mpf(level)) < mp.mpf(10) ** -24
    one, two, way = second_errors(seen, t)
    far = max(apart(one, first), apart(two, second))
    name = f"Neyman-Pearson, {name}, {level:g}"
    values = {"level": level, "log_ratio": double(t), "other_error": double(second)}
    more = {"model": given, **values}
    return done(name, "neyman-pearson", far, "contour and root; " + way, **more)


def minimax(name, given, loss):
    seen = views(given)
    (a, b), (c, d) = ([mp.mpf(v) for v in row] for row in loss)

    def costs(t, digits=28):
        first, second = error(seen, 0, t, digits), error(seen, 1, t, digits)
        return a + (b - a) * first, d + (c - d) * second

    def gap(t, digits):
        one, two = costs(t, digits)
        return one - two

    t = solve(gap)
    assert abs(gap(t, 28)) < mp.mpf(10) ** -24
    # the rule takes the first class where P1 (b - a) p1 > P2 (c - d) p2
    odds = mp.exp(-t) * (c - d) / (b - a)
    prior = odds / (1 + odds)
    first, second = error(seen, 0, t), error(seen, 1, t)
    one, two, way = second_errors(seen, t)
    far = max(apart(one, first), apart(two, second))
    values = {"log_ratio": double(t), "prior": double(prior), "value": double(costs(t)[0])}
    values["errors"] = doubles([first, second])
    way = "contour and root of the difference of the costs; " + way
    return done("minimax, " + name, "minimax", far, way, model=given, loss=loss, **values)


def bounds():
    return [bounds_case(name, given) for name, given in pairs().items()]


def linear_rules():
    names = ("DHS", "line", "line, .85", "tilted, .3", "solid", "solid, .9")
    return [linear_case(name, pairs()[name]) for name in names]


def ratio_rules():
    given, out = pairs(), []
    for name in ("DHS", "line", "solid", "shared"):
        out += [neyman_pearson(name, given[name], level) for level in (0.01, 1e-6)]
        out.append(minimax(name + ", zero-one", given[name], ZERO_ONE))
    out.append(minimax("line, costs", given["line"], [[0.0, 2.0], [1.0, 0.0]]))
    out.append(minimax("solid, costs", given["solid"], [[0.1, 1.0], [3.0, 0.0]]))
    return out
