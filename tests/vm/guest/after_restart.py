# SPDX-License-Identifier: Apache-2.0
"""The second boot. The first one ended suddenly under a pin, and its saved clock was put back as if /run outlived the restart."""

from clients import clock_is, status
from daemon_calls import eventually
from machine import FOUND_OF_ANOTHER_BOOT, PLANTED, PLANTING, run
from scenario import equal, pinned_job, scenario

ALL = []


@scenario(ALL, make_ready=False)
def the_daemon_is_up_at_boot_before_there_is_a_gpu(world):
    equal(world.board.limits(), None, "limits")
    equal(world.machine.properties("ActiveState")["ActiveState"], "active", "unit")
    seen = status()
    equal((seen["clock"]["condition"], seen["jobs"], seen["gpu"]["node"]), ("no_gpu", [], None), "clock, jobs, node")


@scenario(ALL, make_ready=False)
def a_saved_clock_of_another_boot_restores_nothing(world):
    equal(PLANTED.exists() and f"boot_id={world.earlier['boot_id']}\n" in PLANTED.read_text(encoding="ascii"), True, "the plant")
    world.board.insert_gpu()
    run("udevadm", "settle")
    clock_is("released")
    equal(world.board.is_free(), True, f"fresh limits, not {FOUND_OF_ANOTHER_BOOT}")
    client, reply = pinned_job(world)
    client.end_job(reply["job_id"])
    eventually(world.board.is_free)
    PLANTING.unlink()
    PLANTED.unlink()
