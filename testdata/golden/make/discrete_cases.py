"""Lists seeded small tables of flags, counts and categories, with weights, smoothing and priors."""

import numpy as np

NAMES = ("a", "b", "c", "d")


def labels_of(rng, n, k):
    """Every class has at least three rows; the classes are not of one size."""
    own = list(range(k)) * 3
    share = np.arange(1, k + 1) / np.arange(1, k + 1).sum()
    own += rng.choice(k, size=n - len(own), p=share).tolist()
    rng.shuffle(own)
    return own


def weights_of(rng, n, weights):
    """None, or per row: whole numbers, eighths, or tenths (these are no exact doubles)."""
    draw = {
        None: lambda: None,
        "whole": lambda: [float(v) for v in rng.integers(1, 5, n)],
        "eighths": lambda: [int(v) / 8 for v in rng.integers(1, 25, n)],
        "tenths": lambda: [int(v) / 10 for v in rng.integers(1, 31, n)],
        "vast": lambda: [int(v) * 1e12 for v in rng.integers(1, 5, n)],
        "with zeros": lambda: [int(v) / 4 for v in rng.integers(0, 4, n)],
    }
    return draw[weights]()


def case_of(kind, name, rows, own, query, weights, alpha, priors, **more):
    return {
        "name": f"{kind}: {name}",
        "kind": kind,
        "data": {"rows": rows, "labels": [NAMES[k] for k in own]},
        "weights": weights,
        "alpha": alpha,
        "priors": priors,
        "classes": sorted({NAMES[k] for k in own}),
        **more,
        "query": query,
    }


def flags(name, seed, n, p, k, alpha=1.0, weights=None, priors="observed", fixed=(), above=None):
    """Flags, or normal numbers where `above` is the threshold; `fixed`: columns of one value."""
    rng = np.random.default_rng(seed)
    own = labels_of(rng, n, k)
    chance = rng.uniform(0.15, 0.85, size=(k, p))
    if above is None:
        rows = (rng.uniform(size=(n, p)) < chance[own]).astype(int)
        query = rng.integers(0, 2, size=(6, p))
    else:
        rows = np.round(8 * (rng.normal(size=(n, p)) + 2 * chance[own] - 0.5)) / 8
        rows[0, 0] = above
        query = np.round(8 * rng.normal(size=(6, p)) + 4) / 8
        query[0, 0] = above
    for column, value in fixed:
        rows[:, column] = value
    given = weights_of(rng, n, weights)
    threshold = 0.0 if above is None else above
    rows, query = rows.tolist(), query.tolist()
    return case_of("bernoulli", name, rows, own, query, given, alpha, priors, above=threshold)


def counts(kind, name, seed, n, p, k, alpha=1.0, weights=None, priors="observed", unit=1, empty=(), low=0):
    """Counts (or quarters, unit 4), some rows empty where `low` is 0; `empty`: columns of zeros."""
    rng = np.random.default_rng(seed)
    own = labels_of(rng, n, k)
    rate = rng.uniform(0.3, 4, size=(k, p))
    rows = rng.poisson(rate[own] * unit) + low
    for column in empty:
        rows[:, column] = 0
    if low == 0:
        rows[1] = 0
    query = rng.poisson(1.5 * unit, size=(6, p))
    query[0] = 0
    given = weights_of(rng, n, weights)
    if unit > 1:
        rows, query = rows / unit, query / unit
    return case_of(kind, name, rows.tolist(), own, query.tolist(), given, alpha, priors)


def categories(
    name, seed, n, sizes, k, alpha=1.0, weights=None, priors="observed", least=None, own_only=None, full=False
):
    """Codes from 0; `own_only`: (column, code, class), a code that no other class has.

    `full`: every class has every code. Codes of the query are codes of the rows; with a
    least number of categories also those that no row has.
    """
    rng = np.random.default_rng(seed)
    own = labels_of(rng, n, k)
    rows = np.empty((n, len(sizes)), int)
    for j, size in enumerate(sizes):
        chance = rng.dirichlet(np.full(size, 1.5), size=k)
        rows[:, j] = [rng.choice(size, p=chance[c]) for c in own]
        if full:
            for c in range(k):
                at = [i for i in range(n) if own[i] == c][:size]
                rows[at, j] = np.roll(np.arange(size), j + c)[: len(at)]
    if own_only is not None:
        column, code, alone = own_only
        for i in range(n):
            if rows[i, column] == code:
                rows[i, column] = 0
        rows[own.index(alone), column] = code
    top = np.maximum(rows.max(0) + 1, 0 if least is None else least)
    query = np.column_stack([rng.integers(0, size, 6) for size in top])
    query[0] = rows[0]
    if own_only is not None:
        query[1] = rows[own.index(own_only[2])]
    if least is not None:
        query[2] = top - 1
    given = weights_of(rng, n, weights)
    rows, query = rows.tolist(), query.tolist()
    return case_of("categorical", name, rows, own, query, given, alpha, priors, min_categories=least)


def gap():
    """Code 2 of the first column is in no row, 3 is: scikit-learn counts four categories."""
    case = categories("a code below the largest that no row has", 61, 20, (4, 2), 2)
    for row in case["data"]["rows"] + case["query"]:
        row[0] = 3 if row[0] == 2 else row[0]
    case["query"][5][0] = 2
    return case


def common():
    """What scikit-learn answers too."""
    even = "uniform"
    out = [
        flags("two classes", 1, 20, 4, 2),
        flags("alpha 0.3, whole weights", 2, 24, 5, 3, 0.3, "whole"),
        flags("four classes, eighths", 3, 30, 4, 4, 1.0, "eighths"),
        flags("alpha 0", 6, 26, 3, 2, 0.0),
        flags("columns of one value, equal priors", 5, 20, 4, 3, 1.0, None, even, ((0, 0), (2, 1))),
        flags("given priors, tenths", 6, 20, 3, 2, 0.5, "tenths", [0.3, 0.7]),
        flags("numbers above 0.5", 7, 24, 4, 3, 1.0, None, "observed", (), 0.5),
        flags("some weights zero", 8, 30, 3, 3, 1.0, "with zeros"),
    ]
    for kind in ("multinomial", "complement", "complement-norm"):
        out += [
            counts(kind, "two classes", 21, 16, 4, 2),
            counts(kind, "alpha 0.3, whole weights", 22, 18, 5, 3, 0.3, "whole"),
            counts(kind, "alpha of each column, eighths", 23, 22, 4, 4, [0.5, 1.0, 0.1, 2.0], "eighths"),
            counts(kind, "alpha 0", 24, 16, 3, 3, 0.0, None, "observed", 1, (), 1),
            counts(kind, "a column of zeros, given priors, tenths", 25, 16, 4, 2, 1.0, "tenths", [0.25, 0.75], 1, (1,)),
        ]
    out += [
        counts("multinomial", "quarters, equal priors", 26, 16, 4, 3, 0.01, None, even, 4),
        counts("multinomial", "some weights zero", 27, 24, 4, 3, 1.0, "with zeros"),
        counts("complement", "quarters", 28, 16, 4, 4, 0.01, None, even, 4),
        categories("two classes", 41, 20, (3, 2, 4), 2),
        categories("alpha 0.3, whole weights", 42, 24, (2, 4, 3), 3, 0.3, "whole"),
        categories("eighths", 43, 30, (3, 5), 4, 1.0, "eighths"),
        categories("tenths, given priors", 44, 20, (3, 3), 2, 0.5, "tenths", [0.4, 0.6]),
        categories("alpha 0, every class has every category", 45, 24, (2, 3), 2, 0.0, None, "observed", None, None, True),
        categories("alpha 0, a category of one class alone", 46, 24, (3, 2), 2, 0.0, None, "observed", None, (0, 2, 1)),
        categories("a category of one class alone, equal priors", 47, 24, (4, 2), 3, 1.0, None, even, None, (0, 3, 2)),
        categories("a column of one value", 48, 16, (1, 3), 2),
        categories("at least 5 categories", 49, 18, (3, 2), 2, 1.0, None, "observed", 5),
        categories("at least 2, 4 and 6 categories", 50, 20, (3, 4, 2), 3, 0.3, "eighths", even, [2, 4, 6]),
        gap(),
    ]
    return out


def never():
    """Flag 0 is never set in class a, word 1 is never in class a; some class can have each query row."""
    flag = flags("alpha 0, a flag that one class never has", 9, 20, 3, 2, 0.0)
    for row, label in zip(flag["data"]["rows"], flag["data"]["labels"]):
        row[0] = 0 if label == "a" else row[0]
    word = counts("multinomial", "alpha 0, a word that one class never has", 29, 12, 3, 2, 0.0, "whole")
    for row, label in zip(word["data"]["rows"], word["data"]["labels"]):
        row[1] = 0 if label == "a" else row[1]
    return [flag, word]


def exact_only():
    """What scikit-learn has no number for, or another meaning."""
    return never() + [
        flags("alpha of each column, eighths", 3, 30, 4, 4, [0.5, 1.0, 0.1, 2.0], "eighths"),
        flags("alpha of each column, two classes", 10, 20, 3, 2, [0.5, 1.0, 0.1]),
        flags("a flag that all have, weights of 1e12", 11, 20, 3, 2, 1.0, "vast", "observed", ((1, 1),)),
        categories("alpha of each column", 51, 24, (3, 2, 4), 3, [0.5, 2.0, 0.125], "eighths"),
    ]
