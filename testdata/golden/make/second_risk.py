"""Simulates the rules, forms and boundaries of the exact risk files, as a check of their layout."""

import numpy as np
from scipy.stats import multivariate_normal, norm

DRAWS = 200_000


def log_joint(given, x, priors=None):
    rows = zip(given["means"], given["covariances"], priors or given["priors"])
    return np.array([np.log(p) + multivariate_normal(m, c).logpdf(x) for m, c, p in rows])


def hold(chance, wanted, draws=DRAWS):
    """A simulated share against a probability: six standard errors, and no less than six draws."""
    chance, wanted = np.asarray(chance), np.asarray(wanted)
    room = 6 * np.sqrt(wanted * (1 - wanted) / draws) + 6 / draws
    assert (np.abs(chance - wanted) <= room).all(), (chance, wanted)


def draws_of(given, k, rng):
    x = rng.multivariate_normal(given["means"][k], given["covariances"][k], size=DRAWS)
    return x.reshape(DRAWS, -1)


def risk(case, rng):
    loss, truth = np.array(case["loss"]), case["truth"] or case["model"]
    for k, wanted in enumerate(case["confusion"]):
        log = log_joint(case["model"], draws_of(truth, k, rng))
        joint = np.exp(log - log.max(0))
        action = (loss.T @ joint).argmin(0)
        hold(np.bincount(action, minlength=loss.shape[1]) / DRAWS, wanted)
    rows = zip(case["confusion"], case["loss"], truth["priors"])
    total = sum(p * np.dot(chance, cost) for chance, cost, p in rows)
    assert abs(total - case["total"]) <= 1e-14 * (1e-300 + abs(total)) + 1e-300


def form(case, rng):
    z = rng.normal(size=(DRAWS, len(case["w"])))
    q = z**2 @ np.array(case["w"]) + z @ np.array(case["b"]) + case["c"]
    hold([(q < 0).mean(), (q > 0).mean()], [case["below"], case["above"]])


def bounds(case, rng):
    """The mean over the second class of (p1/p2)^s, at the two s of the case."""
    given = case["model"]
    p, q = given["priors"]
    one, two = log_joint(given, draws_of(given, 1, rng), [1.0, 1.0])
    for s, wanted in ((0.5, case["bhattacharyya"]), (case["s"], case["chernoff"])):
        value = p**s * q ** (1 - s) * np.exp(s * (one - two))
        assert abs(value.mean() - wanted) <= 6 * value.std() / DRAWS**0.5 + 1e-13


def linear_rule(case, rng):
    normal, cut = np.array(case["normal"]), case["threshold"]
    share = [(draws_of(case["model"], k, rng) @ normal > cut).mean() for k in (0, 1)]
    hold([share[0], 1 - share[1]], case["per_class"])
    spread = [np.sqrt(normal @ np.array(c) @ normal) for c in case["model"]["covariances"]]
    steps = [cut - normal @ np.array(m) for m in case["model"]["means"]]
    exact = [norm.sf(steps[0] / spread[0]), norm.cdf(steps[1] / spread[1])]
    assert np.allclose(exact, case["per_class"], rtol=1e-12, atol=0)


def ratio_rule(case, rng):
    """Errors of the rule that takes the first class where ln p1/p2 is above the threshold."""
    share = []
    for k in (0, 1):
        one, two = log_joint(case["model"], draws_of(case["model"], k, rng), [1.0, 1.0])
        share.append(((one - two > case["log_ratio"]) == (k == 1)).mean())
    errors = case["errors"] if "errors" in case else [case["level"], case["other_error"]]
    hold(share, errors)


SIMULATE = {
    "risk": risk,
    "form": form,
    "bounds": bounds,
    "linear rule": linear_rule,
    "neyman-pearson": ratio_rule,
    "minimax": ratio_rule,
}


def check(case):
    """Simulates where that is possible; the distance is the one found when the file was made."""
    if case["asks"] in SIMULATE:
        SIMULATE[case["asks"]](case, np.random.default_rng(1))
    return case["second"]["distance"]
