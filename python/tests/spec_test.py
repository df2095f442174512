# SPDX-License-Identifier: Apache-2.0
"""`python3 -m sweetspotd spec`, `sweetspot run --spec` with what it wrote, and Python scripts inside a run."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

from support import FREE_HZ, PINNED_HZ, ROOT, DaemonTest, governed_board

SWEETSPOT = governed_board.BUILD / "src/apps/sweetspot/sweetspot"
DEEP_MODEL = {"model_type": "bert", "num_hidden_layers": 24, "hidden_size": 1024}
SCRIPT = """
import sweetspotd
with sweetspotd.job(name="inner", layers=2) as job:
    for step in range(1, 31):
        job.progress(step)
print("joined" if job.joined else "own")
"""


def run(*command, **variables):
    """A command with the package of this tree, to its end."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python/src"), **variables}
    words = [str(word) for word in command]
    patience = governed_board.PATIENCE_S
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=patience)


def write_spec(*arguments):
    return run(sys.executable, "-B", "-m", "sweetspotd", "spec", *arguments)


def write_model(folder):
    """A folder as `--model` takes it, and data of two sequences of 12 and 16 tokens."""
    (folder / "model").mkdir()
    (folder / "model/config.json").write_text(json.dumps(DEEP_MODEL), encoding="utf-8")
    lines = [json.dumps({"input_ids": [7] * length}) + "\n" for length in (12, 16)]
    (folder / "data.jsonl").write_text("".join(lines), encoding="utf-8")


class Spec(unittest.TestCase):
    def setUp(self):
        scene = tempfile.TemporaryDirectory()
        self.addCleanup(scene.cleanup)
        self.folder = governed_board.pathlib.Path(scene.name)
        write_model(self.folder)

    def test_it_has_the_models_shape_and_the_datas_length(self):
        end = write_spec("--model", self.folder / "model", "--data", self.folder / "data.jsonl", "--name", "mine")
        self.assertEqual((end.returncode, end.stderr), (0, ""))
        expected = {"name": "mine", "model_type": "bert", "layers": 24, "hidden_size": 1024, "mean_sequence_length": 14.0}
        self.assertEqual(json.loads(end.stdout), expected)

    def test_padding_counts_nowhere_in_any_form_of_data(self):
        rows = [{"input_ids": [7, 7, 0, 0], "attention_mask": [1, 1, 0, 0]}, {"input_ids": [7] * 4, "attention_mask": [1] * 4}]
        (self.folder / "data.json").write_text(json.dumps(rows), encoding="utf-8")
        end = write_spec("--model", self.folder / "model", "--data", self.folder / "data.json")
        self.assertEqual(json.loads(end.stdout)["mean_sequence_length"], 3)

    def test_what_cannot_be_read_is_said_in_one_line(self):
        (self.folder / "empty.json").write_text("{}", encoding="utf-8")
        for model, data in (("nowhere", "data.jsonl"), ("empty.json", "data.jsonl"), ("model", "nowhere.jsonl")):
            end = write_spec("--model", self.folder / model, "--data", self.folder / data)
            self.assertEqual((end.returncode, end.stdout), (1, ""), model)
            self.assertRegex(end.stderr, r"\Asweetspotd: .*(nowhere|empty\.json).*\n\Z")

    def test_a_model_is_needed(self):
        self.assertEqual(write_spec().returncode, 2)


class InsideARun(DaemonTest):
    def run_with(self, options, script, **variables):
        """`sweetspot --json run` of a Python script; what the script printed, and the run's record."""
        command = [SWEETSPOT, "--json", "run", *options, "--", sys.executable, "-B", "-c", script]
        end = run(*command, **variables)
        self.assertEqual(end.returncode, 0, end.stderr)
        return end.stdout, json.loads(end.stderr.splitlines()[-1])["record"]

    def test_a_spec_that_python_wrote_decides_the_clock_of_a_script_nobody_edits(self):
        write_model(self.folder)
        spec = self.folder / "job.json"
        end = write_spec("--model", self.folder / "model", "--data", self.folder / "data.jsonl", "-o", spec)
        self.assertEqual(end.returncode, 0, end.stderr)
        _, record = self.run_with(["--spec", spec], "print('trains')")
        self.assertEqual(record["decision"]["path"], ["layers 24 > 7", "mean_sequence_length 14 <= 53"])
        self.assertEqual(record["decision"]["frequency_hz"], PINNED_HZ[0])
        self.assert_limits(FREE_HZ)

    def test_a_script_that_knows_sweetspotd_joins_the_job_around_it(self):
        printed, record = self.run_with(["--layers", "24", "--seq-len", "14"], SCRIPT)
        self.assertEqual(printed, "joined\n")
        self.assertEqual((record["job_id"], record["steps"]), (1, 30))
        self.assertEqual(record["decision"]["frequency_hz"], PINNED_HZ[0])  # of the run's 24 layers, not of the script's 2
        with self.daemon.connect() as connection:  # numbers go up: the script's would have been the second
            self.assertEqual(connection.call("StartJob", {"spec": {}})["parameters"]["job_id"], 2)

    def test_without_a_run_the_same_script_has_a_job_of_its_own(self):
        end = run(sys.executable, "-B", "-c", SCRIPT)
        self.assertEqual((end.stdout, end.stderr), ("own\n", ""))

    def test_it_knows_clock_and_energy_of_the_job_it_joined(self):
        script = """
import sweetspotd
with sweetspotd.job() as job:
    while not job.energy():
        pass
    print(job.clock_hz, job.energy() > 0)
"""
        printed, _ = self.run_with(["--layers", "24", "--seq-len", "14"], script)
        self.assertEqual(printed, f"{PINNED_HZ[0]} True\n")


if __name__ == "__main__":
    governed_board.main()
