# SPDX-License-Identifier: Apache-2.0
"""Every block of code in docs/python.md, docs/tutorials and the READMEs runs as it stands, with the real daemon.

Usage: documents_test.py [TestCase]…   Exit status 77: skipped, with the reason. The Python blocks of a page run one after another, in one
program; so do its commands. Torch and transformers come from scripts/training-venv, Lightning from scripts/fetch-current-torch.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import training_environment
from support import ROOT, SHORT_TRAININGS, DaemonTest, governed_board

CURRENT = ROOT / ".cache/current-torch/python"
DEEP_MODEL = {"model_type": "bert", "num_hidden_layers": 24, "hidden_size": 1024}
TUTORIALS = sorted(path.name for path in (ROOT / "docs/tutorials").glob("*.md"))
blocks_of = governed_board.code_blocks


class DocumentTest(DaemonTest):
    config = SHORT_TRAININGS

    def setUp(self):
        super().setUp()
        self.place = self.folder / "place"
        self.place.mkdir()
        self.programs = self.folder / "programs"
        self.programs.mkdir()
        (self.programs / "sweetspot").symlink_to(governed_board.BUILD / "src/apps/sweetspot/sweetspot")
        shutil.copytree(ROOT / "python/src/sweetspotd", self.folder / "package/sweetspotd")
        self.environment = {
            **os.environ,
            "PATH": f"{self.programs}:{os.environ['PATH']}",
            "PYTHONPATH": str(self.folder / "package"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "OMP_NUM_THREADS": "1",
            "TOKENIZERS_PARALLELISM": "false",
        }

    def run_here(self, *command):
        """A command in a folder of its own; what it printed. Nothing it says on stderr may be ours."""
        words = [str(word) for word in command]
        patience = 10 * governed_board.PATIENCE_S  # torch starts slowly on a busy machine
        end = subprocess.run(
            words, cwd=self.place, env=self.environment, capture_output=True, text=True, check=False, timeout=patience
        )
        self.assertEqual(end.returncode, 0, end.stdout + end.stderr)
        self.assertNotIn("the training goes on without", end.stderr)
        return end.stdout

    def run_python(self, python, blocks):
        self.assertGreaterEqual(len(blocks), 1)
        return self.run_here(python, "-c", "\n".join(blocks))

    def run_shell(self, blocks):
        self.assertGreaterEqual(len(blocks), 1)
        return self.run_here("bash", "-c", "set -eu\n" + "".join(blocks))

    def jobs_so_far(self):
        """How many jobs the daemon has had: it numbers them."""
        with self.daemon.connect() as connection:
            return connection.call("StartJob", {"spec": {}})["parameters"]["job_id"] - 1


class EveryBlock(unittest.TestCase):
    def test_is_of_a_kind_that_is_run(self):
        for name in ("python.md", *(f"tutorials/{name}" for name in TUTORIALS), "../python/README.md", "../README.md"):
            kinds = set(re.findall(r"^```(\S+)$", (ROOT / "docs" / name).read_text(encoding="utf-8"), re.MULTILINE))
            self.assertLessEqual(kinds, {"python", "sh"}, name)

    def test_belongs_to_a_page_that_a_test_names(self):
        tests = pathlib.Path(__file__).read_text(encoding="utf-8")
        for name in TUTORIALS:
            self.assertIn(f'"tutorials/{name}"', tests)


class WithoutTorch(DocumentTest):
    def test_both_readmes(self):
        for page in ("../README.md", "../python/README.md"):
            printed = self.run_python(sys.executable, blocks_of(page, "python"))
            self.assertRegex(printed, r"^([\d.]+|None|not measured)\n$", page)

    def test_the_python_page(self):
        blocks = [block for block in blocks_of("python.md", "python") if "lightning" not in block]
        printed = self.run_python(sys.executable, blocks)
        self.assertIn("714000000 ['layers 24 > 7', 'mean_sequence_length 14 <= 53']", printed)
        self.assertRegex(printed, r"\n100 [\d.]+\ntrained\nlayers 24 > 7, .*714 MHz\nMAXN\n10\n$")
        self.assertEqual(self.jobs_so_far(), 3)

    def test_the_package_installs_as_the_python_page_says(self):
        problem = missing_to_build()
        if problem:
            self.skipTest(problem)
        subprocess.run([SYSTEM_PYTHON, "-m", "venv", "--system-site-packages", self.folder / "venv"], check=True)
        (self.programs / "python3").symlink_to(self.folder / "venv/bin/python3")
        shutil.copytree(ROOT / "python", self.place / "python", ignore=shutil.ignore_patterns("build", "*.egg-info"))
        # Of the builder that is there already: nothing is fetched.
        self.environment.update(PIP_NO_BUILD_ISOLATION="0", PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1")
        del self.environment["PYTHONPATH"]
        self.environment["PATH"] = f"{self.folder}/venv/bin:{self.environment['PATH']}"
        self.run_shell(blocks_of("python.md", "sh"))
        printed = self.run_here(self.folder / "venv/bin/python3", "-c", "import sweetspotd; print(sweetspotd.__file__)")
        self.assertTrue(printed.startswith(str(self.folder / "venv")), printed)

    def test_a_script_you_cannot_edit(self):
        (self.place / "model").mkdir()
        (self.place / "model/config.json").write_text(json.dumps(DEEP_MODEL), encoding="utf-8")
        lines = [json.dumps({"input_ids": [7] * length}) + "\n" for length in (12, 16)]
        (self.place / "data.jsonl").write_text("".join(lines), encoding="utf-8")
        (self.place / "train.py").write_text("print('trains')\n", encoding="utf-8")
        printed = self.run_shell(blocks_of("tutorials/script-you-cannot-edit.md", "sh"))
        self.assertEqual(printed.count("trains\n"), 2)
        self.assertIn('"mean_sequence_length": 14.0', printed)
        self.assertEqual(self.jobs_so_far(), 3)

    def test_inside_containers(self):
        for name in ("docker", "jetson-containers"):
            (self.programs / name).symlink_to(ROOT / "python/tests/container_stand_in.py")
        for name, line in (("getent", "sweetspot-users:x:64242:"), ("autotag", "l4t-pytorch:of-this-jetpack")):
            (self.programs / name).write_text(f"#!/bin/sh\necho {line}\n", encoding="utf-8")
            (self.programs / name).chmod(0o755)
        (self.place / "train.py").write_text("".join(blocks_of("tutorials/containers.md", "python")), encoding="utf-8")
        self.environment["CONTAINER_LOG"] = str(self.folder / "containers.log")
        commands = "".join(blocks_of("tutorials/containers.md", "sh"))
        here = commands.replace("--volume /run/sweetspotd:", f"--volume {self.daemon.socket.parent}:")
        self.assertEqual(here.count(str(self.daemon.socket.parent)), 2)
        printed = self.run_shell([here])
        self.assertEqual(printed, 2 * f"{os.getuid()} 100\n")
        told = [json.loads(line) for line in (self.folder / "containers.log").read_text(encoding="utf-8").splitlines()]
        self.assertEqual([run["image"] for run in told], ["l4t-pytorch", "l4t-pytorch:of-this-jetpack"])
        self.assertEqual({(run["group"], run["volume"]) for run in told}, {(64242, "/run/sweetspotd")})


SYSTEM_PYTHON = shutil.which("python3", path="/usr/bin") or sys.executable


def missing_to_build():
    """Why a wheel cannot be built here; None where it can."""
    end = subprocess.run([SYSTEM_PYTHON, "-c", "import setuptools, wheel, venv"], capture_output=True, text=True, check=False)
    return None if end.returncode == 0 else end.stderr.strip().splitlines()[-1]


@unittest.skipIf(not training_environment.PYTHON.exists(), "no build/training-venv; scripts/training-venv makes it")
class WithTorch(DocumentTest):
    python = training_environment.PYTHON

    def test_the_trainer_in_one_line(self):
        printed = self.run_python(self.python, blocks_of("tutorials/trainer.md", "python"))
        self.assertRegex(printed, r"'energy_j_per_step': [\d.]+")
        self.assertRegex(printed, r"sweetspotd: 714 MHz, [\d.]+ J on VDD_GPU_SOC \+ VDD_CPU_CV, [\d.]+ s, [\d.]+ W, [\d.e-]+ J/step")
        self.assertRegex(printed, r"\n50 steps, [\d.]+ J\n")
        self.assertEqual(json.loads((self.place / "finetuned/energy.json").read_text(encoding="utf-8"))["steps"], 50)
        self.assertIn("## Energy", (self.place / "finetuned/README.md").read_text(encoding="utf-8"))
        self.assertEqual(self.jobs_so_far(), 2)

    def test_plain_pytorch(self):
        printed = self.run_python(self.python, blocks_of("tutorials/plain-pytorch.md", "python"))
        self.assertIn("10 steps measured\n", printed)
        self.assertRegex(printed, r"\['layers 4 <= 7', 'mean_sequence_length 43(\.5)? > 32\.5'\]")
        self.assertEqual(self.jobs_so_far(), 2)

    def test_torchrun_on_one_board_and_on_several(self):
        shutil.copy(ROOT / "examples/finetune.py", self.place)
        shutil.copy(ROOT / "examples/sentences.tsv", self.place)
        torchrun = self.programs / "torchrun"
        # Both to files and to us: of the other modes, Debian's torch 1.13 knows none with its Python 3.11.
        logs = f"--redirects 1 --tee 1 --log_dir '{self.folder}/logs'"
        torchrun.write_text(f'#!/bin/sh\nexec "{self.python}" -m torch.distributed.run {logs} "$@"\n', encoding="utf-8")
        torchrun.chmod(0o755)
        one, several = blocks_of("tutorials/several-boards.md", "sh")
        self.assertEqual(self.run_shell([one]).count("J/step"), 1)
        self.assertEqual(self.jobs_so_far(), 1)
        (self.folder / "second").mkdir()
        with governed_board.Board(self.folder / "second") as board:
            with governed_board.Daemon(self.folder / "second", board, self.config) as daemon:
                self.on_two_boards(several, daemon)
                self.assertEqual(daemon.status()["jobs"], [])
                with daemon.connect() as connection:
                    self.assertEqual(connection.call("StartJob", {"spec": {}})["parameters"]["job_id"], 2)

    def on_two_boards(self, command, second):
        nodes = []
        for node, daemon in enumerate((self.daemon, second)):
            own = {"NODE": str(node), "HEAD": "127.0.0.1", "SWEETSPOT_SOCKET": str(daemon.socket)}
            environment = {**self.environment, **own}
            options = {"cwd": self.place, "env": environment, "stdout": subprocess.PIPE, "text": True}
            nodes.append(self.end_with_test(subprocess.Popen(["bash", "-c", command], **options)))
        printed = [node.communicate()[0] for node in nodes]
        self.assertEqual([node.returncode for node in nodes], [0, 0], printed)
        self.assertEqual([text.count("J/step") for text in printed], [1, 1], printed)


@unittest.skipIf(not CURRENT.exists(), "no .cache/current-torch; scripts/fetch-current-torch gets it")
class WithLightning(DocumentTest):
    def test_the_trainer_takes_the_callback(self):
        self.run_python(CURRENT, [block for block in blocks_of("python.md", "python") if "lightning" in block])


if __name__ == "__main__":
    governed_board.main()
