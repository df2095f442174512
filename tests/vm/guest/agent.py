# SPDX-License-Identifier: Apache-2.0
"""Runs the scenarios inside the virtual machine, as root, and tells the host one line of JSON for each.

The machine boots twice: what the scenarios of the first boot leave behind, above all a pin at the moment of a sudden restart, is
what those of the second look at. Everything is in the folder this file lies in; `run.json` says what is wanted.
"""

import json
import os
import pathlib
import re
import sys
import time
import traceback

import daemon_calls
from board import Board
from clients import Clients
from daemon_calls import eventually
from machine import Machine, restart_suddenly, turn_off
from scenarios import FIRST_BOOT, SECOND_BOOT

# An emulated machine whose host has other work may be twenty times as slow as one that has the host for itself.
PATIENCE_S = 180
PORT = pathlib.Path("/dev/virtio-ports/agent")
BETWEEN_BOOTS = pathlib.Path("/var/lib/vm-agent/first-boot.json")


class Reporter:
    """The host reads these lines while they come."""

    def __init__(self):
        eventually(PORT.is_char_device)  # its name comes some time after the kernel
        self._port = open(PORT, "wb", buffering=0)

    def say(self, **line):
        self._port.write(json.dumps(line).encode() + b"\n")


class World:
    """What a scenario works with."""

    def __init__(self, wanted):
        self.board = Board()
        self.machine = Machine()
        self.clients = Clients()
        self.wanted = wanted

    def make_ready(self):
        """The same start for every scenario: board and sensors well, the daemon up, no job, no pin."""
        self.clients.end_all()
        self.board.make_well()
        self.machine.make_well(self.wanted["package"])
        self.board.make_well()  # a daemon that was stuck on the board has let go of it by now


def chosen(scenarios, wanted):
    """All, or those whose name has something in it that matches."""
    return [scenario for scenario in scenarios if re.search(wanted["only"], scenario.__name__)]


def run(scenario, world, reporter):
    started = time.monotonic()
    fault = None
    notes = []
    try:
        if scenario.make_ready:
            world.make_ready()
        world.machine.mark()
        notes = scenario(world) or []
    except Exception:  # a fault of any kind is this scenario's, and the next one begins from a known state
        fault = traceback.format_exc(limit=-4) + "\n" + world.machine.since_mark() + "\n" + world.board.describe()
    reporter.say(scenario=scenario.__name__, fault=fault, notes=notes, seconds=round(time.monotonic() - started, 1))


def forget_systemd():
    """What systemd told this service is not meant for the programs it runs; sweetspotd would take the folder for its own."""
    for name in ("RUNTIME_DIRECTORY", "INVOCATION_ID", "JOURNAL_STREAM", "SYSTEMD_EXEC_PID"):
        os.environ.pop(name, None)


def main():
    forget_systemd()
    daemon_calls.PATIENCE_S = PATIENCE_S
    wanted = json.loads(pathlib.Path("run.json").read_text(encoding="utf-8"))
    reporter = Reporter()
    second = BETWEEN_BOOTS.exists()
    reporter.say(boot=2 if second else 1, seconds=round(float(pathlib.Path("/proc/uptime").read_text().split()[0]), 1))
    world = World(wanted)
    if second:
        world.earlier = json.loads(BETWEEN_BOOTS.read_text(encoding="utf-8"))
    for scenario in chosen(SECOND_BOOT if second else FIRST_BOOT, wanted):
        run(scenario, world, reporter)
    if not second and chosen(SECOND_BOOT, wanted):
        leave_a_pin_behind(world)
        reporter.say(restart=True)
        restart_suddenly()
    reporter.say(end=True)
    if wanted["keep"]:
        os.execvp("systemctl", ["systemctl", "stop", "vm-agent.service"])
    turn_off()


def leave_a_pin_behind(world):
    """As when the power fails in the middle of a job."""
    world.make_ready()
    world.clients.member().start_job(layers=24, mean_sequence_length=14)
    eventually(lambda: world.board.limits() == (714_000_000, 714_000_000))
    world.machine.plant_saved_clock_of_this_boot()
    BETWEEN_BOOTS.parent.mkdir(parents=True, exist_ok=True)
    BETWEEN_BOOTS.write_text(json.dumps({"boot_id": world.machine.boot_id()}), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
