# SPDX-License-Identifier: Apache-2.0
"""The reproduction. Usage: reproduction_test.py BUILD [TestCase]…   Exit status 77: skipped, the reason stands in the output."""

import csv
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

root = pathlib.Path(__file__).resolve().parents[2]
build = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else root / "build/dev"
sys.path[:0] = [str(root / "scripts/lib/reproduction"), str(root / "scripts/lib/demo"), str(root / "scripts/lib")]

import report  # noqa: E402
import tables  # noqa: E402
from configurations import MODELS, TRAINING_TASKS, UNSEEN_TASKS, Configuration, Model, Task, configurations  # noqa: E402
from programs import fuse_problem  # noqa: E402


def reproduce(folder, *arguments):
    """What it prints."""
    command = [sys.executable, "-B", root / "scripts/reproduce.py", "--build", build, "--output", folder, *arguments]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)
    return done.stdout


class Configurations(unittest.TestCase):
    def test_are_27_and_six_unseen_tasks_of_the_same_nine_models(self):
        self.assertEqual(len(configurations(TRAINING_TASKS)), 27)
        self.assertEqual(len(configurations(UNSEEN_TASKS)), 54)
        self.assertFalse({task.name for task in TRAINING_TASKS} & {task.name for task in UNSEEN_TASKS})

    def test_have_the_steps_of_one_epoch(self):
        job = Configuration(Model("m", 1, 2, 64, 32), Task("t", 640, 10))
        self.assertEqual(job.steps, 20)

    def test_work_grows_with_layers_batch_and_length_alike(self):
        one = Configuration(Model("m", 1, 2, 64, 32), Task("t", 640, 10))
        for other in (
            Configuration(Model("m", 1, 4, 64, 32), Task("t", 640, 10)),
            Configuration(Model("m", 1, 2, 64, 64), Task("t", 640, 10)),
            Configuration(Model("m", 1, 2, 64, 32), Task("t", 640, 20)),
        ):
            self.assertAlmostEqual(other.work_mhz_s, 2 * one.work_mhz_s)

    def test_the_floor_of_a_step_without_work_is_its_sequences(self):
        narrow = Configuration(Model("m", 1, 1, 1, 100), Task("t", 100, 1), floor_share=0)
        self.assertAlmostEqual(narrow.floor_s, 0.16)


class Tables(unittest.TestCase):
    small = Configuration(Model("s", 10, 2, 64, 32), Task("t", 640, 10))
    large = Configuration(Model("l", 100, 2, 64, 32), Task("t", 640, 10))

    def results(self):
        def row(saving, regret):
            return {"saving_vs_maxn": saving, "regret": regret, "slowdown": 0.5, "frequency_hz": 612e6}

        return {
            ("sim-s/t", "mlg"): row(-0.1, 0.2),
            ("sim-s/t", "ffg"): row(-0.1, 0.2),
            ("sim-l/t", "mlg"): row(0.19, 0.0),
            ("sim-l/t", "ffg"): row(0.10, 0.1),
        }

    def test_say_mean_most_least_and_worst(self):
        rows = tables.policy_rows(self.results(), [self.small, self.large], {"MLG": "mlg"})
        self.assertEqual(rows, [["MLG", "4.5 %", "19.0 %", "-10.0 %", "10.0 %", "20.0 %", "50.0 %"]])

    def test_tell_small_models_from_large_ones(self):
        members = {title: wanted for title, wanted in tables.groups([self.small, self.large])}
        self.assertEqual(members["Models above 70 M parameters"], [self.large])
        self.assertEqual(members["Models up to 70 M parameters"], [self.small])

    def test_compare_energies_of_two_policies_by_their_savings(self):
        found = report.ours(self.results(), [self.small, self.large], 0.5)
        self.assertEqual(found["MLG less than FFG, mean"], "5.0 %")  # 0 for one, 1 - 0.81 / 0.90 for the other
        self.assertEqual(found["saving of MLG over MAXN, most"], "19.00 % (l/t)")
        self.assertIn("1 of 1 lose", found["saving of MLG over MAXN, models up to 70 M"])

    def test_print_no_negative_zero(self):
        self.assertEqual(tables.percent(-0.0001), "0.0 %")
        self.assertEqual(tables.percent(None), "-")


class SmallPart(unittest.TestCase):
    def test_says_the_same_for_the_same_seed_and_other_things_for_another(self):
        with tempfile.TemporaryDirectory() as folder:
            first = reproduce(folder, "--small", "--no-sweep")
            self.assertEqual(first, reproduce(folder, "--small", "--no-sweep"))
            self.assertNotEqual(first, reproduce(folder, "--small", "--no-sweep", "--seed", "2"))
            self.assertIn("9 curves:", first)
            self.assertIn("(18 configurations)", first)

    def test_leaves_files_that_the_commands_read(self):
        with tempfile.TemporaryDirectory() as folder:
            reproduce(folder, "--small", "--no-sweep", "--repeat", "2")
            with open(pathlib.Path(folder) / "training.csv", encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual(len(rows), 9 * 12 * 2)
            self.assertTrue(all(row["source"].startswith("simulated") for row in rows))
            self.assertTrue((pathlib.Path(folder) / "tree-regret.json").exists())


class Document(unittest.TestCase):
    def test_every_figure_of_it_is_what_the_command_prints(self):
        document = (root / "docs/reproduction.md").read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            printed = reproduce(folder, "--no-sweep")
        for part in re.split(r"^(?=### )", printed, flags=re.MULTILINE):
            self.assertIn(part.strip(), document)


@unittest.skipIf(fuse_problem(), fuse_problem() or "")
class SweptCurve(unittest.TestCase):
    def test_comes_through_daemon_and_board_as_it_was_worked_out(self):
        with tempfile.TemporaryDirectory() as folder:
            printed = reproduce(folder, "--small", "--faster", "8")
        rows = re.findall(r"^\| (\S+)(?: MHz)? \| [\d,]+ \| [\d,]+ \| (-?[\d.]+) % \|$", printed, flags=re.MULTILINE)
        self.assertEqual(len(rows), 12, printed)
        # Runs of half a second: the command's own start counts. The document's run is eight times as long.
        for clock, difference in rows:
            self.assertLess(abs(float(difference)), 15, f"{clock} MHz\n{printed}")


if __name__ == "__main__":
    program = unittest.main(verbosity=2, exit=False)
    if not program.result.wasSuccessful() or program.result.testsRun == 0:
        sys.exit(1)
    sys.exit(77 if program.result.skipped else 0)
