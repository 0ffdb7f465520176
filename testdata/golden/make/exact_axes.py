"""Common axes of several scatters (EVE, VVE) in mpmath, by rotations in one plane at a time."""

import math

from mpmath import mp, mpf

GRID = [k * math.pi / 32 for k in range(16)]


def turned(scatter, i, j, c, s):
    """The scatter after columns and rows i and j turn into each other."""
    out = scatter.copy()
    for k in range(out.rows):
        out[k, i], out[k, j] = c * scatter[k, i] + s * scatter[k, j], c * scatter[k, j] - s * scatter[k, i]
    half = out.copy()
    for k in range(out.rows):
        out[i, k], out[j, k] = c * half[i, k] + s * half[j, k], c * half[j, k] - s * half[i, k]
    return out


class Plane:
    """What is to be least, for all angles in one plane: sum n ln(prod q) (VVE) or sum (prod q)^(1/d) (EVE)."""

    def __init__(self, scatters, total, i, j, free_volume):
        d = scatters[0].rows
        self.power = None if free_volume else mpf(1) / d
        self.middle = [(w[i, i] + w[j, j]) / 2 for w in scatters]
        self.half = [(w[i, i] - w[j, j]) / 2 for w in scatters]
        self.cross = [w[i, j] for w in scatters]
        self.factors = total
        if not free_volume:
            others = [[w[k, k] for k in range(d) if k not in (i, j)] for w in scatters]
            self.factors = [mp.fprod(o) ** self.power for o in others]

    def value(self, angle):
        """In doubles, to look around."""
        c, s, out = math.cos(2 * angle), math.sin(2 * angle), 0.0
        for m, u, b, f in zip(self.middle, self.half, self.cross, self.factors):
            p = float(m) ** 2 - (float(u) * c + float(b) * s) ** 2
            out += float(f) * (math.log(p) if self.power is None else p ** float(self.power))
        return out

    def slopes(self, angle):
        """First and second derivative."""
        c, s, first, second = mp.cos(2 * angle), mp.sin(2 * angle), mpf(0), mpf(0)
        for m, u, b, f in zip(self.middle, self.half, self.cross, self.factors):
            t, t1 = u * c + b * s, 2 * (b * c - u * s)
            p, p1, p2 = m * m - t * t, -2 * t * t1, -2 * (t1 * t1 - 4 * t * t)
            if self.power is None:
                first += f * p1 / p
                second += f * (p2 / p - (p1 / p) ** 2)
            else:
                e = self.power
                first += f * e * p ** (e - 1) * p1
                second += f * e * (p ** (e - 1) * p2 + (e - 1) * p ** (e - 2) * p1 * p1)
        return first, second


def common_axes(scatters, total, free_volume):
    """The axes D and D' W D of every scatter: the first five sweeps look all round, the others take Newton's step."""
    d = scatters[0].rows
    axes = mp.eye(d)
    for sweep in range(10000):
        largest = mpf(0)
        for i in range(d - 1):
            for j in range(i + 1, d):
                plane = Plane(scatters, total, i, j, free_volume)
                angle = mpf(0)
                if sweep < 5:
                    best = min(GRID, key=plane.value)
                    if plane.value(best) < plane.value(0.0):
                        angle = mpf(best)
                for _ in range(2):
                    first, second = plane.slopes(angle)
                    move = first / second if second > 0 else mp.sign(first) / 50
                    angle -= max(mpf(-1) / 50, min(mpf(1) / 50, move))
                c, s = mp.cos(angle), mp.sin(angle)
                scatters = [turned(w, i, j, c, s) for w in scatters]
                for k in range(d):
                    axes[k, i], axes[k, j] = c * axes[k, i] + s * axes[k, j], c * axes[k, j] - s * axes[k, i]
                largest = max(largest, abs(angle))
        if largest < mpf(10) ** (6 - mp.dps):
            return axes, scatters
    raise ArithmeticError("the axes do not settle")
