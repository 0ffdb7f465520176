"""Reads pictures as other programs do."""

import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"


def parsed(picture):
    """The root of a picture's SVG, once its words are there."""
    root = ET.fromstring(picture.to_svg())
    assert root.tag == f"{SVG}svg" and root.get("role") == "img"
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title.text == picture.title and description.text == picture.description
    assert set(root.get("aria-labelledby").split()) == {title.get("id"), description.get("id")}
    return root


def words(picture):
    """All that is written in a picture."""
    return " ".join("".join(text.itertext()) for text in parsed(picture).iter(f"{SVG}text"))


def drawn_or_refused(estimator, X, y, **how):
    """The picture, or none where it is refused in one clause with a hint or a name."""
    try:
        picture = estimator.plot(X, y, **how)
    except ValueError as error:
        first, *hint = str(error).split("\n")
        assert first and not first.endswith("."), first
        assert not hint or hint[0].startswith("hint: "), hint
        return None
    parsed(picture)
    return picture
