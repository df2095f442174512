# SPDX-License-Identifier: Apache-2.0
"""A client as it is in a container: on the socket mounted there, one order per line of stdin, one JSON line for each.

start SPEC   StartJob on the connection held; answers the reply, and the pid it has in there
hang-up      closes the connection and lives on
leave-heir   forks a child that keeps the connection, and dies by SIGKILL
"""

import json
import os
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from governed_board import Connection  # noqa: E402

connection = Connection(sys.argv[1])
for order, _, rest in (line.strip().partition(" ") for line in sys.stdin):
    if order == "start":
        reply = connection.call("StartJob", {"spec": json.loads(rest)})
    elif order == "hang-up":
        connection.close()
        reply = {}
    elif order == "leave-heir":
        if os.fork() == 0:
            signal.pause()
        os.kill(os.getpid(), signal.SIGKILL)
    else:
        sys.exit(f"unknown order: {order}")
    print(json.dumps({"reply": reply, "pid": os.getpid()}), flush=True)
