"""Serves a worker in Python: one run of the work for every line."""

import json
import sys
import time


def serve(go, seconds=None):
    """Say that all is ready; then run `go` as often as each line says, and answer with the mean.

    Where `go` measures by itself, `seconds` takes the number from what it returned.
    """
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        repeat = int(line)
        start, told = time.perf_counter(), 0.0
        for _ in range(repeat):
            out = go()
            told += seconds(out) if seconds else 0.0
        spent = told if seconds else time.perf_counter() - start
        del out
        print(json.dumps({"seconds": spent / repeat, "note": ""}), flush=True)
