# SPDX-License-Identifier: Apache-2.0
"""examples/glue.py on a small folder laid out as GLUE's are, with models made for the test: no network."""

import csv
import json
import os
import re
import subprocess
import sys

import training_environment
from support import ROOT, SHORT_TRAININGS, DaemonTest, governed_board

training_environment.enter()
sys.path.insert(0, str(ROOT / "examples"))

import finetune  # noqa: E402  (found through the path above)

BATCH = 8


class Glue(DaemonTest):
    config = SHORT_TRAININGS

    def setUp(self):
        super().setUp()
        self.texts, self.labels = finetune.read_sentences()
        self.held_out = len(self.texts) // 6
        self.data = self.folder / "glue"
        self.data.mkdir()
        self.model = self.folder / "model"
        self.output = self.folder / "output"

    def save_model(self, kind, layers):
        tokenizer = finetune.make_tokenizer(self.texts)
        finetune.make_model(kind, tokenizer, layers).save_pretrained(self.model)
        tokenizer.save_pretrained(self.model)

    def write_task(self, header, row_of):
        rows = [row_of(number, text, label) for number, (text, label) in enumerate(zip(self.texts, self.labels))]
        for name, part in (("dev.tsv", rows[: self.held_out]), ("train.tsv", rows[self.held_out :])):
            with open(self.data / name, "w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None, lineterminator="\n")
                writer.writerows([header, *part])

    def run_example(self, task):
        """What it printed, what it logged, and the job's record."""
        history = self.folder / "history.json"
        command = [sys.executable, "-B", ROOT / "examples/glue.py", "--task", task, "--data", self.data, "--model", self.model]
        command += ["--batch-size", BATCH, "--logging-steps", "5", "--output", self.output, "--history", history]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python/src"), "HF_HUB_OFFLINE": "1"}
        process = subprocess.Popen([str(word) for word in command], env=environment, stdout=subprocess.PIPE, text=True)
        printed = self.end_with_test(process).communicate()[0]
        self.assertEqual(process.returncode, 0, printed)
        return printed, json.loads(history.read_text()), json.loads((self.output / "energy.json").read_text())

    def words(self, text):
        """Tokens of the test's tokenizer, counted without it."""
        return len(re.findall(r"\w+|[^\w\s]+", text))

    def assert_decided_on(self, record, layers, lengths):
        """The job was decided on by these layers and the mean of these lengths of the texts trained with."""
        path = record["decision"]["path"]
        self.assertIn(f"layers {layers} ", path[0])
        self.assertAlmostEqual(float(path[1].split()[1]), sum(lengths) / len(lengths), places=6)

    def test_sst2_by_the_protocol(self):
        self.save_model("bert", layers=2)
        self.write_task(["sentence", "label"], lambda number, text, label: [text, label])
        printed, history, record = self.run_example("sst2")
        trained = self.texts[self.held_out :]
        self.assert_decided_on(record, 2, [self.words(text) + 2 for text in trained])
        self.assertEqual((record["name"], record["steps"]), ("glue sst2", -(-len(trained) // BATCH)))
        self.assertRegex(printed, rf"accuracy [01]\.\d+ on {self.held_out} texts held out")
        self.assertTrue([entry for entry in history if "loss" in entry and "energy_j" in entry], history)
        self.assertEqual([path.name for path in self.output.glob("checkpoint-*")], [f"checkpoint-{record['steps']}"])
        self.assertIn("## Energy", (self.output / "README.md").read_text())

    def test_qnli_has_pairs_and_labels_in_words(self):
        self.save_model("gpt-neox", layers=8)
        texts = self.texts
        names = ["not_entailment", "entailment"]
        self.write_task(
            ["index", "question", "sentence", "label"],
            lambda number, text, label: [number, f'is it "true" {number} ?', texts[-1 - number], names[label]],
        )
        _, _, record = self.run_example("qnli")
        pairs = [(f'is it "true" {number} ?', texts[-1 - number]) for number in range(self.held_out, len(texts))]
        self.assert_decided_on(record, 8, [self.words(one) + self.words(other) + 3 for one, other in pairs])


if __name__ == "__main__":
    governed_board.main()
