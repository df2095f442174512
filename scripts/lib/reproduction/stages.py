# SPDX-License-Identifier: Apache-2.0
"""The paper's stages, each by the program a user would take for it."""

import csv
import json
import subprocess

from configurations import PLAYED_FROM_PUBLISHED


class ReproductionError(Exception):
    """Ends the reproduction with this sentence."""


class Programs:
    """Where the build left them. The names are those that the demo's Board and Daemon ask for."""

    def __init__(self, build):
        apps = build / "src/apps"
        self.sweetspot = apps / "sweetspot/sweetspot"
        self.simulator = apps / "sweetspot-sim/sweetspot-sim"
        self.daemon = apps / "sweetspotd/sweetspotd"
        for program in (self.sweetspot, self.simulator, self.daemon):
            if not program.exists():
                raise ReproductionError(f"no {program}: build first, or run scripts/reproduce, which does")


def output_of(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ReproductionError(f"{command[0]} {command[1]} failed: {done.stderr.strip()}")
    return done.stdout


def shape_arguments(configuration):
    if configuration.name in PLAYED_FROM_PUBLISHED:
        return ["--workload", configuration.name]
    model, task = configuration.model, configuration.task
    return [
        *("--name", configuration.name, "--layers", model.layers, "--hidden-size", model.hidden_size),
        *("--seq-len", task.mean_length, "--batch-size", model.batch_size, "--steps", configuration.steps),
        *("--step-work", f"{configuration.work_mhz_s:.6g}", "--step-floor", f"{configuration.floor_s:.6g}"),
    ]


def collect(programs, wanted, noise, path):
    """Stage 1, offline: the curves of these configurations, from the simulator's physics, into one file."""
    text = ""
    for configuration in wanted:
        command = [programs.simulator, "curve", *shape_arguments(configuration)]
        command += ["--repeat", noise.repeats, "--run-noise", noise.spread, "--seed", noise.seed]
        text += output_of(command + (["--no-head"] if text else []))
    path.write_text(text, encoding="utf-8")


def characterise(programs, path):
    """Stage 2: what the curves show."""
    return json.loads(output_of([programs.sweetspot, "--json", "characterise", path]))["curves"]


def fit(programs, path, objective, tree):
    """Stage 3: a tree of these curves, and how good it is."""
    command = [programs.sweetspot, "--json", "fit", path, "--objective", objective, "-o", tree]
    return json.loads(output_of([*command, "--features", "layers,hidden_size,mean_sequence_length"]))


def tree_text(programs, path, objective):
    """The tree alone, as `fit` prints it."""
    command = [programs.sweetspot, "fit", path, "--objective", objective, "--features", "layers,hidden_size,mean_sequence_length"]
    return output_of(command).split("\n\n", 1)[0]


def evaluate(programs, path, policies):
    """Stage 5: {(curve, policy): figures}. Stage 4, the governor, is the daemon's own code, which evaluate replays."""
    command = [programs.sweetspot, "--json", "evaluate", "--curves", path, "--policies", ",".join(policies)]
    return {(row["curve_id"], row["policy"]): row for row in json.loads(output_of(command))["curves"]}


def mean_energies(path, scale=1.0):
    """{clock as the file names it: mean joules of the runs that count} of a file with one curve."""
    runs = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row.get("valid", "true") == "true":
                runs.setdefault(row["gpu_freq_mhz"], []).append(float(row["energy_j"]) * scale)
    return {clock: sum(joules) / len(joules) for clock, joules in runs.items()}
