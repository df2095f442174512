# SPDX-License-Identifier: Apache-2.0
"""What the tests of this folder share."""

import os
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("SWEETSPOT_BUILD", ROOT / "build/dev"))
PACKAGES = ROOT / "build/packages"
SKIPPED = 77
sys.path.insert(0, str(ROOT / "scripts/lib"))


def main():
    """As unittest.main, but with a status of its own for a run in which every test was skipped."""
    result = _run()
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if result.skipped and len(result.skipped) == result.testsRun else 0)


def counting_main():
    """As unittest.main; the last line counts in the form of scripts/test."""
    result = _run()
    failed = len(result.failures) + len(result.errors)
    sys.stderr.flush()
    for case, reason in result.skipped:
        print(f"skipped: {case}: {reason}")
    print(f"{max(result.testsRun - failed - len(result.skipped), 0)} passed, {failed} failed, {len(result.skipped)} skipped", flush=True)
    sys.exit(0 if result.wasSuccessful() and (result.testsRun or result.skipped) else 1)


def _run():
    return unittest.main(exit=False, verbosity=2, module="__main__").result
