"""Asks what boundaries are: coefficients, kinds, curves, and what there is no boundary of."""

import numpy as np
import pytest

import gaussbayes as gb

given = gb.GaussianClassifier.from_parameters
X, Y = gb.datasets.load_iris(return_X_y=True)


def test_the_parabola_of_duda_hart_and_stork():
    rule = given([[3, 6], [3, -2]], [[[0.5, 0], [0, 2]], [[2, 0], [0, 2]]])
    found = rule.boundary(0, 1)
    assert found.kind == "parabola"
    scale = -found.linear[1]
    assert found.linear[0] / scale == pytest.approx(-1.125, rel=1e-14)
    assert found.quadratic[0, 0] / scale == pytest.approx(0.1875, rel=1e-14)
    assert found.constant / scale == pytest.approx(3.5142132048600137, rel=1e-14)
    x = np.array([1.7, 3.5142132048600137 - 1.125 * 1.7 + 0.1875 * 1.7**2, 1.0])
    assert abs(x @ found.homogeneous @ x) < 1e-13


def test_the_boundary_is_turned_with_its_classes():
    rule = given([[0, 0], [2, 1]], [np.eye(2), [[2, 0.3], [0.3, 0.5]]], [0.3, 0.7], ["a", "b"])
    one, other = rule.boundary("a", "b"), rule.boundary("b", "a")
    assert one.classes == ("a", "b") and one.kind == other.kind == "hyperbola"
    np.testing.assert_allclose(one.quadratic, -other.quadratic, rtol=0)
    scores = rule.decision_function([[1.0, -2.0]])[0]
    x = np.array([1.0, -2.0, 1.0])
    assert x @ one.homogeneous @ x == pytest.approx(-scores, rel=1e-13)


@pytest.mark.parametrize(
    "estimator", [gb.LinearDiscriminantAnalysis(), gb.GaussianClassifier("EEE")]
)
def test_shared_covariances_leave_a_hyperplane(estimator):
    found = estimator.fit(X, Y).boundary(1, 2)
    assert found.kind == "hyperplane" and not found.quadratic.any()
    side = (X - found.point) @ found.normal
    scores = estimator.predict_log_proba(X)
    np.testing.assert_allclose(side, scores[:, 1] - scores[:, 2], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("estimator", [gb.QuadraticDiscriminantAnalysis(), gb.GaussianNB()])
def test_drop_ins_have_boundaries_too(estimator):
    found = estimator.fit(X, Y).boundary(0, 2)
    row = np.append(X[70], 1.0)
    scores = estimator.predict_log_proba(X[70:71])[0]
    assert row @ found.homogeneous @ row == pytest.approx(scores[0] - scores[2], rel=1e-9)


def test_costs_and_reject_move_the_boundary():
    rule = given([[0.0], [1.0]], [[0.5]], [0.5, 0.5])
    assert rule.boundary().thresholds == pytest.approx([0.5], rel=1e-15)
    dear = rule.with_loss([[0, 0.5], [1, 0]])
    assert dear.boundary(0, 1).thresholds == pytest.approx([(1 - np.log(2)) / 2], rel=1e-14)
    unsure = rule.with_loss(None, reject=0.2)
    sides = [unsure.boundary(k, "reject").thresholds[0] for k in (0, 1)]
    assert unsure.predict([[sides[0] - 1e-9], [sides[0] + 1e-9]]).tolist() == [0, -1]
    assert unsure.predict([[sides[1] - 1e-9], [sides[1] + 1e-9]]).tolist() == [-1, 1]


def test_curves_separate_what_is_predicted():
    means, covariances = (
        [[0, 0], [3, 0], [1, 3]],
        [np.eye(2), np.diag([2, 0.5]), np.eye(2) * 1.5],
    )
    rule = given(means, covariances, [0.2, 0.3, 0.5], ["a", "b", "c"])
    curves = rule.curves(((-4, 7), (-4, 7)))
    assert {curve.classes for curve in curves} == {("a", "b"), ("a", "c"), ("b", "c")}
    for curve in curves:
        logs = np.sort(rule.predict_log_proba(curve.points), axis=1)
        assert curve.exact and np.abs(logs[:, 2] - logs[:, 1]).max() < 1e-9
    rejecting = rule.with_loss(None, reject=0.1).curves(((-4, 7), (-4, 7)))
    assert {"reject"} < {label for curve in rejecting for label in curve.classes}
    assert not all(curve.exact for curve in rejecting)


def test_other_features_are_held_or_left_out():
    rule = gb.GaussianClassifier("VVV").fit(X, Y)
    held = rule.curves(((4, 8), (2, 5)), at=X[70])
    for curve in held:
        rows = np.tile(X[70], (len(curve.points), 1))
        rows[:, :2] = curve.points
        logs = np.sort(rule.predict_log_proba(rows), axis=1)
        assert np.abs(logs[:, 2] - logs[:, 1]).max() < 1e-8
    narrow = gb.GaussianClassifier("VVV").fit(X[:, [2, 3]], Y)
    for curve in rule.curves(((1, 7), (0, 3)), features=(2, 3), project=True):
        logs = np.sort(narrow.predict_log_proba(curve.points), axis=1)
        assert np.abs(logs[:, 2] - logs[:, 1]).max() < 1e-8


def test_what_has_no_boundary_says_why():
    rule = given([[0.0], [1.0]], [[1.0]], classes=["a", "b"])
    with pytest.raises(ValueError, match=r"no class 'c'\nhint: the classes are \['a', 'b'\]"):
        rule.boundary("a", "c")
    with pytest.raises(ValueError, match="between which two"):
        gb.GaussianClassifier("EEE").fit(X, Y).boundary()
    student = gb.GaussianClassifier("VVV", density="predictive").fit(X, Y)
    with pytest.raises(ValueError, match="quadratic"):
        student.boundary(0, 1)
    same = given([[1.0, 2.0], [1.0, 2.0]], [np.eye(2), np.eye(2)])
    assert same.boundary(0, 1).kind == "everywhere"
    assert same.with_priors([0.3, 0.7]).boundary(0, 1).kind == "empty"


def test_a_class_has_no_boundary_with_itself():
    rule = given([0, 1], 1.0).with_loss(None, reject=0.1)
    for pair in ((0, 0), (1, 1), (-1, "reject")):
        with pytest.raises(ValueError, match="a class has no boundary with itself"):
            rule.boundary(*pair)
    found = rule.boundary(0, 1)
    assert not any(hasattr(found, name) for name in ("equation", "latex", "_repr_latex_"))


@pytest.mark.parametrize(
    ("classes", "label", "said"),
    [
        ([0, 1], None, -1),
        ([0.5, 1.5], None, np.nan),
        (["a", "b"], None, "reject"),
        (["a", "b"], "?", "?"),
        ([0, 1], "none", "none"),
        ([False, True], 7, 7),
    ],
)
def test_reject_is_called_what_predict_calls_it(classes, label, said):
    rule = given([[0, 0], [2, 1]], np.eye(2), classes=classes).set_params(reject_label=label)
    rule = rule.with_loss(None, reject=0.2)
    middle = rule.predict([[1.0, 0.5]])[0]
    for form in (middle, said, "reject"):
        found = rule.boundary(classes[0], form)
        np.testing.assert_equal(found.classes, (classes[0], said))
        assert type(found.classes[1]) is type(said)
    actions = rule.error().actions
    np.testing.assert_equal(actions, (*classes, said))
    drawn = [label for curve in rule.curves(((-4, 7), (-4, 7))) for label in curve.classes]
    assert not any(isinstance(one, np.generic) for one in (*actions, *drawn))
    np.testing.assert_equal(drawn, [classes[0], said, classes[1], said])


def test_rejecting_needs_something_to_say():
    rule = given([0, 1], 1.0, classes=[False, True])
    with pytest.raises(ValueError, match="give a reject_label"):
        rule.with_loss(None, reject=0.1)
    with pytest.raises(ValueError, match="there is no class 'reject'"):
        rule.boundary(False, "reject")


@pytest.mark.parametrize("feature", [-1, 4, "petal", 1.0, None])
def test_curves_know_their_features(feature):
    rule = gb.GaussianClassifier("EEE").fit(X, Y)
    with pytest.raises(ValueError, match=r"no feature .*\nhint: the features are \['x0', 'x1'"):
        rule.curves(((4, 8), (2, 5)), features=(0, feature))


@pytest.mark.parametrize("window", [(0, 1), ((0, 1),), ((0, 1, 2), (3, 4, 5)), ((0, 1), 2), None])
def test_curves_need_a_window(window):
    with pytest.raises(ValueError, match=r"must be \(\(left, right\), \(low, high\)\)"):
        given([[0, 0], [2, 1]], np.eye(2)).curves(window)


def test_curves_hold_other_features_only():
    rule, window = gb.GaussianClassifier("EEE").fit(X, Y), ((4, 8), (2, 5))
    with pytest.raises(ValueError, match="project=True"):
        rule.curves(window, at=X[70], project=True)
    with pytest.raises(ValueError, match=r"at has shape \(3,\), but must be one number for each"):
        rule.curves(window, at=X[70, :3])
    with pytest.raises(ValueError, match="only two features"):
        given([[0, 0], [2, 1]], np.eye(2)).curves(window, at=[0, 0])


def test_numbers_are_means_and_variances_of_one_feature():
    two = given([0, 1], [1, 4])
    assert two.means_.tolist() == [[0.0], [1.0]] and two.n_features_in_ == 1
    assert two.covariances_.tolist() == [[[1.0]], [[4.0]]] and two.family == "VVV"
    shared = given([0, 1], 1.0)
    assert shared.family == "EEE" and shared.boundary().thresholds.tolist() == [0.5]
    assert given([[0], [1]], [1, 4]).covariances_.tolist() == two.covariances_.tolist()
    assert given([0, 1], np.eye(2)).means_.tolist() == [[0.0, 1.0]]
    for wrong in ([1, 2, 3], [1]):
        with pytest.raises(ValueError, match=r"2 means of 1 features need covariances of shape"):
            given([0, 1], wrong)
