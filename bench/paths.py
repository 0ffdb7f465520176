"""Says where data, environments and builds lie: never in the repository's own folders."""

import os
import pathlib

BENCH = pathlib.Path(__file__).resolve().parent
ROOT = BENCH.parent
HOME = pathlib.Path(os.environ.get("BENCH_HOME") or ROOT / "target" / "bench")
QUICK = os.environ.get("BENCH_QUICK") == "1"
DATA = HOME / ("data-quick" if QUICK else "data")
RESULTS = BENCH / "results.json"
