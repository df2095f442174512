# SPDX-License-Identifier: Apache-2.0
"""A restart of the daemon, an upgrade among them, keeps the jobs that run and does not touch their clock."""

from board import MHZ
from clients import status
from daemon_calls import eventually
from machine import SAVED_CLOCK, UNIT, install, run
from package import failed_units, installed_version
from scenario import JOB_MHZ, equal, pinned_job, scenario, within

ALL = []


def keeps_the_job(world, restart):
    client, reply = pinned_job(world)
    before = world.machine.pid()
    world.board.forget_milliseconds()
    restart()
    eventually(lambda: world.machine.is_another_daemon(before))
    spent = world.board.milliseconds_at_each_clock()
    (job,) = status()["jobs"]
    equal((job["job_id"], job["pid"]), (reply["job_id"], client.pid), "the job after the restart")
    equal(sum(spent.values()) - spent[JOB_MHZ * MHZ], 0, "milliseconds at other clocks by trans_stat")
    record = client.end_job(reply["job_id"])  # over the connection from before
    equal(record["ended_by"], "client", "ended by")
    within(record["coverage"], 0.0, 0.999, "coverage, with the time of the restart left out")
    eventually(world.board.is_free)
    return [f"the job went unmeasured for {record['longest_gap_s']:.1f} s of {record['duration_s']:.1f}"]


@scenario(ALL)
def a_restart_keeps_a_running_job_and_its_clock(world):
    return keeps_the_job(world, lambda: run("systemctl", "restart", UNIT))


@scenario(ALL)
def a_job_whose_client_dies_during_a_restart_gives_the_clock_back(world):
    client, _ = pinned_job(world)
    before = world.machine.pid()
    run("systemctl", "restart", "--no-block", UNIT)
    client.kill()
    eventually(lambda: world.machine.is_another_daemon(before))
    eventually(world.board.is_free)
    equal(status()["jobs"], [], "jobs")


@scenario(ALL)
def a_restart_into_a_daemon_that_does_not_start_gives_the_clock_back(world):
    pinned_job(world)
    world.machine.write_drop_in("Service", "ExecStart=", "ExecStart=/bin/false")
    run("systemctl", "restart", UNIT, check=False)
    eventually(world.board.is_free)
    eventually(lambda: not SAVED_CLOCK.exists())


@scenario(ALL)
def an_upgrade_keeps_a_running_job_and_its_clock(world):
    notes = keeps_the_job(world, lambda: install(world.wanted["newer_package"]))
    equal(installed_version().endswith("+newer"), True, f"version {installed_version()}")
    equal(failed_units(), "", "failed units")
    return notes
