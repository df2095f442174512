# SPDX-License-Identifier: Apache-2.0
"""The demo, short. Usage: demo_test.py BUILD [TestCase]…   Exit status 77: skipped, the reason stands in the output."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest

root = pathlib.Path(__file__).resolve().parents[2]
build = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else root / "build/dev"
sys.path[:0] = [str(root / "scripts/lib"), str(root / "scripts/lib/demo")]

import published  # noqa: E402
from programs import fuse_problem  # noqa: E402

ROW = re.compile(
    r"^(?P<workload>\S*) +(?P<policy>none|ffg|mlg(?:, stage o(?:n|ff))?) {2,}(?P<clock>.*?) {2,}(?P<why>.*?) {2,}"
    r"(?P<kj>[\d.]+)\*? +(?P<saving>-?[\d.]+ %|-) +(?P<published>-?[\d.]+ %|-)(?:\*\*)?$",
    re.MULTILINE,
)


def demo(*arguments, **options):
    command = [sys.executable, "-B", root / "scripts/demo.py", "--build", build, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


@unittest.skipIf(fuse_problem(), fuse_problem() or "")
class ShortRun(unittest.TestCase):
    def test_the_table_says_what_each_policy_did_and_the_savings_agree(self):
        arguments = ["--workload", "deberta-v2-xlarge/sst2", "--workload", "pythia-14m/qnli", "--faster", "1.5"]
        process = demo(*arguments)
        out, err = process.communicate(timeout=170)
        self.assertEqual(process.returncode, 0, out + err)
        rows = [match.groupdict() for match in ROW.finditer(out)]
        clocks = [(row["policy"], row["clock"]) for row in rows]
        deberta = [("none", "governor's"), ("ffg", "612 MHz"), ("mlg", "714 MHz")]
        pythia = [
            ("none", "governor's"),
            ("ffg", "612 MHz"),
            ("mlg, stage off", "612 MHz"),
            ("mlg, stage on", "612 then 1020 MHz"),
        ]
        self.assertEqual(clocks, deberta + pythia, out)
        self.assertIn(": stays", rows[2]["why"])
        self.assertIn("A simulated board", out)
        self.assertIn("This project took none of these figures on a Jetson", out)
        self.assertEqual(err.count("\n"), len(rows), err)  # one line of progress per job, where there is no terminal


@unittest.skipIf(fuse_problem(), fuse_problem() or "")
class Interrupted(unittest.TestCase):
    def test_nothing_is_left_behind(self):
        with tempfile.TemporaryDirectory() as folder:
            process = demo("--workload", "pythia-14m/qnli", "--faster", "10", env={**os.environ, "TMPDIR": folder})
            self.assertIn("pythia-14m/qnli under none", process.stderr.readline())  # the board is up, the next job runs
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 128 + signal.SIGINT, err)
            self.assertIn("ended by SIGINT", err)
            self.assertEqual(os.listdir(folder), [])
            self.assertNotIn(folder, pathlib.Path("/proc/mounts").read_text(encoding="utf-8"))
            self.assertEqual(self.processes_that_name(folder), [])

    @staticmethod
    def processes_that_name(folder):
        found = []
        for command in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                text = command.read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue  # it has ended meanwhile
            if folder in text:
                found.append(text)
        return found


class TableOfTheSimulator(unittest.TestCase):
    def test_the_demos_copy_of_the_published_table_is_the_one_played(self):
        program = build / "src/apps/sweetspot-sim/sweetspot-sim"
        listed = json.loads(subprocess.check_output([program, "workloads", "--json"], text=True))
        curves = {workload["id"]: workload["published_curve"] for workload in listed}
        for workload, pinned in published.PINNED_J.items():
            for point in curves[workload]["pinned"]:
                self.assertAlmostEqual(pinned[point["clock_mhz"]], point["energy_j"], delta=0.51)
            self.assertAlmostEqual(published.MAXN_J[workload], curves[workload]["maxn_energy_j"], delta=0.51)


if __name__ == "__main__":
    program = unittest.main(verbosity=2, exit=False)
    if not program.result.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if program.result.skipped else 0)
