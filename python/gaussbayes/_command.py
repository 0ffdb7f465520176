"""Starts the command `gaussbayes` that the wheel installs."""

import signal
import sys

from . import _core


def main() -> int:
    """Run the command with the arguments of this process."""
    # Python's own handler would only take note of Ctrl-C until the command is done.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _core.command(["gaussbayes", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
