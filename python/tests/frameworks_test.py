# SPDX-License-Identifier: Apache-2.0
"""Every library that a callback is for, really training, against the daemon on a simulated board.

Usage: frameworks_test.py [TestCase]…   Exit status 77: skipped, with the reason. WithTorch1 needs scripts/training-venv,
WithCurrentTorch scripts/fetch-current-torch.
"""

import json
import os
import subprocess
import unittest

import training_environment
from support import FREE_HZ, PINNED_HZ, ROOT, SHORT_TRAININGS, DaemonTest, governed_board

CURRENT = ROOT / ".cache/current-torch/python"


class FrameworksTest(DaemonTest):
    """A training of eight layers by each library, twice: with the callback and without."""

    config = SHORT_TRAININGS
    python = None

    def train(self, library):
        command = [self.python, "-B", "-W", "ignore", ROOT / "python/tests/one_training.py", library, self.folder / "output"]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false", "HF_HUB_OFFLINE": "1"}
        words = [str(word) for word in command]
        log = self.folder / "training.log"
        with open(log, "w", encoding="utf-8") as errors:
            end = subprocess.run(words, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True, check=False)
        self.assertEqual(end.returncode, 0, log.read_text(encoding="utf-8", errors="replace")[-4000:])
        found = json.loads(end.stdout.splitlines()[-1])
        print(f"{library}: " + ", ".join(f"{name} {version}" for name, version in found["versions"].items()))
        return found

    def assert_governed(self, library):
        found = self.train(library)
        record, logged = found["record"], found["logged"]
        self.assertEqual(record["steps"], found["steps"])
        self.assertEqual(record["decision"]["path"][0], f"layers {found['layers']} > 7")
        self.assertRegex(record["decision"]["path"][1], r"^mean_sequence_length 1\d\.\d+ <= 53$")
        self.assertEqual((record["decision"]["frequency_hz"], record["ended_by"]), (PINNED_HZ[0], "client"))
        self.assertGreater(len(found["losses"]), 2)
        self.assertEqual(found["losses"], found["losses_without"])
        self.assertEqual(logged["gpu_clock_mhz"], 714)
        for name in ("energy_j", "energy_j_per_step", "mean_power_w"):
            self.assertGreater(logged[name], 0, name)
        self.assertLessEqual(logged["energy_j"], record["energy_j"])
        self.assert_limits(FREE_HZ)
        return found


@unittest.skipIf(not training_environment.PYTHON.exists(), "no build/training-venv; scripts/training-venv makes it")
class WithTorch1(FrameworksTest):
    python = training_environment.PYTHON

    def test_peft(self):
        self.assert_governed("peft")

    def test_trl(self):
        self.assert_governed("trl")


@unittest.skipIf(not CURRENT.exists(), "no .cache/current-torch; scripts/fetch-current-torch gets it")
class WithCurrentTorch(FrameworksTest):
    python = CURRENT

    def test_transformers(self):
        self.assert_governed("transformers")

    def test_peft(self):
        self.assert_governed("peft")

    def test_trl(self):
        self.assert_governed("trl")

    def test_lightning(self):
        failed = self.assert_governed("lightning")["record_of_a_failing_fit"]
        self.assertEqual((failed["steps"], failed["ended_by"]), (3, "client"))


if __name__ == "__main__":
    governed_board.main()
