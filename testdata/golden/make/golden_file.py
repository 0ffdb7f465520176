"""Reads the built-in data sets as text and writes one golden file."""

import csv
import json
import os
import re

TARGET = {"iris": "species", "wine": "cultivar", "faithful": None}


def read_text(folder, name):
    """Feature texts and labels of a built-in set; faithful-split labels faithful by eruptions > 3."""
    base = "faithful" if name == "faithful-split" else name
    with open(os.path.join(folder, base + ".csv"), newline="") as file:
        header, *lines = list(csv.reader(file))
    if TARGET[base] is not None:
        assert header[-1] == TARGET[base]
        return [line[:-1] for line in lines], [line[-1] for line in lines]
    if name == "faithful-split":
        return lines, ["long" if float(line[0]) > 3 else "short" for line in lines]
    return lines, ["all"] * len(lines)


def write(folder, name, tool, script, note, cases):
    """One file: every case key on a line of its own, so that a changed digit is a short diff."""
    provenance = {"tool": tool, "script": "testdata/golden/make/" + script, "note": note}
    text = ['{"provenance": ' + json.dumps(provenance, indent=1) + ',\n"cases": [']
    blocks = []
    for case in cases:
        lines = [json.dumps(key) + ": " + dump(value) for key, value in case.items()]
        blocks.append("{" + ",\n ".join(lines) + "}")
    text.append(",\n\n".join(blocks))
    text.append("]}\n")
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write("\n".join(text))
    with open(path) as file:
        parsed = json.load(file)
    names = [case["name"] for case in parsed["cases"]]
    assert len(set(names)) == len(names), names
    print(f"{path}: {len(cases)} cases, {os.path.getsize(path)} bytes")


def dump(value):
    """Compact JSON; a float gets as many digits as identify it, a text like '#1.50' is a number with these digits."""
    return re.sub(r'"#([-+.0-9e]+)"', r"\1", json.dumps(value, separators=(",", ":"), allow_nan=False))
