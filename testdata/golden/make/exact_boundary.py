"""Writes exact_boundary.json: coefficients, kind, centre and semi-axes of two-class boundaries.

Usage, from the repository root:
    python testdata/golden/make/exact_boundary.py crates/gaussbayes-io/data testdata/golden
"""

import sys
from fractions import Fraction as F

import mpmath as mp
import sympy as sp

import golden_file
from exact_arithmetic import double, doubles
from exact_boundary_models import cases


def rational(value):
    return sp.Rational(str(value))


class Constant:
    """rational + ln(argument) / 2, both kept exact, so that its sign and its zero are certain."""

    def __init__(self, part, argument):
        self.part, self.argument = part, argument

    def value(self):
        with mp.workdps(60):
            ratio = mp.mpf(int(self.argument.p)) / int(self.argument.q)
            return mp.mpf(int(self.part.p)) / int(self.part.q) + mp.log(ratio) / 2

    def sign(self):
        # ln of a rational other than 1 is irrational: the sum vanishes only as 0 + ln 1
        if self.argument == 1:
            return int(sp.sign(self.part))
        return 1 if self.value() > 0 else -1

    def plus(self, part):
        return Constant(self.part + part, self.argument)


def quadric(means, covariances, priors, loss):
    """A, b, c of ln(P1 p1 / P2 p2) + ln(cost ratio), positive where the first class is taken."""
    m = [sp.Matrix([rational(v) for v in row]) for row in means]
    s = [sp.Matrix([[rational(v) for v in row] for row in c]) for c in covariances]
    inverse = [c.inv() for c in s]
    a = (inverse[1] - inverse[0]) / 2
    b = inverse[0] * m[0] - inverse[1] * m[1]
    part = ((m[1].T * inverse[1] * m[1])[0] - (m[0].T * inverse[0] * m[0])[0]) / 2
    gain = [rational(loss[0][1]) - rational(loss[0][0]), rational(loss[1][0]) - rational(loss[1][1])]
    odds = rational(priors[0]) * gain[0] / (rational(priors[1]) * gain[1])
    return a, b, Constant(part, odds**2 * s[1].det() / s[0].det())


# ---- the kind ------------------------------------------------------------------------------------


def inertia(a):
    """Numbers of positive and negative eigenvalues, exactly, by symmetric elimination."""
    a, plus, less = a.copy(), 0, 0
    while a.shape[0]:
        size = a.shape[0]
        pivot = next((i for i in range(size) if a[i, i] != 0), None)
        if pivot is None:
            pairs = [(i, j) for i in range(size) for j in range(i) if a[i, j] != 0]
            if not pairs:
                break
            i, j = pairs[0]
            change = sp.eye(size)
            change[i, j] = 1
            a = change.T * a * change
            continue
        value = a[pivot, pivot]
        plus, less = plus + int(bool(value > 0)), less + int(bool(value < 0))
        keep = [i for i in range(size) if i != pivot]
        column = a[keep, [pivot]]
        a = a[keep, keep] - column * column.T / value
    return plus, less


def flat_kind(rank, plus, less, linear, level):
    """Kind in the plane; level is the sign of the constant left at the centre."""
    if rank == 0:
        return "line" if linear else ("everywhere" if level == 0 else "empty")
    if rank == 1:
        if linear:
            return "parabola"
        if level == 0:
            return "double line"
        return "parallel lines" if (level > 0) != (plus > 0) else "empty"
    if plus and less:
        return "crossing lines" if level == 0 else "hyperbola"
    if level == 0:
        return "point"
    return "ellipse" if (level > 0) != (plus > 0) else "empty"


def kind_of(dim, a, plus, less, linear, level):
    """The name from the closed list; linear says whether a slope is left where a has no rank."""
    rank = plus + less
    if dim == 1:
        if rank == 0:
            return "point" if linear else ("everywhere" if level == 0 else "empty")
        if level == 0:
            return "point"
        return "two points" if (level > 0) != (plus > 0) else "empty"
    round_ = rank == dim and a == sp.eye(dim) * a[0, 0]
    if dim == 2:
        name = flat_kind(rank, plus, less, linear, level)
        return "circle" if name == "ellipse" and round_ else name
    if rank == 0:
        return "hyperplane" if linear else ("everywhere" if level == 0 else "empty")
    if rank + linear <= 2:
        name = flat_kind(rank, plus, less, linear, level)
        if name == "empty":
            return name
        if name == "ellipse":
            values = [v for v in a.eigenvals(multiple=True) if v != 0]
            name = "circle" if values[0] == values[1] else name
        article = "an" if name[0] == "e" else "a"
        return f"cylinder over {article} {name}" if not name.endswith("lines") else f"cylinder over {name}"
    if linear:
        if rank < dim - 1:
            raise ValueError("outside the closed list")
        return "hyperbolic paraboloid" if plus and less else "elliptic paraboloid"
    if rank < dim:
        raise ValueError("outside the closed list")
    if plus and less:
        return "cone" if level == 0 else "hyperboloid"
    if level == 0:
        return "point"
    if (level > 0) == (plus > 0):
        return "empty"
    return "sphere" if round_ else "ellipsoid"


def answer(name, means, covariances, priors=("1/2", "1/2"), loss=(("0", "1"), ("1", "0"))):
    a, b, c = quadric(means, covariances, priors, loss)
    dim = a.shape[0]
    plus, less = inertia(a)
    null = a.nullspace()
    slope = [(v.T * b)[0] for v in null]
    linear = any(s != 0 for s in slope)
    case = {"name": name, "asks": "boundary", "tolerance": 1e-13}
    case["model"] = {
        "means": [[float(F(v)) for v in row] for row in means],
        "covariances": [[[float(F(v)) for v in row] for row in m] for m in covariances],
        "priors": [float(F(p)) for p in priors],
    }
    case["loss"] = [[float(F(v)) for v in row] for row in loss]
    case["quadratic"] = [[float(F(int(v.p), int(v.q))) for v in a.row(i)] for i in range(dim)]
    case["linear"] = [float(F(int(v.p), int(v.q))) for v in b]
    case["constant"] = double(c.value())
    case["constant_exactly"] = {"rational": str(c.part), "half_log_of": str(c.argument)}
    case["signs"] = [plus, less, dim - plus - less]
    level = c.sign()
    if plus + less and not linear:
        # The centre nearest to the origin: A x = -b/2 with x in the range of A
        centre = -a.pinv() * b / 2
        assert a * centre == -b / 2
        left = c.plus((b.T * centre)[0] / 2)
        level = left.sign()
        case["centre"] = [float(F(int(v.p), int(v.q))) for v in centre]
        case["centre_unique"] = plus + less == dim
        case["value_at_centre"] = double(left.value()) if level else 0.0
        values = eigenvalues(a)
        case["eigenvalues"] = doubles(values)
        if level:
            rest = [v for v in values if abs(v) > mp.mpf(10) ** -40]
            # squared semi-axes -k/v: positive along real axes, negative along imaginary ones
            squares = [-left.value() / v for v in rest]
            case["semi_axes"] = doubles(sorted(mp.sqrt(s) for s in squares if s > 0))
            case["imaginary_semi_axes"] = doubles(sorted(mp.sqrt(-s) for s in squares if s < 0))
    elif plus + less:
        case["eigenvalues"] = doubles(eigenvalues(a))
    case["kind"] = kind_of(dim, a, plus, less, linear, level)
    case["second"] = check(case)
    print(f"{name:48} {case['kind']:34} {case['second']['distance']:.1e}")
    return case


def eigenvalues(a):
    with mp.workdps(60):
        dim = a.shape[0]
        rows = [[mp.mpf(int(v.p)) / int(v.q) for v in a.row(i)] for i in range(dim)]
        values = mp.eigsy(mp.matrix(rows), eigvals_only=True)
        clean = [v if abs(v) > mp.mpf(10) ** -40 else mp.mpf(0) for v in values]
        return sorted(clean)


def check(case):
    """The coefficients against log densities of scipy at points of a grid, and signs by numpy."""
    import numpy as np
    from scipy.stats import multivariate_normal

    model, loss, far = case["model"], case["loss"], 0.0
    dim = len(model["means"][0])
    rng = np.random.default_rng(7)
    gains = [loss[0][1] - loss[0][0], loss[1][0] - loss[1][1]]
    for x in rng.normal(size=(40, dim)) * 3:
        logs = [
            np.log(p * g) + multivariate_normal(m, s).logpdf(x)
            for p, g, m, s in zip(model["priors"], gains, model["means"], model["covariances"])
        ]
        value = x @ np.array(case["quadratic"]) @ x + np.dot(case["linear"], x) + case["constant"]
        size = 1 + max(abs(v) for v in logs)
        far = max(far, abs(value - (logs[0] - logs[1])) / size)
    values = np.linalg.eigvalsh(case["quadratic"])
    counts = [int((values > 1e-12).sum()), int((values < -1e-12).sum())]
    assert counts == case["signs"][:2], (counts, case["signs"])
    assert far < 1e-12, (case["name"], far)
    check_shape(case, rng)
    way = "exact fractions; log densities of scipy at 40 points, signs and axes by numpy"
    return {"way": way, "distance": float(f"{far:.2e}")}


def check_shape(case, rng):
    """Whether the function takes both signs, and the ends of the axes lie on the surface."""
    import numpy as np

    a, b, c = (np.array(case[key]) for key in ("quadratic", "linear", "constant"))
    centre = np.array(case.get("centre", np.zeros(len(b))))
    dirs = rng.normal(size=(20000, len(b)))
    dirs /= np.linalg.norm(dirs, axis=1)[:, None]
    x = centre + dirs * 10.0 ** rng.uniform(-3, 3, size=(20000, 1))
    terms = np.einsum("ij,jk,ik->i", x, a, x), x @ b
    value, size = sum(terms) + c, 1 + abs(terms[0]) + abs(terms[1]) + abs(c)
    both = (value > 1e-13 * size).any() and (value < -1e-13 * size).any()
    double = case.get("value_at_centre") == 0.0 and 0 in case["signs"][:2]
    one_sided = case["kind"] in ("empty", "everywhere") or double
    assert both != one_sided, (case["name"], case["kind"])
    assert (np.abs(value) < 1e-13 * size).all() == (case["kind"] == "everywhere")
    if "semi_axes" in case:
        values, vectors = np.linalg.eigh(a)
        ends = []
        for v, u in zip(values, vectors.T):
            if abs(v) > 1e-12 and -case["value_at_centre"] / v > 0:
                lengths = [s for s in case["semi_axes"] if abs(v * s * s + case["value_at_centre"]) < 1e-12]
                ends += [centre + s * u for s in lengths[:1]]
        assert len(ends) == len(case["semi_axes"]), case["name"]
        for x in ends:
            assert abs(x @ a @ x + b @ x + c) < 1e-11 * (1 + x @ x), case["name"]


NOTE = """Exact fractions: the boundary is x'Ax + b'x + c = 0, positive where the first class is taken, with
'quadratic' A, 'linear' b, 'constant' c = rational + ln(half_log_of)/2. 'kind' is from the closed list. 'signs':
positive, negative and zero eigenvalues of A; 'eigenvalues' ascending; 'centre' the point nearest the origin
where the gradient vanishes ('centre_unique' where A has full rank; absent where there is none), 'value_at_centre'
exactly 0 where the kind is degenerate; 'semi_axes' sqrt(-value/eigenvalue) where real, 'imaginary_semi_axes'
sqrt(value/eigenvalue) otherwise, both ascending. |a-b| <= tolerance*(1+|b|)."""


def main(out):
    tool = f"sympy {sp.__version__} and mpmath {mp.__version__} on exact fractions"
    note = " ".join(NOTE.split())
    golden_file.write(out, "exact_boundary.json", tool, "exact_boundary.py", note, cases(answer))


if __name__ == "__main__":
    main(sys.argv[2])
