"""Shows what scikit-learn 1.9.1 does that may surprise, and that ours does the same."""

import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis as TheirLDA,
)
from sklearn.discriminant_analysis import (
    QuadraticDiscriminantAnalysis as TheirQDA,
)
from sklearn.naive_bayes import GaussianNB as TheirNB
from sklearn.neighbors import NearestCentroid as TheirNC
from tolerances import Silent

from gaussbayes import GaussianNB as OurNB
from gaussbayes import LinearDiscriminantAnalysis as OurLDA
from gaussbayes import NearestCentroid as OurNC
from gaussbayes import QuadraticDiscriminantAnalysis as OurQDA

LDA, QDA, NB, NC = (OurLDA, TheirLDA), (OurQDA, TheirQDA), (OurNB, TheirNB), (OurNC, TheirNC)
PRIORS = [0.1, 0.2, 0.7]

each_lda = pytest.mark.parametrize("lda", LDA, ids=["ours", "theirs"])
each_qda = pytest.mark.parametrize("qda", QDA, ids=["ours", "theirs"])
each_nb = pytest.mark.parametrize("nb", NB, ids=["ours", "theirs"])
each_nc = pytest.mark.parametrize("nc", NC, ids=["ours", "theirs"])


@each_lda
def test_given_priors_make_solvers_disagree(lda, iris):
    X, y = iris
    svd, lsqr, eigen = (
        lda(solver=solver, priors=PRIORS).fit(X, y).predict_proba(X)
        for solver in ["svd", "lsqr", "eigen"]
    )
    np.testing.assert_allclose(lsqr, eigen, atol=1e-9)
    assert abs(svd - lsqr).max() > 0.01
    svd, lsqr = (lda(solver=solver).fit(X, y).predict_proba(X) for solver in ["svd", "lsqr"])
    np.testing.assert_allclose(svd, lsqr, atol=1e-9)


@each_lda
def test_svd_with_given_priors_stores_a_covariance_that_it_does_not_use(lda, iris):
    X, y = iris
    fitted = lda(priors=PRIORS, store_covariance=True).fit(X, y)
    by_size = lda(store_covariance=True).fit(X, y).covariance_
    assert np.abs(fitted.covariance_ - by_size).max() > 0.05
    slope = np.linalg.solve(by_size, fitted.means_[1] - fitted.means_[0])
    np.testing.assert_allclose(fitted.coef_[1] - fitted.coef_[0], slope, rtol=1e-8)


@each_lda
def test_eigen_projects_without_centring(lda, iris):
    X, y = iris
    assert np.abs(lda().fit(X, y).transform(X).mean(axis=0)).max() < 1e-10
    assert np.abs(lda(solver="eigen").fit(X, y).transform(X).mean(axis=0)).max() > 1.0


@each_lda
def test_explained_variance_of_eigen_may_exceed_one(lda, iris):
    X, y = iris
    shares = lda(solver="eigen", priors=[0.01, 0.01, 0.98]).fit(X, y).explained_variance_ratio_
    np.testing.assert_allclose(shares, [1.01473, 0.00892], atol=1e-5)


@each_lda
def test_shrinkage_by_a_number_depends_on_units(lda, iris):
    X, y = iris
    units = np.array([1.0, 1.0, 1.0, 100.0])
    for shrinkage, depends in [(0.3, True), ("auto", False)]:
        plain, scaled = (
            lda(solver="lsqr", shrinkage=shrinkage).fit(X * unit, y).predict_proba(X * unit)
            for unit in (1.0, units)
        )
        assert (np.abs(plain - scaled).max() > 0.01) == depends


@each_lda
def test_lsqr_does_not_project(lda, iris):
    X, y = iris
    with pytest.raises(NotImplementedError, match="use 'svd' or 'eigen'"):
        lda(solver="lsqr").fit(X, y).transform(X)


@each_qda
def test_reg_param_depends_on_units(qda, iris):
    X, y = iris
    plain, scaled = (
        qda(reg_param=0.1).fit(X * unit, y).predict_proba(X * unit) for unit in (1.0, 10.0)
    )
    assert np.abs(plain - scaled).max() > 0.01


@each_qda
def test_full_shrinkage_of_qda_is_a_sphere_not_the_diagonal(qda, iris):
    X, y = iris
    fitted = qda(solver="eigen", shrinkage=1.0, store_covariance=True).fit(X, y)
    expected = X[y == 0].var(axis=0).mean() * np.eye(4)
    np.testing.assert_allclose(fitted.covariance_[0], expected, atol=1e-14)


@each_nc
def test_priors_that_are_not_uniform_change_the_metric(nc):
    # A step from uniform priors to nearly uniform ones is a step from plain to scaled distances.
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1], 30)
    X = rng.normal(size=(60, 2)) * [5.0, 0.1] + y[:, None] * [4.0, 0.3]
    plain, scaled = (nc(priors=priors).fit(X, y) for priors in ([0.5, 0.5], [0.501, 0.499]))
    assert np.mean(plain.predict(X) != scaled.predict(X)) > 0.1


@each_nc
def test_taxicab_distances_are_squared_before_priors_count(nc):
    X, y = [[-1.0], [0.0], [1.0], [9.0], [10.0], [11.0]], [0, 0, 0, 1, 1, 1]
    fitted = nc("manhattan", priors=[0.9, 0.1]).fit(X, y)
    # Centres 0 and 10, spread 1: d² = 2 ln(π₀/π₁) apart where 20 x = 100 + 2 ln 9.
    border = 5.0 + np.log(9.0) / 10.0
    np.testing.assert_array_equal(fitted.predict([[border - 1e-6], [border + 1e-6]]), [0, 1])
    assert not hasattr(fitted, "predict_proba")


@each_nc
def test_centroids_divide_by_the_degrees_of_freedom(nc, iris):
    X, y = iris
    spread = np.sqrt(TheirLDA(store_covariance=True).fit(X, y).covariance_.diagonal())
    found = nc().fit(X, y).within_class_std_dev_
    np.testing.assert_allclose(found, spread * np.sqrt(150.0 / 147.0), rtol=1e-12)


@each_nb
def test_smoothing_is_a_share_of_the_widest_column(nb, iris):
    X, y = iris
    units = np.array([1.0, 1.0, 1.0, 1e6])
    assert nb().fit(X, y).score(X, y) == 0.96
    assert nb().fit(X * units, y).score(X * units, y) == 0.96
    plain, scaled = (nb().fit(X * unit, y).predict_proba(X * unit) for unit in (1.0, units))
    assert np.abs(plain - scaled).max() > 0.1


@each_nb
def test_a_declared_class_without_rows_has_mean_zero(nb, iris):
    X, y = iris
    fitted = nb().partial_fit(X[:100], y[:100], classes=[0, 1, 2])
    np.testing.assert_array_equal(fitted.theta_[2], 0.0)
    np.testing.assert_array_equal(fitted.var_[2], fitted.epsilon_)
    assert fitted.class_count_[2] == fitted.class_prior_[2] == 0.0
    with Silent():
        np.testing.assert_array_equal(fitted.predict_proba(X)[:, 2], 0.0)
        np.testing.assert_array_equal(fitted.predict_log_proba(X)[:, 2], -np.inf)


def test_priors_that_do_not_sum_to_one_are_mended_or_refused(iris):
    X, y = iris
    unscaled = [1.0, 1.0, 2.0]
    for each in (*LDA, *NC):
        with pytest.warns(UserWarning, match="The priors do not sum to 1"):
            each(priors=unscaled).fit(X, y)
    for each in NB:
        with pytest.raises(ValueError, match="The sum of the priors should be 1"):
            each(priors=unscaled).fit(X, y)


def test_the_page_names_these_tests():
    here = Path(__file__).parent
    page = (here.parents[1] / "docs" / "sklearn-differences.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+)`", page))
    files = [
        "test_differences.py",
        "test_differences_in_use.py",
        "test_differences_of_bayes.py",
        "test_differences_of_counts.py",
        "test_differences_of_mixtures.py",
        "test_kept_oddities.py",
    ]
    text = "".join((here / name).read_text(encoding="utf-8") for name in files)
    written = set(re.findall(r"^def (test_\w+)", text, flags=re.MULTILINE))
    assert named == written - {"test_the_page_names_these_tests"}
