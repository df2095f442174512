# SPDX-License-Identifier: Apache-2.0
"""Something that is no sweetspotd at a socket of its own, for tests of what the client makes of it."""

import contextlib
import json
import os
import socket
import tempfile
import threading


class FakeDaemon:
    """Listens, and answers each call with what `answer` makes of it: bytes, or None for nothing."""

    def __init__(self, answer):
        self._folder = tempfile.TemporaryDirectory(prefix="sweetspot-test-")
        self.path = os.path.join(self._folder.name, "socket")
        self._answer = answer
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.path)
        self._listener.listen()
        self.calls = []
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self):
        self._listener.close()
        self._folder.cleanup()

    def _serve(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection):
        received = b""
        with contextlib.suppress(OSError), connection:
            while part := connection.recv(65536):
                received += part
                while b"\0" in received:
                    text, _, received = received.partition(b"\0")
                    call = json.loads(text)
                    self.calls.append(call)
                    reply = self._answer(call)
                    if reply is not None:
                        connection.sendall(reply)
