# SPDX-License-Identifier: Apache-2.0
"""sweetspotd.job(...): a job as a context manager, plain or asynchronous, and as a decorator."""

from __future__ import annotations

import asyncio
import functools
import inspect
import logging
from types import TracebackType
from typing import Any, Callable, Dict, List, Optional, Type, TypeVar, Union, cast

from ._frequency import hertz
from ._job import Job
from ._model_shape import model_shape
from ._ranks import is_spokesman
from ._sequence_length import mean_sequence_length as mean_length_of
from .messages import JobSpec

Function = TypeVar("Function", bound=Callable[..., Any])
Answer = TypeVar("Answer")

_logger = logging.getLogger("sweetspotd")


def without_raising(look: Callable[..., Optional[Answer]], *arguments: Any, **named: Any) -> Optional[Answer]:
    """What `look` finds in the user's model or data; None and a warning where they are unlike all we know."""
    try:
        return look(*arguments, **named)
    except Exception as problem:  # noqa: BLE001  (other people's code; whatever it raises, the training goes on)
        _logger.warning("%s cannot be told from what was given: %r", look.__name__.replace("_", " "), problem)
        return None


def job_spec(
    *,
    name: Optional[str] = None,
    model: Any = None,
    data: Any = None,
    tokenizer: Any = None,
    model_type: Optional[str] = None,
    layers: Optional[int] = None,
    hidden_size: Optional[int] = None,
    mean_sequence_length: Optional[float] = None,
    batch_size: Optional[int] = None,
    total_steps: Optional[int] = None,
    policy: Optional[str] = None,
    clock: Union[str, int, None] = None,
    objective: Optional[str] = None,
    rails: Optional[List[str]] = None,
    max_slowdown: Optional[float] = None,
    finish_within_s: Optional[float] = None,
    energy_delay: Optional[bool] = None,
    lease_s: Optional[float] = None,
    tags: Optional[Dict[str, str]] = None,
) -> JobSpec:
    """A JobSpec from what is known.

    `model` (a model, its config, or the path of a config.json) gives layers, hidden_size and model_type; `data` (a data loader
    or a data set) gives mean_sequence_length, `tokenizer` helps where the data are texts. What is given by name goes first.
    `clock` is "612MHz", "0.612GHz" or Hz, for policy "fixed".
    """
    shape = without_raising(model_shape, model) if model is not None else None
    if shape is not None:
        layers = layers if layers is not None else shape.layers
        hidden_size = hidden_size if hidden_size is not None else shape.hidden_size
        model_type = model_type if model_type is not None else shape.model_type
    if mean_sequence_length is None and data is not None:
        mean_sequence_length = without_raising(mean_length_of, data, tokenizer=tokenizer)
    given = {
        "name": name,
        "model_type": model_type,
        "layers": layers,
        "hidden_size": hidden_size,
        "mean_sequence_length": mean_sequence_length,
        "batch_size": batch_size,
        "total_steps": total_steps,
        "policy": policy,
        "frequency_hz": hertz(clock) if clock is not None else None,
        "objective": objective,
        "rails": rails,
        "max_slowdown": max_slowdown,
        "finish_within_s": finish_within_s,
        "energy_delay": energy_delay,
        "lease_s": lease_s,
        "tags": tags,
    }
    return cast(JobSpec, {key: value for key, value in given.items() if value is not None})


class Scope:
    """What sweetspotd.job() gives: `with` starts the job and ends it, however the block is left; `@` does so for each call."""

    def __init__(self, spec: JobSpec, socket: Optional[str]) -> None:
        self._spec = spec
        self._socket = socket
        self._job: Optional[Job] = None

    def __enter__(self) -> Job:
        self._job = Job(self._spec, self._socket)
        if is_spokesman():
            self._job.start()
        return self._job

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if self._job is not None:
            self._job.end()

    async def __aenter__(self) -> Job:
        return await asyncio.get_running_loop().run_in_executor(None, self.__enter__)

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await asyncio.get_running_loop().run_in_executor(None, self.__exit__, kind, value, trace)

    def __call__(self, function: Function) -> Function:
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def governed_coroutine(*arguments: Any, **named: Any) -> Any:
                async with Scope(self._spec, self._socket):
                    return await function(*arguments, **named)

            return cast(Function, governed_coroutine)

        @functools.wraps(function)
        def governed(*arguments: Any, **named: Any) -> Any:
            with Scope(self._spec, self._socket):
                return function(*arguments, **named)

        return cast(Function, governed)
