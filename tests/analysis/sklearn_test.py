# SPDX-License-Identifier: Apache-2.0
"""Our trees against scikit-learn's DecisionTreeClassifier, on random data with ties, duplicates and constant columns.

scikit-learn takes equally good features in random order. An answer counts where its trees of many seeds agree: there ours must
be the same, for rows that were never seen and for rows that were left out.

Usage: sklearn_test.py CART_PROBE; exit status 77: skipped, no scikit-learn.
"""

import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/support"))

import scikit_learn  # noqa: E402  (found through the path above)

scikit_learn.enter()

import numpy  # noqa: E402
import sklearn  # noqa: E402
from sklearn.tree import DecisionTreeClassifier  # noqa: E402

DATA_SETS = 240
SEEDS = range(12)
QUERIES = 20
LEFT_OUT_EVERY = 2  # data sets whose rows are left out one by one, if they have at most
MOST_LEFT_OUT = 16  # rows: a tree per row and seed takes its time


def data_set(number):
    """Rows, labels, queries and settings; small whole numbers, so that values and impurities tie."""
    chance = random.Random(number)
    rows, columns, classes = chance.randint(2, 30), chance.randint(1, 5), chance.randint(2, 5)
    spread = chance.choice([1, 2, 4, 50])
    constant = {column for column in range(columns) if chance.random() < 0.2}

    def point():
        return [7 if column in constant else chance.randint(0, spread) / 2 for column in range(columns)]

    points = [point() for _ in range(rows)]
    for _ in range(chance.randint(0, rows // 2)):  # the same row again, perhaps with another class
        points[chance.randrange(rows)] = list(points[chance.randrange(rows)])
    if chance.random() < 0.5:
        labels = [chance.randrange(classes) for _ in points]
    else:
        labels = [int(sum(each)) % classes for each in points]
    return {
        "rows": points,
        "labels": labels,
        "classes": classes,
        "queries": [point() for _ in range(QUERIES)],
        "criterion": chance.choice(["gini", "entropy"]),
        "depth": chance.choice([0, 1, 2, 3, 5]),
        "leaf_rows": chance.randint(1, 4),
    }


def as_text(data):
    head = (len(data["rows"]), len(data["rows"][0]), data["classes"], data["criterion"], data["depth"], data["leaf_rows"], QUERIES)
    lines = [" ".join(map(str, head))]
    lines += [" ".join(map(str, [*point, label])) for point, label in zip(data["rows"], data["labels"])]
    lines += [" ".join(map(str, query)) for query in data["queries"]]
    return "\n".join(lines) + "\n"


def agreed(data, points, labels, queries):
    """Each query's class where the trees of all seeds agree, else None."""
    answers = []
    for seed in SEEDS:
        tree = DecisionTreeClassifier(
            criterion=data["criterion"], max_depth=data["depth"] or None, min_samples_leaf=data["leaf_rows"], random_state=seed
        )
        answers.append(tree.fit(points, labels, check_input=False).predict(queries, check_input=False))
    return [int(each[0]) if len(set(each)) == 1 else None for each in zip(*answers)]


def left_out(data, points, labels):
    answers = []
    for row in range(len(points)):
        keep = numpy.arange(len(points)) != row
        answers += agreed(data, points[keep], labels[keep], points[row : row + 1])
    return answers


def main(probe):
    sklearn.set_config(assume_finite=True, skip_parameter_validation=True)
    data_sets = [data_set(number) for number in range(DATA_SETS)]
    run = subprocess.run([probe], input="".join(map(as_text, data_sets)), capture_output=True, text=True, timeout=60, check=True)
    lines = [list(map(int, line.split())) for line in run.stdout.splitlines()]
    faults, compared, ambiguous, accuracies = [], 0, 0, 0
    for number, data in enumerate(data_sets):
        points, labels = numpy.array(data["rows"], dtype=numpy.float32), numpy.array(data["labels"])
        theirs = agreed(data, points, labels, numpy.array(data["queries"], dtype=numpy.float32))
        alone = number % LEFT_OUT_EVERY == 0 and len(points) <= MOST_LEFT_OUT
        theirs_left_out = left_out(data, points, labels) if alone else [None]
        ours, ours_left_out = lines[2 * number], lines[2 * number + 1]
        for wanted, answer in zip(theirs + theirs_left_out * alone, ours + ours_left_out * alone):
            ambiguous += wanted is None
            compared += wanted is not None
            if wanted is not None and wanted != answer:
                faults.append(f"data set {number} {data}: expected {wanted}, not {answer}")
        if None not in theirs_left_out:
            accuracies += 1
            right = [sum(a == b for a, b in zip(answers, data["labels"])) for answers in (theirs_left_out, ours_left_out)]
            if right[0] != right[1]:
                faults.append(f"data set {number}: leave-one-out accuracy {right[1]}, not {right[0]}")
    if compared < 10 * DATA_SETS or accuracies < DATA_SETS / 12:
        faults.append(f"too little was compared: {compared} answers, {accuracies} accuracies")
    print("\n".join(faults[:5]))
    print(f"{len(faults)} faults; {DATA_SETS} data sets, {compared} answers the same, {ambiguous} left to chance by "
          f"scikit-learn; {accuracies} leave-one-out accuracies equal")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
