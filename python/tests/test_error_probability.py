"""Asks how often rules err: textbook cases, bounds, thresholds by errors, samples."""

import numpy as np
import pytest
from scipy import stats

import gaussbayes as gb

given = gb.GaussianClassifier.from_parameters
# Twelve significant digits, tails included.
DIGITS = 1e-12

TEXTBOOK = [
    # Theodoridis and Koutroumbas, examples 2.1 and 2.2.
    (([[0.0], [1.0]], [[0.5]]), 0.23975006109347673),
    (([[0, 0], [3, 3]], [[1.1, 0.3], [0.3, 1.9]]), 0.05017412323114537),
    # Duda, Hart and Stork, chapter 2, example 1.
    (
        ([[3, 6], [3, -2]], [[[0.5, 0], [0, 2]], [[2, 0], [0, 2]]]),
        0.0020731622811863088,
    ),
    # The modem of the lectures.
    (([[0.0], [1.0]], [[1.0]]), 0.30853753872598690),
    # Normal tails: Q(5), Q(10), Q(37).
    (([[0.0], [10.0]], [[1.0]]), 2.86651571879193912e-7),
    (([[0.0], [20.0]], [[1.0]]), 7.61985302416052607e-24),
    (([[0.0], [74.0]], [[1.0]]), 5.72557122252457682e-300),
    (([[0.0], [2.0]], [[1.0]], [0.9, 0.1]), 0.0700606858585390636),
]


@pytest.mark.parametrize(("parameters", "total"), TEXTBOOK)
def test_textbook_cases(parameters, total):
    found = given(*parameters).error()
    assert found.total == pytest.approx(total, rel=DIGITS)
    assert abs(found.total - total) <= max(found.error, 4e-15 * total)
    assert found.total <= found.chernoff <= found.bhattacharyya * (1 + 1e-15)


def test_losses_of_theodoridis_and_koutroumbas():
    found = given([[0.0], [1.0]], [[0.5]]).with_loss([[0, 0.5], [1, 0]]).error()
    assert found.confusion[0, 1] == pytest.approx(0.41411285820534924, rel=DIGITS)
    assert found.confusion[1, 0] == pytest.approx(0.11560731954645959, rel=DIGITS)
    assert found.total == pytest.approx(0.16133187432456711, rel=DIGITS)


def test_duda_hart_and_stork_by_class():
    found = given([[3, 6], [3, -2]], [[[0.5, 0], [0, 2]], [[2, 0], [0, 2]]]).error()
    expected = [0.0020610617942252968, 0.0020852627681473207]
    np.testing.assert_allclose(found.per_class, expected, rtol=DIGITS)
    assert found.bhattacharyya == pytest.approx(0.0081910027213096668, rel=DIGITS)
    assert found.chernoff == pytest.approx(0.0081899168393950045, rel=DIGITS)
    assert found.method == "form" and found.how.startswith("Exact")


def test_a_rule_under_another_truth_errs_more():
    truth = given([[0, 0], [2, 1]], [np.eye(2), [[2, 0.3], [0.3, 0.5]]])
    best, last = truth.error().total, np.inf
    for n in (30, 300, 30_000):
        rows, classes = truth.sample(n, random_state=1)
        plugged = gb.QuadraticDiscriminantAnalysis().fit(rows, classes)
        total = plugged.error(under=truth).total
        assert best < total < last
        last = total
    assert last - best < 1e-4
    with pytest.raises(ValueError, match="classes"):
        gb.GaussianNB().fit(rows, np.where(classes == 0, "u", "v")).error(under=truth)


def test_simulation_agrees():
    rng = np.random.default_rng(7)
    means = rng.normal(size=(3, 4))
    factors = rng.normal(size=(3, 4, 4))
    covariances = factors @ factors.swapaxes(1, 2) + np.eye(4)
    rule = given(means, covariances, [0.2, 0.3, 0.5])
    exact, drawn = rule.error(), rule.error(method="simulation")
    assert exact.method == "lattice" and drawn.method == "simulation"
    assert abs(exact.total - drawn.total) < exact.error + drawn.error
    X, y = rule.sample(100_000, random_state=5)
    counted = (rule.predict(X) != y).mean()
    assert abs(counted - exact.total) < exact.error + 3.3 * np.sqrt(exact.total / len(y))
    assert exact.pairwise[0] <= exact.total <= exact.pairwise[1]


def test_thresholds_by_an_error_that_is_fixed():
    rule = given([[0.0], [2.0]], [[1.0]], [0.3, 0.7], ["well", "ill"])
    found = rule.neyman_pearson("ill", 0.025)
    # The classes are sorted: ill comes first, so its threshold is the lower tail.
    assert found.errors[0] == pytest.approx(0.025, rel=1e-13)
    assert found.errors[1] == pytest.approx(stats.norm.sf(2 + stats.norm.ppf(0.025)), rel=1e-12)
    cut = 2 + stats.norm.ppf(0.025)
    assert found.rule.predict([[cut - 1e-9], [cut + 1e-9]]).tolist() == ["well", "ill"]
    np.testing.assert_allclose(
        np.sort(found.rule.error().confusion[[0, 1], [1, 0]]),
        np.sort(found.errors),
        rtol=1e-11,
    )
    worst = rule.minimax()
    assert worst.cost == pytest.approx(stats.norm.sf(1), rel=1e-13)
    np.testing.assert_allclose(worst.priors, [0.5, 0.5], rtol=1e-12)
    with pytest.raises(ValueError, match="between 0 and 1"):
        rule.neyman_pearson("ill", 0.0)


def test_outliers_are_rejected_by_their_density():
    rule = given([[0.0, 0.0], [4.0, 0.0]], np.eye(2), classes=["a", "b"])
    wary = rule.with_loss(None, outliers=0.05)
    far = [[-100.0, 0.0], [0.1, 0.1], [4.0, 9.0]]
    assert rule.predict(far).tolist() == ["a", "a", "b"]
    assert wary.predict(far).tolist() == ["reject", "a", "reject"]
    assert wary.boundary("a", "reject").kind == "not a quadric"
    drawn, said = wary.error(), wary.predict(rule.sample(100_000, random_state=9)[0])
    assert drawn.method == "simulation" and abs(drawn.reject_rate - 0.05) < 0.005
    assert abs((said == "reject").mean() - 0.05) < 0.005
    X, y = gb.datasets.load_iris(return_X_y=True)
    fitted = gb.GaussianClassifier("VVV", outliers=0.1).fit(X, y)
    assert 5 < (fitted.predict(X) == -1).sum() < 30
    with pytest.raises(ValueError, match="share 2"):
        rule.with_loss(None, outliers=2.0)
    with pytest.raises(ValueError, match="outliers"):
        wary.curves(((-3, 3), (-3, 3)))


def test_one_gaussian_is_scipys():
    mean, covariance = (
        [1.0, -2.0, 0.5],
        [[2, 0.3, 0.1], [0.3, 1, -0.2], [0.1, -0.2, 0.7]],
    )
    ours, theirs = (
        gb.Gaussian(mean, covariance),
        stats.multivariate_normal(mean, covariance),
    )
    rows = ours.sample(50_000, random_state=3)
    np.testing.assert_allclose(ours.log_pdf(rows[:9]), theirs.logpdf(rows[:9]), rtol=1e-12)
    distances = ours.mahalanobis_sq(rows)
    assert stats.kstest(distances, stats.chi2(3).cdf).pvalue > 1e-4
    np.testing.assert_array_equal(ours.sample(10, random_state=3), rows[:10])
    np.testing.assert_allclose(np.cov(rows.T), covariance, atol=0.05)
    assert gb.Gaussian(0.0, 4.0).log_pdf([[2.0]])[0] == pytest.approx(
        stats.norm.logpdf(2.0, scale=2.0), rel=1e-14
    )


@pytest.mark.parametrize(
    ("covariance", "said"),
    [
        ([[1.0, 0.5], [0.4, 1.0]], "not symmetric: entry"),
        ([[1.0, 2.0], [2.0, 1.0]], "smallest eigenvalue -1"),
        ([[1.0]], "do not fit together"),
    ],
)
def test_what_is_no_covariance_says_so(covariance, said):
    with pytest.raises(ValueError, match=said):
        gb.Gaussian([0.0, 0.0], covariance)


def test_a_method_that_does_not_apply_says_so():
    rule = given(np.eye(3), [np.eye(3), 2 * np.eye(3), 3 * np.eye(3)])
    with pytest.raises(ValueError, match="method form does not apply"):
        rule.error(method="form")
    with pytest.raises(ValueError, match="none of"):
        rule.error(method="guess")


def of_nine_and_ten(turned):
    """Return rows of two classes: the core sorts 9 before 10, numpy sorts text the other way."""
    rng = np.random.default_rng(0)
    X = np.r_[rng.normal(size=(50, 1)), 1.5 * rng.normal(size=(50, 1)) + 2]
    rule = gb.GaussianClassifier().fit(X, np.repeat(["9", "10"] if turned else ["1", "2"], 50))
    assert (rule._places is not None) == turned
    return rule


def test_thresholds_are_in_the_order_of_classes():
    plain, turned = of_nine_and_ten(False), of_nine_and_ten(True)
    assert turned.classes_.tolist() == ["10", "9"]
    one, other = plain.neyman_pearson("1", 0.02), turned.neyman_pearson("9", 0.02)
    assert other.log_threshold == -one.log_threshold != 0
    assert other.errors[1] == pytest.approx(0.02, rel=1e-13)
    np.testing.assert_array_equal(other.errors, one.errors[::-1])
    for rule, found in ((plain, one), (turned, other)):
        odds = np.log(found.rule.priors_[1] / found.rule.priors_[0])
        assert odds == pytest.approx(found.log_threshold, rel=1e-13)
        np.testing.assert_allclose(found.rule.error().per_class, found.errors, rtol=1e-11)
        costly = rule.with_loss([[0, 2], [1, 0]] if rule is plain else [[0, 1], [2, 0]])
        worst = costly.minimax()
        np.testing.assert_array_equal(worst.rule.priors, worst.priors)
        np.testing.assert_array_equal(worst.rule.priors_, worst.priors)
        assert worst.rule.loss is costly.loss
        np.testing.assert_allclose(worst.rule.error().per_class, worst.cost, rtol=1e-11)
    np.testing.assert_array_equal(
        plain.with_loss([[0, 2], [1, 0]]).minimax().priors, worst.priors[::-1]
    )


def test_the_rule_of_a_threshold_is_a_classifier_like_any():
    rule = of_nine_and_ten(True)
    expected = rule.neyman_pearson("9", 0.02)
    for other in (
        rule.with_priors([0.0, 1.0]),
        rule.with_priors([1.0, 0.0]),
        rule.with_loss([[0, 9], [1, 0]], reject=0.1, outliers=0.1),
    ):
        found = other.neyman_pearson("9", 0.02)
        assert found.log_threshold == expected.log_threshold
        assert found.rule.loss is found.rule.reject is found.rule.outliers is None
        np.testing.assert_array_equal(found.rule.priors, found.rule.priors_)
        np.testing.assert_allclose(found.rule.error().per_class, found.errors, rtol=1e-11)
    with pytest.raises(ValueError, match="'reject' is no class"):
        other.neyman_pearson("reject", 0.02)


def test_thresholds_that_no_priors_express_have_no_rule():
    found = given([0, 1000], 1.0).neyman_pearson(0, 1e-300)
    assert found.rule is None and found.log_threshold > 1e5
    # Whoever is of the first class costs most whatever is said of him.
    worst = given([0, 1], [1, 2]).with_loss([[1, 2], [0.5, 0]]).minimax()
    assert worst.priors.tolist() == [1.0, 0.0] and worst.cost == 1.0
    assert worst.rule.predict([[-9.0], [0.0], [9.0]]).tolist() == [0, 0, 0]


def test_only_the_classifier_with_priors_to_give_has_thresholds():
    for drop_in in (
        gb.LinearDiscriminantAnalysis,
        gb.QuadraticDiscriminantAnalysis,
        gb.GaussianNB,
    ):
        assert not hasattr(drop_in, "neyman_pearson") and not hasattr(drop_in, "minimax")


def test_outliers_follow_the_priors():
    parameters = [[0.0, 0.0], [4.0, 0.0]], [np.eye(2), 9 * np.eye(2)]
    wary = given(*parameters).with_loss(None, outliers=0.05)
    moved = wary.with_priors([0.95, 0.05])
    fresh = given(*parameters, [0.95, 0.05]).with_loss(None, outliers=0.05)
    X, _ = given(*parameters).sample(5_000, random_state=2)
    np.testing.assert_array_equal(moved.predict(X), fresh.predict(X))
    assert (moved.predict(X) != wary.predict(X)).any()
    assert abs(moved.error().reject_rate - 0.05) < 0.005


def test_the_truth_is_a_classifier_of_the_same_features():
    pandas = pytest.importorskip("pandas")
    rule = given([0, 1], 1.0)
    for wrong in (3, "truth", gb.Gaussian(0.0, 1.0), gb.GaussianClassifier):
        with pytest.raises(TypeError, match="must be a fitted classifier of gaussbayes"):
            rule.error(under=wrong)
    with pytest.raises(ValueError, match="not fitted yet"):
        rule.error(under=gb.GaussianClassifier())
    X, y = given([[0, 0], [2, 1]], np.eye(2)).sample(60, random_state=0)
    frame = pandas.DataFrame(X, columns=["u", "v"])
    one, other = (
        gb.GaussianClassifier().fit(frame[names], y) for names in (["u", "v"], ["v", "u"])
    )
    with pytest.raises(ValueError, match=r"features \['v', 'u'\], the rule \['u', 'v'\]"):
        one.error(under=other)
    assert one.error(under=one).total == one.error().total
    assert one.error(under=gb.GaussianNB().fit(X, y)).total > 0


@pytest.mark.parametrize("source", [given([0, 1], 1.0), gb.Gaussian(0.0, 1.0)])
def test_numbers_of_rows_and_seeds_are_whole(source):
    for wrong in (0, -1, 1.5, 2.0, "3", None):
        with pytest.raises(ValueError, match="n_samples is .* must be an integer of at least 1"):
            source.sample(wrong)
    for wrong in (-1, 2**64):
        with pytest.raises(ValueError, match="a seed is at least 0 and below"):
            source.sample(1, random_state=wrong)
    assert len(source.sample(np.int32(2), random_state=2**64 - 1)) == 2


def test_a_gaussian_takes_rows_of_any_kind():
    pandas = pytest.importorskip("pandas")
    gaussian = gb.Gaussian([1, 2], [[2, 1], [1, 3]])
    rows = np.array([[0.0, 1.0], [1.0, 1.0], [1.0, 0.0]])
    expected = gaussian.log_pdf(rows)
    kinds = [
        int,
        np.uint8,
        bool,
        np.float16,
        np.float32,
        ">f8",
        ">f4",
        ">i2",
        np.longdouble,
        object,
    ]
    others = [rows.astype(kind) for kind in kinds]
    others += [
        np.asfortranarray(rows),
        rows.tolist(),
        pandas.DataFrame(rows),
        np.repeat(rows, 2, 0)[::2],
    ]
    others.append(pandas.DataFrame({"u": rows[:, 0].astype(int), "v": rows[:, 1]}))
    for other in others:
        np.testing.assert_array_equal(gaussian.log_pdf(other), expected)
        assert (gaussian.mahalanobis_sq(other) >= 0).all()
    for array in (gaussian.mean, gaussian.covariance):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5.0


def test_classes_without_rows_have_their_place():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(40, 2)) + np.repeat([[0], [2]], 20, 0), np.repeat([0, 2], 20)
    rule = gb.GaussianClassifier(reject=0.1).partial_fit(X, y, classes=[0, 1, 2])
    known = gb.GaussianClassifier(reject=0.1).fit(X, y).error()
    found = rule.error()
    assert found.actions == (0, 1, 2, -1) and found.confusion.shape == (3, 4)
    for ours, theirs in (
        (found.confusion, known.confusion),
        (found.confusion_error, known.confusion_error),
    ):
        assert np.isnan(ours[1]).all() and not ours[[0, 2], 1].any()
        np.testing.assert_array_equal(ours[np.ix_([0, 2], [0, 2, 3])], theirs)
    for name in ("per_class", "per_class_error"):
        np.testing.assert_array_equal(getattr(found, name)[[0, 2]], getattr(known, name))
        assert np.isnan(getattr(found, name)[1])
    level = rule.neyman_pearson(2, 0.1)
    assert np.isnan(level.errors[1]) and level.errors[2] == pytest.approx(0.1, rel=1e-12)
    assert level.rule.priors_[1] == 0.0 == rule.with_loss(None).minimax().priors[1]
