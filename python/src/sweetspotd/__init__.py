# SPDX-License-Identifier: Apache-2.0
"""Tells sweetspotd, the GPU clock governor for NVIDIA Jetson boards, about a fine-tuning job; brings back its joules.

    import sweetspotd

    with sweetspotd.job(model=model, data=loader) as job:
        for step, batch in enumerate(loader, start=1):
            ...
            job.progress(step)
    print(job.record["energy_j"] if job.record else "not measured")

Hugging Face Trainer: sweetspotd.transformers.EnergyCallback; Lightning: sweetspotd.lightning.EnergyCallback; a plain loop:
`for batch in sweetspotd.track(loader, model=model)`. Nothing here breaks a training or holds it up for more than 0.1 s a call.
"""

from __future__ import annotations

from typing import Any, Optional

from ._job import PATIENCE_S, Job
from ._model_shape import ModelShape, model_shape
from ._scope import Scope, job_spec
from ._sequence_length import mean_sequence_length
from ._tracking import track
from ._version import VERSION as __version__
from .client import Client
from .errors import Refused, SweetspotError, Unavailable
from .messages import Decision, EnergyRecord, JobSpec, Rail, StartedJob

__all__ = [
    "PATIENCE_S",
    "Client",
    "Decision",
    "EnergyRecord",
    "Job",
    "JobSpec",
    "ModelShape",
    "Rail",
    "Refused",
    "StartedJob",
    "SweetspotError",
    "Unavailable",
    "__version__",
    "explain",
    "job",
    "job_spec",
    "mean_sequence_length",
    "model_shape",
    "track",
]


def job(*, socket: Optional[str] = None, **spec: Any) -> Scope:
    """A job for a `with` block, an `async with` block, or as a decorator of the function that trains.

    Keywords: those of job_spec(). `socket` else $SWEETSPOT_SOCKET else the service's own. The block gets a Job. Of several
    processes that train together on one board only the first registers; the others' Job does nothing.
    """
    return Scope(job_spec(**spec), socket)


def explain(*, socket: Optional[str] = None, **spec: Any) -> Decision:
    """Which clock a job with these keywords would get, and why; starts nothing. Raises Unavailable or Refused."""
    with Client(socket) as client:
        return client.explain(job_spec(**spec))
