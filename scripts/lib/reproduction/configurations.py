# SPDX-License-Identifier: Apache-2.0
"""The fine-tuning configurations of the reproduction: models and tasks by their published shapes, and what is assumed of a step.

Published: the models' layers and widths (their configuration files), the tasks' numbers of training examples (GLUE), batch sizes of
the paper's protocol where they are known. Inferred: which nine models the paper's 27 configurations are (docs/reproduction.md), and
the mean lengths. Assumed: how long a step takes.
"""

import dataclasses

TOP_MHZ = 1300.5
# Rough fits to the step shapes that the four published curves give: floor over work at the top clock is 2.98 for Pythia-14M, 0.50
# and 0.84 for DeBERTa, 0.76 for Gemma.
FLOOR_PER_SEQUENCE_S = 0.0016
FLOOR_SHARE = 0.65
LARGE_ABOVE_M = 70
"""Millions of parameters; the paper tells models above this apart."""

# Workloads of the simulator that are played from published joules instead of the model.
PLAYED_FROM_PUBLISHED = ("deberta-v2-xlarge/sst2", "deberta-v2-xlarge/qnli")


@dataclasses.dataclass(frozen=True)
class Model:
    name: str
    parameters_m: float
    layers: int
    hidden_size: int
    batch_size: int

    @property
    def is_large(self):
        return self.parameters_m > LARGE_ABOVE_M


@dataclasses.dataclass(frozen=True)
class Task:
    name: str
    examples: int
    mean_length: float


@dataclasses.dataclass(frozen=True)
class Configuration:
    model: Model
    task: Task
    floor_share: float = FLOOR_SHARE

    @property
    def name(self):
        return f"{self.model.name}/{self.task.name}"

    @property
    def curve_id(self):
        return f"sim-{self.name}"

    @property
    def steps(self):
        return max(1, round(self.task.examples / self.model.batch_size))

    @property
    def work_mhz_s(self):
        """GPU cycles of a step. 6 operations per parameter and token, 12 * width² parameters per layer, 1.3 for padding, 3 TFLOP/s at
        the top clock; narrow models use the GPU worse."""
        model = self.model
        operations = 6 * 12 * model.layers * model.hidden_size**2 * model.batch_size * self.task.mean_length * 1.3
        return operations / (3e12 / TOP_MHZ) * (1.2 + 400 / model.hidden_size)

    @property
    def floor_s(self):
        """What the clock does not shorten: loading a sequence and launching its kernels, and the memory's share of the work."""
        return FLOOR_PER_SEQUENCE_S * self.model.batch_size + self.floor_share * self.work_mhz_s / TOP_MHZ


MODELS = (
    Model("bert-small", 28.8, 4, 512, 256),
    Model("bert-medium", 41.4, 8, 512, 128),
    Model("bert-base", 110, 12, 768, 128),
    Model("bert-large", 335, 24, 1024, 32),
    Model("deberta-v2-xlarge", 900, 24, 1536, 16),
    Model("pythia-31m", 31, 6, 256, 128),
    Model("pythia-70m", 70, 6, 512, 128),
    Model("pythia-410m", 405, 24, 1024, 32),
    Model("pythia-1b", 1012, 16, 2048, 16),
)
TRAINING_TASKS = (Task("sst2", 67349, 14), Task("qnli", 104743, 51), Task("mrpc", 3668, 55))
UNSEEN_TASKS = (
    Task("qqp", 363846, 30),
    Task("rte", 2490, 70),
    Task("cola", 8551, 11),
    Task("stsb", 5749, 31),
    Task("mnli", 392702, 40),
    Task("wnli", 635, 37),
)


def configurations(tasks, models=MODELS, floor_share=FLOOR_SHARE):
    return [Configuration(model, task, floor_share) for model in models for task in tasks]
