# SPDX-License-Identifier: Apache-2.0
"""The package put in, renewed and taken out of a machine that is up, with a job running."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

from machine import CACHE, MEMBER, SERVICE, SOCKET, Machine, descendants, eventually
from scene import FREE, JOB_HZ, PINNED

SOCKET_FILE = "/run/sweetspotd/io.sweetspotd.Governor"


def with_version(package, version):
    """The same package under another version, for an upgrade."""
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        subprocess.run(["dpkg-deb", "--raw-extract", package, folder], check=True)
        control = pathlib.Path(folder, "DEBIAN/control")
        text = re.sub(r"(?m)^Version:.*$", f"Version: {version}", control.read_text(encoding="utf-8"))
        control.write_text(text, encoding="utf-8")
        newer = package.with_name("newer.deb")
        subprocess.run(["dpkg-deb", "--root-owner-group", "--build", folder, newer], check=True, stdout=subprocess.DEVNULL)
    return newer


class Package(unittest.TestCase):
    """`package` is set by the runner. The machine is booted without sweetspotd; each test leaves it so."""

    package = None
    machine = None

    @classmethod
    def setUpClass(cls):
        if cls.package is None:
            raise unittest.SkipTest("no package was given")
        cls.machine = cls.enterClassContext(Machine(lambda root: None))
        for file in (cls.package, with_version(cls.package, "99.0")):
            shutil.copy(file, cls.machine.root / "opt")

    def setUp(self):
        self.addCleanup(self.machine.run, "dpkg", "--purge", "sweetspotd")
        self.machine.run("dpkg", "--install", f"/opt/{self.package.name}", check=True)

    def limits(self):
        return self.machine.board.gpu_limits_hz()

    def start_pinned_job(self):
        options = ("--policy", "fixed", "--freq", str(JOB_HZ))
        job = self.machine.start("sweetspot", "run", *options, "--", "sleep", "1000", user=MEMBER)
        self.addCleanup(self.end, job)
        eventually(lambda: self.limits() == PINNED)
        return job

    @staticmethod
    def end(job):
        for pid in [*descendants(job.pid), job.pid]:
            os.kill(pid, signal.SIGKILL)
        job.wait()
        job.stdout.close()

    def exists(self, *paths):
        return [path for path in paths if self.machine.run("test", "-e", path).returncode == 0]

    def test_installing_starts_the_service_and_lets_members_in(self):
        self.assertEqual([self.machine.show("ActiveState", unit) for unit in (SERVICE, SOCKET)], ["active", "active"])
        self.assertEqual([self.machine.show("UnitFileState", unit) for unit in (SERVICE, SOCKET)], ["enabled", "enabled"])
        self.start_pinned_job()
        said = self.machine.run("journalctl", "-x", "--no-pager", "-t", "sweetspotd", check=True).stdout
        self.assertIn("A training job asked the daemon for a GPU clock.", said)

    def test_an_upgrade_keeps_the_job_and_its_clock(self):
        job = self.start_pinned_job()
        pid = self.machine.show("MainPID")
        self.machine.run("dpkg", "--install", "/opt/newer.deb", check=True)
        self.assertEqual(self.limits(), PINNED)
        self.assertNotIn(self.machine.show("MainPID"), ("0", pid))
        status = json.loads(self.machine.run("sweetspot", "--json", "status", check=True).stdout)
        self.assertEqual(len(status["jobs"]), 1)
        self.assertIsNone(job.poll())

    def test_removing_gives_the_clock_back_and_leaves_the_training_and_the_configuration(self):
        self.machine.write("/etc/sweetspotd/config.json", "{}")
        job = self.start_pinned_job()
        self.machine.run("dpkg", "--remove", "sweetspotd", check=True)
        self.assertEqual(self.limits(), FREE)
        self.assertIsNone(job.poll())
        self.assertEqual(self.exists(SOCKET_FILE, "/usr/sbin/sweetspotd"), [])
        self.assertEqual(self.exists("/etc/sweetspotd/config.json"), ["/etc/sweetspotd/config.json"])
        self.assertIn(self.machine.show("ActiveState"), ("inactive", "failed"))

    def test_purging_leaves_nothing_behind(self):
        self.machine.write("/etc/sweetspotd/config.json", "{}")
        self.start_pinned_job()
        self.machine.run("dpkg", "--purge", "sweetspotd", check=True)
        self.assertEqual(self.limits(), FREE)
        left = self.exists("/etc/sweetspotd", "/var/lib/sweetspotd", "/run/sweetspotd-private", SOCKET_FILE)
        self.assertEqual(left, [])
        found = self.machine.run("find", "/etc", "/usr", "/lib", "/var/lib/systemd", "-name", "*sweetspot*").stdout
        self.assertEqual(found, "")
