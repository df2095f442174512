# SPDX-License-Identifier: Apache-2.0
"""The Python that has torch and transformers, for tests that really train. Skipped, with a reason, where it cannot be had."""

import os
import pathlib
import sys

SKIPPED = 77  # as the CMake lists know it
PYTHON = pathlib.Path(__file__).resolve().parents[2] / "build/training-venv/bin/python3"


def enter():
    """Goes on as the same program under that Python; does not come back to another one."""
    # Threads of OpenMP wait by spinning: beside other work on a small machine, two are many times slower than one.
    os.environ["OMP_NUM_THREADS"] = "1"
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    try:
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError as missing:
        if not PYTHON.exists() or pathlib.Path(sys.executable) == PYTHON:
            print(f"skipped '{missing}; scripts/training-venv makes build/training-venv, which has it'")
            sys.exit(SKIPPED)
        # -B: the tests leave nothing behind in the source tree.
        os.execv(PYTHON, [str(PYTHON), "-B", *sys.argv])
