"""Writes sklearn_bayes.json: scikit-learn's BayesianGaussianMixture from given labels, step by step and at rest.

Usage, from the repository root:
    python testdata/golden/make/sklearn_bayes_goldens.py crates/gaussbayes-io/data testdata/golden
"""

import sys
import warnings

import numpy as np
import sklearn
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import BayesianGaussianMixture

import golden_file
import second_bayes

SCRIPT = "sklearn_bayes_goldens.py"
TOOL = f"scikit-learn {sklearn.__version__}, numpy {np.__version__}"
TYPES = {"full": "VVV", "tied": "EEE", "diag": "VVI", "spherical": "VII"}
ITERATIONS, BRIEF = (1, 2, 5, 50), (1, 5)
LIMIT = 200000
NOTE = (
    "BayesianGaussianMixture(covariance_type, weight_concentration_prior_type, reg_covar, tol=0, "
    "max_iter=iterations), its first M-step from memberships of one given by 'start_partition' (1 to K, one per row). "
    "An iteration is an E-step, then an M-step. 'steps': lower_bound_ (of the whole data, without its constants, by "
    "the memberships of the last E-step and the parameters of the M-step after it), weights_ (means under the "
    "posterior of the sticks or the Dirichlet, made to sum to one), means_, covariances_ (in the shape of the type: "
    "full K by d by d, tied d by d, diag K by d, spherical K), weight_concentration_ (dirichlet_process: two lists, "
    "the sticks' first and second), mean_precision_, degrees_of_freedom_ (tied: one number). 'lower_bounds': of the "
    "first iterations (up to the last of 'steps'). 'converged': with tol=1e-10 (absolute, on lower_bound_). 'rest': "
    "the same run on until no parameter moves by 1e-13 of 1 + itself, or null where that takes more than 200000 iterations. 'log_densities': "
    "score_samples of the first five rows at rest, which are no predictive densities. 'priors': those that "
    "the estimator has after fit, given or not (defaults: 1/K; 1; mean of the rows; d; covariance of the rows with "
    "n - 1, its diagonal, or the mean of its diagonal). 'elbo_constant', type full and reg_covar 0: the whole "
    "variational bound (all seven terms of Bishop 10.70) less lower_bound_; it was the same at every step to 1e-11 "
    "of the bound. For tied, diag and spherical lower_bound_ is no such bound: the posterior of tied has "
    "degrees_of_freedom_prior + n/K degrees of freedom and counts as K Wisharts, diag and spherical take the Wishart's "
    "expectations of a full matrix of d columns where the matrix has d free variances or one, and spherical adds n_k, "
    "not d n_k, degrees of freedom. Its steps raise it all the same: in no case did it fall by more than rounding "
    "(3e-10). scikit-learn adds "
    "10 eps (2.2e-15) to every sum of memberships; reg_covar is added to the diagonal of the weighted covariance before "
    "it is multiplied by the sum of memberships. |a-b| <= tolerance*(1+|b|)."
)


class Started(BayesianGaussianMixture):
    """Starts from the memberships it is handed."""

    def _initialize_parameters(self, X, random_state, xp=None):
        self._initialize(X, self.memberships)


def groups():
    """Three groups in the plane, one of them long, with three digits."""
    rng = np.random.default_rng(47)
    sizes, means = (90, 60, 30), np.array([[0, 0], [4, 1], [1, 5]])
    factors = np.array([[[1, 0], [0.3, 0.6]], [[0.5, 0], [-0.9, 1.2]], [[0.4, 0], [0, 0.4]]])
    rows = [m + rng.normal(size=(n, 2)) @ f.T for n, m, f in zip(sizes, means, factors)]
    return np.round(np.concatenate(rows), 3)


def partition_of(x, count, seed):
    """The nearest of some rows drawn without replacement, 1 to K."""
    scaled = x / x.std(0)
    centres = scaled[np.random.default_rng(seed).choice(len(x), count, replace=False)]
    found = ((scaled[:, None] - centres) ** 2).sum(2).argmin(1) + 1
    assert len(np.unique(found)) == count
    return found


def one(value):
    """A number; the bound of tied comes as an array of one."""
    return float(np.squeeze(value))


def plain(value):
    return [plain(v) for v in value] if isinstance(value, tuple) else np.asarray(value).tolist()


def state_of(mixture):
    keys = ("weights_", "means_", "covariances_", "weight_concentration_", "mean_precision_", "degrees_of_freedom_")
    return {key[:-1]: plain(getattr(mixture, key)) for key in keys}


def made(x, count, partition, iterations, tol, options):
    mixture = Started(n_components=count, tol=tol, max_iter=iterations, **options)
    mixture.memberships = np.eye(count)[partition - 1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return mixture.fit(x)


def flat(mixture):
    return np.concatenate([np.ravel(value) for value in mixture._get_parameters()[:5]])


def run_to_rest(x, count, partition, options):
    """Steps of the estimator by hand until nothing moves, and the largest fall of the bound."""
    mixture = made(x, count, partition, 1, 0, options)
    bound, fall, before = mixture.lower_bound_, 0.0, flat(mixture)
    for iteration in range(2, LIMIT):
        norm, log_memberships = mixture._e_step(x)
        mixture._m_step(x, log_memberships)
        value = mixture._compute_lower_bound(log_memberships, norm)
        fall, bound = max(fall, one(bound - value)), value
        after = flat(mixture)
        if np.max(np.abs(after - before) / (1 + np.abs(after))) < 1e-13:
            mixture._set_parameters(mixture._get_parameters())
            return mixture, iteration, one(bound), one(fall)
        before = after
    return None, LIMIT, one(bound), one(fall)


def case(name, data, x, count, partition, brief=False, **options):
    kind, weights = options["covariance_type"], options["weight_concentration_prior_type"]
    stages = BRIEF if brief else ITERATIONS
    runs = [made(x, count, partition, i, 0, options) for i in stages]
    converged = made(x, count, partition, LIMIT, 1e-10, options)
    assert converged.converged_
    rest, iterations, bound, fall = run_to_rest(x, count, partition, options)
    assert fall < 1e-9
    mixture = runs[0]
    given = ("weight_concentration_prior", "mean_precision_prior", "mean_prior", "degrees_of_freedom_prior",
             "covariance_prior")
    print(f"{name:60} rest after {iterations:6} bound {bound:.6f} fall {fall:.1e}", flush=True)
    made_case = {
        "name": name,
        "data": data,
        "model": TYPES[kind],
        "covariance_type": kind,
        "weight_concentration_prior_type": weights,
        "reg_covar": options["reg_covar"],
        "components": count,
        "weights": None,
        "tolerance": 1e-10,
        "rest_tolerance": 1e-8,
        "start_partition": partition.tolist(),
        "priors": {key: plain(getattr(mixture, key + "_")) for key in given},
        "lower_bounds": [one(b) for b in runs[-1].lower_bounds_],
        "steps": [{"iterations": run.n_iter_, "lower_bound": one(run.lower_bound_), **state_of(run)} for run in runs],
        "converged": {"iterations": converged.n_iter_, "lower_bound": one(converged.lower_bound_)},
        "rest": None if rest is None else {"iterations": iterations, "lower_bound": bound, **state_of(rest)},
        "log_densities": None if rest is None else rest.score_samples(x[:5]).tolist(),
    }
    if kind == "full" and options["reg_covar"] == 0:
        path = second_bayes.run(x, made_case, stages[-1])
        wholes = [second_bayes.elbo(x, r, weights, made_case["priors"], state) for state, r, _ in path]
        constants = np.array(wholes) - made_case["lower_bounds"]
        assert np.ptp(constants) < 1e-11 * (1 + abs(bound)), np.ptp(constants)
        made_case["elbo_constant"] = float(np.median(constants))
    return made_case


def main(folder, out):
    read = {name: np.array(golden_file.read_text(folder, name)[0], float) for name in ("iris", "faithful")}
    plane = groups()
    sets = [
        ("iris", "iris", read["iris"], 4, 11),
        ("faithful", "faithful", read["faithful"], 3, 12),
        ("groups", {"rows": plane.tolist(), "labels": ["all"] * len(plane)}, plane, 5, 13),
    ]
    kinds = [(kind, prior) for kind in TYPES for prior in ("dirichlet_process", "dirichlet_distribution")]
    cases = []
    for name, data, x, count, seed in sets:
        partition = partition_of(x, count, seed)
        for kind, prior in kinds:
            plainly = {"covariance_type": kind, "weight_concentration_prior_type": prior}
            cases.append(case(f"{name}, {kind}, {prior}", data, x, count, partition, reg_covar=0, **plainly))
        if name == "groups":
            continue
        spread = np.cov(x.T) / 3
        spreads = {"full": spread, "tied": spread, "diag": np.diag(spread), "spherical": np.trace(spread) / len(spread)}
        for at, (kind, prior) in enumerate(kinds):
            if name == "iris" and kind == "full":
                continue
            own = {
                "weight_concentration_prior": (0.01, 20.0)[at % 2],
                "mean_precision_prior": (0.125, 3.0)[at % 2],
                "mean_prior": np.round(x.mean(0) + x.std(0) / 2, 2),
                "degrees_of_freedom_prior": x.shape[1] + 2.5,
                "covariance_prior": np.round(spreads[kind], 4),
            }
            plainly = {"covariance_type": kind, "weight_concentration_prior_type": prior, "brief": True}
            if name == "faithful":
                words = f"{name}, {kind}, {prior}, reg_covar 1e-6"
                cases.append(case(words, data, x, count, partition, reg_covar=1e-6, **plainly))
            words = f"{name}, {kind}, {prior}, own priors"
            cases.append(case(words, data, x, count, partition, reg_covar=0, **plainly, **own))
    golden_file.write(out, "sklearn_bayes.json", TOOL, SCRIPT, NOTE, cases)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
