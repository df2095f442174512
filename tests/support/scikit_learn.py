# SPDX-License-Identifier: Apache-2.0
"""The Python that has scikit-learn, for programs that hold our trees against its. Skipped, with a reason, where it cannot be had."""

import os
import pathlib
import sys

SKIPPED = 77  # as the CMake lists know it
PYTHON = pathlib.Path(__file__).resolve().parents[2] / "build/venv/bin/python3"


def enter():
    """Goes on as the same program under that Python; does not come back to another one."""
    try:
        import sklearn  # noqa: F401
    except ImportError as missing:
        if not PYTHON.exists() or pathlib.Path(sys.executable) == PYTHON:
            print(f"skipped '{missing}; scripts/venv makes build/venv, which has it'")
            sys.exit(SKIPPED)
        # -B: the tests leave nothing behind in the source tree.
        os.execv(PYTHON, [str(PYTHON), "-B", *sys.argv])
