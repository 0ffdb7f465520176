"""Integrates a normal law over the regions of a rule in the plane, by rays and again by lines."""

import mpmath as mp

from risk_forms_again import between, roots

SCAN = 2880


def along(quadratics, point, direction):
    """Each class's log joint on the line point + s * direction, as (a, b, c)."""
    (x, y), (u, v) = point, direction
    out = []
    for a, b, c in quadratics:
        square = a[0, 0] * u * u + 2 * a[0, 1] * u * v + a[1, 1] * v * v
        mixed = 2 * (a[0, 0] * x * u + a[0, 1] * (x * v + y * u) + a[1, 1] * y * v)
        rest = a[0, 0] * x * x + 2 * a[0, 1] * x * y + a[1, 1] * y * y + b[0] * x + b[1] * y + c
        out.append((square, mixed + b[0] * u + b[1] * v, rest))
    return out


def stretches(lines, low):
    """Pieces (from, to, winner) of s > low (None: of all s)."""
    cuts = set()
    for i, p in enumerate(lines):
        for q in lines[:i]:
            cuts |= set(roots(p[0] - q[0], p[1] - q[1], p[2] - q[2]))
    cuts = sorted(s for s in cuts if low is None or s > low)
    first = -mp.inf if low is None else low
    ends = [first] + cuts + [mp.inf]
    out = []
    for left, right in zip(ends[:-1], ends[1:]):
        if right == mp.inf:
            middle = left + 1 if left != -mp.inf else mp.mpf(0)
        else:
            middle = (left + right) / 2 if left != -mp.inf else right - 1
        heights = [a * middle * middle + b * middle + c for a, b, c in lines]
        winner = heights.index(max(heights))
        if out and out[-1][2] == winner:
            out[-1] = (out[-1][0], right, winner)
        else:
            out.append((left, right, winner))
    return out


def integrate(structure, value, start, stop, count, pieces=()):
    """Integral of value over [start, stop], split where the order of the regions changes."""
    grid = sorted([start + (stop - start) * mp.mpf(k) / count for k in range(count + 1)])
    breaks = []
    last = structure(grid[0])
    for left, right in zip(grid[:-1], grid[1:]):
        now = structure(right)
        if now != last:
            low, high = left, right
            for _ in range(int(mp.mp.dps * 3.4)):
                middle = (low + high) / 2
                if structure(middle) == last:
                    low = middle
                else:
                    high = middle
            breaks.append((low + high) / 2)
        last = now
    marks = sorted(list(pieces) + breaks + [start, stop])
    totals = None
    for left, right in zip(marks[:-1], marks[1:]):
        if right - left < mp.mpf(10) ** (3 - mp.mp.dps):
            continue
        part = panel(value, left, right)
        totals = part if totals is None else [s + t for s, t in zip(totals, part)]
    return totals


def panel(value, left, right):
    """Tanh-sinh quadrature of a vector function, roots at the ends allowed."""
    half, step, last = (right - left) / 2, mp.mpf(1), None
    reach = mp.asinh(mp.log(10) * mp.mp.dps / mp.pi * 2)
    total = None
    for level in range(10):
        count = int(reach / step)
        for k in range(-count, count + 1):
            if level and k % 2 == 0:
                continue
            u = mp.pi / 2 * mp.sinh(k * step)
            near = half * mp.exp(-abs(u)) / mp.cosh(u)
            weight = mp.pi / 2 * mp.cosh(k * step) / mp.cosh(u) ** 2
            x = right - near if u > 0 else left + near
            part = [weight * v for v in value(x)]
            total = part if total is None else [s + t for s, t in zip(total, part)]
        now = [half * step * t for t in total]
        if last is not None and level > 2:
            gap = max(abs(p - q) for p, q in zip(now, last))
            if gap <= mp.mpf(10) ** (-0.6 * mp.mp.dps) * max(max(now), mp.mpf(10) ** -20):
                break
        last, step = now, step / 2
    return now


def rays(quadratics, classes):
    """P(class k wins) for z ~ N(0, I) in polar coordinates."""

    def order(angle):
        lines = along(quadratics, (0, 0), (mp.cos(angle), mp.sin(angle)))
        return tuple(winner for _, _, winner in stretches(lines, mp.mpf(0)))

    def value(angle):
        out = [mp.mpf(0)] * classes
        lines = along(quadratics, (0, 0), (mp.cos(angle), mp.sin(angle)))
        for left, right, winner in stretches(lines, mp.mpf(0)):
            far = mp.mpf(0) if right == mp.inf else mp.exp(-right * right / 2)
            out[winner] += mp.exp(-left * left / 2) - far
        return out

    start = mp.mpf("0.0123")
    pieces = [start + 2 * mp.pi * k / 12 for k in range(1, 12)]
    sums = integrate(order, value, start, start + 2 * mp.pi, SCAN, pieces)
    return [s / (2 * mp.pi) for s in sums]


def lines(quadratics, classes):
    """The same by lines parallel to the second axis."""

    def order(x):
        return tuple(w for _, _, w in stretches(along(quadratics, (x, 0), (0, 1)), None))

    def value(x):
        out = [mp.mpf(0)] * classes
        for left, right, winner in stretches(along(quadratics, (x, 0), (0, 1)), None):
            out[winner] += mp.exp(-x * x / 2) * between(left, right)
        return out

    pieces = [mp.mpf(k) for k in range(-9, 10)]
    sums = integrate(order, value, mp.mpf(-10), mp.mpf(10), SCAN, pieces)
    return [s / mp.sqrt(2 * mp.pi) for s in sums]
