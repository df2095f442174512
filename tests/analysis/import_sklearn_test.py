# SPDX-License-Identifier: Apache-2.0
"""A tree that scikit-learn has grown answers the same as a tree file: `sweetspot evaluate` is asked for every job.

Usage: import_sklearn_test.py SWEETSPOT; exit status 77: skipped, no scikit-learn.
"""

import json
import os
import pathlib
import pickle
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))

import scikit_learn  # noqa: E402  (found through the path above)

scikit_learn.enter()

from sklearn.tree import DecisionTreeClassifier  # noqa: E402

CLOCKS_MHZ = (306, 510, 612, 714, 816, 1300.5)


def curves(jobs):
    """A file of curves of these jobs, all clocks alike: only the decisions are of interest."""
    lines = ["curve_id,platform,layers,mean_sequence_length,gpu_freq_mhz,energy_j"]
    lines += [f"{number},x,{layers},{length},{clock},1" for number, (layers, length) in enumerate(jobs) for clock in CLOCKS_MHZ]
    return "\n".join(lines) + "\n"


def main(sweetspot):
    chance = random.Random(1)
    jobs = [(chance.randint(1, 32), chance.randint(4, 512) / 4) for _ in range(200)]
    clocks = [str(chance.choice(CLOCKS_MHZ)) for _ in jobs]
    model = DecisionTreeClassifier(max_depth=7, random_state=0).fit(jobs, clocks)
    asked = [(chance.randint(1, 40), chance.randint(4, 600) / 4) for _ in range(300)]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "model.pkl").write_bytes(pickle.dumps(model))
        (folder / "curves.csv").write_text(curves(asked))
        subprocess.run(
            [sys.executable, "-B", "-m", "sweetspotd.import_sklearn", folder / "model.pkl", "--features",
             "layers,mean_sequence_length", "--ranges", "layers=1:32", "-o", folder / "tree.json"],
            check=True, env={**os.environ, "PYTHONPATH": str(ROOT / "python/src")},
        )
        answer = subprocess.run(
            [sweetspot, "--json", "evaluate", "--curves", folder / "curves.csv", "--policies", f"tree:{folder}/tree.json"],
            check=True, capture_output=True, text=True,
        )
    faults = []
    for job, row, clock in zip(asked, json.loads(answer.stdout)["curves"], model.predict(asked)):
        outside = job[0] > 32
        if row["fallback"] != outside or not outside and row["frequency_hz"] != float(clock) * 1e6:
            faults.append(f"layers, length {job}: expected {clock} MHz, not {row}")
    print("\n".join(faults[:5]) or f"{len(asked)} jobs are answered alike")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
