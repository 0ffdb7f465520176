"""Estimates priors that have shifted, and tests whether they have."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import gaussbayes as gb

TRAINED = gb.GaussianClassifier.from_parameters([[0.0], [2.0]], [[1.0]])
MOVED = TRAINED.with_priors([0.9, 0.1])


def published(posterior, before, steps=5000):
    """EM of the priors as Saerens, Latinne and Decaestecker have it."""
    priors = before
    for _ in range(steps):
        joint = posterior * (priors / before)
        priors = (joint / joint.sum(axis=1, keepdims=True)).mean(axis=0)
    return priors


def test_a_shift_is_recovered_and_the_correction_errs_less():
    rows, classes = MOVED.sample(4000, random_state=2)
    found = TRAINED.estimate_shift(rows)
    assert found.moved and found.converged and found.n_iter <= 7
    assert np.all(np.abs(found.priors - [0.9, 0.1]) < 2 * found.standard_errors)
    ended = published(TRAINED.predict_proba(rows), np.array([0.5, 0.5]))
    np.testing.assert_allclose(found.priors, ended, atol=1e-9)
    corrected = TRAINED.with_priors(found.priors)
    assert corrected.score(rows, classes) > TRAINED.score(rows, classes) + 0.05
    assert found.p_value == pytest.approx(stats.chi2.sf(found.statistic, 1), rel=1e-10)
    gain = corrected.score_samples(rows).sum() - TRAINED.score_samples(rows).sum()
    assert found.statistic == pytest.approx(2 * gain, rel=1e-9)
    assert found.log_likelihood[0] == pytest.approx(TRAINED.score_samples(rows).sum(), rel=1e-12)
    assert np.diff(found.log_likelihood)[0] == pytest.approx(gain, rel=1e-9)


def test_what_has_not_moved_is_not_corrected():
    rows, _ = TRAINED.sample(4000, random_state=2)
    found = TRAINED.estimate_shift(rows)
    assert not found.moved and found.p_value > 0.05 and found.rare == ()
    assert TRAINED.estimate_shift(rows, level=0.999999).moved


@pytest.mark.parametrize(
    "estimator",
    [
        gb.GaussianClassifier(),
        gb.LinearDiscriminantAnalysis(),
        gb.QuadraticDiscriminantAnalysis(),
        gb.GaussianNB(),
    ],
)
def test_every_classifier_is_asked_alike(estimator):
    rows, classes = gb.datasets.load_iris(return_X_y=True)
    fitted = estimator.fit(rows, classes)
    left = np.r_[0:50, 50:60, 100:110]
    found = fitted.estimate_shift(rows[left])
    assert found.moved and found.degrees_of_freedom == 2
    np.testing.assert_allclose(found.before, 1 / 3)
    np.testing.assert_allclose(found.priors, np.array([50, 10, 10]) / 70, atol=0.05)
    weights = np.zeros(150)
    weights[left] = 1.0
    weighted = fitted.estimate_shift(rows, sample_weight=weights)
    np.testing.assert_allclose(weighted.priors, found.priors, atol=1e-9)
    frame = pd.DataFrame(rows, columns=list("abcd")).assign(w=weights)
    named = type(estimator)().fit(frame.drop(columns="w"), classes)
    by_name = named.estimate_shift(frame, sample_weight="w")
    np.testing.assert_allclose(by_name.priors, found.priors, atol=1e-9)


def test_classes_of_several_gaussians_are_asked_by_class():
    rows, classes = gb.datasets.make_banana(4000, random_state=1)
    fitted = gb.MixtureClassifier(n_components=3, random_state=1).fit(rows, classes)
    left = np.r_[
        np.flatnonzero(classes == fitted.classes_[0]),
        np.flatnonzero(classes == fitted.classes_[1])[:200],
    ]
    found = fitted.estimate_shift(rows[left])
    share = np.mean(classes[left] == fitted.classes_[1])
    assert found.moved and abs(found.priors[1] - share) < 3 * found.standard_errors[1]
    corrected = fitted.with_priors(found.priors)
    assert corrected.score(rows[left], classes[left]) >= fitted.score(rows[left], classes[left])


def test_classes_keep_their_places():
    # As text the core sorts 10 before 9.
    rows, classes = MOVED.sample(3000, random_state=4)
    words = np.array(["9", "10"])[classes]
    numbers = np.array([9, 10])[classes]
    by_words = gb.GaussianClassifier(priors="uniform").fit(rows, words)
    by_numbers = gb.GaussianClassifier(priors="uniform").fit(rows, numbers)
    found = by_words.estimate_shift(rows), by_numbers.estimate_shift(rows)
    for fitted, shift in zip((by_words, by_numbers), found, strict=True):
        first = fitted.classes_.tolist().index(type(fitted.classes_.tolist()[0])(9))
        assert shift.priors[first] == pytest.approx(0.9, abs=0.03)


def test_bounds_have_no_standard_errors():
    found = TRAINED.estimate_shift([[-1.0], [-2.0]])
    assert found.priors.tolist() == [1.0, 0.0] and found.rare == (0, 1)
    assert np.isnan(found.standard_errors).all()
    absent = TRAINED.with_priors([1.0, 0.0]).estimate_shift([[-1.0], [5.0]])
    assert absent.priors.tolist() == [1.0, 0.0] and not absent.moved


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="level is 2"):
        TRAINED.estimate_shift([[1.0]], level=2)
    with pytest.raises(ValueError, match="features"):
        TRAINED.estimate_shift([[1.0, 2.0]])
    with pytest.raises(ValueError, match="no row with a positive weight"):
        TRAINED.estimate_shift([[1.0]], sample_weight=[0.0])
    with pytest.raises(Exception, match="not fitted"):
        gb.GaussianNB().estimate_shift([[1.0]])
