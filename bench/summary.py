"""Makes figures of samples: medians, ratios turn by turn, and whether a target is met."""

import statistics

from items import FASTEST, YARDSTICKS

FOREIGN_LIMIT = 0.15


def quartiles(values):
    """Return the first and third quartile, of one value that value."""
    if len(values) < 2:
        return values[0], values[0]
    first, _, third = statistics.quantiles(values, n=4, method="inclusive")
    return first, third


def record(samples, per=1):
    """Return the figures of all samples of one participant, in seconds per iteration."""
    seconds = [sample["seconds"] / per for sample in samples]
    foreign = [sample["foreign"] for sample in samples if sample["foreign"] is not None]
    disturbed = bool(foreign) and statistics.median(foreign) > FOREIGN_LIMIT
    return {
        "seconds": statistics.median(seconds),
        "reps": len(seconds),
        "cores": round(statistics.median(sample["cores"] for sample in samples), 2),
        "disturbed": disturbed,
        "all": [float(f"{value:.4g}") for value in seconds],
    }


def measured(rows, name):
    """Return the record of a participant, or None where there are no samples."""
    found = rows.get(name, {})
    return found if "seconds" in found else None


def fastest(rows):
    """Return the name of the fastest peer, or None where no peer was measured."""
    names = [
        name
        for name in rows
        if measured(rows, name) and not name.startswith("ours") and name not in YARDSTICKS
    ]
    return min(names, key=lambda name: rows[name]["seconds"], default=None)


def ratio(ours, peer, measure="seconds"):
    """Return ours / peer: the median of the turns, with their quartiles and extremes."""
    if measure != "seconds":
        share = ours[measure] / peer[measure]
        return {"ratio": share, "quartiles": (share, share), "extremes": (share, share)}
    turns = [a / b for a, b in zip(ours["all"], peer["all"], strict=False)]
    middle = statistics.median(turns)
    return {"ratio": middle, "quartiles": quartiles(turns), "extremes": (min(turns), max(turns))}


def verdict(target, rows):
    """Return what became of a target: who was met with which ratio, or why there is none."""
    name = fastest(rows) if target.peer == FASTEST else target.peer
    ours, peer = measured(rows, target.ours), measured(rows, name)
    for who, found in ((target.ours, ours), (name or "every peer", peer)):
        if found is None:
            return {"peer": name or FASTEST, "why": f"{who}: {reason(rows, who)}"}
    found = ratio(ours, peer, target.measure)
    return {"peer": name, **found, "met": found["ratio"] <= target.at_most}


def reason(rows, name):
    """Return why a participant has no samples."""
    found = rows.get(name, {})
    ways = (found[key] for key in ("error", "missing", "left_out") if key in found)
    return next(ways, "not measured")
