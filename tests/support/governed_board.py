# SPDX-License-Identifier: Apache-2.0
"""The built programs for tests in Python: a simulated board and a daemon on it, gone after each test however it ends.

The programs are those of the build folder in $SWEETSPOT_BUILD, else of build/dev.
"""

import contextlib
import ctypes
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

from daemon_calls import INTERFACE, PATIENCE_S, Connection, eventually

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("SWEETSPOT_BUILD", ROOT / "build/dev"))
PR_SET_PDEATHSIG = 1  # linux/prctl.h
# What systemd says to its own children; the daemon under test is none.
SYSTEMD_VARIABLES = ("NOTIFY_SOCKET", "LISTEN_", "WATCHDOG_", "JOURNAL_STREAM")

_libc = ctypes.CDLL(None, use_errno=True)


def unavailable():
    """Why no board can be mounted here; None when nothing speaks against it."""
    if not os.path.exists("/dev/fuse"):
        return "no /dev/fuse"
    if os.geteuid() != 0 and not shutil.which("fusermount3"):
        return "no fusermount3, which mounts the simulated board without root"
    return None


class _Program:
    """A child process whose words go to a file; ends when this process does."""

    def __init__(self, command, log):
        self.log = log
        environment = {name: value for name, value in os.environ.items() if not name.startswith(SYSTEMD_VARIABLES)}
        with open(log, "ab") as output:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=environment,
                preexec_fn=lambda: _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM),
            )

    def said(self):
        return self.log.read_text(encoding="utf-8", errors="replace")

    def terminate(self):
        """SIGTERM, and SIGKILL for one that does not hear it. Answers the exit status."""
        pid = self.process.pid
        with contextlib.suppress(OSError):  # `unshare` itself hears no SIGTERM; the program in it does
            for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split():
                os.kill(int(child), signal.SIGTERM)
        self.process.terminate()
        try:
            return self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


class Board:
    """`sweetspot-sim mount`, for the length of a `with`."""

    def __init__(self, folder, name="agx-orin-64-jp6"):
        self.root = folder / "board"
        self.root.mkdir()
        self._command = [BUILD / "src/apps/sweetspot-sim/sweetspot-sim", "mount", "--board", name, self.root]
        self._log = folder / "board.log"

    def __enter__(self):
        self._program = _Program(self._command, self._log)
        try:
            eventually(lambda: "ready\n" in self._program.said() or self._program.process.poll() is not None)
            if self._program.process.poll() is not None:
                raise RuntimeError(f"no board could be mounted: {self._program.said()}")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self._program.terminate()
        if os.path.ismount(self.root):
            detach = ["umount", "-l"] if os.geteuid() == 0 else ["fusermount3", "-u", "-z"]
            subprocess.run([*detach, self.root], check=False)

    def control(self, line):
        """A fault or an event, in the grammar that `sweetspot-sim mount --help` prints."""
        (self.root / "control").write_text(line + "\n", encoding="utf-8")

    def gpu_limits_hz(self):
        """min_freq and max_freq, as the kernel's files show them."""
        return tuple(int((self._gpu_node() / name).read_text()) for name in ("min_freq", "max_freq"))

    def write_gpu_limits_hz(self, lowest, highest):
        """As an administrator would."""
        (self._gpu_node() / "max_freq").write_text(str(highest))
        (self._gpu_node() / "min_freq").write_text(str(lowest))

    def _gpu_node(self):
        return next((self.root / "sys/class/devfreq").glob("*gpu*"))


class Daemon:
    """`sweetspotd` on a mounted board, for the length of a `with`. Leaving it raises when the daemon did not end well.

    `wrapper` is a command that runs the daemon as its child, such as `unshare`.
    """

    def __init__(self, folder, board, config, wrapper=()):
        self.socket = folder / "socket" / INTERFACE  # in a directory that holds nothing else, as installed
        self.socket.parent.mkdir()
        config_file = folder / "config.json"
        config_file.write_text(json.dumps(config), encoding="utf-8")
        self._command = [*wrapper, BUILD / "src/apps/sweetspotd/sweetspotd", "--config", config_file, "--socket", self.socket]
        self._command += ["--sysfs-root", board.root, "--runtime-dir", folder / "private", "--state-dir", folder / "state"]
        self._log = folder / "sweetspotd.log"

    def __enter__(self):
        self._program = _Program(self._command, self._log)
        try:
            eventually(lambda: self._sees_the_board() or self._program.process.poll() is not None)
            if self._program.process.poll() is not None:
                raise RuntimeError(f"sweetspotd did not come up: {self._program.said()}")
        except BaseException:
            self._program.terminate()
            raise
        return self

    def __exit__(self, *_):
        status = self._program.terminate()
        print(f"\n{self._program.said()}", file=sys.stderr)
        if status != 0:
            raise AssertionError(f"sweetspotd ended with status {status}")

    def kill(self):
        """SIGKILL, as a crash would. Entering again starts a new daemon in its place."""
        self._program.process.kill()
        self._program.process.wait()

    def _sees_the_board(self):
        with contextlib.suppress(OSError):
            status = self.status()
            return status["gpu"]["node"] and status["rails"]
        return False

    def connect(self):
        return Connection(self.socket)

    def status(self):
        """GetStatus over a connection of its own."""
        with self.connect() as connection:
            return connection.call("GetStatus")["parameters"]

    def jobs(self):
        return self.status()["jobs"]


class BoardTest(unittest.TestCase):
    """A test with a board, a daemon on it and a temporary folder of its own."""

    config = {}
    daemon_wrapper = ()

    def setUp(self):
        if unavailable():
            self.skipTest(unavailable())
        scene = contextlib.ExitStack()
        self.addCleanup(scene.close)
        self.folder = pathlib.Path(scene.enter_context(self._temporary_folder()))
        self.board = scene.enter_context(Board(self.folder))
        self.daemon = scene.enter_context(Daemon(self.folder, self.board, self.config, self.daemon_wrapper))

    @staticmethod
    @contextlib.contextmanager
    def _temporary_folder():
        folder = tempfile.mkdtemp(prefix="sweetspot-test-")
        os.chmod(folder, 0o755)  # clients of other users come in
        try:
            yield folder
        finally:
            # A board that could not be unmounted keeps its folder: nothing is deleted through a mount.
            if not os.path.ismount(os.path.join(folder, "board")):
                shutil.rmtree(folder, ignore_errors=True)

    def end_with_test(self, process):
        """Kills a child with the test, or when the test waits too long for it; its pipes are closed then."""
        limit = threading.Timer(PATIENCE_S, process.kill)
        limit.start()

        def end():
            limit.cancel()
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()

        self.addCleanup(end)
        return process

    def bystander(self):
        """A process that does nothing, for jobs to belong to."""
        return self.end_with_test(subprocess.Popen(["sleep", str(10 * PATIENCE_S)]))


def code_blocks(document, language):
    """The fenced blocks of that language in a Markdown file of docs/, in order."""
    blocks, lines = [], None
    for line in (ROOT / "docs" / document).read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            if lines is not None:
                blocks.append("\n".join(lines) + "\n")
            lines = [] if line == f"```{language}" and lines is None else None
        elif lines is not None:
            lines.append(line)
    return blocks


def main():
    """unittest.main, with exit status 77 when a test was skipped, as the CMake lists know it."""
    program = unittest.main(verbosity=2, exit=False)
    if not program.result.wasSuccessful() or program.result.testsRun == 0:
        sys.exit(1)
    sys.exit(77 if program.result.skipped else 0)
