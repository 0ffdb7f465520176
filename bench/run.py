"""Runs the benchmark: every item in a process of its own, then the table.

python run.py list
python run.py run [--items GLOB ...] [--peers GLOB ...] [--reps N] [--write] ...
python run.py table              the table of the results that are kept
"""

import argparse
import fnmatch
import json
import os
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version

import roofline
import table
from items import ITEMS
from measure import add_options
from paths import BENCH, HOME, QUICK, RESULTS

THREADS = (
    "GAUSSBAYES_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "POLARS_MAX_THREADS",
    "RAYON_NUM_THREADS",
)
PACKAGES = ("gaussbayes", "numpy", "scikit-learn", "scikit-learn-intelex", "mlpack", "polars")
CLAIMS = ("single", "labels", "threads", "rows", "memory")
TABLE = HOME / "table.md"


def machine():
    """Say what this ran on, and with which versions."""
    with open("/proc/cpuinfo") as file:
        lines = [line.partition(":") for line in file]
    said = {name.strip(): value.strip() for name, _, value in lines}
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    found.update(r_versions())
    cpu = said.get("model name", platform.machine())
    # machines to be had by the hour often have one name for all processors of a maker
    if "cpu family" in said:
        cpu += f" (family {said['cpu family']}, model {said['model']})"
    return {"cpu": cpu, "cores": os.cpu_count(), "versions": found}


def r_versions():
    """Return the version of mclust, where R has it."""
    code = "cat(as.character(packageVersion('mclust')))"
    try:
        said = subprocess.run(["Rscript", "-e", code], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return {"mclust": None}
    return {"mclust": said.stdout.strip()}


def started(script, name, options):
    """Run a script for one item or claim, and return what it wrote, or None where it failed."""
    out = HOME / "one.json"
    out.unlink(missing_ok=True)
    words = [sys.executable, str(BENCH / script), name, str(out), "--peers", *options.peers]
    for key in ("reps", "threads", "cap", "patience", "quiet_wait"):
        words += [f"--{key.replace('_', '-')}", str(getattr(options, key))]
    words += ["--slow"] * options.slow
    env = dict(os.environ, **dict.fromkeys(THREADS, str(options.threads)))
    ended = subprocess.run(words, env=env, cwd=HOME, check=False)
    if ended.returncode or not out.exists():
        print(f"{name}: the process failed with status {ended.returncode}", flush=True)
        return None
    return json.loads(out.read_text())


def measured_ceilings(threads):
    """Return the ceilings of the machine, measured now."""
    words = [sys.executable, str(BENCH / "ceilings.py"), str(threads)]
    said = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(said.stdout)


def with_limit(name, found, ceilings, threads):
    """Add the least time that an item could take."""
    item = ITEMS[name]
    least = roofline.work(item.work, found["n"], found["d"], found["k"], 8, item.cov)
    if least:
        found["limit_s"], found["bound"] = roofline.limit(least, ceilings, threads)
    return found


def run(options):
    """Measure what was asked for; return whether all of it could be measured."""
    HOME.mkdir(parents=True, exist_ok=True)
    chosen = [n for n in ITEMS if any(fnmatch.fnmatch(n, g) for g in options.items)]
    claims = [c for c in CLAIMS if any(fnmatch.fnmatch(f"own/{c}", g) for g in options.items)]
    if not chosen and not claims:
        print(f"no item matches {' '.join(options.items)}: see `list`")
        return False
    results = {"machine": machine(), "threads": options.threads, "reps": options.reps}
    results.update(ceilings=measured_ceilings(options.threads), items={}, own={})
    print(json.dumps(results["ceilings"]), flush=True)
    whole = True
    for name in chosen:
        found = started("measure.py", name, options)
        whole &= found is not None
        if found is not None:
            found = with_limit(name, found, results["ceilings"], options.threads)
            results["items"][name] = found
            print(table.item_lines(name, found), flush=True)
    for claim in claims:
        found = started("own.py", claim, options)
        whole &= found is not None
        if found is not None:
            results["own"][claim] = found
            print(f"own/{claim}: measured", flush=True)
    print("\n" + table.terminal(results), end="", flush=True)
    keep(HOME / "results.json", results)
    if options.write:
        results = merged(results)
        keep(RESULTS, results)
    TABLE.write_text(table.page(results))
    return whole


def merged(results):
    """Return the kept results, with what was measured now in place of what was measured before."""
    if not RESULTS.exists():
        return results
    before = json.loads(RESULTS.read_text())
    if before["machine"] != results["machine"]:
        # seconds of two machines do not belong into one table
        return results
    order = {name: place for place, name in enumerate([*ITEMS, *CLAIMS])}
    for key in ("items", "own"):
        joined = {**before[key], **results[key]}
        results[key] = {
            name: joined[name] for name in sorted(joined, key=order.get) if name in order
        }
    return results


def keep(path, results):
    """Write results, a line for each participant, so that changes can be read."""

    def lines(value, depth):
        if depth and isinstance(value, dict):
            inner = (f"{json.dumps(key)}: {lines(part, depth - 1)}" for key, part in value.items())
            return "{\n" + ",\n".join(inner) + "\n}"
        if depth and isinstance(value, list) and value and isinstance(value[0], dict):
            return "[\n" + ",\n".join(json.dumps(part) for part in value) + "\n]"
        return json.dumps(value, ensure_ascii=False)

    path.write_text(lines(rounded(results), 4) + "\n")


def rounded(value):
    """Return the same with numbers of four digits."""
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(part) for part in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def main():
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parts = parser.add_subparsers(dest="part", required=True)
    parts.add_parser("list")
    parts.add_parser("table")
    running = parts.add_parser("run")
    running.add_argument("--items", nargs="+", default=["*"], metavar="GLOB")
    running.add_argument("--write", action="store_true", help="keep the results")
    add_options(running)
    options = parser.parse_args()
    if options.part == "list":
        print("\n".join([*ITEMS, *(f"own/{claim}" for claim in CLAIMS)]))
    elif options.part == "table":
        print(table.page(json.loads(RESULTS.read_text())), end="")
    elif options.write and (QUICK or options.reps < 5):
        sys.exit("--write keeps medians of 5 samples and more, at full size")
    else:
        return 0 if run(options) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
