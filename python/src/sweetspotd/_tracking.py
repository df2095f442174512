# SPDX-License-Identifier: Apache-2.0
"""sweetspotd.track(loader): a plain training loop as a job, one step per batch."""

from __future__ import annotations

from typing import Any, Generic, Iterable, Iterator, Optional, TypeVar

from ._job import Job
from ._ranks import is_spokesman
from ._scope import job_spec, without_raising
from ._sequence_length import batch_lengths

Batch = TypeVar("Batch")


class track(Generic[Batch]):  # noqa: N801  (used like a function: for batch in track(loader))
    """Iterates over the loader as it is, and runs a job meanwhile: `for batch in sweetspotd.track(loader, model=model):`.

    The job starts with the first batch, which gives the length of sequences where the loader is a stream that cannot be looked
    at beforehand, and ends with the last, with an exception in the loop's body as soon as the iterator is
    let go, with a `break` likewise. Several epochs: `for epoch in range(3): for batch in tracked:` is one job until end() or
    until `epochs` of them are over. Keywords are those of sweetspotd.job().
    """

    def __init__(
        self, loader: Iterable[Batch], *, epochs: int = 1, steps_per_batch: int = 1, socket: Optional[str] = None, **spec: Any
    ) -> None:
        self._loader = loader
        self._epochs_left = epochs
        self._steps_per_batch = steps_per_batch
        self._socket = socket
        spec.setdefault("data", loader)
        self._spec = job_spec(**spec)
        self._batches = 0
        self.job: Optional[Job] = None
        """The job, once it was started."""

    def __len__(self) -> int:
        return len(self._loader)  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[Batch]:
        finished = False
        try:
            for batch in self._loader:
                self._before(batch)
                yield batch
                self._after()
            finished = True
        finally:
            self._epochs_left -= 1
            if not finished or self._epochs_left <= 0:
                self.end()

    def end(self) -> None:
        """Ends the job before its epochs are over; its record is in `job.record`."""
        if self.job is not None:
            self.job.end()

    def _before(self, batch: Batch) -> None:
        if self.job is not None:
            return
        if "mean_sequence_length" not in self._spec:
            lengths = without_raising(batch_lengths, batch) or []
            if lengths:
                self._spec["mean_sequence_length"] = sum(lengths) / len(lengths)
        self.job = Job(self._spec, self._socket)
        if is_spokesman():
            self.job.start()

    def _after(self) -> None:
        self._batches += 1
        if self.job is not None:
            self.job.progress(self._batches // self._steps_per_batch)
