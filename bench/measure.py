"""Measures one item: ours and every peer, turn and turn about, in one process.

python measure.py ITEM OUT.json [--peers GLOB ...] [--reps N] [--threads N] [--slow] ...
"""

import argparse
import fnmatch
import json
import sys
import warnings

import meter
import numpy as np
import ours
import peers
import processes
import summary
from context import context
from items import ITEMS
from participants import Call, Cold, Worker

# One sample of a quick call is as many calls as fill this time.
ENOUGH_S = 0.05
MOST_CALLS = 50
# Rows on which answers are compared.
COMPARED = 1000
# What posteriors and means of ours and a peer's may be apart.
APART = 1e-5


def answer(ctx, result):
    """Return what two participants must agree on."""
    if isinstance(result, np.ndarray):
        return {"posterior": result[:COMPARED]}
    found = {}
    if hasattr(result, "centroids_"):
        return {"means": result.centroids_}
    if hasattr(result, "predict_proba") and hasattr(result, "n_features_in_"):
        found["posterior"] = result.predict_proba(ctx.X[:COMPARED])
    means = getattr(result, "means_", getattr(result, "means", None))
    if ctx.work in ("gmm", "converge") and means is not None:
        found["means"] = np.asarray(means)
    return found


def told(result):
    """Return what came of a call, in words."""
    if isinstance(result, tuple):
        return f"{result[1]}, {result[2]}"
    best = getattr(result, "best_estimator_", None)
    if best is not None:
        return f"{best.covariance_type}, {best.n_components}"
    count = getattr(result, "n_iter_", None)
    return f"{count} iterations" if isinstance(count, int) else ""


class Round:
    """Everyone who takes part in an item, and what came of them."""

    def __init__(self, item, options):
        """Nobody takes part yet."""
        self.ctx, self.options = context(item, options.threads), options
        self.live, self.rows, self.answers, self.repeat = {}, {}, {}, {}

    def invite(self):
        """Let everyone come who has something for the item."""
        work, ctx, options = self.ctx.work, self.ctx, self.options
        mine = [(ours.WARM, "call")]
        if any(key[0] == work for key in processes.COLD):
            self._join("ours", lambda: Cold("ours", ours.cold(ctx)))
        tables = [*mine, (peers.IN_PROCESS, "call"), (processes.WORKERS, "worker")]
        for table, kind in [*tables, (processes.COLD, "cold")]:
            for (at, name), make in table.items():
                if at != work:
                    continue
                if not name.startswith("ours") and not wanted(name, options.peers):
                    self.rows[name] = {"left_out": "not asked for"}
                else:
                    self._join(name, lambda m=make, n=name, k=kind: self._made(n, k, m))

    def _made(self, name, kind, make):
        made = make(self.ctx)
        if made is None:
            return None
        if (self.ctx.work, name) in processes.SLOW and not self.options.slow:
            self.rows[name] = {"left_out": "slow: --slow asks for it"}
            return None
        if kind == "call":
            return Call(name, made)
        return Worker(name, made, self.options.patience) if kind == "worker" else Cold(name, made)

    def _join(self, name, make):
        try:
            participant = make()
        except (ImportError, FileNotFoundError, processes.Missing) as error:
            self.rows[name] = {"missing": str(error)}
        except Exception as error:
            self.rows[name] = {"error": f"{type(error).__name__}: {error}"[:200]}
        else:
            if participant is not None:
                self.live[name] = participant

    def warm(self):
        """Let everyone run before it counts, and see whether they agree."""
        for name, one in list(self.live.items()):
            try:
                result = one.first()
                if result is not None:
                    one.note = told(result)
                    self.answers[name] = answer(self.ctx, result)
                del result
                seconds = one.sample(1)["seconds"] if self._quick(name) else ENOUGH_S
                calls = round(ENOUGH_S / max(seconds, 1e-9))
                self.repeat[name] = min(max(calls, 1), MOST_CALLS)
            except Exception as error:
                self._leave(name, error)

    def _quick(self, name):
        # a second call tells how long one takes; where rows are many, it takes long enough
        return self.ctx.n * self.ctx.d <= 2_000_000 or name.startswith("ours")

    def _leave(self, name, error):
        self.live.pop(name).close()
        self.rows[name] = {"error": f"{type(error).__name__}: {error}"[:200]}

    def turns(self):
        """Take all samples, forth and back in turn."""
        samples = {name: [] for name in self.live}
        for turn in range(self.options.reps):
            order = list(self.live)
            for name in order if turn % 2 == 0 else order[::-1]:
                spent = sum(s["seconds"] * self.repeat[name] for s in samples[name])
                if turn and spent * (turn + 1) / turn > self.options.cap:
                    continue
                meter.quiet(self.options.quiet_wait)
                try:
                    samples[name].append(self.live[name].sample(self.repeat[name]))
                except Exception as error:
                    self._leave(name, error)
        for name, one in self.live.items():
            self.rows[name] = summary.record(samples[name], self.ctx.iters)
            self.rows[name].update(repeat=self.repeat[name], note=one.note)
            self.rows[name]["peak_mb"] = round(max(one.memory(), 0.0), 1)
            self.rows[name].update(self._apart(name))

    def _apart(self, name):
        mine, theirs = self.answers.get("ours", {}), self.answers.get(name, {})
        if name == "ours" or not mine.keys() & theirs.keys():
            return {}
        gaps = [float(np.abs(mine[key] - theirs[key]).max()) for key in mine.keys() & theirs.keys()]
        return {"apart": float(f"{max(gaps):.2g}"), "agrees": max(gaps) <= APART}

    def close(self):
        """Let everyone go."""
        for one in self.live.values():
            one.close()


def wanted(name, globs):
    """Whether a peer was asked for."""
    return any(fnmatch.fnmatch(name, glob) for glob in globs)


def measure(name, options):
    """Return the size of an item and the records of all who took part."""
    here = Round(ITEMS[name], options)
    here.invite()
    try:
        here.warm()
        here.turns()
    finally:
        here.close()
    return {"n": here.ctx.n, "d": here.ctx.d, "k": here.ctx.k, "peers": here.rows}


def add_options(parser):
    """Add the options that say how samples are taken."""
    parser.add_argument("--peers", nargs="+", default=["*"], metavar="GLOB", help="who takes part")
    parser.add_argument("--reps", type=int, default=5, help="samples of each (5)")
    parser.add_argument("--threads", type=int, default=2, help="threads of each (2)")
    parser.add_argument("--slow", action="store_true", help="peers that need minutes, too")
    parser.add_argument("--cap", type=float, default=900, help="seconds for all samples of a peer")
    parser.add_argument("--patience", type=float, default=900, help="seconds for one of a worker")
    parser.add_argument("--quiet-wait", type=float, default=20, help="seconds to wait for quiet")


def main():
    """Measure one item and write it down."""
    parser = argparse.ArgumentParser()
    parser.add_argument("item", choices=list(ITEMS))
    parser.add_argument("out")
    add_options(parser)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    found = measure(options.item, options)
    with open(options.out, "w") as file:
        json.dump(found, file, default=float)


if __name__ == "__main__":
    sys.exit(main())
