# SPDX-License-Identifier: Apache-2.0
"""Whoever dies, the limits found before the first pin come back."""

import functools
import signal

from clients import clock_is, status
from daemon_calls import eventually
from machine import SAVED_CLOCK, UNIT, run
from scenario import JOB_MHZ, equal, pinned_job, scenario, seconds_until, within

ALL = []


@scenario(ALL)
def a_client_killed_gives_the_clock_back(world):
    client, reply = pinned_job(world)
    client.kill()
    took = seconds_until(world.board.is_free)
    ended = eventually(lambda: world.machine.entries(f"SWEETSPOT_JOB_ID={reply['job_id']}", "SWEETSPOT_ENDED_BY=lost"))
    equal(len(ended), 1, "entries of the end")
    return [f"after {took:.2f} s"]


@scenario(ALL)
def a_daemon_killed_gives_the_clock_back_and_is_started_again(world):
    pinned_job(world)
    killed = world.machine.pid()
    world.machine.kill(killed, signal.SIGKILL)
    took = seconds_until(world.board.is_free)
    eventually(lambda: world.machine.is_another_daemon(killed))
    equal(status()["jobs"], [], "jobs of the new daemon")
    equal(world.board.is_free(), True, "free")
    equal(SAVED_CLOCK.exists(), False, "a saved clock")
    return [f"after {took:.2f} s"]


@scenario(ALL)
def both_killed_at_once_give_the_clock_back(world):
    client, _ = pinned_job(world)
    killed = world.machine.pid()
    world.machine.kill(killed, signal.SIGKILL)
    client.kill()
    eventually(world.board.is_free)
    eventually(lambda: world.machine.is_another_daemon(killed))


@scenario(ALL)
def a_daemon_that_hangs_is_ended_by_the_watchdog_and_the_clock_given_back(world):
    # The unit's own 60 s, shortened; a stopped process dies of no SIGABRT, hence the second line.
    world.machine.change_unit("Service", "WatchdogSec=3", "TimeoutAbortSec=2")
    pinned_job(world)
    hanging = world.machine.pid()
    world.machine.kill(hanging, signal.SIGSTOP)
    took = seconds_until(world.board.is_free)
    eventually(lambda: world.machine.is_another_daemon(hanging))
    said = world.machine.since_mark()
    equal("watchdog" in said.lower(), True, f"the watchdog in the journal: {said}")
    return [f"after {took:.2f} s"]


@scenario(ALL)
def a_stop_gives_the_clock_back_and_ends_the_job(world):
    _, reply = pinned_job(world)
    run("systemctl", "stop", UNIT)
    equal(world.board.is_free(), True, "free when the stop has returned")
    ended = world.machine.entries(f"SWEETSPOT_JOB_ID={reply['job_id']}", "SWEETSPOT_ENDED_BY=interrupted")
    equal(len(ended), 1, "entries of the end")
    equal(world.machine.properties("ActiveState", "Result"), {"ActiveState": "inactive", "Result": "success"}, "unit")


@scenario(ALL)
def a_client_starts_a_daemon_that_was_stopped(world):
    run("systemctl", "stop", UNIT)
    client, _ = pinned_job(world)
    equal(world.machine.properties("ActiveState")["ActiveState"], "active", "state of the unit")
    client.kill()
    clock_is("released")


@scenario(ALL)
def a_daemon_that_keeps_dying_is_given_up_and_leaves_no_pin_behind(world):
    # The unit's own five starts in 30 s are more than an emulated machine manages.
    world.machine.change_unit("Unit", "StartLimitIntervalSec=300", "StartLimitBurst=2")
    deaths = 0
    while world.machine.properties("ActiveState")["ActiveState"] != "failed":
        pinned_job(world)
        dying = world.machine.pid()
        world.machine.kill(dying, signal.SIGKILL)
        eventually(world.board.is_free)
        eventually(functools.partial(world.machine.has_dealt_with, dying))
        deaths += 1
        within(deaths, 1, 3, "deaths")
    equal(world.board.is_free(), True, "free")
    equal(SAVED_CLOCK.exists(), False, "a saved clock")


@scenario(ALL)
def restore_is_refused_while_a_daemon_lives(world):
    pinned_job(world)
    done = run("sweetspotd", "--restore", check=False)
    equal(done.returncode, 1, f"exit status: {done.stdout}{done.stderr}")
    equal(world.board.is_pinned(JOB_MHZ), True, "still pinned")
    return [done.stderr.strip() or done.stdout.strip()]
