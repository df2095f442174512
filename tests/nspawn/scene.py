# SPDX-License-Identifier: Apache-2.0
"""A test on the running machine: the service idle and as installed when it begins, whatever the test before left."""

import json
import os
import signal
import unittest

from machine import MEMBER, SERVICE, SOCKET, descendants, eventually

FREE = (306000000, 1300500000)
JOB_HZ = 612000000
PINNED = (JOB_HZ, JOB_HZ)
CONFIG = "/etc/sweetspotd/config.json"
DROP_IN = f"/run/systemd/system/{SERVICE}.d/test.conf"


class MachineTest(unittest.TestCase):
    """`machine` is set by the runner: all tests share one that is up."""

    machine = None

    def setUp(self):
        self.addCleanup(self.clear_up)
        self.machine.systemctl("start", SOCKET, SERVICE)
        self.since = self.cursor()

    def clear_up(self):
        """Runs after what the test itself cleans up."""
        machine = self.machine
        machine.systemctl("stop", SERVICE, check=False)
        left = self.limits()
        machine.run("rm", "-rf", DROP_IN, CONFIG, check=True)
        machine.board.control("clear all")
        machine.systemctl("daemon-reload")
        machine.systemctl("reset-failed")
        if left != FREE:
            machine.board.write_gpu_limits_hz(*FREE)
        self.assertEqual(left, FREE, "limits after the service was stopped")

    def cursor(self):
        said = self.machine.run("journalctl", "--lines=0", "--show-cursor", "--no-pager", check=True).stdout
        return said.rsplit("cursor: ", 1)[1].strip()

    def entries(self, **fields):
        """Of the journal, since the test began: those of the daemon's programs with these values."""
        wanted = {"SYSLOG_IDENTIFIER": "sweetspotd", **fields}
        # systemd 252 loses the first entry when it is to start after a cursor and to match fields as well.
        after = self.machine.journal(f"--after-cursor={self.since}")
        return [entry for entry in after if wanted.items() <= entry.items()]

    def said(self):
        """What the daemon told the journal since the test began."""
        return "\n".join(entry["MESSAGE"] for entry in self.entries())

    def limits(self):
        return self.machine.board.gpu_limits_hz()

    def until_limits(self, wanted):
        eventually(lambda: self.limits() == wanted)

    def daemon_pid(self):
        return int(self.machine.show("MainPID"))

    def drop_in(self, lines):
        self.machine.write(DROP_IN, lines)
        self.machine.systemctl("daemon-reload")

    def restart_with(self, lines):
        self.drop_in(lines)
        self.machine.systemctl("restart", SERVICE)

    def status(self, user=None):
        return json.loads(self.machine.run("sweetspot", "--json", "status", user=user, check=True).stdout)

    def health(self):
        """{reason: detail} of GetStatus."""
        return {trouble["reason"]: trouble["detail"] for trouble in self.status()["health"]}

    def start_job(self, user=MEMBER):
        """A command that runs on as a job; ends with the test."""
        options = ("--policy", "fixed", "--freq", str(JOB_HZ))
        job = self.machine.start("sweetspot", "run", *options, "--", "sleep", "1000", user=user)
        self.addCleanup(self.end, job)
        return job

    def start_pinned_job(self):
        job = self.start_job()
        self.until_limits(PINNED)
        return job

    def end(self, process):
        for pid in [*descendants(process.pid), process.pid]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        process.wait()
        process.stdout.close()

    def kill_daemon(self, name):
        self.machine.run("kill", "-s", name, str(self.daemon_pid()), check=True)
