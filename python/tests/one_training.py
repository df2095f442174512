# SPDX-License-Identifier: Apache-2.0
"""A training with one library, twice from the same seed: with the callback and without it. For frameworks_test.py.

Usage: one_training.py transformers|peft|trl|lightning FOLDER. The last line is JSON: versions, record, losses, losses_without,
optimizer steps, the last figures that were logged, the layers that were trained.
"""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "examples"), str(ROOT / "python/src")]

import finetune  # noqa: E402  (found through the path above)
import torch  # noqa: E402
import transformers  # noqa: E402

from sweetspotd.transformers import EnergyCallback  # noqa: E402

LAYERS = 8


def with_transformers(callbacks, folder):
    trainer = finetune.train("gpt-neox", LAYERS, output=folder, callbacks=callbacks)
    return trainer.state


def adapted(model, task):
    import peft

    lora = peft.LoraConfig(r=4, target_modules=["query_key_value"], task_type=task)
    return peft.get_peft_model(model, lora)


def with_peft(callbacks, folder):
    """A classifier of which only an adapter is trained, two batches a step."""
    trainer = finetune.train(
        "gpt-neox",
        LAYERS,
        output=folder,
        callbacks=callbacks,
        wrap=lambda model: adapted(model, "SEQ_CLS"),
        gradient_accumulation_steps=2,
    )
    return trainer.state


def with_trl(callbacks, folder):
    """A language model with an adapter, by SFTTrainer."""
    import datasets
    import trl

    texts, _ = finetune.read_sentences()
    tokenizer = finetune.make_tokenizer(texts)
    tokenizer.add_special_tokens({"eos_token": "[SEP]"})
    transformers.set_seed(42)
    config = transformers.GPTNeoXConfig(
        vocab_size=len(tokenizer),
        num_hidden_layers=LAYERS,
        hidden_size=64,
        num_attention_heads=4,
        intermediate_size=128,
        max_position_embeddings=128,
        pad_token_id=tokenizer.pad_token_id,
    )
    model = adapted(transformers.GPTNeoXForCausalLM(config), "CAUSAL_LM")
    common = {
        "output_dir": folder,
        "num_train_epochs": 1,
        "per_device_train_batch_size": 8,
        "logging_steps": 2,
        "save_strategy": "no",
        "report_to": [],
        "disable_tqdm": True,
    }
    data = datasets.Dataset.from_dict({"text": texts})
    if hasattr(trl, "SFTConfig"):
        arguments = trl.SFTConfig(max_length=64, use_cpu=True, bf16=False, **common)
        more = {"processing_class": tokenizer}
    else:
        arguments = transformers.TrainingArguments(use_cpu=True, **common)
        arguments.dataloader_prefetch_factor = 2
        more = {"tokenizer": tokenizer, "dataset_text_field": "text", "max_seq_length": 64}
    trainer = trl.SFTTrainer(model=model, args=arguments, train_dataset=data, callbacks=callbacks, **more)
    trainer.train()
    return trainer.state


def run_trainer(train, folder):
    callback = EnergyCallback()
    state, without = train([callback], folder), train([], folder)
    logged = [entry for entry in state.log_history if "loss" in entry]
    return {
        "record": callback.job.wait_for_record(60),
        "steps": state.global_step,
        "losses": [entry["loss"] for entry in logged],
        "losses_without": [entry["loss"] for entry in without.log_history if "loss" in entry],
        "logged": logged[-1],
    }


def with_lightning(callbacks, folder):
    """The trainer after a fit, and every batch's loss."""
    import lightning

    texts, labels = finetune.read_sentences()
    tokenizer = finetune.make_tokenizer(texts)
    losses = []

    class Classifier(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.model = finetune.make_model("bert", tokenizer, LAYERS)

        def training_step(self, batch, index):
            loss = self.model(**batch).loss
            losses.append(loss.item())
            return loss

        def configure_optimizers(self):
            return torch.optim.AdamW(self.parameters(), lr=5e-4)

    lightning.seed_everything(42, verbose=False)
    items = finetune.Sentences(tokenizer, texts, labels)
    collate = transformers.DataCollatorWithPadding(tokenizer)
    loader = torch.utils.data.DataLoader(items, batch_size=8, shuffle=True, collate_fn=collate)
    quiet = {"enable_progress_bar": False, "enable_model_summary": False, "enable_checkpointing": False}
    trainer = lightning.Trainer(
        max_epochs=1, accelerator="cpu", logger=False, log_every_n_steps=2, default_root_dir=folder, callbacks=callbacks, **quiet
    )
    trainer.fit(Classifier(), loader)
    return trainer, losses


def record_of_a_failing_fit(folder, steps):
    """What a fit leaves behind that fails after so many steps."""
    import lightning

    import sweetspotd.lightning

    class Fails(lightning.Callback):
        def on_train_batch_end(self, trainer, *arguments):
            if trainer.global_step == steps:
                raise ArithmeticError("as a training fails")

    callback = sweetspotd.lightning.EnergyCallback()
    try:
        with_lightning([callback, Fails()], folder)
    except ArithmeticError:
        return callback.job.wait_for_record(60)
    sys.exit("the fit did not fail")


def run_lightning(folder):
    import sweetspotd.lightning

    callback = sweetspotd.lightning.EnergyCallback()
    (trainer, losses), (_, without) = with_lightning([callback], folder), with_lightning([], folder)
    return {
        "record": callback.job.wait_for_record(60),
        "steps": trainer.global_step,
        "losses": losses,
        "losses_without": without,
        "logged": {name: float(value) for name, value in trainer.logged_metrics.items()},
        "record_of_a_failing_fit": record_of_a_failing_fit(folder, 3),
    }


def versions(library):
    names = {"transformers": "accelerate", "trl": "trl", "peft": "peft", "lightning": "lightning"}
    found = {"torch": torch.__version__, "transformers": transformers.__version__}
    found[names[library]] = sys.modules[names[library]].__version__
    return found


def main(library, folder):
    if library == "lightning":
        found = run_lightning(folder)
    else:
        found = run_trainer({"transformers": with_transformers, "peft": with_peft, "trl": with_trl}[library], folder)
    print(json.dumps({"versions": versions(library), "layers": LAYERS, **found}))


if __name__ == "__main__":
    main(*sys.argv[1:])
