"""Writes sklearn_discrete.json: scikit-learn's naive Bayes of flags, counts and categories.

Usage, from the repository root:
    python testdata/golden/make/sklearn_discrete_goldens.py crates/gaussbayes-io/data testdata/golden
"""

import sys
import warnings

import numpy as np
import sklearn
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, MultinomialNB

import discrete_cases
import exact_discrete
import golden_file

SCRIPT = "sklearn_discrete_goldens.py"
TOOL = f"scikit-learn {sklearn.__version__}, numpy {np.__version__}"
TOLERANCE = 1e-13
NOTE = (
    "BernoulliNB(binarize=above), MultinomialNB, ComplementNB(norm False: complement, True: complement-norm), "
    "CategoricalNB(min_categories), each with alpha, force_alpha=True, fit_prior=False for priors 'uniform', class_prior "
    "for a list. 'joint_log_prob' is predict_joint_log_proba, 'log_posterior' predict_log_proba, the others are the "
    "attributes class_count_, feature_count_ or category_count_ (p x K x C), class_log_prior_, feature_log_prob_; null "
    "is minus infinity. Joint log probabilities of counts have no multinomial coefficient; those of complement have no "
    "prior and are scores. The same cases are in exact_discrete.json. |a-b| <= tolerance*(1+|b|)."
)


def estimator(case):
    prior = {"observed": {}, "uniform": {"fit_prior": False}}
    given = case["priors"]
    options = {"alpha": case["alpha"], **(prior[given] if isinstance(given, str) else {"class_prior": given})}
    kind = case["kind"]
    if kind == "bernoulli":
        return BernoulliNB(binarize=case["above"], **options)
    if kind == "multinomial":
        return MultinomialNB(**options)
    if kind == "categorical":
        return CategoricalNB(min_categories=case["min_categories"], **options)
    return ComplementNB(norm=kind == "complement-norm", **options)


def plain(x):
    if isinstance(x, list):
        return [plain(item) for item in x]
    if isinstance(x, np.ndarray):
        return plain(x.tolist())
    assert not np.isnan(x) and x < np.inf
    return None if x == -np.inf else float(x)


def answer(case):
    """scikit-learn's numbers for a case of discrete_cases.py."""
    with warnings.catch_warnings():
        # the logarithm of a count of zero, with alpha 0
        warnings.simplefilter("ignore", RuntimeWarning)
        fit = estimator(case).fit(case["data"]["rows"], case["data"]["labels"], sample_weight=case["weights"])
        assert fit.classes_.tolist() == case["classes"]
        joint = fit.predict_joint_log_proba(case["query"])
        logs = fit.predict_log_proba(case["query"])
    counts = "category_count" if case["kind"] == "categorical" else "feature_count"
    return {
        "class_count": plain(fit.class_count_),
        counts: plain(getattr(fit, counts + "_")),
        "class_log_prior": plain(fit.class_log_prior_),
        "feature_log_prob": plain(fit.feature_log_prob_),
        "joint_log_prob": plain(joint),
        "log_posterior": plain(logs),
    }


def flat(x):
    return [v for item in x for v in flat(item)] if isinstance(x, list) else [x]


def distance(got, wanted):
    """Largest |a-b|/(1+|b|) over all keys of `got`; null agrees with null only."""
    far = 0.0
    for key, value in got.items():
        a, b = flat(value), flat(wanted[key])
        assert len(a) == len(b) and [v is None for v in a] == [v is None for v in b], key
        far = max([far] + [abs(u - v) / (1 + abs(v)) for u, v in zip(a, b) if u is not None])
    return far


def main(out):
    cases = []
    for case in discrete_cases.common():
        found = answer(case)
        off = distance(found, exact_discrete.answer(case))
        print(f"{case['name']:68} {off:.1e}")
        assert off <= TOLERANCE
        cases.append({**case, "tolerance": TOLERANCE, **found})
    golden_file.write(out, "sklearn_discrete.json", TOOL, SCRIPT, NOTE, cases)


if __name__ == "__main__":
    main(sys.argv[2])
