# SPDX-License-Identifier: Apache-2.0
"""One connection to the daemon's socket that never makes its caller wait longer than the caller said.

The public varlink protocol (varlink.org): one JSON object per message, ended by a NUL byte; replies come in the order of
the calls. What was not sent or not answered in time stays queued and goes on at the next turn.
"""

from __future__ import annotations

import collections
import errno
import json
import os
import select
import socket
import time
import weakref
from typing import Any, Deque, Dict, Mapping, Optional

from .errors import Refused, SweetspotError, Unavailable

GOVERNOR = "io.sweetspotd.Governor"
SERVICE = "org.varlink.service"
DEFAULT_SOCKET = f"/run/sweetspotd/{GOVERNOR}"

# A reply is a few KiB; 1,000 jobs in a status are some 600 KiB.
_LONGEST_REPLY = 8 * 1024 * 1024


def socket_path(given: Optional[str] = None) -> str:
    """The socket as given, else $SWEETSPOT_SOCKET, else the default: as every client takes it."""
    return given or os.environ.get("SWEETSPOT_SOCKET") or DEFAULT_SOCKET


def _connect_problem(path: str, problem: OSError) -> str:
    fixes = {
        errno.ENOENT: "there is no such socket; start the service with `sudo systemctl start sweetspotd.socket`",
        errno.ECONNREFUSED: "nobody listens there; `sudo systemctl restart sweetspotd.socket`",
        errno.EACCES: "permission denied; it is for members of the group sweetspot-users: "
        "`sudo usermod -aG sweetspot-users $USER`, then log in again",
        errno.EAGAIN: "it takes no more connections now; see `systemctl status sweetspotd`",
    }
    code = problem.errno or 0
    return f"cannot reach sweetspotd at {path}: {fixes.get(code) or os.strerror(code)}"


class Answer:
    """The reply to one call; `reply` is None until it has come."""

    __slots__ = ("reply",)

    def __init__(self) -> None:
        self.reply: Optional[Dict[str, Any]] = None

    def parameters(self) -> Dict[str, Any]:
        """What came. Raises Refused for an error, Unavailable where nothing came yet."""
        if self.reply is None:
            raise Unavailable("sweetspotd does not answer in time; see `systemctl status sweetspotd`")
        error = self.reply.get("error")
        parameters = self.reply.get("parameters")
        if not isinstance(parameters, dict):
            parameters = {}
        if error is not None:
            raise Refused(str(error), parameters)
        return parameters


class Link:
    """A connection. Not for two threads at once; its owner has the lock. A forked child's copy is closed in the child."""

    def __init__(self, path: str) -> None:
        """Connects at once or raises Unavailable: a unix socket never makes a caller wait here."""
        self._unsent = b""
        self._received = b""
        self._waiting: Deque[Answer] = collections.deque()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.setblocking(False)
        try:
            self._socket.connect(path)
        except OSError as problem:
            self._socket.close()
            raise Unavailable(_connect_problem(path, problem)) from problem
        _open_links.add(self)

    @property
    def closed(self) -> bool:
        """No longer connected."""
        return self._socket.fileno() < 0

    def close(self) -> None:
        """Hangs up; a job that this connection holds ends."""
        self._socket.close()

    def call(self, method: str, parameters: Mapping[str, Any], more: bool = False) -> Answer:
        """Queues a call and sends what can be sent now. Raises Unavailable when the daemon has hung up."""
        answer = Answer()
        self._queue({"method": method, "parameters": dict(parameters), **({"more": True} if more else {})})
        self._waiting.append(answer)
        self._send()
        return answer

    def tell(self, method: str, parameters: Mapping[str, Any]) -> None:
        """The same for a call that nobody answers."""
        self._queue({"method": method, "parameters": dict(parameters), "oneway": True})
        self._send()

    def wait(self, answer: Answer, deadline: float) -> bool:
        """Until the answer is there (True) or time.monotonic() passes `deadline` (False). Raises Unavailable."""
        while answer.reply is None:
            self._send()
            self._receive()
            if answer.reply is not None:
                return True
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            poll = select.poll()
            poll.register(self._socket, select.POLLIN | (select.POLLOUT if self._unsent else 0))
            poll.poll(left * 1000)
        return True

    def expect_more(self, answer: Answer) -> None:
        """Another reply to a call with `more` follows the one in `answer`."""
        answer.reply = None
        self._waiting.appendleft(answer)
        self._take_replies()

    def _queue(self, message: Mapping[str, Any]) -> None:
        if self.closed:
            raise Unavailable("the connection to sweetspotd is closed")
        # NaN would be no JSON, and no figure either.
        self._unsent += json.dumps(message, allow_nan=False).encode() + b"\0"

    def _send(self) -> None:
        while self._unsent:
            try:
                sent = self._socket.send(self._unsent, socket.MSG_NOSIGNAL)
            except BlockingIOError:
                return
            except OSError as problem:
                raise self._broken(f"sweetspotd went away: {problem.strerror}") from problem
            self._unsent = self._unsent[sent:]

    def _receive(self) -> None:
        while True:
            try:
                part = self._socket.recv(65536)
            except BlockingIOError:
                return
            except OSError as problem:
                raise self._broken(f"sweetspotd went away: {problem.strerror}") from problem
            if not part:
                raise self._broken("sweetspotd went away")
            self._received += part
            if len(self._received) > _LONGEST_REPLY:
                raise self._broken("sweetspotd sends a reply without end")
            self._take_replies()

    def _take_replies(self) -> None:
        while self._waiting and b"\0" in self._received:
            text, _, self._received = self._received.partition(b"\0")
            try:
                reply = json.loads(text)
            except (ValueError, RecursionError) as problem:
                raise self._broken("what answers at sweetspotd's socket does not speak varlink") from problem
            if not isinstance(reply, dict):
                raise self._broken("what answers at sweetspotd's socket does not speak varlink")
            self._waiting.popleft().reply = reply

    def _broken(self, why: str) -> SweetspotError:
        self.close()
        return Unavailable(why)


# A forked worker must not keep its parent's connection: the parent's job would outlive the parent.
_open_links: "weakref.WeakSet[Link]" = weakref.WeakSet()


def _close_in_child() -> None:
    for link in list(_open_links):
        link.close()


os.register_at_fork(after_in_child=_close_in_child)
