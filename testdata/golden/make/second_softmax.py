"""Second computations of softmax regression: scipy's trust region on standardised rows, in plain doubles."""

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp

from second_em import far


def regression(case, x, labels):
    """Coefficients in units of one deviation, loss, and that no step from them gains."""
    w = np.ones(len(x)) if case["weights"] is None else np.array(case["weights"], float)
    kept = w > 0
    x, y, w = x[kept], np.searchsorted(case["classes"], labels[kept]), w[kept]
    centre, unit = w @ x / w.sum(), np.sqrt(w @ (x - w @ x / w.sum()) ** 2 / w.sum())
    unit[unit == 0] = 1
    z = np.column_stack([np.ones(len(x)), (x - centre) / unit])
    k, m = len(case["classes"]), z.shape[1]
    p = np.append(0, (2 if k == 2 else 1) * case["penalty"] / unit**2)
    own = np.eye(k)[y]

    def value(flat):
        at = flat.reshape(k, m)
        scores = z @ at.T
        norm = logsumexp(scores, axis=1)
        shares = np.exp(scores - norm[:, None])
        slope = (w[:, None] * (shares - own)).T @ z + p * at
        return w @ (norm - scores[np.arange(len(y)), y]) + (p * at**2).sum() / 2, slope.ravel()

    def bend(flat):
        scores = z @ flat.reshape(k, m).T
        shares = np.exp(scores - logsumexp(scores, axis=1)[:, None])
        full = np.zeros((k, m, k, m))
        for a in range(k):
            for b in range(k):
                factor = w * shares[:, a] * ((a == b) - shares[:, b])
                full[a, :, b, :] = (z * factor[:, None]).T @ z + (a == b) * np.diag(p)
        return full.reshape(k * m, k * m)

    found = minimize(value, np.zeros(k * m), jac=True, hess=bend, method="trust-exact", options={"gtol": 1e-10})
    end = found.x
    for _ in range(5):
        matrix = bend(end)
        size = np.sqrt(np.diag(matrix))
        size[size == 0] = 1
        end = end - np.linalg.lstsq(matrix / np.outer(size, size), value(end)[1] / size, rcond=1e-13)[0] / size
    at = end.reshape(k, m)
    at = at - at.mean(0)
    stored = np.array(case["coefficients"]) * unit
    loss = value(at.ravel())[0] - (p * at**2).sum() / 2
    # Collinear with the intercept: nothing decides a constant column but the penalty.
    worst = max(far(at[:, 1:], stored), far(loss, case["loss"]))
    if "posterior" in case:
        rows = np.flatnonzero(kept).tolist()
        chosen = [rows.index(i - 1) for i in case["rows"]]
        scores = z[chosen] @ at.T
        worst = max(worst, far(np.exp(scores - logsumexp(scores, axis=1)[:, None]), case["posterior"]))
    return worst


BY_KEY = {"centred": regression}
