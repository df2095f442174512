#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fine-tunes a model on a task of GLUE as a job of sweetspotd, by the protocol of the paper that the clock policies come from:
one epoch, AdamW, weight decay 0.01, 6 % of the steps to warm up, seed 42, each batch padded to its own longest.

    glue.py --task sst2 --data glue_data/SST-2 --model ./bert-base-uncased      a folder with train.tsv and dev.tsv
    glue.py --task qnli --data nyu-mll/glue --model bert-base-uncased           a Hugging Face data set, over the network
"""

import argparse
import csv
import json
import pathlib

import torch
import transformers

from sweetspotd.transformers import EnergyCallback

# The columns with the texts, by the files' names for them and by those of the Hugging Face data set.
TEXTS = {
    "sst2": (("sentence",), ("sentence",)),
    "qnli": (("question", "sentence"), ("question", "sentence")),
    "rte": (("sentence1", "sentence2"), ("sentence1", "sentence2")),
    "wnli": (("sentence1", "sentence2"), ("sentence1", "sentence2")),
    "mrpc": (("#1 String", "#2 String"), ("sentence1", "sentence2")),
    "qqp": (("question1", "question2"), ("question1", "question2")),
    "mnli": (("sentence1", "sentence2"), ("premise", "hypothesis")),
}
LABELS = ("label", "gold_label", "Quality", "is_duplicate")
# Of MNLI's two files to test with, the one whose texts are of the kind it was trained on.
HELD_OUT = {"mnli": ("dev_matched.tsv", "validation_matched")}


def rows_of_file(path, texts):
    """(texts, label as it is written) of a GLUE file, which quotes nothing."""
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            label = next((row[name] for name in LABELS if row.get(name)), None)
            if label is not None and all(row.get(name) for name in texts):  # GLUE's files have some broken lines
                yield [row[name] for name in texts], label


def read_task(task, data):
    """Rows to train with, rows to test with; labels are numbers from 0."""
    file_texts, set_texts = TEXTS[task]
    held_out_file, held_out_split = HELD_OUT.get(task, ("dev.tsv", "validation"))
    folder = pathlib.Path(data)
    if folder.is_dir():
        parts = [list(rows_of_file(folder / name, file_texts)) for name in ("train.tsv", held_out_file)]
        numbers = {label: number for number, label in enumerate(sorted({label for _, label in parts[0]}))}
        return [[(texts, numbers[label]) for texts, label in part] for part in parts]
    import datasets

    splits = [datasets.load_dataset(data, task, split=split) for split in ("train", held_out_split)]
    return [[([row[name] for name in set_texts], row["label"]) for row in split] for split in splits]


class Tokenised(torch.utils.data.Dataset):
    """Not padded: the collator pads each batch to its longest."""

    def __init__(self, rows, tokenizer, max_length):
        self._items = [{**tokenizer(*texts, truncation=True, max_length=max_length), "label": label} for texts, label in rows]

    def __len__(self):
        return len(self._items)

    def __getitem__(self, index):
        return self._items[index]


def accuracy(prediction):
    return {"accuracy": float((prediction.predictions.argmax(-1) == prediction.label_ids).mean())}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", choices=sorted(TEXTS), required=True)
    parser.add_argument("--data", required=True, help="folder with the task's .tsv files, or name of a Hugging Face data set")
    parser.add_argument("--model", required=True, help="folder of a model with its tokenizer, or name of one on the hub")
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--max-length", type=int, default=128, help="longer texts are cut; the paper: 128 for SST-2, 256 for QNLI")
    parser.add_argument("--learning-rate", type=float, default=2e-5)
    parser.add_argument("--logging-steps", type=int, default=50)
    parser.add_argument("--output", default="glue-output", help="folder for the model, its record of energy and its card")
    parser.add_argument("--history", metavar="FILE", help="write what was logged, as JSON")
    return parser.parse_args()


def training_arguments(given, steps):
    return transformers.TrainingArguments(
        output_dir=given.output,
        num_train_epochs=1,
        optim="adamw_torch",
        weight_decay=0.01,
        warmup_steps=round(0.06 * steps),
        seed=42,
        learning_rate=given.learning_rate,
        per_device_train_batch_size=given.batch_size,
        logging_steps=given.logging_steps,
        save_strategy="epoch",
        report_to=[],
        disable_tqdm=True,
    )


def main():
    given = parse_arguments()
    training, held_out = read_task(given.task, given.data)
    transformers.set_seed(42)  # before the model: its new head is drawn at random
    tokenizer = transformers.AutoTokenizer.from_pretrained(given.model)
    classes = len({label for _, label in training})
    model = transformers.AutoModelForSequenceClassification.from_pretrained(given.model, num_labels=classes)
    if model.config.pad_token_id is None:  # GPT-NeoX and its like have none of their own
        tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
        model.config.pad_token_id = tokenizer.pad_token_id
    arguments = training_arguments(given, steps=-(-len(training) // given.batch_size))
    if torch.__version__.startswith("1."):
        arguments.dataloader_prefetch_factor = 2  # torch's own default, which transformers 4.38 overwrites with nothing
    trainer = transformers.Trainer(
        model=model,
        args=arguments,
        train_dataset=Tokenised(training, tokenizer, given.max_length),
        eval_dataset=Tokenised(held_out, tokenizer, given.max_length),
        data_collator=transformers.DataCollatorWithPadding(tokenizer),
        compute_metrics=accuracy,
        callbacks=[EnergyCallback(name=f"glue {given.task}", write_record_beside=True, model_card=True)],
    )
    trainer.train()
    scores = trainer.evaluate(ignore_keys=["past_key_values"])  # some decoders answer these, too
    print(f"accuracy {scores['eval_accuracy']:.3f} on {len(held_out)} texts held out")
    if given.history:
        pathlib.Path(given.history).write_text(json.dumps(trainer.state.log_history), encoding="utf-8")


if __name__ == "__main__":
    main()
