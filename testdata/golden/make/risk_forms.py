"""Computes the law of a quadratic form of normal variables to 28 digits, along a contour."""

import mpmath as mp

mp.mp.dps = 50
DIGITS = 28


def upper(x):
    return mp.erfc(x / mp.sqrt(2)) / 2


def matrix(rows):
    """An mpmath matrix of doubles, taken as the numbers they are."""
    return mp.matrix([[mp.mpf(v) for v in row] for row in rows])


def vector(row):
    return mp.matrix([mp.mpf(v) for v in row])


def quad(value, marks):
    """mp.quad with a relative stop: the function is scaled to about one first."""
    tests = list(marks) + [(p + q) / 2 for p, q in zip(marks[:-1], marks[1:])]
    size = max(abs(value(x)) for x in tests)
    if size == 0:
        return mp.mpf(0)
    return size * mp.quad(lambda x: value(x) / size, marks)


# ---- from Gaussians to a form --------------------------------------------------------------------


def log_joint(mean, covariance, prior):
    """Quadratic, linear and constant part of ln(prior * density)."""
    mean, cov = vector(mean), matrix(covariance)
    precision = cov**-1
    linear = precision * mean
    constant = mp.log(prior) - (len(mean) * mp.log(2 * mp.pi) + mp.log(mp.det(cov))) / 2
    return -precision / 2, linear, constant - (mean.T * linear)[0] / 2


def seen_from(quadratic, mean, covariance):
    """The same function of z, where x = mean + L z."""
    a, b, c = quadratic
    root, mean = mp.cholesky(matrix(covariance)), vector(mean)
    slope = 2 * (a * mean) + b
    return root.T * a * root, root.T * slope, (mean.T * a * mean)[0] + (b.T * mean)[0] + c


def minus(p, q):
    return p[0] - q[0], p[1] - q[1], p[2] - q[2]


def diagonal(quadratic):
    """Weights, slopes and constant in the eigenbasis: sum of w z^2 + b z, plus c."""
    a, b, c = quadratic
    a = (a + a.T) / 2
    values, basis = mp.eigsy(a)
    size = max([abs(v) for v in values] + [mp.mpf(0)])
    rotated = basis.T * b
    w = [v if abs(v) > mp.mpf(10) ** -45 * max(size, 1) else mp.mpf(0) for v in values]
    return w, [rotated[i] for i in range(len(rotated))], c


# ---- first way: inversion of the moment generating function along a bent contour -----------------


def impossible(w, b, c):
    """Whether Q > 0 has probability 0."""
    if any(x > 0 for x in w) or any(x == 0 and y != 0 for x, y in zip(w, b)):
        return False
    return c - mp.fsum(y * y / (4 * x) for x, y in zip(w, b) if x != 0) <= 0


def cumulant(t, w, b, c):
    total = t * c
    for x, y in zip(w, b):
        room = 1 - 2 * t * x
        total += t * t * y * y / (2 * room) - mp.log(room) / 2
    return total


def slope(t, w, b, c):
    total = c - 1 / t
    for x, y in zip(w, b):
        room = 1 - 2 * t * x
        total += x / room + y * y * (t / room + t * t * x / room**2)
    return total


def saddle(w, b, c):
    """Where K(t) - ln t is least on t > 0."""
    top = max(list(w) + [mp.mpf(0)])
    end = 1 / (2 * top) if top > 0 else None

    def place(u):
        return mp.exp(u) if end is None else end / (1 + mp.exp(-u))

    low, high = mp.mpf(-1), mp.mpf(1)
    while slope(place(low), w, b, c) > 0:
        low *= 2
    while slope(place(high), w, b, c) < 0:
        high *= 2
        if high > 2000:
            break
    for _ in range(90):
        middle = (low + high) / 2
        if slope(place(middle), w, b, c) < 0:
            low = middle
        else:
            high = middle
    return place(low)


def above(w, b, c, digits=DIGITS):
    """P(Q > 0) with relative accuracy."""
    w, b, c = [mp.mpf(v) for v in w], [mp.mpf(v) for v in b], mp.mpf(c)
    if impossible(w, b, c):
        return mp.mpf(0)
    if not any(w) and not any(b):
        return mp.mpf(c > 0)
    start = saddle(w, b, c)
    eps = start * mp.mpf(10) ** -15
    curve = (slope(start + eps, w, b, c) - slope(start - eps, w, b, c)) / (2 * eps)
    width = 1 / mp.sqrt(curve)
    far = c - mp.fsum(y * y / (4 * x) for x, y in zip(w, b) if x != 0)
    base = cumulant(start, w, b, c) - mp.log(start)

    def term(v, bend):
        t = start + bend * (mp.cosh(v) - 1) + 1j * width * mp.sinh(v)
        step = bend * mp.sinh(v) + 1j * width * mp.cosh(v)
        return (mp.exp(cumulant(t, w, b, c) - base) / t * step).imag

    # The bend follows the far end; where the near end pulls the other way a slight one grows less
    for part in (1, 3, 5, 7, 10, 15, 20):
        bend = -width * mp.sign(far) / 2**part
        first = abs(term(mp.mpf(0), bend))
        if max(abs(term(mp.mpf(k) / 2, bend)) for k in range(1, 25)) < 1000 * first:
            break

    def sweep(first, step):
        total, v, quiet = mp.mpf(0), first, 0
        while quiet < 6:
            value = term(v, bend)
            total += value
            quiet = quiet + 1 if abs(value) < mp.mpf(10) ** (-digits - 6) * abs(total) else 0
            v += step
        return total

    step = mp.mpf(1) / 4
    total = term(mp.mpf(0), bend) / 2 + sweep(step, step)
    for _ in range(12):
        last = total * step
        total += sweep(step / 2, step)
        step /= 2
        if abs(total * step - last) <= mp.mpf(10) ** -digits * abs(last):
            break
    else:
        raise ArithmeticError(f"no convergence for {w} {b} {c}")
    return mp.exp(base) * total * step / mp.pi


def tails(w, b, c):
    """P(Q < 0) and P(Q > 0)."""
    return above([-x for x in w], [-y for y in b], -mp.mpf(c)), above(w, b, c)


def apart(a, b):
    """Relative distance of two numbers."""
    a, b = mp.mpf(a), mp.mpf(b)
    return abs(a - b) / max(abs(b), mp.mpf(10) ** -400)


def power(distance):
    """The power of ten at or above a distance, 1e-20 at least: what a file keeps of it."""
    if distance <= mp.mpf(10) ** -20:
        return 1e-20
    return float(f"1e{int(mp.ceil(mp.log10(mp.mpf(distance)) - mp.mpf(10) ** -9))}")
