# SPDX-License-Identifier: Apache-2.0
"""What the demo computes from records, without running anything. Usage: arithmetic_test.py [TestCase]…"""

import pathlib
import subprocess
import sys
import unittest
from unittest import mock

root = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(root / "scripts/lib"), str(root / "scripts/lib/demo")]

import programs  # noqa: E402
import published  # noqa: E402
from results import Result, compare, compared, faults, table_text, why  # noqa: E402

TREE = ["layers 24 > 7", "mean_sequence_length 14 <= 53"]


def job(kilojoules, mhz=None, *, workload="deberta-v2-xlarge/sst2", path=(), reason="because", steps=None, coverage=1.0):
    """A result whose record says that the whole job took so many kJ; its clock ran a hundred times faster."""
    policy = "none" if mhz is None else "mlg" if path else "ffg"
    decision = {"policy": policy, "frequency_hz": mhz and round(mhz * 1e6), "path": list(path), "reason": reason}
    record = {
        "decision": decision,
        "energy_j": kilojoules * 1000 / 100,
        "coverage": coverage,
        "energy_valid": coverage >= 0.95,
    }
    return Result(workload, policy, 100, record, steps or {}, kilojoules * 10)


class SavingsFollowThePublishedTable(unittest.TestCase):
    def test_one_clock(self):
        self.assertAlmostEqual(published.saving("deberta-v2-xlarge/sst2", {714: 1}), 1 - 40927 / 52317)

    def test_the_published_table_has_savings_and_losses(self):
        self.assertAlmostEqual(published.saving("pythia-14m/qnli", {612: 1}), 0.0100, places=4)
        self.assertAlmostEqual(published.saving("pythia-14m/qnli", {1020: 1}), -0.2104, places=4)

    def test_two_clocks_count_by_their_steps(self):
        half = published.saving("pythia-14m/qnli", {612: 3, 1020: 3})
        self.assertAlmostEqual(half, 1 - (2070 + 2531) / 2 / 2091)

    def test_clocks_of_the_board_find_their_row(self):
        self.assertEqual([published.clock_mhz(hz) for hz in (306000000, 1300500000, 1299000000)], [306, 1300.5, 1300.5])

    def test_every_row_has_every_clock(self):
        for workload, row in published.PINNED_J.items():
            self.assertEqual(tuple(row), published.CLOCKS_MHZ)
            self.assertIn(workload, published.MAXN_J)


class ResultsBecomeATable(unittest.TestCase):
    def test_joules_are_multiplied_back(self):
        self.assertAlmostEqual(job(41.0, 612).joules, 41000)

    def test_savings_are_against_the_maxn_job_of_the_same_workload(self):
        other = job(2.0, workload="pythia-14m/qnli")
        pairs = compared([job(50.0), job(40.0, 612), other])
        self.assertIsNone(pairs[0][1])
        self.assertAlmostEqual(pairs[1][1].measured, 0.2)
        self.assertAlmostEqual(pairs[1][1].published, 1 - 41044 / 52317)
        self.assertIsNone(pairs[2][1])

    def test_a_job_that_switched_is_held_against_both_clocks(self):
        path = ["layers 6 <= 7", "mean_sequence_length 51 > 32.5", "mean GPU load 20.0 % <= 22.0 %"]
        switched = job(2.4, 1020, workload="pythia-14m/qnli", path=path, steps={306: 0.001, 612: 0.199, 1020: 0.8})
        comparison = compare(switched, job(2.091, workload="pythia-14m/qnli"))
        self.assertEqual(switched.clocks_mhz, [612, 1020])
        self.assertAlmostEqual(comparison.published, published.saving("pythia-14m/qnli", {612: 0.199, 1020: 0.8}))

    def test_the_path_and_the_second_stages_verdict_are_the_reason(self):
        reason = "…: 714 MHz; second stage: mean GPU load 97.0 % > 22.0 %, the clock stays"
        told = why(job(40.0, 714, path=TREE, reason=reason).record["decision"])
        self.assertEqual(told, "layers 24 > 7, seq 14 <= 53; load 97.0 % > 22.0 %: stays")

    def test_the_table_names_clock_energy_and_both_savings(self):
        lines = table_text([job(52.3), job(41.0, 714, path=TREE)], {(1, "published"): "*"}).splitlines()
        self.assertEqual(lines[0].split(), ["workload", "policy", "clock", "why", "kJ", "saving", "published"])
        self.assertRegex(lines[2], r"^deberta-v2-xlarge/sst2 +none +governor's .* 52\.3 +- +-$")
        self.assertRegex(lines[3], r"^ +mlg +714 MHz +layers 24 > 7, seq 14 <= 53 +41\.0 +21\.6 % +21\.8 %\*$")


class FaultsAreNamed(unittest.TestCase):
    def test_savings_that_agree_are_no_fault(self):
        self.assertEqual(faults([job(52.3), job(41.0, 714, path=TREE)]), [])

    def test_savings_too_far_apart_are(self):
        self.assertRegex(faults([job(52.3), job(45.0, 714, path=TREE)])[0], "^deberta.*, mlg: .* points apart")

    def test_energy_that_was_not_measured_well_is(self):
        self.assertRegex(faults([job(52.3), job(41.0, 714, path=TREE, coverage=0.5)])[0], "only 50% of the job's time")


class PicturesAreDrawnFromTheTable(unittest.TestCase):
    def test_the_picture_in_the_tree_is_the_one_drawn_now(self):
        drawn = subprocess.run([sys.executable, root / "scripts/draw-energy-curves", "--check"], check=False)
        self.assertEqual(drawn.returncode, 0, "run scripts/draw-energy-curves")


class MissingFuseIsExplained(unittest.TestCase):
    def test_no_device(self):
        with mock.patch("os.path.exists", return_value=False):
            self.assertIn("modprobe fuse", programs.fuse_problem())

    def test_no_program_to_mount_without_root(self):
        with mock.patch("os.path.exists", return_value=True), mock.patch("os.geteuid", return_value=1000), mock.patch(
            "shutil.which", return_value=None
        ):
            self.assertIn("apt-get install fuse3", programs.fuse_problem())


if __name__ == "__main__":
    unittest.main(verbosity=2)
