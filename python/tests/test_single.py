"""Holds rows of single precision to the answers for the same numbers in double."""

import numpy as np
import pytest
from samples import gaussians

import gaussbayes as gb

CLASSIFIERS = [
    gb.QuadraticDiscriminantAnalysis(),
    gb.LinearDiscriminantAnalysis(),
    gb.GaussianNB(),
]


@pytest.mark.parametrize("columns", [3, 24])
@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=lambda each: type(each).__name__)
def test_decisions_are_those_of_doubles(classifier, columns):
    sample = gaussians(4, columns, rows=4000, seed=3, dtype=np.float32)
    wide = sample.X.astype(np.float64)
    fitted = classifier.fit(wide, sample.y)
    found, expected = fitted.predict_proba(sample.X), fitted.predict_proba(wide)
    np.testing.assert_allclose(found, expected, atol=1e-5)
    np.testing.assert_array_equal(fitted.predict(sample.X), fitted.predict(wide))
    top = np.sort(expected, axis=1)
    clear = top[:, -1] - top[:, -2] > 1e-5
    assert clear.mean() > 0.9
    np.testing.assert_array_equal(found.argmax(axis=1)[clear], expected.argmax(axis=1)[clear])


@pytest.mark.parametrize("tolerance", [1e-3, 1e-9])
def test_mixtures_end_where_those_of_doubles_do(tolerance):
    sample = gaussians(3, 20, rows=6000, seed=4, dtype=np.float32)
    start = sample.X[[5, 600, 4000]].astype(np.float64)
    how = {"means_init": start, "tol": tolerance, "max_iter": 500, "random_state": 0}
    narrow = gb.GaussianMixture(3, **how).fit(sample.X)
    wide = gb.GaussianMixture(3, **how).fit(sample.X.astype(np.float64))
    assert narrow.converged_ and wide.converged_
    np.testing.assert_allclose(narrow.means_, wide.means_, atol=max(1e-5, tolerance))
    np.testing.assert_allclose(narrow.lower_bound_, wide.lower_bound_, rtol=1e-6)
    columns = gb.GaussianMixture(3, **how).fit(np.asfortranarray(sample.X))
    np.testing.assert_array_equal(columns.means_, narrow.means_)
