# SPDX-License-Identifier: Apache-2.0
"""Real fine-tuning with torch and transformers against the real daemon on a simulated board.

Usage: transformers_test.py [TestCase]…   Exit status 77: skipped, with the reason, where there is no torch or transformers.
"""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import unittest

import training_environment
from support import FREE_HZ, PINNED_HZ, ROOT, SHORT_TRAININGS, DaemonTest, governed_board

training_environment.enter()
sys.path.insert(0, str(ROOT / "examples"))

import datasets  # noqa: E402  (found through the path above)
import finetune  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402

import sweetspotd  # noqa: E402
from sweetspotd.transformers import EnergyCallback  # noqa: E402

SHALLOW_HZ = (510_000_000, 510_000_000)  # the tree's clock for few layers and short sequences
eventually = governed_board.eventually
transformers.logging.set_verbosity_error()


class Witness(transformers.TrainerCallback):
    """A tracker: keeps what it is told, and can act in the middle of a training."""

    def __init__(self, at_step=None, act=None):
        self.logs = []
        self._at_step, self._act = at_step, act

    def on_log(self, args, state, control, logs=None, **kwargs):
        self.logs.append(dict(logs))

    def on_step_end(self, args, state, control, **kwargs):
        if state.global_step == self._at_step:
            self._act()


def losses(trainer):
    return [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]


def weights(trainer):
    return {name: value.clone() for name, value in trainer.model.state_dict().items()}


def mean_length():
    """Of the example's texts, counted without the tokenizer: a token a word, and one at either end."""
    texts, _ = finetune.read_sentences()
    return sum(len(re.findall(r"\w+|[^\w\s]+", text)) + 2 for text in texts) / len(texts)


class Training(DaemonTest):
    config = SHORT_TRAININGS

    def setUp(self):
        super().setUp()
        self.output = self.folder / "output"

    def train(self, callbacks, **options):
        return finetune.train(callbacks=callbacks, output=str(self.output), **options)

    def assert_same_training(self, one, other):
        self.assertEqual(losses(one), losses(other))
        first, second = weights(one), weights(other)
        self.assertEqual(first.keys(), second.keys())
        for name, value in first.items():
            self.assertTrue(torch.equal(value, second[name]), name)

    def assert_job_fits(self, kind, layers, path, limits):
        """A training of that kind is a job with this decision, whose record lies beside the checkpoint."""
        seen = []
        witness = Witness(3, lambda: seen.extend(self.daemon.jobs()) or self.assert_limits(limits))
        energy = EnergyCallback(write_record_beside=True, model_card=True)
        trainer = self.train([witness, energy], kind=kind, layers=layers, save_strategy="epoch")
        self.assertEqual(seen[0]["decision"]["path"], path)
        self.assertEqual(energy.job.wait_for_record(60)["steps"], trainer.state.global_step)
        self.assertEqual(len(list(self.output.glob("checkpoint-*"))), 1)
        self.assertEqual(json.loads((self.output / "energy.json").read_text())["job_id"], energy.job.wait_for_record(60)["job_id"])
        self.assertIn("| Rails counted | VDD_GPU_SOC, VDD_CPU_CV |", (self.output / "README.md").read_text())
        self.assert_limits(FREE_HZ)

    def test_a_bert_is_a_job_with_its_layers_and_the_datas_length(self):
        path = ["layers 2 <= 7", f"mean_sequence_length {mean_length()} <= 32.5"]
        self.assert_job_fits("bert", 2, path, SHALLOW_HZ)

    def test_a_gpt_neox_is_a_job_with_its_layers_and_the_datas_length(self):
        path = ["layers 8 > 7", f"mean_sequence_length {mean_length()} <= 53"]
        self.assert_job_fits("gpt-neox", 8, path, PINNED_HZ)

    def test_every_tracker_gets_the_figures_with_the_losses(self):
        witness = Witness()
        self.train([witness, EnergyCallback()])
        with_loss = [logs for logs in witness.logs if "loss" in logs]
        self.assertGreater(len(with_loss), 3)
        for logs in with_loss[1:]:
            self.assertEqual(logs["gpu_clock_mhz"], 510)
        measured = [logs for logs in with_loss if "energy_j_per_step" in logs]
        self.assertGreater(len(measured), 3)
        for logs in measured:
            self.assertGreater(logs["energy_j"], 0)
            self.assertGreater(logs["energy_j_per_step"], 0)
            self.assertGreater(logs["mean_power_w"], 0)
        joules = [logs["energy_j"] for logs in measured]
        self.assertEqual(joules, sorted(joules))

    def test_the_history_has_the_figures_too(self):
        trainer = self.train([EnergyCallback()])
        self.assertIn("energy_j", [entry for entry in trainer.state.log_history if "loss" in entry][-1])

    def test_losses_and_weights_are_bit_for_bit_those_without_the_callback(self):
        for kind in ("bert", "gpt-neox"):
            with self.subTest(kind):
                self.assert_same_training(self.train([EnergyCallback()], kind=kind), self.train([], kind=kind))

    def test_a_daemon_that_dies_in_the_middle_changes_nothing(self):
        kill = Witness(5, self.daemon.kill)
        with_death = self.train([EnergyCallback(), kill])
        self.assertEqual(len(self.warnings.texts), 1, self.warnings.texts)
        self.assert_same_training(with_death, self.train([]))
        self.daemon.__enter__()

    def test_an_exception_in_the_training_ends_the_job(self):
        def fail():
            raise KeyboardInterrupt

        energy = EnergyCallback()
        with self.assertRaises(KeyboardInterrupt):
            self.train([energy, Witness(3, fail)])
        self.assertEqual(self.daemon.jobs(), [])
        self.assertEqual(energy.job.wait_for_record(60)["ended_by"], "client")
        self.assert_limits(FREE_HZ)

    def test_accumulated_batches_are_one_step(self):
        energy = EnergyCallback()
        trainer = self.train([energy], gradient_accumulation_steps=4)
        self.assertEqual(energy.job.wait_for_record(60)["steps"], trainer.state.global_step)
        self.assertLess(trainer.state.global_step, 5)

    def test_workers_of_the_data_loader_leave_the_job_alone(self):
        energy = EnergyCallback()
        self.train([energy], dataloader_num_workers=2)
        self.assertEqual(energy.job.wait_for_record(60)["ended_by"], "client")


class RealData(unittest.TestCase):
    """Mean lengths of real data sets and loaders, against a count of their own; nothing of them is used up."""

    texts, _ = finetune.read_sentences()

    def items(self):
        tokenizer = finetune.make_tokenizer(self.texts)
        return [dict(tokenizer(text)) for text in self.texts]

    def test_a_stream_of_hugging_face_is_measured_and_still_whole(self):
        rows = self.items()
        stream = datasets.Dataset.from_list(rows).to_iterable_dataset()
        self.assertAlmostEqual(sweetspotd.mean_sequence_length(stream), mean_length(), places=9)
        self.assertEqual([row["input_ids"] for row in stream], [row["input_ids"] for row in rows])

    def test_a_table_of_hugging_face_is_measured(self):
        self.assertAlmostEqual(sweetspotd.mean_sequence_length(datasets.Dataset.from_list(self.items())), mean_length(), places=9)

    def test_a_stream_of_torch_is_left_alone(self):
        class Stream(torch.utils.data.IterableDataset):
            started = 0

            def __iter__(self):
                type(self).started += 1
                return iter([{"input_ids": [1, 2]}])

        self.assertIsNone(sweetspotd.mean_sequence_length(torch.utils.data.DataLoader(Stream())))
        self.assertEqual(Stream.started, 0)

    def test_a_loader_that_shuffles_gives_the_same_batches_afterwards(self):
        tokenizer = finetune.make_tokenizer(self.texts)
        collate = transformers.DataCollatorWithPadding(tokenizer)

        def batches(look):
            torch.manual_seed(7)
            loader = torch.utils.data.DataLoader(self.items(), batch_size=8, shuffle=True, collate_fn=collate)
            if look:
                self.assertAlmostEqual(sweetspotd.mean_sequence_length(loader), mean_length(), places=9)
            return [batch["input_ids"].tolist() for batch in loader]

        self.assertEqual(batches(look=True), batches(look=False))

    def test_texts_are_counted_with_the_tokenizer(self):
        tokenizer = finetune.make_tokenizer(self.texts)
        self.assertAlmostEqual(sweetspotd.mean_sequence_length(self.texts, tokenizer=tokenizer), mean_length(), places=9)


class Scripts(DaemonTest):
    """The example as a program of its own."""

    config = SHORT_TRAININGS

    def start(self, *command):
        return self.start_program([sys.executable, *command, "--output", str(self.folder / "output")])

    def start_program(self, command, **options):
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python/src"), "PYTHONDONTWRITEBYTECODE": "1"}
        options = {"env": environment, "cwd": self.folder, "stdout": subprocess.PIPE, "text": True, **options}
        return self.end_with_test(subprocess.Popen(command, **options))

    def test_a_killed_script_gives_the_clock_back(self):
        # The quickest of some: a busy machine may let the daemon wait for its turn.
        self.assertTrue(any(self.seconds_from_death_to_free_clock() < 0.05 for _ in range(7)))

    def seconds_from_death_to_free_clock(self):
        script = self.start(str(ROOT / "examples/finetune.py"), "--epochs", "1000")
        self.assert_limits(SHALLOW_HZ)
        script.send_signal(signal.SIGKILL)
        script.wait()
        died = time.monotonic()
        while self.board.gpu_limits_hz() != FREE_HZ:
            self.assertLess(time.monotonic() - died, governed_board.PATIENCE_S)
        return time.monotonic() - died

    def test_inside_a_run_the_callback_joins_its_job(self):
        run = [str(governed_board.BUILD / "src/apps/sweetspot/sweetspot"), "--json", "run", "--layers", "24", "--seq-len", "14"]
        history = self.folder / "history.json"
        script = [sys.executable, str(ROOT / "examples/finetune.py"), "--history", str(history)]
        run = self.start_program([*run, "--", *script], stderr=subprocess.PIPE)
        record = json.loads(run.communicate()[1].splitlines()[-1])["record"]
        logs = json.loads(history.read_text())
        steps = max(entry["step"] for entry in logs)
        self.assertEqual((record["job_id"], record["steps"], record["ended_by"]), (1, steps, "client"))
        self.assertEqual({entry["gpu_clock_mhz"] for entry in logs if "energy_j" in entry}, {714})

    def test_a_spec_of_texts_counts_with_the_models_tokenizer(self):
        texts, _ = finetune.read_sentences()
        tokenizer = finetune.make_tokenizer(texts)
        finetune.make_model("bert", tokenizer, 2).save_pretrained(self.folder / "model")
        tokenizer.save_pretrained(self.folder / "model")
        arguments = ["--model", str(self.folder / "model"), "--data", str(finetune.SENTENCES)]
        spec = self.start_program([sys.executable, "-m", "sweetspotd", "spec", *arguments]).communicate()[0]
        self.assertEqual(json.loads(spec)["mean_sequence_length"], round(mean_length(), 3))

    def test_of_two_processes_of_torchrun_one_registers(self):
        # Both to files and to us: of the other modes, Debian's torch 1.13 knows none with its Python 3.11.
        logs = ("--redirects", "1", "--tee", "1", "--log_dir", str(self.folder / "logs"))
        self.assert_one_registers("torch.distributed.run", "--nproc_per_node", "2", *logs, *master(29511))

    def test_of_two_processes_of_accelerate_one_registers(self):
        options = ("--cpu", "--num_processes", "2", "--num_machines", "1", "--mixed_precision", "no", "--dynamo_backend", "no")
        self.assert_one_registers("accelerate.commands.launch", *options, "--main_process_ip", "127.0.0.1")

    def assert_one_registers(self, *launcher):
        script = self.start("-m", *launcher, str(ROOT / "examples/finetune.py"))
        lines = []
        reader = threading.Thread(target=lambda: lines.extend(script.stdout))
        reader.start()
        most = 0
        while script.poll() is None:
            most = max(most, len(self.daemon.jobs()))
            time.sleep(0.02)
        reader.join()
        self.assertEqual((script.returncode, most), (0, 1), lines)
        self.assertEqual(sum("J/step" in line for line in lines), 1, lines)


def master(port):
    """Where the processes of a training meet: on this machine."""
    return ("--master_addr", "127.0.0.1", "--master_port", str(port))


if __name__ == "__main__":
    governed_board.main()
