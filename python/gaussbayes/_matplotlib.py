"""Draws pictures with matplotlib, which is imported here and only when it is asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core

try:
    from matplotlib import patheffects
    from matplotlib.axes import Axes
    from matplotlib.colors import to_rgb, to_rgba
    from matplotlib.figure import FigureBase
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch, PathPatch
    from matplotlib.path import Path
    from matplotlib.ticker import FuncFormatter
except ImportError as error:
    raise ImportError(
        "drawing on axes needs matplotlib, which cannot be imported\n"
        "hint: pip install matplotlib; to_svg and to_png need nothing"
    ) from error

# Points of matplotlib for a pixel of the figure.
_POINT = 0.75

# matplotlib's marker and its points for each sign.
_MARKS: dict[int | str, tuple[str, float]] = {
    0: ("o", 4.5),
    1: ("^", 5.5),
    2: ("s", 4.0),
    3: ("D", 4.2),
    4: ("+", 6.0),
    5: ("x", 4.8),
    6: ("v", 5.5),
    "dot": ("o", 2.2),
    "centre": ("+", 10.0),
    "ring": ("o", 10.5),
}

# Where words are: their alignments, and points away from their place.
_SIDES = {
    "middle": ("center", "center", (0, 0)),
    "right": ("left", "center", (3, 0)),
    "left": ("right", "center", (-3, 0)),
    "above": ("center", "bottom", (0, 3)),
    "below": ("center", "top", (0, -3)),
}

# Rows of a panel beyond which signs are small.
_CROWD = 1500


def draw(picture: _core.Picture, theme: str, ax: Any) -> Any:
    """Draw a picture on axes that are given, or on those of a new figure."""
    dark = _is_dark(theme, ax)
    panels = picture.panels(dark)
    if picture.columns is None:
        # What moves shows its last frame.
        panels = panels[-1:]
    if ax is None:
        return _on_new(picture, dark, panels)
    axes = _axes(ax, panels, picture.columns or 1)
    for one, panel in zip(axes, panels, strict=False):
        _panel(one, panel, picture.paper(dark))
    if len(panels) == 1 and not panels[0]["title"]:
        axes[0].set_title(picture.title, parse_math=False)
    # The best place is searched for among all points.
    rows = sum(np.size(line.get_xdata()) for line in axes[0].lines)
    _legend(axes[0], picture.key(dark), "best" if rows <= _CROWD else "upper right")
    return axes[0] if isinstance(ax, Axes) else np.array(axes)


def _is_dark(theme: str, ax: Any) -> bool:
    """Return whether paper is dark: as the theme says, or as the axes are."""
    if theme != "auto":
        return theme == "dark"
    paper: Any = next(iter(np.ravel(np.array(ax, dtype=object))), None)
    if not hasattr(paper, "get_facecolor"):
        return False
    red, green, blue, alpha = to_rgba(paper.get_facecolor())
    return alpha > 0.5 and 0.3 * red + 0.59 * green + 0.11 * blue < 0.5


def _axes(ax: Any, panels: list[dict[str, Any]], columns: int) -> list[Axes]:
    """Return an axes for each panel."""
    if isinstance(ax, FigureBase):
        columns = min(columns, len(panels))
        lines = -(-len(panels) // columns)
        made = ax.subplots(lines, columns, squeeze=False).ravel().tolist()
        for one in made[len(panels) :]:
            one.set_axis_off()
        return made[: len(panels)]
    found = list(np.ravel(np.array(ax, dtype=object)))
    strange = [one for one in found if not isinstance(one, Axes)]
    if strange:
        raise TypeError(
            f"ax is of type {type(ax).__name__}, but must be an Axes, an array of them or a Figure"
        )
    if len(found) < len(panels):
        raise ValueError(
            f"the figure has {len(panels)} panels, but ax is {len(found)} Axes\n"
            "hint: give a Figure, or an array with an Axes for each panel"
        )
    return found


def _on_new(picture: _core.Picture, dark: bool, panels: list[dict[str, Any]]) -> Any:
    """Draw on a new figure, with the key below."""
    from matplotlib import pyplot

    columns = min(picture.columns or 1, len(panels))
    lines = -(-len(panels) // columns)
    width = columns * max(panel["size"][0] for panel in panels) + 100
    height = lines * max(panel["size"][1] for panel in panels) + 140
    figure = pyplot.figure(figsize=(width / 96, height / 96), layout="constrained")
    text, paper = picture.paper(dark)
    if dark:
        figure.set_facecolor(paper)
    axes = _axes(figure, panels, columns)
    for one, panel in zip(axes, panels, strict=True):
        if dark:
            one.set_facecolor(paper)
            one.tick_params(colors=text, which="both")
            parts: list[Any] = [*one.spines.values(), one.xaxis.label, one.yaxis.label, one.title]
            for part in parts:
                part.set_color(text)
        _panel(one, panel, (text, paper))
    figure.suptitle(picture.title, color=text, parse_math=False)
    _legend(figure, picture.key(dark), "outside lower center", text if dark else None)
    return axes[0] if len(axes) == 1 else np.array(axes)


def _panel(ax: Axes, panel: dict[str, Any], paper: tuple[str, str]) -> None:
    layers = panel["layers"]
    crowd = sum(len(layer["at"]) for layer in layers if layer["kind"] == "points") > _CROWD
    small = crowd or panel["size"][0] < 240
    for i, layer in enumerate(layers):
        # From the back to the front, all of it below the frame.
        zorder = 1 + i / max(len(layers), 1)
        _LAYERS[layer["kind"]](ax, layer, zorder, paper[1], small)
    for axis, side in ((ax.xaxis, "across"), (ax.yaxis, "upward")):
        _ticks(axis, panel[side])
    ax.set_xlim(*panel["across"]["ends"])
    ax.set_ylim(*panel["upward"]["ends"])
    ax.set_xlabel(panel["across"]["label"], parse_math=False)
    ax.set_ylabel(panel["upward"]["label"], parse_math=False)
    if panel["across"]["ticks"] == panel["upward"]["ticks"] == "bare":
        ax.set_axis_off()
    if panel["title"]:
        ax.set_title(panel["title"], parse_math=False, fontsize="medium")
    ax.set_aspect("equal" if panel["equal"] else "auto")


def _ticks(axis: Any, side: dict[str, Any]) -> None:
    if side["ticks"] == "powers":
        axis.set_major_formatter(FuncFormatter(lambda power, _: f"{10.0**power:g}"))
    elif side["ticks"] == "bare":
        axis.set_visible(False)
    elif side["ticks"] == "named":
        names = [name for _, name in side["names"]]
        axis.set_ticks([at for at, _ in side["names"]], names)
        slanted = axis.axis_name == "x" and sum(map(len, names)) > 40
        for label in axis.get_ticklabels():
            label.set_parse_math(False)
            if slanted:
                label.set(rotation=45, ha="right", rotation_mode="anchor")


def _path(layer: dict[str, Any]) -> Path:
    return Path(layer["vertices"], layer["codes"])


def _area(ax: Axes, layer: dict[str, Any], zorder: float, paper: str, small: bool) -> None:
    if len(layer["vertices"]):
        ax.add_patch(PathPatch(_path(layer), zorder=zorder, **_filled(layer)))


def _filled(layer: dict[str, Any]) -> dict[str, Any]:
    face = to_rgba(layer["color"], layer["alpha"])
    if not layer["hatched"]:
        return {"facecolor": face, "edgecolor": "none", "linewidth": 0}
    lines = to_rgba(layer["color"], 0.6)
    return {"facecolor": face, "edgecolor": lines, "linewidth": 0, "hatch": "///"}


def _line(ax: Axes, layer: dict[str, Any], zorder: float, paper: str, small: bool) -> None:
    if len(layer["vertices"]):
        path, style = _path(layer), _stroked(layer)
        style["capstyle"] = style.pop("dash_capstyle")
        ax.add_patch(PathPatch(path, fill=False, zorder=zorder, **style))


def _stroked(layer: dict[str, Any]) -> dict[str, Any]:
    width, dashes = layer["width"], layer["dashes"]
    style = "-" if dashes is None else (0, tuple(length / width for length in dashes))
    cap = "round" if dashes is not None and dashes[0] < width else "butt"
    return {
        "color": layer["color"],
        "linewidth": width * _POINT,
        "linestyle": style,
        "dash_capstyle": cap,
    }


def _points(ax: Axes, layer: dict[str, Any], zorder: float, paper: str, small: bool) -> None:
    x, y = layer["at"].T
    style = _marked(layer, small)
    if layer["mark"] == "centre":
        halo = {**style, "color": paper, "markeredgewidth": 4.2, "markersize": 12.0}
        ax.plot(x, y, linestyle="none", zorder=zorder, **halo)
    elif style["marker"] not in "+x" and layer["mark"] not in ("ring", "dot"):
        style |= {"markeredgecolor": paper, "markeredgewidth": 0.4}
    ax.plot(x, y, linestyle="none", zorder=zorder, **style)


def _marked(layer: dict[str, Any], small: bool = False) -> dict[str, Any]:
    marker, size = _MARKS[layer["mark"]]
    small = small and layer["mark"] not in ("centre", "ring")
    style = {"marker": marker, "color": layer["color"], "markersize": size * (0.7 if small else 1)}
    if layer["mark"] == "ring":
        return style | {"markerfacecolor": "none", "markeredgewidth": 1.2}
    widths = {"centre": 1.8, 4: 1.2, 5: 1.2}
    return style | {"markeredgewidth": widths.get(layer["mark"], 0.0)}


def _shade(ax: Axes, layer: dict[str, Any], zorder: float, paper: str, small: bool) -> None:
    # Colours pass into each other as they look on the paper, which what is seen through does not.
    alpha = layer["cells"][..., 3:]
    mixed = layer["cells"][..., :3] * alpha + np.array(to_rgb(paper)) * (1 - alpha)
    ax.imshow(
        np.clip(mixed, 0.0, 1.0),
        extent=layer["extent"],
        origin="upper",
        interpolation="bilinear" if layer["smooth"] else "nearest",
        aspect="auto",
        zorder=zorder,
    )


def _words(ax: Axes, layer: dict[str, Any], zorder: float, paper: str, small: bool) -> None:
    across, upward, offset = _SIDES[layer["anchor"]]
    ax.annotate(
        layer["text"],
        layer["at"],
        xytext=offset,
        textcoords="offset points",
        annotation_clip=False,
        ha=across,
        va=upward,
        color=layer["color"],
        fontsize="small",
        zorder=zorder + 1,
        parse_math=False,
        path_effects=[patheffects.withStroke(linewidth=2.2, foreground=paper)],
    )


def _arrow(ax: Axes, layer: dict[str, Any], zorder: float, paper: str, small: bool) -> None:
    line = {"arrowstyle": "-|>", "color": layer["color"], "linewidth": 1.2}
    ax.annotate(
        "",
        layer["to"],
        xytext=layer["from"],
        arrowprops=line | {"shrinkA": 0, "shrinkB": 0},
        zorder=zorder + 1,
    )


_LAYERS = {
    "area": _area,
    "line": _line,
    "points": _points,
    "shade": _shade,
    "words": _words,
    "arrow": _arrow,
}


def _legend(place: Any, key: list[dict[str, Any]], where: str, text: str | None = None) -> None:
    if not key:
        return
    handles: list[Any] = []
    for line in key:
        if line["kind"] == "area":
            handles.append(Patch(**_filled(line)))
        elif line["kind"] == "line":
            handles.append(Line2D([], [], **_stroked(line)))
        else:
            handles.append(Line2D([], [], linestyle="none", **_marked(line)))
    labels = [line["label"] for line in key]
    outside = isinstance(place, FigureBase)
    columns = min(len(key), 5) if outside else 1 + len(key) // 9
    while True:
        legend = place.legend(
            _by_lines(handles, columns),
            _by_lines(labels, columns),
            loc=where,
            fontsize="small",
            ncols=columns,
            frameon=not outside,
            labelcolor=text,
        )
        for words in legend.get_texts():
            words.set_parse_math(False)
        if columns == 1 or not outside or legend.get_window_extent().width < place.bbox.width:
            return
        # Too wide for the figure.
        legend.remove()
        columns -= 1


def _by_lines(items: list[Any], columns: int) -> list[Any]:
    """Return items in an order that matplotlib, which fills columns, shows line by line."""
    return [item for column in range(columns) for item in items[column::columns]]
