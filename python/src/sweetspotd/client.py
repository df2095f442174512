# SPDX-License-Identifier: Apache-2.0
"""All methods of the daemon, one call at a time. For tools; a training script is better off with sweetspotd.job()."""

from __future__ import annotations

import re
import threading
import time
from types import TracebackType
from typing import Any, Dict, FrozenSet, Iterator, List, Mapping, Optional, Type, cast

from ._link import GOVERNOR, SERVICE, Answer, Link, socket_path
from .errors import Unavailable
from .messages import Decision, EnergyRecord, JobSpec, StartedJob, Status

_COMMENT = re.compile(r"#.*")
_JOB_SPEC = re.compile(r"type\s+JobSpec\s*\(([^)]*)\)")
_FIELD = re.compile(r"(\w+)\s*:")


def spec_fields(description: str) -> FrozenSet[str]:
    """The fields of a JobSpec that a daemon with this interface description knows; none where it does not say."""
    found = _JOB_SPEC.search(_COMMENT.sub("", description))
    return frozenset(_FIELD.findall(found.group(1))) if found else frozenset()


def known_part(spec: Mapping[str, Any], fields: FrozenSet[str]) -> Dict[str, Any]:
    """The spec without what is None and without what an older daemon would refuse as unknown."""
    return {key: value for key, value in spec.items() if value is not None and (not fields or key in fields)}


class Client:
    """A connection to sweetspotd. Jobs it starts end with it, unless their spec names a pid.

    Raises Unavailable where nobody answers within `timeout` seconds a call, Refused for the daemon's errors. Threads may
    share a client; their calls queue up. A client closes itself when a call was not answered in time.
    """

    def __init__(self, socket: Optional[str] = None, timeout: float = 5.0) -> None:
        self._path = socket_path(socket)
        self._timeout = timeout
        self._lock = threading.Lock()
        self._link = Link(self._path)
        self._fields: Optional[FrozenSet[str]] = None

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def close(self) -> None:
        """Hangs up."""
        self._link.close()

    def start_job(self, spec: JobSpec) -> StartedJob:
        """Starts a job. Fields that an older daemon does not know are left out; left_out(spec) names them."""
        parameters = {"spec": known_part(spec, self._spec_fields())}
        return cast(StartedJob, self._call(f"{GOVERNOR}.StartJob", parameters))

    def report_progress(self, job_id: int, steps: int) -> None:
        """The steps done in all since the job's start. Renews its lease."""
        self._call(f"{GOVERNOR}.ReportProgress", {"job_id": job_id, "steps": steps})

    def end_job(self, job_id: int) -> EnergyRecord:
        """Ends a job; answers what it cost, after a last sample."""
        return cast(EnergyRecord, self._call(f"{GOVERNOR}.EndJob", {"job_id": job_id})["record"])

    def explain(self, spec: JobSpec) -> Decision:
        """Which clock a job would get, and why. Changes nothing."""
        parameters = {"spec": known_part(spec, self._spec_fields())}
        return cast(Decision, self._call(f"{GOVERNOR}.Explain", parameters)["decision"])

    def status(self) -> Status:
        """Everything the daemon knows of its board, its jobs and itself."""
        return self._call(f"{GOVERNOR}.GetStatus", {})

    def left_out(self, spec: JobSpec) -> List[str]:
        """Fields of the spec that this daemon is too old to know."""
        fields = self._spec_fields()
        return [key for key in spec if fields and key not in fields]

    def watch(self, period_ms: Optional[int] = None) -> Iterator[Dict[str, Any]]:
        """Samples and events as they happen, until the iterator is closed; over a connection of its own.

        Raises Unavailable when the daemon goes away. Samples keep coming, so silence of 60 s and the timeout is an error.
        """
        link = Link(self._path)
        try:
            parameters = {} if period_ms is None else {"period_ms": period_ms}
            answer = link.call(f"{GOVERNOR}.Watch", parameters, more=True)
            while True:
                link.wait(answer, time.monotonic() + 60 + self._timeout)
                event = answer.parameters()["event"]
                link.expect_more(answer)
                yield cast(Dict[str, Any], event)
        finally:
            link.close()

    def _spec_fields(self) -> FrozenSet[str]:
        if self._fields is None:
            description = self._call(f"{SERVICE}.GetInterfaceDescription", {"interface": GOVERNOR})["description"]
            self._fields = spec_fields(str(description))
        return self._fields

    def _call(self, method: str, parameters: Mapping[str, Any]) -> Dict[str, Any]:
        with self._lock:
            answer: Answer = self._link.call(method, parameters)
            if not self._link.wait(answer, time.monotonic() + self._timeout):
                self._link.close()  # a late reply would be taken for the next call's
                raise Unavailable("sweetspotd does not answer in time; see `systemctl status sweetspotd`")
            return answer.parameters()
