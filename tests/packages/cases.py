# SPDX-License-Identifier: Apache-2.0
"""What the tests of this folder share."""

import os
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("SWEETSPOT_BUILD", ROOT / "build/dev"))
SKIPPED = 77
sys.path.insert(0, str(ROOT / "scripts/lib"))


def main():
    """As unittest.main, but with a status of its own for a run in which every test was skipped."""
    program = unittest.main(exit=False, verbosity=2, module="__main__")
    result = program.result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if result.skipped and len(result.skipped) == result.testsRun else 0)
