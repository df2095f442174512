# SPDX-License-Identifier: Apache-2.0
"""The machine around the daemon: systemd, udev, dpkg, the journal."""

import json
import os
import pathlib
import re
import signal
import subprocess
import time

from clients import make_users, status
from daemon_calls import eventually

UNIT = "sweetspotd.service"
SOCKET_UNIT = "sweetspotd.socket"
DROP_IN = pathlib.Path("/run/systemd/system/sweetspotd.service.d")
PRIVATE = pathlib.Path("/run/sweetspotd-private")
SAVED_CLOCK = PRIVATE / "saved-clock"
# Copied into place by systemd-tmpfiles early in the next boot, before the daemon starts.
PLANTED = pathlib.Path("/var/lib/vm-agent/saved-clock")
PLANTING = pathlib.Path("/etc/tmpfiles.d/vm-agent.conf")
FOUND_OF_ANOTHER_BOOT = {"found_min_hz": "408000000", "found_max_hz": "612000000"}


def run(*command, check=True):
    done = subprocess.run(command, capture_output=True, text=True, timeout=400, check=False)
    if check and done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def trigger(command):
    pathlib.Path("/proc/sysrq-trigger").write_text(command, encoding="ascii")


def restart_suddenly():
    """No process gets a word in; the file systems are written first, or there would be no journal to look at."""
    run("journalctl", "--sync")
    os.sync()
    trigger("b")
    signal.pause()


def turn_off():
    os.sync()
    trigger("o")
    signal.pause()


class Machine:
    def __init__(self):
        self._began = 0.0

    def mark(self):
        """What the journal says from here on belongs to the scenario that begins."""
        self._began = time.time()

    def journal(self, *options):
        """journalctl since the mark, to the second. (A cursor is of no use: with a match, its first entry is skipped.)"""
        shown = run("journalctl", f"--since=@{int(self._began)}", "--no-pager", *options, check=False)
        return shown.stdout + shown.stderr

    def since_mark(self):
        return self.journal("-o", "short-monotonic", "-n", "60")

    def entries(self, *matches):
        """Entries of the daemon since the mark, as dictionaries of their fields."""
        lines = self.journal("-o", "json", "-q", "-t", "sweetspotd", *matches).splitlines()
        found = [json.loads(line) for line in lines if line.startswith("{")]
        return [entry for entry in found if int(entry["__REALTIME_TIMESTAMP"]) >= self._began * 1e6]

    def messages(self, *matches):
        return [entry["MESSAGE"] for entry in self.entries(*matches)]

    def make_well(self, package):
        """The package installed, nothing of an earlier scenario in force, the daemon answering."""
        if not pathlib.Path("/usr/sbin/sweetspotd").exists():
            install(package)
        make_users()
        if DROP_IN.exists():
            self.change_unit_back()
        run("udevadm", "control", "--start-exec-queue")
        run("systemctl", "reset-failed", SOCKET_UNIT, UNIT, check=False)  # forgets how often it was started of late
        if self.properties("ActiveState")["ActiveState"] != "active":
            run("systemctl", "start", SOCKET_UNIT, UNIT)
        eventually(lambda: not status()["jobs"])
        run("udevadm", "settle")

    def properties(self, *names):
        shown = run("systemctl", "show", UNIT, "-p", ",".join(names)).stdout
        return dict(line.split("=", 1) for line in shown.splitlines())

    def pid(self):
        return int(self.properties("MainPID")["MainPID"])

    def change_unit(self, section, *lines):
        """On top of the unit's own lines, for the present scenario; the daemon is started anew."""
        self.write_drop_in(section, *lines)
        run("systemctl", "restart", UNIT)

    def write_drop_in(self, section, *lines):
        """For the next start."""
        DROP_IN.mkdir(parents=True, exist_ok=True)
        (DROP_IN / "vm.conf").write_text("\n".join([f"[{section}]", *lines, ""]), encoding="ascii")
        run("systemctl", "daemon-reload")

    def change_unit_back(self):
        (DROP_IN / "vm.conf").unlink(missing_ok=True)
        DROP_IN.rmdir()
        run("systemctl", "daemon-reload")
        run("systemctl", "reset-failed", SOCKET_UNIT, UNIT, check=False)
        run("systemctl", "start", SOCKET_UNIT)
        run("systemctl", "restart", UNIT)

    def kill(self, pid, number):
        os.kill(pid, number)

    def is_another_daemon(self, than):
        """A daemon answers, and it is not the one with this process number."""
        try:
            return status()["pid"] != than
        except OSError:
            return False

    def has_dealt_with(self, death):
        """systemd has started another daemon, or given up."""
        seen = self.properties("MainPID", "ActiveState")
        return seen["MainPID"] != str(death) and seen["ActiveState"] in ("active", "failed")

    def boot_id(self):
        return pathlib.Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()

    def plant_saved_clock_of_this_boot(self):
        """The saved clock of the pin in force, as if /run outlived a restart. The limits it would restore are changed, so that a
        daemon that obeyed it would be seen."""
        text = SAVED_CLOCK.read_text(encoding="ascii")
        for key, value in FOUND_OF_ANOTHER_BOOT.items():
            text, changed = re.subn(rf"^{key}=\d+$", f"{key}={value}", text, flags=re.MULTILINE)
            assert changed == 1, text
        PLANTED.parent.mkdir(parents=True, exist_ok=True)
        PLANTED.write_text(text, encoding="ascii")
        PLANTING.write_text(
            f"d {PRIVATE} 0700 sweetspot sweetspot -\nC {SAVED_CLOCK} 0600 sweetspot sweetspot - {PLANTED}\n", encoding="ascii"
        )


def install(package):
    """dpkg asks no question and needs no network: what the package depends on is in the machine."""
    return run("dpkg", "--install", package)
