# SPDX-License-Identifier: Apache-2.0
"""A callback for Lightning: Trainer(callbacks=[EnergyCallback()]). The job is the fit, until its end or its exception."""

from __future__ import annotations

import time
from typing import Any, Dict, Optional

try:
    from lightning.pytorch import Callback
except ImportError:  # the older name of the same package
    from pytorch_lightning import Callback

from ._figures import Meter, one_line
from ._job import Job
from ._ranks import is_spokesman
from ._scope import job_spec
from .messages import EnergyRecord


class EnergyCallback(Callback):  # type: ignore[misc]
    """One job per fit. Keywords are those of sweetspotd.job() and go before what is read from the module and the data."""

    def __init__(self, *, socket: Optional[str] = None, **spec: Any) -> None:
        super().__init__()
        self._socket = socket
        self._given = spec
        self._meter: Optional[Meter] = None
        self._steps_before = 0
        self.job: Optional[Job] = None
        """The job of the fit that runs or ran last, on the process that speaks for its board."""

    @property
    def record(self) -> Optional[EnergyRecord]:
        """What the last fit cost; None where nobody measured it."""
        return self.job.record if self.job is not None else None

    def on_train_start(self, trainer: Any, pl_module: Any) -> None:
        """Starts the job."""
        if not is_spokesman():
            return
        if self.job is not None:
            self.job.end()
        self.job = Job(job_spec(**self._found(trainer, pl_module), **self._given), self._socket)
        self.job.start()
        self._meter = Meter(self.job)
        self._meter.begin(time.monotonic())
        self._steps_before = trainer.global_step

    def on_train_batch_end(self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int) -> None:
        """Reports optimizer steps, and logs the figures where the trainer logs."""
        if self.job is None or self._meter is None:
            return
        steps = trainer.global_step - self._steps_before
        self.job.progress(steps)
        every = getattr(trainer, "log_every_n_steps", 0)
        if every and (batch_idx + 1) % every == 0:
            self.log_dict(self._meter.figures(steps, time.monotonic()))

    def on_train_end(self, trainer: Any, pl_module: Any) -> None:
        """Ends the job and prints one line."""
        if self.job is not None:
            self.job.end()
            if not self.job.joined:  # else `sweetspot run` has the record, and prints the line
                print(one_line(self.job.record, self.job.clock_hz))

    def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:
        """Ends the job; the exception goes on."""
        if self.job is not None:
            self.job.end()

    def _found(self, trainer: Any, pl_module: Any) -> Dict[str, Any]:
        loader = trainer.train_dataloader
        total = trainer.estimated_stepping_batches
        found: Dict[str, Any] = {
            "model": pl_module,
            "data": loader,
            "batch_size": getattr(loader, "batch_size", None),
            "total_steps": int(total) if 0 < total < float("inf") else None,
        }
        return {key: value for key, value in found.items() if value is not None and key not in self._given}


__all__ = ["EnergyCallback"]
