"""Lists the cases of softmax regression: data, weights, penalty."""

import numpy as np

import golden_file

QUERY = 5


def built_in(folder, name, kept=None):
    """Rows and labels of a built-in set, of some classes."""
    texts, labels = golden_file.read_text(folder, name)
    pairs = [(line, label) for line, label in zip(texts, labels) if kept is None or label in kept]
    return [[float(v) for v in line] for line, _ in pairs], [label for _, label in pairs]


def drawn():
    """Three classes that overlap in two columns, in whole numbers."""
    rng = np.random.default_rng(79)
    rows, labels = [], []
    for centre, label, count in (((0, 0), "a", 18), ((120, 40), "b", 14), ((-30, 130), "c", 12)):
        for x, y in rng.normal(centre, 100, size=(count, 2)):
            rows.append([float(round(x)), float(round(y))])
            labels.append(label)
    return rows, labels


def moved(rows, maps):
    return [[maps[j](v) for j, v in enumerate(row)] for row in rows]


def cases(folder):
    """name, data (a name or rows and labels), rows, labels, weights, penalty."""
    three, names = drawn()
    pair, pair_names = built_in(folder, "iris", ("versicolor", "virginica"))
    line = [[0.0], [1.0], [2.0], [3.0], [1.0], [4.0]]
    four = [[float(v)] for v in (0, 1, 3, 2, 4, 1, 5, 3, 6, 2, 4, 7, 5, 8, 6, 9)]
    four_names = [name for name in "abcd" for _ in range(4)]
    heavy = [float(i % 3 + 1) for i in range(len(three))]
    gaps = [0.0 if i % 7 == 0 else 0.5 + i % 4 for i in range(len(pair))]
    far = moved(three, [lambda v: v + 1e9, lambda v: v - 2e9])
    apart = moved(three, [lambda v: v * 2.0**20, lambda v: v * 2.0**-30])
    flat = [row + [7.5] for row in three]
    listed = []

    def add(name, data, rows, labels, weights, *penalties):
        for penalty in penalties:
            listed.append((f"{name}, penalty {penalty:g}", data, rows, labels, weights, penalty))

    add("iris", "iris", *built_in(folder, "iris"), None, 1.0, 0.01)
    add("wine", "wine", *built_in(folder, "wine"), None, 1.0)
    add("faithful-split", "faithful-split", *built_in(folder, "faithful-split"), None, 1.0, 1e-3)
    add("iris without setosa", None, pair, pair_names, None, 0.0, 1.0)
    add("iris without setosa, weights", None, pair, pair_names, gaps, 0.0, 0.5)
    add("two classes on the line", None, line, list("aabbba"), None, 0.0, 2.0)
    add("three classes", None, three, names, None, 0.0, 100.0)
    add("three classes, weights", None, three, names, heavy, 0.0)
    add("three classes, far from zero", None, far, names, None, 0.0, 100.0)
    add("three classes, units apart", None, apart, names, None, 0.0, 1.0)
    add("three classes, a constant column", None, flat, names, None, 100.0)
    add("four classes on the line", None, four, four_names, None, 0.0, 1.0)
    return listed
