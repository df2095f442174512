# SPDX-License-Identifier: Apache-2.0
"""Conversations of clients and daemons of earlier versions, kept in protocol/ beside this file, one JSON object per line:
{"call": what the client sent, "reply": what the daemon answered, null for a oneway call}.

python3 conversations.py VERSION   records one with the programs as built; done once for a version, and never again for it.
"""

import json
import pathlib
import sys
import tempfile

from support import governed_board

FOLDER = pathlib.Path(__file__).with_name("protocol")
GOVERNOR = governed_board.INTERFACE
# Every field that a client of 0.1.0 can send; the clock and the rails are those of the simulated board.
WHOLE_SPEC = {
    "name": "recorded",
    "model_type": "bert",
    "layers": 24,
    "hidden_size": 1024,
    "mean_sequence_length": 14.5,
    "batch_size": 32,
    "total_steps": 526,
    "policy": "fixed",
    "frequency_hz": 612000000,
    "objective": "gpu+cpu",
    "rails": ["VDD_GPU_SOC"],
    "max_slowdown": 1.5,
    "finish_within_s": 3600.0,
    "lease_s": 3600.0,
    "tags": {"task": "sst2"},
}
CALLS = [
    {"method": "org.varlink.service.GetInfo", "parameters": {}},
    {"method": "org.varlink.service.GetInterfaceDescription", "parameters": {"interface": GOVERNOR}},
    {"method": f"{GOVERNOR}.Explain", "parameters": {"spec": {"layers": 24, "mean_sequence_length": 14.5}}},
    {"method": f"{GOVERNOR}.StartJob", "parameters": {"spec": WHOLE_SPEC}},
    {"method": f"{GOVERNOR}.ReportProgress", "parameters": {"job_id": 1, "steps": 7}, "oneway": True},
    {"method": f"{GOVERNOR}.ReportProgress", "parameters": {"job_id": 1, "steps": 8}},
    {"method": f"{GOVERNOR}.GetStatus", "parameters": {}},
    {"method": f"{GOVERNOR}.EndJob", "parameters": {"job_id": 1}},
]


def versions():
    """The versions that a conversation is kept of."""
    return sorted(path.stem for path in FOLDER.glob("*.jsonl"))


def turns(version):
    """The kept turns of a version: {"call": …, "reply": …} each."""
    lines = (FOLDER / f"{version}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def say(connection, call):
    """Sends one call as it stands; answers its reply, None for a oneway one."""
    if call.get("oneway"):
        connection.send(call)
        return None
    return connection.exchange(call)


def record(version):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with governed_board.Board(folder) as board, governed_board.Daemon(folder, board, {}) as daemon:
            with daemon.connect() as connection:
                kept = [{"call": call, "reply": say(connection, call)} for call in CALLS]
    FOLDER.mkdir(exist_ok=True)
    text = "".join(json.dumps(turn) + "\n" for turn in kept)
    (FOLDER / f"{version}.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    record(sys.argv[1])
