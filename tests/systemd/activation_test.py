# SPDX-License-Identifier: Apache-2.0
"""The daemon started by its socket. systemd-socket-activate stands in for systemd's first process."""

import contextlib
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import governed_board  # noqa: E402


class StartedByItsSocket(unittest.TestCase):
    def setUp(self):
        activate = shutil.which("systemd-socket-activate")
        reason = governed_board.unavailable() or (None if activate else "no systemd-socket-activate")
        if reason:
            self.skipTest(reason)
        scene = contextlib.ExitStack()
        self.addCleanup(scene.close)
        folder = pathlib.Path(scene.enter_context(tempfile.TemporaryDirectory(prefix="sweetspot-test-")))
        self.board = scene.enter_context(governed_board.Board(folder))
        listen = (activate, f"--listen={folder / 'socket' / governed_board.INTERFACE}")
        self.daemon = scene.enter_context(governed_board.Daemon(folder, self.board, {}, listen))

    def test_it_serves_one_client_after_the_other(self):
        # A socket that systemd passes blocks; a daemon that left it so would answer the first client alone.
        for _ in range(3):
            self.assertEqual(self.daemon.jobs(), [])

    def test_a_job_pins_the_clock(self):
        with self.daemon.connect() as client:
            client.call("StartJob", {"spec": {"policy": "fixed", "frequency_hz": 612000000}})
            governed_board.eventually(lambda: self.board.gpu_limits_hz() == (612000000, 612000000))


if __name__ == "__main__":
    governed_board.main()
