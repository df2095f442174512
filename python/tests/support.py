# SPDX-License-Identifier: Apache-2.0
"""A daemon on a simulated board for the tests of the Python client, and what the client says on its logger."""

import logging
import os
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python/src"))
sys.path.insert(0, str(ROOT / "tests/support"))

import governed_board  # noqa: E402  (found through the path above)

PINNED_HZ = (714_000_000, 714_000_000)
FREE_HZ = (306_000_000, 1_300_500_000)
# For trainings of a few seconds. On a slow machine they may last until the second stage, which finds the simulated GPU idle.
SHORT_TRAININGS = {"sampling": {"period_ms": 20}, "second_stage": {"enabled": False}}
DEEP = {"layers": 24, "mean_sequence_length": 14.0}


class Warnings(logging.Handler):
    """What the logger `sweetspotd` was told at WARNING and above."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.texts = []

    def emit(self, record):
        self.texts.append(record.getMessage())


class HearsWarnings(unittest.TestCase):
    """Hears the client's warnings; keeps the environment that it looks at to the test."""

    def setUp(self):
        super().setUp()
        self.warnings = Warnings()
        logger = logging.getLogger("sweetspotd")
        logger.addHandler(self.warnings)
        logger.propagate = False
        self.addCleanup(logger.removeHandler, self.warnings)
        for name in ("SWEETSPOT_JOB", "SWEETSPOT_SOCKET", "LOCAL_RANK"):
            self.set_variable(name, None)

    def set_variable(self, name, value):
        """Sets or removes (None) an environment variable for the length of the test."""
        before = os.environ.pop(name, None)

        def put_back():
            os.environ.pop(name, None)
            if before is not None:
                os.environ[name] = before

        self.addCleanup(put_back)
        if value is not None:
            os.environ[name] = value


class DaemonTest(HearsWarnings, governed_board.BoardTest):
    """With a daemon on a simulated AGX Orin, whose socket the environment names."""

    def setUp(self):
        super().setUp()
        self.set_variable("SWEETSPOT_SOCKET", str(self.daemon.socket))

    def assert_limits(self, expected):
        """The GPU's limits become those within the tests' patience."""
        governed_board.eventually(lambda: self.board.gpu_limits_hz() == expected)
