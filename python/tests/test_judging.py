"""Judges classifiers by folds and row by row, and the built-in data sets with them."""

import numpy as np
import pytest
from samples import gaussians
from sklearn.model_selection import LeaveOneOut, cross_val_predict

import gaussbayes as gb
from gaussbayes import cross_validate, datasets


@pytest.mark.parametrize(
    "estimator",
    [
        gb.GaussianClassifier("VVV"),
        gb.GaussianClassifier("EEE", priors=[0.2, 0.3, 0.5]),
        gb.GaussianClassifier("VVI", shrinkage=0.2),
        gb.LinearDiscriminantAnalysis(),
        gb.QuadraticDiscriminantAnalysis(reg_param=0.1),
        gb.GaussianNB(),
    ],
    ids=repr,
)
def test_leaving_rows_out_is_what_refits_give(estimator):
    sample = gaussians(3, 3, rows=60, seed=3)
    names = np.array(["b", "c", "a"])[sample.y]
    judged = cross_validate(estimator, sample.X, names, folds="loo")
    predicted = cross_val_predict(estimator, sample.X, names, cv=LeaveOneOut())
    classes = np.unique(names)
    assert judged.classes.tolist() == classes.tolist()
    expected = [[(predicted[names == a] == b).sum() for b in classes] for a in classes]
    np.testing.assert_array_equal(judged.confusion, expected)
    assert judged.n == len(names) and judged.errors == (predicted != names).sum()
    assert judged.interval[0] <= judged.error_rate <= judged.interval[1]


def test_many_are_judged_at_once_as_each_alone():
    X, y = datasets.load_wine(return_X_y=True)
    families = [gb.GaussianClassifier(name) for name in ("VVV", "EEE", "VVI", "EII")]
    together = cross_validate(families, X, y, folds=5, seed=3)
    for family, judged in zip(families, together, strict=True):
        alone = cross_validate(family, X, y, folds=5, seed=3)
        assert judged.errors == alone.errors
        # Sums that serve several families may round differently in the last place.
        assert judged.log_loss == pytest.approx(alone.log_loss, rel=1e-12)


def test_one_that_fails_does_not_take_the_others_along():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 12)), np.arange(30) % 3
    both = cross_validate([gb.GaussianClassifier("VVV"), gb.GaussianClassifier("EEE")], X, y)
    assert isinstance(both[0], np.linalg.LinAlgError) and both[1].n == 30
    with pytest.raises(np.linalg.LinAlgError, match="fold"):
        cross_validate(gb.GaussianClassifier("VVV"), X, y)


def test_costs_and_reject_are_judged():
    X, y = datasets.load_iris(return_X_y=True)
    costs = [[0, 1, 1], [1, 0, 5], [1, 1, 0]]
    plain = cross_validate(gb.GaussianClassifier("EEE"), X, y, folds="loo")
    dear = cross_validate(gb.GaussianClassifier("EEE", loss=costs, reject=0.2), X, y, folds="loo")
    assert plain.mean_cost == plain.error_rate and plain.rejected == 0
    assert dear.rejected > 0 and dear.confusion.shape == (3, 4)
    assert dear.confusion[:, 3].sum() == dear.rejected


def test_numbers_as_text_are_judged_in_their_order():
    sample = gaussians(3, 3, seed=2)
    texts = np.array(["9", "10", "-1"])[sample.y]
    by_text = cross_validate(gb.GaussianClassifier(), sample.X, texts, folds="loo")
    by_code = cross_validate(gb.GaussianClassifier(), sample.X, sample.y, folds="loo")
    assert by_text.classes.tolist() == ["-1", "10", "9"]
    order = [2, 1, 0]
    np.testing.assert_array_equal(by_text.confusion, by_code.confusion[np.ix_(order, order)])


def test_what_cannot_be_judged_from_sums_is_refused():
    X, y = datasets.load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="cross_val_score"):
        cross_validate(gb.NearestCentroid(), X, y)
    with pytest.raises(TypeError, match="no estimator of gaussbayes"):
        cross_validate([object()], X, y)
    with pytest.raises(ValueError, match="'loo'"):
        cross_validate(gb.GaussianNB(), X, y, folds="five")
    with pytest.raises(ValueError, match="folds"):
        cross_validate(gb.GaussianNB(), X, y, folds=1)


def test_built_in_sets():
    iris = datasets.load_iris()
    assert iris.data.shape == (150, 4) and np.bincount(iris.target).tolist() == [50, 50, 50]
    assert iris.target_names.tolist() == ["setosa", "versicolor", "virginica"]
    frame = datasets.load_wine(as_frame=True)
    assert frame.frame.shape == (178, 14) and list(frame.data.columns) == frame.feature_names
    assert datasets.load_faithful().target is None
    X, y = datasets.make_banana(200, random_state=3)
    again, _ = datasets.make_banana(200, random_state=3)
    assert X.tobytes() == again.tobytes() and np.bincount(y).tolist() == [100, 100]
    error = cross_validate(gb.GaussianClassifier(), *datasets.make_banana(20_000)).error_rate
    assert 0.14 < error < 0.16
