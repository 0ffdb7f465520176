"""Writes results as a table: for the terminal, and for the README."""

from items import FASTEST, ITEMS, TARGETS
from summary import fastest, measured, ratio, verdict

HEAD = (
    "what",
    "rows × columns × groups",
    "against",
    "ours",
    "peer",
    "ours / peer",
    "at most",
    "of the roofline",
    "memory, ours / peer",
)
OWN_HEAD = ("ours alone", "rows × columns × groups", "measured", "wanted")


def count(n):
    """Write a number of rows as people say it."""
    for unit, word in ((1_000_000, "M"), (1_000, "k")):
        if n >= unit and n % (unit // 10) == 0:
            return f"{n / unit:g}{word}"
    return str(n)


def seconds(value):
    """Write a time with three digits and the unit that suits it."""
    for unit, word in ((1.0, "s"), (1e-3, "ms")):
        if value >= unit:
            return f"{value / unit:.3g} {word}"
    return f"{value * 1e6:.3g} µs"


def megabytes(value):
    """Write an amount of memory."""
    return f"{value:.0f}" if value >= 10 else f"{max(value, 0.0):.1f}"


def share(value):
    """Write a ratio as one of so many, where it is small."""
    if value > 0.21:
        return f"{value:.2f}"
    return f"1/{1 / value:.0f}" if value <= 0.1 else f"1/{1 / value:.2g}"


def size(found):
    """Write the size of an item."""
    n = found["n"]
    rows = "–".join(count(n) for n in (n[0], n[-1])) if isinstance(n, list) else count(n)
    return f"{rows} × {found['d']} × {found['k']}"


def verdict_cells(target, rows, found):
    """Return the cells of one target."""
    item, about = ITEMS[target.item], verdict(target, rows)
    fits = "" if target.ours == "ours" else " (ours: all 14)"
    memory = target.measure != "seconds"
    named = item.title + fits + (", memory" if memory else "")
    cells = [named, size(found), about["peer"]]
    if "why" in about:
        return [*cells, "", "", about["why"], f"{share(target.at_most)}: not measured", "", ""]
    mine, peer = rows[target.ours], rows[about["peer"]]
    marks = "*" * (mine["disturbed"] or peer["disturbed"])
    low, high = about["quartiles"]
    spread = "" if memory else f" ({share(low)} to {share(high)})"
    few = min(mine["reps"], peer["reps"])
    spread += f", {few} samples" if few < 5 else ""
    met = "met" if about["met"] else "**not met**"
    limit = found.get("limit_s")
    near = f"{limit / mine['seconds']:.0%} ({found['bound']})" if limit and not memory else ""
    if memory:
        amounts = [f"{megabytes(one['peak_mb'])} MB" for one in (mine, peer)]
    else:
        amounts = [seconds(one["seconds"]) for one in (mine, peer)]
    both = f"{megabytes(mine['peak_mb'])} / {megabytes(peer['peak_mb'])} MB"
    cells += [*amounts, share(about["ratio"]) + spread + marks, f"{share(target.at_most)}: {met}"]
    return [*cells, near, both]


def target_rows(results):
    """Return the cells of every target whose item was measured."""
    items = results["items"]
    for target in TARGETS:
        if target.item not in items:
            continue
        found = items[target.item]
        # where a peer that has a target of its own is the fastest, that one is the harder to meet
        known = [t.peer for t in TARGETS if t.item == target.item]
        if target.peer != FASTEST or fastest(found["peers"]) not in known:
            yield verdict_cells(target, found["peers"], found)


def own_rows(results):
    """Return the cells of every claim about ours alone."""
    for one in (one for claims in results["own"].values() for one in claims):
        value = one["value"]
        said = f"{value:.0%}" if one.get("most") == 0.15 else f"{value:.3g}"
        if "quartiles" in one:
            low, high = one["quartiles"]
            said += f" ({low:.3g} to {high:.3g})"
        if "each" in one:
            said += f" ({', '.join(f'{value:.3g}' for value in one['each'])})"
        said += "*" * bool(one.get("disturbed"))
        bound = f"at least {one['least']:g}" if "least" in one else f"at most {one['most']:g}"
        met = "met" if one["met"] else "**not met**"
        yield [one["claim"], size(one), said, f"{bound}: {met}"]


def others(results):
    """Return a line for every peer that has no figure, and for answers that differ."""
    for name, found in results["items"].items():
        for peer, row in found["peers"].items():
            for key, words in (
                ("missing", "missing"),
                ("error", "failed"),
                ("left_out", "left out"),
            ):
                if key in row:
                    yield f"{name}: {peer} {words}: {row[key]}"
            if row.get("agrees") is False and peer in ("sklearn", "daal4py"):
                yield f"{name}: {peer} and ours are {row['apart']:g} apart"


def markdown(head, rows):
    """Write a table for a page."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(str, cells))} |\n" for cells in lines)


def page(results):
    """Write what goes into the README."""
    machine = results["machine"]
    versions = machine["versions"]
    named = ", ".join(f"{name} {version}" for name, version in versions.items() if version)
    text = (
        f"{machine['cpu']}, {machine['cores']} cores; {results['threads']} threads, float64, "
        f"medians of {results['reps']} samples with the quartiles of the ratios in brackets; "
        f"{named}.\n\n"
    )
    text += markdown(HEAD, list(target_rows(results)))
    own = list(own_rows(results))
    if own:
        text += "\n" + markdown(OWN_HEAD, own)
    if "*" in text.replace("**", ""):
        text += "\n`*`: other processes used more than 0.15 of a core meanwhile.\n"
    return text


def terminal(results):
    """Write the same for a terminal, with what was left out."""
    tables = [(HEAD, list(target_rows(results))), (OWN_HEAD, list(own_rows(results)))]
    text = ""
    for head, rows in tables:
        if not rows:
            continue
        lines = [head, *([cell.replace("*", "") for cell in row] for row in rows)]
        widths = [max(len(line[place]) for line in lines) for place in range(len(head))]
        for line in lines:
            cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
            text += "  ".join(cells).rstrip() + "\n"
        text += "\n"
    return text + "".join(f"{line}\n" for line in others(results))


def item_lines(name, found):
    """Write all participants of one item, the fastest first."""
    rows = found["peers"]
    mine = measured(rows, "ours")
    lines = [f"{name}  {size(found)}"]
    for peer, row in sorted(rows.items(), key=lambda pair: pair[1].get("seconds", float("inf"))):
        if "seconds" not in row:
            lines.append(f"  {peer:22} {next(iter(row))}: {next(iter(row.values()))}")
            continue
        compared = mine and not peer.startswith("ours")
        against = f"  ours/peer {share(ratio(mine, row)['ratio'])}" if compared else ""
        near = (
            f"  {found['limit_s'] / row['seconds']:.0%} of the roofline"
            if "limit_s" in found
            else ""
        )
        notes = "  ".join(filter(None, (row["note"], "DISTURBED" * row["disturbed"])))
        lines.append(
            f"  {peer:22} {seconds(row['seconds']):>9}  {row['reps']} samples"
            f"  {row['cores']:g} cores  +{megabytes(row['peak_mb'])} MB"
            f"{against}{near}  {notes}".rstrip()
        )
    return "\n".join(lines)
