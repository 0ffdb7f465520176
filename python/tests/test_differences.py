"""Shows both sides of each place where our numbers are not those of scikit-learn 1.9.1."""

import numpy as np
import pytest
from samples import gaussians
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

PAIRS = [(OurLDA, TheirLDA), (OurQDA, TheirQDA), (OurNB, TheirNB), (OurNC, TheirNC)]

each_pair = pytest.mark.parametrize("ours, theirs", PAIRS, ids=lambda each: each.__name__)


def test_centroid_probabilities_obey_bayes_rule():
    # Two centroids of spread one, at 0 and 4: −2 is nearer to the first by d² = 32, so that the
    # posteriors are as e^16 to 1.
    half = np.sqrt(0.5)
    X, y = [[-half], [half], [4.0 - half], [4.0 + half]], [0, 0, 1, 1]
    ours, theirs = (each().fit(X, y).predict_proba([[-2.0]])[0, 1] for each in (OurNC, TheirNC))
    np.testing.assert_allclose(ours, np.exp(-16.0), rtol=1e-6)
    np.testing.assert_allclose(theirs, np.exp(-32.0), rtol=1e-6)


def test_centroid_probabilities_agree_with_labels():
    # The second column has little spread, but distances of labels are plain ones.
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1], 30)
    X = rng.normal(size=(60, 2)) * [5.0, 0.1] + y[:, None] * [4.0, 0.3]
    queries = rng.normal(size=(200, 2)) * [5.0, 0.1] + [2.0, 0.15]
    ours, theirs = (each().fit(X, y) for each in (OurNC, TheirNC))
    np.testing.assert_array_equal(ours.predict(queries), theirs.predict(queries))
    np.testing.assert_array_equal(ours.predict(queries), ours.predict_proba(queries).argmax(axis=1))
    assert (theirs.predict(queries) != theirs.predict_proba(queries).argmax(axis=1)).any()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_centroid_scores_are_half_of_theirs(n_classes):
    sample = gaussians(n_classes, 3, seed=1)
    priors = sample.priors().tolist()
    ours, theirs = (
        each(priors=priors).fit(sample.X, sample.y).decision_function(sample.queries)
        for each in (OurNC, TheirNC)
    )
    if n_classes > 2:
        ours, theirs = (each - each[:, :1] for each in (ours, theirs))
    np.testing.assert_allclose(ours, theirs / 2, rtol=1e-9, atol=1e-9)


def test_naive_bayes_in_batches_is_naive_bayes_at_once(iris):
    X, y = iris

    def in_batches(each):
        fitted = each(var_smoothing=0.1)
        for rows in np.array_split(np.arange(len(y)), 10):
            fitted.partial_fit(X[rows], y[rows], classes=[0, 1, 2])
        return fitted

    at_once = TheirNB(var_smoothing=0.1).fit(X, y)
    ours, theirs = in_batches(OurNB), in_batches(TheirNB)
    np.testing.assert_allclose(ours.epsilon_, at_once.epsilon_, rtol=1e-12)
    np.testing.assert_allclose(ours.var_, at_once.var_, rtol=1e-12)
    last = TheirNB(var_smoothing=0.1).fit(X[-15:], y[-15:])
    np.testing.assert_allclose(theirs.epsilon_, last.epsilon_, rtol=1e-12)
    assert (theirs.var_ < 0.9 * at_once.var_).any()


def test_naive_bayes_smoothing_counts_weights(iris):
    # A row of weight zero is no row for ours; their smoothing sees it, and drowns all others.
    X, y = iris
    X, y = np.vstack([X, np.full(4, 1e6)]), np.append(y, 0)
    weights = np.append(np.ones(150), 0.0)
    ours, theirs = (each().fit(X, y, sample_weight=weights) for each in (OurNB, TheirNB))
    without = TheirNB().fit(X[:150], y[:150])
    np.testing.assert_allclose(ours.epsilon_, without.epsilon_, rtol=1e-12)
    np.testing.assert_allclose(ours.var_, without.var_, rtol=1e-12)
    assert theirs.epsilon_ > 1e9 * without.epsilon_
    assert theirs.score(X[:150], y[:150]) < without.score(X[:150], y[:150])


def test_lda_log_probabilities_have_no_floor(iris):
    X, y = iris
    ours, theirs = (
        each().fit(X, y).predict_log_proba(X[:1] * 100.0) for each in (OurLDA, TheirLDA)
    )
    floor = np.log(np.finfo(float).smallest_normal)
    np.testing.assert_allclose(theirs[0], [0.0, floor, floor])
    scores = TheirLDA().fit(X, y).decision_function(X[:1] * 100.0)
    np.testing.assert_allclose(ours, scores - scores.max(), rtol=1e-9)


def test_priors_of_qda_are_checked(iris):
    X, y = iris
    unscaled = [1.0, 1.0, 2.0]
    with pytest.warns(UserWarning, match="The priors do not sum to 1"):
        ours = OurQDA(priors=unscaled).fit(X, y)
    theirs = TheirQDA(priors=unscaled).fit(X, y)
    np.testing.assert_array_equal(ours.priors_, [0.25, 0.25, 0.5])
    np.testing.assert_array_equal(theirs.priors_, unscaled)
    shift = theirs.decision_function(X) - ours.decision_function(X)
    np.testing.assert_allclose(shift, np.log(4.0), rtol=1e-8)
    for wrong in [[-0.5, 1.0, 0.5], [np.nan, 0.5, 0.5]]:
        with pytest.raises(ValueError, match="priors must"):
            OurQDA(priors=wrong).fit(X, y)
        with Silent():
            assert np.isnan(TheirQDA(priors=wrong).fit(X, y).predict_proba(X)).all()


def test_lda_tells_classes_apart_in_weak_directions():
    # Two of three classes are near each other, beside the distance to the third.
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1, 2], 100)
    X = rng.normal(size=(300, 2)) + np.array([[0.0, 0.0], [1e6, 0.0], [1e6, 8.0]])[y]
    ours, theirs = (each().fit(X, y) for each in (OurLDA, TheirLDA))
    assert ours.scalings_.shape == theirs.scalings_.shape == (2, 1)
    assert ours.score(X, y) > 0.99
    assert theirs.score(X, y) < 0.9
    assert TheirLDA(tol=1e-8).fit(X, y).score(X, y) > 0.99


def test_lda_has_the_coefficients_of_a_class_of_prior_zero(iris):
    X, y = iris
    priors = [0.0, 0.5, 0.5]
    ours, theirs = (each(priors=priors) for each in (OurLDA, TheirLDA))
    with Silent():
        ours.fit(X, y), theirs.fit(X, y)
        full = TheirLDA(priors=[1e-9, 0.5, 0.5], tol=0.0).fit(X, y)
    np.testing.assert_allclose(ours.coef_, full.coef_, rtol=1e-6)
    assert np.abs(theirs.coef_[0] - full.coef_[0]).max() > 1.0
    np.testing.assert_allclose(theirs.coef_[1:], full.coef_[1:], rtol=1e-6)


def test_lsqr_does_not_depend_on_units():
    # Fewer rows than columns, half of which are then measured in thousandths.
    rng = np.random.default_rng(4)
    X, y, queries = rng.normal(size=(12, 20)), np.arange(12) % 3, rng.normal(size=(9, 20))
    units = np.repeat([1.0, 1e3], 10)
    found = {}
    for each in (OurLDA, TheirLDA):
        plain = each(solver="lsqr").fit(X, y).predict_proba(queries)
        found[each] = plain, each(solver="lsqr").fit(X * units, y).predict_proba(queries * units)
    np.testing.assert_allclose(*found[OurLDA], atol=1e-9)
    assert np.abs(np.subtract(*found[TheirLDA])).max() > 0.1
    svd = TheirLDA().fit(X, y).predict_proba(queries)
    np.testing.assert_allclose(found[OurLDA][0], svd, atol=1e-9)


def test_lsqr_with_units_far_apart(iris):
    X, y = iris
    units = np.array([1e-12, 1e-4, 1e4, 1e12])
    plain = TheirLDA(solver="lsqr").fit(X, y).predict(X)
    ours, theirs = (
        each(solver="lsqr").fit(X * units, y).predict(X * units) for each in (OurLDA, TheirLDA)
    )
    np.testing.assert_array_equal(ours, plain)
    assert (theirs != plain).any()


@pytest.mark.parametrize(
    "ours, theirs",
    [
        (OurLDA(solver="lsqr"), TheirLDA(solver="lsqr")),
        (OurLDA(solver="eigen"), TheirLDA(solver="eigen")),
        (OurNC(), TheirNC()),
    ],
    ids=["lsqr", "eigen", "centroids"],
)
def test_data_far_from_zero(ours, theirs, iris):
    X, y = iris
    moved = X + 1e9
    near = theirs.fit(X, y).predict(X)
    np.testing.assert_array_equal(ours.fit(moved, y).predict(moved), near)
    with Silent():
        assert np.mean(theirs.fit(moved, y).predict(moved) != y) > 0.5, "no better than guessing"


@pytest.mark.parametrize("ours, theirs", PAIRS[:3], ids=lambda each: each.__name__)
def test_single_precision_rows_are_summed_up_in_double(ours, theirs, iris):
    X, y = iris
    narrow = (X + 1e5).astype(np.float32)
    exact = theirs().fit(narrow.astype(float), y).predict_proba(narrow.astype(float))
    error = {
        each: np.abs(each().fit(narrow, y).predict_proba(narrow) - exact).max()
        for each in (ours, theirs)
    }
    assert error[ours] < 1e-6
    assert error[theirs] > 1e-3


def test_half_precision_rows_are_summed_up_in_double(iris):
    X, y = iris
    rows = (X * 300.0).astype(np.float16)
    exact = TheirNB().fit(rows.astype(float), y).predict_proba(rows.astype(float))
    np.testing.assert_allclose(OurNB().fit(rows, y).predict_proba(rows), exact, atol=1e-9)
    with Silent():
        assert np.isnan(TheirNB().fit(rows, y).predict_proba(rows)).any()
    with pytest.raises(TypeError, match="float16"):
        TheirQDA().fit(rows, y)
    assert OurQDA().fit(rows, y).score(rows, y) > 0.9


@each_pair
def test_far_queries_have_an_answer(ours, theirs, iris):
    X, y = iris
    far = np.array([[1.0, 0.0, -1.0, 1.0]]) * (1e308 if ours is OurLDA else 1e160)
    posterior = ours().fit(X, y).predict_proba(far)
    assert np.isfinite(posterior).all()
    with Silent():
        fitted = theirs().fit(X, y)
        assert np.isnan(fitted.predict_proba(far)).all()
        assert fitted.predict(far) == [0], "the first class, whatever the query"


@each_pair
@pytest.mark.parametrize("unit", [1e-170, 1e160])
def test_any_unit_will_do(unit, ours, theirs, iris):
    X, y = iris
    expected = theirs().fit(X, y).predict(X)
    np.testing.assert_array_equal(ours().fit(X * unit, y).predict(X * unit), expected)
    with Silent():
        try:
            score = theirs().fit(X * unit, y).score(X * unit, y)
        except (IndexError, np.linalg.LinAlgError):
            return
    assert score < 0.5, "no better than guessing"


def test_a_constant_column_whose_mean_rounds_is_constant():
    # The mean of 0.1 over seven rows is not 0.1, so that theirs divides by 1e-17.
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1], [4, 7])
    X = np.c_[rng.normal(size=(11, 2)) + y[:, None] * 3.0, np.full(11, 0.1)]
    without = TheirLDA().fit(X[:, :2], y)
    ours, theirs = (each().fit(X, y) for each in (OurLDA, TheirLDA))
    np.testing.assert_allclose(ours.coef_[:, :2], without.coef_, rtol=1e-9)
    np.testing.assert_array_equal(ours.coef_[:, 2], 0.0)
    assert np.abs(theirs.coef_[:, 2]).max() > 1e10
    # Where the column changes a little, only ours does not care.
    moved = X + [0.0, 0.0, 1e-3]
    np.testing.assert_array_equal(ours.predict(moved), without.predict(X[:, :2]))
    assert len(set(theirs.predict(moved))) == 1


def test_automatic_shrinkage_where_a_column_is_constant_in_a_class(iris):
    # Theirs gives that column a variance there, in whatever unit it has; ours leaves it at none.
    X, y = iris
    X = np.c_[X, np.where(y == 0, 0.0, X[:, 0] ** 2)]
    unit = np.array([1.0, 1.0, 1.0, 1.0, 1e-3])
    found = {}
    for each in (OurLDA, TheirLDA):
        fits = each(solver="lsqr", shrinkage="auto"), each(solver="lsqr", shrinkage="auto")
        plain = fits[0].fit(X, y).predict_proba(X)
        found[each] = plain, fits[1].fit(X * unit, y).predict_proba(X * unit)
    np.testing.assert_allclose(*found[OurLDA], atol=1e-9)
    assert np.abs(np.subtract(*found[TheirLDA])).max() > 1e-2
    assert TheirQDA(solver="eigen", shrinkage="auto").fit(X, y).score(X, y) > 0.9
    with pytest.raises(np.linalg.LinAlgError, match="class '0'.*'x4' is constant"):
        OurQDA(solver="eigen", shrinkage="auto").fit(X, y)
    flat = np.c_[X[:, :4], np.ones(150)]
    assert TheirLDA(solver="eigen", shrinkage="auto").fit(flat, y).score(flat, y) > 0.9
    with pytest.raises(np.linalg.LinAlgError, match="'x4' is constant"):
        OurLDA(solver="eigen", shrinkage="auto").fit(flat, y)


def test_signs_of_directions_are_fixed(iris):
    # The largest entry of each direction is positive; theirs has what the decomposition left.
    X, y = iris

    def largest(directions):
        return directions[np.abs(directions).argmax(axis=0), np.arange(directions.shape[1])]

    assert (largest(OurLDA().fit(X, y).scalings_) > 0).all()
    assert all((largest(each) > 0).all() for each in OurQDA().fit(X, y).rotations_)
    theirs = [*TheirQDA().fit(X, y).rotations_, TheirLDA().fit(X, y).scalings_]
    assert any((largest(each) < 0).any() for each in theirs)


def test_a_class_without_weight_is_no_class(iris):
    X, y = iris
    weights = (y > 0).astype(float)
    ours, theirs = OurNB(), TheirNB()
    ours.fit(X, y, sample_weight=weights)
    theirs.fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(ours.classes_, [1, 2])
    np.testing.assert_array_equal(theirs.classes_, [0, 1, 2])
    with Silent():
        posterior = theirs.predict_proba(X)
    np.testing.assert_array_equal(posterior[:, 0], 0.0)
    np.testing.assert_allclose(ours.predict_proba(X), posterior[:, 1:], atol=1e-6)
    given = OurNB(priors=[0.3, 0.7]).fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(given.class_prior_, [0.3, 0.7])
    with pytest.raises(ValueError, match="Number of priors must match"):
        TheirNB(priors=[0.3, 0.7]).fit(X, y, sample_weight=weights)


def test_names_of_projections_are_as_many_as_their_columns():
    # The means of three classes lie on a line, so that there is one direction, not two.
    rng = np.random.default_rng(6)
    y = np.arange(300) % 3
    X = rng.normal(size=(300, 3))
    X -= np.array([X[y == k].mean(axis=0) for k in range(3)])[y]
    X[:, 0] += y
    ours, theirs = (each().fit(X, y) for each in (OurLDA, TheirLDA))
    assert ours.transform(X).shape == theirs.transform(X).shape == (300, 1)
    assert len(ours.get_feature_names_out()) == 1
    assert len(theirs.get_feature_names_out()) == 2
    assert ours.set_output(transform="pandas").transform(X).shape == (300, 1)
    with pytest.raises(ValueError, match="Length mismatch"):
        theirs.set_output(transform="pandas").transform(X)


def test_centroids_where_most_columns_are_constant_in_each_class(iris):
    # Their deviations are then divisions by zero, and shrinking makes NaN of the centroids.
    X, y = iris
    rows = np.c_[y, 2 * y, X[:, 0]].astype(float)
    with Silent():
        ours, theirs = (each(shrink_threshold=0.5).fit(rows, y) for each in (OurNC, TheirNC))
        np.testing.assert_array_equal(ours.centroids_[:, 0], [0.0, 1.0, 2.0])
        assert not np.isnan(ours.deviations_).any()
        assert ours.score(rows, y) == 1.0
        assert np.isnan(theirs.centroids_).any() and np.isnan(theirs.deviations_).any()
        with pytest.raises(ValueError, match="contains NaN"):
            theirs.predict(rows)
