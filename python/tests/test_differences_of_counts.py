"""Shows where classifiers that count are not those of scikit-learn 1.9.1, and where they stay."""

import numpy as np
import pytest
from samples import counts
from sklearn import naive_bayes
from tolerances import Silent

import gaussbayes as gb

NAMES = ["BernoulliNB", "MultinomialNB", "ComplementNB", "CategoricalNB"]
GENERATIVE = ["BernoulliNB", "MultinomialNB", "CategoricalNB"]


def pair(name: str, **parameters: object) -> list[object]:
    return [getattr(where, name)(**parameters) for where in (gb, naive_bayes)]


def test_alpha_of_flags_by_column():
    X, y = np.array([[1, 0], [1, 1], [0, 1], [0, 0], [1, 0]]), np.array([0, 0, 1, 1, 1])
    alpha = np.array([1.0, 4.0])
    ours, theirs = (each.fit(X, y) for each in pair("BernoulliNB", alpha=alpha))
    yes = np.array([X[y == k].sum(axis=0) for k in (0, 1)])
    rows = np.array([[2.0], [3.0]])
    np.testing.assert_allclose(
        np.exp(ours.feature_log_prob_), (yes + alpha) / (rows + 2.0 * alpha), rtol=1e-14
    )
    # Theirs adds twice the alpha of column k to the rows of class k ...
    np.testing.assert_allclose(
        np.exp(theirs.feature_log_prob_), (yes + alpha) / (rows + 2.0 * alpha[:, None]), rtol=1e-14
    )
    assert np.exp(theirs.feature_log_prob_).max() > 1.0
    # ... which there need not be.
    ours, theirs = pair("BernoulliNB", alpha=[1.0, 4.0, 1.0])
    wide = np.column_stack([X, X[:, 0]])
    with pytest.raises(ValueError, match="broadcast"):
        theirs.fit(wide, y)
    np.testing.assert_allclose(ours.fit(wide, y).predict_proba(wide).sum(axis=1), 1.0)


@pytest.mark.parametrize("name", GENERATIVE)
def test_nothing_added_to_counts(name):
    X = np.array([[2, 0, 1], [1, 0, 1], [0, 1, 1], [0, 2, 1]])
    y = np.array([0, 0, 1, 1])
    query = np.array([[1, 0, 1]])
    ours, theirs = pair(name, alpha=0.0)
    posterior = ours.fit(X, y).predict_proba(query)
    np.testing.assert_array_equal(posterior, [[1.0, 0.0]])
    assert ours.predict_log_proba(query)[0, 1] == -np.inf
    with Silent():
        found = theirs.fit(X, y).predict_proba(query)
    if name == "CategoricalNB":
        np.testing.assert_array_equal(found, posterior)
    else:
        assert np.isnan(found).any()


@pytest.mark.parametrize("name", GENERATIVE)
def test_a_row_that_no_class_can_have_is_refused(name):
    X, y = np.array([[2, 0], [1, 0], [0, 1], [0, 2]]), np.array([0, 0, 1, 1])
    ours, theirs = pair(name, alpha=0.0)
    with pytest.raises(ValueError, match=r"X\[1\] has probability zero in every class"):
        ours.fit(X, y).predict([[1, 0], [1, 1]])
    with Silent():
        assert np.isnan(theirs.fit(X, y).predict_proba([[1, 0], [1, 1]])[1]).all()


def test_complement_weights_without_end_are_refused():
    # Nothing speaks against a class whose word no other class has, and infinitely so.
    X, y = np.array([[2, 0], [0, 3], [0, 1]]), [0, 1, 1]
    ours, theirs = pair("ComplementNB", alpha=0.0)
    with Silent():
        assert np.isinf(theirs.fit(X, y).feature_log_prob_).any()
    with pytest.raises(ValueError, match="nothing stands against class '0'"):
        ours.fit(X, y)


def test_complement_weights_of_one_column():
    X, y = np.array([[2], [1], [3]]), [0, 1, 1]
    ours, theirs = pair("ComplementNB", norm=True)
    np.testing.assert_array_equal(ours.fit(X, y).predict_proba(X), 0.5)
    with Silent():
        assert np.isnan(theirs.fit(X, y).predict_proba(X)).all()


def test_flags_that_nearly_all_rows_have():
    # ln P(no) is ln(alpha / (n + 2 alpha)); theirs takes 1 - exp(ln P(yes)).
    X, y = np.ones((4, 1)), [0, 0, 1, 1]
    alpha = 1e-13
    ours, theirs = (each.fit(X, y) for each in pair("BernoulliNB", alpha=alpha))
    exact = np.log(0.5) + np.log(alpha / (2.0 + 2.0 * alpha))
    np.testing.assert_allclose(ours.predict_joint_log_proba([[0.0]]), [[exact] * 2], rtol=1e-15)
    assert np.abs(theirs.predict_joint_log_proba([[0.0]]) - exact).max() > 1e-4
    ours, theirs = (each.fit(X, y) for each in pair("BernoulliNB", alpha=1e-17))
    assert np.isfinite(ours.predict_joint_log_proba([[0.0]])).all()
    with Silent():
        assert np.isnan(theirs.predict_joint_log_proba([[0.0]])).all()


def test_categories_of_all_batches_are_counted():
    ours, theirs = pair("CategoricalNB")
    for each in (ours, theirs):
        each.partial_fit([[0], [4]], [0, 1], classes=[0, 1]).partial_fit([[1], [2]], [0, 1])
    assert ours.n_categories_.tolist() == [5] == [ours.category_count_[0].shape[1]]
    assert theirs.n_categories_.tolist() == [3] != [theirs.category_count_[0].shape[1]]
    np.testing.assert_allclose(ours.feature_log_prob_[0], theirs.feature_log_prob_[0])


def test_categories_of_rows_without_weight_are_none():
    X, y, weights = [[0], [1], [1], [9]], [0, 0, 1, 1], [1.0, 1.0, 1.0, 0.0]
    ours, theirs = (each.fit(X, y, sample_weight=weights) for each in pair("CategoricalNB"))
    assert (ours.n_categories_[0], theirs.n_categories_[0]) == (2, 10)
    np.testing.assert_array_equal(
        ours.feature_log_prob_[0], gb.CategoricalNB().fit(X[:3], y[:3]).feature_log_prob_[0]
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_counted_class_without_weight_is_no_class(name):
    sample = counts(3, 3, seed=1)
    weights = (sample.y != 1).astype(float)
    ours, theirs = (each.fit(sample.X, sample.y, sample_weight=weights) for each in pair(name))
    assert ours.classes_.tolist() == [0, 2]
    assert theirs.classes_.tolist() == [0, 1, 2]


@pytest.mark.parametrize("name", GENERATIVE)
def test_class_priors_of_counts_are_checked(name):
    sample = counts(2, 3, seed=2)
    plain = getattr(gb, name)(class_prior=[0.25, 0.75]).fit(sample.X, sample.y)
    ours, theirs = pair(name, class_prior=[1.0, 3.0])
    with pytest.warns(UserWarning, match="The priors do not sum to 1"):
        ours.fit(sample.X, sample.y)
    joint = [
        each.predict_joint_log_proba(sample.queries)
        for each in (ours, plain, theirs.fit(sample.X, sample.y))
    ]
    np.testing.assert_array_equal(joint[0], joint[1])
    np.testing.assert_allclose(joint[2] - joint[0], np.log(4.0), rtol=1e-9)
    ours, theirs = pair(name, class_prior=[1.5, -0.5])
    with pytest.raises(ValueError, match="priors must be non-negative"):
        ours.fit(sample.X, sample.y)
    with Silent():
        assert np.isnan(theirs.fit(sample.X, sample.y).class_log_prior_).any()


def test_codes_that_were_never_met_say_nothing():
    X, y = [[0, 0], [1, 1], [0, 1], [1, 1]], [0, 0, 1, 1]
    ours, theirs = (each.fit(X, y) for each in pair("CategoricalNB"))
    with pytest.raises(IndexError):
        theirs.predict([[7, 1]])
    alone = gb.CategoricalNB().fit(np.array(X)[:, 1:], y)
    np.testing.assert_allclose(ours.predict_proba([[7, 1]]), alone.predict_proba([[1]]), rtol=1e-14)


def test_codes_with_fractions_are_refused():
    X, y = [[0.0], [1.7], [1.2], [0.9]], [0, 0, 1, 1]
    ours, theirs = pair("CategoricalNB")
    assert theirs.fit(X, y).category_count_[0].tolist() == [[1.0, 1.0], [1.0, 1.0]]
    with pytest.raises(ValueError, match=r"X\[1, 0\] is 1.7, which is no whole number from 0"):
        ours.fit(X, y)


@pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB"])
def test_queries_below_zero_are_refused(name):
    sample = counts(2, 3, seed=3)
    ours, theirs = (each.fit(sample.X, sample.y) for each in pair(name))
    assert theirs.predict([[1.0, -2.0, 0.0]]).shape == (1,)
    with pytest.raises(ValueError, match=r"Negative values in data passed to X: X\[0, 1\] is -2"):
        ours.predict([[1.0, -2.0, 0.0]])


def test_flags_that_are_none_are_refused():
    X, y = np.array([[0.0, 1.0], [1.0, 0.25], [0.0, 1.0]]), [0, 1, 1]
    ours, theirs = pair("BernoulliNB", binarize=None)
    assert theirs.fit(X, y).feature_count_[1, 1] == 1.25
    with pytest.raises(ValueError, match=r"X\[1, 1\] is 0.25, where only 0 and 1 are read"):
        ours.fit(X, y)
    whole = np.ceil(X)
    ours.fit(whole, y)
    np.testing.assert_allclose(ours.predict_proba(whole), theirs.fit(whole, y).predict_proba(whole))
    with pytest.raises(ValueError, match="only 0 and 1"):
        ours.predict(X)


def test_a_threshold_stays_between_batches():
    X, y = np.array([[0.0], [2.0], [1.0]]), [0, 1, 1]
    ours, theirs = pair("BernoulliNB")
    for each in (ours, theirs):
        each.partial_fit(X, y, classes=[0, 1]).set_params(binarize=1.5)
    assert theirs.partial_fit(X, y).feature_count_.tolist() == [[0.0], [3.0]]
    before = ours.predict_proba(X)
    with pytest.raises(ValueError, match="the same columns of the same kinds"):
        ours.set_params(binarize=1.5).partial_fit(X, y)
    np.testing.assert_array_equal(ours.predict_proba(X), before)


@pytest.mark.parametrize("name", NAMES)
def test_negative_weights_of_counts_are_refused(name):
    sample = counts(2, 3, seed=4)
    weights = np.ones(len(sample.y))
    weights[5] = -0.25
    ours, theirs = pair(name)
    theirs.fit(sample.X, sample.y, sample_weight=weights)
    with pytest.raises(ValueError, match="Negative values in data passed to `sample_weight`"):
        ours.fit(sample.X, sample.y, sample_weight=weights)


def test_scores_of_complements_know_no_priors():
    sample = counts(3, 4, seed=5)
    for plain, given in zip(
        pair("ComplementNB"), pair("ComplementNB", class_prior=[0.8, 0.1, 0.1]), strict=True
    ):
        plain.fit(sample.X, sample.y)
        given.fit(sample.X, sample.y)
        joint = [each.predict_joint_log_proba(sample.queries) for each in (plain, given)]
        np.testing.assert_array_equal(*joint)
        # They are sums of weights, not logarithms of probabilities.
        assert joint[0].max() > 0.0


@pytest.mark.parametrize("name", GENERATIVE)
def test_a_declared_class_without_rows_has_its_share_of_equal_priors(name):
    X, y = [[1, 0], [0, 1]], [0, 1]
    for each in pair(name, fit_prior=False):
        each.partial_fit(X, y, classes=[0, 1, 2])
        posterior = each.predict_proba([[0, 0]])
        assert posterior[0, 2] > 0.2
        np.testing.assert_allclose(np.exp(each.class_log_prior_), 1.0 / 3.0)


def test_codes_that_no_row_has_count_as_categories():
    for each in pair("CategoricalNB"):
        each.fit([[0], [5], [5]], [0, 1, 1])
        assert each.n_categories_.tolist() == [6]
        np.testing.assert_allclose(np.exp(each.feature_log_prob_[0][0]), [2 / 7, *[1 / 7] * 5])


def test_counts_may_have_fractions():
    for each in pair("MultinomialNB"):
        each.fit([[0.5, 0.0], [0.25, 1.5]], [0, 1])
        assert each.feature_count_.tolist() == [[0.5, 0.0], [0.25, 1.5]]


@pytest.mark.parametrize("name", NAMES)
def test_counts_are_answered_in_double_precision(name):
    sample = counts(2, 3, seed=6, dtype=np.float32)
    for each in pair(name):
        assert each.fit(sample.X, sample.y).predict_proba(sample.queries).dtype == np.float64
