#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the Trainer's callback costs a training: the same training, same seed, in turns with and without it, in one process.

Needs build/dev (or $SWEETSPOT_BUILD) with the programs, and scripts/training-venv. docs/performance.md explains the figures.
"""

import argparse
import contextlib
import io
import pathlib
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / folder) for folder in ("python/tests", "python/src", "examples")]

import training_environment  # noqa: E402  (found through the path above)

training_environment.enter()

import os  # noqa: E402

import finetune  # noqa: E402
import torch  # noqa: E402
from support import governed_board  # noqa: E402

from sweetspotd.transformers import EnergyCallback  # noqa: E402

GOAL = 1.01


class Timed(EnergyCallback):
    """The callback, and the processor time that its steps and logs took: a figure that other work on the machine moves little."""

    def __init__(self):
        super().__init__()
        self.taken = 0.0

    def on_step_end(self, *arguments, **named):
        begun = time.thread_time()
        super().on_step_end(*arguments, **named)
        self.taken += time.thread_time() - begun

    def on_log(self, *arguments, **named):
        begun = time.thread_time()
        super().on_log(*arguments, **named)
        self.taken += time.thread_time() - begun


def train(callbacks, steps, output):
    """Seconds of wall clock and of this process's processor time of one training, and its losses."""
    trainer = finetune.make_trainer(
        layers=1, per_device_train_batch_size=4, output=output, callbacks=callbacks, max_steps=steps, logging_steps=50
    )
    wall, processor = time.monotonic(), time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        trainer.train()
    taken = time.monotonic() - wall, time.process_time() - processor
    return taken, [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]


def measure(pairs, steps, output):
    """Of each pair the seconds with and without, wall clock and processor time; and the median of the seconds of processor time per
    step inside the callback. The order within a pair changes from pair to pair."""
    found, inside = [], []
    for pair in range(pairs):
        runs = {}
        for governed in (True, False) if pair % 2 else (False, True):
            callback = Timed()
            runs[governed] = train([callback] if governed else [], steps, output)
            if not governed:
                continue
            inside.append(callback.taken / steps)
            if callback.job.wait_for_record(60)["steps"] != steps:
                sys.exit("the steps were not counted: this measured something else")
        if runs[True][1] != runs[False][1]:
            sys.exit("the losses differ: this measured something else")
        found.append((runs[True][0], runs[False][0]))
    return found, statistics.median(inside)


def print_ratios(name, pairs, place, steps):
    ratios = sorted(with_it[place] / without[place] for with_it, without in pairs)
    step_ms = 1000 * statistics.median(without[place] for _, without in pairs) / steps
    median = statistics.median(ratios)
    print(f"{name}: step {step_ms:.2f} ms, ratio median {median:.4f}, least {ratios[0]:.4f}, greatest {ratios[-1]:.4f}")
    return median


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--quick", action="store_true", help="too few and too short to mean anything, to see that it works")
    given = parser.parse_args()
    pairs, steps = (1, 20) if given.quick else (given.pairs, given.steps)
    torch.set_num_threads(1)  # the other processor is the daemon's and the simulated board's
    load = " ".join(f"{value:.2f}" for value in os.getloadavg())
    print(f"simulated board, no Jetson; {pairs} pairs of {steps} steps on a CPU; load of the machine before: {load}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with governed_board.Board(folder) as board, governed_board.Daemon(folder, board, {}) as daemon:
            os.environ["SWEETSPOT_SOCKET"] = str(daemon.socket)
            train([], 20, str(folder / "output"))  # what the first training pays alone
            found, inside = measure(pairs, steps, str(folder / "output"))
    median = print_ratios("wall clock", found, 0, steps)
    print_ratios("processor time of the training", found, 1, steps)
    print(f"processor time inside the callback, a log every 50 steps included: {1e6 * inside:.0f} µs a step")
    print(f"goal: median of the wall clock's ratios at most {GOAL}: {'reached' if median <= GOAL else 'not reached'}")


if __name__ == "__main__":
    main()
