# SPDX-License-Identifier: Apache-2.0
"""Calls to the daemon and waiting for what they bring about, by the standard library alone."""

import json
import socket
import time

INTERFACE = "io.sweetspotd.Governor"
# For what must happen, however slow the machine: running into it is a failure, never a measurement.
PATIENCE_S = 60


def eventually(holds):
    """Looks again and again until `holds()` is true, and answers what it gave."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        found = holds()
        if found:
            return found
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {PATIENCE_S} s: {holds}")
        time.sleep(0.01)


def let_pass(seconds):
    """For watching that nothing happens, or that something goes on: there is no condition to wait for."""
    time.sleep(seconds)


class Connection:
    """One connection to the daemon's socket, by the standard library alone."""

    def __init__(self, path):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(PATIENCE_S)
        self._received = b""
        try:
            self._socket.connect(str(path))
        except OSError:
            self._socket.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._socket.close()

    def call(self, method, parameters=None):
        """The reply: {"parameters": …} or {"error": …, "parameters": …}."""
        return self.exchange({"method": f"{INTERFACE}.{method}", "parameters": parameters or {}})

    def send(self, message):
        """One call as it stands."""
        self._socket.sendall(json.dumps(message).encode() + b"\0")

    def exchange(self, message):
        """The reply to a call as it stands."""
        self.send(message)
        while b"\0" not in self._received:
            part = self._socket.recv(65536)
            if not part:
                raise ConnectionResetError("the daemon hung up")
            self._received += part
        reply, _, self._received = self._received.partition(b"\0")
        return json.loads(reply)
