"""What ``plot`` gives: sound SVG and PNG of every estimator and kind, or a named error."""

import struct
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from pictures import SVG, drawn_or_refused, parsed, words
from samples import COUNTING, ESTIMATORS, counts, gaussians, named
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import gaussbayes as gb

CLASSIFIER_KINDS = [
    "scatter",
    "regions",
    "posterior",
    "density",
    "densities",
    "pairs",
    "projection",
    "slice",
    "linear",
    "simplex",
    "roc",
    "cost",
    "confusion",
]


ONE_IS_TOO_FEW = ("pairs", "slice", "projection", "scatter")


def pixels(png):
    """Width and height of a PNG."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", png[16:24])


@pytest.fixture(scope="module")
def iris():
    bunch = gb.datasets.load_iris(as_frame=True)
    return bunch.data, bunch.target_names[bunch.target]


@pytest.fixture(scope="module")
def two():
    """Two classes in two features, and a rule of them."""
    X, y = gb.datasets.make_banana(300)
    return X, y, gb.GaussianClassifier().fit(X, y)


def test_svg_has_title_description_and_the_names(iris):
    X, y = iris
    rule = gb.GaussianClassifier("EEE").fit(X.iloc[:, :2], y)
    picture = rule.plot(X.iloc[:, :2], y)
    text = words(picture)
    assert all(name in text for name in (*X.columns[:2], *np.unique(y)))
    assert repr(picture) == "<Picture 'Decision regions'>"
    assert picture._repr_svg_() == picture.to_svg()
    assert "3 classes" in picture.description and picture.caption


def test_png_has_the_size_of_the_svg_times_the_scale(two):
    X, y, rule = two
    picture = rule.plot(X, y)
    root = parsed(picture)
    size = [float(root.get(side)) for side in ("width", "height")]
    assert pixels(picture.to_png()) == tuple(round(2 * side) for side in size)
    assert pixels(picture.to_png(scale=1)) == tuple(round(side) for side in size)
    with pytest.raises(ValueError, match="scale between"):
        picture.to_png(scale=1e9)


def test_files_are_written_by_their_ending(two, tmp_path):
    picture = two[2].plot()
    picture.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text() == picture.to_svg()
    picture.save(str(tmp_path / "a.PNG"))
    assert (tmp_path / "a.PNG").read_bytes() == picture.to_png()
    assert picture.to_svg(tmp_path / "b") is None and picture.to_png(tmp_path / "c") is None
    with pytest.raises(ValueError, match=r"hint: .*savefig"):
        picture.save(tmp_path / "a.pdf")
    with pytest.raises(OSError, match="nowhere"):
        picture.save(tmp_path / "nowhere" / "a.svg")


def test_the_same_picture_has_the_same_bytes_and_others_other_ids(two):
    X, y, rule = two
    assert rule.plot(X, y).to_svg() == rule.plot(X, y).to_svg()
    ids = {
        parsed(rule.plot(X, y, kind=kind)).find(f"{SVG}title").get("id")
        for kind in ("regions", "posterior", "density")
    }
    assert len(ids) == 3


def test_themes(two):
    X, y, rule = two
    light, dark, auto = (rule.plot(X, y, theme=theme) for theme in ("light", "dark", "auto"))
    assert light.to_png() != dark.to_png() and light.to_png() == auto.to_png()
    assert "prefers-color-scheme" in auto.to_svg() and "prefers" not in dark.to_svg()
    with pytest.raises(ValueError, match="theme"):
        rule.plot(theme="blue")


def test_the_usual_kind_follows_from_the_features(iris):
    X, y = iris
    titles = []
    for columns in (1, 2, 4):
        part = X.iloc[:, :columns]
        rule = gb.LinearDiscriminantAnalysis().fit(part, y)
        kind = {1: "densities", 2: "regions", 4: "projection"}[columns]
        assert rule.plot(part, y).to_svg() == rule.plot(part, y, kind=kind).to_svg()
        assert rule.plot().title == rule.plot(kind=kind).title
        titles.append(rule.plot().title)
    assert len(set(titles)) == 3


@pytest.mark.parametrize("kind", CLASSIFIER_KINDS)
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=named)
def test_every_kind_of_every_gaussian_classifier(estimator, kind):
    for features in (1, 2, 4):
        sample = gaussians(3, features, rows=60)
        model = clone(estimator).fit(sample.X, sample.y)
        picture = drawn_or_refused(model, sample.X, sample.y, kind=kind)
        needs_two_classes = kind == "linear"
        needs_two_features = features == 1 and kind in ("posterior", "density", *ONE_IS_TOO_FEW)
        if not (needs_two_classes or needs_two_features):
            assert picture is not None


@pytest.mark.parametrize("kind", CLASSIFIER_KINDS)
@pytest.mark.parametrize("estimator", [*COUNTING, gb.SoftmaxRegression()], ids=named)
def test_every_kind_of_other_classifiers_or_a_named_error(estimator, kind):
    sample = counts(3, 4, rows=60)
    model = clone(estimator).fit(sample.X, sample.y)
    picture = drawn_or_refused(model, sample.X, sample.y, kind=kind)
    if kind in ("confusion", "roc", "cost", "simplex"):
        assert picture is not None


@pytest.mark.parametrize("kind", [None, "clusters", "regions", "posterior", "density", "simplex"])
@pytest.mark.parametrize(
    "mixture",
    [
        gb.GaussianMixture(3, random_state=0),
        gb.GaussianMixture(3, covariance_type="tied", outliers=4.0, random_state=0),
        gb.GaussianMixture(2, outliers="noise", random_state=0),
        gb.BayesianGaussianMixture(n_components=3, random_state=0),
    ],
    ids=named,
)
def test_mixtures(mixture, kind):
    sample = gaussians(3, 2, rows=90)
    fitted = clone(mixture).fit(sample.X)
    picture = drawn_or_refused(fitted, sample.X, None, kind=kind)
    assert picture is not None
    if kind is None:
        assert picture.to_svg() == fitted.plot(sample.X, kind="clusters").to_svg()
    with pytest.raises(ValueError, match="knows none"):
        fitted.plot(sample.X, sample.y, kind="confusion")


def test_rows_of_a_mixture_have_the_signs_of_their_components():
    sample = gaussians(3, 2, rows=90)
    mixture = gb.GaussianMixture(3, random_state=0).fit(sample.X)
    layers = mixture.plot(sample.X)._core.panels(False)[0]["layers"]
    drawn = {layer["mark"]: layer["at"] for layer in layers if layer["kind"] == "points"}
    for component in range(3):
        own = sample.X[mixture.predict(sample.X) == component]
        assert np.array_equal(np.sort(own, axis=0), np.sort(drawn[component], axis=0))


def test_a_mixture_per_class(two):
    X, y, _ = two
    rule = gb.MixtureClassifier(2, families="VVV", random_state=0).fit(X, y)
    assert "traced" in " ".join([rule.plot(X, y).description, *rule.plot(X, y).notes])


def test_a_search_shows_its_criterion_and_its_best_mixture():
    X = gb.datasets.load_faithful().data
    search = gb.MixtureSearch(range(1, 4), ["EEE", "VVV"], random_state=0).fit(X)
    assert "BIC" in search.plot().title and "AIC" in search.plot(kind="aic").title
    assert "EEE" in search.plot().description
    assert search.plot(X).to_svg() == search.best_estimator_.plot(X).to_svg()
    assert search.plot(kind="density").title == search.best_estimator_.plot(kind="density").title


def test_a_judgement_shows_its_confusion(iris):
    X, y = iris
    judged = gb.cross_validate(gb.GaussianClassifier("VVV"), X, y, folds="loo")
    text = words(judged.plot())
    assert all(name in text for name in np.unique(y)) and "47" in text
    assert "4 are given to a wrong class" in judged.plot().description


def test_confusion_counts_every_row(two):
    X, y, rule = two
    errors = int((rule.predict(X) != y).sum())
    picture = rule.plot(X, y, kind="confusion", rows=10)
    assert f"300 rows judged: {errors} are given" in picture.description


def test_the_gallery():
    names = gb.figures()
    assert "circular-boundary" in names and all(names.values())
    for name in names:
        picture = gb.figure(name)
        parsed(picture)
        assert picture.description and picture.caption, name
    with pytest.raises(ValueError, match="did you mean 'circular-boundary'"):
        gb.figure("circular-bondary")


def test_classes_by_label(iris):
    X, y = iris
    rule = gb.GaussianClassifier().fit(X.iloc[:, :2], y)
    first = rule.plot(kind="posterior", label="setosa")
    assert "setosa" in first.title + first.description
    assert first.to_svg() != rule.plot(kind="posterior", label="virginica").to_svg()
    with pytest.raises(ValueError, match="hint: the classes are"):
        rule.plot(kind="posterior", label="rose")
    one = rule.plot(X.iloc[:, :2], y, kind="roc", label="setosa")
    assert "versicolor" not in words(one)


def test_features_and_places(iris):
    X, y = iris
    rule = gb.GaussianClassifier("EEE").fit(X, y)
    chosen = rule.plot(X, y, features=("petal_length", 3))
    assert "petal_length" in words(chosen) and "sepal" not in words(chosen)
    alone = rule.plot(X, y, features="petal_width")
    assert "petal_width" in words(alone)
    cut = rule.plot(X, y, features=(0, 1), at={"petal_length": 4.0})
    assert (
        cut.to_svg()
        == rule.plot(
            X, y, features=(0, 1), kind="slice", at=[*X.mean()[:2], 4.0, X.mean().iloc[3]]
        ).to_svg()
    )
    for how in ({"features": "nothing"}, {"features": 9}, {"at": [1.0]}, {"features": (0, 1, 2)}):
        with pytest.raises(ValueError, match="hint"):
            rule.plot(X, y, **how)


def test_what_is_missing_or_misspelt_is_said(two):
    X, y, rule = two
    with pytest.raises(ValueError, match=r"hint: did you mean 'regions'"):
        rule.plot(kind="region")
    for kind in ("roc", "cost", "confusion"):
        with pytest.raises(ValueError, match=r"hint: plot\(X, y, kind="):
            rule.plot(X, kind=kind)
    with pytest.raises(ValueError, match="no rows"):
        rule.plot(y=y)
    with pytest.raises(ValueError, match="rows"):
        rule.plot(kind="scatter")
    with pytest.raises(ValueError, match="at least 1"):
        rule.plot(X, rows=0)
    with pytest.raises(ValueError, match="3 features"):
        rule.plot(np.zeros((3, 3)))
    with pytest.raises(NotFittedError, match="not fitted"):
        gb.GaussianClassifier().plot()


def test_rows_come_as_frames_files_streams_and_sparse(two, tmp_path):
    X, y, _ = two
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(kind=np.where(y == 1, "one", "zero"))
    rule = gb.GaussianClassifier().fit(frame, "kind")
    picture = rule.plot(frame, "kind").to_svg()
    frame.to_csv(tmp_path / "rows.csv", index=False)
    assert rule.plot(tmp_path / "rows.csv", "kind").to_svg() == picture
    import polars

    assert rule.plot(polars.from_pandas(frame), "kind").to_svg() == picture
    plain = gb.GaussianClassifier().fit(X, y)
    sparse = scipy.sparse.csr_matrix(X)
    assert plain.plot(sparse, y).to_svg() == plain.plot(X, y).to_svg()
    assert plain.plot(X.astype(np.float32), y).to_png()
    assert plain.plot(X.tolist(), y.tolist()).to_svg() == plain.plot(X, y).to_svg()


def test_the_last_step_of_a_pipeline(iris):
    X, y = iris
    pipeline = make_pipeline(StandardScaler(), gb.LinearDiscriminantAnalysis()).fit(X, y)
    picture = pipeline[-1].plot(pipeline[:-1].transform(X), y)
    parsed(picture)


def test_no_matplotlib_is_imported_before_it_is_asked_for():
    code = (
        "import sys, gaussbayes as gb\n"
        "X, y = gb.datasets.make_banana(50)\n"
        "gb.GaussianClassifier().fit(X, y).plot(X, y).to_png()\n"
        "assert 'matplotlib' not in sys.modules\n"
        "sys.modules['matplotlib'] = None\n"
        "try:\n"
        "    gb.GaussianClassifier().fit(X, y).plot().draw()\n"
        "except ImportError as error:\n"
        "    assert 'hint: pip install matplotlib' in str(error)\n"
        "else:\n"
        "    raise AssertionError\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
