# SPDX-License-Identifier: Apache-2.0
"""A callback for Hugging Face's Trainer and all that is built on it, such as TRL's SFTTrainer.

    from sweetspotd.transformers import EnergyCallback
    trainer = Trainer(..., callbacks=[EnergyCallback()])

That is all. The job starts with the training and ends with it, however it ends; every logging step carries energy_j,
energy_j_per_step, mean_power_w and gpu_clock_mhz to every tracker. Losses are bit for bit those without the callback.
"""

from __future__ import annotations

import atexit
import functools
import logging
import sys
import time
from types import FrameType
from typing import Any, Dict, Optional, Type

from transformers import Trainer
from transformers.trainer_callback import CallbackHandler, TrainerCallback

from ._figures import Meter, one_line, write_model_card_section, write_record
from ._job import PATIENCE_S, Job
from ._ranks import is_spokesman
from ._scope import job_spec
from .messages import EnergyRecord

# A program that has nothing left to do may wait so long for a board that is busy.
_PATIENCE_AT_EXIT_S = 2.0

_logger = logging.getLogger("sweetspotd")


class EnergyCallback(TrainerCallback):  # type: ignore[misc]
    """One job per training.

    Keywords are those of sweetspotd.job() and go before what is read from the model and the data. `write_record_beside`: also
    write energy.json into the output folder; `model_card`: also put a section into its README.md.
    """

    def __init__(
        self,
        *,
        socket: Optional[str] = None,
        write_record_beside: bool = False,
        model_card: bool = False,
        **spec: Any,
    ) -> None:
        self._socket = socket
        self._given = spec
        self._write_record = write_record_beside
        self._model_card = model_card
        self._meter: Optional[Meter] = None
        self._steps_before = 0
        self._untold: Optional[str] = None  # the output folder of a training whose record is still to come
        self.job: Optional[Job] = None
        """The job of the training that runs or ran last, on the process that speaks for its board."""

    @property
    def record(self) -> Optional[EnergyRecord]:
        """What the last training cost; None where nobody measured it."""
        return self.job.record if self.job is not None else None

    def end(self) -> None:
        """Ends the job, if one runs."""
        if self.job is not None:
            self.job.end()
            self._tell(PATIENCE_S)

    def on_init_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """The trainer exists."""
        _end_with_training(self)

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Starts the job."""
        if not is_spokesman():
            return
        _go_first(self)
        self.end()  # a training that was left without a word
        self.job = Job(job_spec(**self._found(args, state, kwargs), **self._given), self._socket)
        self.job.start()
        self._meter = Meter(self.job)
        self._meter.begin(time.monotonic())
        self._steps_before = state.global_step  # not 0 when resumed from a checkpoint

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """One optimizer step is done."""
        if self.job is not None:
            self.job.progress(state.global_step - self._steps_before)

    def on_log(self, args: Any, state: Any, control: Any, logs: Optional[Dict[str, Any]] = None, **kwargs: Any) -> None:
        """Adds the figures to what is logged."""
        if self.job is None or self._meter is None or logs is None or self.job.ended:
            return
        figures = self._meter.figures(state.global_step - self._steps_before, time.monotonic())
        logs.update(figures)
        if state.log_history and state.log_history[-1].get("step") == state.global_step:
            state.log_history[-1].update(figures)

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Ends the job, prints one line, writes what was asked for."""
        if self.job is not None:
            self._untold = args.output_dir
            self.end()

    def _tell(self, patience_s: float) -> None:
        """Prints and writes the record of a training that went to its end, once it is there; at the latest as the program ends."""
        folder, job = self._untold, self.job
        if folder is None or job is None or job.foreign:
            return
        record = job.wait_for_record(patience_s)
        if record is None and job.awaits_record and patience_s < _PATIENCE_AT_EXIT_S:
            atexit.unregister(self._tell)
            atexit.register(self._tell, _PATIENCE_AT_EXIT_S)
            return
        self._untold = None
        if not job.joined:  # else `sweetspot run` has the record, and prints the line
            print(one_line(record, job.clock_hz))
        if record is not None:
            self._write(record, folder)

    def _found(self, args: Any, state: Any, kwargs: Dict[str, Any]) -> Dict[str, Any]:
        found: Dict[str, Any] = {
            "name": args.run_name or None,
            "model": kwargs.get("model"),
            "data": kwargs.get("train_dataloader"),
            "tokenizer": kwargs.get("processing_class") or kwargs.get("tokenizer"),
            "batch_size": args.per_device_train_batch_size,
            "total_steps": state.max_steps - state.global_step if state.max_steps > state.global_step else None,
        }
        return {key: value for key, value in found.items() if value is not None and key not in self._given}

    def _write(self, record: EnergyRecord, folder: str) -> None:
        try:
            if self._write_record:
                write_record(record, folder)
            if self._model_card:
                write_model_card_section(record, folder)
        except OSError as problem:
            _logger.warning("the energy record was not written: %s", problem)


def _go_first(callback: EnergyCallback) -> None:
    """Moves the callback before those that report, so that they see the figures it adds to the logs.

    The Trainer puts the user's callbacks behind the trackers' and hands no callback the list. Where a later version of
    transformers hides it, the figures reach the callbacks behind this one only.
    """
    handler = _caller(CallbackHandler)
    if handler is not None and callback in handler.callbacks:
        handler.callbacks.remove(callback)
        handler.callbacks.insert(0, callback)


def _end_with_training(callback: EnergyCallback) -> None:
    """Has trainer.train() end the job however it is left: of an exception, or of Ctrl-C, a Trainer tells no callback."""
    trainer = _caller(Trainer)
    if trainer is None:
        return
    train = trainer.train

    @functools.wraps(train)
    def train_and_end(*arguments: Any, **named: Any) -> Any:
        try:
            return train(*arguments, **named)
        finally:
            callback.end()

    trainer.train = train_and_end


def _caller(kind: Type[Any]) -> Any:
    """The object of that class whose method has called us, however far up."""
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None:
        found = frame.f_locals.get("self")
        if isinstance(found, kind):
            return found
        frame = frame.f_back
    return None


__all__ = ["EnergyCallback"]
