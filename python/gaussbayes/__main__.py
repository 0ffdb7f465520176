"""Runs the command as a module: `python -m gaussbayes`."""

import sys

from ._command import main

sys.exit(main())
