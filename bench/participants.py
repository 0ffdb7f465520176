"""Gives everyone who takes part the same face: a name, and one sample at a time."""

import contextlib
import json
import os
import select
import subprocess
import sys
import tempfile
import time

import meter
from paths import BENCH


class Call:
    """Work in this process."""

    def __init__(self, name, call):
        """Take the call that is to be timed."""
        self.name, self.note, self._call = name, "", call

    def first(self):
        """Run once and return what came of it."""
        return self._call()

    def sample(self, repeat):
        """Return one sample."""
        return meter.sample(self._call, repeat)

    def memory(self):
        """Return the peak of memory of one more run, above what was there before, in MB."""
        return meter.peak(self._call)

    def close(self):
        """Let go of the arrays."""
        self._call = None


class Worker:
    """A process of another language that has read the rows and waits for its turn."""

    def __init__(self, name, words, patience):
        """Start it, and wait until it is ready."""
        self.name, self.note, self._patience = name, "", patience
        self._errors = tempfile.TemporaryFile()
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self._errors}
        self._process = subprocess.Popen(words, bufsize=0, cwd=BENCH, **pipes)
        try:
            self._answer()
        except BaseException:
            self.close()
            raise
        meter.forget_peak(self._process.pid)
        self._level = meter.resident(self._process.pid, "VmRSS")

    def first(self):
        """Run once; nothing is handed over."""
        self.sample(1)

    def sample(self, repeat):
        """Return one sample; the worker times itself."""
        pid = self._process.pid
        busy = meter.machine_cpu()
        cpu, own, start = meter.process_cpu(pid), meter.own_cpu(), time.perf_counter()
        self._process.stdin.write(f"{repeat}\n".encode())
        answer = self._answer()
        wall = time.perf_counter() - start
        cpu, own = meter.process_cpu(pid) - cpu, meter.own_cpu() - own
        self.note = answer.get("note") or self.note
        return {
            "seconds": answer["seconds"],
            "cores": cpu / wall,
            "foreign": meter.foreign(meter.machine_cpu() - busy, cpu + own, wall),
        }

    def memory(self):
        """Return the peak of memory since it was ready, above what it held then, in MB."""
        return meter.resident(self._process.pid, "VmHWM") - self._level

    def close(self):
        """End it."""
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._errors.close()

    def _answer(self):
        out, line = self._process.stdout, b""
        while not line.endswith(b"\n"):
            if not select.select([out], [], [], self._patience)[0]:
                self._process.kill()
                raise TimeoutError(f"more than {self._patience:g} s")
            part = os.read(out.fileno(), 65536)
            if not part:
                raise RuntimeError(self._last_words())
            line += part
        return json.loads(line)

    def _last_words(self):
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else "the worker ended"


class Cold:
    """A program that is started anew for every run."""

    def __init__(self, name, words):
        """Take the words of its command line."""
        self.name, self.note, self._words, self._peak = name, "", words, 0.0

    def first(self):
        """Run once, so that files are in the cache of the kernel."""
        self.sample(1)

    def sample(self, repeat):
        """Return one sample of the whole process."""
        launcher = [sys.executable, "-I", "-S", str(BENCH / "launch.py"), str(repeat)]
        busy, own = meter.machine_cpu(), meter.own_cpu()
        said = subprocess.run(
            [*launcher, *self._words], capture_output=True, text=True, check=False
        )
        if said.returncode:
            raise RuntimeError((said.stderr.strip().splitlines() or ["it failed"])[-1])
        found = json.loads(said.stdout)
        own, wall = meter.own_cpu() - own, found["wall"]
        self._peak = max(self._peak, found["peak_mb"])
        return {
            "seconds": wall / repeat,
            "cores": found["cpu"] / wall,
            "foreign": meter.foreign(meter.machine_cpu() - busy, own, wall),
        }

    def memory(self):
        """Return the peak of all of its memory, in MB."""
        return self._peak

    def close(self):
        """Nothing is left of it."""
