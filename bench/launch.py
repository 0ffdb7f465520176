"""Starts a program some times in a row, and prints its seconds and its peak memory.

A child's peak begins at the memory of the process that started it: under one that holds arrays a
small program would seem to need hundreds of MB. This one is small: about 10 MB.

    python -I -S launch.py REPEAT PROGRAM [ARGUMENT ...]
"""

import json
import os
import sys
import time

repeat, words = int(sys.argv[1]), sys.argv[2:]
null = os.open(os.devnull, os.O_RDWR)
quiet = [(os.POSIX_SPAWN_DUP2, null, stream) for stream in (0, 1, 2)]
cpu = peak = 0.0
start = time.perf_counter()
for _ in range(repeat):
    child = os.posix_spawnp(words[0], words, os.environ, file_actions=quiet)
    _, status, used = os.wait4(child, 0)
    if status:
        sys.exit(f"{words[0]} ended with status {os.waitstatus_to_exitcode(status)}")
    cpu += used.ru_utime + used.ru_stime
    peak = max(peak, used.ru_maxrss / 1024)
wall = time.perf_counter() - start
print(json.dumps({"wall": wall, "cpu": cpu, "peak_mb": peak}))
