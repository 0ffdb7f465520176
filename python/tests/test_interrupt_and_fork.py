"""Interrupts long fits and uses models after a fork, each in a process of its own."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and forks are of POSIX")

START = 60.0  # seconds to import and to begin, on a busy machine
END = 2.0  # seconds from the signal to the exception

PRELUDE = """
import os, sys
import numpy as np, pyarrow as pa
import gaussbayes as gb

rng = np.random.default_rng(0)
y = np.arange(600) % 3
X = rng.normal(size=(600, 4)) + y[:, None]
model = getattr(gb, sys.argv[1])()

def state(of):
    arrays = {k: v for k, v in vars(of).items() if isinstance(v, np.ndarray)}
    return {k: v.tobytes() for k, v in arrays.items()}, of.predict_proba(X).tobytes()
"""

# Batches without end, so that the fit ends by the signal alone. The third batch is asked for by a
# fit that is under way, which the parent hears of by the line that is printed.
ENDLESS_STREAM = """
batch = pa.record_batch([*X.T, y], names=[*"abcd", "kind"])

def endless():
    for count in range(1 << 60):
        if count == 3:
            print("under way", flush=True)
        yield batch

reader = pa.RecordBatchReader.from_batches(batch.schema, endless())
"""

INTERRUPTED_FIT = (
    PRELUDE
    + ENDLESS_STREAM
    + """
before = state(model.fit(X, y))
try:
    model.fit(reader, "kind")
except KeyboardInterrupt:
    print("interrupted", flush=True)
print("kept" if state(model) == before else "lost", flush=True)
"""
)

INTERRUPTED_BATCH = (
    PRELUDE
    + ENDLESS_STREAM
    + """
rows, more = batch.slice(0, 300), batch.slice(300)
whole = state(type(model)().partial_fit(rows, "kind", classes=[0, 1, 2]).partial_fit(more, "kind"))
before = state(model.partial_fit(rows, "kind", classes=[0, 1, 2]))
try:
    model.partial_fit(reader, "kind")
except KeyboardInterrupt:
    print("interrupted", flush=True)
kept = state(model) == before and state(model.partial_fit(more, "kind")) == whole
print("kept" if kept else "lost", flush=True)
"""
)

# One row that is there four million times without taking room: minutes of work, and an error if
# somebody copies it.
INTERRUPTED_ARRAY = (
    PRELUDE
    + """
import resource
before = state(model.fit(X, y))
resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))
rows = np.broadcast_to(rng.normal(size=1000), (4_000_000, 1000))
labels = np.zeros(len(rows), np.int8)
labels[::2] = 1
print("under way", flush=True)
try:
    model.fit(rows, labels)
except KeyboardInterrupt:
    print("interrupted", flush=True)
print("kept" if state(model) == before else "lost", flush=True)
"""
)

# Rows enough for several blocks, so that threads are at work before the fork.
FORKED = (
    PRELUDE
    + """
y = np.arange(100_000) % 3
X = rng.normal(size=(100_000, 4)) + y[:, None]
here = state(model.fit(X, y))
child = os.fork()
if child == 0:
    same = state(model) == here and state(type(model)().fit(X, y)) == here
    os._exit(0 if same else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert state(model) == here and state(model.fit(X, y)) == here
"""
)

FORKED_POOL = (
    PRELUDE
    + """
import multiprocessing
y = np.arange(100_000) % 3
X = rng.normal(size=(100_000, 4)) + y[:, None]
here = state(model.fit(X, y))

def there(_):
    return state(type(model)().fit(X, y))

with multiprocessing.get_context("fork").Pool(2) as pool:
    assert all(found == here for found in pool.map(there, range(4)))
"""
)


@contextmanager
def running(script: str, estimator: str) -> Iterator[subprocess.Popen]:
    """A process that ends with the test, and whose children do too."""
    process = subprocess.Popen(
        [sys.executable, "-c", script, estimator],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,  # what is read ahead, `select` does not see
        start_new_session=True,
    )
    try:
        yield process
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.communicate()


def says(process: subprocess.Popen, words: str, within: float) -> None:
    """Wait for a line of the process."""
    ready, _, _ = select.select([process.stdout], [], [], within)
    assert ready, f"nothing said within {within} s instead of {words!r}"
    line = process.stdout.readline().decode().strip()
    # A process that says nothing more has failed, and said why elsewhere.
    assert line == words, line or process.stderr.read().decode()


def processor_seconds(process: subprocess.Popen) -> float:
    """Time that all threads of the process have been computing for."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def interrupt(process: subprocess.Popen) -> None:
    process.send_signal(signal.SIGINT)
    says(process, "interrupted", END)
    says(process, "kept", START)


@pytest.mark.parametrize("estimator", ["LinearDiscriminantAnalysis"])
def test_a_fit_of_a_stream_can_be_interrupted(estimator):
    with running(INTERRUPTED_FIT, estimator) as process:
        says(process, "under way", START)
        interrupt(process)


@pytest.mark.parametrize("estimator", ["GaussianClassifier"])
def test_a_batch_that_is_interrupted_leaves_no_trace(estimator):
    with running(INTERRUPTED_BATCH, estimator) as process:
        says(process, "under way", START)
        interrupt(process)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks Linux for processor time")
@pytest.mark.parametrize("estimator", ["QuadraticDiscriminantAnalysis"])
def test_a_fit_of_an_array_can_be_interrupted(estimator):
    with running(INTERRUPTED_ARRAY, estimator) as process:
        says(process, "under way", START)
        begun = processor_seconds(process)
        # A second of computing is well past the looks at labels that come before the rows.
        while processor_seconds(process) < begun + 1.0:
            ended, _, _ = select.select([process.stdout], [], [], 0.02)
            assert not ended, process.stderr.read().decode()
        interrupt(process)


@pytest.mark.parametrize("script", [FORKED, FORKED_POOL], ids=["fork", "pool"])
@pytest.mark.parametrize("estimator", ["QuadraticDiscriminantAnalysis"])
def test_a_forked_process_fits_and_predicts(script, estimator):
    with running(script, estimator) as process:
        _, errors = process.communicate(timeout=20.0)
        assert process.returncode == 0, errors.decode()
