"""Sums rows up in parts, here and by the command, and makes estimators of them."""

from __future__ import annotations

import pickle

import gaussbayes as gb
import numpy as np
import pytest
from gaussbayes import _core

ESTIMATORS = [
    gb.GaussianClassifier("VVV"),
    gb.GaussianClassifier("EEV", ddof=1, priors="uniform", reject=0.1),
    gb.GaussianClassifier("EEE", shrinkage="oas", standardize=True),
    gb.LinearDiscriminantAnalysis(),
    gb.LinearDiscriminantAnalysis(solver="eigen", shrinkage=0.2),
    gb.LinearDiscriminantAnalysis(solver="lsqr", store_covariance=True),
    gb.QuadraticDiscriminantAnalysis(reg_param=0.1),
    gb.GaussianNB(),
    gb.NearestCentroid(shrink_threshold=0.3),
]


@pytest.fixture
def rows():
    """Iris in seven parts of unequal lengths, with weights."""
    X, y = gb.datasets.load_iris(return_X_y=True)
    order = np.random.default_rng(3).permutation(len(y))
    X, y = X[order], y[order]
    weights = np.random.default_rng(4).choice([0.0, 0.5, 1.0, 3.0], len(y))
    cuts = [9, 10, 40, 77, 78, 120]
    return X, y, weights, list(zip(*(np.split(part, cuts) for part in (X, y, weights))))


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_parts_in_any_order_are_one_fit(estimator, rows):
    X, y, weights, parts = rows
    sums = [gb.Moments.of(*part, part=(k, 7)) for k, part in enumerate(parts, 1)]
    whole = estimator.fit(X, y, weights) if _weighs(estimator) else None
    if whole is None:
        sums = [gb.Moments.of(*part[:2], part=(k, 7)) for k, part in enumerate(parts, 1)]
        whole = estimator.fit(X, y)
    expected = whole.predict_proba(X)
    kept = {name: getattr(whole, name) for name in ("classes_", "n_features_in_")}
    merges = [
        sums[0].merge(*sums[1:]),
        sums[6].merge(*sums[:6][::-1]),
        (sums[3] + sums[1]) + (sums[0] + sums[2] + sums[6]) + (sums[4] + sums[5]),
    ]
    for moments in merges:
        assert (moments.rows, moments.missing, len(moments.parts)) == (150, [], 7)
        fitted = estimator.fit_moments(moments)
        assert fitted is estimator
        np.testing.assert_allclose(fitted.predict_proba(X), expected, rtol=0, atol=1e-11)
        for name, value in kept.items():
            np.testing.assert_array_equal(getattr(fitted, name), value)
            assert np.asarray(getattr(fitted, name)).dtype == np.asarray(value).dtype
    assert pickle.dumps(merges[0].merge()._sums) == pickle.dumps(sums[6].merge(*sums[:6])._sums)


def _weighs(estimator):
    return not isinstance(estimator, gb.NearestCentroid)


def test_one_part_has_every_bit_of_the_fit(rows):
    X, y, weights, _ = rows
    fitted = gb.GaussianClassifier().fit(X, y, weights)
    summed = gb.GaussianClassifier().fit_moments(gb.Moments.of(X, y, weights))
    for name in ("covariances_", "means_", "priors_"):
        np.testing.assert_array_equal(getattr(summed, name), getattr(fitted, name))


def test_files_go_between_python_and_the_command(rows, tmp_path, capfd):
    X, y, _, _ = rows
    one, two = tmp_path / "one.moments", tmp_path / "two.moments"
    both, model = tmp_path / "both.moments", tmp_path / "model.json"
    table = tmp_path / "two.csv"
    names = ["a", "b", "c", "d"]
    lines = [",".join([*map(repr, map(float, row)), str(label)]) for row, label in zip(X, y)]
    table.write_text("\n".join([",".join([*names, "species"]), *lines[60:]]) + "\n")
    pandas = pytest.importorskip("pandas")
    gb.Moments.of(pandas.DataFrame(X[:60], columns=names), y[:60]).save(one)
    assert _command("stats", table, "--target", "species", "-o", two) == 0
    assert _command("merge", one, two, "-o", both) == 0
    assert _command("fit", "--from", both, "--model", "lda", "-o", model) == 0
    moments = gb.Moments.load(both)
    assert moments.features == names
    assert (moments.classes.tolist(), moments.counts.tolist()) == ([0, 1, 2], [50.0] * 3)
    assert moments.parts[0].keys() == {"part", "data", "rows", "weight", "fingerprint"}
    lda = gb.GaussianClassifier("EEE").fit_moments(moments)
    assert lda.classes_.dtype == np.int64
    assert list(lda.feature_names_in_) == names
    frame = pandas.DataFrame(X, columns=names)
    expected = gb.GaussianClassifier("EEE").fit(frame, y).predict_proba(frame)
    np.testing.assert_allclose(lda.predict_proba(frame), expected, atol=1e-11)
    np.testing.assert_allclose(gb.load(model).predict_proba(frame), expected, atol=1e-11)
    # Rows join what was made of sums, and saved.
    gb.save(lda, model)
    gb.load(model).partial_fit(frame, y).predict(frame)
    again = pickle.loads(pickle.dumps(moments))
    assert again.parts == moments.parts
    capfd.readouterr()


def _command(*arguments):
    return _core.command(["gaussbayes", *map(str, arguments)])


def test_text_and_numbers_as_classes_come_back(rows, tmp_path):
    X, y, _, _ = rows
    text = np.array(["u", "v", "w"])[y]
    moments = gb.Moments.of(X, text)
    assert gb.GaussianNB().fit_moments(moments).classes_.tolist() == ["u", "v", "w"]
    moments.save(tmp_path / "m.moments")
    loaded = gb.Moments.load(tmp_path / "m.moments")
    assert gb.GaussianNB().fit_moments(loaded).classes_.tolist() == ["u", "v", "w"]
    digits = gb.Moments.of(X, y.astype(str))
    assert gb.GaussianNB().fit_moments(digits).classes_.tolist() == ["0", "1", "2"]


def test_what_is_refused(rows, tmp_path):
    X, y, _, _ = rows
    one, two = (
        gb.Moments.of(X[:80], y[:80], part=(1, 3)),
        gb.Moments.of(X[80:], y[80:], part=(2, 3)),
    )
    with pytest.raises(ValueError, match="part 1/3 is in moments 1 and in moments 2"):
        one.merge(one)
    with pytest.raises(ValueError, match="part 3 of 3 is missing"):
        one.merge(two)
    with pytest.raises(ValueError, match="part 3 of 3 is missing"):
        gb.GaussianNB().fit_moments(one + two)
    with pytest.raises(ValueError, match="moments 1 has part numbers, and moments 2 has none"):
        one.merge(gb.Moments.of(X[80:], y[80:]))
    plain = gb.Moments.of(X, y)
    with pytest.raises(
        ValueError, match=r"a part \(150 rows\) is in moments 1 twice|would count twice"
    ):
        plain + plain
    with pytest.raises(ValueError, match="moments 2 has no feature 'x3'"):
        plain + gb.Moments.of(X[:, :3], y)
    for estimator, what in [
        (gb.GaussianClassifier(shrinkage="auto"), "shrinkage='auto'"),
        (gb.LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"), "shrinkage='auto'"),
        (gb.NearestCentroid(metric="manhattan"), "metric='manhattan'"),
    ]:
        with pytest.raises(ValueError, match=f"{what} needs the rows, and moments hold sums alone"):
            estimator.fit_moments(plain)
        assert not hasattr(estimator, "classes_")
    with pytest.raises(TypeError, match="fit_moments takes Moments, not ndarray"):
        gb.GaussianNB().fit_moments(X)
    with pytest.raises(TypeError, match="moments are made of rows"):
        gb.Moments()
    with pytest.raises(ValueError, match="must be its number and how many"):
        gb.Moments.of(X, y, part=(4, 3))
    with pytest.raises(FileNotFoundError, match="there is no moments file"):
        gb.Moments.load(tmp_path / "none.moments")
    gb.save(gb.GaussianNB().fit(X, y), tmp_path / "m.json")
    with pytest.raises(ValueError, match="holds a model, not moments"):
        gb.Moments.load(tmp_path / "m.json")
    plain.save(tmp_path / "m.moments")
    with pytest.raises(ValueError, match="holds moments, not a model"):
        gb.load(tmp_path / "m.moments")
    with pytest.raises(TypeError, match="unsupported operand"):
        plain + 1
