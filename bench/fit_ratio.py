# SPDX-License-Identifier: Apache-2.0
"""How long growing a tree takes beside scikit-learn, in turns in one run, and how long a whole `sweetspot fit` of 27 curves takes.

Of growing the processor time is compared, each with one thread; of `sweetspot fit` it is the time from its start to its end.

Usage: fit_ratio.py BUILD [--quick]; exit status 77: skipped, no scikit-learn. Prints medians with the least and the greatest.
"""

import math
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/support"))

import scikit_learn  # noqa: E402  (found through the path above)

scikit_learn.enter()

import numpy  # noqa: E402
from sklearn.tree import DecisionTreeClassifier  # noqa: E402

COLUMNS, CLASSES, DEPTH = 8, 6, 6
CLOCKS = (306, 408, 510, 612, 714, 816, 918, 1020, 1122, 1224, 1300.5)


def data_of(rows):
    """Half of the columns decide the class, with one label in ten wrong."""
    chance = numpy.random.default_rng(1)
    points = chance.normal(size=(rows, COLUMNS)).astype(numpy.float32)
    labels = numpy.digitize(points[:, :4].sum(axis=1) + points[:, 0] * points[:, 1], [-3, -1, 0, 1, 3])
    wrong = chance.random(rows) < 0.1
    labels[wrong] = chance.integers(0, CLASSES, wrong.sum())
    return points, labels


def our_ms(probe, text):
    run = subprocess.run([probe, "--time"], input=text, capture_output=True, text=True, check=True)
    return float(run.stdout.split()[0])


def their_ms(points, labels, criterion, depth):
    tree = DecisionTreeClassifier(criterion=criterion, max_depth=depth or None, random_state=0)
    begin = time.process_time()
    tree.fit(points, labels)
    return 1e3 * (time.process_time() - begin)


def spread(values):
    return f"{statistics.median(values):9.1f} ms ({min(values):.1f} - {max(values):.1f})"


def compare(probe, rows, turns):
    points, labels = data_of(rows)
    body = "\n".join(" ".join(map(repr, map(float, point))) + f" {label}" for point, label in zip(points, labels))
    for criterion in ("gini", "entropy"):
        for depth in (DEPTH, 0):
            text = f"{rows} {COLUMNS} {CLASSES} {criterion} {depth} 1 0\n{body}\n"
            ours, theirs = [], []
            for _ in range(turns):
                ours.append(our_ms(probe, text))
                theirs.append(their_ms(points, labels, criterion, depth))
            ratio = statistics.median(ours) / statistics.median(theirs)
            depth_text = f"depth {depth}" if depth else "full depth"
            print(f"{rows} x {COLUMNS}, {criterion}, {depth_text}: ours {spread(ours)}, scikit-learn {spread(theirs)}, "
                  f"ratio {ratio:.2f}, aim <= 1.0: {'yes' if ratio <= 1 else 'NO'}", flush=True)


def simulated_curves():
    """27 curves as the paper has them: nine models on three tasks, by a simple model of time and power, with 1 % noise."""
    chance = random.Random(7)
    lines = ["curve_id,platform,layers,hidden_size,mean_sequence_length,gpu_freq_mhz,energy_j"]
    for layers, hidden in ((4, 512), (8, 512), (12, 768), (24, 1024), (24, 1536), (6, 256), (6, 512), (12, 1024), (16, 2048)):
        for length in (14, 51, 55):
            work = layers * hidden * hidden * length / 2e6
            floor = work / 1300 * (3 if layers <= 6 else 0.3)
            for clock in CLOCKS:
                seconds = (floor**3 + (work / clock) ** 3) ** (1 / 3)
                watts = 7 + 0.0135 * clock * (1 + max(0, clock - 510) / 790) * min(1, work / clock / seconds)
                joules = seconds * watts * math.exp(chance.gauss(0, 0.01))
                lines.append(f"{layers}-{hidden}-{length},agx-orin-64,{layers},{hidden},{length},{clock},{joules}")
    return "\n".join(lines) + "\n"


def whole_fit(sweetspot, turns):
    with tempfile.TemporaryDirectory() as folder:
        curves = pathlib.Path(folder) / "curves.csv"
        curves.write_text(simulated_curves())
        for objective in ("accuracy", "regret"):
            took = []
            for _ in range(turns):
                begin = time.perf_counter()
                subprocess.run([sweetspot, "fit", curves, "--objective", objective], check=True, stdout=subprocess.DEVNULL)
                took.append(1e3 * (time.perf_counter() - begin))
            best = statistics.median(took)
            print(f"sweetspot fit, 27 simulated curves, the whole grid, {objective}: {spread(took)}, "
                  f"aim <= 50 ms: {'yes' if best <= 50 else 'NO'}", flush=True)


def main(build, quick):
    whole_fit(f"{build}/src/apps/sweetspot/sweetspot", 3 if quick else 15)
    compare(f"{build}/tests/support/cart_probe", 2000 if quick else 100_000, 2 if quick else 7)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--quick" in sys.argv[2:]))
