"""Finds tails of quadratic forms with 34 digits: by roots, by a double integral, by a contour.

A form is Q(z) = sum w_j z_j^2 + b_j z_j + c of a standard normal vector z. Three ways, held to each other where two apply:
one column: the roots of the quadratic, and the normal distribution function;
two columns: the same for the second column, integrated over the first;
any number: P(Q > 0) = 1/(2 pi i) integral exp(K(t))/t dt along a line that crosses the real axis between 0 and the first
pole of K(t) = sum -ln(1 - 2 t w)/2 + t^2 b^2/(2 (1 - 2 t w)) + t c, bent to the side on which there is less of it.
"""

import mpmath as mp

BENDS = (mp.mpf(0.375), mp.mpf(-0.375))


def by_roots(w, b, c):
    """P(w z^2 + b z + c < 0), and of > 0, each without a difference from one."""
    if w < 0:
        return by_roots(-w, b, -c)[::-1]
    if w == 0:
        if b == 0:
            return (mp.mpf(c < 0), mp.mpf(c > 0))
        return mp.ncdf(-c / abs(b)), mp.ncdf(c / abs(b))
    inside = b * b - 4 * w * c
    if inside <= 0:
        return mp.mpf(0), mp.mpf(1)
    far = -(b + mp.sign(b or 1) * mp.sqrt(inside)) / 2
    low, high = sorted((far / w, c / far))
    if low > 0:
        low, high = -high, -low
    return mp.ncdf(high) - mp.ncdf(low), mp.ncdf(low) + mp.ncdf(-high)


def integral(integrand, breaks):
    """Of a positive function, relative to its largest value: mpmath's own measure of error is absolute."""
    pieces = [(a, b) for a, b in zip(breaks, breaks[1:]) if b < mp.inf]
    largest = max(integrand(a + (b - a) * mp.mpf(n) / 8) for a, b in pieces for n in range(9))
    return largest * mp.quad(lambda x: integrand(x) / largest, breaks)


def by_double_integral(w, b, c):
    """Two columns, the one with less spread integrated over."""
    if abs(w[0]) + abs(b[0]) > abs(w[1]) + abs(b[1]):
        w, b = w[::-1], b[::-1]
    breaks = {mp.mpf(k) for k in range(-40, 41, 4)}
    # The second column's roots appear and vanish where its discriminant is 0.
    if w[1] != 0:
        a0, a1, a2 = -4 * w[1] * w[0], -4 * w[1] * b[0], b[1] ** 2 - 4 * w[1] * c
        inside = a1 * a1 - 4 * a0 * a2
        if a0 != 0 and inside >= 0:
            breaks |= {(-a1 + s * mp.sqrt(inside)) / (2 * a0) for s in (-1, 1)}
        elif a0 == 0 and a1 != 0:
            breaks.add(-a2 / a1)
    breaks = sorted(x for x in breaks if abs(x) <= 40)

    def part(side):
        def integrand(z):
            return mp.npdf(z) * by_roots(w[1], b[1], w[0] * z * z + b[0] * z + c)[side]

        return integral(integrand, breaks)

    return part(0), part(1)


class Upper:
    """P(Q > 0) by a contour, for a form with mean 0 or less."""

    def __init__(self, w, b, c):
        self.w, self.b, self.c = w, b, c
        # All squares negative: beyond c + sum b^2/(4|w|) there is nothing.
        if max(w) < 0 and c + sum(y * y / (-4 * x) for x, y in zip(w, b)) <= 0:
            self.saddle = None
            return
        self.saddle = self.find_saddle()
        self.unit = 1 / mp.sqrt(self.slopes(self.saddle)[1])
        self.height = self.cumulant(self.saddle)

    def slopes(self, t):
        first, second = self.c - 1 / t, 1 / t**2
        for w, b in zip(self.w, self.b):
            a = 1 - 2 * t * w
            first += w / a + t * b * b * (1 - t * w) / a**2
            second += 2 * w * w / a**2 + b * b / a**3
        return first, second

    def cumulant(self, t):
        pairs = zip(self.w, self.b)
        return t * self.c + sum(
            -mp.log(1 - 2 * t * w) / 2 + (t * b) ** 2 / (2 * (1 - 2 * t * w)) for w, b in pairs
        )

    def find_saddle(self):
        widest, low = max(self.w), mp.mpf(0)
        if widest > 0:
            high = 1 / (2 * widest)
        else:
            high = 1 / mp.sqrt(sum(2 * w * w + b * b for w, b in zip(self.w, self.b)))
            while self.slopes(high)[0] < 0:
                high *= 4
        for _ in range(300):
            middle = (low + high) / 2 if low == 0 or high < 4 * low else mp.sqrt(low * high)
            low, high = (low, middle) if self.slopes(middle)[0] > 0 else (middle, high)
        return (low + high) / 2

    def value(self, v, bend):
        t = mp.mpc(self.saddle + self.unit * bend * (mp.cosh(v) - 1), self.unit * mp.sinh(v))
        dt = self.unit * mp.mpc(bend * mp.sinh(v), mp.cosh(v))
        return mp.exp(self.cumulant(t) - self.height) / t * dt

    def reach(self, bend):
        """Integral of the absolute value, and where nothing is left."""
        total, largest, small, n = mp.mpf(0), mp.mpf(0), 0, 0
        while small < 8 and n < 1600:
            size = abs(self.value(mp.mpf(n) / 4, bend))
            if size > mp.mpf(10) ** 30:
                return mp.inf, n
            total, largest, n = total + size, max(largest, size), n + 1
            small = small + 1 if size < largest * mp.mpf(10) ** -26 else 0
        return total, n

    def chance(self):
        if self.saddle is None:
            return mp.mpf(0)
        (_, reach), bend = min(((self.reach(bend), bend) for bend in BENDS), key=lambda one: one[0][0])
        step, last = mp.mpf(1) / 16, None
        while True:
            count = int(reach / 4 / step)
            total = self.value(mp.mpf(0), bend).imag / 2
            total += mp.fsum(self.value(k * step, bend).imag for k in range(1, count))
            total *= step
            if last is not None and abs(total - last) < abs(total) * mp.mpf(10) ** -20:
                return total / mp.pi * mp.exp(self.height)
            assert step > mp.mpf(1) / 300, "the contour does not settle"
            step, last = step / 2, total


def by_contour(w, b, c):
    """P(Q < 0) and P(Q > 0): the tail beyond the mean, and what it leaves."""
    if c + sum(w) <= 0:
        upper = Upper(w, b, c).chance()
        return 1 - upper, upper
    lower = Upper([-x for x in w], b, -c).chance()
    return lower, 1 - lower


def tails(w, b, c):
    """P(Q < 0), P(Q > 0) and how they were found."""
    w, b, c = [mp.mpf(x) for x in w], [mp.mpf(x) for x in b], mp.mpf(c)
    if len(w) == 1:
        return *by_roots(w[0], b[0], c), "roots"
    found = by_contour(w, b, c)
    if len(w) > 2:
        return *found, "contour"
    if 0 in found:
        return *found, "support"
    second = by_double_integral(w, b, c)
    for one, other in zip(found, second):
        assert abs(one - other) < mp.mpf(10) ** -15 * abs(other), (w, b, c, one, other)
    return *second, "double integral"
