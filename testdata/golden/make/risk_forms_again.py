"""Computes the law of a quadratic form again, in ways that share nothing with the contour."""

import functools

import mpmath as mp
import numpy as np
from scipy import special

from risk_forms import above, apart, cumulant, quad, saddle, tails, upper


def roots(a, b, c):
    """Real roots of a t^2 + b t + c in order."""
    if a == 0:
        return [] if b == 0 else [-c / b]
    rest = b * b - 4 * a * c
    if rest <= 0:
        return []
    half = -(b + (mp.sqrt(rest) if b >= 0 else -mp.sqrt(rest))) / 2
    return sorted([half / a, c / half]) if half != 0 else [mp.mpf(0), mp.mpf(0)]


def between(low, high):
    """Standard normal probability of an interval, without loss in either tail."""
    return upper(low) - upper(high) if low + high > 0 else upper(-high) - upper(-low)


def line_above(a, b, c):
    """P(a z^2 + b z + c > 0) in one dimension, from its roots."""
    cuts = roots(a, b, c)
    if not cuts:
        return mp.mpf(c > 0) if a == 0 or b * b - 4 * a * c <= 0 and c != 0 else mp.mpf(a > 0)
    if len(cuts) == 1:
        return upper(cuts[0]) if b > 0 else upper(-cuts[0])
    if a > 0:
        return upper(-cuts[0]) + upper(cuts[1])
    return between(*cuts)


def plane_above(w, b, c):
    """P(Q > 0) in two dimensions: the second coordinate in closed form, the first by quadrature."""
    first, second = sorted(range(2), key=lambda i: abs(w[i]))
    w, b = [mp.mpf(w[first]), mp.mpf(w[second])], [mp.mpf(b[first]), mp.mpf(b[second])]
    c = mp.mpf(c)
    kinks = roots(-4 * w[1] * w[0], -4 * w[1] * b[0], b[1] ** 2 - 4 * w[1] * c) if w[1] else []
    if not w[1] and not b[1]:
        kinks = roots(w[0], b[0], c)

    def value(z):
        return mp.exp(-z * z / 2) * line_above(w[1], b[1], c + z * (b[0] + z * w[0]))

    peak = summit(value)
    reach = int(abs(peak)) + 16
    marks = [mp.mpf(k) for k in range(-reach, reach + 1)]
    marks = sorted(marks + [k for k in kinks if marks[0] < k < marks[-1]])
    return quad(value, marks) / mp.sqrt(2 * mp.pi)


def summit(value):
    """Where a density times a chance is largest, to within a tenth."""
    with mp.workdps(20):
        place, step = mp.mpf(0), mp.mpf(2)
        grid = [mp.mpf(k) for k in range(-60, 61, 2)]
        while step > 0.1:
            heights = [value(z) for z in grid]
            place = grid[heights.index(max(heights))]
            step /= 4
            grid = [place + k * step for k in range(-5, 6)]
    return place


def mixture(weights, centres):
    """Ruben's series in doubles: sum w (z + centre)^2 as a mixture of scaled chi-squares."""
    return _mixture(tuple(weights), tuple(centres))


@functools.cache
def _mixture(weights, centres):
    weights, centres = np.array(weights), np.array(centres)
    scale = min(weights)
    shrink = 1 - scale / weights
    log_first = 0.5 * np.sum(np.log(scale / weights)) - 0.5 * np.sum(centres**2)
    count = 200
    while True:
        k = np.arange(1, count)
        power = shrink[:, None] ** (k - 1)
        g = 0.5 * (power * (shrink + 0.0)[:, None]).sum(0)
        g += 0.5 * k * ((centres**2 * scale / weights)[:, None] * power).sum(0)
        out = np.zeros(count)
        out[0] = 1.0
        for j in range(1, count):
            out[j] = np.dot(g[:j][::-1], out[:j]) / j
        out *= np.exp(log_first)
        if 1 - out.sum() < 3e-15 or count >= 6400:
            return scale, out
        count *= 2


def ruben_above(w, b, c):
    """P(Q > 0) in doubles: both signs of the weights by Ruben's series, joined by quadrature."""
    w, b = np.array([float(v) for v in w]), np.array([float(v) for v in b])
    assert np.all(w != 0)
    shift = float(mp.mpf(c) - mp.fsum(mp.mpf(y) ** 2 / (4 * mp.mpf(x)) for x, y in zip(w, b)))
    plus, less = w > 0, w < 0
    centre = b / (2 * w)

    def law(chosen):
        scale, mix = mixture(np.abs(w[chosen]), centre[chosen])
        shapes = chosen.sum() / 2 + np.arange(len(mix))
        kept = mix > (1e-20 * mix.max() if plus.any() else 0)
        return scale, mix[kept], shapes[kept]

    def survival(y, scale, mix, shapes):
        inside = np.maximum(y, 0)[:, None] / (2 * scale)
        return np.where(y <= 0, 1.0, (mix * special.gammaincc(shapes, inside)).sum(1))

    def cdf(y, scale, mix, shapes):
        inside = np.maximum(y, 0)[:, None] / (2 * scale)
        return np.where(y <= 0, 0.0, (mix * special.gammainc(shapes, inside)).sum(1))

    if not less.any():
        return float(survival(np.array([-shift]), *law(plus))[0])
    if not plus.any():
        return float(cdf(np.array([shift]), *law(less))[0])
    first, second = law(plus), law(less)
    scale, mix, shapes = second
    nodes, rule = np.polynomial.legendre.leggauss(24)
    total = 0.0
    unit = float(np.sum(np.abs(w) * (1 + centre**2)) + abs(shift))
    # y = lower + s^2 takes the root singularities away at either end of a panel
    pieces = [(0.0, shift, True), (shift, None, False)] if shift > 0 else [(0.0, None, False)]
    for low, high, sure in pieces:
        end = np.sqrt((high - low) if high is not None else 400 * unit)
        marks = np.concatenate([[0.0], end * 2.0 ** np.arange(-12, 0.01, 1 / 3)])
        if sure:
            marks = np.concatenate([marks[marks < 0.71 * end], [0.75 * end]])
            mirror = np.sqrt(high - marks**2)
            for left, right in zip(mirror[1:], mirror[:-1]):
                s = (left + right) / 2 + (right - left) / 2 * nodes
                total += _panel(s, right - left, rule, 0.0, second, None, shift, survival)
            marks = np.concatenate([[0.0], mirror[-1] * 2.0 ** np.arange(-12, 0.01, 1 / 3)])
        for left, right in zip(marks[:-1], marks[1:]):
            s = (left + right) / 2 + (right - left) / 2 * nodes
            other = None if sure else first
            total += _panel(s, right - left, rule, low, second, other, shift, survival)
    return total


def _panel(s, width, rule, low, second, first, shift, survival):
    scale, mix, shapes = second
    y = low + s * s
    logs = special.xlogy(shapes - 1, (y / (2 * scale))[:, None]) - (y / (2 * scale))[:, None]
    density = (mix * np.exp(logs - special.gammaln(shapes))).sum(1) / (2 * scale)
    share = rule * 2 * s * density * width / 2
    seen = share > 1e-22
    if first is None:
        return float(np.sum(share))
    return float(np.sum(share[seen] * survival(y[seen] - shift, *first))) if seen.any() else 0.0


def tilted_above(w, b, c):
    """P(Q > 0) far out: the law tilted until Q is about 0, then Ruben's series."""
    w, b, c = [mp.mpf(v) for v in w], [mp.mpf(v) for v in b], mp.mpf(c)
    t = saddle(w, b, c)
    rooms = [1 - 2 * t * x for x in w]
    shift = [t * y / room for y, room in zip(b, rooms)]
    wide = [x / room for x, room in zip(w, rooms)]
    lean = [(2 * x * m + y) / mp.sqrt(room) for x, y, m, room in zip(w, b, shift, rooms)]
    level = c + mp.fsum(x * m * m + y * m for x, y, m in zip(w, b, shift))
    if not moderate(wide, lean):
        return None
    start = ruben_above(wide, lean, level)
    nodes, rule = np.polynomial.legendre.leggauss(10)
    total = 0.0
    # the chance has a weak singularity where the completed square has no constant left
    bare = float(t * (level - mp.fsum(y * y / (4 * x) for x, y in zip(wide, lean))))
    marks = {0, 2, 5, 9, 14, 20, 28, 37} | {bare + k for k in (-0.5, -0.05, 0, 0.05, 0.5)}
    marks = sorted(m for m in marks if 0 <= m <= 37)
    for left, right in zip(marks[:-1], marks[1:]):
        for x, weight in zip(nodes, rule):
            u = (left + right) / 2 + (right - left) / 2 * x
            inside = start - ruben_above(wide, lean, level - u / t)
            total += weight * (right - left) / 2 * np.exp(-u) * inside
    return mp.exp(cumulant(t, w, b, c)) * mp.mpf(total)


def moderate(w, b):
    """Whether Ruben's series is short."""
    size = [abs(float(v)) for v in w]
    if not min(size):
        return False
    far = sum(float(y) ** 2 / (4 * float(x) ** 2) for x, y in zip(w, b))
    return far < 900 and max(size) / min(size) < 300


def sphere_above(w, b, c):
    """P(Q > 0) for one weight in d = 3: two coordinates are an exponential law, one is integrated."""
    weight, length = mp.mpf(w[0]), mp.sqrt(mp.fsum(mp.mpf(v) ** 2 for v in b))
    c = mp.mpf(c)

    def value(z):
        rest = weight * z * z + length * z + c
        if weight == 0:
            chance = mp.mpf(rest > 0)
        elif weight > 0:
            chance = mp.mpf(1) if rest >= 0 else mp.exp(rest / (2 * weight))
        else:
            chance = mp.mpf(0) if rest <= 0 else -mp.expm1(rest / (2 * weight))
        return mp.exp(-z * z / 2) * chance

    if weight == 0:
        return upper(-c / length)
    cuts = roots(weight, length, c)
    # The chance leaves 0 or 1 over a layer of width weight / length next to the root
    marks = set(cuts)
    for cut in cuts:
        for k in range(-1, 9):
            layer = mp.mpf(4) ** k * 2 * abs(weight) / length
            marks |= {cut - layer, cut + layer}
    reach = 16 + int(max([abs(cut) for cut in cuts if abs(cut) < 60] + [0]))
    marks = [m for m in marks if abs(m) < reach] + [mp.mpf(k) for k in range(-reach, reach + 1)]
    marks = sorted(marks)
    return quad(value, marks) / mp.sqrt(2 * mp.pi)


def nested_above(w, b, c):
    """P(Q > 0) with one coordinate by direct quadrature and the others by the contour."""
    signs = [mp.sign(v) for v in w]

    def badness(i):
        # what is left should have both signs, and its most nearly linear part: it smooths the rest
        left = {s for k, s in enumerate(signs) if k != i}
        bent = abs(mp.mpf(b[i]) / mp.mpf(w[i])) if w[i] else mp.inf
        return left in ({1}, {-1}), bent

    first = min(range(len(w)), key=badness)
    rest = [i for i in range(len(w)) if i != first]
    others = [w[i] for i in rest], [b[i] for i in rest]
    wide, lean = mp.mpf(w[first]), mp.mpf(b[first])

    def value(z, digits=16):
        level = mp.mpf(c) + z * (lean + z * wide)
        return mp.exp(-z * z / 2) * above(*others, level, digits)

    with mp.workdps(26):
        peak = summit(lambda z: value(z, 4))
        nodes, rule = np.polynomial.legendre.leggauss(14)
        total = mp.mpf(0)
        reach = int(abs(peak)) + 10
        # a square is as large on the other side
        for k in range(-reach, reach, 2):
            for x, weight in zip(nodes, rule):
                total += mp.mpf(weight) * value(k + mp.mpf(x) + 1)
        return total / mp.sqrt(2 * mp.pi)


def second_above(w, b, c):
    """P(Q > 0) by the way that fits the form, and the name of the way."""
    if len(w) == 1:
        return line_above(mp.mpf(w[0]), mp.mpf(b[0]), mp.mpf(c)), "roots"
    if len(w) == 2:
        return plane_above(w, b, c), "one coordinate closed, one by quadrature"
    size = max(abs(mp.mpf(v)) for v in w)
    if len(w) == 3 and max(w) - min(w) <= mp.mpf(10) ** -30 * size:
        return sphere_above(w, b, c), "exponential law of two coordinates, quadrature of the third"
    if moderate(w, b):
        if all(x < 0 for x in w) or above(w, b, c, 6) > 1e-8:
            return mp.mpf(ruben_above(w, b, c)), "Ruben's series and quadrature, in doubles"
        value = tilted_above(w, b, c)
        if value is not None:
            return value, "a tilted law, Ruben's series and quadrature, in doubles"
    return nested_above(w, b, c), "one coordinate by quadrature, the others by the contour"


def checked_tails(w, b, c):
    """P(Q < 0), P(Q > 0), how far the second way is from the smaller one, and its name."""
    low, high = tails(w, b, c)
    assert abs(low + high - 1) < mp.mpf(10) ** -20, (low, high)
    if low < high:
        other, way = second_above([-x for x in w], [-y for y in b], -mp.mpf(c))
        return low, high, apart(other, low) if low else abs(other), way
    other, way = second_above(w, b, c)
    return low, high, apart(other, high) if high else abs(other), way
