# SPDX-License-Identifier: Apache-2.0
"""The unit files: what systemd says of them without running them, and that each line says why it is there."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("SWEETSPOT_BUILD", ROOT / "build/dev"))
UNITS = ROOT / "systemd"
INSTALLED_PROGRAM = "/usr/sbin/sweetspotd"
HIGHEST_EXPOSURE = 1.0  # of 10, as `systemd-analyze security` counts
NEEDS_NO_REASON = {"Description", "Documentation"}
LEFT_OUT = "# Left out, and why:"


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def service_text():
    return (UNITS / "sweetspotd.service").read_text(encoding="utf-8")


def restore_text():
    return (UNITS / "sweetspotd-restore.service").read_text(encoding="utf-8")


def directive(line):
    """The name before "=", or None for comments, sections and empty lines."""
    found = re.match(r"([A-Z][A-Za-z]*)=", line)
    return found.group(1) if found else None


def lines_without_reason(text):
    """Directives whose line above is no comment."""
    lines = text.splitlines()
    pairs = zip([""] + lines, lines)
    return [line for above, line in pairs if directive(line) and directive(line) not in NEEDS_NO_REASON and above[:2] != "# "]


def left_out(text):
    """{what is left out: why}, from the list in the service's comments."""
    listed = text.partition(LEFT_OUT)[2].partition("\n\n")[0]
    return dict(re.findall(r"^# (\S+=\S*): (.+)$", listed, re.MULTILINE))


class UnitTest(unittest.TestCase):
    def setUp(self):
        if not shutil.which("systemd-analyze"):
            self.skipTest("no systemd-analyze; it comes with the package systemd")
        folder = tempfile.TemporaryDirectory(prefix="sweetspot-units-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        return self.folder / name


class EveryLineHasItsReason(UnitTest):
    def test_in_each_unit(self):
        for unit in ("sweetspotd.service", "sweetspotd-restore.service", "sweetspotd.socket"):
            self.assertEqual(lines_without_reason((UNITS / unit).read_text(encoding="utf-8")), [])

    def test_a_line_without_one_is_found(self):
        text = service_text().replace("# Only the daemon speaks", "\n# Only the daemon speaks", 1)
        text = text.replace("[Install]", "[Install]\nAlias=clock.service")
        self.assertEqual(lines_without_reason(text), ["Alias=clock.service"])

    def test_each_protection_that_is_open_is_named_as_left_out_with_a_reason(self):
        answer = run("systemd-analyze", "security", "--offline=true", "--json=short", UNITS / "sweetspotd.service")
        open_ones = {check["name"] for check in json.loads(answer.stdout) if check["exposure"] is not None}
        self.assertIn("PrivateUsers=", open_ones)
        # Set on purpose, with its reason above the line.
        self.assertIn("SupplementaryGroups=", open_ones)
        self.assertEqual(open_ones - left_out(service_text()).keys() - {"SupplementaryGroups="}, set())

    def test_what_is_named_as_left_out_is_not_set(self):
        names = {directive(name) for name in left_out(service_text()) if "~" not in name}
        self.assertIn("ProtectProc", names)
        self.assertEqual(names & {directive(line) for line in service_text().splitlines()}, set())


class WhatARestartNeeds(UnitTest):
    """docs/system-service.md lists it."""

    def values(self, name):
        return re.findall(rf"(?m)^{name}=(.*)$", service_text())

    def test_the_daemon_alone_speaks_to_the_manager_which_keeps_its_jobs_descriptors(self):
        self.assertEqual(self.values("Type"), ["notify"])
        self.assertEqual(self.values("NotifyAccess"), ["main"])
        jobs = re.search(r"`limits\.jobs` \|[^|]*\| `(\d+)`", (ROOT / "docs/configuration.md").read_text(encoding="utf-8"))
        self.assertGreaterEqual(int(self.values("FileDescriptorStoreMax")[0]), 2 * int(jobs.group(1)) + 1)

    def test_what_the_daemon_leaves_is_there_for_those_who_restore(self):
        self.assertEqual(self.values("RuntimeDirectoryPreserve"), ["yes"])
        self.assertEqual(self.values("ExecStopPost"), [f"{INSTALLED_PROGRAM} --restore"])
        self.assertEqual(self.values("OnFailure"), ["sweetspotd-restore.service"])
        folder = self.values("RuntimeDirectory")[0]
        self.assertIn(f"\nRuntimeDirectory={folder}\n", restore_text())
        self.assertIn(f"\nExecStart={INSTALLED_PROGRAM} --restore\n", restore_text())

    def test_the_bus_is_within_reach(self):
        self.assertIn("AF_UNIX", self.values("RestrictAddressFamilies")[0].split())
        self.assertEqual(self.values("InaccessiblePaths"), [])


class UnitsVerify(UnitTest):
    def verify(self, service):
        """What systemd-analyze finds in this text beside the other units, which run the same program."""
        self.write("sweetspotd.service", service)
        program = re.search(r"(?m)^ExecStart=(\S+)", service).group(1)
        self.write("sweetspotd-restore.service", restore_text().replace(INSTALLED_PROGRAM, program))
        shutil.copy(UNITS / "sweetspotd.socket", self.folder)
        units = [self.folder / name for name in ("sweetspotd.service", "sweetspotd-restore.service", "sweetspotd.socket")]
        return run("systemd-analyze", "verify", "--man=no", *units)

    def service_of_build(self):
        program = BUILD / "src/apps/sweetspotd/sweetspotd"
        if not program.exists():
            self.skipTest(f"no {program}; build it first")
        return service_text().replace(INSTALLED_PROGRAM, str(program))

    def test_without_a_word(self):
        answer = self.verify(self.service_of_build())
        self.assertEqual((answer.returncode, answer.stdout + answer.stderr), (0, ""))

    def test_a_misspelt_line_is_found(self):
        answer = self.verify(self.service_of_build().replace("WatchdogSec=", "WatchdogSeconds="))
        self.assertIn("WatchdogSeconds", answer.stderr)

    def test_a_program_that_is_not_there_is_found(self):
        answer = self.verify(service_text().replace(INSTALLED_PROGRAM, str(self.folder / "nothing")))
        self.assertNotEqual(answer.returncode, 0)
        self.assertIn("not executable", answer.stderr)


class ExposureIsLow(UnitTest):
    def exposure(self, service):
        unit = self.write("sweetspotd.service", service)
        answer = run("systemd-analyze", "security", "--offline=true", "--no-pager", unit)
        found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", answer.stdout)
        self.assertIsNotNone(found, answer.stderr)
        return float(found.group(1))

    def test_of_the_service(self):
        self.assertLessEqual(self.exposure(service_text()), HIGHEST_EXPOSURE)

    def test_of_what_restores_after_it(self):
        self.assertLessEqual(self.exposure(restore_text()), HIGHEST_EXPOSURE)

    def test_of_the_service_without_its_capability_line_is_higher(self):
        without = service_text().replace("\nCapabilityBoundingSet=\n", "\n")
        self.assertGreater(self.exposure(without), HIGHEST_EXPOSURE)


class UsersAreMade(UnitTest):
    def test_the_daemons_user_and_the_clients_group(self):
        if not shutil.which("systemd-sysusers"):
            self.skipTest("no systemd-sysusers; it comes with the package systemd")
        (self.folder / "etc").mkdir()
        answer = run("systemd-sysusers", f"--root={self.folder}", UNITS / "sysusers.conf")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        users = (self.folder / "etc/passwd").read_text(encoding="utf-8")
        groups = (self.folder / "etc/group").read_text(encoding="utf-8")
        self.assertRegex(users, r"(?m)^sweetspot:.*:/usr/sbin/nologin$")
        self.assertRegex(groups, r"(?m)^sweetspot:")
        self.assertRegex(groups, r"(?m)^sweetspot-users:")
        self.assertNotRegex(groups, r"(?m)^sweetspot-users:.*:sweetspot$")


class InstalledFilesNameTheirPrefix(UnitTest):
    def installed(self, prefix):
        environment = {**os.environ, "DESTDIR": str(self.folder)}
        command = ["cmake", "-DCMAKE_INSTALL_PREFIX=" + prefix, "-P", BUILD / "systemd/cmake_install.cmake"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / prefix.strip("/") / "lib"

    def test_as_the_distribution_has_it(self):
        library = self.installed("/usr")
        self.assertEqual((library / "systemd/system/sweetspotd.service").read_text(encoding="utf-8"), service_text())
        for file in ("systemd/system/sweetspotd.socket", "udev/rules.d/60-sweetspotd.rules", "sysusers.d/sweetspotd.conf"):
            self.assertTrue((library / file).exists(), file)

    def test_elsewhere(self):
        library = self.installed("/usr/local")
        units = ("systemd/system/sweetspotd.service", "systemd/system/sweetspotd-restore.service")
        for file in (*units, "udev/rules.d/60-sweetspotd.rules"):
            text = (library / file).read_text(encoding="utf-8")
            self.assertIn("/usr/local/sbin/sweetspotd", text)
            self.assertNotIn("/usr/sbin/sweetspotd", text)


def main():
    """unittest.main, with exit status 77 when a test was skipped, as the CMake lists know it."""
    program = unittest.main(verbosity=2, exit=False)
    if not program.result.wasSuccessful() or program.result.testsRun == 0:
        sys.exit(1)
    sys.exit(77 if program.result.skipped else 0)


if __name__ == "__main__":
    main()
