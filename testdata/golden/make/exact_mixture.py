"""EM for Gaussian mixtures in mpmath: M-steps of the families, E-step, and steps to a fixed point."""

from mpmath import mp, mpf

from exact_axes import common_axes

mp.dps = 50


def moments(rows, z):
    """Sizes, means and scatters of the components; z holds memberships times weights of rows."""
    d, total, means, scatters = len(rows[0]), [], [], []
    for k in range(len(z[0])):
        size = mp.fsum(r[k] for r in z)
        mean = [mp.fsum(r[k] * x[j] for x, r in zip(rows, z)) / size for j in range(d)]
        centred = [[v - m for v, m in zip(x, mean)] for x in rows]
        scaled = [[r[k] * v for v in c] for c, r in zip(centred, z)]
        scatter = mp.zeros(d)
        for i in range(d):
            for j in range(i + 1):
                scatter[i, j] = scatter[j, i] = mp.fsum(a[i] * b[j] for a, b in zip(scaled, centred))
        total.append(size)
        means.append(mean)
        scatters.append(scatter)
    return total, means, scatters


# ---- the families --------------------------------------------------------------------------------------------------


def trace(m):
    return mp.fsum(m[i, i] for i in range(m.rows))


def diagonal(m):
    return mp.diag([m[i, i] for i in range(m.rows)])


def unit_volume(m):
    return m / mp.det(m) ** (mpf(1) / m.rows)


def common_shape(scatters, total):
    """Free volumes, one shape: C ~ sum W_k / v_k and v_k = tr(W_k C^-1) / (d n_k) in turn, until nothing moves."""
    d, volumes = scatters[0].rows, [mpf(1)] * len(total)
    for _ in range(100000):
        shape = unit_volume(sum((w / v for w, v in zip(scatters, volumes)), mp.zeros(d)))
        inverse, before = mp.inverse(shape), volumes
        volumes = [trace(w * inverse) / (d * n) for w, n in zip(scatters, total)]
        if max(abs(v / b - 1) for v, b in zip(volumes, before)) < mpf(10) ** (5 - mp.dps):
            return [v * shape for v in volumes]
    raise ArithmeticError("shape and volumes do not settle")


def in_own_axes(scatters, total, spread):
    """Each scatter in its own axes, variances ascending; 'spread' makes covariances of diagonal scatters."""
    parts = [mp.eigsy(w) for w in scatters]
    turned = spread([mp.diag(list(values)) for values, _ in parts], total)
    return [q * s * q.T for (_, q), s in zip(parts, turned)]


def in_common_axes(scatters, total, free_volume):
    axes, seen = common_axes(scatters, total, free_volume)
    spread = (each if free_volume else one_volume)(diagonals(seen), total)
    return [axes * s * axes.T for s in spread]


def one_for_all(scatters, total):
    shared = sum(scatters, mp.zeros(scatters[0].rows)) / mp.fsum(total)
    return [shared] * len(total)


def one_volume(scatters, total):
    roots = [mp.det(w) ** (mpf(1) / w.rows) for w in scatters]
    volume = mp.fsum(roots) / mp.fsum(total)
    return [w / r * volume for w, r in zip(scatters, roots)]


def spherical(scatters):
    return [trace(w) / w.rows * mp.eye(w.rows) for w in scatters]


def each(scatters, total):
    return [w / n for w, n in zip(scatters, total)]


def diagonals(scatters):
    return [diagonal(w) for w in scatters]


FAMILIES = {
    "EII": lambda w, n: one_for_all(spherical(w), n),
    "VII": lambda w, n: each(spherical(w), n),
    "EEI": lambda w, n: one_for_all(diagonals(w), n),
    "VEI": lambda w, n: common_shape(diagonals(w), n),
    "EVI": lambda w, n: one_volume(diagonals(w), n),
    "VVI": lambda w, n: each(diagonals(w), n),
    "EEE": one_for_all,
    "VEE": common_shape,
    "EVE": lambda w, n: in_common_axes(w, n, False),
    "VVE": lambda w, n: in_common_axes(w, n, True),
    "EEV": lambda w, n: in_own_axes(w, n, one_for_all),
    "VEV": lambda w, n: in_own_axes(w, n, common_shape),
    "EVV": one_volume,
    "VVV": each,
}


# ---- EM ------------------------------------------------------------------------------------------------------------


def m_step(rows, z, model):
    total, means, scatters = moments(rows, z)
    size = mp.fsum(total)
    return [n / size for n in total], means, FAMILIES[model](scatters, total)


def e_step(rows, weights, state):
    """The log-likelihood, and memberships times the weights of the rows."""
    d, joint = len(rows[0]), []
    for share, mean, covariance in zip(*state):
        factor = mp.cholesky(covariance)
        half = mp.inverse(factor)
        inverse = [[half[i, j] for j in range(i + 1)] for i in range(d)]
        start = mp.log(share) - d * mp.log(2 * mp.pi) / 2 - mp.fsum(mp.log(factor[i, i]) for i in range(d))
        column = []
        for x in rows:
            centred = [v - m for v, m in zip(x, mean)]
            white = [mp.fdot(row, centred) for row in inverse]
            column.append(start - mp.fdot(white, white) / 2)
        joint.append(column)
    likelihood, z = mpf(0), []
    for weight, logs in zip(weights, zip(*joint)):
        top = max(logs)
        parts = [mp.exp(v - top) for v in logs]
        size = mp.fsum(parts)
        likelihood += weight * (top + mp.log(size))
        z.append([weight * p / size for p in parts])
    return likelihood, z


def step(rows, weights, state, model):
    """One iteration: the log-likelihood of 'state', and the state after it."""
    likelihood, z = e_step(rows, weights, state)
    return likelihood, m_step(rows, z, model)


def flat(state):
    shares, means, covariances = state
    return shares + [v for mean in means for v in mean] + [v for c in covariances for v in c]


def unflat(values, state):
    """The reverse of flat, with the sizes of 'state'."""
    values = iter(values)
    shares, means, covariances = state
    shares = [next(values) for _ in shares]
    means = [[next(values) for _ in mean] for mean in means]
    d = len(means[0])
    return shares, means, [mp.matrix([[next(values) for _ in range(d)] for _ in range(d)]) for _ in covariances]


def settle(rows, weights, state, model, jump_below=mpf("1e-6"), enough=mpf("1e-24")):
    """Nine plain steps and a jump along the slowest direction, again and again, ending with plain ones.

    Returns the state and the rate of the first plain steps; a jump takes the slowest part away for a while.
    """
    last, rate, slowest, plain, before = None, mpf(0), mpf(0), 0, None
    while True:
        likelihood, after = step(rows, weights, state, model)
        change = [a - b for a, b in zip(flat(after), flat(state))]
        size, plain = mp.norm(change), plain + 1
        if last is not None and size > mpf("1e-40"):
            rate = mp.fdot(change, last) / mp.fdot(last, last)
        last, state = change, after
        at_rest = size < mpf("1e-40") or (plain > 8 and size / (1 - max(rate, slowest)) < enough)
        if at_rest:
            assert before is None or abs(likelihood - before) < mpf("1e-25")
            return state, slowest or rate
        before = likelihood
        if plain > 8 and size < jump_below and 0 < rate < 1:
            ahead = [v + c * rate / (1 - rate) for v, c in zip(flat(state), change)]
            slowest = slowest or rate
            state, last, plain = unflat(ahead, state), None, 0
