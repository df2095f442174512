# SPDX-License-Identifier: Apache-2.0
"""What a training script and the daemon say to each other, in turns that are bounded in time.

A conversation is a small state machine over one Link: describe → start → running → ending → over. Each turn moves it on as
far as the replies that are there allow; a reply that is late moves it on at the next turn.
"""

from __future__ import annotations

import time
from typing import Any, Dict, List, Mapping, Optional

from ._link import GOVERNOR, SERVICE, Answer, Link
from .client import known_part, spec_fields
from .errors import Refused
from .messages import Decision, EnergyRecord, JobSpec, StartedJob


class Conversation:
    """Starts one job, or joins one that `sweetspot run` started, and ends what it started.

    Raises Unavailable when the daemon went away, Refused when it said no; both end the conversation for good.
    """

    def __init__(self, path: str, spec: JobSpec, joined_id: Optional[int]) -> None:
        self._link = Link(path)
        self._spec = spec
        self._joined = joined_id is not None
        self.job_id: Optional[int] = joined_id
        self.started: Optional[StartedJob] = None
        self.record: Optional[EnergyRecord] = None
        self.left_out: List[str] = []
        self.energy_j: Optional[float] = None
        """Joules so far, from the newest status that came."""
        self.decision: Optional[Decision] = None
        """How the clock was chosen; of a joined job from the first status that came."""
        self._description: Optional[Answer] = None
        self._start: Optional[Answer] = None
        self._status: Optional[Answer] = None
        self._end: Optional[Answer] = None
        if not self._joined:
            self._description = self._link.call(f"{SERVICE}.GetInterfaceDescription", {"interface": GOVERNOR})

    @property
    def over(self) -> bool:
        """Nothing more is to come."""
        return self._link.closed

    @property
    def waiting(self) -> bool:
        """An answer is still to come."""
        if self.over:
            return False
        ended = self._end is not None and self.record is None
        return ended or any(answer is not None for answer in (self._description, self._start, self._status))

    @property
    def ending(self) -> bool:
        """The daemon was told to end the job."""
        return self._end is not None

    def advance(self, deadline: float) -> bool:
        """Until the job runs (True), or the deadline, which is of time.monotonic(), is over."""
        if self._description is not None:
            if not self._link.wait(self._description, deadline):
                return False
            description, self._description = self._description, None
            fields = spec_fields(str(description.parameters().get("description", "")))
            known = known_part(self._spec, fields)
            self.left_out = [key for key, value in self._spec.items() if value is not None and key not in known]
            self._start = self._link.call(f"{GOVERNOR}.StartJob", {"spec": known})
        if self._start is not None:
            if not self._link.wait(self._start, deadline):
                return False
            start, self._start = self._start, None
            self.started = _started(start.parameters())
            self.decision = self.started["decision"]
            self.job_id = self.started["job_id"]
        return True

    def report(self, steps: int) -> None:
        """Steps done in all, once the job runs. Waits for nothing."""
        if self.job_id is not None and self._end is None:
            self._link.tell(f"{GOVERNOR}.ReportProgress", {"job_id": self.job_id, "steps": steps})

    def ask_energy(self, deadline: float) -> None:
        """Brings energy_j up to date, as far as the deadline allows."""
        if self._status is None:
            self._status = self._link.call(f"{GOVERNOR}.GetStatus", {})
        if self._link.wait(self._status, deadline):
            status, self._status = self._status, None
            self._note_energy(status.parameters())

    def end(self, deadline: float) -> bool:
        """Ends the job that this conversation started. False while the record is not there yet."""
        if self._joined:
            self._link.close()
            return True
        if self._end is None:
            if not self.advance(deadline):
                return False
            self._end = self._link.call(f"{GOVERNOR}.EndJob", {"job_id": self.job_id})
        if not self._link.wait(self._end, deadline):
            return False
        self.record = self._end.parameters()["record"]
        self._link.close()
        return True

    def close(self) -> None:
        """Hangs up; the job ends with that."""
        self._link.close()

    def _note_energy(self, status: Mapping[str, Any]) -> None:
        for job in status.get("jobs", []):
            if job.get("job_id") == self.job_id:
                self.energy_j = job.get("energy_j")
                self.decision = job.get("decision", self.decision)


def _started(reply: Dict[str, Any]) -> StartedJob:
    if not isinstance(reply.get("job_id"), int) or not isinstance(reply.get("decision"), dict):
        raise Refused(f"{GOVERNOR}.StartJob", {"reply": "without job_id and decision"})
    return reply  # type: ignore[return-value]


def deadline_in(seconds: float) -> float:
    """That many seconds from now, for the deadlines above."""
    return time.monotonic() + seconds
