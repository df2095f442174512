#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fine-tunes a small transformer with Hugging Face's Trainer, as a job of sweetspotd. Runs on a CPU within a minute.

The model starts from random numbers and the words of sentences.tsv are its vocabulary, so nothing is downloaded. The one line
that a training of yours needs is marked.
"""

import argparse
import csv
import json
import os
import pathlib

import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

from sweetspotd.transformers import EnergyCallback

SENTENCES = pathlib.Path(__file__).with_name("sentences.tsv")


def read_sentences():
    """Texts and labels, 1 for good and 0 for bad."""
    with SENTENCES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [row["sentence"] for row in rows], [int(row["label"]) for row in rows]


def make_tokenizer(texts):
    """One token a word, with BERT's special tokens around."""
    tokenizer = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    tokenizer.train_from_iterator(texts, trainers.WordLevelTrainer(special_tokens=special))
    ends = [("[CLS]", tokenizer.token_to_id("[CLS]")), ("[SEP]", tokenizer.token_to_id("[SEP]"))]
    tokenizer.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", ends)
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)


def make_model(kind, tokenizer, layers):
    """A classifier of two classes, small and new."""
    sizes = {"vocab_size": len(tokenizer), "num_hidden_layers": layers, "hidden_size": 64, "num_attention_heads": 4}
    sizes.update(intermediate_size=128, num_labels=2, pad_token_id=tokenizer.pad_token_id)
    if kind == "bert":
        return transformers.BertForSequenceClassification(transformers.BertConfig(**sizes))
    return transformers.GPTNeoXForSequenceClassification(transformers.GPTNeoXConfig(max_position_embeddings=128, **sizes))


class Sentences(torch.utils.data.Dataset):
    """Tokenised, not padded: the collator pads each batch to its longest."""

    def __init__(self, tokenizer, texts, labels):
        self._items = [{**tokenizer(text), "labels": label} for text, label in zip(texts, labels)]

    def __len__(self):
        return len(self._items)

    def __getitem__(self, index):
        return self._items[index]


def make_trainer(kind="bert", layers=2, epochs=1.0, output="finetuned", callbacks=None, wrap=None, **more):
    """All that a training needs. `wrap` may put an adapter around the model; what else is given are arguments of the training."""
    texts, labels = read_sentences()
    tokenizer = make_tokenizer(texts)
    transformers.set_seed(42)
    model = make_model(kind, tokenizer, layers)
    if wrap is not None:
        model = wrap(model)
    options = {
        "output_dir": output,
        "num_train_epochs": epochs,
        "per_device_train_batch_size": 8,
        "learning_rate": 5e-4,
        "weight_decay": 0.01,
        "warmup_steps": round(0.06 * epochs * len(texts) / 8),
        "logging_steps": 2,
        "save_strategy": "no",
        "report_to": [],
        "disable_tqdm": True,
        **more,
    }
    if "LOCAL_RANK" in os.environ and not torch.cuda.is_available():
        options["ddp_backend"] = "gloo"  # torchrun on CPUs
    arguments = transformers.TrainingArguments(**options)
    if torch.__version__.startswith("1."):
        arguments.dataloader_prefetch_factor = 2  # torch's own default, which transformers 4.38 overwrites with nothing
    return transformers.Trainer(
        model=model,
        args=arguments,
        train_dataset=Sentences(tokenizer, texts, labels),
        data_collator=transformers.DataCollatorWithPadding(tokenizer),
        callbacks=[EnergyCallback()] if callbacks is None else callbacks,  # <- the one line
    )


def train(*arguments, **named):
    """Trains once; answers the trainer, whose state has the losses."""
    trainer = make_trainer(*arguments, **named)
    trainer.train()
    return trainer


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=["bert", "gpt-neox"], default="bert")
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--epochs", type=float, default=1.0)
    parser.add_argument("--output", default="finetuned", help="folder for checkpoints")
    parser.add_argument("--without", action="store_true", help="train without the callback")
    parser.add_argument("--history", metavar="FILE", help="write what was logged, as JSON")
    given = parser.parse_args()
    trainer = train(given.model, given.layers, given.epochs, given.output, [] if given.without else None)
    if given.history:
        pathlib.Path(given.history).write_text(json.dumps(trainer.state.log_history), encoding="utf-8")


if __name__ == "__main__":
    main()
