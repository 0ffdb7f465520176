"""Measures what ours promises of itself: precision, threads, rows and memory.

python own.py CLAIM OUT.json [--reps N] [--threads N] ...
"""

import argparse
import json
import os
import shlex
import sys
import warnings

import meter
import numpy as np
import ours
import summary
from context import context
from items import Item
from measure import add_options
from participants import Call, Cold
from paths import DATA, QUICK

# Compute-bound: enough work for each byte that is read.
HEAVY = (
    Item("qda_fit/cls_l", "QDA fit", "qda_fit", "cls_l"),
    Item("qda_proba/cls_m", "QDA posterior", "qda_proba", "cls_m"),
    Item("gmm_full/gmm_m", "EM full", "gmm", "gmm_m", "full", 2),
    Item("gmm_full/gmm_l", "EM full", "gmm", "gmm_l", "full", 2),
)
LIGHT = (
    Item("lda_fit/cls_m", "LDA fit", "lda_fit", "cls_m"),
    Item("lda_proba/cls_m", "LDA posterior", "lda_proba", "cls_m"),
)
LABELLED = (
    Item("lda_proba/cls_m", "LDA", "lda_proba", "cls_m"),
    Item("qda_proba/cls_m", "QDA", "qda_proba", "cls_m"),
    Item("gmm_full/gmm_m", "EM full", "gmm", "gmm_m", "full", 2),
)
GROWING = (
    Item("lda_fit", "LDA fit", "lda_fit", "cls_m"),
    Item("qda_proba", "QDA posterior", "qda_proba", "cls_m"),
    Item("gmm_full", "EM full", "gmm", "gmm_s", "full", 2),
)

# Top two posteriors nearer than this are a tie, which rounding may decide.
TIE = 1e-5
SHRUNK = 50 if QUICK else 1
ROWS = tuple(n // SHRUNK for n in (100_000, 1_000_000, 10_000_000))


def turns(calls, options):
    """Return a record for each call, sampled turn and turn about."""
    rounds = [Call("", call) for call in calls]
    repeats = []
    for one in rounds:
        one.first()
        seconds = one.sample(1)["seconds"]
        repeats.append(max(1, round(0.05 / seconds)))
    samples = [[] for _ in rounds]
    for turn in range(options.reps):
        order = list(range(len(rounds)))
        for place in order if turn % 2 == 0 else order[::-1]:
            meter.quiet(options.quiet_wait)
            samples[place].append(rounds[place].sample(repeats[place]))
    return [summary.record(each) for each in samples]


def on_threads(count, call):
    """Return the call, on so many threads."""

    def run():
        os.environ["GAUSSBAYES_NUM_THREADS"] = str(count)
        return call()

    return run


def speedup(slow, fast):
    """Return how many times as fast, with quartiles of the turns."""
    found = summary.ratio(slow, fast)
    disturbed = slow["disturbed"] or fast["disturbed"]
    return {"value": found["ratio"], "quartiles": found["quartiles"], "disturbed": disturbed}


def size(ctx):
    """Return rows, columns and classes."""
    return {"n": ctx.n, "d": ctx.d, "k": ctx.k}


def single(options):
    """Yield how much faster the same rows are in single precision."""
    for item in HEAVY:
        wide, narrow = (context(item, options.threads, dtype) for dtype in ("f64", "f32"))
        make = ours.WARM[item.work, "ours"]
        found = speedup(*turns([make(wide), make(narrow)], options))
        met = found["value"] >= 1.6
        yield {"claim": f"float32, {item.title}", **size(wide), **found, "least": 1.6, "met": met}


def labels(options):
    """Yield the labels that differ between precisions, where no tie decides."""
    for item in LABELLED:
        ctx = context(item, options.threads, "f32")
        narrow = ctx.X
        fit = ours.gmm if item.work == "gmm" else ours.fit
        in_narrow = fit(ctx)().predict(narrow)
        # the same numbers in double precision: what differs is arithmetic alone
        ctx.X = narrow.astype(np.float64)
        fitted = fit(ctx)()
        top = np.partition(fitted.predict_proba(ctx.X), -2, axis=1)[:, -2:]
        clear = top[:, 1] - top[:, 0] > TIE
        wrong = int((fitted.predict(ctx.X) != in_narrow)[clear].sum())
        claim = {"claim": f"labels of float32 that differ, {item.title}", **size(ctx)}
        yield {**claim, "value": wrong, "most": 0, "met": wrong == 0, "ties": int((~clear).sum())}


def threads(options):
    """Yield how much faster two threads are than one."""
    for item in HEAVY + LIGHT:
        ctx = context(item, 2)
        call = ours.WARM[item.work, "ours"](ctx)
        found = speedup(*turns([on_threads(1, call), on_threads(2, call)], options))
        met = found["value"] >= 1.8
        claim = {"claim": f"two threads, {item.title}", **size(ctx)}
        yield {**claim, **found, "least": 1.8, "met": met}


def rows(options):
    """Yield how far the seconds of a row are from the same at all numbers of rows."""
    for item in GROWING:
        ctx = context(item, options.threads)
        make = ours.WARM[item.work, "ours"]
        tiled = [-(-n // ctx.n) for n in ROWS]
        x, y = (np.concatenate([array] * max(tiled)) for array in (ctx.X, ctx.y))
        calls = []
        for n in ROWS:
            part = context(item, options.threads)
            part.X, part.y, part.n = x[:n], y[:n], n
            calls.append(make(part))
        found = turns(calls, options)
        each = [one["seconds"] / n for one, n in zip(found, ROWS, strict=True)]
        spread = (max(each) - min(each)) / (max(each) + min(each))
        yield {
            "claim": f"seconds a row, {item.title}",
            **size(ctx),
            "n": ROWS,
            "value": spread,
            "each": [float(f"{value:.3g}") for value in each],
            "most": 0.15,
            "met": spread <= 0.15,
            "disturbed": any(one["disturbed"] for one in found),
        }


def streamed(threads, files):
    """Return the words of a shell that pipes tables of one header into a fit, end to end."""
    tails = "".join(f"; tail -n +2 {shlex.quote(str(file))}" for file in files[1:])
    fit = shlex.join(ours.command(threads, "-"))
    return ["sh", "-c", f"{{ cat {shlex.quote(str(files[0]))}{tails}; }} | {fit}"]


def memory(options):
    """Yield how much more memory a fit of ten and a hundred times the rows takes from CSV."""
    source = DATA / "cls_m.csv"
    few = DATA / "cls_few.csv"
    with open(source) as whole, open(few, "w") as file:
        file.writelines(line for _, line in zip(range(ROWS[0] + 1), whole, strict=False))
    peaks = []
    for files in ([few], [source], [source] * 10):
        one = Cold("ours", streamed(options.threads, files))
        for _ in range(min(options.reps, 3)):
            one.sample(1)
        peaks.append(one.memory())
    value = max(peaks) / min(peaks)
    shape = {"n": ROWS, "d": 32, "k": 10, "each": [round(peak, 1) for peak in peaks]}
    claim = {"claim": "peak memory of a streamed fit, most / least", **shape}
    yield {**claim, "value": value, "most": 1.1, "met": value <= 1.1}


CLAIMS = {
    "single": single,
    "labels": labels,
    "threads": threads,
    "rows": rows,
    "memory": memory,
}


def main():
    """Measure one claim and write it down."""
    parser = argparse.ArgumentParser()
    parser.add_argument("claim", choices=list(CLAIMS))
    parser.add_argument("out")
    add_options(parser)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    found = list(CLAIMS[options.claim](options))
    with open(options.out, "w") as file:
        json.dump(found, file, default=float)


if __name__ == "__main__":
    sys.exit(main())
