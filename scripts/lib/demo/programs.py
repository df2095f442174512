# SPDX-License-Identifier: Apache-2.0
"""The three programs of the demo as child processes: the simulated board, the daemon on it, the stand-in training."""

import contextlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

import published

BOARD = "agx-orin-64-jp6"
START_LIMIT_S = 30
POLL_S = 0.05
IN_CONTAINER = "start it with `--device /dev/fuse --cap-add SYS_ADMIN`"
COUNTED_RAILS = ("VDD_GPU_SOC", "VDD_CPU_CV")


class DemoError(Exception):
    """Ends the demo with this sentence and this exit status."""

    def __init__(self, sentence, status=1):
        super().__init__(sentence)
        self.status = status


class Programs:
    """Where the build left them."""

    def __init__(self, build):
        self.daemon = build / "src/apps/sweetspotd/sweetspotd"
        self.simulator = build / "src/apps/sweetspot-sim/sweetspot-sim"
        for program in (self.daemon, self.simulator):
            if not program.exists():
                raise DemoError(f"no {program}: build first, or run scripts/demo, which does")


def fuse_problem():
    """Why a board cannot be mounted here, with the fix; None when nothing speaks against it."""
    if not os.path.exists("/dev/fuse"):
        return (
            "the simulated board needs FUSE, and there is no /dev/fuse. Load it with `modprobe fuse` as root; in a container, "
            f"{IN_CONTAINER}."
        )
    if os.geteuid() != 0 and not shutil.which("fusermount3"):
        return "the simulated board needs fusermount3 to be mounted without root: `sudo apt-get install fuse3`."
    return None


def stop(process):
    """SIGTERM, and SIGKILL for one that does not hear it."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
    process.wait()


@contextlib.contextmanager
def temporary_folder():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sweetspot-demo-"))
    try:
        yield folder
    finally:
        # A board that could not be unmounted keeps its folder: nothing is deleted through a mount.
        if not os.path.ismount(folder / "board"):
            shutil.rmtree(folder, ignore_errors=True)


class Board:
    """`sweetspot-sim mount`, for the length of a `with`."""

    def __init__(self, programs, folder, time_scale, seed):
        self.root = folder / "board"
        self._log = folder / "board.log"
        self._command = [programs.simulator, "mount", "--board", BOARD, "--time-scale", str(time_scale)]
        self._command += ["--seed", str(seed), self.root]

    def __enter__(self):
        self.root.mkdir(exist_ok=True)
        with open(self._log, "w", encoding="utf-8") as log:
            self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True)
        if self._process.stdout.readline().strip() != "ready":
            stop(self._process)
            said = self._log.read_text(encoding="utf-8").strip()
            raise DemoError(f"no board could be mounted; in a container, {IN_CONTAINER}. The simulator said: {said or 'nothing'}", 3)
        return self

    def __exit__(self, *_):
        stop(self._process)
        self._process.stdout.close()
        if os.path.ismount(self.root):
            detach = ["umount", "-l"] if os.geteuid() == 0 else ["fusermount3", "-u", "-z"]
            subprocess.run([*detach, self.root], check=False)

    def truth(self):
        return json.loads((self.root / "truth").read_text(encoding="utf-8"))

    def limits_hz(self):
        """The GPU clock's limits, as the kernel's files show them."""
        node = next((self.root / "sys/class/devfreq").glob("*gpu*"))
        return tuple(int((node / name).read_text()) for name in ("min_freq", "max_freq"))


class Daemon:
    """`sweetspotd` on a mounted board, for the length of a `with`."""

    def __init__(self, programs, folder, board, config):
        self.socket = folder / "socket"
        self._log = folder / "sweetspotd.log"
        config_file = folder / "config.json"
        config_file.write_text(json.dumps(config, indent=2), encoding="utf-8")
        self._command = [programs.daemon, "--config", config_file, "--socket", self.socket]
        self._command += ["--sysfs-root", board.root, "--runtime-dir", folder / "runtime", "--state-dir", folder / "state"]

    def __enter__(self):
        with open(self._log, "w", encoding="utf-8") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log, start_new_session=True)
        try:
            self.wait_until_ready()
        except BaseException:
            stop(self._process)
            raise
        return self

    def __exit__(self, *_):
        stop(self._process)

    def wait_until_ready(self):
        """It sees the board, and the clock of the job before has been given back."""
        deadline = time.monotonic() + START_LIMIT_S
        while time.monotonic() < deadline and self._process.poll() is None:
            with contextlib.suppress(OSError):
                status = self._status()
                if status["gpu"]["node"] and status["rails"] and status["clock"]["condition"] == "released" and not status["jobs"]:
                    return
            time.sleep(POLL_S)
        said = self._log.read_text(encoding="utf-8").strip()
        raise DemoError(f"sweetspotd is not ready on the simulated board:\n{said}")

    def _status(self):
        """GetStatus over varlink: one JSON object, ended by a NUL byte, each way."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            connection.connect(str(self.socket))
            connection.sendall(b'{"method": "io.sweetspotd.Governor.GetStatus"}\0')
            answer = b""
            while not answer.endswith(b"\0"):
                part = connection.recv(65536)
                if not part:
                    raise ConnectionResetError("the daemon hung up")
                answer += part
        return json.loads(answer[:-1])["parameters"]


class Training:
    """One job: `sweetspot-sim train` on the board, told to the daemon."""

    def __init__(self, programs, board, daemon, workload, policy):
        self._board = board
        self._command = [programs.simulator, "train", "--sysfs-root", board.root, "--workload", workload]
        self._command += ["--socket", daemon.socket, "--policy", policy, "--json"]
        self._jobs_before = len(board.truth()["loads"])
        self._steps = 0
        self._mhz = None
        self.steps_at_mhz = {}

    def run(self, on_progress):
        """The daemon's record. `on_progress(share)` is called while the job runs."""
        process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        try:
            while process.poll() is None:
                on_progress(self._observe())
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(POLL_S)
            said = process.stdout.read()
        finally:
            stop(process)
            process.stdout.close()
        record = json.loads(said)["record"] if process.returncode == 0 else None
        if not record:
            raise DemoError("the training ended without a record of sweetspotd; what it said stands above")
        return record

    def _observe(self):
        """Attributes the steps done since the last look to the clock then and now; answers the share done."""
        truth = self._board.truth()
        if len(truth["loads"]) <= self._jobs_before:
            return 0
        load = truth["loads"][-1]
        mhz = published.clock_mhz(truth["clock_hz"])
        if load["running"]:
            half = (load["steps"] - self._steps) / load["total"] / 2
            for clock in (mhz, self._mhz or mhz):
                self.steps_at_mhz[clock] = self.steps_at_mhz.get(clock, 0) + half
            self._steps, self._mhz = load["steps"], mhz
        return load["steps"] / load["total"]

    def idle_share(self, record):
        """Share of the job's time in which the board did none of its steps."""
        return 1 - self._board.truth()["loads"][-1]["busy_s"] / record["duration_s"]

    def true_joules(self):
        """What the simulator itself counted for the job's load, on the rails of the paper."""
        energy = self._board.truth()["loads"][-1]["energy_j"]
        return sum(energy[rail] for rail in COUNTED_RAILS)
