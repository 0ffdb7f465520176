"""Runs scikit-learn's checks of estimators: passed, or refused where rows are singular."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import gaussbayes as gb

# These take what comes.
ANY_RANK = [
    gb.LinearDiscriminantAnalysis(),
    gb.LinearDiscriminantAnalysis(solver="lsqr"),
    gb.LinearDiscriminantAnalysis(solver="eigen", shrinkage=0.1),
    gb.QuadraticDiscriminantAnalysis(reg_param=0.1),
    gb.GaussianNB(),
    gb.BernoulliNB(),
    gb.BernoulliNB(alpha=0.1, fit_prior=False),
    gb.MultinomialNB(),
    gb.ComplementNB(),
    gb.ComplementNB(norm=True),
    gb.MixedNB(),
    gb.MixedNB(var_smoothing=0.1, unseen="smooth", priors="uniform"),
    gb.SoftmaxRegression(),
    gb.SoftmaxRegression(0.1, priors="uniform"),
    gb.NearestCentroid(),
    gb.NearestCentroid(priors="empirical"),
    gb.NearestCentroid(metric="manhattan"),
    *(gb.GaussianClassifier(family, ridge=0.1) for family in ("VVV", "EEE", "VVI", "VEV", "EVE")),
    gb.GaussianClassifier("EII"),
    gb.GaussianClassifier("unit"),
    gb.MixtureClassifier(1, families="VVI", reg_covar=1e-3, init_params="hierarchical"),
]
# The rows of these checks of weights have a column that is constant in each class, or fewer rows
# than columns and a class of one row: scikit-learn's estimators that need more take no weights.
CONSTANT_COLUMN = {"check_sample_weights_shape", "check_sample_weights_not_overwritten"}
FEW_ROWS = {
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
}
# The rows of these checks are no codes: scikit-learn's CategoricalNB cuts their fractions off.
FRACTIONS = {
    "check_classifiers_one_label_sample_weights",
    "check_sample_weight_equivalence_on_dense_data",
}
CODES = [gb.CategoricalNB(), gb.CategoricalNB(alpha=0.1, min_categories=40)]
# These estimators invert a covariance for what they answer, and refuse just these rows.
REFUSED = [
    (gb.LinearDiscriminantAnalysis(solver="eigen"), CONSTANT_COLUMN | FEW_ROWS),
    (gb.QuadraticDiscriminantAnalysis(), CONSTANT_COLUMN | FEW_ROWS),
    (gb.QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=0.1), FEW_ROWS),
    (gb.GaussianClassifier(), CONSTANT_COLUMN | FEW_ROWS),
    (gb.GaussianClassifier("EEE"), CONSTANT_COLUMN | FEW_ROWS),
    (gb.GaussianClassifier("VVI"), CONSTANT_COLUMN | FEW_ROWS),
    (
        gb.MixtureClassifier(2, families=("EII", "VVI"), init_params="hierarchical"),
        CONSTANT_COLUMN | FEW_ROWS,
    ),
]

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning"),
    pytest.mark.filterwarnings("ignore:self.within_class_std_dev_ has at least 1 zero"),
]
# Each with a start that depends on nothing random: a check holds a weight to be a number of rows.
MIXTURES = [
    gb.GaussianMixture(),
    gb.GaussianMixture(2, init_params="hierarchical", covariance_type="tied"),
    gb.GaussianMixture(2, init_params="hierarchical", covariance_type="spherical"),
    gb.GaussianMixture(2, init_params="hierarchical", covariance_type="unit"),
    gb.BayesianGaussianMixture(),
    *(
        gb.BayesianGaussianMixture(
            n_components=2,
            covariance_type=kind,
            init_params="hierarchical",
            weight_concentration_prior_type="dirichlet_distribution",
        )
        for kind in ("full", "tied", "diag", "spherical")
    ),
    gb.MixtureSearch((1, 2), ("EII", "VVI"), init_params="hierarchical"),
    gb.MixtureSearch((1, 2), "full", init_params="hierarchical", reg_covar=1e-3, guard=0.0),
]


@parametrize_with_checks(ANY_RANK)
def test_checks(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore:Best performing initialization did not converge")
@pytest.mark.filterwarnings("ignore:no mixture is beyond doubt")
@parametrize_with_checks(MIXTURES)
def test_checks_of_mixtures(estimator, check):
    check(estimator)


@parametrize_with_checks([estimator for estimator, _ in REFUSED])
def test_checks_where_covariances_need_full_rank(estimator, check):
    refused = dict((repr(each), names) for each, names in REFUSED)[repr(estimator)]
    if check.func.__name__ not in refused:
        check(estimator)
        return
    with pytest.raises(ValueError, match="class"):
        check(estimator)


@parametrize_with_checks(CODES)
def test_checks_of_codes(estimator, check):
    if check.func.__name__ not in FRACTIONS:
        check(estimator)
        return
    with pytest.raises((AssertionError, ValueError)) as refused:
        check(estimator)
    cause = refused.value.__cause__ or refused.value
    assert "which is no whole number from 0" in str(cause)


def test_lsqr_does_not_pretend_to_project():
    # A method that exists is called by tools that look for it, such as the checks above. That of
    # scikit-learn raises NotImplementedError, which those who call it without looking still get.
    ours = gb.LinearDiscriminantAnalysis(solver="lsqr")
    for method in ["transform", "fit_transform"]:
        assert not hasattr(ours, method)
        assert hasattr(ours.set_params(solver="svd"), method)
        with pytest.raises(NotImplementedError, match="use 'svd' or 'eigen'"):
            getattr(ours.set_params(solver="lsqr"), method)
