# SPDX-License-Identifier: Apache-2.0
"""python3 -m sweetspotd spec: writes the JobSpec of a model and a data file, for `sweetspot run --spec`."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from typing import Any, Dict, List, Optional, Sequence

from ._model_shape import model_shape
from ._sequence_length import mean_sequence_length
from ._version import VERSION


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command line; returns the exit status: 0 done, 1 failed, 2 usage."""
    parser = argparse.ArgumentParser(prog="python3 -m sweetspotd", description=__doc__)
    parser.add_argument("--version", action="version", version=f"sweetspotd {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True)
    spec = commands.add_parser("spec", help="write a JobSpec", description="Writes a JobSpec as JSON.")
    spec.add_argument("--model", required=True, metavar="PATH", help="Hugging Face config.json, or its folder")
    spec.add_argument("--data", metavar="FILE", help="training texts: .jsonl, .json, .csv, .tsv, or one text a line")
    spec.add_argument("--tokenizer", metavar="PATH", help="folder of a Hugging Face tokenizer; else that of --model")
    spec.add_argument("--name", help="what people call the job")
    spec.add_argument("-o", "--output", metavar="FILE", help="write there instead of to standard output")
    given = parser.parse_args(arguments)
    try:
        text = json.dumps(_spec(given), indent=2) + "\n"
        if given.output:
            with open(given.output, "w", encoding="utf-8") as out:
                out.write(text)
        else:
            sys.stdout.write(text)
    except (OSError, ValueError, ImportError) as problem:
        print(f"sweetspotd: {problem}", file=sys.stderr)
        return 1
    return 0


def _spec(given: argparse.Namespace) -> Dict[str, Any]:
    shape = model_shape(given.model)
    if shape.layers is None:
        raise ValueError(f"{given.model}: no number of layers in it; expected a model's config.json")
    mean = None
    if given.data:
        items = read_items(given.data)
        mean = mean_sequence_length(items, tokenizer=_tokenizer(given.tokenizer or given.model, items))
        if mean is None:
            raise ValueError(f"{given.data}: no input_ids, attention_mask or texts in it")
    spec = {
        "name": given.name,
        "model_type": shape.model_type,
        "layers": shape.layers,
        "hidden_size": shape.hidden_size,
        "mean_sequence_length": round(mean, 3) if mean is not None else None,
    }
    return {key: value for key, value in spec.items() if value is not None}


def read_items(path: str) -> List[Any]:
    """The file's items: objects of JSON, rows of a table, or lines."""
    with open(path, encoding="utf-8", newline="") as file:
        if path.endswith(".jsonl"):
            return [json.loads(line) for line in file if line.strip()]
        if path.endswith(".json"):
            items = json.load(file)
            if not isinstance(items, list):
                raise ValueError(f"{path}: expected a list of objects")
            return items
        if path.endswith((".csv", ".tsv")):
            return [_texts(row) for row in csv.DictReader(file, delimiter="\t" if path.endswith(".tsv") else ",")]
        return [line.rstrip("\n") for line in file if line.strip()]


def _texts(row: Dict[str, Any]) -> Dict[str, Any]:
    """A table's row without what is a number, an index or a label and not a text."""
    return {key: value for key, value in row.items() if isinstance(value, str) and not value.replace(".", "", 1).isdigit()}


def _tokenizer(path: str, items: List[Any]) -> Any:
    first = items[0] if items else None
    if isinstance(first, dict) and ("input_ids" in first or "attention_mask" in first):
        return None
    try:
        from transformers import AutoTokenizer
    except ImportError as problem:
        raise ImportError("counting the tokens of texts needs `pip install transformers`, or data with input_ids") from problem
    # Nothing is fetched: a spec must be the same with and without a network.
    return AutoTokenizer.from_pretrained(path, local_files_only=True)


if __name__ == "__main__":
    sys.exit(main())
