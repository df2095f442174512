# SPDX-License-Identifier: Apache-2.0
"""Turns a fitted scikit-learn DecisionTreeClassifier into a tree file of sweetspotd.

    python3 -m sweetspotd.import_sklearn MODEL.pkl --features layers,mean_sequence_length -o tree.json

The classes are clocks, in MHz or in Hz. A pickle can run any code when it is opened: open only your own. scikit-learn is needed
to open it, not to use tree_file().
"""

from __future__ import annotations

import argparse
import json
import pickle
import sys
from typing import Any, Mapping, Sequence

UNITS = {
    "layers": "transformer blocks",
    "hidden_size": "dimensions",
    "mean_sequence_length": "tokens",
    "batch_size": "sequences",
}
# A GPU has neither a clock of 100 GHz nor one of 0.1 MHz, so that a class below is in MHz and one above in Hz.
MOST_MHZ = 100_000


def in_hertz(clock: Any) -> int:
    """A class of the model, a number or its text, as a clock in Hz."""
    try:
        number = float(clock)
    except (TypeError, ValueError):
        raise ValueError(f"class {clock!r}: expected a clock in MHz or Hz") from None
    if not 1 <= number <= 1e11:
        raise ValueError(f"class {clock!r}: expected a clock in MHz or Hz")
    return round(number * 1e6 if number <= MOST_MHZ else number)


def tree_file(
    model: Any,
    features: Sequence[str],
    *,
    name: str = "scikit-learn",
    source: str = "a DecisionTreeClassifier of scikit-learn",
    training_ranges: Mapping[str, tuple[float, float]] | None = None,
) -> dict[str, Any]:
    """The tree file of a fitted classifier, whose columns are `features`.

    `training_ranges` are the lowest and highest value of each feature in the training data, which the model does not know;
    without them the tree answers for every job.
    """
    unknown = [feature for feature in features if feature not in UNITS]
    if unknown:
        raise ValueError(f"feature {unknown[0]!r}: expected one of {', '.join(UNITS)}")
    tree = model.tree_
    if len(features) != tree.n_features:
        raise ValueError(f"{len(features)} features were named, the model has {tree.n_features}")
    if tree.n_outputs != 1:
        raise ValueError(f"the model has {tree.n_outputs} outputs, expected 1")
    clocks = [in_hertz(each) for each in model.classes_]
    classes = sorted(set(clocks))

    def entry(node: int) -> dict[str, Any]:
        below, above = int(tree.children_left[node]), int(tree.children_right[node])
        if below < 0:
            counts = list(tree.value[node][0])
            return {"class": classes.index(clocks[counts.index(max(counts))])}
        return {
            "feature": features[int(tree.feature[node])],
            "threshold": float(tree.threshold[node]),
            "below": below,
            "above": above,
        }

    ranges = training_ranges or {}
    return {
        "format": "sweetspot-tree",
        "version": 1,
        "name": name,
        "source": source,
        "features": [
            {"name": each, "unit": UNITS[each], **({"training_range": list(map(float, ranges[each]))} if each in ranges else {})}
            for each in features
        ],
        "classes_hz": classes,
        "nodes": [entry(node) for node in range(tree.node_count)],
    }


def ranges_in(text: str) -> dict[str, tuple[float, float]]:
    """`layers=2:24,mean_sequence_length=14:55`."""
    ranges = {}
    for part in filter(None, text.split(",")):
        try:
            feature, limits = part.split("=")
            lowest, highest = map(float, limits.split(":"))
        except ValueError:
            raise ValueError(f"{part!r}: expected FEATURE=LOWEST:HIGHEST") from None
        ranges[feature] = (lowest, highest)
    return ranges


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m sweetspotd.import_sklearn", description=__doc__.splitlines()[0])
    parser.add_argument("model", metavar="MODEL.pkl", help="a pickled, fitted DecisionTreeClassifier; it is run: only your own")
    parser.add_argument("--features", required=True, metavar="LIST", help=f"its columns in order: {', '.join(UNITS)}")
    parser.add_argument("--ranges", default="", metavar="LIST", help="training ranges: layers=2:24,mean_sequence_length=14:55")
    parser.add_argument("--name", default="scikit-learn", help="the tree's name")
    parser.add_argument("-o", "--output", metavar="TREE.json", help="file to write; else standard output")
    options = parser.parse_args(arguments)
    try:
        with open(options.model, "rb") as file:
            model = pickle.load(file)
        made = tree_file(
            model, options.features.split(","), name=options.name, training_ranges=ranges_in(options.ranges)
        )
    except (OSError, ValueError, AttributeError, ImportError, pickle.UnpicklingError) as problem:
        print(f"import_sklearn: {options.model}: {problem}", file=sys.stderr)
        return 1
    text = json.dumps(made, indent=1) + "\n"
    if options.output is None:
        sys.stdout.write(text)
        return 0
    with open(options.output, "w", encoding="utf-8") as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
