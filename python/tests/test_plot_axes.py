"""What matplotlib draws of pictures: exact curves, the axes' limits and words, and clear refusals."""

import matplotlib as mpl
import numpy as np
import pytest
from samples import gaussians

import gaussbayes as gb

mpl.use("agg")
from matplotlib import pyplot as plt
from matplotlib.patches import PathPatch

CHI2_90 = 4.605170185988092


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def outlines(ax, *, filled):
    """The patches of an axes that are areas, or lines."""
    return [patch for patch in ax.patches if isinstance(patch, PathPatch) and patch.fill == filled]


def two_classes(family, seed=3):
    sample = gaussians(2, 2, rows=120, seed=seed)
    return sample, gb.GaussianClassifier(family).fit(sample.X, sample.y)


def inside(points, ax, margin=1e-9):
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    wide, tall = margin * (right - left), margin * (high - low)
    x, y = points.T
    return points[(x > left - wide) & (x < right + wide) & (y > low - tall) & (y < high + tall)]


@pytest.mark.parametrize("family", ["VVV", "EEE", "VVI", "EII", "VII"])
def test_along_a_drawn_boundary_both_classes_are_as_probable(family):
    sample, rule = two_classes(family)
    _, ax = plt.subplots()
    rule.plot(sample.X, sample.y, ax=ax)
    boundary = max(outlines(ax, filled=False), key=lambda patch: patch.get_linewidth())
    points = inside(boundary.get_path().vertices, ax)
    assert len(points) >= 2
    assert np.abs(rule.predict_proba(points) - 0.5).max() < 1e-6


def test_ellipses_are_at_their_mahalanobis_distance():
    sample, rule = two_classes("VVV")
    _, ax = plt.subplots()
    rule.plot(sample.X, sample.y, ax=ax)
    widest = max(patch.get_linewidth() for patch in outlines(ax, filled=False))
    ellipses = [p for p in outlines(ax, filled=False) if p.get_linewidth() < widest]
    assert len(ellipses) == 2
    for mean, covariance in zip(rule.means_, rule.covariances_, strict=True):
        away = [
            np.einsum("ij,jk,ik->i", d, np.linalg.inv(covariance), d)
            for d in (patch.get_path().vertices - mean for patch in ellipses)
        ]
        assert any(np.allclose(one, CHI2_90, rtol=1e-9) for one in away)


def test_regions_are_decided_as_they_are_drawn():
    sample = gaussians(3, 2, rows=150, seed=1)
    rule = gb.GaussianClassifier().fit(sample.X, sample.y)
    _, ax = plt.subplots()
    rule.plot(sample.X, sample.y, ax=ax)
    rng = np.random.default_rng(0)
    low, high = np.array([ax.get_xlim(), ax.get_ylim()]).T
    points = rng.uniform(low, high, (2000, 2))
    said = rule.predict(points)
    for patch in outlines(ax, filled=True):
        path = patch.get_path()
        within = np.zeros(len(points), dtype=bool)
        for ring in path.to_polygons(closed_only=True):
            within ^= mpl.path.Path(ring).contains_points(points)
        assert len(np.unique(said[within])) == 1
    areas = outlines(ax, filled=True)
    assert {patch.get_facecolor()[3] for patch in areas} <= {areas[0].get_facecolor()[3]}


def test_a_hole_stays_a_hole_for_renderers_that_fill_by_winding():
    means, covariances = [[0, 0], [0, 0]], [np.eye(2), 9 * np.eye(2)]
    rule = gb.GaussianClassifier.from_parameters(means, covariances)
    figure = plt.figure(figsize=(4, 4), dpi=100)
    ax = figure.add_axes((0, 0, 1, 1))
    rule.plot(ax=ax)
    ax.set_aspect("auto")
    for artist in [*ax.texts, *ax.lines, *outlines(ax, filled=False), ax.get_legend()]:
        artist.remove()
    figure.canvas.draw()
    seen = np.asarray(figure.canvas.buffer_rgba())[..., :3].astype(int)
    inner, outer = seen[200, 200], seen[20, 200]
    one, other = (patch.get_facecolor() for patch in outlines(ax, filled=True)[:2])
    on_paper = [
        np.round(255 * (np.array(c[:3]) * c[3] + 1 - c[3])).astype(int) for c in (one, other)
    ]
    found = [tuple(inner), tuple(outer)]
    assert all(min(np.abs(np.array(f) - p).max() for p in on_paper) <= 2 for f in found), found
    assert np.abs(inner - outer).max() > 10


def test_limits_labels_title_and_key():
    sample, rule = two_classes("VVV")
    _, ax = plt.subplots()
    picture = rule.plot(sample.X, sample.y, ax=ax)
    panel = picture._core.panels(False)[0]
    assert ax.get_xlim() == panel["across"]["ends"] and ax.get_ylim() == panel["upward"]["ends"]
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("x0", "x1", picture.title)
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts[:2] == ["0", "1"]
    rows = sum(len(line.get_xdata()) for line in ax.lines if line.get_marker() in "o^")
    assert rows == len(sample.X)


def test_an_own_figure_has_a_title_and_the_key_below():
    sample, rule = two_classes("EEE")
    ax = rule.plot(sample.X, sample.y).draw()
    assert ax.figure.get_suptitle() == "Decision regions" and ax.figure.legends
    ax.figure.canvas.draw()


def test_dark_axes_have_colours_of_dark_paper():
    sample, rule = two_classes("EEE")
    with plt.style.context("dark_background"):
        _, dark = plt.subplots()
    _, light = plt.subplots()
    for ax in (dark, light):
        rule.plot(sample.X, sample.y, ax=ax)
    marks = [next(line for line in ax.lines if line.get_marker() == "o") for ax in (dark, light)]
    assert marks[0].get_color() == "#5ab4f0" and marks[1].get_color() == "#0072b2"


def test_panels_need_as_many_axes_or_a_figure():
    X, y = gb.datasets.load_iris(return_X_y=True)
    rule = gb.GaussianClassifier("EEE").fit(X[:, :3], y)
    _, ax = plt.subplots()
    with pytest.raises(ValueError, match="hint: give a Figure"):
        rule.plot(X[:, :3], y, kind="pairs", ax=ax)
    picture = rule.plot(X[:, :3], y, kind="pairs", ax=plt.figure())
    panels = len(picture._core.panels(False))
    assert panels > 1
    _, many = plt.subplots(3, 3)
    if many.size >= panels:
        drawn = picture.draw(many)
        assert len(drawn) >= panels
    with pytest.raises(TypeError, match="must be an Axes"):
        rule.plot(X[:, :3], y, ax="axes")


def test_names_are_no_formulas():
    sample = gaussians(2, 2, rows=60)
    y = np.array(["$\\frac$", "b_$"])[sample.y]
    _, ax = plt.subplots()
    gb.GaussianClassifier().fit(sample.X, y).plot(sample.X, y, ax=ax)
    ax.figure.canvas.draw()
    _, ax = plt.subplots()
    gb.GaussianClassifier().fit(sample.X, y).plot(sample.X, y, kind="confusion", ax=ax)
    ax.figure.canvas.draw()


@pytest.mark.parametrize(
    "kind",
    [
        "scatter",
        "regions",
        "posterior",
        "density",
        "densities",
        "pairs",
        "projection",
        "slice",
        "simplex",
        "roc",
        "cost",
        "confusion",
    ],
)
def test_every_kind_is_drawn(kind):
    sample = gaussians(3, 3, rows=60)
    rule = gb.GaussianClassifier("EEE").fit(sample.X, sample.y)
    figure = plt.figure()
    rule.plot(sample.X, sample.y, kind=kind, ax=figure)
    figure.canvas.draw()
    assert any(ax.has_data() for ax in figure.axes)


def test_every_figure_of_the_gallery_is_drawn():
    for name in gb.figures():
        drawn = gb.figure(name).draw()
        figure = np.ravel(drawn)[0].figure
        figure.set_dpi(40)
        figure.canvas.draw()
        plt.close(figure)
