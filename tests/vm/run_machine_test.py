# SPDX-License-Identifier: Apache-2.0
"""What run_machine.py makes of what a machine reports; a script plays QEMU, so no machine is needed."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

from daemon_calls import eventually

# Writes the lines it was given for this boot to where the machine's agent would write them.
QEMU = """#!/bin/sh
for word; do
  case $word in file,id=agent,*path=*) reports=${word#*path=} ;; esac
done
echo boot >>"$FOLDER/boots"
cat "$FOLDER/lines$(wc -l <"$FOLDER/boots")" >>"$reports"
"""
PASSED = {"scenario": "a_promise", "fault": None, "notes": ["after 0.1 s"], "seconds": 0.1}
FAILED = {"scenario": "another", "fault": "Traceback\nAssertionError: 1 instead of 2", "notes": [], "seconds": 0.1}
END = {"end": True}


class Counting(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "qemu-system-aarch64").write_text(QEMU, encoding="ascii")
        (self.folder / "qemu-system-aarch64").chmod(0o755)
        control = self.folder / "tree/DEBIAN/control"
        control.parent.mkdir(parents=True)
        control.write_text(
            "Package: sweetspotd\nVersion: 1.2\nArchitecture: arm64\nMaintainer: Nobody <nobody@example.org>\nDescription: empty\n",
            encoding="ascii",
        )
        subprocess.run(["dpkg-deb", "--build", control.parents[1], self.folder / "a.deb"], check=True, stdout=subprocess.DEVNULL)

    def run_with(self, *reports, after_a_restart=()):
        for number, lines in enumerate((reports, after_a_restart), start=1):
            text = "".join(json.dumps(report) + "\n" for report in lines)
            (self.folder / f"lines{number}").write_text(text, encoding="ascii")
        with self.start() as process:
            output, errors = process.communicate(timeout=60)
        return subprocess.CompletedProcess(process.args, process.returncode, output, errors)

    def start(self):
        (self.folder / "cache").mkdir()
        (self.folder / "cache/disk.img").touch()
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "FOLDER": str(self.folder)}
        command = [sys.executable, "-B", HERE / "run_machine.py", self.folder / "cache", self.folder / "a.deb"]
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def assert_ends(self, done, status, line):
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (status, line), done.stdout + done.stderr)

    def test_all_passed(self):
        done = self.run_with({"boot": 1, "seconds": 20.0}, PASSED, PASSED, END)
        self.assert_ends(done, 0, "2 passed, 0 failed, 0 skipped")
        self.assertIn("after 0.1 s", done.stdout)

    def test_a_fault_is_shown_and_counted(self):
        done = self.run_with(PASSED, FAILED, END)
        self.assert_ends(done, 1, "1 passed, 1 failed, 0 skipped")
        self.assertIn("1 instead of 2", done.stdout)

    def test_a_machine_that_ends_early_has_failed(self):
        done = self.run_with(PASSED)
        self.assert_ends(done, 1, "1 passed, 1 failed, 0 skipped")
        self.assertIn("ended before its scenarios did", done.stdout)

    def test_a_restart_is_a_second_boot(self):
        done = self.run_with(PASSED, {"restart": True}, after_a_restart=[PASSED, FAILED, END])
        self.assert_ends(done, 1, "2 passed, 1 failed, 0 skipped")

    def test_a_machine_that_does_not_come_back_has_failed(self):
        done = self.run_with(PASSED, {"restart": True})
        self.assert_ends(done, 1, "1 passed, 1 failed, 0 skipped")

    def test_the_machine_ends_with_the_program_that_started_it(self):
        (self.folder / "qemu-system-aarch64").write_text('#!/bin/sh\necho $$ >"$FOLDER/pid"\nexec sleep 600\n', encoding="ascii")
        with self.start() as process:
            machine = eventually(lambda: (self.folder / "pid").exists() and (self.folder / "pid").read_text(encoding="ascii").strip())
            process.terminate()
            process.wait(60)
        eventually(lambda: not pathlib.Path(f"/proc/{machine}").exists())

    def test_no_scenario_is_a_failure(self):
        self.assert_ends(self.run_with(END), 1, "0 passed, 1 failed, 0 skipped")

    def test_the_package_to_upgrade_to_is_newer(self):
        self.run_with(PASSED, END)
        newer = self.folder / "cache/run/newer.deb"
        version = subprocess.run(["dpkg-deb", "--field", newer, "Version"], capture_output=True, text=True, check=True).stdout
        compared = subprocess.run(["dpkg", "--compare-versions", version.strip(), "gt", "1.2"], check=False)
        self.assertEqual(compared.returncode, 0, version)


if __name__ == "__main__":
    unittest.main(verbosity=2)
