# SPDX-License-Identifier: Apache-2.0
"""What the files of scenarios share. A scenario is a function that takes the World (agent.py), raises when a promise is not
kept, and may return notes for the log; its name says the promise."""

import time

from daemon_calls import eventually

JOB = {"layers": 24, "mean_sequence_length": 14}  # the embedded tree: 714 MHz
JOB_MHZ = 714


def scenario(into, make_ready=True):
    """Adds a function to a list of scenarios; without make_ready it finds the machine as the one before left it."""

    def add(function):
        function.make_ready = make_ready
        into.append(function)
        return function

    return add


def equal(found, expected, what=""):
    if found != expected:
        raise AssertionError(f"{what}: {found!r} instead of {expected!r}")


def within(found, low, high, what):
    if not low <= found <= high:
        raise AssertionError(f"{what}: {found} is not from {low} to {high}")


def contains(text, part):
    if part not in text:
        raise AssertionError(f"{part!r} is not in: {text}")


def pinned_job(world, **spec):
    """A member's job whose pin is in force: (client, reply to StartJob)."""
    client = world.clients.member()
    reply = client.start_job(**{**JOB, **spec})
    eventually(lambda: world.board.is_pinned(JOB_MHZ))
    return client, reply


def seconds_until(holds):
    """How long it took; fails when it takes longer than anybody has patience for."""
    began = time.monotonic()
    eventually(holds)
    return time.monotonic() - began
