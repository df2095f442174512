# SPDX-License-Identifier: Apache-2.0
"""One fine-tuning job, from the training script's side. Nothing here breaks a training or holds it up.

Every call returns within PATIENCE_S; what the daemon has not answered by then is picked up at the next call. Without a
daemon, with an old one, without permission or with a hung one there is one warning on the logger `sweetspotd`, and the
training goes on. When the daemon comes back after a crash, a new job is started for the rest of the training.
"""

from __future__ import annotations

import logging
import math
import os
import threading
from typing import Callable, Optional

from ._conversation import Conversation, deadline_in
from ._link import socket_path
from .errors import SweetspotError
from .messages import Decision, EnergyRecord, JobSpec

PATIENCE_S = 0.1
"""The longest that any call of a Job takes, in seconds."""

# Ten progress reports a second say all that a daemon which samples at 10 Hz can use, and cost a fast loop nothing.
_REPORT_EVERY_S = 0.1
# So long an answer may be late before it is worth a warning; a board that trains is a busy one.
_LATE_S = 2.0
_FIRST_RETRY_S = 1.0
_LONGEST_RETRY_S = 30.0

_logger = logging.getLogger("sweetspotd")


def _joined_job() -> Optional[int]:
    """The job of the `sweetspot run` around this process, which passes its number on in SWEETSPOT_JOB."""
    text = os.environ.get("SWEETSPOT_JOB", "")
    return int(text) if text.isascii() and text.isdigit() else None


class Job:
    """A job that is started by start(), or by `with sweetspotd.job(...)`. Threads may share it.

    In a forked child, such as a data loader's worker, every method does nothing: the job is the parent's.
    """

    def __init__(self, spec: JobSpec, socket: Optional[str] = None) -> None:
        self._spec = spec
        self._path = socket_path(socket)
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._conversation: Optional[Conversation] = None
        self._warned = False
        self._wanted = False
        self._late_since: Optional[float] = None
        self._next_try = 0.0
        self._retry_s = _FIRST_RETRY_S
        self._steps: Optional[int] = None
        self._steps_before = 0  # those that belong to a job lost with a daemon
        self._reported: Optional[int] = None
        self._next_report = 0.0
        self._job_id: Optional[int] = None
        self._decision: Optional[Decision] = None
        self._energy_j: Optional[float] = None
        self._record: Optional[EnergyRecord] = None

    @property
    def id(self) -> Optional[int]:
        """The daemon's number of the job; None before it runs."""
        return self._job_id

    @property
    def decision(self) -> Optional[Decision]:
        """Which clock was chosen, and why; None before the job runs; of a joined job from the first energy() on."""
        return self._decision

    @property
    def clock_hz(self) -> Optional[int]:
        """The GPU clock that the daemon chose, in Hz; None where it leaves the clock alone or has not answered."""
        return self._decision["frequency_hz"] if self._decision else None

    @property
    def joined(self) -> bool:
        """The job is that of the `sweetspot run` around this process, which starts and ends it."""
        return _joined_job() is not None

    @property
    def ended(self) -> bool:
        """end() was called, or start() never."""
        return not self._wanted

    @property
    def foreign(self) -> bool:
        """This process is a fork of the one whose job it is."""
        return os.getpid() != self._pid

    @property
    def awaits_record(self) -> bool:
        """The job has ended and its record is still on its way."""
        return self.ended and self._record is None and self._conversation is not None

    @property
    def record(self) -> Optional[EnergyRecord]:
        """What the job cost, after its end; None where nobody measured it or the reply is still on its way."""
        return self.wait_for_record(PATIENCE_S)

    def wait_for_record(self, timeout_s: float = 5.0) -> Optional[EnergyRecord]:
        """The record after end(), waited for so long at most: for a script that has nothing left to train. None: there is none."""
        if self._record is None and not self._wanted and self._conversation is not None:
            self._turn(self._end_turn, timeout_s)
        return self._record

    def start(self) -> None:
        """Asks the daemon for the job."""
        self._wanted = True
        self._turn(self._advance_turn)

    def progress(self, steps: int) -> None:
        """The optimizer steps done in all since start(). Cheap enough to be called after every step."""
        self._steps = steps
        now = deadline_in(0)
        if now < self._next_report:
            return
        self._next_report = now + _REPORT_EVERY_S
        self._turn(self._progress_turn)

    def energy(self) -> Optional[float]:
        """Joules so far on the counted rails; None where nothing was measured."""
        self._turn(self._energy_turn)
        return self._energy_j

    def end(self) -> Optional[EnergyRecord]:
        """Ends the job. The record, or None where it is not there yet (see `record`) or there is none."""
        if not self._wanted:
            return self._record
        self._turn(self._finish_turn, PATIENCE_S)
        self._wanted = False
        return self._record

    def _turn(self, move: Callable[[float], None], patience_s: Optional[float] = None) -> None:
        """One bounded exchange with the daemon; whatever goes wrong with it is not the training's concern.

        Who has let us wait once is only looked at from then on, until the answer is there: a daemon that hangs costs a
        training one patience, not one a step.
        """
        if self.foreign:
            return
        if patience_s is None:
            patience_s = PATIENCE_S if self._late_since is None else 0.0
        deadline = deadline_in(patience_s)
        if not self._lock.acquire(timeout=patience_s):
            return
        try:
            move(deadline)
            self._note_lateness()
        except (SweetspotError, OSError, ValueError, TypeError, KeyError) as problem:
            self._lose(problem)
        finally:
            self._lock.release()

    def _note_lateness(self) -> None:
        if self._conversation is None or not self._conversation.waiting:
            self._late_since = None
        elif self._late_since is None:
            self._late_since = deadline_in(0)
        elif deadline_in(0) - self._late_since > _LATE_S:
            self._warn("sweetspotd does not answer; see `systemctl status sweetspotd`; the training goes on without")

    def _advance_turn(self, deadline: float) -> None:
        if self._conversation is None:
            if not self._wanted or deadline_in(0) < self._next_try:
                return
            self._conversation = Conversation(self._path, self._spec, _joined_job())
        ready = self._conversation.advance(deadline)
        if not ready or self._job_id == self._conversation.job_id:
            return
        self._job_id = self._conversation.job_id
        self._retry_s = _FIRST_RETRY_S
        self._decision = self._conversation.decision
        if self._conversation.left_out:
            self._warn(f"this sweetspotd is too old to know {', '.join(self._conversation.left_out)}; left out")

    def _progress_turn(self, deadline: float) -> None:
        self._advance_turn(deadline)
        if self._conversation is None or self._job_id is None or self._steps is None or self._steps == self._reported:
            return
        self._conversation.report(self._steps - self._steps_before)
        self._reported = self._steps

    def _energy_turn(self, deadline: float) -> None:
        self._advance_turn(deadline)
        if self._conversation is None or self._job_id is None or self._conversation.over:
            return
        self._conversation.ask_energy(deadline)
        self._energy_j = self._conversation.energy_j
        self._decision = self._conversation.decision

    def _finish_turn(self, deadline: float) -> None:
        self._progress_turn(deadline)
        self._wanted = False
        self._end_turn(deadline)
        if self._conversation is not None and not self._conversation.ending:
            # Not even the call to end it could be made: hanging up ends the job, and the clock does not wait for us.
            self._warn("sweetspotd did not answer; there is no record of this training")
            self._conversation.close()
            self._conversation = None

    def _end_turn(self, deadline: float) -> None:
        if self._conversation is not None and self._conversation.end(deadline):
            self._record = self._conversation.record
            if self._record is not None:
                self._energy_j = self._record["energy_j"]
            self._conversation = None

    def _lose(self, problem: Exception) -> None:
        if self._conversation is not None:
            self._conversation.close()
            self._conversation = None
        self._late_since = None
        if self._job_id is not None:
            self._steps_before = self._steps or 0
            self._reported = None
        self._job_id = None
        # The job of a `sweetspot run` is gone for good; its number may be another's when the daemon comes back.
        self._next_try = math.inf if self.joined else deadline_in(self._retry_s)
        self._retry_s = min(2 * self._retry_s, _LONGEST_RETRY_S)
        self._warn(f"{problem}; the training goes on without")

    def _warn(self, text: str) -> None:
        # Once: a training that logs a line per step for a missing daemon is a broken log.
        level = logging.DEBUG if self._warned else logging.WARNING
        self._warned = True
        _logger.log(level, "%s", text)
