# SPDX-License-Identifier: Apache-2.0
"""The scripts that count tests must never count a failure away, the one that installs must say what is wrong, and the one that builds
packages must know when it has to."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "scripts/lib"))

import promises  # noqa: E402  (found through the path above)

PASSED = '<testcase name="unit.A" time="0.1" status="run"/>'
SKIPPED = (
    '<testcase name="unit.B" time="0.1" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>'
    "<system-out>a_test.cpp:7: Skipped\nno /dev/fuse\n</system-out></testcase>"
)
FAILED = '<testcase name="unit.C" time="0.1" status="fail"><failure message="Failed"/></testcase>'
NOT_FOUND = '<testcase name="unit.D" time="0" status="notrun"><skipped message="Unable to find executable"/></testcase>'
DISABLED = '<testcase name="unit.E" time="0" status="disabled"><skipped message="Disabled"/></testcase>'


class PromisesAreHeld(unittest.TestCase):
    """docs/promises.md is held against the reports of what ran."""

    PAGE = "| a | `unit.A`, `unit.C` |\n| b | `vm.the_pin_is_seen`, `nspawn.it_restores` |\n"

    def broken(self, kind, text):
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder, "report")
            report.write_text(text, encoding="utf-8")
            return promises.broken(kind, [report], self.PAGE)

    def test_only_what_passed_holds_a_promise(self):
        self.assertEqual(self.broken("ctest", f"<testsuite>{PASSED}{PASSED.replace('unit.A', 'unit.C')}</testsuite>"), [])
        for other in ("", FAILED, SKIPPED.replace("unit.B", "unit.C")):
            self.assertEqual(self.broken("ctest", f"<testsuite>{PASSED}{other}</testsuite>"), ["unit.C"], other)

    def test_scenarios_of_a_machine_hold_theirs(self):
        self.assertEqual(self.broken("vm", "boot 1\nok     the_pin_is_seen (1.2 s)\n"), [])
        self.assertEqual(self.broken("vm", "FAILED the_pin_is_seen (1.2 s)\nok it_restores\n"), ["the_pin_is_seen"])
        self.assertEqual(self.broken("nspawn", "ok it_restores\n"), [])

    def test_the_page_promises_much(self):
        self.assertGreater(len(promises.promised("ctest")), 40)


class CountsAreHonest(unittest.TestCase):
    def count(self, cases, ctest_status=0):
        """Exit status and output lines of count_tests.py on a report with these cases."""
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder, "junit.xml")
            report.write_text(f"<testsuite>{''.join(cases)}</testsuite>", encoding="utf-8")
            return self.run_counter(report, ctest_status)

    def run_counter(self, report, ctest_status, *options):
        command = [sys.executable, "-B", root / "scripts/lib/count_tests.py", report, str(ctest_status), *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.splitlines()

    def test_passed_and_skipped_tests_are_told_apart(self):
        status, lines = self.count([PASSED, PASSED, SKIPPED])
        self.assertEqual((status, lines[-1]), (0, "2 passed, 0 failed, 1 skipped"))
        self.assertIn("skipped: unit.B: no /dev/fuse", lines)

    def test_a_failure_says_what_the_test_said(self):
        said = "[ RUN ] C\na_test.cpp:7: Failure\nExpected: 1\nActual: 2\n"
        failed = FAILED.replace("</testcase>", f"<system-out>{said}</system-out></testcase>")
        self.assertIn("failed: unit.C: a_test.cpp:7: Failure: Expected: 1", self.count([failed], ctest_status=8)[1])
        failed = FAILED.replace("</testcase>", "<system-out>Traceback\nAssertionError: 1 != 2\n\nFAILED\n</system-out></testcase>")
        self.assertIn("failed: unit.C: AssertionError: 1 != 2", self.count([failed], ctest_status=8)[1])

    def test_a_failure_is_named_and_fails_the_run(self):
        status, lines = self.count([PASSED, FAILED], ctest_status=8)
        self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed, 0 skipped"))
        self.assertIn("failed: unit.C: Failed", lines)

    def test_what_could_not_run_counts_as_failed(self):
        for case in [NOT_FOUND, DISABLED]:
            status, lines = self.count([PASSED, case])
            self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed, 0 skipped"))

    def test_a_bad_status_of_ctest_is_not_overlooked(self):
        status, lines = self.count([PASSED], ctest_status=8)
        self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed, 0 skipped"))

    def test_a_report_of_a_sanitizer_is_a_failure_whatever_the_tests_say(self):
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder, "junit.xml")
            report.write_text(f"<testsuite>{PASSED}</testsuite>", encoding="utf-8")
            reports = pathlib.Path(folder, "reports")
            reports.mkdir()
            self.assertEqual(self.run_counter(report, 0, "--reports", reports)[1][-1], "1 passed, 0 failed, 0 skipped")
            (reports / "report.77").write_text("ERROR: AddressSanitizer", encoding="utf-8")
            status, lines = self.run_counter(report, 0, "--reports", reports)
            self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed, 0 skipped"))
            self.assertIn("ERROR: AddressSanitizer", lines)

    def test_no_test_is_a_failure(self):
        self.assertEqual(self.count([])[0], 1)

    def test_no_report_is_a_failure(self):
        status, lines = self.run_counter("no/such/report.xml", 0)
        self.assertEqual((status, lines[-1]), (1, "0 passed, 1 failed, 0 skipped"))


class StagesAddUp(unittest.TestCase):
    def run_stages(self, *stages):
        calls = "\n".join(f"stage {name} bash -c '{text}'" for name, text in stages)
        return self.run_calls(calls)

    def run_calls(self, calls):
        """The lines and the status of a run of these calls, in a copy of scripts/lib."""
        with tempfile.TemporaryDirectory() as folder:
            library = pathlib.Path(folder, "scripts/lib")
            library.mkdir(parents=True)
            (library / "stages.sh").write_bytes((root / "scripts/lib/stages.sh").read_bytes())
            script = f"set -uo pipefail\n. {library}/stages.sh\n{calls}\nclose_stages\n"
            done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
            return done.stdout.splitlines(), done.returncode

    def test_counts_are_added(self):
        lines, status = self.run_stages(("a", "echo 3 passed, 0 failed, 1 skipped"), ("b", "echo 4 passed, 0 failed, 0 skipped"))
        self.assertEqual((lines[-1], status), ("7 passed, 0 failed, 1 skipped", 0))

    def test_a_stage_that_crashes_counts_as_one_failed_and_the_next_still_runs(self):
        lines, status = self.run_stages(("a", "kill -SEGV $$"), ("b", "echo 4 passed, 0 failed, 0 skipped"))
        self.assertEqual((lines[-1], status), ("4 passed, 1 failed, 0 skipped", 1))

    def test_a_bad_status_after_a_good_count_is_a_failure(self):
        lines, status = self.run_stages(("a", "echo 3 passed, 0 failed, 0 skipped; exit 3"))
        self.assertEqual((lines[-1], status), ("3 passed, 1 failed, 0 skipped", 1))

    def test_a_stage_that_fits_into_the_budget_runs(self):
        lines, status = self.run_calls("stage_within 100 50 a echo 3 passed, 0 failed, 0 skipped")
        self.assertEqual((lines[-1], status), ("3 passed, 0 failed, 0 skipped", 0))

    def test_a_stage_that_does_not_is_skipped_with_its_reason(self):
        lines, status = self.run_calls("stage_within 100 50 a true\nstage_within 100 101 b scripts/test-b now")
        self.assertEqual((lines[-1], status), ("1 passed, 0 failed, 1 skipped", 0))
        verdict = next(line for line in lines if line.startswith("b: "))
        self.assertRegex(verdict, "^b: SKIPPED: it takes some 101 s, .* run scripts/test-b now$")

    def test_only_the_last_line_has_the_form_of_a_closing_line(self):
        lines, _ = self.run_stages(("a", "echo 3 passed, 0 failed, 0 skipped"))
        self.assertEqual([line for line in lines if line[:1].isdigit()], ["3 passed, 0 failed, 0 skipped"])


class InstallingSaysWhatIsWrong(unittest.TestCase):
    def install(self, *arguments, **environment):
        command = ["/bin/bash", root / "scripts/install-dependencies", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})

    def test_another_distribution_is_refused_with_the_list(self):
        done = self.install(PATH="/nonexistent")
        self.assertEqual(done.returncode, 1)
        self.assertIn("neither Debian nor Ubuntu", done.stderr)
        self.assertIn("libsystemd-dev", done.stderr)

    def test_an_unknown_argument_is_a_usage_error(self):
        self.assertEqual(self.install("--frobnicate").returncode, 2)

    def test_building_needs_no_test_library(self):
        names = self.install("--build-only", "--list").stdout.split()
        self.assertIn("libsystemd-dev", names)
        self.assertNotIn("libgtest-dev", names)

    def test_only_training_needs_a_torch(self):
        self.assertNotIn("python3-torch", self.install("--list").stdout.split())
        self.assertIn("python3-torch", self.install("--list", "--training").stdout.split())


class PackagesAreBuiltOnce(unittest.TestCase):
    """Who asks for packages gets those built before, for as long as they would be the same."""

    FILES = ("src/a.cpp", "docs/a.md", "tests/a.py", "scripts/test", "scripts/build-packages", "scripts/lib/cross_chroot.sh")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        for name in (*self.FILES, "scripts/lib/package_source.sh"):
            (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
            (self.tree / name).write_text("one\n", encoding="utf-8")
        (self.tree / "scripts/lib/package_source.sh").write_bytes((root / "scripts/lib/package_source.sh").read_bytes())
        self.git("init", "--quiet")
        self.commit(date=1_000_000_000)

    def git(self, *words, **environment):
        identity = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
        subprocess.run(["git", *identity, *words], cwd=self.tree, env={**os.environ, **environment}, check=True)

    def commit(self, date):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message=x", GIT_COMMITTER_DATE=f"{date} +0000")

    def asked(self, command, **environment):
        without = {name: value for name, value in os.environ.items() if name not in ("SOURCE_DATE_EPOCH", "DEBEMAIL", "DEBFULLNAME")}
        script = f". scripts/lib/package_source.sh; {command}"
        shown = subprocess.run(
            ["bash", "-euc", script], cwd=self.tree, env={**without, **environment}, capture_output=True, text=True, check=True
        )
        return shown.stdout

    def made_from(self, version="", **environment):
        return self.asked(f"package_is_made_from '{version}'", **environment)

    def after_changing(self, name):
        (self.tree / name).write_text("two\n", encoding="utf-8")
        return self.made_from()

    def test_what_only_tests_and_checks_changes_nothing(self):
        before = self.made_from()
        self.assertEqual([self.after_changing(name) for name in ("tests/a.py", "scripts/test")], [before, before])

    def test_whatever_else_changes_is_built(self):
        seen = [self.made_from()]
        for name in ("src/a.cpp", "docs/a.md", "scripts/build-packages", "scripts/lib/cross_chroot.sh", "src/new.cpp"):
            seen.append(self.after_changing(name))
        self.assertEqual(len(set(seen)), len(seen))

    def test_a_file_that_goes_is_noticed(self):
        before = self.made_from()
        (self.tree / "docs/a.md").unlink()
        self.assertNotEqual(self.made_from(), before)

    def test_version_and_maintainer_are_part_of_a_package(self):
        self.assertEqual(len({self.made_from(), self.made_from("2.0"), self.made_from(DEBEMAIL="me@example.org")}), 3)

    def test_packages_are_dated_by_the_last_change_of_what_they_are_made_from(self):
        (self.tree / "tests/a.py").write_text("two\n", encoding="utf-8")
        self.commit(date=1_000_000_001)
        self.assertEqual(self.asked("source_date"), "1000000000\n")
        (self.tree / "src/a.cpp").write_text("two\n", encoding="utf-8")
        self.commit(date=1_000_000_002)
        self.assertEqual(self.asked("source_date"), "1000000002\n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
