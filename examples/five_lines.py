#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A training script that tells sweetspotd what it does: the five lines marked with a number, and nothing else.

Needs PyPI's `varlink`. The training is a stand-in that runs anywhere: it fits a line on the CPU; put your loop in its place.
The job ends with this process or its connection, whichever goes first: a crash leaves no clock behind.
"""

import argparse
import os
import random

import varlink

SOCKET = os.environ.get("SWEETSPOT_SOCKET", "/run/sweetspotd/io.sweetspotd.Governor")


def batches(steps, size=32):
    """Points near y = 3 x + 1."""
    source = random.Random(1)
    for _ in range(steps):
        xs = [source.uniform(-1, 1) for _ in range(size)]
        yield [(x, 3 * x + 1 + source.gauss(0, 0.1)) for x in xs]


def train_step(model, batch, rate=0.05):
    """One step of gradient descent; the model is slope and offset."""
    slope, offset = model
    errors = [(slope * x + offset - y, x) for x, y in batch]
    step = 2 * rate / len(batch)
    return slope - step * sum(error * x for error, x in errors), offset - step * sum(error for error, _ in errors)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=2000)
    steps = parser.parse_args().steps

    governor = varlink.Client(f"unix:{SOCKET}").open("io.sweetspotd.Governor")  # 1: held while the job runs
    job = governor.StartJob({"name": "example", "layers": 24, "mean_sequence_length": 14})["job_id"]  # 2
    model = (0.0, 0.0)
    for done, batch in enumerate(batches(steps), start=1):
        model = train_step(model, batch)
        governor.ReportProgress(job, done, _oneway=True)  # 3
    record = governor.EndJob(job)["record"]  # 4
    joules = record.get("energy_j")  # left out where nothing was measured
    print(f"{joules:.1f} J for {steps} steps" if joules is not None else "not measured")  # 5

    print(f"y = {model[0]:.2f} x + {model[1]:.2f}")


if __name__ == "__main__":
    main()
