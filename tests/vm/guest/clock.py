# SPDX-License-Identifier: Apache-2.0
"""What the kernel's devfreq core shows of a pin, and what becomes of one when the board changes under it."""

from board import HIGHEST, LOWEST, MHZ, NODE, read, write
from clients import clock_is, status
from daemon_calls import eventually, let_pass
from machine import run
from scenario import JOB, JOB_MHZ, contains, equal, pinned_job, scenario, within

ALL = []
CLOCK_LOST = "MESSAGE_ID=16843f9911ba4964b48fb030772740ff"
THROTTLED = "MESSAGE_ID=550ac9a3cb3c4336a1d259a0716f897b"


@scenario(ALL)
def a_pin_holds_the_clock_the_kernel_counts(world):
    world.board.lever("load", 1000)  # left alone, the governor would run at the highest clock
    _, reply = pinned_job(world)
    world.board.forget_milliseconds()
    let_pass(2)
    spent = world.board.milliseconds_at_each_clock()
    elsewhere = sum(spent.values()) - spent[JOB_MHZ * MHZ]
    within(spent[JOB_MHZ * MHZ], 1500, 60_000, "milliseconds at the pin by trans_stat")
    equal(elsewhere, 0, "milliseconds at other clocks by trans_stat")
    equal(int(read(NODE / "cur_freq")), JOB_MHZ * MHZ, "cur_freq")
    equal(world.board.clock(), JOB_MHZ * MHZ, "the hardware's clock")
    equal(reply["applied_hz"] or JOB_MHZ * MHZ, JOB_MHZ * MHZ, "applied_hz")


@scenario(ALL)
def a_job_waits_for_a_gpu_that_appears_later(world):
    world.board.remove_gpu()
    client = world.clients.member()
    reply = client.start_job(**JOB)
    equal((reply["state"], reply["applied_hz"]), ("pending", None), "before there is a GPU")
    clock_is("no_gpu")
    world.board.insert_gpu()
    eventually(lambda: world.board.is_pinned(JOB_MHZ))
    client.end_job(reply["job_id"])
    eventually(world.board.is_free)


@scenario(ALL)
def a_pin_comes_back_when_the_driver_is_bound_anew(world):
    client, reply = pinned_job(world)
    world.board.unbind_gpu()
    clock_is("no_gpu")
    world.board.bind_gpu()
    eventually(lambda: world.board.is_pinned(JOB_MHZ))
    clock_is("pinned")
    client.end_job(reply["job_id"])
    eventually(world.board.is_free)


@scenario(ALL)
def a_node_that_udev_has_not_handed_over_yet_is_waited_for(world):
    client, reply = pinned_job(world)
    world.board.unbind_gpu()
    clock_is("no_gpu")
    run("udevadm", "control", "--stop-exec-queue")
    world.board.bind_gpu()
    let_pass(8)  # udev takes milliseconds; early at boot, seconds
    equal(world.board.limits(), (LOWEST, HIGHEST), "limits while the files are root's alone")
    condition = status()["clock"]["condition"]
    if condition == "gave_up":
        raise AssertionError("gave up on a node that was not ready yet")
    run("udevadm", "control", "--start-exec-queue")
    eventually(lambda: world.board.is_pinned(JOB_MHZ))
    client.end_job(reply["job_id"])
    return [f"said meanwhile: {condition}"]


@scenario(ALL)
def a_thermal_cap_of_the_kernel_is_left_alone_and_told(world):
    client, reply = pinned_job(world)
    world.board.cool(8)  # of eleven clocks the lowest three are left
    eventually(lambda: world.board.limits() == (510 * MHZ, 510 * MHZ))
    clock_is("capped")
    eventually(lambda: world.machine.entries(THROTTLED))
    world.board.cool(0)
    eventually(lambda: world.board.is_pinned(JOB_MHZ))
    clock_is("pinned")
    client.end_job(reply["job_id"])
    eventually(world.board.is_free)


@scenario(ALL)
def a_clock_given_back_under_a_thermal_cap_is_free_when_the_cap_goes(world):
    client, reply = pinned_job(world)
    world.board.cool(8)
    clock_is("capped")
    client.end_job(reply["job_id"])
    world.board.cool(0)
    eventually(world.board.is_free)
    clock_is("released")


@scenario(ALL)
def no_pin_is_made_while_a_thermal_cap_hides_the_limits(world):
    world.board.cool(8)
    client = world.clients.member()
    reply = client.start_job(**JOB)
    clock_is("waiting")
    world.board.cool(0)
    eventually(lambda: world.board.is_pinned(JOB_MHZ))
    client.end_job(reply["job_id"])
    eventually(world.board.is_free)


@scenario(ALL)
def a_clock_that_does_not_move_is_noticed_though_every_write_succeeds(world):
    world.board.lever("load", 1000)
    eventually(lambda: world.board.clock() == HIGHEST)
    world.board.lever("stuck", 1)
    client = world.clients.member()
    reply = client.start_job(**JOB)
    eventually(lambda: world.board.is_pinned(JOB_MHZ))
    detail = clock_is("not_obeyed")["detail"]
    equal(world.board.clock(), HIGHEST, "the hardware's clock")
    world.board.lever("stuck", 0)
    clock_is("pinned")
    record = client.end_job(reply["job_id"])
    within(record["share_at_clock"] or 0.0, 0.0, 0.99, "share of the time at the clock")
    eventually(world.board.is_free)
    return [detail]


@scenario(ALL)
def a_clock_that_cannot_be_set_is_noticed_though_every_write_succeeds(world):
    world.board.lever("load", 1000)
    eventually(lambda: world.board.clock() == HIGHEST)
    world.board.lever("set_errno", 5)
    client = world.clients.member()
    reply = client.start_job(**JOB)
    clock_is("not_obeyed")
    world.board.lever("set_errno", 0)
    clock_is("pinned")
    client.end_job(reply["job_id"])
    eventually(world.board.is_free)


@scenario(ALL)
def a_new_power_mode_is_adopted_and_the_job_pinned_within_it(world):
    world.board.change_power_mode(3, HIGHEST)
    client, reply = pinned_job(world)
    world.board.change_power_mode(1, 612 * MHZ)
    eventually(lambda: world.board.is_pinned(612))
    contains(str(world.machine.messages(CLOCK_LOST)), "the power mode was changed")
    eventually(lambda: status()["power_mode"] == "mode 1")
    client.end_job(reply["job_id"])
    eventually(lambda: world.board.limits() == (LOWEST, 612 * MHZ))


@scenario(ALL)
def a_rival_is_told_of_and_not_fought_in_a_loop(world):
    client, reply = pinned_job(world)
    times = 0
    for _ in range(6):
        write(NODE / "max_freq", 1020 * MHZ)
        write(NODE / "min_freq", 918 * MHZ)
        let_pass(3)
        times += world.board.is_pinned(JOB_MHZ)
    within(times, 1, 4, "times the clock was pinned again in 18 s against another writer")
    eventually(lambda: world.machine.entries(CLOCK_LOST))
    client.end_job(reply["job_id"])
    # What the other program wrote last is what it gets.
    eventually(lambda: world.board.limits() == (918 * MHZ, 1020 * MHZ))
