"""Lists the two-class models whose boundaries are known exactly."""


def diag(*values):
    return [[v if i == j else "0" for j in range(len(values))] for i, v in enumerate(values)]


def zeros(dim):
    return ["0"] * dim


DENSE = [
    [["2", "1", "0"], ["1", "2", "0"], ["0", "0", "1"]],
    [["1", "0", "0"], ["0", "3", "1"], ["0", "1", "2"]],
]
# the inverses of these differ by a matrix of rank two
UNIT = [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]]
ROUND = [UNIT, [["3", "0", "1"], ["0", "3", "-1"], ["1", "-1", "2"]]]
SADDLE = [UNIT, [["1.75", "1.25", "-0.25"], ["1.25", "1.75", "0.25"], ["-0.25", "0.25", "0.75"]]]


def cases(answer):
    """The answers to all models; every kind of the closed list is reached."""
    third = ("1/3", "2/3")
    out = [
        answer(
            "DHS chapter 2 example 1",
            [["3", "6"], ["3", "-2"]], [diag("0.5", "2"), diag("2", "2")],
        ),
        answer(
            "T&K 2.1, with losses",
            [["0"], ["1"]], [[["0.5"]], [["0.5"]]], loss=(("0", "0.5"), ("1", "0")),
        ),
        answer("T&K 2.2", [["0", "0"], ["3", "3"]], [[["1.1", "0.3"], ["0.3", "1.9"]]] * 2),
        # one dimension
        answer("d1, two points", [["0"], ["1"]], [diag("1"), diag("4")]),
        answer(
            "d1, empty, costs",
            [["0"], ["1"]], [diag("4"), diag("1")], loss=(("0", "3"), ("1", "0.5")),
        ),
        answer(
            "d1, two points, costs",
            [["0"], ["1"]], [diag("4"), diag("1")], loss=(("0.25", "1"), ("2", "0.5")),
        ),
        answer("d1, a double root", [["0"], ["0"]], [diag("1"), diag("4")], third),
        answer("d1, empty", [["0"], ["0"]], [diag("1"), diag("4")], ("1/5", "4/5")),
        answer("d1, everywhere", [["1"], ["1"]], [diag("2"), diag("2")]),
        # two dimensions
        answer("d2, circle", [["0", "0"], ["1", "2"]], [diag("1", "1"), diag("4", "4")]),
        answer(
            "d2, ellipse",
            [["0", "0"], ["1", "1"]], [[["1", "0.5"], ["0.5", "1"]], [["4", "1"], ["1", "3"]]],
        ),
        answer(
            "d2, ellipse, unequal priors",
            [["1", "0"], ["0", "2"]], [diag("4", "9"), diag("1", "1")], third,
        ),
        answer(
            "d2, point",
            [["0", "0"], ["0", "0"]], [diag("1", "1"), diag("4", "4")], ("1/5", "4/5"),
        ),
        answer(
            "d2, empty ellipse",
            [["0", "0"], ["0", "0"]], [diag("1", "1"), diag("4", "4")], ("1/9", "8/9"),
        ),
        answer("d2, hyperbola", [["0", "0"], ["1", "2"]], [diag("1", "4"), diag("2", "1")]),
        answer(
            "d2, hyperbola, dense",
            [["0", "1"], ["2", "0"]], [[["2", "1"], ["1", "2"]], [["2", "-1"], ["-1", "3"]]],
        ),
        answer("d2, crossing lines", [["1", "1"], ["1", "1"]], [diag("1", "4"), diag("4", "1")]),
        answer(
            "d2, parabola, slanted",
            [["0", "0"], ["2", "1"]], [[["1", "0"], ["0", "1"]], [["2", "1"], ["1", "2"]]],
        ),
        answer("d2, parallel lines", [["0", "1"], ["2", "1"]], [diag("1", "3"), diag("4", "3")]),
        answer(
            "d2, double line",
            [["0", "1"], ["0", "1"]], [diag("1", "3"), diag("4", "3")], third,
        ),
        answer(
            "d2, no lines",
            [["0", "1"], ["0", "1"]], [diag("1", "3"), diag("4", "3")], ("1/5", "4/5"),
        ),
        answer(
            "d2, line, unequal priors",
            [["0", "0"], ["3", "1"]], [diag("2", "1")] * 2, ("9/10", "1/10"),
        ),
        answer("d2, everywhere", [["1", "2"], ["1", "2"]], [diag("2", "1")] * 2),
        answer(
            "d2, empty, one class always",
            [["1", "2"], ["1", "2"]], [diag("2", "1")] * 2, third,
        ),
        # three dimensions
        answer(
            "d3, sphere",
            [zeros(3), ["1", "0", "2"]], [diag("1", "1", "1"), diag("2", "2", "2")],
        ),
        answer(
            "d3, ellipsoid",
            [zeros(3), ["1", "1", "1"]], [diag("1", "2", "1"), diag("4", "3", "2")],
        ),
        answer(
            "d3, point",
            [zeros(3)] * 2, [diag("1", "1", "1"), diag("4", "4", "4")], ("1/9", "8/9"),
        ),
        answer(
            "d3, hyperboloid of one sheet",
            [zeros(3), ["0", "1", "1"]], [diag("1", "1", "4"), diag("2", "2", "1")],
        ),
        answer(
            "d3, hyperboloid, other sign",
            [["2", "1", "0"], zeros(3)], [diag("4", "1", "1"), diag("1", "2", "3")],
        ),
        answer("d3, dense", [zeros(3), ["1", "2", "0"]], DENSE),
        answer("d3, dense, paraboloid", [zeros(3), ["1", "2", "0"]], ROUND),
        answer("d3, dense, saddle", [zeros(3), ["1", "2", "0"]], SADDLE),
        answer("d3, dense, two planes or a cylinder", [zeros(3), ["1", "1", "0"]], SADDLE),
        answer("d3, cone", [zeros(3)] * 2, [diag("1", "1", "16"), diag("4", "4", "1")]),
        answer(
            "d3, elliptic paraboloid",
            [zeros(3), ["1", "0", "3"]], [diag("1", "2", "1"), diag("3", "5", "1")],
        ),
        answer(
            "d3, hyperbolic paraboloid",
            [zeros(3), ["1", "0", "3"]], [diag("1", "5", "1"), diag("3", "2", "1")],
        ),
        answer("d3, hyperplane", [zeros(3), ["1", "2", "-1"]], [diag("1", "2", "3")] * 2, third),
        answer(
            "d3, over an ellipse",
            [zeros(3), ["1", "1", "0"]], [diag("1", "2", "1"), diag("4", "3", "1")],
        ),
        answer(
            "d3, over a circle",
            [zeros(3), ["1", "1", "0"]], [diag("1", "1", "5"), diag("4", "4", "5")],
        ),
        answer(
            "d3, over a hyperbola",
            [zeros(3), ["1", "2", "0"]], [diag("1", "4", "1"), diag("2", "1", "1")],
        ),
        answer(
            "d3, over crossing lines",
            [zeros(3)] * 2, [diag("1", "4", "2"), diag("4", "1", "2")],
        ),
        answer(
            "d3, over a parabola",
            [zeros(3), ["0", "1", "2"]], [diag("1", "1", "1"), diag("3", "1", "1")],
        ),
        answer(
            "d3, over parallel lines",
            [zeros(3), ["1", "0", "0"]], [diag("1", "1", "1"), diag("3", "1", "1")],
        ),
        answer(
            "d3, over a double line",
            [zeros(3)] * 2, [diag("1", "1", "1"), diag("4", "1", "1")], third,
        ),
        answer(
            "d3, over a point",
            [zeros(3)] * 2, [diag("1", "1", "1"), diag("4", "4", "1")], ("1/5", "4/5"),
        ),
        # four dimensions
        answer(
            "d4, sphere",
            [zeros(4), ["1", "0", "2", "1"]], [diag("1", "1", "1", "1"), diag("3", "3", "3", "3")],
        ),
        answer(
            "d4, ellipsoid",
            [zeros(4), ["1", "0", "2", "1"]], [diag("1", "2", "1", "1"), diag("3", "5", "4", "2")],
        ),
        answer(
            "d4, hyperboloid",
            [zeros(4), ["1", "0", "2", "1"]], [diag("1", "2", "1", "3"), diag("3", "1", "4", "2")],
        ),
        answer("d4, cone", [zeros(4)] * 2, [diag("1", "1", "4", "4"), diag("4", "4", "1", "1")]),
        answer(
            "d4, elliptic paraboloid",
            [zeros(4), ["1", "0", "0", "3"]], [diag("1", "2", "1", "1"), diag("3", "5", "4", "1")],
        ),
        answer(
            "d4, over a parabola",
            [zeros(4), ["1", "0", "0", "3"]], [diag("1", "1", "1", "1"), diag("3", "1", "1", "1")],
        ),
        answer("d4, hyperplane", [zeros(4), ["1", "0", "2", "1"]], [diag("1", "2", "1", "3")] * 2),
    ]
    return out
