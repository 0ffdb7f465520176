"""Takes one sample of a piece of work, with the context that a noisy machine needs.

A sample has seconds, the cores that were really used (CPU time / seconds) and `foreign`: the cores
that other processes used meanwhile. Memory is measured apart, in one more run.
"""

import ctypes
import gc
import os
import resource
import time

# Above this share of a core a sample counts as disturbed by others.
FOREIGN_LIMIT = 0.15
# Below this time the clock ticks of the kernel say nothing about others.
TELLING = 0.1
TICK = os.sysconf("SC_CLK_TCK")


def machine_cpu():
    """Return the CPU seconds of all processes together."""
    with open("/proc/stat") as file:
        v = [int(word) for word in file.readline().split()[1:]]
    return (v[0] + v[1] + v[2] + v[5] + v[6]) / TICK


def own_cpu():
    """Return the CPU seconds of this process and its children that ended."""
    used = [resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def process_cpu(pid):
    """Return the CPU seconds of another process."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def resident(pid, key):
    """Return VmRSS or VmHWM of a process, in MB."""
    with open(f"/proc/{pid}/status") as file:
        line = next(line for line in file if line.startswith(key))
    return int(line.split()[1]) / 1024


def forget_peak(pid):
    """Let the peak of a process begin anew at what it holds now."""
    with open(f"/proc/{pid}/clear_refs", "w") as file:
        file.write("5")


def quiet(limit_s, window=0.25):
    """Wait, so many seconds at most, until nothing runs on the machine."""
    end = time.monotonic() + limit_s
    while True:
        before = machine_cpu()
        time.sleep(window)
        if (machine_cpu() - before) / window <= FOREIGN_LIMIT or time.monotonic() > end:
            return


def foreign(busy, own, seconds):
    """Return the cores that others used, where the time is long enough to tell."""
    return max(0.0, busy - own) / seconds if seconds > TELLING else None


def sample(call, repeat=1):
    """Sample a call in this process; of several in a row the mean."""
    gc.collect()
    busy, cpu = machine_cpu(), own_cpu()
    start = time.perf_counter()
    for _ in range(repeat):
        out = None
        out = call()  # kept until the clock has stopped
    wall = time.perf_counter() - start
    cpu, busy = own_cpu() - cpu, machine_cpu() - busy
    del out
    return {
        "seconds": wall / repeat,
        "cores": cpu / wall,
        "foreign": foreign(busy, cpu, wall),
    }


def peak(call):
    """Return the peak of resident memory above the level before a call, in MB."""
    gc.collect()
    # what the allocator has kept from earlier calls would hide what this one needs
    ctypes.CDLL(None).malloc_trim(0)
    forget_peak("self")
    level = resident("self", "VmRSS")
    out = call()
    found = resident("self", "VmHWM") - level
    del out
    return found
